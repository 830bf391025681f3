extension Rule {
    /// Files that satisfy or violate a rule.
    package struct Example: Sendable {
        package var files: [(name: String, text: String)]

        static func + (left: Example, right: Example) -> Example { Example(files: left.files + right.files) }

        static func file(_ name: String, _ text: String) -> Example { Example(files: [(name, text)]) }

        /// A category `search`.
        static func search(_ text: String) -> Example { file("search.md", text) }

        /// A category with one event and nothing else.
        static let plain = search("# search\n\n## show\n")

        /// A category with text below the heading of its event.
        static func event(_ text: String) -> Example { search("# search\n\n## show\n\n" + text + "\n") }

        /// A category whose event has a column table with these rows.
        static func columns(_ rows: String...) -> Example {
            event("| column | type |\n| --- | --- |\n" + rows.joined(separator: "\n"))
        }

        /// A category whose event has a details table with these rows.
        static func details(_ rows: String...) -> Example {
            event("| key | value |\n| --- | --- |\n" + rows.joined(separator: "\n"))
        }

        static func types(_ text: String) -> Example { file("types.md", "# types\n\n" + text + "\n") }
    }
}
