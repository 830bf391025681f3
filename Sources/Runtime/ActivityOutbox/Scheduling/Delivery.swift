import ActivityTracking
import Foundation

/// The delivery of stored records: runs, the batch that is read ahead, the batch in flight, and its answer.
///
/// - A batch is read ahead only during a run. The end of a run discards it.
/// - At most one batch is in flight. After its answer, no batch is read or sent until the store has applied the
///   verdicts.
/// - A batch that was read ahead is discarded if older records have to be sent again.
struct Delivery: Sendable {
    /// The next batch of a run. A run sends batches until no records are left, or until something fails.
    enum Run: Sendable {
        case unread
        /// The disk reads the batch.
        case fetching
        case ahead(OutboxBatch)
        /// No records are stored after the batch in flight.
        case exhausted
    }

    /// The batch that is in flight or answered, until the store has applied its verdicts.
    enum Transit: Sendable {
        case none
        case upload(Upload)
        /// The collector has answered. The store has not applied the verdicts yet.
        case unsettled(OutboxBatch, [OutboxMachine.Verdict])
    }

    /// A record after a series of refused ones, which is sent alone. If it is refused, too, the collector is asked ever
    /// more slowly. Otherwise, only the series is invalid, and it is sent without waits.
    private enum Probe: Sendable {
        case none
        /// The reason of the refusals.
        case wanted(String)
        case sent(String)
    }

    struct Upload: Sendable {
        let number: Int
        let batch: OutboxBatch
        let begun: TimeInterval
        fileprivate var isReported = false
        /// The cancellation of the upload; nil if it was not cancelled.
        fileprivate(set) var cancellation: Cancellation?
    }

    struct Cancellation: Sendable {
        /// The time of the next input after the cancellation.
        fileprivate(set) var time: TimeInterval?
        /// Indicates whether the user denies. Then the store is wiped, and the collector's acceptance has no effect.
        fileprivate(set) var isDenied: Bool
    }

    private(set) var limits: Outbox.Limits
    private(set) var pace: DeliveryPace
    private var size: BatchSize
    private var run: Run?
    private(set) var runsBegun = 0
    /// The number of the last run that found nothing left.
    private(set) var lastEmpty = 0
    private var transit = Transit.none
    private var uploadsBegun = 0
    private var probe = Probe.none
    private var refusedProbes = 0
    /// Indicates whether the collector refused the probe of the last run. The current run ends with its first refusal.
    private var isProbeRefused = false
    private let uploadTime: TimeInterval

    /// - Parameter uploadTime: The time within which an upload returns.
    init(_ limits: Outbox.Limits, uploadTime: TimeInterval = .infinity, seed: UInt64) {
        self.uploadTime = uploadTime
        self.limits = limits
        pace = DeliveryPace(limits, seed: seed)
        size = BatchSize(records: limits.batchRecords, bytes: limits.batchBytes)
    }

    /// Puts other limits into force. A planned delivery is then at most an interval away.
    mutating func use(_ limits: Outbox.Limits, at now: TimeInterval) {
        let isSame =
            (limits.batchRecords, limits.batchBytes) == (self.limits.batchRecords, self.limits.batchBytes)
        self.limits = limits
        pace.use(limits)
        if !isSame { size = BatchSize(records: limits.batchRecords, bytes: limits.batchBytes) }
        if pace.next != nil { pace.plan(atLatest: now + limits.deliveryInterval) }
    }

    // MARK: State

    var isRunning: Bool { run != nil }
    var runsEnded: Int { run == nil ? runsBegun : runsBegun - 1 }
    var isFetching: Bool { if case .fetching? = run { true } else { false } }

    private var upload: Upload? { if case .upload(let upload) = transit { upload } else { nil } }
    var isUploading: Bool { if case .upload = transit { true } else { false } }

    /// The answered batch and the verdicts that the store has not applied yet, if any.
    var unsettled: (batch: OutboxBatch, verdicts: [OutboxMachine.Verdict])? {
        if case .unsettled(let batch, let verdicts) = transit { (batch, verdicts) } else { nil }
    }

    /// The batch that follows the one in flight, if both are known.
    var nextBatch: OutboxBatch? {
        guard isUploading, case .ahead(let batch)? = run else { return nil }
        return batch
    }

    // MARK: Runs

    /// The time at which the next run may begin; nil if none is planned, or if the last run or its upload is not over.
    /// - Parameter isAsked: True if a call waits for the run. Then only a wait for which the collector has asked delays
    ///   it.
    func nextRun(isAsked: Bool) -> TimeInterval? {
        guard run == nil, !isUploading else { return nil }
        return isAsked ? pace.forbiddenUntil : pace.next
    }

    mutating func beginRun() {
        runsBegun += 1
        run = .unread
        probe = .none
        pace.begin()
    }

    mutating func endRun() { run = nil }

    mutating func endRun(next time: TimeInterval) {
        run = nil
        pace.plan(at: time)
    }

    private mutating func endRunWithNothingLeft(_ now: TimeInterval) {
        lastEmpty = runsBegun
        run = nil
        // Other processes may store records without delivering them. This process searches for them once a minute.
        pace.plan(atLatest: now + max(60, limits.deliveryInterval))
    }

    mutating func plan(at time: TimeInterval) { pace.plan(at: time) }
    mutating func forbid(_ seconds: TimeInterval, at now: TimeInterval) { pace.forbid(seconds, at: now) }
    mutating func rememberForbidden() { pace.remember() }

    /// Notes stored records. A full batch is sent at once.
    mutating func stored(_ records: Int, bytes: Int, at now: TimeInterval) {
        pace.stored(records, bytes: bytes, limits: limits, at: now)
        // The run found no more records, but these may have been stored since.
        if case .exhausted? = run { run = .unread }
    }

    // MARK: Batches

    /// A Boolean value that indicates whether the run's next batch can be read.
    var needsFetch: Bool {
        guard case .unread? = run, !isProbing else { return false }
        return unsettled == nil
    }

    /// A Boolean value that indicates whether the batch in flight is a probe. Nothing is read ahead of its answer.
    var isProbing: Bool { if case .sent = probe { true } else { false } }

    mutating func beginFetch() -> OutboxMachine.Job {
        run = .fetching
        // Each refused probe moves the next one to another part of the store, by the golden ratio.
        if case .wanted = probe { return .probe((Double(refusedProbes) * 0.618).truncatingRemainder(dividingBy: 1)) }
        return .fetch(behind: upload?.batch.last ?? 0, records: size.records, bytes: size.bytes)
    }

    /// Handles the batch that was read; nil if no records are left. Without a run that waits, it is discarded.
    mutating func finishFetch(_ batch: OutboxBatch?, at now: TimeInterval) {
        guard isFetching else { return }
        run = batch.map { .ahead($0) } ?? .exhausted
        endRunIfExhausted(now)
    }

    private mutating func endRunIfExhausted(_ now: TimeInterval) {
        if case .exhausted? = run, !isUploading { endRunWithNothingLeft(now) }
    }

    /// Discards the batch that was read ahead: older records are sent first.
    private mutating func readAgain() {
        if run != nil { run = .unread }
    }

    /// Updates the state after the store has applied the verdicts.
    mutating func finishSettling(at now: TimeInterval) {
        if unsettled != nil { transit = .none }
        endRunIfExhausted(now)
    }

    /// Discards the verdicts that the store has not applied, because the store is wiped.
    /// - Returns: The number of records that the collector has accepted.
    mutating func discardVerdicts() -> Int {
        guard let verdicts = unsettled?.verdicts else { return 0 }
        transit = .none
        return verdicts.accepted
    }

    // MARK: Uploads

    /// Sends the batch that was read ahead, if none is in flight.
    mutating func beginUpload(at now: TimeInterval = 0) -> Upload? {
        guard case .ahead(let batch)? = run, case .none = transit else { return nil }
        run = .unread
        uploadsBegun += 1
        let upload = Upload(number: uploadsBegun, batch: batch, begun: now)
        transit = .upload(upload)
        if case .wanted(let reason) = probe { probe = .sent(reason) }
        return upload
    }

    /// Cancels the upload.
    /// - Parameter isDenied: True if the user denies.
    /// - Returns: The number of the upload to cancel, if any.
    mutating func cancelUpload(isDenied: Bool = false) -> Int? {
        guard var upload else { return nil }
        let isNew = upload.cancellation == nil
        var cancellation = upload.cancellation ?? Cancellation(isDenied: false)
        cancellation.isDenied = cancellation.isDenied || isDenied
        upload.cancellation = cancellation
        transit = .upload(upload)
        return isNew ? upload.number : nil
    }

    mutating func timeCancellation(_ now: TimeInterval) {
        guard var upload, let cancellation = upload.cancellation, cancellation.time == nil else { return }
        upload.cancellation?.time = now
        transit = .upload(upload)
    }

    /// The maximum time that a call waits for a cancelled uploader, in seconds, as `LogUploader` documents it.
    private static let uploaderPatience: TimeInterval = 2

    /// The time at which calls stop waiting for a cancelled uploader; nil if none was cancelled. Even after that time,
    /// no other batch is sent until the uploader returns.
    var givenUp: TimeInterval? { upload?.cancellation?.time.map { $0 + Self.uploaderPatience } }

    /// The time at which the upload in flight is reported as stalled, if it has not been.
    var stall: TimeInterval? {
        guard let upload, !upload.isReported else { return nil }
        return min(givenUp ?? .infinity, upload.begun + uploadTime)
    }

    mutating func reportStall(_ now: TimeInterval) -> Outbox.Notice? {
        guard var upload, let stall, now >= stall else { return nil }
        upload.isReported = true
        transit = .upload(upload)
        return .uploaderStalled(seconds: now - upload.begun)
    }

    /// Returns whether an upload may still begin. It is called at the last moment.
    func mayBegin(_ number: Int) -> Bool {
        guard let upload else { return false }
        return upload.number == number && upload.cancellation == nil
    }

    /// Handles an upload that was withheld: it was cancelled, the folder has a mark of a denial, or the batch is not
    /// from the store in place. In the last two cases, the next run's read of the store shows the reason.
    mutating func withholdUpload(_ number: Int, at now: TimeInterval) {
        guard let upload, upload.number == number else { return }
        transit = .none
        if upload.cancellation == nil { endRun(next: now + 0.1) }
    }

    /// - Returns: The failure to report.
    mutating func finishUpload(_ number: Int, _ result: UploadResult, at now: TimeInterval) -> Outbox.Notice? {
        guard let upload, upload.number == number else { return nil }
        transit = .none
        let batch = upload.batch
        let result = Self.known(result.shown, of: batch.count)
        defer { if isProbing { probe = .none } }
        if let cancellation = upload.cancellation {
            // After a cancellation, only acceptances are applied, so that accepted records are not sent again. A denial
            // wipes them anyway.
            let accepted = Self.verdicts(result, of: batch.count)?.filter { $0.result == .accepted } ?? []
            guard !accepted.isEmpty, !cancellation.isDenied else { return nil }
            transit = .unsettled(batch, accepted)
            return Self.message(result)
        }
        if case .sent(let refusal) = probe {
            readAgain()
            if let notice = finishProbe(batch, result, refusal, now) { return notice }
            return Self.message(result)
        }
        switch result {
        case .accepted: return judge(batch, after: nil, now, result)
        case .partialSuccess: return judge(batch, after: nil, now, result) ?? Self.message(result)
        case .perRecord(_, let after): return judge(batch, after: after, now, result)
        case .tooLarge: return refuse(batch, "the collector takes nothing that large", isSize: true, now)
        case .invalid(let reason): return refuse(batch, reason, isSize: false, now)
        case .refused(let reason):
            transit = .unsettled(batch, Self.verdicts(result, of: batch.count) ?? [])
            return refused(reason, now)
        case .later(let reason, let after): return retryLater(reason, after, now)
        }
    }

    // MARK: Answers

    /// Returns the answer, in the form of a refusal if the collector has rejected all records: these are known.
    private static func known(_ result: UploadResult, of count: Int) -> UploadResult {
        guard case .partialSuccess(let rejected, let message) = result, rejected >= count else { return result }
        return .refused(reason: message.isEmpty ? "the collector rejected all records of the batch" : message)
    }

    private static func message(_ result: UploadResult) -> Outbox.Notice? {
        guard case .partialSuccess(let rejected, let message) = result else { return nil }
        return .partialSuccess(rejected: max(0, rejected), message: message)
    }

    /// Returns the verdicts of an answer; nil if the answer names records that the batch does not have.
    private static func verdicts(_ result: UploadResult, of count: Int) -> [OutboxMachine.Verdict]? {
        switch result {
        case .accepted: return [OutboxMachine.Verdict(records: 0..<count, result: .accepted)]
        case .partialSuccess(let rejected, _):
            return [OutboxMachine.Verdict(records: 0..<count, result: .accepted, rejected: max(0, rejected))]
        case .refused(let reason):
            return [OutboxMachine.Verdict(records: 0..<count, result: .refused(reason: reason))]
        case .perRecord(let results, _):
            var verdicts: [OutboxMachine.Verdict] = []
            var named = 0
            for index in 0..<count {
                guard let result = results[index] else { continue }
                named += 1
                if let last = verdicts.last, last.records.upperBound == index, last.result == result {
                    verdicts[verdicts.count - 1].records = last.records.lowerBound..<(index + 1)
                } else {
                    verdicts.append(OutboxMachine.Verdict(records: index..<(index + 1), result: result))
                }
            }
            return named == results.count ? verdicts : nil
        case .tooLarge, .invalid, .later: return []
        }
    }

    /// The divisor for the smallest share of judged records after which no wait follows. Otherwise, a collector that
    /// accepts one record of each batch would receive the others hundreds of times a second.
    private static let tinyShare = 10

    /// Removes accepted records, makes refused ones dead letters, and sends the others again.
    private mutating func judge(
        _ batch: OutboxBatch, after: TimeInterval?, _ now: TimeInterval, _ result: UploadResult
    ) -> Outbox.Notice? {
        // The answer's indices do not match the batch, so the collector may have accepted other records.
        guard let verdicts = Self.verdicts(result, of: batch.count) else {
            return retryLater("the answer names records that the batch does not have", after, now)
        }
        let (accepted, left) = (verdicts.accepted, batch.count - verdicts.judged)
        if !verdicts.isEmpty { transit = .unsettled(batch, verdicts) }
        let isTiny = left > 0 && verdicts.judged * Self.tinyShare < batch.count
        if accepted > 0 {
            pace.accept(isTiny: isTiny)
            size.accept(verdicts.judged)
        }
        // If the answer judges a part of the batch, the rest is sent again: at once, unless the answer asks for a wait
        // or judges very few records.
        if left > 0 { readAgain() }
        if left == batch.count || left > 0 && (after ?? 0) > 0 {
            return retryLater("the collector has not taken \(left) of \(batch.count) records", after, now)
        }
        if isTiny {
            // The wait is not longer than `deliveryInterval` or `firstRetry`, whichever is longer.
            return retryLater(
                "the collector has judged only \(verdicts.judged) of \(batch.count) records", nil, now,
                longest: max(limits.deliveryInterval, limits.firstRetry))
        }
        if accepted == 0, let reason = verdicts.refusal { return refused(reason, now) }
        return nil
    }

    /// Halves a batch that does not pass. A single record that does not pass becomes a dead letter.
    private mutating func refuse(
        _ batch: OutboxBatch, _ reason: String, isSize: Bool, _ now: TimeInterval
    ) -> Outbox.Notice? {
        if batch.count > 1 {
            size.halve(batch, isSize: isSize)
            readAgain()
        } else {
            size.found()
            transit = .unsettled(batch, Self.verdicts(.refused(reason: reason), of: 1) ?? [])
        }
        return refused(reason, now)
    }

    /// Counts a refusal. After a series of them, a probe shows whether the collector refuses everything.
    private mutating func refused(_ reason: String, _ now: TimeInterval) -> Outbox.Notice? {
        guard pace.refuse(batchRecords: limits.batchRecords) else { return nil }
        if isProbeRefused {
            isProbeRefused = false
            return retryLater("the collector refuses everything: \(reason)", nil, now)
        }
        probe = .wanted(reason)
        readAgain()
        return nil
    }

    /// Applies the answer to a probe. A refused probe stays in the store.
    private mutating func finishProbe(
        _ batch: OutboxBatch, _ result: UploadResult, _ refusal: String, _ now: TimeInterval
    ) -> Outbox.Notice? {
        if case .later(let reason, let after) = result { return retryLater(reason, after, now) }
        guard let verdicts = Self.verdicts(result, of: batch.count), verdicts.accepted > 0 else {
            refusedProbes += 1
            isProbeRefused = true
            return retryLater("the collector refuses everything: \(refusal)", nil, now)
        }
        pace.accept(isTiny: false)
        isProbeRefused = false
        transit = .unsettled(batch, verdicts)
        return nil
    }

    private mutating func retryLater(
        _ reason: String, _ after: TimeInterval?, _ now: TimeInterval, longest: TimeInterval = .infinity
    ) -> Outbox.Notice {
        let wait = pace.fail(after: after, at: now, longest: longest)
        run = nil
        return .deliveryFailed(reason: reason, retryAfter: wait)
    }
}
