import MarkdownSyntax
import Testing

@testable import LogDefinitions

/// Tests of the names in headings and cells.
struct NameTests {
    static let headings: [(heading: String, name: String, title: String, isRetired: Bool, column: Int)] = [
        ("show", "show", "", false, 4),
        ("表示 `show`", "show", "表示", false, 8),
        ("`show` 表示", "show", "表示", false, 5),
        ("前 `show` 後", "show", "前 後", false, 7),
        ("A &amp; *B* `show`", "show", "A & B", false, 17),
        ("``show``", "show", "", false, 6),
        ("~~show~~", "show", "", true, 6),
        ("~~表示 `show`~~", "show", "表示", true, 10),
        ("表示 ~~`show`~~", "show", "表示", true, 10),
        ("表示 `~~show~~`", "show", "表示", true, 10),
        ("[obsolete] show", "show", "", true, 15),
        ("[obsolete]show", "show", "", true, 14),
        ("[Obsolete] 表示 `show`", "show", "表示", true, 19),
        ("show ##", "show", "", false, 4),
    ]

    @Test("A heading names an event", arguments: headings)
    func headingNamesAnEvent(_ example: (heading: String, name: String, title: String, isRetired: Bool, column: Int))
        async throws
    {
        for reference in ["", "\n[obsolete]: http://example.com\n"] {
            let analysis = await analyse(["search.md": "# search\n\n## \(example.heading)\n\(reference)"])
            let event = try #require(analysis.definitions.categories.first?.events.first, "\(analysis.diagnostics)")
            #expect(event.name == example.name)
            #expect(event.title == example.title)
            #expect((event.status == .retired) == example.isRetired)
            let source = analysis.definitions.files[0].source
            #expect(source.position(at: event.place.range.lowerBound) == (3, example.column))
        }
    }

    static let cells: [(cell: String, name: String, isRetired: Bool)] = [
        ("recipe_id", "recipe_id", false), ("`recipe_id`", "recipe_id", false), ("~~recipe_id~~", "recipe_id", true),
        ("~~`recipe_id`~~", "recipe_id", true), ("`~~recipe_id~~`", "recipe_id", true),
        ("[obsolete] recipe_id", "recipe_id", true),
        ("[obsolete] `recipe_id`", "recipe_id", true),
    ]

    @Test("A cell names a column", arguments: cells)
    func cellNamesAColumn(_ example: (cell: String, name: String, isRetired: Bool)) async throws {
        let text = "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| \(example.cell) | int |\n"
        let analysis = await analyse(["search.md": text])
        let column = try #require(
            analysis.definitions.categories.first?.events.first?.columns.first, "\(analysis.diagnostics)")
        #expect(column.name == example.name)
        #expect((column.status == .retired) == example.isRetired)
    }

    @Test("Setext headings name categories and events") func setextHeadingsNameToo() async throws {
        let text = "表示 `search`\n=====\n\nshow\n----\n"
        let analysis = await analyse(["search.md": text])
        #expect(analysis.diagnostics.isEmpty)
        #expect(analysis.definitions.categories.first?.events.map(\.name) == ["show"])
    }

    @Test(
        "Backticks around a whole string are removed",
        arguments: [
            ("`a`", "a"), ("` a `", "a"), ("``a`b``", "`a`b`"), ("`a ``b`` c`", "a ``b`` c"),
            ("`close` か `view`", "`close` か `view`"),
            ("`1`, `2`", "`1`, `2`"),
            ("``", "``"), ("a", "a"),
        ])
    func backticksAroundATextAreNone(_ text: String, _ expected: String) {
        #expect(withoutBackticks(text[...]) == expected)
    }

    @Test("A definition with a wrong name is compared with the others by its correction")
    func correctedNames() async {
        func rules(_ body: String) async -> [String] {
            await analyse(["search.md": "# search\n\n" + body]).diagnostics.map(\.rule.name).sorted()
        }
        let table = "\n\n| column | type |\n| --- | --- |\n| size | int |\n"
        #expect(await rules("## tap\(table)\n## Tap\(table)") == ["duplicate-event", "identifier"])
        #expect(await rules("## tap\(table)| Size | int |\n") == ["duplicate-column", "identifier"])
        #expect(
            await rules("| event | column | type |\n| --- | --- | --- |\n| tap | size | int |\n| Tap | size | int |\n")
                == ["duplicate-event", "identifier"])
    }
}
