import MarkdownSyntax
import Testing

@testable import LogDefinitions

/// A rule that is off hides its warnings. It never hides that text was not read.
@Suite struct DisabledRuleTests {
    private func analyse(_ files: [(name: String, text: String)], without rules: [Rule]) async -> Analysis {
        var options = AnalysisOptions()
        for rule in rules { options.severities[rule] = .some(nil) }
        return await Analysis.run(
            files.map { SourceFile(path: $0.name, relativePath: $0.name, source: SourceText(Array($0.text.utf8))) },
            options: options)
    }

    private func writtenColumns(_ files: [(name: String, text: String)]) -> Set<String> {
        var names: Set<String> = []
        for file in files where file.name.hasSuffix(".md") {
            var isTable = false
            for line in file.text.split(separator: "\n", omittingEmptySubsequences: false) {
                let cells = line.split(separator: "|").map { String(trimmed($0)) }
                guard line.hasPrefix("|") else {
                    isTable = false
                    continue
                }
                if cells.first == "column" {
                    isTable = true
                } else if isTable, let name = cells.first {
                    if !name.hasPrefix("-"), !name.isEmpty { names.insert(name) }
                }
            }
        }
        return names
    }

    private func columns(_ definitions: Definitions) -> Set<String> {
        Set(
            (definitions.common?.columns ?? []).map(\.name)
                + definitions.categories.flatMap { $0.events.flatMap { $0.columns.map(\.name) } })
    }

    @Test(
        "An invalid example has all of its columns or an error, even if its rule is off",
        arguments: Rule.all.filter(\.isAdjustable))
    func keepsColumns(_ rule: Rule) async {
        let analysis = await analyse(rule.invalid.files, without: [rule])
        #expect(!analysis.diagnostics.contains { $0.rule == rule && $0.severity == .warning })
        if !analysis.hasErrors {
            #expect(columns(analysis.definitions).isSuperset(of: writtenColumns(rule.invalid.files)))
        }
    }

    @Test(
        "Text that cannot be read is an error, even if all rules are off",
        arguments: [
            "## b\n\n| column | type |\n| --- | --- |\n| kind | enum(<b>, c) |\n",
            "## b\n\n| column | type | description |\n| --- | --- | --- |\n| kind | int | a | b |\n",
            "| column | type |\n| --- | --- |\n| kind | int |\n\n## b\n",
            "## b\n\nprivacy: personal\n",
            "## b\n\n### open_a\n\n| column | type |\n| --- | --- |\n| kind | int |\n",
        ])
    func reportsLostText(_ text: String) async {
        let files = [(name: "a.md", text: "# a\n\n" + text)]
        let analysis = await analyse(files, without: Rule.all.filter(\.isAdjustable))
        #expect(analysis.hasErrors, "\(text)")
    }
}
