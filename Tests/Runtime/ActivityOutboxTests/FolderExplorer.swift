@testable import ActivityOutbox

/// An explorer of all interleavings of processes that share a folder, up to a bound: every order of their steps, a
/// crash after every step, and a failure of every step that may fail.
///
/// It explores states breadth first and each state once, so the trace of a violation is as short as possible. In every
/// state it also kills all processes, starts one, and checks the folder that this process finds.
struct FolderExplorer {
    struct Violation: Error, CustomStringConvertible {
        let fact: String
        var way: [String] = []
        var description: String { "\(fact)\n  \(way.joined(separator: "\n  "))" }
    }

    struct TooLarge: Error {
        let limit: Int
    }

    private let order: FolderProtocol
    /// Simulates an earlier version, in which the new store had a log. If the log could not be checkpointed into the
    /// store, it was orphaned.
    private let rescueHasLog: Bool
    /// The rows of the table, flattened by state and outcome.
    private let steps: [FolderProtocol.Step?]
    private let next: [FolderProtocol.State]
    private static let outcomes = FolderProtocol.Outcome.allCases

    private(set) var count = 0
    /// The folders that have passed `checkEnd`: a process that starts alone keeps every promise.
    private var sound: Set<FolderModel> = []

    init(_ order: FolderProtocol, rescueHasLog: Bool = false) {
        (self.order, self.rescueHasLog) = (order, rescueHasLog)
        steps = FolderProtocol.State.allCases.map { order.rows[$0]?.step }
        next = FolderProtocol.State.allCases.flatMap { state in
            Self.outcomes.map { outcome in order.rows[state].map { FolderProtocol.next($0, after: outcome) } ?? state }
        }
    }

    private static let numbers: [FolderProtocol.Outcome: Int] = Dictionary(
        uniqueKeysWithValues: outcomes.enumerated().map { ($1, $0) })

    private func after(_ state: FolderProtocol.State, _ outcome: FolderProtocol.Outcome) -> FolderProtocol.State {
        next[Int(state.rawValue) * Self.outcomes.count + (Self.numbers[outcome] ?? 0)]
    }

    /// A transition between states. Its description is built only for a violation.
    private enum Move: CustomStringConvertible {
        case event(Int, StaticString)
        case job(Int, FolderModel.Job)
        case step(Int, isUpload: Bool, FolderProtocol.Step, FolderProtocol.Outcome)

        var description: String {
            switch self {
            case .event(let process, let words): process < 0 ? "\(words)" : "\(process + 1): \(words)"
            case .job(let process, let job): "\(process + 1): begins: \(job)"
            case .step(let process, let isUpload, let step, let outcome):
                "\(process + 1)\(isUpload ? ", upload" : ""): \(step) → \(outcome)"
            }
        }
    }

    // MARK: Exploration

    /// - Parameter limit: The number of states after which the exploration ends with `TooLarge`.
    mutating func explore(_ start: FolderModel, limit: Int = 5_000_000) throws {
        var states = [start]
        var parents: [Int32] = [-1]
        var moves = [Move.event(-1, "begin")]
        var seen: Set<FolderModel> = [start]
        var index = 0
        func way(to index: Int, _ last: Move) -> [String] {
            var way = ["\(last)"]
            var index = index
            while index > 0 {
                way.append("\(moves[index])")
                index = Int(parents[index])
            }
            return way.reversed()
        }
        while index < states.count {
            let state = states[index]
            var move = Move.event(-1, "all die")
            do {
                try checkEnd(state)
                try expand(state) { name, successor in
                    move = name
                    guard seen.insert(successor).inserted else { return }
                    states.append(successor)
                    parents.append(Int32(index))
                    moves.append(name)
                }
            } catch var violation as Violation {
                violation.way = way(to: index, move) + violation.way
                throw violation
            }
            index += 1
            if index > limit { throw TooLarge(limit: limit) }
        }
        count += states.count
    }

    private typealias Take = (Move, FolderModel) throws -> Void

    private func expand(_ state: FolderModel, _ take: Take) throws {
        for process in 0..<3 where state[process].isAlive {
            let runner = state[process]
            if runner.isIdle {
                try begin(process, state, take)
            } else {
                try perform(process, state, isUpload: false, take)
            }
            if runner.isUploading { try perform(process, state, isUpload: true, take) }
            if runner.denials > 0 {
                var denied = state
                denied[process].denials -= 1
                denied.deny(process, isMarked: true)
                try take(.event(process, "denies"), denied)
                if state.fullDisks > 0 {
                    denied = state
                    denied[process].denials -= 1
                    denied.fullDisks -= 1
                    denied.deny(process, isMarked: false)
                    try take(.event(process, "denies, and the mark fails"), denied)
                }
            }
            if state.crashes > 0 {
                var dead = state
                dead.crashes -= 1
                dead.crash(process)
                try take(.event(process, "dies"), dead)
            }
        }
        if state.starts > 0 {
            for process in 0..<2 where !state[process].isAlive {
                for agrees in [true, false] {
                    var started = state
                    started.starts -= 1
                    started.start(process, agrees: agrees)
                    try take(.event(process, agrees ? "starts and agrees" : "starts"), started)
                }
            }
        }
        if state.damages > 0, state.names.store != 0, !state.has(state.damaged, state.names.store) {
            var damaged = state
            damaged.damages -= 1
            damaged.damaged |= 1 << state.names.store
            try take(.event(-1, "the store is damaged"), damaged)
        }
        if state.powerFailures > 0 { try failPower(state, take) }
    }

    /// Kills every process, and undoes each subset of the name changes since the folder was last synchronized.
    private func failPower(_ state: FolderModel, _ take: Take) throws {
        var changes: [FolderModel.Change] = []
        for place in (0..<8).reversed() {
            if let change = FolderModel.Change(rawValue: state.unsynced >> (4 * UInt32(place)) & 15) {
                changes.append(change)
            }
        }
        for choice in 0..<(1 << changes.count) {
            var left = state
            for process in 0..<3 { left.crash(process) }
            left.names = state.synced
            for (index, change) in changes.enumerated() where choice & 1 << index != 0 {
                FolderModel.apply(change, to: &left.names, of: 0)
            }
            // SQLite does not synchronize its log after each commit (synchronous = NORMAL).
            left.durable &= left.contentsOfStores
            for store in [left.names.store, left.names.rescued]
            where store != 0 && !left.has(left.isContentSynced, store) {
                left.write(0, to: store)
            }
            left.powerFailures -= 1
            left.syncNames()
            if left.isDenialSettled, !left.names.denied {
                throw Violation(fact: "a denial that was obeyed is forgotten", way: ["power fails"])
            }
            // A power failure may lose a denial before it is obeyed, and also its withdrawal.
            let isWipeOver = changes.indices.contains { changes[$0] == .removeWipeDue && choice & 1 << $0 != 0 }
            if !left.names.denied, !left.names.wipeDue, !isWipeOver {
                // The records that the wipe has already removed stay removed.
                left.durable &= ~left.denied
                left.denied = 0
            }
            left.isDenied = left.names.denied
            try take(.event(-1, "power fails"), left)
        }
    }

    private func begin(_ process: Int, _ state: FolderModel, _ take: Take) throws {
        let runner = state[process]
        func begin(
            _ job: FolderModel.Job, _ entry: FolderProtocol.Entry, _ edit: (inout FolderModel) -> Void = { _ in }
        ) throws {
            var begun = state
            begun[process].job = job
            begun[process].state = entry.state
            begun[process].flags.subtract([.isCommitted, .hasRetried, .hasFoundDamage])
            edit(&begun)
            try take(.job(process, job), begun)
        }
        if runner.agreements > 0 {
            var agreed = state
            agreed[process].agreements -= 1
            agreed.agree(process)
            try take(.event(process, "agrees"), agreed)
        }
        if runner.flags.contains(.mustObey) { return try begin(.obey, .obey) { $0[process].flags.remove(.mustObey) } }
        if runner.unsettled != 0 { return try begin(.settle, .use) }
        // A record whose write failed waits in memory.
        if runner.record != 0 { return try begin(.write, .use) }
        if runner.writes > 0, runner.policy != .denied,
            let record = (0..<4).first(where: { state.posted & 1 << $0 == 0 })
        {
            try begin(.write, .use) { begun in
                begun[process].writes -= 1
                begun[process].record = 1 << UInt8(record)
                begun[process].flags.subtract([.isOlderThanWipe, .isOlderThanAgreement, .isOlderThanMark])
                begun.posted |= 1 << UInt8(record)
                if begun.isDenied { begun.denied |= 1 << UInt8(record) }
            }
        }
        if runner.deliveries > 0, runner.policy == .enabled, !runner.isUploading {
            try begin(.deliver, .deliver) { $0[process].deliveries -= 1 }
        }
        if runner.closes > 0 { try begin(.close, .close) { $0[process].closes -= 1 } }
    }

    /// The steps that read only the state of their own process. Their interleaving with steps of other processes does
    /// not matter.
    private static let local: Set<FolderProtocol.Step> = [
        .needsStore, .isCommitted, .isPostedBeforeWipe, .mayRetry, .mayReplace, .sealAside, .moveJournal,
    ]

    private func perform(_ process: Int, _ state: FolderModel, isUpload: Bool, _ take: Take) throws {
        let at = isUpload ? state[process].upload : state[process].state
        guard let step = steps[Int(at.rawValue)] else { return }
        // Another process holds the lock: this one waits, and finally times out.
        if step == .lock, state.locker != 0 {
            guard state.failedLocks > 0 else { return }
            var failed = state
            failed.failedLocks -= 1
            return try advance(
                process, failed, at, .failed, isUpload, .step(process, isUpload: isUpload, step, .failed), take)
        }
        for (outcome, result) in try outcomes(of: step, process, state, isUpload: isUpload) {
            try advance(process, result, at, outcome, isUpload, .step(process, isUpload: isUpload, step, outcome), take)
        }
    }

    private func advance(
        _ process: Int, _ state: FolderModel, _ at: FolderProtocol.State, _ outcome: FolderProtocol.Outcome,
        _ isUpload: Bool, _ move: Move,
        _ take: Take
    ) throws {
        var state = state
        let target = after(at, outcome)
        if isUpload {
            state[process].upload = target
            if FolderProtocol.ends[target] != nil { try endUpload(process, &state, target) }
        } else {
            state[process].state = target
            if let end = FolderProtocol.ends[target] {
                try self.end(process, &state, end)
            } else if let step = steps[Int(target.rawValue)], Self.local.contains(step) {
                return try perform(process, state, isUpload: false) { try take(move, $1) }
            }
        }
        try take(move, state)
    }

    private func end(_ process: Int, _ state: inout FolderModel, _ end: FolderProtocol.End) throws {
        if state[process].flags.contains(.hasLock) { throw Violation(fact: "the lock is kept") }
        let record = state[process].record
        switch state[process].job {
        case .write:
            let isDropped = state[process].policy == .denied
            if end == .done, !isDropped { state.durable |= record }
            if end == .denied || isDropped { state.counted |= record }
            if end != .failed || isDropped { state[process].record = 0 }
        case .deliver:
            if end == .done, state[process].read != 0 {
                let isAlone = (0..<3).allSatisfy { $0 == process || !state[$0].isUploading }
                if !isAlone { throw Violation(fact: "two processes deliver at once") }
                state[process].isUploading = true
                state[process].batch = state[process].read
                state[process].upload = FolderProtocol.Entry.upload.state
            } else if state[process].flags.contains(.hasRight) {
                state[process].flags.remove(.hasRight)
                state.deliverer = 0
            }
            state[process].read = 0
        case .settle:
            if end != .failed { state[process].unsettled = 0 }
            if end == .failed, state[process].replacements > 3 { state[process].unsettled = 0 }
        case .obey:
            if end == .failed { state[process].flags.insert(.mustObey) }
            if end == .denied, state.isDenied { state.isDenialSettled = true }
        case .close:
            if state[process].open != 0 { state.closeConnection(process, unlinks: false) }
        case .none: break
        }
        state[process].job = .none
        state[process].state = .done
    }

    /// Checks the last state before an upload ends. The collector accepts everything.
    private func endUpload(_ process: Int, _ state: inout FolderModel, _ end: FolderProtocol.State) throws {
        let batch = state[process].batch
        let mayBegin = end == .done && state[process].policy == .enabled
        if mayBegin {
            let denied = state[process].deniedAtLook | (state.names.denied ? state.denied : 0)
            if batch & denied != 0 { throw Violation(fact: "denied records are sent") }
            state.sent |= batch
            state[process].unsettled = batch
            state[process].unsettledStore = state[process].batchStore
        }
        state[process].isUploading = false
        state[process].batch = 0
        state[process].batchStore = 0
        state[process].deniedAtLook = 0
        state[process].upload = .done
        if state[process].flags.contains(.hasRight) {
            state[process].flags.remove(.hasRight)
            state.deliverer = 0
        }
    }

    // MARK: Steps

    private func outcomes(
        of step: FolderProtocol.Step, _ process: Int, _ before: FolderModel, isUpload: Bool
    ) throws -> [(FolderProtocol.Outcome, FolderModel)] {
        var state = before
        let name = UInt8(process + 1)
        let open = state[process].open
        var fails = false
        var outcome = FolderProtocol.Outcome.done
        var results: [(FolderProtocol.Outcome, FolderModel)] = []
        switch step {
        case .lockRight:
            if state.deliverer != 0, state.deliverer != name { return [(.busy, before)] }
            state.deliverer = name
            state[process].flags.insert(.hasRight)
        case .lock:
            state.locker = name
            state[process].flags.insert(.hasLock)
            state[process].deniedAtLock = state.names.denied ? state.denied : 0
        case .unlock:
            if state[process].flags.contains(.hasLock) { state.locker = 0 }
            state[process].flags.remove(.hasLock)
            state[process].deniedAtLock = 0
        case .settleMarks: state.settleMarks(process)
        case .readDenied:
            fails = true
            if isUpload, state[process].upload == FolderProtocol.Entry.upload.state {
                state[process].deniedAtLook = state.denied
            }
            outcome = state.names.denied ? .yes : .no
            if !isUpload, state.names.denied { state.noteMark() }
        case .readWipeDue:
            fails = true
            outcome = state.names.wipeDue ? .yes : .no
            if !isUpload {
                if state.names.wipeDue { state.noteMark() }
                if state.names.wipeDue {
                    state[process].flags.insert(.isWithdrawn)
                } else {
                    state[process].flags.remove(.isWithdrawn)
                }
            }
        case .removeWipeDue:
            // A mark that was written during the wipe stays.
            guard state.names.wipeDue, state[process].flags.contains(.isWithdrawn) else { break }
            fails = true
            state.change(.removeWipeDue)
        case .closeForWipe:
            // Wiped records are counted as dropped.
            state.counted |= state.visible & state.denied
            state.closeConnection(process, unlinks: false)
        case .removeNext:
            fails = true
            if state.names.rescue != 0 {
                state.change(.removeRescue)
            } else if state.names.rescued != 0 {
                state.change(.removeRescued)
            } else if state.names.asideStore != 0 {
                state.change(.removeAside)
            } else if state.names.asideLog != 0 {
                state.change(.removeAsideLog)
            } else if state.names.store != 0 {
                state.change(.removeStore)
            } else if state.names.index != 0 {
                state.change(.removeIndex)
            } else if state.names.log != 0 {
                state.change(.removeLog)
            } else {
                return [(.no, before)]
            }
        case .countWipe:
            state.wipes += 1
            state[process].wipesSeen = state.wipes
            for other in 0..<3 where state[other].flags.contains(.isOlderThanMark) {
                let isOwn = other == process && state[process].job == .obey && state[process].policy == .enabled
                if !isOwn || state[other].flags.contains(.isOlderThanAgreement) {
                    state[other].flags.insert(.isOlderThanWipe)
                }
            }
        case .compareStore:
            let isReplaced = state.names.store != 0 && state.names.store != open
            if open == 0 {
                outcome = .no
            } else if state.names.store == open, state.names.log == state[process].openLog {
                outcome = .inPlace
            } else {
                outcome = isReplaced || state.wipes != state[process].wipesSeen ? .moved : .gone
            }
        case .releaseStore, .closeUnlocked: state.closeConnection(process, unlinks: false)
        case .close: state.closeConnection(process, unlinks: true)
        case .lookAtStore:
            let isHollow = state.names.store == 0 || state.has(state.hollow, state.names.store)
            let hasLog = state.records(in: state.names.log) != 0
            outcome =
                isHollow
                ? hasLog ? .damaged : state.names.store + state.names.log + state.names.index != 0 ? .empty : .done
                : .done
        case .removeEmpty:
            state.change(.removeIndex)
            state.change(.removeLog)
            state.change(.removeStore)
        case .sealAside, .moveJournal: break
        case .open: return try openStore(process, before)
        case .needsStore: outcome = state[process].job == .obey ? .no : .yes
        case .isCommitted:
            outcome = state[process].flags.contains(.isCommitted) || state[process].job == .close ? .yes : .no
        case .isPostedBeforeWipe:
            let isOlder = state[process].job == .write && state[process].flags.contains(.isOlderThanWipe)
            outcome = isOlder ? .yes : .no
        case .commit:
            guard open != 0 else { return [(.broken, before)] }
            // The job may read the damaged page or not, so both outcomes are explored.
            if state.has(state.damaged, open) { results.append((.damaged, before)) }
            fails = state[process].job != .deliver || state[process].flags.contains(.hasFoundDamage)
            let log = state[process].openLog
            switch state[process].job {
            case .write:
                if state[process].deniedAtLock & state[process].record != 0, state.names.denied {
                    throw Violation(fact: "a denied record is stored")
                }
                state.write(state.records(in: log) | state[process].record, to: log)
            case .settle where open == state[process].unsettledStore:
                state.write(state.records(in: log) & ~state[process].unsettled, to: log)
                state.write(state.records(in: open) & ~state[process].unsettled, to: open)
            case .deliver where state[process].flags.contains(.hasFoundDamage): read(process, &state)
            default: break
            }
            state[process].flags.insert(.isCommitted)
        case .readBatch:
            guard state[process].job == .deliver, !state[process].flags.contains(.hasFoundDamage), open != 0 else {
                break
            }
            if state.has(state.damaged, open) {
                state[process].flags.insert(.hasFoundDamage)
                state[process].flags.remove(.isCommitted)
                return [(.damaged, state)]
            }
            read(process, &state)
        case .mayRetry:
            outcome = state[process].flags.contains(.hasRetried) ? .no : .yes
            state[process].flags.insert(.hasRetried)
        case .readRescued: outcome = state.names.rescued != 0 ? .yes : .no
        case .mayReplace:
            state[process].replacements += 1
            outcome = state[process].replacements <= 3 ? .yes : .no
        case .readDamaged: state[process].read = state.visible
        case .readVanished: state[process].read = state.records(in: open) | state.records(in: state[process].openLog)
        case .discardRescue: state.change(.removeRescue)
        case .writeRescue:
            fails = true
            guard state.lastFile < 15 else { throw Violation(fact: "stores are replaced for ever") }
            state.names.rescue = state.makeFile()
            if !rescueHasLog { state.write(state[process].read, to: state.names.rescue) }
        case .syncRescue:
            fails = true
            state.isContentSynced |= 1 << state.names.rescue
            if rescueHasLog { state.write(state[process].read, to: state.names.rescue) }
        case .completeRescue:
            fails = true
            state.change(.completeRescue)
        case .syncCompletion, .syncMoves, .syncWipe:
            fails = true
            state.syncNames()
        case .moveLog:
            fails = true
            if state.names.asideStore != 0 { state.names.asideStore = 0; state.names.asideLog = 0 }
            state.change(.moveLog)
        case .moveIndex:
            fails = true
            state.change(.moveIndex)
        case .moveStore:
            fails = true
            state.change(.moveStore)
            let aside = (state.names.asideStore, state.names.asideLog)
            if aside.0 != 0, aside.1 != 0, state.owner(of: aside.1) != aside.0 {
                throw Violation(fact: "a store is set aside with another's log")
            }
        case .placeRescue:
            fails = true
            state[process].read = 0
            state.change(.placeRescue)
        case .checkpoint:
            fails = true
            state.write(state.records(in: open) | state.records(in: state[process].openLog), to: open)
            state.write(0, to: state[process].openLog)
        case .compareBatch: outcome = state.names.store == state[process].batchStore ? .inPlace : .moved
        }
        results.append((outcome, state))
        if fails, before.fullDisks > 0 {
            var failed = before
            failed.fullDisks -= 1
            results.append((.failed, failed))
            // A step may fail halfway.
            if step == .writeRescue {
                failed.lastFile = state.lastFile
                failed.names.rescue = state.names.rescue
                results.append((.failed, failed))
            }
        }
        return results
    }

    private func read(_ process: Int, _ state: inout FolderModel) {
        let open = state[process].open
        // The oldest records in the files of this connection.
        state[process].read = state.records(in: open) | state.records(in: state[process].openLog)
        state[process].batchStore = open
    }

    private func openStore(_ process: Int, _ before: FolderModel) throws -> [(FolderProtocol.Outcome, FolderModel)] {
        var state = before
        var results: [(FolderProtocol.Outcome, FolderModel)] = []
        var store = state.names.store
        guard state.lastFile < 14 else { throw Violation(fact: "stores are made for ever") }
        let isNew = store == 0 || state.has(state.hollow, store)
        if isNew, state.records(in: state.names.log) != 0 {
            throw Violation(fact: "a new store is opened next to another's log")
        }
        if store == 0 { store = state.makeFile() }
        if !isNew, state.names.log != 0, state.owner(of: state.names.log) != store {
            throw Violation(fact: "a store is opened with another's log")
        }
        if before.fullDisks > 0 {
            var failed = isNew ? state : before
            failed.fullDisks -= 1
            if isNew {
                // SQLite creates the file, and then has no room for its first page.
                failed.names.store = store
                failed.hollow |= 1 << store
            }
            results.append((.failed, failed))
        }
        state.names.store = store
        state.hollow &= ~(1 << store)
        if isNew { state.isContentSynced |= 1 << store }
        if state.names.log == 0 || state.owner(of: state.names.log) != store {
            state.names.log = state.makeFile(logOf: store)
        }
        if state.has(state.damaged, store) { return [(.damaged, state)] }
        if state.names.index != 0, state.names.index != store, state.connections(to: state.names.index) > 0 {
            throw Violation(fact: "a store is opened with the index of another's log")
        }
        state.names.index = store
        (state[process].open, state[process].openLog) = (store, state.names.log)
        state[process].wipesSeen = state.wipes
        results.append((.done, state))
        return results
    }

    // MARK: Recovery

    /// Kills all processes, and checks that a process that starts alone keeps every promise in a bounded number of
    /// steps.
    private mutating func checkEnd(_ state: FolderModel) throws {
        var alone = state
        for process in 0..<3 { alone.crash(process) }
        (alone.crashes, alone.starts, alone.fullDisks, alone.failedLocks, alone.damages, alone.powerFailures) = (
            0, 0, 0, 0, 0, 0
        )
        alone.unsynced = 0
        alone.synced = FolderModel.Names()
        (alone.first, alone.second, alone.third) = (.init(), .init(), .init())
        guard sound.insert(alone).inserted else { return }
        let start = alone
        alone.start(2, agrees: false)
        var end = FolderProtocol.End.failed
        for (job, entry) in [(FolderModel.Job.obey, FolderProtocol.Entry.obey), (.settle, .use)] {
            alone[2].job = job
            alone[2].state = entry.state
            alone[2].flags = []
            var turns = 0
            while FolderProtocol.ends[alone[2].state] == nil {
                guard let step = steps[Int(alone[2].state.rawValue)] else { break }
                let results = try outcomes(of: step, 2, alone, isUpload: false)
                guard let (outcome, result) = results.last else { break }
                alone = result
                alone[2].state = after(alone[2].state, outcome)
                turns += 1
                if turns > 200 { throw Violation(fact: "a lone process does not come to rest") }
            }
            end = FolderProtocol.ends[alone[2].state] ?? .failed
        }
        // Only the facts at the start are compared, because a process that runs alone makes no decisions.
        let waits = start.durable & ~start.denied & ~start.sent
        if start.isDenied, !start.names.denied { throw Violation(fact: "a denial is forgotten") }
        if end == .failed { throw Violation(fact: "a lone process cannot use the store") }
        if end == .denied, !start.isDenied { throw Violation(fact: "a withdrawn denial is obeyed") }
        if alone.names.rescued != 0 || alone.names.wipeDue {
            throw Violation(fact: "a lone process leaves something to be done")
        }
        if end == .denied ? alone.onDisk != 0 : alone.onDisk & start.denied & ~start.sent != 0 {
            throw Violation(fact: "denied records are still stored")
        }
        if end == .done, waits & ~alone.visible != 0 { throw Violation(fact: "durable records are lost") }
    }
}
