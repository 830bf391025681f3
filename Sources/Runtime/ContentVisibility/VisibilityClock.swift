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

/// The next time at which an owner acts without a call. At most one task sleeps.
@MainActor
final class WakeUp {
    private var current: (time: Double, task: Task<Void, Never>)?

    /// Sets the time, nil for none, at which the action is performed. The same time as before does not start anew.
    func set(_ time: Double?, on clock: VisibilityClock, _ action: @escaping @MainActor () -> Void) {
        if time == current?.time { return }
        current?.task.cancel()
        current = time.map { time in
            let seconds = max(0, time - clock.now())
            let task = Task { @MainActor [weak self] in
                await clock.sleep(seconds)
                guard !Task.isCancelled, let self else { return }
                current = nil
                action()
            }
            return (time, task)
        }
    }

    deinit { current?.task.cancel() }
}
