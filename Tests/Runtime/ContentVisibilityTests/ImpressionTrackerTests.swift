import ActivityTracking
import ContentVisibility
import Foundation
import Testing

/// A clock that a test advances, with the tasks that sleep on it.
@MainActor
private final class StoppedClock {
    private var sleepers: [(until: Double, wake: CheckedContinuation<Void, Never>)] = []
    private(set) var sleeps = 0

    nonisolated let time = Locked(100.0)

    var clock: VisibilityClock {
        VisibilityClock(
            now: { [time] in time.withLock { $0 } }, sleep: { [weak self] seconds in await self?.sleep(seconds) })
    }

    private func sleep(_ seconds: Double) async {
        sleeps += 1
        await withCheckedContinuation { sleepers.append((time.withLock { $0 } + seconds, $0)) }
    }

    func advance(to time: Double) async {
        await settle()
        self.time.withLock { $0 = time }
        let due = sleepers.filter { $0.until <= time + 1e-9 }
        sleepers.removeAll { $0.until <= time + 1e-9 }
        for sleeper in due { sleeper.wake.resume() }
        await settle()
    }

    func settle() async { for _ in 0..<50 { await Task.yield() } }

    func end() {
        for sleeper in sleepers { sleeper.wake.resume() }
        sleepers = []
    }
}

@MainActor
struct ImpressionTrackerTests {
    private let clock = StoppedClock()

    private func tracker(_ rule: ImpressionRule = ImpressionRule(), _ seen: @escaping (String) -> Void)
        -> ImpressionTracker<String>
    {
        let tracker = ImpressionTracker<String>(
            viewport: CGSize(width: 390, height: 800), rule: rule, clock: clock.clock, onSeen: seen)
        tracker.update { contents in
            for row in 0..<20 { contents.insert("\(row)", frame: CGRect(x: 0, y: row * 200, width: 390, height: 200)) }
            contents.updateRoot { $0.hasAppeared = true }
        }
        return tracker
    }

    @Test("A scrolling container with many contents may leave the viewport, or have no area")
    func aContainerLeavesTheViewport() {
        let tracker = tracker { _ in }
        let row = CGRect(x: 0, y: 0, width: 390, height: 200)
        tracker.update { contents in
            contents.insert("row", frame: row, scrolls: true)
            for card in 0..<40 {
                contents.insert(
                    "card \(card)", frame: CGRect(x: card * 100, y: 0, width: 100, height: 100), in: "row")
            }
        }
        for (y, height, inView) in [(1200, 120, 0), (0, 200, 4), (0, 0, 0), (5000, 200, 0)] {
            let frame = CGRect(x: 0, y: y, width: 390, height: height)
            tracker.update { $0.place("row", frame: frame, scrolls: true) }
            let cards = (0..<40).count { tracker.status(of: "card \($0)").fraction > 0 }
            #expect(cards == inView)
        }
    }

    @Test("The callback reports visible contents after the dwell time, with one wake-up")
    func tells() async {
        var seen: [String] = []
        let tracker = tracker { seen.append($0) }
        await clock.advance(to: 101.9)
        #expect(seen == [])
        await clock.advance(to: 102)
        #expect(seen == ["0", "1", "2", "3"])
        #expect(clock.sleeps == 1 && tracker.nextWakeUp == nil)
        clock.end()
    }

    @Test("Stopping and starting keep the seen contents until a restart, even after a push and back")
    func startStopRestart() async {
        var seen: [String] = []
        let tracker = tracker(ImpressionRule(once: .untilRestart)) { seen.append($0) }
        await clock.advance(to: 102)
        #expect(seen.count == 4)
        tracker.stop()
        tracker.update { $0.updateRoot { $0.hasAppeared = false } }
        await clock.advance(to: 110)
        tracker.update { $0.updateRoot { $0.hasAppeared = true } }
        tracker.start()
        await clock.advance(to: 115)
        #expect(seen.count == 4)
        tracker.restart()
        await clock.advance(to: 117)
        #expect(seen.count == 8)
        clock.end()
    }

    @Test("The frames of one motion are interpolated, and a jump after a pause is not")
    func interpolates() async {
        var seen: [String] = []
        let tracker = tracker(ImpressionRule(dwell: 1)) { seen.append($0) }
        await clock.advance(to: 101)
        seen = []
        // Row 4 is above 0.8 from an offset of 160, halfway between these frames.
        await clock.advance(to: 102)
        tracker.scroll(to: .zero)
        await clock.advance(to: 102.02)
        tracker.scroll(to: CGPoint(x: 0, y: 320))
        await clock.advance(to: 103.009)
        #expect(seen == [])
        await clock.advance(to: 103.011)
        #expect(seen == ["4"])
        // If the second without frames were interpolated, row 6 would be in view halfway through it.
        await clock.advance(to: 104.02)
        seen = []
        tracker.scroll(to: CGPoint(x: 0, y: 600))
        await clock.advance(to: 104.9)
        #expect(seen == [])
        await clock.advance(to: 105.02)
        #expect(seen == ["5", "6"])
        clock.end()
    }

    @Test("The system's clock wakes trackers")
    func systemClock() async {
        let (seen, continuation) = AsyncStream<String>.makeStream()
        let tracker = ImpressionTracker<String>(
            viewport: CGSize(width: 10, height: 10), rule: ImpressionRule(dwell: 0.001),
            onSeen: { continuation.yield($0) })
        tracker.update { contents in
            contents.insert("a", frame: CGRect(x: 0, y: 0, width: 10, height: 10))
            contents.updateRoot { $0.hasAppeared = true }
        }
        var iterator = seen.makeAsyncIterator()
        #expect(await iterator.next() == "a")
        withExtendedLifetime(tracker) {}
    }
}
