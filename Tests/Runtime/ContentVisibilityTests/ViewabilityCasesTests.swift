import ContentVisibility
import Foundation
import Testing

/// Compares the geometry with React Native's viewability cases, restated as data. Where React Native's rule differs,
/// the test contains the result of our rule.
struct ViewabilityCasesTests {
    struct Cases: Decodable, Sendable {
        struct Item: Decodable, Sendable {
            var key: String
            var y: Double
            var height: Double
        }

        struct Config: Decodable, Sendable {
            var viewAreaCoveragePercentThreshold: Double?
            var itemVisiblePercentThreshold: Double?
            var minimumViewTime: Double?
            var waitForInteraction: Bool?
        }

        struct Compute: Decodable, Sendable, CustomTestStringConvertible {
            var it: String?
            var name: String?
            var items: [Item]
            var config: Config
            var scrollOffset: Double
            var viewportHeight: Double
            var expectedViewableIndices: [Int]?
            var rnActual: [Int]?
            var testDescription: String { "\(it ?? name ?? "?") \(config)" }
        }

        struct Step: Decodable, Sendable {
            var op: String
            var atMs: Double?
            var items: [Item]?
            var scrollOffset: Double?
            var viewportHeight: Double?
        }

        struct Call: Decodable, Sendable {
            struct Change: Decodable, Sendable {
                var key: String
                var isViewable: Bool
            }
            var afterStep: Int?
            var changed: [Change]
        }

        struct Update: Decodable, Sendable, CustomTestStringConvertible {
            var it: String?
            var name: String?
            var config: Config?
            var steps: [Step]
            var expectedCalls: [Call]?
            var testDescription: String { it ?? name ?? "?" }
        }

        var computeViewableItems: [Compute]
        var onUpdate: [Update]
        var divergencesFromContinuousRule: [Update]
        var edgeFactsFromImplementation: [Compute]
    }

    static let cases: Cases = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Cases/rn_viewability_cases.json")
        do {
            return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
        } catch {
            Issue.record(error)
            return Cases(
                computeViewableItems: [], onUpdate: [], divergencesFromContinuousRule: [],
                edgeFactsFromImplementation: [])
        }
    }()

    /// Returns a rule that has the same requirement for one item as a React Native configuration. React Native's
    /// thresholds are shares of the whole item or of the viewport. An item taller than the viewport may never reach a
    /// share of the whole item. For a share of the viewport, the whole item is enough. Our fractions are shares of the
    /// area that could be visible.
    static func rule(_ config: Cases.Config?, for item: Cases.Item, viewport: Double) -> ImpressionRule {
        let dwell = (config?.minimumViewTime ?? 0) / 1000
        let possible = min(item.height, viewport)
        if let percent = config?.itemVisiblePercentThreshold {
            let fraction = possible > 0 ? percent / 100 * item.height / possible : 1
            return ImpressionRule(visibleFraction: fraction > 1 ? .infinity : fraction, dwell: dwell)
        }
        let share = (config?.viewAreaCoveragePercentThreshold ?? 0) / 100
        return ImpressionRule(visibleFraction: possible > 0 ? min(1, share * viewport / possible) : 1, dwell: dwell)
    }

    static func frame(_ item: Cases.Item) -> CGRect { CGRect(x: 0, y: item.y, width: 100, height: item.height) }

    /// Returns the items that are above their fraction.
    static func viewable(_ test: Cases.Compute) -> [Int] {
        var tracker = ContentTracker<Int>(viewport: CGSize(width: 100, height: test.viewportHeight))
        tracker.update(at: 0, post: { _ in }) { contents in
            for (index, item) in test.items.enumerated() {
                contents.insert(
                    index, frame: frame(item), rule: rule(test.config, for: item, viewport: test.viewportHeight))
            }
            contents.scroll(nil, to: CGPoint(x: 0, y: test.scrollOffset))
            contents.updateRoot { $0.hasAppeared = true }
        }
        var viewable: [Int] = []
        tracker.forEachInView { if $1 { viewable.append($0) } }
        return viewable.sorted()
    }

    @Test("The file contains all cases") func allAreThere() {
        let cases = Self.cases
        #expect(cases.computeViewableItems.count == 22 && cases.onUpdate.count == 6)
        #expect(cases.divergencesFromContinuousRule.count == 3 && cases.edgeFactsFromImplementation.count == 8)
    }

    @Test("Items that are viewable in React Native are above the fraction", arguments: cases.computeViewableItems)
    func geometry(test: Cases.Compute) { #expect(Self.viewable(test) == test.expectedViewableIndices) }

    @Test("In edge cases where the rules differ, our rule holds", arguments: cases.edgeFactsFromImplementation)
    func edges(test: Cases.Compute) {
        let ours: [String: [Int]] = [
            // React Native shows an item without height in one of its modes.
            "zero-height item strictly inside viewport, area% = 0": [0, 2],
            // React Native rounds a part of a point down at the top and not at the bottom.
            "sub-pixel overlap of 0.4 at top, item% = 0": [0, 1],
        ]
        #expect(Self.viewable(test) == ours[test.name ?? ""] ?? test.rnActual)
    }

    /// Returns the items that are seen after each step. Time advances only for timers and for steps with a time.
    static func seen(_ test: Cases.Update) -> [(step: Int, time: Double, key: String)] {
        var seen: [(step: Int, time: Double, key: String)] = []
        var tracker: ContentTracker<String>?
        var now = 0.0
        for (number, step) in test.steps.enumerated() {
            now = step.atMs.map { $0 / 1000 } ?? now
            func post(_ post: ContentTracker<String>.Post) {
                if case .seen(let key) = post.log { seen.append((number, post.time, key)) }
            }
            switch step.op {
            case "update":
                let height = step.viewportHeight ?? 0
                var current = tracker ?? ContentTracker(viewport: CGSize(width: 100, height: height))
                current.update(at: now, post: post) { contents in
                    if tracker == nil, test.config?.waitForInteraction == true { contents.stop() }
                    for item in step.items ?? [] {
                        if contents.contains(item.key) {
                            contents.move(item.key, to: frame(item))
                        } else {
                            contents.insert(
                                item.key, frame: frame(item), rule: rule(test.config, for: item, viewport: height))
                        }
                    }
                    contents.resize(to: CGSize(width: 100, height: height))
                    contents.scroll(nil, to: CGPoint(x: 0, y: step.scrollOffset ?? 0))
                    contents.updateRoot { $0.hasAppeared = true }
                }
                tracker = current
            case "runAllTimers":
                while let next = tracker?.nextWakeUp {
                    now = next
                    tracker?.update(at: next, post: post)
                }
            case "recordInteraction": tracker?.update(at: now, post: post) { $0.start() }
            case "resetViewableIndices": tracker?.update(at: now, post: post) { $0.restart() }
            default: Issue.record("unknown step \(step.op)")
            }
        }
        return seen
    }

    @Test("Items that become viewable in React Native are seen", arguments: cases.onUpdate)
    func updates(test: Cases.Update) {
        let seen = Self.seen(test)
        // React Native reports an item again when it returns. Our items are seen once per visit.
        var known: Set<String> = []
        for call in test.expectedCalls ?? [] {
            let new = call.changed.filter { $0.isViewable && known.insert($0.key).inserted }.map(\.key)
            // We handle an interaction at once, and React Native with the next update.
            #expect(new.allSatisfy { key in seen.contains { $0.key == key && $0.step <= call.afterStep ?? 0 } })
        }
        #expect(Set(seen.map(\.key)) == known)
    }

    // In the second case, the file has b enter at 900 ms. But half of b is in view at 0, which meets the threshold in
    // both rules.
    @Test(
        "Where React Native uses the wrong clock, the dwell time is continuous",
        arguments: zip(cases.divergencesFromContinuousRule, [["a": 1.4], ["a": 1, "b": 1], [:]]))
    func continuous(test: Cases.Update, expected: [String: Double]) {
        let seen = Self.seen(test)
        #expect(
            Dictionary(seen.map { ($0.key, ($0.time * 1e6).rounded() / 1e6) }, uniquingKeysWith: { first, _ in first })
                == expected)
        #expect(seen.count == expected.count)
    }
}
