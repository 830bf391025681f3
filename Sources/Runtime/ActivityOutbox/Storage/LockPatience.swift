import ActivityTracking
import Foundation

/// The time that jobs wait for the locks of other processes, in seconds.
///
/// Jobs that follow each other share it, so a call that needs several jobs does not wait longer. A successful job
/// renews it, and so does a pause, such as the wait before a retry. Usually another process holds a lock for
/// milliseconds. If it is suspended with a lock, no wait is long enough.
final class LockPatience: Sendable {
    static let most: TimeInterval = 2
    /// The first retry of a failed job comes after a second (`Backoff.disk`).
    private static let pause: TimeInterval = 0.5
    private let state = Locked((left: most, last: LockPatience.now))

    private static var now: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// Waits a millisecond. Returns false at once if the time is used up.
    func wait() -> Bool {
        let begin = Self.now
        let mayWait = state.withLock { state in
            if begin - state.last > Self.pause { state.left = Self.most }
            state.last = begin
            return state.left > 0
        }
        guard mayWait else { return false }
        usleep(1000)
        state.withLock { state in
            let end = Self.now
            state.left -= end - begin
            state.last = end
        }
        return true
    }

    func renew() { state.withLock { $0.left = Self.most } }
}
