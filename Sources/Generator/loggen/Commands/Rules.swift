import ArgumentParser
import LogDefinitions
import LogProject

struct Rules: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List the rules: name, severity and meaning, with a valid and an invalid example.",
        discussion: "Severities are set in loggen.yml: `rules: {header-spelling: error}`."
    )

    @Argument(help: "Show these rules with their examples; without names, list all rules.")
    var names: [String] = []

    func validate() throws {
        for name in names where Rule(named: name) == nil {
            let nearest = nearestSpelling(of: name, among: Rule.all.map(\.name))
            throw ValidationError("unknown rule `\(name)`." + (nearest.map { " Did you mean `\($0)`?" } ?? ""))
        }
    }

    func run() throws {
        let terminal = Terminal(color: .never, isQuiet: false)
        let rules = names.isEmpty ? Rule.all : names.compactMap { Rule(named: $0) }
        let width = Rule.all.map(\.name.count).max() ?? 0
        for rule in rules {
            let severity = (rule.defaultSeverity?.rawValue ?? "off") + (rule.isAdjustable ? "" : " (always)")
            let name = rule.name + String(repeating: " ", count: width - rule.name.count)
            try terminal.out(
                "\(name)  \(severity)\(String(repeating: " ", count: max(0, 15 - severity.count)))  \(rule.summary)\n")
            if !names.isEmpty { try terminal.out(examples(of: rule)) }
        }
        if names.isEmpty {
            try terminal.out("\n`loggen rules NAME` shows a valid and an invalid example of the rule.\n")
        }
    }

    private func examples(of rule: Rule) -> String {
        func shown(_ title: String, _ example: Rule.Example) -> String {
            var text = "\n  \(title)\n"
            for file in example.files {
                text += "    --- \(file.name)\n"
                for line in file.text.split(separator: "\n", omittingEmptySubsequences: false) {
                    text += "    \(line)\n"
                }
            }
            return text
        }
        return shown("valid:", rule.valid) + shown("invalid:", rule.invalid) + "\n"
    }
}
