import Foundation
import Testing
import TestSupport

/// Tests of the built `recipe-demo` as a process: its output, the files it writes, and the ones it leaves.
struct RecipeDemoTests {
    private static let tool = Tool.executable(named: "recipe-demo")
    private static let speed = ["--speed", "40"]

    private static func run(_ arguments: [String] = [], in scratch: borrowing Scratch) throws -> Tool.Result {
        try Tool.launch(tool, speed + arguments, in: scratch.url)
    }

    private struct Record: Decodable {
        enum CodingKeys: String, CodingKey {
            case id = "event_id"
            case category = "event_category"
            case event = "event_name"
            case time = "occurred_at"
            case session = "session_id"
        }
        var id: String
        var category: String
        var event: String
        var time: String
        var session: String
    }

    private static func records(_ lines: [String]) throws -> [Record] {
        try lines.map { try JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    }

    private static func table(_ output: String) -> [String: [Int]] {
        var rows: [String: [Int]] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count > 3, line.first != " ", let posted = Int(words[words.count - 2]),
                let delivered = words.last.flatMap({ Int($0) })
            {
                rows[String(words[0])] = [posted, delivered]
            }
        }
        return rows
    }

    @Test("Each event arrives at least once and in order, and the printed counts are correct")
    func eventsArriveAtLeastOnceAndInOrder() throws {
        let scratch = try Scratch()
        let result = try Self.run(in: scratch)
        #expect(result.code == 0 && result.error == "", "\(result.error)")
        let sums = try #require(
            result.out.firstMatch(of: /\nposted: 103, stored: 103, delivered: 103, redelivered: (\d+), lost: 0\n/),
            "\(result.out)")
        let lines = try scratch.read("recipe-demo/received.ndjson").split(separator: "\n").map(String.init)
        let redelivered = try #require(Int(sums.1))
        #expect(redelivered > 0)
        #expect(lines.count == 103 + redelivered)

        var known: Set<String> = []
        let records = try Self.records(lines)
        let first = records.filter { known.insert($0.id).inserted }
        #expect(first.count == 103)
        #expect(first.map(\.time) == first.map(\.time).sorted())
        #expect(Set(first.map(\.session)).count == 2)
        // The printed counts match the received records.
        let received = Dictionary(grouping: first) { "\($0.category).\($0.event)" }.mapValues { [$0.count, $0.count] }
        #expect(Self.table(result.out).filter { $0.value != [0, 0] } == received)
        #expect(received["home.see_feed_recipe"] == [23, 23])

        #expect(result.out.contains("\n  0:02.0  home.see_campaign_banner       impression(80%)         banner\n"))
        #expect(result.out.contains("なす-205, なす-206, なす-207"))
        #expect(result.out.contains("leave_recipe     leave                   recipe-732: 6.6 s, depth 100%\n"))
        let left = lines.filter { $0.contains("\"leave_recipe\"") }
        #expect(left.contains { $0.contains("\"visible_seconds\":3.6") && $0.contains("\"read_depth\":0.88") })
        #expect(!result.out.contains("\u{1B}") && !result.out.contains("\u{FFFD}") && !result.out.contains("note:"))
        let page = try scratch.read("recipe-demo/timeline.html")
        for text in ["first launch", "second launch", "home.see_feed_recipe", "なす-201"] { #expect(page.contains(text)) }
    }

    @Test("The received records match the JSON Schemas") func recordsMatchTheSchemas() throws {
        let scratch = try Scratch()
        #expect(try Self.run(in: scratch).code == 0)
        let lines = try scratch.read("recipe-demo/received.ndjson").split(separator: "\n").map(String.init)
        #expect(!lines.contains { $0.contains("\"violations\"") })
        let folder = Tool.repository.appendingPathComponent("Generated/JSONSchema")
        let schemas = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".schema.json")
        }.map {
            [UInt8](try Data(contentsOf: folder.appendingPathComponent($0)))
        }
        var cases = zip(try Self.records(lines), lines).map {
            JSONSchemaValidation.Case(schema: "\($0.category).schema.json#/$defs/\($0.event)", instance: $1)
        }
        // Checks that the validator also rejects records.
        cases.append(.init(schema: "home.schema.json#/$defs/see_feed_recipe", instance: lines[0]))
        let outcome = try JSONSchemaValidation.run(schemas: schemas, cases: cases)
        #expect(outcome.problems == [])
        #expect(outcome.verdicts == Array(repeating: true, count: lines.count) + [false])
    }

    @Test("A lost record is reported with exit code 1") func lostRecordIsReportedWithExitCode1() throws {
        let scratch = try Scratch()
        let result = try Self.run(["--loses"], in: scratch)
        #expect(result.code == 1)
        let sums =
            #/\nposted: 103, stored: 103, delivered: \d\d, redelivered: \d+, lost: [1-9]\d*\n[1-9]\d* records lost,/#
        #expect(result.out.contains(sums), "\(result.out)")
    }

    @Test("A run replaces only the files of an earlier run, and rejects invalid arguments")
    func aRunReplacesTheFilesOfARunBeforeAndNoOthers() throws {
        let scratch = try Scratch([
            "file": "", "others/received.ndjson": "mine\n", "pages/timeline.html": "<p>mine", "ours/note.txt": "mine",
        ])
        #expect(try Self.run(["--output", "ours/of the 日"], in: scratch).code == 0)
        let before = try scratch.read("ours/of the 日/received.ndjson")
        #expect(try Self.run(["--output", "ours/of the 日"], in: scratch).code == 0)
        #expect(try scratch.read("ours/of the 日/received.ndjson") != before)
        #expect(
            Set(try scratch.files(under: "ours").keys) == [
                "note.txt", "of the 日/received.ndjson", "of the 日/timeline.html",
            ])

        let rest = try scratch.files()
        for (output, message) in [
            ("file", "error: file is not a folder"),
            ("file/inside", "error: the folder file/inside cannot be created: Not a directory"),
            ("others", "error: others/received.ndjson was not written by recipe-demo"),
            ("pages", "error: pages/timeline.html was not written by recipe-demo"),
            ("", "error: --output needs the name of a folder"),
        ] {
            let result = try Self.run(["--output", output], in: scratch)
            #expect(result.code == 2 && result.out == "")
            #expect(result.error.hasPrefix(message), "\(result.error)")
        }
        #expect(try scratch.files() == rest)
        for call in [["--speed", "0"], ["--speed", "nan"], ["more"], ["--no-such-option"]] {
            #expect(try Tool.launch(Self.tool, call, in: scratch.url).code == 2)
        }
        #expect(try Tool.launch(Self.tool, ["--help"], in: scratch.url).out.contains("--output <dir>"))
    }
}
