import ContentVisibility
import Foundation
import Testing
import TestSupport

@testable import ScenarioRunner

/// Compares the reasons that the inspector shows for contents in view with those of the timeline at the same instant.
/// The timeline is made afterwards from recorded changes; the inspector reads the trackers' current state.
struct ProgressComparisonTests {
    /// A snapshot of a screen. While the screen scrolls, its state is that of the last sample.
    struct Sample {
        var screen: Int
        var times: ClosedRange<Double>
        var snapshot: ScreenSnapshot
        /// A refresh has removed the views of the screen.
        var hasNoViews: Bool
    }

    /// A state in words. The length of a running dwell is compared with a tolerance.
    struct Reason: CustomStringConvertible {
        var words: String
        var dwell = 0.0

        var description: String { dwell > 0 ? "\(words) \(dwell)" : words }

        func agrees(with other: Reason) -> Bool { words == other.words && abs(dwell - other.dwell) < 0.02 }
    }

    @Test("The inspector and the timeline give the same reasons at the same instant", arguments: ScenarioTests.files)
    func sameReasons(file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: ScenarioTests.folder.appendingPathComponent(file)))
        #expect(try compare(bytes, file) > 0)
    }

    @Test("Random scenarios give the same reasons", arguments: 0..<6)
    func random(seed: Int) throws {
        #expect(try compare(Array(RandomScenario.text(seed: UInt64(seed)).utf8), "\(seed)") > 0)
    }

    private func compare(_ bytes: [UInt8], _ file: String) throws -> Int {
        let scenario = try Scenario(bytes, file: file)
        var replay = Replay(scenario, drawsTimeline: true)
        var samples: [Sample] = []
        for (step, next) in zip(scenario.steps, scenario.steps.dropFirst().map(\.time) + [.infinity]) {
            replay.advance(to: step.time)
            try replay.perform(step)
            if case .end = step.action { break }
            let length = min(next - step.time, 6)
            for part in [0.01, 0.13, 0.37, 0.5, 0.68, 0.83, 0.97] where length > 0.01 {
                replay.advance(to: step.time + length * part)
                take(&replay, &samples)
            }
        }
        let posted = replay.posted.map(\.post)
        // The snapshots have not changed the outcome.
        let plain = try scenario.replay(bytes, file: file).posted
        let isCut = plain.count > posted.count
        func summaries(_ posted: [Posted]) -> [String] { posted.map(\.summary).sorted() }
        #expect(isCut || summaries(plain) == summaries(posted))
        let timeline = try #require(replay.recorder?.timeline(of: scenario, until: replay.now, posted, replay.entries))
        var count = 0
        for sample in samples { count += try check(sample, replay, timeline) }
        return count
    }

    private func take(_ replay: inout Replay, _ samples: inout [Sample]) {
        for screen in replay.screens.indices {
            // A toolkit reports the foreground to all screens, the runner only to those in front.
            replay.updateRoot(screen)
            let isMoving = replay.isMoving(screen)
            let since = isMoving ? min(replay.screens[screen].lastSample, replay.now) : replay.now
            samples.append(
                Sample(
                    screen: screen, times: since...replay.now,
                    snapshot: replay.screens[screen].tracker.snapshot(at: replay.now),
                    hasNoViews: replay.screens[screen].refreshEnd != nil && replay.screens[screen].replacesViews))
        }
    }

    private func check(_ sample: Sample, _ replay: Replay, _ timeline: Timeline) throws -> Int {
        let screen = replay.scenario.screens[sample.screen].id
        var progress: [String: ImpressionProgress] = [:]
        for content in sample.snapshot.contents {
            let number = try #require(Int(content.name))
            progress[try #require(replay.entries[number].content.id)] = content.progress
        }
        var count = 0
        for lane in timeline.lanes where lane.screen == screen {
            guard let content = lane.content else { continue }
            let (start, end) = (sample.times.lowerBound - 0.002, sample.times.upperBound + 0.002)
            // At the boundary of two intervals, either state is right.
            let stretches = lane.stretches.filter { $0.start <= end && $0.end >= start }
            let reasons = stretches.map { reason(of: $0, in: lane, timeline, sample) }
            let actual = progress.removeValue(forKey: content).map(Self.reason) ?? Reason(words: "not in view")
            guard !stretches.isEmpty else { continue }
            #expect(
                reasons.contains { $0.agrees(with: actual) },
                "\(content) at \(sample.times.upperBound) s: \(actual), and the timeline: \(reasons)")
            count += 1
        }
        #expect(progress.isEmpty, "contents without a lane: \(progress.keys)")
        return count
    }

    private static func reason(_ progress: ImpressionProgress) -> Reason {
        switch progress.state {
        case .dwelling: Reason(words: "dwelling", dwell: progress.dwell)
        case .obstacle, .underFraction, .seen:
            // The share may differ by a frame.
            Reason(words: "\(progress.label): \(progress.state == .underFraction ? "" : progress.reason)")
        }
    }

    /// Returns the reason in an interval of the timeline, in the words of the inspector.
    private func reason(
        of stretch: Timeline.Interval, in lane: Timeline.Lane, _ timeline: Timeline, _ sample: Sample
    ) -> Reason {
        let time = sample.times.upperBound
        switch stretch.standing {
        case .absent, .outOfView, .exposed: return Reason(words: "not in view")
        case .dwelling(let number):
            let dwell = lane.dwells[number]
            return Reason(words: "dwelling", dwell: min(time - dwell.start, dwell.rule.dwell))
        case .obstacle(let obstacle):
            // A tracker does not know names. It cannot distinguish a screen that was closed, or whose views are
            // replaced, from one that was left.
            var known = obstacle.named(nil)
            if known == .closed || sample.hasNoViews { known = .left(for: nil) }
            // A screen that was opened and closed in the background had no visit.
            if known == .left(for: nil), sample.snapshot.obstacle == .notOpened { known = .notOpened }
            return Reason(words: "\(known.label): \(ImpressionText.notSeen(known))")
        case .underFraction: return Reason(words: "\(timeline.label(stretch, in: lane)): ")
        case .seen(let once):
            return Reason(words: "\(timeline.label(stretch, in: lane)): \(ImpressionText.seenAlready(at: nil, once))")
        }
    }
}
