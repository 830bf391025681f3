public import Foundation

/// A type that uploads batches of records to a collector. ``HTTPUploader`` is one; apps may implement their own.
///
/// ```swift
/// struct MyUploader: LogUploader {
///     func upload(_ batch: LogBatch) async throws -> UploadResult {
///         try await myConnection.send(batch.records) ? .accepted : .later(reason: "busy", after: nil)
///     }
/// }
/// ```
///
/// Tests of an uploader do not need an outbox: ``LogBatch/init(records:id:)`` creates a batch.
public protocol LogUploader: Sendable {
    /// Uploads a batch and returns the result. If it throws, the result is unknown, and the records are sent again.
    ///
    /// The outbox uploads one batch at a time. The outbox cancels the task when consent is denied, the app is suspended
    /// or the outbox ends. Return at once then, and do not start new work. An uploader that continues delays
    /// ``Outbox/deliver()`` by two seconds, and no other call. Nothing else is sent until the uploader returns.
    func upload(_ batch: LogBatch) async throws -> UploadResult

    /// The time within which an upload returns, in seconds. A longer one is reported
    /// (``Outbox/Notice/uploaderStalled(seconds:)``). The default is five minutes.
    var timeLimit: TimeInterval { get }

    /// The reason for which no batch can be uploaded, such as an unusable URL; nil by default. The outbox reads it once,
    /// and reports it (``Outbox/Notice/configuration(_:)``). Records are then stored, and none is sent.
    var problem: String? { get }

    /// Prepares a batch while the previous one is in flight, for example by compression. Called on a background thread.
    ///
    /// The default does nothing. Some batches are uploaded unprepared, and some prepared ones are never uploaded.
    func prepare(_ batch: LogBatch)
}

extension LogUploader {
    public func prepare(_ batch: LogBatch) {}
    public var timeLimit: TimeInterval { 300 }
    public var problem: String? { nil }
}

/// A group of records to upload together.
public struct LogBatch: Sendable {
    /// The records, oldest first. Each is a JSON object in UTF-8, on one line, without a newline.
    public let records: [[UInt8]]
    /// The unique identifier of the batch. A record that is sent again is in a new batch, with the same `event_id`.
    public let id: UUID

    var isAllowed: @Sendable () -> Bool = { true }
    /// Reports a mistake in the configuration of the uploader, once.
    var report: @Sendable (String) -> Void = { _ in }

    public init(records: [[UInt8]], id: UUID = UUID()) {
        self.records = records
        self.id = id
    }

    /// A Boolean value that indicates whether the batch may be sent. It becomes false when consent is denied, in this
    /// process or in another one that shares the folder.
    ///
    /// The outbox reads this value immediately before it calls an uploader. An uploader that does other work first,
    /// such as fetching a token, must read the value again after that work. If the value is false, return
    /// ``UploadResult/later(reason:after:)``.
    public var mayBeSent: Bool { isAllowed() }
}

/// The result of an upload.
public enum UploadResult: Sendable, Equatable {
    /// The collector has all records. They are deleted.
    case accepted
    /// The collector returned results of individual records, by their index in ``LogBatch/records``.
    ///
    /// A record without a result is sent again, not before `after` seconds if given. Otherwise it is sent at once, or
    /// after a backoff if fewer than a tenth of the records have a result. An index out of range means that collector
    /// and uploader disagree about the batch: all results are then ignored, and all records are sent again later.
    case perRecord([Int: RecordResult], after: TimeInterval? = nil)
    /// The collector has the batch, except for some records that it does not name. It forbids sending the batch again,
    /// so all its records are deleted. The rejected ones count as dropped (``Outbox/Notice/Drop/rejected``).
    ///
    /// If `rejected` is 0, the message is a warning. If all records are rejected, they become dead letters.
    case partialSuccess(rejected: Int, message: String)
    /// The batch is too large. Its halves are uploaded. A single record that is too large becomes a dead letter.
    case tooLarge
    /// The batch contains an invalid record. Its halves are uploaded, and their halves, until the invalid record is
    /// alone in a batch. That record becomes a dead letter.
    case invalid(reason: String)
    /// The collector will never accept these records. They become dead letters.
    case refused(reason: String)
    /// The collector may accept the batch later. The batch is sent again after a backoff. With `after`, the wait is at
    /// least that many seconds; a value above a day counts as a day.
    case later(reason: String, after: TimeInterval?)
}

/// The result of one record in a batch.
public enum RecordResult: Sendable, Equatable {
    /// The collector has the record. It is deleted.
    case accepted
    /// The collector will never accept the record. It becomes a dead letter.
    case refused(reason: String)
}
