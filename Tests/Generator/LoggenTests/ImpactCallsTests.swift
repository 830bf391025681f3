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

    private static let kotlin = "import com.app.logs.*\nval a = Search.Show(position = 1)\n"
    private static let settings = "outputs: {kotlin: {package: com.app.logs}}\n"

    @Test("Call sites are counted apart from readers and listed with their places") func callSites() throws {
        let files = [
            "app/Search.kt": Self.kotlin, "app/q.sql": "select position from search__show",
            "app/web/a.ts": "import { show } from './logs/Search';\nshow({ note: 'a' }); show(x);",
        ]
        let result = try Self.impact("search.show.position", files, settings: Self.settings)
        #expect(
            result.out == """
                search.show.position: 1 reader, 1 call site, 1 possible call site
                  app/q.sql:1:8: query q reads `position`
                  app/Search.kt:2:9: call posts `position`
                  app/web/a.ts:2:22: call may post `position`: an argument that is not an object literal

                """, "\(result.error)")
        let event = try Self.impact("search.show", files, settings: Self.settings)
        #expect(event.out.hasPrefix("search.show: 1 reader, 3 call sites\n"), "\(event.out)")
        // Without the setting, the package is another one.
        let other = try Self.impact("search.show.position", ["app/Search.kt": Self.kotlin])
        #expect(other.out.contains("call may post `position`: a name whose origin is unknown"), "\(other.out)")
    }

    @Test("The article shows the reports of these tests") func article() throws {
        let text = try String(
            contentsOf: Tool.repository.appendingPathComponent(
                "Sources/Generator/loggen/Documentation.docc/Impact.md"),
            encoding: .utf8)
        #expect(
            text.contains(
                """
                search.show.position: 1 reader, 1 call site, 1 possible call site
                  app/q.sql:1:8: query q reads `position`
                  app/Search.kt:2:9: call posts `position`
                  app/web/a.ts:2:22: call may post `position`: an argument that is not an object literal
                """))
        let version = "app versions 3.9.0 to 3.10.0 [coverage.json]"
        #expect(text.contains("coverage: `note` is filled in 33.3% of 3 valid records, \(version)\n"))
    }

    @Test("The report in JSON has the call sites") func json() throws {
        let result = try Self.impact(
            "search.show.note", ["app/a.js": "import * as S from './Search'\nS.show({ ...x })"], "--format", "json")
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any], "\(result.error)")
        let call = try #require((json["calls"] as? [[String: Any]])?.first)
        #expect(call["kind"] as? String == "call")
        #expect(call["file"] as? String == "app/a.js")
        #expect(call["line"] as? Int == 2)
        #expect(call["column"] as? Int == 1)
        #expect(call["certain"] as? Bool == false)
        #expect(call["may"] as? String == "a spread")
    }

    @Test("Generated code is not a call site, and a module next to it is known by its header") func generatedCode()
        throws
    {
        let scratch = try Scratch([
            "D/search.md": Self.definitions, "D/loggen.yml": "outputs: {typescript: {to: ../app/logs}}\n",
            "app/a.ts": "import { show } from './logs/Search';\nshow({ position: 1 });",
            "app/b.ts": "import { show } from './Search';\nshow({ position: 1 });",
            "app/Search.ts": "export const show = 1;",
        ])
        #expect(try Tool.run("D", in: scratch.url).code == 0)
        let result = try Tool.run("impact", "search.show", "D", "--consumers", "app", in: scratch.url)
        #expect(
            result.out == """
                search.show: no readers, 1 call site, 1 possible call site
                  app/a.ts:2:1: call posts `search.show`
                  app/b.ts:2:1: call may post `search.show`: a name from another package or module

                """, "\(result.error)")
    }

    @Test("Folders of dependencies and build products are skipped") func skippedFolders() throws {
        let result = try Self.impact(
            "search.show",
            [
                "app/build.gradle.kts": "", "app/build/A.kt": Self.kotlin, "app/src/build/B.kt": Self.kotlin,
                "app/node_modules/C.kt": Self.kotlin, "app/Pods/D.kt": Self.kotlin, "app/.gradle/E.kt": Self.kotlin,
                "app/DerivedData/F.kt": Self.kotlin, "app/empty.kt": "", "app/empty.ts": "",
            ], settings: Self.settings)
        #expect(
            result.out == "search.show: no readers, 1 call site\n  app/src/build/B.kt:2:9: call posts `search.show`\n",
            "\(result.out)")
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
        let files = ["app/usage.json": Self.usages, "app/A.swift": ""]
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

    @Test("Code in other languages is listed as not read") func otherLanguages() throws {
        let result = try Self.impact("search.show", ["app/A.swift": "", "app/B.swift": "", "app/C.java": ""])
        #expect(
            result.out == """
                search.show: no readers
                not read: app/C.java: calls in Java are not read (1 file)
                not read: app/A.swift: calls in Swift are not read (2 files); add the report of `tapgen usage \
                --format json` to the consumers

                """, "\(result.out)")
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
