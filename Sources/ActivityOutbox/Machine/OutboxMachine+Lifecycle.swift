import ActivityTracking
import Foundation

/// What calls and policies do. Each only notes what is wanted; `advance` does what follows.
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
        // The rest of its time is not ours any more.
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

    /// Nobody holds the outbox any more: what it has taken is written, and that is all.
    mutating func abandon() {
        if life != .stopped { stop() }
    }

    mutating func ask(_ ticket: Ticket) { asked.append(ticket) }

    private mutating func wait(_ ticket: Ticket, _ kind: Waiter.Kind) {
        waiters.append(Waiter(ticket: ticket, kind: kind, write: writesBegun + 1))
    }

    /// A ticket that nobody holds.
    static let nobody: Ticket = 0

    mutating func stop() {
        life = .stopped
        endRun()
        cancelUpload()
        // What was posted since the call.
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
        // The marker goes: of our own denial, of another process's, of an earlier life's. What it asks for is done before.
        if new != .denied { owesObedience = true }
    }

    // MARK: Leave

    /// Whether the disk may be used without anybody asking.
    var mayUseDisk: Bool {
        switch life {
        case .running, .stopping: true
        case .suspended, .stopped: false
        }
    }

    /// Whether batches may go out.
    var maySend: Bool { policy == .enabled && !owesWipe && !owesObedience && mayUseDisk }

    /// Whether waiting for batches to go out is of no use.
    func isHopeless(_ now: TimeInterval) -> Bool {
        guard policy == .enabled, mayUseDisk else { return true }
        return (owesWipe || owesObedience) && job == nil && now < intake.next
    }
}
