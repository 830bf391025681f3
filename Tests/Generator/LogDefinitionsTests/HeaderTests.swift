import MarkdownSyntax
import Testing

@testable import LogDefinitions

/// The meaning of headers and keys in the spellings of other teams.
@Suite struct HeaderTests {
    private func event(_ body: String) -> String { "# search\n\n## tap\n\n\(body)\n" }

    private func table(_ header: String, _ cell: String = "") -> String {
        event("| column | type | \(header) |\n| --- | --- | --- |\n| size | int | \(cell) |")
    }

    @Test(
        "A header in another spelling has its meaning, and formatting writes the canonical word",
        arguments: [
            ("Property", "data type", "column", "type"), ("field_name", "Data Type", "column", "type"),
            ("Parameter:", "dataType", "column", "type"), ("プロパティ名", "データ型", "カラム", "型"), ("項目", "タイプ", "カラム", "型"),
            ("name", "Type", "column", "type"),
        ])
    func spellings(_ column: String, _ type: String, _ canonicalColumn: String, _ canonicalType: String) async {
        let text = event("| \(column) | \(type) |\n| --- | --- |\n| size | int |")
        let analysis = await analyse(["search.md": text])
        #expect(analysis.diagnostics.map(\.message) == [])
        #expect(analysis.definitions.categories.first?.events.first?.columns.map(\.name) == ["size"])
        let formatted = await formatted(["search.md": text])["search.md"] ?? ""
        #expect(formatted.contains("| \(canonicalColumn)"), "\(formatted)")
        #expect(formatted.contains("| \(canonicalType)"), "\(formatted)")
    }

    @Test(
        "A cell says whether its column is required, below a header or its opposite",
        arguments: [
            ("required", "yes", true), ("Required?", "N", false), ("mandatory", "✓", true), ("必須?", "×", false),
            ("optional", "yes", false), ("Nullable", "no", true), ("任意", "○", false), ("required", "optional", false),
            ("optional", "required", true), ("is_required", "", true),
        ])
    func requirements(_ header: String, _ cell: String, _ isRequired: Bool) async {
        let analysis = await analyse(["search.md": table(header, cell)])
        #expect(analysis.diagnostics.map(\.message) == [])
        #expect(analysis.definitions.categories.first?.events.first?.columns.first?.isRequired == isRequired)
    }

    @Test(
        "A header with markup or a remark has the meaning of its words, and what is not read is reported",
        arguments: [
            "~~since~~", "**since**", "`since`", "since[^1]", "Since (version)", "since *", "[since](#since)",
            "<b>since</b>",
            "ｓｉｎｃｅ",
        ])
    func marked(_ header: String) async {
        let analysis = await analyse(["search.md": table(header, "2.0")])
        let column = analysis.definitions.categories.first?.events.first?.columns.first
        #expect(column?.since == "2.0", "\(analysis.diagnostics.map(\.message))")
        #expect(column?.annotations.isEmpty == true)
        let isReadInPart = header.utf8.last.map { "~])".utf8.contains($0) } == true
        #expect(
            analysis.diagnostics.map(\.message) == (isReadInPart ? ["the header `\(header)` is read as `since`"] : []))
    }

    @Test(
        "A header that only a type can replace is reported with the type",
        arguments: [
            ("allowed values", "a, b", "enum(a, b)"), ("Options", "a / b", "enum(a, b)"),
            ("possible_values", "a", "enum(a)"),
            ("validValues", "", "enum(newest, popular)"), ("選択肢", "a、b", "enum(a, b)"), ("許可値", "a, b", "enum(a, b)"),
            ("max length", "10", "string(10)"), ("文字数", "10", "string(10)"), ("maxLength", "", "string(64)"),
            ("range", "0-100", "int(0...100)"), ("Min", "0", "int(0...100)"), ("上限", "5", "int(0...100)"),
            ("sensitive", "yes", "privacy"),
        ])
    func limits(_ header: String, _ cell: String, _ advised: String) async {
        let found = await analyse(["search.md": table(header, cell)]).diagnostics
        #expect(found.map { "\($0.rule) \($0.severity)" } == ["header-spelling warning"])
        #expect(found.allSatisfy { $0.notes.contains { $0.message.contains("`\(advised)`") } }, "\(found.map(\.notes))")
    }

    @Test(
        "A key in another spelling has its meaning, and formatting writes the canonical word",
        arguments: [("Owner", "owner"), ("team", "owner"), ("担当者", "担当"), ("廃止", "非推奨"), ("sample rate", "sampling")])
    func keys(_ key: String, _ canonical: String) async {
        let text = event("| key | value |\n| --- | --- |\n| \(key) | 10% |")
        #expect(await analyse(["search.md": text]).diagnostics.map(\.message) == [])
        let formatted = await formatted(["search.md": text])["search.md"] ?? ""
        #expect(formatted.contains("| \(canonical)"), "\(formatted)")
    }

    @Test(
        "A mark that repeats the event above is reported, and its row belongs to that event",
        arguments: ["↑", "〃", "同上", "-", "(same)", "ditto", "\"", "…", "same as above", "々"])
    func ditto(_ mark: String) async {
        let text =
            "# search\n\n| event | column | type |\n| --- | --- | --- |\n| tap | size | int |\n| \(mark) | rank | int |\n"
        let analysis = await analyse(["search.md": text])
        #expect(analysis.diagnostics.count == 1)
        #expect(
            analysis.diagnostics.allSatisfy { $0.notes.contains { $0.message.contains("an empty cell continues") } })
        #expect(analysis.definitions.categories.first?.events.first?.columns.count == 2)
    }

    @Test(
        "Several names in one place are one error that lists them",
        arguments: ["open_book / close_book", "open_book<br>close_book", "open_book, close_book", "openBook/closeBook"])
    func severalNames(_ text: String) async {
        let documents = [
            "# search\n\n## \(text)\n",
            "# search\n\n| event | column | type |\n| --- | --- | --- |\n| \(text) | size | int |\n",
            event("| column | type |\n| --- | --- |\n| \(text) | int<br>date |"),
        ]
        // In a heading, `<br>` is not a separator.
        for document in text.contains("<") ? documents.dropFirst() : documents[...] {
            let found = await analyse(["search.md": document]).diagnostics
            #expect(found.map(\.rule) == [.identifier], "\(found.map(\.message))")
            #expect(found.allSatisfy { $0.notes.contains { $0.message.contains("`open_book`, `close_book`") } })
        }
    }
}
