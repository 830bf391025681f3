/// The part of a column that readers and writers of records depend on.
package struct ColumnShape: Sendable, Hashable {
    package var name: String
    package var type: LogValueType
    package var isRequired: Bool
    package var privacy: LogPrivacy?
    /// The source location of the column's row, as `file:line:column`, for messages of the validator. Nil in shapes
    /// that are compared with each other, and for columns without a row in the current definitions.
    package var place: String?

    package init(name: String, type: LogValueType, isRequired: Bool, privacy: LogPrivacy? = nil, place: String? = nil) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.privacy = privacy
        self.place = place
    }
}
