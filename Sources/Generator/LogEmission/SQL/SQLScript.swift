package import LogDefinitions
import MarkdownSyntax

/// The statements that make a warehouse of a model: its tables and their load.
package struct SQLScript: Sendable {
    package private(set) var dialect: SQLDialect
    package let tables: [SQLTable]
    private let events: [EventDescription]
    /// The events that the lock file alone has, if each has a table. It may stand in the warehouse.
    private let removed: [String]

    package init(_ model: Model, _ dialect: SQLDialect, tables grouping: SQLTables) {
        self.dialect = dialect
        events = EventDescription.all(of: model, withColumnPlaces: false)
        tables = SQLTable.all(of: model, events, by: grouping)
        removed = grouping == .event ? model.removedEvents() : []
    }

    /// The same for another warehouse. Tables and events are every warehouse's.
    func `in`(_ dialect: SQLDialect) -> SQLScript {
        var script = self
        script.dialect = dialect
        return script
    }

    // MARK: Tables

    /// Sentences about tables that would have one name.
    package var collisions: [String] {
        let places = Dictionary(events.map { ($0.fullName, $0.place) }, uniquingKeysWith: { first, _ in first })
        let said =
            tables.map { table in
                table.events.map { name in "`\(name)`" + (places[name].flatMap { $0 }.map { " (\($0))" } ?? "") }.joined(separator: ", ")
            } + removed.map { "`\($0)` (in the lock file alone)" }
        let names = tables.map(\.name) + removed.map { SQLTable.name(ofEvent: $0) }
        return SQLTable.collisions(of: names, hasRest: dialect == .postgresql).map { collision in
            "\(said[collision.first]) and \(said[collision.second]) would both have the table `\(collision.name)`: rename one of them, or give all events of a category a table with `--tables category`"
        }
    }

    /// Writes statements that make the tables: of bad records, and of good ones.
    func writeTables(to text: inout SQLText) {
        let d = dialect
        let suffix =
            switch d {
            case .spark: " USING PARQUET"
            case .clickhouse: " ENGINE = MergeTree ORDER BY tuple()"
            case .duckdb, .postgresql, .bigquery, .snowflake: ""
            }
        let columns = SQLTable.badRecords.columns.map(definition).joined(separator: ",\n    ")
        text.add("CREATE TABLE IF NOT EXISTS \(d.name(SQLTable.bad)) (\n    \(columns)\n)\(suffix)")
        let head = head
        text.addEach(of: tables) { table, text in for statement in statements(of: table, head) { text.add(statement) } }
    }

    /// The columns that nearly all tables begin with, as statements have them. They are made once for many tables.
    struct Head: Sendable {
        fileprivate var columns: ArraySlice<SQLTable.Column> = []
        fileprivate var definitions = ""
        /// What `COMMENT ON COLUMN` says behind the table's name.
        fileprivate var comments: [String] = []
    }

    /// What the first two tables have in common.
    var head: Head {
        guard let first = tables.first?.columns, let second = tables.dropFirst().first?.columns else { return Head() }
        let columns = first[..<(zip(first, second).prefix { $0 == $1 }.count)]
        return Head(
            columns: columns, definitions: columns.map(definition).joined(separator: ",\n    "),
            comments: columns.compactMap(comment(behindTable:)))
    }

    /// The columns behind those of a head, if the table begins with them.
    private func rest(of table: SQLTable, _ head: Head) -> ArraySlice<SQLTable.Column>? {
        head.columns.isEmpty ? nil : table.columns(behind: head.columns)
    }

    /// The statements that make a table and say what its columns mean.
    func statements(of table: SQLTable, _ head: Head = Head()) -> [String] {
        let d = dialect
        var statements = [statement(of: table, head)]
        if d == .postgresql {
            statements.append(
                "CREATE TABLE IF NOT EXISTS \(d.name(SQLTable.rest(of: table.name))) PARTITION OF \(d.name(table.name)) DEFAULT")
        }
        if d == .duckdb || d == .postgresql {
            if !table.description.isEmpty { statements.append("COMMENT ON TABLE \(d.name(table.name)) IS \(comment(table))") }
            let rest = rest(of: table, head)
            let start = commentStart(table)
            if rest != nil { for comment in head.comments { statements.append(start + comment) } }
            for column in rest ?? table.columns[...] { if let comment = comment(behindTable: column) { statements.append(start + comment) } }
        }
        return statements
    }

    private func comment(_ table: SQLTable) -> String { dialect.commentLiteral(InlineText.plain(table.description), longest: 16_384) }

    /// The statement that makes a table.
    func statement(of table: SQLTable, _ head: Head = Head()) -> String {
        let d = dialect
        let rest = rest(of: table, head)
        var lines = (rest == nil ? [] : [head.definitions]) + (rest ?? table.columns[...]).map(definition)
        if d == .spark { lines.append("\(d.name(dayColumn(table))) DATE COMMENT 'The day in UTC on which the event happened.'") }
        var statement = "CREATE TABLE IF NOT EXISTS \(d.name(table.name)) (\n    \(lines.joined(separator: ",\n    "))\n)"
        let comment = comment(table)
        let hasComment = !table.description.isEmpty
        switch d {
        case .duckdb: break
        case .postgresql: statement += " PARTITION BY RANGE (\(d.name(.occurredAt)))"
        case .spark:
            statement += " USING PARQUET PARTITIONED BY (\(d.name(dayColumn(table))))" + (hasComment ? " COMMENT \(comment)" : "")
        case .bigquery: statement += " PARTITION BY DATE(\(d.name(.occurredAt)))" + (hasComment ? " OPTIONS (description = \(comment))" : "")
        case .snowflake: statement += " CLUSTER BY (TO_DATE(\(d.name(.occurredAt))))" + (hasComment ? " COMMENT = \(comment)" : "")
        case .clickhouse:
            statement +=
                " ENGINE = MergeTree PARTITION BY toYYYYMM(\(d.name(.occurredAt))) ORDER BY (\(d.name(.occurredAt)), \(d.name(.eventID)))"
                + (hasComment ? " COMMENT \(comment)" : "")
        }
        return statement
    }

    /// The statements that give a table and its columns what is said of them now.
    /// - Parameter former: the table and its columns so far, each by its name of now.
    func commentStatements(_ table: SQLTable, from former: SQLTable, _ formerColumns: [String: SQLTable.Column]) -> [String] {
        var statements = comment(table) == comment(former) ? [] : [commentStatement(table)]
        // What no document has any more, nobody says anything else of.
        for column in table.columns where column.description != nil {
            let former = formerColumns[column.name]
            // The statement that adds a column says what it means, in most dialects.
            guard former != nil || dialect == .duckdb || dialect == .postgresql else { continue }
            let text = comment(column)
            if text != former.flatMap({ comment($0) }) { statements.append(commentStatement(column, text, table)) }
        }
        return statements
    }

    private func commentStatement(_ table: SQLTable) -> String {
        let (d, text) = (dialect, comment(table))
        let textOrNull = table.description.isEmpty ? "NULL" : text
        return switch d {
        case .duckdb, .postgresql, .spark: "COMMENT ON TABLE \(d.name(table.name)) IS \(textOrNull)"
        case .snowflake: "COMMENT ON TABLE \(d.name(table.name)) IS \(text)"
        case .clickhouse: "ALTER TABLE \(d.name(table.name)) MODIFY COMMENT \(text)"
        case .bigquery: "ALTER TABLE \(d.name(table.name)) SET OPTIONS (description = \(textOrNull))"
        }
    }

    private func commentStatement(_ column: SQLTable.Column, _ text: String?, _ table: SQLTable) -> String {
        let (d, name) = (dialect, dialect.name(column.name))
        let alter = "ALTER TABLE \(d.name(table.name)) "
        return switch d {
        case .duckdb, .postgresql: "\(commentStart(table)).\(name) IS \(text ?? "NULL")"
        case .snowflake: "\(commentStart(table)).\(name) IS \(text ?? "''")"
        case .clickhouse: alter + "COMMENT COLUMN \(name) \(text ?? "''")"
        case .spark: alter + "ALTER COLUMN \(name) COMMENT \(text ?? "''")"
        case .bigquery: alter + "ALTER COLUMN \(name) SET OPTIONS (description = \(text ?? "NULL"))"
        }
    }

    private func commentStart(_ table: SQLTable) -> String { "COMMENT ON COLUMN \(dialect.name(table.name))" }

    private func comment(behindTable column: SQLTable.Column) -> String? {
        comment(column).map { ".\(dialect.name(column.name)) IS \($0)" }
    }

    /// A column of `CREATE TABLE` or `ADD COLUMN`.
    func definition(of column: SQLTable.Column) -> String {
        let d = dialect
        var text = "\(d.name(column.name)) \(d.type(of: column.type, isOptional: !column.isRequired))"
        if column.isRequired, d != .clickhouse { text += " NOT NULL" }
        guard d != .duckdb, d != .postgresql, let comment = comment(column) else { return text }
        switch d {
        case .duckdb, .postgresql: return text
        case .spark, .snowflake, .clickhouse: return text + " COMMENT \(comment)"
        case .bigquery: return text + " OPTIONS (description = \(comment))"
        }
    }

    /// What a column means, and whether it tells something about a person; nil if nobody has said anything.
    func comment(_ column: SQLTable.Column) -> String? {
        let privacy = column.privacy.flatMap { $0 == .none ? nil : "(\($0.rawValue))" }
        let parts = [privacy, column.description.flatMap { $0.isEmpty ? nil : InlineText.plain($0) }].compactMap { $0 }
        return parts.isEmpty ? nil : dialect.commentLiteral(parts.joined(separator: " "), longest: 1024)
    }

    /// Spark's partitions are columns.
    func dayColumn(_ table: SQLTable) -> String {
        var name = "occurred_on"
        while table.columns.contains(where: { $0.name == name }) { name += "_" }
        return name
    }
}

/// Markdown as plain text.
enum InlineText {
    static func plain(_ markdown: String) -> String {
        // Nearly every text is one line without markup.
        guard InlineMarkdown.hasMarkup(markdown) else { return SwiftText.visible(markdown[...]) }
        return SwiftText.line(markdown.split(separator: "\n").joined(separator: " "))
    }
}
