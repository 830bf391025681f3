import ActivityTracking
import Foundation
import LogDefinitions
import LogValidation
import MarkdownSyntax
import RecipeLogs
import TestSupport
import Testing

/// The runtime's own records, judged by the definitions that their code was generated from.
struct RecordValidatorTests {
    static func validator() async throws -> RecordValidator {
        let folder = Tool.repository.appendingPathComponent("Definitions")
        func file(_ name: String) throws -> SourceFile {
            SourceFile(path: name, relativePath: name, source: SourceText([UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") && $0 != "README.md" }
        let analysis = await Analysis.run(try names.map(file))
        let lock = LockFile(try file(LockFile.fileName))
        let drift = await Drift.between(lock.latest, and: analysis.definitions, scope: .everything)
        return RecordValidator(EventDescription.all(of: Model(analysis.definitions, versions: drift.versions, lock: lock)))
    }

    /// The same columns and the same rules, in the order of the columns.
    @Test func violationsAreThoseThatTheRuntimeNames() async throws {
        let validator = try await Self.validator()
        #expect(RecipeLogsTests.samples.contains { !$0.violations.isEmpty })
        for sample in RecipeLogsTests.samples {
            var json = String(decoding: sample.record.json, as: UTF8.self)
            #expect(validator.violations(of: Array(json.utf8)).isEmpty, "\(json)")
            if let end = json.range(of: ",\"violations\":[", options: .backwards) { json = json[..<end.lowerBound] + "}" }
            #expect(Set(validator.violations(of: Array(json.utf8)).map(\.entry)) == Set(sample.violations), "\(json)")
        }
    }
}
