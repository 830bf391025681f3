import ActivityTracking
package import Foundation

/// A one-time result that a task awaits with a timeout. The result, the timeout or the cancellation of the task ends
/// the wait, so work that never ends does not block the task.
package final class FirstAnswer<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var continuation: CheckedContinuation<Value, any Error>?
        var result: Result<Value, any Error>?
        var abort: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    package init() {}

    /// Indicates whether the wait has ended.
    package var isGiven: Bool { state.withLock { $0.result != nil } }

    /// Sets the result. Only the first call has an effect.
    package func give(_ result: Result<Value, any Error>) {
        let (continuation, abort) = state.withLock { state in
            guard state.result == nil else {
                return (CheckedContinuation<Value, any Error>?.none, (@Sendable () -> Void)?.none)
            }
            state.result = result
            defer { (state.continuation, state.abort) = (nil, nil) }
            return (state.continuation, state.abort)
        }
        continuation?.resume(with: result)
        if case .failure = result { abort?() }
    }

    /// Waits for the result.
    /// - Parameters:
    ///   - seconds: The timeout.
    ///   - begin: Starts the work. Returns a function that cancels the work.
    /// - Throws: The failure, `URLError.timedOut` or `URLError.cancelled`.
    package func wait(within seconds: TimeInterval, begin: () -> @Sendable () -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Do not begin the work of a task that has been cancelled.
                let given = state.withLock { state in
                    if state.result == nil { state.continuation = continuation }
                    return state.result
                }
                if let given { return continuation.resume(with: given) }
                let abort = begin()
                let isOver = state.withLock { state in
                    if state.result == nil { state.abort = abort }
                    return state.result != nil
                }
                if isOver { abort() }
                DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { [weak self] in
                    self?.give(.failure(URLError(.timedOut)))
                }
            }
        } onCancel: {
            give(.failure(URLError(.cancelled)))
        }
    }
}
