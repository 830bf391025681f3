import ActivityTracking
import Foundation
import GRDB
import LoopbackCollector
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests that no record is readable on disk, and that sealing loses nothing.
@Suite(.serialized) struct SealTests {
    private static func seal(_ key: UInt64) -> Outbox.Seal {
        let cipher = ToyCipher(key: key)
        return Outbox.Seal(seal: { cipher.seal($0) }, open: { try cipher.open($0) })
    }

    /// Strings of the workbench's records and of a collector's reason.
    private static let plain = ["{\"n\":", "xxxx", "a reason"]

    @Test(
        "A killed process leaves no plain byte in a file; without a seal, the search finds some",
        arguments: [true, false])
    func killed(seals: Bool) async throws {
        let collector = try Collector { _ in .status(503) }
        let bench = OutboxFixture()
        let output = Pipe()
        let process = try Tool.start(
            Tool.executable(named: "outbox-torture"),
            ["--folder", bench.folder.path, "--collector", collector.url.absoluteString] + (seals ? ["--seals"] : []),
            in: Tool.repository, output: output)
        var heard = ""
        while heard.components(separatedBy: "durable").count < 20 {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the process has ended: \(heard)")
            heard += String(decoding: data, as: UTF8.self)
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(FileManager.default.fileExists(atPath: bench.file.path + "-wal"))
        let found = try bench.files(holding: ["event_name", "recipe_search", "なす", "Asia/Tokyo"])
        #expect(found.isEmpty == seals, "\(found)")
        // All records are there.
        let taking = try Collector()
        let drain =
            ["--folder", bench.folder.path, "--collector", taking.url.absoluteString, "--drains"]
            + (seals ? ["--seals"] : [])
        let result = try Tool.launch(
            try #require(process.executableURL), drain, in: FileManager.default.temporaryDirectory)
        #expect(result.out.contains("left 0"), "\(result.out)\(result.error)")
        let last =
            heard.components(separatedBy: "\n").dropLast().compactMap { line in
                line.hasPrefix("durable ") ? Int(line.split(separator: " ")[1]) : nil
            }.max() ?? 0
        #expect(taking.acceptedCount >= last && last > 0)
    }

    @Test("Records that are delivered, refused or set aside are sealed on disk and sent as plain text")
    func recordsAreSealedOnDiskAndSentPlain() async throws {
        let collector = try Collector { request in
            request.records.contains { $0.hasPrefix("{\"n\":7,") } ? .text(422, "", accepting: []) : .status(204)
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector) { $0.seal = Self.seal(1) }
        outbox.post(1...30, padding: 20)
        await outbox.deliver()
        #expect(collector.numbers == (1...30).filter { $0 != 7 })
        #expect(
            try await outbox.deadLetters().map { String(decoding: $0.json, as: UTF8.self).hasPrefix("{\"n\":7,") } == [
                true
            ])
        #expect(try bench.files(holding: Self.plain) == [])
        try await outbox.retryDeadLetters()
        // The record may have been sent and refused again.
        let status = await outbox.status()
        #expect(status.stored + status.deadLetters == 1)
        #expect(try bench.files(holding: Self.plain) == [])
        await outbox.shutdown(within: 0)
    }

    @Test("The collector's reasons are sealed too")
    func reasons() async throws {
        let bench = OutboxFixture()
        let outbox = bench.outbox(Refuser(reason: "a reason that quotes {\"n\":3}")) { $0.seal = Self.seal(1) }
        outbox.post(1...5)
        await outbox.deliver()
        #expect(
            try await outbox.deadLetters().map(\.reason) == Array(repeating: "a reason that quotes {\"n\":3}", count: 5)
        )
        #expect(try bench.files(holding: Self.plain) == [])
        await outbox.shutdown(within: 0)
    }

    // MARK: Conversions

    /// Leaves a plain store with records, dead letters, free pages of delivered records and a log, and a set-aside
    /// file.
    private static func leavePlainStore(_ bench: OutboxFixture) async throws {
        await bench.leave(1...2000, padding: 40)
        try await bench.database().write { try $0.execute(sql: "ALTER TABLE record RENAME TO hidden") }
        let outbox = bench.outbox(Refuser(reason: "a reason"), policy: .enabled)
        outbox.post(1...3, padding: 40)
        await outbox.deliver()
        await outbox.shutdown(within: 0)
        let collector = try Collector()
        let other = bench.outbox(collector)
        other.post(1...3000, padding: 40)
        await other.deliver()
        #expect(collector.acceptedCount == 3000)
        await other.shutdown(within: 0)
        await bench.leave(5001...5100, padding: 40)
        #expect(bench.setAside.count == 1)
        #expect(try bench.files(holding: plain).count >= 2)
    }

    @Test("Opening a plain store seals its rows, free pages and log, and the set-aside files")
    func fromPlainToSealed() async throws {
        let bench = OutboxFixture()
        try await Self.leavePlainStore(bench)
        let before = bench.notices.count
        let collector = try Collector()
        let outbox = bench.outbox(collector, policy: .paused) { $0.seal = Self.seal(1) }
        #expect(await outbox.makeDurable())
        #expect(try bench.files(holding: Self.plain) == [])
        #expect(await outbox.status().stored == 100)
        #expect(try await outbox.deadLetters().map(\.reason) == ["a reason", "a reason", "a reason"])
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(collector.numbers == Array(5001...5100))
        // The store that was set aside had 2,000 records.
        #expect(await outbox.status() == Outbox.Status(deadLetters: 3, dropped: 2000))
        #expect(bench.notices.count == before, "\(bench.notices)")
        // The set-aside store can be opened with the key.
        let aside = try #require(
            try FileManager.default.contentsOfDirectory(atPath: bench.folder.path).first {
                $0.hasSuffix(".sqlite.sealed")
            })
        let bytes = [UInt8](try Data(contentsOf: bench.folder.appendingPathComponent(aside)))
        #expect(try RecordSealing(Self.seal(1)).opened(bytes).starts(with: Array("SQLite format 3".utf8)))
        await outbox.shutdown(within: 0)
    }

    @Test(
        "Removing a seal leaves plain records and equal totals; mixed records are sent in order"
    )
    func fromSealedToPlain() async throws {
        let bench = OutboxFixture()
        await bench.leave(1...50, padding: 20) { $0.seal = Self.seal(1) }
        await bench.leave(51...60) { $0.seal = Outbox.Seal(opening: { try ToyCipher(key: 1).open($0) }) }
        #expect(try bench.files(holding: ["{\"n\":50,", "{\"n\":60}"]).isEmpty == false)
        // The store is plain from now on, so no key is needed.
        let collector = try Collector()
        let outbox = bench.outbox(collector)
        await outbox.deliver()
        #expect(collector.numbers == Array(1...60))
        #expect(await outbox.status() == Outbox.Status())
        #expect(bench.notices.isEmpty)
        await outbox.shutdown(within: 0)
    }

    @Test("An interrupted conversion continues at the next start until nothing plain is left")
    func conversionsThatAreCutShort() async throws {
        let bench = OutboxFixture()
        await bench.leave(1...500, padding: 40)
        let (calls, isLocked) = (Locked(0), Locked(true))
        let cipher = ToyCipher(key: 1)
        // This seal fails in the middle of the rows.
        let failing = Outbox.Seal(
            seal: { bytes in
                let call = calls.next()
                if call >= 250, isLocked.withLock({ $0 }) { throw Outbox.Seal.KeyUnavailable() }
                return cipher.seal(bytes)
            }, open: { try cipher.open($0) })
        let outbox = bench.outbox(Nobody(), policy: .paused) { $0.seal = failing }
        outbox.post([501])
        #expect(await outbox.makeDurable() == false)
        #expect(try await bench.database().read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 2)
        isLocked.withLock { $0 = false }
        #expect(await eventually { await outbox.makeDurable() })
        #expect(try bench.files(holding: Self.plain) == [])
        #expect(bench.setAside.isEmpty)
        await outbox.shutdown(within: 0)
        // Simulates a kill after the rows were converted and before the free pages were removed. The version indicates
        // that the conversion is not complete.
        try await bench.database().write { database in
            try database.execute(sql: "PRAGMA user_version = \(OutboxStore.Version.leftovers)")
            try database.execute(sql: "CREATE TABLE rest AS SELECT CAST('{\"n\":1,\"x\":\"xxxxxxxx\"}' AS BLOB)")
            try database.execute(sql: "PRAGMA secure_delete = OFF")
            try database.execute(sql: "DROP TABLE rest")
        }
        #expect(try bench.files(holding: Self.plain) != [])
        let collector = try Collector()
        let next = bench.outbox(collector) { $0.seal = Self.seal(1) }
        await next.deliver()
        #expect(try bench.files(holding: Self.plain) == [])
        #expect(collector.numbers == Array(1...501))
        await next.shutdown(within: 0)
    }

    // MARK: Keys

    @Test(
        "Records that a wrong key cannot open are set aside, reported, not sent; others are kept",
        arguments: ["throws", "noise", "marked noise"])
    func wrongKeys(kind: String) async throws {
        let bench = OutboxFixture()
        await bench.leave(1...30) { $0.seal = Self.seal(1) }
        let (right, wrong) = (Self.seal(1), ToyCipher(key: 2))
        let seal =
            switch kind {
            case "throws": Self.seal(2)
            // A cipher that does not detect the wrong key. One in 256 results begins with the mark of a sealed place.
            default:
                Outbox.Seal(
                    seal: { wrong.seal($0) },
                    open: { (try? wrong.open($0)) ?? [kind == "noise" ? 3 : 2] + wrong.unchecked($0).dropFirst() })
            }
        let collector = try Collector()
        let outbox = bench.outbox(collector) { $0.seal = seal }
        outbox.post(31...40)
        await outbox.flush()
        await outbox.deliver()
        #expect(collector.numbers == Array(31...40), "\(bench.notices)")
        #expect(bench.dropped(.damaged) == 30)
        #expect(await outbox.status().dropped == 30)
        let aside = bench.notices.compactMap {
            if case .storeSetAside(let file, let reason, _) = $0 { (file, reason) } else { nil }
        }
        #expect(aside.count == 1)
        let (file, reason) = try #require(aside.first)
        #expect(
            kind == "marked noise"
                ? reason.contains("an encrypted value belongs to another row or store")
                : reason.hasPrefix("records cannot be opened"))
        #expect(FileManager.default.fileExists(atPath: file.path))
        await outbox.shutdown(within: 0)
        // With the right key, all records are readable.
        let found = OutboxFixture()
        try FileManager.default.createDirectory(at: found.folder, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            let name = file.path.replacingOccurrences(of: ".sealed", with: "\(suffix).sealed")
            guard var bytes = (try? Data(contentsOf: URL(fileURLWithPath: name))).map({ [UInt8]($0) }) else { continue }
            bytes = wrong.unchecked(Array(bytes.dropFirst()))
            try Data(bytes).write(to: URL(fileURLWithPath: found.file.path + suffix))
        }
        let taking = try Collector()
        let finder = found.outbox(taking) { $0.seal = right }
        await finder.deliver()
        #expect(Set(taking.numbers).isSuperset(of: 1...30), "\(found.notices)")
        await finder.shutdown(within: 0)
    }

    @Test("An outbox without a seal leaves a sealed store in place, and its records wait in memory")
    func sealsThatAreMissing() async throws {
        let (bench, collector) = (OutboxFixture(), try Collector())
        await bench.leave(1...30) { $0.seal = Self.seal(1) }
        let outbox = bench.outbox(collector)
        outbox.post(31...40)
        #expect(await outbox.makeDurable() == false)
        await outbox.deliver()
        await outbox.suspend()
        #expect(collector.requests == 0)
        let sealed = bench.outbox(collector) { $0.seal = Self.seal(1) }
        await sealed.deliver()
        #expect(collector.numbers == Array(1...30))
        #expect(await outbox.status().queued == 10)
        #expect(bench.setAside.isEmpty && bench.dropped(.damaged) == 0)
        #expect(
            bench.notices == [.storeUnavailable(reason: "the store is sealed, and this outbox has no seal")])
        for outbox in [outbox, sealed] { await outbox.shutdown(within: 0) }
    }

    @Test("A damaged sealed store waits for a process with the seal")
    func damagedStoresWaitForTheSeal() async throws {
        let (bench, collector) = (OutboxFixture(), try Collector())
        await bench.leave(1...30) { $0.seal = Self.seal(1) }
        let outbox = bench.outbox(collector)
        try await bench.database().write { try $0.execute(sql: "UPDATE state SET records = 'none'") }
        outbox.post(31...40)
        #expect(await outbox.makeDurable() == false)
        #expect(bench.setAside.isEmpty)
        let sealed = bench.outbox(collector) { $0.seal = Self.seal(1) }
        await sealed.deliver()
        #expect(collector.numbers == Array(1...30))
        for outbox in [outbox, sealed] { await outbox.shutdown(within: 0) }
    }

    @Test(
        "A store that another process converts while it is open loses nothing and is not set aside",
        arguments: [true, false])
    func conversionsOfAnOpenStore(hasSeal: Bool) async throws {
        let (bench, collector) = (OutboxFixture(), try Collector())
        let opening = Outbox.Seal(opening: { try ToyCipher(key: 1).open($0) })
        let plain = bench.outbox(collector, policy: .paused) { $0.seal = hasSeal ? opening : nil }
        let sealed = bench.outbox(collector, policy: .paused) { $0.seal = Self.seal(1) }
        var durable: Set<Int> = []
        for round in 0..<6 {
            for (index, outbox) in [plain, sealed].enumerated() {
                let numbers = (100 * round + 10 * index)..<(100 * round + 10 * index + 10)
                outbox.post(numbers)
                let isDurable = await outbox.makeDurable()
                #expect(isDurable == (hasSeal || index == 1 || round == 0))
                if isDurable { durable.formUnion(numbers) }
            }
        }
        sealed.collectionDidChange(to: .enabled)
        await sealed.deliver()
        #expect(Set(collector.numbers) == durable)
        #expect(collector.numbers.count == durable.count)
        #expect(bench.setAside.isEmpty && bench.dropped(.damaged) == 0)
        for outbox in [plain, sealed] { await outbox.shutdown(within: 0) }
    }

    @Test("Of a store with records of two keys, those that can be opened are delivered")
    func recordsOfOneOfTwoKeysAreDelivered() async throws {
        let bench = OutboxFixture()
        await bench.leave(1...10) { $0.seal = Self.seal(1) }
        await bench.leave(11...20) { $0.seal = Self.seal(2) }
        let collector = try Collector()
        let outbox = bench.outbox(collector) { $0.seal = Self.seal(2) }
        await outbox.deliver()
        #expect(collector.numbers == Array(11...20))
        #expect(bench.dropped(.damaged) == 10)
        // A seal that tries both keys opens both kinds.
        let both = OutboxFixture()
        await both.leave(1...10) { $0.seal = Self.seal(1) }
        let (old, new) = (ToyCipher(key: 1), ToyCipher(key: 2))
        let rotated = Outbox.Seal(
            seal: { new.seal($0) }, open: { do { return try new.open($0) } catch { return try old.open($0) } })
        await both.leave(11...20) { $0.seal = rotated }
        let taking = try Collector()
        let next = both.outbox(taking) { $0.seal = rotated }
        await next.deliver()
        #expect(taking.numbers == Array(1...20))
        #expect(both.notices.isEmpty)
        for outbox in [outbox, next] { await outbox.shutdown(within: 0) }
    }

    @Test(
        "An unavailable key is waited for: nothing is set aside, written plain or lost",
        arguments: [true, false])
    func unavailableKeyIsWaitedFor(byUs: Bool) async throws {
        struct NoKey: Error {}
        let bench = OutboxFixture()
        await bench.leave(1...20) { $0.seal = Self.seal(1) }
        let isLocked = Locked(true)
        let cipher = ToyCipher(key: 1)
        @Sendable func unlock() throws {
            if isLocked.withLock({ $0 }) { throw Outbox.Seal.KeyUnavailable() }
        }
        let seal = Outbox.Seal(
            seal: {
                do { try unlock() } catch { throw byUs ? error : NoKey() }
                return cipher.seal($0)
            },
            open: {
                try unlock()
                return try cipher.open($0)
            })
        let collector = try Collector()
        let outbox = bench.outbox(collector) { $0.seal = seal }
        outbox.post(21...30)
        #expect(await outbox.makeDurable() == false)
        await outbox.deliver()
        #expect(await outbox.status().queued == 10)
        #expect(collector.requests == 0)
        #expect(
            bench.notices.contains {
                if case .storeUnavailable(let reason) = $0 {
                    reason.contains("seal") || reason.contains("key")
                } else {
                    false
                }
            }
        )
        #expect(bench.setAside.isEmpty && bench.dropped(.damaged) == 0)
        #expect(try bench.files(holding: Self.plain) == [])
        isLocked.withLock { $0 = false }
        #expect(await eventually { await outbox.makeDurable() })
        await outbox.deliver()
        #expect(collector.numbers == Array(1...30))
        await outbox.shutdown(within: 0)
    }

    @Test("Posting and shutting down do not wait for a slow seal")
    func slowSeals() async throws {
        let bench = OutboxFixture()
        let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let cipher = ToyCipher(key: 1)
        let isFirst = Locked(true)
        let seal = Outbox.Seal(
            seal: { bytes in
                let waits = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if waits {
                    begun.signal()
                    go.wait()
                }
                return cipher.seal(bytes)
            }, open: { try cipher.open($0) })
        let outbox = bench.outbox(Nobody(), policy: .paused) { $0.seal = seal }
        outbox.post([1])
        await begun.waitElsewhere()
        // The seal stays blocked until both calls have returned. If one of them waited for the seal, this test would
        // never end.
        outbox.post(2...5000)
        await outbox.shutdown(within: 0.2)
        go.signal()
        await outbox.flush()
        #expect(await outbox.status().stored == 5000)
    }

    // MARK: Binding to rows

    private static func edit(_ bench: OutboxFixture, _ sql: String, _ arguments: StatementArguments = []) async throws {
        try await bench.database().write { try $0.execute(sql: sql, arguments: arguments) }
    }

    @Test(
        "A row that is plain or sealed for another place is damage: it is counted and never sent",
        arguments: [
            "UPDATE record SET json = CAST('{\"n\":9}' AS BLOB) WHERE number = 2",
            "UPDATE record SET json = (SELECT json FROM record WHERE number = 1) WHERE number = 2",
            "UPDATE record SET json = (SELECT json FROM other.record WHERE number = 2) WHERE number = 2",
            "UPDATE record SET json = (SELECT json FROM other.dead_letter WHERE number = 2) WHERE number = 2",
        ])
    func foreignRows(sql: String) async throws {
        let (bench, other) = (OutboxFixture(), OutboxFixture())
        await bench.leave(1...5) { $0.seal = Self.seal(1) }
        await other.leave(101...105) { $0.seal = Self.seal(1) }
        let burying = other.outbox(Refuser(reason: "no")) { $0.seal = Self.seal(1) }
        if sql.contains("dead_letter") {
            await burying.deliver()
        }
        await burying.shutdown(within: 0)
        let queue = try bench.database()
        try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH ? AS other", arguments: [other.file.path])
            try database.execute(sql: sql)
        }
        try queue.close()
        let collector = try Collector()
        let outbox = bench.outbox(collector) { $0.seal = Self.seal(1) }
        await outbox.deliver()
        #expect(collector.numbers == [1, 3, 4, 5])
        #expect(bench.dropped(.damaged) == 1)
        #expect(await outbox.status() == Outbox.Status(dropped: 1))
        #expect(
            bench.notices.contains { if case .storeSetAside(_, _, 4) = $0 { true } else { false } }, "\(bench.notices)")
        await outbox.shutdown(within: 0)
    }

    @Test(
        "A dead letter of a sealed store is bound to its row, column and table",
        arguments: [
            "UPDATE dead_letter SET json = (SELECT json FROM dead_letter WHERE number = 1) WHERE number = 2",
            "UPDATE dead_letter SET reason = (SELECT reason FROM dead_letter WHERE number = 1) WHERE number = 2",
            "UPDATE dead_letter SET reason = json WHERE number = 2",
            "UPDATE dead_letter SET reason = 'plain' WHERE number = 2",
            "INSERT INTO record SELECT number, time, json FROM dead_letter WHERE number = 2; "
                + "DELETE FROM dead_letter WHERE number = 2;"
                + "UPDATE state SET records = 1, dead_letters = 2, bytes = 1",
        ])
    func foreignLetters(sql: String) async throws {
        let bench = OutboxFixture()
        let burying = bench.outbox(Refuser(reason: "no")) { $0.seal = Self.seal(1) }
        burying.post(1...3)
        await burying.deliver()
        await burying.shutdown(within: 0)
        try await Self.edit(bench, sql)
        let collector = try Collector()
        let outbox = bench.outbox(collector) { $0.seal = Self.seal(1) }
        await outbox.deliver()
        let letters = try await outbox.deadLetters()
        #expect(collector.acceptedCount == 0)
        #expect(
            bench.setAside.isEmpty && bench.notices.contains { if case .storeSetAside = $0 { true } else { false } },
            "\(bench.notices)")
        // A record whose reason is damaged is still a dead letter.
        let reason = "unknown: it was read from a damaged store"
        #expect(letters.filter { $0.reason == "no" }.count == 2)
        #expect(letters.count { $0.reason == reason } == (sql.contains("SET reason") ? 1 : 0))
        #expect(letters.count + bench.dropped(.damaged) == 3)
        await outbox.shutdown(within: 0)
    }

    @Test("Two outboxes on a sealed store give each record its own number, a revived letter a new one")
    func numbersOfTwoOutboxes() async throws {
        let bench = OutboxFixture()
        let (one, two) = (
            bench.outbox(Nobody(), policy: .paused) { $0.seal = Self.seal(1) },
            bench.outbox(Nobody(), policy: .paused) { $0.seal = Self.seal(1) }
        )
        for round in 0..<20 {
            one.post([2 * round + 1])
            two.post([2 * round + 2])
            async let first = one.makeDurable()
            async let second = two.makeDurable()
            let areDurable = await [first, second]
            #expect(areDurable == [true, true])
        }
        for outbox in [one, two] { await outbox.shutdown(within: 0) }
        let burying = bench.outbox(Refuser(reason: "no")) { $0.seal = Self.seal(1) }
        await burying.deliver()
        await burying.shutdown(within: 0)
        let collector = try Collector()
        let outbox = bench.outbox(collector) { $0.seal = Self.seal(1) }
        #expect(try await outbox.deadLetters().count == 40)
        try await outbox.retryDeadLetters()
        await outbox.deliver()
        #expect(Set(collector.numbers) == Set(1...40))
        #expect(await outbox.status() == Outbox.Status())
        #expect(bench.notices.allSatisfy { if case .deadLetters = $0 { true } else { false } }, "\(bench.notices)")
        await outbox.shutdown(within: 0)
    }

    @Test("A sealed store whose last number is below a record's is damaged; records get new numbers")
    func lowerLastNumberIsDamage() async throws {
        let bench = OutboxFixture()
        await bench.leave(1...5) { $0.seal = Self.seal(1) }
        try await Self.edit(bench, "UPDATE sqlite_sequence SET seq = 2 WHERE name = 'record'")
        await bench.leave(6...8) { $0.seal = Self.seal(1) }
        let collector = try Collector()
        let outbox = bench.outbox(collector) { $0.seal = Self.seal(1) }
        await outbox.deliver()
        #expect(collector.numbers == Array(1...8))
        #expect(bench.dropped(.damaged) == 0)
        await outbox.shutdown(within: 0)
    }

    // MARK: Damage

    @Test("A damaged sealed store leaves nothing plain, and its readable records are delivered")
    func damage() async throws {
        let bench = OutboxFixture()
        await bench.leave(1...400, padding: 60) { $0.seal = Self.seal(1) }
        let file = try FileHandle(forWritingTo: bench.file)
        try file.seek(toOffset: 5 * 4096)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try file.close()
        let collector = try Collector()
        let outbox = bench.outbox(collector) { $0.seal = Self.seal(1) }
        await outbox.flush()
        await outbox.deliver()
        #expect(collector.acceptedCount + bench.dropped(.damaged) == 400)
        #expect(collector.acceptedCount > 300)
        #expect(try bench.files(holding: Self.plain) == [])
        await outbox.shutdown(within: 0)
    }

    @Test("A damaged plain store is set aside sealed if the app uses a seal")
    func damageOfAPlainStore() async throws {
        let bench = OutboxFixture()
        await bench.leave(1...400, padding: 60)
        try await bench.database().write { try $0.execute(sql: "UPDATE state SET records = 'none'") }
        let collector = try Collector()
        let outbox = bench.outbox(collector) { $0.seal = Self.seal(1) }
        await outbox.flush()
        #expect(try bench.files(holding: Self.plain) == [])
        await outbox.deliver()
        #expect(collector.numbers == Array(1...400))
        #expect(
            bench.notices.contains {
                if case .storeSetAside(let file, _, 400) = $0 { file.path.hasSuffix(".sqlite.sealed") } else { false }
            })
        outbox.collectionDidChange(to: .denied)
        await outbox.flush()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: bench.folder.path).filter { $0.contains(".sqlite") }
                == [])
        await outbox.shutdown(within: 0)
    }

    @Test("A disk that fails while records are sealed loses nothing", arguments: [FileAction.write, .move, .remove])
    func faults(action: FileAction) async throws {
        let bench = OutboxFixture()
        try await Self.leavePlainStore(bench)
        let faults = Faults()
        faults.fail(action, with: EIO)
        let collector = try Collector()
        let outbox = bench.outbox(collector, policy: .paused, faults: faults) { $0.seal = Self.seal(1) }
        await outbox.flush()
        faults.end()
        #expect(await eventually { await outbox.makeDurable() })
        #expect(try bench.files(holding: Self.plain) == [])
        outbox.collectionDidChange(to: .enabled)
        await outbox.deliver()
        #expect(collector.numbers == Array(5001...5100))
        await outbox.shutdown(within: 0)
    }
}
