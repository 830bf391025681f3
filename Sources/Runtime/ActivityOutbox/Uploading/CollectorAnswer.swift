import Foundation
import LogTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The parts of an HTTP response that determine the result of an upload.
struct CollectorAnswer: Sendable {
    var status: Int
    /// The time of `Retry-After` in seconds, a day at most.
    var retryAfter: TimeInterval?
    /// The value of `Content-Type`, without parameters.
    var contentType: String?
    /// The path of the collector's URL.
    var path = ""
    /// The body of the response; nil if it is too long.
    var body: Data?

    var isSuccess: Bool { (200..<300).contains(status) }

    /// A Boolean value that indicates whether other headers could change the response.
    var isAboutHeaders: Bool { [401, 403, 407, 431].contains(status) }

    /// The result by the status alone (RFC 9110 §15, RFC 6585 §5, RFC 7725 §3).
    var result: UploadResult {
        let reason = "HTTP \(status)"
        return switch status {
        case 200..<300: .accepted
        case 413: .tooLarge
        case 400, 422: .invalid(reason: reason)
        // The cause is not in the records, but in the request or on the way to the collector: the credentials for the
        // collector or a proxy, a connection to the wrong server, the size of the headers, or a legal demand.
        case 401, 403, 407, 421, 431, 451: .later(reason: reason, after: retryAfter)
        case 408, 425, 429: .later(reason: reason, after: retryAfter)
        case 400..<500: .refused(reason: reason)
        default: .later(reason: reason, after: retryAfter)
        }
    }
}

extension CollectorAnswer {
    init(_ answer: HTTPAnswer, now: Date) {
        status = answer.head.statusCode
        // A date is compared with the clock of the collector, because the clock of the device may be wrong.
        let sent = answer.head.value(forHTTPHeaderField: "Date").flatMap { RetryAfter.date($0, now: now) }
        retryAfter = RetryAfter.seconds(
            answer.head.value(forHTTPHeaderField: "Retry-After"),
            now: sent.map { Date(timeIntervalSince1970: $0) } ?? now)
        contentType = answer.head.value(forHTTPHeaderField: "Content-Type")?.split(separator: ";").first.map(
            String.init)
        path = answer.head.url?.path ?? ""
        body = answer.body
    }
}
