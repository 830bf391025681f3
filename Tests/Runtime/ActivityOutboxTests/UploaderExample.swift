import ActivityOutbox
import ActivityTracking
import Foundation
import LoopbackCollector
import RecipeLogs
import Testing

/// The documentation's uploaders, with a collector on this machine.
struct UploaderExample {
    /// Accepts everything.
    private struct MyUploader: LogUploader {
        func upload(_ batch: LogBatch) async throws -> UploadResult { .accepted }
    }

    @Test("A custom encoding delivers the records as a gzipped JSON array") func aCustomBodyIsDelivered() async throws {
        let bodies = Locked<[Collector.Request]>([])
        let collector = try Collector { request in
            bodies.withLock { $0.append(request) }
            return .status(204)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = collector.url

        let array = BatchEncoding(contentType: "application/json") { records in
            Data("[".utf8) + records.joined(separator: Array(",".utf8)) + Data("]".utf8)
        }
        let outbox = Outbox(.init(folder: folder), uploader: HTTPUploader(url, encoding: array.gzipped()))

        let logger = ActivityLogger(destinations: [outbox], collection: .enabled)
        logger.post(RecipeSearch.clearHistory)
        await logger.shutdown(within: 600)
        let request = try #require(bodies.withLock { $0.first })
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["content-encoding"] == "gzip")
        #expect((try JSONSerialization.jsonObject(with: Data(request.body)) as? [Any])?.count == 1)
    }

    @Test("A custom uploader accepts a batch without an outbox") func anUploaderIsTestedWithoutAnOutbox() async throws {
        let batch = LogBatch(records: [LogRecord(RecipeSearch.clearHistory).json])
        #expect(try await MyUploader().upload(batch) == .accepted)
    }
}
