import LogDefinitions
import MarkdownSyntax
import Testing
import Yams

@testable import LogOutputs

enum SettingsDocument {
    static func texts(_ yaml: String) throws -> [String] {
        var reader = SettingsReader(
            SourceFile(path: "a.yml", relativePath: "a.yml", source: SourceText(Array(yaml.utf8))), rule: .configuration
        )
        let read = reader.root()
        let root = try #require(read, "\(reader.diagnostics)")
        return try #require(root.sequence).map { $0.string ?? "?" }
    }
}
