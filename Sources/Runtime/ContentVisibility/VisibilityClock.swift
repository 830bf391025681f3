import Dispatch

/// A clock that never goes back, and that can be waited for. A test gives a tracker one of its own.
public struct VisibilityClock: Sendable {
    /// The seconds since some moment.
    public var now: @Sendable () -> Double
    /// Returns after this many seconds, or when the task is cancelled.
    public var sleep: @Sendable (Double) async -> Void

    /// A clock made of these two.
    public init(now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (Double) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's clock.
    public static let system = VisibilityClock(
        now: { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
        sleep: { seconds in try? await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 1e9)) * 1e9)) })
}
