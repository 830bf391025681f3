/// The engagement with a content or a screen in a visit: how long it was in view, and how far it was scrolled.
///
/// Durations are in seconds of a monotonic clock.
public struct VisitEngagement: Sendable, Equatable {
    /// The total length of the periods in which at least the content's fraction was in view. For a screen, of those in
    /// which it was visible and nothing covered it.
    public var seconds: Double
    /// The length of the longest of these periods in view.
    public var longest: Double
    /// The number of these periods in view.
    public var count: Int
    /// The greatest visible fraction of a content. For a screen, the greatest part of its scrolled content above the
    /// lower edge of the viewport, from 0 to 1; nil if nothing scrolls.
    public var depth: Double?

    /// Creates an engagement. By default, nothing was in view.
    public init(seconds: Double = 0, longest: Double = 0, count: Int = 0, depth: Double? = nil) {
        (self.seconds, self.longest, self.count, self.depth) = (seconds, longest, count, depth)
    }
}

/// The engagement so far, which changes as periods in view begin and end.
struct EngagementSum: Sendable, Equatable {
    private var value = VisitEngagement()
    /// The start of the current period in view, if any.
    private var start: Double?
    /// The end and the length of the last period in view.
    private var end = -Double.infinity
    private var length = 0.0

    var isRunning: Bool { start != nil }

    /// Begins or ends a period in view. A period that begins when the last one ends continues it.
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

    mutating func reach(_ depth: Double) { value.depth = max(value.depth ?? 0, min(1, depth)) }

    /// - Returns: The engagement in the visit.
    mutating func leave(at time: Double) -> VisitEngagement {
        set(false, at: time)
        defer { self = EngagementSum() }
        return value
    }
}
