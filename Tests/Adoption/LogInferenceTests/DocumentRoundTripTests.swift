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
    }

    struct Event: Equatable {
        var name: String
        var description: String
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

    private static let types = [
        "string", "int", "int64", "double", "bool", "timestamp", "date", "uuid", "url", "enum(a, b)",
        "enum(newest, oldest, near)", "[string]", "[int]", "[double]",
    ]

    private static func random(_ form: Form, _ generator: inout SeededGenerator) -> Model {
        func pick(_ words: [String]) -> String { words[Int(generator.next() % UInt64(words.count))] }
        var types: [String: String] = [:]
        func column(_ index: Int) -> Column {
            let name =
                pick(["item", "list", "user", "page", "source"]) + pick(["_id", "_count", "_kind", "_name"])
                + "_\(index)"
            // One name has one type.
            let type = types[name] ?? pick(Self.types)
            types[name] = type
            return Column(
                name: name, type: type, isRequired: generator.next() % 3 > 0,
                description: pick(["", "The thing", "What was shown there", "並び順", "Of the last page"]))
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
                        description: pick(["", "Shown after a tap.", "検索したとき"]), columns: (0..<Int(count)).map(column)))
            }
            model.categories.append(("area_\(category)", events))
        }
        return model
    }

    private static func written(_ model: Model, _ form: Form) -> String {
        func flags(_ column: Column) -> String { column.isRequired ? "" : ", optional" }
        func item(_ column: Column) -> String {
            let description = column.description.isEmpty ? "" : ": \(column.description)"
            return "`\(column.name)` (\(column.type)\(flags(column)))\(description)"
        }
        func table(_ columns: [Column]) -> String {
            columns.isEmpty
                ? ""
                : "| Property | Type | Required | Description |\n|---|---|---|---|\n"
                    + columns.map {
                        "| `\($0.name)` | `\($0.type)` | \($0.isRequired ? "Yes" : "No") | \($0.description) |\n"
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
                    text += "### \(event.name)\n\n\(event.description)\n\n" + table(model.common + event.columns)
                }
            case .cells:
                text += "| Event | Description | Properties |\n|---|---|---|\n"
                for event in events {
                    let items = event.columns.map(item).joined(separator: "<br>")
                    text += "| `\(event.name)` | \(event.description) | \(items.isEmpty ? "—" : items) |\n"
                }
                text += "\n"
            case .rows:
                text +=
                    "| Event | Event description | Property | Type | Required | Description |\n|---|---|---|---|---|---|\n"
                for event in events {
                    text += "| `\(event.name)` | \(event.description) | | | | |\n"
                    for column in event.columns {
                        text +=
                            "| | | \(column.name) | \(column.type) | \(column.isRequired) | \(column.description) |\n"
                    }
                }
                text += "\n"
            case .lists:
                for event in events {
                    text += "### `\(event.name)`\n\n\(event.description)\n\n"
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
                Column(name: $0.name, type: "\($0.type)", isRequired: $0.isRequired, description: $0.description)
            }
        }
        let categories = inference.draft.categories.map { category in
            (
                category.name,
                category.events.map {
                    Event(name: $0.name, description: $0.description.text, columns: columns($0.columns))
                }
            )
        }
        return (Model(common: columns(inference.draft.common), categories: categories), inference.findings)
    }

    @Test("A random model comes back from each form", arguments: Form.allCases, 0..<40)
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
