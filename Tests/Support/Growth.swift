import Foundation

/// How much more something costs when there is more of it: a ratio, since a machine's speed says nothing.
package enum Growth {
    /// The seconds that this thread spends on a body: what else the machine does is not counted.
    package static func cost(_ body: () throws -> Void) rethrows -> Double {
        func spent() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = spent()
        try body()
        return spent() - start
    }

    /// What four times as much costs, as a multiple: four where cost is linear, sixteen where it is quadratic. Of several rounds in turn the quickest of each
    /// size counts, as whatever disturbs a round makes it slower.
    package static func ofFourTimes(_ size: Int, rounds: Int = 3, _ body: (Int) throws -> Void) rethrows -> Double {
        var (small, large) = (Double.infinity, Double.infinity)
        for _ in 0..<rounds {
            small = min(small, try cost { try body(size) })
            large = min(large, try cost { try body(4 * size) })
        }
        return large / small
    }
}
