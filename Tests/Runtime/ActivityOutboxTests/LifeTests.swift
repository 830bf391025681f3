import ActivityTracking
import Foundation
import GRDB
import LoopbackCollector
import RecipeLogs
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of events in the life of an app. Each of them once caused a defect.
@Suite(.serialized) struct LifeTests {
    // MARK: Consent

    @Test("Nothing is sent before a policy has been given")
    func nothingIsSentBeforeAPolicy() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...5)
        let outbox = bench.outbox(collector, policy: nil) { $0.deliveryInterval = 0 }
        outbox.post(6...10)
        await outbox.deliver()
        #expect(collector.requests == 0)
        #expect(await outbox.status().stored == 10)
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(collector.numbers == Array(1...10))
    }

    @Test("Creating an outbox, posting and deciding touch no file on the caller's thread")
    func theCallerTouchesNoFile() async throws {
        let bench = OutboxFixture()
        await bench.leave(1...10)
        // Recognizes the caller's thread by a value in its dictionary. A thread's number is reused after the thread has
        // ended.
        let touched = Locked((byCaller: 0, byOthers: 0))
        let faults: @Sendable (FileAction) throws -> Void = { _ in
            let isCaller = Thread.current.threadDictionary["caller"] != nil
            touched.withLock { if isCaller { $0.byCaller += 1 } else { $0.byOthers += 1 } }
        }
        let outbox = await withCheckedContinuation { (continuation: CheckedContinuation<Outbox, Never>) in
            Thread.detachNewThread {
                Thread.current.threadDictionary["caller"] = true
                let outbox = Outbox(
                    .init(folder: bench.folder), uploader: Nobody(), clock: .system, faults: faults, report: { _ in })
                outbox.collectionDidChange(to: .enabled)
                outbox.post(11...2000)
                continuation.resume(returning: outbox)
            }
        }
        await outbox.flush()
        #expect(await outbox.status().stored == 2000)
        #expect(touched.withLock { $0.byOthers } > 0)
        #expect(touched.withLock { $0.byCaller } == 0)
        await outbox.shutdown(within: 0)
    }

    @Test("No byte of a denied record is left in any file: store, log, set-aside or temporary files")
    func denialLeavesNoByte() async throws {
        let collector = try Collector { _ in .status(503) }
        let bench = OutboxFixture()
        // One store that is set aside with its records, and its replacement.
        await bench.leave(1...2000, padding: 20)
        try await bench.database().write { try $0.execute(sql: "ALTER TABLE record RENAME TO hidden") }
        let outbox = bench.outbox(collector)
        outbox.post(2001...5000, padding: 20)
        #expect(await outbox.makeDurable())
        try Data("{\"n\":1,\"x\":\"xxxxx".utf8).write(to: bench.folder.appendingPathComponent("outbox-rescue.sqlite"))
        #expect(bench.setAside.count == 1)
        #expect(try bench.files(holding: ["xxxxx"]).count >= 3)
        outbox.post(5001...5100, padding: 20)
        outbox.collectionDidChange(to: .denied)
        // The mark of the denial is written at once, in case the process ends.
        #expect(FileManager.default.fileExists(atPath: bench.folder.appendingPathComponent("outbox.denied").path))
        await outbox.flush()
        #expect(try bench.files(holding: ["xxxxx"]) == [])
        #expect(try bench.files(holding: ["{\"n\":"]) == [])
        outbox.post(6001...6100, padding: 20)
        #expect(await outbox.makeDurable() == false)
        #expect(try bench.files(holding: ["{\"n\":"]) == [])
        #expect(bench.dropped(.denied) == 3000 + 100 + 100)
        #expect(collector.accepted.isEmpty)
    }

    @Test("A denial that cannot be carried out is obeyed at the next start", arguments: [FileAction.remove, .lock])
    func denialIsObeyedAtTheNextStart(action: FileAction) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let faults = Faults()
        do {
            let outbox = bench.outbox(collector, policy: .paused, faults: faults)
            outbox.post(1...100)
            #expect(await outbox.makeDurable())
            faults.fail(action, with: EIO)
            outbox.collectionDidChange(to: .denied)
            outbox.collectionDidChange(to: .enabled)
            outbox.post(101...110)
            await outbox.deliver()
            #expect(collector.requests == 0)
            #expect(bench.notices.contains { if case .storeUnavailable = $0 { true } else { false } })
            await outbox.shutdown(within: 0)
        }
        let next = bench.outbox(collector)
        next.post(201...210)
        await next.deliver()
        #expect(collector.numbers == Array(201...210))
    }

    @Test("A locked store delays a denial and does not defeat it")
    func aLockedStoreDoesNotDefeatDenial() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...10)
        let other = try Self.locked(bench.file)
        let outbox = bench.outbox(collector, policy: .paused)
        outbox.collectionDidChange(to: .denied)
        await outbox.flush()
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try other.close()
        #expect(try bench.files(holding: ["{\"n\":"]) == [])
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(collector.requests == 0)
    }

    @Test("Posts and policies have one order across threads: no record from before a denial arrives")
    func postsAndPoliciesHaveOneOrder() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) {
            $0.batchRecords = 5
            $0.writeDelay = 0
            $0.deliveryInterval = 0
        }
        var next = 0
        for round in 0..<60 {
            let before = next
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<3 {
                    group.addTask { outbox.post((before + thread * 10)..<(before + thread * 10 + 10)) }
                }
            }
            next += 30
            if round % 4 == 0 { await outbox.flush() }
            let accepted = collector.acceptedCount
            outbox.collectionDidChange(to: .denied)
            outbox.post(1_000_000...1_000_003)
            if round % 3 == 0 { await outbox.flush() }
            outbox.collectionDidChange(to: .enabled)
            await outbox.deliver()
            // Records in flight may have arrived. No upload has begun since.
            #expect(collector.acceptedCount <= accepted + 30)
        }
        outbox.post([7_777_777])
        // A cancelled upload may reach the collector late, after this record.
        let isDelivered = await eventually {
            await outbox.deliver()
            return collector.numbers.contains(7_777_777)
        }
        let numbers = collector.numbers
        let status = await outbox.status()
        #expect(isDelivered, "\(numbers.suffix(10)), \(status), \(collector.requests), \(bench.notices.suffix(5))")
        #expect(!numbers.contains { (1_000_000...1_000_003).contains($0) })
    }

    @Test("Concurrent decisions leave the logger and its destinations with the same last decision")
    func decisionsHaveOneOrder() async {
        final class Listener: LogDestination {
            let heard = Locked([CollectionPolicy]())
            func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {}
            func collectionDidChange(to policy: CollectionPolicy) { heard.withLock { $0.append(policy) } }
        }
        let (first, second) = (Listener(), Listener())
        let logger = ActivityLogger(destinations: [first, second])
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for turn in 0..<500 { logger.collection = CollectionPolicy.allCases[(thread + turn) % 3] }
                }
            }
        }
        #expect(first.heard.withLock { $0 } == second.heard.withLock { $0 })
        #expect(first.heard.withLock { $0.last } == logger.collection)
    }

    @Test("A denial in one process is obeyed by the other")
    func denialIsObeyedByAnotherProcess() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let (app, widget) = (bench.outbox(collector, policy: .paused), bench.outbox(collector, policy: .paused))
        widget.post(1...50)
        #expect(await widget.makeDurable())
        app.collectionDidChange(to: .denied)
        await app.flush()
        widget.post(51...60)
        #expect(await widget.makeDurable() == false)
        #expect(try bench.files(holding: ["{\"n\":"]) == [])
        app.collectionDidChange(to: .enabled)
        await app.flush()
        widget.post(61...70)
        #expect(await widget.makeDurable())
        await app.deliver()
        #expect(collector.numbers == Array(61...70))
    }

    /// Returns a connection that locks the store for writing until `ROLLBACK`.
    private static func locked(_ file: URL) throws -> DatabaseQueue {
        let other = try OutboxFixture.database(file)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        return other
    }

    // MARK: Suspend, resume, shut down

    /// An uploader that never returns, even if its task is cancelled.
    private struct Deaf: LogUploader {
        let called = Locked(0)

        func upload(_ batch: LogBatch) async throws -> UploadResult {
            called.withLock { $0 += 1 }
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return .accepted
        }
    }

    @Test("Only an agreement withdraws a denial: an outbox that is paused stores nothing", arguments: [true, false])
    func aPauseLeavesTheDenial(isLaterLaunch: Bool) async throws {
        let (bench, collector) = (OutboxFixture(), try Collector())
        var outbox = bench.outbox(collector, policy: .denied)
        await outbox.flush()
        if isLaterLaunch {
            await outbox.shutdown(within: 0)
            outbox = bench.outbox(collector, policy: nil)
        }
        outbox.collectionDidChange(to: .paused)
        outbox.post(1...3)
        #expect(await outbox.makeDurable() == false)
        #expect(FileManager.default.fileExists(atPath: bench.folder.appendingPathComponent("outbox.denied").path))
        outbox.collectionDidChange(to: .enabled)
        outbox.post(4...5)
        await outbox.deliver()
        #expect(collector.numbers == [4, 5])
        #expect(bench.dropped(.denied) == 3)
    }

    @Test("Calls from many threads in any order do not hang, and the last of suspend and resume wins")
    func aStormOfCalls() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) {
            $0.batchRecords = 10
            $0.writeDelay = 0.001
            $0.deliveryInterval = 0
            $0.firstRetry = 0.001
        }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    var dice = SeededGenerator(seed: UInt64(thread))
                    for turn in 0..<60 {
                        outbox.post([thread * 1000 + turn])
                        switch Int.random(in: 0..<8, using: &dice) {
                        case 0: await outbox.suspend()
                        case 1: await outbox.resume()
                        case 2: await outbox.flush()
                        case 3: await outbox.deliver()
                        case 4: _ = await outbox.status()
                        case 5: _ = try? await outbox.deadLetters()
                        case 6: outbox.collectionDidChange(to: turn % 2 == 0 ? .paused : .enabled)
                        default: _ = await outbox.makeDurable()
                        }
                    }
                }
            }
        }
        outbox.collectionDidChange(to: .enabled)
        async let suspended: Void = outbox.suspend()
        await outbox.resume()
        await suspended
        #expect(
            await eventually {
                await outbox.resume()
                await outbox.deliver()
                return Set(collector.numbers).count == 480
            })
        await outbox.shutdown(within: 5)
        await outbox.shutdown(within: 0)
        await outbox.resume()
        await outbox.suspend()
        await outbox.deliver()
        #expect(await outbox.status().stored == 0)
    }

    @Test("A resume during a suspension does not leave the store closed")
    func resumingWhileSuspending() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector)
        for round in 0..<50 {
            outbox.post([round])
            async let suspended: Void = outbox.suspend()
            async let resumed: Void = outbox.resume()
            _ = await (suspended, resumed)
            await outbox.resume()
            #expect(await outbox.makeDurable())
        }
        // Records in flight at the suspension may arrive twice.
        #expect(
            await eventually {
                await outbox.deliver()
                return Set(collector.numbers) == Set(0..<50)
            })
    }

    @Test("Shutting down and suspending do not wait for an uploader that never returns")
    func deafUploaders() async throws {
        let uploader = Deaf()
        let bench = OutboxFixture()
        let outbox = bench.outbox(uploader)
        outbox.post(1...3)
        async let delivered: Void = outbox.deliver()
        #expect(await eventually { uploader.called.withLock { $0 } == 1 })
        await outbox.suspend()
        await delivered
        await outbox.resume()
        await outbox.deliver()
        // At most one upload runs at a time.
        #expect(uploader.called.withLock { $0 } == 1)
        await outbox.shutdown(within: 0.2)
        #expect(await outbox.status().stored == 3)
    }

    @Test(
        "No call waits more than two seconds for a lock that a suspended process holds", arguments: [true, false])
    func locksOfSuspendedProcesses(isSQLite: Bool) async throws {
        let bench = OutboxFixture()
        let outbox = bench.outbox(Nobody())
        let start = DispatchTime.now().uptimeNanoseconds
        outbox.post([1])
        await outbox.deliver()
        let unlocked = DispatchTime.now().uptimeNanoseconds - start
        let other = isSQLite ? try Self.locked(bench.file) : nil
        let lock = FileLock(bench.folder.appendingPathComponent("outbox.files").path)
        // The outbox holds the lock for each of its transactions.
        while try !isSQLite && !lock.take() { await Task.yield() }
        for call in [{ await outbox.deliver() }, { await outbox.suspend() }, { await outbox.flush() }]
            as [@Sendable () async -> Void]
        {
            outbox.post([2])
            let begin = DispatchTime.now().uptimeNanoseconds
            await call()
            // The documentation promises two seconds. On a busy machine, the call without a lock takes longer, too.
            #expect(DispatchTime.now().uptimeNanoseconds - begin < 4_000_000_000 + 10 * unlocked)
        }
        #expect(await outbox.status().queued == 3)
        try await other?.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        lock.close()
        await outbox.resume()
        #expect(await eventually { await outbox.makeDurable() })
        #expect(await outbox.status().stored == 4)
        await outbox.shutdown(within: 0)
    }

    @Test("A suspension releases the right to deliver before it waits for a lock of another process")
    func rightsOfSuspendedProcesses() async throws {
        let bench = OutboxFixture()
        let uploader = Deaf()
        let outbox = bench.outbox(uploader)
        outbox.post([1])
        async let delivered: Void = outbox.deliver()
        #expect(await eventually { uploader.called.withLock { $0 } == 1 })
        let lock = FileLock(bench.folder.appendingPathComponent("outbox.files").path)
        let right = FileLock(bench.folder.appendingPathComponent("outbox.lock").path)
        #expect(try right.take() == false)
        // The outbox holds the lock for each of its transactions, one of which may just end.
        while try !lock.take() { try await Task.sleep(nanoseconds: 1_000_000) }
        outbox.post([2])
        let suspension = Task { await outbox.suspend() }
        // The store stays locked, so only the right can be released.
        while try !right.take() { try await Task.sleep(nanoseconds: 1_000_000) }
        right.close()
        lock.close()
        await suspension.value
        await delivered
        await outbox.shutdown(within: 0)
    }

    @Test("Shutting down does not wait for a store that another process has locked")
    func lockedStoresDoNotHoldUpShutdown() async throws {
        let bench = OutboxFixture()
        let outbox = bench.outbox(Nobody())
        outbox.post([1])
        await outbox.flush()
        let other = try Self.locked(bench.file)
        outbox.post([2])
        // The store stays locked until the shutdown has returned.
        await outbox.shutdown(within: 0.2)
        #expect(await outbox.status().queued == 1)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }

    @Test(
        "Nonsensical times and sizes are replaced by the nearest valid ones",
        arguments: [Double.infinity, -.infinity, .nan, 1e300, -1])
    func absurdConfigurations(value: Double) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(HTTPUploader(collector.url, timeout: value)) {
            ($0.writeDelay, $0.deliveryInterval, $0.storedAge) = (
                value < 1e9 ? value : 0, value, value < 0 ? 1e9 : value
            )
            ($0.firstRetry, $0.longestRetry) = (value, value)
            let size = value > 0 ? Int.max : Int.min
            ($0.batchRecords, $0.batchBytes, $0.queuedRecords, $0.queuedBytes) = (size, size, size, size)
            ($0.storedRecords, $0.storedBytes, $0.deadLetters) = (.max, .max, size)
        }
        outbox.post(1...3)
        await outbox.flush()
        #expect(bench.notices.contains { if case .configuration = $0 { true } else { false } })
        outbox.collectionDidChange(to: .paused)
        await outbox.shutdown(within: value)
    }

    @Test("A time that is NaN is replaced by its default and reported")
    func timesThatAreNotNumbers() {
        var configuration = Outbox.Configuration(folder: URL(fileURLWithPath: "/nowhere"))
        let times: [WritableKeyPath<Outbox.Configuration, TimeInterval>] = [
            \.writeDelay, \.deliveryInterval, \.storedAge, \.firstRetry, \.longestRetry,
        ]
        let defaults = configuration.limits.clamped().limits
        for time in times { configuration[keyPath: time] = .nan }
        let (limits, changes) = configuration.limits.clamped()
        #expect(changes.count == 5)
        #expect((limits.writeDelay, limits.deliveryInterval) == (defaults.writeDelay, defaults.deliveryInterval))
        #expect(limits.storedAge == defaults.storedAge)
        #expect((limits.firstRetry, limits.longestRetry) == (defaults.firstRetry, defaults.longestRetry))
    }

    @Test("Records posted to a suspended or ended outbox stay queued until a caller requests a write")
    func recordsAfterTheEndCountAsQueued() async throws {
        let bench = OutboxFixture()
        let outbox = bench.outbox(Nobody(), policy: .paused)
        outbox.post(1...1505)
        await outbox.suspend()
        #expect(
            await outbox.status()
                == Outbox.Status(
                    queued: 0, stored: 1505, storedBytes: (1...1505).reduce(0) { $0 + "{\"n\":\($1)}".utf8.count }))
        outbox.post([1])
        #expect(await outbox.status().queued == 1)
        #expect(await outbox.makeDurable())
        #expect(await outbox.status().stored == 1506)
        await outbox.shutdown(within: 60)
        #expect(await outbox.status().stored == 1506)
        outbox.post([2])
        #expect(await outbox.makeDurable())
        #expect(await outbox.status().stored == 1507)
    }

    @Test(
        "A timed-out shutdown closes files when the disk responds; a suspended outbox has none open"
    )
    func filesOfAShutdownThatRanOutOfTime() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...3)
        let (isReading, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isSlow = Locked(true)
        // A disk that reads a batch slowly.
        let faults: @Sendable (FileAction) throws -> Void = { action in
            guard action == .read, isSlow.withLock({ $0 }),
                FileManager.default.fileExists(atPath: bench.file.path + "-wal")
            else { return }
            isReading.signal()
            goOn.wait()
            isSlow.withLock { $0 = false }
        }
        var configuration = Outbox.Configuration(folder: bench.folder)
        configuration.deliveryInterval = 0
        let slow = Outbox(
            configuration, uploader: HTTPUploader(collector.url), clock: .system, faults: faults, report: { _ in })
        slow.collectionDidChange(to: .enabled)
        await isReading.waitElsewhere()
        await slow.shutdown(within: 0)
        #expect(!Tool.openFiles(in: bench.folder.path).isEmpty)
        let next = bench.outbox(Nobody())
        next.post(4...5)
        #expect(await next.makeDurable())
        await next.suspend()
        #expect(!Tool.openFiles(in: bench.folder.path).isEmpty)
        goOn.signal()
        #expect(await eventually { Tool.openFiles(in: bench.folder.path).isEmpty })
        #expect(collector.requests == 0)
        await next.shutdown(within: 0)
    }

    // MARK: The process and the uploader

    @Test("The second of two outboxes on a folder in one process is reported, and sends and stores nothing")
    func twoOutboxesOnOneFolder() async throws {
        let scratch = try Scratch()
        let link = scratch.url.appendingPathComponent("link")
        let folder = scratch.url.appendingPathComponent("outbox")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        let (first, second, notices) = (Keeper(), Keeper(), Locked([Outbox.Notice]()))
        let one = Outbox(.init(folder: folder), uploader: first)
        one.collectionDidChange(to: .enabled)
        await one.flush()
        let other = Outbox(.init(folder: link), uploader: second) { notice in notices.withLock { $0.append(notice) } }
        other.collectionDidChange(to: .enabled)
        one.post(1...100)
        other.post(101...200)
        #expect(await one.makeDurable())
        #expect(await !other.makeDurable())
        await other.deliver()
        await one.deliver()
        #expect(first.records.count == 100 && second.records.count == 0)
        #expect(await other.status().queued == 100)
        let reports = notices.withLock { $0 }.filter { if case .configuration = $0 { true } else { false } }
        #expect(reports.count == 1 && "\(reports)".contains("another outbox"))
        // The folder is free after the first one has ended.
        await one.shutdown(within: 5)
        #expect(await other.makeDurable())
        await other.deliver()
        #expect(first.records.count == 100 && second.records.count == 100)
        await other.shutdown(within: 5)
    }

    private final class Recursive: LogUploader {
        let outbox = Locked<Outbox?>(nil)

        func upload(_ batch: LogBatch) async throws -> UploadResult {
            await outbox.withLock { $0 }?.deliver()
            return .accepted
        }
    }

    @Test("A delivery that an uploader requests returns at once and is reported")
    func deliveryInsideAnUploader() async throws {
        let bench = OutboxFixture()
        let uploader = Recursive()
        let outbox = bench.outbox(uploader)
        uploader.outbox.withLock { $0 = outbox }
        outbox.post([1])
        await outbox.deliver()
        #expect(await outbox.status().stored == 0)
        #expect(bench.notices.contains { "\($0)".contains("inside an uploader") })
        uploader.outbox.withLock { $0 = nil }
        await outbox.shutdown(within: 5)
    }

    @Test("An uploader that does not return in its time, or after a cancellation, is reported once")
    func stalledUploadersAreReported() throws {
        let limits = Outbox.Configuration(folder: URL(fileURLWithPath: "/nowhere")).limits
        for (isCancelled, time) in [(false, 60.0), (true, 12)] {
            var delivery = Delivery(limits, uploadTime: 50, seed: 1)
            delivery.beginRun()
            _ = delivery.beginFetch()
            let log = LogBatch(records: [[0]])
            delivery.finishFetch(OutboxBatch(store: 1, log: log, numbers: [1], bytes: 2), at: 10)
            #expect(delivery.beginUpload(at: 10) != nil)
            if isCancelled {
                _ = delivery.cancelUpload()
                delivery.timeCancellation(10)
            }
            #expect(delivery.stall == time)
            #expect(delivery.reportStall(time - 0.1) == nil)
            #expect(delivery.reportStall(time) == .uploaderStalled(seconds: time - 10))
            #expect(delivery.reportStall(time + 100) == nil && delivery.stall == nil)
        }
    }

    // MARK: The collector

    @Test("A collector that refuses everything is asked less and less often", arguments: [400, 404])
    func refusalsBackOff(status: Int) async throws {
        let collector = try Collector { _ in .status(status) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) {
            $0.deliveryInterval = 0
            $0.queuedRecords = .max
        }
        outbox.post(1...20_000)
        await outbox.deliver()
        #expect(await eventually { bench.notices.contains { if case .deliveryFailed = $0 { true } else { false } } })
        // Finding one invalid record among 500 takes ten requests. After one more, a probe from behind shows that the
        // collector refuses everything, and the outbox backs off. `deliver` asks once more.
        #expect(collector.requests <= 13)
        let sum = await outbox.status()
        #expect(sum.stored + sum.deadLetters + sum.dropped == 20_000)
    }

    @Test("A batch size that was too large is remembered")
    func sizesAreRemembered() async throws {
        let tooLarge = Locked(0)
        let collector = try Collector { request in
            guard request.records.reduce(0, { $0 + $1.utf8.count }) > 3000 else { return .status(204) }
            tooLarge.withLock { $0 += 1 }
            return .status(413)
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector)
        for round in 0..<10 {
            outbox.post((round * 500)..<(round * 500 + 500))
            await outbox.deliver()
        }
        #expect(collector.numbers == Array(0..<5000))
        #expect(tooLarge.withLock { $0 } <= 3)
    }

    @Test("A Retry-After holds after a restart, for a day at most")
    func retryAfterOutlivesTheProcess() async throws {
        let (wall, steady) = (Locked(1_793_000_000.0), Locked(500.0))
        let clock = OutboxClock(wall: { wall.withLock { $0 } }, steady: { steady.withLock { $0 } })
        let bench = OutboxFixture()
        let busy = try Collector { _ in .status(429, retryAfter: "999999999") }
        let outbox = bench.outbox(busy, clock: clock)
        outbox.post(1...3)
        await outbox.deliver()
        await outbox.shutdown(within: 0)
        #expect(await eventually { await outbox.status().stored == 3 })
        let collector = try Collector()
        wall.withLock { $0 += 80_000 }
        steady.withLock { $0 = 3 }
        let next = bench.outbox(collector, clock: clock)
        await next.deliver()
        #expect(collector.requests == 0)
        steady.withLock { $0 += 6401 }
        await next.deliver()
        #expect(collector.numbers == [1, 2, 3])
    }

    @Test("A Retry-After that one process received holds for another one that already runs")
    func retryAfterIsShared() async throws {
        let (wall, steady) = (Locked(1_793_000_000.0), Locked(500.0))
        let clock = OutboxClock(wall: { wall.withLock { $0 } }, steady: { steady.withLock { $0 } })
        let bench = OutboxFixture()
        let (collector, busy) = (try Collector(), try Collector { _ in .status(429, retryAfter: "3600") })
        let (app, widget) = (bench.outbox(collector, clock: clock), bench.outbox(busy, clock: clock, policy: .paused))
        app.post([1])
        await app.deliver()
        #expect(collector.numbers == [1])
        widget.post([2])
        widget.collectionDidChange(to: .enabled)
        // The app releases the right to deliver after its call has returned.
        #expect(
            await eventually {
                await widget.deliver()
                return busy.requests > 0
            })
        await widget.suspend()
        app.post([3])
        await app.deliver()
        #expect(collector.numbers == [1])
        // A clock that is set back does not make the app wait again.
        wall.withLock { $0 -= 10_000 }
        steady.withLock { $0 += 3601 }
        await app.deliver()
        #expect(collector.numbers == [1, 2, 3])
    }

    // MARK: Counts

    @Test("Counts add up, and a record larger than the limit of the store is stored alone")
    func countsAddUp() async throws {
        let collector = try Collector { $0.records.contains { $0.contains("\"n\":7}") } ? .status(404) : .status(204) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector, policy: .paused) {
            $0.storedBytes = 2000
            $0.deadLetters = 1
            $0.batchRecords = 1
        }
        outbox.post(1...100)
        await outbox.flush()
        outbox.post([101], padding: 3000)
        await outbox.flush()
        #expect(await outbox.status().stored == 100)
        outbox.post([7, 7, 7])
        await outbox.flush()
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(await eventually { await outbox.status().stored == 0 })
        #expect(collector.acceptedCount == 99)
        #expect(bench.dropped(.bytes) == 1)
        #expect(bench.dropped(.deadLetters) == 3)
        #expect(await outbox.status().deadLetters == 1)
        #expect(await outbox.status().dropped == 4)
    }

    @Test("Notices use the singular for one record")
    func noticesKnowTheSingular() {
        #expect("\(Outbox.Notice.dropped(1, .age))" == "1 record dropped (age)")
        #expect("\(Outbox.Notice.dropped(2, .age))" == "2 records dropped (age)")
        #expect("\(Outbox.Notice.deadLetters(1, reason: "HTTP 400"))" == "1 record is a dead letter: HTTP 400")
    }

    @Test("The report handler may call the outbox")
    func reportMayCall() async throws {
        let held = Locked<Outbox?>(nil)
        let told = Locked(0)
        let bench = OutboxFixture()
        var configuration = Outbox.Configuration(folder: bench.folder)
        configuration.storedRecords = 5
        configuration.writeDelay = 0
        let outbox = Outbox(configuration, uploader: Nobody()) { _ in
            told.withLock { $0 += 1 }
            guard let outbox = held.withLock({ $0 }) else { return }
            outbox.collectionDidChange(to: .paused)
            if told.withLock({ $0 }) < 20 { outbox.post(1...2) }
        }
        held.withLock { $0 = outbox }
        outbox.post(1...10)
        #expect(await eventually { told.withLock { $0 } >= 3 })
        held.withLock { $0 = nil }
    }
}
