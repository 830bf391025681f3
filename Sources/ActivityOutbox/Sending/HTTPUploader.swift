public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts batches over HTTP.
///
/// `POST`, `Content-Type: application/x-ndjson`, `Content-Encoding: gzip`. Redirections are not followed, no cookies are kept, nothing is cached, and of an answer's body
/// 64 KiB are read at most; on Linux as on Apple's platforms. Answers (RFC 9110 §15):
///
/// | answer | result |
/// | --- | --- |
/// | 2xx | ``UploadResult/accepted`` |
/// | 413 | ``UploadResult/tooLarge`` |
/// | 400, 422 | ``UploadResult/invalid(reason:)`` |
/// | 401, 403 | ``UploadResult/later(reason:after:)``, and the headers are asked for anew |
/// | 408, 425, 429, 5xx, 3xx, 1xx | ``UploadResult/later(reason:after:)``, as `Retry-After` says, a day at most |
/// | other 4xx | ``UploadResult/refused(reason:)`` |
public struct HTTPUploader: LogUploader {
    private let url: URL
    private let headers: RequestHeaders
    private let timeout: TimeInterval
    private let transport = HTTPTransport()

    /// - Parameters:
    ///   - url: where the collector listens.
    ///   - headers: sent with every batch: keys, tokens.
    ///   - timeout: how long an answer may take, in seconds; from 1 millisecond to a day.
    public init(_ url: URL, headers: [String: String] = [:], timeout: TimeInterval = 30) {
        self.init(url, timeout: timeout) { headers }
    }

    /// - Parameters:
    ///   - url: where the collector listens.
    ///   - timeout: how long the headers and an answer may each take, in seconds; from 1 millisecond to a day.
    ///   - headers: asked before the first batch, and again before the one that follows a 401 or 403: tokens expire. If it throws, the batch is sent later.
    public init(_ url: URL, timeout: TimeInterval = 30, headers: @escaping @Sendable () async throws -> [String: String]) {
        self.url = url
        self.headers = RequestHeaders(headers)
        self.timeout = OutboxLimits.clamp(timeout, 0.001...OutboxLimits.day)
    }

    public func upload(_ batch: LogBatch) async throws -> UploadResult {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = "POST"
        request.httpShouldHandleCookies = false
        for (name, value) in try await headers.current(within: timeout) { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        request.httpBody = batch.body
        guard !batch.body.isEmpty else { return .later(reason: "no memory to compress the batch", after: nil) }
        guard let answer = try await transport.send(request) else { return .later(reason: "no HTTP answer", after: nil) }
        if [401, 403].contains(answer.statusCode) { headers.renew() }
        return Self.result(status: answer.statusCode, retryAfter: answer.value(forHTTPHeaderField: "Retry-After"), now: Date())
    }

    static func result(status: Int, retryAfter: String?, now: Date) -> UploadResult {
        switch status {
        case 200..<300: .accepted
        case 413: .tooLarge
        case 400, 422: .invalid(reason: "HTTP \(status)")
        case 401, 403, 408, 425, 429: .later(reason: "HTTP \(status)", after: RetryAfter.seconds(retryAfter, now: now))
        case 400..<500: .refused(reason: "HTTP \(status)")
        default: .later(reason: "HTTP \(status)", after: RetryAfter.seconds(retryAfter, now: now))
        }
    }
}
