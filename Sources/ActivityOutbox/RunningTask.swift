import ActivityTracking
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that may be cancelled before it has begun.
final class RunningTask: Sendable {
    private struct State: Sendable {
        var task: URLSessionDataTask?
        var isCancelled = false
    }

    private let state = Locked(State())

    func start(_ task: URLSessionDataTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        task.resume()
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
