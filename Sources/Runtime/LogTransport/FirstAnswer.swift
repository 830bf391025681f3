import ActivityTracking
package import Foundation

/// Waits for what comes first: an answer, the end of the time, or the cancellation of the task that waits. Work that
/// never ends holds up no one.
package final class FirstAnswer<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var continuation: CheckedContinuation<Value, any Error>?
        var result: Result<Value, any Error>?
        var abort: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    package init() {}

    /// Whether there is an answer, or none is waited for any longer.
    package var isGiven: Bool { state.withLock { $0.result != nil } }

    /// Gives the answer. Only the first one counts.
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

    /// - Parameter begin: starts the work, and returns how to end it early.
    package func wait(within seconds: TimeInterval, begin: () -> @Sendable () -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A task that is cancelled already begins nothing.
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
