import ActivityTracking
import Foundation

/// What calls and policies do. Each notes what is wanted, and `advance` does what follows.
extension OutboxMachine {
    // MARK: Calls

    mutating func flush(_ ticket: Ticket) { wait(ticket, .flush) }

    mutating func deliver(_ ticket: Ticket) {
        outlet.hurry()
        wait(ticket, .delivery(run: nil))
    }

    mutating func suspend(_ ticket: Ticket) {
        switch life {
        case .running:
            life = .suspended
            endRun()
            cancelUpload()
        // The app does not give the rest of the time any more.
        case .stopping: stop()
        case .suspended, .stopped: break
        }
        wait(ticket, .suspension)
    }

    mutating func resume(_ ticket: Ticket, at now: TimeInterval) {
        if life == .suspended {
            life = .running
            due = now
            intake.hurry()
            outlet.hurry()
        }
        wait(ticket, .flush)
    }

    /// - Parameter grace: how long the call may take beyond its time, to write and to close.
    mutating func shutDown(_ ticket: Ticket, within seconds: TimeInterval, grace: TimeInterval, at now: TimeInterval) {
        let until = now + seconds
        switch life {
        case .running: life = .stopping(until: until)
        case .stopping(let earlier): life = .stopping(until: min(earlier, until))
        case .suspended, .stopped: life = .stopped
        }
        due = now
        outlet.hurry()
        wait(ticket, .shutdown(atLatest: until + grace, run: nil))
    }

    /// The app has let go of the outbox: it writes what it has taken, and ends.
    mutating func abandon() {
        if life != .stopped { stop() }
    }

    mutating func ask(_ ticket: Ticket) { asked.append(ticket) }

    private mutating func wait(_ ticket: Ticket, _ kind: Waiter.Kind) {
        waiters.append(Waiter(ticket: ticket, kind: kind, write: writesBegun + 1))
    }

    /// The ticket of a call that has no caller.
    static let nobody: Ticket = 0

    mutating func stop() {
        life = .stopped
        endRun()
        cancelUpload()
        // Records posted since the call are still written.
        if !queue.isEmpty { wait(Self.nobody, .flush) }
    }

    /// Whether shutting down has nothing more to wait for.
    func isDrained(_ until: TimeInterval, _ now: TimeInterval) -> Bool {
        guard job == nil, run == nil, upload == nil, queue.isEmpty else { return false }
        var isWritten = false
        var isEmpty = false
        for waiter in waiters {
            guard case .shutdown(_, let run) = waiter.kind else { continue }
            isWritten = isWritten || waiter.isWritten
            if let run, lastEmpty >= run { isEmpty = true }
        }
        guard isWritten else { return false }
        guard !isHopeless(now), unsettled == nil else { return true }
        return isEmpty || (nextRun ?? .infinity) >= until
    }

    // MARK: Consent

    mutating func set(_ new: CollectionPolicy, at now: TimeInterval) {
        policy = new
        policyChanges += 1
        switch new {
        case .denied:
            drop(queue.count, .denied)
            queue = PackedRecords()
            early = []
            isWritingDenied = !writing.isEmpty
            endRun()
            cancelUpload(isDenied: true)
            if case .settle? = job {} else if let unsettled { acceptedAndDenied += unsettled.verdicts.accepted }
            unsettled = nil
            owesWipe = true
            intake.hurry()
        case .paused:
            endRun()
            cancelUpload()
        case .enabled:
            due = now
        }
        // The marker is removed, whoever has set it: this process, another one, or an earlier one. Its wipe is done
        // first.
        if new != .denied { owesObedience = true }
    }

    // MARK: Remote policy

    /// A policy holds from now on, for so many seconds; nil if none does.
    mutating func apply(_ policy: Outbox.RemotePolicy?, for seconds: TimeInterval, at now: TimeInterval) {
        remote = policy
        remoteEnd = now + seconds
        limits = configured
        if let batch = policy?.batch {
            limits.batchRecords = batch.records ?? limits.batchRecords
            limits.batchBytes = batch.bytes ?? limits.batchBytes
            limits.deliveryInterval = batch.interval ?? limits.deliveryInterval
        }
        size = BatchSize(records: limits.batchRecords, bytes: limits.batchBytes)
    }

    /// The policy that an earlier process was given is known, or that there is none. What was posted meanwhile is
    /// looked at.
    mutating func remember(_ kept: Outbox.RemotePolicy?, for seconds: TimeInterval, at now: TimeInterval) {
        isRemoteKnown = true
        defer { early = [] }
        guard let kept else { return }
        if !isRemoteGiven { apply(kept, for: seconds, at: now) }
        var (admitted, index) = (PackedRecords(), 0)
        queue.forEach { bytes in
            defer { index += 1 }
            guard index < early.count, let record = early[index] else { return admitted.append([UInt8](bytes)) }
            if let record = kept.admit(record, isSampled: isSampled) { admitted.append(record.json) } else { omit() }
        }
        queue = admitted
    }

    mutating func endRemote(_ now: TimeInterval) {
        guard remote != nil, now >= remoteEnd else { return }
        apply(nil, for: 0, at: now)
        effects.append(.notice(.remotePolicy("it has expired")))
    }

    /// The share that a policy gives to such records; nil if there is none.
    mutating func share(of record: LogRecord, at now: () -> TimeInterval) -> Double? {
        guard let remote, now() < remoteEnd else { return nil }
        return remote.share(of: record, isSampled: isSampled)
    }

    // MARK: Leave

    /// Whether the disk may be used without a call that asks for it.
    var mayUseDisk: Bool {
        switch life {
        case .running, .stopping: true
        case .suspended, .stopped: false
        }
    }

    /// Whether batches may go out.
    var maySend: Bool { policy == .enabled && !owesWipe && !owesObedience && mayUseDisk }

    /// Whether no batch will go out, so that waiting for one is useless.
    func isHopeless(_ now: TimeInterval) -> Bool {
        guard policy == .enabled, mayUseDisk else { return true }
        return (owesWipe || owesObedience) && job == nil && now < intake.next
    }
}
