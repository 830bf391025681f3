import ActivityTracking
public import Foundation

/// The encoding of a batch of records as the body of a request.
///
/// ```swift
/// let encoding = BatchEncoding(contentType: "application/json") { records in
///     Data("[".utf8) + records.joined(separator: Array(",".utf8)) + Data("]".utf8)
/// }
/// let uploader = HTTPUploader(url, encoding: encoding.gzipped())
/// ```
public struct BatchEncoding: Sendable {
    /// The value of the `Content-Type` header.
    public let contentType: String
    /// The value of the `Content-Encoding` header; nil to omit it.
    public let contentEncoding: String?
    /// Encodes the records. Each record is UTF-8 JSON on one line. If this function throws, the batch is sent later.
    public let body: @Sendable ([[UInt8]]) throws -> Data
    /// Returns the result of a batch for its response and number of records; nil if ``HTTPUploader`` reads responses.
    var readAnswer: (@Sendable (CollectorAnswer, Int) -> UploadResult)?

    public init(
        contentType: String, contentEncoding: String? = nil, body: @escaping @Sendable ([[UInt8]]) throws -> Data
    ) {
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.body = body
    }

    /// Returns an encoding with one record per line (`application/x-ndjson`).
    public static func ndjson(gzip: Bool) -> BatchEncoding {
        let lines = BatchEncoding(contentType: "application/x-ndjson") { records in
            var lines = Data(capacity: records.reduce(0) { $0 + $1.count + 1 })
            for record in records {
                lines.append(contentsOf: record)
                lines.append(0x0A)
            }
            return lines
        }
        return gzip ? lines.gzipped() : lines
    }

    /// Returns this encoding with gzip compression (RFC 1952). Responses are read as before, such as those of
    /// ``otlp(resource:)``.
    public func gzipped() -> BatchEncoding {
        var encoding = BatchEncoding(contentType: contentType, contentEncoding: "gzip") { [body] in
            try Gzip.compress(body($0))
        }
        encoding.readAnswer = readAnswer
        return encoding
    }
}

/// A body that is encoded while the previous batch is in flight.
final class PreparedBody: Sendable {
    private struct State: Sendable {
        var made: (id: UUID, body: Data)?
        var lastTaken: UUID?
    }

    private let encoding: BatchEncoding
    private let state = Locked(State())

    init(_ encoding: BatchEncoding) { self.encoding = encoding }

    func prepare(_ batch: LogBatch) {
        state.withLock { state in
            guard state.lastTaken != batch.id, state.made?.id != batch.id else { return }
            state.made = (try? encoding.body(batch.records)).map { (batch.id, $0) }
        }
    }

    /// Returns the body of a batch. Waits if another thread is encoding the body.
    func take(_ batch: LogBatch) throws -> Data {
        try state.withLock { state in
            defer { (state.made, state.lastTaken) = (nil, batch.id) }
            if let made = state.made, made.id == batch.id { return made.body }
            return try encoding.body(batch.records)
        }
    }
}
