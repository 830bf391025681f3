import MarkdownSyntax
import TestSupport
import Testing

@testable import LogDefinitions

/// Tests of inputs that a fuzzer found, or that could take more than linear time.
@Suite struct UnusualBytesTests {
    @Test("The search for a repetitive name is limited") func searchForARepetitiveNameIsLimited() {
        let count = 200_000
        let source = SourceText(Array(String(repeating: "a", count: 2 * count).utf8))
        #expect(source.firstRange(of: String(repeating: "a", count: count) + "b", in: 0..<2 * count) == nil)
        #expect(source.firstRange(of: String(repeating: "a", count: count), in: 5..<2 * count) == 5..<count + 5)
    }

    /// A thousand mistakes among a thousand types would take long if all pairs were compared.
    @Test("The number of suggestions is limited") func numberOfSuggestionsIsLimited() async {
        func names(_ count: Int) -> [String] { (0..<count).map { "Type\($0)" } }
        let types = "# types\n\n" + names(1_000).map { "## \($0): int64\n\n" }.joined()
        let rows = names(1_000).enumerated().map { "| c\($0) | \($1)x | |\n" }.joined()
        let analysis = await analyse([
            "types.md": types,
            "search.md": "# search\n\n## show\n\n| column | type | description |\n| --- | --- | --- |\n" + rows,
        ])
        let mistakes = analysis.diagnostics.filter { $0.rule == .unknownType }
        #expect(mistakes.count == 1_000)
        #expect(mistakes.contains { $0.notes.contains { $0.message.hasPrefix("did you mean") } })
        #expect(mistakes.contains { $0.notes.contains { $0.message.hasPrefix("declare it") } })
    }

    /// GFM extends a short row to all columns of its table. Doing so for each row costs columns times rows.
    @Test("Wide tables with short rows are read", arguments: ["column | type", "event | column | type"])
    func wideTablesWithShortRowsAreRead(_ headers: String) async {
        let count = Depth.limit(8_000, deep: 20_000)
        let head = "# search\n\n\(headers.hasPrefix("event") ? "" : "## show\n\n")| \(headers) |"
        let columns = headers.split(separator: "|").count + count
        let text =
            head + String(repeating: " x |", count: count) + "\n" + String(repeating: "| - ", count: columns) + "|\n"
        let analysis = await analyse(["search.md": text + (0..<count).map { "| a\($0) |\n" }.joined()])
        let events = analysis.definitions.categories.flatMap(\.events)
        #expect(
            headers.hasPrefix("event")
                ? events.count == count : analysis.diagnostics.count { $0.rule == .typeSyntax } == count)
    }
}
