import Foundation
import TestSupport
import Testing

/// `loggen infer`: what it reads, where it writes, how it ends.
struct InferCommandTests {
    private static let record =
        #"{"event_id":"1","event_category":"search","event_name":"show","schema_version":"1-0-0","occurred_at":"x","a":1}"# + "\n"
    private static let document =
        "# search\n\n## show\n\n| column | type  | description |\n| ------ | ----- | ----------- |\n| a      | int64 |             |\n"

    @Test func writesDocuments() throws {
        let scratch = try Scratch(["r.ndjson": Self.record])
        let result = try Tool.run("infer", "r.ndjson", "--output", "D", in: scratch.url)
        #expect(result.code == 0)
        #expect(result.out == "loggen: 1 document with 1 event from 1 record in D\n")
        #expect(result.error == "")
        #expect(try scratch.read("D/search.md") == Self.document)
        #expect(try scratch.files().keys.sorted() == ["D/search.md", "r.ndjson"])
    }

    @Test func readsStandardInput() throws {
        let scratch = try Scratch()
        #expect(try Tool.run("infer", "-", "-o", "D", in: scratch.url, input: Self.record + Self.record).out.contains("from 2 records"))
        #expect(try scratch.read("D/search.md") == Self.document)
        #expect(try Tool.run("infer", "-o", "E", in: scratch.url, input: "[\(Self.record),\(Self.record)]").out.contains("from 2 records"))
    }

    @Test func readsGzip() throws {
        let scratch = try Scratch(["r.ndjson": Self.record, "s.ndjson": Self.record])
        for name in ["r", "s"] {
            let packed = try Tool.launch(URL(fileURLWithPath: "/usr/bin/env"), ["gzip", "-k", "\(name).ndjson"], in: scratch.url)
            #expect(packed.code == 0)
        }
        let members = try ["r", "s"].map { try Data(contentsOf: scratch.url.appendingPathComponent("\($0).ndjson.gz")) }
        // Two members in one file, as `cat a.gz b.gz` makes them.
        try scratch.write(members[0] + members[1], to: "both.gz")
        #expect(try Tool.run("infer", "both.gz", "-o", "D", in: scratch.url).out.contains("from 2 records"))
        #expect(try scratch.read("D/search.md") == Self.document)
        try scratch.write(members[0].dropLast(4), to: "cut.gz")
        let cut = try Tool.run("infer", "cut.gz", "-o", "E", in: scratch.url)
        #expect(cut.code == 2 && cut.error.contains("the gzip data is cut off"), "\(cut.error)")
        try scratch.write(Data([0x1F, 0x8B, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), to: "bad.gz")
        #expect(try Tool.run("infer", "bad.gz", "-o", "E", in: scratch.url).error.contains("the gzip data is damaged"))
        #expect(try scratch.files().keys.contains { $0.hasPrefix("E/") } == false)
    }

    /// A few kilobytes that stand for megabytes: zlib gives them out long after it has taken the last byte.
    @Test func readsGzipThatIsMuchSmaller() throws {
        let scratch = try Scratch(["r.ndjson": String(repeating: Self.record, count: 30_000)])
        let packed = try Tool.launch(URL(fileURLWithPath: "/usr/bin/env"), ["gzip", "-9", "r.ndjson"], in: scratch.url)
        #expect(packed.code == 0)
        let result = try Tool.run("infer", "r.ndjson.gz", "-o", "D", "--enough", "1000000", in: scratch.url)
        #expect(result.out.contains("from 30000 records"), "\(result)")
        #expect(try scratch.read("D/search.md") == Self.document)
    }

    @Test func saysWhatIsLost() throws {
        let scratch = try Scratch(["r.ndjson": Self.record + "{\u{1B}[31m\n"])
        let result = try Tool.run("infer", "r.ndjson", "-o", "D", in: scratch.url)
        #expect(result.code == 1)
        #expect(
            result.error == "r.ndjson:2:2: warning: a key in double quotation marks belongs here\nwarning: left out, as no JSON object: 1\n",
            "\(result.error)")
        #expect(result.out == "loggen: 1 document with 1 event from 1 record in D; 2 warnings\n")
        #expect(try scratch.read("D/search.md") == Self.document)
        // Names are shown, and obeyed by no terminal.
        try scratch.write(Self.record.replacing("\"a\"", with: "\"\\u001b[31m\\u202e\""), to: "s.ndjson")
        let shown = try Tool.run("infer", "s.ndjson", "-o", "E", in: scratch.url)
        #expect(!shown.error.unicodeScalars.contains("\u{1B}") && !shown.error.unicodeScalars.contains("\u{202E}"))
    }

    @Test func nothingIsAFailure() throws {
        let scratch = try Scratch(["empty.ndjson": "", "no.ndjson": "{}\n"])
        for name in ["empty", "no"] {
            let result = try Tool.run("infer", "\(name).ndjson", "-o", "D", in: scratch.url)
            #expect(result.code == 1)
            #expect(result.error.hasSuffix("nothing was found that a definition could be made of; nothing was written\n"))
        }
        #expect(try scratch.files(under: "").keys.contains { $0.hasPrefix("D/") } == false)
    }

    @Test func writesOverNothing() throws {
        let scratch = try Scratch([
            "r.ndjson": Self.record + Self.record.replacing("search", with: "home"), "D/search.md": "mine\n",
        ])
        let result = try Tool.run("infer", "r.ndjson", "-o", "D", in: scratch.url)
        #expect(result.code == 2)
        #expect(result.error == "loggen: error: cannot write `D/search.md`: something else stands there: move it away, or name another folder\n")
        #expect(try scratch.read("D/search.md") == "mine\n")
        // All or nothing.
        #expect(try scratch.files().keys.sorted() == ["D/search.md", "r.ndjson"])
        // What stands there already may stand there.
        #expect(try Tool.run("infer", "r.ndjson", "-o", "E", in: scratch.url).code == 0)
        #expect(try Tool.run("infer", "r.ndjson", "-o", "E", in: scratch.url).code == 0)
    }

    @Test func wrongUseIsTwo() throws {
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

    @Test func readsFolders() throws {
        let scratch = try Scratch(["logs/a/1.ndjson": Self.record, "logs/2.jsonl": Self.record, "logs/.hidden.json": "x", "logs/notes.md": "x"])
        let result = try Tool.run("infer", "logs", "-o", "D", "--quiet", in: scratch.url)
        #expect(result.code == 0 && result.out.isEmpty && result.error.isEmpty)
        #expect(try scratch.read("D/search.md") == Self.document)
    }

    @Test(arguments: [
        ("csv", "analyst.tsv", 0), ("rudderstack", "rudder.yaml", 1), ("rudderstack", "rudder-old.yaml", 0), ("rudderstack", "rudder-api.json", 0),
        ("segment", "segment.json", 1),
    ]) func samplesLintClean(kind: String, file: String, code: Int32) throws {
        let scratch = try Scratch()
        let path = Tool.repository.appendingPathComponent("Tests/LogInferenceTests/Samples/\(file)").path
        let result = try Tool.run("infer", "--from", kind, path, "-o", "D", in: scratch.url)
        #expect(result.code == code, "\(result.error)")
        let lint = try Tool.run("lint", "--strict", "D", in: scratch.url)
        #expect(lint.code == 0, "\(lint.error)")
        #expect(try Tool.run("format", "--check", "D", in: scratch.url).code == 0)
        #expect(try Tool.run("generate", "D", "--output", "G", in: scratch.url).code == 0)
    }
}
