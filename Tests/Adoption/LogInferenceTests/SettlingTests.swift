import LogDefinitions
import MarkdownSyntax
import Testing

@testable import LogInference

/// Tests of how contradictions in a draft are resolved for documents.
struct SettlingTests {
    private func infer(_ sheet: String) async -> Inference {
        await Inference.ofSpreadsheets([InferenceSource(path: "search.csv", bytes: Array(sheet.utf8))], category: nil)
    }

    @Test(
        "Two types of one name are merged",
        arguments: [
            ("int64", "string", "string"), ("int64", "double", "double"), ("int8", "int16", "int64"),
            ("int(0...5)", "int(3...9)", "int(0...9)"),
            ("uint8", "uint16", "int64(0...)"), ("string(5)", "string(9)", "string(9)"),
            ("string(5)", "string", "string"),
            ("float", "double", "double"),
            ("enum(a; b)", "enum(b)", "enum(a; b, b)"), ("enum(a)", "enum(b)", "enum(a, b)"),
            ("enum(a)", "string", "string"),
            ("[int8]", "[string]", "[string]"),
            ("[bool; 1...2]", "[bool; 2...3]", "[bool; 1...3]"), ("bool", "date", "string"),
            ("decimal(5, 2)", "decimal(4, 0)", "decimal(6, 2)"),
            ("double(0...1)", "double(-1...)", "double(-1...)"),
        ]) func oneNameHasOneType(one: String, other: String, both: String) async throws
    {
        let left = try TypeNotation.parse(one).type
        let right = try TypeNotation.parse(other).type
        #expect(Widening.of(left, right).description == both)
        #expect(Widening.of(right, left).shape == Widening.of(left, right).shape)
        let inference = await infer("event\tcolumn\ttype\nshow\ta\t\(one)\nhide\ta\t\(other)\n")
        #expect(inference.findings.map { "\($0.place.map { "\($0)" } ?? "")" } == ["search.csv:2"])
        #expect(
            inference.findings.first?.message.contains("it becomes `\(both)` in all of them") == true,
            "\(inference.findings)")
        let analysis = await inference.analysed()
        #expect(!analysis.hasErrors, "\(analysis.diagnostics.map(\.message))")
        #expect(
            analysis.definitions.categories.first?.events.map { $0.columns.first?.type.description } == [both, both])
    }

    @Test("A common column is not repeated in an event") func commonColumnIsNotRepeatedInAnEvent() async {
        let place = SourcePlace("plan.json")
        func column(_ name: String, _ type: LogValueType) -> DraftColumn {
            DraftColumn(name: name, type: type, isRequired: true, place: place)
        }
        var event = DraftEvent(name: "show", place: place)
        event.columns = [column("brand", .string(.init())), column("size", .string(.init())), column("a", .boolean)]
        var draft = Draft()
        draft.common = [column("brand", .string(.init())), column("size", .boolean)]
        let category = draft.index(ofCategory: "plan", at: place)
        draft.categories[category].events = [event]
        let inference = await Inference.finish((draft, []))
        #expect(inference.documents.map(\.path) == ["common.md", "plan.md"])
        #expect(inference.documents.last?.text.split(separator: "\n").filter { $0.hasPrefix("| ") }.count == 3)
        #expect(
            inference.findings.map(\.message) == [
                "the column `size` of `show` is left out: a common column has the name"
            ])
    }
}
