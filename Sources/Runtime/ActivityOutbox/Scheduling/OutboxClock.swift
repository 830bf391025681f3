package import Foundation

/// The two clocks of the outbox.
package struct OutboxClock: Sendable {
    /// The seconds since 1970. The user and the network may set this clock.
    package var wall: @Sendable () -> TimeInterval
    /// The seconds since an arbitrary time. They only increase, even while the device sleeps.
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
                // On Darwin, this clock continues during sleep (clock_gettime(3)).
                clock_gettime(CLOCK_MONOTONIC, &time)
            #else
                clock_gettime(CLOCK_BOOTTIME, &time)
            #endif
            return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
        })
}

/// The store's own time, by which records age. It includes the time for which processes had the store open, and the
/// gaps between processes that `WallGap` confirms. It never decreases, whatever the wall clock's setting.
struct OutboxTime: Sendable {
    private var offset: TimeInterval
    private let clock: OutboxClock

    /// Continues from the time at which an earlier process stopped.
    init(_ clock: OutboxClock, last: TimeInterval) {
        self.clock = clock
        offset = last - clock.steady()
    }

    var now: TimeInterval { offset + clock.steady() }
    var wall: TimeInterval { clock.wall() }

    /// Advances to a time that another process has stored, if that time is later.
    mutating func reach(_ time: TimeInterval) { offset += max(0, time - now) }
}

/// The gap between two processes by the wall clock, and the evidence for it.
///
/// The clock may be wrong before the gap or after it, and no record may be dropped for that reason. Two consecutive
/// starts agree if the second comes after the first, by less than the time for which records are kept. A gap counts if
/// the two starts before it agree and the two starts after it agree. The latter is known only one start later. A clock
/// that is wrong for the whole life of a process confirms no gap.
struct WallGap: Sendable, Equatable {
    var seconds: TimeInterval = 0
    /// Indicates whether the wall clock was plausible before the gap: the last two process starts before it agree. The
    /// gap counts only if `agrees` is true, too.
    var counts = false
    /// A Boolean value that indicates whether the last two starts agree.
    var agrees = false

    /// - Returns: The seconds of the previous gap that are confirmed now.
    mutating func begin(wall: TimeInterval, lastWall: TimeInterval, plausible: TimeInterval) -> TimeInterval {
        let passed = wall - lastWall
        let agreed = agrees
        agrees = lastWall > 0 && passed >= 0 && passed < plausible
        defer { (seconds, counts) = (lastWall > 0 ? Outbox.Limits.clamp(passed, 0...1e12) : 0, agreed) }
        return agrees && counts ? seconds : 0
    }
}
