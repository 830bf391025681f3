import ActivityTracking
package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A response of a server. The body is nil if it exceeds `HTTPTransport.bodyLimit`.
package struct HTTPAnswer: Sendable {
    package var head: HTTPURLResponse
    package var body: Data?
}

/// An HTTP client without redirections, cookies and caches. It limits the size of response bodies.
package final class HTTPTransport: Sendable {
    /// The maximum size of a response body, in bytes. Longer bodies are discarded, because no caller needs them.
    package static let bodyLimit = 64 << 10

    #if canImport(FoundationNetworking)
        /// A session for one request, with its own connection. If a connection that earlier requests have used ends
        /// before the response, libcurl repeats the request on another connection. swift-corelibs-foundation (6.3) then
        /// sends the head without the body, and waits for a response until the timeout. libcurl does not repeat a
        /// request on a new connection.
        private var channel: Channel { Channel() }
    #else
        private let channel = Channel()
    #endif

    package init() {}

    /// Sends a request with the device's time, `Sent-At`. Returns the response; nil if it is not an HTTP response.
    ///
    /// The timeout is implemented here, because swift-corelibs-foundation (6.3) never responds to a redirection without
    /// a `Location`, even after the request's timeout.
    package func send(_ request: URLRequest) async throws -> HTTPAnswer? {
        let answer = FirstAnswer<HTTPAnswer?>()
        var request = request
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions.insert(.withFractionalSeconds)
        request.setValue(formatter.string(from: Date()), forHTTPHeaderField: "Sent-At")
        return try await answer.wait(within: request.timeoutInterval) { [channel, request] in
            let listener = channel.listener
            let begun = Locked<URLSessionTask?>(nil)
            listener.calls.async {
                // The timeout may expire while an earlier call blocks this queue.
                guard !answer.isGiven else { return }
                let task = channel.session.dataTask(with: request)
                listener.add(task, answer)
                begun.withLock { $0 = task }
                task.resume()
            }
            return { listener.calls.async { begun.withLock { $0 }?.cancel() } }
        }
    }

    /// A session and its delegate. The session ends when its channel is released and its tasks are complete.
    private final class Channel: Sendable {
        let session: URLSession
        let listener = Listener()

        init() {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            #if canImport(FoundationNetworking)
                // The connection serves one request, so the server need not keep it open.
                configuration.httpAdditionalHeaders = ["Connection": "close"]
                let queue: OperationQueue? = InlineQueue()
            #else
                let queue: OperationQueue? = nil
            #endif
            session = URLSession(configuration: configuration, delegate: listener, delegateQueue: queue)
        }

        // The session retains its delegate until it is invalidated.
        deinit { session.finishTasksAndInvalidate() }
    }

    #if canImport(FoundationNetworking)
        /// Runs delegate calls on the thread that reads the socket, so reading cannot outpace them.
        /// swift-corelibs-foundation (6.3) otherwise queues the chunks of a body without a limit.
        private final class InlineQueue: OperationQueue, @unchecked Sendable {
            // Safe: it adds no state to its superclass.
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

        /// A serial queue for starting and cancelling tasks. In swift-corelibs-foundation, both block until the reading
        /// thread is available. That thread calls this delegate, and may be busy for as long as a server sends.
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

        // Do not follow redirections: only the configured address may receive records.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
            // End the exchange with this response. The task would continue to wait for a request.
            exchanges.withLock { $0[task.taskIdentifier]?.response = response }
            end(task, nil)
            cancel(task)
        }

        // A 401 is an ordinary response. The system validates certificates.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if let response = challenge.failureResponse as? HTTPURLResponse {
                exchanges.withLock { $0[task.taskIdentifier]?.response = response }
                end(task, nil)
                #if canImport(FoundationNetworking)
                    // The completion handler would cancel the task on this thread, and would wait for this thread.
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
            // Reject a body whose announced length exceeds the limit.
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
