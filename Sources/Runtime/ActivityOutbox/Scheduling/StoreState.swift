import Foundation

/// The machine's view of the store: the running job, open files, retries and questions.
///
/// - At most one job runs at a time.
/// - The right to deliver is held only while files are open.
struct StoreState: Sendable {
    /// Files of this process that may be open.
    enum Files: Sendable {
        case closed
        case open
        /// Files are open, and this process may hold the right to deliver.
        case delivering
    }

    private(set) var job: OutboxMachine.Job?
    private(set) var files = Files.closed
    /// The number of writes that have begun, or that a failed `obey` job has made impossible.
    private(set) var writesBegun = 0
    private(set) var writeTries = DiskRetries()
    private(set) var deliveryTries = DiskRetries()
    /// The store's counts, from the last job that reported them.
    private(set) var sums = OutboxSums()
    /// The tickets of the callers that wait for an `ask` job.
    private var asked: [OutboxMachine.Ticket] = []

    var isAtRest: Bool { job == nil && files == .closed }

    var isSettling: Bool { if case .settle? = job { true } else { false } }

    // MARK: Jobs

    mutating func begin(_ job: OutboxMachine.Job) {
        self.job = job
        switch job {
        case .close: break
        case .fetch, .probe: files = .delivering
        case .write:
            writesBegun += 1
            openFiles()
        case .obey, .settle, .rest, .ask: openFiles()
        }
    }

    private mutating func openFiles() {
        if files == .closed { files = .open }
    }

    mutating func finish() -> OutboxMachine.Job? {
        guard let job else { return nil }
        self.job = nil
        switch job {
        case .rest: yieldRight()
        case .close: files = .closed
        case .write, .obey, .fetch, .probe, .settle, .ask: break
        }
        return job
    }

    /// Updates the state if this process does not hold the right to deliver: it has released the right, another process
    /// delivers, or the user denies.
    mutating func yieldRight() {
        if files == .delivering { files = .open }
    }

    /// Records that the next write cannot begin before the `obey` job succeeds. Calls that wait for it are answered.
    mutating func skipWrite() { writesBegun += 1 }

    mutating func note(_ sums: OutboxSums?) {
        if let sums { self.sums = sums }
    }

    // MARK: Retries

    mutating func succeedWriting() { writeTries.succeed() }
    mutating func succeedDelivering() { deliveryTries.succeed() }

    /// - Returns: A Boolean value that indicates whether the reason has not been reported yet.
    mutating func failWriting(_ reason: String, at now: TimeInterval) -> Bool {
        let isNew = writeTries.fail(reason, at: now)
        return isNew && !deliveryTries.hasReported(reason)
    }

    /// - Returns: A Boolean value that indicates whether the reason has not been reported yet.
    mutating func failDelivering(_ reason: String, at now: TimeInterval) -> Bool {
        let isNew = deliveryTries.fail(reason, at: now)
        return isNew && !writeTries.hasReported(reason)
    }

    mutating func hurryWriting() { writeTries.hurry() }
    mutating func hurryDelivering() { deliveryTries.hurry() }

    // MARK: Questions

    var isAsked: Bool { !asked.isEmpty }

    mutating func ask(_ ticket: OutboxMachine.Ticket) { asked.append(ticket) }

    mutating func takeQuestion() -> OutboxMachine.Ticket? { asked.isEmpty ? nil : asked.removeFirst() }

    mutating func takeQuestions() -> [OutboxMachine.Ticket] {
        defer { asked = [] }
        return asked
    }
}
