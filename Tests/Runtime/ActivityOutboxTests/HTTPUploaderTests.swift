import ActivityTracking
import Foundation
import LoopbackCollector
import Testing
import TestSupport

@testable import ActivityOutbox

@Suite(.serialized) struct HTTPUploaderTests {
    /// A timeout that is never reached: these tests do not measure time, and other tests may occupy all threads for
    /// minutes.
    private static let patience: TimeInterval = 3_600
    private static let batch = LogBatch(records: [Array("{\"n\":1}".utf8)])

    @Test("A redirection is not followed and does not count as acceptance", arguments: [301, 302, 303, 307, 308])
    func redirectionsAreNotFollowed(status: Int) async throws {
        let elsewhere = try Collector { _ in .status(200) }
        let collector = try Collector { _ in .status(status, headers: "Location: \(elsewhere.url.absoluteString)\r\n") }
        let result = try await HTTPUploader(collector.url, timeout: Self.patience).upload(Self.batch)
        #expect(result == .later(reason: "HTTP \(status)", after: nil))
        #expect(elsewhere.requests == 0)
        #expect(collector.requests == 1)
    }

    @Test(
        "A response about the way to the collector is an answer after one request, with and without a challenge",
        arguments: [401, 403, 407, 421, 431, 451],
        ["", "WWW-Authenticate: Basic realm=\"logs\"\r\n", "Proxy-Authenticate: Basic realm=\"logs\"\r\n"])
    func credentialsThatAreRefused(status: Int, challenge: String) async throws {
        let collector = try Collector { _ in .status(status, headers: challenge) }
        let result = try await HTTPUploader(collector.url, timeout: Self.patience).upload(Self.batch)
        #expect(result == .later(reason: "HTTP \(status)", after: nil))
        #expect(collector.requests == 1)
    }

    @Test("Headers are requested once, and again after a response about headers", arguments: [401, 403, 407, 431])
    func headersAreRenewed(status: Int) async throws {
        let asked = Locked(0)
        let collector = try Collector { $0.headers["authorization"] == "Bearer 2" ? .status(204) : .status(status) }
        let uploader = HTTPUploader(collector.url, timeout: Self.patience) {
            let number = asked.next()
            return ["Authorization": "Bearer \(number)"]
        }
        #expect(try await uploader.upload(Self.batch) == .later(reason: "HTTP \(status)", after: nil))
        for _ in 0..<3 { #expect(try await uploader.upload(Self.batch) == .accepted) }
        #expect(asked.withLock { $0 } == 2)
    }

    @Test("Values of headers are trimmed, those of the connection are refused once, and each request has its time")
    func headersAreChecked() async throws {
        let headers = Locked([[String: String]]())
        let collector = try Collector { request in
            headers.withLock { $0.append(request.headers) }
            return .status(204)
        }
        let url = try #require(
            URL(string: collector.url.absoluteString.replacingOccurrences(of: "http:", with: "HTTP:")))
        let bench = OutboxFixture()
        let given = ["Authorization": " Bearer x\n", "Content-Length": "1", "HOST": "other"]
        for encoding in [BatchEncoding.ndjson(gzip: true), .otlp(resource: [:])] {
            let outbox = bench.outbox(HTTPUploader(url, headers: given, encoding: encoding, timeout: Self.patience))
            for _ in 0..<2 {
                outbox.post([1])
                await outbox.deliver()
            }
            await outbox.shutdown(within: 0)
        }
        let sent = headers.withLock { $0 }
        #expect(sent.count == 4)
        for request in sent {
            #expect(request["authorization"] == "Bearer x" && request["host"] != "other")
            let time = try #require(request["sent-at"])
            #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
        }
        let reports = bench.notices.map(\.description).filter { $0.contains("header") }
        #expect(reports.count == 4 && Set(reports).count == 2, "\(reports)")
    }

    @Test(
        "An unusable URL is reported once, with its scheme and host and without its path, and nothing waits for it",
        arguments: ["ftp://host.example/secret", "host.example/secret", "https:///secret", "file:///secret"])
    func unusableAddresses(address: String) async throws {
        let bench = OutboxFixture()
        let url = try #require(URL(string: address))
        let outbox = bench.outbox(HTTPUploader(url)) { ($0.firstRetry, $0.longestRetry) = (0.001, 0.001) }
        outbox.post([1])
        for _ in 0..<3 { await outbox.deliver() }
        #expect(await outbox.status().stored == 1)
        await outbox.shutdown(within: 1)
        #expect(bench.notices.count == 1, "\(bench.notices)")
        let notice = bench.notices.map(\.description).joined()
        #expect(notice.contains("scheme `\(url.scheme ?? "")`") && notice.contains("host `\(url.host ?? "")`"))
        #expect(!notice.contains("secret"))
    }

    @Test("The time until the next try has two decimals") func timeOfTheNextTry() {
        let notice = Outbox.Notice.deliveryFailed(reason: "HTTP 503", retryAfter: 0.29876)
        #expect(notice.description == "delivery failed (HTTP 503); next try in 0.30 s")
    }

    @Test("The text of a collector is one line of visible characters in notices and dead letters")
    func collectorsTextIsEscaped() async throws {
        let text = "\\u001b[31mred\\r\\nnext\\u202e" + String(repeating: "é", count: 10_000)
        let collector = try Collector { _ in
            .text(200, "{\"accepted\":0,\"refused\":[{\"index\":0,\"reason\":\"\(text)\"}]}", accepting: [])
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(HTTPUploader(collector.url, perRecordAnswers: true, timeout: Self.patience))
        outbox.post([1])
        await outbox.deliver()
        let letter = try #require(try await outbox.deadLetters().first)
        let shown = [letter.reason] + bench.notices.map(\.description)
        #expect(shown.count == 2)
        for line in shown {
            #expect(line.contains("\u{FFFD}[31mred next\u{FFFD}é") && line.count < 600, "\(line)")
        }
        await outbox.shutdown(within: 0)
    }

    @Test("An upload times out if its headers never arrive, and sends nothing")
    func headersThatNeverComeAreNotWaitedFor() async throws {
        let collector = try Collector()
        let uploader = HTTPUploader(collector.url, timeout: 0.05) {
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            return [:]
        }
        await #expect(throws: URLError.self) { try await uploader.upload(Self.batch) }
        #expect(collector.requests == 0)
    }

    @Test(
        "An answer that never ends is read up to the limit, and its connection is closed",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")),
        arguments: Collector.Endless.allCases.filter { $0 != .redirection }.map { ($0, false) }
            + [.length, .chunks, .gzip].map { ($0, true) })
    func endlessAnswerIsReadUpToTheLimit(kind: Collector.Endless, mirrors: Bool) async throws {
        let collector = try Collector { _ in .endless(200, kind) }
        let (input, output) = (Pipe(), Pipe())
        let process = try Tool.start(
            Tool.executable(named: "outbox-torture"),
            ["--reads", "--collector", collector.url.absoluteString] + (mirrors ? ["--mirrors"] : []),
            in: Tool.repository, input: input, output: output)
        // The process runs until its input is closed, so the connection does not end with it.
        #expect(await eventually { collector.brokenOff > 0 })
        try input.fileHandleForWriting.close()
        let lines = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self).split(
            separator: "\n")
        process.waitUntilExit()
        let grown = try #require(lines.last { $0.hasPrefix("grown ") }.flatMap { Int($0.dropFirst(6)) }, "\(lines)")
        #expect(grown < 30 << 10, "\(lines)")
        if !mirrors, ![.headers, .informational].contains(kind) {
            #expect(lines.contains("notice accepted"), "\(lines)")
        }
    }

    @Test("A redirection that never ends times out, and so does the next upload")
    func endlessRedirectionsTimeOut() async throws {
        let collector = try Collector { _ in .endless(302, .redirection) }
        let uploader = HTTPUploader(collector.url, timeout: 1)
        for _ in 0..<2 { await #expect(throws: URLError.self) { try await uploader.upload(Self.batch) } }
    }

    @Test(
        "A connection that ends before the answer, at any point of a request, delays the delivery only by a retry",
        arguments: Collector.Break.Point.allCases, Collector.Break.Manner.allCases)
    func brokenConnectionsAreReplaced(point: Collector.Break.Point, manner: Collector.Break.Manner) async throws {
        let begun = Locked(0)
        let collector = try Collector(breaks: {
            begun.withLock { begun in
                begun += 1
                return begun % 2 == 0 ? Collector.Break(point, manner) : nil
            }
        })
        let bench = OutboxFixture()
        let uploader = HTTPUploader(collector.url, encoding: .ndjson(gzip: false), timeout: Self.patience)
        let ends = Locked([String]())
        let outbox = bench.outbox(CountingUploader(uploader: uploader, ends: ends)) {
            $0.batchRecords = 10
            ($0.firstRetry, $0.longestRetry) = (0.01, 0.01)
        }
        outbox.post(1...200, padding: 2000)
        #expect(await outbox.makeDurable())
        await outbox.deliver()
        // No timeout ends a stalled request during the test.
        #expect(
            await eventually { Set(collector.numbers).count == 200 },
            "\(collector.acceptedCount) accepted; uploads: \(ends.withLock { $0 }), \(bench.notices.map { "\($0)" })")
        #expect(collector.broken >= 10)
        await outbox.shutdown(within: 0)
    }

    @Test("A cancelled upload sends nothing")
    func cancelledUploadsBeginNothing() async throws {
        let collector = try Collector()
        let uploader = HTTPUploader(collector.url, timeout: Self.patience)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await uploader.upload(Self.batch)
        }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(collector.requests == 0)
    }

    @Test("A date in Retry-After is compared with the collector's clock", arguments: [1994, 2094])
    func retryAfterHasTheCollectorsClock(year: Int) async throws {
        let collector = try Collector { _ in
            .status(
                503, retryAfter: "Sun, 06 Nov \(year) 08:49:37 GMT",
                headers: "Date: Sun, 06 Nov \(year) 08:47:37 GMT\r\n")
        }
        let result = try await HTTPUploader(collector.url).upload(LogBatch(records: [Array("{}".utf8)]))
        #expect(result == .later(reason: "HTTP 503", after: 120))
    }

    @Test("Retry-After is read as seconds or one of three date formats, limited to a day")
    func retryAfterHasThreeFormsOfADate() {
        let now = Date(timeIntervalSince1970: 784_111_777 - 60)
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "60", " 60 ",
        ] {
            #expect(RetryAfter.seconds(text, now: now) == 60, "\(text)")
        }
        // The result is at least 0 and at most a day.
        for text in ["99999999999999999999", String(repeating: "9", count: 400), "Sun, 06 Nov 2094 08:49:37 GMT"] {
            #expect(RetryAfter.seconds(text, now: now) == 86_400, "\(text)")
        }
        for text in ["-7", "Sun, 06 Nov 1984 08:49:37 GMT", "Sunday, 06-Nov-84 08:49:37 GMT"] {
            #expect(RetryAfter.seconds(text, now: now) == 0, "\(text)")
        }
        for text in [
            "", "soon", "inf", "nan", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994",
        ] {
            #expect(RetryAfter.seconds(text, now: now) == nil, "\(text)")
        }
    }

    @Test("A date in Retry-After must exist in the calendar")
    func retryAfterHasNoOtherDays() {
        let now = Date(timeIntervalSince1970: 0)
        for text in [
            "Sun, 31 Feb 1999 08:49:37 GMT", "Sun, 29 Feb 1999 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
            "Sun, 31 Apr 1999 08:49:37 GMT", "Sun Nov 31 08:49:37 1999", "Sunday, 30-Feb-99 08:49:37 GMT",
        ] {
            #expect(RetryAfter.date(text, now: now) == nil, "\(text)")
        }
        for (text, seconds) in [
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400.0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ] {
            #expect(RetryAfter.date(text, now: now) == seconds, "\(text)")
        }
    }

    // MARK: Bodies

    private static let two = LogBatch(records: [Array("{\"n\":1}".utf8), Array("{\"n\":2}".utf8)])

    /// The encoding in the documentation's sample: a JSON array.
    private static let array = BatchEncoding(contentType: "application/json") { records in
        Data("[".utf8) + records.joined(separator: Array(",".utf8)) + Data("]".utf8)
    }

    @Test(
        "The encoding determines the body and its headers",
        arguments: [
            (nil, "application/x-ndjson", "gzip", "{\"n\":1}\n{\"n\":2}\n"),
            (.ndjson(gzip: false), "application/x-ndjson", nil, "{\"n\":1}\n{\"n\":2}\n"),
            (array, "application/json", nil, "[{\"n\":1},{\"n\":2}]"),
            (array.gzipped(), "application/json", "gzip", "[{\"n\":1},{\"n\":2}]"),
        ] as [(BatchEncoding?, String, String?, String)])
    func encodings(encoding: BatchEncoding?, type: String, compression: String?, body: String) async throws {
        let seen = Locked<Collector.Request?>(nil)
        let collector = try Collector { request in
            seen.withLock { $0 = request }
            return .status(204)
        }
        // An app's own headers do not override them.
        let headers = ["Content-Type": "text/plain", "X-Key": "1"]
        let uploader =
            encoding.map { HTTPUploader(collector.url, headers: headers, encoding: $0, timeout: Self.patience) }
            ?? HTTPUploader(collector.url, headers: headers, timeout: Self.patience)
        #expect(try await uploader.upload(Self.two) == .accepted)
        let request = try #require(seen.withLock { $0 })
        #expect(request.headers["content-type"] == type)
        #expect(request.headers["content-encoding"] == compression)
        #expect(request.headers["x-key"] == "1")
        #expect(String(decoding: request.body, as: UTF8.self) == body)
    }

    @Test("An upload whose encoding fails throws that error and sends nothing")
    func anEncodingThatFailsSendsNothing() async throws {
        struct Failure: Error {}
        let collector = try Collector()
        let uploader = HTTPUploader(
            collector.url, encoding: BatchEncoding(contentType: "x/y") { _ in throw Failure() }, timeout: Self.patience)
        await #expect(throws: Failure.self) { try await uploader.upload(Self.two) }
        #expect(collector.requests == 0)
    }

    @Test("A body is encoded once, during or before its upload")
    func bodiesArePrepared() async throws {
        let made = Locked(0)
        let encoding = BatchEncoding(contentType: "x/y") { records in
            made.withLock { $0 += 1 }
            return Data(records.joined())
        }
        let collector = try Collector()
        let uploader = HTTPUploader(collector.url, encoding: encoding, timeout: Self.patience)
        for _ in 0..<2 { uploader.prepare(Self.two) }
        #expect(try await uploader.upload(Self.two) == .accepted)
        #expect(made.withLock { $0 } == 1)
        // This preparation is too late, because the batch was already uploaded.
        uploader.prepare(Self.two)
        #expect(made.withLock { $0 } == 1)
        // Another batch was prepared meanwhile.
        uploader.prepare(Self.batch)
        #expect(try await uploader.upload(LogBatch(records: Self.two.records)) == .accepted)
        #expect(made.withLock { $0 } == 3)
        #expect(collector.accepted == ["{\"n\":1}{\"n\":2}", "{\"n\":1}{\"n\":2}"])
    }

    @Test("An outbox prepares the next batch while one is in flight")
    func theNextBatchIsPrepared() async throws {
        struct Preparing: LogUploader {
            let prepared = Locked([UUID]())
            let sent = Locked([UUID]())

            func prepare(_ batch: LogBatch) { prepared.withLock { $0.append(batch.id) } }

            func upload(_ batch: LogBatch) async throws -> UploadResult {
                let count = sent.withLock { sent in
                    sent.append(batch.id)
                    return sent.count
                }
                // No batch follows the last of the three.
                while count < 3, prepared.withLock({ $0.count }) < count {
                    try await Task.sleep(nanoseconds: 1_000_000)
                }
                return .accepted
            }
        }
        let uploader = Preparing()
        let bench = OutboxFixture()
        let outbox = bench.outbox(uploader) { $0.batchRecords = 10 }
        outbox.collectionDidChange(to: .paused)
        outbox.post(1...30)
        await outbox.flush()
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        let sent = uploader.sent.withLock { $0 }
        #expect(sent.count == 3)
        #expect(uploader.prepared.withLock { $0 } == Array(sent.dropFirst()))
    }

    @Test(
        "A batch stays within the limit of bytes, which includes a newline after each record",
        arguments: [15, 16, 17, 24])
    func batchesKeepToTheLimit(limit: Int) async throws {
        let sizes = Locked([Int]())
        let collector = try Collector { request in
            sizes.withLock { $0.append(request.body.count) }
            return .status(204)
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) { $0.batchBytes = limit }
        outbox.collectionDidChange(to: .paused)
        outbox.post(1...6)
        await outbox.flush()
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(
            sizes.withLock { $0 }
                == [15: Array(repeating: 8, count: 6), 16: [16, 16, 16], 17: [16, 16, 16], 24: [24, 24]][limit])
    }
}

/// Notes the begins and ends of uploads.
private struct CountingUploader: LogUploader {
    let uploader: HTTPUploader
    let ends: Locked<[String]>

    func prepare(_ batch: LogBatch) { uploader.prepare(batch) }

    func upload(_ batch: LogBatch) async throws -> UploadResult {
        ends.withLock { $0.append("begun") }
        do {
            let result = try await uploader.upload(batch)
            ends.withLock { $0.append("\(result)") }
            return result
        } catch {
            ends.withLock { $0.append("\((error as NSError).code)") }
            throw error
        }
    }
}
