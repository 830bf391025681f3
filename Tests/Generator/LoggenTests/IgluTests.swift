import Foundation
import Testing
import TestSupport

/// Tests of `--only iglu`: self-describing schemas in subfolders of the output folder.
struct IgluTests {
    static let search = "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| recipe_id | int64 |\n"
    static let home = "# home\n\n## open\n"
    static let settings = "outputs: {iglu: {vendor: com.example}}\n"
    static let show = "Iglu/com.example/search-show/jsonschema"

    private func scratch(_ more: [String: String] = [:]) throws -> Scratch {
        try Scratch(
            ["D/search.md": Self.search, "D/home.md": Self.home, "D/loggen.yml": Self.settings].merging(more) { $1 })
    }

    private func folders(_ scratch: borrowing Scratch, _ folder: String) throws -> [String] {
        let files = try scratch.files(under: folder)
        return scratch.paths(under: folder).filter { files[$0] == nil }
    }

    // MARK: Schemas

    @Test("An exclusive minimum has the form of draft-04") func exclusiveMinimum() throws {
        let column = "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| ratio | double(5e-324...)? |\n"
        let scratch = try scratch(["D/search.md": column])
        try scratch.expect("D --only iglu")
        let schema = try scratch.read("Generated/\(Self.show)/1-0-0")
        #expect(schema.components(separatedBy: "\"exclusiveMinimum\": true").count == 3)
    }

    @Test("A vendor is required") func aVendorIsNeeded() throws {
        let scratch = try scratch(["D/loggen.yml": "outputs:\n  json-schema:\n  iglu:\n"])
        let result = try scratch.expect("D", code: 1)
        #expect(
            result.error.hasPrefix("D/loggen.yml:3:3: error: the output `iglu` needs a `vendor`"), "\(result.error)")
        #expect(try scratch.files(under: "Generated").isEmpty)
        try scratch.remove("D/loggen.yml")
        let unnamed = try scratch.expect(
            "D --only iglu", code: 1,
            error: "help: create the file `D/loggen.yml` with `outputs: {iglu: {vendor: com.example}}`")
        #expect(unnamed.error.hasPrefix("D/loggen.yml: error: the output `iglu` needs a `vendor`"), "\(unnamed.error)")
        try scratch.write("name-length: 30\n", to: "D/loggen.yml")
        let elsewhere = try scratch.expect("D --only iglu", code: 1)
        #expect(
            elsewhere.error.hasPrefix("D/loggen.yml:1:1: error: the output `iglu` needs a `vendor`"),
            "\(elsewhere.error)")
        #expect(!elsewhere.error.contains("name-length"), "\(elsewhere.error)")
    }

    /// `lint` reports the problem once. Runs for other outputs do not.
    @Test(
        "`lint` reports missing settings of an output",
        arguments: [
            ("iglu: {}", "1:11: error: the output `iglu` needs a `vendor`"),
            ("iglu: {vendor: ../x}", "1:26: error: `vendor` is words of letters"),
            ("dbt: {}", "1:11: error: the output `dbt` needs a `dialect`: contracts name the warehouse's types"),
            ("privacy-manifest: {to: ../x}", "1:11: error: the output `privacy-manifest` needs `data`"),
            ("kotlni: {}", "1:11: warning: unknown output `kotlni`"),
        ])
    func lintReportsMissingSettingsOfAnOutput(_ outputs: String, _ message: String) throws {
        let scratch = try scratch(["D/loggen.yml": "outputs: {\(outputs)}\n"])
        let result = try scratch.expect(
            "lint D --strict", code: 1, error: "\nloggen: 1 \(message.contains("warning") ? "warning" : "error") in")
        #expect(result.error.hasPrefix("D/loggen.yml:\(message)"), "\(result.error)")
        if outputs == "dbt: {}" { #expect(try scratch.loggen("D --only swift").code == 0) }
    }

    /// A custom template may have other settings, or none.
    @Test("A template that replaces an output needs none of its settings")
    func replacingTemplateNeedsNoSettings() throws {
        let scratch = try scratch([
            "D/loggen.yml": "templates: T\noutputs: {iglu: , kotlim: }\n",
            "D/T/iglu/output.yml": "extension: txt\nfile: {all: x}\ntext: {string: markdown, comment: markdown}\n",
            "D/T/iglu/all.mustache": "# {{header}}\n", "D/T/kotlim.txt.mustache": "# {{header}}\n",
        ])
        try scratch.expect("lint D --strict")
        try scratch.expect("D")
    }

    @Test(
        "A vendor has to be a valid folder name",
        arguments: [
            "..", ".", "com..example", "com/example", "com.example/..", "-com", "日本", "a b", "'{{ x }}'", "\"a\\nb\"",
        ])
    func aVendorIsAFoldersName(_ vendor: String) throws {
        let scratch = try scratch(["D/loggen.yml": "outputs: {iglu: {vendor: \(vendor)}}\n"])
        try scratch.expect("D", code: 1, error: "error: `vendor` is words of letters")
    }

    /// The example of the documentation has two versions. Only the lock file contains the earlier one.
    @Test("Schemas of earlier versions are kept") func olderVersionsAreKept() throws {
        let scratch = try scratch()
        try scratch.expect("lock D")
        try scratch.write(Self.search + "| position | int(0...)? |\n", to: "D/search.md")
        try scratch.expect("lock D")
        try scratch.expect("D")
        #expect(
            Set(try scratch.files(under: "Generated").keys) == [
                "\(Self.show)/1-0-0", "\(Self.show)/1-0-1", "Iglu/com.example/home-open/jsonschema/1-0-0",
            ])
        func record(_ version: String, _ more: String = "", _ end: String = "") -> String {
            #"{"event_id":"01890a5d-ac96-774b-bcce-b302099a8057","event_category":"search","event_name":"show","schema_version":"\#(version)","occurred_at":"2026-04-01T12:34:56.789Z"\#(more)}\#(end)"#
        }
        let (older, newer) = (
            "iglu:com.example/search-show/jsonschema/1-0-0", "iglu:com.example/search-show/jsonschema/1-0-1"
        )
        let cases: [(String, String, Bool)] = [
            (older, record("1-0-0", #","recipe_id":1"#), true),
            (older, record("1-0-0", #","recipe_id":1,"position":1"#), false),
            (newer, record("1-0-1", #","recipe_id":1,"position":1"#), true),
            (newer, record("1-0-1", #","recipe_id":1,"position":-1"#), false),
            (newer, record("1-0-1", #","recipe_id":1,"position":null"#), true), (newer, record("1-0-1"), false),
            (newer, record("1-0-1", #","violations":["recipe_id: missing"]"#), true),
            (newer, record("1-0-1", #","violations":[]"#), false),
        ]
        let schemas = try scratch.files(under: "Generated").values.map { [UInt8]($0) }
        let outcome = try JSONSchemaValidation.run(
            schemas: schemas, cases: cases.map { .init(schema: $0.0, instance: $0.1) })
        #expect(outcome.problems == [])
        for (verdict, testCase) in zip(outcome.verdicts, cases) { #expect(verdict == testCase.2, "\(testCase)") }

        // This includes versions of deleted documents, and documents that differ from the lock file.
        try scratch.remove("D/home.md")
        try scratch.write(Self.search.replacingOccurrences(of: "int64", with: "string(8)"), to: "D/search.md")
        try scratch.expect("D")
        #expect(
            Set(try scratch.files(under: "Generated").keys) == [
                "\(Self.show)/1-0-0", "\(Self.show)/1-0-1", "\(Self.show)/2-0-0",
                "Iglu/com.example/home-open/jsonschema/1-0-0",
            ])
        #expect(try scratch.read("Generated/\(Self.show)/1-0-1").contains("9223372036854775807"))
    }

    @Test("Records with violations can be rejected") func recordsWithViolationsMayBeRefused() throws {
        let scratch = try scratch(["D/loggen.yml": "outputs: {iglu: {vendor: com.example, violations: refused}}\n"])
        try scratch.expect("D")
        let schemas = try scratch.files(under: "Generated").values.map { [UInt8]($0) }
        let record =
            #"{"event_id":"01890a5d-ac96-774b-bcce-b302099a8057","event_category":"search","event_name":"show","schema_version":"1-0-0","occurred_at":"2026-04-01T12:34:56.789Z","recipe_id":1"#
        let uri = "iglu:com.example/search-show/jsonschema/1-0-0"
        let outcome = try JSONSchemaValidation.run(
            schemas: schemas,
            cases: ["}", ",\"violations\":[\"recipe_id: type\"]}"].map { .init(schema: uri, instance: record + $0) })
        #expect(outcome.problems == [])
        #expect(outcome.verdicts == [true, false])
    }

    /// Without the error, the run would remove the schema of the version that cannot be read.
    @Test("An unreadable line in the lock file is an error") func aLineOfTheLockFileThatCannotBeReadIsAnError() throws {
        let scratch = try scratch([
            "D/loggen.lock":
                "loggen.lock 1\nsearch.show 1-0-0 active recipe_id:nothing\nsearch.show 1-0-1 active recipe_id:int64\n"
        ])
        try scratch.expect("D", code: 1, error: "D/loggen.lock:2:1: error: `nothing` is not a type")
        try scratch.expect("D --only swift")
    }

    @Test("Hostile strings do not escape from schemas") func hostileStringsDoNotEscapeFromSchemas() throws {
        let hostile = "\" }, '; DROP TABLE x; -- */ {{ 7*7 }} </script> \u{202E} & *a !b \\"
        let scratch = try scratch([
            "D/search.md":
                "# \(hostile) `search`\n\n\(hostile)\n\n## \(hostile) `show`\n\n\(hostile)\n\n| column | type | description | \(hostile) |\n| --- | --- | --- | --- |\n| a | int | \(hostile) | \(hostile) |\n"
        ])
        try scratch.expect("D")
        let schemas = try scratch.files(under: "Generated").values.map { [UInt8]($0) }
        #expect(schemas.count == 2)
        #expect(try JSONSchemaValidation.run(schemas: schemas, cases: []).problems == [])
    }

    // MARK: Subfolders of the output folder

    @Test("Stale files are removed with their folders") func staleFilesAreRemovedWithTheirFolders() throws {
        let scratch = try scratch(["D/feed.md": "# feed\n\n## open\n"])
        _ = try scratch.loggen("D")
        try scratch.write("mine\n", to: "Generated/Iglu/com.example/search-show/notes.txt")
        try scratch.write("# home\n\n## close\n", to: "D/home.md")
        try scratch.write("# search\n\n## hide\n", to: "D/search.md")
        try scratch.expect(
            "check D --stat", code: 1, out: "home-open/jsonschema/1-0-0 | stale",
            "home-close/jsonschema/1-0-0 | missing")
        #expect(try scratch.loggen("D").out.contains("(2 written, 1 unchanged, 2 removed)"))
        #expect(
            try folders(scratch, "Generated/Iglu/com.example") == [
                "feed-open", "feed-open/jsonschema", "home-close", "home-close/jsonschema", "search-hide",
                "search-hide/jsonschema", "search-show",
            ])
        try scratch.expect("check D")
        try scratch.write("{}", to: "Generated/Iglu/com.example/home-close/jsonschema/1-0-0")
        #expect(
            try scratch.loggen("check D --stat").out.contains(
                "home-close/jsonschema/1-0-0 | not generated")
        )
        try scratch.expect("D", code: 2)
        #expect(try scratch.read("Generated/Iglu/com.example/home-close/jsonschema/1-0-0") == "{}")
    }

    @Test("Links are written through and not searched") func linksAreWrittenThroughAndNotSearched() throws {
        let scratch = try scratch([
            "D/loggen.yml": "outputs: {iglu: {vendor: com.example, to: ../link}}\n", "real/x": "",
        ])
        try scratch.link("link", to: "real")
        try scratch.expect("D")
        #expect(try scratch.files(under: "real").count == 3)
        try scratch.link("real/loop", to: ".")
        try scratch.remove("D/home.md")
        #expect(try scratch.loggen("D").out.contains("1 removed"))
        #expect(try folders(scratch, "real/com.example") == ["search-show", "search-show/jsonschema"])
    }
}
