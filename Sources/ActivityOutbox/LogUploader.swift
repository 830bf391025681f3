public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Brings batches to a collector.
public protocol LogUploader: Sendable {
    /// Sends a batch and says what became of it. Throws where nobody knows: it is sent again.
    func upload(_ batch: LogBatch) async throws -> UploadResult
}

/// Records to be sent together.
public struct LogBatch: Sendable {
    /// How many.
    public let count: Int
    /// A record per line (NDJSON), compressed with gzip.
    public let body: Data
}

/// What a collector says of a batch.
public enum UploadResult: Sendable, Equatable {
    /// It has all of them.
    case accepted
    /// The batch is too large; smaller ones may pass.
    case tooLarge
    /// Something in it is wrong, and what is right may pass without it.
    case invalid(reason: String)
    /// It will never take them.
    case refused(reason: String)
    /// It may take them later, and not before so many seconds where it says so.
    case later(reason: String, after: TimeInterval?)
}

/// Posts batches over HTTP.
///
/// `POST`, `Content-Type: application/x-ndjson`, `Content-Encoding: gzip`. Answers: 2xx accepted; 413 too large; 400 and 422 invalid; 408, 425, 429,
/// 5xx and redirections later, as `Retry-After` says (RFC 9110 §10.2.3); any other 4xx refused.
public struct HTTPUploader: LogUploader {
    private let url: URL
    private let headers: [String: String]
    private let timeout: TimeInterval
    private let session: URLSession

    /// - Parameters:
    ///   - url: where the collector listens.
    ///   - headers: sent with every batch: keys, tokens.
    ///   - timeout: how long an answer may take, in seconds.
    public init(_ url: URL, headers: [String: String] = [:], timeout: TimeInterval = 30) {
        self.url = url
        self.headers = headers
        self.timeout = timeout
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    public func upload(_ batch: LogBatch) async throws -> UploadResult {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = "POST"
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        request.httpBody = batch.body
        let response = try await Exchange().run(request, in: session)
        guard let response = response as? HTTPURLResponse else { return .later(reason: "no HTTP answer", after: nil) }
        return Self.result(status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"), now: Date())
    }

    static func result(status: Int, retryAfter: String?, now: Date) -> UploadResult {
        switch status {
        case 200..<300: .accepted
        case 413: .tooLarge
        case 400, 422: .invalid(reason: "HTTP \(status)")
        case 408, 425, 429: .later(reason: "HTTP \(status)", after: seconds(retryAfter, now: now))
        case 400..<500: .refused(reason: "HTTP \(status)")
        default: .later(reason: "HTTP \(status)", after: seconds(retryAfter, now: now))
        }
    }

    /// Seconds, or an HTTP-date.
    private static func seconds(_ retryAfter: String?, now: Date) -> TimeInterval? {
        guard let text = retryAfter?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = TimeInterval(text), seconds.isFinite { return max(0, seconds) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: text).map { max(0, $0.timeIntervalSince(now)) }
    }
}
