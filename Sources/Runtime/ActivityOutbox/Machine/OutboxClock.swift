package import Foundation

/// The two clocks that the outbox reads.
package struct OutboxClock: Sendable {
    /// Seconds since 1970. The user and the network may set this clock.
    package var wall: @Sendable () -> TimeInterval
    /// Seconds since some moment. They only go forward, also while the device sleeps.
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

/// The store's own time, by which records age. It is the time that has passed while processes had the store open, plus
/// as much of the time between them as `WallGap` believes. It never goes back, and setting the wall clock does not move
/// it.
struct OutboxTime: Sendable {
    private var offset: TimeInterval
    private let clock: OutboxClock

    /// Goes on from the time at which an earlier process stopped.
    init(_ clock: OutboxClock, last: TimeInterval) {
        self.clock = clock
        offset = last - clock.steady()
    }

    var now: TimeInterval { offset + clock.steady() }
    var wall: TimeInterval { clock.wall() }

    /// Another process has got further.
    mutating func reach(_ time: TimeInterval) { offset += max(0, time - now) }
}

/// How long the wall clock says the gap between two processes was, and whether that is believed.
///
/// The clock may have been wrong before the gap or may be wrong after it, and no record may be dropped for that. Two
/// starts in a row agree if the second comes after the first, by less than records are kept. A gap counts if the two
/// starts before it agree and the two after it agree, so it is known one start later. A clock that is wrong for a whole
/// life of a process makes no gap count.
struct WallGap: Sendable, Equatable {
    var seconds: TimeInterval = 0
    /// Whether the starts before it agree.
    var counts = false
    /// Whether the last start agreed with the one before.
    var agrees = false

    /// Notes another start. Returns how many seconds of the gap before the last one are believed now.
    mutating func begin(wall: TimeInterval, lastWall: TimeInterval, plausible: TimeInterval) -> TimeInterval {
        let passed = wall - lastWall
        let agreed = agrees
        agrees = lastWall > 0 && passed >= 0 && passed < plausible
        defer { (seconds, counts) = (lastWall > 0 ? OutboxLimits.clamp(passed, 0...1e12) : 0, agreed) }
        return agrees && counts ? seconds : 0
    }
}
