import Foundation

/// Records to be sent, with their numbers in the store.
struct OutboxBatch: Sendable {
    /// The identifier of the store that contains the records. Each store numbers its records independently.
    var store: Int64
    /// The identity of that store's file. The batch is sent only while this file is at the store's path.
    var file: FileIdentity?
    /// The number of wipes when the store was opened. The number is compared, too, because a file created after a wipe
    /// may have the identity of the deleted file.
    var wipes: Int64 = 0
    var log: LogBatch
    /// The number of each record, in rising order. Missing numbers belong to records that were deleted before.
    var numbers: [Int64]
    /// The size of the records' JSON in bytes, plus one byte for each record.
    var bytes: Int

    var count: Int { log.records.count }
    var last: Int64 { numbers.last ?? 0 }
}

extension OutboxMachine {
    /// The collector's verdict on consecutive records of a batch.
    struct Verdict: Sendable, Equatable {
        var records: Range<Int>
        var result: RecordResult
        /// The number of rejected records that the collector has not named, among accepted ones.
        var rejected = 0
    }
}

extension [OutboxMachine.Verdict] {
    var accepted: Int { reduce(0) { $0 + ($1.result == .accepted ? $1.records.count - $1.rejected : 0) } }

    var judged: Int { reduce(0) { $0 + $1.records.count } }

    /// The first reason of a refusal, and the number of other reasons; nil if no record was refused.
    var refusal: String? {
        var reasons: [String] = []
        var seen: Set<String> = []
        for verdict in self {
            if case .refused(let reason) = verdict.result, seen.insert(reason).inserted { reasons.append(reason) }
        }
        guard let first = reasons.first else { return nil }
        switch reasons.count - 1 {
        case 0: return first
        case 1: return "\(first), and 1 other reason"
        case let others: return "\(first), and \(others) other reasons"
        }
    }
}
