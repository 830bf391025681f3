import Foundation
import ScenarioRunner
import Testing

struct ScenarioTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Scenarios")

    /// Those in `Runner` are about the runner's clock and its containers, not about what adapters do, which replay the others, too.
    static let files = names(in: "") + names(in: "Runner/")

    private static func names(in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { path + $0 }
    }

    @Test("a scenario posts what it expects", arguments: files)
    func asExpected(file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(file)))
        let scenario = try Scenario(bytes, file: file)
        #expect(scenario.isChecked, "a scenario without expectations tests nothing")
        let result = try scenario.replay(bytes, file: file)
        #expect(scenario.differences(from: result).map(\.description) == [])
    }
}
