import Foundation
import LogDefinitions
import MarkdownSyntax
import Testing

@testable import LogInference

/// Small tracking plans, each with one habit of real ones. `Cases/plans.txt` contains the plans and their events.
struct DocumentCasesTests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var document = ""
        /// The events with their columns, without the category.
        var events: [String] = []
        var common: [String] = []
        var retired: [String] = []
        /// Parts of messages.
        var messages: [String] = []

        var testDescription: String { name }

        /// Adds an expected line: an event, or `common: `, `retired: ` or `message: ` and its value.
        mutating func expect(_ line: String) {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch parts.first {
            case "common:": common.append(parts[1])
            case "retired:": retired.append(parts[1])
            case "message:": messages.append(parts[1])
            case nil: break
            default: events.append(line)
            }
        }
    }

    /// The cases of the file: `##### name`, a plan, `===`, and the expected lines.
    static let cases: [Case] = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases/plans.txt")
        let text = "\n" + ((try? String(contentsOf: path, encoding: .utf8)) ?? "")
        return text.components(separatedBy: "\n##### ").dropFirst().map { block in
            let halves = block.components(separatedBy: "\n===\n")
            let lines = halves[0].components(separatedBy: "\n")
            var plan = Case(name: lines[0], document: lines.dropFirst().joined(separator: "\n") + "\n")
            for line in halves.last?.components(separatedBy: "\n") ?? [] { plan.expect(line) }
            return plan
        }
    }()

    @Test("The file has plans") func count() { #expect(Self.cases.count > 100) }

    @Test("A plan becomes its events", arguments: cases) func events(_ plan: Case) async {
        let source = InferenceSource(path: "plan.md", bytes: Array(plan.document.utf8))
        let inference = await Inference.ofMarkdown([source], category: nil)
        let events = inference.draft.categories.flatMap { category in
            category.events.map { event in
                let columns = event.columns.map { "\($0.name): \($0.type)\($0.isRequired ? "" : "?")" }
                return "\(event.name)(\(columns.joined(separator: ", ")))"
            }
        }
        #expect(events == plan.events)
        #expect(inference.draft.common.map { "\($0.name): \($0.type)" } == plan.common)
        let retired = inference.draft.categories.flatMap(\.events).filter(\.isRetired).map(\.name)
        #expect(plan.retired.isEmpty || retired == plan.retired)
        for message in plan.messages {
            #expect(
                inference.findings.contains { $0.message.contains(message) },
                "\(inference.findings.map(\.message)) lacks `\(message)`")
        }
        let errors = await inference.analysed().diagnostics.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(inference.documents.map(\.text))")
    }

    @Test("Marks of a state and footnotes are no part of a name") func states() async throws {
        let document = """
            # Shop

            ## ~~`cart_close`~~

            | Property |
            |---|
            | a |

            ## [obsolete] `order_sent`

            | Property |
            |---|
            | a |

            ## [DEPRECATED] order_returned[^1]

            | Property |
            |---|
            | a |

            | Event | Properties | PII |
            |---|---|---|
            | ~~`cart_open`~~ | a | Yes |
            """
        let source = InferenceSource(path: "plan.md", bytes: Array(document.utf8))
        let inference = await Inference.ofMarkdown([source], category: nil)
        let events = inference.draft.categories.flatMap(\.events)
        #expect(events.map(\.name) == ["cart_close", "order_sent", "order_returned", "cart_open"])
        #expect(events.map(\.isRetired) == [true, true, false, true])
        #expect(
            events.map { $0.details.map { "\($0.key.rawValue): \($0.value)" } } == [
                [], [], ["deprecated: DEPRECATED"], ["privacy: personal"],
            ])
        #expect(events.allSatisfy { $0.title.isEmpty })
    }
}
