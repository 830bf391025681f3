import ContentVisibility
import Foundation
import ScenarioRunner
import Testing

struct ScenarioTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Scenarios")

    /// All scenario files. Those in `Runner` test the runner's clock and containers. The adapters replay the others
    /// too.
    static let files = names(in: "") + names(in: "Runner/")

    private static func names(in path: String) -> [String] {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { path + $0 }
    }

    @Test("A scenario posts the logs that it expects", arguments: files)
    func asExpected(file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(file)))
        let scenario = try Scenario(bytes, file: file)
        #expect(scenario.isChecked, "a scenario without expectations tests nothing")
        let result = try scenario.replay(bytes, file: file)
        #expect(scenario.differences(from: result).map(\.description) == [])
    }

    /// The rules of a definition come from outside the scenario file.
    @Test("Rules from outside replace those of the named contents, nested or inserted, and no others")
    func setRules() throws {
        let bytes = Array(
            """
            {"viewport": {"width": 390, "height": 800}, "rule": {"dwell": 3}, "screens": [{"id": "feed", "contents": [
              {"id": "row", "frame": [0, 0, 390, 200], "contents": [
                {"id": "near", "frame": [0, 0, 390, 100], "rule": {"visibleFraction": 1, "dwell": 9}},
                {"id": "other", "frame": [0, 100, 390, 100]}]}]}],
             "steps": [{"at": 0, "do": "open", "screen": "feed"},
               {"at": 1, "do": "insert", "in": "feed", "content": {"frame": [0, 600, 390, 400], "id": "box", "contents": [
                 {"id": "half", "frame": [0, 0, 390, 400]}, {"id": "below", "frame": [0, 0, 390, 400]}]}}]}
            """.utf8)
        var scenario = try Scenario(bytes, file: "s.json")
        scenario.setRules([
            "near": ImpressionRule(dwell: 1), "half": ImpressionRule(visibleFraction: 0.5, dwell: 0.5),
            "nobody": ImpressionRule(),
        ])
        let seen = try scenario.replay(bytes, file: "s.json").posted.filter { $0.log == .seen }.map(\.summary)
        #expect(seen == ["1 seen near (feed)", "1.5 seen half (feed)", "3 seen row (feed)", "3 seen other (feed)"])
    }
}
