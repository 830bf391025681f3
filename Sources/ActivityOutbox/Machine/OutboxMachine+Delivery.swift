import ActivityTracking
import Foundation

/// What is sent when, and what an answer means.
extension OutboxMachine {
    /// Records have been stored; a full batch is sent at once.
    mutating func stored(_ records: Int, bytes: Int, at now: TimeInterval) {
        fresh.records += records
        fresh.bytes += bytes
        let isFull = fresh.records >= limits.batchRecords || fresh.bytes >= limits.batchBytes
        let moment = isFull ? now : now + limits.deliveryInterval
        due = min(due ?? moment, moment)
        // What is stored now, the reader has not seen.
        run?.isExhausted = false
    }

    // MARK: Runs

    /// When the next run may begin; nil if nothing asks for one, or one is there.
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

    /// Whether an upload that was to begin may: asked at the last moment.
    func mayBegin(_ number: Int) -> Bool { upload?.number == number && upload?.isCancelled == false }

    /// The uploader has returned.
    mutating func finishUpload(_ number: Int, _ result: UploadResult, at now: TimeInterval) {
        guard let upload, upload.number == number else { return }
        self.upload = nil
        if upload.isCancelled {
            // It has them all the same; only denial makes even that no matter.
            if result == .accepted, !upload.isDenied { unsettled = (upload.batch, .remove) }
            return
        }
        let batch = upload.batch
        switch result {
        case .accepted:
            backoff.succeed()
            refusals = 0
            notBefore = 0
            size.accept(batch)
            unsettled = (batch, .remove)
        case .tooLarge: refuse(batch, "the collector takes nothing that large", isSize: true, now)
        case .invalid(let reason): refuse(batch, reason, isSize: false, now)
        case .refused(let reason):
            unsettled = (batch, .bury(reason: reason))
            refused(reason, now)
        case .later(let reason, let after):
            retryLater(reason, after, now)
        }
    }

    /// A batch that will not pass may hold smaller ones that will; a record that will not is a dead letter.
    private mutating func refuse(_ batch: OutboxBatch, _ reason: String, isSize: Bool, _ now: TimeInterval) {
        if batch.count > 1 {
            size.halve(batch, isSize: isSize)
            ahead = nil
            fetchEpoch += 1
            run?.isExhausted = false
        } else {
            size.found()
            unsettled = (batch, .bury(reason: reason))
        }
        refused(reason, now)
    }

    /// A collector that refuses whatever it gets is asked ever more slowly. To find one bad record in a batch takes as many refusals as
    /// halving has steps; more than that without anything accepted is a run of them.
    private mutating func refused(_ reason: String, _ now: TimeInterval) {
        refusals += 1
        guard refusals > limits.batchRecords.bitWidth - limits.batchRecords.leadingZeroBitCount + 1 else { return }
        retryLater("the collector refuses everything: \(reason)", nil, now)
    }

    private mutating func retryLater(_ reason: String, _ after: TimeInterval?, _ now: TimeInterval) {
        var wait = backoff.fail()
        if let after, after > 0 {
            forbid(after, at: now)
            wait = max(wait, forbiddenUntil - now)
        }
        notBefore = now + wait
        due = now
        endRun()
        effects.append(.notice(.deliveryFailed(reason: reason, retryAfter: wait)))
    }

    /// The collector is left alone for so long, whoever asks; for a day at most.
    mutating func forbid(_ seconds: TimeInterval, at now: TimeInterval) {
        forbiddenUntil = max(forbiddenUntil, now + OutboxLimits.clamp(seconds, 0...OutboxLimits.day))
    }
}

/// How large the next batch may be.
struct BatchSize: Sendable {
    private(set) var records: Int
    private(set) var bytes: Int
    private let most: (records: Int, bytes: Int)
    /// What was allowed before a search for a record that does not pass, and how many of the refused batch are not seen yet.
    private var search: (records: Int, bytes: Int, left: Int)?
    /// Accepted since the bytes were last changed.
    private var accepted = 0

    init(records: Int, bytes: Int) {
        (self.records, self.bytes) = (records, bytes)
        most = (records, bytes)
    }

    mutating func halve(_ batch: OutboxBatch, isSize: Bool) {
        if search == nil { search = (records, bytes, batch.count) }
        records = max(1, batch.count / 2)
        // Remembered: what is too large once is too large the next time.
        if isSize {
            bytes = max(1, min(bytes, batch.bytes / 2))
            accepted = 0
        }
    }

    /// The record that does not pass is alone: what was allowed before may pass again.
    mutating func found() {
        guard let search else { return }
        (records, bytes) = (search.records, search.bytes)
        self.search = nil
    }

    mutating func accept(_ batch: OutboxBatch) {
        accepted += 1
        if let search {
            // All that was refused has passed in smaller parts: the size alone was wrong.
            let left = search.left - batch.count
            self.search = left > 0 ? (search.records, search.bytes, left) : nil
            if left <= 0 { records = search.records }
        } else if accepted >= 100 {
            // Collectors change, too.
            bytes = bytes > most.bytes / 2 ? most.bytes : bytes * 2
            accepted = 0
        }
    }
}
