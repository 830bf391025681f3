import LogDefinitions
import MarkdownSyntax

@testable import LogInference

extension Inference {
    /// Returns the analysis of the inferred documents.
    func analysed() async -> Analysis {
        await Analysis.run(
            documents.map {
                SourceFile(path: $0.path, relativePath: $0.path, source: SourceText(Array($0.text.utf8)))
            })
    }

    /// The events with their columns: `cart.open(count: int64, note: string?)`.
    var signatures: [String] {
        draft.categories.flatMap { category in
            category.events.map { event in
                let columns = event.columns.map { "\($0.name): \($0.type)\($0.isRequired ? "" : "?")" }
                return "\(category.name).\(event.name)(\(columns.joined(separator: ", ")))"
            }
        }
    }

    /// The findings as a person sees them: `plan.md:3:1: warning: …`.
    var lines: [String] { findings.map { "\($0.place.map { "\($0): " } ?? "")\($0.kind.rawValue): \($0.message)" } }
}
