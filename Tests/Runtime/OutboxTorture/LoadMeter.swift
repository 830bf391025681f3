import ActivityTracking
import Foundation

/// Measures the delay with which the machine wakes a thread that sleeps for 5 ms. The machine's load delays other
/// threads as much.
final class LoadMeter: Sendable {
    static let shared = LoadMeter()

    private let worst = Locked(0.0)

    private init() {
        Thread.detachNewThread { [worst] in
            while true {
                let start = DispatchTime.now().uptimeNanoseconds
                usleep(5000)
                let late = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 - 0.005
                worst.withLock { $0 = max($0, late) }
            }
        }
    }

    func reset() { worst.withLock { $0 = 0 } }

    /// The longest delay since the last reset, in seconds.
    var delay: Double { worst.withLock { $0 } }
}
