import ActivityTracking
import Foundation
import RecipeLogs
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of requests of OTLP, with a naive reader of their JSON.
struct OTLPTests {
    /// A value with its type in OTLP.
    enum Value: Equatable {
        case null, text(String), bool(Bool), integer(Int64), number(Double), bytes(Data)
        indirect case list([Value])
    }

    struct LogRecord: Equatable {
        var attributes: [String: Value] = [:]
        var time: UInt64?
        var eventName: String?
        var severity: Int
        var body: Value?
    }

    static func read(_ body: Data) throws -> (resource: [String: Value], records: [LogRecord]) {
        let request = try JSONDecoder().decode(Request.self, from: body)
        let logs = try #require(request.resourceLogs.first)
        #expect(request.resourceLogs.count == 1 && logs.scopeLogs.count == 1)
        #expect(logs.scopeLogs[0].scope == ["name": "loggen", "version": "0.1.0"])
        let records = try logs.scopeLogs[0].logRecords.map { record in
            LogRecord(
                attributes: try attributes(record.attributes ?? []), time: record.timeUnixNano.flatMap { UInt64($0) },
                eventName: record.eventName, severity: record.severityNumber, body: try record.body?.value())
        }
        return (try attributes(logs.resource.attributes), records)
    }

    private static func attributes(_ list: [Request.Attribute]) throws -> [String: Value] {
        var result: [String: Value] = [:]
        for attribute in list {
            let value = try attribute.value?.value() ?? .null
            #expect(result.updateValue(value, forKey: attribute.key) == nil)
        }
        return result
    }

    static func encode(_ records: [String]) throws -> [LogRecord] {
        try read(BatchEncoding.otlp(resource: [:]).body(records.map { Array($0.utf8) })).records
    }

    private static func encodeValue(_ json: String) throws -> Value? {
        try encode(["{\"x\":\(json)}"])[0].attributes["x"]
    }

    // MARK: Records

    @Test("A record of an event has its time, its name and its columns in the fields of OTLP")
    func eventsBecomeLogRecords() throws {
        let id = UUID()
        let record = ActivityTracking.LogRecord(
            RecipeSearch.search(keyword: "なす\n\"🍆\"", order: .popular, tags: [], resultCount: 3, elapsed: 2),
            occurredAt: Date(timeIntervalSince1970: 1_793_000_000.125), id: id
        ).sampled(at: 0.25)
        let logs = try Self.read(BatchEncoding.otlp(resource: [:]).body([record.json])).records
        #expect(
            logs == [
                LogRecord(
                    attributes: [
                        "event_id": .text(id.uuidString.lowercased()), "event_category": .text("recipe_search"),
                        "event_name": .text("search"), "schema_version": .text("1-0-0"), "sampling_rate": .number(0.25),
                        "keyword": .text("なす\n\"🍆\""), "order": .text("popular"), "tags": .list([]),
                        "result_count": .integer(3), "elapsed": .number(2),
                    ], time: 1_793_000_000_125_000_000, eventName: "recipe_search.search", severity: 9)
            ])
    }

    @Test(
        "Each JSON value has one type",
        arguments: [
            ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("\"\"", .text("")),
            ("\"a\\u0000\\u00e9\\ud83c\\udf46\\/\\\\\\\"\\b\\f\\n\\r\\t\"", .text("a\0é🍆/\\\"\u{8}\u{C}\n\r\t")),
            ("\"𠮷👩‍👩‍👧\"", .text("𠮷👩‍👩‍👧")), ("0", .integer(0)), ("-1", .integer(-1)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("3.0", .number(3)),
            ("1e+16", .number(1e16)), ("1E2", .number(100)),
            ("1.7976931348623157e+308", .number(.greatestFiniteMagnitude)),
            ("-2.2250738585072014e-308", .number(-.leastNormalMagnitude)), ("[]", .list([])),
            ("[1,2.0,[\"a\",null]]", .list([.integer(1), .number(2), .list([.text("a"), .null])])),
            (" [ 1 , 2 ] ", .list([.integer(1), .integer(2)])),
        ] as [(String, Value)])
    func values(json: String, value: Value) throws {
        #expect(try Self.encodeValue(json) == value)
    }

    @Test("Violations are a list of strings") func violationsAreKept() throws {
        let log = try Self.encode(["{\"x\":null,\"violations\":[\"x: type\"]}"])[0]
        #expect(log == LogRecord(attributes: ["x": .null, "violations": .list([.text("x: type")])], severity: 9))
    }

    @Test(
        "A time that OTLP can represent is a number of nanoseconds, and any other value stays an attribute",
        arguments: [
            ("\"1970-01-01T00:00:00.001Z\"", 1_000_000), ("\"2026-02-28T23:59:59.999Z\"", 1_772_323_199_999_000_000),
            ("\"2024-02-29T00:00:00.000Z\"", 1_709_164_800_000_000_000),
            ("\"2554-07-21T23:34:33.709Z\"", 18_446_744_073_709_000_000), ("\"2554-07-21T23:34:33.710Z\"", nil),
            ("\"9999-12-31T23:59:59.999Z\"", nil), ("\"1970-01-01T00:00:00.000Z\"", nil),
            ("\"1969-12-31T23:59:59.999Z\"", nil), ("\"0000-01-01T00:00:00.000Z\"", nil),
            ("\"2026-02-29T00:00:00.000Z\"", nil), ("\"2026-01-01T24:00:00.000Z\"", nil),
            ("\"2026-01-01T00:00:60.000Z\"", nil), ("\"2026-01-01T00:00:00Z\"", nil),
            ("\"2026-01-01T00:00:00.000+\"", nil), ("\"٢٠٢٦-01-01T00:00:00\"", nil),
            ("\"2026-01-01 00:00:00.000Z\"", nil),
            ("1793000000", nil), ("null", nil),
        ] as [(String, UInt64?)])
    func times(json: String, time: UInt64?) throws {
        let log = try Self.encode(["{\"occurred_at\":\(json),\"n\":1}"])[0]
        #expect(log.time == time)
        #expect(log.attributes.keys.sorted() == (time == nil ? ["n", "occurred_at"] : ["n"]))
        #expect(log.body == nil)
    }

    // MARK: Unreadable records

    private static let unreadableTexts: [String] = [
        "", "{", "{}", "null", "[]", "nonsense", "{\"a\":1", "{\"a\":1}}", "{\"a\":1}{\"a\":1}", "{\"a\":1,}",
        "{\"a\" 1}", "{\"a\":}", "{a:1}", "{\"a\":[1}", "{\"a\":[1,]}", "{\"a\":[,]}", "{\"a\":tru}",
        "{\"a\":truee}", "{\"a\":nul}", "{\"a\":t", "{\"a\":NaN}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}",
        "{\"a\":-}", "{\"a\":+1}", "{\"a\":1e}", "{\"a\":0x1}", "{\"a\":\"\t\"}", "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"\\", "{\"a\":\"\\u", "{\"a\":\"",
        // A type that OTLP does not have.
        "{\"a\":9223372036854775808}", "{\"a\":-9223372036854775809}", "{\"a\":1e309}", "{\"a\":-1e999999}",
        // Half a surrogate pair.
        "{\"a\":\"\\ud83c\"}", "{\"a\":\"\\ud83cx\"}", "{\"a\":\"\\ud83c\\n\"}", "{\"a\":\"\\ud83c\\ud83c\"}",
        "{\"a\":\"\\udf46\"}", "{\"event_name\":\"\\ud83c\"}",
        // Names that are not unique, or that two parsers may compare differently.
        "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}", "{\"\":1}",
        // Other values.
        "{\"a\":{\"b\":1}}", "{\"a\":\0}",
    ]

    /// Bytes that are not UTF-8, in a string: an invalid byte, half a surrogate pair, and three quarters of a scalar.
    private static let invalidTexts: [[UInt8]] = [[0xFF], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x8D]]

    private static var unreadable: [[UInt8]] {
        let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        let endless = String(repeating: "[", count: 500_000)
        let texts = (unreadableTexts + ["{\"a\":\(deep)}", "{\"a\":\(endless)"]).map { Array($0.utf8) }
        let quoted = invalidTexts.map { Array("{\"a\":\"".utf8) + $0 + Array("\"}".utf8) }
        let others: [[UInt8]] = [[0], [0xFF, 0xFE]]
        return texts + quoted + others
    }

    @Test("A record that is not readable arrives as the bytes of a body, and its neighbours are not affected")
    func unreadableRecordsAreKept() throws {
        let good = Array("{\"n\":1}".utf8)
        let records = Self.unreadable.flatMap { [$0, good] }
        let logs = try Self.read(BatchEncoding.otlp(resource: [:]).body(records)).records
        try #require(logs.count == records.count)
        for (index, record) in records.enumerated() {
            let expected =
                index % 2 == 0
                ? LogRecord(severity: 13, body: .bytes(Data(record)))
                : LogRecord(attributes: ["n": .integer(1)], severity: 9)
            #expect(logs[index] == expected, "\(String(decoding: record.prefix(100), as: UTF8.self))")
        }
    }

    private static let whole = ActivityTracking.LogRecord(
        RecipeSearch.search(keyword: "なす\\🍆", order: .popular, tags: ["a"], resultCount: 3, elapsed: 2.5)
    ).json

    /// Every prefix of a record, and the record with each byte changed, except to a newline, which a store excludes.
    private static func damaged(_ dice: inout SeededGenerator) -> [[UInt8]] {
        var damaged = (0..<whole.count).map { Array(whole[..<$0]) }
        for index in whole.indices {
            var copy = whole
            copy[index] = UInt8.random(in: 0x0B...255, using: &dice)
            damaged.append(copy)
        }
        return damaged
    }

    @Test("Every prefix and every changed byte of a record is readable, or arrives as a body")
    func damagedRecordsAreKept() throws {
        var dice = SeededGenerator(seed: 7)
        let damaged = Self.damaged(&dice)
        let logs = try Self.read(BatchEncoding.otlp(resource: [:]).body(damaged)).records
        try #require(logs.count == damaged.count)
        for (log, bytes) in zip(logs, damaged) where log.body != nil { #expect(log.body == .bytes(Data(bytes))) }
        // A prefix is never a record. A record with another letter in a string is one.
        #expect(logs.prefix(Self.whole.count).allSatisfy { $0.body != nil })
        #expect(logs.contains { $0.body == nil })
    }

    // MARK: Random records

    @Test("Random records of random definitions are read back with their types and values")
    func randomRecords() throws {
        var dice = SeededGenerator(seed: 1)
        for _ in 0..<Depth.cases(50, deep: 1_500) {
            let batch = RandomRecords(&dice)
            let logs = try Self.read(BatchEncoding.otlp(resource: [:]).body(batch.records)).records
            try #require(logs.count == batch.logs.count)
            for (log, expected) in zip(logs, batch.logs) { #expect(log == expected) }
        }
    }

    /// Records of one random definition, and the expected log records.
    struct RandomRecords {
        private(set) var records: [[UInt8]] = []
        private(set) var logs: [LogRecord] = []

        private enum Kind { case text, bool, integer, number, float, list }

        init(_ dice: inout SeededGenerator) {
            var columns: [(name: String, kind: Kind, items: Kind)] = []
            let kinds: [Kind] = [.text, .bool, .integer, .number, .float]
            for index in 0..<Int.random(in: 0...12, using: &dice) {
                let kind = (kinds + [.list]).randomElement(using: &dice) ?? .text
                columns.append(
                    ("\(["column", "列", "x"][index % 3])_\(index)", kind, kinds.randomElement(using: &dice) ?? .text))
            }
            for _ in 0..<5 {
                var log = LogRecord(severity: 9)
                let milliseconds = Int64.random(in: 1...4_000_000_000_000, using: &dice)
                let time = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
                var members: [(String, [UInt8])] = []
                for (name, text) in [
                    ("event_id", UUID().uuidString), ("event_category", "feed"), ("event_name", "see_card"),
                    ("schema_version", "1-0-0"),
                ] {
                    members.append((name, text.json))
                    log.attributes[name] = .text(text)
                }
                members.append(("occurred_at", time.json))
                log.time = UInt64(milliseconds) * 1_000_000
                log.eventName = "feed.see_card"
                for column in columns where Int.random(in: 0..<5, using: &dice) > 0 {
                    let (json, value) = Self.value(column.kind, column.items, &dice)
                    members.append((column.name, json))
                    log.attributes[column.name] = value
                }
                let texts = members.map { Array("\"\($0.0)\":".utf8) + $0.1 }
                records.append(Array("{".utf8) + texts.joined(separator: Array(",".utf8)) + Array("}".utf8))
                logs.append(log)
            }
        }

        private static func value(_ kind: Kind, _ items: Kind, _ dice: inout SeededGenerator) -> ([UInt8], Value) {
            switch kind {
            case .text:
                let alphabet = [
                    "a", "é", "なす", "🍆", "\"", "\\", "\n", "\u{0}", "\u{1F}", "\u{7F}", "\u{2028}", "/", "</script>",
                ]
                let text = (0..<Int.random(in: 0...8, using: &dice)).map { _ in
                    alphabet.randomElement(using: &dice) ?? ""
                }.joined()
                return (text.json, .text(text))
            case .bool:
                let flag = Bool.random(using: &dice)
                return (flag.json, .bool(flag))
            case .integer:
                let wide = Int64(bitPattern: dice.next()) >> Int64.random(in: 0...63, using: &dice)
                let number = [wide, .min, .max, 0].randomElement(using: &dice) ?? 0
                return (number.json, .integer(number))
            case .number:
                let number = double(&dice)
                return (number.json, number.isFinite ? .number(number) : .null)
            case .float:
                let number = Float(double(&dice))
                // A float is written with the digits that identify it among floats.
                return (number.json, number.isFinite ? .number(Double(number.description) ?? 0) : .null)
            case .list:
                let all = (0..<Int.random(in: 0...4, using: &dice)).map { _ in value(items, items, &dice) }
                let json = Array("[".utf8) + all.map(\.0).joined(separator: Array(",".utf8)) + Array("]".utf8)
                return (json, .list(all.map(\.1)))
            }
        }

        private static func double(_ dice: inout SeededGenerator) -> Double {
            let wild = Double(bitPattern: dice.next())
            let whole = Double(Int64.random(in: -1_000_000...1_000_000, using: &dice))
            let numbers = [wild, whole, whole / 8, whole * 1e12, 1e16, 1e15, -0.0, 1e308, .infinity, .nan]
            return numbers.randomElement(using: &dice) ?? 0
        }
    }

    // MARK: An independent receiver

    private static let needs: Comment = "it needs PyPI's opentelemetry-proto: the stage `explorations` runs it"
    private static let receiver = Tool.repository.appendingPathComponent("Tests/Oracles/otlp.py")

    @Test(
        "The code that OpenTelemetry generates from its definitions reads the same records",
        .enabled(if: Depth.isDeep, needs))
    func independentReceiver() throws {
        var dice = SeededGenerator(seed: 2)
        var batches = (0..<Depth.cases(1, deep: 400)).map { _ in RandomRecords(&dice).records }
        batches += [Self.unreadable, Self.damaged(&dice)]
        let encoding = BatchEncoding.otlp(resource: ["service.name": "test", "n": 1, "list": [1.0, 2.5]])
        let newline: [UInt8] = [0x0A]
        let scratch = try Scratch()
        try scratch.write(Data(try batches.flatMap { try encoding.body($0) + newline }), to: "bodies")
        try scratch.write(Data(batches.joined().flatMap { $0 + newline }), to: "records")
        let same = try Tool.command(["python3", Self.receiver.path, "bodies", "records"], in: scratch.url)
        #expect(same.code == 0, "\(same.error)")
        // The receiver finds a value of another type.
        let records = batches.joined().map { String(decoding: $0, as: UTF8.self) }
        let index = try #require(records.firstIndex { $0.contains(".0,\"") })
        let other = records[index].replacingOccurrences(of: ".0,\"", with: ",\"")
        try scratch.write((records[..<index] + [other]).joined(separator: "\n") + "\n", to: "others")
        let different = try Tool.command(["python3", Self.receiver.path, "bodies", "others"], in: scratch.url)
        #expect(different.code == 1)
    }

    @Test(
        "Killed processes lose nothing in front of a receiver of OTLP with faulty answers",
        .enabled(if: Depth.isDeep, needs))
    func torture() throws {
        let scratch = try Scratch()
        let output = Pipe()
        let server = try Tool.start(
            URL(fileURLWithPath: "/usr/bin/env"), ["python3", Self.receiver.path, "--listen"], in: scratch.url,
            output: output)
        // A process of a test ignores SIGTERM.
        defer { kill(server.processIdentifier, SIGKILL) }
        var line = ""
        while !line.hasSuffix("\n") {
            let bytes = output.fileHandleForReading.availableData
            try #require(!bytes.isEmpty, "the receiver ended")
            line += String(decoding: bytes, as: UTF8.self)
        }
        let address = "http://127.0.0.1:\(try #require(Int(line.dropLast())))"
        let torture = Tool.executable(named: "outbox-torture")
        let rounds = Depth.cases(1, deep: 4)
        let received = scratch.url.appendingPathComponent("received.ndjson").path
        let result = try Tool.launch(
            torture, ["--rounds", "\(rounds)", "--seed", "4", "--late", "--otlp", address, "--received", received],
            in: scratch.url)
        #expect(result.code == 0, "\(result.out)\(result.error)")
        #expect(result.out.contains(" 0 lost"))
        // The records have the types of their definitions.
        let definitions = Tool.repository.appendingPathComponent("Definitions").path
        let validation = try Tool.run("validate", definitions, received, in: scratch.url)
        #expect(validation.code == 0, "\(validation.out.suffix(2000))\(validation.error)")
    }

    // MARK: The request

    @Test("The attributes of the resource have the types of their values") func resources() throws {
        let encoding = BatchEncoding.otlp(resource: [
            "service.name": "re\"cipes\n", "build": 7, "scale": 2.0, "is_beta": true, "tags": ["a", "b"],
            "started": Date(timeIntervalSince1970: 0), "quote\"d": Int64.min, "nan": Double.nan,
        ])
        let body = try encoding.body([Array("{\"n\":1}".utf8)])
        #expect(
            try Self.read(body).resource == [
                "service.name": .text("re\"cipes\n"), "build": .integer(7), "scale": .number(2), "is_beta": .bool(true),
                "tags": .list([.text("a"), .text("b")]), "started": .text("1970-01-01T00:00:00.000Z"),
                "quote\"d": .integer(.min), "nan": .null,
            ])
        #expect(try encoding.body([Array("{\"n\":1}".utf8)]) == body, "the attributes have no fixed order")
    }

    @Test("An array that is nested too deeply for OTLP becomes an empty attribute of the resource")
    func deepResource() throws {
        let deep = [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]
        let body = try BatchEncoding.otlp(resource: ["deep": deep, "service.name": "a"]).body([Array("{\"n\":1}".utf8)])
        #expect(try Self.read(body).resource == ["deep": .null, "service.name": .text("a")])
    }

    @Test(
        "Encoding takes linear time in the length of strings, in the number of members and in that of records",
        arguments: [0, 1, 2, 3])
    func linearTime(shape: Int) {
        let encoding = BatchEncoding.otlp(resource: [:])
        let ratio = Growth.ofFourTimes(Depth.limit(10_000, deep: 20_000)) { size in
            let records: [[UInt8]] =
                switch shape {
                case 0: [Array("{\"a\":\"\(String(repeating: "\\ud83c\\udf46", count: size))\"}".utf8)]
                case 1: [Array("{\((0..<size).map { "\"n\($0)\":1" }.joined(separator: ","))}".utf8)]
                case 2: Array(repeating: Array("{\"a\":1}".utf8), count: size)
                // Not closed, so that it is read to its end and then kept as bytes.
                default: [Array("{\"a\":[\(String(repeating: "1,", count: size))".utf8)]
                }
            _ = try? encoding.body(records)
        }
        #expect(ratio < 10)
    }
}

/// The members of a request that loggen writes.
private struct Request: Decodable {
    struct ResourceLogs: Decodable {
        struct Resource: Decodable { var attributes: [Attribute] }
        var resource: Resource
        var scopeLogs: [ScopeLogs]
    }

    struct ScopeLogs: Decodable {
        struct Record: Decodable {
            var attributes: [Attribute]?
            var timeUnixNano: String?
            var eventName: String?
            var severityNumber: Int
            var body: AnyValue?
        }
        var scope: [String: String]
        var logRecords: [Record]
    }

    struct Attribute: Decodable {
        var key: String
        var value: AnyValue?
    }

    struct AnyValue: Decodable {
        struct List: Decodable { var values: [AnyValue] }
        var stringValue: String?
        var boolValue: Bool?
        var intValue: String?
        var doubleValue: Double?
        var bytesValue: Data?
        var arrayValue: List?

        func value() throws -> OTLPTests.Value {
            var values: [OTLPTests.Value] = []
            if let stringValue { values.append(.text(stringValue)) }
            if let boolValue { values.append(.bool(boolValue)) }
            if let intValue { values.append(.integer(try #require(Int64(intValue)))) }
            if let doubleValue { values.append(.number(doubleValue)) }
            if let bytesValue { values.append(.bytes(bytesValue)) }
            if let arrayValue { values.append(.list(try arrayValue.values.map { try $0.value() })) }
            #expect(values.count <= 1)
            return values.first ?? .null
        }
    }

    var resourceLogs: [ResourceLogs]
}
