import ActivityTracking
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request and its answer, which comes once: from the session, when the task is cancelled, or when the time is over.
///
/// The time is our own: swift-corelibs-foundation (6.3) never answers, not even after the request's timeout, where a redirection lacks its `Location`.
final class Exchange: Sendable {
    private struct State: Sendable {
        var continuation: CheckedContinuation<URLResponse?, any Error>?
        var task: URLSessionDataTask?
        var isEnded = false
    }

    private let state = Locked(State())

    func run(_ request: URLRequest, in session: URLSession) async throws -> URLResponse? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = session.dataTask(with: request) { [self] _, response, error in
                    end(error.map { .failure($0) } ?? .success(response))
                }
                let isEnded = state.withLock { state in
                    if !state.isEnded {
                        state.continuation = continuation
                        state.task = task
                    }
                    return state.isEnded
                }
                guard !isEnded else { return continuation.resume(throwing: URLError(.cancelled)) }
                task.resume()
                DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + request.timeoutInterval) { [weak self] in
                    self?.end(.failure(URLError(.timedOut)))
                }
            }
        } onCancel: {
            end(.failure(URLError(.cancelled)))
        }
    }

    private func end(_ result: Result<URLResponse?, any Error>) {
        let (continuation, task) = state.withLock { state in
            defer {
                state.continuation = nil
                state.task = nil
                state.isEnded = true
            }
            return (state.continuation, state.task)
        }
        if case .failure = result { task?.cancel() }
        continuation?.resume(with: result)
    }
}
