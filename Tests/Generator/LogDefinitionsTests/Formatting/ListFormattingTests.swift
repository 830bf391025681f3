import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions

@Suite struct ListFormattingTests {
    @Test("The numbers of a nested ordered list are kept") func numbersOfANestedListAreKept() async {
        let text = """
            # search

            ## show

            - step: !integer
                1. typed
                2. chosen
                    - from the list
            - position: !integer
                - from 0

            """
        #expect(
            await formatted(["search.md": text]) == [
                "search.md": """
                # search

                ## show

                | column   | type  | description                            |
                | -------- | ----- | -------------------------------------- |
                | step     | int32 | 1. typed<br>2. chosen<br>from the list |
                | position | int32 | from 0                                 |

                """
            ])
    }

    @Test("A column list becomes a table") func aColumnListBecomesATable() async {
        let text = """
            # recipe_search

            レシピ検索に関するログです。

            ## search
            検索したときに送信されます。
            - keyword: !string? 256
               - 検索キーワード
               - 語は a|b のように
                 区切る
            - [obsolete] row: !smallint
            - position: !integer

            補足。

            ## [obsolete] show

            - ratio: !real
            - score: !double
            - is_new: !boolean
            - day: !date
            - at: !timestamptz
            - title: !string
            - recipe_id: !bigint
            ## tap
            """
        #expect(
            await formatted(["recipe_search.md": text]) == [
                "recipe_search.md": """
                # recipe_search

                レシピ検索に関するログです。

                ## search
                検索したときに送信されます。

                | column         | type               | description                                 |
                | -------------- | ------------------ | ------------------------------------------- |
                | keyword        | string(256 bytes)? | 検索キーワード<br>語は a\\|b のように 区切る |
                | [obsolete] row | int16              |                                             |
                | position       | int32              |                                             |

                補足。

                ## [obsolete] show

                | column    | type      | description |
                | --------- | --------- | ----------- |
                | ratio     | float     |             |
                | score     | double    |             |
                | is_new    | bool      |             |
                | day       | date      |             |
                | at        | timestamp |             |
                | title     | string    |             |
                | recipe_id | int64     |             |

                ## tap

                """
            ])
    }

    @Test(
        "A list that a table cannot represent stays a list",
        arguments: [
            // A table cannot represent a second paragraph or code.
            "- a: !integer\n\n    More text.\n", "- a: !integer\n\n  ```\n  code\n  ```\n",
            // These are not lists of columns.
            "- first\n- second\n", "1. one\n2. two\n", "- a: !integer\n- and some text\n", "- a: !unknown\n",
            "- A: !integer\n",
            // The second list would silently become a note next to a table.
            "- a: !integer\n\n* b: !integer\n",
        ])
    func listThatATableCannotRepresentStaysAList(_ list: String) async {
        let documents = ["c.md": "# c\n\n## e\n\n\(list)"]
        #expect(await formatted(documents) == documents)
    }

    @Test("Types that only lists name are declared") func typesThatOnlyListsNameAreDeclared() async {
        let documents = [
            "c.md": "# c\n\n## e\n\n- kind: DeviceKind\n- order: ListOrder?\n",
            "common.md": "# common\n\n- user_status: UserStatus\n",
        ]
        let result = await formatted(documents)
        #expect(
            result["types.md"] == """
                # types

                ## DeviceKind

                | key   | value      |
                | ----- | ---------- |
                | swift | DeviceKind |

                ## ListOrder

                | key   | value     |
                | ----- | --------- |
                | swift | ListOrder |

                ## UserStatus

                | key   | value      |
                | ----- | ---------- |
                | swift | UserStatus |

                """)
        #expect(
            result["common.md"]
                == "# common\n\n| column      | type       | description |\n| ----------- | ---------- | ----------- |\n| user_status | UserStatus |             |\n"
        )
        let again = await analyse(result)
        #expect(again.diagnostics.map(\.message) == [])
        #expect(await DefinitionFormatter.format(again).isEmpty)
    }

    @Test("Declarations are added to existing types") func declarationsAreAddedToTheTypesThereAre() async {
        let documents = [
            "c.md": "# c\n\n## e\n\n- kind: DeviceKind\n- order: ListOrder\n",
            "types.md": "# types\r\n\r\n## ListOrder\r\n\r\n|value|\r\n|-|\r\n|newest|",
        ]
        let result = await formatted(documents)
        #expect(
            result["types.md"]
                == "# types\r\n\r\n## ListOrder\r\n\r\n| value  |\r\n| ------ |\r\n| newest |\r\n\r\n## DeviceKind\r\n\r\n| key   | value      |\r\n| ----- | ---------- |\r\n| swift | DeviceKind |\r\n"
        )
    }

    @Test("A type whose declaration has an error is not declared again")
    func brokenDeclarationIsNotRepeated() async {
        let documents = ["c.md": "# c\n\n## e\n\n- order: Order\n", "types.md": "# types\n\n##Order\n"]
        #expect(await formatted(documents) == documents)
    }

    @Test("A byte order mark is kept") func aByteOrderMarkIsKept() async {
        let source = SourceText([0xEF, 0xBB, 0xBF] + Array("# c\n\n## e\n\n|column|type|\n|-|-|\n|a|int|\n".utf8))
        let analysis = await Analysis.run([SourceFile(path: "c.md", relativePath: "c.md", source: source)])
        let files = await DefinitionFormatter.format(analysis)
        #expect(files.map(\.isNew) == [false])
        #expect(files.first?.bytes.starts(with: [0xEF, 0xBB, 0xBF, 0x23]) == true)
    }

    @Test("Formatting preserves the meaning", arguments: DaifukuCase.all)
    func formattingKeepsTheMeaning(_ example: DaifukuCase) async {
        let documents = ["common.md": example.common ?? "# common\n", "my_category.md": example.list]
        let before = await analyse(documents)
        let after = await formatted(documents)
        let model = await analyse(after)
        #expect(summary(of: model.definitions) == summary(of: before.definitions))
        #expect(await formatted(after) == after)
    }

    @Test(
        "Formatting random documents with mistakes preserves their meaning and mistakes",
        arguments: 0..<Depth.cases(1, deep: 4))
    func formattingRandomDocumentsKeepsMeaningAndMistakes(_ seed: Int) async {
        let pieces = [
            "## event1", "## [obsolete] event2", "## 表示 `event3`", "## event4\nRight below.", "### Notes", "Some text.",
            "Two\nlines.",
            "---", "> quote",
            "- a: !integer", "- b: !string? 64\n    - 説明 | 区切り\n    - `x\\|y`", "- [obsolete] c: !date",
            "* d: Kind?\n  * one\n    two",
            "- plain item",
            "- e: !bigint\n\n  More.", "- f: !real\n    - g\n        - h", "-\n  i: !double", "1. j: !boolean",
            "- k : !date\\\n  tail",
            "- `l`: !timestamptz", "- ~~m~~: !string",
            "| key | value |\n|-|-|\n| owner | @a |", "| column | type |\n|-|-|\n| n | int |",
            "| column | type | 備考 |\n|:-|-:|:-:|\n| o | string(3) | \\| |\n| p | Kind |",
            "| x | y |\n|-|-|\n| 1 | 2 | 3 |", "```\n- q: !integer\n```", "    - r: !integer",
            "<!--\n| column | type |\n|-|-|\n-->",
            "[s]: /t",
        ]
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            let body = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                (pieces.randomElement(using: &random) ?? "")
                    + (Int.random(in: 0..<3, using: &random) == 0 ? "\n" : "\n\n")
            }
            let text = "# c\n\n" + body.joined()
            let documents = ["c.md": text]
            let before = await analyse(documents)
            let result = await formatted(documents)
            let after = await analyse(result)
            let isSame = summary(of: before.definitions) == summary(of: after.definitions)
            #expect(isSame, "\(text.debugDescription) became \((result["c.md"] ?? "").debugDescription)")
            let mistakes = [before, after].map { $0.diagnostics.map(\.rule.name).filter { $0 != "app-type" }.sorted() }
            let haveSame = mistakes[0] == mistakes[1]
            #expect(haveSame, "\(mistakes) in \(text.debugDescription) and \((result["c.md"] ?? "").debugDescription)")
            let isStable = await formatted(result) == result
            #expect(isStable, "\(text.debugDescription)")
        }
    }
}
