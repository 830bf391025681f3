import LogDefinitions
import LogTypes
import LogValidation
import Testing
import TestSupport

/// Tests of the violations of single records.
struct RecordValidatorTests {
    /// Such an enumeration defines its values only in its Swift type.
    @Test("An enumeration without values accepts every string") func anEnumerationWithoutValuesTakesEveryText() {
        let column = ColumnShape(name: "order", type: .array(.init(of: .enumeration([]))), isRequired: true)
        let validator = ProbeDefinitions.Validator([
            EventDescription(category: "probe", name: "empty", versions: [.init(text: "1-0-0", columns: [column])])
        ])
        func entries(_ value: String) -> [String] {
            validator.violations(of: Array(ProbeDefinitions.record("empty", ["user_id": nil, "order": value]).utf8))
                .map(\.entry)
        }
        #expect(entries(#"["newest", ""]"#) == [])
        #expect(entries("[1]") == ["order: type"])
    }

    @Test("Records that declare violations are checked only on request")
    func declaredViolationsAreJudgedIfAsked() async throws {
        let events = EventDescription.all(of: try await ProbeDefinitions.model())
        let record = Array(
            ProbeDefinitions.record("one_of_each", ["percent": "-1", "violations": #"["percent: minimum"]"#]).utf8)
        #expect(ProbeDefinitions.Validator(events).violations(of: record) == [])
        #expect(
            ProbeDefinitions.Validator(events, refusesDeclared: true).violations(of: record).map(\.entry) == [
                "percent: minimum"
            ])
    }

    /// Returns the violations of a record as `column: rule`, the form of the member `violations` of rejected records.
    static func entries(_ record: String) async throws -> [String] {
        try await ProbeDefinitions.validator().violations(of: Array(record.utf8)).map(\.entry)
    }

    static func entries(_ changes: KeyValuePairs<String, String?>) async throws -> [String] {
        try await entries(ProbeDefinitions.record("one_of_each", changes))
    }

    /// Columns, values, and the rules that those violate. The type is here because the compiler infers it slowly.
    static let valuesWithRules: [(String, String, String)] = [
        ("text", #""a\nb""#, ""), ("text", "null", ""), ("text", "1", "type"), ("text", "{}", "type"),
        ("text3", #""絵文字""#, ""), ("text3", #""🍳🍳🍳""#, ""), ("text3", #""abcd""#, "maxLength"),
        // An escape counts as its character, and an unpaired surrogate as one character.
        ("text3", #""\u0041\ud83c\udf73\n""#, ""), ("text3", #""\ud83c\ud83c\ud83c""#, ""),
        ("text3", #""\ud83c\ud83c\ud83c\ud83c""#, "maxLength"),
        ("text3", #""\udf73\ud83c""#, ""), ("text3", #""\u0000\u0000\u0000""#, ""),
        ("bytes4", #""🍳""#, ""), ("bytes4", #""é🍳""#, "maxBytes"), ("bytes4", #""\ud83c\udf73""#, ""),
        ("bytes4", #""abcde""#, "maxBytes"),
        ("int8", "-128", ""), ("int8", "127", ""), ("int8", "-129", "minimum"), ("int8", "128", "maximum"),
        ("int8", "1.5", "type"),
        ("int8", "true", "type"), ("int8", #""1""#, "type"), ("int8", "1.0", ""), ("int8", "1e2", ""),
        ("int8", "1.28e2", "maximum"),
        ("int8", "-0", ""),
        ("int8", "-0.0", ""), ("uint8", "-0.0", ""), ("uint8", "-1", "minimum"), ("int8", "1e400", "type"),
        ("int8", "1e-400", ""),
        ("int64", "9223372036854775807", ""), ("int64", "9223372036854775808", "maximum"),
        ("int64", "-9223372036854775808", ""),
        ("int64", "-9223372036854775809", "minimum"), ("int64", "9223372036854775807.0", "maximum"),
        ("int64", "-9223372036854775808.0", ""),
        ("int64", "123456789012345678901234567890", "maximum"),
        ("int64", "-123456789012345678901234567890", "minimum"),
        ("int64", "9.2e18", ""), ("percent", "100.5", "type"), ("from5", "4", "minimum"),
        ("number", "1e400", ""), ("number", "-1e300", ""), ("number", "3", ""), ("number", "true", "type"),
        ("fraction", "0.5", ""),
        ("fraction", "0.500000000000000001", ""), ("fraction", "0.5000001", "maximum"),
        ("fraction", "-1e-300", "minimum"),
        ("fraction", "1e400", "maximum"),
        // 9007199254740993 is read as 9007199254740992, in the definition and in the schema.
        ("wide", "9007199254740992", ""), ("wide", "9007199254740993", "maximum"),
        ("wide", "-9007199254740993", "minimum"),
        ("amount", #""123.45""#, ""), ("amount", #""1234""#, "pattern"), ("amount", #""-0.5""#, ""),
        ("amount", #""01""#, "pattern"),
        ("amount", "1.5", "type"),
        ("amount", #""1.""#, "pattern"), ("amount", #""1.5\n""#, "pattern"), ("cents", #""0.99""#, ""),
        ("cents", #""1""#, "pattern"),
        ("whole", #""1.0""#, "pattern"),
        ("flag", "false", ""), ("flag", "0", "type"), ("day", #""2024-02-29""#, ""),
        ("day", #""1900-02-29""#, "format"),
        ("day", #""2026-01-01\n""#, "format"),
        ("day", #""2026\u002d01-01""#, ""), ("time", #""2016-12-31T23:59:60.000Z""#, "format"),
        ("time", #""2026-01-01T00:00:00Z""#, "format"),
        ("time", #""0000-02-29T00:00:00.000Z""#, ""), ("time", #""10000-01-01T00:00:00.000Z""#, "format"),
        ("occurred_at", #""9999-12-31T23:59:59.999Z""#, ""), ("occurred_at", #""-0001-12-31T00:00:00.000Z""#, "format"),
        ("key", #""F47AC10B-58CC-4372-A567-0E02B2C3D479""#, ""),
        ("key", #""F47AC10B58CC-4372-A567-0E02B2C3D479-""#, "format"),
        ("link", #""https:\/\/example.com\/a%20b#c""#, ""), ("link", #""https://例え.jp""#, "format"),
        ("link", #""/a""#, "format"),
        ("link", #""a:%2""#, "format"),
        ("order", #""newest""#, ""), ("order", #""\u65b0着""#, ""), ("order", #""oldest""#, "enum"),
        ("order", #""""#, "enum"), ("order", "0", "type"),
        ("tags", "[]", ""), ("tags", #"[ "abc" , "" ]"#, ""), ("tags", #"["abcd","efgh"]"#, "maxLength"),
        ("tags", "[null]", "type"),
        ("tags", #""abc""#, "type"),
        ("pair", "[1,2]", ""), ("pair", "[]", "minItems"), ("pair", "[1,2,3]", "maxItems"),
        ("pair", "[128]", "maximum"),
        ("grid", #"[[],["newest"]]"#, ""), ("grid", #"[["oldest"]]"#, "enum"),
        ("grid", #"[["newest","newest"]]"#, "maxItems"),
        ("recipe", "1", ""), ("recipe", "null", ""), ("gone", "true", "additionalProperties"),
        ("old_common", "null", "additionalProperties"),
        ("never_heard_of", "[[{}]]", "additionalProperties"), ("user_id", "null", "type"),
        ("event_id", #""7""#, "format"),
        ("occurred_at", "0", "type"),
        ("schema_version", #""1.0.0""#, "pattern"), ("schema_version", #""1-0-9""#, "version"),
        ("schema_version", #""1-0-0\n""#, "pattern"),
    ]

    @Test("A value violates the rule of its type", arguments: valuesWithRules)
    func aValueBreaksTheRuleOfItsType(_ column: String, _ value: String, _ rule: String) async throws {
        #expect(try await Self.entries([column: value]) == (rule.isEmpty ? [] : ["\(column): \(rule)"]))
    }

    @Test("Every byte of a UUID is checked") func everyByteOfAUUIDIsLookedAt() async throws {
        let validator = try await ProbeDefinitions.validator()
        let text = Array("01890a5d-ac96-774b-bcce-b302099a8057".utf8)
        for place in stride(from: 0, to: text.count, by: Depth.limit(5, deep: 1)) {
            for byte in UInt8(0x20)..<0x7F where byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                var changed = text
                changed[place] = byte
                let isHyphen = [8, 13, 18, 23].contains(place)
                let isRight = isHyphen ? byte == UInt8(ascii: "-") : "0123456789abcdefABCDEF".utf8.contains(byte)
                let record = ProbeDefinitions.record(
                    "one_of_each", ["key": "\"" + String(decoding: changed, as: UTF8.self) + "\""])
                let isValid = validator.violations(of: Array(record.utf8)).isEmpty
                if isValid != isRight { Issue.record("\(record)") }
            }
        }
    }

    @Test("Missing columns and members are named") func missingColumnsAndMembersAreNamed() async throws {
        #expect(try await Self.entries(["user_id": nil]) == ["user_id: required"])
        #expect(
            try await Self.entries(ProbeDefinitions.record("all_required")) == ["sort: required", "pair: required"])
        #expect(
            try await Self.entries(["event_id": nil, "occurred_at": nil]) == [
                "event_id: required", "occurred_at: required",
            ])
        #expect(try await Self.entries(["event_name": nil]) == ["event_name: required"])
    }

    @Test("Unknown names get a suggestion") func unknownNamesHaveASuggestion() async throws {
        let validator = try await ProbeDefinitions.validator()
        func message(_ record: String) -> String? { validator.violations(of: Array(record.utf8)).first?.message }
        #expect(
            message(ProbeDefinitions.record("empty", category: "prob"))
                == "the category `prob` is not defined; did you mean `probe`?")
        #expect(
            message(ProbeDefinitions.record("emtpy"))
                == "the category `probe` has no event `emtpy`; did you mean `empty`?")
        #expect(
            message(ProbeDefinitions.record("one_of_each", ["percnt": "1"]))
                == "the definition has no such column; did you mean `percent`?")
        #expect(message(ProbeDefinitions.record("one_of_each", ["gone": "true"])) == "the column is retired")
        #expect(
            message(ProbeDefinitions.record("empty", ["schema_version": #""1-0-7""#]))
                == "the version 1-0-7 is not locked; locked versions are 1-0-0")
        #expect(
            message(ProbeDefinitions.record("one_of_each", ["order": #""newst""#]))
                == "\"newst\" is not one of the values; did you mean `newest`?")
    }

    /// The record may also name the right event of the wrong category.
    @Test("An event is searched in its category first") func anEventIsSoughtInItsCategoryFirst() throws {
        func event(_ category: String, _ name: String) -> EventDescription {
            EventDescription(category: category, name: name, versions: [.init(text: "1-0-0", columns: [])])
        }
        let validator = ProbeDefinitions.Validator([
            event("first", "show_recipe"), event("first", "open"), event("second", "show_recipes"),
            event("second", "がオープン"),
        ])
        func message(_ category: String, _ name: String) -> String? {
            validator.violations(of: Array(ProbeDefinitions.record(name, ["user_id": nil], category: category).utf8))
                .first?.message
        }
        #expect(
            message("second", "show_recipe")
                == "the category `second` has no event `show_recipe`; did you mean `show_recipes`?")
        #expect(
            message("first", "show_recipes")
                == "the category `first` has no event `show_recipes`; did you mean `show_recipe`?")
        #expect(message("second", "open") == "the category `second` has no event `open`; did you mean `first.open`?")
        #expect(message("second", "opne") == "the category `second` has no event `opne`; did you mean `first.open`?")
        #expect(
            message("first", "か\u{3099}オープン")
                == "the category `first` has no event `か\u{3099}オープン`; did you mean `second.がオープン`?")
        #expect(message("first", "something_else") == "the category `first` has no event `something_else`")
        #expect(message("frist", "open") == "the category `frist` is not defined; did you mean `first`?")
        let known = ProbeDefinitions.Validator([event("がぞう", "open")])
        let unusual = known.violations(
            of: Array(ProbeDefinitions.record("opne", ["user_id": nil], category: "\\u304cぞう").utf8)
        ).first
        #expect(unusual?.message == "the category `がぞう` has no event `opne`; did you mean `open`?")
        #expect(unusual?.value == "opne")
        #expect(unusual?.place == nil)
    }

    @Test("A violation names the row of its column") func aViolationNamesTheColumnsRow() async throws {
        let validator = try await ProbeDefinitions.validator()
        let violation = try #require(
            validator.violations(of: Array(ProbeDefinitions.record("one_of_each", ["percent": "-1"]).utf8)).first)
        #expect(violation.event == "probe.one_of_each")
        #expect(violation.column == "percent")
        #expect(violation.rule == .minimum)
        #expect(violation.value == "-1")
        #expect(violation.message == "-1 is below 0")
        #expect(violation.place == "Definitions/probe.md:21:3")
        let common = try #require(
            validator.violations(of: Array(ProbeDefinitions.record("empty", ["user_id": #""7""#]).utf8)).first)
        #expect(common.place == "Definitions/common.md:5:3")
        #expect(common.message == "\"7\" is not a whole number (`int64`)")
    }

    @Test("An earlier version is checked against its locked shape")
    func anOlderVersionIsJudgedByItsLockedShape() async throws {
        func entries(_ version: String, _ changes: String) async throws -> [String] {
            let record = ProbeDefinitions.record("grown", ["schema_version": "\"\(version)\""])
            return try await Self.entries(record.dropLast() + changes + "}")
        }
        #expect(try await entries("2-0-0", #","count":5"#) == [])
        #expect(try await entries("1-0-0", #","count":"12""#) == [])
        #expect(try await entries("1-0-0", #","count":5"#) == ["count: type"])
        #expect(try await entries("1-0-0", #","count":"12","note":"a""#) == ["note: additionalProperties"])
        #expect(try await entries("1-0-1", #","count":"123","note":"c""#) == ["count: maxLength", "note: enum"])
        #expect(try await entries("1-0-2", #","count":5"#) == ["schema_version: version"])
    }

    @Test("A retired event is rejected in the version that retired it")
    func aRetiredEventIsRefusedInTheVersionThatRetiredIt() async throws {
        #expect(
            try await Self.entries(ProbeDefinitions.record("retired_event", ["schema_version": #""1-1-0""#])) == [
                "event_name: retired"
            ])
        #expect(try await Self.entries(ProbeDefinitions.record("retired_event", ["reason": #""old""#])) == [])
    }

    @Test("Only the envelope of a record with violations is checked")
    func ofARecordWithViolationsTheEnvelopeAloneIsChecked() async throws {
        #expect(
            try await Self.entries([
                "violations": #"["text: maxLength"]"#, "int8": "5000", "nobody": "1", "user_id": nil,
            ]) == [])
        #expect(try await Self.entries(["sampling_rate": "0.1"]) == [])
        #expect(try await Self.entries(["sampling_rate": "1"]) == [])
        #expect(try await Self.entries(["sampling_rate": "0"]) == ["sampling_rate: minimum"])
        #expect(try await Self.entries(["sampling_rate": "-0.5"]) == ["sampling_rate: minimum"])
        #expect(try await Self.entries(["sampling_rate": "1.5"]) == ["sampling_rate: maximum"])
        #expect(try await Self.entries(["sampling_rate": "\"0.1\""]) == ["sampling_rate: type"])
        #expect(try await Self.entries(["violations": "[]", "int8": "5000"]) == ["violations: minItems"])
        #expect(try await Self.entries(["violations": #"[""]"#]) == ["violations: minLength"])
        #expect(try await Self.entries(["violations": "null"]) == ["violations: type"])
        #expect(try await Self.entries(["violations": #"["a: b"]"#, "event_id": nil]) == ["event_id: required"])
    }

    @Test("Members may have any order") func membersStandInAnyOrder() async throws {
        let record = ProbeDefinitions.record("one_of_each", ["text": #""a""#, "percent": "101", "nobody": "1"])
        let members = record.dropFirst().dropLast().split(separator: ",").map(String.init)
        let expected: Set = ["percent: maximum", "nobody: additionalProperties"]
        for rotation in members.indices {
            let rotated = members[rotation...] + members[..<rotation]
            #expect(Set(try await Self.entries("{" + rotated.joined(separator: ",") + "}")) == expected)
            #expect(Set(try await Self.entries("{" + rotated.reversed().joined(separator: " , ") + "}")) == expected)
        }
    }

    @Test("The last of several members with one name counts")
    func ofSeveralMembersWithOneNameTheLastOneCounts() async throws {
        let record = ProbeDefinitions.record("one_of_each", ["percent": "101"]).dropLast()
        #expect(try await Self.entries(record + #","percent":5}"#) == [])
        #expect(try await Self.entries(record + #","p\u0065rcent":5}"#) == [])
        #expect(try await Self.entries(record + #","percent":-1}"#) == ["percent: minimum"])
        #expect(
            try await Self.entries(record + #","percent":5,"event_name":"empty"}"#) == ["percent: additionalProperties"]
        )
        #expect(
            try await Self.entries(record + #","percent":102,"nobody":1,"nobody":2}"#) == [
                "percent: maximum", "nobody: additionalProperties",
            ])
        #expect(try await Self.entries(record + #","event_category":5}"#) == ["event_category: type"])
    }

    private static let invalidJSON: [String] = [
        "", "nonsense", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{}x", "{} {}", #"{"a":01}"#, #"{"a":+1}"#,
        #"{"a":.5}"#, #"{"a":1.}"#,
        #"{"a":1e}"#,
        #"{"a":0x10}"#, #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":-Infinity}"#, #"{"a":nul}"#, #"{"a":True}"#,
        #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#,
        "{\"a\":\"\t\"}", "{\"a\":\"\u{0}\"}", "{\"a\":\"\u{1F}\"}", #"{"a":"b}"#, #"{'a':1}"#, #"{"a":[1}"#,
        #"{"a":[1,]}"#, #"{"a":{"b":1]}"#,
        "{\u{0}}",
        "\u{FEFF}{}", #"{"a":1 "b":2}"#, "{\"a\":\u{A0}1}", "//{}",
        "{\"a\":" + String(repeating: "[", count: 100_000),
    ]

    @Test("Invalid JSON is reported", arguments: invalidJSON)
    func invalidJSONIsReported(_ text: String) async throws {
        let entries = try await Self.entries(text)
        #expect(entries == (text.isEmpty ? [] : ["record: json"]))
    }

    @Test("A record is a JSON object") func aRecordIsAnObject() async throws {
        for text in ["[]", "5", "null", #""text""#] { #expect(try await Self.entries(text) == ["record: type"]) }
        #expect(try await Self.entries("{}").count == 5)
    }

    @Test("Many columns are checked in one pass") func manyColumnsAreCheckedInOnePass() async throws {
        let count = Depth.limit(100_000, deep: 1_000_000)
        let columns = (0..<count).map { ",\"c\($0)\":1" }.joined()
        let entries = try await Self.entries(ProbeDefinitions.record("empty").dropLast() + columns + "}")
        #expect(entries.count == 100)
        let items = Array(repeating: "500", count: count).joined(separator: ",")
        #expect(try await Self.entries(["pair": "[\(items)]"]) == ["pair: maximum", "pair: maxItems"])
    }

    @Test("Nesting is limited to 512 levels") func nestingIsLimited() async throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        // The record is the first level. An empty list adds none.
        #expect(try await Self.entries(["nobody": nested(512)]) == ["nobody: additionalProperties"])
        #expect(try await Self.entries(["nobody": nested(513)]) == ["record: json"])
        #expect(try await Self.entries(["violations": #"["a: b"]"#, "nobody": nested(512)]) == [])
    }
}
