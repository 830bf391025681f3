import Foundation
import TestSupport
import Testing

/// Input in another form than the one that a command expects.
@Suite struct InputFormTests {
    private static let documents = ["D/search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | bool |\n"]

    @Test("`validate` takes definitions as other commands do")
    func definitionsAreAPath() throws {
        let scratch = try Scratch(Self.documents.merging(["r.ndjson": "{}\n"]) { $1 })
        let byOption = try Tool.run("validate", "--definitions", "D", "r.ndjson", in: scratch.url)
        let byPath = try Tool.run("validate", "D", "r.ndjson", in: scratch.url)
        #expect(byPath.code == 1 && byPath.out == byOption.out && byPath.error == byOption.error)
        #expect(try Tool.run("validate", "r.ndjson", in: scratch.url).code == 2)
    }

    @Test(
        "`validate` names the way to NDJSON",
        arguments: [
            ("{\n  \"event_name\": \"show\"\n}\n", "`jq -c . r.json`"), ("{\"records\": [{\"a\": 1}]}\n", "`jq -c '.records[]' r.json`"),
            ("{\n \"data\": [\n  {\"a\": 1}]}\n", "`jq -c '.data[]' r.json`"),
        ])
    func otherFormsHaveHelp(_ text: String, _ help: String) throws {
        let scratch = try Scratch(Self.documents.merging(["r.json": text]) { $1 })
        let result = try Tool.run("validate", "D", "r.json", in: scratch.url)
        #expect(result.code == 1)
        #expect(result.error.contains(help), "\(result.error)")
    }

    @Test("`validate` names UTF-16")
    func encodingHasHelp() throws {
        let scratch = try Scratch(Self.documents)
        try scratch.write(try #require("{}\n{}\n".data(using: .utf16)), to: "r.json")
        #expect(try Tool.run("validate", "D", "r.json", in: scratch.url).error.contains("is UTF-16: `iconv -f UTF-16 -t UTF-8 r.json`"))
    }

    @Test("`validate` reports a broken lock once")
    func brokenLockIsReportedOnce() throws {
        let scratch = try Scratch(Self.documents.merging(["D/loggen.lock": "broken\n", "r.ndjson": "{}\n"]) { $1 })
        let result = try Tool.run("validate", "D", "r.ndjson", in: scratch.url)
        #expect(result.code == 1)
        #expect(result.error.components(separatedBy: "[lock-file]").count == 2, "\(result.error)")
    }

    @Test("`infer` tells CSV by its name, and refuses exports of other systems by theirs")
    func inferGuessesTheForm() throws {
        let scratch = try Scratch([
            "plan.csv": "event,column,type\nshow,size,int\n", "ga.json": "{\"event_timestamp\":1,\"user_pseudo_id\":\"a\"}\n",
            "amplitude.json": "{\"event_type\":\"a\",\"amplitude_id\":1}\n", "snowplow.json": "{\"collector_tstamp\":\"a\",\"app_id\":\"b\"}\n",
        ])
        let plan = try Tool.run("infer", "plan.csv", "--category", "search", "--output", "A", in: scratch.url)
        #expect(plan.error.contains("note: the files are read as csv (`--from csv`)"), "\(plan.error)")
        #expect(try scratch.read("A/search.md").contains("size"))
        for (file, name) in [("ga.json", "Google Analytics 4"), ("amplitude.json", "Amplitude"), ("snowplow.json", "Snowplow")] {
            let result = try Tool.run("infer", file, "--output", "B", in: scratch.url)
            #expect(result.code == 2 && result.error.contains("is an export of \(name)"), "\(result.error)")
        }
    }

    @Test("A misspelt command is suggested")
    func misspeltCommandIsSuggested() throws {
        let scratch = try Scratch(Self.documents)
        let result = try Tool.run("lnt", "D", in: scratch.url)
        #expect(result.code == 2)
        #expect(result.error.contains("`lnt` is neither a command nor a path. Did you mean `lint`?"), "\(result.error)")
    }
}
