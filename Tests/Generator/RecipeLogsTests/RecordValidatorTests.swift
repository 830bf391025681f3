import ActivityTracking
import ActivityTrackingTesting
import Foundation
import LogDefinitions
import LogProject
import LogValidation
import MarkdownSyntax
import RecipeLogs
import Testing
import TestSupport

/// Validates the runtime's records with the definitions that their code was generated from.
struct RecordValidatorTests {
    static func rules() async throws -> RecordRules {
        let folder = Tool.repository.appendingPathComponent("Definitions")
        func file(_ name: String) throws -> SourceFile {
            SourceFile(
                path: name, relativePath: name,
                source: SourceText([UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".md") && $0 != "README.md"
        }
        var analysis = await Analysis.run(try names.map(file))
        // The same key as in `loggen.yml`. It changes the shape of sampled events.
        analysis.definitions.samplingKey = "user_id"
        let lock = LockFile(try file(LockFile.fileName))
        let drift = await Drift.between(lock.latest, and: analysis.definitions, scope: .everything)
        return RecordRules(
            EventDescription.all(of: Model(analysis.definitions, versions: drift.versions, lock: lock)))
    }

    /// Every column of generated records gets valid and invalid values, or is left out.
    @Test("The compiled definitions find the violations that the documents define")
    func compiledDefinitionsFindViolationsOfTheDocuments() async throws {
        let values = [
            "null", "true", "-1", "0.5", "1e400", "101", "\"\"", "\"2026-04-01\"", "\"2026-04-01T12:34:56.789Z\"",
            "\"https://example.com\"",
            "\"01890a5d-ac96-774b-bcce-b302099a8057\"", "\"\(String(repeating: "卵", count: 1100))\"", "[]", "[\"\",7]",
            "{}",
            "[\(Array(repeating: "\"x\"", count: 21).joined(separator: ","))]",
        ]
        var records: [String] = []
        for sample in RecipeLogsTests.samples where sample.violations.isEmpty {
            let json = String(decoding: sample.record.json, as: UTF8.self)
            for column in sample.record.columns {
                guard let value = sample.record.json(of: column.name) else { continue }
                let member = "\"\(column.name)\":\(value)"
                records.append(json.replacingOccurrences(of: "," + member, with: ""))
                // Only the Swift type knows the values of an enumeration.
                if case .enumeration = column.type.unnamed { continue }
                records += values.map { json.replacingOccurrences(of: member, with: "\"\(column.name)\":\($0)") }
            }
        }
        #expect(records.count > 2000)
        let lines = Array(records.joined(separator: "\n").utf8)
        var judge = RecordEvaluator(try await Self.rules())
        let expected = judge.judge(RecordChunk(lines: lines)).violations.map { violation in
            var violation = violation
            violation.place = nil
            return "line \(violation.line): \(violation)"
        }
        let categories = [
            AppSettings.definition, DeepLink.definition, Home.definition, Kitchen.definition, Onboarding.definition,
            Premium.definition, PushNotification.definition, RecipeDetail.definition, RecipePosting.definition,
            RecipeSearch.definition, VideoPlayback.definition,
        ]
        var compiled = RecordEvaluator(
            RecordRules(EventDescription.all(of: categories, common: CommonColumns.definition)))
        let found = compiled.judge(RecordChunk(lines: lines)).violations.map { "line \($0.line): \($0)" }
        for (line, expected) in zip(found, expected) where !line.hasPrefix(expected + " [") {
            Issue.record("\(line) is not \(expected)")
        }
        #expect(found.count == expected.count)
        #expect(found.count > 1000)
        // The violations name the document but no line, which compiled code does not have.
        #expect(found.allSatisfy { $0.range(of: #" \[[a-z_]+\.md\]$"#, options: .regularExpression) != nil })
    }
}
