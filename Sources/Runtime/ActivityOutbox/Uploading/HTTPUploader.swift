public import Foundation
import LogTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An uploader that sends batches over HTTP.
///
/// It sends a `POST` request with the body and the `Content-Type` of its ``BatchEncoding``, by default NDJSON with
/// gzip. It does not follow redirections, store cookies, or cache responses. It discards response bodies of more than
/// 64 KiB.
///
/// | response (RFC 9110 §15) | result |
/// | --- | --- |
/// | 2xx | ``UploadResult/accepted`` |
/// | 413 | ``UploadResult/tooLarge`` |
/// | 400, 422 | ``UploadResult/invalid(reason:)`` |
/// | 401, 403 | ``UploadResult/later(reason:after:)``; the next batch has new headers |
/// | 408, 425, 429, 5xx, 3xx, 1xx | ``UploadResult/later(reason:after:)``, after `Retry-After`, a day at most |
/// | other 4xx | ``UploadResult/refused(reason:)`` |
///
/// ## Answers per record
///
/// If `perRecordAnswers` is true, a collector can accept a part of a batch, with this body in a 2xx response:
///
/// ```json
/// {"accepted": 497, "refused": [{"index": 3, "reason": "recipe_id is missing"}], "later": [498, 499]}
/// ```
///
/// | member | content |
/// | --- | --- |
/// | `accepted` | the number of accepted records: all that the other two members do not list |
/// | `refused` | records that are never accepted, by their index in the batch, from 0; the reason is optional |
/// | `later` | the indices of records to send again, after `Retry-After` if present |
///
/// `refused` and `later` are optional. A 2xx response without a body accepts all records, except 207, which requires a
/// body. A body is invalid if it cannot be parsed, an index is out of range or listed twice, or `accepted` is not the
/// number of remaining records. In this case, all records are sent again later: receivers can deduplicate a record by
/// its `event_id`, but cannot recover a lost record.
public struct HTTPUploader: LogUploader {
    private let url: URL
    private let headers: RequestHeaders
    private let timeout: TimeInterval
    private let encoding: BatchEncoding
    private let body: PreparedBody
    private let perRecordAnswers: Bool
    private let transport = HTTPTransport()

    /// - Parameters:
    ///   - url: The URL of the collector.
    ///   - headers: The headers of every request, such as keys and tokens.
    ///   - encoding: The encoding of request bodies.
    ///   - perRecordAnswers: True if response bodies contain results of individual records.
    ///   - timeout: The timeout of a request, in seconds, from 1 millisecond to a day.
    public init(
        _ url: URL, headers: [String: String] = [:], encoding: BatchEncoding = .ndjson(gzip: true),
        perRecordAnswers: Bool = false,
        timeout: TimeInterval = 30
    ) {
        self.init(url, encoding: encoding, perRecordAnswers: perRecordAnswers, timeout: timeout) { headers }
    }

    /// - Parameters:
    ///   - url: The URL of the collector.
    ///   - encoding: The encoding of request bodies.
    ///   - perRecordAnswers: True if response bodies contain results of individual records.
    ///   - timeout: The timeout of `headers` and of a request, each in seconds, from 1 millisecond to a day.
    ///   - headers: Returns the headers. This function is called before the first batch, and before the next batch
    ///     after a response of 401 or 403, because tokens expire. If this function throws, the batch is sent later.
    public init(
        _ url: URL, encoding: BatchEncoding = .ndjson(gzip: true), perRecordAnswers: Bool = false,
        timeout: TimeInterval = 30,
        headers: @escaping @Sendable () async throws -> [String: String]
    ) {
        self.url = url
        self.headers = RequestHeaders(headers)
        self.timeout = OutboxLimits.clamp(timeout, 0.001...OutboxLimits.day)
        self.encoding = encoding
        self.perRecordAnswers = perRecordAnswers
        body = PreparedBody(encoding)
    }

    public func prepare(_ batch: LogBatch) { body.prepare(batch) }

    public func upload(_ batch: LogBatch) async throws -> UploadResult {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = "POST"
        request.httpShouldHandleCookies = false
        for (name, value) in try await headers.current(within: timeout) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        request.setValue(encoding.contentType, forHTTPHeaderField: "Content-Type")
        request.setValue(encoding.contentEncoding, forHTTPHeaderField: "Content-Encoding")
        request.httpBody = try body.take(batch)
        guard batch.mayBeSent else { return .later(reason: "the user denies", after: nil) }
        guard let answer = try await transport.send(request) else {
            return .later(reason: "no HTTP answer", after: nil)
        }
        let (status, after) = (answer.head.statusCode, answer.head.value(forHTTPHeaderField: "Retry-After"))
        if [401, 403].contains(status) { headers.renew() }
        let perRecord = perRecordAnswers ? (batch.records.count, answer.body) : nil
        return Self.result(status: status, retryAfter: after, now: Date(), perRecord: perRecord)
    }

    /// Sends a `GET` request. Returns nil if the response is not an HTTP response. The returned body is nil if the
    /// response body is too long.
    func get(_ url: URL) async throws -> (status: Int, body: Data?)? {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpShouldHandleCookies = false
        for (name, value) in try await headers.current(within: timeout) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        guard let answer = try await transport.send(request) else { return nil }
        return (answer.head.statusCode, answer.body)
    }

    /// Returns the result for a response.
    /// - Parameter perRecord: The number of sent records, and the body of the response, which is nil if it is too long.
    ///   Nil to ignore the body.
    static func result(status: Int, retryAfter: String?, now: Date, perRecord: (count: Int, body: Data?)? = nil)
        -> UploadResult
    {
        switch status {
        case 200..<300:
            guard let (count, body) = perRecord, body?.isEmpty != true || status == 207 else { return .accepted }
            let after = RetryAfter.seconds(retryAfter, now: now)
            guard let body, let answer = try? JSONDecoder().decode(RecordAnswer.self, from: body) else {
                return .later(reason: "HTTP \(status): its answer per record cannot be read", after: after)
            }
            return answer.result(of: count, status: status, after: after)
                ?? .later(reason: "HTTP \(status): its answer per record does not fit the batch", after: after)
        case 413: return .tooLarge
        case 400, 422: return .invalid(reason: "HTTP \(status)")
        case 401, 403, 408, 425, 429:
            return .later(reason: "HTTP \(status)", after: RetryAfter.seconds(retryAfter, now: now))
        case 400..<500: return .refused(reason: "HTTP \(status)")
        default: return .later(reason: "HTTP \(status)", after: RetryAfter.seconds(retryAfter, now: now))
        }
    }
}
