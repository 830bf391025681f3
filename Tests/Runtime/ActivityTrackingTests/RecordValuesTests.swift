@_spi(GeneratedCode) import ActivityTracking
import ActivityTrackingTesting
import Foundation
import Testing
import TestSupport

struct RecordValuesTests {
    static func values(_ record: LogRecord) -> [String: LogRecord.Value] {
        Dictionary(record.values.map { ($0.name, $0.value) }) { first, _ in first }
    }

    static func price(_ value: Double) -> LogRecord.Value? {
        values(LogRecordTests.record(.nothing(price: value)))["price"]
    }

    @Test("Every column type has the documented case")
    func everyType() throws {
        let record = LogRecordTests.record(
            LogRecordTests.everything(
                medium: -7, count: 3, price: 3, name: "日本🍣\"\u{0}\\\n\u{1F}/", tags: [],
                grid: [[1, 2], []]))
        let values = Self.values(record)
        #expect(record.values.map(\.name) == ["self"] + Example.definition.events[0].columns.map(\.name))
        #expect(values["self"] == .string("ok"))
        #expect(values["flag"] == .bool(true))
        #expect(values["tiny"] == .integer(-128))
        #expect(values["small"] == .integer(32767))
        #expect(values["medium"] == .integer(-7))
        #expect(values["large"] == .integer(.min))
        #expect(values["count"] == .integer(3))
        #expect(values["port"] == .integer(65535))
        #expect(values["word"] == .integer(4_294_967_295))
        // The double nearest to 0.1, not to the float.
        #expect(values["ratio"] == .double(0.1))
        #expect(values["price"] == .double(3))
        #expect(values["name"] == .string("日本🍣\"\u{0}\\\n\u{1F}/"))
        #expect(values["day"] == .string("2024-02-29"))
        #expect(values["at"] == .date(LogRecordTests.noon))
        #expect(values["key"] == .string("0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11"))
        #expect(values["link"] == .string("https://example.com/a?b=%E3%81%82#c"))
        #expect(values["mood"] == .string("so-so"))
        #expect(values["order"] == .string("popular"))
        #expect(values["recipe"] == .integer(1))
        #expect(values["external"] == .integer(2))
        #expect(values["tags"] == .list([]))
        #expect(values["grid"] == .list([.list([.integer(1), .integer(2)]), .list([])]))
        #expect(values["orders"] == .list([.string("newest"), .string("popular")]))
        #expect(values["externals"] == .list([.integer(1)]))
    }

    @Test("Absent columns and values that a record cannot represent are left out")
    func absent() {
        #expect(LogRecordTests.record(.nothing()).values.map(\.name) == ["self"])
        #expect(Self.price(.nan) == nil)
        #expect(Self.price(.infinity) == nil)
        let late = LogRecordTests.record(.nothing(at: Date(timeIntervalSince1970: 1e12)))
        #expect(late.values.map(\.name) == ["self"] && late.violations.map(\.rule) == ["type"])
        #expect(LogRecord(Example.empty).values.isEmpty)
    }

    @Test(
        "Doubles keep their type and value",
        arguments: [
            0, -0.0, 1, -3, 0.1, 1e300, 1e15, 1e16, 9_007_199_254_740_992, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude,
        ])
    func doubles(value: Double) throws {
        guard case .double(let read) = try #require(Self.price(value)) else {
            Issue.record("not a double")
            return
        }
        #expect(read.bitPattern == value.bitPattern)
    }

    @Test("Integers keep every digit", arguments: [0, .max, .min, 1 << 53 + 1, -(1 << 53) - 1] as [Int64])
    func integers(value: Int64) {
        #expect(Self.values(LogRecordTests.record(.nothing(large: value)))["large"] == .integer(value))
    }

    @Test("Values that violate their definition are included")
    func violations() {
        let record = LogRecordTests.record(
            LogRecordTests.everything(medium: 11, name: "too long", tags: ["a", "b", "c"]))
        let values = Self.values(record)
        #expect(record.violations.map(\.column) == ["medium", "name", "tags"])
        #expect(values["medium"] == .integer(11))
        #expect(values["name"] == .string("too long"))
        #expect(values["tags"] == .list([.string("a"), .string("b"), .string("c")]))
        #expect(values["violations"] == nil)
    }

    @Test("Removed columns are absent, and added columns are in the definition's order")
    func changedColumns() {
        let record = LogRecordTests.record(.nothing(flag: true, name: "a", tags: ["b"])).sampled(at: 0.5)
        let changed = record.removing(["name"]).replacing("large", with: 7).replacing("user_id", with: 3)
            .replacing("tiny", with: -1)
        #expect(changed.values.map(\.name) == ["user_id", "self", "flag", "tiny", "large", "tags"])
        #expect(Self.values(changed)["large"] == .integer(7))
    }

    @Test("A value of another type has the case of its own type")
    func otherTypes() {
        func value(_ column: String, _ value: some LogValue) -> LogRecord.Value? {
            Self.values(LogRecordTests.record(.nothing()).replacing(column, with: value))[column]
        }
        #expect(value("large", "1") == .string("1"))
        #expect(value("large", 1.5) == .double(1.5))
        #expect(value("large", 3.0) == .double(3))
        #expect(value("price", 3) == .double(3))
        #expect(value("name", 5) == .integer(5))
        #expect(value("name", ["a"]) == .list([.string("a")]))
        #expect(value("tags", "a") == .string("a"))
        #expect(value("flag", [[true]]) == .list([.list([.bool(true)])]))
        #expect(value("at", "noon") == .string("noon"))
        #expect(value("at", "2026-04-01T24:00:00.000Z") == .string("2026-04-01T24:00:00.000Z"))
        #expect(value("at", "2026-04-01T12:00:00.123Z") == .date(LogRecordTests.noon))
        #expect(value("grid", [1.5, .nan]) == .list([.double(1.5)]))
        #expect(value("external", 1) == .integer(1))
        #expect(value("external", 1.0) == .double(1))
        #expect(value("external", "x") == .string("x"))
    }

    @Test(
        "Decimal columns have decimal numbers, and other strings where they were replaced",
        arguments: [
            ("12.50", .decimal(Decimal(sign: .plus, exponent: -1, significand: 125))), ("-3.00", .decimal(-3)),
            ("0.00", .decimal(0)), ("1-2", .string("1-2")), ("1e3", .string("1e3")), ("", .string("")),
            ("12.5 ", .string("12.5 ")), ("1.2.3", .string("1.2.3")), ("abc", .string("abc")),
        ] as [(String, LogRecord.Value)])
    func decimals(text: String, value: LogRecord.Value) {
        struct Sale: LogCategory {
            static let definition = LogDefinition("sale\n.one|1-0-0\nprice|decimal(38,2)\nprices|[decimal(4,2)]?")

            func encode(into encoder: LogEncoder) { encoder.event(0).decimal(Decimal(1) / 4) }
        }
        let record = LogRecord(Sale())
        #expect(record.values.map(\.value) == [.decimal(Decimal(string: "0.25") ?? 0)])
        #expect(Self.values(record.replacing("price", with: text))["price"] == value)
        #expect(Self.values(record.replacing("prices", with: [text]))["prices"] == .list([value]))
    }

    @Test("Descriptions of values are as in the record")
    func descriptions() {
        #expect(LogRecord.Value.date(LogRecordTests.noon).description == "2026-04-01T12:00:00.123Z")
        #expect(LogRecord.Value.list([.integer(1), .string("a"), .bool(true)]).description == "1,a,true")
        #expect(LogRecord.Value.double(3).description == "3.0")
        #expect(!LogRecord.Value.date(.init(timeIntervalSince1970: .infinity)).description.isEmpty)
    }

    @Test("A record without an event has no values")
    func disagreement() {
        struct Odd: LogCategory {
            static let definition = LogDefinition("odd\n.one|1-0-0\na|string")

            func encode(into encoder: LogEncoder) { encoder.event(7).string("x") }
        }
        let record = LogRecord(Odd(), common: ExampleColumns(self: "ok"))
        #expect(record.violations.first?.rule == "event")
        #expect(record.values.isEmpty)
    }
}

// MARK: Random events of random definitions

/// A category whose definition a test sets for the current task.
struct RandomEvent: LogCategory {
    @TaskLocal static var definition = LogDefinition("random\n.one|1-0-0")
    var values: [(any LogValue & Sendable)?]

    func encode(into encoder: LogEncoder) {
        encoder.event(0)
        for value in values { if let value { encoder.value(value) } else { encoder.optionalBool(nil) } }
    }
}

/// The same for common columns.
struct RandomCommon: LogColumns {
    @TaskLocal static var definition = LogDefinition("common\n.common")
    var values: [(any LogValue & Sendable)?]

    func encode(into encoder: LogEncoder) {
        encoder.event(0)
        for value in values { if let value { encoder.value(value) } else { encoder.optionalBool(nil) } }
    }
}

/// A value of any type as an item of a list.
struct RandomItem: LogValue {
    var value: any LogValue & Sendable

    func encodeValue(into encoder: LogEncoder) { value.encodeValue(into: encoder) }
}

struct RandomRecordValuesTests {
    static let types = [
        "int64", "int8", "uint32", "int64(0...9)", "double", "float", "double(0...1)", "decimal(38,10)", "decimal(4,2)",
        "bool", "date", "timestamp", "uuid", "url", "string", "string(3)", "string(4bytes)", "enum(a,b)",
        "Order=enum(newest,popular)", "RecipeID=int64(1...)", "Title=string(5)", "Price=decimal(9,2)", "Kind=app",
    ]

    typealias Column = (name: String, type: LogValueType)

    var random = SeededGenerator(seed: 1)

    mutating func columns(_ prefix: String) throws -> [Column] {
        try (0..<Int.random(in: 0...12, using: &random)).map { index in
            var type = try TypeNotation.parse(Self.types.randomElement(using: &random) ?? "", .exact).type
            for _ in 0..<[0, 0, 0, 1, 2, 3][Int.random(in: 0..<6, using: &random)] { type = .array(.init(of: type)) }
            return ("\(prefix)\(index)", type)
        }
    }

    static func definition(_ head: String, _ columns: [Column]) -> LogDefinition {
        LogDefinition(
            text: head
                + columns.map { column in
                    var notation: [UInt8] = []
                    TypeNotation.write(column.type, .exact, to: &notation)
                    return "\n\(column.name)|\(String(decoding: notation, as: UTF8.self))?"
                }.joined())
    }

    mutating func string() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "\"", "\\", "/", "\u{0}", "\u{1F}", "\n", "\r", "\t", "\u{8}", "\u{7F}", "é", "\u{301}", "あ", "🍣",
            "\u{10FFFF}", "\u{2028}", ",", "[", "]", "{", "}", ":", "u",
        ]
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            string.append(scalars.randomElement(using: &random) ?? "a")
        }
        return String(string)
    }

    mutating func value(of type: LogValueType) -> any LogValue & Sendable {
        switch type.unnamed ?? .boolean {
        case .integer:
            return [.min, .max, 0, -1, 7].randomElement(using: &random)
                ?? Int64.random(in: .min ... .max, using: &random)
        case .number(let number):
            let double = Double(bitPattern: random.next())
            let value = [double, 3, 0.1, 1e16, -0.0, .nan, .infinity].randomElement(using: &random) ?? double
            return number.bits == 32 ? Float(value) : value
        case .decimal:
            return Decimal(
                sign: Bool.random(using: &random) ? .plus : .minus, exponent: Int.random(in: -12...12, using: &random),
                significand: Decimal(
                    UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0...63, using: &random)))
        case .boolean: return Bool.random(using: &random)
        case .date:
            return LogDate(
                year: Int.random(in: 0...9999, using: &random), month: Int.random(in: 1...12, using: &random),
                day: Int.random(in: 1...28, using: &random)) ?? LogDate(text: "2024-02-29")
        case .timestamp:
            return Date(timeIntervalSince1970: Double.random(in: -63_000_000_000...254_000_000_000, using: &random))
        case .uuid: return UUID()
        case .url: return URL(string: "https://example.com/a?b=%E3%81%82#c") ?? URL(fileURLWithPath: "/")
        case .string, .enumeration: return string()
        case .array(let list):
            return (0..<Int.random(in: 0...4, using: &random)).map { _ in RandomItem(value: value(of: list.items)) }
        case .named: return true
        }
    }

    /// Compares a value with the one that Foundation's parser has read.
    static func isSame(_ value: LogRecord.Value, as other: Any, of type: LogValueType?) -> Bool {
        let type = type?.unnamed
        switch (value, other) {
        case (.list(let items), let others as [Any]):
            let itemType: LogValueType? = if case .array(let list) = type { list.items } else { nil }
            let others = others.filter { !($0 is NSNull) }
            return items.count == others.count
                && zip(items, others).allSatisfy { isSame($0, as: $1, of: itemType) }
        case (.string(let string), let other as String):
            // A string that the column's type turns into another case would be a mistake.
            return Array(string.unicodeScalars) == Array(other.unicodeScalars)
                && (type != .timestamp || other.wholeMatch(of: /[-0-9]{10}T[:0-9]{8}\.[0-9]{3}Z/) == nil)
        case (.decimal(let decimal), let other as String):
            if case .decimal = type { return decimal == Decimal(string: other) } else { return false }
        case (.date(let date), let other as String):
            return type == .timestamp && date == time(other)
        case (.bool(let bool), let other as NSNumber): return isBoolean(other) && bool == other.boolValue
        case (.integer(let integer), let other as NSNumber):
            if case .number = type { return false }
            return !isBoolean(other) && integer == other.int64Value && other.stringValue == "\(integer)"
        case (.double(let double), let other as NSNumber):
            // Foundation reads some numbers through `Decimal`, whose exponents are rounded.
            return !isBoolean(other) && abs(double - other.doubleValue) <= abs(double) * 1e-14
        default: return false
        }
    }

    static func isBoolean(_ number: NSNumber) -> Bool {
        number === (true as NSNumber) || number === (false as NSNumber)
    }

    /// The time of a string, by the C library's calendar.
    static func time(_ text: String) -> Date? {
        let fields = text.split { !$0.isNumber }.compactMap { Int32($0) }
        guard fields.count == 7 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (fields[0] - 1900, fields[1] - 1, fields[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (fields[3], fields[4], fields[5])
        let seconds = timegm(&parts)
        return Date(timeIntervalSince1970: (Double(seconds) * 1000 + Double(fields[6])) / 1000)
    }

    /// Compares all values of a record with its JSON.
    static func check(_ record: LogRecord, _ columns: [Column]) throws {
        let object = try LogRecordTests.object(record)
        let values = record.values
        let present = columns.filter { column in object[column.name].map { !($0 is NSNull) } ?? false }
        let json = String(decoding: record.json, as: UTF8.self)
        #expect(values.map(\.name) == present.map(\.name), "\(json)")
        for (value, column) in zip(values, present) {
            let other = try #require(object[column.name])
            #expect(isSame(value.value, as: other, of: column.type), "\(value) \(column.type): \(json)")
        }
    }

    @Test("Values agree with Foundation's reading of the record, also after changes by processors")
    func randomRecords() throws {
        var test = self
        for _ in 0..<Depth.cases(100, deep: 3_000) {
            let (common, own) = (try test.columns("c"), try test.columns("e"))
            try RandomCommon.$definition.withValue(Self.definition("common\n.common", common)) {
                try RandomEvent.$definition.withValue(Self.definition("random\n.one|1-0-0", own)) {
                    try test.checkRecord(common, own)
                }
            }
        }
    }

    private mutating func checkRecord(_ common: [Column], _ own: [Column]) throws {
        func some(_ columns: [Column]) -> [(any LogValue & Sendable)?] {
            columns.map { Bool.random(using: &random) ? value(of: $0.type) : nil }
        }
        let event = RandomEvent(values: some(own))
        var record = LogRecord(event, common: RandomCommon(values: some(common)))
        try Self.check(record, common + own)
        for _ in 0..<4 {
            guard let column = (common + own).randomElement(using: &random) else { break }
            let other = (common + own).randomElement(using: &random) ?? column
            switch Int.random(in: 0..<4, using: &random) {
            case 0: record = record.removing([column.name])
            case 1: record = record.sampled(at: 0.5)
            case 2: record = record.replacing(column.name, with: RandomItem(value: value(of: column.type)))
            default: record = record.replacing(column.name, with: RandomItem(value: value(of: other.type)))
            }
            try Self.check(record, common + own)
        }
    }
}
