import ActivityTracking
import Foundation

/// The records in memory, from the post until the disk has stored them, and the counts of records dropped here.
///
/// - The queue and the current write stay within `queuedRecords` and `queuedBytes`. To stay within them, records are
///   dropped from the queue, not from the write.
/// - While the queue has records, a write is scheduled.
/// - Each dropped record is reported once, and counted in the store once.
struct Intake: Sendable {
    /// The content of the `write` job that is running.
    struct Write: Sendable {
        let records: PackedRecords
        /// The number of dropped records that the write adds to the store's count.
        let dropped: Int
        /// The time of the oldest post, or an earlier time, by the monotonic clock.
        let since: TimeInterval
        /// A Boolean value that indicates whether the user has denied since the write began.
        fileprivate(set) var isDenied = false
    }

    enum WriteOutcome: Sendable, CaseIterable {
        case stored
        /// The folder has a mark of a denial. Nothing was written.
        case denied
        case failed
    }

    private var limits: Outbox.Limits
    private(set) var queue = PackedRecords()
    private(set) var write: Write?
    /// The time of the next write, and the time of the queue's oldest post. Both are set while the queue has records,
    /// and after a drop until the drop is reported.
    private var wait: (due: TimeInterval, since: TimeInterval)?
    /// The number of dropped records that the store has not counted yet.
    private(set) var uncounted = 0
    private var unreported: [Outbox.Notice.Drop: Int] = [:]

    init(_ limits: Outbox.Limits) { self.limits = limits }

    /// The number of records in memory.
    var count: Int { queue.count + (write?.records.count ?? 0) }
    private var bytes: Int { queue.bytes + (write?.records.bytes ?? 0) }
    /// The time of the next write; nil if there is nothing to write or to report.
    var writeDue: TimeInterval? { wait?.due }

    /// Puts other limits into force, and drops records past them.
    mutating func use(_ limits: Outbox.Limits) {
        self.limits = limits
        dropPastLimits()
    }

    // MARK: Posts

    /// Adds a record, or drops it if it alone is too large.
    mutating func add(_ record: [UInt8]) {
        guard record.count <= limits.queuedBytes, record.count <= limits.storedBytes else { return drop(1, .bytes) }
        queue.append(record)
        dropPastLimits()
    }

    mutating func drop(_ count: Int, _ why: Outbox.Notice.Drop) {
        guard count > 0 else { return }
        uncounted += count
        unreported[why, default: 0] += count
    }

    private var isPastLimits: Bool { count > limits.queuedRecords || bytes > limits.queuedBytes }

    private mutating func dropPastLimits() {
        guard isPastLimits else { return }
        var count = 0
        while !queue.isEmpty, isPastLimits {
            queue.removeFirst()
            count += 1
        }
        drop(count, .queue)
    }

    private var isHalfFull: Bool {
        2 * queue.count >= limits.queuedRecords || 2 * queue.bytes >= limits.queuedBytes
    }

    /// Sets the time of the next write. A queue that is half full is due at once, because records are dropped from a
    /// full one.
    /// - Returns: The time of the next write; nil if it has not changed.
    mutating func schedule(_ now: () -> TimeInterval) -> TimeInterval? {
        guard wait == nil || isHalfFull else { return nil }
        let now = now()
        let due = isHalfFull ? now : now + limits.writeDelay
        if let wait, wait.due <= due { return nil }
        wait = (due, wait?.since ?? now)
        return due
    }

    mutating func unscheduleIfEmpty() {
        if queue.isEmpty { wait = nil }
    }

    // MARK: Policies

    /// Drops the queue. The records of the current write are dropped later: by the wipe, or here if the write fails.
    mutating func deny() {
        drop(queue.count, .denied)
        queue = PackedRecords()
        if let write, !write.records.isEmpty { self.write?.isDenied = true }
    }

    // MARK: Writes

    mutating func beginWrite(at now: TimeInterval) -> Write {
        let write = Write(records: queue, dropped: uncounted, since: wait?.since ?? now)
        queue = PackedRecords()
        wait = nil
        self.write = write
        return write
    }

    /// Ends the current write. If the write failed, its records return to the queue, before those posted since.
    /// - Returns: The records that are stored; nil if the write failed or the user has denied.
    mutating func finishWrite(_ outcome: WriteOutcome, at now: TimeInterval) -> PackedRecords? {
        guard let write else { return nil }
        self.write = nil
        switch outcome {
        case .stored:
            uncounted -= write.dropped
            // A wipe counts the records of a denied write.
            return write.isDenied ? nil : write.records
        case .failed where !write.isDenied:
            var records = write.records
            records.append(queue)
            queue = records
            dropPastLimits()
            wait = (now, write.since)
        case .denied, .failed: drop(write.records.count, .denied)
        }
        return nil
    }

    /// Counts dropped records that a wiped store had counted, so that the next store counts them.
    mutating func recount(_ dropped: Int) { uncounted += dropped }

    // MARK: Reports

    /// Returns a notice for each reason of a drop since the last report.
    mutating func takeNotices() -> [Outbox.Notice] {
        guard !unreported.isEmpty else { return [] }
        defer { unreported = [:] }
        return Outbox.Notice.Drop.allCases.compactMap { why in unreported[why].map { .dropped($0, why) } }
    }
}
