import ActivityTracking
import Foundation
import LoopbackCollector
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the responses of OTLP, with a collector on loopback.
@Suite(.serialized) struct OTLPAnswerTests {
    private static let encoding = BatchEncoding.otlp(resource: ["service.name": "test"])

    private static func result(_ answer: Collector.Answer, path: String = "/v1/logs", perRecord: Bool = false)
        async throws -> UploadResult
    {
        let collector = try Collector { _ in answer }
        let url = try #require(URL(string: path, relativeTo: collector.url))
        let uploader = HTTPUploader(
            url, encoding: encoding.gzipped(), perRecordAnswers: perRecord, timeout: 3600)
        return try await uploader.upload(LogBatch(records: (1...3).map { Array("{\"n\":\($0)}".utf8) })).shown
    }

    private static func partial(_ members: String) -> String { "{\"partialSuccess\":\(members)}" }

    @Test(
        "A response of OTLP determines the result",
        arguments: [
            (200, "", .accepted), (204, "", .accepted), (202, "{}", .accepted), (200, "{}", .accepted),
            (200, partial("{}"), .accepted), (200, partial("null"), .accepted),
            (200, partial("{\"rejectedLogRecords\":\"0\",\"errorMessage\":\"\"}"), .accepted),
            (
                200, partial("{\"rejectedLogRecords\":\"2\",\"errorMessage\":\"no\"}"),
                .partialSuccess(rejected: 2, message: "no")
            ),
            (200, partial("{\"rejectedLogRecords\":2}"), .partialSuccess(rejected: 2, message: "")),
            (
                200, partial("{\"errorMessage\":\"slow\\ndown\",\"new\":1}"),
                .partialSuccess(rejected: 0, message: "slow down")
            ),
            (200, "{\"partialSuccess\":{},\"new\":{}}", .accepted),
            (
                200, "{\"partial_success\":{\"rejected_log_records\":\"2\",\"error_message\":\"no\"}}",
                .partialSuccess(rejected: 2, message: "no")
            ),
            (
                200, "{\"took\":3}",
                .partialSuccess(rejected: 0, message: "the response has members that OTLP does not have: took")
            ),
            (400, "", .invalid(reason: "HTTP 400")), (400, "<html>", .invalid(reason: "HTTP 400")),
            (400, "{\"code\":3,\"message\":\"bad\"}", .invalid(reason: "HTTP 400: bad")),
            (422, "", .invalid(reason: "HTTP 422")), (413, "", .tooLarge),
            (401, "{\"message\":\"who?\"}", .later(reason: "HTTP 401: who?", after: nil)),
            (500, "", .later(reason: "HTTP 500", after: nil)), (502, "", .later(reason: "HTTP 502", after: nil)),
            (504, "", .later(reason: "HTTP 504", after: nil)), (302, "", .later(reason: "HTTP 302", after: nil)),
        ] as [(Int, String, UploadResult)])
    func responses(status: Int, body: String, result: UploadResult) async throws {
        #expect(try await Self.result(.text(status, body, accepting: [])) == result)
        // The answers are those of the encoding.
        #expect(try await Self.result(.text(status, body, accepting: []), perRecord: true) == result)
    }

    @Test(
        "A response that does not come from a receiver of OTLP for logs loses no record, and names a reason",
        arguments: [
            (200, "<html>It works!</html>", "/", "not a response of OTLP in JSON"), (200, "ok", "/", "check the URL"),
            (200, "{\"status\":\"ok\"}", "/v1/logs", "not a response of OTLP in JSON"),
            (200, "{\"error\":\"invalid token\"}", "/v1/logs", "check the URL"),
            (200, "{\"code\":16,\"message\":\"who?\"}", "/v1/logs", "check the URL"),
            (200, "[]", "/", "check the URL"), (200, "null", "/", "check the URL"), (200, "{", "/", "check the URL"),
            (200, "\u{A}\u{0}", "/v1/logs", "not a response of OTLP in JSON"),
            (200, partial("{\"rejectedLogRecords\":-1}"), "/", "check the URL"),
            (200, partial("{\"rejectedLogRecords\":\"many\"}"), "/", "check the URL"),
            (200, partial("{\"rejectedLogRecords\":99999999999999999999}"), "/", "check the URL"),
            (200, partial("{\"rejectedLogRecords\":1.5}"), "/", "check the URL"),
            (200, partial("7"), "/", "check the URL"),
            (200, String(repeating: "[", count: 60_000), "/", "check the URL"),
            (200, "{\"a\":\"" + String(repeating: "x", count: 70_000) + "\"}", "/", "check the URL"),
            (200, partial("{}"), "/v1/traces", "discards log records; use /v1/logs"),
            (200, "", "/otlp/v1/metrics", "discards log records; use /v1/logs"),
            (404, "404 page not found", "/logs", "usually /v1/logs"), (405, "", "/", "usually /v1/logs"),
            (415, "", "/v1/logs", "accept OTLP in JSON (application/json), and gzip"),
            (415, "{\"message\":\"unsupported media type\"}", "/v1/logs", "415: unsupported media type; configure"),
            (406, "", "/v1/logs", "application/json"), (410, "", "/v1/logs", "HTTP 410"),
            (411, "", "/v1/logs", "HTTP 411"),
            (501, "", "/v1/logs", "HTTP 501"),
        ] as [(Int, String, String, String)])
    func otherServers(status: Int, body: String, path: String, reason: String) async throws {
        let result = try await Self.result(.text(status, body, accepting: []), path: path)
        guard case .later(let given, nil) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(given.contains(reason), "\(given)")
    }

    @Test("Retry-After delays the next try", arguments: [429, 502, 503, 504]) func retryAfter(status: Int) async throws
    {
        let result = try await Self.result(.status(status, retryAfter: "7"))
        #expect(result == .later(reason: "HTTP \(status)", after: 7))
    }

    @Test("The reason contains the type of another server's response, and no long message") func reasons() {
        let answer = CollectorAnswer(status: 200, contentType: "text/html", body: Data("<html>".utf8))
        #expect(
            OTLPAnswer.result(answer, of: 1)
                == .later(
                    reason: "HTTP 200, but its body is not a response of OTLP in JSON, but text/html; check the URL",
                    after: nil))
        let long = String(repeating: "x", count: 10_000)
        guard
            case .later(let reason, nil) = OTLPAnswer.result(
                CollectorAnswer(status: 404, body: Data("{\"message\":\"\(long)\"}".utf8)), of: 1
            ).shown
        else {
            Issue.record("not later")
            return
        }
        #expect(reason.count < 500 && reason.hasPrefix("HTTP 404: xxx") && reason.hasSuffix("/v1/logs"))
    }

    // MARK: With an outbox

    @Test("Records that a partial success rejects are counted and reported, and none is sent again")
    func partialSuccess() async throws {
        let body = Self.partial("{\"rejectedLogRecords\":\"2\",\"errorMessage\":\"too old\"}")
        let collector = try Collector { _ in .text(200, body, accepting: []) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(HTTPUploader(collector.url, encoding: Self.encoding, timeout: 3600))
        outbox.post(1...5)
        await outbox.deliver()
        #expect(await outbox.status() == Outbox.Status(dropped: 2))
        #expect(bench.notices.contains(.partialSuccess(rejected: 2, message: "too old")))
        #expect(bench.dropped(.rejected) == 2)
        await outbox.deliver()
        #expect(collector.requests == 1)
        // The count is on disk.
        await outbox.shutdown(within: 3600)
        #expect(await bench.outbox(Nobody()).status().dropped == 2)
    }

    @Test("A warning of the collector is reported, and every record is accepted") func warnings() async throws {
        let collector = try Collector { _ in .text(200, Self.partial("{\"errorMessage\":\"soon\"}"), accepting: []) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(HTTPUploader(collector.url, encoding: Self.encoding, timeout: 3600))
        outbox.post(1...5)
        await outbox.deliver()
        #expect(await outbox.status() == Outbox.Status())
        #expect(bench.notices == [.partialSuccess(rejected: 0, message: "soon")])
        #expect("\(bench.notices[0])" == "the collector accepted a batch with a warning: soon")
    }

    @Test("If a partial success rejects all records, they become dead letters", arguments: [5, 6, 1_000_000])
    func allRejected(number: Int) async throws {
        let collector = try Collector { _ in
            .text(200, Self.partial("{\"rejectedLogRecords\":\(number),\"errorMessage\":\"all\"}"), accepting: [])
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(HTTPUploader(collector.url, encoding: Self.encoding, timeout: 3600))
        outbox.post(1...5)
        await outbox.deliver()
        #expect(await outbox.status() == Outbox.Status(deadLetters: 5))
        #expect(try await outbox.deadLetters().allSatisfy { $0.reason == "all" })
        #expect(bench.notices == [.deadLetters(5, reason: "all")])
    }

    @Test("Records that were dropped in flight are not counted again as rejected") func droppedInFlight() async throws {
        let bench = OutboxFixture()
        let held = Locked<Outbox?>(nil)
        struct Uploader: LogUploader {
            let held: Locked<Outbox?>
            func upload(_ batch: LogBatch) async throws -> UploadResult {
                // Four newer records push out the four oldest of five.
                if let outbox = held.withLock({ $0 }) {
                    outbox.post(6...9)
                    await outbox.flush()
                    held.withLock { $0 = nil }
                    return .partialSuccess(rejected: 4, message: "")
                }
                return .accepted
            }
        }
        let outbox = bench.outbox(Uploader(held: held)) { $0.storedRecords = 5 }
        await outbox.deliver()
        outbox.post(1...5)
        await outbox.flush()
        held.withLock { $0 = outbox }
        await outbox.deliver()
        #expect(await outbox.status() == Outbox.Status(dropped: 5))
        #expect(bench.dropped(.records) == 4 && bench.dropped(.rejected) == 1)
    }

    @Test("A 400 isolates the bad record, which becomes a dead letter") func badRecords() async throws {
        let numbers = Locked<[Int64]>([])
        let collector = try Collector { request in
            let logs = (try? OTLPTests.read(Data(request.body)).records) ?? []
            let batch = logs.compactMap { if case .integer(let number)? = $0.attributes["n"] { number } else { nil } }
            if batch.contains(7) { return .text(400, "{\"message\":\"7 is bad\"}", accepting: []) }
            numbers.withLock { $0 += batch }
            return .text(200, Self.partial("{}"), accepting: [])
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(HTTPUploader(collector.url, encoding: Self.encoding, timeout: 3600)) {
            $0.firstRetry = 0.001
        }
        outbox.post(1...20)
        #expect(
            await eventually {
                await outbox.deliver()
                return await outbox.status().stored == 0
            })
        #expect(numbers.withLock { $0 } == (1...20).filter { $0 != 7 })
        #expect(
            try await outbox.deadLetters() == [DeadLetter(json: Array("{\"n\":7}".utf8), reason: "HTTP 400: 7 is bad")])
    }
}
