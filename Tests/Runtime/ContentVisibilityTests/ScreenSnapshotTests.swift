import ActivityTracking
import Foundation
import Testing

@testable import ContentVisibility

/// Tests of the snapshots of trackers, which `ActivityInspector` shows.
@MainActor
struct ScreenSnapshotTests {
    private struct Card: Hashable, Sendable, CustomStringConvertible {
        var description: String
    }

    private static func tracker(
        _ name: String, at time: @escaping @Sendable () -> Double = { 0 }, rule: ImpressionRule = ImpressionRule(),
        height: Double = 100
    ) -> ImpressionTracker<Card> {
        let tracker = ImpressionTracker<Card>(
            viewport: CGSize(width: 390, height: 800), rule: rule,
            clock: VisibilityClock(now: time, sleep: { _ in try? await Task.sleep(nanoseconds: .max) }))
        tracker.update { $0.insert(Card(description: name), frame: CGRect(x: 0, y: 0, width: 390, height: height)) }
        tracker.follow(nil)
        return tracker
    }

    private static func names() -> [String] { ScreenSnapshot.all.flatMap(\.contents).map(\.name) }

    @Test("Snapshots contain the trackers that live, and do not retain them")
    func weak() {
        let name = "\(UUID())"
        do {
            let tracker = Self.tracker(name)
            #expect(Self.names().contains(name))
            withExtendedLifetime(tracker) {}
        }
        #expect(!Self.names().contains(name))
    }

    @Test("The list of trackers does not grow with the number of screens that an app has opened")
    func cleanup() {
        let kept = (0..<40).map { Self.tracker("kept \($0)") }
        for number in 0..<2000 { _ = Self.tracker("screen \(number)") }
        #expect(trackers.count < 500)
        #expect(Self.names().filter { $0.hasPrefix("kept ") }.count == 40)
        withExtendedLifetime(kept) {}
    }

    @Test("A content that is only shown is never seen, needs no wake-up, and is not in snapshots")
    func onlyShown() {
        let name = "\(UUID())"
        let tracker = Self.tracker(name, rule: .never)
        #expect(tracker.nextWakeUp == nil && tracker.status(of: Card(description: name)) == (1, false))
        #expect(!Self.names().contains(name))
        var shown: [String] = []
        let plain = ImpressionTracker<String>(
            viewport: CGSize(width: 390, height: 800), rule: .never, onShown: { shown.append($0) })
        plain.update { $0.insert("a", frame: CGRect(x: 0, y: 0, width: 390, height: 100)) }
        plain.follow(nil)
        #expect(shown == ["a"])
    }

    @Test("A snapshot has the current dwell, fraction and reason, between updates too")
    func progress() throws {
        let time = Locked(0.0)
        let name = "\(UUID())"
        let tracker = Self.tracker(name, at: { time.withLock { $0 } })
        func progress() throws -> ImpressionProgress {
            try #require(ScreenSnapshot.all.flatMap(\.contents).first { $0.name == name }).progress
        }
        time.withLock { $0 = 1.25 }
        #expect(try progress().dwell == 1.25)
        #expect(try progress().label == "dwell 1.25 of 2 s")
        #expect(try progress().reason == "Not seen yet: 1.25 s of the 2 s are over.")
        tracker.update { $0.move(Card(description: name), to: CGRect(x: 0, y: -50, width: 390, height: 100)) }
        #expect(try progress().label == "under 80%")
        #expect(try progress().reason == "Not seen: 50% is in view, and the rule requires 80%.")
        tracker.stop()
        #expect(try progress().reason == "Not seen: the tracker is stopped.")
        tracker.start()
        tracker.update { $0.updateRoot { $0.cover = .sheet } }
        #expect(try progress().label == "under a sheet")
        tracker.update { $0.updateRoot { $0.isInForeground = false } }
        #expect(try progress().label == "background")
        tracker.update {
            $0.updateRoot {
                $0 = RootVisibility.Conditions(); $0.hasAppeared = true
            }
        }
        tracker.update { $0.move(Card(description: name), to: CGRect(x: 0, y: 0, width: 390, height: 100)) }
        // The dwell is over, and the tracker has not woken up yet.
        time.withLock { $0 = 9 }
        #expect(try progress().dwell == 2)
        tracker.update { _ in }
        #expect(try progress().reason == "Seen already: once per visit.")
    }

    @Test(
        "Rules that make no sense are described, too",
        arguments: [Double.infinity, -.infinity, .nan, -1, 1e300, .leastNonzeroMagnitude])
    func senselessRules(value: Double) throws {
        let name = "\(UUID())"
        var rule = ImpressionRule(dwell: value)
        rule.visibleFraction = value
        let tracker = Self.tracker(name, rule: rule)
        let progress = try #require(ScreenSnapshot.all.flatMap(\.contents).first { $0.name == name }).progress
        #expect(!progress.reason.isEmpty && !progress.label.isEmpty && !ImpressionText.words(rule).isEmpty)
        withExtendedLifetime(tracker) {}
    }

    @Test("Screens whose contents can be seen come first, and screens without contents in view are left out")
    func order() {
        let names = (0..<4).map { "\(UUID()) \($0)" }
        let all = names.map { Self.tracker($0) }
        all[3].update { $0.updateRoot { $0.hasAppeared = false } }
        all[2].update { $0.remove(Card(description: names[2])) }
        let found = Self.names().filter { names.contains($0) }
        #expect(found == [names[1], names[0], names[3]])
        withExtendedLifetime(all) {}
    }
}
