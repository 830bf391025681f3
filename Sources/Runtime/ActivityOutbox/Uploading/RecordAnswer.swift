import Foundation

/// The JSON response with results of individual records, as ``HTTPUploader`` documents it.
struct RecordAnswer: Decodable {
    struct Refusal: Decodable {
        var index: Int
        var reason: String?
    }

    var accepted: Int
    var refused: [Refusal]?
    var later: [Int]?

    /// Returns the result for a batch of `count` records. Returns nil if an index is out of range or listed twice, or
    /// the numbers do not add up: the collector may then mean other records.
    func result(of count: Int, status: Int, after: TimeInterval?) -> UploadResult? {
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
