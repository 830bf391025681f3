import ActivityTracking
import Foundation

/// Runs the machine: passes inputs to it one at a time, and performs its effects.
///
/// There are two locks, taken in this order: `policies`, `state`. Neither is held while the app's code runs: the
/// uploader, `report` and waiting callers. Neither is held during disk access, with one exception: `policies` is held
/// while the marks of a denial and its withdrawal are written. These are tiny files, `outbox.denied` and `outbox.wipe`.
final class OutboxEngine: Sendable {
    private struct State {
        var machine: OutboxMachine
        var waiting: [OutboxMachine.Ticket: CheckedContinuation<Bool, Never>] = [:]
        var questions: [OutboxMachine.Ticket: @Sendable (OutboxStore) throws -> Void] = [:]
        var uploads: [Int: Task<Void, Never>] = [:]
        var lastTicket = OutboxMachine.nobody
        /// The notices and answers that have not been delivered yet, in order.
        var messages: [Message] = []
        var isSaying = false
        var alarm: TimeInterval?
        var hasEnded = false
        /// The reported mistakes in the uploader's configuration.
        var mistakes: Set<String> = []
    }

    private enum Message {
        case notice(Outbox.Notice)
        case answer(CheckedContinuation<Bool, Never>, Bool)
    }

    /// The actions to perform right after the lock is released.
    private struct Urgent {
        var cancelled: [Task<Void, Never>] = []
        var expired: [CheckedContinuation<Bool, Never>] = []
    }

    private let state: Locked<State>
    /// The user's decisions that are not on disk yet, and the time of the last agreement.
    private struct OwedDecisions {
        /// The time of a denial that is not on disk yet, by the monotonic clock.
        var denial: TimeInterval?
        var withdrawal: TimeInterval?
        /// The time of the last agreement; nil if the user has not agreed or denies.
        var agreement: TimeInterval?
    }

    /// The lock that makes policies take effect in the order of the calls, on disk and in memory.
    private let policies = Locked(OwedDecisions())
    private let folder: StoreFolder
    private let keeper: StoreKeeper
    private let uploader: any LogUploader
    private let clock: OutboxClock
    private let report: @Sendable (Outbox.Notice) -> Void
    /// The only queue that may wait for the disk.
    private let disk = DispatchQueue(label: "ActivityOutbox.disk", qos: .utility)
    private let alarm = Alarm()

    /// The time that `shutdown(within:)` may take beyond its limit, in seconds: to write records, to close files and to
    /// resume the caller. It is half of the tenth of a second that the documentation allows.
    static let grace: TimeInterval = 0.05

    init(
        _ configuration: Outbox.Configuration, uploader: any LogUploader, clock: OutboxClock, users: FolderUsers,
        faults: @escaping @Sendable (FileAction) throws -> Void, report: @escaping @Sendable (Outbox.Notice) -> Void
    ) {
        let (limits, changes) = configuration.limits.clamped()
        folder = StoreFolder(configuration.folder, protection: configuration.protection, users: users, faults: faults)
        keeper = StoreKeeper(folder, limits: limits, form: RecordSealing(configuration.seal), clock: clock)
        self.uploader = uploader
        self.clock = clock
        self.report = report
        state = Locked(
            State(machine: OutboxMachine(limits, uploadTime: uploader.timeLimit, seed: .random(in: .min ... .max))))
        alarm.rings { [weak self] in
            guard let self else { return }
            input { state, _ in state.alarm = nil }
        }
        // `begin()` reads the number of earlier wipes. It must run before the first record is written.
        disk.async { [keeper] in keeper.begin() }
        let problem = uploader.problem
        input { state, _ in
            state.machine.canUpload = problem == nil
            state.messages += (changes + [problem].compactMap { $0 }).map { .notice(.configuration($0)) }
        }
    }

    // MARK: Inputs

    /// Takes a record. The call costs a lock and a copy.
    func post(_ record: [UInt8]) {
        state.withLock { state in
            if state.machine.post(record, at: clock.steady) { setAlarm(&state, clock.steady()) }
        }
    }

    var limits: Outbox.Limits { look(\.delivery.limits) }

    func use(_ limits: Outbox.Limits) {
        let (limits, changes) = limits.clamped()
        input { state, now in
            state.machine.use(limits, at: now)
            state.messages += changes.map { .notice(.configuration($0)) }
            disk.async { [keeper] in keeper.limits = limits }
        }
    }

    private func input(_ change: (inout State, TimeInterval) -> Void) {
        hurry(enter(change))
        say()
    }

    /// - Returns: The actions to perform after the lock is released.
    private func enter(_ change: (inout State, TimeInterval) -> Void) -> Urgent {
        state.withLock { state in
            let now = clock.steady()
            change(&state, now)
            state.machine.advance(now)
            var urgent = Urgent()
            for effect in state.machine.takeEffects() { perform(effect, &state, &urgent) }
            setAlarm(&state, now)
            if state.machine.callers.life == .stopped, !state.hasEnded {
                state.hasEnded = true
                folder.end()
            }
            return urgent
        }
    }

    func set(_ policy: CollectionPolicy) {
        let urgent = policies.withLock { owed in
            var failure: (any Error)?
            switch policy {
            case .denied:
                (owed.withdrawal, owed.agreement) = (nil, nil)
                let now = clock.steady()
                // The mark of the denial is written first: the next process obeys it even if this one dies now.
                do {
                    try folder.deny(at: now)
                    owed.denial = nil
                } catch {
                    (failure, owed.denial) = (error, now)
                }
            // Only an agreement withdraws a denial.
            case .paused: break
            case .enabled:
                owed.agreement = clock.steady()
                owed.withdrawal = owed.agreement
                // The withdrawal is written at once, even while the outbox is suspended. A later write could withdraw a
                // newer denial of another process.
                disk.async { [self] in try? settleMarks() }
            }
            return enter { state, now in
                if let failure {
                    state.messages.append(
                        .notice(.storeUnavailable(reason: "the denial is not saved yet: \(failure)")))
                }
                state.machine.set(policy, at: now)
            }
        }
        hurry(urgent)
        say()
    }

    /// Writes the decisions that are not on disk yet. Each is written once, because a second write could undo a later
    /// decision of another process.
    private func settleMarks() throws {
        try policies.withLock { owed in
            if let time = owed.denial { try folder.deny(at: time) }
            owed.denial = nil
            if let time = owed.withdrawal { try folder.withdrawDenial(at: time, clock: clock) }
            owed.withdrawal = nil
        }
    }

    /// Passes a call to the machine, and waits for its answer.
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

    /// - Returns: False if the store could not be used.
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

    func sendWhatIsStored() { input { state, now in state.machine.sendWhatIsStored(at: now) } }

    private struct Upload: Sendable {
        let engine: ObjectIdentifier
        let number: Int
    }

    /// The upload in whose uploader this task runs.
    @TaskLocal private static var upload: Upload?

    /// Returns whether the caller runs in this outbox's uploader, and reports that: waiting would never end.
    func isInUploader(_ call: String) -> Bool {
        guard let upload = Self.upload, upload.engine == ObjectIdentifier(self),
            state.withLock({ $0.uploads[upload.number] != nil })
        else { return false }
        input { state, _ in
            state.messages.append(
                .notice(.configuration("\(call) has no effect inside an uploader, for which it would wait")))
        }
        return true
    }

    private func report(mistake: String) {
        input { state, _ in
            if state.mistakes.insert(mistake).inserted { state.messages.append(.notice(.configuration(mistake))) }
        }
    }

    func abandon() { input { state, _ in state.machine.abandon() } }

    // MARK: Effects

    /// Performs an effect while the lock is held. Therefore it must not wait or call the app's code.
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
        // Expired calls and cancellations do not wait in the queue of messages, because `report` may be slow.
        for continuation in urgent.expired { continuation.resume(returning: false) }
        for task in urgent.cancelled { task.cancel() }
    }

    /// Delivers notices and answers in order, one thread at a time, without a lock. An answer follows its notices.
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
        // The next batch is prepared while the previous one is in flight.
        DispatchQueue.global(qos: .utility).async { [uploader] in uploader.prepare(next) }
    }

    private func upload(_ number: Int, _ batch: OutboxBatch) async {
        var result = UploadResult.later(reason: "cancelled", after: nil)
        // The folder is read last, because a denial marks the folder before it reaches the machine. A suspended outbox
        // does not read the folder: its upload is already cancelled.
        let mayBegin: @Sendable () -> Bool = { [folder, state] in
            state.withLock { $0.machine.mayBegin(number) } && !Task.isCancelled && folder.mayUpload(batch)
        }
        var isWithheld = !mayBegin()
        if !isWithheld {
            var log = batch.log
            log.isAllowed = mayBegin
            log.report = { [weak self] in self?.report(mistake: $0) }
            do {
                result = try await Self.$upload.withValue(Upload(engine: ObjectIdentifier(self), number: number)) {
                    try await uploader.upload(log)
                }
            } catch {
                result = .later(reason: error.localizedDescription, after: nil)
            }
            // An uploader may have returned early because `mayBeSent` was false. A result with a wait comes from the
            // collector and counts.
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

private final class Alarm: @unchecked Sendable {
    // Safe: dispatch sources may be set from any thread.
    private let timer: any DispatchSourceTimer = DispatchSource.makeTimerSource(
        queue: DispatchQueue(label: "ActivityOutbox.alarm", qos: .utility))

    func rings(_ body: @escaping @Sendable () -> Void) {
        timer.setEventHandler(handler: body)
        timer.schedule(deadline: .distantFuture)
        timer.activate()
    }

    /// Sets the timer to fire in `seconds` seconds, in place of the current time. Nil stops the timer.
    func set(_ seconds: TimeInterval?) { timer.schedule(deadline: seconds.map { .now() + $0 } ?? .distantFuture) }

    deinit { timer.cancel() }
}
