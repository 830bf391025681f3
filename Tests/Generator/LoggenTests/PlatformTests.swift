import Foundation
import Testing
import TestSupport

/// Tests of `platforms`. An output contains the events of its platform. Schemas contain all events.
struct PlatformTests {
    static let search = """
        # search

        | key | value |
        | --- | --- |
        | 対象 | iOS、Android |

        ## show

        | column | type | required | 対象 |
        | --- | --- | --- | --- |
        | recipe_id | int64 | yes | |
        | widget | enum(a, b) | no | iOS |
        | shortcut | string(9) | no | android |

        ## open_page

        | key | value |
        | --- | --- |
        | platforms | web |

        | column | type |
        | --- | --- |
        | path | string(99) |

        """

    static let common = """
        # common

        | column | type | required | platforms |
        | --- | --- | --- | --- |
        | user_id | uuid | yes | |
        | cookie | uuid | no | web |

        """

    @Test("Each output contains the events and columns of its platforms") func eachOutputHasWhatItsAppsLog() throws {
        let manifest = "extension: txt\nplatform: android\ntext: {string: json, comment: c}\n"
        let template = """
            // {{header}}
            {{#category}}{{#events}}{{name}}: {{#columns}}{{name}} {{platforms}};{{/columns}} {{platforms}}{{/events}}{{/category}}

            """
        let scratch = try Scratch([
            "D/search.md": Self.search, "D/common.md": Self.common, "T/words/output.yml": manifest,
            "T/words/category.mustache": template,
        ])
        try scratch.expect("D --templates T --only swift,json-schema,words -q")

        let swift = try scratch.read("Generated/Swift/Search.swift")
        #expect(swift.contains("case show(recipeId: Int64, widget: Widget? = nil)"))
        #expect(!swift.contains("openPage") && !swift.contains("shortcut"))
        #expect(!(try scratch.read("Generated/Swift/CommonColumns.swift").contains("cookie")))

        let words = try scratch.read("Generated/words/search.txt").split(separator: "\n").last
        #expect(words == "show: recipe_id ios, android, web;shortcut android; ios, android")

        let schema = try scratch.read("Generated/JSONSchema/search.schema.json")
        for text in [
            "\"open_page\"", "\"widget\"", "\"shortcut\"", "\"cookie\"", "\"x-platforms\": \"android\"",
            "\"x-platforms\": \"web\"",
        ] {
            #expect(schema.contains(text), "\(text)")
        }
    }

    @Test("Kotlin is for Android, and TypeScript is for the web")
    func kotlinIsForAndroidAndTypeScriptForTheWeb() throws {
        let scratch = try Scratch(["D/search.md": Self.search, "D/common.md": Self.common])
        try scratch.expect("D --only kotlin,typescript -q")
        let kotlin = try scratch.read("Generated/kotlin/Search.kt") + scratch.read("Generated/kotlin/CommonColumns.kt")
        let web =
            try scratch.read("Generated/typescript/Search.ts") + scratch.read("Generated/typescript/CommonColumns.ts")
        #expect(
            kotlin.contains("shortcut") && !kotlin.contains("open_page") && !kotlin.contains("widget")
                && !kotlin.contains("cookie"))
        #expect(
            web.contains("open_page") && web.contains("cookie") && !web.contains("shortcut") && !web.contains("widget"))
    }

    /// Taps of an app post nothing that its platform omits, and a category may be empty for a platform.
    @Test("A category may have no events for Swift") func aCategoryMayHaveNothingForSwift() throws {
        let scratch = try Scratch([
            "D/search.md": "# search\n\n| key | value |\n| --- | --- |\n| platforms | web |\n\n## show\n"
        ])
        try scratch.expect("D --only swift -q")
        #expect(try scratch.read("Generated/Swift/Search.swift").contains("enum Search"))
    }

    /// Schemas contain the platforms, which `infer` reads.
    @Test("Platforms survive a round trip through schemas") func platformsSurviveARoundTripThroughSchemas() throws {
        let scratch = try Scratch(["D/search.md": Self.search])
        try scratch.expect("D --only json-schema -q")
        let schema = "Generated/JSONSchema/search.schema.json"
        let inferred = try Tool.run("infer", "--from", "json-schema", schema, "--output", "E", in: scratch.url)
        #expect(inferred.code == 0, "\(inferred.error)")
        try scratch.expect("E --only json-schema --output F -q")
        #expect(try scratch.read("F/JSONSchema/search.schema.json") == scratch.read(schema))
    }
}
