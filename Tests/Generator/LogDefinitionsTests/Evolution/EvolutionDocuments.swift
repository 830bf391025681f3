import MarkdownSyntax

@testable import LogDefinitions

struct EvolutionDocuments: Sendable {
    /// Columns such as `recipe_id | int64`.
    var columns: [String] = []
    var details: [String] = []
    var common: [String] = []
    var types: [String] = []
    var heading = "show"
    var text = ""
    var more = ""
    var category = "# search"

    func files() -> [SourceFile] {
        func table(_ header: String, _ rows: [String]) -> String {
            rows.isEmpty
                ? ""
                : "| \(header) |\n| " + header.split(separator: "|").map { _ in "---" }.joined(separator: " | ")
                    + " |\n"
                    + rows.map { "| \($0) |\n" }.joined() + "\n"
        }
        let header =
            columns.contains { $0.split(separator: "|", omittingEmptySubsequences: false).count > 2 }
            ? "column | type | privacy" : "column | type"
        var files = [
            "search.md":
                "\(category)\n\n## \(heading)\n\n\(text)\n\n\(table("key | value", details))\(table(header, columns))\n\(more)\n"
        ]
        if !common.isEmpty { files["common.md"] = "# common\n\n\(table("column | type", common))" }
        if !types.isEmpty { files["types.md"] = "# types\n\n\(types.joined(separator: "\n\n"))\n" }
        return files.map { SourceFile(path: $0.key, relativePath: $0.key, source: SourceText(Array($0.value.utf8))) }
    }

    struct Problems: Error, CustomStringConvertible {
        var description: String
    }

    func definitions() async throws -> Definitions {
        let analysis = await Analysis.run(files())
        if analysis.hasErrors {
            throw Problems(description: analysis.diagnostics.map(\.message).joined(separator: "\n"))
        }
        return analysis.definitions
    }

    func drift(from old: EvolutionDocuments) async throws -> Drift {
        await Drift.between(Baseline(try await old.definitions()), and: try await definitions(), scope: .everything)
            .drift
    }
}
