extension Rule {
    /// Files that satisfy or violate a rule.
    package struct Example: Sendable {
        package var files: [(name: String, text: String)]

        static func + (left: Example, right: Example) -> Example { Example(files: left.files + right.files) }

        static func file(_ name: String, _ text: String) -> Example { Example(files: [(name, text)]) }

        static func search(_ text: String) -> Example { file("search.md", text) }

        static let plain = search("# search\n\n## show\n")

        static func event(_ text: String) -> Example { search("# search\n\n## show\n\n" + text + "\n") }

        static func columns(_ rows: String...) -> Example {
            event("| column | type |\n| --- | --- |\n" + rows.joined(separator: "\n"))
        }

        static func details(_ rows: String...) -> Example {
            event("| key | value |\n| --- | --- |\n" + rows.joined(separator: "\n"))
        }

        static func types(_ text: String) -> Example { file("types.md", "# types\n\n" + text + "\n") }
    }
}
