import Foundation
import LogTransport

/// The JSON response with results of individual records, as ``HTTPUploader`` documents it.
struct RecordAnswer: Decodable {
    struct Refusal: Decodable {
        var index: Int
        var reason: String?
    }

    var accepted: Int
    var refused: [Refusal]?
    var later: [Int]?

    /// Returns the result of a batch of `count` records. A 2xx response with a body contains the results.
    static func result(_ answer: CollectorAnswer, of count: Int) -> UploadResult {
        guard answer.meaning == .accepted, answer.body?.isEmpty != true || answer.status == 207 else {
            return answer.result
        }
        let reason = "HTTP \(answer.status): its answer per record"
        guard let body = answer.body, let answers = try? JSONDecoder().decode(RecordAnswer.self, from: body) else {
            return .later(reason: "\(reason) cannot be read", after: answer.retryAfter)
        }
        return answers.result(of: count, status: answer.status, after: answer.retryAfter)
            ?? .later(reason: "\(reason) does not fit the batch", after: answer.retryAfter)
    }

    /// Returns the result for a batch of `count` records. Returns nil if an index is out of range or listed twice, or
    /// the numbers do not add up: the collector may then mean other records.
    private func result(of count: Int, status: Int, after: TimeInterval?) -> UploadResult? {
        let (refused, later) = (refused ?? [], Set(later ?? []))
        let named = refused.map(\.index) + (self.later ?? [])
        guard named.allSatisfy((0..<count).contains), Set(named).count == named.count, accepted == count - named.count
        else { return nil }
        if named.isEmpty { return .accepted }
        var results: [Int: RecordResult] = [:]
        for index in 0..<count where !later.contains(index) { results[index] = .accepted }
        for refusal in refused { results[refusal.index] = .refused(reason: refusal.reason ?? "HTTP \(status)") }
        return .perRecord(results, after: after)
    }
}
