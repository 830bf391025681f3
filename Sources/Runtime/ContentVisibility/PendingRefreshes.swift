/// The refreshes that a screen waits for. ``ContentRoot`` and the scenario runner share it.
///
/// The screen waits until every refresh has ended. After ``limit`` seconds without a new refresh, all count as ended,
/// because a refresh whose end is never reported would hide the screen's contents forever.
package struct PendingRefreshes: Sendable, Equatable {
    /// The maximum time in seconds for which a screen waits for refreshes, from the beginning of the last one. It
    /// equals the default timeout of requests of `URLSession`.
    package static let limit = 60.0
    private var count = 0
    /// The time at which all refreshes count as ended, if any.
    package private(set) var deadline: Double?

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func begin(at time: Double) {
        count += 1
        deadline = time + Self.limit
    }

    /// Ends one refresh. Without a refresh, the call has no effect.
    package mutating func end() {
        count = max(0, count - 1)
        if isEmpty { deadline = nil }
    }

    /// Removes all refreshes if their deadline has passed.
    /// - Returns: A Boolean value that indicates whether the deadline has passed.
    package mutating func expire(at time: Double) -> Bool {
        guard let deadline, deadline <= time + instant else { return false }
        self = PendingRefreshes()
        return true
    }
}
