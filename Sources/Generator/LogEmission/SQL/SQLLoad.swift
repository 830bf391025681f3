import LogDefinitions

/// The load of what `loggen validate --split` wrote, by the reader that each engine has for lines of JSON.
///
/// Each file has the rows of one table. A row's members are named like the columns, and its values are spelled so that all
/// readers agree on them.
extension SQLScript {
    /// The folder of the rows, unless another one is named.
    package static let records = "records"

    /// Writes statements that load the rows of all tables.
    func writeLoad(of folder: String, to text: inout SQLText) {
        // A file that is missing is an error of psql's, not of the server's: without this, the transaction would go on.
        if dialect == .postgresql { text.addLine("\\set ON_ERROR_STOP on") }
        let (before, after) = transaction
        for statement in before { text.add(statement) }
        text.addEach(of: tables + [SQLTable.badRecords]) { table, text in
            for statement in load(table, from: dialect.path(folder, table.name)) { text.add(statement) }
        }
        for statement in after { text.add(statement) }
    }

    /// The statements around a load. Spark and ClickHouse have no transactions, and a load of BigQuery's or Snowflake's
    /// is one by itself.
    private var transaction: (before: [String], after: [String]) {
        switch dialect {
        case .duckdb: (["BEGIN TRANSACTION"], ["COMMIT"])
        case .postgresql:
            (
                ["BEGIN", "CREATE TEMPORARY TABLE \(dialect.name(SQLTable.read)) (\(dialect.name("record")) \(dialect.textType)) ON COMMIT DROP"],
                ["COMMIT"]
            )
        case .snowflake: (["BEGIN"], ["COMMIT"])
        case .bigquery, .spark, .clickhouse: ([], [])
        }
    }

    private func load(_ table: SQLTable, from path: String) -> [String] {
        let d = dialect
        let names = table.columns.map { d.name($0.name) }
        let insert = "INSERT INTO \(d.name(table.name)) (\(names.joined(separator: ", ")))\n"
        let types = table.columns.map { d.type(of: $0.type, isOptional: !$0.isRequired) }
        func columns(_ column: (_ name: String, _ type: String) -> String) -> String {
            zip(table.columns, types).map { column($0.name, $1) }.joined(separator: ", ")
        }
        switch d {
        case .duckdb:
            let read = columns { "\(d.literal($0)): \(d.literal($1))" }
            return [
                insert + "SELECT \(names.joined(separator: ", "))\n"
                    + "FROM read_json(\(d.literal(path)), format = 'newline_delimited', columns = {\(read)})"
            ]
        case .clickhouse:
            let read = columns { "\(d.name($0)) \($1)" }
            return [
                insert + "SELECT \(names.joined(separator: ", "))\nFROM file(\(d.literal(path)), 'JSONEachRow', \(d.literal(read)))\n"
                    + "SETTINGS date_time_input_format = 'best_effort', precise_float_parsing = 1"
            ]
        case .postgresql:
            // No row has a control character, so none is a mark of CSV.
            let read = d.name(SQLTable.read)
            let form = "(FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01', ENCODING 'UTF8')"
            let row = columns { "\"\($0.replacingOccurrences("\"", "\"\""))\" \($1)" }
            return [
                "\\copy \(read) FROM \(d.literal(path)) WITH \(form)",
                insert + "SELECT r.* FROM \(read), json_to_record(\(d.name("record"))::json) AS r(\(row))",
                "TRUNCATE \(read)",
            ]
        case .spark: return [spark(table, insert, path)]
        case .bigquery:
            return [
                "LOAD DATA INTO \(d.name(table.name))\nFROM FILES (format = 'JSON', uris = [\(d.literal(path))], ignore_unknown_values = TRUE)"
            ]
        case .snowflake:
            let read = columns { "$1:\"\($0.replacingOccurrences("\"", "\"\""))\"::\($1)" }
            return [
                "COPY INTO \(d.name(table.name)) (\(names.joined(separator: ", ")))\nFROM (SELECT \(read) FROM \(d.stage(path)))\n"
                    + "FILE_FORMAT = (TYPE = JSON)"
            ]
        }
    }

    /// Spark's reader of JSON has ways of its own with dates, times and decimals. They are read as texts and cast.
    private func spark(_ table: SQLTable, _ insert: String, _ path: String) -> String {
        let d = dialect
        var fields: [String] = []
        var values: [String] = []
        for column in table.columns {
            let (name, type) = (d.name(column.name), d.type(of: column.type))
            let read = d.type(of: column.type.asText)
            fields.append("\(name) \(read)")
            values.append(read == type ? "r.\(name)" : "CAST(r.\(name) AS \(type))")
        }
        var insert = insert
        if !table.events.isEmpty {
            // The day is in UTC in every session.
            insert = String(insert.dropLast(2)) + ", \(d.name(dayColumn(table))))\n"
            values.append("CAST(substr(r.\(d.name(.occurredAt)), 1, 10) AS DATE)")
        }
        let schema = d.literal(fields.joined(separator: ", "))
        return insert + "SELECT \(values.joined(separator: ", "))\n"
            + "FROM (SELECT from_json(value, \(schema), map('mode', 'FAILFAST')) AS r FROM text.\(d.quotedPath(path))) AS q"
    }
}

extension SQLDialect {
    /// The file of a table's rows.
    fileprivate func path(_ folder: String, _ table: String) -> String {
        let path = (folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/") + table + ".ndjson"
        // Snowflake reads from stages.
        return self == .snowflake && path.utf8.first != UInt8(ascii: "@") ? "@" + path : path
    }

    /// A file of a stage. Quotation marks around it are for names with other characters alone.
    fileprivate func stage(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "@~%_/.-".utf8.contains(byte)
        }
        return isPlain ? path : literal(path)
    }

    fileprivate func quotedPath(_ path: String) -> String { "`" + path.replacingOccurrences("`", "``") + "`" }
}

extension LogValueType {
    /// The type with strings in place of dates, times and decimals.
    fileprivate var asText: LogValueType {
        switch self {
        case .date, .timestamp, .decimal: .string(.init())
        case .array(let list): .array(.init(of: list.items.asText))
        case .string, .integer, .number, .boolean, .uuid, .url, .enumeration, .named: self
        }
    }
}
