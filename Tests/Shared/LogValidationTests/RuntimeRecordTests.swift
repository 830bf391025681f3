@_spi(GeneratedCode) import ActivityTracking
@testable import loggen
import ActivityTrackingTesting
import Foundation
import LogDefinitions
import LogOutputs
import LogProject
import LogTypes
import LogValidation
import Testing
import TestSupport

/// Compares the violations that the runtime notes in its records with those that the validator finds.
struct RuntimeRecordTests {
    /// Types that the facts spell differently: a bound beyond 2^53 is rounded, and a missing scale is 0.
    private static let spellings = [
        "wide": "double(-9007199254740993...9007199254740993)", "whole": "decimal(38)",
    ]

    /// Returns the document of the facts, with the type of each column as people write it.
    private static func document(_ title: String, _ facts: StaticString) throws -> String {
        let rows = try "\(facts)".split(separator: "\n").dropFirst(2).map { line in
            let parts = line.split(separator: "|")
            let type = try TypeNotation.parse(parts[1], .exact)
            let spelling = spellings["\(parts[0])"] ?? "\(type.type)\(type.isOptional ? "?" : "")"
            return "| \(parts[0]) | \(spelling) |\n"
        }
        return "# \(title)\n\n| column | type |\n| --- | --- |\n\(rows.joined())"
    }

    /// The types. The values of `Dish` are in the definitions, but its Swift type is in the app.
    static let types = """
        # types

        ## Dish

        | key | value |
        | --- | --- |
        | swift | AppDish |

        | value | description |
        | --- | --- |
        | が | |
        | tart | |

        ## RecipeID: int64(1...)

        ## Opaque

        | key | value |
        | --- | --- |
        | swift | AppOpaque |
        """

    struct Bound: LogCategory {
        static let facts: StaticString = """
            bound
            .each|1-0-0|active
            text|string
            text3|string(3)
            bytes4|string(4bytes)
            int8|int8
            int16|int16
            int32|int32
            int64|int64
            uint8|uint8
            uint16|uint16
            uint32|uint32
            percent|int(0...100)
            lowest|int(-9223372036854775808...-5)
            number|double
            share|double(0...0.1)
            ratio|float(-0.1...0.1)
            wide|double(-9007199254740992.0...9007199254740992.0)
            amount|decimal(5,2)
            cents|decimal(2,2)
            whole|decimal(38,0)
            flag|bool
            day|date
            time|timestamp
            key|uuid
            link|url
            order|enum(newest,popular)
            dish|Dish=enum(が,tart)
            recipe|RecipeID=int64(1...)
            opaque|Opaque=app
            tags|[string(3);1...2]
            dishes|[Dish=enum(が,tart);...1]
            links|[url]
            grid|[[int8(0...9);1...2];1...]
            sometimes|double?
            """
        static let definition = LogDefinition(facts)
        var values: [String: any LogValue & Sendable] = [:]

        func encode(into encoder: LogEncoder) {
            encoder.event(0)
            RuntimeRecordTests.encode(values, Self.definition, into: encoder)
        }
    }

    struct BoundCommon: LogColumns {
        static let facts: StaticString = """
            common
            .common
            user|int64(1...)
            locale|string(5bytes)
            """
        static let definition = LogDefinition(facts)
        var values: [String: any LogValue & Sendable] = [:]

        func encode(into encoder: LogEncoder) {
            encoder.event(0)
            RuntimeRecordTests.encode(values, Self.definition, into: encoder)
        }
    }

    /// Encodes the values of an event or of the common columns, by column. A missing value is left out.
    static func encode(
        _ values: [String: any LogValue & Sendable], _ definition: LogDefinition, into encoder: LogEncoder
    ) {
        for column in definition.events[0].columns {
            if let value = values[column.name] { encoder.value(value) } else { encoder.optionalDouble(nil) }
        }
    }

    struct Item: LogValue {
        var value: any LogValue & Sendable

        func encodeValue(into encoder: LogEncoder) { value.encodeValue(into: encoder) }
    }

    /// A value, and the rule that it violates, if any.
    typealias Probe = (value: any LogValue & Sendable, rule: LogViolation.Rule?)

    /// Returns values on both sides of every bound of a type, the first of which is valid.
    ///
    /// The switch is exhaustive, so a new type needs values to compile.
    static func probes(of type: LogValueType) throws -> [Probe] {
        switch type {
        case .string(let limits):
            var probes: [Probe] = [("", nil), ("\"\u{0}", nil)]
            if let length = limits.maxLength {
                probes += [
                    (String(repeating: "🍳", count: length), nil),
                    (String(repeating: "a", count: length + 1), .maxLength),
                    // One character in Swift, two for receivers.
                    (String(repeating: "e\u{301}", count: length), .maxLength),
                ]
            }
            if let bytes = limits.maxBytes {
                probes += [
                    (String(repeating: "a", count: bytes), nil), (String(repeating: "a", count: bytes + 1), .maxBytes),
                    (String(repeating: "a", count: bytes - 1) + "é", .maxBytes),
                ]
            }
            return probes
        case .integer(let integer):
            var probes: [Probe] = [(integer.range.lowerBound, nil), (integer.range.upperBound, nil)]
            if integer.range.lowerBound > .min {
                probes += [(integer.range.lowerBound - 1, .minimum), (Int64.min, .minimum)]
            }
            if integer.range.upperBound < .max {
                probes += [(integer.range.upperBound + 1, .maximum), (Int64.max, .maximum)]
            }
            return probes
        case .number(let number):
            let zero: any LogValue & Sendable = number.bits == 32 ? Float(0) : 0.0
            var probes: [Probe] = [
                (zero, nil), (Double.nan, .type), (Float.infinity, .type), (-Double.infinity, .type),
            ]
            func add(
                _ bound: Double?, _ rule: LogViolation.Rule, _ beyond: (Double) -> Double,
                _ beyondFloat: (Float) -> Float
            ) {
                guard let bound else {
                    // Without a bound, any finite double is valid.
                    return probes.append((rule == .minimum ? -1e300 : 1e300, nil))
                }
                probes += [(bound, nil), (beyond(bound), rule), (beyond(bound) * 2, rule)]
                if number.bits == 32 { probes += [(Float(bound), nil), (beyondFloat(Float(bound)), rule)] }
            }
            add(number.minimum, .minimum, { $0.nextDown }, { $0.nextDown })
            add(number.maximum, .maximum, { $0.nextUp }, { $0.nextUp })
            return probes
        case .decimal(let decimal):
            let step = Decimal(sign: .plus, exponent: -decimal.scale, significand: 1)
            let beyond = Decimal(sign: .plus, exponent: decimal.precision - decimal.scale, significand: 1)
            // A step that needs more than 38 digits would be rounded.
            return [
                (Decimal(0), nil), (beyond - step, nil), (step - beyond, nil), (step, nil), (beyond, .pattern),
                (-beyond, .pattern),
                (step / 10, .pattern), (-step / 10, .pattern), (Decimal.nan, .type),
            ]
        case .boolean: return [(true, nil), (false, nil)]
        case .date:
            return try [(0, 1, 1), (9999, 12, 31), (2000, 2, 29)].map {
                (try #require(LogDate(year: $0, month: $1, day: $2)), nil)
            }
        case .timestamp:
            return [
                (Date(timeIntervalSince1970: -62_167_219_200), nil),
                (Date(timeIntervalSince1970: 253_402_300_799.999), nil),
                (Date(timeIntervalSince1970: -62_167_219_200.001), .type),
                (Date(timeIntervalSince1970: 253_402_300_800), .type),
                (Date(timeIntervalSince1970: .nan), .type),
            ]
        case .uuid:
            return [(UUID(), nil), (try #require(UUID(uuidString: "ffffffff-ffff-ffff-ffff-ffffffffffff")), nil)]
        case .url:
            return [
                (try #require(URL(string: "https://例え.jp/a?b=茄子#c")), nil),
                (try #require(URL(string: "mailto:a@example.com")), nil),
                (try #require(URL(string: "/relative")), .format), (try #require(URL(string: "#a")), .format),
            ]
        case .enumeration(let enumeration):
            // If only the Swift type defines the values, every string is valid.
            guard !enumeration.values.isEmpty else { return [("newest", nil), ("popular", nil)] }
            return enumeration.values.map { ($0, nil) } + [
                ("?", .enum), ("", .enum),
                // Two spellings of one letter, which receivers treat as different strings.
                ("か\u{3099}", .enum),
            ]
        case .array(let list):
            let items = try probes(of: list.items)
            let count = max(1, list.minItems ?? 0)
            func some(_ count: Int, last: any LogValue & Sendable) -> [Item] {
                Array(repeating: Item(value: items[0].value), count: max(0, count - 1))
                    + (count > 0 ? [Item(value: last)] : [])
            }
            var probes: [Probe] = items.map { (some(count, last: $0.value), $0.rule) }
            if let least = list.minItems { probes.append((some(least - 1, last: items[0].value), .minItems)) }
            if let most = list.maxItems {
                probes += [(some(most, last: items[0].value), nil), (some(most + 1, last: items[0].value), .maxItems)]
            }
            return probes
        case .named(let named):
            // If the documents contain only the name of a type, it accepts every string, number and boolean.
            guard let base = named.base else { return [("a", nil), (Int64(1), nil), (1.5, nil), (true, nil)] }
            return try probes(of: base)
        }
    }

    static func model() async throws -> Model {
        Model(
            try await ProbeDefinitions.analyzed([
                "bound": document("bound\n\n## each", Bound.facts), "common": document("common", BoundCommon.facts),
                "types": types,
            ]))
    }

    /// Returns the violations that the validator finds without regard to the record's `violations` member.
    static func judged(_ record: LogRecord) async throws -> [String] {
        ProbeDefinitions.Validator(EventDescription.all(of: try await model()), refusesDeclared: true).violations(
            of: record.json
        )
        .map(\.entry)
    }

    @Test("The facts are those that loggen generates") func factsAreThoseThatLoggenWrites() async throws {
        let output = try #require(OutputRegistry.all.output(named: "swift"))
        let files = await OutputPlan(of: try await Self.model(), outputs: [OutputRequest(output, folder: "")]).files
            .compactMap { $0.make() }
        let literals = files.compactMap { file -> String? in
            let parts = String(decoding: file.bytes, as: UTF8.self).components(separatedBy: "\"\"\"")
            guard parts.count > 2 else { return nil }
            return parts[1].split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
                !$0.isEmpty
            }.joined(separator: "\n")
        }
        #expect(Set(literals) == ["\(Bound.facts)", "\(BoundCommon.facts)"])
    }

    /// Posts values on both sides of the bounds of every column, and validates the records with the documents and with
    /// the facts.
    @Test("The validator finds the violations that the runtime notes")
    func validatorFindsTheRuntimesViolations() async throws {
        let validator = ProbeDefinitions.Validator(
            EventDescription.all(of: try await Self.model()), refusesDeclared: true)
        let logs = RecordingDestination()
        var valid: [[String: any LogValue & Sendable]] = []
        for definition in [Bound.definition, BoundCommon.definition] {
            valid.append([:])
            for column in definition.events[0].columns {
                let first = try #require(try Self.probes(of: column.type).first)
                try #require(first.rule == nil)
                if column.isRequired { valid[valid.count - 1][column.name] = first.value }
            }
        }
        var broken: Set<LogViolation.Rule> = []
        var count = 0
        for (number, definition) in [Bound.definition, BoundCommon.definition].enumerated() {
            for column in definition.events[0].columns where column.isRequired {
                for probe in try Self.probes(of: column.type) {
                    var values = valid
                    values[number][column.name] = probe.value
                    let common = BoundCommon(values: values[1])
                    logs.clear()
                    ActivityLogger(common: { common }, destinations: [logs], report: { _ in }).post(
                        Bound(values: values[0]))
                    let record = try #require(logs.records.first)
                    let json = String(decoding: record.json, as: UTF8.self)
                    let expected = probe.rule.map { ["\(column.name): \($0.rawValue)"] } ?? []
                    #expect(record.violations.map(\.entry) == expected, "\(json)")
                    #expect(json.contains("\"violations\"") == (probe.rule != nil))
                    #expect(validator.violations(of: record.json).map(\.entry) == expected, "\(json)")
                    if let rule = probe.rule {
                        broken.insert(rule)
                        let failure = #expect(throws: InvalidRecords.self) { try expectValid(logs.records) }
                        #expect(failure?.violations.count == 1, "\(json)")
                    } else {
                        #expect(throws: Never.self) { try expectValid(logs.records) }
                    }
                    count += 1
                }
            }
        }
        #expect(count > 150)
        // The rules that a value can violate. Tests below cover the others.
        #expect(broken == Set(LogViolation.Rule.allCases).subtracting([.event, .column, .redacted]))
    }

    /// These violations are invisible to a receiver, or look different to it.
    @Test("Other violations are found as far as the record shows them")
    func theOthersAreSeenAsFarAsRecordsShowThem() async throws {
        struct Odd: LogCategory {
            static let definition = Bound.definition
            var number: Int
            var isLong = false

            func encode(into encoder: LogEncoder) {
                encoder.event(number)
                guard number == 0 else { return }
                for column in Self.definition.events[0].columns where column.isRequired {
                    if let value = try? RuntimeRecordTests.probes(of: column.type).first?.value { encoder.value(value) }
                }
                encoder.optionalDouble(.infinity)
                if isLong { encoder.bool(true) }
            }
        }
        let common = BoundCommon(values: ["user": 1, "locale": "ja"])
        // `null` replaces an optional value that is missing.
        let record = LogRecord(Odd(number: 0), common: common)
        #expect(record.violations.map(\.rule) == ["type"])
        #expect(try await Self.judged(record) == [])
        // The code has one more column than the definition. It is not in the record.
        let long = LogRecord(Odd(number: 0, isLong: true), common: common)
        #expect(long.violations.map(\.rule) == ["type", "column"])
        #expect(try await Self.judged(long) == [])
        // The code has one more event than the definition. The record does not name it.
        let unknown = LogRecord(Odd(number: 1), common: common)
        #expect(unknown.violations.map(\.rule) == ["event"])
        #expect(
            try await Self.judged(unknown) == [
                "event_category: required", "event_name: required", "schema_version: required", "occurred_at: required",
            ])
        // A time that a record cannot represent is replaced.
        let timeless = LogRecord(Odd(number: 0), common: common, occurredAt: Date(timeIntervalSince1970: .infinity))
        #expect(timeless.violations.map(\.entry) == ["occurred_at: format", "sometimes: type"])
        #expect(try await Self.judged(timeless) == [])
        let redacted = LogRecord(Odd(number: 0), common: common).removing(["key", "user"])
        #expect(redacted.violations.map(\.rule).suffix(2) == ["redacted", "redacted"])
        #expect(try await Self.judged(redacted) == ["user: required", "key: required"])
        // All of them fail in `expectValid`.
        for record in [record, long, unknown, timeless, redacted] {
            #expect(throws: InvalidRecords.self) { try expectValid([record]) }
        }
    }

    @Test("The runtime and the validator agree on random strings, URLs, numbers and decimals")
    func runtimeAndValidatorAgreeOnRandomValues() async throws {
        var generator = SeededGenerator(seed: 20)
        let pieces = [
            "https://", "http:", "a", "Z", "0", "9", "+", "-", ".", "_", "~", ":", "/", "?", "#", "[", "]", "@", "!",
            "$", "&", "'", "(", ")", "*",
            ",",
            ";", "=", "%", "%4", "%e3%81%82", "%zz", " ", "\"", "\\", "\u{0}", "\u{1F}", "\u{7F}", "é", "e\u{301}", "が",
            "か\u{3099}", "🍳", "👩‍👩‍👧‍👦",
            "\u{10FFFF}",
            "\u{2028}", "tart", "<", ">", "{", "}", "|", "^", "`",
        ]
        func text(_ longest: Int) -> String {
            (0..<Int.random(in: 0...longest, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
        }
        func amount(_ digits: Int) -> Decimal {
            Decimal(
                sign: Bool.random(using: &generator) ? .plus : .minus,
                exponent: Int.random(in: -4...4, using: &generator),
                significand: Decimal(Int.random(in: 0...digits, using: &generator)))
        }
        let columns = Bound.definition.events[0].columns.filter(\.isRequired)
        var valid: [String: any LogValue & Sendable] = [:]
        for column in columns { valid[column.name] = try Self.probes(of: column.type).first?.value }
        let common = BoundCommon(values: ["user": 1, "locale": "ja"])
        var records: [LogRecord] = []
        var urls = 0
        for _ in 0..<Depth.cases(300, deep: 1_500) {
            var values = valid
            values["text3"] = text(4)
            values["bytes4"] = text(4)
            values["dish"] = Bool.random(using: &generator) ? text(1) : "が"
            values["share"] = Double.random(in: -0.1...0.2, using: &generator)
            values["wide"] = Double(
                Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...20, using: &generator))
            values["number"] = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
            values["ratio"] = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
            values["amount"] = amount(200_000)
            values["cents"] = amount(200)
            values["percent"] = Int64.random(in: -100...200, using: &generator)
            values["time"] = Date(timeIntervalSince1970: Double.random(in: -7e10...3e11, using: &generator))
            values["key"] = UUID()
            if let url = URL(string: text(6)) {
                values["link"] = url
                urls += 1
            }
            records.append(LogRecord(Bound(values: values), common: common))
        }
        #expect(urls > 200)
        let rules = RecordRules(EventDescription.all(of: try await Self.model()))
        var judge = RecordEvaluator(rules, RecordInterest(wantsBadRecords: true, refusesDeclared: true))
        let bad = judge.judge(RecordChunk(lines: Array(records.map(\.json).joined(separator: [0x0A])))).badRecords
        let found = Dictionary(uniqueKeysWithValues: bad.map { ($0.line - 1, $0.violations.map(\.entry)) })
        var broken: [String: Int] = [:]
        for (index, record) in records.enumerated() {
            let noted = record.violations.map(\.entry)
            if noted != found[index] ?? [] {
                Issue.record("\(found[index] ?? []): \(String(decoding: record.json, as: UTF8.self))")
            }
            for entry in noted { broken[entry, default: 0] += 1 }
        }
        // Each of these occurred, but not always.
        for entry in [
            "text3: maxLength", "bytes4: maxBytes", "dish: enum", "share: maximum", "wide: minimum", "ratio: maximum",
            "ratio: type",
            "amount: pattern",
            "cents: pattern", "percent: minimum", "time: type", "link: format",
        ] {
            #expect(broken[entry].map { (1..<records.count).contains($0) } ?? false, "\(entry)")
        }
    }

    @Test("The runtime has a day exactly if a record may contain it") func daysAreThoseOfTheCalendar() async throws {
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: width - "\(number)".count) + "\(number)"
        }
        var lines: [UInt8] = []
        var dates: [LogDate?] = []
        for year in [0, 1, 4, 96, 100, 200, 399, 400, 1582, 1900, 1970, 1999, 2000, 2023, 2024, 2100, 2400, 9999] {
            for month in 0...13 {
                for day in 0...32 {
                    let text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
                    lines += ProbeDefinitions.record("one_of_each", ["day": "\"\(text)\""]).utf8 + [0x0A]
                    dates.append(LogDate(year: year, month: month, day: day))
                    if let date = dates.last, let date, date.description != text {
                        Issue.record("\(date) is not \(text)")
                    }
                }
            }
        }
        var judge = RecordEvaluator(try await ProbeDefinitions.validator().rules, RecordInterest(wantsBadRecords: true))
        let bad = Set(judge.judge(RecordChunk(lines: lines)).badRecords.map { $0.line - 1 })
        #expect(bad == Set(dates.indices.filter { dates[$0] == nil }))
        #expect(dates.count - bad.count == 18 * 365 + 7)
    }
}
