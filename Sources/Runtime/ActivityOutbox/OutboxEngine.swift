import ActivityTracking
import Foundation

/// Runs the machine: hands it what happens, one thing after the other, and does what it asks for.
///
/// There are two locks, taken in this order: `policies`, `state`. Neither is held while code runs that is not ours (the
/// uploader, `report`, callers that wait). Neither is held while the disk works, except to write the marker of a
/// denial, a file without content.
final class OutboxEngine: Sendable {
    private struct State {
        var machine: OutboxMachine
        var waiting: [OutboxMachine.Ticket: CheckedContinuation<Bool, Never>] = [:]
        var questions: [OutboxMachine.Ticket: @Sendable (OutboxStore) throws -> Void] = [:]
        var uploads: [Int: Task<Void, Never>] = [:]
        var lastTicket = OutboxMachine.nobody
        /// What is to be said, in order.
        var messages: [Message] = []
        var isSaying = false
        var alarm: TimeInterval?
    }

    private enum Message {
        case notice(Outbox.Notice)
        case answer(CheckedContinuation<Bool, Never>, Bool)
    }

    /// What is done right after the lock is given back.
    private struct Urgent {
        var cancelled: [Task<Void, Never>] = []
        var expired: [CheckedContinuation<Bool, Never>] = []
    }

    private let state: Locked<State>
    /// The decisions of the user that are not on disk yet.
    private struct OwedMarks {
        /// When it was given, by the steady clock.
        var denial: TimeInterval?
        var withdrawal: TimeInterval?
        /// When the user agreed last; nil if the user has not agreed or denies.
        var agreement: TimeInterval?
    }

    /// Policies take effect, on disk and here, in the order in which they are given.
    private let policies = Locked(OwedMarks())
    private let folder: StoreFolder
    private let keeper: StoreKeeper
    private let uploader: any LogUploader
    private let clock: OutboxClock
    private let report: @Sendable (Outbox.Notice) -> Void
    /// The one place that may wait for the disk.
    private let disk = DispatchQueue(label: "ActivityOutbox.disk", qos: .utility)
    private let alarm = Alarm()

    /// How long `shutdown(within:)` may take beyond its time, in seconds: to write, to close, to be woken.
    static let grace: TimeInterval = 0.05

    init(
        _ configuration: Outbox.Configuration, uploader: any LogUploader, clock: OutboxClock,
        faults: @escaping @Sendable (FileAction) throws -> Void, report: @escaping @Sendable (Outbox.Notice) -> Void
    ) {
        let limits = OutboxLimits(configuration)
        folder = StoreFolder(configuration.folder, protection: configuration.protection, faults: faults)
        keeper = StoreKeeper(folder, limits: limits, form: StoredForm(configuration.seal), clock: clock)
        self.uploader = uploader
        self.clock = clock
        self.report = report
        state = Locked(
            State(machine: OutboxMachine(limits, isSampled: configuration.isSampled, seed: .random(in: .min ... .max))))
        alarm.rings { [weak self] in
            guard let self else { return }
            input { state, _ in state.alarm = nil }
        }
        // Before the first record can be written.
        disk.async { [keeper] in keeper.begin() }
        input { state, _ in state.messages += limits.changes.map { .notice(.configuration($0)) } }
    }

    // MARK: Inputs

    /// Takes a record. That costs the lock and a copy.
    func post(_ record: LogRecord) {
        state.withLock { state in
            if state.machine.post(record, at: clock.steady) { setAlarm(&state, clock.steady()) }
        }
    }

    func post(_ record: [UInt8]) {
        state.withLock { state in
            if state.machine.post(record, at: clock.steady) { setAlarm(&state, clock.steady()) }
        }
    }

    /// Counts a record that a remote policy leaves out. That wakes nothing: it is reported with what happens next.
    func omit() { state.withLock { $0.machine.omit() } }

    func share(of record: LogRecord) -> Double? { state.withLock { $0.machine.share(of: record, at: clock.steady) } }

    /// A policy holds from now on; true once it is on disk.
    func apply(_ policy: Outbox.RemotePolicy?) async -> Bool {
        // Not from before it was read: then the clock is behind, and it would hold for longer.
        let kept = policy.map { KeptPolicy($0, since: max(clock.wall(), $0.read.timeIntervalSince1970)) }
        let left = kept?.left(at: clock.wall()) ?? 0
        guard policy == nil || left > 0 else {
            input { state, _ in state.messages.append(.notice(.remotePolicy("it has expired"))) }
            return false
        }
        return await withCheckedContinuation { continuation in
            input { state, now in
                state.machine.apply(policy, for: left, at: now)
                state.messages += (policy?.ignored ?? []).map {
                    .notice(.remotePolicy("\($0) is not known, and has no effect"))
                }
                // In the order in which policies are given.
                disk.async { [keeper] in
                    var failure: (any Error)?
                    do { try keeper.keep(kept) } catch { failure = error }
                    self.input { state, _ in
                        if let failure {
                            state.messages.append(
                                .notice(.remotePolicy("it cannot be kept for the next launch: \(failure)")))
                        }
                        state.messages.append(.answer(continuation, failure == nil))
                    }
                }
            }
        }
    }

    private func input(_ change: (inout State, TimeInterval) -> Void) {
        hurry(enter(change))
        say()
    }

    /// - Returns: what is to be done without the lock.
    private func enter(_ change: (inout State, TimeInterval) -> Void) -> Urgent {
        state.withLock { state in
            let now = clock.steady()
            change(&state, now)
            state.machine.advance(now)
            var urgent = Urgent()
            for effect in state.machine.takeEffects() { perform(effect, &state, &urgent) }
            setAlarm(&state, now)
            return urgent
        }
    }

    func set(_ policy: CollectionPolicy) {
        let urgent = policies.withLock { owed in
            var failure: (any Error)?
            if policy == .denied {
                (owed.withdrawal, owed.agreement) = (nil, nil)
                let now = clock.steady()
                // Before anything else: the next start obeys even if this process dies now.
                do {
                    try folder.deny(at: now)
                    owed.denial = nil
                } catch {
                    (failure, owed.denial) = (error, now)
                }
            } else {
                owed.agreement = clock.steady()
                owed.withdrawal = owed.agreement
                // At once, even in suspension: a later denial of another process is not withdrawn.
                disk.async { [self] in try? settleMarks() }
            }
            return enter { state, now in
                if let failure {
                    state.messages.append(
                        .notice(.storeUnavailable(reason: "the denial is not remembered yet: \(failure)")))
                }
                state.machine.set(policy, at: now)
            }
        }
        hurry(urgent)
        say()
    }

    /// Writes the decisions that are not on disk yet. Each is written once: another process may decide differently since.
    private func settleMarks() throws {
        try policies.withLock { owed in
            if let time = owed.denial { try folder.deny(at: time) }
            owed.denial = nil
            if let time = owed.withdrawal { try folder.withdrawDenial(at: time, clock: clock) }
            owed.withdrawal = nil
        }
    }

    /// Hands over a call, and waits for its answer.
    @discardableResult
    func call(_ begin: (inout OutboxMachine, OutboxMachine.Ticket, TimeInterval) -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            input { state, now in
                state.lastTicket += 1
                state.waiting[state.lastTicket] = continuation
                begin(&state.machine, state.lastTicket, now)
            }
        }
    }

    /// Asks something of the store, on the disk queue; false if it cannot be asked.
    func ask(_ question: @escaping @Sendable (OutboxStore) throws -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            input { state, _ in
                state.lastTicket += 1
                state.waiting[state.lastTicket] = continuation
                state.questions[state.lastTicket] = question
                state.machine.ask(state.lastTicket)
            }
        }
    }

    func look<Result>(_ body: (OutboxMachine) -> Result) -> Result { state.withLock { body($0.machine) } }

    /// More is stored than the machine has seen.
    func sendWhatIsStored() { input { state, now in state.machine.sendWhatIsStored(at: now) } }

    func abandon() { input { state, _ in state.machine.abandon() } }

    // MARK: Effects

    /// Runs under the lock: it neither waits nor calls code that is not ours.
    private func perform(_ effect: OutboxMachine.Effect, _ state: inout State, _ urgent: inout Urgent) {
        switch effect {
        case .disk(let job): disk.async { self.work(job) }
        case .upload(let number, let batch):
            state.uploads[number] = Task(priority: .utility) { await self.upload(number, batch) }
        case .cancel(let number): if let task = state.uploads[number] { urgent.cancelled.append(task) }
        case .notice(let notice): state.messages.append(.notice(notice))
        case .complete(let ticket, let isDone):
            state.questions[ticket] = nil
            if let continuation = state.waiting.removeValue(forKey: ticket) {
                state.messages.append(.answer(continuation, isDone))
            }
        case .expire(let ticket):
            if let continuation = state.waiting.removeValue(forKey: ticket) { urgent.expired.append(continuation) }
        }
    }

    private func hurry(_ urgent: Urgent) {
        // Not queued behind `report`, which may be slow.
        for continuation in urgent.expired { continuation.resume(returning: false) }
        for task in urgent.cancelled { task.cancel() }
    }

    /// Gives notices and answers in order: a notice comes before the answer of the call that led to it. One thread at a
    /// time does so, without a lock.
    private func say() {
        var isFirst = true
        while true {
            let message = state.withLock { state -> Message? in
                if isFirst, state.isSaying { return nil }
                state.isSaying = !state.messages.isEmpty
                return state.messages.isEmpty ? nil : state.messages.removeFirst()
            }
            guard let message else { return }
            isFirst = false
            switch message {
            case .notice(let notice): report(notice)
            case .answer(let continuation, let isDone): continuation.resume(returning: isDone)
            }
        }
    }

    private func setAlarm(_ state: inout State, _ now: TimeInterval) {
        guard state.alarm != state.machine.wake else { return }
        state.alarm = state.machine.wake
        alarm.set(state.machine.wake.map { max(0.001, $0 - now) })
    }

    // MARK: Work

    private func work(_ job: OutboxMachine.Job) {
        var question: (@Sendable (OutboxStore) throws -> Void)?
        if case .ask(let ticket) = job { question = state.withLock { $0.questions[ticket] } }
        let marks = StoreKeeper.Marks(settle: settleMarks, agreement: { self.policies.withLock { $0.agreement } })
        let result = keeper.perform(job, ask: { try question?($0) }, marks: marks)
        input { state, now in state.machine.finish(result, at: now) }
        guard let next = look({ $0.delivery.nextBatch?.log }), next.id == result.batch?.log.id else {
            return
        }
        // The batch before it is on its way.
        DispatchQueue.global(qos: .utility).async { [uploader] in uploader.prepare(next) }
    }

    private func upload(_ number: Int, _ batch: OutboxBatch) async {
        var result = UploadResult.later(reason: "cancelled", after: nil)
        // A denial of this process marks the folder first, so the folder is looked at last. An outbox that is suspended has
        // cancelled its upload, and looks at no file.
        let mayBegin: @Sendable () -> Bool = { [folder, state] in
            state.withLock { $0.machine.mayBegin(number) } && !Task.isCancelled && folder.mayUpload(batch)
        }
        var isWithheld = !mayBegin()
        if !isWithheld {
            var log = batch.log
            log.isAllowed = mayBegin
            do {
                result = try await uploader.upload(log)
            } catch {
                result = .later(reason: error.localizedDescription, after: nil)
            }
            // An uploader that has read `mayBeSent` returns early. A time to wait is a collector's answer, and stays one.
            if case .later(_, nil) = result { isWithheld = !mayBegin() }
        }
        input { state, now in
            state.uploads[number] = nil
            if isWithheld {
                state.machine.withholdUpload(number, at: now)
            } else {
                state.machine.finishUpload(number, result, at: now)
            }
        }
    }
}

/// The one timer.
private final class Alarm: @unchecked Sendable {
    // Safe: dispatch sources may be set from any thread.
    private let timer: any DispatchSourceTimer = DispatchSource.makeTimerSource(
        queue: DispatchQueue(label: "ActivityOutbox.alarm", qos: .utility))

    func rings(_ body: @escaping @Sendable () -> Void) {
        timer.setEventHandler(handler: body)
        timer.schedule(deadline: .distantFuture)
        timer.activate()
    }

    /// Rings once, in so many seconds, in place of the time set before; never if nil.
    func set(_ seconds: TimeInterval?) { timer.schedule(deadline: seconds.map { .now() + $0 } ?? .distantFuture) }

    deinit { timer.cancel() }
}
