import ActivityTrackingTesting
import Foundation
import Logging
import Testing

@_spi(GeneratedCode) @testable import ActivityTracking

/// A category and common columns in the form of generated code.
private enum Shop: LogCategory {
    case buy(item: String, price: Int64)
    case look(item: String?)
    case sampled(item: String)

    static let definition = LogDefinition(
        """
        shop|@shop-team
        .buy|1-0-0
        item|string(8)|personal
        price|int64(0...)
        .look|1-0-0
        item|string?|sensitive
        .sampled|1-0-0|active|||0.25
        item|string
        """)

    func encode(into encoder: LogEncoder) {
        switch self {
        case .buy(let v0, let v1): encoder.event(0).string(v0).int64(v1)
        case .look(let v0): encoder.event(1).optionalString(v0)
        case .sampled(let v0): encoder.event(2).string(v0)
        }
    }
}

private enum Other: LogCategory {
    case open

    static let definition = LogDefinition("other\n.open|1-0-0")

    func encode(into encoder: LogEncoder) { encoder.event(0) }
}

private struct User: LogColumns {
    var id: String?

    static let definition = LogDefinition("common||user_id\n.common\nuser_id|string?|personal")

    func encode(into encoder: LogEncoder) { encoder.event(0).optionalString(id) }
}

struct ActivityLoggerTests {
    private func json(_ record: LogRecord) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(record.json)) as? [String: Any])
    }

    // MARK: Posting

    @Test("Events arrive in order, with the common columns at the time of each post")
    func eventsArriveInOrderWithTheirCommonColumns() throws {
        let logs = RecordingDestination()
        let user = Locked(User(id: nil))
        let logger = ActivityLogger(common: { user.withLock { $0 } }, destinations: [logs])
        logger.post(Shop.look(item: nil))
        user.withLock { $0.id = "ann" }
        logger.post(Shop.buy(item: "茄子", price: 120))
        #expect(logs.events(of: Shop.self) == [.look(item: nil), .buy(item: "茄子", price: 120)])
        #expect(logs.descriptions == ["shop.look {}", "shop.buy {\"item\":\"茄子\",\"price\":120}"])
        #expect(logs.records.map { $0.json(of: "user_id") } == [nil, "\"ann\""])
        #expect(logs.count(of: Shop.look(item: nil)) == 1)
        #expect(logs.violations.isEmpty)
        #expect(logs.difference(from: [Shop.look(item: nil), Shop.buy(item: "茄子", price: 120)]) == [])
        #expect(
            logs.difference(from: [Other.open, Shop.look(item: nil)]) == [
                "- other.open {}", "+ shop.buy {\"item\":\"茄子\",\"price\":120}",
            ])
        let record = try #require(logs.records.last)
        #expect(try json(record)["event_name"] as? String == "buy")
        #expect((record.category, record.event) == ("shop", "buy"))
        logs.clear()
        #expect(logs.records.isEmpty)
    }

    @Test("Events of each thread keep their order, and their identifiers are unique")
    func threadsKeepTheirOrder() async throws {
        let logs = RecordingDestination()
        let logger = ActivityLogger(destinations: [logs], report: { _ in })
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<500 { logger.post(Shop.buy(item: "\(thread)", price: Int64(number))) }
                }
            }
            group.addTask { for _ in 0..<100 { logger.collection = .enabled } }
        }
        let events = logs.events(of: Shop.self)
        #expect(events.count == 4000)
        for thread in 0..<8 {
            let own = events.compactMap { event -> Int64? in
                guard case .buy(let item, let price) = event, item == "\(thread)" else { return nil }
                return price
            }
            #expect(own == Array(0..<500))
        }
        #expect(Set(logs.records.map(\.id)).count == 4000)
    }

    @Test("The counters of identifiers within one millisecond rise") func identifiersOfOneMillisecondRise() {
        var sequence = IdentifierSequence()
        let steps = (0..<2000).map { _ in sequence.next(at: 7) }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.counter < $1.counter && $1.counter <= 0xFFF })
        #expect(steps.allSatisfy { $0.time == 7 })
        #expect(Set(steps.map(\.random)).count == 2000)
        #expect(sequence.next(at: 8).counter < 0x800)
    }

    @Test("A record with violations is sent, and each violation is reported") func violationsAreReportedAndSent() {
        let notices = Locked([ActivityLogger.Notice]())
        let logs = RecordingDestination()
        let logger = ActivityLogger(destinations: [logs], report: { notice in notices.withLock { $0.append(notice) } })
        logger.post(Shop.buy(item: "far too long", price: -1))
        let said = notices.withLock { $0 }.map(\.description)
        #expect(said.count == 2)
        #expect(said.contains("shop.buy: a value breaks its definition (item: maxLength)"))
        #expect(said.contains("shop.buy: a value breaks its definition (price: minimum)"))
        #expect(logs.records.first?.json(of: "violations") == "[\"item: maxLength\",\"price: minimum\"]")
    }

    @Test("The identifiers of a thread rise strictly, even while other threads create some")
    func identifiersOfAThreadRise() async {
        let fallen = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var (last, fallen) = ("", 0)
                    for _ in 0..<50_000 {
                        let id = UUID(version7At: Date()).uuidString
                        if id <= last { fallen += 1 }
                        last = id
                    }
                    return fallen
                }
            }
            return await group.reduce(0, +)
        }
        #expect(fallen == 0)
    }

    @Test("Identifiers of an earlier time do not affect those of the current time")
    func earlierIdentifiersDoNotAffectCurrentOnes() {
        var sequence = IdentifierSequence()
        var last = sequence.next(at: 1_000_000)
        for _ in 0..<10_000 {
            #expect(sequence.next(at: 5).time < 1000)
            let next = sequence.next(at: 1_000_000)
            #expect((next.time, next.counter) > (last.time, last.counter))
            last = next
        }
    }

    @Test("A value that replaces another is checked like any other")
    func replacedValuesAreChecked() throws {
        let record = LogRecord(Shop.buy(item: "a", price: 3))
        let replaced = record.replacing("price", with: Int64(-1)).replacing("item", with: "far too long")
        #expect(try json(replaced)["violations"] as? [String] == ["price: minimum", "item: maxLength"])
        #expect(try json(replaced.replacing("price", with: Int64(1)))["violations"] as? [String] == ["item: maxLength"])
        #expect(try json(replaced.replacing("price", with: Int64(1)).replacing("item", with: "b"))["violations"] == nil)
        struct Columns: LogColumns {
            static let definition = LogDefinition("common\n.common\nbuild|int64(1...)")
            func encode(into encoder: LogEncoder) { encoder.event(0).int(7) }
        }
        let common = LogRecord(Shop.look(item: nil), common: Columns()).replacing("build", with: 0)
        #expect(try json(common)["violations"] as? [String] == ["build: minimum"])
    }

    // MARK: Sampling

    @Test("A test sees every event, independent of sampling and processors")
    func testSeesEveryPostedEvent() {
        for _ in 0..<1000 {
            let logs = RecordingDestination()
            let activityLogger = ActivityLogger(destinations: [logs])
            activityLogger.post(Shop.sampled(item: "a"))
            #expect(logs.events(of: Shop.self) == [.sampled(item: "a")])
        }
    }

    @Test("Deliveries are sampled with and without processors; other destinations get every event")
    func deliveriesAreSampled() {
        final class Delivery: LogDestination {
            let count = Locked(0)
            func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { count.withLock { $0 += 1 } }
        }
        for processors in [[], [Redaction()]] as [[any LogProcessor]] {
            let (delivery, limited, logs) = (Delivery(), Delivery(), RecordingDestination())
            let logger = ActivityLogger(
                processors: processors, destinations: [delivery, logs, limited.limited(to: [Shop.self])])
            for _ in 0..<1000 { logger.post(Shop.sampled(item: "a")) }
            #expect(logs.records.count == 1000)
            // Sampling by the record's identifier keeps the expected share, within six standard deviations.
            #expect((165...335).contains(delivery.count.withLock { $0 }))
            #expect(delivery.count.withLock { $0 } == limited.count.withLock { $0 })
        }
    }

    // MARK: Consent

    @Test("A denied event is not recorded, and a paused one is") func deniedEventsAreNotRecorded() {
        let logs = RecordingDestination()
        let logger = ActivityLogger(destinations: [logs], collection: .denied)
        logger.post(Other.open)
        #expect(logs.records.isEmpty)
        logger.collection = .paused
        logger.post(Other.open)
        #expect(logs.records.count == 1)
        #expect(logger.collection == .paused)
    }

    @Test("A destination receives each change of the policy once") func destinationsReceiveEachPolicyOnce() {
        final class Listener: LogDestination {
            let heard = Locked([CollectionPolicy]())
            func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {}
            func collectionDidChange(to policy: CollectionPolicy) { heard.withLock { $0.append(policy) } }
        }
        let listener = Listener()
        let logger = ActivityLogger(destinations: [listener.limited(to: [])], collection: .paused)
        logger.collection = .paused
        logger.collection = .denied
        logger.collection = .enabled
        #expect(listener.heard.withLock { $0 } == [.paused, .denied, .enabled])
    }

    // MARK: Destinations

    @Test("Limited destinations receive only their events; an event without one is reported once")
    func limitedDestinationsReceiveTheirEvents() {
        let (shop, purchases, all) = (RecordingDestination(), RecordingDestination(), RecordingDestination())
        let notices = Locked([ActivityLogger.Notice]())
        let logger = ActivityLogger(
            destinations: [shop.limited(to: [Shop.self]), purchases.limited { $0.event == "buy" }],
            report: { notice in notices.withLock { $0.append(notice) } })
        logger.post(Shop.buy(item: "a", price: 1))
        logger.post(Shop.look(item: "a"))
        for _ in 0..<3 { logger.post(Other.open) }
        #expect(shop.descriptions.count == 2)
        #expect(purchases.events(of: Shop.self) == [.buy(item: "a", price: 1)])
        #expect(notices.withLock { $0 } == [.noDestination(category: "other", event: "open")])
        #expect(all.records.isEmpty)
    }

    @Test("The console logs each record as JSON at the specified level") func theConsoleShowsRecords() {
        struct Lines: LogHandler {
            let lines: Locked<[String]>
            var metadata: Logging.Logger.Metadata = [:]
            var logLevel: Logging.Logger.Level = .trace
            subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }
            func log(event: LogEvent) { lines.withLock { $0.append("\(event.level) \(event.message)") } }
        }
        let lines = Locked([String]())
        let console = ConsoleDestination(
            logger: Logging.Logger(label: "test") { _ in Lines(lines: lines) }, level: .notice)
        ActivityLogger(destinations: [console]).post(Other.open)
        let shown = lines.withLock { $0 }
        #expect(shown.count == 1)
        #expect(
            shown.first?.hasPrefix("notice {\"event_id\":\"") == true
                && shown.first?.contains("\"event_name\":\"open\"") == true)
    }

    // MARK: Processors

    @Test("Processors run in order and can drop records") func processorsRunInOrderAndMayDrop() {
        struct Rename: LogProcessor {
            let name: String
            func process(_ record: LogRecord) -> LogRecord? {
                record.json(of: "item") == "\"drop\""
                    ? nil : record.replacing("item", with: (record.json(of: "item") ?? "").filter { $0 != "\"" } + name)
            }
        }
        let logs = RecordingDestination()
        let logger = ActivityLogger(processors: [Rename(name: "1"), Rename(name: "2")], destinations: [logs])
        logger.post(Shop.look(item: "a"))
        logger.post(Shop.look(item: "drop"))
        logger.post(Shop.look(item: nil))
        #expect(logs.records.map { $0.json(of: "item") } == ["\"a12\"", "\"12\""])
    }

    @Test("A member is found and replaced next to strings with JSON syntax")
    func membersAreFoundNextToSpecialCharacters() throws {
        let nasty = "\",\"price\":7,{[\\]}\u{8}😀"
        let record = LogRecord(Shop.buy(item: nasty, price: 3))
        #expect(record.json(of: "price") == "3")
        let text = try #require(record.json(of: "item"))
        #expect(try JSONDecoder().decode([String].self, from: Data("[\(text)]".utf8)) == [nasty])
        let replaced = record.replacing("price", with: Int64(9)).replacing("nothing", with: 1)
        #expect(try json(replaced)["price"] as? Int == 9)
        #expect(try json(replaced)["item"] as? String == nasty)
        #expect(try json(replaced)["violations"] as? [String] == ["item: maxLength"])
        #expect(try json(replaced)["nothing"] == nil)
    }

    @Test("Redaction removes personal columns; a removed required column is a violation")
    func personalColumnsAreLeftOut() throws {
        let logs = RecordingDestination()
        let logger = ActivityLogger(common: { User(id: "ann") }, processors: [Redaction()], destinations: [logs])
        logger.post(Shop.buy(item: "a", price: 1))
        logger.post(Shop.look(item: "a"))
        let (buy, look) = (try json(logs.records[0]), try json(logs.records[1]))
        #expect(buy["user_id"] == nil && buy["item"] == nil && look["item"] == nil && look["user_id"] == nil)
        #expect(buy["price"] as? Int == 1)
        // `item` is required in `buy` and optional in `look`.
        #expect(buy["violations"] as? [String] == ["item: redacted"])
        #expect(look["violations"] == nil)

        let sensitive = RecordingDestination()
        ActivityLogger(processors: [Redaction([.sensitive])], destinations: [sensitive]).post(
            Shop.buy(item: "a", price: 1))
        #expect(sensitive.records.first?.json(of: "item") == "\"a\"")
    }

    @Test("Sampling keeps its share of the users, each with all events", arguments: [false, true])
    func samplesKeepTheirShareAndTheirUsers(isRedacted: Bool) {
        let logs = RecordingDestination()
        let user = Locked(User(id: nil))
        let processors = (isRedacted ? [Redaction()] : []) + [Sampling()] as [any LogProcessor]
        let logger = ActivityLogger(common: { user.withLock { $0 } }, processors: processors, destinations: [logs])
        var kept: Set<Int> = []
        for number in 0..<4000 {
            user.withLock { $0.id = "user-\(number)" }
            logs.clear()
            for _ in 0..<2 { logger.post(Shop.sampled(item: "a")) }
            // A user is sampled with all events or with none.
            #expect([0, 2].contains(logs.records.count))
            if !logs.records.isEmpty { kept.insert(number) }
        }
        // Five standard deviations of the number of 4,000 users that a share of 0.25 keeps.
        let spread = 5 * (4000 * 0.25 * 0.75).squareRoot()
        #expect(abs(Double(kept.count) - 1000) < spread)
        // The fraction depends only on the hash, so it is the same on every machine and in every version.
        #expect(LogRecord.place(ofKey: "user-1") == LogRecord.place(ofKey: "\"user-1\""))
        let fractions = (0..<4).map { number -> Double in (LogRecord.place(ofKey: "user-\(number)") * 1000).rounded() }
        #expect(fractions == Self.fractions)

        // Without a user, the record's identifier decides.
        user.withLock { $0.id = nil }
        logs.clear()
        for _ in 0..<4000 { logger.post(Shop.sampled(item: "a")) }
        #expect(abs(Double(logs.records.count) - 1000) < spread)
        // Events without a sampling rate are all kept.
        logs.clear()
        for _ in 0..<10 { logger.post(Shop.look(item: nil)) }
        #expect(logs.records.count == 10)
    }

    /// The fractions according to another implementation of the same hash.
    private static let fractions: [Double] = [48, 256, 664, 175]

    // MARK: Flush and shutdown

    @Test("Flushing and shutting down reach every destination")
    func flushingAndShuttingDownReachEveryDestination() async {
        final class Slow: LogDestination {
            let flushed = Locked(0)
            let ended = Locked([TimeInterval]())
            func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {}
            func flush() async { flushed.withLock { $0 += 1 } }
            func shutdown(within seconds: TimeInterval) async { ended.withLock { $0.append(seconds) } }
        }
        let destinations = [Slow(), Slow()]
        let logger = ActivityLogger(destinations: [destinations[0], destinations[1].limited(to: [Other.self])])
        await logger.flush()
        await logger.shutdown(within: 2)
        for destination in destinations {
            #expect(destination.flushed.withLock { $0 } == 1)
            #expect(destination.ended.withLock { $0 } == [2])
        }
    }
}
