import ActivityTracking
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests and their answers' heads: without redirections, cookies and caches, and without bodies of any length.
final class HTTPTransport: Sendable {
    private let session: URLSession
    private let listener = Listener()

    /// What is read of an answer's body, in bytes; what is behind that is of no use to anybody.
    static let bodyLimit = 64 << 10

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: listener, delegateQueue: nil)
    }

    // A session keeps its delegate until then.
    deinit { session.finishTasksAndInvalidate() }

    /// The answer; nil where it is none of HTTP.
    ///
    /// The time is our own: swift-corelibs-foundation (6.3) never answers, not even after the request's timeout, where a redirection lacks its `Location`.
    func send(_ request: URLRequest) async throws -> HTTPURLResponse? {
        let answer = FirstAnswer<HTTPURLResponse?>()
        return try await answer.wait(within: request.timeoutInterval) {
            let task = session.dataTask(with: request)
            listener.add(task, answer)
            task.resume()
            return { task.cancel() }
        }
    }

    private final class Listener: NSObject, URLSessionDataDelegate, Sendable {
        private struct Exchange: Sendable {
            var answer: FirstAnswer<HTTPURLResponse?>
            var response: HTTPURLResponse?
            var bytes = 0
        }

        private let exchanges = Locked([Int: Exchange]())

        func add(_ task: URLSessionTask, _ answer: FirstAnswer<HTTPURLResponse?>) {
            exchanges.withLock { $0[task.taskIdentifier] = Exchange(answer: answer) }
        }

        private func end(_ task: URLSessionTask, _ error: (any Error)?) {
            guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
            exchange.answer.give(error.map { .failure($0) } ?? .success(exchange.response ?? task.response as? HTTPURLResponse))
        }

        // Another address's answer is no acceptance by this one.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
            // Where the task would go on waiting for a request, this is the answer.
            exchanges.withLock { $0[task.taskIdentifier]?.response = response }
            end(task, nil)
            task.cancel()
        }

        // 401 is an answer; certificates are judged by the system.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if let response = challenge.failureResponse as? HTTPURLResponse {
                exchanges.withLock { $0[task.taskIdentifier]?.response = response }
                end(task, nil)
                completionHandler(.cancelAuthenticationChallenge, nil)
            } else {
                completionHandler(.performDefaultHandling, nil)
            }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            exchanges.withLock { $0[dataTask.taskIdentifier]?.response = response as? HTTPURLResponse }
            // A body that is known to be too long is not begun.
            let isLong = response.expectedContentLength > Int64(HTTPTransport.bodyLimit)
            if isLong { end(dataTask, nil) }
            completionHandler(isLong ? .cancel : .allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let isEnough = exchanges.withLock { exchanges in
                exchanges[dataTask.taskIdentifier]?.bytes += data.count
                return exchanges[dataTask.taskIdentifier].map { $0.bytes > HTTPTransport.bodyLimit } ?? false
            }
            guard isEnough else { return }
            end(dataTask, nil)
            dataTask.cancel()
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) { end(task, error) }
    }
}
