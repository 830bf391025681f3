public import ActivityTracking
public import Foundation

/// A destination that loses nothing: records are written to disk and deleted only after the collector has accepted
/// them.
///
/// **The guarantee.** A record is delivered at least once, oldest first. It may arrive twice; its `event_id` tells.
/// Only these can be lost:
///
/// - records that a crash finds in memory: ``makeDurable()`` has not returned true since they were posted. Usually that is
///   the last ``Configuration/writeDelay``; longer while the disk takes none, while another process holds a lock, or
///   between ``suspend()`` and ``resume()``;
/// - records past a limit, which are counted and reported;
/// - records that a remote policy leaves out, which are counted and reported;
/// - records of a user who denies.
///
/// **Consent.** An outbox begins with `CollectionPolicy.paused` and sends nothing until it is given
/// another policy. A logger gives it its own.
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
    public let isSampled: Bool

    /// - Parameters:
    ///   - configuration: where and how records are stored.
    ///   - uploader: brings batches to the collector.
    ///   - report: is told what developers should know, from any thread, one notice after the other. It may call the
    ///     outbox, and should not wait for it.
    public convenience init(
        _ configuration: Configuration, uploader: any LogUploader,
        report: @escaping @Sendable (Notice) -> Void = Notice.log
    ) {
        self.init(configuration, uploader: uploader, clock: .system, report: report)
    }

    /// - Parameter faults: called before each access to a file. Tests make the access fail by throwing.
    package init(
        _ configuration: Configuration, uploader: any LogUploader, clock: OutboxClock,
        faults: @escaping @Sendable (FileAction) throws -> Void = { _ in }, report: @escaping @Sendable (Notice) -> Void
    ) {
        engine = OutboxEngine(configuration, uploader: uploader, clock: clock, faults: faults, report: report)
        isSampled = configuration.isSampled
    }

    // The records in memory are still written.
    deinit { engine.abandon() }

    // MARK: Receiving

    public func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { engine.post(record) }

    public func share(of record: LogRecord) -> Double? { engine.share(of: record) }

    /// Counts a record that a remote policy leaves out. One that its definition's `sampling` leaves out is not counted.
    public func omit(_ record: LogRecord) {
        if !isSampled || Sampling.place(of: record) < record.sampling ?? 1 { engine.omit() }
    }

    /// Takes a record: JSON on one line.
    package func receive(_ json: [UInt8]) { engine.post(json) }

    // MARK: Safety and delivery

    /// Returns when the records received before are on disk, or cannot be written now. An outbox that is suspended or
    /// has ended opens its files for it, and closes them again.
    public func flush() async { await engine.call { machine, ticket, _ in machine.flush(ticket) } }

    /// Writes the records received before, as ``flush()`` does. True if they are in a file that a new process finds:
    /// then no crash loses them.
    public func makeDurable() async -> Bool { await engine.call { machine, ticket, _ in machine.flush(ticket) } }

    /// Sends what is stored now, unless the collector has asked to wait or the policy does not allow it. Returns when
    /// nothing is left, or when this try has failed.
    public func deliver() async { await engine.call { machine, ticket, _ in machine.deliver(ticket) } }

    /// Delivers what is left for at most `seconds` (from 0 to a day), then closes every file and ends. It returns
    /// within that time and a tenth of a second, even if uploader or disk hang; what the disk holds up then is closed as
    /// soon as it can be. Records received later wait in memory until ``flush()`` is called.
    public func shutdown(within seconds: TimeInterval) async {
        let seconds = OutboxLimits.clamp(seconds, 0...OutboxLimits.day)
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

    /// Goes on after ``suspend()``. Of the two the last call counts. After ``shutdown(within:)`` it does nothing.
    public func resume() async { await engine.call { machine, ticket, now in machine.resume(ticket, at: now) } }

    /// Sets what the user has agreed to. After `denied` the decision is on disk when this returns, no record is taken
    /// or sent, and the stored ones are wiped, at the next start if it cannot be done now. ``flush()`` waits for that.
    public func collectionDidChange(to policy: CollectionPolicy) { engine.set(policy) }

    /// Does as a policy says, in place of the one before; nil as the code says. What is posted after the call is taken
    /// as it says, in this process at once, and at later launches from the first record on; other processes that use
    /// the folder hear of it when they start. What has been taken before stays.
    ///
    /// It takes away and adds to the share of events that deliver; it does not bring back what the definition has off
    /// (`sampling: 0`) or a processor drops, and says nothing of consent: who denies is not recorded, whatever it says.
    /// - Returns: whether it is on disk, for later launches.
    @discardableResult
    public func apply(_ policy: RemotePolicy?) async -> Bool { await engine.apply(policy) }

    // MARK: What is there

    /// How many records are where.
    public struct Status: Sendable, Equatable {
        /// In memory: lost if the process dies now.
        public var queued = 0
        /// On disk, to be sent. While the files are closed, as last seen.
        public var stored = 0
        /// How many bytes of JSON those are, with what a seal adds to them.
        public var storedBytes = 0
        /// On disk, refused by the collector for good.
        public var deadLetters = 0
        /// Given up since the store was made.
        public var dropped = 0
    }

    /// How many records are where. After ``suspend()`` and ``shutdown(within:)`` it opens no file and says what was
    /// last seen.
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

    /// Why the store could not be asked.
    public struct Unavailable: Error {}

    /// The records that the collector refuses for good, oldest first. Throws ``Unavailable`` if the store cannot be
    /// read.
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

    /// Makes records of the dead letters again, behind those that wait: call it once the collector has been mended.
    /// Throws ``Unavailable`` if the store cannot be written to.
    public func retryDeadLetters() async throws {
        guard await engine.ask({ try $0.reviveDeadLetters() }) else { throw Unavailable() }
        engine.sendWhatIsStored()
    }
}
