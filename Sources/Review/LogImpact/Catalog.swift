/// The tables whose readers are searched.
package struct Catalog: Sendable {
    package struct Table: Hashable, Sendable {
        /// The name, qualified or not: `search__show`, `analytics.search__show`.
        package var name: String
        /// The names of the columns; an empty array if they are unknown.
        package var columns: [String]

        package init(name: String, columns: [String]) {
            self.name = name
            self.columns = columns
        }
    }

    package var tables: [Table]

    package init(tables: [Table]) {
        self.tables = tables
    }
}
