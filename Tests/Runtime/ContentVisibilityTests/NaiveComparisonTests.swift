import ContentVisibility
import Foundation
import Testing
import TestSupport

/// Compares the tracker with a model that scans all contents at every update.
struct NaiveComparisonTests {
    @Test("The tracker posts the same as a full scan, at the same times", arguments: 1...Depth.cases(12, deep: 14))
    func sameAsFullScan(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed))
        func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &dice) < share }
        let viewport = CGSize(width: 390, height: 800)
        let rules = [
            ImpressionRule(), ImpressionRule(visibleFraction: 0.5, dwell: 1, once: .session),
            ImpressionRule(visibleFraction: 1, dwell: 0.3, once: .untilRestart),
            ImpressionRule(visibleFraction: 0, dwell: 0), ImpressionRule(visibleFraction: 0.8, dwell: 0.05),
        ]
        var tracker = ContentTracker<Int>(viewport: viewport, rule: rules[0])
        var naive = NaiveTracker(viewport: viewport)
        var time = 0.0
        // More contents than a list holds, so that the grid is used.
        let ids = 0..<(seed % 3 == 0 ? 120 : 40)
        // The container 0 has more contents than a list holds. It is moved and resized more often than others.
        let row = NaiveTracker.Content(
            frame: CGRect(x: 0, y: 0, width: 390, height: 120), scrolls: true, rule: rules[0])
        // Changes are recorded from here on.
        _ = tracker.takeChanges()
        tracker.update(at: 0, post: { _ in }) { contents in
            contents.insert(0, frame: row.frame, scrolls: true, rule: row.rule)
            naive.insert(0, row)
            for id in ids.dropFirst() {
                // All rules occur from the beginning: what a rule that comes later would need may be forgotten.
                let card = NaiveTracker.Content(
                    frame: CGRect(x: id * 100, y: 0, width: 100, height: 100), container: 0,
                    rule: rules[id % rules.count])
                contents.insert(id, frame: card.frame, in: 0, rule: card.rule)
                naive.insert(id, card)
            }
        }
        var (steps, posts, left) = (0, 0, 0)
        func isSame(_ log: ContentTracker<Int>.Log, _ other: ContentTracker<Int>.Log) -> Bool {
            guard case .left(let id, let some) = log, case .left(id, let others) = other else { return log == other }
            let values = [
                (some.seconds, others.seconds), (some.longest, others.longest), (some.depth ?? -1, others.depth ?? -1),
            ]
            return values.allSatisfy { abs($0 - $1) < 1e-6 } && some.count == others.count
        }
        // The state according to the recorded changes.
        var (shares, over, dwelling, seen): ([Int: Double], Set<Int>, Set<Int>, [Double]) = ([:], [], [], [])

        func frame() -> CGRect {
            func grid(_ range: ClosedRange<Int>) -> Double { Double(Int.random(in: range, using: &dice) * 5) }
            if chance(0.05) { return CGRect(x: grid(0...20), y: grid(0...100), width: 0, height: grid(0...10)) }
            if chance(0.05) {
                return CGRect(x: grid(-40...10), y: grid(-100...100), width: grid(100...400), height: grid(200...2000))
            }
            return CGRect(x: grid(-4...80), y: grid(-20...500), width: grid(1...80), height: grid(1...60))
        }
        func point() -> CGPoint {
            CGPoint(
                x: Double(Int.random(in: -20...200, using: &dice)), y: Double(Int.random(in: -20...2000, using: &dice)))
        }

        while steps < Depth.cases(150, deep: 1_200) {
            steps += 1
            if steps % 3 != 0 { tracker.forgetEarly() }
            let last = time
            time += [0, 0.0004, 0.01, 1.0 / 60, 0.25, 1.3].randomElement(using: &dice) ?? 0
            if chance(0.1), let wakeUp = tracker.nextWakeUp { time = max(last, wakeUp - (chance(0.5) ? 0.0008 : 0)) }
            var sample: Double?
            var changes: [(inout TrackedContents<Int>, inout NaiveTracker) -> Void] = []
            for _ in 0..<(chance(0.2) ? 3 : 1) {
                let id = ids.randomElement(using: &dice) ?? 0
                let isPresent = naive.contents[id]?.isPresent == true
                switch Int.random(in: 0..<20, using: &dice) {
                case 0...3:
                    let container =
                        chance(0.4)
                        ? naive.order.filter { naive.contents[$0]?.isPresent == true && $0 < id }.randomElement(
                            using: &dice) : nil
                    var rule = rules.randomElement(using: &dice) ?? rules[0]
                    rule.leave = chance(0.5) ? [0, 0.3, 0.8, 1].randomElement(using: &dice) : nil
                    let content = NaiveTracker.Content(
                        frame: frame(), container: container, scrolls: chance(0.3), isTracked: chance(0.9),
                        isRemembered: chance(0.7),
                        rule: rule)
                    changes.append { contents, naive in
                        // The container may have been removed in the same update.
                        guard container.map({ naive.contents[$0]?.isPresent == true }) ?? true else { return }
                        contents.insert(
                            id, frame: content.frame, in: content.container, scrolls: content.scrolls,
                            isTracked: content.isTracked,
                            isRemembered: content.isRemembered, rule: content.rule)
                        naive.insert(id, content)
                    }
                case 4:
                    let isFinal = chance(0.5)
                    let depth = chance(0.8) ? Double.random(in: 0...1, using: &dice) : nil
                    changes.append { contents, naive in
                        contents.remove(id, isFinal: isFinal)
                        naive.remove(id, isFinal: isFinal)
                        contents.setDepth(depth)
                        naive.depth = depth
                    }
                case 5, 6:
                    let id = chance(0.5) ? 0 : id
                    guard naive.contents[id]?.isPresent == true else { continue }
                    let frame = frame()
                    changes.append { contents, naive in
                        guard naive.contents[id]?.isPresent == true else { return }
                        contents.move(id, to: frame)
                        naive.move(id, to: frame)
                    }
                case 7...10:
                    let point = point()
                    if chance(0.7) { sample = last }
                    changes.append { contents, naive in
                        contents.scroll(nil, to: point)
                        naive.offset = point
                        naive.scrolls += 1
                    }
                case 11...13:
                    guard isPresent, naive.contents[id]?.scrolls == true else { continue }
                    let point = point()
                    if chance(0.7) { sample = last }
                    changes.append { contents, naive in
                        guard naive.contents[id]?.isPresent == true, naive.contents[id]?.scrolls == true else { return }
                        contents.scroll(id, to: point)
                        naive.contents[id]?.offset = point
                        naive.scrolls += 1
                    }
                case 14:
                    guard chance(0.3) else { continue }
                    let size = CGSize(
                        width: Double.random(in: 200...800, using: &dice).rounded(),
                        height: Double.random(in: 200...800, using: &dice).rounded())
                    changes.append { contents, naive in
                        contents.resize(to: size)
                        naive.viewport = size
                        naive.resizedAt = naive.now
                    }
                case 15:
                    let step = Int.random(in: 0..<6, using: &dice)
                    changes.append { contents, naive in
                        switch step {
                        case 0:
                            contents.stop()
                            naive.isStarted = false
                        case 1:
                            contents.restart()
                            naive.isStarted = true
                            naive.restarts += 1
                        default:
                            contents.start()
                            naive.isStarted = true
                        }
                    }
                case 16, 17:
                    var conditions = RootVisibility.Conditions()
                    conditions.hasAppeared = chance(0.95)
                    conditions.isInForeground = chance(0.95)
                    conditions.isRefreshing = chance(0.05)
                    conditions.isWaitingForRefresh = chance(0.05)
                    conditions.isForcedToDisappear = chance(0.05)
                    conditions.cover = chance(0.1) ? .sheet : chance(0.1) ? .fullScreen : .none
                    changes.append { contents, naive in
                        naive.conditions = conditions
                        contents.updateRoot { $0 = conditions }
                    }
                default: break
                }
            }
            // A scroll between samples is a separate change, as toolkits report it.
            if sample != nil, changes.count > 1 { sample = nil }
            var found: [ContentTracker<Int>.Post] = []
            // Both trackers receive the same changes: the naive one is updated within the update of the other.
            var copy = naive
            var expected: [NaiveTracker.Post] = []
            tracker.update(at: time, since: sample, post: { found.append($0) }) { contents in
                expected = copy.update(at: time, since: sample) { naive in
                    for change in changes { change(&contents, &naive) }
                }
            }
            naive = copy
            let missing = expected.filter { post in
                !found.contains { isSame($0.log, post.log) && abs($0.time - post.time) < 1e-6 }
            }
            #expect(
                missing.isEmpty && found.count == expected.count,
                "seed \(seed), step \(steps) at \(time): \(found) is not \(expected)")
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.time <= $1.time })
            if found.count != expected.count || !missing.isEmpty { return }
            posts += found.count
            left += found.count { if case .left(_?, let engagement) = $0.log { engagement.seconds > 0 } else { false } }
            seen = []
            for change in tracker.takeChanges() {
                // A state begins only if it is not in progress, and ends only if it is.
                switch change.kind {
                case .share(let share): shares[change.id] = share
                case .overFraction(let holds):
                    #expect(holds ? over.insert(change.id).inserted : over.remove(change.id) != nil)
                case .dwellBegan: #expect(dwelling.insert(change.id).inserted)
                case .dwellBroke: #expect(dwelling.remove(change.id) != nil)
                case .seen:
                    #expect(dwelling.remove(change.id) != nil)
                    seen.append(change.time)
                }
            }
            #expect(seen.sorted() == found.filter { if case .seen = $0.log { true } else { false } }.map(\.time))
            if steps % 8 == 0 {
                var inView: [Int: Bool] = [:]
                tracker.forEachInView { inView[$0] = $1 }
                let offsets = naive.offsets
                let visible = naive.order.filter { naive.fraction(of: $0, offsets) != nil }
                #expect(Set(inView.keys) == Set(visible), "seed \(seed), step \(steps)")
                #expect(visible.allSatisfy { inView[$0] == naive.contents[$0]?.isOver }, "seed \(seed), step \(steps)")
                let tracked = visible.filter { naive.contents[$0]?.isTracked == true }
                #expect(Set(shares.keys) == Set(tracked), "seed \(seed), step \(steps)")
                for id in tracked {
                    let share = min(1, naive.fraction(of: id, offsets) ?? 0)
                    #expect(abs((shares[id] ?? 0) - share) < 1e-6, "seed \(seed), step \(steps)")
                }
                #expect(
                    over == Set(naive.order.filter { naive.contents[$0]?.isOver == true }),
                    "seed \(seed), step \(steps)")
            }
        }
        // The comparison would also succeed if nothing was posted, so posts are counted.
        #expect(posts > Depth.cases(5, deep: 50))
        #expect(left > 0)
    }
}
