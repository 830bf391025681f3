/// A column as records have it: the part of a definition that readers and writers of records depend on.
package struct ColumnShape: Sendable, Hashable {
    package var name: String
    package var type: LogValueType
    package var isRequired: Bool
    package var privacy: LogPrivacy?
    /// The place of its row, as `file:line:column`, for messages of the judge. Nil in shapes that are compared, and if no
    /// document has the column any more.
    package var place: String?

    package init(name: String, type: LogValueType, isRequired: Bool, privacy: LogPrivacy? = nil, place: String? = nil) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.privacy = privacy
        self.place = place
    }
}
