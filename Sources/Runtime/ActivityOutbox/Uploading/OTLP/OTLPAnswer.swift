import Foundation
import LogTransport

/// The response of OTLP/HTTP to a request in JSON: an `ExportLogsServiceResponse`, or a `Status` if the request failed
/// (OpenTelemetry Protocol Specification 1.x, "OTLP/HTTP Response").
struct OTLPAnswer: Decodable {
    private struct PartialSuccess: Decodable {
        var rejected: Int
        var message: String

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Name.self)
            let count = Name("rejectedLogRecords", or: "rejected_log_records", in: members)
            let text = Name("errorMessage", or: "error_message", in: members)
            message = try members.decodeIfPresent(String.self, forKey: text) ?? ""
            // A 64-bit integer of Protocol Buffers is a string in JSON, and a number is accepted, too.
            if let text = try? members.decode(String.self, forKey: count) {
                guard let number = Int(text) else {
                    throw DecodingError.dataCorruptedError(forKey: count, in: members, debugDescription: text)
                }
                rejected = number
            } else {
                rejected = try members.decodeIfPresent(Int.self, forKey: count) ?? 0
            }
            guard rejected >= 0 else {
                throw DecodingError.dataCorruptedError(forKey: count, in: members, debugDescription: "negative")
            }
        }
    }

    private struct Status: Decodable {
        var message: String?
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        /// The name in JSON, or else the original name. Parsers of Protocol Buffers accept both.
        init(_ name: String, or original: String, in members: KeyedDecodingContainer<Name>) {
            let originalName = Name(stringValue: original)
            self.init(stringValue: name)
            if !members.contains(self), members.contains(originalName) { self = originalName }
        }
    }

    /// Members of error responses and of other protocols, such as `google.rpc.Status`.
    private static let foreign: Set = ["code", "details", "error", "errors", "message", "status", "success"]

    private var partialSuccess: PartialSuccess?
    private var unknown: [String]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        let known = Name("partialSuccess", or: "partial_success", in: members)
        partialSuccess = try members.decodeIfPresent(PartialSuccess.self, forKey: known)
        unknown = members.allKeys.map(\.stringValue).filter { $0 != known.stringValue }.sorted()
    }

    /// Returns the result of a batch of `count` records.
    ///
    /// 400, 413 and 422 are about the content of the request, so the same request is not sent again. All other failures
    /// are about the collector, its address or its configuration. They lose no record, even where OTLP forbids a retry.
    static func result(_ answer: CollectorAnswer, of count: Int) -> UploadResult {
        let reason = "HTTP \(answer.status)" + (message(answer.body).map { ": \($0)" } ?? "")
        let help: String
        switch answer.meaning {
        case .accepted: return success(answer, of: count)
        case .invalid: return .invalid(reason: reason)
        case .tooLarge: return .tooLarge
        case .headers, .later: help = ""
        case .refused:
            switch answer.status {
            case 404, 405: help = "; the URL is not that of an OTLP receiver, whose path is usually /v1/logs"
            case 406, 415:
                help = "; configure the collector to accept OTLP in JSON (application/json), and gzip if it is used"
            default: help = ""
            }
        }
        return .later(reason: reason + help, after: answer.retryAfter)
    }

    private static func success(_ answer: CollectorAnswer, of count: Int) -> UploadResult {
        // Receivers of other signals ignore log records, and answer as if they had accepted them.
        guard !["/v1/traces", "/v1/metrics"].contains(where: answer.path.hasSuffix) else {
            return .later(
                reason: "the URL ends in \(answer.path), which discards log records; use /v1/logs",
                after: answer.retryAfter)
        }
        if answer.body?.isEmpty == true { return .accepted }
        guard let body = answer.body, let read = try? JSONDecoder().decode(OTLPAnswer.self, from: body),
            read.partialSuccess != nil || Self.foreign.isDisjoint(with: read.unknown)
        else {
            let type = answer.contentType.map { ", but \($0)" } ?? ""
            return .later(
                reason: "HTTP \(answer.status), but its body is not a response of OTLP in JSON\(type); check the URL",
                after: answer.retryAfter)
        }
        if let partial = read.partialSuccess, partial.rejected > 0 || !partial.message.isEmpty {
            return .partialSuccess(rejected: partial.rejected, message: partial.message)
        }
        // OTLP requires that clients ignore unknown members. A response with only unknown members may
        // belong to another protocol, which a warning reports.
        guard read.unknown.isEmpty || read.partialSuccess != nil else {
            let names = read.unknown.joined(separator: ", ")
            return .partialSuccess(rejected: 0, message: "the response has members that OTLP does not have: \(names)")
        }
        return .accepted
    }

    /// Returns the beginning of a `Status`'s message, which leaves room for the help after it; nil for another body.
    private static func message(_ body: Data?) -> String? {
        guard let body, !body.isEmpty, let status = try? JSONDecoder().decode(Status.self, from: body),
            let message = status.message, !message.isEmpty
        else { return nil }
        return String(message.prefix(300))
    }
}
