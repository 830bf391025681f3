public import ActivityTracking
public import Foundation

/// A destination with durable delivery: records are written to disk, and deleted only after the collector has accepted
/// them.
///
/// **The guarantee.** A record is delivered at least once, oldest first, except for probes of a collector that refuses
/// records (<doc:ActivityOutbox>). It may arrive twice, with the same `event_id`.
/// Only these records can be lost:
///
/// - records in memory at a crash: ``makeDurable()`` has not returned true since they were posted. Usually they are
///   from the last ``Limits/writeDelay``. They are older while the disk fails, while another process holds a
///   lock, and between ``suspend()`` and ``resume()``;
/// - records past a limit, which are counted and reported;
/// - records of a user who denies.
///
/// **Consent.** An outbox begins with `CollectionPolicy.paused`: records are stored, and none is sent before the policy
/// is `enabled`. After a denial, no record is stored before the policy is `enabled`. An `ActivityLogger` passes its
/// policy to the outbox.
///
/// ```
/// post ──▶ memory ──▶ store ──▶ collector ──▶ deleted
///            │          │           └──────▶ dead letter   (refused for good)
///            └──────────┴──────────────────▶ dropped       (past a limit, or denied; counted)
/// ```
///
/// Every method may be called at any time, from any thread, any number of times.
public final class Outbox: LogDestination {
    private let engine: OutboxEngine
    private let isSampled: Bool

    /// - Parameters:
    ///   - configuration: The settings of the store and of delivery.
    ///   - uploader: The transport of batches to the collector.
    ///   - report: Called with notices for developers, on any thread, one at a time. The function may call methods of
    ///     the outbox, but must not wait for them: their answers come after it returns.
    public convenience init(
        _ configuration: Configuration, uploader: any LogUploader,
        report: @escaping @Sendable (Notice) -> Void = Notice.log
    ) {
        self.init(configuration, uploader: uploader, clock: .system, users: .process, report: report)
    }

    /// - Parameters:
    ///   - users: The outboxes of the same process. By default, this one is alone, as in a process of its own.
    ///   - faults: Called before each access to a file. A test throws to make the access fail.
    package init(
        _ configuration: Configuration, uploader: any LogUploader, clock: OutboxClock,
        users: FolderUsers = FolderUsers(), faults: @escaping @Sendable (FileAction) throws -> Void = { _ in },
        report: @escaping @Sendable (Notice) -> Void
    ) {
        engine = OutboxEngine(
            configuration, uploader: uploader, clock: clock, users: users, faults: faults, report: report)
        isSampled = configuration.isSampled
    }

    // `abandon()` still writes the records in memory.
    deinit { engine.abandon() }

    /// The limits in force. They may be set at any time, for example by a flag of the app. Limits of the store apply
    /// from the next write or delivery, and a lower one drops the oldest records.
    public var limits: Limits {
        get { engine.limits }
        set { engine.use(newValue) }
    }

    // MARK: Receiving

    public func decide(_ record: LogRecord) -> LogDecision { .take(rate: isSampled ? record.sampling ?? 1 : 1) }

    public func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { engine.post(record.json) }

    /// Takes a record: JSON on one line.
    package func receive(_ json: [UInt8]) { engine.post(json) }

    // MARK: Safety and delivery

    /// Writes the records received before, and returns when they are on disk or cannot be written now. An outbox that
    /// is suspended or has ended opens its files for the call, and closes them again.
    public func flush() async { await engine.call { machine, ticket, _ in machine.flush(ticket) } }

    /// Writes the records received before, as ``flush()`` does.
    /// - Returns: A Boolean value that indicates whether the records are durable: they survive a crash of the process.
    public func makeDurable() async -> Bool { await engine.call { machine, ticket, _ in machine.flush(ticket) } }

    /// Sends the stored records, unless the collector has asked to wait or the policy does not allow delivery. Returns
    /// when no record is left, when the delivery has failed, or when no record may be sent. Inside the outbox's own
    /// uploader, the call has no effect and is reported.
    public func deliver() async {
        guard !engine.isInUploader("deliver()") else { return }
        await engine.call { machine, ticket, _ in machine.deliver(ticket) }
    }

    /// Delivers the remaining records for at most `seconds` (from 0 to a day), then closes every file and ends. The
    /// call returns at most a tenth of a second after that time, even if the uploader or the disk hangs. Files that the
    /// disk still uses are closed as soon as possible. Records received later wait for ``flush()``.
    public func shutdown(within seconds: TimeInterval) async {
        let seconds = Outbox.Limits.clamp(seconds, 0...Outbox.Limits.day)
        await engine.call { machine, ticket, now in
            machine.shutDown(ticket, within: seconds, grace: OutboxEngine.grace, at: now)
        }
    }

    /// Writes the records in memory, ends a running delivery, and closes every file: iOS ends apps that are suspended
    /// while they hold a lock in a shared container. Call it in a background task when the app has entered the
    /// background; call `deliver()` before if there is time.
    ///
    /// Records received afterwards wait in memory (``Status/queued``) until ``resume()`` or ``flush()``.
    public func suspend() async { await engine.call { machine, ticket, _ in machine.suspend(ticket) } }

    /// Continues after ``suspend()``. The last of the two calls counts. After ``shutdown(within:)`` it has no effect.
    public func resume() async { await engine.call { machine, ticket, now in machine.resume(ticket, at: now) } }

    /// Sets the user's decision. When the call returns after `denied`, the decision is on disk, and no record is taken
    /// or sent. Stored records are wiped, at the next start if it is not possible now. ``flush()`` waits for the wipe.
    public func collectionDidChange(to policy: CollectionPolicy) { engine.set(policy) }

    // MARK: Content

    /// The numbers of records in memory, stored, and dropped.
    public struct Status: Sendable, Equatable {
        /// Records in memory, which are lost if the process dies now.
        public var queued = 0
        /// Records on disk that are to be sent. While the files are closed, the last known number.
        public var stored = 0
        /// The size of the stored records' JSON, in bytes, including the bytes that a seal adds.
        public var storedBytes = 0
        /// Records on disk that the collector has refused permanently.
        public var deadLetters = 0
        /// Records dropped since the store was made.
        public var dropped = 0
    }

    /// Returns the numbers of records. After ``suspend()`` and ``shutdown(within:)``, the call opens no file and
    /// returns the last known numbers.
    public func status() async -> Status {
        if engine.look({ $0.mayUseDisk }) { _ = await engine.ask { _ in } }
        return engine.look { machine in
            Status(
                queued: machine.intake.count, stored: machine.store.sums.records,
                storedBytes: machine.store.sums.bytes,
                deadLetters: machine.store.sums.deadLetters,
                dropped: machine.store.sums.dropped + machine.intake.uncounted)
        }
    }

    /// The store could not be read or written.
    public struct Unavailable: Error {}

    /// Returns the records that the collector has refused permanently, oldest first.
    /// - Throws: ``Unavailable`` if the store cannot be read.
    public func deadLetters() async throws -> [DeadLetter] {
        let letters = Locked([DeadLetter]())
        guard
            await engine.ask({ store in
                let found = try store.deadLetters()
                letters.withLock { $0 = found }
            })
        else { throw Unavailable() }
        return letters.withLock { $0 }
    }

    /// Turns the dead letters into records again, which are delivered after the stored records. Call it when the
    /// collector is fixed.
    /// - Throws: ``Unavailable`` if the store cannot be written.
    public func retryDeadLetters() async throws {
        guard await engine.ask({ try $0.reviveDeadLetters() }) else { throw Unavailable() }
        engine.sendWhatIsStored()
    }
}
