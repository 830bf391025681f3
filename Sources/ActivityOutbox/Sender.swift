import ActivityTracking
import Foundation

/// Delivers what is stored, oldest first, one batch at a time, and one process at a time.
final class Sender: Sendable {
    private struct State: Sendable {
        var policy = CollectionPolicy.enabled
        var isSuspended = false
        var isStopped = false
        /// Stored since the last delivery.
        var records = 0
        var bytes = 0
        var backoff: Backoff
        /// Not to be tried before, in steady seconds; set by failures.
        var notBefore: TimeInterval = 0
        /// Not to be tried before, whoever asks: the collector has said so.
        var forbiddenUntil: TimeInterval = 0
        /// At most so many at once, after the collector has found more too large.
        var batchRecords: Int
        /// Accepted, and not yet removed: it must not be sent again.
        var accepted: OutboxStore.Batch?
        var running: Task<Void, Never>?

        var maySend: Bool { policy == .enabled && !isSuspended && !isStopped }
    }

    private let configuration: Outbox.Configuration
    private let shelf: StoreShelf
    private let uploader: any LogUploader
    private let clock: OutboxClock
    private let report: @Sendable (OutboxNotice) -> Void
    private let signal = Signal()
    private let state: Locked<State>

    init(
        _ configuration: Outbox.Configuration, shelf: StoreShelf, uploader: any LogUploader, clock: OutboxClock,
        report: @escaping @Sendable (OutboxNotice) -> Void
    ) {
        self.configuration = configuration
        self.shelf = shelf
        self.uploader = uploader
        self.clock = clock
        self.report = report
        state = Locked(
            State(
                backoff: Backoff(first: configuration.firstRetry, longest: configuration.longestRetry),
                batchRecords: max(1, configuration.batchRecords)))
    }

    // MARK: When

    /// Delivers whenever a batch is full, and at the interval otherwise.
    func start() {
        Task(priority: .utility) { [weak self] in
            while true {
                guard let wait = self?.secondsToWait(), let signal = self?.signal else { return }
                await signal.wait(atMost: wait)
                guard let self, !self.state.withLock({ $0.isStopped }) else { return }
                await self.deliver(always: false)
            }
        }
    }

    private func secondsToWait() -> TimeInterval {
        let until = state.withLock { max($0.notBefore, $0.forbiddenUntil) } - clock.steady()
        return until > 0 ? min(until, configuration.deliveryInterval) : configuration.deliveryInterval
    }

    /// Records have been stored; a full batch is sent at once.
    func stored(_ records: Int, bytes: Int) {
        let isFull = state.withLock { state in
            state.records += records
            state.bytes = state.bytes.addingReportingOverflow(bytes).overflow ? .max : state.bytes + bytes
            return state.records >= configuration.batchRecords || state.bytes >= configuration.batchBytes
        }
        if isFull { signal.give() }
    }

    func collectionDidChange(to policy: CollectionPolicy) {
        let running = state.withLock { state in
            state.policy = policy
            return policy == .enabled ? nil : state.running
        }
        running?.cancel()
        if policy == .enabled { signal.give() }
    }

    func suspend() async {
        let running = state.withLock { state in
            state.isSuspended = true
            return state.running
        }
        running?.cancel()
        await running?.value
    }

    func resume() {
        state.withLock { $0.isSuspended = false }
        signal.give()
    }

    func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running
        }
        running?.cancel()
        signal.give()
    }

    /// Delivers for so many seconds at most, trying again as often as there is time.
    func deliver(within seconds: TimeInterval) async {
        let end = clock.steady() + seconds
        let work = Task(priority: .utility) {
            while !Task.isCancelled, self.clock.steady() < end {
                await self.deliver(always: true)
                guard self.state.withLock({ $0.maySend }), let sums = try? await self.shelf.store()?.sums(), sums.records > 0 else { return }
                let wait = max(0.01, self.state.withLock { max($0.notBefore, $0.forbiddenUntil) } - self.clock.steady())
                try? await Task.sleep(nanoseconds: UInt64(min(wait, max(0, end - self.clock.steady())) * 1e9))
            }
        }
        let limit = Task(priority: .utility) {
            try await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1e9))
            work.cancel()
            self.state.withLock { $0.running }?.cancel()
        }
        await work.value
        limit.cancel()
    }

    /// Delivers now, however long ago the last failure was.
    func deliver() async { await deliver(always: true) }

    private func deliver(always: Bool) async {
        // What runs may have seen all that was stored before this call; it must not be the answer to it.
        if always { await state.withLock { $0.running }?.value }
        let now = clock.steady()
        let task: Task<Void, Never>? = state.withLock { state in
            if let running = state.running { return running }
            guard state.maySend, now >= state.forbiddenUntil, always || now >= state.notBefore else { return nil }
            let task = Task(priority: .utility) { await self.run() }
            state.running = task
            return task
        }
        await task?.value
    }

    // MARK: How

    private func run() async {
        defer { state.withLock { $0.running = nil } }
        guard let lock = DeliveryLock(shelf.lockPath) else { return }
        await deliverAll()
        _ = consume lock
    }

    private func deliverAll() async {
        var store = shelf.store()
        do {
            if let store {
                if let accepted = state.withLock({ $0.accepted }) { try await removeAccepted(accepted, from: store) }
                let limits = OutboxStore.Limits(
                    records: configuration.storedRecords, bytes: configuration.storedBytes, age: configuration.storedAge)
                for (why, count) in try store.drop(past: limits) { report(.dropped(count, why)) }
            }
            // The next parcel is made while this one is on its way.
            var ready: Parcel?
            while !Task.isCancelled {
                store = shelf.store()
                guard let store else { return }
                let (maySend, limit) = state.withLock { state in
                    state.records = 0
                    state.bytes = 0
                    return (state.maySend, state.batchRecords)
                }
                guard maySend else { return }
                if ready?.limit != limit { ready = nil }
                if ready == nil { ready = try await parcel(behind: 0, limit, from: store) }
                guard let parcel = ready else { return }
                async let next = self.parcel(behind: parcel.batch.numbers.upperBound, limit, from: store)
                switch try await deliver(parcel, from: store) {
                case .gone: ready = try await next
                case .again: ready = nil
                case .failed: return
                }
            }
        } catch {
            shelf.failed(error, of: store)
            fail("\(error)", after: nil)
        }
    }

    /// A batch as it is sent.
    private struct Parcel: Sendable {
        var batch: OutboxStore.Batch
        var body: [UInt8]
        var limit: Int
    }

    private struct NoMemory: Error {}

    private func parcel(behind last: Int64, _ limit: Int, from store: OutboxStore) async throws -> Parcel? {
        guard let batch = try await store.batch(behind: last, records: limit, bytes: configuration.batchBytes) else { return nil }
        var lines: [UInt8] = []
        lines.reserveCapacity(batch.records.reduce(0) { $0 + $1.count + 1 })
        for record in batch.records {
            lines += record
            lines.append(0x0A)
        }
        guard let body = Gzip.compress(lines) else { throw NoMemory() }
        return Parcel(batch: batch, body: body, limit: limit)
    }

    /// What has become of a parcel.
    private enum Fate {
        /// Nothing of it is left to be sent.
        case gone
        /// It is to be sent in smaller parts.
        case again
        case failed
    }

    private func deliver(_ parcel: Parcel, from store: OutboxStore) async throws -> Fate {
        let batch = parcel.batch
        let result: UploadResult
        do {
            result = try await uploader.upload(LogBatch(count: batch.records.count, body: Data(parcel.body)))
        } catch {
            // Whoever has cancelled it knows why.
            if !Task.isCancelled { fail("\(error.localizedDescription)", after: nil) }
            return .failed
        }
        switch result {
        case .accepted:
            state.withLock { state in
                state.backoff.succeed()
                state.notBefore = 0
                state.batchRecords = min(configuration.batchRecords, state.batchRecords * 2)
                state.accepted = batch
            }
            try await removeAccepted(batch, from: store)
        case .tooLarge: return try await halve(batch, or: "the collector takes nothing that large", store)
        case .invalid(let reason): return try await halve(batch, or: reason, store)
        case .refused(let reason): try await bury(batch, reason, store)
        case .later(let reason, let after):
            fail(reason, after: after)
            return .failed
        }
        return .gone
    }

    private func removeAccepted(_ batch: OutboxStore.Batch, from store: OutboxStore) async throws {
        try await store.remove(batch)
        state.withLock { $0.accepted = nil }
    }

    /// A batch that will not pass may hold smaller ones that will; a record that will not is a dead letter.
    private func halve(_ batch: OutboxStore.Batch, or reason: String, _ store: OutboxStore) async throws -> Fate {
        if batch.records.count > 1 {
            state.withLock { $0.batchRecords = max(1, batch.records.count / 2) }
            return .again
        }
        try await bury(batch, reason, store)
        return .gone
    }

    private func bury(_ batch: OutboxStore.Batch, _ reason: String, _ store: OutboxStore) async throws {
        try await store.bury(batch, reason: reason, limit: configuration.deadLetters)
        state.withLock { $0.batchRecords = min(configuration.batchRecords, $0.batchRecords * 2) }
        report(.deadLetters(batch.records.count, reason: reason))
    }

    private func fail(_ reason: String, after: TimeInterval?) {
        let now = clock.steady()
        let wait = state.withLock { state in
            let wait = max(state.backoff.fail(), after ?? 0)
            state.notBefore = now + wait
            if let after { state.forbiddenUntil = now + min(after, 86_400) }
            return wait
        }
        report(.deliveryFailed(reason: reason, retryAfter: wait))
    }
}
