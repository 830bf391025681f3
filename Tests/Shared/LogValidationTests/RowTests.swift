import Foundation
import LogDefinitions
import LogValidation
import LogWarehouse
import Testing
import TestSupport

/// Compares the rows of tables with the records that they are made from.
struct RowTests {
    private static func routed(
        _ records: [String], limits: RecordTables.Limits? = nil, isStream: Bool = false
    ) async throws -> [[String]] {
        let model = try await ProbeDefinitions.model()
        let tables = RecordTables(
            SQLScript(model, .duckdb, tables: .event).tables.map { table in
                .init(
                    name: table.name, events: table.events,
                    columns: table.columns.map { .init(field: $0.field, name: $0.name, versions: $0.versions) })
            }, bad: SQLTable.bad, limits: limits)
        let interest = RecordInterest(routing: isStream ? .stream(tables) : .split(tables))
        var judge = RecordEvaluator(RecordRules(EventDescription.all(of: model)), interest)
        let report = judge.judge(RecordChunk(lines: Array(records.joined(separator: "\n").utf8)))
        return report.rows.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
    }

    private static func record(_ columns: String) -> String {
        #"{"event_id":"01890a5d-ac96-774b-bcce-b302099a8057","event_category":"probe","event_name":"one_of_each","schema_version":"1-0-0","#
            + #""occurred_at":"2026-04-01T12:34:56.789Z","user_id":7,\#(columns)}"#
    }

    private static func rows(_ record: String, _ limits: RecordTables.Limits? = nil) async throws -> [String] {
        try await routed([record], limits: limits).flatMap { $0 }
    }

    private static func object(_ text: String) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }

    @Test("A record that every JSON reader reads alike is copied as its row")
    func plainRecordsAreCopied() async throws {
        let record = Self.record(#""text":"a\n\u7d75 絵", "number" : 1.5e3 ,"int8":-5"#)
        #expect(try await Self.rows(record) == [record])
        #expect(try await Self.rows("  " + record + " \r") == [record + " "])
    }

    @Test(
        "A value has one spelling in a row",
        arguments: [
            (#""int8":1.0"#, "int8", "1"), (#""int8":1.2e1"#, "int8", "12"), (#""int8":-0"#, "int8", "0"),
            (#""int64":-9223372036854775808"#, "int64", "-9223372036854775808"),
            (#""int8":1,"int8":2"#, "int8", "2"), (#""pair":[1e0, -0.0]"#, "pair", "[1,0]"),
            (#""number":1e-400"#, "number", "0.0"),
            (#""number":0.1000000000000000055511151231257827"#, "number", "0.1"),
            (#""te\u0078t":"a""#, "text", #""a""#),
            (#""int8":\#("\r")7"#, "int8", "7"), (#""day":"2026\u002d04-01""#, "day", #""2026-04-01""#),
            (#""amount":"1\u002e5""#, "amount", #""1.5""#),
            (#""key":"01890a5d\u002dac96-774b-bcce-b302099a8057""#, "key", #""01890a5d-ac96-774b-bcce-b302099a8057""#),
        ])
    func valuesHaveOneSpelling(_ columns: String, _ name: String, _ value: String) async throws {
        let row = try #require(try await Self.rows(Self.record(columns)).first)
        #expect(row.hasSuffix(",\"\(name)\":\(value)}"), "\(row)")
        #expect(row.components(separatedBy: "\"\(name)\"").count == 2)
    }

    @Test("A value of an earlier version's type goes into the column of that type")
    func olderTypesHaveTheirColumn() async throws {
        let old = Self.record(#""count":"12""#).replacing("one_of_each", with: "grown")
        let row = try Self.object(try #require(try await Self.rows(old).first))
        #expect(row["count_v1"] as? String == "12" && row["count"] == nil)
    }

    @Test("A bad record is stored as a string, with its names and each violation")
    func badRecordsKeepTheirText() async throws {
        let record = Self.record(#""int8":1000,"text3":"\"\\絵絵絵絵""#)
        let rows = try await Self.routed([record, "\u{1}{", Self.record(#""violations":["a: type"]"#)])
        let last = try #require(rows.last)
        let bad = try last.map { try Self.object($0) }
        #expect(bad.map { $0["record"] as? String } == [record, "\u{1}{", Self.record(#""violations":["a: type"]"#)])
        #expect(
            bad.map { $0["violations"] as? [String] } == [
                ["int8: maximum", "text3: maxLength"], ["record: json"], ["violations: declared"],
            ])
        #expect(bad.map { $0["event_name"] as? String } == ["one_of_each", nil, "one_of_each"])
        #expect(rows.dropLast().allSatisfy { $0.isEmpty })
    }

    @Test("Invalid UTF-8 in a bad record becomes U+FFFD in its row")
    func brokenBytesAreReplaced() async throws {
        let model = try await ProbeDefinitions.model()
        var judge = RecordEvaluator(
            RecordRules(EventDescription.all(of: model)),
            RecordInterest(routing: .split(RecordTables([], bad: "bad", limits: nil)))
        )
        let report = judge.judge(RecordChunk(lines: [0x7B, 0xFF, 0x00, 0x7D]))
        #expect(try Self.object(String(decoding: report.rows[0], as: UTF8.self))["record"] as? String == "{\u{FFFD}\0}")
    }

    @Test("A bad record longer than the engine's limit is cut, and gets a `storage` violation")
    func longTextsAreCut() async throws {
        let limits = RecordTables.Limits(engine: "DuckDB", longestRecord: 1 << 17)
        func row(_ columns: String) async throws -> NSDictionary {
            try Self.object(try #require(try await Self.rows(Self.record(columns), limits).first))
        }
        let kept = Self.record(#""int8":1000,"text":"\#(String(repeating: "a", count: 100_000))""#)
        #expect(try Self.object(try #require(try await Self.rows(kept, limits).first))["record"] as? String == kept)
        let cut = try await row(#""int8":1000,"text":"\#(String(repeating: "絵", count: 100_000))""#)
        let text = try #require(cut["record"] as? String)
        #expect(text.hasSuffix("…") && text.utf8.count > 20_000 && text.utf8.count < 30_000)
        #expect(cut["violations"] as? [String] == ["int8: maximum", "record: storage"])
        let name = Self.record(#""int8":1"#).replacing("one_of_each", with: String(repeating: "n", count: 5000))
        #expect(
            (try Self.object(try #require(try await Self.rows(name, limits).first))["event_name"] as? String)?.utf8
                .count == 1027)
    }

    private static let postgresql = RecordTables.Limits(
        engine: "PostgreSQL", allowsNull: false, years: 1...9999, longestRecord: 4000)

    @Test(
        "A valid record that the engine cannot store is a bad record",
        arguments: [
            (#""text":"a\u0000""#, ["text: storage"]), (#""tags":["a","\ud800"]"#, ["tags: storage"]),
            (#""text":"\udc00\ud800""#, ["text: storage"]),
            (#""day":"0000-01-01""#, ["day: storage"]),
            (#""number":1e400,"text":"\u0000""#, ["text: storage", "number: storage"]),
            (#""text":"\#(String(repeating: "a", count: 4000))""#, ["record: storage"]),
            // The engine can store these.
            (#""text":"\ud83c\udf73 \\u0000 \\ud800""#, nil), (#""day":"0001-01-01""#, nil), (#""number":1e308"#, nil),
            (#""number":null,"tags":[]"#, nil),
        ] as [(String, [String]?)])
    func limitsOfTheEngine(_ columns: String, _ violations: [String]?) async throws {
        let row = try Self.object(try #require(try await Self.rows(Self.record(columns), Self.postgresql).first))
        #expect(row["violations"] as? [String] == violations)
        #expect(try await Self.rows(Self.record(columns)).first?.contains("violations") == false)
    }

    @Test("A stream has a line per record, in order; without an engine, valid records are unchanged")
    func streamsKeepTheOrder() async throws {
        let records = [
            Self.record(#""int8":1.0,"int8":2.0"#), "x", Self.record(#""int8":3"#), "",
            Self.record(#""int8":\#("\r")4"#),
        ]
        let lines = try #require(try await Self.routed(records, isStream: true).first)
        #expect(lines.count == 4)
        #expect(lines[0] == #"{"table":"probe__one_of_each","record":\#(records[0])}"#)
        #expect(
            lines[1]
                == #"{"table":"bad_records","record":"x","event_category":null,"event_name":null,"schema_version":null,"violations":["record: json"]}"#
        )
        #expect(lines[3] == #"{"table":"probe__one_of_each","record":\#(Self.record(#""int8": 4"#))}"#)
        let rows = try #require(try await Self.routed(records, limits: .init(engine: "Spark"), isStream: true).first)
        #expect(rows[0].hasSuffix(#""int8":2}}"#) && rows[0].components(separatedBy: "int8").count == 2)
    }

    @Test("Every random record is in one row, with its values if it is valid and unchanged if not")
    func randomRecords() async throws {
        var maker = DifferentialTests.Maker(random: SeededGenerator(seed: 38))
        let records = (0..<Depth.cases(1_000, deep: 4_000)).map { _ in maker.candidate().text }.filter {
            !$0.contains("\n")
        }
        let rows = try await Self.routed(records)
        let model = try await ProbeDefinitions.model()
        let validator = ProbeDefinitions.Validator(EventDescription.all(of: model))
        var (good, bad): ([String], [String]) = ([], [])
        for record in records where !record.allSatisfy({ " \t\r".contains($0) }) {
            if validator.violations(of: Array(record.utf8)).isEmpty, !record.contains("\"violations\"") {
                good.append(record)
            } else {
                bad.append(record)
            }
        }
        func trimmed(_ text: String) -> String { String(text.reversed().drop { $0 == "\r" }.reversed()) }
        let kept = try #require(rows.last).map { try Self.object($0)["record"] as? String }
        #expect(kept == bad.map(trimmed))
        #expect(rows.dropLast().reduce(0) { $0 + $1.count } == good.count)
        #expect(good.count > 200 && bad.count > 200)
    }
}
