import Dispatch

/// A monotonic clock with a sleep function. Tests pass their own.
public struct VisibilityClock: Sendable {
    /// Returns the seconds since a fixed moment.
    public var now: @Sendable () -> Double
    /// Waits for this number of seconds, or until the task is cancelled.
    public var sleep: @Sendable (Double) async -> Void

    /// Creates a clock from these functions.
    public init(now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (Double) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The system clock.
    public static let system = VisibilityClock(
        now: { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
        sleep: { seconds in try? await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 1e9)) * 1e9)) })
}
