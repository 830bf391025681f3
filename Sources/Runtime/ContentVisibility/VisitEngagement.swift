/// How long a content or a screen was looked at in a visit, and how far it was scrolled.
///
/// Times are in seconds of a monotonic clock.
public struct VisitEngagement: Sendable, Equatable {
    /// The sum of the times in which the content had at least its fraction in view. For a screen, the time in which it
    /// was visible and nothing covered it.
    public var seconds: Double
    /// The longest of these times.
    public var longest: Double
    /// The number of these times.
    public var count: Int
    /// For a screen, the greatest part of its scrolled content that was above the lower edge of the viewport, from 0 to
    /// 1; nil if nothing scrolls. For a content, its greatest visible fraction.
    public var depth: Double?

    /// Creates an engagement. By default, nothing was looked at.
    public init(seconds: Double = 0, longest: Double = 0, count: Int = 0, depth: Double? = nil) {
        (self.seconds, self.longest, self.count, self.depth) = (seconds, longest, count, depth)
    }
}

/// The engagement so far, which changes as times begin and end.
struct EngagementSum: Sendable, Equatable {
    private var value = VisitEngagement()
    /// The beginning of the running time, if any.
    private var start: Double?
    /// The end of the last time, and its length.
    private var end = -Double.infinity
    private var length = 0.0

    var isRunning: Bool { start != nil }

    /// Begins or ends a time. A time that begins in the instant in which the last one ended continues it.
    mutating func set(_ runs: Bool, at time: Double) {
        if let start, !runs {
            let added = max(0, time - start)
            length += added
            value.seconds += added
            value.longest = max(value.longest, length)
            (self.start, end) = (nil, time)
        } else if start == nil, runs {
            if time > end + instant { (length, value.count) = (0, value.count + 1) }
            start = time
        }
    }

    /// Includes a depth.
    mutating func reach(_ depth: Double) { value.depth = max(value.depth ?? 0, min(1, depth)) }

    /// Ends the visit.
    /// - Returns: The engagement in the visit.
    mutating func leave(at time: Double) -> VisitEngagement {
        set(false, at: time)
        defer { self = EngagementSum() }
        return value
    }
}
