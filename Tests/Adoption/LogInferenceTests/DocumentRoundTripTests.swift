import LogDefinitions
import MarkdownSyntax
import TestSupport
import Testing

@testable import LogInference

/// Definitions as plans of the five forms, which come back as the same definitions.
struct DocumentRoundTripTests {
    struct Column: Equatable {
        var name: String
        var type: String
        var isRequired: Bool
        var description: String
        var example: String?
        var privacy: LogPrivacy?
    }

    struct Event: Equatable {
        var name: String
        var description: String
        var owner: String?
        var columns: [Column]
    }

    struct Model: Equatable {
        var common: [Column] = []
        var categories: [(name: String, events: [Event])]

        static func == (left: Model, right: Model) -> Bool {
            left.common == right.common && left.categories.map(\.name) == right.categories.map(\.name)
                && left.categories.map(\.events) == right.categories.map(\.events)
        }
    }

    enum Form: CaseIterable { case headings, cells, rows, lists, shared }

    /// Types, each with an example of its values.
    private static let types: [(type: String, example: String?)] = [
        ("string", "a word"), ("int", "3"), ("int64", "-12"), ("double", "1.5"), ("bool", "true"),
        ("timestamp", "2026-11-27T10:00:00.000Z"), ("date", "2026-11-27"),
        ("uuid", "6f1c0a52-64a5-4d8e-9a0f-3f0a0c0e7b11"), ("url", "https://example.com/a"), ("enum(a, b)", "b"),
        ("enum(newest, oldest, near)", "near"), ("[string]", nil), ("[int]", nil), ("[double]", nil),
    ]

    private static func random(_ form: Form, _ generator: inout SeededGenerator) -> Model {
        func pick(_ words: [String]) -> String { words[Int(generator.next() % UInt64(words.count))] }
        var types: [String: (type: String, example: String?)] = [:]
        func column(_ index: Int) -> Column {
            let name =
                pick(["item", "list", "user", "page", "source"]) + pick(["_id", "_count", "_kind", "_name"])
                + "_\(index)"
            // One name has one type.
            let type = types[name] ?? Self.types[Int(generator.next() % UInt64(Self.types.count))]
            types[name] = type
            return Column(
                name: name, type: type.type, isRequired: generator.next() % 3 > 0,
                description: pick(["", "The thing", "What was shown there", "並び順", "Of the last page"]),
                // Items of cells and lists have no examples.
                example: form == .cells || form == .lists || generator.next() % 2 == 0 ? nil : type.example,
                privacy: [nil, nil, .personal, .sensitive][Int(generator.next() % 4)])
        }
        var model = Model(categories: [])
        if form == .shared {
            model.common = (0..<3).map {
                Column(name: "common_\($0)", type: "string", isRequired: true, description: "")
            }
        }
        for category in 0..<Int(1 + generator.next() % 4) {
            var events: [Event] = []
            for event in 0..<Int(1 + generator.next() % 5) {
                // An event without properties has siblings with them.
                let count = event == 0 ? 1 + generator.next() % 6 : generator.next() % 7
                events.append(
                    Event(
                        name: "\(pick(["open", "close", "tap"]))_\(category)_\(event)",
                        description: pick(["", "Shown after a tap.", "検索したとき"]),
                        owner: [nil, "@shop", "@search"][Int(generator.next() % 3)],
                        columns: (0..<Int(count)).map(column)))
            }
            model.categories.append(("area_\(category)", events))
        }
        return model
    }

    private static func written(_ model: Model, _ form: Form) -> String {
        func flags(_ column: Column) -> String {
            let privacy: String = column.privacy.map { $0 == .personal ? ", PII" : ", sensitive" } ?? ""
            return (column.isRequired ? "" : ", optional") + privacy
        }
        func facts(_ column: Column) -> String {
            "\(column.description) | \(column.example ?? "") | \(column.privacy?.rawValue ?? "no")"
        }
        func owner(_ event: Event) -> String { event.owner.map { "- **Owner:** \($0)\n\n" } ?? "" }
        func item(_ column: Column) -> String {
            let description = column.description.isEmpty ? "" : ": \(column.description)"
            return "`\(column.name)` (\(column.type)\(flags(column)))\(description)"
        }
        func table(_ columns: [Column]) -> String {
            columns.isEmpty
                ? ""
                : "| Property | Type | Required | Description | Example | PII |\n|---|---|---|---|---|---|\n"
                    + columns.map {
                        "| `\($0.name)` | `\($0.type)` | \($0.isRequired ? "Yes" : "No") | \(facts($0)) |\n"
                    }
                    .joined() + "\n"
        }
        var text = "# Tracking plan\n\n"
        if !model.common.isEmpty { text += "## Common properties\n\n" + table(model.common) }
        for (name, events) in model.categories {
            text += "## \(name)\n\n"
            switch form {
            case .headings, .shared:
                for event in events {
                    text += "### \(event.name)\n\n\(event.description)\n\n\(owner(event))"
                    text += table(model.common + event.columns)
                }
            case .cells:
                text += "| Event | Description | Owner | Properties |\n|---|---|---|---|\n"
                for event in events {
                    let items = event.columns.map(item).joined(separator: "<br>")
                    text += "| `\(event.name)` | \(event.description) | \(event.owner ?? "—") "
                    text += "| \(items.isEmpty ? "—" : items) |\n"
                }
                text += "\n"
            case .rows:
                text +=
                    "| Event | Event description | Team | Property | Type | Required | Description | Example | PII |\n"
                text += "|---|---|---|---|---|---|---|---|---|\n"
                for event in events {
                    text += "| `\(event.name)` | \(event.description) | \(event.owner ?? "") | | | | | | |\n"
                    for column in event.columns {
                        text += "| | | | \(column.name) | \(column.type) | \(column.isRequired) | \(facts(column)) |\n"
                    }
                }
                text += "\n"
            case .lists:
                for event in events {
                    text += "### `\(event.name)`\n\n\(event.description)\n\n\(owner(event))Properties:\n\n"
                    text += event.columns.map { "- \(item($0))\n" }.joined() + "\n"
                }
            }
        }
        return text
    }

    private static func read(_ text: String) async -> (model: Model, findings: [Finding]) {
        let inference = await Inference.ofMarkdown(
            [InferenceSource(path: "plan.md", bytes: Array(text.utf8))], category: nil)
        func columns(_ columns: [DraftColumn]) -> [Column] {
            columns.map {
                Column(
                    name: $0.name, type: "\($0.type)", isRequired: $0.isRequired, description: $0.description,
                    example: $0.example, privacy: $0.privacy)
            }
        }
        let categories = inference.draft.categories.map { category in
            (
                category.name,
                category.events.map {
                    // An owner of all events is the category's.
                    let owner = ($0.details + category.details).first { $0.key == .owner }?.value
                    return Event(
                        name: $0.name, description: $0.description.text, owner: owner, columns: columns($0.columns))
                }
            )
        }
        return (Model(common: columns(inference.draft.common), categories: categories), inference.findings)
    }

    @Test("A random model comes back from each form", arguments: Form.allCases, 0..<Depth.cases(10, deep: 40))
    func random(form: Form, seed: Int) async {
        var generator = SeededGenerator(seed: UInt64(seed))
        let model = Self.random(form, &generator)
        let text = Self.written(model, form)
        let (found, findings) = await Self.read(text)
        #expect(found == model, "\(text)")
        #expect(!findings.contains { $0.kind == .warning }, "\(findings.map(\.message))\n\(text)")
    }

    @Test("The output is the same for the same plan, and lints clean") func isStable() async {
        var generator = SeededGenerator(seed: 7)
        let text = Self.written(Self.random(.shared, &generator), .shared)
        let source = InferenceSource(path: "plan.md", bytes: Array(text.utf8))
        let first = await Inference.ofMarkdown([source], category: nil)
        let second = await Inference.ofMarkdown([source], category: nil)
        #expect(first.documents.map(\.text) == second.documents.map(\.text))
        // Definitions are not read as a plan.
        for document in first.documents {
            let again = await Inference.ofMarkdown(
                [InferenceSource(path: document.path, bytes: Array(document.text.utf8))], category: nil)
            #expect(again.documents.isEmpty)
            #expect(again.findings.map(\.message) == ["these are definitions: check them with `loggen lint`"])
        }
    }
}
