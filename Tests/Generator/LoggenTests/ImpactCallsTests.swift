import Foundation
import Testing
import TestSupport

/// Tests the call sites and the coverage in `loggen impact`.
struct ImpactCallsTests {
    private static let definitions = """
        # search

        ## show

        | column | type |
        | --- | --- |
        | position | int |
        | note | string? |

        """

    private static func impact(
        _ subject: String, _ files: [String: String], settings: String? = nil, _ more: String...
    ) throws -> Tool.Result {
        try ImpactTests.impact(subject, definitions, files, settings: settings, ["--consumers", "app"] + more)
    }

    // MARK: tapgen

    private static let usages = """
        {
          "events": [
            {
              "event": "search.show",
              "defined_at": "D/search.md:3",
              "deprecated": false,
              "places": [
                {"file": "Sources/B.swift", "line": 7, "column": 3, "certain": true},
                {"file": "Sources/A.swift", "line": 9, "column": 1, "tap": "A.button", "certain": true},
                {"file": "Sources/A.swift", "line": 2, "certain": false}
              ]
            }
          ],
          "unused": []
        }

        """

    @Test("Call sites in Swift come from tapgen's report") func swiftUsages() throws {
        let files = ["app/usage.json": Self.usages]
        let result = try Self.impact("search.show.position", files)
        #expect(
            result.out == """
                search.show.position: no readers, 2 call sites, 1 possible call site
                  Sources/B.swift:7:3: call posts `position`
                  Sources/A.swift:2: call may post `position`: a case that another type can have
                  Sources/A.swift:9:1: tap of A.button posts `position`

                """, "\(result.error)")
        let optional = try Self.impact("search.show.note", files)
        #expect(
            optional.out.contains("Sources/B.swift:7:3: call may post `note`: tapgen does not list arguments"),
            "\(optional.out)")
        let broken = try Self.impact(
            "search.show", ["app/u.json": "{\"events\": [\n{\"event\": \"a.b\", \"places\": [{}]}]}"])
        #expect(broken.out.contains("not read: app/u.json:2: a place of the usages has no `file` and `line`"))
    }

    @Test("The article shows the reports of these tests") func article() throws {
        let text = try Tool.text(of: "Sources/Generator/loggen/Documentation.docc/Impact.md")
        let files = ["app/usage.json": Self.usages, "app/q.sql": "select position from search__show"]
        let result = try Self.impact("search.show.position", files)
        #expect(text.contains("```\n" + result.out + "```\n"), "\(result.out)\(result.error)")
        let version = "app versions 3.9.0 to 3.10.0 [coverage.json]"
        #expect(text.contains("coverage: `note` is filled in 33.3% of 3 valid records, \(version)\n"))
    }

    @Test("The report in JSON has the call sites") func json() throws {
        let result = try Self.impact("search.show.note", ["app/usage.json": Self.usages], "--format", "json")
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any], "\(result.error)")
        let call = try #require((json["calls"] as? [[String: Any]])?.first)
        #expect(call["kind"] as? String == "call")
        #expect(call["file"] as? String == "Sources/B.swift")
        #expect(call["line"] as? Int == 7)
        #expect(call["column"] as? Int == 3)
        #expect(call["certain"] as? Bool == false)
        #expect(call["may"] as? String == "tapgen does not list arguments")
    }

    @Test("Folders of dependencies and build products are skipped") func skippedFolders() throws {
        let sql = "select 1 from search__show"
        let result = try Self.impact(
            "search.show",
            [
                "app/build.gradle.kts": "", "app/build/a.sql": sql, "app/src/build/b.sql": sql,
                "app/node_modules/c.sql": sql, "app/Pods/d.sql": sql, "app/.gradle/e.sql": sql,
                "app/DerivedData/f.sql": sql,
            ])
        #expect(
            result.out == "search.show: 1 reader\n  app/src/build/b.sql:1:15: query b reads `search__show`\n",
            "\(result.out)")
    }

    // MARK: Coverage

    private static let records = """
        {"event_id":"0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11","event_category":"search","event_name":"show",\
        "schema_version":"1-0-0","occurred_at":"2026-01-01T00:00:00.000Z","app_version":"VERSION",\
        "position":1MORE}

        """

    @Test("Coverage tells how often a column is filled, and in which app versions") func coverage() throws {
        let scratch = try Scratch([
            "D/search.md": Self.definitions,
            "D/common.md": "# common\n\n| column | type |\n| --- | --- |\n| app_version | string |\n",
        ])
        func record(_ version: String, _ more: String = "") -> String {
            Self.records.replacingOccurrences(of: "VERSION", with: version)
                .replacingOccurrences(of: "MORE", with: more)
        }
        let records =
            record("3.9.0") + record("3.10.0") + record("3.10.0", ",\"note\":\"a\"") + record("1.0", ",\"note\":1")
        try scratch.write(records, to: "records.ndjson")
        let validation = try Tool.run(
            ["validate", "--definitions", "D", "records.ndjson", "--coverage", "--format", "json"], in: scratch.url)
        try scratch.write(validation.out, to: "app/coverage.json")
        func impact(_ subject: String, _ more: String...) throws -> String {
            try Tool.run(["impact", subject, "D", "--consumers", "app"] + more, in: scratch.url).out
        }
        let ending = "3 valid records, app versions 3.9.0 to 3.10.0 [app/coverage.json]\n"
        #expect(
            try impact("search.show.position")
                == "search.show.position: no readers\ncoverage: `position` is always filled in \(ending)")
        #expect(try impact("search.show.note").contains("coverage: `note` is filled in 33.3% of \(ending)"))
        #expect(try impact("search.show").contains("coverage: `search.show` occurred in \(ending)"))
        let json = try JSONSerialization.jsonObject(
            with: Data(try impact("search.show.note", "--format", "json").utf8))
        let finding = try #require(((json as? [String: Any])?["coverage"] as? [[String: Any]])?.first)
        #expect(finding["records"] as? Int == 4)
        #expect(finding["valid"] as? Int == 3)
        #expect(finding["filled"] as? Int == 1)
        #expect(finding["appVersions"] as? [String: Int] == ["3.9.0": 1, "3.10.0": 2])
    }

    @Test(
        "Coverage without values is told apart from missing coverage",
        arguments: [
            (
                "{\"event\":\"search.show\",\"records\":1204,\"valid\":1204,\"columns\":[{\"column\":\"note\",\"filled\":0}]}",
                "coverage: `note` is never filled in 1,204 valid records [app/c.json]"
            ),
            (
                "{\"event\":\"search.show\",\"records\":2,\"valid\":2,\"columns\":[]}",
                "coverage: `note` is not counted in 2 valid records [app/c.json]"
            ),
            (
                "{\"event\":\"search.show\",\"records\":2,\"valid\":0,\"columns\":[]}",
                "coverage: `search.show` has no valid record among 2 [app/c.json]"
            ),
            ("", "coverage: `search.show` never occurred [app/c.json]"),
            ("{}", "not read: app/c.json:2: an event has no `event`, `records` and `columns`"),
        ])
    func coverageOfNothing(event: String, line: String) throws {
        let file = "{\"kind\":\"violation\"}\n{\"kind\": \"summary\", \"events\": [\(event)]}\r\n\n"
        let result = try Self.impact("search.show.note", ["app/c.json": file])
        #expect(result.out.contains(line + "\n"), "\(result.out)")
        let named = try Self.impact("search.show.note", ["app/a.sql": "", "c.ndjson": file], "c.ndjson")
        #expect(
            named.out.contains(line.replacingOccurrences(of: "app/c.json", with: "c.ndjson") + "\n"), "\(named.out)")
        let missing = try Self.impact("search.show", ["app/c.json": "{\"kind\":\"summary\",\"records\":1}"])
        #expect(
            missing.out.contains("app/c.json:1: the summary has no coverage; run `loggen validate` with `--coverage`"))
    }
}
