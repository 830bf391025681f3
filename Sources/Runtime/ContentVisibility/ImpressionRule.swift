public import ActivityTracking

/// The rule that decides when a content is seen.
public struct ImpressionRule: Sendable, Equatable {
    /// The fraction of the content's area that has to be visible, from 0 to 1. For a content that is larger than its
    /// scroll views or the screen, this is not a fraction of the whole content. It is a fraction of the largest part
    /// that can be visible at once.
    public var visibleFraction: Double
    /// The dwell time, in seconds: how long the fraction has to be visible without interruption.
    public var dwell: Double
    /// The period in which the content counts once.
    public var once: Once
    /// The fraction from which the content counts for its ``VisitEngagement``, posted when the content is left; nil for
    /// a content without such a post. It needs no dwell.
    public var leave: Double?

    /// The period in which a content counts once.
    public enum Once: String, Sendable, CaseIterable {
        /// A visit of the content's screen. The visit ends when the user leaves the screen, and with the background, a
        /// full-screen cover or a refresh.
        case visit
        /// The lifetime of the tracker.
        case session
        /// The time between two calls of `restart`.
        case untilRestart
    }

    /// Creates a rule. By default, four fifths are visible for two seconds, once per visit.
    ///
    /// A fraction that is not from 0 to 1, such as 80 for 80%, is a mistake in the app's code: no content would ever be
    /// seen. It is logged, and stops a debug build.
    public init(visibleFraction: Double = 0.8, dwell: Double = 2, once: Once = .visit) {
        self.visibleFraction = visibleFraction
        self.dwell = dwell
        self.once = once
        if !(0...1).contains(visibleFraction), visibleFraction != .infinity {
            reportMistake(
                "ImpressionRule: `visibleFraction` is \(visibleFraction). Pass a fraction from 0 to 1: 80% is 0.8.")
        }
    }

    /// A rule by which no content is seen, for a content that is only shown or left.
    package static let never = ImpressionRule(visibleFraction: .infinity)

    /// Returns this rule with another fraction and dwell. Nil keeps a value.
    public func replacing(visibleFraction: Double?, dwell: Double?) -> ImpressionRule {
        ImpressionRule(visibleFraction: visibleFraction ?? self.visibleFraction, dwell: dwell ?? self.dwell, once: once)
    }

    /// Returns this rule with the parameters of a definition's trigger, such as `impression(80%, 2s)`.
    public func replacing(_ trigger: LogTrigger?) -> ImpressionRule {
        guard case .impression(let visibleFraction, let dwell)? = trigger else { return self }
        return replacing(visibleFraction: visibleFraction, dwell: dwell)
    }
}
