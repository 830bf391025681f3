import ActivityTracking
import Foundation

/// What is sent when, and what an answer means.
extension OutboxMachine {
    /// Notes records that have been stored. A full batch is sent at once.
    mutating func stored(_ records: Int, bytes: Int, at now: TimeInterval) {
        fresh.records += records
        fresh.bytes += bytes
        let isFull = fresh.records >= limits.batchRecords || fresh.bytes >= limits.batchBytes
        let moment = isFull ? now : now + limits.deliveryInterval
        due = min(due ?? moment, moment)
        // The run may not have read these yet.
        run?.isExhausted = false
    }

    // MARK: Runs

    /// When the next run may begin; nil if nothing asks for one, or if one is running.
    var nextRun: TimeInterval? {
        guard run == nil, upload == nil, maySend else { return nil }
        let isAsked = waiters.contains { waiter in
            switch waiter.kind {
            case .delivery(let run?), .shutdown(_, let run?): waiter.isWritten && run > runsBegun
            case .flush, .suspension, .delivery, .shutdown: false
            }
        }
        if isAsked { return forbiddenUntil }
        return due.map { max($0, notBefore, forbiddenUntil) }
    }

    mutating func beginRun(_ now: TimeInterval) {
        guard let moment = nextRun, now >= max(moment, outlet.next) else { return }
        runsBegun += 1
        run = Run(number: runsBegun)
        fresh = (0, 0)
        due = nil
    }

    mutating func endRun() {
        ahead = nil
        fetchEpoch += 1
        guard let run else { return }
        runsEnded = run.number
        self.run = nil
    }

    mutating func endRunWithNothingLeft(_ now: TimeInterval) {
        if let run { lastEmpty = run.number }
        endRun()
        // Other processes store, too, and may have no time to deliver.
        let moment = now + max(60, limits.deliveryInterval)
        due = min(due ?? moment, moment)
    }

    // MARK: Uploads

    mutating func beginUpload(_ now: TimeInterval) {
        guard run != nil, maySend, upload == nil, unsettled == nil, let batch = ahead else { return }
        ahead = nil
        uploadsBegun += 1
        upload = Upload(number: uploadsBegun, batch: batch)
        effects.append(.upload(uploadsBegun, batch))
    }

    mutating func cancelUpload(isDenied: Bool = false) {
        guard var upload else { return }
        if !upload.isCancelled { effects.append(.cancel(upload.number)) }
        upload.isCancelled = true
        upload.isDenied = upload.isDenied || isDenied
        self.upload = upload
    }

    /// Whether an upload may still begin. Asked at the last moment.
    func mayBegin(_ number: Int) -> Bool { upload?.number == number && upload?.isCancelled == false }

    /// An upload has not begun: there is a mark of a denial, or the batch is not of the store in place. The next read of
    /// the store shows which.
    mutating func withholdUpload(_ number: Int, at now: TimeInterval) {
        guard let upload, upload.number == number else { return }
        self.upload = nil
        guard !upload.isCancelled else { return }
        endRun()
        due = now + 0.1
    }

    /// The uploader has returned.
    mutating func finishUpload(_ number: Int, _ result: UploadResult, at now: TimeInterval) {
        guard let upload, upload.number == number else { return }
        self.upload = nil
        let batch = upload.batch
        if upload.isCancelled {
            // What the collector has is not sent again, unless a denial has wiped it anyway.
            let accepted = Self.verdicts(result, of: batch.count)?.filter { $0.result == .accepted } ?? []
            if !accepted.isEmpty, !upload.isDenied { unsettled = (batch, accepted) }
            return
        }
        switch result {
        case .accepted: judge(batch, after: nil, now, result)
        case .perRecord(_, let after): judge(batch, after: after, now, result)
        case .tooLarge: refuse(batch, "the collector takes nothing that large", isSize: true, now)
        case .invalid(let reason): refuse(batch, reason, isSize: false, now)
        case .refused(let reason):
            unsettled = (batch, Self.verdicts(result, of: batch.count) ?? [])
            refused(reason, now)
        case .later(let reason, let after):
            retryLater(reason, after, now)
        }
    }

    /// What an answer says of the records of a batch; nil if it names records that the batch does not have.
    private static func verdicts(_ result: UploadResult, of count: Int) -> [Verdict]? {
        switch result {
        case .accepted: return [Verdict(records: 0..<count, result: .accepted)]
        case .refused(let reason): return [Verdict(records: 0..<count, result: .refused(reason: reason))]
        case .perRecord(let results, _):
            var verdicts: [Verdict] = []
            var named = 0
            for index in 0..<count {
                guard let result = results[index] else { continue }
                named += 1
                if let last = verdicts.last, last.records.upperBound == index, last.result == result {
                    verdicts[verdicts.count - 1].records = last.records.lowerBound..<(index + 1)
                } else {
                    verdicts.append(Verdict(records: index..<(index + 1), result: result))
                }
            }
            return named == results.count ? verdicts : nil
        case .tooLarge, .invalid, .later: return []
        }
    }

    /// An answer that judges fewer than one record in so many is paced, even if it makes progress: otherwise a collector
    /// that takes one record of a batch is sent the others hundreds of times in a second.
    private static let tinyShare = 10

    /// Accepted records are removed, refused ones become dead letters, and those of which nothing is said are sent
    /// again.
    private mutating func judge(_ batch: OutboxBatch, after: TimeInterval?, _ now: TimeInterval, _ result: UploadResult)
    {
        // Collector and uploader count differently: what is called accepted may be another record.
        guard let verdicts = Self.verdicts(result, of: batch.count) else {
            return retryLater("the answer names records that the batch does not have", after, now)
        }
        let (accepted, left) = (verdicts.accepted, batch.count - verdicts.judged)
        if !verdicts.isEmpty { unsettled = (batch, verdicts) }
        let isTiny = left > 0 && verdicts.judged * Self.tinyShare < batch.count
        if accepted > 0 {
            if !isTiny { backoff.succeed() }
            refusals = 0
            notBefore = 0
            size.accept(verdicts.judged)
        }
        // Each such answer leaves fewer records: without a word of when, they may be sent again at once, unless the
        // progress is tiny.
        if left > 0 { readAgain() }
        if left == batch.count || left > 0 && (after ?? 0) > 0 {
            retryLater("the collector has not taken \(left) of \(batch.count) records", after, now)
        } else if isTiny {
            // No slower than a batch that is not full waits.
            let longest = max(limits.deliveryInterval, limits.firstRetry)
            retryLater(
                "the collector has judged only \(verdicts.judged) of \(batch.count) records", nil, now, longest: longest
            )
        } else if accepted == 0, let reason = verdicts.refusal {
            refused(reason, now)
        }
    }

    /// What has been read ahead is not next any more: older records are.
    private mutating func readAgain() {
        ahead = nil
        fetchEpoch += 1
        run?.isExhausted = false
    }

    /// Halves a batch that does not pass. A single record that does not pass becomes a dead letter.
    private mutating func refuse(_ batch: OutboxBatch, _ reason: String, isSize: Bool, _ now: TimeInterval) {
        if batch.count > 1 {
            size.halve(batch, isSize: isSize)
            readAgain()
        } else {
            size.found()
            unsettled = (batch, Self.verdicts(.refused(reason: reason), of: 1) ?? [])
        }
        refused(reason, now)
    }

    /// Counts a refusal. A collector that refuses everything is asked ever more slowly. Finding one bad record takes as
    /// many refusals as halving the batch takes steps, so only more than that in a row, with nothing accepted, count as
    /// refusing everything.
    private mutating func refused(_ reason: String, _ now: TimeInterval) {
        refusals += 1
        guard refusals > limits.batchRecords.bitWidth - limits.batchRecords.leadingZeroBitCount + 1 else { return }
        retryLater("the collector refuses everything: \(reason)", nil, now)
    }

    private mutating func retryLater(
        _ reason: String, _ after: TimeInterval?, _ now: TimeInterval, longest: TimeInterval = .infinity
    ) {
        var wait = min(longest, backoff.fail())
        if let after, after > 0 {
            forbid(after, at: now)
            wait = max(wait, forbiddenUntil - now)
        }
        notBefore = now + wait
        due = now
        endRun()
        effects.append(.notice(.deliveryFailed(reason: reason, retryAfter: wait)))
    }

    /// Leaves the collector alone for so many seconds, a day at most, even if the app asks to deliver.
    mutating func forbid(_ seconds: TimeInterval, at now: TimeInterval) {
        forbiddenUntil = max(forbiddenUntil, now + OutboxLimits.clamp(seconds, 0...OutboxLimits.day))
    }
}

/// How large the next batch may be.
struct BatchSize: Sendable {
    private(set) var records: Int
    private(set) var bytes: Int
    private let most: (records: Int, bytes: Int)
    /// During the search for a record that does not pass: the limits before it, and how many records of the refused
    /// batch are left.
    private var search: (records: Int, bytes: Int, left: Int)?
    /// How many batches were accepted since `bytes` was last changed.
    private var accepted = 0

    init(records: Int, bytes: Int) {
        (self.records, self.bytes) = (records, bytes)
        most = (records, bytes)
    }

    mutating func halve(_ batch: OutboxBatch, isSize: Bool) {
        if search == nil { search = (records, bytes, batch.count) }
        records = max(1, batch.count / 2)
        // Kept after the search: what is too large once is too large the next time.
        if isSize {
            bytes = max(1, min(bytes, batch.bytes / 2))
            accepted = 0
        }
    }

    /// Ends the search: the record that does not pass is alone. The limits are again what they were before.
    mutating func found() {
        guard let search else { return }
        (records, bytes) = (search.records, search.bytes)
        self.search = nil
    }

    /// The collector has taken a batch, or part of it.
    /// - Parameter count: how many records it has judged.
    mutating func accept(_ count: Int) {
        accepted += 1
        if let search {
            // The whole refused batch has passed in smaller parts: only its size was wrong.
            let left = search.left - count
            self.search = left > 0 ? (search.records, search.bytes, left) : nil
            if left <= 0 { records = search.records }
        } else if accepted >= 100 {
            // The collector may take more by now.
            bytes = bytes > most.bytes / 2 ? most.bytes : bytes * 2
            accepted = 0
        }
    }
}
