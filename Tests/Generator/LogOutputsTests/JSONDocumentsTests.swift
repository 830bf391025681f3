import Foundation
import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions
@testable import LogOutputs

/// Tests of the way from documents to JSON.
@Suite struct JSONDocumentsTests {
    static let documents: [(path: String, text: String)] = [
        (
            "common.md",
            """
            # common

            | column | type | description |
            | --- | --- | --- |
            | user_id | int64(1...)? | 利用者 |
            """
        ),
        (
            "types.md",
            """
            # types

            ## ListOrder

            | value | description |
            | --- | --- |
            | newest | 新着順 |
            | popular | 人気順 |

            ## RecipeID: int64

            ## Screen

            | key | value |
            | --- | --- |
            | swift | App.Screen |

            ## Theme

            | key | value |
            | --- | --- |
            | swift | App.Theme |
            """
        ),
        (
            "recipe_search.md",
            """
            # レシピ検索 `recipe_search`

            | key | value |
            | --- | --- |
            | owner | @search-team |
            | privacy | personal |

            ## レシピの表示 `show_recipe`

            | key | value |
            | --- | --- |
            | trigger | impression(80%, 2s) |

            | column | type | description | example | privacy |
            | --- | --- | --- | --- | --- |
            | recipe_id | RecipeID | **レシピ**`ID` | `42` | none |
            | order | ListOrder | 並び順 | | |
            | screen | Screen? | 画面 | | |

            ## ~~old_event~~
            """
        ),
        (
            "settings.md",
            """
            # settings

            ## open

            | column | type |
            | --- | --- |
            | theme | Theme? |
            """
        ),
    ]

    static func definitions(of documents: [(path: String, text: String)]) async throws -> Definitions {
        let files = documents.map {
            SourceFile(path: "Definitions/\($0.path)", relativePath: $0.path, source: SourceText(Array($0.text.utf8)))
        }
        let analysis = await Analysis.run(files)
        try #require(!analysis.hasErrors, "\(analysis.diagnostics.map(\.message))")
        return analysis.definitions
    }

    @Test("The order of the files does not matter") func theOrderOfTheFilesDoesNotShow() async throws {
        let first = try await Self.definitions(of: Self.documents)
        for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
            let other = try await Self.definitions(of: order.map { Self.documents[$0] })
            #expect(ModelDump.json(of: other) == ModelDump.json(of: first))
            #expect(JSONSchemaEmitter(other).all() == JSONSchemaEmitter(first).all())
        }
    }

    /// Text in a heading, paragraph or cell that might escape from the page with the JSON.
    @Test(
        "No text of a document escapes from its string",
        arguments: [
            "</script><script>alert(1)</script>", "<!--<script>", "]]>", "x\u{2028}\u{2029}", #"\" \u003c/ \"#,
            "{{a}} ${b} %s", "\u{1}\u{7F}",
        ])
    func documentTextDoesNotEscapeFromItsString(_ text: String) async throws {
        let document = """
            # \(text) `attack`

            About \(text)

            ## \(text) `event`

            About \(text)

            | key | value |
            | --- | --- |
            | owner | \(text) |
            | deprecated | \(text) |

            | column | type | description | example | since | deprecated | \(text)備考 |
            | --- | --- | --- | --- | --- | --- | --- |
            | a | string | \(text) | \(text) | \(text) | \(text) | \(text) |

            ### \(text)
            """
        let definitions = try await Self.definitions(of: [("attack.md", document)])
        let outcome = try JSONSchemaValidation.run(definitions)
        #expect(outcome.problems == [])
        for bytes in JSONSchemaEmitter(definitions).all() + [ModelDump.json(of: definitions)] {
            let written = String(decoding: bytes, as: UTF8.self)
            _ = try JSONSerialization.jsonObject(with: Data(bytes))
            #expect(!written.unicodeScalars.contains { "<\u{2028}\u{2029}".unicodeScalars.contains($0) })
            #expect(!written.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        }
    }
}
