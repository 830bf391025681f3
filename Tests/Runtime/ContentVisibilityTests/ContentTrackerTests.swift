@_spi(GeneratedCode) import ActivityTracking
import ContentVisibility
import Foundation
import Testing

struct ContentTrackerTests {
    @Test("A fling over 10,000 contents in a second posts the shown contents of each frame")
    func fling() {
        let (count, height, viewport) = (10_000, 10.0, 800.0)
        var tracker = ContentTracker<Int>(
            viewport: CGSize(width: 390, height: viewport), rule: ImpressionRule(visibleFraction: 1, dwell: 0.02))
        var posted: [ContentTracker<Int>.Post] = []
        tracker.update(at: 0, post: { posted.append($0) }) { contents in
            for row in 0..<count {
                contents.insert(row, frame: CGRect(x: 0, y: Double(row) * height, width: 390, height: height))
            }
            contents.updateRoot { $0.hasAppeared = true }
        }
        var last = 0.0
        for frame in 1...60 {
            let time = Double(frame) / 60
            tracker.update(at: time, since: last, post: { posted.append($0) }) {
                $0.scroll(nil, to: CGPoint(x: 0, y: 100_000 * time))
            }
            last = time
        }
        var expected: [Int: Double] = [:]
        for frame in 0...60 {
            let offset = 100_000 * Double(frame) / 60
            let first = max(0, Int(offset / height) - 1)
            for row in first..<max(first, min(count, first + 83))
            where Double(row) * height < offset + viewport - 1e-6 && Double(row + 1) * height > offset + 1e-6
                && expected[row] == nil
            {
                expected[row] = Double(frame) / 60
            }
        }
        let shown = posted.compactMap { post -> (Int, Double)? in
            guard case .shown(let row) = post.log else { return nil }
            return (row, post.time)
        }
        #expect(shown.count == expected.count)
        #expect(shown.allSatisfy { expected[$0.0] == $0.1 })
        // Each row is above its fraction for 7.9 ms, except the rows that stay in view after the last frame.
        #expect(!posted.contains { if case .seen = $0.log { true } else { false } })
        tracker.update(at: 2, post: { posted.append($0) })
        let seen = posted.filter { if case .seen = $0.log { true } else { false } }
        #expect(seen.isEmpty && expected.count > 4000)
    }

    @Test("The tolerance decides whether a content counts, and the fraction itself decides when")
    func instantOfTheFraction() {
        for (way, expected) in [(100.0, 82.0), (79.995, 102)] {
            var tracker = ContentTracker<Int>(viewport: CGSize(width: 390, height: 800))
            var seen: [Double] = []
            func post(_ post: ContentTracker<Int>.Post) { if post.log == .seen(0) { seen.append(post.time) } }
            tracker.update(at: 0, post: post) { contents in
                contents.insert(0, frame: CGRect(x: 0, y: 800, width: 390, height: 100))
                contents.updateRoot { $0.hasAppeared = true }
            }
            // The motion is slow, so a tolerance of a ten-thousandth would shift the time by a hundredth of a second.
            tracker.update(at: 100, since: 0, post: post) { $0.scroll(nil, to: CGPoint(x: 0, y: way)) }
            tracker.update(at: 200, post: post)
            #expect(seen.count == 1 && abs((seen.first ?? 0) - expected) < 0.01)
            // The motion ends just below the fraction, within the tolerance.
            if way < 80 { #expect((seen.first ?? 0) < 102) }
        }
    }

    @Test("Frames that are not finite, empty or far off every screen are not in view and do not crash")
    func oddNumbers() {
        let odd = [Double.nan, .infinity, -.infinity, 1e308, -1e308, 1e12, .leastNonzeroMagnitude, 0, -5]
        var tracker = ContentTracker<Int>(viewport: CGSize(width: 390, height: 800), rule: ImpressionRule(dwell: 0))
        var posted: [ContentTracker<Int>.Post] = []
        var number = 0
        tracker.update(at: 0, post: { posted.append($0) }) { contents in
            contents.updateRoot { $0.hasAppeared = true }
            for x in odd {
                for height in odd {
                    contents.insert(
                        number, frame: CGRect(x: x, y: 0, width: 100, height: height), scrolls: number % 2 == 0)
                    contents.insert(number + 1, frame: CGRect(x: 0, y: x, width: height, height: 10), in: number)
                    number += 2
                }
            }
        }
        for x in odd {
            for y in odd {
                tracker.update(at: 0, since: -1, post: { posted.append($0) }) { contents in
                    contents.scroll(nil, to: CGPoint(x: x, y: y))
                    for container in stride(from: 0, to: number, by: 14) {
                        contents.scroll(container, to: CGPoint(x: y, y: x))
                    }
                }
                tracker.update(at: 0, post: { posted.append($0) }) { $0.resize(to: CGSize(width: x, height: y)) }
            }
        }
        tracker.update(at: .nan, post: { posted.append($0) })
        tracker.update(at: -5, post: { posted.append($0) })
        #expect(posted.allSatisfy { $0.time == 0 })
        #expect(posted.contains { $0.log == .screen })
    }

    @Test("Changes of an unknown id are ignored, and inserting a known id replaces its content")
    func unknown() {
        var tracker = ContentTracker<String>(viewport: CGSize(width: 100, height: 100))
        var posted: [ContentTracker<String>.Log] = []
        tracker.update(at: 0, post: { posted.append($0.log) }) { contents in
            contents.updateRoot { $0.hasAppeared = true }
            var isInserted = [contents.insert("a", frame: CGRect(x: 0, y: 0, width: 10, height: 10), in: "nowhere")]
            contents.move("b", to: .zero)
            contents.remove("c")
            contents.scroll("d", to: .zero)
            isInserted.append(contents.insert("e", frame: CGRect(x: 0, y: 0, width: 10, height: 10)))
            contents.scroll("e", to: CGPoint(x: 50, y: 50))
            isInserted.append(contents.insert("f", frame: CGRect(x: 0, y: 0, width: 5, height: 5), in: "e"))
            isInserted.append(contents.insert("e", frame: CGRect(x: 20, y: 20, width: 10, height: 10)))
            #expect(isInserted == [false, true, true, true])
            #expect(!contents.contains("f") && contents.contains("e"))
        }
        #expect(posted == [.screen, .shown("e")])
    }

    @Test("Contents that are placed before their container appear when the container is placed")
    func orphans() {
        var tracker = ContentTracker<String>(viewport: CGSize(width: 100, height: 100), rule: ImpressionRule(dwell: 0))
        var posted: [ContentTracker<String>.Log] = []
        tracker.update(at: 0, post: { posted.append($0.log) }) { contents in
            contents.updateRoot { $0.hasAppeared = true }
            contents.place("card", frame: CGRect(x: 0, y: 0, width: 10, height: 10), in: "row")
            contents.place("gone", frame: CGRect(x: 0, y: 0, width: 10, height: 10), in: "row")
            contents.place("row", frame: CGRect(x: 0, y: 90, width: 100, height: 50), in: "list", scrolls: true)
            contents.remove("gone")
        }
        #expect(posted == [.screen])
        tracker.update(at: 1, post: { posted.append($0.log) }) { contents in
            contents.place("list", frame: CGRect(x: 0, y: 0, width: 100, height: 100), scrolls: true, isTracked: false)
        }
        #expect(posted == [.screen, .shown("row"), .shown("card"), .seen("card")])
        // A scroll offset is also stored until its container is inserted.
        tracker.update(at: 1, post: { posted.append($0.log) }) { contents in
            contents.scroll("wide", to: CGPoint(x: 200, y: 0))
            contents.place("far", frame: CGRect(x: 200, y: 0, width: 10, height: 10), in: "wide")
            contents.place("wide", frame: CGRect(x: 0, y: 0, width: 100, height: 10), scrolls: true, isTracked: false)
        }
        #expect(posted.suffix(2) == [.shown("far"), .seen("far")])
        posted.removeLast(2)
        // A content that is placed again keeps its own contents.
        tracker.update(at: 2, post: { posted.append($0.log) }) { contents in
            contents.place("row", frame: CGRect(x: 0, y: 20, width: 100, height: 50), in: "list", scrolls: true)
        }
        #expect(posted == [.screen, .shown("row"), .shown("card"), .seen("card"), .seen("row")])
        // Moves a row from a container that is removed into a new one.
        tracker.update(at: 3, post: { posted.append($0.log) }) { contents in
            contents.place(
                "other list", frame: CGRect(x: 0, y: 0, width: 100, height: 100), scrolls: true, isTracked: false)
            contents.place("row", frame: CGRect(x: 0, y: 20, width: 100, height: 50), in: "other list", scrolls: true)
            contents.remove("list")
            #expect(contents.contains("row"))
        }
    }

    @Test("A visible fraction in percent stops a debug build, after a log message with the fix")
    func fractionInPercent() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ImpressionRule(visibleFraction: 80)
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains(/is 80.*80% is 0\.8/))
        #expect(ImpressionRule.never.replacing(visibleFraction: nil, dwell: 1).visibleFraction == .infinity)
    }

    /// An identifier that knows how many of them exist.
    private final class Mark: Hashable, Sendable {
        let number: Int
        let alive: Locked<Int>

        init(_ number: Int, _ alive: Locked<Int>) {
            (self.number, self.alive) = (number, alive)
            alive.withLock { $0 += 1 }
        }

        deinit { alive.withLock { $0 -= 1 } }
        static func == (left: Mark, right: Mark) -> Bool { left.number == right.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test("Identifiers of contents that are gone are freed after their visit")
    func identifiersAreFreed() {
        let alive = Locked(0)
        var tracker = ContentTracker<Mark>(viewport: CGSize(width: 100, height: 100), rule: ImpressionRule(dwell: 1))
        var (shown, seen) = (0, 0)
        func update(at time: Double, _ change: (inout TrackedContents<Mark>) -> Void = { _ in }) {
            tracker.update(
                at: time,
                post: { post in
                    if case .shown = post.log { shown += 1 }
                    if case .seen = post.log { seen += 1 }
                }, change)
        }
        for visit in 0..<200 {
            let time = Double(10 * visit)
            update(at: time) { $0.updateRoot { $0.hasAppeared = true } }
            update(at: time) { contents in
                for number in 0..<20 {
                    contents.insert(
                        Mark(20 * visit + number, alive), frame: CGRect(x: 0, y: 12 * number, width: 100, height: 12),
                        scrolls: number == 3)
                }
            }
            update(at: time + 2)
            update(at: time + 2) { contents in
                for number in 0..<20 { contents.remove(Mark(20 * visit + number, alive)) }
            }
            // In the same visit, a content that returns is not posted again.
            tracker.forgetEarly()
            let again = Mark(20 * visit, alive)
            update(at: time + 3) { $0.insert(again, frame: CGRect(x: 0, y: 0, width: 100, height: 12)) }
            update(at: time + 6) { $0.remove(again) }
            update(at: time + 6) { $0.updateRoot { $0.hasAppeared = false } }
        }
        #expect(shown == 200 * 9 && seen == 200 * 8)
        #expect(alive.withLock { $0 } < 100)
    }

    @Test(
        "Placing a content with another rule restarts its dwell time; the same rule continues it"
    )
    func anotherRule() {
        var tracker = ContentTracker<String>(viewport: CGSize(width: 100, height: 100))
        var posted: [ContentTracker<String>.Post] = []
        func place(_ rule: ImpressionRule?, at time: Double) {
            tracker.update(at: time, post: { posted.append($0) }) { contents in
                contents.updateRoot { $0.hasAppeared = true }
                contents.place("half", frame: CGRect(x: 0, y: 50, width: 100, height: 100), rule: rule)
            }
        }
        place(nil, at: 0)
        place(nil, at: 5)
        place(ImpressionRule(visibleFraction: 0.5, dwell: 1), at: 6)
        place(ImpressionRule(visibleFraction: 0.5, dwell: 1), at: 6.5)
        #expect(tracker.nextWakeUp == 7)
        place(ImpressionRule(visibleFraction: 0.4, dwell: 2), at: 6.8)
        #expect(tracker.nextWakeUp == 8.8)
        // The content was seen before it gets another rule.
        place(nil, at: 9)
        place(ImpressionRule(visibleFraction: 0.4, dwell: 1), at: 10)
        #expect(
            posted.map(\.log) == [.screen, .shown("half"), .seen("half")] && posted.last?.time == 8.8
                && tracker.nextWakeUp == nil)
    }

    @Test("A definition's trigger replaces the parts of a rule that it specifies")
    func definedRules() {
        let rule = ImpressionRule(visibleFraction: 0.5, dwell: 3, once: .session)
        let definition = LogDefinition("feed\n.show|1-0-0|active|impression(80%25)\n.open|1-0-0|active|screen")
        #expect(
            rule.replacing(definition.events[0].trigger)
                == ImpressionRule(visibleFraction: 0.8, dwell: 3, once: .session))
        #expect(rule.replacing(definition.events[1].trigger) == rule && rule.replacing(nil) == rule)
        #expect(
            rule.replacing(visibleFraction: 0.8, dwell: nil)
                == ImpressionRule(visibleFraction: 0.8, dwell: 3, once: .session))
        #expect(
            rule.replacing(visibleFraction: nil, dwell: 1)
                == ImpressionRule(visibleFraction: 0.5, dwell: 1, once: .session))
        #expect(ImpressionRule() == ImpressionRule(visibleFraction: 0.8, dwell: 2, once: .visit))
    }
}
