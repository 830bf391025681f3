import Foundation

/// The lifecycle of the outbox, and the calls that wait for an answer.
///
/// - Each call is answered once.
/// - No call is answered before the end of the first write that begins after it, except at a shutdown's time limit.
struct Callers: Sendable {
    typealias Ticket = OutboxMachine.Ticket

    enum Life: Sendable, Equatable {
        case running
        case suspended
        /// The remaining records are delivered until that time.
        case stopping(until: TimeInterval)
        case stopped
    }

    enum Kind: Sendable, Equatable {
        case flush
        case delivery
        case suspension
        /// The call is answered at that time at the latest.
        case shutdown(atLatest: TimeInterval)
    }

    private struct Waiter: Sendable {
        enum Progress: Sendable {
            /// The call waits for the write with that number, the first that begins after the call.
            case unwritten(write: Int)
            /// The write is over. `run` is the number of the first delivery with all records posted before the call.
            case written(isDurable: Bool, run: Int)
        }

        let ticket: Ticket
        let kind: Kind
        var progress: Progress
    }

    /// The states of the machine's other parts on which an answer depends.
    struct AnswerContext: Sendable {
        /// No job is running and no file is open.
        var isAtRest = false
        /// The number of the last delivery that has ended.
        var runsEnded = 0
        /// No batch can be sent now: the policy, a failed `obey` job or closed files prevent it.
        var isHopeless = false
        /// No delivery is running, and none may begin yet: the collector has asked for a wait, or the disk has failed.
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

    /// - Returns: True if the outbox was suspended.
    mutating func resume() -> Bool {
        guard life == .suspended else { return false }
        life = .running
        return true
    }

    /// Ends the outbox at a time, or at once if it is suspended. Of several times, the earliest applies.
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

    func needWrite(after begun: Int) -> Bool {
        waiters.contains { waiter in
            if case .unwritten(let write) = waiter.progress { write > begun } else { false }
        }
    }

    func needRun(after begun: Int) -> Bool {
        waiters.contains { waiter in
            guard case .written(_, let run) = waiter.progress else { return false }
            return switch waiter.kind {
            case .delivery, .shutdown: run > begun
            case .flush, .suspension: false
            }
        }
    }

    /// - Parameters:
    ///   - write: The number of the last write that is over.
    ///   - isDurable: True if the records of that write are on disk.
    ///   - run: The number of the next delivery.
    mutating func endWrite(upTo write: Int, isDurable: Bool, nextRun run: Int) {
        for index in waiters.indices {
            guard case .unwritten(let wanted) = waiters[index].progress, wanted <= write else { continue }
            waiters[index].progress = .written(isDurable: isDurable, run: run)
        }
    }

    // MARK: Answers

    /// Removes the calls that can be answered, and returns the effects that answer them.
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
        // A delivery that began before the call may have missed records of the call. Its end does not answer the call.
        case .delivery:
            situation.runsEnded >= run || situation.isHopeless && (mayUseDisk || situation.isAtRest)
                || situation.isHeldUp || situation.hasGivenUpOnUpload
        case .shutdown: life == .stopped && situation.isAtRest
        }
    }

    /// Returns the progress of the shutdowns that wait for an answer.
    /// - Parameter lastEmpty: The number of the last delivery that found no records.
    /// - Returns: Whether the write of a shutdown is over, and whether a later delivery found no records.
    func shutdowns(lastEmpty: Int) -> (isWritten: Bool, isEmpty: Bool) {
        var result = (isWritten: false, isEmpty: false)
        for waiter in waiters {
            guard case .shutdown = waiter.kind, case .written(_, let run) = waiter.progress else { continue }
            result.isWritten = true
            if lastEmpty >= run { result.isEmpty = true }
        }
        return result
    }

    /// Returns the next time at which a call may be answered without another input, if any.
    /// - Parameter givenUp: The time at which calls stop waiting for a cancelled uploader; nil if none was cancelled.
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
