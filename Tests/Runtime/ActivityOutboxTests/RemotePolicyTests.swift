@_spi(GeneratedCode) import ActivityTracking
import Foundation
import LoopbackCollector
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of policies that change the collection of an installed app.
@Suite(.serialized) struct RemotePolicyTests {
    private enum Shop: LogCategory {
        case open(Int)
        /// Sampled with a rate of 0.25.
        case thinned(Int)
        /// Disabled in the definition.
        case never(Int)

        static let definition = LogDefinition(
            "shop\n.open|1-0-0\nn|int64\n.thinned|1-0-0|active|||0.25\nn|int64\n.never|1-0-0|active|||0\nn|int64")

        func encode(into encoder: LogEncoder) {
            switch self {
            case .open(let number): encoder.event(0).int64(Int64(number))
            case .thinned(let number): encoder.event(1).int64(Int64(number))
            case .never(let number): encoder.event(2).int64(Int64(number))
            }
        }
    }

    private static func document(
        _ members: String = "", expires: TimeInterval = 3600, version: String = "1", now: Date = Date()
    ) -> Data {
        let text = ISO8601DateFormatter().string(from: now.addingTimeInterval(expires))
        return Data("{\"version\":\(version),\"expires\":\"\(text)\"\(members.isEmpty ? "" : ",")\(members)}".utf8)
    }

    private static func policy(_ members: String, expires: TimeInterval = 3600, now: Date = Date()) throws
        -> Outbox.RemotePolicy
    {
        try Outbox.RemotePolicy(document(members, expires: expires, now: now), now: now)
    }

    private static func logger(_ outbox: Outbox, _ collection: CollectionPolicy = .enabled) -> ActivityLogger {
        ActivityLogger(destinations: [outbox], collection: collection)
    }

    private static func count(_ event: String, _ collector: Collector) -> Int {
        collector.accepted.count { $0.contains("\"event_name\":\"\(event)\"") }
    }

    // MARK: Counts

    /// A destination that counts the records that the definition's sampling keeps.
    private struct DefinitionCount: LogDestination {
        let count = Locked(0)

        func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { count.withLock { $0 += 1 } }
    }

    @Test(
        "Records that a policy drops are counted, also at the next launch before it is read"
    )
    func leftOutRecordsAreCounted() async throws {
        let bench = OutboxFixture()
        let collector = try Collector()
        let posted = DefinitionCount()
        for launch in 0..<2 {
            let outbox = bench.outbox(collector, policy: nil)
            if launch == 0 {
                let policy = try Self.policy(
                    "\"off\":[\"shop.open\"],\"sampling\":[{\"name\":\"shop.thinned\",\"share\":0.1}]")
                #expect(await outbox.apply(policy))
            }
            let logger = ActivityLogger(destinations: [outbox, posted], collection: .enabled)
            for number in 0..<100 {
                logger.post(Shop.open(number))
                for _ in 0..<4 { logger.post(Shop.thinned(number)) }
                // The definition disables this event, so the record is not counted.
                logger.post(Shop.never(number))
            }
            await outbox.flush()
            await outbox.deliver()
            let sum = posted.count.withLock { $0 }
            #expect(bench.dropped(.policy) > 100 * (launch + 1))
            #expect(collector.acceptedCount + bench.dropped(.policy) == sum)
            #expect(await outbox.status() == Outbox.Status(dropped: bench.dropped(.policy)))
            await outbox.shutdown(within: 0)
        }
        #expect(
            bench.notices.allSatisfy { if case .dropped(_, .policy) = $0 { true } else { false } }, "\(bench.notices)")
    }

    // MARK: Documents

    @Test(
        "A document that breaks a rule is rejected as a whole",
        arguments: [
            "\"off\":[\"a\",\"a\"]", "\"off\":[\"a.b\"],\"sampling\":[{\"name\":\"a.b\",\"share\":1}]",
            "\"off\":[\"\"]", "\"off\":[\"a.b.c\"]",
            "\"off\":[\"a.\"]", "\"off\":\"a\"", "\"off\":[1]", "\"sampling\":[{\"name\":\"a\",\"share\":-0.1}]",
            "\"sampling\":[{\"name\":\"a\",\"share\":1.1}]", "\"sampling\":[{\"name\":\"a\",\"share\":NaN}]",
            "\"sampling\":[{\"name\":\"a\",\"share\":1e999}]", "\"sampling\":[{\"name\":\"a\",\"share\":\"0.1\"}]",
            "\"sampling\":[{\"name\":\"a\"}]",
            "\"sampling\":{\"a\":0.1}", "\"off\":[],\"off\":[\"a\"]",
            "\"sampling\":[{\"name\":\"a\",\"share\":0,\"share\":1}]",
            "\"o\\u0066f\":[\"a\"]", "\"batch\":{\"records\":0}", "\"batch\":{\"records\":1000000}",
            "\"batch\":{\"bytes\":-1}",
            "\"batch\":{\"interval\":-1}", "\"batch\":{\"interval\":1e9}", "\"batch\":{\"records\":1.5}",
            "\"version\":1",
        ])
    func refused(members: String) {
        #expect(throws: Outbox.RemotePolicy.Invalid.self) { try Outbox.RemotePolicy(Self.document(members)) }
    }

    @Test("A document's expiry, format and size are bounded")
    func bounds() throws {
        let many = (0...1000).map { "\"c\($0)\"" }.joined(separator: ",")
        let wrong: [Data] = [
            Self.document(expires: -1), Self.document(expires: 400 * 86_400), Self.document(version: "2"),
            Self.document(version: "\"1\""),
            Data(), Data("{".utf8), Data("[]".utf8), Data("null".utf8), Data("{\"version\":1}".utf8),
            Data("{\"version\":1,\"expires\":\"tomorrow\"}".utf8), Data("{\"version\":1,\"expires\":1793000000}".utf8),
            Data([0xFF, 0xFE]),
            Self.document("\"off\":[\(many)]"), Self.document("\"x\":\"\(String(repeating: "x", count: 65_536))\""),
        ]
        for (index, data) in wrong.enumerated() {
            #expect(throws: Outbox.RemotePolicy.Invalid.self, "\(index)") { try Outbox.RemotePolicy(data) }
        }
        _ = try Outbox.RemotePolicy(Self.document(expires: 365 * 86_400))
        _ = try Outbox.RemotePolicy(
            Data("{\"version\":1,\"expires\":\"2026-12-31T09:00:00.5+09:00\"}".utf8),
            now: Date(timeIntervalSince1970: 1_793_000_000))
    }

    private enum Store: LogCategory {
        case open

        static let definition = LogDefinition("store\n.open|2-0-0|active||||shop.start,.,old.open")

        func encode(into encoder: LogEncoder) { encoder.event(0) }
    }

    @Test(
        "An entry for a former name applies to the renamed event, and one for the current name takes precedence",
        arguments: [
            (#""off":["shop.start"]"#, 0.0), (#""off":["old"]"#, 0), (#""off":["shop.open"]"#, nil),
            (#""off":["shop.start"],"sampling":[{"name":"store.open","share":0.5}]"#, 0.5),
            (#""off":["store"],"sampling":[{"name":"old.open","share":0.5}]"#, 0.5),
        ] as [(String, Double?)])
    func formerNames(members: String, share: Double?) throws {
        let policy = try Self.policy(members)
        #expect(policy.share(of: LogRecord(Store.open), isSampled: false) == share)
        let checked = try Outbox.RemotePolicy(Self.document(members), of: [Store.self])
        #expect(checked.ignored == (share == nil ? ["the event shop.open"] : []))
    }

    @Test("Members of a later format and unknown events have no effect and are reported")
    func unknownNames() async throws {
        let data = Self.document("\"later\":{\"a\":1},\"off\":[\"shop.open\",\"shop.gone\",\"elsewhere\"]")
        let policy = try Outbox.RemotePolicy(data, of: [Shop.self])
        #expect(policy.ignored == ["the member later", "the event shop.gone", "the event elsewhere"])
        #expect(try Outbox.RemotePolicy(data).ignored == ["the member later"])
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector)
        #expect(await outbox.apply(policy))
        #expect(
            bench.notices.count {
                if case .remotePolicy(let what) = $0 { what.contains("has no effect") } else { false }
            } == 3)
        let logger = Self.logger(outbox)
        logger.post(Shop.open(1))
        logger.post(Shop.thinned(1))
        await outbox.deliver()
        #expect(Self.count("open", collector) == 0)
        await outbox.shutdown(within: 0)
    }

    // MARK: Records

    @Test(
        "A disabled event is dropped from the call on, and from the next launch's first record on",
        arguments: ["\"shop\"", "\"shop.open\""])
    func off(name: String) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        do {
            let outbox = bench.outbox(collector) { $0.isSampled = false }
            let logger = Self.logger(outbox)
            for number in 0..<100 { logger.post(Shop.open(number)) }
            #expect(await outbox.apply(try Self.policy("\"off\":[\(name)]")))
            for number in 100..<1000 { logger.post(Shop.open(number)) }
            for number in 0..<100 { logger.post(Shop.thinned(number)) }
            await logger.shutdown(within: 3600)
        }
        #expect(Self.count("open", collector) == 100)
        #expect(Self.count("thinned", collector) == (name == "\"shop\"" ? 0 : 100))
        // A launch that posts before the policy is read, also with a disk that fails at first.
        for fails in [false, true] {
            let faults = Faults()
            if fails { faults.fail(.read, with: EIO) }
            let outbox = bench.outbox(collector, policy: nil, faults: faults) { $0.isSampled = false }
            let logger = Self.logger(outbox)
            for number in 1000..<2000 { logger.post(Shop.open(number)) }
            await logger.flush()
            for number in 2000..<3000 { logger.post(Shop.open(number)) }
            faults.end()
            await logger.flush()
            await outbox.deliver()
            await logger.shutdown(within: 3600)
            #expect(await outbox.status().stored == 0)
        }
        #expect(Self.count("open", collector) == 100)
        // Enables the event again.
        let outbox = bench.outbox(collector, policy: nil)
        #expect(await outbox.apply(nil))
        let logger = Self.logger(outbox)
        logger.post(Shop.open(1))
        await logger.shutdown(within: 3600)
        #expect(Self.count("open", collector) == 101)
    }

    @Test(
        "A record contains its sampling rate: the definition's, the policy's, or the smaller one until both are known"
    )
    func weights() async throws {
        let kept = Locked([[UInt8]]())
        let bench = OutboxFixture()
        func rates() -> [String?] {
            kept.withLock { records in
                defer { records = [] }
                return records.map { record in
                    let object = try? JSONSerialization.jsonObject(with: Data(record)) as? [String: Any]
                    #expect(object != nil)
                    let text = String(decoding: record, as: UTF8.self)
                    #expect(!text.contains("sampling_rate") || text.contains("Z\",\"sampling_rate\":"))
                    return text.firstRange(of: "\"sampling_rate\":").map {
                        text[$0.upperBound...].prefix { $0 != "," && $0 != "}" }
                    }.map(String.init)
                }
            }
        }
        /// Returns whether a count fits a share, within six standard deviations of a fair draw.
        func isShare(_ count: Int, _ share: Double, of all: Double = 4000) -> Bool {
            abs(Double(count) - all * share) < 6 * (all * share * (1 - share)).squareRoot() + 1
        }
        let outbox = bench.outbox(Keeper(kept: kept))
        let logger = Self.logger(outbox)
        for number in 0..<4000 { logger.post(Shop.thinned(number)) }
        logger.post(Shop.open(0))
        await outbox.deliver()
        var found = rates()
        #expect(found.last == .some(nil))
        #expect(Set(found.dropLast()) == ["0.25"] && isShare(found.count - 1, 0.25))
        // Shares in place of the definition's 0.25: a smaller share, a larger one, and all records.
        for (share, text) in [(0.05, "0.05"), (0.6, "0.6"), (1.0, nil)] as [(Double, String?)] {
            #expect(
                await outbox.apply(
                    try Self.policy("\"sampling\":[{\"name\":\"shop.thinned\",\"share\":\(share)}],\"off\":[\"shop\"]"))
            )
            for number in 0..<4000 { logger.post(Shop.thinned(number)) }
            logger.post(Shop.open(1))
            logger.post(Shop.never(1))
            await outbox.deliver()
            found = rates()
            #expect(Set(found) == [text] && isShare(found.count, share), "\(share): \(found.count)")
        }
        #expect(await outbox.apply(try Self.policy("\"sampling\":[{\"name\":\"shop\",\"share\":0.5}]")))
        await logger.shutdown(within: 3600)
        // The next launch samples by its definition until it has read the policy.
        let next = bench.outbox(Keeper(kept: kept), policy: nil)
        let later = Self.logger(next)
        for number in 0..<4000 {
            later.post(Shop.thinned(number))
            later.post(Shop.open(number))
            later.post(Shop.never(number))
        }
        await later.flush()
        await next.deliver()
        found = rates()
        #expect(Set(found).isSubset(of: ["0.25", "0.5"]))
        #expect(found.count { $0 == "0.5" } >= 1500)
        // Then it samples by the policy. Events that the definition disables stay disabled.
        for number in 0..<4000 {
            later.post(Shop.thinned(number))
            later.post(Shop.never(number))
        }
        await next.deliver()
        found = rates()
        #expect(Set(found) == ["0.5"] && isShare(found.count, 0.5))
        await later.shutdown(within: 0)
    }

    private struct Keeper: LogUploader {
        let kept: Locked<[[UInt8]]>

        func upload(_ batch: LogBatch) async throws -> UploadResult {
            kept.withLock { $0 += batch.records }
            return .accepted
        }
    }

    @Test("A policy does not override a missing consent")
    func consent() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector, policy: nil)
        let logger = Self.logger(outbox, .paused)
        #expect(
            await outbox.apply(
                try Self.policy(
                    "\"sampling\":[{\"name\":\"shop\",\"share\":1}],\"batch\":{\"records\":1,\"interval\":0}")))
        logger.post(Shop.open(1))
        await outbox.deliver()
        #expect(await outbox.status().stored == 1)
        for policy in [CollectionPolicy.denied, .paused] {
            logger.collection = policy
            logger.post(Shop.open(2))
            await outbox.deliver()
            await logger.flush()
            #expect(await outbox.status().stored == 0)
        }
        #expect(collector.requests == 0)
        await outbox.shutdown(within: 0)
    }

    @Test("A policy keeps the same users whether or not their column is removed")
    func redactedUsers() throws {
        let policy = try Self.policy("\"sampling\":[{\"name\":\"shop.open\",\"share\":0.5}]")
        for number in 0..<100 {
            let record = LogRecord(Shop.open(1), common: User(id: "user-\(number)"))
            let redacted = try #require(Redaction().process(record))
            #expect(redacted.json(of: "user_id") == nil)
            #expect((policy.admit(record, isSampled: true) == nil) == (policy.admit(redacted, isSampled: true) == nil))
        }
    }

    private struct User: LogColumns {
        var id: String

        static let definition = LogDefinition("common||user_id\n.common\nuser_id|string?|personal")

        func encode(into encoder: LogEncoder) { encoder.event(0).optionalString(id) }
    }

    // MARK: Expiry

    @Test("A policy expires by the steady clock, and setting the wall clock does not revive it")
    func expiry() async throws {
        let (wall, steady) = (Locked(1_793_000_000.0), Locked(500.0))
        let clock = OutboxClock(wall: { wall.withLock { $0 } }, steady: { steady.withLock { $0 } })
        let collector = try Collector()
        let bench = OutboxFixture()
        var outbox = bench.outbox(collector, clock: clock)
        var logger = Self.logger(outbox)
        func post(_ number: Int) async -> Int {
            logger.post(Shop.open(number))
            await logger.flush()
            await outbox.deliver()
            return Self.count("open", collector)
        }
        let now = Date(timeIntervalSince1970: 1_793_000_000)
        #expect(await outbox.apply(try Self.policy("\"off\":[\"shop\"]", expires: 100, now: now)))
        wall.withLock { $0 += 9999 }
        #expect(await post(1) == 0)
        wall.withLock { $0 -= 99_999 }
        steady.withLock { $0 += 99 }
        #expect(await post(2) == 0)
        steady.withLock { $0 += 2 }
        #expect(await post(3) == 1)
        #expect(bench.notices.contains(.remotePolicy("it has expired")))
        // A policy that has already expired when it arrives.
        wall.withLock { $0 = 1_793_000_200 }
        #expect(await outbox.apply(try Self.policy("\"off\":[\"shop\"]", expires: 100, now: now)) == false)
        #expect(await post(4) == 2)
        await outbox.shutdown(within: 0)
        // At the next launch: before the expiry, with a clock that was set back, and after the expiry.
        for (launch, time) in [1_793_000_050.0, 1_700_000_000, 1_793_000_101].enumerated() {
            wall.withLock { $0 = 1_793_000_000 }
            let first = bench.outbox(collector, clock: clock)
            #expect(await first.apply(try Self.policy("\"off\":[\"shop\"]", expires: 100, now: now)))
            await first.shutdown(within: 0)
            wall.withLock { $0 = time }
            outbox = bench.outbox(collector, clock: clock, policy: nil)
            logger = Self.logger(outbox)
            let before = Self.count("open", collector)
            #expect(await post(5) == before + (launch == 2 ? 1 : 0), "\(launch)")
            steady.withLock { $0 += 101 }
            #expect(await post(6) == before + (launch == 2 ? 2 : 1), "\(launch)")
            await outbox.shutdown(within: 0)
        }
    }

    @Test(
        "A policy file that is damaged, too long, a folder or of another format is only reported",
        arguments: 0..<6)
    func damagedFiles(kind: Int) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let first = bench.outbox(collector)
        #expect(await first.apply(try Self.policy("\"off\":[\"shop\"]")))
        await first.shutdown(within: 0)
        let file = bench.folder.appendingPathComponent("outbox.policy")
        let whole = try Data(contentsOf: file)
        switch kind {
        case 0: try whole.prefix(whole.count - 1).write(to: file)
        case 1: try Data().write(to: file)
        case 2: try (whole + Data(repeating: 0x20, count: 1 << 20)).write(to: file)
        case 3:
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        case 4: try Data("99999999999999999999\n{}".utf8).write(to: file)
        default: try Data(whole.map { $0 ^ 0x55 }).write(to: file)
        }
        let outbox = bench.outbox(collector, policy: nil)
        let logger = Self.logger(outbox)
        logger.post(Shop.open(1))
        await logger.shutdown(within: 3600)
        #expect(Self.count("open", collector) == 1)
        #expect(bench.notices.contains { if case .remotePolicy = $0 { true } else { false } })
    }

    @Test(
        "A policy that cannot be stored takes effect nevertheless, and the failure is reported",
        arguments: [FileAction.write, .makeFolder])
    func notKept(action: FileAction) async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let faults = Faults()
        let outbox = bench.outbox(collector, faults: faults)
        await outbox.flush()
        faults.fail(action, with: ENOSPC)
        #expect(await outbox.apply(try Self.policy("\"off\":[\"shop\"]")) == false)
        faults.end()
        let logger = Self.logger(outbox)
        logger.post(Shop.open(1))
        await outbox.deliver()
        #expect(collector.requests == 0)
        #expect(
            bench.notices.contains {
                if case .remotePolicy(let what) = $0 { what.contains("cannot be saved") } else { false }
            })
        await outbox.shutdown(within: 0)
    }

    // MARK: The stored policy

    /// Returns a policy whose document grows with the number of names.
    private static func policy(naming count: Int, _ text: String) throws -> Outbox.RemotePolicy {
        try policy("\"off\":[\"shop\",\((0..<count).map { "\"\(text)\($0)\"" }.joined(separator: ","))]")
    }

    private static func kept(in bench: OutboxFixture) throws -> Outbox.RemotePolicy {
        try KeptPolicy(file: [UInt8](Data(contentsOf: bench.folder.appendingPathComponent("outbox.policy")))).policy
    }

    @Test(
        "Two outboxes that apply policies at once store one completely and leave no other file"
    )
    func twoAtOnce() async throws {
        let bench = OutboxFixture()
        let (one, other) = (bench.outbox(Nobody(), policy: nil), bench.outbox(Nobody(), policy: nil))
        for round in 0..<Depth.cases(8, deep: 60) {
            let (short, long) = (try Self.policy(naming: 1, "s\(round)x"), try Self.policy(naming: 900, "l\(round)x"))
            async let first = one.apply(short)
            async let second = other.apply(long)
            #expect(await [first, second] == [true, true])
            let found = try? Self.kept(in: bench)
            try #require(found == short || found == long, "round \(round)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
        #expect(names.filter { $0.contains("policy") } == ["outbox.policy"])
        await one.shutdown(within: 0)
        await other.shutdown(within: 0)
    }

    @Test(
        "A folder, link or pipe at the path of the policy file is replaced",
        arguments: ["outbox.policy", "outbox.policy-part"], ["folder", "link", "circle", "pipe"])
    func obstacles(name: String, kind: String) async throws {
        let bench = OutboxFixture()
        await bench.leave(1...1)
        let file = bench.folder.appendingPathComponent(name)
        let other = bench.folder.appendingPathComponent("other")
        try Data("other".utf8).write(to: other)
        switch kind {
        case "folder":
            try FileManager.default.createDirectory(
                at: file.appendingPathComponent("with/more"), withIntermediateDirectories: true)
        case "link": try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
        case "circle": try FileManager.default.createSymbolicLink(at: file, withDestinationURL: file)
        default: #expect(mkfifo(file.path, 0o600) == 0)
        }
        let collector = try Collector()
        let outbox = bench.outbox(collector, policy: nil)
        let logger = Self.logger(outbox, .paused)
        logger.post(Shop.open(1))
        // No record waits for a file that is not a policy.
        await logger.flush()
        #expect(await outbox.status().stored == 2)
        let policy = try Self.policy("\"off\":[\"shop\"]")
        #expect(await outbox.apply(policy))
        logger.collection = .enabled
        await outbox.deliver()
        #expect(collector.acceptedCount == 2)
        await outbox.shutdown(within: 0)
        #expect(try Self.kept(in: bench) == policy)
        #expect(try Data(contentsOf: other) == Data("other".utf8))
        #expect(
            bench.notices.contains { if case .remotePolicy = $0 { true } else { false } } == (name == "outbox.policy"))
    }

    @Test("A policy that can never be read does not keep records from the disk")
    func neverRead() async throws {
        let bench = OutboxFixture()
        let faults = Faults()
        let first = bench.outbox(Nobody())
        #expect(await first.apply(try Self.policy("\"off\":[\"shop.thinned\"]")))
        await first.shutdown(within: 0)
        faults.fail(.read, with: EIO)
        let outbox = bench.outbox(Nobody(), faults: faults)
        Self.logger(outbox).post(Shop.open(1))
        var tries = 0
        while await !outbox.makeDurable(), tries < 20 { tries += 1 }
        #expect((1..<20).contains(tries))
        #expect(
            bench.notices.contains {
                if case .remotePolicy(let what) = $0 { what.contains("cannot be read") } else { false }
            })
        await outbox.shutdown(within: 0)
        // The file is still there for the next launch.
        _ = try Self.kept(in: bench)
    }

    @Test("An expired policy is removed, but not a new one that another process stores meanwhile")
    func removedMeanwhile() async throws {
        let (wall, steady) = (Locked(1_793_000_000.0), Locked(500.0))
        let clock = OutboxClock(wall: { wall.withLock { $0 } }, steady: { steady.withLock { $0 } })
        let bench = OutboxFixture()
        let neighbour = bench.outbox(Nobody(), clock: clock, policy: nil)
        #expect(
            await neighbour.apply(
                try Self.policy("\"off\":[\"shop\"]", expires: 100, now: Date(timeIntervalSince1970: 1_793_000_000))))
        wall.withLock { $0 += 200 }
        let later = try Self.policy(
            "\"off\":[\"shop.open\"]", expires: 1000, now: Date(timeIntervalSince1970: 1_793_000_200))
        let removals = Locked(0)
        let faults: @Sendable (FileAction) throws -> Void = { action in
            guard action == .remove,
                removals.withLock({
                    $0 += 1; return $0
                }) == 1
            else { return }
            let isKept = DispatchSemaphore(value: 0)
            Task {
                #expect(await neighbour.apply(later))
                isKept.signal()
            }
            isKept.wait()
        }
        var configuration = Outbox.Configuration(folder: bench.folder)
        configuration.deliveryInterval = 3600
        let outbox = Outbox(configuration, uploader: Nobody(), clock: clock, faults: faults, report: { _ in })
        outbox.collectionDidChange(to: .paused)
        await outbox.flush()
        #expect(removals.withLock { $0 } >= 1)
        #expect(try Self.kept(in: bench) == later)
        await outbox.shutdown(within: 0)
        await neighbour.shutdown(within: 0)
    }

    @Test("Records before a new policy are filtered by the previous one, even if that is read later")
    func readAfterItWasReplaced() async throws {
        let collector = try Collector()
        let bench = OutboxFixture()
        let first = bench.outbox(collector) { $0.isSampled = false }
        #expect(await first.apply(try Self.policy("\"off\":[\"shop.open\"]")))
        await first.shutdown(within: 0)
        let faults = Faults()
        // The denial mark cannot be checked, so no policy is read yet.
        faults.fail(.remove, with: EIO)
        let outbox = bench.outbox(collector, faults: faults) { $0.isSampled = false }
        let logger = Self.logger(outbox)
        await logger.flush()
        logger.post(Shop.open(1))
        logger.post(Shop.thinned(1))
        let second = try Self.policy("\"off\":[\"shop.thinned\"]")
        #expect(await outbox.apply(second))
        logger.post(Shop.open(2))
        logger.post(Shop.thinned(2))
        faults.end()
        await logger.flush()
        await outbox.deliver()
        #expect(collector.accepted.count { $0.contains("\"n\":1") } == 1 && Self.count("thinned", collector) == 1)
        #expect(collector.accepted.count { $0.contains("\"n\":2") } == 1 && Self.count("open", collector) == 1)
        await logger.shutdown(within: 0)
        #expect(try Self.kept(in: bench) == second)
    }

    @Test(
        "A slow wall clock does not extend a policy beyond its duration, also in later launches",
        arguments: [0.0, 1e9])
    func slowWallClockDoesNotExtendAPolicy(time: TimeInterval) async throws {
        let (wall, steady) = (Locked(time), Locked(500.0))
        let clock = OutboxClock(wall: { wall.withLock { $0 } }, steady: { steady.withLock { $0 } })
        let bench = OutboxFixture()
        // The policy expires 100 s after the server's current time. The wall clock of the device is years behind.
        let policy = try Self.policy(
            "\"off\":[\"shop\"]", expires: 100, now: Date(timeIntervalSince1970: 1_793_000_000))
        let record = LogRecord(Shop.open(1))
        for launch in 0..<3 {
            let outbox = bench.outbox(Nobody(), clock: clock, policy: .enabled)
            if launch == 0 { #expect(await outbox.apply(policy)) }
            await outbox.flush()
            #expect(outbox.share(of: record) == 0, "\(launch)")
            steady.withLock { $0 += 99 }
            #expect(outbox.share(of: record) == 0, "\(launch)")
            steady.withLock { $0 += 2 }
            #expect(outbox.share(of: record) == nil, "\(launch)")
            await outbox.shutdown(within: 0)
            wall.withLock { $0 -= 1000 }
        }
    }

    @Test(
        "A full disk keeps the previous policy, and the failure is reported",
        .enabled(if: OutboxFixture.canMount, "mounting a tmpfs takes root"))
    func fullDisk() async throws {
        let bench = OutboxFixture()
        try FileManager.default.createDirectory(at: bench.folder, withIntermediateDirectories: true)
        try OutboxFixture.command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", bench.folder.path)
        defer { try? OutboxFixture.command("umount", "-l", bench.folder.path) }
        let outbox = bench.outbox(Nobody())
        let (before, after) = (try Self.policy("\"off\":[\"shop.open\"]"), try Self.policy(naming: 900, "x"))
        #expect(await outbox.apply(before))
        let ballast = bench.folder.appendingPathComponent("ballast")
        #expect(FileManager.default.createFile(atPath: ballast.path, contents: nil))
        let file = try FileHandle(forWritingTo: ballast)
        while (try? file.write(contentsOf: Data(repeating: 0, count: 4096))) != nil {}
        try file.close()
        #expect(await outbox.apply(after) == false)
        #expect(try Self.kept(in: bench) == before)
        #expect(
            bench.notices.contains {
                if case .remotePolicy(let what) = $0 { what.contains("cannot be saved") } else { false }
            })
        try FileManager.default.removeItem(at: ballast)
        #expect(await outbox.apply(after))
        #expect(try Self.kept(in: bench) == after)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: bench.folder.path).filter { $0.contains("policy") } == [
                "outbox.policy"
            ])
        await outbox.shutdown(within: 0)
    }

    @Test("A suspended outbox holds no file after it has stored a policy")
    func suspended() async throws {
        let bench = OutboxFixture()
        let outbox = bench.outbox(Nobody())
        await outbox.suspend()
        let policy = try Self.policy("\"off\":[\"shop\"]")
        #expect(await outbox.apply(policy))
        #expect(OutboxTests.openFiles(in: bench.folder) == [])
        #expect(try Self.kept(in: bench) == policy)
        await outbox.shutdown(within: 0)
    }

    @Test(
        "Kills while policies are stored leave a whole policy and lose no enabled record"
    )
    func killed() throws {
        let scratch = try Scratch()
        let torture = Tool.executable.deletingLastPathComponent().appendingPathComponent("outbox-torture")
        let rounds = Depth.cases(6, deep: 12)
        let result = try Tool.launch(
            torture, ["--rounds", "\(rounds)", "--seed", "7", "--policies", "--seals"], in: scratch.url)
        #expect(result.code == 0, "\(result.out)\(result.error)")
        #expect(result.out.contains(" 0 lost"))
        let kept =
            result.out.components(separatedBy: " dead letters, ").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        #expect(kept > rounds / 2, "\(result.out)")
    }

    // MARK: Batches

    @Test("A policy determines the size and interval of batches until it expires")
    func batches() async throws {
        let (wall, steady) = (Locked(1_793_000_000.0), Locked(500.0))
        let clock = OutboxClock(wall: { wall.withLock { $0 } }, steady: { steady.withLock { $0 } })
        let sizes = Locked([Int]())
        let collector = try Collector { request in
            sizes.withLock { $0.append(request.records.count) }
            return .status(204)
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(collector, clock: clock)
        let now = Date(timeIntervalSince1970: 1_793_000_000)
        #expect(await outbox.apply(try Self.policy("\"batch\":{\"records\":10}", expires: 100, now: now)))
        outbox.post(1...35)
        await outbox.deliver()
        #expect(sizes.withLock { $0 } == [10, 10, 10, 5])
        steady.withLock { $0 += 101 }
        outbox.post(36...70)
        await outbox.deliver()
        #expect(sizes.withLock { $0 } == [10, 10, 10, 5, 35])
        await outbox.shutdown(within: 0)
    }

    @Test("The uploader fetches a policy with its headers and rejects documents that are not policies")
    func fetching() async throws {
        let answers = Locked([Collector.Answer]())
        let good = String(decoding: Self.document("\"off\":[\"shop\"]"), as: UTF8.self)
        answers.withLock {
            $0 = [
                .text(200, good, accepting: []), .text(200, "{}", accepting: []), .status(404),
                .text(302, good, accepting: []),
            ]
        }
        let collector = try Collector { request in
            #expect(request.headers["authorization"] == "Bearer x")
            return answers.withLock { $0.isEmpty ? .status(500) : $0.removeFirst() }
        }
        let uploader = HTTPUploader(collector.url, headers: ["Authorization": "Bearer x"], timeout: 3_600)
        let policyURL = collector.url
        let policy = try await uploader.policy(at: policyURL, of: [Shop.self])
        #expect(policy.ignored == [])
        let outbox = OutboxFixture().outbox(uploader)
        await outbox.apply(policy)
        #expect(outbox.share(of: LogRecord(Shop.open(1))) == 0)
        await outbox.shutdown(within: 0)
        for _ in 0..<4 {
            await #expect(throws: (any Error).self) { try await uploader.policy(at: collector.url) }
        }
    }

    @Test("A policy is fetched with new headers after the server has rejected the old ones", arguments: [401, 403])
    func newHeaders(status: Int) async throws {
        let good = String(decoding: Self.document(), as: UTF8.self)
        let collector = try Collector { request in
            request.headers["authorization"] == "Bearer 2" ? .text(200, good, accepting: []) : .status(status)
        }
        let tokens = Locked(0)
        let uploader = HTTPUploader(collector.url, timeout: 3_600) {
            let token = tokens.withLock { tokens in
                tokens += 1
                return tokens
            }
            return ["Authorization": "Bearer \(token)"]
        }
        await #expect(throws: Outbox.RemotePolicy.Invalid.self) { try await uploader.policy(at: collector.url) }
        _ = try await uploader.policy(at: collector.url)
        #expect(tokens.withLock { $0 } == 2)
    }
}
