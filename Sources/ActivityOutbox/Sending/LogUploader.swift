import ActivityTracking
public import Foundation

/// Brings batches to a collector.
public protocol LogUploader: Sendable {
    /// Sends a batch and says what became of it. Throws where nobody knows: it is sent again.
    ///
    /// When its task is cancelled (the user denies, the app is suspended, the outbox ends), it should return at once and begin nothing. One that does not
    /// holds nobody up, but nothing else is sent until it returns.
    func upload(_ batch: LogBatch) async throws -> UploadResult
}

/// Records to be sent together.
public struct LogBatch: Sendable {
    /// The records, each as UTF-8 JSON on one line, oldest first.
    public var records: [[UInt8]] { content.records }
    /// How many.
    public var count: Int { content.records.count }
    /// A record per line (NDJSON), compressed with gzip (RFC 1952); made once, when it is first asked for. Empty if there is no memory for it.
    public var body: Data { content.body() }

    private let content: Content

    /// A batch of one's own, to try an uploader with.
    public init(records: [[UInt8]]) { content = Content(records) }

    private final class Content: Sendable {
        let records: [[UInt8]]
        private let made = Locked<Data?>(nil)

        init(_ records: [[UInt8]]) { self.records = records }

        func body() -> Data {
            made.withLock { made in
                if let made { return made }
                var lines: [UInt8] = []
                lines.reserveCapacity(records.reduce(0) { $0 + $1.count + 1 })
                for record in records {
                    lines += record
                    lines.append(0x0A)
                }
                let body = Data(Gzip.compress(lines) ?? [])
                made = body
                return body
            }
        }
    }
}

/// What a collector says of a batch.
public enum UploadResult: Sendable, Equatable {
    /// It has all of them.
    case accepted
    /// The batch is too large; smaller ones may pass.
    case tooLarge
    /// Something in it is wrong, and what is right may pass without it.
    case invalid(reason: String)
    /// It will never take them.
    case refused(reason: String)
    /// It may take them later, and not before so many seconds where it says so; a day counts for more.
    case later(reason: String, after: TimeInterval?)
}
