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

/// The store's own time, by which records age: the sum of what has passed while processes had it open, and of what `WallGap` believes of the
/// time between them. It never goes back, and a wall clock that is set does not move it.
struct OutboxTime: Sendable {
    private var offset: TimeInterval
    private let clock: OutboxClock

    /// Goes on from where an earlier process stopped.
    init(_ clock: OutboxClock, last: TimeInterval) {
        self.clock = clock
        offset = last - clock.steady()
    }

    var now: TimeInterval { offset + clock.steady() }
    var wall: TimeInterval { clock.wall() }

    /// Another process has got further.
    mutating func reach(_ time: TimeInterval) { offset += max(0, time - now) }
}

/// What the wall clock says of the time between two processes, and whether it is believed.
///
/// A clock may have been wrong before the gap, or be wrong after it: records are not to be dropped for that. Two starts in a row agree if the
/// second comes after the first, by less than records are kept. A gap counts if the two starts before it agree, and the two after it: one start
/// later, then. A clock that is wrong for a whole life of a process never makes a gap count.
struct WallGap: Sendable, Equatable {
    var seconds: TimeInterval = 0
    /// Whether the starts before it agree.
    var counts = false
    /// Whether the last start agreed with the one before.
    var agrees = false

    /// Another start; the seconds of the gap before that are believed now.
    mutating func begin(wall: TimeInterval, lastWall: TimeInterval, plausible: TimeInterval) -> TimeInterval {
        let passed = wall - lastWall
        let agreed = agrees
        agrees = lastWall > 0 && passed >= 0 && passed < plausible
        defer { (seconds, counts) = (lastWall > 0 ? OutboxLimits.clamp(passed, 0...1e12) : 0, agreed) }
        return agrees && counts ? seconds : 0
    }
}
