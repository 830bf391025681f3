import ActivityTracking
import ActivityTrackingTesting
import Foundation
import GRDB
import LoopbackCollector
import RecipeLogs
import TestSupport
import Testing

@testable import ActivityOutbox

/// Tests of defects that existing libraries have. Each test fails with its defect. `HTTPUploaderTests` has 2, batches
/// past a limit of bytes. `OutboxTests` has 5, a truncated store, and 8, the order of posting.
@Suite(.serialized) struct PeerDefectTests {
    @Test("1: Failed attempts do not end the delivery")
    func sendingGoesOnAfterManyFailures() async throws {
        let failures = Locked(7)
        let collector = try Collector { _ in
            failures.withLock { left in
                left -= 1
                return left >= 0 ? .status(500) : .status(204)
            }
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) {
            $0.deliveryInterval = 0.01
            $0.longestRetry = 0.01
        }
        outbox.post(1...10)
        #expect(await eventually { collector.acceptedCount == 10 })
        #expect(collector.numbers == Array(1...10))
    }

    @Test("3: A record exactly at the limit, or past it, is sent, and no batch is empty", arguments: [-1, 0, 1, 1000])
    func recordsAtTheLimit(beyond: Int) async throws {
        let empty = Locked(0)
        let collector = try Collector { request in
            if request.records.isEmpty { empty.withLock { $0 += 1 } }
            return .status(204)
        }
        let bench = OutboxFixture()
        let size = "{\"n\":1,\"x\":\"\(String(repeating: "x", count: 100))\"}".utf8.count
        let outbox = bench.outbox(collector) { $0.batchBytes = size - beyond }
        outbox.post(1...3, padding: 100)
        await outbox.deliver()
        await outbox.deliver()
        #expect(collector.numbers == [1, 2, 3])
        #expect(empty.withLock { $0 } == 0)
    }

    @Test("4: A new record does not rewrite the stored ones")
    func writingCostsTheSame() async throws {
        let collector = try Collector { _ in .status(503) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector)
        await outbox.flush()
        let other = try bench.database()
        func growth() async throws -> Int {
            let log = bench.folder.appendingPathComponent("outbox.sqlite-wal")
            _ = try await other.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            for number in 0..<10 {
                outbox.post([number])
                await outbox.flush()
            }
            return try #require(try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int)
        }
        outbox.post(1...100)
        await outbox.flush()
        let few = try await growth()
        let rounds = Depth.limit(1, deep: 4)
        for _ in 0..<rounds {
            outbox.post(1...5000)
            await outbox.flush()
        }
        #expect(await outbox.status().stored == 5000 * rounds + 110)
        #expect(try await growth() <= 2 * few)
    }

    @Test("6: An event that no destination accepts is reported once")
    func unwantedEventsAreReported() {
        let notices = Locked([ActivityLogger.Notice]())
        let logger = ActivityLogger(
            processors: [], destinations: [RecordingDestination().limited(to: [Premium.self])],
            report: { notice in notices.withLock { $0.append(notice) } })
        for _ in 0..<3 {
            logger.post(RecipeSearch.showRecipe(recipeId: RecipeID(1), position: 0, keyword: "", order: .newest))
        }
        #expect(notices.withLock { $0 } == [.noDestination(category: "recipe_search", event: "show_recipe")])
    }

    @Test("7: All stored records leave at once")
    func aBacklogLeavesAtOnce() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector)
        outbox.post(1...1000)
        await outbox.deliver()
        #expect(collector.acceptedCount == 1000)
        #expect(collector.requests == 2)
    }

    @Test("9: Deliveries that are requested at once do not overlap")
    func deliveriesDoNotOverlap() async throws {
        let (running, most) = (Locked(0), Locked(0))
        let collector = try Collector { _ in
            let now = running.next()
            most.withLock { $0 = max($0, now) }
            Thread.sleep(forTimeInterval: 0.01)
            running.withLock { $0 -= 1 }
            return .status(204)
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) { $0.batchRecords = 50 }
        outbox.post(0..<500)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { await outbox.deliver() } }
        }
        #expect(collector.numbers == Array(0..<500))
        #expect(most.withLock { $0 } == 1)
    }

    @Test("10, 11, 12: Nothing is deleted before it is accepted, however often and however it fails")
    func nothingIsDeletedBeforeItIsAccepted() async throws {
        let answers: [Collector.Answer] = [
            .status(500), .reset, .hang(seconds: 3), .status(429), .status(408), .status(302), .status(503),
            .status(401),
        ]
        let (next, isWell) = (Locked(0), Locked(false))
        let collector = try Collector { _ in
            if isWell.withLock({ $0 }) { return .status(204) }
            return next.withLock { index in
                defer { index += 1 }
                return answers[index % answers.count]
            }
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(HTTPUploader(collector.url, timeout: 2))
        outbox.post(1...20)
        for _ in 0..<(3 * answers.count) {
            await outbox.deliver()
            #expect(await outbox.status().stored == 20)
        }
        #expect(collector.accepted.isEmpty)
        isWell.withLock { $0 = true }
        // On a busy machine, a request may take longer than its timeout. Its records are then sent twice.
        #expect(
            await eventually {
                await outbox.deliver()
                return await outbox.status() == Outbox.Status()
            })
        #expect(Set(collector.numbers) == Set(1...20))
    }

    @Test("13: A row that cannot be deleted is not sent again")
    func aFailedDeletionMakesNoDuplicates() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector, policy: .paused)
        outbox.post(1...5)
        await outbox.flush()
        let other = try bench.database()
        try await other.write {
            try $0.execute(sql: "CREATE TRIGGER t BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        await outbox.deliver()
        #expect(collector.numbers == Array(1...5))
        #expect(await outbox.status().stored == 5)
        try await other.write { try $0.execute(sql: "DROP TRIGGER t") }
        outbox.post(6...6)
        await outbox.deliver()
        #expect(collector.numbers == Array(1...6))
        #expect(await outbox.status().stored == 0)
    }

    @Test("14: The backlog is bounded by number and bytes; the oldest records are dropped and counted")
    func theBacklogIsBounded() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector, policy: .paused) { $0.storedRecords = 100 }
        outbox.post(1...250)
        await outbox.flush()
        #expect(
            await outbox.status()
                == Outbox.Status(queued: 0, stored: 100, storedBytes: 900, deadLetters: 0, dropped: 150))
        #expect(bench.dropped(.records) == 150)
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(collector.numbers == Array(151...250))

        let small = OutboxFixture()
        let second = small.outbox(collector, policy: .paused) { $0.storedBytes = 950 }
        second.post(100...299)
        await second.flush()
        #expect(await second.status().storedBytes <= 950)
        #expect(small.dropped(.bytes) == 200 - 950 / 9)
    }
}
