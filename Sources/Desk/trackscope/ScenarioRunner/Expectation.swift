import ContentVisibility

extension Scenario {
    /// Returns the differences between the posted logs and the expectations; none if the scenario has no expectations.
    ///
    /// Times may differ by a millisecond, or by a frame of the display (1/60 s) if something was scrolling. An
    /// expectation without a screen matches any screen.
    package func differences(from result: Result) -> [Difference] {
        guard let expected else { return [] }
        var match = Match(expected, result)
        return match.differences().sorted { ($0.time, $0.description) < ($1.time, $1.description) }
    }

    package enum Difference: Sendable, Equatable, CustomStringConvertible {
        case missing(Expected)
        case unexpected(Posted)
        case late(Posted, expected: Double)

        var time: Double {
            switch self {
            case .missing(let expected): expected.time
            case .unexpected(let post), .late(let post, _): post.time
            }
        }

        /// One line that begins with `-` for a missing log, `+` for an unexpected one, `~` for one at another time.
        package var description: String {
            switch self {
            case .missing(let expected):
                "- \(Posted.summary(expected.time, expected.log, expected.content, expected.screen))"
                    + VisitEngagement.listing(expected.engagement)
            case .unexpected(let post): "+ \(post.summary)\(VisitEngagement.listing(post.engagement?.values ?? [:]))"
            case .late(let post, let expected): "~ \(post.summary), expected at \(Posted.seconds(expected))"
            }
        }
    }
}

private struct Match {
    private struct Key: Hashable {
        var log: Posted.Log
        var content: String?
        /// The screen of a screen's log; nil for a content's log, whose screen is compared later.
        var screen: String?
    }

    private let expected: [Scenario.Expected]
    private let posted: [Posted]
    /// The posted logs by key, in order of time.
    private var candidates: [Key: [Int]] = [:]
    /// The times of scrolls, without overlaps.
    private var scrolls: [ClosedRange<Double>] = []
    private var expectation: [Int?]

    private static let tolerance = 0.001
    private static let frame = 1.0 / 60

    init(_ expected: [Scenario.Expected], _ result: Scenario.Result) {
        // Expectations that name a screen come first, because fewer logs can match them.
        self.expected = expected.sorted { ($0.screen == nil ? 1 : 0, $0.time) < ($1.screen == nil ? 1 : 0, $1.time) }
        posted = result.posted.sorted { $0.time < $1.time }
        expectation = Array(repeating: nil, count: posted.count)
        for (index, post) in posted.enumerated() {
            candidates[
                Key(log: post.log, content: post.content, screen: post.content == nil ? post.screen : nil), default: []
            ].append(index)
        }
        for scroll in result.scrolls.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = scrolls.last, scroll.lowerBound <= last.upperBound {
                scrolls[scrolls.count - 1] = last.lowerBound...max(last.upperBound, scroll.upperBound)
            } else {
                scrolls.append(scroll)
            }
        }
    }

    mutating func differences() -> [Scenario.Difference] {
        var unmet: [Scenario.Expected] = []
        // Logs that are on time are matched first, so that a missing log does not make the following ones late.
        for index in expected.indices {
            var tried: Set<Int> = []
            if !meet(index, &tried) { unmet.append(expected[index]) }
        }
        var left: [Key: [Int]] = [:]
        for (key, list) in candidates { left[key] = list.filter { expectation[$0] == nil }.reversed() }
        var differences: [Scenario.Difference] = []
        for wanted in unmet {
            if let place = left[key(wanted)]?.lastIndex(where: { isSame(posted[$0], wanted) }),
                let late = left[key(wanted)]?.remove(at: place)
            {
                differences.append(.late(posted[late], expected: wanted.time))
            } else {
                differences.append(.missing(wanted))
            }
        }
        return differences + left.values.joined().map { .unexpected(posted[$0]) }
    }

    /// Assigns a log to an expectation. If every fitting log is taken, another expectation takes a different one.
    private mutating func meet(_ index: Int, _ tried: inout Set<Int>) -> Bool {
        let wanted = expected[index]
        let list = candidates[key(wanted)] ?? []
        let near = list.dropFirst(list.count(before: { posted[$0].time < wanted.time - Self.frame - 1e-9 }))
            .prefix { posted[$0].time <= wanted.time + Self.frame + 1e-9 }
        let onTime = near.filter { isSame(posted[$0], wanted) && isOnTime(posted[$0], wanted) }
        if let free = onTime.first(where: { expectation[$0] == nil }) {
            expectation[free] = index
            return true
        }
        for candidate in onTime where tried.insert(candidate).inserted {
            if let other = expectation[candidate], meet(other, &tried) {
                expectation[candidate] = index
                return true
            }
        }
        return false
    }

    private func key(_ expected: Scenario.Expected) -> Key {
        Key(log: expected.log, content: expected.content, screen: expected.content == nil ? expected.screen : nil)
    }

    private func isSame(_ post: Posted, _ expected: Scenario.Expected) -> Bool {
        let values = post.engagement?.values ?? [:]
        return (expected.screen == nil || expected.screen == post.screen)
            && expected.engagement.allSatisfy { name, expected in
                let value = values[name] ?? nil
                return abs((value ?? -1) - (expected ?? -1)) <= Self.tolerance + 1e-9
            }
    }

    private func isOnTime(_ post: Posted, _ expected: Scenario.Expected) -> Bool {
        // Scrolls do not overlap here, so only the last scroll that had begun by the time of the log can still be
        // running.
        let begun = scrolls.count(before: { $0.lowerBound - Self.tolerance <= post.time })
        let isScrolling = begun > 0 && post.time <= scrolls[begun - 1].upperBound + Self.tolerance
        return abs(post.time - expected.time) <= (isScrolling ? Self.frame : Self.tolerance) + 1e-9
    }
}
