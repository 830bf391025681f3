import MarkdownSyntax
import Testing

@testable import LogDefinitions

/// Tests of mistakes that once changed the meaning without a diagnostic, or took several rounds to correct.
@Suite struct FixTests {
    private func fixed(_ text: String, _ file: String = "search.md") async throws -> String {
        try #require(await corrected(text, file), "no correction of: \(text)")
    }

    private static func event(_ body: String) -> String { "# search\n\n## tap\n\n\(body)\n" }
    private static func column(_ type: String) -> String {
        event("| column | type |\n| --- | --- |\n| order | \(type) |")
    }

    @Test(
        "Enumeration values with stray punctuation are a warning with a fix",
        arguments: [
            ("enum(a、b)", "enum(a, b)"), ("enum(a; b)", "enum(a, b)"), ("enum(a b)", "enum(a, b)"),
            ("enum(a \\| b)", "enum(a, b)"),
            ("enum(\"a\", b)", "enum(a, b)"), ("enum('a', 'b')?", "enum(a, b)?"), ("enum(a, b, ~~c~~)", "enum(a, b)"),
            ("enum(a&nbsp;, b)", "enum(a, b)"), ("[enum(a；b)]", "[enum(a, b)]"), ("enum(a/b)", "enum(a, b)"),
            ("enum(「新着」, 人気)", "enum(新着, 人気)"),
        ])
    func strayPunctuationInAValueHasAFix(_ type: String, _ meant: String) async throws {
        #expect(await analyse(["search.md": Self.column(type)]).diagnostics.map(\.severity) == [.warning])
        #expect(try await fixed(Self.column(type)) == Self.column(meant))
        #expect(await analyse(["search.md": Self.column(meant)]).diagnostics.map(\.message) == [])
    }

    @Test(
        "Prose, ordinary values, other headers and other lists are not reported",
        arguments: [
            "enum(x y, 50%?)", "enum(don't, o'clock)", "enum(R&D, Q&A)", "enum(a/b, c/d)", "enum(新 着, 人・気)",
        ].map(column)
            + ["memo", "備考", "source", "unit", "position", "画面", "valid from", "default"].map {
                event("| column | type | \($0) |\n| --- | --- | --- |\n| size | int | x |")
            }
            + [
                "Owner: the search team writes it.", "Note: shown twice.", "since: the beginning",
                "privacy: see the policy", "- the size (int the best case)", "- shown (once)", "- `size` (in pixels)",
                "- a (b): int", "Shown, tapped, and closed.\nThen size, date, and url follow.", "type, column",
                "The column type is int.\nIt is so.",
            ].map(event) + [column("int") + "\n- order (int): from 1\n"])
    func isNotReported(_ text: String) async {
        #expect(await analyse(["search.md": text]).diagnostics.map(\.message) == [])
    }

    @Test(
        "The table that is proposed for pasted rows reads back to their cells",
        arguments: [
            (
                "column\ttype\tdescription\tx\nnote\tstring?\tA | B\t",
                "| column | type | description | x |\n| --- | --- | --- | --- |\n| note | string? | A \\| B |  |"
            ),
            (
                "column,type,description\nsort,\"enum(a, b)\",\"say \"\"a\"\"\"",
                "| column | type | description |\n| --- | --- | --- |\n| sort | enum(a, b) | say \"a\" |"
            ),
            ("column\ttype\nsort\t\"enum(a, b)\"", "| column | type |\n| --- | --- |\n| sort | enum(a, b) |"),
            ("column;type\nsort;int64", "| column | type |\n| --- | --- |\n| sort | int64 |"),
            ("column｜type\nsort｜int64", "| column | type |\n| --- | --- |\n| sort | int64 |"),
        ])
    func proposedTableReadsBack(_ pasted: String, _ table: String) async throws {
        #expect(try await fixed(Self.event(pasted)) == Self.event(table))
    }

    @Test("The fix of headers behind a tag leaves the headers", arguments: ["<b>", "<b><span id=x>", "</i> "])
    func headersBehindATagAreFixed(_ tag: String) async throws {
        let table = "| column | type |\n| --- | --- |\n| sort | int64 |"
        #expect(try await fixed(Self.event("Text.\n\n" + tag + table)) == Self.event("Text.\n\n" + table))
    }

    @Test(
        "The name that is proposed for a name in tags is the name", arguments: ["<b>order</b>", "<code>order</code>"])
    func namesInTagsAreFixed(_ name: String) async throws {
        let (head, type) = ("| column | type |\n| --- | --- |\n| ", " | int64 |")
        #expect(try await fixed(Self.event(head + name + type)) == Self.event(head + "order" + type))
    }

    @Test(
        "No table is proposed for pasted rows that a table cannot hold",
        arguments: [
            "column,type,description\nsort,int64,\"two\nlines\"", "column,type\nsort,enum(a, b)",
        ])
    func noTableIsProposed(_ pasted: String) async {
        let found = await analyse(["search.md": Self.event(pasted)]).diagnostics
        #expect(found.map { "\($0.rule)" } == ["broken-table"])
        #expect(found.allSatisfy { $0.notes.allSatisfy { $0.edit == nil && $0.lines.isEmpty } })
    }

    @Test(
        "Stray punctuation in a value in `types.md` is a warning",
        arguments: ["\"b\"", "~~b~~", "b;c", "b、c", "b&nbsp;"])
    func oddValuesOfTypesAreReported(_ value: String) async {
        let found = await analyse(["types.md": "# types\n\n## Order\n\n| value |\n| --- |\n| a |\n| \(value) |\n"])
            .diagnostics
        #expect(found.map { "\($0.rule) \($0.severity)" } == ["enum-spelling warning"])
        #expect(found.allSatisfy { $0.notes.contains { $0.kind == .help } })
    }

    @Test(
        "A detail outside a table is an error, and its fix sets the detail",
        arguments: [
            "privacy: personal", "- privacy: personal", "**privacy**: personal", "個人情報：○", "owner: @search",
            "* sampling: 10%\n* owner: @x",
            "trigger: screen",
        ])
    func detailsOutsideATableAreErrors(_ line: String) async throws {
        let text = Self.event(line)
        #expect(
            await analyse(["search.md": text]).diagnostics.map { "\($0.rule) \($0.severity)" } == ["lost-detail error"])
        let after = await analyse(["search.md": try await fixed(text)])
        #expect(after.diagnostics.map(\.message) == [])
        #expect(
            after.definitions.categories.first?.events.first?.details.texts.count == line.split(separator: "\n").count)
    }

    @Test(
        "A list that looks like columns is an error in an event without a column table",
        arguments: ["- size: int", "- size (int): the size", "* `size` (int32?)", "1. `size`（string）"])
    func listsLikeColumnsAreErrors(_ line: String) async {
        let found = await analyse(["search.md": Self.event(line)]).diagnostics
        #expect(found.map { "\($0.rule) \($0.severity)" } == ["list-column error"])
    }

    @Test("An invalid type in a row with a missing cell gets a note about the row's length")
    func shortRowsAreNamed() async {
        let found = await analyse([
            "search.md": Self.event("| column | type | description |\n| --- | --- | --- |\n| size | the size |")
        ]).diagnostics
        #expect(found.map(\.rule) == [.typeSyntax])
        #expect(
            found.first?.notes.map(\.message) == [
                "the row has 2 cells, but the header has 3: if a cell is missing, insert it"
            ])
    }

    @Test(
        "A heading with HTML strikethrough is reported",
        arguments: ["## <del>old</del>", "## <s>古い `old`</s>", "## Old <strike>`old`</strike>"])
    func struckHeadingsAreReported(_ heading: String) async throws {
        let text = "# search\n\n\(heading)\n"
        #expect(await analyse(["search.md": text]).diagnostics.map { "\($0.rule)" } == ["misplaced-mark"])
        let after = await analyse(["search.md": try await fixed(text)])
        #expect(after.diagnostics.map(\.message) == [])
        #expect(after.definitions.categories.first?.events.map(\.status) == [.retired])
    }

    static let pasted = [
        "column,type,description\nsize,int,The size\nkind,string(10),", "size,int,The size\nkind,string,The kind",
        "column type description\nsize int The size\nkind string The kind",
        "column    type      description\nsize      int       The size",
        "column\ttype\tdescription\nsize\tint\tThe size\nkind\tstring\tThe kind",
        "｜カラム｜型｜説明｜\n｜ーーー｜ーーー｜ーーー｜\n｜size｜ｉｎｔ６４｜大きさ｜\n｜kind｜enum（a、b）｜種類｜",
        "｜ｃｏｌｕｍｎ｜ｔｙｐｅ｜\n｜－－－｜－－－｜\n｜ｓｉｚｅ｜ｉｎｔ｜", "key,value\nowner,@search\nprivacy,personal",
    ]

    @Test("Pasted or full-width rows are one error, and its fix is the whole table", arguments: pasted)
    func pastedRowsAreOneError(_ rows: String) async throws {
        for text in [Self.event(rows), "# search\n\n## tap\n\nText.\n\n\(rows)\n\n## hide\n"] {
            #expect(
                await analyse(["search.md": text]).diagnostics.map { "\($0.rule) \($0.severity)" } == [
                    rows.hasPrefix("size") ? "list-column error" : "broken-table error"
                ], "\(text)")
            let written = try await fixed(text)
            let after = await analyse(["search.md": written])
            #expect(after.diagnostics.map(\.message) == [], "\(written)")
            let event = try #require(after.definitions.categories.first?.events.first)
            #expect(
                event.columns.count + event.details.texts.count == rows.split(separator: "\n").count
                    - (rows.contains("ー｜") || rows.contains("－｜") ? 2 : rows.hasPrefix("size") ? 0 : 1))
        }
    }

    @Test("The help of a value with an invisible character is the value without it")
    func invisibleCharacterInAValue() async throws {
        let text = "# types\n\n## Grade\n\n| value |\n| --- |\n| \u{2009}gold |\n| silver |\n"
        #expect(try await fixed(text, "types.md") == text.replacing("\u{2009}", with: ""))
    }

    @Test("An entity in a name does not separate two names")
    func entityInAName() async {
        let found = await analyse(["search.md": Self.event("| column | type |\n| --- | --- |\n| page&nbsp; | int |")])
            .diagnostics.map(\.message)
        #expect(found.count == 1 && found[0].hasPrefix("`page&nbsp;` is not an identifier"), "\(found)")
    }

    @Test("A file of many mistakes keeps the correction of each")
    func manyMistakes() async {
        let headings = (0..<500).map { "##open\($0)" }
        let rows = (0..<500).map { "| c\($0) | int(0..\($0)) |" }
        let table = "## show\n\n| column | type |\n| --- | --- |\n" + rows.joined(separator: "\n")
        for (text, count) in [(headings.joined(separator: "\n\n"), 500), (table, 500)] {
            let found = await analyse(["search.md": "# search\n\n\(text)\n"]).diagnostics
            #expect(found.count == count && found.allSatisfy { $0.notes.contains { $0.edit != nil } })
        }
    }

    @Test("A pasted value table is one error")
    func pastedValuesAreOneError() async throws {
        let text = "# types\n\n## Order\n\nvalue,description\nnewest,New\npopular,Many"
        let found = await analyse(["types.md": text]).diagnostics
        #expect(found.map { "\($0.rule)" } == ["broken-table"])
        #expect(await analyse(["types.md": try await fixed(text, "types.md")]).diagnostics.map(\.message) == [])
    }

}
