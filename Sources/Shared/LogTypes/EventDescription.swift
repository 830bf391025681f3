/// The description of an event that records are validated against, with every version that records may name.
package struct EventDescription: Sendable {
    package struct Version: Sendable {
        /// The version string as records contain it: `1-0-2`.
        package var text: String
        package var isRetired: Bool
        /// The columns in the order in which the runtime writes them: common columns first.
        package var columns: [ColumnShape]
        /// The names of columns that records of this version no longer have.
        package var retiredColumns: [String]
        /// The current names of columns that have been renamed since this version, by their names in it.
        package var heirs: [String: String] = [:]
        /// The current values of enumerations by their former values, by the column's name in this version.
        package var valueHeirs: [String: [String: String]] = [:]

        package init(text: String, isRetired: Bool = false, columns: [ColumnShape], retiredColumns: [String] = []) {
            self.text = text
            self.isRetired = isRetired
            self.columns = columns
            self.retiredColumns = retiredColumns
        }
    }

    package var category: String
    package var name: String
    package var owner: String?
    /// The position of the event's heading, as `file:line:column`; nil for an event without a heading.
    package var place: String?
    /// The versions, the current one first. If two versions have the same string, the first one counts.
    package var versions: [Version]
    /// The current name (`category.event`) of a former one, whose versions these are; nil for a current name.
    package var heir: String?

    package init(category: String, name: String, owner: String? = nil, place: String? = nil, versions: [Version]) {
        self.category = category
        self.name = name
        self.owner = owner
        self.place = place
        self.versions = versions
    }

    /// The category and the event, as `category.event`.
    package var fullName: String { "\(category).\(name)" }

    /// Indicates whether the event is retired in its first (current) version.
    package var isRetired: Bool { versions.first?.isRetired ?? false }
}
