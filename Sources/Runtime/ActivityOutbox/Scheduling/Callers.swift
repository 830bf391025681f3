import Foundation

/// The life of the outbox, and the calls that wait for an answer.
///
/// - Each call is answered once.
/// - No call is answered before the write that began after it. Only the time limit of a shutdown comes first.
struct Callers: Sendable {
    typealias Ticket = OutboxMachine.Ticket

    enum Life: Sendable, Equatable {
        case running
        case suspended
        /// Delivers the remaining records, until that time.
        case stopping(until: TimeInterval)
        case stopped
    }

    enum Kind: Sendable, Equatable {
        case flush
        case delivery
        case suspension
        /// Answered at that time at the latest.
        case shutdown(atLatest: TimeInterval)
    }

    private struct Waiter: Sendable {
        enum Progress: Sendable {
            /// Waits for the write with that number, the first that begins after the call.
            case unwritten(write: Int)
            /// The write is over. `run` is the first delivery that has seen all records of the call.
            case written(isDurable: Bool, run: Int)
        }

        let ticket: Ticket
        let kind: Kind
        var progress: Progress
    }

    /// The state of the other parts, as far as an answer depends on it.
    struct AnswerContext: Sendable {
        /// No job is running and no file is open.
        var isAtRest = false
        /// The number of the last delivery that has ended.
        var runsEnded = 0
        /// No batch can be sent: the policy, an owed wipe or closed files prevent it.
        var isHopeless = false
        /// No delivery is running, and the collector or the disk has to be left alone.
        var isHeldUp = false
        /// A cancelled uploader has not returned in time.
        var hasGivenUpOnUpload = false
    }

    private(set) var life = Life.running
    private var waiters: [Waiter] = []

    // MARK: Life

    /// A Boolean value that indicates whether the disk may be used without a call that requires it.
    var mayUseDisk: Bool {
        switch life {
        case .running, .stopping: true
        case .suspended, .stopped: false
        }
    }

    mutating func suspend() {
        if life == .running { life = .suspended }
    }

    /// - Returns: A Boolean value that indicates whether the outbox was suspended.
    mutating func resume() -> Bool {
        guard life == .suspended else { return false }
        life = .running
        return true
    }

    /// Ends at a time, or at once if nothing is being delivered. The earliest of several times applies.
    mutating func stop(until: TimeInterval) {
        switch life {
        case .running: life = .stopping(until: until)
        case .stopping(let earlier): life = .stopping(until: min(earlier, until))
        case .suspended, .stopped: life = .stopped
        }
    }

    mutating func stop() { life = .stopped }

    // MARK: Calls

    var isEmpty: Bool { waiters.isEmpty }

    /// - Parameter write: The number of the first write that begins after the call.
    mutating func wait(_ ticket: Ticket, _ kind: Kind, for write: Int) {
        waiters.append(Waiter(ticket: ticket, kind: kind, progress: .unwritten(write: write)))
    }

    /// Returns whether a call waits for a write that has not begun.
    func needWrite(after begun: Int) -> Bool {
        waiters.contains { waiter in
            if case .unwritten(let write) = waiter.progress { write > begun } else { false }
        }
    }

    /// Returns whether a call waits for a delivery that has not begun.
    func needRun(after begun: Int) -> Bool {
        waiters.contains { waiter in
            guard case .written(_, let run) = waiter.progress else { return false }
            return switch waiter.kind {
            case .delivery, .shutdown: run > begun
            case .flush, .suspension: false
            }
        }
    }

    /// Notes that writes are over.
    /// - Parameters:
    ///   - write: The number of the last of them.
    ///   - isDurable: True if its records are on disk.
    ///   - run: The number of the next delivery.
    mutating func endWrite(upTo write: Int, isDurable: Bool, nextRun run: Int) {
        for index in waiters.indices {
            guard case .unwritten(let wanted) = waiters[index].progress, wanted <= write else { continue }
            waiters[index].progress = .written(isDurable: isDurable, run: run)
        }
    }

    // MARK: Answers

    /// Removes the calls that can be answered.
    mutating func answer(_ situation: AnswerContext, at now: TimeInterval) -> [OutboxMachine.Effect] {
        var effects: [OutboxMachine.Effect] = []
        var left: [Waiter] = []
        for waiter in waiters {
            if case .shutdown(let latest) = waiter.kind, now >= latest {
                effects.append(.expire(waiter.ticket))
            } else if case .written(let isDurable, let run) = waiter.progress,
                isAnswered(waiter.kind, run, situation)
            {
                effects.append(.complete(waiter.ticket, isDurable))
            } else {
                left.append(waiter)
            }
        }
        waiters = left
        return effects
    }

    private func isAnswered(_ kind: Kind, _ run: Int, _ situation: AnswerContext) -> Bool {
        switch kind {
        // Files that were opened for a flush are closed before its answer.
        case .flush: mayUseDisk || situation.isAtRest
        case .suspension: life == .running || situation.isAtRest
        // A run that began before the call may have missed some of its records, so its end is not the answer.
        case .delivery:
            situation.runsEnded >= run || situation.isHopeless && (mayUseDisk || situation.isAtRest)
                || situation.isHeldUp || situation.hasGivenUpOnUpload
        case .shutdown: life == .stopped && situation.isAtRest
        }
    }

    /// The progress of shutdowns.
    /// - Parameter lastEmpty: The number of the last delivery that found no records.
    /// - Returns: A Boolean value that indicates whether the write of a shutdown is over, and one that indicates
    ///   whether no records remained after that.
    func shutdowns(lastEmpty: Int) -> (isWritten: Bool, isEmpty: Bool) {
        var result = (isWritten: false, isEmpty: false)
        for waiter in waiters {
            guard case .shutdown = waiter.kind, case .written(_, let run) = waiter.progress else { continue }
            result.isWritten = true
            if lastEmpty >= run { result.isEmpty = true }
        }
        return result
    }

    /// Returns the next time at which a call may be answered although nothing happens.
    /// - Parameter givenUp: The time at which a cancelled uploader is given up.
    func wake(givenUp: TimeInterval?) -> TimeInterval? {
        waiters.compactMap { waiter in
            switch waiter.kind {
            case .shutdown(let latest): latest
            case .delivery: givenUp
            case .flush, .suspension: nil
            }
        }.min()
    }
}
