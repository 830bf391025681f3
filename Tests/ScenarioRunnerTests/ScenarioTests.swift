import Foundation
import ScenarioRunner
import Testing

struct ScenarioTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Scenarios")

    static let files: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".json") }.sorted()

    @Test("a scenario posts what it expects", arguments: files)
    func asExpected(file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(file)))
        let scenario = try Scenario(bytes, file: file)
        #expect(scenario.isChecked, "a scenario without expectations tests nothing")
        let result = try scenario.replay(bytes, file: file)
        #expect(scenario.differences(from: result).map(\.description) == [])
    }
}
