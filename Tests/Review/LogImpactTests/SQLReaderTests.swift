import Foundation
import LogImpact
import Testing
import TestSupport

/// Tests the reads that sqlglot finds. `Cases` has consumers and their reads; `RECORD_SNAPSHOTS=1` writes the reads again.
/// `Tests/Oracles/impact` compares the reads of random statements with experiments in DuckDB.
struct SQLReaderTests {
    static let catalog = Catalog(tables: [
        Catalog.Table(
            name: "search__show", columns: ["event_name", "user_id", "position", "query", "properties", "ts"]),
        Catalog.Table(name: "analytics.users", columns: ["id", "name", "country"]),
        Catalog.Table(name: "wide", columns: ["event_name", "user_id", "position", "title", "properties"]),
        Catalog.Table(name: "raw", columns: []),
    ])

    struct Case: Sendable {
        var title: String
        var kind: ConsumerKind
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
                title: lines[0], kind: try #require(ConsumerKind(rawValue: words[0]), "\(lines[0])"),
                text: lines.dropFirst().joined(separator: "\n"), reads: try #require(parts.last, "\(lines[0])"))
        }
    }

    /// Reads consumers in one process of Python.
    static func outputs(_ inputs: [SQLReader.Input], _ reader: SQLReader = SQLReader(catalogs: [catalog])) throws
        -> [SQLReader.Output]
    {
        let result = try Tool.launch(
            URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", SQLReader.program], in: Tool.repository,
            input: String(decoding: reader.request(inputs), as: UTF8.self))
        try #require(
            result.code == 0,
            "python3 with sqlglot and jinja2 is required (python3 -m pip install sqlglot jinja2): \(result.error)")
        return try SQLReader.outputs(Array(result.out.utf8))
    }

    /// Returns a line for each read: its places, the column, the values of filters, and the reason of an uncertain one.
    private static func lines(_ output: SQLReader.Output) -> String {
        var lines: Set<String> = []
        for statement in output.statements {
            for read in statement.reads {
                let places = read.places.map { "\($0.line):\($0.column)" }.joined(separator: " ")
                let filters = statement.uses[read.use].filters.map {
                    " [\($0.column) \($0.values.joined(separator: ", "))]"
                }
                let may = if case .mayRead(let reason) = read.certainty { " may: \(reason.rawValue)" } else { "" }
                lines.insert("\(read.table ?? "any").\(read.column ?? "*")\(filters.joined()) \(places)\(may)\n")
            }
        }
        return lines.sorted().joined() + output.unread.map { "unread: \($0)\n" }.joined()
    }

    @Test("The reads of a text are as recorded", arguments: ["queries.txt", "templates.txt", "files.txt"])
    func recordedReads(name: String) throws {
        let cases = try Self.cases(name)
        let inputs = cases.map { one in SQLReader.Input(one.text, one.kind, model: "wide") }
        var recorded = ""
        for (one, output) in zip(cases, try Self.outputs(inputs)) {
            let reads = Self.lines(output)
            #expect(one.reads.trimmed == reads.trimmed, "\(one.title)")
            recorded += "##### \(one.title)\n\(one.text)\n===\n\(reads)\n"
        }
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
            try recorded.write(to: Self.folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }

    @Test("The macros of a dbt project and the dialect decide")
    func macrosAndDialects() throws {
        var reader = SQLReader(catalogs: [Self.catalog], dialect: "bigquery")
        reader.macros = [["utils": ["{% macro cents(c) %}{{ return(100 ~ '*' ~ c) }}{% endmacro %}"]]]
        let outputs = try Self.outputs(
            [
                SQLReader.Input("select {{ utils.cents('position') }} from wide", project: 0),
                SQLReader.Input("{% macro half(c) %}{{ c }} / 2{% endmacro %}", project: 0),
                SQLReader.Input("select {{ half('title') }} from wide", project: 0),
                SQLReader.Input("select \"title\", position from wide"),
                SQLReader.Input("select \"title\", position from wide", dialect: "snowflake"),
                SQLReader.Input("select {{ x() }} from wide", compiled: "select title\nfrom db.wide"),
            ], reader
        ).map { $0.statements.flatMap(\.reads).map { "\($0.column ?? "*") \($0.places[0].column)" } }
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
            "select '" + String(repeating: "a ", count: 100_000) + " title from wide",
        ]
        for (text, output) in zip(texts, try Self.outputs(texts.map { SQLReader.Input($0) })) {
            let columns = output.statements.flatMap(\.reads).map(\.column)
            #expect(columns.contains("title") || columns.contains(nil), "\(text.prefix(80))")
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
