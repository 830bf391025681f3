import Foundation
import MarkdownSyntax
import Testing

@testable import LogDefinitions
@testable import LogOutputs

@Suite struct ModelDumpTests {
    private func dump(_ definitions: Definitions) -> String {
        String(decoding: ModelDump.json(of: definitions), as: UTF8.self)
    }

    @Test("Empty definitions have a dump") func emptyDefinitionsHaveADump() {
        #expect(
            dump(Definitions()) == """
                {
                  "loggen": 1,
                  "common": {
                    "columns": []
                  },
                  "types": [],
                  "categories": []
                }

                """)
    }

    /// The recorded snapshot has the other members, and their order.
    @Test("A dump has notes, annotations and the Swift types of named types")
    func membersWithoutASnapshot() {
        var column = Column("a", .boolean)
        column.annotations = [("備考", "い"), ("memo", "a")].map { Column.Annotation(header: $0, value: $1) }
        var event = Event("show", columns: [column])
        event.notes = "注"
        let types = [
            NamedType("ID", .scalar(.uuid), swift: "App.ID"), NamedType("Screen", .external, swift: "App.Screen"),
        ]
        let dump = dump(Definitions([Category("b", events: [event])], types: types)).filter { !$0.isWhitespace }
        for member in [
            #""notes":"注""#, #""annotations":{"備考":"い","memo":"a"}"#, #""swift":"App.ID""#,
            #""name":"Screen","kind":"external","#, #""swift":"App.Screen""#,
        ] { #expect(dump.contains(member), "\(member): \(dump)") }
    }

    @Test(
        "A type is written by its kind",
        arguments: [
            (LogValueType.string(.init()), #"{"kind": "string"}"#),
            (.string(.init(maxLength: 256)), #"{"kind": "string", "maxLength": 256}"#),
            (.string(.init(maxBytes: 256)), #"{"kind": "string", "maxBytes": 256}"#),
            (
                .integer(.init(bits: 16, isSigned: false, minimum: 1, maximum: 2)),
                #"{"kind": "integer", "bits": 16, "signed": false, "minimum": 1, "maximum": 2}"#
            ),
            (.number(.init(bits: 32)), #"{"kind": "number", "bits": 32}"#),
            (
                .number(.init(minimum: 0, maximum: 0.5)),
                #"{"kind": "number", "bits": 64, "minimum": 0, "maximum": 0.5}"#
            ),
            (.boolean, #"{"kind": "boolean"}"#), (.date, #"{"kind": "date"}"#), (.timestamp, #"{"kind": "timestamp"}"#),
            (.uuid, #"{"kind": "uuid"}"#), (.url, #"{"kind": "url"}"#),
            (.enumeration(["a", "b"]), #"{"kind": "enum", "values": ["a", "b"]}"#),
            (
                .array(.init(of: .array(.init(of: .named(.init("T")))), minItems: 1, maxItems: 10)),
                #"{"kind": "array", "items": {"kind": "array", "items": {"kind": "named", "name": "T"}}, "minItems": 1, "maxItems": 10}"#
            ),
        ])
    func aTypeIsWrittenByItsKind(_ type: LogValueType, _ expected: String) {
        #expect(dump(Definitions([], common: [Column("a", type)])).contains("\"type\": \(expected),\n"))
    }

    @Test(
        "A trigger is written by its kind",
        arguments: [
            (LogTrigger.screen, #"{"kind": "screen"}"#), (.show, #"{"kind": "show"}"#),
            (
                .impression(visibleFraction: nil, dwell: nil),
                #"{"kind": "impression", "visibleFraction": null, "dwell": null}"#
            ),
            (
                .impression(visibleFraction: 1, dwell: 0.5),
                #"{"kind": "impression", "visibleFraction": 1, "dwell": 0.5}"#
            ),
            (.tap(target: "A.b"), #"{"kind": "tap", "target": "A.b"}"#),
            (.leave(visibleFraction: nil), #"{"kind": "leave", "visibleFraction": null}"#),
            (.leave(visibleFraction: 0.8), #"{"kind": "leave", "visibleFraction": 0.8}"#),
        ])
    func aTriggerIsWrittenByItsKind(_ trigger: LogTrigger, _ expected: String) throws {
        var event = Event("a")
        try event.details.set(.trigger, to: trigger.description, at: event.place)
        #expect(dump(Definitions([Category("b", events: [event])])).contains("\"trigger\": \(expected),\n"))
    }

    /// The test takes minutes if each location scans its line again. `Benchmarks/growth.py` measures this time.
    @Test("Source locations in a long line are found quickly") func placesOfOneLongLineAreFound() throws {
        let count = 10_000
        let source = SourceText(Array(String(repeating: String(repeating: "あ", count: 100) + "a", count: count).utf8))
        let columns = (0..<count).map { index in
            var column = Column("a", .boolean)
            column.place = Place(file: 0, range: 301 * index + 300..<301 * index + 301)
            return column
        }
        let file = SourceFile(path: "a.md", relativePath: "a.md", source: source)
        let definitions = Definitions(files: [file], common: CommonColumns(file: 0, description: "", columns: columns))
        #expect(
            dump(definitions).hasSuffix(
                "\"line\": 1, \"column\": \(101 * count)}\n      }\n    ]\n  },\n  \"types\": [],\n  \"categories\": []\n}\n"
            ))
    }
}
