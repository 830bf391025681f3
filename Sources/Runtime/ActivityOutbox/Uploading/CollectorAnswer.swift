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
    /// The body of the response; nil if the body is too long.
    var body: Data?

    var meaning: StatusMeaning { StatusMeaning(status: status) }

    var result: UploadResult {
        let reason = "HTTP \(status)"
        return switch meaning {
        case .accepted: .accepted
        case .tooLarge: .tooLarge
        case .invalid: .invalid(reason: reason)
        case .headers, .later: .later(reason: reason, after: retryAfter)
        case .refused: .refused(reason: reason)
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
