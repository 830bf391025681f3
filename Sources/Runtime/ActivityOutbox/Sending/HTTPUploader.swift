public import Foundation
import LogTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts batches over HTTP.
///
/// `POST`, with the body and the `Content-Type` that its ``BatchEncoding`` makes: gzip'd NDJSON unless you say
/// otherwise. It follows no redirection, keeps no cookie, caches nothing, and uses at most 64 KiB of an answer's body,
/// on Linux as on Apple's platforms.
///
/// | answer (RFC 9110 §15) | result |
/// | --- | --- |
/// | 2xx | ``UploadResult/accepted`` |
/// | 413 | ``UploadResult/tooLarge`` |
/// | 400, 422 | ``UploadResult/invalid(reason:)`` |
/// | 401, 403 | ``UploadResult/later(reason:after:)``, and the headers are asked for anew |
/// | 408, 425, 429, 5xx, 3xx, 1xx | ``UploadResult/later(reason:after:)``, as `Retry-After` says, a day at most |
/// | other 4xx | ``UploadResult/refused(reason:)`` |
///
/// ## Answers per record
///
/// A collector that can take part of a batch says so in the body of a 2xx, if `perRecordAnswers` is true:
///
/// ```json
/// {"accepted": 497, "refused": [{"index": 3, "reason": "recipe_id is missing"}], "later": [498, 499]}
/// ```
///
/// | member | says |
/// | --- | --- |
/// | `accepted` | how many records the collector has: all that the other two do not name |
/// | `refused` | records that it will never take, by their index in the batch, from 0; the reason is optional |
/// | `later` | the indices of records to be sent again, after `Retry-After` if that is there |
///
/// `refused` and `later` may be left out. A 2xx without a body accepts everything, but for 207, which needs one. An
/// answer that cannot be read or does not add up is not believed: an index is out of range or named twice, or
/// `accepted` is not the number of records left. Then every record is sent again later, since a record that arrives
/// twice can be told by its `event_id`, and one that was lost cannot.
public struct HTTPUploader: LogUploader {
    private let url: URL
    private let headers: RequestHeaders
    private let timeout: TimeInterval
    private let encoding: BatchEncoding
    private let body: PreparedBody
    private let perRecordAnswers: Bool
    private let transport = HTTPTransport()

    /// - Parameters:
    ///   - url: where the collector listens.
    ///   - headers: sent with every batch: keys, tokens.
    ///   - encoding: how records become a request's body.
    ///   - perRecordAnswers: whether the body of an answer says what became of single records.
    ///   - timeout: how long an answer may take, in seconds; from 1 millisecond to a day.
    public init(
        _ url: URL, headers: [String: String] = [:], encoding: BatchEncoding = .ndjson(gzip: true),
        perRecordAnswers: Bool = false,
        timeout: TimeInterval = 30
    ) {
        self.init(url, encoding: encoding, perRecordAnswers: perRecordAnswers, timeout: timeout) { headers }
    }

    /// - Parameters:
    ///   - url: where the collector listens.
    ///   - encoding: how records become a request's body.
    ///   - perRecordAnswers: whether the body of an answer says what became of single records.
    ///   - timeout: how long the headers and an answer may each take, in seconds; from 1 millisecond to a day.
    ///   - headers: asked before the first batch, and again before the one that follows a 401 or 403: tokens expire. If
    ///     it throws, the batch is sent later.
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

    /// What a server answers to a request without a body; nil if that is not HTTP. The body is nil if it is too long.
    func get(_ url: URL) async throws -> (status: Int, body: Data?)? {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpShouldHandleCookies = false
        for (name, value) in try await headers.current(within: timeout) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        guard let answer = try await transport.send(request) else { return nil }
        return (answer.head.statusCode, answer.body)
    }

    /// - Parameter perRecord: how many records were sent, and the answer's body, nil if it is too long; nil if the body
    ///   is of no interest.
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
