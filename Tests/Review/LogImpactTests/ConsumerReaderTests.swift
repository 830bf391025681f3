import Foundation
import LogImpact
import Testing
import TestSupport

/// Tests the reads that sqlglot finds. `Cases` has consumers and their reads; `RECORD_SNAPSHOTS=1` writes the reads again.
/// `Tests/Oracles/impact` compares the reads of random statements with experiments in DuckDB.
struct ConsumerReaderTests {
    private static var tables: [[String: Any]] {
        [
            ["name": "search__show", "columns": ["event_name", "user_id", "position", "query", "properties", "ts"]],
            ["name": "analytics.users", "columns": ["id", "name", "country"]],
            ["name": "wide", "columns": ["event_name", "user_id", "position", "title", "properties"]],
            ["name": "raw", "columns": [String]()],
        ]
    }

    struct Case: Sendable {
        var title: String
        var kind: String
        var text: String
        var reads: String
    }

    private static let folder = Tool.repository.appendingPathComponent("Tests/Review/LogImpactTests/Cases")

    /// Returns the cases of a file: a title such as `##### json: A cell is one statement`, the text, `===` and the reads.
    static func cases(_ name: String) throws -> [Case] {
        let file = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        return try file.components(separatedBy: "##### ").dropFirst().map { part in
            let parts = part.components(separatedBy: "\n===\n")
            let lines = parts[0].components(separatedBy: "\n")
            let words = lines[0].components(separatedBy: ": ")
            return Case(
                title: lines[0], kind: words[0],
                text: lines.dropFirst().joined(separator: "\n"), reads: try #require(parts.last, "\(lines[0])"))
        }
    }

    /// Reads files in one process of Python. Returns its output by path.
    private static func output(
        _ files: [[String: Any]], dialect: String? = nil, program: String = ConsumerReader.program
    ) throws -> [String: [String: Any]] {
        let request: [String: Any] = [
            "dialect": dialect ?? NSNull(), "showsProgress": false, "tables": tables, "files": files,
        ]
        let result = try Tool.command(
            ["python3", "-c", program], in: Tool.repository,
            input: String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self))
        try #require(
            result.code == 0,
            "python3 with sqlglot and jinja2 is required (python3 -m pip install sqlglot jinja2): \(result.error)")
        let root = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: [[String: Any]]]
        var output: [String: [String: Any]] = [:]
        for list in ["consumers", "unreadable"] {
            for one in try #require(root?[list]) {
                output[try #require(one["file"] as? String), default: [:]].merge(one) { first, _ in first }
            }
        }
        return output
    }

    private static func list(_ value: Any?) -> [[Any]] { value as? [[Any]] ?? [] }

    private static func reads(_ output: [String: Any]?) -> [(use: [String: Any], read: [Any])] {
        (output?["uses"] as? [[String: Any]] ?? []).flatMap { use in list(use["reads"]).map { (use, $0) } }
    }

    /// Returns a line for each read: its places, the column, the values of filters, and the reason of an uncertain one.
    private static func lines(_ output: [String: Any]?) -> String {
        var lines: Set<String> = []
        for (use, read) in reads(output) {
            let places = list(read[2]).map { "\($0[0]):\($0[1])" }.joined(separator: " ")
            let filters = list(use["filters"]).map { filter in
                " [\(filter[0]) \((filter[1] as? [String] ?? []).joined(separator: ", "))]"
            }
            let may = (read[1] as? [Any]).map { " may: \($0[1])" } ?? ""
            let table = use["table"] as? String ?? "any"
            lines.insert("\(table).\(read[0] as? String ?? "*")\(filters.joined()) \(places)\(may)\n")
        }
        let unread = (output?["message"] as? String ?? "").split(separator: "`", omittingEmptySubsequences: false)
        let names = stride(from: 1, to: unread.count, by: 2).map { "unread: \(unread[$0])\n" }
        return lines.sorted().joined() + names.joined()
    }

    @Test("The reads of a text are as recorded", arguments: ["queries.txt", "templates.txt", "files.txt"])
    func recordedReads(name: String) throws {
        let cases = try Self.cases(name)
        let output = try Self.output(
            cases.enumerated().map {
                ["path": "\($0.offset)/wide.x", "kind": $0.element.kind, "text": $0.element.text]
            })
        var recorded = ""
        for (number, one) in cases.enumerated() {
            let reads = Self.lines(output["\(number)/wide.x"])
            #expect(one.reads.trimmed == reads.trimmed, "\(one.title)")
            recorded += "##### \(one.title)\n\(one.text)\n===\n\(reads)\n"
        }
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
            try recorded.write(to: Self.folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }

    @Test("The macros of a dbt project and the dialect decide")
    func macrosAndDialects() throws {
        func manifest(_ project: Int, _ adapter: String, _ nodes: [String: Any], _ macro: String = "") throws
            -> [String: Any]
        {
            let root: [String: Any] = [
                "metadata": ["adapter_type": adapter], "nodes": nodes,
                "macros": ["m": ["package_name": "utils", "macro_sql": macro]],
            ]
            let text = String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
            return ["path": "\(project).json", "kind": "manifest", "project": project, "folder": "", "text": text]
        }
        func model(_ file: String, _ raw: String, _ compiled: Any = NSNull()) -> [String: Any] {
            ["resource_type": "model", "original_file_path": file, "raw_code": raw, "compiled_code": compiled]
        }
        func file(_ path: String, _ text: String, _ project: Any = NSNull()) -> [String: Any] {
            ["path": path, "kind": "sql", "text": text, "project": project]
        }
        let files = [
            try manifest(0, "", [:], "{% macro cents(c) %}{{ return(100 ~ '*' ~ c) }}{% endmacro %}"),
            file("a", "select {{ utils.cents('position') }} from wide", 0),
            file("b", "{% macro half(c) %}{{ c }} / 2{% endmacro %}", 0),
            file("c", "select {{ half('title') }} from wide", 0),
            file("d", "select \"title\", position from wide"),
            try manifest(1, "snowflake", ["e": model("e", "select \"title\", position from wide")]),
            try manifest(2, "", ["f": model("f", "select {{ x() }} from wide", "select title\nfrom db.wide")]),
        ]
        let output = try Self.output(files, dialect: "bigquery")
        let outputs = ["a", "b", "c", "d", "e", "f"].map { name in
            Self.reads(output[name]).map { "\($0.read[0]) \(Self.list($0.read[2])[0][1])" }
        }
        #expect(
            outputs == [["position 24"], [], ["title 17"], ["position 17"], ["title 8", "position 17"], ["title 1"]],
            "\(outputs)")
    }

    @Test("Hostile templates and statements end, and are read by their words")
    func hostileInput() throws {
        let texts = [
            "{% for a in range(99999) %}{% for b in range(99999) %}{{ b }}{% endfor %}{% endfor %} select title from wide",
            "{{ ''.__class__.__mro__ }} select title from wide", "{{ 'x' * 10 ** 10 }} select title from wide",
            "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }} select title from wide",
            String(repeating: "select (", count: 3000) + "select title from wide",
            "select '" + String(repeating: "a ", count: 10_000) + " title from wide",
        ]
        // The first text does not end by itself.
        let program = ConsumerReader.program.replacing("SECONDS_PER_INPUT = 20", with: "SECONDS_PER_INPUT = 2")
        try #require(program != ConsumerReader.program)
        let files: [[String: Any]] = texts.enumerated().map { ["path": "\($0)", "kind": "sql", "text": $1] }
        let output = try Self.output(files, program: program)
        for (number, text) in texts.enumerated() {
            let columns = Self.reads(output["\(number)"]).map { $0.read[0] as? String }
            #expect(columns.contains("title") || columns.contains(nil), "\(text.prefix(80))")
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
