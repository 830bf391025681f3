import Foundation

/// Measures how cost grows with size. The result is a ratio, which does not depend on the machine's speed.
package enum Growth {
    /// Returns the processor time of this thread in seconds that a body takes. Other work of the machine is not
    /// included.
    package static func cost(_ body: () throws -> Void) rethrows -> Double {
        let start = seconds(CLOCK_THREAD_CPUTIME_ID)
        try body()
        return seconds(CLOCK_THREAD_CPUTIME_ID) - start
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the cost of four times the size as a multiple: about 4 if cost is linear, 16 if it is quadratic. The
    /// fastest of several alternating rounds counts for each size, because interference only makes a round slower.
    package static func ofFourTimes(_ size: Int, rounds: Int = 3, _ body: (Int) throws -> Void) rethrows -> Double {
        var (small, large) = (Double.infinity, Double.infinity)
        for _ in 0..<rounds {
            small = min(small, try cost { try body(size) })
            large = min(large, try cost { try body(4 * size) })
        }
        return large / small
    }

    /// Returns the wall time of sixteen times the size as a multiple: about 16 if the time is linear, 256 if it is
    /// quadratic.
    package static func ofSixteenTimes(_ size: Int, rounds: Int = 3, _ body: (Int) async -> Void) async -> Double {
        func time(_ size: Int) async -> Double {
            let start = seconds(CLOCK_MONOTONIC)
            await body(size)
            return seconds(CLOCK_MONOTONIC) - start
        }
        var (small, large) = (Double.infinity, Double.infinity)
        for _ in 0..<rounds {
            small = min(small, await time(size))
            large = min(large, await time(16 * size))
        }
        return large / small
    }
}
