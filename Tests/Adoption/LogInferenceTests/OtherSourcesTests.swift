import Foundation
import TestSupport
import Testing

@testable import LogInference

/// Tests of sources that teams have in addition to documents: registries, exports, and files of other systems.
struct OtherSourcesTests {
    private func schemas(_ files: [String: String]) async -> Inference {
        let sources = files.sorted { $0.key < $1.key }.map {
            InferenceSource(path: $0.key, bytes: Array($0.value.utf8))
        }
        return await Inference.ofSchemas(sources, category: nil)
    }

    private func sheet(_ text: String) async -> Inference {
        await Inference.ofSpreadsheets([InferenceSource(path: "sheet.csv", bytes: Array(text.utf8))], category: nil)
    }

    private func warnings(_ inference: Inference) -> [String] {
        inference.findings.filter { $0.kind == .warning }.map(\.message)
    }

    @Test("A choice of constants is an enumeration, and a constant name is the event's") func constants() async {
        let inference = await schemas([
            "Opened.json": """
            {"title": "Opened", "type": "object", "required": ["eventName", "layout"], "properties": {
              "eventName": {"enum": ["Opened"]},
              "layout": {"description": "The layout.", "type": "string", "oneOf": [
                {"const": "List", "description": "One below the other."}, {"const": "Grid"}]},
              "mode": {"anyOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]}}}
            """
        ])
        #expect(inference.signatures == ["events.opened(layout: enum(List, Grid), mode: enum(a, b)?)"])
        #expect(
            inference.draft.categories.first?.events.first?.columns.first?.description
                == "The layout.\nList: One below the other.")
        #expect(warnings(inference).isEmpty)
    }

    @Test("An Iglu registry has the newest version of each schema") func registry() async throws {
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

    @Test("Headers of spreadsheets restrict types") func restrictions() async {
        let inference = await sheet(
            """
            Event Name,Property Name,Property Type,Is Required,Allowed Values,Is List,List Item Type
            Started,level,int,Always,"1, 2",FALSE,
            Started,mode,string,Optional,"easy, hard",FALSE,
            Started,tags,string,Sometimes,,TRUE,
            Started,ids,array,required,,,int
            """)
        #expect(
            inference.signatures == ["sheet.started(level: int, mode: enum(easy, hard)?, tags: [string]?, ids: [int])"])
        #expect(warnings(inference) == ["the values `1, 2` of `level` are left out: an enumeration has strings"])
    }

    @Test("Headers in snake_case, and no header for types") func otherHeaders() async {
        let snake = await sheet("event_name,parameter_name,parameter_type\nlogin,method,string\nlogin,count,integer\n")
        #expect(snake.signatures == ["sheet.login(method: string, count: int32)"])
        let untyped = await sheet("Event Name,Parameter Name,Required\nlogin,method,true\nlogin,count,false\n")
        #expect(untyped.signatures == ["sheet.login(method: string, count: string?)"])
        #expect(warnings(untyped) == ["no header is `type`: all columns become strings"])
        let other = await sheet("A,B\n1,2\n")
        #expect(warnings(other).first?.contains("the first row has `A`, `B`") == true)
    }

    @Test("An export of Amplitude Data") func amplitude() async {
        let inference = await sheet(
            """
            Object Type,Object Name,Event Display Name,Object Owner,Object Description,Event Category,Tags,Property Type,\
            Event Property Name,Property Description,Property Value Type,Property Required,Property Is Array,Enum Values
            Event,Song Played,Song Played,ana,A song started,Player,core,Event Property,song_id,The song,number,TRUE,FALSE,
            ,Song Played,,,,,,Event Property,genre,The genre,enum,FALSE,FALSE,"rock, pop"
            ,Song Played,,,,,,Event Property,tags,Tags,string,FALSE,TRUE,
            Event,App Opened,,,Opened,,LIVE,,,,,,,
            """)
        #expect(
            inference.signatures == [
                "player.song_played(song_id: double, genre: enum(rock, pop)?, tags: [string]?)", "player.app_opened()",
            ])
        #expect(warnings(inference).isEmpty)
    }

    @Test("Examples in the spelling of spreadsheets") func examples() async {
        let inference = await sheet("event,column,type,example\na,b,bool,TRUE\na,t,timestamp,2026-11-27T10:00:00Z\n")
        #expect(
            inference.draft.categories.first?.events.first?.columns.map(\.example) == [
                "true", "2026-11-27T10:00:00.000Z",
            ])
        #expect(warnings(inference).isEmpty)
    }

    @Test("A second owner of an event is a loss") func owners() async {
        let inference = await sheet("event,column,type,owner\nopen,a,int,@ios\nopen,b,int,@android\n")
        #expect(warnings(inference) == ["`@android` is left out: the event's owner is `@ios`"])
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
