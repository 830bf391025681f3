import Foundation
import TestSupport
import Testing

/// Tests of sources that teams have in addition to documents: registries, exports, and files of other systems.
struct OtherSourcesTests {
    @Test("An Iglu registry has the newest version of each schema") func registry() throws {
        func schema(_ version: String, _ column: String) -> String {
            """
            {"self": {"vendor": "com.example", "name": "link_click", "format": "jsonschema", "version": "\(version)"},
             "type": "object", "properties": {"\(column)": {"type": "string"}}, "required": ["\(column)"],
             "additionalProperties": false}
            """
        }
        let scratch = try Scratch([
            "Iglu/com.example/link_click/jsonschema/1-0-9": schema("1-0-9", "old"),
            "Iglu/com.example/link_click/jsonschema/1-0-10": schema("1-0-10", "url"),
        ])
        let result = try Tool.run("infer", "Iglu", "--output", "D", in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        let document = try scratch.read("D/events.md")
        #expect(document.contains("## link_click") && document.contains("| url ") && !document.contains("| old "))
    }

    @Test("loggen's own registry comes back unchanged") func ownRegistry() throws {
        let definitions = """
            # feed

            ## See card `see_card`

            A card is seen.

            | column  | type          | description |
            | ------- | ------------- | ----------- |
            | card_id | int64         | The card    |
            | kind    | enum(a, b)?   |             |
            | tags    | [string]      |             |

            """
        let scratch = try Scratch([
            "Definitions/feed.md": definitions, "Definitions/loggen.yml": "outputs: {iglu: {vendor: com.example}}\n",
        ])
        _ = try Tool.run("format", "Definitions", in: scratch.url)
        let formatted = try scratch.read("Definitions/feed.md")
        let generated = try Tool.run("Definitions", "--only", "iglu", "--output", "Generated", in: scratch.url)
        #expect(generated.code == 0, "\(generated.error)")
        let result = try Tool.run("infer", "--from", "json-schema", "Generated", "--output", "D", in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        #expect(try scratch.read("D/feed.md") == formatted)
    }

    @Test(
        "A tracking plan of another system is refused with the export to read instead",
        arguments: [
            ("plan.json", #"{"rules": [{"key": "Opened", "jsonSchema": {}}]}"#, "Segment"),
            ("plan.yaml", "rules:\n- key: Opened\n  jsonSchema: {}\n", "Segment"),
            ("plan.json", #"{"events": [{"name": "Opened", "eventType": "track"}]}"#, "RudderStack"),
            ("plan.yaml", "version: rudder/0.1\n", "RudderStack"),
        ]) func plansOfOtherSystems(path: String, text: String, system: String) throws
    {
        let scratch = try Scratch([path: text])
        let result = try Tool.run("infer", path, "--output", "D", in: scratch.url)
        #expect(result.code == 2)
        #expect(result.error.contains("is a tracking plan of \(system), which infer does not read: export it as CSV"))
    }

    @Test(
        "One sentence names a source that is not read",
        arguments: [
            (
                "metrics.yaml", "$schema: moz://mozilla.org/schemas/glean/metrics/2-0-0\na:\n  b:\n    type: event\n",
                "Glean"
            ),
            ("registry.yaml", "groups:\n  - {id: app.tap, type: event, brief: A tap.}\n", "weaver"),
            ("other.yaml", "a: 1\n", "YAML of an unknown system"),
            (
                "pretty.json", "{\n  \"app_started\": {\n    \"description\": \"x\"\n  }\n}\n",
                "one JSON object over several lines"
            ),
        ])
    func refused(name: String, text: String, what: String) throws {
        let scratch = try Scratch([name: text])
        let result = try Tool.run("infer", name, "--output", "D", in: scratch.url)
        #expect(result.code == 2)
        #expect(result.error.contains(what) && result.error.split(separator: "\n").count == 1, "\(result.error)")
        #expect(try scratch.files().keys.sorted() == [name])
    }

    @Test("Documents are recognized, and a folder of definitions is not a plan") func documents() throws {
        let plan = "# Plan\n\n## Opened\n\n| Property | Type |\n|---|---|\n| a | int |\n"
        let scratch = try Scratch(["docs/plan.md": plan, "docs/notes.md": "# Notes\n\nText.\n"])
        let result = try Tool.run("infer", "docs", "--output", "Definitions", in: scratch.url)
        #expect(result.code == 0 && result.error.contains("`--from markdown`"), "\(result.error)")
        #expect(try scratch.read("Definitions/plan.md").contains("## Opened `opened`"))
        let again = try Tool.run("infer", "--from", "markdown", "Definitions", "--output", "D", in: scratch.url)
        #expect(again.code == 1 && again.error.contains("these are definitions: check them with `loggen lint`"))
        // Nothing is overwritten.
        try scratch.write(Data("x".utf8), to: "Definitions/plan.md")
        #expect(try Tool.run("infer", "docs", "--output", "Definitions", in: scratch.url).code == 2)
        #expect(try scratch.read("Definitions/plan.md") == "x")
        let lint = try Tool.run("lint", "docs", in: scratch.url)
        #expect(lint.error.contains("loggen infer --from markdown"), "\(lint.error)")
    }
}
