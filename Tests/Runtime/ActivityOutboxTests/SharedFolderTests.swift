import ActivityTracking
import Foundation
import GRDB
import LoopbackCollector
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of processes that share a folder, such as an app and its extension.
@Suite(.serialized) struct SharedFolderTests {
    /// The number of repetitions of the tests that depend on chance.
    private static let rounds = Depth.cases(1, deep: 6)

    /// Each part is a quarter of the file accesses.
    private static let parts = Depth.some(1, of: [2, 0, 1, 3])

    /// Starts a process that posts, and returns it with its output.
    private static func poster(_ bench: OutboxFixture, _ url: URL, _ arguments: String...) throws -> (
        Process, FileHandle
    ) {
        let output = Pipe()
        let process = try Tool.start(
            Tool.executable(named: "outbox-torture"),
            ["--folder", bench.folder.path, "--collector", url.absoluteString] + arguments, in: Tool.repository,
            output: output)
        return (process, output.fileHandleForReading)
    }

    @Test("A closed lock is free, even while a child process that has not begun its program has a copy of it")
    func closedLockIsFree() throws {
        let path = RunFolder.url.appendingPathComponent("lock \(UUID().uuidString)").path
        let lock = FileLock(path)
        #expect(try lock.take())
        let copies = (0..<Int32(4096)).compactMap { descriptor -> Int32? in
            var status = stat()
            guard fstat(descriptor, &status) == 0, FileIdentity(status) == FileIdentity(path) else { return nil }
            return dup(descriptor)
        }
        defer { for copy in copies { close(copy) } }
        #expect(!copies.isEmpty)
        lock.close()
        #expect(try FileLock(path).take())
    }

    @Test("Two processes that start after a denial keep the records that each of them makes durable")
    func twoStartAfterADenial() async throws {
        let collector = try Collector { _ in .status(503) }
        var missing = 0
        for _ in 0..<Self.rounds {
            let bench = OutboxFixture()
            await bench.leave(1...3)
            try Data().write(to: bench.folder.appendingPathComponent("outbox.denied"))
            let posters = try [0, 500_000].map { first in
                (first, try Self.poster(bench, collector.url, "--first", "\(first)", "--count", "20"))
            }
            for (first, (process, output)) in posters {
                var text = ""
                while !text.contains("durable \(first + 20) ") {
                    let data = output.availableData
                    guard !data.isEmpty else { break }
                    text += String(decoding: data, as: UTF8.self)
                }
                #expect(text.contains("durable \(first + 20) "))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
            let next = bench.outbox(Nobody(), policy: .paused)
            await next.flush()
            missing += 40 - (await next.status().stored)
            await next.shutdown(within: 0)
        }
        #expect(missing == 0)
    }

    @Test("A mark without a time is as old as its file, even while another process writes the time")
    func marksWithoutATime() async throws {
        let clock = OutboxClock.system
        for _ in 0..<Depth.cases(12, deep: 50) {
            let bench = OutboxFixture()
            try FileManager.default.createDirectory(at: bench.folder, withIntermediateDirectories: true)
            try Data().write(to: bench.folder.appendingPathComponent("outbox.denied"))
            // A file's date has the resolution of the kernel's timer.
            usleep(10_000)
            let agreement = clock.steady()
            let (reader, writer) = (bench.storeFolder(), bench.storeFolder())
            async let withdrawal: Void = Task.detached {
                usleep(200)
                try writer.withdrawDenial(at: agreement, clock: clock)
            }.value
            while try reader.isDenied() {
                let denial = reader.denial(isWithdrawn: false, clock: clock)
                // If the mark is gone by now, both times are the time of the read.
                #expect(denial.given < agreement || denial.given == denial.withdrawn)
            }
            #expect(reader.denial(isWithdrawn: true, clock: clock).given < agreement)
            try await withdrawal
        }
    }

    @Test("A denial that another process gives while an earlier one is withdrawn holds")
    func denialDuringAWithdrawal() async throws {
        let clock = OutboxClock.system
        for _ in 0..<Depth.cases(200, deep: 1000) {
            let bench = OutboxFixture()
            let (denier, other) = (bench.storeFolder(), bench.storeFolder())
            let now = clock.steady()
            try other.deny(at: now - 3)
            async let withdrawal: Void = Task.detached { try other.withdrawDenial(at: now - 2, clock: clock) }.value
            async let denial: Void = Task.detached { try denier.deny(at: now - 1) }.value
            _ = try await (withdrawal, denial)
            #expect(try denier.isDenied())
            #expect(abs(denier.denial(isWithdrawn: false, clock: clock).given - (now - 1)) < 0.001)
        }
    }

    @Test("The mark of a denial that is withdrawn during a wipe outlives that wipe")
    func marksOfALaterWithdrawal() throws {
        let clock = OutboxClock.system
        let bench = OutboxFixture()
        let folder = bench.storeFolder()
        let now = clock.steady()
        try folder.deny(at: now - 4)
        // The denial was obeyed before its withdrawal, so no withdrawal mark was read.
        try folder.withdrawDenial(at: now - 3, clock: clock)
        try folder.removeWipeDue(nil)
        #expect(try folder.isWipeDue())
        let obeyed = folder.wipeDueMark
        usleep(10_000)
        try folder.deny(at: now - 2)
        try folder.withdrawDenial(at: now - 1, clock: clock)
        try folder.removeWipeDue(obeyed)
        #expect(try folder.isWipeDue())
        try folder.removeWipeDue(folder.wipeDueMark)
        #expect(try !folder.isWipeDue())
    }

    /// An uploader that blocks its first upload until the gate opens.
    private final class SlowUploader: LogUploader {
        let begun = Locked(0)
        let gate = DispatchSemaphore(value: 0)

        func upload(_ batch: LogBatch) async throws -> UploadResult {
            guard
                begun.withLock({
                    $0 += 1; return $0
                }) == 1
            else { return .accepted }
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    self.gate.wait()
                    continuation.resume()
                }
            }
            return .accepted
        }
    }

    @Test("No upload begins after another process's denial returns, even if its batch has been read")
    func noUploadBeginsAfterADenialElsewhere() async {
        for _ in 0..<max(10, Self.rounds / 10) {
            let bench = OutboxFixture()
            await bench.leave(1...30)
            let uploader = SlowUploader()
            let app = bench.outbox(uploader) { $0.batchRecords = 10 }
            async let delivery: Void = app.deliver()
            #expect(await eventually { uploader.begun.withLock { $0 } == 1 })
            // The next batch is read while the first is in flight.
            await app.flush()
            let widget = bench.outbox(Nobody(), policy: nil)
            widget.collectionDidChange(to: .denied)
            await widget.flush()
            uploader.gate.signal()
            await delivery
            await app.flush()
            #expect(uploader.begun.withLock { $0 } == 1)
            await app.shutdown(within: 0)
            await widget.shutdown(within: 0)
        }
    }

    @Test("A batch that waits for its headers while another process denies is not sent")
    func headersThatTakeLong() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...3)
        let (isAsked, goOn) = (Locked(false), DispatchSemaphore(value: 0))
        let uploader = HTTPUploader(collector.url, timeout: 600) {
            isAsked.withLock { $0 = true }
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    goOn.wait()
                    continuation.resume()
                }
            }
            return [:]
        }
        let app = bench.outbox(uploader)
        async let delivery: Void = app.deliver()
        #expect(await eventually { isAsked.withLock { $0 } })
        let widget = bench.outbox(Nobody(), policy: nil)
        widget.collectionDidChange(to: .denied)
        await widget.flush()
        goOn.signal()
        await delivery
        #expect(collector.requests == 0)
    }

    @Test("Nothing is sent while the marks of a denial cannot be read")
    func marksThatCannotBeRead() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let faults = Faults()
        let app = bench.outbox(collector, policy: .paused, faults: faults)
        app.post(1...3)
        #expect(await app.makeDurable())
        faults.fail(.look, with: EIO)
        app.collectionDidChange(to: .enabled)
        await app.deliver()
        #expect(collector.requests == 0)
        faults.end()
        #expect(
            await eventually {
                await app.deliver()
                return collector.numbers == [1, 2, 3]
            })
    }

    @Test("A number of wipes that cannot be read yet denies no records")
    func anUnreadableNumberDeniesNothing() async throws {
        let bench = OutboxFixture()
        await bench.leave(1...3)
        let lock = bench.folder.appendingPathComponent("outbox.files")
        try FileManager.default.removeItem(at: lock)
        // A link to itself cannot be opened.
        try FileManager.default.createSymbolicLink(atPath: lock.path, withDestinationPath: lock.path)
        let outbox = bench.outbox(Nobody(), policy: .paused)
        outbox.post(4...6)
        #expect(await outbox.makeDurable() == false)
        try FileManager.default.removeItem(at: lock)
        // An earlier process has wiped a store. Its clock was that of another start of the device.
        let now = Int64(OutboxClock.system.steady() * 1e9)
        try [1, now, now].withUnsafeBytes { Data($0) }.write(to: lock)
        #expect(await outbox.makeDurable())
        #expect(await outbox.status() == Outbox.Status(stored: 6, storedBytes: 42))
    }

    @Test("The times of a wiped denial are those of an earlier start of the device if they are in the future")
    func timesInTheFutureAreOld() throws {
        let bench = OutboxFixture()
        let (folder, now) = (bench.storeFolder(), OutboxClock.system.steady())
        try folder.make()
        try folder.lock()
        folder.countWipe(of: Denial(given: now - 2, withdrawn: now - 1))
        #expect(abs(folder.lastDenial(clock: .system).limit(agreement: nil) - (now - 1)) < 1e-3)
        folder.countWipe(of: Denial(given: now - 2, withdrawn: now + 1000))
        #expect(folder.lastDenial(clock: .system).limit(agreement: nil) == -.infinity)
    }

    @Test("A denial after an agreement elsewhere holds, even if the agreement is obeyed later")
    func theLastDecisionHolds() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...3)
        let app = bench.outbox(collector, policy: .paused)
        await app.suspend()
        app.collectionDidChange(to: .enabled)
        await app.suspend()
        let widget = bench.outbox(Nobody(), policy: nil)
        widget.collectionDidChange(to: .denied)
        await widget.flush()
        await app.resume()
        app.post(4...5)
        #expect(await app.makeDurable() == false)
        await app.deliver()
        #expect(collector.requests == 0)
        #expect(FileManager.default.fileExists(atPath: bench.folder.appendingPathComponent("outbox.denied").path))
    }

    @Test(
        "Another process's denial drops records in memory, even if the user agrees before the write")
    func memoryIsDeniedToo() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let faults = Faults()
        let app = bench.outbox(collector, faults: faults)
        app.post(1...2)
        #expect(await app.makeDurable())
        // The disk is full for a while.
        faults.fail(.write, with: ENOSPC)
        app.post(3...4)
        #expect(await app.makeDurable() == false)
        let widget = bench.outbox(Nobody(), policy: nil)
        widget.collectionDidChange(to: .denied)
        await widget.flush()
        widget.collectionDidChange(to: .enabled)
        await widget.flush()
        faults.end()
        #expect(await eventually { await app.status().queued == 0 })
        app.post(5...6)
        #expect(await app.makeDurable())
        await app.deliver()
        // The first two may have left before the denial.
        #expect(collector.numbers.filter { $0 > 2 } == [5, 6])
    }

    @Test("Closing a store that another process has replaced does not touch the new store's log")
    func closingAReplacedStore() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let (app, widget) = (bench.outbox(collector, policy: .paused), bench.outbox(collector, policy: .paused))
        app.post(1...5)
        #expect(await app.makeDurable())
        widget.post(6...10)
        #expect(await widget.makeDurable())
        let other = try bench.database()
        try await other.write { try $0.execute(sql: "DELETE FROM state") }
        try other.close()
        // The widget replaces the store. Its records are in the log of the new one.
        widget.post(11...15)
        #expect(await widget.makeDurable())
        #expect(bench.setAside.count == 1)
        await app.suspend()
        // Simulates a kill of the widget: a new process finds all records.
        let next = bench.outbox(collector)
        await next.deliver()
        #expect(Set(collector.numbers) == Set(1...15))
    }

    // MARK: Replacing a store

    /// Leaves a store with a page of noise. `holder` has the store open, with records in the log.
    private static func damaged(_ bench: OutboxFixture, holder: Outbox) async throws {
        await bench.leave(1...1500, padding: 20)
        holder.post(2001...2010)
        #expect(await holder.makeDurable())
        let file = try FileHandle(forWritingTo: bench.file)
        try file.seek(toOffset: 4096 * 12)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try file.close()
    }

    private static func expectAll(_ posted: Int, in bench: OutboxFixture, _ context: String) async throws {
        let collector = try Collector()
        let next = bench.outbox(collector)
        await next.deliver()
        await next.deliver()
        let status = await next.status()
        let arrived = Set(collector.accepted)
        #expect(
            arrived.count + status.dropped == posted,
            "\(context): \(arrived.count) arrived, \(status), \(bench.notices)")
        #expect(status.stored == 0)
        #expect(arrived.count > 1300, "\(context)")
        await next.shutdown(within: 0)
    }

    @Test("A kill before any file access of a replacement loses nothing", arguments: parts)
    func killsDuringAReplacement(part: Int) async throws {
        // A replacement takes about 40 file accesses, so kills before access 1 to 49 cover it. The accesses of the
        // deliveries that follow never end.
        var kills = 0
        for access in stride(from: 1 + part, to: 50, by: 4) {
            let bench = OutboxFixture()
            let holder = bench.outbox(Nobody(), policy: .paused)
            try await Self.damaged(bench, holder: holder)
            let (process, _) = try Self.poster(bench, URL(fileURLWithPath: "/"), "--drains", "--dies-at", "\(access)")
            process.waitUntilExit()
            kills += process.terminationReason == .uncaughtSignal ? 1 : 0
            // The other process continues.
            holder.post(2011...2012)
            #expect(await holder.makeDurable(), "access \(access)")
            await holder.shutdown(within: 0)
            try await Self.expectAll(1512, in: bench, "killed before access \(access)")
        }
        #expect(kills >= 12)
    }

    @Test("A file access that fails during a replacement loses nothing", arguments: parts)
    func faultsDuringAReplacement(part: Int) async throws {
        for access in stride(from: 1 + part, to: 50, by: 4) {
            let bench = OutboxFixture()
            let holder = bench.outbox(Nobody(), policy: .paused)
            try await Self.damaged(bench, holder: holder)
            let count = Locked(0)
            let faults: @Sendable (FileAction) throws -> Void = { action in
                // The disk is full for three accesses.
                let number = count.next()
                if (access..<(access + 3)).contains(number) { throw FileError("\(action)", "a file", ENOSPC) }
            }
            var configuration = Outbox.Configuration(folder: bench.folder)
            configuration.deliveryInterval = 3600
            let app = Outbox(configuration, uploader: Nobody(), clock: .system, faults: faults, report: { _ in })
            app.collectionDidChange(to: .enabled)
            app.post([2011])
            await app.deliver()
            #expect(await eventually { await app.makeDurable() }, "access \(access)")
            await app.shutdown(within: 0)
            holder.post([2012])
            #expect(await holder.makeDurable(), "access \(access)")
            await holder.shutdown(within: 0)
            try await Self.expectAll(1512, in: bench, "access \(access) failed")
        }
    }

    // MARK: Empty stores

    @Test("An empty store that a full disk has left is removed without a notice, every time")
    func storesWithoutContent() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        try FileManager.default.createDirectory(at: bench.folder, withIntermediateDirectories: true)
        for _ in 0..<5 {
            for suffix in ["", "-wal", "-journal"] {
                try Data().write(to: URL(fileURLWithPath: bench.file.path + suffix))
            }
            let outbox = bench.outbox(collector)
            outbox.post([1])
            #expect(await outbox.makeDurable())
            await outbox.deliver()
            await outbox.shutdown(within: 0)
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: bench.file.path + suffix) }
        }
        #expect(collector.numbers == [1, 1, 1, 1, 1])
        #expect(bench.setAside.isEmpty && bench.notices.isEmpty)
    }

    @Test("A log without its store is set aside, not opened with a new one")
    func aLogWithoutItsStore() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(Nobody(), policy: .paused)
        outbox.post(1...10)
        #expect(await outbox.makeDurable())
        // The state after a kill, when a person then deletes one of the three files.
        let log = try Data(contentsOf: URL(fileURLWithPath: bench.file.path + "-wal"))
        await outbox.shutdown(within: 0)
        try FileManager.default.removeItem(at: bench.file)
        try log.write(to: URL(fileURLWithPath: bench.file.path + "-wal"))
        let next = bench.outbox(collector)
        next.post(11...12)
        #expect(await next.makeDurable())
        await next.deliver()
        #expect(collector.numbers == [11, 12])
        #expect(bench.notices.contains { if case .storeSetAside = $0 { true } else { false } })
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
        #expect(names.contains { $0.hasPrefix("outbox-set-aside-") && $0.hasSuffix("-wal") })
    }
}
