#if Scope
    import Foundation
    import Gzip

    /// Accepts batches as the outbox sends them.
    ///
    /// The status is 204 when every record is on disk, 4xx if the batch cannot be read, and 503 if it cannot be stored
    /// now (`HTTPUploader`). A record that violates its definition is stored, too, so that the page can show it.
    struct BatchIntake: Sendable {
        /// The maximum size of a decompressed body. The outbox halves a batch that is answered with 413.
        static let longestBody = 16 << 20
        static let mostRecords = 100_000

        let collector: Collector
        /// The required value of `Authorization`; nil to accept any.
        let authorization: String?

        /// - Throws: The error of a broken connection.
        func take(_ request: HTTPRequest, _ body: HTTPConnection) async throws -> HTTPResponse {
            if let authorization, request.headers["authorization"].map({ !Self.isEqual($0, authorization) }) ?? true {
                await collector.noteRefusal(401)
                return .text(401, "`Authorization` does not have the expected value.", [("WWW-Authenticate", "Bearer")])
            }
            if let sentAt = request.headers["sent-at"] { await collector.noteClock(sentAt: sentAt, arrival: Date()) }
            do {
                return try await answer(request, body)
            } catch let problem as HTTPProblem {
                if problem.isRefusal { await collector.noteRefusal(problem.status) }
                return .text(problem.status, problem.message)
            }
        }

        private func answer(_ request: HTTPRequest, _ body: HTTPConnection) async throws -> HTTPResponse {
            let isPacked: Bool
            switch request.headers["content-encoding"]?.lowercased() {
            case nil, "identity": isPacked = false
            case "gzip", "x-gzip": isPacked = true
            case let other?:
                throw HTTPProblem(415, "The content encoding \(other.prefix(40)) is not supported: send gzip, or none.")
            }
            if let length = request.headers["content-length"].flatMap({ Int($0) }), length > Self.longestBody {
                throw HTTPProblem(413, "The body has more than \(Self.longestBody) bytes.")
            }
            var reserved = 0
            let outcome: Result<HTTPResponse, any Error>
            do {
                outcome = .success(try await read(body, isPacked, &reserved))
            } catch {
                outcome = .failure(error)
            }
            await collector.give(bytes: reserved)
            return try outcome.get()
        }

        private func read(_ body: HTTPConnection, _ isPacked: Bool, _ reserved: inout Int) async throws -> HTTPResponse
        {
            var text: [UInt8] = []
            var lines = 0
            func add(_ bytes: some Collection<UInt8>, _ words: String) throws {
                text += bytes
                guard text.count <= Self.longestBody else {
                    throw HTTPProblem(413, "\(words) has more than \(Self.longestBody) bytes.")
                }
                for byte in bytes where byte == 0x0A { lines += 1 }
                guard lines <= Self.mostRecords else {
                    throw HTTPProblem(413, "The batch has more than \(Self.mostRecords) lines.")
                }
            }
            guard let gzip = Inflater(skipsPadding: false) else {
                throw HTTPProblem(503, "zlib cannot be initialized.", isRefusal: false)
            }
            while let piece = try await body.next() {
                if isPacked {
                    let status = try piece.withUnsafeBytes { piece in
                        try gzip.read(piece) { try add($0, "The decompressed body") }
                    }
                    if status == .damaged { throw HTTPProblem(400, "The gzip data is damaged.") }
                } else {
                    try add(piece, "The body")
                }
                guard await collector.take(bytes: text.count - reserved) else {
                    return .text(503, "Too many batches arrive at once.", [("Retry-After", "1")])
                }
                reserved = text.count
            }
            if gzip.isInside { throw HTTPProblem(400, "The gzip data is truncated.") }

            let faults = await collector.faults
            switch await collector.fate() {
            case .taken: break
            case .dropped: return HTTPResponse(0, body: .reset)
            case .answered(let status):
                throw HTTPProblem(status, "This failure was requested with --fail or on the page.", isRefusal: false)
            }
            let records = text.split(separator: 0x0A).filter {
                !$0.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            }
            if records.isEmpty {
                throw HTTPProblem(400, "The body has no records: send a JSON object on each line.")
            }
            if records.count > Self.mostRecords {
                throw HTTPProblem(413, "The batch has more than \(Self.mostRecords) records.")
            }
            if let long = records.firstIndex(where: { $0.count > RecordReader.longestRecord }) {
                throw HTTPProblem(
                    413,
                    "Record \(long) of the batch, counted from 0, has more than \(RecordReader.longestRecord) bytes.")
            }
            let time = Int64(Date().timeIntervalSince1970 * 1000)
            // Records are processed in pieces, so that a batch with many violations needs little memory.
            var start = 0
            do {
                while start < records.count {
                    var (end, size) = (start, 0)
                    while end < records.count, end - start < 1000, size < 1 << 20 || end == start {
                        size += records[end].count
                        end += 1
                    }
                    let piece = records[start..<end].map { Array($0) }
                    try await collector.keep(await collector.reader.read(piece, at: time))
                    start = end
                }
            } catch {
                return .text(503, "The session cannot be written: \(ScopeStore.words(error))", [("Retry-After", "5")])
            }
            if let delay = faults.delay { try await Task.sleep(nanoseconds: UInt64(delay * 1e9)) }
            return HTTPResponse(204)
        }

        /// Compares two strings in a time that depends only on their lengths.
        static func isEqual(_ left: String, _ right: String) -> Bool {
            let (left, right) = (Array(left.utf8), Array(right.utf8))
            guard left.count == right.count else { return false }
            return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
#endif
