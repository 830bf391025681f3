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
/// | 401, 403, 407, 431 | ``UploadResult/later(reason:after:)``; the next batch has new headers |
/// | 421, 451 | ``UploadResult/later(reason:after:)``: the address is wrong or blocked, not the records |
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
///
/// The responses to ``BatchEncoding/otlp(resource:)`` are those of OTLP (<doc:OpenTelemetry>).
public struct HTTPUploader: LogUploader {
    private let url: URL
    public let problem: String?
    private let headers: RequestHeaders
    private let timeout: TimeInterval
    private let encoding: BatchEncoding
    private let body: PreparedBody
    private let readAnswer: @Sendable (CollectorAnswer, Int) -> UploadResult
    private let transport = HTTPTransport()

    /// - Parameters:
    ///   - url: The URL of the collector.
    ///   - headers: The headers of every request, such as keys and tokens. White space around values is removed. The
    ///     connection sets `Content-Length` and `Host`, and each request has `Sent-At`, the device's time.
    ///   - encoding: The encoding of request bodies.
    ///   - perRecordAnswers: True if response bodies contain results of individual records. It has no effect on
    ///     ``BatchEncoding/otlp(resource:)``, whose responses have another form.
    ///   - timeout: The timeout of a request, in seconds, from 1 millisecond to a day. NaN counts as 30 seconds.
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
    ///   - perRecordAnswers: True if response bodies contain results of individual records. It has no effect on
    ///     ``BatchEncoding/otlp(resource:)``, whose responses have another form.
    ///   - timeout: The timeout of `headers` and of a request, each in seconds, from 1 millisecond to a day. NaN counts
    ///     as 30 seconds.
    ///   - headers: Returns the headers. This function is called before the first request, and before the next request
    ///     after a response of 401, 403, 407 or 431, because tokens expire and headers may be too long. If this
    ///     function throws, the batch is sent later.
    public init(
        _ url: URL, encoding: BatchEncoding = .ndjson(gzip: true), perRecordAnswers: Bool = false,
        timeout: TimeInterval = 30,
        headers: @escaping @Sendable () async throws -> [String: String]
    ) {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let scheme = parts?.scheme?.lowercased() ?? ""
        if !scheme.isEmpty { parts?.scheme = scheme }
        self.url = parts?.url ?? url
        // The path and the query may contain a token.
        let host = parts?.host ?? ""
        problem =
            ["http", "https"].contains(scheme) && !host.isEmpty
            ? nil
            : "nothing is sent: the collector's URL has the scheme `\(scheme)` and the host `\(host)`; "
                + "use http or https, and a host"
        self.headers = RequestHeaders(headers)
        self.timeout = timeout.isNaN ? 30 : Outbox.Limits.clamp(timeout, 0.001...Outbox.Limits.day)
        self.encoding = encoding
        readAnswer = encoding.readAnswer ?? { perRecordAnswers ? RecordAnswer.result($0, of: $1) : $0.result }
        body = PreparedBody(encoding)
    }

    /// The timeouts of `headers` and of the request, and a second.
    public var timeLimit: TimeInterval { 2 * timeout + 1 }

    public func prepare(_ batch: LogBatch) { body.prepare(batch) }

    public func upload(_ batch: LogBatch) async throws -> UploadResult {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = "POST"
        request.httpShouldHandleCookies = false
        let headers = try await headers.current(within: timeout)
        for (name, value) in headers.values { request.setValue(value, forHTTPHeaderField: name) }
        for name in headers.refused {
            batch.report("the header `\(name)` is not sent, because the connection sets it; remove it from `headers`")
        }
        request.setValue(encoding.contentType, forHTTPHeaderField: "Content-Type")
        request.setValue(encoding.contentEncoding, forHTTPHeaderField: "Content-Encoding")
        request.httpBody = try body.take(batch)
        guard batch.mayBeSent else { return .later(reason: "the user denies", after: nil) }
        guard let answer = try await send(request) else { return .later(reason: "no HTTP answer", after: nil) }
        return readAnswer(answer, batch.records.count)
    }

    /// Sends a request, and discards the headers if the response is about them. Nil if it is not an HTTP response.
    private func send(_ request: URLRequest) async throws -> CollectorAnswer? {
        guard let answer = try await transport.send(request) else { return nil }
        let read = CollectorAnswer(answer, now: Date())
        if read.meaning == .headers { headers.renew() }
        return read
    }
}
