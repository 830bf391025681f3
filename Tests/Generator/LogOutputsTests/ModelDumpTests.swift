import Foundation
import MarkdownSyntax
import Testing

@testable import LogDefinitions
@testable import LogOutputs

@Suite struct ModelDumpTests {
    private func dump(_ definitions: Definitions) -> String {
        String(decoding: ModelDump.json(of: definitions), as: UTF8.self)
    }

    private func place(of text: String, in source: String, file: Int) throws -> Place {
        let range = try #require(source.range(of: text))
        let start = source.utf8.distance(from: source.startIndex, to: range.lowerBound)
        return Place(file: file, range: start..<start + text.utf8.count)
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

    @Test("The dump has every member in the specified order")
    func theModelHasEveryMemberInTheOrderOfItsSpecification() throws {
        let document =
            "# レシピ検索 `recipe_search`\r\n\r\n## 表示 `show`\r\n\r\n| 説明 | column |\r\n|-|-|\r\n| 🍳レシピ | recipe_id |\r\n"
        let typesDocument = "# types\n\n## ListOrder\n\n## RecipeID: int64\n"
        let files = [("types.md", typesDocument), ("ja/recipe_search.md", document)].map {
            SourceFile(path: "Definitions/\($0)", relativePath: $0, source: SourceText(Array($1.utf8)))
        }
        var column = Column("recipe_id", .integer(.init(bits: 64, minimum: 0)), description: "レシピ`ID`", example: "42")
        column.privacy = .personal
        column.since = "2026.4.0"
        column.deprecated = "use id"
        column.status = .deprecated
        column.annotations = [
            Column.Annotation(header: "備考", value: "い"), Column.Annotation(header: "memo", value: "a"),
        ]
        column.place = try place(of: "recipe_id", in: document, file: 1)
        var event = Event("show", title: "表示", columns: [column])
        event.description = "本文"
        event.notes = "### 注"
        event.place = try place(of: "show", in: document, file: 1)
        // The order differs from the order of the keys.
        try event.details.set(.trigger, to: "impression(80%, 2s)", at: event.place)
        try event.details.set(.owner, to: "@search-team", at: event.place)
        var category = Category("recipe_search", title: "レシピ検索", events: [event])
        try category.details.set(.owner, to: "@search-team", at: event.place)
        category.place = try place(of: "recipe_search", in: document, file: 1)
        var order = NamedType.enumeration("ListOrder", [("newest", "新着順")])
        order.place = try place(of: "ListOrder", in: typesDocument, file: 0)
        var recipe = NamedType("RecipeID", .scalar(.integer(.init(bits: 64))), swift: "App.RecipeID")
        recipe.place = try place(of: "RecipeID", in: typesDocument, file: 0)
        let definitions = Definitions(
            files: files,
            common: CommonColumns(file: 1, description: "", columns: [Column("user_id", .uuid, required: false)]),
            types: [recipe, order],
            typesFile: 0,
            categories: [category])
        #expect(
            dump(definitions) == """
                {
                  "loggen": 1,
                  "common": {
                    "columns": [
                      {
                        "name": "user_id",
                        "type": {"kind": "uuid"},
                        "required": false,
                        "description": "",
                        "example": null,
                        "privacy": null,
                        "since": null,
                        "deprecated": null,
                        "status": "active",
                        "annotations": {},
                        "at": {"file": "types.md", "line": 1, "column": 1}
                      }
                    ]
                  },
                  "types": [
                    {
                      "name": "RecipeID",
                      "kind": "scalar",
                      "type": {"kind": "integer", "bits": 64, "signed": true},
                      "swift": "App.RecipeID",
                      "description": "",
                      "at": {"file": "types.md", "line": 5, "column": 4}
                    },
                    {
                      "name": "ListOrder",
                      "kind": "enum",
                      "values": [
                        {"value": "newest", "description": "新着順"}
                      ],
                      "swift": null,
                      "description": "",
                      "at": {"file": "types.md", "line": 3, "column": 4}
                    }
                  ],
                  "categories": [
                    {
                      "name": "recipe_search",
                      "title": "レシピ検索",
                      "description": "",
                      "notes": "",
                      "details": {
                        "owner": "@search-team"
                      },
                      "at": {"file": "ja/recipe_search.md", "line": 1, "column": 10},
                      "events": [
                        {
                          "name": "show",
                          "title": "表示",
                          "description": "本文",
                          "notes": "### 注",
                          "details": {
                            "owner": "@search-team",
                            "trigger": "impression(80%, 2s)"
                          },
                          "version": "1-0-0",
                          "status": "active",
                          "trigger": {"kind": "impression", "visibleFraction": 0.8, "dwell": 2},
                          "at": {"file": "ja/recipe_search.md", "line": 3, "column": 8},
                          "columns": [
                            {
                              "name": "recipe_id",
                              "type": {"kind": "integer", "bits": 64, "signed": true, "minimum": 0},
                              "required": true,
                              "description": "レシピ`ID`",
                              "example": "42",
                              "privacy": "personal",
                              "since": "2026.4.0",
                              "deprecated": "use id",
                              "status": "deprecated",
                              "annotations": {
                                "備考": "い",
                                "memo": "a"
                              },
                              "at": {"file": "ja/recipe_search.md", "line": 7, "column": 10}
                            }
                          ]
                        }
                      ]
                    }
                  ]
                }

                """)
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
