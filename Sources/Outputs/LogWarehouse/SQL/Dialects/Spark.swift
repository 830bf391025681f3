import LogDefinitions

struct Spark: SQLWarehouse {
    var title: String { "Spark" }
    func quoted(_ name: String) -> String { between(UInt8(ascii: "`"), name) }
    var hasEscapes: Bool { true }

    /// Spark substitutes settings and environment variables for `${…}`, so `$` is escaped.
    var dollar: String { "\\u0024" }
    static let words = SQLWords(
        text: "STRING", integers: ["TINYINT", "SMALLINT", "INT", "BIGINT"],
        formats: [.date: "DATE", .timestamp: "TIMESTAMP"])

    func list(of items: String) -> String { "ARRAY<\(items)>" }
    func count(_ list: String) -> String { "size(\(list))" }
    func every(_ list: String, _ item: String, _ test: String) -> String { "forall(\(list), \(item) -> \(test))" }
    func mapped(_ list: String, _ item: String, _ expression: String) -> String {
        "transform(\(list), \(item) -> \(expression))"
    }

    var badRecordsOptions: String { " USING PARQUET" }

    func definitions(beside table: SQLTable) -> [String] {
        ["\(name(dayColumn(table))) DATE COMMENT 'The day in UTC on which the event happened.'"]
    }

    func options(of table: SQLTable) -> String { " USING PARQUET PARTITIONED BY (\(name(dayColumn(table))))" }

    /// Returns a free name for the column of the day. Spark can partition a table only by a column.
    private func dayColumn(_ table: SQLTable) -> String {
        var name = "occurred_on"
        while table.columns.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    func comment(onColumn column: String, of table: String, _ text: String?) -> String {
        "ALTER TABLE \(table) ALTER COLUMN \(column) COMMENT \(text ?? "''")"
    }

    func adding(_ definition: String, ifMissing: Bool) -> String { "ADD COLUMNS (\(definition))" }

    /// Returns statements that copy the rows into a new table and rename it. A file-based table accepts new columns but
    /// no other change. New names are added first, which fails in a second run before anything changes.
    func replacement(
        _ old: SQLTable, by new: SQLTable, _ source: SQLSources, _ updates: [SQLUpdate], _ script: SQLScript
    ) -> [String]? {
        var table = new
        let moved = Set(source.values.map(\.name))
        table.columns = new.columns.map { source[$0.name] == nil ? $0.required(false) : $0 }
        table.columns += old.columns.filter { !moved.contains($0.name) }.map { $0.required(false) }
        table.name = SQLDialect.shortened(new.name + "__new")
        let known = Set(old.columns.map(\.name))
        let added = table.columns.filter { !known.contains($0.name) }
        let additions = added.map { script.definition(of: $0.required(false)) }.joined(separator: ", ")
        let names = (table.columns.map(\.name) + [dayColumn(table)]).map(name)
        var values = table.columns.map { column -> String in
            let former = source[column.name] ?? old.columns.first { $0.name == column.name && !moved.contains($0.name) }
            return former.map { cast(name($0.name), self.type(of: column.type)) }
                ?? (known.contains(column.name) ? "NULL" : name(column.name))
        }
        values.append(name(dayColumn(old)))
        var rows = "SELECT \(values.joined(separator: ", ")) FROM \(name(new.name))"
        if !updates.isEmpty {
            rows =
                "SELECT " + zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
                + " FROM \(name(new.name))"
        }
        for update in updates {
            let changed = Dictionary(
                update.values.map { (name($0.column), $0.expression) }, uniquingKeysWith: { first, _ in first })
            let columns = names.map { column in
                changed[column].map { "CASE WHEN \(update.condition) THEN \($0) ELSE \(column) END AS \(column)" }
                    ?? column
            }
            rows = "SELECT \(columns.joined(separator: ", "))\nFROM (\(rows)) AS q"
        }
        let alter = "ALTER TABLE \(name(new.name)) " + adding(additions, ifMissing: false)
        return (added.isEmpty ? [] : [alter]) + script.statements(of: table) + [
            "INSERT OVERWRITE \(name(table.name)) (\(names.joined(separator: ", ")))\n" + rows,
            "DROP TABLE \(name(new.name))", "ALTER TABLE \(name(table.name)) RENAME TO \(name(new.name))",
        ]
    }

    /// Returns the load. Spark's JSON reader parses dates, times and decimals in its own ways, so strings are cast.
    func load(_ table: SQLTable, from path: String) -> [String] {
        var names = table.columns.map { name($0.name) }
        var fields: [String] = []
        var values: [String] = []
        for (name, column) in zip(names, table.columns) {
            let (type, read) = (self.type(of: column.type), self.type(of: column.type.asText))
            fields.append("\(name) \(read)")
            values.append(read == type ? "r.\(name)" : "CAST(r.\(name) AS \(type))")
        }
        if !table.events.isEmpty {
            // The day in UTC, independent of the session's time zone.
            names.append(name(dayColumn(table)))
            values.append("CAST(substr(r.\(name(.occurredAt)), 1, 10) AS DATE)")
        }
        let record = "from_json(value, \(literal(fields.joined(separator: ", "))), map('mode', 'FAILFAST'))"
        return [
            "INSERT INTO \(name(table.name)) (\(names.joined(separator: ", ")))\n"
                + "SELECT \(values.joined(separator: ", "))\n"
                + "FROM (SELECT \(record) AS r FROM text.\(quoted(path))) AS q"
        ]
    }
}

extension LogValueType {
    /// The type with strings in place of all types that are strings in JSON.
    fileprivate var asText: LogValueType {
        switch form {
        case .format: .string(.init())
        case .array(let list): .array(.init(of: list.items.asText))
        case .string, .integer, .number, .boolean, .enumeration, .named: self
        }
    }
}
