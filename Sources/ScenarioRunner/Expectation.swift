import ContentVisibility

extension Scenario {
    /// How what was posted differs from what has to be; empty where it does not, or where the scenario does not say.
    ///
    /// Times may differ by a millisecond, and by a frame while something was scrolling.
    /// An expectation that names no screen is met on any.
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

        /// A line of a difference: `-` is expected and missing, `+` is posted and not expected, `~` is posted at another time.
        package var description: String {
            switch self {
            case .missing(let expected): "- \(Posted.summary(expected.time, expected.log, expected.content, expected.screen))"
            case .unexpected(let post): "+ \(post.summary)"
            case .late(let post, let expected): "~ \(post.summary), expected at \(Posted.seconds(expected))"
            }
        }
    }
}

/// Which posted log meets which expectation.
private struct Match {
    private struct Key: Hashable {
        var log: Posted.Log
        var content: String?
        /// Only where there is no content: contents may be expected on any screen.
        var screen: String?
    }

    private let expected: [Scenario.Expected]
    private let posted: [Posted]
    /// What was posted, by what it is and then by time.
    private var candidates: [Key: [Int]] = [:]
    /// When something scrolled, without overlaps.
    private var scrolls: [ClosedRange<Double>] = []
    private var expectation: [Int?]

    private static let tolerance = 0.001
    private static let frame = 1.0 / 60

    init(_ expected: [Scenario.Expected], _ result: Scenario.Result) {
        // Those that are content with fewer come first.
        self.expected = expected.sorted { ($0.screen == nil ? 1 : 0, $0.time) < ($1.screen == nil ? 1 : 0, $1.time) }
        posted = result.posted.sorted { $0.time < $1.time }
        expectation = Array(repeating: nil, count: posted.count)
        for (index, post) in posted.enumerated() {
            candidates[Key(log: post.log, content: post.content, screen: post.content == nil ? post.screen : nil), default: []].append(index)
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
        // What is on time first, so that one that is missing does not make others late.
        for index in expected.indices {
            var tried: Set<Int> = []
            if !meet(index, &tried) { unmet.append(expected[index]) }
        }
        var left: [Key: [Int]] = [:]
        for (key, list) in candidates { left[key] = list.filter { expectation[$0] == nil }.reversed() }
        var differences: [Scenario.Difference] = []
        for wanted in unmet {
            if let place = left[key(wanted)]?.lastIndex(where: { isSame(posted[$0], wanted) }), let late = left[key(wanted)]?.remove(at: place) {
                differences.append(.late(posted[late], expected: wanted.time))
            } else {
                differences.append(.missing(wanted))
            }
        }
        return differences + left.values.joined().map { .unexpected(posted[$0]) }
    }

    /// Finds a log for an expectation, where need be one that has another expectation, if there is another log for that.
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

    private func isSame(_ post: Posted, _ expected: Scenario.Expected) -> Bool { expected.screen == nil || expected.screen == post.screen }

    private func isOnTime(_ post: Posted, _ expected: Scenario.Expected) -> Bool {
        // Of the scrolls, only the last that had begun by then may still go on.
        let begun = scrolls.count(before: { $0.lowerBound - Self.tolerance <= post.time })
        let isScrolling = begun > 0 && post.time <= scrolls[begun - 1].upperBound + Self.tolerance
        return abs(post.time - expected.time) <= (isScrolling ? Self.frame : Self.tolerance) + 1e-9
    }
}

extension Posted {
    /// `2.5 seen banner (feed)`
    package var summary: String { Self.summary(time, log, content, screen) }

    /// `2.5 seen banner` where no screen is named.
    static func summary(_ time: Double, _ log: Log, _ content: String?, _ screen: String?) -> String {
        let what = content.map { content in screen.map { "\(content) (\($0))" } ?? content } ?? screen ?? ""
        return "\(seconds(time)) \(log) \(what)"
    }

    /// Seconds, rounded to milliseconds, without needless digits: `6.45`.
    static func seconds(_ time: Double) -> String {
        let thousandths = Int64((time * 1000).rounded())
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var fraction = String(rest + 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return (thousandths < 0 ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// One JSON object, without a line end.
    /// - Parameters:
    ///   - scenario: the scenario's name, where there are several.
    ///   - file: where it stands, if several have that name.
    package func json(scenario: String? = nil, file: String? = nil) -> String {
        var members = scenario.map { ["\"scenario\":\(Self.quoted($0))"] } ?? []
        if let file { members.append("\"file\":\(Self.quoted(file))") }
        members += ["\"at\":\(Self.seconds(time))", "\"log\":\"\(log)\""]
        if let content { members.append("\"content\":\(Self.quoted(content))") }
        members.append("\"screen\":\(Self.quoted(screen))")
        return "{\(members.joined(separator: ","))}"
    }

    /// A JSON string (RFC 8259 §7).
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
