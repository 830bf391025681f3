public import ActivityTracking
public import Foundation

/// A destination that loses nothing: records are written to disk and deleted only after the collector has accepted them.
///
/// **The guarantee.** A record is delivered at least once, in the order of writing, and what can be lost are the records that a crash finds in memory (posted
/// within the last ``Configuration/writeDelay``, or while the disk does not take them, or between ``suspend()`` and ``resume()``), those dropped past the limits, which are counted,
/// and those of a user who denies; a record may arrive twice, and its `event_id` tells.
///
/// **Consent.** Nothing is sent until a policy has been given: an outbox begins with `CollectionPolicy.paused`. A logger gives it its own.
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
    ///   - report: is told what developers should know of, from any thread, one notice after the other; it may call the outbox, and should not wait for it.
    public convenience init(
        _ configuration: Configuration, uploader: any LogUploader, report: @escaping @Sendable (OutboxNotice) -> Void = OutboxNotice.log
    ) {
        self.init(configuration, uploader: uploader, clock: .system, report: report)
    }

    /// - Parameter faults: what is to fail, in tests: called before each access to a file.
    package init(
        _ configuration: Configuration, uploader: any LogUploader, clock: OutboxClock,
        faults: @escaping @Sendable (FileAction) throws -> Void = { _ in }, report: @escaping @Sendable (OutboxNotice) -> Void
    ) {
        engine = OutboxEngine(configuration, uploader: uploader, clock: clock, faults: faults, report: report)
        isSampled = configuration.isSampled
    }

    // What has been taken is still written.
    deinit { engine.abandon() }

    // MARK: Receiving

    public func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { receive(record.json) }

    /// Takes a record as JSON, on one line.
    package func receive(_ json: [UInt8]) { engine.post(json) }

    // MARK: Safety and delivery

    /// Returns when what was received before is on disk, or cannot be written now. An outbox that is suspended or has ended opens its files for it, and closes them.
    public func flush() async { await engine.call { machine, ticket, _ in machine.flush(ticket) } }

    /// Writes what was received before, as ``flush()`` does. True if it is in a file that a new process finds: no crash loses it then.
    public func makeDurable() async -> Bool { await engine.call { machine, ticket, _ in machine.flush(ticket) } }

    /// Sends what is stored, now, unless the collector has asked to wait or the policy does not allow it. Returns when nothing is left, or this try has failed.
    public func deliver() async { await engine.call { machine, ticket, _ in machine.deliver(ticket) } }

    /// Delivers what is left for at most `seconds` (from 0 to a day), then closes every file, and ends. Returns within that time and a tenth of a second, whatever uploader and disk do.
    /// Records received later wait in memory, and are written if ``flush()`` is called.
    public func shutdown(within seconds: TimeInterval) async {
        let seconds = OutboxLimits.clamp(seconds, 0...OutboxLimits.day)
        await engine.call { machine, ticket, now in machine.shutDown(ticket, within: seconds, grace: OutboxEngine.grace, at: now) }
    }

    /// Makes records safe, ends a running delivery, and closes every file: iOS ends apps that are suspended while they hold a lock in a shared container.
    /// Call it in a background task when the app has entered the background; `deliver()` before, if there is time.
    ///
    /// Records received afterwards wait in memory (``Status/queued``) until ``resume()`` or ``flush()``.
    public func suspend() async { await engine.call { machine, ticket, _ in machine.suspend(ticket) } }

    /// Goes on after ``suspend()``; of the two the last call counts. It does nothing after ``shutdown(within:)``.
    public func resume() async { await engine.call { machine, ticket, now in machine.resume(ticket, at: now) } }

    /// What holds from now on. With `denied` the decision is on disk when this returns, nothing is taken or sent any more, and what is stored is wiped
    /// (``flush()`` waits for it), if need be at the next start.
    public func collectionDidChange(to policy: CollectionPolicy) { engine.set(policy) }

    // MARK: What is there

    /// How many records are where.
    public struct Status: Sendable, Equatable {
        /// In memory: lost if the process dies now.
        public var queued = 0
        /// On disk, to be sent; as last seen while the files are closed.
        public var stored = 0
        /// Their JSON, in bytes.
        public var storedBytes = 0
        public var deadLetters = 0
        /// Given up since the store was made.
        public var dropped = 0
    }

    /// How many records are where. After ``suspend()`` and ``shutdown(within:)`` it opens no file, and says what was there last.
    public func status() async -> Status {
        if engine.look({ $0.mayUseDisk }) { _ = await engine.ask { _ in } }
        return engine.look { machine in
            Status(
                queued: machine.queue.count + machine.writing.count, stored: machine.sums.records, storedBytes: machine.sums.bytes,
                deadLetters: machine.sums.deadLetters, dropped: machine.sums.dropped + machine.uncounted)
        }
    }

    /// Why the store could not be asked.
    public struct Unavailable: Error {}

    /// The records that the collector refuses for good, oldest first. Throws ``Unavailable`` if the store cannot be read.
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

    /// Sends dead letters once more, behind what waits: the collector has been mended. Throws ``Unavailable`` if the store cannot be written to.
    public func retryDeadLetters() async throws {
        guard await engine.ask({ try $0.reviveDeadLetters() }) else { throw Unavailable() }
        engine.sendWhatIsStored()
    }
}
