import LogImpact

let catalog = Catalog(tables: [
    Catalog.Table(
        name: "search__show", columns: ["event_name", "user_id", "position", "query", "properties", "ts"]),
    Catalog.Table(name: "analytics.users", columns: ["id", "name", "country"]),
    Catalog.Table(name: "wide", columns: ["event_name", "user_id", "position", "title", "properties"]),
    Catalog.Table(name: "raw", columns: []),
])

/// A reader for one test: tests run in parallel.
var reader: SQLReader { SQLReader(catalog) }

/// The reads as `table.column`, with `?` for those that are not certain. Columns that only an unused `*` passes on are
/// left out.
func reads(_ sql: String, kind: ConsumerKind = .sql, model: String? = nil) -> Set<String> {
    Set(
        reader.statements(in: Array(sql.utf8), kind: kind, model: model).flatMap(\.reads)
            .filter { $0.certainty != .mayRead(.unusedStar) }
            .map { read in
                let path = read.path.map { ":" + $0 }.joined()
                return "\(read.table ?? "any").\(read.column ?? "*")\(path)\(read.certainty == .reads ? "" : "?")"
            })
}

/// The places of a column's reads as `line:column`.
func places(_ column: String, _ sql: String, kind: ConsumerKind = .sql) -> [String] {
    reader.statements(in: Array(sql.utf8), kind: kind).flatMap(\.reads).filter { $0.column == column }
        .flatMap(\.places).map { "\($0.line):\($0.column)" }
}

/// The sources of an output column.
func sources(_ output: String, _ sql: String) -> Set<String> {
    Set(
        reader.statements(in: sql).flatMap(\.outputs).filter { $0.name == output }
            .flatMap(\.sources).map { "\($0.table ?? "any").\($0.column ?? "*")" })
}

/// The values of `event_name` for the reads of a column; nil for a read of all events.
func events(_ column: String, _ sql: String) -> [[String]?] {
    reader.statements(in: sql).flatMap { statement in
        statement.reads.filter { $0.column == column }.map { statement.uses[$0.use].filters.first?.values }
    }
}
