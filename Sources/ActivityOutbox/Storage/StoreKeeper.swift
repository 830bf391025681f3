import ActivityTracking
import Foundation
import GRDB

/// Does the machine's jobs: opens the store, mends what can be mended, and returns what became of each job.
final class StoreKeeper: @unchecked Sendable {
    // Safe: it is used on the outbox's disk queue alone.

    private let folder: StoreFolder
    private let limits: OutboxLimits
    private let clock: OutboxClock
    private let form: StoredForm
    private var store: OutboxStore?
    /// How often the folder had been wiped when the store was opened.
    private var wipes: Int64 = 0
    /// The outbox's time goes on while its files are closed.
    private var time: OutboxTime?
    /// How many stores in a row were set aside. If the disk damages every one, the keeper gives up.
    private var setAside = 0
    private var isForbiddenRead = false
    private var isProtected = false
    private var isPolicyRead = false
    /// The policy of an earlier process, if it was replaced before the machine has heard of it.
    private var replaced: KeptPolicy??
    /// How often in a row it could not be read.
    private var unread = 0

    init(_ folder: StoreFolder, limits: OutboxLimits, form: StoredForm, clock: OutboxClock) {
        (self.folder, self.limits, self.form, self.clock) = (folder, limits, form, clock)
    }

    private func openStore(at path: String) throws -> OutboxStore {
        try OutboxStore(path: path, form: form, clock: clock, time: time, plausibleGap: limits.storedAge)
    }

    private var storeLimits: OutboxStore.Limits {
        .init(records: limits.storedRecords, bytes: limits.storedBytes, age: limits.storedAge)
    }

    /// - Parameters:
    ///   - ask: what a question is about.
    ///   - settleMarker: takes the marker away, or sets it once more, as the policy asks.
    func perform(_ job: OutboxMachine.Job, ask: (OutboxStore) throws -> Void, settleMarker: () throws -> Void) -> OutboxMachine.JobResult {
        var result = OutboxMachine.JobResult()
        // The job is tried again with a store that was mended or made anew.
        for attempt in 0..<3 {
            do {
                try attemptJob(job, &result, ask, settleMarker)
                result.failure = nil
                return result
            } catch {
                result.failure = reason(error)
                guard attempt < 2, mend(error, job, &result) else { break }
            }
        }
        return result
    }

    private func attemptJob(
        _ job: OutboxMachine.Job, _ result: inout OutboxMachine.JobResult, _ ask: (OutboxStore) throws -> Void,
        _ settleMarker: () throws -> Void
    ) throws {
        switch job {
        case .write(let records, let dropped):
            guard let store = try openStore(&result) else { return }
            let drops = try inPlace(store) {
                records.isEmpty && dropped == 0 ? [:] : try store.insert(records, dropped: dropped, limits: storeLimits)
            }
            note(drops, &result)
            result.sums = try store.sums()
            setAside = 0
        case .obey(let wipes):
            if folder.isThere, wipes || folder.isMarked { try wipe(&result) }
            if wipes { (result.isDenied, result.sums) = (true, OutboxSums()) }
            try settleMarker()
            if !isPolicyRead {
                result.policy = try replaced ?? readPolicy(&result)
                result.policyLeft = result.policy?.left(at: clock.wall()) ?? 0
                isPolicyRead = true
            }
        case .fetch(let last, let records, let bytes):
            try folder.make()
            guard try folder.takeRight() else {
                result.isElsewhere = true
                return
            }
            guard let store = try openStore(&result) else { return }
            if last == 0 { note(try inPlace(store) { try store.drop(past: storeLimits) }, &result) }
            try folder.check(.read)
            result.batch = try store.batch(behind: last, records: records, bytes: bytes)
            result.sums = try store.sums()
        case .settle(let batch, let verdicts):
            guard let store = try openStore(&result) else { return }
            let (buried, dropped) = try inPlace(store) { try store.settle(batch, verdicts, deadLetterLimit: limits.deadLetters) }
            result.buried = buried
            note([.deadLetters: dropped], &result)
            result.sums = try store.sums()
        case .rest(let forbidden):
            defer { folder.giveRightBack() }
            if forbidden > 1, let store { try inPlace(store) { try store.forbid(forbidden) } }
        case .close: close()
        case .ask:
            guard let store = try openStore(&result) else { return }
            try folder.check(.read)
            try ask(store)
            result.sums = try store.sums()
        }
    }

    /// Keeps a policy for later launches, in place of the one before, or none. What has been posted is still looked at
    /// by the one before.
    func keep(_ policy: KeptPolicy?) throws {
        let earlier = isPolicyRead || replaced != nil ? nil : try folder.readPolicy()
        try folder.write(policy: policy?.file)
        guard !isPolicyRead, replaced == nil else { return }
        let former = earlier.flatMap { try? KeptPolicy(file: $0) }
        replaced = .some(former.flatMap { $0.left(at: clock.wall()) > 0 ? $0 : nil })
    }

    /// The policy that an earlier process was given. One that no longer holds is removed.
    private func readPolicy(_ result: inout OutboxMachine.JobResult) throws -> KeptPolicy? {
        var file: [UInt8]?
        do { file = try folder.readPolicy() } catch {
            unread += 1
            // A disk that can be used again in a moment is waited for. If the store can be used and this one file
            // cannot, the records are worth more.
            guard unread >= Self.mostUnread, !folder.isMarked, try openStore(&result) != nil else { throw error }
            result.notices.append(.remotePolicy("its file cannot be read: \(error)"))
        }
        guard let file else { return nil }
        do {
            let kept = try KeptPolicy(file: file)
            if kept.left(at: clock.wall()) > 0 { return kept }
            result.notices.append(.remotePolicy("it has expired"))
        } catch {
            result.notices.append(.remotePolicy("\(error)"))
        }
        try? folder.removePolicy(file)
        return nil
    }

    private static let mostUnread = 5

    private func note(_ drops: [Outbox.Notice.Drop: Int], _ result: inout OutboxMachine.JobResult) {
        result.dropped.merge(drops) { $0 + $1 }
    }

    /// Writes what a new process must find. No process moves the files meanwhile, and their place is checked before and
    /// after.
    private func inPlace<Result>(_ store: OutboxStore, _ body: () throws -> Result) throws -> Result {
        guard folder.isThere else { throw Vanished(isDone: false) }
        return try folder.shared {
            guard !folder.isMarked else { throw Denied() }
            guard store.isInPlace else { throw Vanished(isDone: false) }
            try folder.check(.write)
            let result = try body()
            guard store.isInPlace else { throw Vanished(isDone: true) }
            return result
        }
    }

    // MARK: Opening

    /// The store; nil, and the result says so, if the user has denied.
    private func openStore(_ result: inout OutboxMachine.JobResult) throws -> OutboxStore? {
        if folder.isMarked {
            try wipe(&result)
            result.isDenied = true
            return nil
        }
        if let store { return store }
        try folder.make()
        if !isProtected {
            // An earlier version of the app may have made the folder.
            isProtected = true
            folder.protect()
        }
        let opened = try folder.exclusive {
            try folder.finishRescue()
            if let obstacle = folder.obstacle { try setAside(obstacle, RescuedRecords(), &result) }
            try folder.check(.open)
            wipes = folder.wipes
            // A process may have died between setting a store aside and sealing it.
            if form.isSealing { try folder.sealWhatIsSetAside(form.stored) }
            return try openStore(at: folder.store)
        }
        store = opened
        time = opened.time
        if !isForbiddenRead {
            isForbiddenRead = true
            result.forbidden = opened.forbidden
        }
        return opened
    }

    private func closeStore() {
        store?.close()
        store = nil
    }

    private func close() {
        closeStore()
        folder.close()
    }

    // MARK: Denial

    private struct Denied: Error {}

    /// Nothing that was recorded stays in any file.
    private func wipe(_ result: inout OutboxMachine.JobResult) throws {
        try folder.exclusive {
            let sums = (try? store?.sums()) ?? storedSums()
            closeStore()
            try folder.wipe()
            note([.denied: sums.records + sums.deadLetters], &result)
        }
        result.isDenied = true
        result.sums = OutboxSums()
    }

    /// The sums of a store that is not open; zero if they cannot be read.
    private func storedSums() -> OutboxSums {
        guard let source = try? OutboxStore.reading(folder.store) else { return OutboxSums() }
        defer { try? source.close() }
        return (try? source.unsafeRead { try OutboxStore.sums(in: $0) }) ?? OutboxSums()
    }

    // MARK: Mending

    /// The store that is open is not the one that a new process would find.
    private struct Vanished: Error {
        /// Whether that was seen only after the job was done.
        let isDone: Bool
    }

    /// Mends what a failure is about, if it can. True if the job is worth another try.
    private func mend(_ error: any Error, _ job: OutboxMachine.Job, _ result: inout OutboxMachine.JobResult) -> Bool {
        do {
            switch error {
            case is Denied: return true
            case let error as Vanished:
                if try rescueVanished(&result), error.isDone, case .write = job {
                    // What was written is among what was rescued.
                    result.failure = nil
                    return false
                }
            case let error where Self.isDamage(error):
                guard setAside < 3 else { return false }
                try replaceDamaged(reason(error), isNewer: error is OutboxStore.NewerVersion, &result)
                setAside += 1
            // Permissions may have changed: opening it again shows.
            case let error as DatabaseError where [.SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error.resultCode):
                guard store != nil else { return false }
                closeStore()
            default: return false
            }
            return true
        } catch {
            result.failure = reason(error)
            return false
        }
    }

    private static func isDamage(_ error: any Error) -> Bool {
        if error is OutboxStore.NewerVersion || error is Damage || error is StoredForm.NotOpened { return true }
        guard let error = error as? DatabaseError else { return false }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: return true
        // A table or a column is missing, or holds what it cannot.
        case .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE, .SQLITE_SCHEMA: return true
        case .SQLITE_CONSTRAINT: return error.extendedResultCode != .SQLITE_CONSTRAINT_TRIGGER
        default: return false
        }
    }

    /// The failure in words: the same words for the same failure, so that it is reported once.
    private func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return "SQLite error \(error.extendedResultCode.rawValue): \(error.message ?? "unknown")"
    }

    /// The folder or a file was deleted, or another process has set the store aside. The open file can still be read,
    /// and its records go into the store that others find, unless they were denied meanwhile.
    /// - Returns: whether there was something to be rescued.
    private func rescueVanished(_ result: inout OutboxMachine.JobResult) throws -> Bool {
        guard let vanished = store else { return false }
        // Asked before the lock file is opened anew: the deleted one still has the number.
        let isWiped = folder.wipes != wipes
        let isReplaced = FileIdentity(folder.store) != nil
        // The process that replaced the store has read it before.
        let rescued = isWiped || isReplaced ? RescuedRecords() : try RescuedRecords(vanished.database, form)
        closeStore()
        guard !rescued.isEmpty, let store = try openStore(&result) else { return false }
        try store.take(rescued)
        result.sums = try store.sums()
        result.notices.append(
            .storeUnavailable(reason: "its files were gone; what was in them has been written anew (records: \(rescued.records.count))"))
        return true
    }

    /// Sets the damaged store aside and begins a new one with what can be read of it.
    private func replaceDamaged(_ reason: String, isNewer: Bool, _ result: inout OutboxMachine.JobResult) throws {
        let damaged = store
        closeStore()
        try folder.exclusive {
            // Another process may have done it already: its store is good.
            if let damaged, !damaged.isUnmoved { return }
            // If no store was open, this file must fail now, not a moment ago.
            if damaged == nil, (try? openStore(at: folder.store))?.close() != nil {
                return
            }
            var rescued = RescuedRecords()
            if !isNewer, let source = try? OutboxStore.reading(folder.store) {
                defer { try? source.close() }
                rescued = try RescuedRecords(source, form)
            }
            try setAside(reason, rescued, &result)
        }
    }

    /// Runs with the exclusive lock. The new store is complete before the old one moves, so a kill at any moment loses
    /// nothing.
    private func setAside(_ reason: String, _ rescued: RescuedRecords, _ result: inout OutboxMachine.JobResult) throws {
        try folder.dropRescue()
        if !rescued.isEmpty || rescued.dropped > 0 {
            let new = try openStore(at: folder.rescue)
            defer { new.close() }
            try new.take(rescued)
            new.close()
            try folder.completeRescue()
        }
        var target = try folder.setAside(at: clock.wall())
        try folder.finishRescue()
        if form.isSealing {
            // If that cannot be done now, the next opening does it.
            try? folder.sealWhatIsSetAside(form.stored)
            if FileIdentity(target) == nil { target += StoreFolder.sealedSuffix }
        }
        note([.damaged: rescued.lost], &result)
        result.notices.append(.storeSetAside(URL(fileURLWithPath: target), reason: reason, recovered: rescued.records.count))
    }
}
