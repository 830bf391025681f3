import ActivityTracking
import Foundation
import LoopbackCollector
import Testing

@testable import ActivityOutbox

struct HTTPUploaderTests {
    /// Nothing here is about time, and other tests may keep all of Swift's threads for minutes.
    private static let patience: TimeInterval = 3_600
    private static let batch = LogBatch(records: [Array("{\"n\":1}".utf8)])

    @Test("a redirection is not followed, and is no acceptance", arguments: [301, 302, 303, 307, 308])
    func redirectionsAreNotFollowed(status: Int) async throws {
        let elsewhere = try Collector { _ in .status(200) }
        let collector = try Collector { _ in .status(status, headers: "Location: \(elsewhere.url.absoluteString)\r\n") }
        let result = try await HTTPUploader(collector.url, timeout: Self.patience).upload(Self.batch)
        #expect(result == .later(reason: "HTTP \(status)", after: nil))
        #expect(elsewhere.requests == 0)
        #expect(collector.requests == 1)
    }

    @Test("401 is an answer, once, with and without a challenge", arguments: [401, 403], ["", "WWW-Authenticate: Basic realm=\"logs\"\r\n"])
    func credentialsThatAreRefused(status: Int, challenge: String) async throws {
        let collector = try Collector { _ in .status(status, headers: challenge) }
        let result = try await HTTPUploader(collector.url, timeout: Self.patience).upload(Self.batch)
        #expect(result == .later(reason: "HTTP \(status)", after: nil))
        #expect(collector.requests == 1)
    }

    @Test("headers are asked for once, and again after a 401")
    func headersAreRenewed() async throws {
        let asked = Locked(0)
        let collector = try Collector { $0.headers["authorization"] == "Bearer 2" ? .status(204) : .status(401) }
        let uploader = HTTPUploader(collector.url, timeout: Self.patience) {
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            return ["Authorization": "Bearer \(number)"]
        }
        #expect(try await uploader.upload(Self.batch) == .later(reason: "HTTP 401", after: nil))
        for _ in 0..<3 { #expect(try await uploader.upload(Self.batch) == .accepted) }
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func headersThatNeverComeAreNotWaitedFor() async throws {
        let collector = try Collector()
        let uploader = HTTPUploader(collector.url, timeout: 0.05) {
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            return [:]
        }
        await #expect(throws: URLError.self) { try await uploader.upload(Self.batch) }
        #expect(collector.requests == 0)
    }

    @Test("an answer of three gigabytes is not kept", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func longAnswersAreNotKept() async throws {
        let collector = try Collector { _ in .endless(200) }
        #expect(try await HTTPUploader(collector.url, timeout: Self.patience).upload(Self.batch) == .accepted)
        // The most memory that the process has held, whatever else ran in it.
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        let most = try #require(lines.first { $0.hasPrefix("VmHWM:") }?.split { !$0.isNumber }.first.flatMap { Int($0) })
        #expect(most < 1_500_000)
    }

    @Test("a cancelled upload sends nothing")
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

    @Test func retryAfterHasThreeFormsOfADate() {
        let now = Date(timeIntervalSince1970: 784_111_777 - 60)
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "60", " 60 "] {
            #expect(RetryAfter.seconds(text, now: now) == 60, "\(text)")
        }
        // At most a day, and never less than nothing.
        for text in ["99999999999999999999", String(repeating: "9", count: 400), "Sun, 06 Nov 2094 08:49:37 GMT"] {
            #expect(RetryAfter.seconds(text, now: now) == 86_400, "\(text)")
        }
        for text in ["-7", "Sun, 06 Nov 1984 08:49:37 GMT", "Sunday, 06-Nov-84 08:49:37 GMT"] {
            #expect(RetryAfter.seconds(text, now: now) == 0, "\(text)")
        }
        for text in ["", "soon", "inf", "nan", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, 06 Nov 1994"] {
            #expect(RetryAfter.seconds(text, now: now) == nil, "\(text)")
        }
    }
}
