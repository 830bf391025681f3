import Foundation

extension OutboxMachine {
    /// Work for the disk. One job runs at a time.
    enum Job: Sendable {
        /// Write records, and add `dropped` to the store's count of dropped records. The oldest record was posted at
        /// `since` or later, by the monotonic clock.
        case write(PackedRecords, dropped: Int, since: TimeInterval)
        /// Write the user's decisions that are not on disk yet, and wipe the store if the folder marks a denial.
        case obey
        /// Take the right to deliver, and read the oldest records after a number.
        case fetch(behind: Int64, records: Int, bytes: Int)
        /// Take the right to deliver, and read one record: the newest for 0, an older one for a larger fraction.
        case probe(Double)
        /// Remove the records that the collector has judged, or keep them as dead letters.
        case settle(OutboxBatch, [Verdict])
        /// Release the right to deliver, and remember the seconds for which the collector wants no request.
        case rest(forbidden: TimeInterval)
        case close
        case ask(Ticket)
    }

    struct JobResult: Sendable {
        /// The reason for which the job could not be done.
        var failure: String?
        var batch: OutboxBatch?
        /// Indicates whether another process delivers.
        var isElsewhere = false
        /// Indicates whether the user denies, here, in another process or in an earlier one. Then nothing was written.
        var isDenied = false
        /// Indicates whether the store was wiped. If the denial was withdrawn since, the job was done in a new store.
        var isWiped = false
        /// The numbers of records that the job has dropped, by reason.
        var dropped: [Outbox.Notice.Drop: Int] = [:]
        var buried = 0
        var notices: [Outbox.Notice] = []
        /// The store's counts after the job; nil if the store was not read.
        var sums: OutboxSums?
        /// The remaining seconds of a wait that the collector asked another process for.
        var forbidden: TimeInterval = 0
    }
}

/// The numbers of records and bytes in a store, as the store counts them.
struct OutboxSums: Sendable, Equatable {
    var records = 0
    var bytes = 0
    var deadLetters = 0
    /// The number of records dropped since the store was made.
    var dropped = 0
}
