import ActivityTracking
import Foundation

/// The state of an outbox and what it does next: a value without a disk, a network or a clock.
///
/// Everything that happens is an input: posts, policies, lifecycle calls, the results of disk and collector, and time.
/// Inputs come one after the other, and what is to be done comes out as effects. At any time at most one job is with
/// the disk and at most one batch with the uploader, so only inputs interleave. The article in DocC has the table of
/// states.
///
/// This file has posts and waiting callers, `+Lifecycle` what calls do, `+Disk` which job is next, `+Delivery` what is
/// sent.
struct OutboxMachine: Sendable {
    /// The number of a call that waits for an answer.
    typealias Ticket = Int

    enum Life: Sendable, Equatable {
        case running
        case suspended
        /// Delivers what is left, until that time.
        case stopping(until: TimeInterval)
        case stopped
    }

    /// Work for the disk. One at a time.
    enum Job: Sendable {
        /// Write records, and add to the count of those dropped. The oldest was posted at `since` or later, by the steady
        /// clock.
        case write(PackedRecords, dropped: Int, since: TimeInterval)
        /// Write the decisions of the user that are not on disk yet, and wipe if there is a mark of a denial.
        case obey
        /// Take the right to deliver, and read the oldest records behind a number.
        case fetch(behind: Int64, records: Int, bytes: Int)
        /// Remove, or keep as dead letters, the records that the collector has judged.
        case settle(OutboxBatch, [Verdict])
        /// Give back the right to deliver, and remember for how many seconds the collector wants to be left alone.
        case rest(forbidden: TimeInterval)
        case close
        case ask(Ticket)

        var isDelivery: Bool {
            switch self {
            case .fetch, .settle: true
            case .write, .obey, .rest, .close, .ask: false
            }
        }
    }

    /// What the collector has said of consecutive records of a batch.
    struct Verdict: Sendable, Equatable {
        /// By their index in the batch.
        var records: Range<Int>
        var result: RecordResult
    }

    /// What a job has found.
    struct JobResult: Sendable {
        /// Why the job could not be done.
        var failure: String?
        var batch: OutboxBatch?
        /// Another process delivers.
        var isElsewhere = false
        /// The user denies, here, in another process or in an earlier one. Nothing was written.
        var isDenied = false
        /// The store has been wiped. If the denial has been withdrawn since, the job was done in a new store.
        var isWiped = false
        /// Given up by the job.
        var dropped: [Outbox.Notice.Drop: Int] = [:]
        /// How many records have become dead letters.
        var buried = 0
        var notices: [Outbox.Notice] = []
        /// As they are now; nil if the store was not looked at.
        var sums: OutboxSums?
        /// An earlier process was asked to leave the collector alone for so many seconds more.
        var forbidden: TimeInterval = 0
        /// The remote policy that an earlier process was given.
        var policy: KeptPolicy?
        /// For how many seconds that still holds.
        var policyLeft: TimeInterval = 0
    }

    enum Effect: Sendable {
        case disk(Job)
        case upload(Int, OutboxBatch)
        case cancel(Int)
        case notice(Outbox.Notice)
        case complete(Ticket, Bool)
        /// The time of a call is over. Its caller is answered before anything else is done.
        case expire(Ticket)
    }

    struct Waiter: Sendable {
        enum Kind: Sendable, Equatable {
            case flush
            /// For the run with this number, or a later one.
            case delivery(run: Int?)
            case suspension
            /// Answered at that time at the latest. `run` is the first run that may find that nothing is left.
            case shutdown(atLatest: TimeInterval, run: Int?)
        }

        var ticket: Ticket
        var kind: Kind
        /// The number of the write that answers it: the first that begins after the call.
        var write: Int
        /// Whether that write is over.
        var isWritten = false
        var isDurable = false
    }

    /// As the configuration has them.
    let configured: OutboxLimits
    /// As the remote policy has changed them.
    var limits: OutboxLimits
    /// What is to be done, in order.
    var effects: [Effect] = []

    // MARK: Consent

    var policy = CollectionPolicy.paused
    /// Denied, and not yet wiped.
    var owesWipe = false
    /// A mark of a denial may be there: at the beginning, and after a denial that is over.
    var owesObedience = true
    var policyChanges = 0
    /// Accepted by the collector, and wiped before the store knew.
    var acceptedAndDenied = 0

    // MARK: Remote policy

    var remote: Outbox.RemotePolicy?
    /// When it ends.
    var remoteEnd: TimeInterval = 0
    /// Whether the policy of an earlier process has been looked for.
    var isRemoteKnown = false
    /// Whether the app has given this process one, or none: then that of an earlier process counts only for what was
    /// posted before.
    var isRemoteGiven = false
    /// Until then, what in `queue` may still be refused: a record for each; nil for what is taken in any case.
    var early: [LogRecord?] = []
    /// Whether the definition's share counts.
    let isSampled: Bool

    // MARK: Memory

    var queue = PackedRecords()
    /// With the disk.
    var writing = PackedRecords()
    /// Denied while they were with the disk.
    var isWritingDenied = false
    /// Given up, and not yet counted in the store.
    var uncounted = 0
    /// Given up, and not yet reported.
    var unreported: [Outbox.Notice.Drop: Int] = [:]
    var writeDue: TimeInterval?
    /// When the oldest record in `queue` was posted, or earlier.
    var queuedSince: TimeInterval?

    // MARK: Disk

    var job: Job?
    /// As it was when the job began.
    var jobStart = (policyChanges: 0, fetchEpoch: 0)
    var writesBegun = 0
    /// Whether files of the store may be open.
    var isOpen = false
    /// Whether it may hold the right to deliver.
    var holdsRight = false
    var intake = DiskTries()
    var outlet = DiskTries()
    var sums = OutboxSums()
    var asked: [Ticket] = []

    // MARK: Delivery

    var run: Run?
    var runsBegun = 0
    var runsEnded = 0
    /// The last run that found nothing left.
    var lastEmpty = 0
    /// Rises when a batch that is being read must not be sent.
    var fetchEpoch = 0
    /// How many batches were refused since a record was accepted.
    var refusals = 0
    /// Read, and to be sent next.
    var ahead: OutboxBatch?
    var upload: Upload?
    var uploadsBegun = 0
    /// What the collector has said of a batch. The store does not know yet.
    var unsettled: (batch: OutboxBatch, verdicts: [Verdict])?
    /// Stored since the last run.
    var fresh = (records: 0, bytes: 0)
    /// When the next run begins.
    var due: TimeInterval?
    var backoff: Backoff
    var notBefore: TimeInterval = 0
    /// The collector wants to be left alone until then, even if the app asks to deliver.
    var forbiddenUntil: TimeInterval = 0
    /// What the disk has been told of that.
    var rememberedUntil: TimeInterval = 0
    var size: BatchSize

    /// A delivery: from its first batch until nothing is left, or something fails.
    struct Run: Sendable {
        var number: Int
        /// Nothing is stored behind the batch that is on its way.
        var isExhausted = false
    }

    struct Upload: Sendable {
        var number: Int
        var batch: OutboxBatch
        /// Its answer is no longer waited for.
        var isCancelled = false
        /// When that was seen.
        var cancelledAt: TimeInterval?
        /// The store has been wiped since, so even acceptance changes nothing.
        var isDenied = false
    }

    // MARK: Life

    var life = Life.running
    var waiters: [Waiter] = []
    /// When to look again even if nothing happens.
    var wake: TimeInterval?

    init(_ limits: OutboxLimits, isSampled: Bool = true, seed: UInt64) {
        self.limits = limits
        configured = limits
        self.isSampled = isSampled
        backoff = Backoff((limits.firstRetry, limits.longestRetry), seed: seed)
        size = BatchSize(records: limits.batchRecords, bytes: limits.batchBytes)
    }

    // MARK: Posts

    /// Takes a record. True if the alarm has to be set for it.
    mutating func post(_ record: LogRecord, at now: () -> TimeInterval) -> Bool {
        guard let remote, policy != .denied else {
            return post(record.json, early: isRemoteGiven ? nil : record, at: now)
        }
        endRemote(now())
        guard let admitted = self.remote == nil ? record : remote.admit(record, isSampled: isSampled) else {
            omit()
            return false
        }
        return post(admitted.json, at: now)
    }

    /// Takes a record of which nothing but its bytes is known.
    mutating func post(_ record: [UInt8], early known: LogRecord? = nil, at now: () -> TimeInterval) -> Bool {
        guard policy != .denied else { return giveUp(1, .denied, now) }
        // A record that alone is larger than all of the room is dropped itself; the others stay.
        guard record.count <= limits.queuedBytes, record.count <= limits.storedBytes else {
            return giveUp(1, .bytes, now)
        }
        queue.append(record)
        if !isRemoteKnown { early.append(known) }
        if queue.count + writing.count > limits.queuedRecords || queue.bytes + writing.bytes > limits.queuedBytes {
            dropPastLimits()
        }
        return remind(now)
    }

    /// Counts a record that the remote policy leaves out. No alarm is set for it: what is off costs no write.
    mutating func omit() { drop(1, policy == .denied ? .denied : .policy) }

    private mutating func giveUp(_ count: Int, _ why: Outbox.Notice.Drop, _ now: () -> TimeInterval) -> Bool {
        drop(count, why)
        return remind(now)
    }

    private mutating func remind(_ now: () -> TimeInterval) -> Bool {
        guard writeDue == nil else { return false }
        let now = now()
        queuedSince = min(queuedSince ?? now, now)
        let due = now + limits.writeDelay
        writeDue = due
        wake = min(wake ?? due, due)
        return true
    }

    /// Notes that records were given up in memory.
    mutating func drop(_ count: Int, _ why: Outbox.Notice.Drop) {
        guard count > 0 else { return }
        uncounted += count
        unreported[why, default: 0] += count
    }

    mutating func dropPastLimits() {
        var count = 0
        while !queue.isEmpty,
            queue.count + writing.count > limits.queuedRecords || queue.bytes + writing.bytes > limits.queuedBytes
        {
            queue.removeFirst()
            count += 1
        }
        early.removeFirst(min(count, early.count))
        drop(count, .queue)
    }

    // MARK: One thing after the other

    /// Does what follows from an input. Every input ends with this.
    mutating func advance(_ now: TimeInterval) {
        endRemote(now)
        if queue.isEmpty { (writeDue, queuedSince) = (nil, nil) }
        if upload?.isCancelled == true, upload?.cancelledAt == nil { upload?.cancelledAt = now }
        answer(now)
        if case .stopping(let until) = life, now >= until || isDrained(until, now) { stop() }
        beginRun(now)
        beginJob(now)
        beginUpload(now)
        // The disk reads on while the batch is on its way.
        beginJob(now)
        answer(now)
        say()
        wake = nextWake(now)
    }

    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// Reports what was given up in memory, in one notice for each reason.
    private mutating func say() {
        guard !unreported.isEmpty else { return }
        for why in Outbox.Notice.Drop.allCases {
            if let count = unreported[why] { effects.append(.notice(.dropped(count, why))) }
        }
        unreported = [:]
    }

    // MARK: Who waits

    private mutating func answer(_ now: TimeInterval) {
        guard !waiters.isEmpty else { return }
        var left: [Waiter] = []
        for var waiter in waiters {
            if case .shutdown(let latest, _) = waiter.kind, now >= latest {
                effects.append(.expire(waiter.ticket))
            } else if isAnswered(&waiter, now) {
                effects.append(.complete(waiter.ticket, waiter.isDurable))
            } else {
                left.append(waiter)
            }
        }
        waiters = left
    }

    private func isAnswered(_ waiter: inout Waiter, _ now: TimeInterval) -> Bool {
        guard waiter.isWritten else { return false }
        switch waiter.kind {
        // Opened for it, and closed again.
        case .flush: return mayUseDisk || isAtRest
        case .suspension: return life == .running || isAtRest
        case .delivery(let run):
            // A run that began before the call may not have seen all that was stored: it is not the answer.
            let wanted = run ?? runsBegun + 1
            waiter.kind = .delivery(run: wanted)
            return runsEnded >= wanted || isHopeless(now) && (mayUseDisk || isAtRest)
                || self.run == nil && now < max(forbiddenUntil, outlet.next)
                || hasGivenUpOnUpload(now)
        case .shutdown(let latest, let run):
            waiter.kind = .shutdown(atLatest: latest, run: run ?? runsBegun + 1)
            return life == .stopped && isAtRest
        }
    }

    /// How long a delivery waits for an uploader that has been cancelled, in seconds.
    private static let uploaderPatience: TimeInterval = 2

    /// Whether a cancelled uploader has not returned in time. Until it does, nothing else can be sent.
    private func hasGivenUpOnUpload(_ now: TimeInterval) -> Bool {
        upload?.cancelledAt.map { now >= $0 + Self.uploaderPatience } ?? false
    }

    /// Whether no file is held and no job is running.
    private var isAtRest: Bool { job == nil && !isOpen && !holdsRight }

    /// The earliest moment at which something is to be done although nothing happens before.
    private func nextWake(_ now: TimeInterval) -> TimeInterval? {
        var moments: [TimeInterval] = []
        if job == nil {
            if owesWipe || owesObedience && mayUseDisk {
                moments.append(intake.next)
            } else if let writeDue, mayUseDisk {
                moments.append(max(writeDue, intake.next))
            }
            if mayUseDisk, !owesWipe, !owesObedience, unsettled != nil || run != nil && upload == nil {
                moments.append(outlet.next)
            }
        }
        if let begin = nextRun { moments.append(max(begin, outlet.next)) }
        if case .stopping(let until) = life { moments.append(until) }
        for waiter in waiters {
            switch waiter.kind {
            case .shutdown(let latest, _): moments.append(latest)
            case .delivery:
                // After that, a caller that still waits is waiting for the disk.
                if let cancelled = upload?.cancelledAt, !hasGivenUpOnUpload(now) {
                    moments.append(cancelled + Self.uploaderPatience)
                }
            case .flush, .suspension: break
            }
        }
        return moments.min()
    }
}

/// What a store holds, by its own count.
struct OutboxSums: Sendable, Equatable {
    var records = 0
    var bytes = 0
    var deadLetters = 0
    /// Given up since the store was made.
    var dropped = 0
}

/// Records on their way, as the store has them.
struct OutboxBatch: Sendable {
    /// The store that gave the numbers. Another store has numbers of its own.
    var store: Int64
    /// The file of that store. A batch is sent only while the file is in its place.
    var file: FileIdentity?
    /// The number of wipes when it was opened. A file that is made after a wipe may have the number of the old one.
    var wipes: Int64 = 0
    var log: LogBatch
    /// The number of each record, rising. There are gaps: records between may have been accepted before.
    var numbers: [Int64]
    /// Their JSON, and a byte for what separates each from the next.
    var bytes: Int

    var count: Int { log.records.count }
    var last: Int64 { numbers.last ?? 0 }
}

extension [OutboxMachine.Verdict] {
    /// How many records the collector has.
    var accepted: Int { reduce(0) { $0 + ($1.result == .accepted ? $1.records.count : 0) } }

    /// How many records the collector has judged.
    var judged: Int { reduce(0) { $0 + $1.records.count } }

    /// Why records were refused: the first reason, and how many others there are; nil if none were.
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
