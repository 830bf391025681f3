import ActivityTracking
import Foundation
import GRDB
import LoopbackCollector
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of stores that are damaged, missing, full or read-only.
@Suite(.serialized) struct DamageTests {
    private static func bytes(_ count: Int, padding: Int) async throws -> [UInt8] {
        let bench = OutboxFixture()
        await bench.leave(1...count, padding: padding)
        return [UInt8](try Data(contentsOf: bench.file))
    }

    private static let flips = Depth.cases(3, deep: 65)

    @Test("A flipped bit causes no crash and no endless loop, and the readable records are delivered", arguments: 0..<8)
    func flippedBits(part: Int) async throws {
        let sound = try await Self.bytes(250, padding: 40)
        var dice = SeededGenerator(seed: UInt64(part))
        var (lost, aside) = (0, 0)
        for flip in 0..<Self.flips {
            let keeper = Keeper()
            let bench = OutboxFixture()
            var damaged = sound
            // Half of the flips hit the pages before the records, the other half any byte of the file.
            let place =
                flip < Self.flips / 2
                ? Int.random(in: 0..<4096, using: &dice) : Int.random(in: 0..<damaged.count, using: &dice)
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            try FileManager.default.createDirectory(at: bench.folder, withIntermediateDirectories: true)
            try Data(damaged).write(to: bench.file)
            let outbox = bench.outbox(keeper) { $0.firstRetry = 0.001 }
            outbox.post([9999])
            let isDurable = await outbox.makeDurable()
            await outbox.deliver()
            let found = Set(
                keeper.records.map { String(decoding: $0, as: UTF8.self).prefix { $0 != "," && $0 != "}" } })
            if !isDurable || !found.contains("{\"n\":9999") {
                Issue.record("part \(part), byte \(place): new records are not delivered; \(bench.notices)")
            }
            let missing = (1...250).count { !found.contains("{\"n\":\($0)") }
            lost += missing
            aside += bench.setAside.count
            // Unreadable records are set aside and reported. A flipped bit costs at most a page of records, unless the
            // bit is in an inner page of the B-tree.
            let isSaid = !bench.setAside.isEmpty || bench.dropped(.age) > 0
            if missing > 1, !isSaid {
                Issue.record("part \(part), byte \(place): \(missing) vanished; \(bench.notices)")
            }
            if bench.setAside.count > 1 {
                Issue.record("part \(part), byte \(place): set aside \(bench.setAside.count) times")
            }
            await outbox.shutdown(within: 5)
        }
        print(
            "flipped bits, part \(part): \(lost) of \(Self.flips * 250) records unreadable, "
                + "\(aside) of \(Self.flips) stores set aside")
    }

    @Test(
        "A truncated file causes no crash, and a truncated log keeps its whole transactions",
        arguments: ["log", "store"])
    func shortFiles(_ which: String) async throws {
        let source = OutboxFixture()
        let writer = source.outbox(Nobody(), policy: .paused)
        for number in 1...40 {
            writer.post([number])
            #expect(await writer.makeDurable())
        }
        // The state after a kill: all new records are in the log.
        let files = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: source.file.path + $0)) }
        await writer.shutdown(within: 0)
        let sound = which == "log" ? files : [Data(try await Self.bytes(40, padding: 200)), Data()]
        let short = which == "log" ? 1 : 0
        var most = 0
        for part in stride(from: 0, through: 60, by: Depth.limit(5, deep: 1)) {
            let keeper = Keeper()
            let bench = OutboxFixture()
            try FileManager.default.createDirectory(at: bench.folder, withIntermediateDirectories: true)
            for (index, suffix) in ["", "-wal"].enumerated() where !sound[index].isEmpty {
                let data = index == short ? sound[index].prefix(sound[index].count * part / 60) : sound[index]
                try data.write(to: URL(fileURLWithPath: bench.file.path + suffix))
            }
            let outbox = bench.outbox(keeper) { $0.firstRetry = 0.001 }
            outbox.post([9999])
            #expect(await outbox.makeDurable(), "\(part): \(bench.notices)")
            await outbox.deliver()
            let numbers = keeper.records.compactMap { json in
                Int(String(decoding: json, as: UTF8.self).dropFirst(5).prefix { $0.isNumber })
            }
            #expect(numbers.last == 9999, "\(part): \(numbers) \(bench.notices)")
            if which == "log" {
                let old = numbers.dropLast()
                #expect(Array(old) == Array(1..<(old.count + 1)), "\(part): \(numbers)")
                #expect(old.count >= most)
                most = max(most, old.count)
            } else if part == 60 {
                #expect(numbers.count == 41)
            }
            await outbox.shutdown(within: 60)
        }
        if which == "log" { #expect(most == 40) }
    }

    @Test("A page of noise in the middle of a store costs only the records of that page")
    func aDamagedPageTakesOnlyItsOwnRecords() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...5000, padding: 20)
        let file = try FileHandle(forWritingTo: bench.file)
        try file.seek(toOffset: 4096 * 20)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try file.close()
        let outbox = bench.outbox(collector)
        outbox.post([9000])
        #expect(
            await eventually {
                await outbox.deliver()
                return collector.numbers.contains(9000)
            })
        let numbers = Set(collector.numbers)
        #expect(numbers.count > 4800)
        #expect(numbers.count + bench.dropped(.damaged) == 5001)
        #expect(bench.setAside.count == 1)
        #expect(bench.notices.count { if case .storeSetAside = $0 { true } else { false } } == 1)
    }

    @Test(
        "Wrong totals in the state table lose no records",
        arguments: ["records = 1 << 40", "records = -7", "bytes = 'many'", "dropped = 1.5", "records = 0"])
    func damagedSums(damage: String) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...50)
        try await bench.database().write { try $0.execute(sql: "UPDATE state SET \(damage)") }
        let outbox = bench.outbox(collector)
        outbox.post(51...60)
        #expect(await outbox.makeDurable())
        await outbox.deliver()
        // Records that were accepted before the damage was detected may arrive twice.
        #expect(Set(collector.numbers) == Set(1...60))
    }

    @Test(
        "A deleted folder is created again with all its records, which a new process finds",
        arguments: [true, false])
    func aDeletedFolder(isWhole: Bool) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector, policy: .paused)
        outbox.post(1...100)
        #expect(await outbox.makeDurable())
        if isWhole {
            try FileManager.default.removeItem(at: bench.folder)
        } else {
            try FileManager.default.removeItem(at: bench.file)
        }
        outbox.post(101...110)
        #expect(await outbox.makeDurable())
        #expect(bench.notices.contains { if case .storeUnavailable = $0 { true } else { false } })
        // Simulates a kill of this process: a new process finds all records.
        let next = bench.outbox(collector)
        await next.deliver()
        #expect(collector.numbers == Array(1...110))
    }

    @Test(
        "Records are durable only in a log that a new process finds",
        arguments: ["truncated", "shortened", "overwritten", "index", "store"])
    func truncatedFiles(kind: String) async throws {
        let (bench, collector) = (OutboxFixture(), try Collector())
        let outbox = bench.outbox(collector, policy: .paused)
        outbox.post(1...300)
        #expect(await outbox.makeDurable())
        let log = bench.file.path + "-wal"
        switch kind {
        case "truncated": #expect(truncate(log, 0) == 0)
        case "shortened": #expect(truncate(log, 5000) == 0)
        case "overwritten":
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
            try file.write(contentsOf: Data(repeating: 0x5A, count: 100))
            try file.close()
        case "index": #expect(truncate(bench.file.path + "-shm", 0) == 0)
        default: #expect(truncate(bench.file.path, 0) == 0)
        }
        outbox.post(301...310)
        #expect(await outbox.makeDurable())
        let lost = bench.dropped(.damaged)
        // Simulates a kill of this process.
        let next = bench.outbox(collector)
        await next.deliver()
        #expect(Set(collector.numbers).isSuperset(of: 301...310))
        #expect(Set(collector.numbers).count + lost == 310, "\(bench.notices)")
        if kind == "index" {
            #expect(lost == 0 && bench.notices.isEmpty)
        } else {
            #expect(bench.notices.contains { if case .storeUnavailable = $0 { true } else { false } })
        }
    }

    @Test(
        "Files that become unreadable while they are open are replaced, with all records",
        .enabled(if: geteuid() != 0), arguments: ["", "-wal", "-shm"])
    func unreadableFiles(suffix: String) async throws {
        let (bench, collector) = (OutboxFixture(), try Collector())
        let outbox = bench.outbox(collector, policy: .paused)
        outbox.post(1...300)
        #expect(await outbox.makeDurable())
        #expect(chmod(bench.file.path + suffix, 0) == 0)
        outbox.post(301...310)
        #expect(await outbox.makeDurable())
        // Simulates a kill of this process.
        let next = bench.outbox(collector)
        await next.deliver()
        #expect(collector.numbers == Array(1...310), "\(bench.notices)")
    }

    @Test(
        "An outbox does not wait for a pipe in place of one of its files",
        arguments: [".sqlite", ".sqlite-wal", ".sqlite-shm", ".files", ".lock", ".denied"], [true, false])
    func pipes(name: String, isOpen: Bool) async throws {
        let (bench, collector) = (OutboxFixture(), try Collector())
        await bench.leave(1...10)
        let outbox = bench.outbox(collector, policy: .paused)
        if isOpen { await outbox.flush() }
        let path = bench.folder.appendingPathComponent("outbox\(name)").path
        try? FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        outbox.post(11...20)
        let isDurable = await outbox.makeDurable()
        // Anything at the path of the mark is a denial.
        #expect(isDurable == (name != ".denied"))
        outbox.collectionDidChange(to: .denied)
        await outbox.flush()
        #expect(try bench.files(holding: ["{\"n\":"]) == [])
        await outbox.shutdown(within: 0)
    }

    @Test("A store that another process has just replaced is not set aside again")
    func replacedStoreIsNotSetAsideAgain() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let (app, widget) = (bench.outbox(collector, policy: .paused), bench.outbox(collector, policy: .paused))
        app.post(1...50)
        widget.post(51...100)
        #expect(await app.makeDurable())
        #expect(await widget.makeDurable())
        // Both outboxes have the store open while it is damaged, and each detects the damage itself.
        let other = try bench.database()
        try await other.write { try $0.execute(sql: "DELETE FROM state") }
        try other.close()
        await withTaskGroup(of: Void.self) { group in
            for (index, outbox) in [app, widget].enumerated() {
                group.addTask {
                    for number in 0..<100 {
                        outbox.post([1000 * (index + 1) + number])
                        #expect(await outbox.makeDurable())
                    }
                }
            }
        }
        #expect(bench.setAside.count == 1)
        app.collectionDidChange(to: .enabled)
        await app.deliver()
        #expect(Set(collector.numbers) == Set(1...100).union(1000..<1100).union(2000..<2100))
    }

    @Test(
        "Failed writes are retried by one timer and reported once per episode",
        arguments: [ENOSPC, EROFS, EACCES, EIO])
    func failuresOfWriting(code: Int32) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let faults = Faults()
        let outbox = bench.outbox(collector, policy: .paused, faults: faults) { $0.writeDelay = 0.001 }
        outbox.post([0])
        #expect(await outbox.makeDurable())
        for episode in 1...2 {
            faults.fail(.write, with: code)
            outbox.post((episode * 1000)..<(episode * 1000 + 300))
            #expect(await outbox.makeDurable() == false)
            for number in 0..<100 { outbox.post([episode * 1000 + 300 + number]) }
            #expect(await outbox.makeDurable() == false)
            #expect(bench.notices.count { if case .storeUnavailable = $0 { true } else { false } } == episode)
            faults.end()
            #expect(await eventually { await outbox.status().queued == 0 })
        }
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(collector.numbers == [0] + (1000..<1400) + (2000..<2400))
    }

    @Test(
        "A lock file that cannot be opened is unavailable, not held by another process",
        arguments: [FileAction.lock, .open, .makeFolder])
    func locksThatCannotBeOpened(action: FileAction) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let faults = Faults()
        faults.fail(action, with: EACCES)
        let outbox = bench.outbox(collector, policy: .paused, faults: faults)
        outbox.post([1])
        #expect(await outbox.makeDurable() == false)
        #expect(bench.notices.contains { if case .storeUnavailable = $0 { true } else { false } })
        faults.end()
        #expect(await eventually { await outbox.makeDurable() })
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(collector.numbers == [1])
    }

    @Test("A rescue that is interrupted at any step loses nothing", arguments: [1, 2, 3])
    func aRescueThatIsCutShort(step: Int) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        await bench.leave(1...20)
        try await bench.database().write { try $0.execute(sql: "UPDATE state SET records = 'none'") }
        let rescued = OutboxFixture()
        await rescued.leave(1...20)
        let place = bench.folder.appendingPathComponent(step == 1 ? "outbox-rescue.sqlite" : "outbox-rescued.sqlite")
        try FileManager.default.moveItem(at: rescued.file, to: place)
        if step == 3 {
            try FileManager.default.moveItem(
                at: bench.file, to: bench.folder.appendingPathComponent("outbox-set-aside-1.sqlite"))
        }
        let outbox = bench.outbox(collector)
        await outbox.deliver()
        #expect(collector.numbers == Array(1...20))
    }

    @Test("Rescued dead letters and later ones are all kept, oldest first", arguments: [false, true])
    func rescuedDeadLettersAreKept(isSealed: Bool) async throws {
        let bench = OutboxFixture()
        let outbox = bench.outbox(Refuser()) { if isSealed { $0.seal = Self.seal } }
        outbox.post(1...3)
        await outbox.deliver()
        #expect(try await outbox.deadLetters().count == 3)
        try FileManager.default.removeItem(at: bench.folder)
        outbox.post(4...6)
        await outbox.deliver()
        let letters = try await outbox.deadLetters().map { String(decoding: $0.json, as: UTF8.self) }
        #expect(letters == (1...6).map { "{\"n\":\($0)}" })
        #expect(await outbox.status().deadLetters == 6)
        #expect(bench.setAside.isEmpty)
    }

    private static let seal = Outbox.Seal(
        seal: { ToyCipher(key: 1).seal($0) }, open: { try ToyCipher(key: 1).open($0) })

    // MARK: Clocks

    @Test("A wrong clock, now or when records were stored, drops no records")
    func wrongClocks() async throws {
        let (wall, steady) = (Locked(0.0), Locked(500.0))
        let clock = OutboxClock(wall: { wall.withLock { $0 } }, steady: { steady.withLock { $0 } })
        let (year, day) = (365 * 86_400.0, 86_400.0)
        let collector = try Collector()
        let bench = OutboxFixture()
        // The clock is in 1971, then right, then in 2099 for one start, then right again.
        for (start, time) in [
            1 * year, 56 * year, 56 * year + day, 129 * year, 56 * year + 2 * day, 56 * year + 3 * day,
        ].enumerated() {
            wall.withLock { $0 = time }
            steady.withLock { $0 = Double(start) }
            let outbox = bench.outbox(Nobody(), clock: clock, policy: .paused)
            outbox.post([start])
            #expect(await outbox.makeDurable())
            await outbox.suspend()
        }
        let outbox = bench.outbox(collector, clock: clock)
        await outbox.deliver()
        #expect(collector.numbers == Array(0...5))
    }

    @Test("A gap between starts counts only if two starts on each side agree")
    func gapsThatAgreeCount() {
        var gap = WallGap()
        let day = 86_400.0
        func begin(_ wall: Double, _ last: Double) -> Double {
            gap.begin(wall: wall, lastWall: last, plausible: 30 * day)
        }
        #expect(begin(100 * day, 0) == 0)
        #expect(begin(101 * day, 100 * day) == 0)
        // A gap of 40 days. The starts before the gap agree. At the second start after the gap, the starts after it
        // agree, too, and the gap counts.
        #expect(begin(141 * day, 101 * day) == 0)
        #expect(begin(142 * day, 141 * day) == 40 * day)
        #expect(begin(143 * day, 142 * day) == 0)
        // A clock that jumps ahead and is corrected confirms no gap.
        #expect(begin(9000 * day, 143 * day) == 0)
        #expect(begin(144 * day, 9000 * day) == 0)
    }
}
