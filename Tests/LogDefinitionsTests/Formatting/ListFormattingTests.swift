import MarkdownSyntax
import Testing

@testable import LogDefinitions

@Suite struct ListFormattingTests {
    @Test func aColumnListBecomesATable() async {
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

    @Test(arguments: [
        // What a table has no place for: deeper nesting, a second paragraph, code.
        "- a: !integer\n    - text\n        - deeper\n", "- a: !integer\n\n    More text.\n", "- a: !integer\n\n  ```\n  code\n  ```\n",
        // What is no list of columns.
        "- first\n- second\n", "1. one\n2. two\n", "- a: !integer\n- and some text\n", "- a: !unknown\n", "- A: !integer\n",
        // The second list would silently become a note beside a table.
        "- a: !integer\n\n* b: !integer\n",
    ])
    func whatATableCannotHoldStaysAList(_ list: String) async {
        let documents = ["c.md": "# c\n\n## e\n\n\(list)"]
        #expect(await formatted(documents) == documents)
    }

    @Test func typesThatOnlyListsNameAreDeclared() async {
        let documents = [
            "c.md": "# c\n\n## e\n\n- kind: DeviceKind\n- order: SortOrder?\n",
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

                ## SortOrder

                | key   | value     |
                | ----- | --------- |
                | swift | SortOrder |

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

    @Test func declarationsAreAddedToTheTypesThereAre() async {
        let documents = [
            "c.md": "# c\n\n## e\n\n- kind: DeviceKind\n- order: SortOrder\n",
            "types.md": "# types\r\n\r\n## SortOrder\r\n\r\n|value|\r\n|-|\r\n|newest|",
        ]
        let result = await formatted(documents)
        #expect(
            result["types.md"]
                == "# types\r\n\r\n## SortOrder\r\n\r\n| value  |\r\n| ------ |\r\n| newest |\r\n\r\n## DeviceKind\r\n\r\n| key   | value      |\r\n| ----- | ---------- |\r\n| swift | DeviceKind |\r\n"
        )
    }

    @Test func aByteOrderMarkIsKept() async {
        let source = SourceText([0xEF, 0xBB, 0xBF] + Array("# c\n\n## e\n\n|column|type|\n|-|-|\n|a|int|\n".utf8))
        let analysis = await Analysis.run([SourceFile(path: "c.md", relativePath: "c.md", source: source)])
        let files = await DefinitionFormatter.format(analysis)
        #expect(files.map(\.isNew) == [false])
        #expect(files.first?.bytes.starts(with: [0xEF, 0xBB, 0xBF, 0x23]) == true)
    }

    @Test(arguments: DaifukuCase.all)
    func formattingKeepsTheMeaning(_ example: DaifukuCase) async {
        let documents = ["common.md": example.common ?? "# common\n", "my_category.md": example.list]
        let before = await analyse(documents)
        let after = await formatted(documents)
        let model = await analyse(after)
        #expect(summary(of: model.definitions) == summary(of: before.definitions))
        #expect(await formatted(after) == after)
    }
}
