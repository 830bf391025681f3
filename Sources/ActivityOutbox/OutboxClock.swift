package import Foundation

/// Where the outbox takes time from.
package struct OutboxClock: Sendable {
    /// Seconds since 1970, which the user and the network may set.
    package var wall: @Sendable () -> TimeInterval
    /// Seconds that only pass, while the device sleeps, too.
    package var steady: @Sendable () -> TimeInterval

    package init(wall: @escaping @Sendable () -> TimeInterval, steady: @escaping @Sendable () -> TimeInterval) {
        self.wall = wall
        self.steady = steady
    }

    package static let system = OutboxClock(
        wall: { Date().timeIntervalSince1970 },
        steady: {
            var time = timespec()
            #if canImport(Darwin)
                // Goes on during sleep (clock_gettime(3) of Darwin).
                clock_gettime(CLOCK_MONOTONIC, &time)
            #else
                clock_gettime(CLOCK_BOOTTIME, &time)
            #endif
            return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
        })
}

/// The outbox's own time: it never goes back, and a wall clock that is set while the process runs does not move it.
///
/// Between two processes only the wall clock tells how long it has been; one that has gone back counts as no time at all.
struct OutboxTime: Sendable {
    private let offset: TimeInterval
    private let clock: OutboxClock

    /// Goes on from where an earlier process stopped.
    init(_ clock: OutboxClock, last: TimeInterval, lastWall: TimeInterval) {
        self.clock = clock
        offset = last + max(0, clock.wall() - lastWall) - clock.steady()
    }

    var now: TimeInterval { offset + clock.steady() }
    var wall: TimeInterval { clock.wall() }
}
