import Foundation
import Testing
import TestSupport

/// Tests of input in another format than a command expects.
@Suite struct InputFormTests {
    private static let documents = [
        "D/search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | bool |\n"
    ]

    @Test("`validate` accepts a definition folder as an argument")
    func definitionsAreAPath() throws {
        let scratch = try Scratch(Self.documents.merging(["r.ndjson": "{}\n"]) { $1 })
        let byOption = try scratch.loggen("validate --definitions D r.ndjson")
        let byPath = try scratch.loggen("validate D r.ndjson")
        #expect(byPath.code == 1 && byPath.out == byOption.out && byPath.error == byOption.error)
        try scratch.expect("validate r.ndjson", code: 2)
    }

    @Test(
        "`validate` suggests a conversion to NDJSON",
        arguments: [
            ("{\n  \"event_name\": \"show\"\n}\n", "`jq -c . r.json`"),
            ("{\"records\": [{\"a\": 1}]}\n", "`jq -c '.records[]' r.json`"),
            ("{\n \"data\": [\n  {\"a\": 1}]}\n", "`jq -c '.data[]' r.json`"),
        ])
    func otherFormsHaveHelp(_ text: String, _ help: String) throws {
        let scratch = try Scratch(Self.documents.merging(["r.json": text]) { $1 })
        try scratch.expect("validate D r.json", code: 1, error: help)
    }

    @Test("`validate` detects UTF-16")
    func encodingHasHelp() throws {
        let scratch = try Scratch(Self.documents)
        try scratch.write(try #require("{}\n{}\n".data(using: .utf16)), to: "r.json")
        #expect(
            try scratch.loggen("validate D r.json").error.contains(
                "is UTF-16: `iconv -f UTF-16 -t UTF-8 r.json`"))
        for (text, isUTF16) in [("{\0}\0\n\0", true), ("\0{\0}\0\n", true), ("\0\0\0\0\n", false), ("{}\0\n", false)] {
            try scratch.write(text, to: "r.json")
            let result = try scratch.loggen("validate D r.json")
            #expect(result.error.contains("UTF-16") == isUTF16, "\(result.error)")
        }
    }

    @Test(
        "`validate` suggests a conversion to NDJSON for gzip and standard input",
        arguments: ["jq -c .", "jq -c '.records[]'", "iconv -f UTF-16 -t UTF-8"])
    func packedFormsHaveHelp(_ command: String) throws {
        let texts = [
            "jq -c .": "{\n  \"event_name\": \"show\"\n}\n", "jq -c '.records[]'": "{\"records\": [{\"a\": 1}]}\n",
        ]
        let text = texts[command].map { Data($0.utf8) } ?? "{}\n{}\n".data(using: .utf16)
        let scratch = try Scratch(Self.documents)
        try scratch.write(try #require(text), to: "r.json")
        let packed = try Tool.command(["gzip", "-k", "r.json"], in: scratch.url)
        #expect(packed.code == 0)
        try scratch.expect("validate D r.json.gz", code: 1, error: "`zcat r.json.gz | \(command)`")
        guard let text = texts[command] else { return }
        let input = try Tool.run("validate", "D", "-", in: scratch.url, input: text)
        #expect(
            input.code == 1 && input.error.contains("standard input") && input.error.contains("`\(command)` before it"),
            "\(input.error)")
    }

    private static func record(_ event: String, id: Int = 1, more: String = "") -> String {
        let digits = String(id)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return
            "{\"event_id\":\"\(id)\",\"event_category\":\"search\",\"event_name\":\"\(event)\",\"schema_version\":\"1-0-0\","
            + "\"occurred_at\":\"2026-04-01T12:34:56.789Z\"\(more)}\n"
    }

    @Test("The envelope and common columns of a record with an unknown event are checked")
    func unknownEventsAreJudged() throws {
        let scratch = try Scratch(Self.documents)
        try scratch.write(
            "# common\n\n| column | type |\n| --- | --- |\n| user_id | int(0...) |\n| plan | string |\n",
            to: "D/common.md")
        let record = Self.record("gone", more: ",\"user_id\":-1,\"size\":1")
        let wanted = """
            r.ndjson:1: user_id: -1 is below 0 [D/common.md:5:3]
            r.ndjson:1: event_name: the category `search` has no event `gone`
            r.ndjson:1: plan: it is missing [D/common.md:6:3]

            """
        try scratch.write(record, to: "r.ndjson")
        #expect(try scratch.loggen("validate D r.ndjson").out == wanted)
        // The columns may come first.
        let members = record.dropFirst().dropLast(2).split(separator: ",").reversed().joined(separator: ",")
        try scratch.write("{\(members)}\n", to: "r.ndjson")
        #expect(try scratch.loggen("validate D r.ndjson").out == wanted)
        try scratch.write(record.replacing("2026-04-01T", with: "2026-13-01T"), to: "r.ndjson")
        #expect(
            try scratch.loggen("validate D r.ndjson").out.contains(
                "occurred_at: \"2026-13-01T12:34:56.789Z\" is not a time"))
        // The columns of a known event are checked once.
        try scratch.write(Self.record("show", more: ",\"user_id\":1,\"plan\":\"a\",\"a\":true"), to: "r.ndjson")
        try scratch.expect("validate D r.ndjson")
    }

    @Test("Repeated values of `event_id` are counted, but not bad")
    func repeatedIDsAreCounted() throws {
        let record = Self.record("show", more: ",\"a\":true")
        let other = Self.record("show", id: 2, more: ",\"a\":true")
        let scratch = try Scratch(
            Self.documents.merging(["r.ndjson": record + other, "s.ndjson": record + record]) { $1 })
        let result = try scratch.loggen("validate D r.ndjson s.ndjson")
        #expect(
            result.code == 0 && result.error == "loggen: 4 records: 4 valid; 2 with a repeated event_id\n",
            "\(result)")
        let json = try scratch.loggen("validate D r.ndjson s.ndjson --format json")
        #expect(json.out.contains("\"repeatedIDs\": 2"), "\(json.out)")
        #expect(try scratch.loggen("validate D r.ndjson").error == "loggen: 2 records: 2 valid\n")
        #expect(try scratch.loggen("validate --help").out.contains("100,000"))
    }

    @Test("`validate` reports a broken lock file once")
    func brokenLockIsReportedOnce() throws {
        let scratch = try Scratch(Self.documents.merging(["D/loggen.lock": "broken\n", "r.ndjson": "{}\n"]) { $1 })
        let result = try scratch.expect("validate D r.ndjson", code: 1)
        #expect(result.error.components(separatedBy: "[lock-file]").count == 2, "\(result.error)")
    }

    @Test("`infer` detects CSV by the file name and rejects exports of other systems")
    func inferGuessesTheForm() throws {
        let scratch = try Scratch([
            "plan.csv": "event,column,type\nshow,size,int\n",
            "ga.json": "{\"event_timestamp\":1,\"user_pseudo_id\":\"a\"}\n",
            "amplitude.json": "{\"event_type\":\"a\",\"amplitude_id\":1}\n",
            "snowplow.json": "{\"collector_tstamp\":\"a\",\"app_id\":\"b\"}\n",
        ])
        let plan = try scratch.loggen("infer plan.csv --category search --output A")
        #expect(plan.error.contains("note: the files are read as csv (`--from csv`)"), "\(plan.error)")
        #expect(try scratch.read("A/search.md").contains("size"))
        for (file, name) in [
            ("ga.json", "Google Analytics 4"), ("amplitude.json", "Amplitude"), ("snowplow.json", "Snowplow"),
        ] {
            let result = try Tool.run("infer", file, "--output", "B", in: scratch.url)
            #expect(result.code == 2 && result.error.contains("is an export of \(name)"), "\(result.error)")
        }
    }

    @Test("`infer` rejects exports that are compressed, pretty-printed, from standard input, or CSV")
    func exportsAreRefusedInEachForm() throws {
        let record = "{\"event_type\": \"a\",\n \"amplitude_id\": 1}"
        let scratch = try Scratch([
            "a.json": "[\n\(record)\n]\n", "ga.csv": "event_date,event_timestamp,event_name,user_pseudo_id\n1,2,a,b\n",
            "logs/1.ndjson": "{\"event_category\":\"a\",\"event_name\":\"b\"}\n",
            "logs/2.ndjson": record.replacing("\n", with: "") + "\n",
        ])
        let packed = try Tool.command(["gzip", "-k", "logs/2.ndjson"], in: scratch.url)
        #expect(packed.code == 0)
        for arguments in [["a.json"], ["logs/2.ndjson.gz"], ["logs"], ["-"], ["ga.csv"]] {
            let result = try Tool.run(["infer", "--output", "A"] + arguments, in: scratch.url, input: "[\(record)]")
            let name = arguments == ["ga.csv"] ? "Google Analytics 4" : "Amplitude"
            #expect(result.code == 2 && result.error.contains("is an export of \(name)"), "\(arguments): \(result)")
        }
        #expect(scratch.contains("A") == false)
    }

    @Test("`infer` detects a spreadsheet by its headers, and suggests an option if it cannot")
    func contentsTellTheForm() throws {
        let scratch = try Scratch([
            "plan.txt": "イベント\tカラム\t型\nshow\tsize\tint\n", "plan.xlsx": "PK\u{3}\u{4}", "plan.yaml": "events: []\n",
        ])
        try scratch.expect("infer plan.txt --output A", error: "are read as csv")
        #expect(
            try scratch.loggen("infer plan.xlsx --output B").error.contains(
                "save its sheet as CSV (UTF-8)"))
        #expect(
            try scratch.loggen("infer plan.yaml --output B").error.contains(
                "`plan.yaml` is YAML of an unknown system, which infer does not read: list its events"))
        let input = try Tool.run(
            "infer", "-", "--output", "B", in: scratch.url, input: "event,column,type\nshow,size,int\n")
        #expect(input.code == 1 && input.error.contains("`--from csv` reads a spreadsheet"), "\(input)")
    }

    @Test("`infer` lists renamed columns, because `validate` rejects the records")
    func renamedColumnsAreNamed() throws {
        let record =
            #"{"event_id":"7F3C2E0A-0B5B-4E1C-9C43-1B7B1D1C2A10","event_category":"Search","event_name":"show","schema_version":"1-0-0","#
            + #""occurred_at":"2026-04-01T12:34:56.789Z","user.id":"a"}"# + "\n"
        let scratch = try Scratch(["r.ndjson": record + record])
        let result = try scratch.loggen("infer r.ndjson --output D")
        let wanted = [("category", "Search", "search"), ("column", "user.id", "user_id")]
        #expect(result.code == 1)
        for (kind, old, new) in wanted {
            let message =
                "warning: the \(kind) `\(old)` is called `\(new)`; send `\(new)` from the app, since `loggen validate` rejects records with `\(old)`"
            #expect(result.error.components(separatedBy: message).count == 2, "\(result.error)")
        }
        try scratch.expect("validate D r.ndjson", code: 1)
        try scratch.write(
            record.replacing("Search", with: "search").replacing("user.id", with: "user_id"), to: "new.ndjson")
        try scratch.expect("validate D new.ndjson")
    }

    @Test("`check` suggests `--stat` for long differences, and prints one line on success")
    func checkMentionsStat() throws {
        let rows = (1...120).map { "| c\($0) | bool |\n" }.joined()
        let scratch = try Scratch(["D/search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n\(rows)"])
        try scratch.expect("D")
        try scratch.expect("lock D")
        #expect(
            try scratch.loggen("check D").error
                == "loggen: nothing to change: 3 generated files are up to date\n")
        let path = "Generated/Swift/Search.swift"
        try scratch.write(
            try scratch.read(path).split(separator: "\n").map { $0 + " " }.joined(separator: "\n"), to: path)
        #expect(
            try scratch.loggen("check D").error.contains("help: `--stat` shows a line for each file\n"))
        #expect(!(try scratch.loggen("check D --stat").error.contains("--stat")))
    }

    @Test("`README` in any language is not a definition, and `*.MD` is reported") func markdownFilesOfOtherNames()
        throws
    {
        let scratch = try Scratch([
            "D/search.md": "# search\n\n## show\n", "D/README.ja.md": "# 定義の書き方\n", "D/README.md": "# Definitions\n",
        ])
        #expect(try scratch.loggen("lint D").error == "loggen: no problems in 1 file\n")
        try scratch.write("# shop\n\n## show\n", to: "D/shop.MD")
        try scratch.expect("lint D", code: 1, error: "help: rename the file to `shop.md`\n")
    }

    @Test("A caret spans a quoted string of loggen.yml", arguments: ["name-length: \"日本\"", "name-length: '日本' # x"])
    func caretSpansAQuotedString(_ line: String) throws {
        let scratch = try Scratch(["D/search.md": "# search\n\n## show\n", "D/loggen.yml": line + "\n"])
        let lint = try scratch.loggen("lint D --quiet")
        #expect(
            lint.error == """
                D/loggen.yml:1:14: error: `name-length` must be a whole number between 1 and 1024 [configuration]
                    \(line)
                                 ^~~~~~

                """, "\(lint.error)")
    }

    @Test("A misspelt command is suggested")
    func misspeltCommandIsSuggested() throws {
        let scratch = try Scratch(Self.documents)
        for arguments in [["lnt", "D"], ["lnt"]] {
            let result = try Tool.run(arguments, in: scratch.url)
            #expect(result.code == 2)
            #expect(
                result.error.contains("`lnt` is neither a command nor a path; did you mean `lint`?"), "\(result.error)")
        }
    }
}
