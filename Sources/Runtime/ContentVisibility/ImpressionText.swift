/// The words for rules and dwells. The timeline of `trackscope` and `ActivityInspector` use the same words.
package enum ImpressionText {
    /// Returns seconds, rounded to milliseconds, without trailing zeros: `6.45`. Rules of an app may be infinite or
    /// NaN; such numbers are clamped to ±10¹².
    package static func number(_ time: Double) -> String {
        let thousandths = Int64((EdgeRect.near(time) * 1000).rounded())
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var fraction = String(rest + 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return (thousandths < 0 ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }

    package static func seconds(_ time: Double) -> String { "\(number(time)) s" }

    /// Returns a percentage, rounded down: a share under the rule's fraction must not be printed as that fraction.
    package static func percent(_ share: Double) -> String { "\(number((share * 1000 + 1e-6).rounded(.down) / 10))%" }

    /// Returns a rule such as `80% for 2 s, once per visit`.
    package static func words(_ rule: ImpressionRule) -> String {
        "\(percent(rule.visibleFraction)) for \(seconds(rule.dwell)), \(words(rule.once))"
    }

    package static func words(_ once: ImpressionRule.Once) -> String {
        switch once {
        case .visit: "once per visit"
        case .session: "once per session"
        case .untilRestart: "once until a restart"
        }
    }

    // MARK: Labels

    package static func underFraction(_ rule: ImpressionRule) -> String { "under \(percent(rule.visibleFraction))" }

    /// Returns the label of an incomplete dwell: `dwell 1.4 of 2 s`.
    package static func dwelling(_ dwell: Double, _ rule: ImpressionRule) -> String {
        "dwell \(number(dwell)) of \(seconds(rule.dwell))"
    }

    package static func seen(_ once: ImpressionRule.Once) -> String {
        switch once {
        case .visit: "seen in this visit"
        case .session: "seen in this session"
        case .untilRestart: "seen, until a restart"
        }
    }

    // MARK: Reasons

    package static func notSeen(_ obstacle: ScreenObstacle) -> String { "Not seen: \(obstacle.state)." }

    /// Explains that too little of a content is in view.
    /// - Parameter share: The share in view in words, such as `50%` or `at most 50%`.
    package static func notSeen(share: String, _ rule: ImpressionRule) -> String {
        "Not seen: \(share) is in view, and the rule requires \(percent(rule.visibleFraction))."
    }

    /// Returns the completed part of a dwell: `1.4 s of the 2 s`.
    package static func part(_ dwell: Double, of rule: ImpressionRule) -> String {
        "\(seconds(dwell)) of the \(seconds(rule.dwell))"
    }

    /// Returns the explanation for a content that has been seen before.
    /// - Parameter time: The time at which the content was seen; nil if unknown.
    package static func seenAlready(at time: Double?, _ once: ImpressionRule.Once) -> String {
        "Seen already\(time.map { ", at \(seconds($0))" } ?? ""): \(words(once))."
    }
}
