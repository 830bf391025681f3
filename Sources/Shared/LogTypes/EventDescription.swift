/// An event as records are judged by it, with every version that its records may name.
package struct EventDescription: Sendable {
    package struct Column: Sendable {
        package var name: String
        package var type: LogValueType
        package var isRequired: Bool
        /// Where its row stands, as `file:line:column`; nil if no document has it any more.
        package var place: String?

        package init(name: String, type: LogValueType, isRequired: Bool, place: String? = nil) {
            self.name = name
            self.type = type
            self.isRequired = isRequired
            self.place = place
        }
    }

    package struct Version: Sendable {
        /// As records have it: `1-0-2`.
        package var text: String
        package var isRetired: Bool
        /// Common columns first, as the runtime writes them.
        package var columns: [Column]
        /// Columns that records of this version no longer have.
        package var retiredColumns: [String]

        package init(text: String, isRetired: Bool = false, columns: [Column], retiredColumns: [String] = []) {
            self.text = text
            self.isRetired = isRetired
            self.columns = columns
            self.retiredColumns = retiredColumns
        }
    }

    package var category: String
    package var name: String
    package var owner: String?
    /// Where its heading stands, as `file:line:column`.
    package var place: String?
    /// Today's version first. If there are two of one text, the first one counts.
    package var versions: [Version]

    package init(category: String, name: String, owner: String? = nil, place: String? = nil, versions: [Version]) {
        self.category = category
        self.name = name
        self.owner = owner
        self.place = place
        self.versions = versions
    }

    /// `category.event`.
    package var fullName: String { "\(category).\(name)" }

    /// Whether today's definitions have retired it.
    package var isRetired: Bool { versions.first?.isRetired ?? false }
}
