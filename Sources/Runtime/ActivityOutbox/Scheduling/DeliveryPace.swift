import Foundation

/// The time of the next delivery: after new records, after failures, and as the collector asks.
///
/// - A wait that the collector has asked for applies to every delivery, even if the app asks for one.
/// - The wait after a failure applies to planned deliveries only.
struct DeliveryPace: Sendable {
    /// The planned time of the next delivery, without the waits below; nil if none is planned.
    private(set) var due: TimeInterval?
    /// The end of the wait after a failure.
    private var notBefore: TimeInterval = 0
    /// The end of the wait that the collector has asked for.
    private(set) var forbiddenUntil: TimeInterval = 0
    /// The value of `forbiddenUntil` that is saved in the store.
    private var rememberedUntil: TimeInterval = 0
    /// The records stored since the last delivery began.
    private var fresh = (records: 0, bytes: 0)
    private var backoff: Backoff
    /// The number of batches refused since a record was accepted.
    private var refusals = 0

    init(_ limits: Outbox.Limits, seed: UInt64) {
        backoff = Backoff((limits.firstRetry, limits.longestRetry), seed: seed)
    }

    mutating func use(_ limits: Outbox.Limits) { backoff.waits = (limits.firstRetry, limits.longestRetry) }

    /// The time at which the next delivery may begin; nil if none is planned.
    var next: TimeInterval? { due.map { max($0, notBefore, forbiddenUntil) } }

    // MARK: Plans

    mutating func plan(at time: TimeInterval) { due = time }

    mutating func plan(atLatest time: TimeInterval) { due = min(due ?? time, time) }

    /// Notes stored records. A full batch is due at once.
    mutating func stored(_ records: Int, bytes: Int, limits: Outbox.Limits, at now: TimeInterval) {
        fresh.records += records
        fresh.bytes += bytes
        let isFull = fresh.records >= limits.batchRecords || fresh.bytes >= limits.batchBytes
        plan(atLatest: isFull ? now : now + limits.deliveryInterval)
    }

    mutating func begin() {
        fresh = (0, 0)
        due = nil
    }

    // MARK: Answers

    /// Updates the pace after the collector has accepted records.
    /// - Parameter isTiny: True if the collector has judged too few records to receive the next request at once.
    mutating func accept(isTiny: Bool) {
        if !isTiny { backoff.succeed() }
        refusals = 0
        notBefore = 0
    }

    /// Updates the pace after a refused batch. A search by halving for one invalid record causes one refusal per step.
    /// - Returns: A Boolean value that indicates whether there were more refusals in a row than such a search takes.
    mutating func refuse(batchRecords: Int) -> Bool {
        refusals += 1
        return refusals > batchRecords.bitWidth - batchRecords.leadingZeroBitCount + 1
    }

    /// - Parameters:
    ///   - after: The seconds that the collector has asked for; nil if it has not.
    ///   - longest: The maximum wait, in seconds, if the collector has asked for none.
    /// - Returns: The wait, in seconds.
    mutating func fail(after: TimeInterval?, at now: TimeInterval, longest: TimeInterval) -> TimeInterval {
        var wait = min(longest, backoff.fail())
        if let after, after > 0 {
            forbid(after, at: now)
            wait = max(wait, forbiddenUntil - now)
        }
        notBefore = now + wait
        due = now
        return wait
    }

    // MARK: Times without a delivery

    /// Forbids deliveries for some seconds, a day at most, even if the app asks for one.
    mutating func forbid(_ seconds: TimeInterval, at now: TimeInterval) {
        forbiddenUntil = max(forbiddenUntil, now + Outbox.Limits.clamp(seconds, 0...Outbox.Limits.day))
    }

    /// Returns the remaining seconds of the collector's wait that have to be saved in the store; 0 if they are saved.
    func secondsToRemember(at now: TimeInterval) -> TimeInterval {
        forbiddenUntil > rememberedUntil ? max(0, forbiddenUntil - now) : 0
    }

    mutating func remember() { rememberedUntil = forbiddenUntil }
}
