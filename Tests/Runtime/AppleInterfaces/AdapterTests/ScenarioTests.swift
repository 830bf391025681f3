import Foundation
import Testing

@testable import ScenarioRunner

@MainActor
struct AdapterScenarioTests {
    nonisolated static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Desk/ScenarioRunnerTests/Scenarios")

    nonisolated static let files: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter {
            $0.hasSuffix(".json")
        }.sorted()

    /// Scenarios that only the runner can replay: a toolkit's timer cannot wait for the next sample.
    nonisolated static let onlyTheRunner = ["a-step-within-a-frame.json"]

    @Test(
        "The SwiftUI adapters post the same logs as the core", arguments: files.filter { !onlyTheRunner.contains($0) })
    func sameAsCore(file: String) throws {
        for isLazy in [false, true] {
            try compare(file, .swiftUI, isLazy: isLazy)
            try compare(file, .swiftUI, handsOverEvents: true, isLazy: isLazy)
        }
    }

    /// Scenarios with a view that has no id. In UIKit, every content of a data source has one.
    nonisolated static let onlySwiftUI = ["identity.json"]

    @Test(
        "The UIKit adapters post the same logs as the core",
        arguments: files.filter { !onlyTheRunner.contains($0) && !onlySwiftUI.contains($0) })
    func sameAsCoreInUIKit(file: String) throws {
        try compare(file, .uiKit)
        try compare(file, .uiKit, handsOverEvents: true)
    }

    private func compare(
        _ file: String, _ toolkit: ScenarioHost.Toolkit, handsOverEvents: Bool = false, isLazy: Bool = false
    ) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(file)))
        let scenario = try Scenario(bytes, file: file)
        let core = try scenario.replay(bytes, file: file)
        let host = ScenarioHost(scenario, toolkit, handsOverEvents: handsOverEvents, isLazy: isLazy)
        host.run()
        let expected = core.posted
        func sorted(_ posted: [Posted]) -> [Posted] {
            posted.sorted { ("\($0.log) \($0.content ?? "")", $0.time) < ("\($1.log) \($1.content ?? "")", $1.time) }
        }
        for (index, post) in host.posted.enumerated() where post.log == .screen {
            #expect(
                !host.posted[..<index].contains {
                    $0.screen == post.screen && $0.time == post.time && $0.log == .shown
                }, "\(post.summary) comes late"
            )
        }
        let pairs = zip(sorted(host.posted), sorted(expected))
        // A toolkit reports seen contents in a frame and one container after the other, not at the exact time.
        let isSame = pairs.allSatisfy {
            $0.log == $1.log && $0.content == $1.content && $0.screen == $1.screen
                && abs($0.time - $1.time) < 2.0 / 60 + 0.001
        }
        #expect(
            isSame && host.posted.count == expected.count,
            "\(host.posted.map(\.summary)) is not \(expected.map(\.summary))")
    }
}
