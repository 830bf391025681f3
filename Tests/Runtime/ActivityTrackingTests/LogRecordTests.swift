@_spi(GeneratedCode) import ActivityTracking
import Foundation
import Testing

struct LogRecordTests {
    static let noon = Date(timeIntervalSince1970: 1_775_044_800.123)
    static let id = UUID(uuidString: "0190A3F2-7C1E-7B52-9D0A-3F6F0C2B8E11") ?? UUID()

    static func everything(
        medium: Int32 = 1, count: Int = 0, price: Double = 0.1, name: String = "", tags: [String] = ["a"],
        grid: [[Int]] = []
    ) -> Example {
        .everything(
            flag: true, tiny: -128, small: .max, medium: medium, large: .min, count: count, byte: 255, port: .max,
            word: .max, ratio: 0.1, price: price, name: name, code: "", day: LogDate(text: "2024-02-29"), at: noon,
            key: id, link: url("https://example.com/a?b=%E3%81%82#c"), mood: .soSo, order: .popular,
            recipe: ExampleRecipeID(1), existing: ExistingID(rawValue: ""), external: .second, tags: tags, grid: grid,
            orders: [.newest, .popular], recipes: [ExampleRecipeID(1)], externals: [.first])
    }

    static func url(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/") }

    static func record(_ event: Example) -> LogRecord {
        LogRecord(event, common: ExampleColumns(self: "ok"), occurredAt: noon, id: id)
    }

    static func object(_ record: LogRecord) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(record.json)) as? [String: Any])
    }

    @Test("The members of a record are in the order of the definition, and nil is omitted")
    func form() {
        let record = LogRecord(
            Example.one(self: 7), common: ExampleColumns(self: "ok"), occurredAt: Self.noon, id: Self.id)
        #expect(
            String(decoding: record.json, as: UTF8.self)
                == #"{"event_id":"0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11","event_category":"example","event_name":"one","#
                + #""schema_version":"1-0-0","occurred_at":"2026-04-01T12:00:00.123Z","self":"ok","self":7}"#)
        #expect(record.violations.isEmpty)
    }

    @Test("A record has the members of the envelope in their order, around its columns")
    func envelope() throws {
        let record = Self.record(Self.everything(medium: 11)).sampled(at: 0.5)
        let json = String(decoding: record.json, as: UTF8.self)
        let places = try RecordEnvelope.allCases.map { try #require(json.range(of: "\"\($0.name)\":")).lowerBound }
        #expect(places == places.sorted())
        let columns = try #require(json.range(of: #""self":"ok""#))
        #expect(places.dropLast().allSatisfy { $0 < columns.lowerBound })
        #expect(places.last.map { $0 > columns.upperBound } == true)
    }

    @Test(
        "A value that replaces another breaks the rules that the event's own value could break",
        arguments: [
            ("mood", "sad", ["mood: enum"]), ("mood", "good", []), ("order", "oldest", ["order: enum"]),
            ("order", "newest", []),
            ("orders", ["newest", "oldest"], ["orders: enum"]), ("orders", [ExampleOrder.newest], []),
            ("mood", ExampleOrder.newest, ["mood: enum"]),
            ("flag", 1, ["flag: type"]), ("flag", true, []), ("tiny", 128, ["tiny: maximum"]),
            ("tiny", "1", ["tiny: type"]),
            ("byte", -1, ["byte: minimum"]), ("medium", 11, ["medium: maximum"]), ("large", 1.5, ["large: type"]),
            ("price", 1, []),
            ("price", -1, ["price: minimum"]), ("price", Double.infinity, ["price: type"]),
            ("ratio", Float(0.2), ["ratio: maximum"]),
            ("name", "abcdef", ["name: maxLength"]), ("name", 5, ["name: type"]), ("code", "ああ", ["code: maxBytes"]),
            ("day", "2026-02-30", ["day: format"]), ("day", "2026-02-28", []), ("day", Self.noon, ["day: type"]),
            ("at", "2026-04-01T12:00:00.000Z", []), ("at", "2026-04-01T24:00:00.000Z", ["at: format"]),
            ("at", "noon", ["at: format"]),
            ("at", Date.distantFuture.addingTimeInterval(1e12), ["at: type"]), ("key", "1", ["key: format"]),
            ("key", id, []),
            ("key", true, ["key: type"]),
            ("link", "relative", ["link: format"]), ("link", url("https://example.com"), []),
            ("recipe", 0, ["recipe: minimum"]),
            ("recipe", "1", ["recipe: type"]), ("existing", "abcdef", ["existing: maxLength"]),
            ("external", "anything", []),
            ("tags", [String](), ["tags: minItems"]), ("tags", ["abcdef"], ["tags: maxLength"]),
            ("tags", "a", ["tags: type"]),
            ("tags", [1], ["tags: type"]), ("name", ["a"], ["name: type"]), ("grid", [[10]], ["grid: maximum"]),
            ("grid", [1], ["grid: type"]),
            ("recipes", [Int64(0)], ["recipes: minimum"]),
        ] as [(String, any LogValue & Sendable, [String])])
    func replacedValues(column: String, value: any LogValue & Sendable, violations: [String]) throws {
        let record = Self.record(Self.everything()).replacing(column, with: value)
        #expect(record.violations.map(\.entry) == violations)
        #expect(try Self.object(record)["violations"] as? [String] == (violations.isEmpty ? nil : violations))
        // A further replacement is checked independently of the first.
        #expect(record.replacing(column, with: value).violations.map(\.entry) == violations)
    }

    @Test("An integer that replaces a number has the form of numbers", arguments: [1, 0, -1, 9_007_199_254_740_993])
    func replacedNumbers(value: Int64) {
        let record = Self.record(Self.everything())
        #expect(record.replacing("price", with: value).json(of: "price") == "\(value).0")
        #expect(record.replacing("large", with: value).json(of: "large") == "\(value)")
    }

    @Test(
        "A replaced decimal number is checked by its digits",
        arguments: [("12.50", []), ("12.5", ["price: pattern"]), ("1e3", ["price: pattern"])])
    func replacedDecimals(text: String, violations: [String]) {
        struct Sale: LogCategory {
            static let definition = LogDefinition("sale\n.one|1-0-0\nprice|decimal(4,2)")

            func encode(into encoder: LogEncoder) { encoder.event(0).decimal(1) }
        }
        let record = LogRecord(Sale(), occurredAt: Self.noon, id: Self.id)
        #expect(record.replacing("price", with: text).violations.map(\.entry) == violations)
        #expect(record.replacing("price", with: Decimal(1000)).violations.map(\.entry) == ["price: pattern"])
        #expect(record.replacing("price", with: 2.5).violations.map(\.entry) == ["price: type"])
    }

    @Test("An event without columns and without common columns is a valid record")
    func empty() {
        let record = LogRecord(Example.empty, occurredAt: Self.noon, id: Self.id)
        #expect(String(decoding: record.json, as: UTF8.self).hasSuffix(#""occurred_at":"2026-04-01T12:00:00.123Z"}"#))
        #expect(Example.empty.description == "example.empty {}")
        #expect(Example.nothing().description == "example.nothing {}")
    }

    @Test(
        "A record whose encoding contradicts its definition reports the violation and is valid JSON",
        arguments: [-1, 0, 1])
    func disagreement(number: Int) throws {
        struct Odd: LogCategory {
            static let definition = LogDefinition("odd\n.one|1-0-0\na|string")
            let number: Int

            func encode(into encoder: LogEncoder) { encoder.event(number).string("x").string("y") }
        }
        let record = LogRecord(
            Odd(number: number), common: ExampleColumns(self: "ok"), occurredAt: Self.noon, id: Self.id)
        let object = try Self.object(record)
        #expect(object["event_id"] as? String == Self.id.uuidString.lowercased())
        #expect(object["a"] as? String == (number == 0 ? "x" : nil))
        #expect(object["violations"] as? [String] == record.violations.map(\.entry))
        #expect(record.violations.map(\.rule) == (number == 0 ? ["column"] : ["event", "column", "column"]))
    }

    @Test("Strings of any length, with an escaped character at any position, survive a round trip")
    func longTexts() throws {
        for length in Array(0..<40) + [1000, 1023, 1024, 5000] {
            for place in Set([0, length / 2, length - 1]) where place >= 0 && place < length {
                for odd in ["\"", "\\", "\u{0}", "\u{1F}", "\n", "é", "\u{7F}", "\u{10FFFF}"] {
                    var text = String(repeating: "a", count: length)
                    let index = text.index(text.startIndex, offsetBy: place)
                    text.replaceSubrange(index...index, with: odd)
                    #expect(try Self.object(Self.record(Self.everything(name: text)))["name"] as? String == text)
                }
            }
        }
    }

    @Test(
        "Integers keep every digit",
        arguments: [0, 9, 10, 99, 100, -1, .max, .min, 1_000_000_000_000_000_000, 999_999_999_999_999_999] as [Int64])
    func integers(value: Int64) {
        #expect(Example.nothing(large: value).description == "example.nothing {\"large\":\(value)}")
    }

    @Test("Identifiers are version 7 UUIDs of the time and are unique")
    func ids() {
        let records = (0..<1000).map { _ in LogRecord(Example.empty, occurredAt: Self.noon) }
        #expect(Set(records.map(\.id)).count == 1000)
        for record in records {
            let text = record.id.uuidString
            #expect(text.hasPrefix("019D48EA-2E7B-7"))
            #expect("89AB".contains(text[text.index(text.startIndex, offsetBy: 19)]))
        }
    }

    @Test("Events are equal if they log the same values")
    func equality() {
        #expect(Example.one(self: 1) == .one(self: 1))
        #expect(Example.one(self: 1) != .one(self: 2))
        #expect(Example.empty != .nothing())
        #expect(Example.nothing(name: nil) != .nothing(name: ""))
        #expect(Example.one(self: 1).description == #"example.one {"self":1}"#)
    }
}

extension LogDate {
    init(text: String) {
        let numbers = text.split(separator: "-").compactMap { Int($0) }
        guard let date = LogDate(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            preconditionFailure("no day \(text)")
        }
        self = date
    }
}
