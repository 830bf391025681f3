import Foundation
import LogDefinitions
import MarkdownSyntax
import TestSupport
import Testing

@testable import LogInference

/// Small sources, each with one habit of real ones. The files of `Cases` contain the sources and their events.
struct InferenceCasesTests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var source: InferenceSource
        /// The events with their columns: `cart.open(count: int64)`, or `open(count: int64)` for any category.
        var events: [String] = []
        var common: [String] = []
        var retired: [String] = []
        /// Parts of messages.
        var messages: [String] = []
        /// The messages of `lint` for the documents.
        var lints: [String] = []
        /// All findings, or none of them.
        var findings: [String] = []
        /// All documents, or none of them.
        var documents = ""

        var testDescription: String { name }

        /// Adds an expected line: an event, or a word with a colon and its value.
        mutating func expect(_ line: String) {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch parts.first {
            case "common:": common.append(parts[1])
            case "retired:": retired.append(parts[1])
            case "message:": messages.append(parts[1])
            case "lint:": lints.append(parts[1])
            case "finding:": findings.append(parts[1])
            case nil: break
            default: events.append(line)
            }
        }
    }

    /// The cases of a file: a source, the expected lines, and optionally the documents.
    private static func cases(_ file: String, of source: String) -> [Case] {
        TextCase.all(file).map { text in
            let bytes = Array("\(text.parts[0])\n".utf8)
            var expected = Case(name: text.name, source: InferenceSource(path: source, bytes: bytes))
            for line in text.parts[1].components(separatedBy: "\n") { expected.expect(line) }
            if text.parts.count > 2 { expected.documents = text.parts[2] }
            return expected
        }
    }

    static let plans = cases("plans.txt", of: "plan.md")
    static let sheets = cases("sheets.txt", of: "sheet.csv")
    static let schemas = cases("schemas.txt", of: "order.json")

    @Test("Each file has cases") func count() {
        #expect(Self.plans.count > 140 && Self.sheets.count > 10 && Self.schemas.count > 1)
    }

    @Test("A plan becomes its events", arguments: plans) func plan(_ plan: Case) async {
        await expect(plan, from: Inference.ofMarkdown([plan.source], category: nil))
    }

    @Test("A spreadsheet becomes its events", arguments: sheets) func sheet(_ sheet: Case) async {
        await expect(sheet, from: Inference.ofSpreadsheets([sheet.source], category: nil))
    }

    @Test("A schema becomes its events", arguments: schemas) func schema(_ schema: Case) async {
        await expect(schema, from: Inference.ofSchemas([schema.source], category: nil))
    }

    private func expect(_ expected: Case, from inference: Inference) async {
        let hasCategories = expected.events.first?.prefix { $0 != "(" }.contains(".") ?? false
        let events = inference.signatures.map { hasCategories ? $0 : String($0.drop { $0 != "." }.dropFirst()) }
        #expect(events == expected.events)
        #expect(inference.draft.common.map { "\($0.name): \($0.type)" } == expected.common)
        let retired = inference.draft.categories.flatMap(\.events).filter(\.isRetired).map(\.name)
        #expect(expected.retired.isEmpty || retired == expected.retired)
        for message in expected.messages {
            #expect(
                inference.findings.contains { $0.message.contains(message) },
                "\(inference.findings.map(\.message)) lacks `\(message)`")
        }
        let findings = inference.findings.isEmpty ? ["none"] : inference.lines
        #expect(expected.findings.isEmpty || findings == expected.findings)
        let documents = inference.documents.map { "==> \($0.path)\n\($0.text)" }.joined().trimmingCharacters(
            in: .newlines)
        #expect(expected.documents.isEmpty || documents == expected.documents)
        let analysis = await inference.analysed()
        #expect(analysis.diagnostics.map(\.message) == expected.lints, "\(documents)")
        #expect(await DefinitionFormatter.format(analysis).isEmpty, "\(documents)")
    }
}
