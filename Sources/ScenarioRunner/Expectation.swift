extension Scenario {
    /// How what was posted differs from what has to be; empty where it does not, or where the scenario does not say.
    ///
    /// Times may differ by a millisecond, and by a frame while something was scrolling.
    package func differences(from result: Result) -> [Difference] {
        guard let expected else { return [] }
        struct Key: Hashable {
            var log: Posted.Log
            var content: String?
            var screen: String?
        }
        // Contents are unique in a file: the screen need not be said.
        var left: [Key: [Posted]] = [:]
        for post in result.posted { left[Key(log: post.log, content: post.content, screen: post.screen), default: []].append(post) }
        var screens: [String: String] = [:]
        for post in result.posted { if let content = post.content { screens[content] = post.screen } }
        var differences: [Difference] = []
        // What is on time first, so that one that is missing does not make others late.
        var unmet: [(key: Key, wanted: Posted)] = []
        for expected in expected.sorted(by: { $0.time < $1.time }) {
            let screen = expected.screen ?? expected.content.flatMap { screens[$0] }
            let key = Key(log: expected.log, content: expected.content, screen: screen)
            let wanted = Posted(time: expected.time, log: expected.log, content: expected.content, screen: screen ?? "?")
            let onTime = left[key]?.firstIndex { post in
                let isScrolling = result.scrolls.contains { $0.lowerBound - 0.001 <= post.time && post.time <= $0.upperBound + 0.001 }
                return abs(post.time - wanted.time) <= (isScrolling ? 1.0 / 60 : 0.001) + 1e-9
            }
            if let onTime { left[key]?.remove(at: onTime) } else { unmet.append((key, wanted)) }
        }
        for (key, wanted) in unmet {
            if let post = left[key]?.first {
                left[key]?.removeFirst()
                differences.append(.late(post, expected: wanted.time))
            } else {
                differences.append(.missing(wanted))
            }
        }
        differences += left.values.joined().map { .unexpected($0) }
        return differences.sorted { ($0.time, $0.description) < ($1.time, $1.description) }
    }

    package enum Difference: Sendable, Equatable, CustomStringConvertible {
        case missing(Posted)
        case unexpected(Posted)
        case late(Posted, expected: Double)

        var time: Double {
            switch self {
            case .missing(let post), .unexpected(let post), .late(let post, _): post.time
            }
        }

        /// A line of a difference: `-` is expected and missing, `+` is posted and not expected, `~` is posted at another time.
        package var description: String {
            switch self {
            case .missing(let post): "- \(post.summary)"
            case .unexpected(let post): "+ \(post.summary)"
            case .late(let post, let expected): "~ \(post.summary), expected at \(Posted.seconds(expected))"
            }
        }
    }
}

extension Posted {
    /// `2.5 seen banner (feed)`
    package var summary: String { "\(Self.seconds(time)) \(log) \(content.map { "\($0) (\(screen))" } ?? screen)" }

    /// Seconds, rounded to milliseconds, without needless digits: `6.45`.
    static func seconds(_ time: Double) -> String {
        let thousandths = Int64((time * 1000).rounded())
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var fraction = String(rest + 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return (thousandths < 0 ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// One JSON object, without a line end.
    /// - Parameter scenario: the scenario's name, where there are several.
    package func json(scenario: String? = nil) -> String {
        var members = scenario.map { ["\"scenario\":\(Self.quoted($0))"] } ?? []
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
