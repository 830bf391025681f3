@_spi(GeneratedCode) import ActivityTracking
import Foundation
import Testing

@preconcurrency import AmplitudeSwift
@preconcurrency import FirebaseAnalytics
@preconcurrency import Puree
@preconcurrency import Segment

/// Events with every form of value, as loggen generates them.
private enum Shop: LogCategory {
    case buy(
        count: Int64, price: Decimal, weight: Double, isGift: Bool, at: Date, day: LogDate, id: UUID, kind: String,
        tags: [String], grid: [[Int]], note: String? = nil)
    case open

    static let definition = LogDefinition(
        """
        shop
        .buy|2-0-1|active||@shop
        count|int64(...9)
        price|decimal(6,2)
        weight|double
        is_gift|bool
        at|timestamp
        day|date
        id_of_item|uuid
        kind|enum(new,used)
        tags|[string(64)]
        grid|[[int64]]
        note|string(5)?
        .open|1-0-0|active|||0.5
        """)

    func encode(into encoder: LogEncoder) {
        switch self {
        case .buy(
            let count, let price, let weight, let isGift, let at, let day, let id, let kind, let tags, let grid,
            let note):
            encoder.event(0).int64(count).decimal(price).double(weight).bool(isGift).timestamp(at).date(day).uuid(id)
                .string(kind).value(tags).value(grid).optionalString(note)
        case .open: encoder.event(1)
        }
    }
}

private struct ShopColumns: LogColumns {
    static let definition = LogDefinition("common\n.common\nuser_id|int64?\nlocale|string(9)")
    var user: Int64?

    func encode(into encoder: LogEncoder) { encoder.event(0).optionalInt64(user).string("ja_JP") }
}

/// Tests of the documentation's destinations: the names, values and types that reach the restated SDKs.
@Suite(.serialized) struct DestinationTests {
    private static let noon = Date(timeIntervalSince1970: 1_775_044_800.123)
    private static let id = UUID(uuidString: "0190A3F2-7C1E-7B52-9D0A-3F6F0C2B8E11") ?? UUID()

    private static func purchase(_ count: Int64 = 7, note: String? = nil) throws -> Shop {
        .buy(
            count: count, price: try #require(Decimal(string: "12.5")), weight: 3, isGift: true, at: noon,
            day: try #require(LogDate(year: 2026, month: 4, day: 1)), id: id, kind: "used", tags: ["a", "b"],
            grid: [[1], []], note: note)
    }

    private static func logger(_ destination: some LogDestination, user: Int64? = 42) -> ActivityLogger {
        ActivityLogger(
            common: { ShopColumns(user: user) }, destinations: [destination], collection: .enabled, report: { _ in })
    }

    // MARK: Firebase

    @Test("Firebase receives strings and numbers under the names of category, event and columns")
    func firebase() throws {
        FirebaseAnalytics.Analytics.recorder = []
        let logger = Self.logger(FirebaseDestination())
        logger.post(try Self.purchase())
        #expect(
            FirebaseAnalytics.Analytics.recorder == [
                "setAnalyticsCollectionEnabled true",
                "logEvent shop_buy at=String(2026-04-01T12:00:00.123Z) count=Int64(7) day=String(2026-04-01) "
                    + "id_of_item=String(0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11) is_gift=Int(1) kind=String(used) "
                    + "locale=String(ja_JP) price=Double(12.5) schema_version=String(2-0-1) user_id=Int64(42) "
                    + "weight=Double(3.0)",
            ])
    }

    @Test("Firebase receives the violations of a record in at most 100 characters")
    func firebaseViolations() throws {
        FirebaseAnalytics.Analytics.recorder = []
        let logger = Self.logger(FirebaseDestination(), user: nil)
        logger.post(try Self.purchase(10, note: "too long"))
        let call = try #require(FirebaseAnalytics.Analytics.recorder.last)
        #expect(call.contains(" violations=String(count: maximum, note: maxLength)"))
        #expect(call.contains(" count=Int64(10)") && call.contains(" note=String(too long)"))
        #expect(!call.contains("user_id"))
        #expect(!call.contains("sampling_rate"))
    }

    @Test("Firebase collects only with consent, and forgets when it is denied")
    func firebaseConsent() throws {
        FirebaseAnalytics.Analytics.recorder = []
        let logger = ActivityLogger(
            common: { ShopColumns() }, destinations: [FirebaseDestination()], report: { _ in })
        logger.collection = .enabled
        logger.collection = .denied
        logger.post(Shop.open)
        #expect(
            FirebaseAnalytics.Analytics.recorder == [
                "setAnalyticsCollectionEnabled false", "setAnalyticsCollectionEnabled true",
                "setAnalyticsCollectionEnabled false", "resetAnalyticsData",
            ])
    }

    // MARK: Amplitude

    @Test("Amplitude receives typed properties, the time and the identifier of the record")
    func amplitude() throws {
        let amplitude = Amplitude(configuration: AmplitudeSwift.Configuration(apiKey: "key"))
        let logger = Self.logger(AmplitudeDestination(amplitude))
        logger.post(try Self.purchase(10), occurredAt: Self.noon)
        let event = try #require(amplitude.tracked.first)
        #expect(event.eventType == "shop_buy")
        #expect(event.timestamp == 1_775_044_800_123)
        // A version 7 UUID of the time.
        #expect(event.insertId?.hasPrefix("019d48ea-2e7b-7") == true)
        #expect(
            FirebaseAnalytics.Analytics.described(event.eventProperties ?? [:])
                == "at=String(2026-04-01T12:00:00.123Z) count=Int64(10) day=String(2026-04-01) "
                + "grid=Array<Any>([[1], []]) id_of_item=String(0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11) "
                + "is_gift=Bool(true) kind=String(used) locale=String(ja_JP) price=Double(12.5) "
                + "schema_version=String(2-0-1) tags=Array<Any>([\"a\", \"b\"]) user_id=Int64(42) "
                + "violations=Array<String>([\"count: maximum\"]) weight=Double(3.0)")
    }

    @Test("Amplitude opts out unless consent is given, and an impossible time is left to it")
    func amplitudeConsent() throws {
        let amplitude = Amplitude(configuration: AmplitudeSwift.Configuration(apiKey: "key"))
        let logger = Self.logger(AmplitudeDestination(amplitude))
        for policy in [CollectionPolicy.paused, .denied] {
            logger.collection = policy
            #expect(amplitude.configuration.optOut)
            logger.post(Shop.open)
        }
        #expect(amplitude.tracked.isEmpty)
        logger.collection = .enabled
        logger.post(try Self.purchase(), occurredAt: Date(timeIntervalSince1970: .infinity))
        #expect(amplitude.tracked.map(\.timestamp) == [nil])
        #expect(amplitude.tracked.first?.eventProperties?["violations"] as? [String] == ["occurred_at: format"])
    }

    // MARK: Segment

    @Test("Segment receives typed properties, the time and the identifier of the record")
    func segment() throws {
        let analytics = Segment.Analytics(configuration: Segment.Configuration(writeKey: "key"))
        let logger = Self.logger(SegmentDestination(analytics))
        logger.post(try Self.purchase(10), occurredAt: Self.noon)
        let event = try #require(analytics.tracked.first)
        #expect(event.event == "shop_buy")
        #expect(event.timestamp == "2026-04-01T12:00:00.123Z")
        #expect(event.messageId?.hasPrefix("019d48ea-2e7b-7") == true)
        #expect(
            FirebaseAnalytics.Analytics.described(event.properties ?? [:])
                == "at=String(2026-04-01T12:00:00.123Z) count=Int64(10) day=String(2026-04-01) "
                + "grid=Array<Any>([[1], []]) id_of_item=String(0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11) "
                + "is_gift=Bool(true) kind=String(used) locale=String(ja_JP) price=NSDecimalNumber(12.5) "
                + "schema_version=String(2-0-1) tags=Array<Any>([\"a\", \"b\"]) user_id=Int64(42) "
                + "violations=Array<String>([\"count: maximum\"]) weight=Double(3.0)")
        #expect(JSONSerialization.isValidJSONObject(event.properties ?? [:]))
    }

    @Test("Segment is enabled only with consent, and its store is deleted when consent is denied")
    func segmentConsent() {
        let analytics = Segment.Analytics(configuration: Segment.Configuration(writeKey: "key"))
        let logger = Self.logger(SegmentDestination(analytics))
        logger.post(Shop.open)
        logger.collection = .paused
        #expect(!analytics.enabled && analytics.calls.isEmpty)
        logger.collection = .denied
        #expect(!analytics.enabled && analytics.calls == ["pendingUploads", "purgeStorage"])
        logger.collection = .enabled
        #expect(analytics.enabled && analytics.tracked.isEmpty)
    }

    // MARK: Puree

    private final class Store: LogStore {
        nonisolated(unsafe) var flushes = 0

        func flush() { flushes += 1 }
    }

    @Test("Puree receives the members of the record as JSON that equals the record's")
    func puree() throws {
        let puree = Puree.Logger()
        let destination = PureeDestination(puree, store: Store())
        let record = LogRecord(
            try Self.purchase(10), common: ShopColumns(user: 42), occurredAt: Self.noon, id: Self.id)
        destination.collectionDidChange(to: .enabled)
        destination.receive(record, of: try Self.purchase(10))
        let (tag, payload) = try #require(puree.posted.first)
        #expect(tag == "shop.buy")
        let sent = try JSONSerialization.jsonObject(with: JSONSerialization.data(withJSONObject: payload))
        var expected = try #require(
            try JSONSerialization.jsonObject(with: Data(record.json)) as? [String: Any])
        // A decimal number loses the zeros at its end.
        #expect(expected.updateValue("12.5", forKey: "price") as? String == "12.50")
        #expect(sent as? NSDictionary == expected as NSDictionary)
    }

    @Test("Puree receives nothing without consent, and its store is deleted when consent is denied")
    func pureeConsent() {
        let (puree, store) = (Puree.Logger(), Store())
        let destination = PureeDestination(puree, store: store)
        let logger = ActivityLogger(common: { ShopColumns() }, destinations: [destination], report: { _ in })
        logger.post(Shop.open)
        logger.collection = .enabled
        logger.collection = .denied
        logger.post(Shop.open)
        #expect(puree.posted.isEmpty && store.flushes == 1)
        #expect(puree.calls == ["suspend", "resume", "resume", "suspend"])
    }

    @Test("Each vendor receives the fraction of a sampled event, with its rate")
    func sampling() {
        FirebaseAnalytics.Analytics.recorder = []
        let amplitude = Amplitude(configuration: AmplitudeSwift.Configuration(apiKey: "key"))
        let analytics = Segment.Analytics(configuration: Segment.Configuration(writeKey: "key"))
        let puree = Puree.Logger()
        let logger = ActivityLogger(
            common: { ShopColumns(user: 42) },
            destinations: [
                FirebaseDestination(), AmplitudeDestination(amplitude), SegmentDestination(analytics),
                PureeDestination(puree, store: Store()),
            ], collection: .enabled, report: { _ in })
        // The definition keeps half.
        for _ in 0..<200 { logger.post(Shop.open) }
        for hasRate in [
            FirebaseAnalytics.Analytics.recorder.filter { $0.hasPrefix("logEvent") }
                .map { $0.contains("sampling_rate=Double(0.5)") },
            amplitude.tracked.map { $0.eventProperties?["sampling_rate"] as? Double == 0.5 },
            analytics.tracked.map { $0.properties?["sampling_rate"] as? Double == 0.5 },
            puree.posted.map { $0.payload["sampling_rate"] as? Double == 0.5 },
        ] {
            #expect((60...140).contains(hasRate.count) && !hasRate.contains(false))
        }
    }
}
