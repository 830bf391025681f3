public import ActivityTracking

/// When a content counts as seen.
public struct ImpressionRule: Sendable, Equatable {
    /// How much of the area that could be visible at most has to be, from 0 to 1.
    public var visibleFraction: Double
    /// For how long without a break, in seconds.
    public var dwell: Double
    /// How often the same content counts.
    public var once: Once

    /// What a content is counted once in.
    public enum Once: String, Sendable, CaseIterable {
        /// A stretch of its screen being visible: background, a full-screen cover, a refresh and leaving end it.
        case visit
        /// The life of the tracker.
        case session
        /// What lies between two calls of `restart`.
        case untilRestart
    }

    public init(visibleFraction: Double = 0.8, dwell: Double = 2, once: Once = .visit) {
        self.visibleFraction = visibleFraction
        self.dwell = dwell
        self.once = once
    }

    /// The rule with parts of it replaced; nil leaves a part as it is.
    public func replacing(visibleFraction: Double?, dwell: Double?) -> ImpressionRule {
        ImpressionRule(visibleFraction: visibleFraction ?? self.visibleFraction, dwell: dwell ?? self.dwell, once: once)
    }

    /// The rule with what an event's definition says (`trigger | impression(80%, 2s)`).
    public func replacing(_ trigger: LogTrigger?) -> ImpressionRule {
        guard case .impression(let visibleFraction, let dwell)? = trigger else { return self }
        return replacing(visibleFraction: visibleFraction, dwell: dwell)
    }
}
