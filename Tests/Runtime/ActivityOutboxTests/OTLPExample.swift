import ActivityOutbox
import ActivityTracking
import Foundation
import LoopbackCollector
import RecipeLogs
import Testing
import TestSupport

/// The example of the article OpenTelemetry, with a collector on this machine.
struct OTLPExample {
    @Test("The request of the article is the one that the outbox sends for the article's record")
    func requests() async throws {
        let seen = Locked<Collector.Request?>(nil)
        let collector = try Collector { request in
            seen.withLock { $0 = request }
            return .text(200, "{\"partialSuccess\":{}}", accepting: [])
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try #require(URL(string: "/v1/logs", relativeTo: collector.url))

        let encoding = BatchEncoding.otlp(resource: [
            "service.name": "recipes", "service.version": "2026.4.0", "device.id": session.id,
        ])
        let outbox = Outbox(.init(folder: folder), uploader: HTTPUploader(url, encoding: encoding.gzipped()))

        let record = LogRecord(
            RecipeSearch.search(keyword: "curry", order: .popular, tags: ["easy"], resultCount: 42, elapsed: 2),
            occurredAt: Date(timeIntervalSince1970: 1_793_000_000.678),
            id: UUID(uuidString: "01a17766-52a6-7bb4-9aff-7f6d4cbb1d29"))
        outbox.collectionDidChange(to: .enabled)
        outbox.receive(record, of: RecipeSearch.clearHistory)
        await outbox.shutdown(within: 600)
        let request = try #require(seen.withLock { $0 })
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["content-encoding"] == "gzip")

        let article = "Sources/Runtime/ActivityOutbox/Documentation.docc/OpenTelemetry.md"
        let text = try String(contentsOf: Tool.repository.appendingPathComponent(article), encoding: .utf8)
        let blocks = text.components(separatedBy: "```json\n").dropFirst().map { block in
            Data((block.components(separatedBy: "```").first ?? "").utf8)
        }
        try #require(blocks.count == 2)
        for (shown, real) in zip(blocks, [Data(record.json), Data(request.body)]) {
            let expected = try #require(try JSONSerialization.jsonObject(with: real) as? NSDictionary)
            let object = try #require(try JSONSerialization.jsonObject(with: shown) as? NSDictionary)
            #expect(object == expected, "\(String(decoding: real, as: UTF8.self))")
        }
    }

    /// The parts of the app that the example uses.
    private struct Session { var id: UUID }
    private var session: Session {
        Session(id: UUID(uuidString: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff") ?? UUID())
    }
}
