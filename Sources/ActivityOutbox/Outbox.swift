public import ActivityTracking
public import Foundation
import GRDB

/// A destination that loses nothing: records are written to disk and deleted only after the collector has accepted them.
///
/// **The guarantee.** A record is delivered at least once, in the order of writing, and what can be lost are the records that a crash finds in memory (posted
/// within the last ``Configuration/writeDelay``, unless ``flush()`` has returned) and those dropped past the limits, which are counted;
/// a record may arrive twice, and its `event_id` tells.
///
/// ```
/// post ──▶ memory ──▶ store ──▶ collector ──▶ deleted
///            │          │           └──────▶ dead letter   (refused for good)
///            └──────────┴──────────────────▶ dropped       (past a limit; counted)
/// ```
public final class Outbox: LogDestination {
    private let configuration: Configuration
    private let report: @Sendable (OutboxNotice) -> Void
    private let queue: RecordQueue
    private let shelf: StoreShelf
    private let sender: Sender
    /// Whether the user does not agree to what is stored.
    private let isToBeCleared = Locked(false)
    /// Writes one after the other; disk may block here, and nowhere else.
    private let writer = DispatchQueue(label: "ActivityOutbox.writer", qos: .utility)

    /// - Parameters:
    ///   - configuration: where and how records are stored.
    ///   - uploader: brings batches to the collector.
    ///   - report: is told what developers should know of, from any thread.
    public convenience init(
        _ configuration: Configuration, uploader: any LogUploader, report: @escaping @Sendable (OutboxNotice) -> Void = OutboxNotice.log
    ) {
        self.init(configuration, uploader: uploader, clock: .system, report: report)
    }

    package init(
        _ configuration: Configuration, uploader: any LogUploader, clock: OutboxClock,
        report: @escaping @Sendable (OutboxNotice) -> Void
    ) {
        self.configuration = configuration
        self.report = report
        queue = RecordQueue(records: configuration.queuedRecords, bytes: configuration.queuedBytes)
        shelf = StoreShelf(folder: configuration.folder, clock: clock, report: report)
        sender = Sender(configuration, shelf: shelf, uploader: uploader, clock: clock, report: report)
        // What an earlier process has left is sent without waiting for a new record.
        writer.async { [shelf, sender] in
            if let store = shelf.store(), store.isNotEmpty { sender.stored(0, bytes: .max) }
        }
        sender.start()
    }

    deinit { sender.stop() }

    // MARK: Receiving

    public func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { receive(record.json) }

    /// Takes a record as JSON, on one line.
    package func receive(_ json: [UInt8]) {
        guard queue.append(json) else { return }
        // Strongly: an outbox that nobody holds any more still writes what it has taken.
        writer.asyncAfter(deadline: .now() + configuration.writeDelay) { [self] in _ = write() }
    }

    /// Writes what waits in memory; false where it still waits.
    private func write() -> Bool {
        // A store that cannot be read is set aside, and its successor is there for a second try.
        if tryToWrite() || tryToWrite() { return true }
        if queue.count > 0 { writer.asyncAfter(deadline: .now() + 1) { [weak self] in _ = self?.write() } }
        return false
    }

    private func tryToWrite() -> Bool {
        let (records, dropped, new) = queue.take()
        if new > 0 { report(.dropped(new, .queue)) }
        let store = shelf.store()
        do {
            guard let store else {
                queue.giveBack()
                return records.isEmpty
            }
            if isToBeCleared.withLock({ $0 }) {
                let count = try store.clear()
                isToBeCleared.withLock { $0 = false }
                if count > 0 { report(.dropped(count, .denied)) }
            }
            if !records.isEmpty || dropped > 0 {
                for (why, count) in try store.insert(records, dropped: dropped, limits: limits) { report(.dropped(count, why)) }
            }
            queue.finish(dropped: dropped)
        } catch {
            queue.giveBack()
            shelf.failed(error, of: store)
            return records.isEmpty
        }
        if !records.isEmpty { sender.stored(records.count, bytes: records.bytes) }
        return true
    }

    private var limits: OutboxStore.Limits {
        .init(records: configuration.storedRecords, bytes: configuration.storedBytes, age: configuration.storedAge)
    }

    private func onWriter<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in writer.async { continuation.resume(returning: body()) } }
    }

    // MARK: Safety and delivery

    /// Returns when what was received before is on disk, or cannot be written now.
    public func flush() async { _ = await makeDurable() }

    /// Writes what was received before. Once it returns true, a crash loses none of it.
    public func makeDurable() async -> Bool { await onWriter { self.write() } }

    /// Sends what is stored, now, unless the collector has asked to wait. Returns when nothing is left, or this try has failed.
    public func deliver() async {
        await flush()
        await sender.deliver()
    }

    /// Delivers what is left for at most `seconds`, then ends. Later records wait in memory and are lost.
    public func shutdown(within seconds: TimeInterval) async {
        await flush()
        await sender.deliver(within: seconds)
        sender.stop()
        await onWriter { self.shelf.close() }
    }

    /// Makes records safe, ends a running delivery, and closes every file: iOS ends apps that are suspended while they hold a lock in a shared container.
    /// Call it in a background task when the app has entered the background; `deliver()` before, if there is time.
    public func suspend() async {
        await flush()
        await sender.suspend()
        await onWriter { self.shelf.close() }
    }

    /// Goes on after ``suspend()``.
    public func resume() async {
        await onWriter {
            self.shelf.open()
            _ = self.write()
        }
        sender.resume()
    }

    public func collectionDidChange(to policy: CollectionPolicy) {
        sender.collectionDidChange(to: policy)
        guard policy == .denied else { return }
        // Now, or when the store can be opened again: before anything new is written.
        isToBeCleared.withLock { $0 = true }
        let waiting = queue.clear()
        if waiting > 0 { report(.dropped(waiting, .denied)) }
        writer.async { [self] in _ = write() }
    }

    // MARK: What is there

    /// How many records are where.
    public struct Status: Sendable, Equatable {
        /// In memory.
        public var queued = 0
        /// On disk, to be sent.
        public var stored = 0
        /// Their JSON, in bytes.
        public var storedBytes = 0
        public var deadLetters = 0
        /// Given up since the store was made.
        public var dropped = 0
    }

    public func status() async -> Status {
        var status = Status(queued: queue.count)
        if let sums = try? await shelf.store()?.sums() {
            status.stored = sums.records
            status.storedBytes = sums.bytes
            status.deadLetters = sums.deadLetters
            status.dropped = sums.dropped
        }
        status.dropped += queue.dropped
        return status
    }

    /// The records that the collector refuses for good, oldest first.
    public func deadLetters() async throws -> [DeadLetter] { try await shelf.store()?.deadLetters() ?? [] }

    /// Sends dead letters once more, behind what waits: the collector has been mended.
    public func retryDeadLetters() async throws {
        try await shelf.store()?.reviveDeadLetters()
        sender.stored(0, bytes: .max)
    }
}
