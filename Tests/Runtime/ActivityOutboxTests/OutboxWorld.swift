import ActivityTracking
import Foundation
import TestSupport

@testable import ActivityOutbox

/// The naive model with which the state machine is compared: the simplest disk, collector, second process (the
/// neighbour) and clock.
///
/// The disk is an array, the collector a list, and a denial a set of records that must never be seen again. The model
/// makes no decisions. Dice determine when a request of the machine is performed and whether it fails.
struct OutboxWorld {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var machine: OutboxMachine
    private var dice: SeededGenerator
    private(set) var now: TimeInterval = 1000
    private(set) var trace: [String] = []
    /// Indicates whether to write a trace of the events, which takes longer than the events themselves.
    private let isTraced: Bool

    // The disk.
    private var job: OutboxMachine.Job?
    private var stored: [(number: Int64, id: Int)] = []
    private var lastNumber: Int64 = 0
    private var deadLetters: [Int] = []
    private var buried = 0
    private var reportedDeadLetters = 0
    private var isMarked = false
    private var owesWithdrawal = false
    private var isBroken = false
    private var isOpen = false
    private var holdsRight = false
    private var identity: Int64 = 1
    private var (wipes, wipesSeen, lastWipe) = (0, 0, 0.0)

    // The collector.
    private var upload: (number: Int, ids: [Int], isBegun: Bool)?
    private var lastAnswered: Int?
    private var received: [Int] = []
    /// The records that the machine knows to be accepted and must not send again.
    private var acknowledged: Set<Int> = []
    private var isKind = false

    // The other process.
    private var neighbourDelivers = false
    private var neighbourDropped = 0
    private var isUnmarkedByNeighbour = false

    // The expected state.
    private var posted = 0
    /// The records that were posted before or during a denial.
    private var denied: Set<Int> = []
    private var dropped = 0
    /// The records that the disk dropped because of its limit or a wipe. Some may have been in flight.
    private var droppedIDs: Set<Int> = []
    private var waiting: [Int: Call] = [:]
    private var lastTicket = 0

    private struct Call {
        var name: String
        var latest: TimeInterval?
        var isSuspension = false
    }

    static let limits: Outbox.Limits = {
        var configuration = Outbox.Configuration(folder: URL(fileURLWithPath: "/nowhere"))
        configuration.batchRecords = 4
        configuration.queuedRecords = 6
        configuration.storedRecords = 12
        configuration.deadLetters = 3
        return configuration.limits.clamped().limits
    }()

    init(seed: UInt64, isTraced: Bool) {
        self.isTraced = isTraced
        dice = SeededGenerator(seed: seed)
        machine = OutboxMachine(Self.limits, seed: seed)
        // The records of an earlier process.
        for _ in 0..<roll(3) { store(post()) }
        isMarked = roll(8) == 0
        if isMarked { denied.formUnion(0..<posted) }
    }

    private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &dice) }

    private mutating func post() -> Int {
        posted += 1
        return posted - 1
    }

    private mutating func store(_ id: Int) {
        lastNumber += 1
        stored.append((lastNumber, id))
    }

    private func check(_ isRight: Bool, _ message: @autoclosure () -> String) throws {
        if !isRight { throw Failure(description: message()) }
    }

    // MARK: One step

    private mutating func step() throws {
        // No two events have the same time.
        now += 1e-6
        switch roll(30) {
        case 0...6:
            let id = post()
            // Only the disk knows of a denial that another process has made.
            if machine.consent.policy == .denied { denied.insert(id) }
            if isTraced { note("post \(id)") }
            withUnsafeBytes(of: id) { bytes in
                let now = now
                _ = machine.post([UInt8](bytes), at: { now })
            }
        case 7: try decide([.enabled, .enabled, .paused, .denied][roll(4)])
        case 8: try call("flush") { $0.flush($1) }
        case 9: try call("deliver") { $0.deliver($1) }
        case 10: try call("suspend", isSuspension: true) { $0.suspend($1) }
        case 11, 12:
            let now = now
            try call("resume") { $0.resume($1, at: now) }
        case 13:
            // An app shuts down once. The call must be possible at any time.
            guard roll(6) == 0 else { return }
            let (now, seconds) = (now, Double(roll(20)))
            try call("shutdown \(seconds)", latest: now + seconds + 0.05) {
                $0.shutDown($1, within: seconds, grace: 0.05, at: now)
            }
        case 14: try call("ask") { $0.ask($1) }
        case 15...20: try finishJob()
        case 21...24: try finishUpload()
        case 25: try pass([0.01, 0.1, 1, 100, 90_000][roll(5)])
        case 26, 27: if let wake = machine.wake { try pass(max(0, wake - now)) }
        case 28:
            isBroken = roll(3) == 0
            if isTraced { note("the disk is \(isBroken ? "full" : "well")") }
        default: neighbour()
        }
    }

    /// An event that a test chooses. `step()` chooses events by dice.
    enum Event: CaseIterable {
        case post, enable, pause, deny, flush, deliver, suspend, resume, shutDown
        case finishJob, failJob, accept, delay, refuse, wake, neighbourDenies, neighbourAgrees
    }

    /// Returns whether an event would change nothing.
    func isIdle(_ event: Event) -> Bool {
        switch event {
        case .finishJob, .failJob: job == nil
        case .accept, .delay, .refuse: upload == nil
        case .wake: machine.wake == nil
        case .neighbourAgrees: !isMarked
        default: false
        }
    }

    mutating func take(_ event: Event) throws {
        now += 1e-6
        let now = now
        switch event {
        case .post:
            let id = post()
            if machine.consent.policy == .denied { denied.insert(id) }
            withUnsafeBytes(of: id) { bytes in _ = machine.post([UInt8](bytes), at: { now }) }
            try advance()
        case .enable: try decide(.enabled)
        case .pause: try decide(.paused)
        case .deny: try decide(.denied)
        case .flush: try call("flush") { $0.flush($1) }
        case .deliver: try call("deliver") { $0.deliver($1) }
        case .suspend: try call("suspend", isSuspension: true) { $0.suspend($1) }
        case .resume: try call("resume") { $0.resume($1, at: now) }
        case .shutDown: try call("shutdown", latest: now + 1.05) { $0.shutDown($1, within: 1, grace: 0.05, at: now) }
        case .finishJob: try finishJob()
        case .failJob:
            isBroken = true
            try finishJob()
            isBroken = false
        case .accept: try finishUpload(.accepted)
        case .delay: try finishUpload(.later(reason: "busy", after: 30))
        case .refuse: try finishUpload(.refused(reason: "no"))
        case .wake: if let wake = machine.wake { try pass(max(0, wake - now)) }
        case .neighbourDenies:
            isMarked = true
            wipeForNeighbour()
        case .neighbourAgrees:
            wipeForNeighbour()
            isMarked = false
            isUnmarkedByNeighbour = true
        }
    }

    private mutating func note(_ event: String) { trace.append(event) }

    private mutating func decide(_ policy: CollectionPolicy) throws {
        if isTraced { note("policy \(policy)") }
        if policy != .paused { owesWithdrawal = policy == .enabled }
        if policy == .denied {
            isMarked = true
            denied.formUnion(Set(0..<posted).subtracting(received).subtracting(deadLetters))
            denied.formUnion(deadLetters)
        }
        machine.set(policy, at: now)
        try advance()
    }

    private mutating func call(
        _ name: String, latest: TimeInterval? = nil, isSuspension: Bool = false,
        _ begin: (inout OutboxMachine, Int) -> Void
    ) throws {
        lastTicket += 1
        if isTraced { note("\(name) #\(lastTicket)") }
        waiting[lastTicket] = Call(name: name, latest: latest, isSuspension: isSuspension)
        begin(&machine, lastTicket)
        try advance()
    }

    /// Lets time pass, and performs each wake-up that is due.
    private mutating func pass(_ seconds: TimeInterval) throws {
        let end = now + seconds
        var turns = 0
        while let wake = machine.wake, wake <= end {
            now = max(now, wake)
            try advance()
            turns += 1
            // No job and no upload ends in this time. The machine may then wake about once a second, for an hour at
            // most.
            try check(turns < 60 + Int(min(seconds, 3600)), "it does not sleep: woken \(turns) times in \(seconds) s")
        }
        now = end
        if isTraced { note("it is \(now)") }
        try advance()
    }

    private mutating func neighbour() {
        switch roll(4) {
        case 0: neighbourDelivers.toggle()
        case 1:
            // The neighbour denies and wipes the records that it finds.
            guard roll(3) == 0 else { return }
            if isTraced { note("neighbour denies") }
            isMarked = true
            wipeForNeighbour()
        case 2:
            // The neighbour's user agrees again. The denial has been obeyed.
            guard isMarked else { return }
            if isTraced { note("neighbour agrees") }
            wipeForNeighbour()
            isMarked = false
            isUnmarkedByNeighbour = true
        default:
            // The neighbour has delivered the stored records.
            guard !holdsRight, !isMarked else { return }
            received += stored.prefix(2).map(\.id)
            stored.removeFirst(min(2, stored.count))
        }
    }

    private mutating func wipeForNeighbour() {
        neighbourDropped += stored.count + deadLetters.count
        denied.formUnion(stored.map(\.id))
        denied.formUnion(deadLetters)
        wipe()
    }

    private mutating func wipe() {
        droppedIDs.formUnion(stored.map(\.id))
        droppedIDs.formUnion(deadLetters)
        (wipes, lastWipe) = (wipes + 1, now)
        stored = []
        deadLetters = []
        identity += 1
    }

    // MARK: The disk

    private mutating func finishJob() throws {
        guard let job else { return }
        self.job = nil
        var result = OutboxMachine.JobResult()
        if case .close = job { isOpen = false } else { isOpen = true }
        if case .fetch = job {
        } else if case .close = job {
            holdsRight = false
        } else if case .rest = job {
            holdsRight = false
        }
        let isHarmless = if case .close = job { true } else if case .rest = job { true } else { false }
        if isBroken, !isHarmless {
            result.failure = "full"
        } else {
            try perform(job, &result)
            result.sums = OutboxSums(records: stored.count, deadLetters: deadLetters.count)
        }
        if isTraced { note("\(job) → \(result.failure ?? (result.isDenied ? "denied" : "done"))") }
        for (_, count) in result.dropped where !result.isDenied { dropped += count }
        machine.finish(result, at: now)
        try advance()
    }

    private mutating func perform(_ job: OutboxMachine.Job, _ result: inout OutboxMachine.JobResult) throws {
        switch job {
        case .rest, .close: return
        case .obey:
            if isMarked { obey(&result) }
            // The mark of a denial is written when the denial is given. An agreement withdraws the mark once.
            if owesWithdrawal { isMarked = false }
            owesWithdrawal = false
            return
        default: break
        }
        if isMarked { return obey(&result) }
        switch job {
        case .write(let records, _, let since):
            defer { wipesSeen = wipes }
            if wipes != wipesSeen, since < lastWipe {
                result.isDenied = true
                return
            }
            records.forEach { store($0.load(as: Int.self)) }
            let excess = max(0, stored.count - Self.limits.storedRecords)
            droppedIDs.formUnion(stored.prefix(excess).map(\.id))
            stored.removeFirst(excess)
            result.dropped[.records] = excess
        case .fetch(let last, let count, _):
            if neighbourDelivers, !holdsRight {
                result.isElsewhere = true
                return
            }
            holdsRight = true
            result.batch = batch(stored.filter { $0.number > last }.prefix(count))
        case .probe:
            if neighbourDelivers, !holdsRight {
                result.isElsewhere = true
                return
            }
            holdsRight = true
            result.batch = batch(stored.suffix(1))
        case .settle(let batch, let verdicts):
            guard batch.store == identity else { return }
            for verdict in verdicts {
                let numbers = Set(batch.numbers[verdict.records])
                let rows = stored.filter { numbers.contains($0.number) }
                result.dropped[.rejected, default: 0] += min(verdict.rejected, rows.count)
                stored.removeAll { numbers.contains($0.number) }
                guard case .refused = verdict.result else { continue }
                deadLetters += rows.map(\.id)
                result.buried += rows.count
            }
            buried += result.buried
            let excess = max(0, deadLetters.count - Self.limits.deadLetters)
            deadLetters.removeFirst(excess)
            result.dropped[.deadLetters] = excess
        case .ask, .obey, .rest, .close: break
        }
    }

    private func batch(_ rows: ArraySlice<(number: Int64, id: Int)>) -> OutboxBatch? {
        guard !rows.isEmpty else { return nil }
        let records = rows.map { withUnsafeBytes(of: $0.id) { [UInt8]($0) } }
        return OutboxBatch(
            store: identity, log: LogBatch(records: records, id: Self.anyID), numbers: rows.map(\.number),
            bytes: 9 * records.count)
    }

    private mutating func obey(_ result: inout OutboxMachine.JobResult) {
        result.isDenied = true
        result.dropped[.denied] = stored.count + deadLetters.count
        denied.formUnion(stored.map(\.id))
        denied.formUnion(deadLetters)
        wipe()
        wipesSeen = wipes
    }

    // MARK: The collector

    /// - Parameter chosen: The answer. If it is nil, the dice choose one.
    private mutating func finishUpload(_ chosen: UploadResult? = nil) throws {
        // The machine ignores a second answer, also while the next batch is in flight.
        if chosen == nil, let lastAnswered, roll(4) == 0 { machine.finishUpload(lastAnswered, .accepted, at: now) }
        guard let upload else { return }
        self.upload = nil
        var answer = UploadResult.later(reason: "cancelled", after: nil)
        if upload.isBegun {
            // The collector never accepts some records.
            let isPoisoned = upload.ids.contains { $0 % 7 == 3 }
            if let chosen {
                answer = chosen
            } else {
                switch isKind ? roll(4) : roll(12) {
                case 0...2: answer = isPoisoned ? [.invalid(reason: "bad"), .tooLarge][roll(2)] : .accepted
                case 3: answer = judge(upload.ids) { _ in true }
                case 7, 8:
                    let share = roll(4)
                    answer = judge(upload.ids) { world in world.roll(4) <= share }
                case 9: answer = nonsense(upload.ids.count)
                case 10: answer = [.perRecord([:]), .perRecord([:], after: 30)][roll(2)]
                case 11: answer = .partialSuccess(rejected: roll(upload.ids.count + 2), message: "some")
                case 4: answer = .later(reason: "busy", after: nil)
                case 5: answer = .later(reason: "busy", after: [1.0, 30, 200_000, .infinity][roll(4)])
                case 6: answer = .refused(reason: "no")
                default: answer = .later(reason: "401", after: nil)
                }
            }
            try receive(upload.ids, answer)
        }
        if isTraced { note("upload \(upload.ids) → \(answer)") }
        machine.finishUpload(upload.number, answer, at: now)
        try advance()
        lastAnswered = upload.number
    }

    private mutating func receive(_ ids: [Int], _ answer: UploadResult) throws {
        var accepted: [Int] = []
        switch answer {
        case .accepted: accepted = ids
        case .partialSuccess(let rejected, _):
            // Rejected records must not be sent again either. If all are rejected, they become dead letters.
            guard rejected < ids.count else { return }
            accepted = ids.dropLast(rejected)
            acknowledged.formUnion(ids)
        case .perRecord(let results, _):
            // If an index does not match the batch, the collector means other records and has accepted none of these.
            guard results.keys.allSatisfy(ids.indices.contains) else { return }
            accepted = ids.indices.filter { results[$0] == .accepted }.map { ids[$0] }
        default: return
        }
        try checkOrder(accepted)
        received += accepted
        acknowledged.formUnion(accepted)
    }

    /// Returns an answer per record: invalid records are refused, and any number of the others is accepted.
    private mutating func judge(_ ids: [Int], _ isJudged: (inout OutboxWorld) -> Bool) -> UploadResult {
        var results: [Int: RecordResult] = [:]
        for (index, id) in ids.enumerated() where isJudged(&self) {
            results[index] = id % 7 == 3 ? .refused(reason: "bad \(id % 2)") : .accepted
        }
        return .perRecord(results, after: [nil, nil, nil, 0, 5, .infinity][isKind ? 0 : roll(6)])
    }

    /// Returns an answer to some other batch.
    private mutating func nonsense(_ count: Int) -> UploadResult {
        var results: [Int: RecordResult] = [:]
        for _ in 0...roll(count + 2) { results[roll(count)] = roll(2) == 0 ? .accepted : .refused(reason: "nonsense") }
        results[[count, -1, count + 1, .max, .min][roll(5)]] = roll(2) == 0 ? .accepted : .refused(reason: "nonsense")
        return .perRecord(results, after: [nil, 5][roll(2)])
    }

    private static let anyID = UUID()

    /// Checks that records that arrive for the first time are in the order of storing.
    private func checkOrder(_ ids: [Int]) throws {
        let new = ids.filter { !received.contains($0) }
        try check(new == new.sorted(), "\(ids) is out of order")
    }

    // MARK: Effects of the machine

    private mutating func advance() throws {
        machine.advance(now)
        let effects = machine.takeEffects()
        for effect in effects {
            switch effect {
            case .disk(let next):
                try check(job == nil, "two jobs at once")
                job = next
            case .upload(let number, let batch):
                try check(upload == nil, "two uploads at once")
                let ids = batch.log.records.map { $0.withUnsafeBytes { $0.load(as: Int.self) } }
                try check(machine.consent.policy == .enabled, "sent although \(machine.consent.policy)")
                let life = machine.callers.life
                try check(life != .suspended && life != .stopped, "sent in life \(life)")
                // The machine knows of a neighbour's denial only after a disk job has found its mark.
                let wrong = ids.filter { denied.contains($0) && !isMarked && batch.store == identity }
                try check(wrong.isEmpty, "\(wrong) were denied and are sent")
                try check(!ids.isEmpty, "an empty batch")
                let isOldest =
                    machine.delivery.isProbing || batch.store != identity
                    || stored.allSatisfy { $0.number >= batch.numbers[0] }
                try check(isOldest, "older records than \(ids) wait")
                let again = ids.filter { acknowledged.contains($0) && batch.store == identity }
                try check(again.isEmpty, "\(again) were accepted and are sent again")
                upload = (number, ids, machine.mayBegin(number))
            case .cancel(let number): if upload?.number == number, roll(2) == 0 { upload?.isBegun = false }
            case .notice(.dropped(let count, let why)):
                try check(count > 0, "0 records dropped (\(why))")
                // Records that the store dropped past its limits were counted when the job ended. Only drops in memory
                // and by a wipe are counted here.
                if why == .queue || why == .denied || why == .bytes { dropped += count }
            case .notice(.deadLetters(let count, _)):
                try check(count > 0, "0 dead letters")
                reportedDeadLetters += count
            case .notice: break
            case .complete(let ticket, _), .expire(let ticket): try complete(ticket)
            }
        }
        for call in waiting.values {
            if let latest = call.latest { try check(now <= latest + 1e-9, "\(call.name) is late") }
        }
    }

    private mutating func complete(_ ticket: Int) throws {
        guard ticket != OutboxMachine.nobody else { return }
        guard let call = waiting.removeValue(forKey: ticket) else {
            throw Failure(description: "#\(ticket) is answered twice")
        }
        if isTraced { note("\(call.name) #\(ticket) returns") }
        guard call.isSuspension, machine.callers.life != .running else { return }
        try check(!isOpen && !holdsRight && job == nil, "suspended, and files are open")
    }

    // MARK: The end

    /// Performs a random sequence of events, then ends it.
    mutating func live(_ steps: UInt64) throws {
        for _ in 0..<steps { try step() }
        try settle()
    }

    /// Continues without further faults until the machine is idle, and checks that every record is accounted for.
    mutating func settle() throws {
        if isTraced { note("all is well") }
        (isBroken, isKind, neighbourDelivers) = (false, true, false)
        let isOver = machine.callers.life != .running && machine.callers.life != .suspended
        if !isOver {
            let now = now
            try call("resume") { $0.resume($1, at: now) }
        }
        if machine.consent.policy != .denied { try decide(.enabled) }
        try call("flush") { $0.flush($1) }
        try call("deliver") { $0.deliver($1) }
        var quiet = 0
        for _ in 0..<400 where quiet < 1 {
            if job != nil || upload != nil {
                if upload != nil { quiet = 0 }
                try finishJob()
                try finishUpload()
            } else if let wake = machine.wake {
                // A delivery that only searches for records of other processes does not count as work.
                quiet += wake > now + 30 && wake < now + 86_000 ? 1 : 0
                try pass(max(0, wake - now))
            } else {
                break
            }
        }
        if machine.callers.life == .running, !isOver { try call("flush") { $0.flush($1) } }
        for _ in 0..<10 { try finishJob() }
        try check(waiting.isEmpty, "never answered: \(waiting.values.map(\.name))")
        let ids = Set(received)
        let inMemory = machine.intake.count
        if machine.consent.policy == .denied {
            try check(stored.isEmpty && deadLetters.isEmpty && inMemory == 0, "denied, and there still")
            try check(isMarked || isUnmarkedByNeighbour, "denied, and not remembered")
        } else if machine.callers.life == .running {
            try check(stored.isEmpty, "left: \(stored.map(\.id))")
            try check(inMemory == 0, "\(inMemory) left in memory")
            try check(!isMarked, "not denied any more, and still remembered")
        }
        try check(
            reportedDeadLetters == buried, "\(buried) became dead letters, and \(reportedDeadLetters) were reported")
        let found =
            ids.count + stored.filter { !ids.contains($0.id) }.count + inMemory + deadLetters.count + dropped
            + neighbourDropped
        // Only records that were dropped while in flight may be counted twice.
        let twice = droppedIDs.intersection(ids).count
        try check(
            (posted...(posted + twice)).contains(found) && Set(deadLetters).isDisjoint(with: ids),
            "posted \(posted) (and \(twice) given up on their way); received \(ids.count), stored \(stored.count), "
                + "in memory \(inMemory), dead letters \(deadLetters.count), dropped \(dropped), by the neighbour \(neighbourDropped)"
        )
    }
}
