public import Foundation

/// Brings batches of records to a collector. ``HTTPUploader`` is one; an app may bring its own.
///
/// ```swift
/// struct MyUploader: LogUploader {
///     func upload(_ batch: LogBatch) async throws -> UploadResult {
///         try await myConnection.send(batch.records) ? .accepted : .later(reason: "busy", after: nil)
///     }
/// }
/// ```
///
/// A test of it needs no outbox: ``LogBatch/init(records:id:)`` makes a batch of any records.
public protocol LogUploader: Sendable {
    /// Sends a batch and says what became of it. If it throws, nobody knows, and the records are sent again.
    ///
    /// The outbox calls it for one batch after the other, never for two at once. If the task is cancelled (the user
    /// denies, the app is suspended, the outbox ends), return at once and begin nothing. An uploader that keeps running
    /// after that holds up ``Outbox/deliver()`` for two seconds and no other call, but nothing else is sent until it
    /// returns.
    func upload(_ batch: LogBatch) async throws -> UploadResult

    /// Gets a batch ready while the one before is on its way: the moment to encode and compress it. Called on a
    /// background thread.
    ///
    /// An uploader need not have it: the default does nothing. Some batches are sent without it, and some are never
    /// sent after it.
    func prepare(_ batch: LogBatch)
}

extension LogUploader {
    public func prepare(_ batch: LogBatch) {}
}

/// Records to be sent together.
public struct LogBatch: Sendable {
    /// The records, oldest first. Each is a JSON object in UTF-8, on one line, without a line end.
    public let records: [[UInt8]]
    /// Tells this batch from every other one. A record that is sent again comes in a new batch; its `event_id` stays
    /// the same.
    public let id: UUID

    var isAllowed: @Sendable () -> Bool = { true }

    public init(records: [[UInt8]], id: UUID = UUID()) {
        self.records = records
        self.id = id
    }

    /// False once the user denies collection, in this process or in another one that shares the folder.
    ///
    /// The outbox reads it right before it calls an uploader. An uploader that does other work before the first byte
    /// leaves (a token, a connection) reads it once more after that work, and returns
    /// ``UploadResult/later(reason:after:)`` if it is false.
    public var mayBeSent: Bool { isAllowed() }
}

/// What became of a batch.
public enum UploadResult: Sendable, Equatable {
    /// The collector has every record. They are deleted.
    case accepted
    /// The collector has said what became of single records, named by their index in ``LogBatch/records``.
    ///
    /// A record without an entry is sent again: not before `after` seconds if that is given. Otherwise it is sent at
    /// once, or with a backoff if fewer than a tenth of the records have an entry. An
    /// index that the batch does not have means that collector and uploader count differently: then no entry is
    /// believed, and every record is sent again later.
    case perRecord([Int: RecordResult], after: TimeInterval? = nil)
    /// The batch is too large. Its halves are tried; a single record that is too large becomes a dead letter.
    case tooLarge
    /// Some record in the batch is wrong. Its halves are tried until the wrong record is alone; it becomes a dead
    /// letter.
    case invalid(reason: String)
    /// The collector will never take these records. They become dead letters.
    case refused(reason: String)
    /// The collector may take the batch later: not before `after` seconds if that is given, which counts for a day at
    /// most.
    case later(reason: String, after: TimeInterval?)
}

/// What became of one record of a batch.
public enum RecordResult: Sendable, Equatable {
    /// The collector has it. It is deleted.
    case accepted
    /// The collector will never take it. It becomes a dead letter.
    case refused(reason: String)
}
