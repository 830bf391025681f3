import Foundation
import Testing
import TestSupport

/// Tests of the input, output and exit codes of `loggen infer`.
struct InferCommandTests {
    private static let record =
        #"{"event_id":"1","event_category":"search","event_name":"show","schema_version":"1-0-0","occurred_at":"x","a":1}"#
        + "\n"
    private static let document =
        "# search\n\n## show\n\n| column | type  | description |\n| ------ | ----- | ----------- |\n| a      | int64 |             |\n"

    @Test("Documents are written to the output folder") func writesDocuments() throws {
        let scratch = try Scratch(["r.ndjson": Self.record])
        let result = try Tool.run("infer", "r.ndjson", "--output", "D", in: scratch.url)
        #expect(result.code == 0)
        #expect(result.out == "loggen: 1 document with 1 event from 1 record in D\n")
        #expect(result.error == "")
        #expect(try scratch.read("D/search.md") == Self.document)
        #expect(try scratch.files().keys.sorted() == ["D/search.md", "r.ndjson"])
    }

    @Test("Records are read from standard input") func readsStandardInput() throws {
        let scratch = try Scratch()
        #expect(
            try Tool.run("infer", "-", "-o", "D", in: scratch.url, input: Self.record + Self.record).out.contains(
                "from 2 records"))
        #expect(try scratch.read("D/search.md") == Self.document)
        #expect(
            try Tool.run("infer", "-o", "E", in: scratch.url, input: "[\(Self.record),\(Self.record)]").out.contains(
                "from 2 records"))
    }

    @Test("Bytes that are not a record are reported at the same position as by `validate`")
    func reportsDamagedStreams() throws {
        let record = Self.record.dropLast()
        for (text, place) in [
            ("[\(record)", "1:2"), ("[\(record),\n]", "2:1"), ("[\(record)]\n]", "2:1"),
            ("[INFO] x\n\(record)\n", "1:2"),
            ("[\(record),\n{\n  x}]", "3:3"),
        ] {
            let scratch = try Scratch(["r.json": text])
            let result = try Tool.run("infer", "r.json", "-o", "D", in: scratch.url)
            #expect(result.code == 1 && result.out.contains("from 1 record in D; "), "\(text): \(result.out)")
            #expect(result.error.hasPrefix("r.json:\(place): warning: "), "\(text): \(result.error)")
            #expect(try scratch.read("D/search.md") == Self.document)
        }
    }

    @Test("Records are read from gzip files") func readsGzip() throws {
        let scratch = try Scratch(["r.ndjson": Self.record, "s.ndjson": Self.record])
        for name in ["r", "s"] {
            let packed = try Tool.command(["gzip", "-k", "\(name).ndjson"], in: scratch.url)
            #expect(packed.code == 0)
        }
        let members = try ["r", "s"].map { try Data(contentsOf: scratch.url.appendingPathComponent("\($0).ndjson.gz")) }
        // One file with two members, as `cat a.gz b.gz` writes it.
        try scratch.write(members[0] + members[1], to: "both.gz")
        #expect(try Tool.run("infer", "both.gz", "-o", "D", in: scratch.url).out.contains("from 2 records"))
        #expect(try scratch.read("D/search.md") == Self.document)
        // Zeros after a member are padding. (gzip itself accepts them only at the end.)
        try scratch.write(members[0] + Data(count: 100_000) + members[1] + Data(count: 512), to: "padded.gz")
        #expect(try Tool.run("infer", "padded.gz", "-o", "P", in: scratch.url).out.contains("from 2 records"))
        try scratch.write(Data(count: 512) + members[0], to: "behind.gz")
        #expect(try Tool.run("infer", "behind.gz", "-o", "Q", in: scratch.url).code != 0)
        #expect(try scratch.files().keys.contains { $0.hasPrefix("Q/") } == false)
    }

    /// A few kilobytes expand to megabytes: zlib produces output long after it has consumed the last byte.
    @Test("A gzip file may expand a thousandfold") func readsGzipThatIsMuchSmaller() throws {
        let scratch = try Scratch(["r.ndjson": String(repeating: Self.record, count: 30_000)])
        let packed = try Tool.command(["gzip", "-9", "r.ndjson"], in: scratch.url)
        #expect(packed.code == 0)
        let result = try Tool.run("infer", "r.ndjson.gz", "-o", "D", "--enough", "1000000", in: scratch.url)
        #expect(result.out.contains("from 30000 records"), "\(result)")
        #expect(try scratch.read("D/search.md") == Self.document)
    }

    @Test("Losses are reported with exit code 1") func lossesAreReportedWithExitCode1() throws {
        let scratch = try Scratch(["r.ndjson": Self.record + "{\u{1B}[31m\n"])
        let result = try Tool.run("infer", "r.ndjson", "-o", "D", in: scratch.url)
        #expect(result.code == 1)
        #expect(
            result.error == """
                r.ndjson:2:2: warning: expected a key in double quotation marks
                    {\u{FFFD}[31m
                     ^
                warning: left out, as not a JSON object: 1

                """, "\(result.error)")
        #expect(result.out == "loggen: 1 document with 1 event from 1 record in D; 2 warnings\n")
        #expect(try scratch.read("D/search.md") == Self.document)
        // Control characters in names are replaced before they reach the terminal.
        try scratch.write(Self.record.replacing("\"a\"", with: "\"\\u001b[31m\\u202e\""), to: "s.ndjson")
        let shown = try Tool.run("infer", "s.ndjson", "-o", "E", in: scratch.url)
        #expect(!shown.error.unicodeScalars.contains("\u{1B}") && !shown.error.unicodeScalars.contains("\u{202E}"))
    }

    @Test("A run that infers nothing fails") func runThatInfersNothingFails() throws {
        let scratch = try Scratch(["empty.ndjson": "", "no.ndjson": "{}\n"])
        for name in ["empty", "no"] {
            let result = try Tool.run("infer", "\(name).ndjson", "-o", "D", in: scratch.url)
            #expect(result.code == 1)
            #expect(
                result.error.contains("nothing was found from which definitions can be inferred; nothing was written\n")
            )
            // For other JSON objects, the help describes a record.
            #expect(result.error.contains("help: a record names its event: {\"event_category\": ") == (name == "no"))
        }
        #expect(try scratch.files(under: "").keys.contains { $0.hasPrefix("D/") } == false)
    }

    private static let sheet = "カテゴリ,イベント名,項目名,データ型\n検索,show,順位,なんとか\n"

    @Test("A warning shows the source at its location") func warningShowsTheSource() throws {
        let schema = #"{"title": "検索", "properties": {"順": {"type": "string", "default": "あ"}}}"#
        let scratch = try Scratch([
            "s.json": schema, "s.csv": Self.sheet,
            "wide.json": schema.replacing("あ", with: String(repeating: "あ", count: 5000)),
        ])
        let text = try Tool.run("infer", "--from", "json-schema", "s.json", "-o", "D", "--quiet", in: scratch.url)
        // Wide letters take two columns of a terminal.
        #expect(
            text.error.hasPrefix(
                "s.json:1:56: warning: `default` of `順` is not carried over: definitions cannot express it\n    \(schema)\n"
                    + String(repeating: " ", count: 4 + 55 + 3) + "^\n"), "\(text.error)")
        let cut = try Tool.run("infer", "--from", "json-schema", "wide.json", "-o", "W", "--quiet", in: scratch.url)
        #expect(cut.error.utf8.count < 2000 && cut.error.contains("あ…\n"))
        let cell = try Tool.run("infer", "--from", "csv", "s.csv", "-o", "C", "--quiet", in: scratch.url)
        #expect(
            cell.error.contains("s.csv:2:4: warning: ") && cell.error.contains("\n    検索,show,順位,なんとか\n"),
            "\(cell.error)")
        let color = try Tool.run("infer", "--from", "csv", "s.csv", "-o", "X", "--color", "always", in: scratch.url)
        #expect(color.error.contains("\u{1B}[1;35mwarning: "))
    }

    @Test("JSON, GitHub and SARIF diagnostics contain the same findings") func diagnosticFormatsContainTheSameFindings()
        throws
    {
        let scratch = try Scratch([
            "r.ndjson": Self.record + Self.record.replacing("\"a\":1", with: "\"a\":\"%\\n::x\"") + "{nonsense,:\n",
            "s.csv": Self.sheet,
        ])
        let json = try Tool.run("infer", "r.ndjson", "-o", "D", "--diagnostics", "json", in: scratch.url)
        #expect(json.code == 1 && json.error.isEmpty)
        let objects = try json.out.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
        #expect(objects.count > 2)
        let first = try #require(objects.first)
        #expect(first["file"] as? String == "r.ndjson" && first["line"] as? Int == 3 && first["column"] as? Int == 2)
        #expect(first["severity"] as? String == "warning" && first["rule"] as? String == "not-carried-over")
        let github = try Tool.run("infer", "r.ndjson", "-o", "D", "--diagnostics", "github", in: scratch.url)
        let lines = github.out.split(separator: "\n")
        #expect(
            lines.count == objects.count
                && lines.allSatisfy { $0.hasPrefix("::warning ") || $0.hasPrefix("::notice ") }, "\(github.out)")
        #expect(lines.first?.hasPrefix("::warning file=r.ndjson,line=3,col=2,title=not-carried-over::") == true)
        let sarif = try Tool.run("infer", "r.ndjson", "-o", "D", "--diagnostics", "sarif", in: scratch.url)
        let log = try #require(try JSONSerialization.jsonObject(with: Data(sarif.out.utf8)) as? [String: Any])
        let results = (log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]]
        #expect(results?.count == objects.count)
        let cell = try Tool.run(
            "infer", "--from", "csv", "s.csv", "-o", "C", "--diagnostics", "json", "--quiet", in: scratch.url)
        #expect(cell.out.contains("\"line\": 2, \"cell\": 4, "), "\(cell.out)")
    }

    @Test("Other files are not overwritten") func otherFilesAreNotOverwritten() throws {
        let scratch = try Scratch([
            "r.ndjson": Self.record + Self.record.replacing("search", with: "home"), "D/search.md": "mine\n",
        ])
        let result = try Tool.run("infer", "r.ndjson", "-o", "D", in: scratch.url)
        #expect(result.code == 2)
        #expect(
            result.error
                == "loggen: error: cannot write `D/search.md`: it exists with other content: move it away, or name another folder\n"
        )
        #expect(try scratch.read("D/search.md") == "mine\n")
        // No document is written if one of them cannot be.
        #expect(try scratch.files().keys.sorted() == ["D/search.md", "r.ndjson"])
        // Equal files may exist.
        #expect(try Tool.run("infer", "r.ndjson", "-o", "E", in: scratch.url).code == 0)
        #expect(try Tool.run("infer", "r.ndjson", "-o", "E", in: scratch.url).code == 0)
    }

    @Test("Wrong usage exits with code 2") func wrongUsageExitsWithCode2() throws {
        let scratch = try Scratch(["r.ndjson": Self.record, "empty/x.txt": ""])
        for arguments in [
            ["infer", "r.ndjson"], ["infer", "r.ndjson", "-o", ""], ["infer", "no.ndjson", "-o", "D"],
            ["infer", "r.ndjson", "-o", "D", "--from", "xml"],
            ["infer", "r.ndjson", "-o", "D", "--category", "x"], ["infer", "-", "r.ndjson", "-o", "D"],
            ["infer", "r.ndjson", "-o", "D", "--enough", "0"],
            ["infer", "empty", "-o", "D"], ["infer", "", "-o", "D"],
        ] {
            let result = try Tool.run(arguments, in: scratch.url)
            #expect(result.code == 2 && !result.error.isEmpty, "\(arguments): \(result)")
        }
        #expect(try scratch.files().keys.sorted() == ["empty/x.txt", "r.ndjson"])
        let help = try Tool.run("infer", "--help", in: scratch.url)
        #expect(help.code == 0 && help.out.contains("loggen infer --from csv"))
    }

    @Test("Folders are searched for records") func readsFolders() throws {
        let scratch = try Scratch([
            "logs/a/1.ndjson": Self.record, "logs/2.jsonl": Self.record, "logs/.hidden.json": "x", "logs/notes.md": "x",
        ])
        let result = try Tool.run("infer", "logs", "-o", "D", "--quiet", in: scratch.url)
        #expect(result.code == 0 && result.out.isEmpty && result.error.isEmpty)
        #expect(try scratch.read("D/search.md") == Self.document)
    }

    @Test("The name of the file, without `.gz`, and its beginning decide the form")
    func formOfAFile() throws {
        let plan = "event,column,type\nshow,a,int64\n"
        let schema = #"{"$schema":"x","title":"show","properties":{"a":{"type":"integer"}},"required":["a"]}"#
        // Members of records with the names of headers.
        let named = Self.record + Self.record.replacingOccurrences(of: #""a":1"#, with: #""a":1,"column":"","type":"""#)
        let tap = Self.record.replacingOccurrences(of: #""a":1"#, with: #""a":1,"eventType":"tap""#)
        let scratch = try Scratch([
            "plan.csv": plan, "schema.json": schema, "named.ndjson": named, "tap.json": tap, "folder/plan.csv": plan,
            "mixed/plan.csv": plan, "mixed/r.ndjson": Self.record, "mixed/notes.md": "x",
        ])
        for file in ["plan.csv", "schema.json", "folder/plan.csv"] {
            #expect(try Tool.command(["gzip", "-k", file], in: scratch.url).code == 0)
        }
        try scratch.remove("folder/plan.csv")
        for file in ["plan.csv", "plan.csv.gz", "schema.json", "schema.json.gz", "named.ndjson", "tap.json", "folder"] {
            let result = try Tool.run("infer", file, "-o", "out-\(file)", in: scratch.url)
            // The column `eventType` is called `event_type`, with a warning.
            #expect(result.code == (file == "tap.json" ? 1 : 0), "\(file): \(result)")
            #expect(result.out.contains("1 document with 1 event"), "\(file): \(result)")
        }
        let mixed = try Tool.run("infer", "mixed", "-o", "D", in: scratch.url)
        #expect(mixed.code == 2)
        #expect(mixed.error.contains("have different formats: name the one to read with `--from`"), "\(mixed)")
        #expect(try Tool.run("infer", "mixed", "--from", "csv", "-o", "D", in: scratch.url).code == 0)
    }

    @Test("All records of a pipe are read", arguments: ["", "--from records"])
    func readsPipe(_ options: String) throws {
        let scratch = try Scratch(["r.ndjson": String(repeating: Self.record, count: 100)])
        // The records are in the pipe before the form is guessed.
        let script = "exec 3< <(cat r.ndjson); sleep 0.2; \"$0\" infer \(options) -o D /dev/fd/3"
        let result = try Tool.command(["bash", "-p", "-c", script, Tool.executable.path], in: scratch.url)
        #expect(result.out.contains("from 100 records"), "\(result)")
    }

    @Test("The sample spreadsheet becomes clean documents") func sampleLintsClean() throws {
        let scratch = try Scratch()
        let path = Tool.repository.appendingPathComponent("Tests/Adoption/LogInferenceTests/Samples/analyst.tsv").path
        let result = try Tool.run("infer", "--from", "csv", path, "-o", "D", in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        let lint = try Tool.run("lint", "--strict", "D", in: scratch.url)
        #expect(lint.code == 0, "\(lint.error)")
        #expect(try Tool.run("format", "--check", "D", in: scratch.url).code == 0)
        #expect(try Tool.run("generate", "D", "--output", "G", in: scratch.url).code == 0)
    }
}
