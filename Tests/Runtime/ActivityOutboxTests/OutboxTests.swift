import ActivityTracking
import Foundation
import GRDB
import LoopbackCollector
import RecipeLogs
import Testing
import TestSupport

@testable import ActivityOutbox

@Suite(.serialized) struct OutboxTests {
    // MARK: The collector's answers

    @Test("Batches that are too large are halved, and a record that is too large is a dead letter")
    func tooLargeBatchesAreHalved() async throws {
        let collector = try Collector { request in
            let size = request.records.reduce(0) { $0 + $1.utf8.count }
            return size > 300 ? .status(413) : .status(204)
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector)
        outbox.post(1...20)
        outbox.post([21], padding: 400)
        outbox.post(22...40)
        await outbox.deliver()
        #expect(collector.numbers == Array(1...20) + Array(22...40))
        let letters = try await outbox.deadLetters()
        #expect(letters.count == 1)
        #expect(letters.first?.json.starts(with: Array("{\"n\":21,".utf8)) == true)
        #expect(letters.first?.reason == "the collector takes nothing that large")
        #expect(
            await outbox.status() == Outbox.Status(queued: 0, stored: 0, storedBytes: 0, deadLetters: 1, dropped: 0))
    }

    @Test("One invalid record does not block its batch", arguments: [400, 422])
    func invalidRecordDoesNotBlockItsBatch(status: Int) async throws {
        let collector = try Collector { $0.records.contains("{\"n\":7}") ? .status(status) : .status(204) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector)
        outbox.post(1...30)
        await outbox.deliver()
        #expect(collector.numbers == (1...30).filter { $0 != 7 })
        #expect(try await outbox.deadLetters() == [DeadLetter(json: Array("{\"n\":7}".utf8), reason: "HTTP \(status)")])
    }

    @Test(
        "Other 4xx answers are final: the records become dead letters and can be sent again",
        arguments: [404, 405, 410])
    func refusedRecordsAreDeadLetters(status: Int) async throws {
        let isRight = Locked(false)
        let collector = try Collector { _ in isRight.withLock { $0 } ? .status(204) : .status(status) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) { $0.batchRecords = 10 }
        outbox.post(1...25)
        await outbox.deliver()
        #expect(await outbox.status().deadLetters == 25)
        #expect(bench.notices.contains { if case .deadLetters(_, "HTTP \(status)") = $0 { true } else { false } })
        isRight.withLock { $0 = true }
        try await outbox.retryDeadLetters()
        await outbox.deliver()
        #expect(collector.numbers == Array(1...25))
        #expect(await outbox.status() == Outbox.Status())
    }

    @Test("Retry-After is obeyed, in seconds and as a date, for every delivery", arguments: [429, 503])
    func retryAfterIsObeyed(status: Int) async throws {
        let time = Locked(1000.0)
        let clock = OutboxClock(wall: { Date().timeIntervalSince1970 }, steady: { time.withLock { $0 } })
        let collector = try Collector { _ in .status(status, retryAfter: "120") }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector, clock: clock)
        outbox.post(1...3)
        await outbox.deliver()
        let before = collector.requests
        await outbox.deliver()
        time.withLock { $0 += 119 }
        await outbox.deliver()
        #expect(collector.requests == before)
        time.withLock { $0 += 2 }
        await outbox.deliver()
        #expect(collector.requests == before + 1)
    }

    @Test("Each HTTP status maps to one upload result") func statusMapsToOneUploadResult() {
        let now = Date(timeIntervalSince1970: 1_793_000_000)
        func result(_ status: Int, _ retryAfter: String? = nil) -> UploadResult {
            CollectorAnswer(status: status, retryAfter: RetryAfter.seconds(retryAfter, now: now)).result
        }
        #expect(result(200) == .accepted)
        #expect(result(413) == .tooLarge)
        #expect(result(400) == .invalid(reason: "HTTP 400"))
        #expect(result(404) == .refused(reason: "HTTP 404"))
        for status in [302, 401, 403, 407, 408, 421, 425, 429, 431, 451, 500, 503] {
            #expect(result(status) == .later(reason: "HTTP \(status)", after: nil))
        }
        #expect(result(503, "7") == .later(reason: "HTTP 503", after: 7))
        #expect(result(503, "-7") == .later(reason: "HTTP 503", after: 0))
        #expect(result(503, "Mon, 26 Oct 2026 07:34:20 GMT") == .later(reason: "HTTP 503", after: 60))
        #expect(result(503, "soon") == .later(reason: "HTTP 503", after: nil))
    }

    @Test("Waits double up to a maximum, with full jitter, and begin again after a success")
    func waitsDoubleToACeilingWithFullJitter() {
        var backoff = Backoff((first: 1, longest: 60), seed: 1)
        for failures in 0..<2000 {
            let wait = backoff.fail()
            #expect((0...min(60, pow(2, Double(min(failures, 10))))).contains(wait))
        }
        let waits = (0..<1000).map { _ in backoff.fail() }
        #expect(waits.contains { $0 < 10 } && waits.contains { $0 > 50 })
        backoff.succeed()
        #expect(backoff.fail() <= 1)
    }

    // MARK: Triggers

    @Test("A full batch is sent at once, and a partial one is not") func aFullBatchIsSentAtOnce() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) { $0.batchRecords = 10 }
        await outbox.flush()
        // The interval is an hour.
        outbox.post(1...9)
        try await Task.sleep(nanoseconds: 200_000_000)
        #expect(collector.acceptedCount == 0)
        outbox.post(10...10)
        #expect(await eventually { collector.acceptedCount == 10 })
    }

    @Test("Records that an earlier outbox has stored are sent") func recordsOfAnEarlierOutboxAreSent() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...5)
        #expect(collector.acceptedCount == 0)
        let second = bench.outbox(collector)
        #expect(await eventually { collector.numbers == Array(1...5) })
        await second.shutdown(within: 1)
    }

    @Test("A shutdown retries failed deliveries and ends at its time limit")
    func shuttingDownDeliversAsLongAsThereIsTime() async throws {
        let failures = Locked(3)
        let collector = try Collector { _ in
            failures.withLock { left in
                left -= 1
                return left >= 0 ? .status(500) : .status(204)
            }
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) { $0.firstRetry = 0.01 }
        outbox.post(1...700)
        // Other tests may occupy every thread of Swift's pool for minutes.
        await outbox.shutdown(within: 900)
        #expect(collector.numbers == Array(1...700))

        // A shutdown does not wait longer than its limit, even if the collector never answers.
        let silent = try Collector { _ in .hang(seconds: 3600) }
        let patient = OutboxFixture().outbox(HTTPUploader(silent.url, timeout: 3600))
        patient.post(1...3)
        await patient.shutdown(within: 0.3)
        #expect(silent.accepted.isEmpty)
    }

    @Test("A suspended outbox holds no file open, and delivers after it is resumed")
    func aSuspendedOutboxHoldsNoFileAndGoesOn() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector)
        outbox.post(1...3)
        await outbox.suspend()
        #expect(Tool.openFiles(in: bench.folder.path).isEmpty)
        outbox.post(4...5)
        await outbox.deliver()
        #expect(collector.acceptedCount == 0)
        #expect(Tool.openFiles(in: bench.folder.path).isEmpty)
        await outbox.resume()
        #expect(await eventually { collector.numbers == Array(1...5) })
    }

    @Test("Limits that are set later apply to batches, the store and the plan, within their bounds")
    func limitsAreSetLater() async throws {
        let sizes = Locked([Int]())
        let collector = try Collector { request in
            sizes.withLock { $0.append(request.records.count) }
            return .status(204)
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector, policy: .paused)
        outbox.post(1...30)
        await outbox.flush()
        outbox.limits.batchRecords = 10
        outbox.limits.storedRecords = 25
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(sizes.withLock { $0 } == [10, 10, 5])
        #expect(bench.dropped(.records) == 5)
        // A record waits for an hour, until a shorter interval is in force.
        outbox.post([31])
        await outbox.flush()
        outbox.limits.deliveryInterval = -1
        #expect(await eventually { collector.numbers.last == 31 })
        #expect(outbox.limits.deliveryInterval == 0)
        #expect(bench.notices.contains(.configuration("deliveryInterval is -1.0, clamped to 0.0")))
        await outbox.shutdown(within: 0)
    }

    // MARK: The folder

    @Test("Delivered and dropped records are in no file of a running outbox")
    func deletedRecordsAreGone() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector, policy: .paused) { $0.storedRecords = 2_000 }
        for start in stride(from: 0, to: 3_000, by: 500) {
            outbox.post(start..<(start + 500), padding: 300)
            await outbox.flush()
        }
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(collector.acceptedCount == 2_000 && bench.dropped(.records) == 1_000)
        #expect(try bench.files(holding: ["{\"n\":"]) == [])
        await outbox.shutdown(within: 0)
    }

    @Test("A store far over its limits is emptied in steps, and dead letters have limits of size and age")
    func limitsOfLargeStores() async throws {
        let bench = OutboxFixture()
        await bench.leave(1...25_000) { $0.queuedRecords = .max }
        let outbox = bench.outbox(Nobody(), policy: .paused) { $0.storedRecords = 100 }
        outbox.post([0])
        #expect(await outbox.makeDurable())
        #expect(await outbox.status().stored == 15_001)
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(await outbox.status().stored == 100)
        #expect(bench.dropped(.records) == 24_901)
        await outbox.shutdown(within: 0)

        let steady = Locked(500.0)
        let clock = OutboxClock(wall: { 1_793_000_000 }, steady: { steady.withLock { $0 } })
        let collector = try Collector { _ in .status(404) }
        let letters = OutboxFixture()
        let refused = letters.outbox(collector, clock: clock) {
            ($0.storedBytes, $0.storedAge, $0.batchRecords) = (1_800, 100, 4)
        }
        for start in 0..<3 {
            refused.post((4 * start)..<(4 * start + 4), padding: 200)
            await refused.deliver()
        }
        // Each has 222 or 223 bytes, with its reason: eight have 1,778, and nine 2,000.
        #expect(await refused.status().deadLetters == 8)
        #expect(letters.dropped(.deadLetters) == 4)
        steady.withLock { $0 += 101 }
        await refused.deliver()
        #expect(await refused.status().deadLetters == 0)
        #expect(letters.dropped(.deadLetters) == 12)
        await refused.shutdown(within: 0)
    }

    @Test("A new or existing folder is private, unless it has other files, which is reported")
    func foldersArePrivate() async throws {
        for (isNew, hasOther) in [(true, false), (false, false), (false, true)] {
            let bench = OutboxFixture()
            if !isNew {
                try FileManager.default.createDirectory(
                    at: bench.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            }
            if hasOther { try Data().write(to: bench.folder.appendingPathComponent("other")) }
            let outbox = bench.outbox(Nobody(), policy: .paused)
            outbox.post([1])
            #expect(await outbox.makeDurable())
            let attributes = try FileManager.default.attributesOfItem(atPath: bench.folder.path)
            #expect(attributes[.posixPermissions] as? Int == (hasOther ? 0o755 : 0o700))
            #expect(bench.notices.count == (hasOther ? 1 : 0), "\(bench.notices)")
            await outbox.shutdown(within: 0)
        }
    }

    // MARK: Consent

    @Test("A paused outbox stores records without sending them, and a denial drops them")
    func pausedStoresAndDoesNotSendAndDeniedDropsAll() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) {
            $0.batchRecords = 1
            $0.isSampled = false
        }
        let logger = ActivityLogger(processors: [], destinations: [outbox], collection: .paused)
        let event = RecipeSearch.showRecipe(recipeId: RecipeID(1), position: 0, keyword: "", order: .newest)
        logger.post(event)
        await outbox.deliver()
        #expect(await outbox.status().stored == 1)
        logger.collection = .enabled
        #expect(await eventually { await outbox.status().stored == 0 })
        logger.collection = .paused
        logger.post(event)
        await logger.flush()
        // A paused outbox has nothing to wait for.
        let waiting = bench.outbox(collector, policy: .paused)
        await waiting.shutdown(within: 3600)
        logger.collection = .denied
        logger.post(event)
        await logger.flush()
        #expect(
            await outbox.status() == Outbox.Status(queued: 0, stored: 0, storedBytes: 0, deadLetters: 0, dropped: 1))
        #expect(bench.dropped(.denied) == 1)
        logger.collection = .enabled
        await outbox.deliver()
        #expect(collector.acceptedCount == 1)
    }

    @Test("A released outbox still stores its queued records") func aReleasedOutboxWritesItsRecords() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        do {
            let outbox = bench.outbox(Nobody(), policy: .paused) { $0.writeDelay = 0.1 }
            await outbox.flush()
            outbox.post(1...3)
        }
        try await Task.sleep(nanoseconds: 500_000_000)
        let next = bench.outbox(collector)
        await next.deliver()
        #expect(collector.numbers == [1, 2, 3])
    }

    // MARK: Memory

    @Test("Posting does not wait for a blocked disk, and the queue keeps the newest records")
    func postingNeverWaitsForADiskThatDoes() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let disk = Faults()
        let outbox = bench.outbox(collector, faults: disk) { $0.queuedRecords = 100 }
        outbox.post([0])
        await outbox.flush()
        // Another connection that holds SQLite's lock, so that the outbox waits for the lock.
        let other = try bench.database()
        let (locked, unlock) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? other.inDatabase { database in
                try database.execute(sql: "BEGIN IMMEDIATE")
                locked.signal()
                unlock.wait()
                try database.execute(sql: "ROLLBACK")
            }
        }
        await locked.waitElsewhere()
        let writes = disk.count(of: .write)
        outbox.post(1...1)
        #expect(await eventually { disk.count(of: .write) > writes })
        // The write job has one record and stays blocked until this call has returned.
        // These are few, because SQLite gives up after five seconds, and the next job would have some of them.
        outbox.post(2...500)
        unlock.signal()
        #expect(
            await eventually {
                await outbox.deliver()
                return collector.acceptedCount + bench.dropped(.queue) == 501
            })
        // The newest records are kept, and the others are counted as dropped. On a busy machine, the write may fail.
        // Then the record of the write job is the oldest in the queue.
        let numbers = collector.numbers
        #expect(
            numbers == numbers.sorted() && numbers.suffix(99).elementsEqual(402...500),
            "\(numbers.count), \(numbers.prefix(5))")
        #expect(await outbox.status().dropped == bench.dropped(.queue))
    }

    @Test("Records from concurrent threads are all delivered, in the order of each thread")
    func threadsKeepTheirOrderAndLoseNothing() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) { $0.queuedRecords = 100_000 }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask { for number in 0..<2000 { outbox.post([thread * 10_000 + number]) } }
            }
            group.addTask { for _ in 0..<20 { await outbox.flush() } }
            group.addTask { for _ in 0..<5 { await outbox.deliver() } }
        }
        await outbox.deliver()
        let numbers = collector.numbers
        #expect(numbers.count == 16_000)
        for thread in 0..<8 {
            #expect(numbers.filter { $0 / 10_000 == thread } == Array((thread * 10_000)..<(thread * 10_000 + 2000)))
        }
    }

    // MARK: Invalid stores

    @Test(
        "A store that cannot be read is set aside",
        arguments: ["noise", "version", "tables", "page", "truncated", "folder", "log is a folder"])
    func anUnreadableStoreIsSetAside(kind: String) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...500)
        switch kind {
        case "noise": try Data((0..<5000).map { _ in UInt8.random(in: 0...255) }).write(to: bench.file)
        case "version": try await bench.database().write { try $0.execute(sql: "PRAGMA user_version = 99999") }
        case "tables": try await bench.database().write { try $0.execute(sql: "DROP TABLE record") }
        case "truncated":
            // The log would repair the damage.
            let other = try bench.database()
            _ = try await other.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try other.close()
            #expect(truncate(bench.file.path, 8192) == 0)
        case "folder":
            try FileManager.default.removeItem(at: bench.file)
            try FileManager.default.createDirectory(at: bench.file, withIntermediateDirectories: false)
        case "log is a folder":
            let log = bench.file.path + "-wal"
            try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
        default:
            let file = try FileHandle(forWritingTo: bench.file)
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0x5A, count: 8192))
            try file.close()
        }
        let before = try kind == "folder" ? nil : Data(contentsOf: bench.file)
        let outbox = bench.outbox(collector)
        outbox.post(501...503)
        #expect(await outbox.makeDurable(), "\(bench.notices)")
        await outbox.deliver()
        #expect(Array(collector.numbers.suffix(3)) == [501, 502, 503])
        #expect(bench.setAside.count == 1)
        // The file was moved and not changed.
        let aside = bench.folder.appendingPathComponent(try #require(bench.setAside.first))
        if let before {
            #expect(try Data(contentsOf: aside).prefix(4096).suffix(4000) == before.prefix(4096).suffix(4000))
        }
        #expect(
            bench.notices.contains {
                if case .storeSetAside(let file, _, _) = $0 {
                    file.lastPathComponent == aside.lastPathComponent
                } else {
                    false
                }
            })
    }

    @Test(
        "A store of a newer version of the app stays in place, and the app's records wait in memory",
        arguments: [true, false])
    func aNewerStoreIsLeftInPlace(isOpen: Bool) async throws {
        let (bench, collector) = (OutboxFixture(), try Collector())
        await bench.leave(1...500)
        let outbox = bench.outbox(collector, policy: .paused)
        if isOpen { #expect(await outbox.makeDurable()) }
        let newer = try bench.database()
        try await newer.write { try $0.execute(sql: "PRAGMA user_version = 99") }
        outbox.post(501...503)
        #expect(await outbox.makeDurable() == false)
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(collector.requests == 0)
        #expect(bench.setAside.isEmpty)
        let reason = "its version is 99, and the newest supported one is 6"
        #expect(!bench.notices.isEmpty && bench.notices.allSatisfy { $0 == .storeUnavailable(reason: reason) })
        // The app is updated.
        try await newer.write { try $0.execute(sql: "PRAGMA user_version = 2") }
        try newer.close()
        #expect(await outbox.makeDurable())
        await outbox.deliver()
        #expect(collector.numbers == Array(1...503))
        await outbox.shutdown(within: 0)
    }

    @Test("A folder that cannot be created is reported once, and its creation is retried")
    func aFolderThatCannotBeMadeIsReportedOnceAndTriedAgain() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        try Data("a file".utf8).write(to: bench.folder)
        let outbox = bench.outbox(collector)
        outbox.post(1...3)
        #expect(await outbox.makeDurable() == false)
        #expect(await outbox.makeDurable() == false)
        #expect(await outbox.status().queued == 3)
        #expect(bench.notices.count { if case .storeUnavailable = $0 { true } else { false } } == 1)
        try FileManager.default.removeItem(at: bench.folder)
        #expect(await eventually { await outbox.makeDurable() })
        await outbox.deliver()
        #expect(collector.numbers == [1, 2, 3])
    }

    @Test(
        "A full disk loses nothing that fits in memory",
        .enabled(if: Tool.canMount, "mounting a tmpfs takes root")
    )
    func aFullDiskIsWaitedFor() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        try FileManager.default.createDirectory(at: bench.folder, withIntermediateDirectories: true)
        let path = bench.folder.path
        let mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", path]
        try #require(try Tool.command(mount, in: Tool.repository).code == 0)
        defer { _ = try? Tool.command(["umount", "-l", path], in: Tool.repository) }
        let outbox = bench.outbox(collector)
        outbox.post(1...10)
        #expect(await outbox.makeDurable())
        outbox.post(11...4000, padding: 100)
        #expect(await outbox.makeDurable() == false)
        #expect(
            bench.notices.contains {
                if case .storeUnavailable(let reason) = $0 { reason.contains("full") } else { false }
            })
        #expect(bench.setAside.isEmpty)
        #expect(try Tool.command(["mount", "-o", "remount,size=16m", path], in: Tool.repository).code == 0)
        #expect(await eventually { await outbox.makeDurable() })
        await outbox.deliver()
        #expect(collector.numbers == Array(1...4000))
        await outbox.shutdown(within: 0)
    }

    // MARK: Clocks

    @Test("The space of delivered records is returned, also if a dead letter and later records remain")
    func spaceIsReturned() async throws {
        let (bench, collector, refusing) = (OutboxFixture(), try Collector(), try Collector { _ in .status(404) })
        await bench.leave([0], padding: 500)
        let refused = bench.outbox(refusing)
        await refused.deliver()
        #expect(refusing.requests == 1)
        await refused.shutdown(within: 0)
        await bench.leave(1...9_000, padding: 500)
        await bench.leave(9_001...18_000, padding: 500)
        func size() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: bench.folder.path).reduce(0) { sum, name in
                let file = bench.folder.appendingPathComponent(name).path
                return sum + (try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
            }
        }
        #expect(try size() > 9_000_000)
        let outbox = bench.outbox(collector)
        await outbox.deliver()
        #expect(collector.numbers == Array(1...18_000))
        outbox.post(20_001...20_010)
        await outbox.deliver()
        #expect(try size() < 1_000_000)
        #expect(try await outbox.deadLetters().count == 1)
        // Numbers and sums are those of before.
        outbox.post(20_011...20_020)
        await outbox.deliver()
        #expect(collector.numbers.suffix(20) == Array(20_001...20_020)[...])
        #expect(await outbox.status() == Outbox.Status(deadLetters: 1))
        await outbox.shutdown(within: 0)
        #expect(bench.setAside.isEmpty)
    }

    @Test("Records expire after elapsed time, independent of the wall clock")
    func clocksThatJump() async throws {
        let day = 86_400.0
        let (wall, steady) = (Locked(1_793_000_000.0), Locked(500.0))
        let clock = OutboxClock(wall: { wall.withLock { $0 } }, steady: { steady.withLock { $0 } })
        func pass(_ seconds: TimeInterval) {
            wall.withLock { $0 += seconds }
            steady.withLock { $0 += seconds }
        }
        let down = try Collector { _ in .status(503) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(down, clock: clock) { $0.storedAge = 7 * day }
        outbox.post([1])
        await outbox.flush()
        // The user sets the clock a year ahead, then far back.
        wall.withLock { $0 += 365 * day }
        outbox.post([2])
        await outbox.deliver()
        #expect(await outbox.status().stored == 2)
        wall.withLock { $0 -= 9999 * day }
        outbox.post([3])
        await outbox.deliver()
        #expect(await outbox.status().stored == 3)
        pass(6 * day)
        outbox.post([4])
        await outbox.deliver()
        #expect(await outbox.status().stored == 4)
        pass(2 * day)
        await outbox.deliver()
        #expect(await outbox.status().stored == 1)
        #expect(bench.dropped(.age) == 3)
        await outbox.shutdown(within: -1)

        // A new process after a clock that went back: no time counts as elapsed, and the order is that of writing.
        wall.withLock { $0 -= 3 * day }
        steady.withLock { $0 = 7 }
        let collector = try Collector()
        let next = bench.outbox(collector, clock: clock) { $0.storedAge = 7 * day }
        next.post([5])
        await next.deliver()
        #expect(collector.numbers == [4, 5])
    }

    // MARK: Processes

    // MARK: End to end

    @Test("Killing a process loses nothing, and the records that arrive match their schema")
    func torture() throws {
        let scratch = try Scratch()
        let received = scratch.url.appendingPathComponent("received.ndjson")
        let torture = Tool.executable(named: "outbox-torture")
        let rounds = Depth.cases(2, deep: 12)
        let result = try Tool.launch(
            torture, ["--rounds", "\(rounds)", "--seed", "3", "--late", "--received", received.path], in: scratch.url)
        #expect(result.code == 0, "\(result.out)\(result.error)")
        #expect(result.out.contains(" 0 lost"))

        let definitions = Tool.repository.appendingPathComponent("Definitions").path
        #expect(try Tool.run(definitions, "--only", "json-schema", "--output", "Generated", in: scratch.url).code == 0)
        let schemas = try scratch.files(under: "Generated/JSONSchema").values.map { [UInt8]($0) }
        let records = try String(contentsOf: received, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(records.count > 100)
        let sample = records.prefix(200) + records.suffix(200)
        var cases = sample.map { JSONSchemaValidation.Case(schema: "envelope.schema.json", instance: $0) }
        // Checks that the schema also rejects records.
        cases.append(
            .init(
                schema: "envelope.schema.json",
                instance: sample[0].replacingOccurrences(of: "\"position\":", with: "\"position\":-1")))
        let outcome = try JSONSchemaValidation.run(schemas: schemas, cases: cases)
        #expect(outcome.verdicts.dropLast().allSatisfy { $0 })
        #expect(outcome.verdicts.last == false)
    }
}
