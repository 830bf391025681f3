public import ActivityTracking

/// When a content counts as seen.
public struct ImpressionRule: Sendable, Equatable {
    /// How much of a content has to be visible, from 0 to 1: of the area of it that could be visible at most.
    public var visibleFraction: Double
    /// For how long it has to be visible without a break, in seconds.
    public var dwell: Double
    /// How often the same content counts.
    public var once: Once

    /// The stretch of time in which a content counts once.
    public enum Once: String, Sendable, CaseIterable {
        /// A visit of its screen. The background, a full-screen cover, a refresh and leaving end it.
        case visit
        /// The life of the tracker.
        case session
        /// The time between two calls of `restart`.
        case untilRestart
    }

    /// Four fifths for two seconds, once per visit, unless it says otherwise.
    public init(visibleFraction: Double = 0.8, dwell: Double = 2, once: Once = .visit) {
        self.visibleFraction = visibleFraction
        self.dwell = dwell
        self.once = once
    }

    /// This rule with another fraction or dwell; nil leaves a part as it is.
    public func replacing(visibleFraction: Double?, dwell: Double?) -> ImpressionRule {
        ImpressionRule(visibleFraction: visibleFraction ?? self.visibleFraction, dwell: dwell ?? self.dwell, once: once)
    }

    /// This rule with what an event's definition says (`trigger | impression(80%, 2s)`).
    public func replacing(_ trigger: LogTrigger?) -> ImpressionRule {
        guard case .impression(let visibleFraction, let dwell)? = trigger else { return self }
        return replacing(visibleFraction: visibleFraction, dwell: dwell)
    }
}
