import MarkdownSyntax
import Testing

@testable import LogDefinitions

/// Tests that strings are compared by Unicode scalars.
@Suite struct ExactStringTests {
    private static let composed = "\u{304C}"
    private static let decomposed = "\u{304B}\u{3099}"

    private func event(_ rows: String, headers: String = "column | type") -> String {
        "# search\n\n## show\n\n| \(headers) |\n|\(String(repeating: " --- |", count: headers.split(separator: "|").count))\n\(rows)\n"
    }

    @Test("Strings that are equal in Swift are different if their scalars differ")
    func stringsWithDifferentScalarsAreDifferent() {
        #expect(Self.composed == Self.decomposed)
        #expect(ExactString(Self.composed) != ExactString(Self.decomposed))
        #expect(Set([ExactString(Self.composed), ExactString(Self.decomposed), ExactString(Self.composed)]).count == 2)
        #expect(LogValueType.enumeration([Self.composed]) != .enumeration([Self.decomposed]))
        #expect(LogTrigger.tap(target: "A.\(Self.composed)") != .tap(target: "A.\(Self.decomposed)"))
    }

    @Test("A value's normalization is a change", arguments: ["enum(%)", "[enum(%, x)]", "Order"])
    func aValuesNormalisationIsAChange(_ type: String) async throws {
        func definitions(_ value: String) async -> Definitions {
            let types = type == "Order" ? "# types\n\n## Order\n\n| value |\n| --- |\n| \(value) |\n" : "# types\n"
            let column =
                "| a | \(type.split(separator: "%", omittingEmptySubsequences: false).joined(separator: value)) |"
            let analysis = await analyse(["search.md": event(column), "types.md": types])
            #expect(!analysis.hasErrors)
            return analysis.definitions
        }
        let (old, new) = (await definitions(Self.composed), await definitions(Self.decomposed))
        let baseline = Baseline(old)
        let drift = await Drift.between(baseline, and: new, scope: .everything).drift
        let report = DriftReport(definitions: new, baseline: baseline, hasVersions: true)
        // One value goes, another comes. Only the first change breaks something.
        #expect(report.diagnostics(of: drift).count == 1)
        #expect(report.notes(of: drift).count == 1)
    }

    @Test("Types that differ by normalization are parsed separately")
    func typesThatDifferByNormalisationAreReadEachByItself() async {
        let analysis = await analyse([
            "search.md": event("| a | enum(\(Self.composed)) |\n| b | enum(\(Self.decomposed)) |")
        ])
        let columns = analysis.definitions.categories.flatMap { $0.events.flatMap(\.columns) }
        #expect(columns.map(\.type) == [.enumeration([Self.composed]), .enumeration([Self.decomposed])])
    }

    @Test("A column name has one type, compared by scalars") func oneColumnNameHasOneTypeByScalars() async {
        let text =
            event("| a | enum(\(Self.composed)) |")
            + "\n## hide\n\n| column | type |\n| --- | --- |\n| a | enum(\(Self.decomposed)) |\n"
        #expect(await analyse(["search.md": text]).diagnostics.map(\.rule).contains(.columnType))
    }

    @Test(
        "Values that look alike are reported",
        arguments: [
            ("| a | enum(A4, \u{FF21}4) |", Rule.confusable), ("| a | enum(\u{30AC}, \u{FF76}\u{FF9E}) |", .confusable),
            ("| a | enum(a, b\u{200B}) |", .confusable), ("| a | enum(a, b\u{3000}) |", .confusable),
            ("| a | enum(\(composed), \(decomposed)) |", .derivedName), ("| a | enum(newest, Newest) |", .derivedName),
        ])
    func valuesThatLookAlikeAreReported(_ row: String, _ rule: Rule) async {
        #expect(await analyse(["search.md": event(row)]).diagnostics.map(\.rule) == [rule])
    }

    @Test("Headers and types that look alike are reported") func headersAndTypesThatLookAlikeAreReported() async {
        let headers = await analyse(["search.md": event("| a | int | x | y |", headers: "column | type | Memo | memo")])
        #expect(headers.diagnostics.map(\.rule) == [.confusable])
        let types = await analyse(["types.md": "# types\n\n## ListOrder: int64\n\n## Listorder: int64\n"])
        #expect(types.diagnostics.map(\.rule) == [.confusable])
    }

    @Test("Headers that look alike are two annotations") func headersOfEqualLookAreTwoAnnotations() async {
        let text = event("| a | int | x | y |", headers: "column | type | \(Self.composed) | \(Self.decomposed)")
        let analysis = await analyse(["search.md": text])
        #expect(analysis.diagnostics.map(\.rule) == [.confusable])
        #expect(analysis.definitions.categories[0].events[0].columns[0].annotations.count == 2)
    }
}
