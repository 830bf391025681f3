import ActivityTracking
import Foundation
import GRDB

/// Runs the machine's jobs on the disk. It performs the steps of ``FolderProtocol`` and returns the result of each job.
final class StoreKeeper: @unchecked Sendable {
    // Safe: it is used only on the outbox's disk queue.

    private let folder: StoreFolder
    /// The limits of the store. A change applies to the next access.
    var limits: Outbox.Limits
    private let clock: OutboxClock
    private let form: RecordSealing
    private let order = FolderProtocol.standard
    private var store: OutboxStore?
    private var wipesAtOpen: Int64 = 0
    /// The number of wipes when this process last read it; nil if it could not be read yet.
    private var wipesSeen: Int64?
    /// The latest denials that this process has obeyed. Records in memory may have been posted before them.
    private var denials: [Denial] = []
    /// The outbox's time, which continues while its files are closed.
    private var time: OutboxTime?
    /// The number of consecutive replacements, which is limited: a faulty disk may damage every new store.
    private var replacements = 0
    private var replacement: Replacement?
    /// The collector's wait that this process has read or stored last.
    private var waitSeen: OutboxStore.Wait?
    private var isProtected = false
    private var hasReportedUse = false
    private var accessNotice: Outbox.Notice?
    init(_ folder: StoreFolder, limits: Outbox.Limits, form: RecordSealing, clock: OutboxClock) {
        (self.folder, self.limits, self.form, self.clock) = (folder, limits, form, clock)
    }

    /// Reads the number of wipes before this process began. Those wipes do not affect the records of this process.
    func begin() { wipesSeen = folder.peekWipes() }

    private static let mostReplacements = 3

    private func openStore(at path: String, isRescue: Bool = false) throws -> OutboxStore {
        try OutboxStore(
            path: path, form: form, patience: folder.patience, clock: clock, time: time,
            plausibleGap: limits.storedAge, isRescue: isRescue)
    }

    private var storeLimits: OutboxStore.Limits {
        .init(
            records: limits.storedRecords, bytes: limits.storedBytes, age: limits.storedAge,
            deadLetters: limits.deadLetters)
    }

    // MARK: Jobs

    private struct Run {
        let job: OutboxMachine.Job
        let question: (OutboxStore) throws -> Void
        let marks: Marks
        var result = OutboxMachine.JobResult()
        /// The error of the step that failed last.
        var error: (any Error)?
        var isCommitted = false
        var hasRetried = false
        /// Indicates whether the batch could not be read without the lock. It is then read again with the lock.
        var hasFoundDamage = false
        /// The state of the file `outbox.wipe` when the wipe began. After the wipe, the file is deleted only if it is
        /// still in this state. A later withdrawal changes the file and causes another wipe.
        var mark: StoreFolder.Mark?
        var denial = Denial(given: 0, withdrawn: 0)

        var needsStore: Bool { if case .obey = job { false } else { true } }
        var readsBatch: Bool {
            switch job {
            case .fetch, .probe: true
            default: false
            }
        }
        var isClosing: Bool { if case .close = job { true } else { false } }
    }

    /// The replacement of a store. It outlives a run that a full disk ends before the new store is in place.
    private struct Replacement {
        var damage: any Error = Damage("another process began to replace it")
        /// The records of the old store; nil if they are unreadable or another process has read them.
        var rescued: RescuedRecords?
        /// The path to which the old store is moved; nil before the first move.
        var target: String?
        var isPlaced = false
    }

    /// Access to the user's decisions in this process.
    struct Marks {
        /// Writes the decisions that are not on disk yet.
        let settle: () throws -> Void
        /// Returns the time of the last agreement, by the monotonic clock; nil if the user has not agreed or denies.
        let agreement: () -> TimeInterval?
    }

    /// - Parameter ask: The body of an `ask` job.
    func perform(
        _ job: OutboxMachine.Job, ask: @escaping (OutboxStore) throws -> Void, marks: Marks
    ) -> OutboxMachine.JobResult {
        var run = Run(job: job, question: ask, marks: marks)
        switch job {
        case .write, .settle, .ask: perform(.use, &run)
        case .fetch, .probe: perform(.deliver, &run)
        case .obey: perform(.obey, &run)
        case .rest(let forbidden):
            // The right is released first: the store may be locked by another process, which may be suspended.
            folder.giveRightBack()
            if forbidden > 1, store != nil { perform(.use, &run) }
        case .close: close(&run)
        }
        return run.result
    }

    private func perform(_ entry: FolderProtocol.Entry, _ run: inout Run) {
        run.error = nil
        let end = order.run(entry) { step in
            do { return try take(step, &run) } catch {
                run.error = error
                let outcome = outcome(of: error, in: step)
                if outcome == .damaged, step != .readBatch { replacement = Replacement(damage: error) }
                return outcome
            }
        }
        if end != .failed { folder.patience.renew() }
        reportReplacement(&run.result)
        if let notice = accessNotice { run.result.notices.append(notice) }
        accessNotice = nil
        run.result.failure = end == .failed ? reason(run.error ?? Damage("unknown")) : nil
        if let reason = run.result.failure, run.error is StoreFolder.InUse, !hasReportedUse {
            hasReportedUse = true
            run.result.notices.append(.configuration(reason))
        }
        run.result.isElsewhere = end == .elsewhere
        run.result.isDenied = end == .denied
        if end == .denied { run.result.sums = OutboxSums() }
    }

    private func commit(_ store: OutboxStore, _ run: inout Run) throws {
        switch run.job {
        case .write(let records, let dropped, _):
            try folder.check(.write)
            if !records.isEmpty || dropped > 0 {
                note(try store.insert(records, dropped: dropped, limits: storeLimits), &run.result)
            }
            run.result.sums = try store.sums()
            replacements = 0
        case .fetch(let last, _, _):
            if last == 0 {
                try folder.check(.write)
                note(try store.drop(past: storeLimits), &run.result)
                let wait = try store.forbidden()
                // A wait that this process knows is timed by its monotonic clock.
                if wait != waitSeen { run.result.forbidden = wait.left(at: clock.wall()) }
                waitSeen = wait
            }
            if run.hasFoundDamage { try readBatch(store, &run) }
            run.result.sums = try store.sums()
            if last == 0 { try? store.shrink() }
        case .probe:
            if run.hasFoundDamage { try readBatch(store, &run) }
            run.result.sums = try store.sums()
        case .settle(let batch, let verdicts):
            try folder.check(.write)
            let (buried, dropped) = try store.settle(batch, verdicts, limits: storeLimits)
            run.result.buried = buried
            note(dropped, &run.result)
            run.result.sums = try store.sums()
            // If this fails, for example on a full disk, the next job tries again.
            try? store.shrink()
            // The log still contains the delivered records.
            if run.result.sums?.records == 0 { try? store.emptyLog() }
        case .rest(let forbidden):
            try folder.check(.write)
            let wait = OutboxStore.Wait(seconds: forbidden, since: clock.wall())
            try store.forbid(wait)
            waitSeen = wait
        case .ask:
            try folder.check(.read)
            try run.question(store)
            run.result.sums = try store.sums()
        case .obey, .close: break
        }
    }

    private func readBatch(_ store: OutboxStore, _ run: inout Run) throws {
        try folder.check(.read)
        switch run.job {
        case .fetch(let last, let records, let bytes):
            run.result.batch = try store.batch(behind: last, records: records, bytes: bytes)
        case .probe(let place): run.result.batch = try store.probe(at: place)
        case .write, .obey, .settle, .rest, .close, .ask: return
        }
        run.result.batch?.wipes = wipesAtOpen
    }

    private func note(_ denial: Denial) {
        // The last eight denials are kept. Records stay in memory only briefly, so older denials do not affect them.
        denials = denials.suffix(7) + [denial]
    }

    private func note(_ drops: [Outbox.Notice.Drop: Int], _ result: inout OutboxMachine.JobResult) {
        result.dropped.merge(drops) { $0 + $1 }
    }

    /// Closes the store and every file, even if a step fails, because a suspended app must not hold a lock.
    private func close(_ run: inout Run) {
        perform(.close, &run)
        // If the files were deleted, the first run has copied their records to a new store, which is open now.
        if store != nil, run.result.failure == nil { perform(.close, &run) }
        if let failure = run.result.failure { run.result.notices.append(.storeUnavailable(reason: failure)) }
        releaseStore()
        folder.close()
    }

    // MARK: Steps

    /// Performs one step. Throws if the call fails.
    private func take(_ step: FolderProtocol.Step, _ run: inout Run) throws -> FolderProtocol.Outcome {
        switch step {
        case .lockRight:
            try folder.make()
            try folder.enter()
            return try folder.takeRight() ? .done : .busy
        case .lock: try lock()
        case .unlock: folder.unlock()

        case .settleMarks: try run.marks.settle()
        case .readDenied:
            guard try folder.isDenied() else { return .no }
            run.denial = folder.denial(isWithdrawn: false, clock: clock)
            return .yes
        case .readWipeDue:
            guard try folder.isWipeDue() else { return .no }
            run.mark = folder.wipeDueMark
            run.denial = folder.denial(isWithdrawn: true, clock: clock)
            return .yes
        case .removeWipeDue: try folder.removeWipeDue(run.mark)

        case .closeForWipe: closeForWipe(&run)
        case .removeNext: return try folder.removeNext() ? .done : .no
        case .countWipe:
            folder.countWipe(of: run.denial)
            wipesSeen = folder.wipes
            note(run.denial)

        case .compareStore: return try compareStore()
        case .releaseStore: releaseStore()
        case .lookAtStore:
            if try folder.isStoreEmpty() { return .empty }
            if let obstacle = try folder.obstacle() { throw Damage(obstacle) }
        case .removeEmpty: try folder.removeEmpty()
        case .sealAside: if form.isSealing { try folder.sealWhatIsSetAside(form.stored) }
        case .open: try open(&run)
        case .needsStore: return run.needsStore ? .yes : .no
        case .isCommitted: return run.isCommitted || run.isClosing ? .yes : .no
        case .isPostedBeforeWipe:
            guard case .write(_, _, let since) = run.job else { return .no }
            let agreement = run.marks.agreement()
            return denials.contains { since < $0.limit(agreement: agreement) } ? .yes : .no
        case .commit:
            guard let store else { return .broken }
            try commit(store, &run)
            run.isCommitted = true
        case .readBatch:
            guard run.readsBatch, let store, !run.hasFoundDamage else { return .done }
            (run.hasFoundDamage, run.isCommitted) = (true, false)
            try readBatch(store, &run)
        case .mayRetry:
            defer { run.hasRetried = true }
            return run.hasRetried ? .no : .yes

        case .readRescued:
            let isPending = try folder.hasRescued()
            // Another process may have finished the replacement that this process began.
            if isPending { replacement?.target = nil } else { replacement = nil }
            return isPending ? .yes : .no
        case .mayReplace:
            replacements += 1
            return replacements <= Self.mostReplacements ? .yes : .no
        case .readDamaged: try readDamaged()
        case .readVanished: try readVanished()
        case .discardRescue: try folder.removeRescue()
        case .writeRescue: try writeRescue(replacement?.rescued ?? RescuedRecords())
        case .syncRescue: try folder.syncRescue()
        case .completeRescue: try folder.completeRescue()
        case .syncWipe, .syncCompletion, .syncMoves: try folder.sync()
        case .moveLog: try move("-wal")
        case .moveJournal: try move("-journal")
        case .moveIndex: try move("-shm")
        case .moveStore: try move("")
        case .placeRescue:
            try folder.placeRescue()
            replacement?.isPlaced = true

        case .checkpoint: try store?.emptyLog()
        case .close:
            store?.close()
            store = nil
        case .closeUnlocked: releaseStore()
        case .compareBatch: return .failed
        }
        return .done
    }

    private func outcome(of error: any Error, in step: FolderProtocol.Step) -> FolderProtocol.Outcome {
        switch step {
        case .lookAtStore where error is Damage, .open where Self.isDamage(error), .commit where Self.isDamage(error):
            return .damaged
        case .readBatch: return .damaged
        case .commit where error is OutboxStore.Converted: return .broken
        case .commit:
            // The permissions of the files may have changed. A new connection may work.
            let error = error as? DatabaseError
            return [.SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error?.resultCode) ? .broken : .failed
        default: return .failed
        }
    }

    private static func isDamage(_ error: any Error) -> Bool {
        if error is Damage || error is RecordSealing.NotOpened { return true }
        guard let error = error as? DatabaseError else { return false }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: return true
        // A table or column is missing, or contains an impossible value.
        case .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE, .SQLITE_SCHEMA: return true
        case .SQLITE_CONSTRAINT: return error.extendedResultCode != .SQLITE_CONSTRAINT_TRIGGER
        default: return false
        }
    }

    /// Returns a message for an error. Equal failures have equal messages, so that each is reported once.
    private func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return "SQLite error \(error.extendedResultCode.rawValue): \(error.message ?? "unknown")"
    }

    private func lock() throws {
        try folder.make()
        try folder.enter()
        if !isProtected {
            // An earlier version of the app may have created the folder without protection.
            isProtected = true
            folder.protect()
            if let notice = folder.narrow() { accessNotice = notice }
        }
        try folder.lock()
        // Another process has wiped the store. Records posted in this process before that denial are denied, too.
        if let wipesSeen, folder.wipes != wipesSeen { note(folder.lastDenial(clock: clock)) }
        wipesSeen = folder.wipes
    }

    private func open(_ run: inout Run) throws {
        try folder.check(.open)
        wipesAtOpen = folder.wipes
        let opened = try openStore(at: folder.store)
        store = opened
        time = opened.time
    }

    private func compareStore() throws -> FolderProtocol.Outcome {
        guard let store else { return .no }
        // A truncated log is as lost as a deleted one. What the connection can still read goes into a new store.
        if store.isInPlace { return try store.isWhole() ? .inPlace : .gone }
        // The lock file may have been deleted with the folder. `FileLock` still keeps the number of wipes.
        let isReplaced = FileIdentity(folder.store) != nil && folder.mayOpen && !store.isUnmoved
        return isReplaced || folder.wipes != wipesAtOpen ? .moved : .gone
    }

    /// Closes the connection without removing files, because these may belong to another store.
    private func releaseStore() {
        store?.release()
        store = nil
    }

    // MARK: Wipe

    private func closeForWipe(_ run: inout Run) {
        let open = store.flatMap { $0.isInPlace ? try? $0.sums() : nil }
        let sums = open ?? storedSums()
        releaseStore()
        note([.denied: sums.records + sums.deadLetters], &run.result)
        run.result.isWiped = true
    }

    /// Returns the sums of a store that is not open, or zeros if they cannot be read.
    private func storedSums() -> OutboxSums {
        guard FileIdentity(folder.store) != nil, folder.mayOpen,
            let source = try? OutboxStore.reading(folder.store, folder.patience)
        else {
            return OutboxSums()
        }
        defer { try? source.close() }
        return (try? source.unsafeRead { try OutboxStore.sums(in: $0) }) ?? OutboxSums()
    }

    // MARK: Replace

    private func readDamaged() throws {
        guard folder.mayOpen, let source = try? OutboxStore.reading(folder.store, folder.patience) else { return }
        defer { try? source.close() }
        replacement?.rescued = try RescuedRecords(source, form)
    }

    /// Reads the open store after its folder or a file was deleted. The open connection can still read the files.
    private func readVanished() throws {
        guard let store else { return }
        replacement = Replacement(damage: Vanished(), rescued: try RescuedRecords(store.database, form))
    }

    private struct Vanished: Error {}

    private func writeRescue(_ rescued: RescuedRecords) throws {
        try folder.check(.write)
        let new = try openStore(at: folder.rescue, isRescue: true)
        defer { new.release() }
        if rescued.isWorthKeeping { try new.take(rescued) }
    }

    private func move(_ suffix: String) throws {
        var replacement = self.replacement ?? Replacement()
        let target = try replacement.target ?? folder.nameForOldStore(at: clock.wall())
        replacement.target = target
        self.replacement = replacement
        try folder.moveStore(suffix, to: target)
    }

    /// Reports a replacement, once the new store is in place.
    private func reportReplacement(_ result: inout OutboxMachine.JobResult) {
        guard let replacement, replacement.isPlaced, var target = replacement.target else { return }
        self.replacement = nil
        let recovered = replacement.rescued?.records.count ?? (try? store?.sums().records) ?? 0
        note([.damaged: replacement.rescued?.lost ?? 0], &result)
        if replacement.damage is Vanished {
            result.notices.append(
                .storeUnavailable(
                    reason: "its files were gone, truncated or unreadable; the records that could be read are in a new "
                        + "store (records: \(recovered))"))
            return
        }
        if FileIdentity(target) == nil { target += StoreFolder.sealedSuffix }
        result.notices.append(
            .storeSetAside(URL(fileURLWithPath: target), reason: reason(replacement.damage), recovered: recovered))
    }
}
