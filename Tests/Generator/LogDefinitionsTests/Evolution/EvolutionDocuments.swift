import MarkdownSyntax

@testable import LogDefinitions

struct EvolutionDocuments: Sendable {
    /// Columns such as `recipe_id | int64`.
    var columns: [String] = []
    var details: [String] = []
    var common: [String] = []
    var types: [String] = []
    var heading = "show"
    var more = ""

    func files() -> [SourceFile] {
        func table(_ header: String, _ rows: [String]) -> String {
            rows.isEmpty ? "" : "| \(header) |\n| --- | --- |\n" + rows.map { "| \($0) |\n" }.joined() + "\n"
        }
        let event = "## \(heading)\n\n\(table("key | value", details))\(table("column | type", columns))"
        var files = ["search.md": "# search\n\n\(event)\n\(more)\n"]
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
