import Testing

@testable import LogDefinitions

/// Tests of which parts of a document are descriptions or notes, and how both are kept.
struct DescriptionTests {
    private func event(_ text: String) async throws -> Event {
        let analysis = await analyse(["search.md": "# search\n\n## show\n\(text)"])
        #expect(!analysis.hasErrors)
        return try #require(analysis.definitions.categories.first?.events.first)
    }

    static let descriptions: [(text: String, description: String)] = [
        ("\none\n", "one"),
        ("\none\ntwo\n\n\n\nthree\n", "one\ntwo\n\nthree"),
        ("\r\none\r\ntwo\r\n\r\nthree\r\n", "one\ntwo\n\nthree"),
        ("\n   indented\n", "indented"),
        ("\n- a\n- b\n\n> c\n", "- a\n- b\n\n> c"),
        ("\n    code\n\n    more\n", "    code\n\n    more"),
        ("\n```swift\n  code\n```\n", "```swift\n  code\n```"),
        ("\n[a]: http://example.com\n\nsee [a]\n", "[a]: http://example.com\n\nsee [a]"),
        ("\none  \n", "one"),
        ("one\n| column | type |\n| --- | --- |\n| a | int |\n", "one"),
    ]

    @Test("A description is kept as written", arguments: descriptions)
    func descriptionIsKeptAsWritten(_ example: (text: String, description: String)) async throws {
        #expect(try await event(example.text).description == example.description)
    }

    @Test("Text after tables and below deeper headings is notes")
    func textAfterTablesAndBelowDeeperHeadingsIsNotes() async throws {
        let event = try await event(
            """
            description

            | key | value |
            | --- | --- |
            | owner | @a |

            between

            | column | type |
            | --- | --- |
            | a | int |

            ---
            behind

            ### History

            | when | what |
            | --- | --- |
            | 2026 | added |
            """)
        #expect(event.description == "description")
        #expect(event.columns.map(\.name) == ["a"])
        #expect(
            event.notes == "between\n\n---\n\nbehind\n\n### History\n\n| when | what |\n| --- | --- |\n| 2026 | added |"
        )
    }

    @Test("Without tables, a deeper heading ends the description")
    func withoutTablesDeeperHeadingsEndTheDescription() async throws {
        let event = try await event("\ndescription\n\n#### More\n\nnotes\n")
        #expect(event.description == "description")
        #expect(event.notes == "#### More\n\nnotes")
    }
}
