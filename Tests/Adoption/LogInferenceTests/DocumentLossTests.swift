import LogDefinitions
import MarkdownSyntax
import TestSupport
import Testing

@testable import LogInference

/// Random plans of which each word appears in the definitions or in a message.
struct DocumentLossTests {
    enum Form: CaseIterable { case headings, cells, rows, lists, items }

    /// Writes plans. Each word of a plan is unique.
    struct Writer {
        var generator: SeededGenerator
        private(set) var words: [String] = []

        init(seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }

        mutating func number(below count: Int) -> Int { Int(generator.next() % UInt64(count)) }

        mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

        mutating func word() -> String {
            words.append("word\(pick(["", "語"]))\(words.count)q")
            return words[words.count - 1]
        }

        mutating func name() -> String {
            words.append("name_\(words.count)_q")
            return words[words.count - 1]
        }

        mutating func sentence() -> String { "\(word()) \(word()) \(word())." }

        mutating func cell(_ header: String) -> String {
            switch header {
            case "Type": return pick(["string", "int", "`bool`", word(), ""])
            case "Required": return pick(["Yes", "No", word(), ""])
            case "Platform": return pick(["iOS", "all", word(), ""])
            case "PII": return pick(["yes", "no", word(), ""])
            case "Status": return pick(["deprecated", "removed in \(word())", word(), ""])
            case "Example", "Sample": return pick([word(), ""])
            case "Parameters": return pick(["—", "`\(name())` (int, \(word())), \(name()): \(word())", name()])
            default: return pick([word(), sentence(), "[\(word())](https://example.com/\(word()))", ""])
            }
        }

        static let facts = [
            "Description", "Trigger", "Owner", "Status", "Platform", "Since", "Notes", "Category", "Title", "Jira", "",
        ]
        static let propertyFacts = [
            "Type", "Required", "Description", "Example", "Sample", "PII", "Platform", "Since", "Owner", "Trigger",
            "Status", "Values", "Title", "Category", "Deprecated", "Is list", "Notes", "Team", "", "Format",
        ]

        mutating func headers(_ all: [String]) -> [String] { all.filter { _ in number(below: 3) == 0 } }

        mutating func table(_ headers: [String], _ names: [(header: String, cells: [String])]) -> String {
            guard let count = names.first?.cells.count else { return "" }
            var lines = ["| \((names.map(\.header) + headers).joined(separator: " | ")) |"]
            lines.append("|" + String(repeating: "---|", count: names.count + headers.count))
            for row in 0..<count {
                let cells = names.map { $0.cells[row] } + headers.map { cell($0) }
                lines.append("| \(cells.joined(separator: " | ")) |")
            }
            return lines.joined(separator: "\n") + "\n\n"
        }

        mutating func properties() -> String {
            let names = (0...number(below: 3)).map { _ in name() }
            let headers = ["Type"] + headers(Self.propertyFacts.filter { $0 != "Type" })
            return table(headers, [("Property", names)])
        }

        mutating func text() -> String {
            switch number(below: 9) {
            case 0: return "\(sentence())\n\n"
            case 1: return "- \(sentence())\n- \(sentence())\n\n"
            case 2: return "> \(sentence())\n\n"
            case 3: return "- **Owner:** \(word())\n- \(word()): \(sentence())\n- \(sentence())\n\n"
            case 4: return "```\n\(word())\n```\n\n"
            case 5: return "#### Notes\n\n\(sentence())\n\n- \(sentence())\n  - \(sentence())\n\n#### Properties\n\n"
            case 7: return "Owner: \(word())<br>Parameters:\n\n"
            case 6: return "Owner: \(word())\nStatus: \(word())\n\n"
            default: return ""
            }
        }

        mutating func plan(_ form: Form) -> String {
            var plan = "# \(word()) tracking plan\n\n\(text())"
            for _ in 0...number(below: 3) {
                plan += "## \(word())\n\n\(pick(["", "\(sentence())\n\n"]))"
                let count = 1 + number(below: 3)
                switch form {
                case .headings, .lists:
                    for _ in 0..<count {
                        plan += "### \(pick([name(), "`\(name())` \(word())", "`\(name())`"]))\n\n\(text())"
                        if number(below: 4) == 0 {
                            plan +=
                                "| Key | \(word()) |\n|---|---|\n| Owner | \(word()) |\n| Event name | `\(name())` |\n\n"
                        }
                        if form == .headings {
                            plan += properties()
                            plan += "| Value | Meaning |\n|---|---|\n| \(word()) | \(sentence()) |\n\n"
                        } else {
                            plan +=
                                "Properties:\n\n- `\(name())` (string, \(word())): \(sentence())\n  - \(sentence())\n- \(name()): \(word())\n\n"
                        }
                    }
                case .cells:
                    let headers = headers(Self.facts) + ["Parameters"] + self.headers(Self.facts)
                    let names = (0..<count).map { _ in
                        pick(["`\(name())`", "`\(name())` \(word())", "`\(name())` / `\(name())`"])
                    }
                    plan += table(headers, [("Event", names)])
                case .rows:
                    let names = (0..<count).map { $0 == 0 ? name() : pick(["", "同上", name()]) }
                    plan += table(
                        headers(Self.propertyFacts), [("Event", names), ("Property", names.map { _ in name() })])
                case .items:
                    for _ in 0..<count {
                        plan +=
                            "- `\(name())`: \(sentence())\n  - When: \(sentence())\n  - Params: \(name()), \(name())\n  - \(sentence())\n"
                            + "- `\(name())` { \(name()), `\(name())` } \(sentence())\n"
                    }
                    plan += "\n"
                }
            }
            return plan + text()
        }
    }

    @Test(
        "Each word of a plan is in the definitions or in a message",
        arguments: Form.allCases, 0..<Depth.cases(15, deep: 60))
    func words(form: Form, seed: Int) async {
        var writer = Writer(seed: seed)
        let plan = writer.plan(form)
        let inference = await Inference.ofMarkdown(
            [InferenceSource(path: "plan.md", bytes: Array(plan.utf8))], category: seed.isMultiple(of: 3) ? "plan" : nil
        )
        var output = inference.documents.map(\.text).joined()
        for finding in inference.findings {
            output += finding.message
            if let excerpt = finding.excerpt { output += excerpt.before + excerpt.after }
        }
        // A character reference keeps a line of a description from looking like a column.
        output = output.components("&#x8A9E;").joined(separator: "語")
        // A message may name lines.
        let lines = plan.split(separator: "\n", omittingEmptySubsequences: false)
        for message in inference.findings.map(\.message) where message.contains("the text of line") {
            let numbers = message.split(separator: " ").compactMap { word in
                let bounds = word.split { "–,".contains($0) }.compactMap { Int($0) }
                return bounds.first.map { $0...(bounds.last ?? $0) }
            }
            for line in numbers.joined() { output += lines[line - 1] }
        }
        let lost = writer.words.filter { plan.contains($0) && !output.lowercased().contains($0) }
        #expect(lost.isEmpty, "\(lost)\n\(plan)\n----\n\(output)")
        #expect(!inference.findings.contains { $0.message.contains("will report for this file") }, "\(output)\n\(plan)")
    }
}
