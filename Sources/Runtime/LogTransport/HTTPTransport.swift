import ActivityTracking
package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// What a server answers. The body is nil if it is longer than what is read.
package struct HTTPAnswer: Sendable {
    package var head: HTTPURLResponse
    package var body: Data?
}

/// Requests and their answers: without redirections, cookies and caches, and without the rest of a long body.
package final class HTTPTransport: Sendable {
    private let session: URLSession
    private let listener = Listener()

    /// How much of an answer's body is read, in bytes. A longer one is of no use to anybody.
    package static let bodyLimit = 64 << 10

    package init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        #if canImport(FoundationNetworking)
            let queue: OperationQueue? = InlineQueue()
        #else
            let queue: OperationQueue? = nil
        #endif
        session = URLSession(configuration: configuration, delegate: listener, delegateQueue: queue)
    }

    // The session keeps its delegate until it is told to finish.
    deinit { session.finishTasksAndInvalidate() }

    /// The answer; nil if it is not HTTP's.
    ///
    /// The time is our own: swift-corelibs-foundation (6.3) never answers a redirection without its `Location`, not
    /// even after the request's timeout.
    package func send(_ request: URLRequest) async throws -> HTTPAnswer? {
        let answer = FirstAnswer<HTTPAnswer?>()
        return try await answer.wait(within: request.timeoutInterval) { [session, listener] in
            let begun = Locked<URLSessionTask?>(nil)
            listener.calls.async {
                // The time may be over before an earlier call has returned.
                guard !answer.isGiven else { return }
                let task = session.dataTask(with: request)
                listener.add(task, answer)
                begun.withLock { $0 = task }
                task.resume()
            }
            return { listener.calls.async { begun.withLock { $0 }?.cancel() } }
        }
    }

    #if canImport(FoundationNetworking)
        /// Runs delegate calls on the thread that reads from the socket, so that nothing is read faster than it is
        /// judged. swift-corelibs-foundation (6.3) queues each piece of a body otherwise, without a bound.
        private final class InlineQueue: OperationQueue, @unchecked Sendable {
            // Safe: it has no state besides its superclass's.
            override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
        }
    #endif

    private final class Listener: NSObject, URLSessionDataDelegate, Sendable {
        private struct Exchange: Sendable {
            var answer: FirstAnswer<HTTPAnswer?>
            var response: HTTPURLResponse?
            var body: Data? = Data()
        }

        private let exchanges = Locked([Int: Exchange]())

        /// Begins and cancels tasks, one call at a time. In swift-corelibs-foundation both wait for the thread that
        /// reads, which calls this delegate and may be busy for as long as a server sends.
        let calls = DispatchQueue(label: "LogTransport.calls", qos: .utility)

        func add(_ task: URLSessionTask, _ answer: FirstAnswer<HTTPAnswer?>) {
            exchanges.withLock { $0[task.taskIdentifier] = Exchange(answer: answer) }
        }

        private func cancel(_ task: URLSessionTask) { calls.async { task.cancel() } }

        private func end(_ task: URLSessionTask, _ error: (any Error)?) {
            guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
            if let error { return exchange.answer.give(.failure(error)) }
            let head = exchange.response ?? task.response as? HTTPURLResponse
            exchange.answer.give(.success(head.map { HTTPAnswer(head: $0, body: exchange.body) }))
        }

        // Only this address can accept records, so no redirection is followed.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
            // The task would go on waiting for a request. This is the answer.
            exchanges.withLock { $0[task.taskIdentifier]?.response = response }
            end(task, nil)
            cancel(task)
        }

        // 401 is an answer. Certificates are judged by the system.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if let response = challenge.failureResponse as? HTTPURLResponse {
                exchanges.withLock { $0[task.taskIdentifier]?.response = response }
                end(task, nil)
                #if canImport(FoundationNetworking)
                    // Its handler would cancel on this thread, and wait for it.
                    cancel(task)
                #else
                    completionHandler(.cancelAuthenticationChallenge, nil)
                #endif
            } else {
                completionHandler(.performDefaultHandling, nil)
            }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            // A body that is known to be too long is not begun.
            let isLong = response.expectedContentLength > Int64(HTTPTransport.bodyLimit)
            exchanges.withLock { exchanges in
                exchanges[dataTask.taskIdentifier]?.response = response as? HTTPURLResponse
                if isLong { exchanges[dataTask.taskIdentifier]?.body = nil }
            }
            completionHandler(isLong ? .cancel : .allow)
            guard isLong else { return }
            end(dataTask, nil)
            // swift-corelibs-foundation ignores the disposition.
            cancel(dataTask)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let isTooLong = exchanges.withLock { exchanges in
                guard var exchange = exchanges[dataTask.taskIdentifier] else { return false }
                exchanges[dataTask.taskIdentifier] = nil
                exchange.body?.append(data)
                if let count = exchange.body?.count, count > HTTPTransport.bodyLimit { exchange.body = nil }
                exchanges[dataTask.taskIdentifier] = exchange
                return exchange.body == nil
            }
            guard isTooLong else { return }
            end(dataTask, nil)
            cancel(dataTask)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            end(task, error)
        }
    }
}
