import ActivityTracking
import Foundation

/// The state of an outbox and its next actions: a value without a disk, a network or a clock.
///
/// Every event is an input: posts, policies, calls, the results of disk and collector, and time. Inputs come one after
/// the other. Actions come out as effects. At most one job is with the disk and at most one batch with the uploader, so
/// only inputs interleave.
///
/// Each part keeps its own invariants. This structure makes the decisions that depend on several parts: the next job,
/// the next run, answers to calls and the next wake-up. `OutboxMachine+Jobs.swift` has the jobs.
struct OutboxMachine: Sendable {
    /// The number of a call that waits for an answer.
    typealias Ticket = Int

    enum Effect: Sendable {
        case disk(Job)
        case upload(Int, OutboxBatch)
        case cancel(Int)
        case notice(Outbox.Notice)
        case complete(Ticket, Bool)
        /// The time limit of a call has passed. Its caller is answered at once, before pending notices.
        case expire(Ticket)
    }

    var intake: Intake
    var store = StoreState()
    var delivery: Delivery
    var consent = Consent()
    var callers = Callers()
    /// A Boolean value that indicates whether the uploader can send anything at all.
    var canUpload = true
    /// The actions since the last ``takeEffects()``, in order.
    var effects: [Effect] = []
    /// The time at which `advance` must be called if no other input comes before; nil to wait for an input.
    private(set) var wake: TimeInterval?

    init(_ limits: Outbox.Limits, uploadTime: TimeInterval = .infinity, seed: UInt64) {
        intake = Intake(limits)
        delivery = Delivery(limits, uploadTime: uploadTime, seed: seed)
    }

    mutating func use(_ limits: Outbox.Limits, at now: TimeInterval) {
        intake.use(limits)
        delivery.use(limits, at: now)
    }

    // MARK: Posts

    /// - Returns: True if the record has scheduled a write.
    mutating func post(_ record: [UInt8], at now: () -> TimeInterval) -> Bool {
        if consent.policy == .denied { intake.drop(1, .denied) } else { intake.add(record) }
        guard let due = intake.schedule(now) else { return false }
        wake = min(wake ?? due, due)
        return true
    }

    // MARK: Calls

    mutating func flush(_ ticket: Ticket) { wait(ticket, .flush) }

    mutating func deliver(_ ticket: Ticket) {
        store.hurryDelivering()
        wait(ticket, .delivery)
    }

    mutating func suspend(_ ticket: Ticket) {
        switch callers.life {
        case .running:
            callers.suspend()
            endDelivery()
        // The app is about to be suspended, so it does not wait for the rest of the shutdown's time.
        case .stopping: stop()
        case .suspended, .stopped: break
        }
        wait(ticket, .suspension)
    }

    mutating func resume(_ ticket: Ticket, at now: TimeInterval) {
        if callers.resume() {
            delivery.plan(at: now)
            store.hurryWriting()
            store.hurryDelivering()
        }
        wait(ticket, .flush)
    }

    /// Begins to shut down. Deliveries go on until the time is over, and then the store is closed.
    /// - Parameter grace: The time that the call may take beyond `seconds`, to write and to close.
    mutating func shutDown(_ ticket: Ticket, within seconds: TimeInterval, grace: TimeInterval, at now: TimeInterval) {
        let until = now + seconds
        callers.stop(until: until)
        delivery.plan(at: now)
        store.hurryDelivering()
        wait(ticket, .shutdown(atLatest: until + grace))
    }

    /// Writes the records in memory and ends: the app has released the outbox.
    mutating func abandon() {
        if callers.life != .stopped { stop() }
    }

    mutating func ask(_ ticket: Ticket) { store.ask(ticket) }

    /// Plans a delivery of records that an `ask` job has stored without a `write` job, such as revived dead letters.
    mutating func sendWhatIsStored(at now: TimeInterval) { delivery.plan(at: now) }

    private mutating func wait(_ ticket: Ticket, _ kind: Callers.Kind) {
        callers.wait(ticket, kind, for: store.writesBegun + 1)
    }

    /// The ticket of a call without a caller.
    static let nobody: Ticket = 0

    private mutating func stop() {
        callers.stop()
        endDelivery()
        // A call without a caller makes sure that the records in the queue are still written.
        if !intake.queue.isEmpty { wait(Self.nobody, .flush) }
    }

    private mutating func endDelivery(isDenied: Bool = false) {
        delivery.endRun()
        if let number = delivery.cancelUpload(isDenied: isDenied) { effects.append(.cancel(number)) }
    }

    // MARK: Policies

    mutating func set(_ policy: CollectionPolicy, at now: TimeInterval) {
        consent.set(policy)
        switch policy {
        case .denied:
            intake.deny()
            endDelivery(isDenied: true)
            let accepted = delivery.discardVerdicts()
            // If a `settle` job is running, its result counts the accepted records.
            if !store.isSettling { consent.noteAccepted(accepted) }
            store.hurryWriting()
        case .paused: endDelivery()
        case .enabled: delivery.plan(at: now)
        }
    }

    // MARK: Uploads

    func mayBegin(_ number: Int) -> Bool { delivery.mayBegin(number) }

    mutating func withholdUpload(_ number: Int, at now: TimeInterval) { delivery.withholdUpload(number, at: now) }

    mutating func finishUpload(_ number: Int, _ result: UploadResult, at now: TimeInterval) {
        if let notice = delivery.finishUpload(number, result, at: now) { effects.append(.notice(notice)) }
    }

    // MARK: Actions

    /// Performs the actions that follow from an input. Every input except a post ends with a call of this method.
    mutating func advance(_ now: TimeInterval) {
        intake.unscheduleIfEmpty()
        delivery.timeCancellation(now)
        if let notice = delivery.reportStall(now) { effects.append(.notice(notice)) }
        answer(now)
        if case .stopping(let until) = callers.life, now >= until || isDrained(until, now) { stop() }
        if let time = nextRun, now >= max(time, store.deliveryTries.next) { delivery.beginRun() }
        beginJob(now)
        if maySend, let upload = delivery.beginUpload(at: now) { effects.append(.upload(upload.number, upload.batch)) }
        // The next batch is read while this one is in flight.
        beginJob(now)
        answer(now)
        effects += intake.takeNotices().map { .notice($0) }
        wake = nextWake(now)
    }

    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    private mutating func answer(_ now: TimeInterval) {
        guard !callers.isEmpty else { return }
        let situation = Callers.AnswerContext(
            isAtRest: store.isAtRest, runsEnded: delivery.runsEnded, isHopeless: isHopeless(now),
            isHeldUp: !delivery.isRunning && now < max(delivery.pace.forbiddenUntil, store.deliveryTries.next),
            hasGivenUpOnUpload: delivery.givenUp.map { now >= $0 } ?? false)
        effects += callers.answer(situation, at: now)
    }

    /// Returns whether a shutdown has nothing left to wait for.
    private func isDrained(_ until: TimeInterval, _ now: TimeInterval) -> Bool {
        guard store.job == nil, !delivery.isRunning, !delivery.isUploading, intake.queue.isEmpty else { return false }
        let shutdowns = callers.shutdowns(lastEmpty: delivery.lastEmpty)
        guard shutdowns.isWritten else { return false }
        guard !isHopeless(now), delivery.unsettled == nil else { return true }
        return shutdowns.isEmpty || (nextRun ?? .infinity) >= until
    }

    // MARK: Permissions

    var mayUseDisk: Bool { callers.mayUseDisk }

    var maySend: Bool { canUpload && consent.policy == .enabled && consent.debt == .none && mayUseDisk }

    /// Returns whether no batch can be sent, so that waiting for one is useless.
    private func isHopeless(_ now: TimeInterval) -> Bool {
        guard canUpload, consent.policy == .enabled, mayUseDisk else { return true }
        return consent.debt != .none && store.job == nil && now < store.writeTries.next
    }

    // MARK: Times

    /// The start of the next run; nil if none is planned, the last one is not over, or nothing may be sent.
    private var nextRun: TimeInterval? {
        guard maySend else { return nil }
        return delivery.nextRun(isAsked: callers.needRun(after: delivery.runsBegun))
    }

    /// Returns the earliest time of an action that needs no other input.
    private func nextWake(_ now: TimeInterval) -> TimeInterval? {
        var times: [TimeInterval] = []
        if store.job == nil {
            if consent.debt == .wipe || consent.debt == .obedience && mayUseDisk {
                times.append(store.writeTries.next)
            } else if let due = intake.writeDue, mayUseDisk {
                times.append(max(due, store.writeTries.next))
            }
            let needsDisk = delivery.unsettled != nil || delivery.isRunning && !delivery.isUploading
            if mayUseDisk, consent.debt == .none, needsDisk { times.append(store.deliveryTries.next) }
        }
        if let stall = delivery.stall, stall < .infinity { times.append(stall) }
        if let next = nextRun { times.append(max(next, store.deliveryTries.next)) }
        if case .stopping(let until) = callers.life { times.append(until) }
        // After that time, a call that still waits is waiting for the disk, which needs no wake-up.
        let givenUp = delivery.givenUp.flatMap { now < $0 ? $0 : nil }
        if let time = callers.wake(givenUp: givenUp) { times.append(time) }
        return times.min()
    }
}
