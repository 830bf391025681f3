import Testing
import TestSupport

@testable import LogDefinitions
import LogProject

/// Tests of the values that schemas accept and reject, with Python's `jsonschema`.
@Suite struct JSONSchemaRecordTests {
    /// Definitions with an optional column for every type and constraint, which a record may have alone, and an event
    /// with required columns.
    static let definitions: Definitions = {
        let columns: [(String, LogValueType)] = [
            ("text", .string(.init())), ("text3", .string(.init(maxLength: 3))),
            ("bytes4", .string(.init(maxBytes: 4))),
            ("int8", .integer(.init(bits: 8))),
            ("int16", .integer(.init(bits: 16))),
            ("int32", .integer(.init(bits: 32))),
            ("int64", .integer(.init(bits: 64))),
            ("uint8", .integer(.init(bits: 8, isSigned: false))),
            ("uint16", .integer(.init(bits: 16, isSigned: false))),
            ("uint32", .integer(.init(bits: 32, isSigned: false))),
            ("percent", .integer(.init(bits: 64, minimum: 0, maximum: 100))),
            ("from5", .integer(.init(bits: 64, minimum: 5))),
            ("double", .number(.init())), ("fraction", .number(.init(bits: 32, minimum: 0, maximum: 0.5))),
            ("flag", .boolean), ("day", .date), ("time", .timestamp), ("key", .uuid), ("link", .url),
            ("order", .enumeration(["newest", "popular"])),
            ("tags", .array(.init(of: .string(.init(maxLength: 3))))),
            ("pair", .array(.init(of: .integer(.init(bits: 8)), minItems: 1, maxItems: 2))),
            ("grid", .array(.init(of: .array(.init(of: .named(.init("ListOrder")), maxItems: 1))))),
            ("sort", .named(.init("ListOrder"))), ("recipe", .named(.init("RecipeID"))),
            ("foreign", .named(.init("AppScreen"))),
        ]
        var retired = Column("gone", .boolean)
        retired.status = .retired
        var old = Event("old_event", status: .deprecated)
        try? old.details.set(.deprecated, to: "use one_of_each", at: .unknown)
        return Definitions(
            [
                Category(
                    "probe",
                    events: [
                        Event("one_of_each", columns: columns.map { Column($0.0, $0.1, required: false) } + [retired]),
                        Event(
                            "all_required",
                            columns: columns.filter { ["sort", "pair"].contains($0.0) }.map { Column($0.0, $0.1) }),
                        Event("empty"), old, Event("retired_event", status: .retired),
                    ]),
                Category("second", events: [Event("empty")]),
                Category("over", events: [Event("retired_event", status: .retired)]),
            ],
            common: [
                Column("user_id", .integer(.init(bits: 64, minimum: 1))),
                Column("session", .uuid, required: false), retired,
            ],
            types: [
                NamedType("AppScreen", .external, swift: "AppScreen"),
                NamedType("RecipeID", .scalar(.integer(.init(bits: 64, minimum: 1))), swift: "App.RecipeID"),
                .enumeration("ListOrder", [("newest", "新着順"), ("popular", "")]),
            ])
    }()

    /// The three schemas that can validate a record.
    enum Judge: CaseIterable {
        case event, category, envelope
    }

    /// A changed record of an event. A change is a member's JSON, or nil to leave the member out.
    struct Case: Sendable, CustomTestStringConvertible {
        var category = "probe"
        var event: String
        var changes: KeyValuePairs<String, String?>
        var acceptedBy: Set<Judge>

        /// The schemas for this case. Retired events have no separate schema.
        var judges: [Judge] { event == "retired_event" ? [.category, .envelope] : Judge.allCases }

        func schema(of judge: Judge) -> String {
            let folder = "https://example.com/logs"
            return switch judge {
            case .event: "\(folder)/\(category).schema.json#/$defs/\(event)"
            case .category: "\(folder)/\(category).schema.json"
            case .envelope: "\(folder)/envelope.schema.json"
            }
        }

        var testDescription: String {
            let changes = changes.map { "\($0) \($1 ?? "left out")" }.joined(separator: ", ")
            return "\(category).\(event), \(changes): \(acceptedBy.isEmpty ? "refused" : "accepted")"
        }

        var record: String {
            var members: [(String, String?)] = [
                ("event_id", #""01890a5d-ac96-774b-bcce-b302099a8057""#), ("event_category", #""\#(category)""#),
                ("event_name", #""\#(event)""#),
                ("schema_version", #""1-0-2""#), ("occurred_at", #""2026-04-01T12:34:56.789Z""#), ("user_id", "7"),
            ]
            for (key, value) in changes {
                members.removeAll { $0.0 == key }
                members.append((key, value))
            }
            return "{" + members.compactMap { key, value in value.map { "\"\(key)\": \($0)" } }.joined(separator: ", ")
                + "}"
        }
    }

    static let all = Set(Judge.allCases)

    /// `DifferentialTests` compares the values of columns.
    static let recordCases: [Case] = [
        Case(event: "one_of_each", changes: ["foreign": #""x""#, "session": "null"], acceptedBy: all),
        Case(event: "one_of_each", changes: ["foreign": "[]"], acceptedBy: []),
        Case(event: "one_of_each", changes: ["session": #""x""#], acceptedBy: []),
        Case(event: "empty", changes: [:], acceptedBy: all),
        Case(event: "empty", changes: ["text": #""a""#], acceptedBy: []),
        Case(event: "empty", changes: ["user_id": nil], acceptedBy: []),
        Case(event: "old_event", changes: [:], acceptedBy: all),
        Case(event: "all_required", changes: ["sort": #""newest""#, "pair": "[1]"], acceptedBy: all),
        Case(event: "all_required", changes: ["sort": #""newest""#], acceptedBy: []),
        Case(event: "all_required", changes: ["sort": "null", "pair": "[1]"], acceptedBy: []),
        Case(event: "all_required", changes: ["sort": #""newest""#, "pair": "null"], acceptedBy: []),
        Case(category: "second", event: "empty", changes: [:], acceptedBy: all),
        Case(event: "empty", changes: ["event_id": nil], acceptedBy: []),
        Case(event: "empty", changes: ["event_id": #""F47AC10B-58CC-4372-A567-0E02B2C3D479""#], acceptedBy: all),
        Case(event: "empty", changes: ["event_id": #""7""#], acceptedBy: []),
        Case(event: "empty", changes: ["event_category": nil], acceptedBy: []),
        Case(event: "empty", changes: ["event_category": #""second""#], acceptedBy: [.envelope]),
        Case(event: "empty", changes: ["event_category": #""unheard_of""#], acceptedBy: []),
        Case(event: "empty", changes: ["event_category": #""over""#], acceptedBy: []),
        Case(event: "empty", changes: ["event_name": nil], acceptedBy: []),
        Case(event: "empty", changes: ["event_name": #""old_event""#], acceptedBy: [.category, .envelope]),
        Case(event: "empty", changes: ["event_name": #""unheard_of""#], acceptedBy: []),
        Case(event: "empty", changes: ["event_name": #""retired_event""#], acceptedBy: []),
        Case(
            event: "empty", changes: ["event_category": #""over""#, "event_name": #""retired_event""#], acceptedBy: []),
        Case(event: "empty", changes: ["schema_version": nil], acceptedBy: []),
        Case(event: "empty", changes: ["schema_version": #""12-0-34""#], acceptedBy: all),
        Case(event: "empty", changes: ["schema_version": #""0-0-0""#], acceptedBy: []),
        Case(event: "empty", changes: ["schema_version": #""1-00-0""#], acceptedBy: []),
        Case(event: "empty", changes: ["schema_version": #""1-0-0\n""#], acceptedBy: []),
        Case(event: "empty", changes: ["schema_version": #""1.0.0""#], acceptedBy: []),
        Case(event: "empty", changes: ["schema_version": "1"], acceptedBy: []),
        Case(event: "empty", changes: ["occurred_at": nil], acceptedBy: []),
        Case(event: "empty", changes: ["occurred_at": #""2026-04-01""#], acceptedBy: []),
        // Only the envelope of a record with violations is checked.
        Case(event: "empty", changes: ["violations": #"["text: maxLength"]"#], acceptedBy: [.category, .envelope]),
        Case(
            event: "all_required", changes: ["violations": #"["sort: enum"]"#, "pair": #""x""#],
            acceptedBy: [.category, .envelope]),
        Case(
            event: "empty", changes: ["violations": #"["a: b"]"#, "user_id": nil], acceptedBy: [.category, .envelope]),
        Case(event: "empty", changes: ["violations": "[]"], acceptedBy: []),
        Case(event: "empty", changes: ["violations": #"[""]"#], acceptedBy: []),
        Case(event: "empty", changes: ["violations": "null"], acceptedBy: []),
        Case(event: "empty", changes: ["violations": #""a: b""#], acceptedBy: []),
        Case(event: "empty", changes: ["violations": #"["a: b"]"#, "event_id": nil], acceptedBy: []),
        Case(event: "empty", changes: ["violations": #"["a: b"]"#, "occurred_at": "0"], acceptedBy: []),
        Case(event: "empty", changes: ["violations": #"["a: b"]"#, "schema_version": #""1""#], acceptedBy: []),
        Case(event: "empty", changes: ["violations": #"["a: b"]"#, "event_name": #""unheard_of""#], acceptedBy: []),
        Case(
            event: "empty", changes: ["violations": #"["a: b"]"#, "event_category": #""unheard_of""#], acceptedBy: []),
        Case(category: "over", event: "retired_event", changes: ["violations": #"["a: b"]"#], acceptedBy: []),
    ]

    /// The schemas that accept each case, from a single run of Python.
    static let verdicts: Result<[String: Set<Judge>], any Error> = Result {
        let questions = recordCases.flatMap { testCase in testCase.judges.map { (testCase, $0) } }
        let outcome = try JSONSchemaValidation.run(
            definitions, baseURL: "https://example.com/logs",
            cases: questions.map { JSONSchemaValidation.Case(schema: $0.schema(of: $1), instance: $0.record) })
        var answers: [String: Set<Judge>] = [:]
        for ((testCase, judge), isAccepted) in zip(questions, outcome.verdicts) {
            answers[testCase.testDescription, default: []].formUnion(isAccepted ? [judge] : [])
        }
        return answers
    }

    @Test("A record is accepted in the form that the runtime writes", arguments: recordCases)
    func aRecordIsAcceptedAsTheRuntimeWritesIt(_ testCase: Case) throws {
        #expect(try Self.verdicts.get()[testCase.testDescription] == testCase.acceptedBy)
    }
}
