@_spi(GeneratedCode) import ActivityTracking
import ActivityTrackingTesting
import Foundation
import LogTypes
import LogValidation
import Testing

/// Tests of the validation of records against the compiled definitions.
struct ExpectValidTests {
    static let valid = String(decoding: LogRecordTests.record(LogRecordTests.everything()).json, as: UTF8.self)

    /// Returns the violations of JSON records by the compiled definitions, one per line.
    static func violations(_ json: String) -> [String] {
        var judge = RecordEvaluator(
            RecordRules(EventDescription.all(of: [Example.definition], common: ExampleColumns.definition)))
        return judge.judge(RecordChunk(lines: Array(json.utf8))).violations.map { "line \($0.line): \($0)" }
    }

    /// Returns the valid record with the value of one member replaced.
    static func changed(_ column: String, _ value: String) throws -> String {
        let start = try #require(valid.range(of: "\"\(column)\":"))
        let rest = valid[start.upperBound...]
        var depth = 0
        var isText = false
        let end = try #require(
            rest.firstIndex { character in
                if character == "\"" { isText.toggle() }
                if isText { return false }
                if character == "[" { depth += 1 }
                if character == "]" { depth -= 1 }
                return depth < 0 || (depth == 0 && character == ",") || character == "}"
            })
        return valid[..<start.upperBound] + value + valid[end...]
    }

    @Test("Posted records are valid")
    func recordsThatWerePostedAreValid() throws {
        let logs = RecordingDestination()
        let logger = ActivityLogger(common: { ExampleColumns(self: "ok") }, destinations: [logs])
        logger.post(LogRecordTests.everything())
        logger.post(Example.nothing())
        logger.post(Example.one(self: 1))
        try expectValid(logs.records)
        // Without common columns, and together with events that have some.
        try expectValid([LogRecord(Example.empty)] + logs.records)
    }

    @Test("A failure names the record, event, column, value and document of each violation")
    func aFailureNamesRecordEventColumnValueAndPlace() {
        let records = [
            LogRecordTests.record(.one(self: 1)),
            LogRecordTests.record(LogRecordTests.everything(count: 101, name: "茄子と豚肉と")),
            LogRecord(Example.one(self: 1), common: ExampleColumns(userId: ExampleRecipeID(0), self: "long")),
        ]
        let failure = #expect(throws: InvalidRecords.self) {
            try expectValid(records, file: "AppTests/SearchTests.swift", line: 12)
        }
        #expect(
            failure?.description == """
                AppTests/SearchTests.swift:12: 2 of 3 records break their definitions
                record 2: example.everything: count: 101 is above 100 [example.md]
                record 2: example.everything: name: "茄子と豚肉と" is longer than 5 characters [example.md]
                record 3: example.one: user_id: 0 is below 1 [common.md]
                record 3: example.one: self: "long" is longer than 3 characters [common.md]
                """)
    }

    @Test("Input without records is a failure") func noRecordsAreAFailure() {
        let failure = #expect(throws: InvalidRecords.self) { try expectValid([], file: "T/A.swift", line: 1) }
        #expect(failure?.description == "T/A.swift:1: no records: nothing has been checked")
    }

    /// For each rule, a change of a valid record that breaks it.
    @Test(
        "A value that breaks its column's rule is reported with the value and the rule",
        arguments: [
            ("flag", "1", "1 is not true or false (`bool`)"), ("tiny", "-129", "-129 is below -128"),
            ("small", "32768", "32768 is above 32767"),
            ("medium", "11", "11 is above 10"), ("large", "1.5", "1.5 is not a whole number (`int64`)"),
            ("count", "-1", "-1 is below 0"),
            ("count", "null", "null is not allowed for a required value"), ("byte", "256", "256 is above 255"),
            ("ratio", "0.11", "0.11 is above 0.1"),
            ("price", "-1e-300", "-1e-300 is below 0"),
            ("name", #""abcdef""#, #""abcdef" is longer than 5 characters"#),
            ("code", #""ああ""#, #""ああ" is longer than 5 bytes"#),
            ("day", #""2026-02-29""#, #""2026-02-29" is not a date, such as 2026-04-01"#),
            ("at", #""2026-04-01""#, #""2026-04-01" is not a time, such as 2026-04-01T12:34:56.789Z"#),
            ("key", #""7""#, #""7" is not a UUID"#),
            ("link", #""/a""#, #""/a" is not a URL with its scheme"#),
            ("mood", #""so_so""#, #""so_so" is not one of the values; did you mean `so-so`?"#),
            ("order", "7", "7 is not a string (`ExampleOrder`)"), ("recipe", "0", "0 is below 1"),
            ("external", "[]", "[] is not a string, a number, true or false (`ExternalKind`)"),
            ("tags", "[]", "[] is empty"),
            ("tags", #"["a","b","c"]"#, #"["a","b","c"] has more than 2 items"#),
            ("grid", "[[1],[10]]", "10 is above 9"),
            ("orders", #"["newest",null]"#, "null is not allowed for a required value"),
        ])
    func invalidColumnIsReported(_ column: String, _ value: String, _ message: String) throws {
        #expect(
            try Self.violations(Self.changed(column, value)) == [
                "line 1: example.everything: \(column): \(message) [example.md]"
            ])
    }

    @Test(
        "A member of the envelope that breaks a rule is reported",
        arguments: [
            (
                "event_category", #""exmple""#,
                "event_category: the category `exmple` is not defined; did you mean `example`?"
            ),
            (
                "event_name", #""every_thing""#,
                "event_name: the category `example` has no event `every_thing`; did you mean `everything`?"
            ),
            (
                "schema_version", #""1-0-1""#,
                "example.everything: schema_version: the version 1-0-1 is not locked; locked versions are 1-0-2 [example.md]"
            ),
            (
                "occurred_at", "0",
                "example.everything: occurred_at: 0 is not a time, such as 2026-04-01T12:34:56.789Z (`timestamp`) "
                    + "[example.md]"
            ),
        ])
    func invalidMemberOfTheEnvelopeIsReported(_ field: String, _ value: String, _ message: String) throws {
        let found = try Self.violations(Self.changed(field, value))
        #expect(found.count == 1 && found[0].hasPrefix("line 1: "))
        #expect(found.first?.dropFirst("line 1: ".count).description == message)
    }

    @Test("A missing or undeclared column is named") func aColumnThatIsMissingOrNotDeclaredIsNamed() {
        let missing = Self.valid.replacingOccurrences(of: "\"count\":0,", with: "")
        #expect(Self.violations(missing) == ["line 1: example.everything: count: it is missing [example.md]"])
        #expect(
            Self.violations(Self.valid.replacingOccurrences(of: "\"count\":0,", with: "\"count\":0,\"cuont\":0,"))
                == [
                    "line 1: example.everything: cuont: the definition has no such column; did you mean `count`? "
                        + "[example.md]"
                ])
    }

    @Test("Input that is not a record is reported with its line") func invalidRecordsAreNamedByTheirLine() {
        #expect(
            Self.violations("\(Self.valid)\n\n{\"a\n\(Self.valid.dropLast())\n7\n\(Self.valid)") == [
                "line 3: invalid JSON: a string is not closed (byte 4)",
                "line 4: invalid JSON: the record is cut off (byte \(Self.valid.utf8.count))",
                "line 5: 7 is not a record: a record is a JSON object",
            ])
    }

    @Test("JSON of an unlisted category is a failure, and so is a retired event")
    func eventsOfCategoriesThatWereNotGivenFail() throws {
        struct Other: LogCategory {
            static let definition = LogDefinition("other\n.open|1-0-0\n.shut|1-0-0|retired")
            var number = 0
            func encode(into encoder: LogEncoder) { encoder.event(number) }
        }
        let record = LogRecord(Other(), common: ExampleColumns(self: "ok"))
        let json = String(decoding: record.json, as: UTF8.self)
        #expect(Self.violations(json) == ["line 1: event_category: the category `other` is not defined"])
        try expectValid([record])
        let failure = #expect(throws: InvalidRecords.self) { try expectValid([LogRecord(Other(number: 1))]) }
        #expect(failure?.violations == ["record 1: other.shut: event_name: the event is retired [other.md]"])
    }

    /// A test that expects violations reads `violations` of the record instead.
    @Test("A record that declares violations is a failure") func recordsThatDeclareViolationsFail() throws {
        let timeless = LogRecord(
            Example.one(self: 1), common: ExampleColumns(self: "ok"), occurredAt: Date(timeIntervalSince1970: .infinity)
        )
        let infinite = LogRecord(Example.nothing(price: .infinity), common: ExampleColumns(self: "ok"))
        let redacted = LogRecordTests.record(LogRecordTests.everything()).removing(["count"])
        let failure = #expect(throws: InvalidRecords.self) { try expectValid([timeless, infinite, redacted]) }
        #expect(
            failure?.violations == [
                "record 1: example.one: occurred_at: format, from the record's `violations`",
                "record 2: example.nothing: price: type, from the record's `violations`",
                "record 3: example.everything: count: it is missing [example.md]",
                "record 3: example.everything: count: redacted, from the record's `violations`",
            ])
    }

    @Test("A failure prints twenty violations and the number of the others") func aThousandViolationsPrintTwenty() {
        let records = (0..<1000).map { LogRecordTests.record(LogRecordTests.everything(count: 101 + $0)) }
        let failure = #expect(throws: InvalidRecords.self) { try expectValid(records) }
        #expect(failure?.violations.count == 1000)
        let lines = failure?.description.split(separator: "\n") ?? []
        #expect(lines.count == 22)
        #expect(lines.first?.hasPrefix("ActivityTrackingTests/ExpectValidTests.swift:") == true)
        #expect(lines.last == "and 980 more violations")
    }
}
