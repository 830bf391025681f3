package import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// The statements that set up a warehouse for a model: its tables and their load.
package struct SQLScript: Sendable {
    package private(set) var dialect: SQLDialect
    package var warehouse: any SQLWarehouse { dialect.warehouse }
    package let tables: [SQLTable]
    private let events: [EventDescription]
    /// The removed events, whose tables may exist in the warehouse; empty unless each event has a table.
    private let removedEvents: [String]

    package init(_ model: Model, _ dialect: SQLDialect, tables grouping: SQLTables) {
        self.dialect = dialect
        events = EventDescription.all(of: model, withColumnPlaces: false)
        tables = SQLTable.all(of: model, events, by: grouping)
        removedEvents = grouping == .event ? model.removedEvents() : []
    }

    /// Returns the same script for another warehouse. Warehouses share tables and events.
    package func `in`(_ dialect: SQLDialect) -> SQLScript {
        var script = self
        script.dialect = dialect
        return script
    }

    // MARK: Tables

    /// Sentences about tables that would have the same name.
    package var collisions: [String] {
        let places = Dictionary(events.map { ($0.fullName, $0.place) }, uniquingKeysWith: { first, _ in first })
        let said =
            tables.map { table in
                table.events.map { name in "`\(name)`" + (places[name].flatMap { $0 }.map { " (\($0))" } ?? "") }
                    .joined(separator: ", ")
            } + removedEvents.map { "`\($0)` (only in the lock file)" }
        let names = tables.map(\.name) + removedEvents.map { SQLTable.name(ofEvent: $0) }
        return SQLTable.collisions(of: names, rest: { warehouse.rest(of: $0)?.name }).map { collision in
            "\(said[collision.first]) and \(said[collision.second]) would both have the table `\(collision.name)`: "
                + "rename one of them, or give all events of a category a table with `--tables category`"
        }
    }

    /// Writes statements that create the tables of rejected and of accepted records.
    func writeTables(to text: inout SQLText) {
        let d = warehouse
        let columns = SQLTable.badRecords.columns.map(definition).joined(separator: ",\n    ")
        text.add("CREATE TABLE IF NOT EXISTS \(d.name(SQLTable.bad)) (\n    \(columns)\n)\(d.badRecordsOptions)")
        for table in tables { for statement in statements(of: table) { text.add(statement) } }
    }

    /// Returns the statements that create a table and its comments.
    func statements(of table: SQLTable) -> [String] {
        let d = warehouse
        var statements = [statement(of: table)]
        if let rest = d.rest(of: table.name) { statements.append(rest.statement) }
        if d.hasCommentStatements {
            if let comment = comment(table) { statements.append(d.comment(onTable: d.name(table.name), comment)) }
            let name = d.name(table.name)
            statements += comments(of: table.columns).map { d.comment(onColumn: $0.name, of: name, $0.text) }
        }
        return statements
    }

    /// The statements that create views under former names.
    package var viewStatements: [String] { views.flatMap { [$0.drop, $0.creation] } }

    /// Views under former names of tables and columns. The name of a view for columns alone ends in `_formerly`.
    var views: [(drop: String, creation: String)] {
        let d = warehouse
        return tables.flatMap { table in
            let former = formerColumns(of: table)
            // The table may still contain a former column without values, so the columns are listed.
            let formerNames = Set(former.map(\.name))
            let current = table.columns.filter { !formerNames.contains($0.name) }
            let columns = current.map { d.name($0.name) } + former.map { "\($0.expression) AS \(d.name($0.name))" }
            let names = table.formerNames.isEmpty && !former.isEmpty ? [table.name + "_formerly"] : table.formerNames
            return names.map(SQLDialect.shortened).map { view in
                (
                    "DROP VIEW IF EXISTS \(d.name(view))",
                    "CREATE VIEW \(d.name(view)) AS SELECT \(columns.joined(separator: ", ")) FROM "
                        + d.name(table.name)
                )
            }
        }
    }

    /// Returns the former columns. Events may have renamed a column differently, or may still have it.
    private func formerColumns(of table: SQLTable) -> [(name: String, expression: String)] {
        let d = warehouse
        guard !table.renames.isEmpty else { return [] }
        let names = SQLUpdate.Names(table, d)
        let (byField, byName) = (table.columns(by: \.field), table.columns(by: \.name))
        var renamed: [String] = []
        var heirsByName: [String: [(event: String, column: SQLTable.Column)]] = [:]
        for rename in table.renames {
            guard case .column(let from, let to) = rename.part, let column = byField[to] else { continue }
            let name = SQLDialect.shortened(from)
            if heirsByName[name] == nil { renamed.append(name) }
            heirsByName[name, default: []].append((rename.event, column))
        }
        return renamed.map { name in
            let heirs = heirsByName[name] ?? []
            let column = heirs[0].column
            if heirs.count == table.currentEvents.count, heirs.allSatisfy({ $0.column.name == column.name }) {
                return (name, d.name(column.name))
            }
            let ownColumn = byName[name]
            // The values of a CASE have one type.
            let types = Set((heirs.map(\.column) + (ownColumn.map { [$0] } ?? [])).map { d.type(of: $0.type) })
            func value(_ column: SQLTable.Column) -> String {
                let name = d.name(column.name)
                return types.count == 1 ? name : "CAST(\(name) AS \(d.type(of: .string(.init()), isOptional: true)))"
            }
            let cases = heirs.map { "WHEN \(names.condition($0.event) ?? "TRUE") THEN \(value($0.column))" }
            let own = ownColumn.map(value) ?? (types.count == 1 ? d.missing(column) : "NULL")
            return (name, "CASE \(cases.joined(separator: " ")) ELSE \(own) END")
        }
    }

    private func comment(_ table: SQLTable) -> String? {
        let d = warehouse
        guard !table.description.isEmpty else { return nil }
        return d.commentLiteral(InlineText.plain(table.description), longest: d.longestComments.table)
    }

    package func statement(of table: SQLTable) -> String {
        let d = warehouse
        let lines = table.columns.map(definition) + d.definitions(beside: table)
        return "CREATE TABLE IF NOT EXISTS \(d.name(table.name)) (\n    \(lines.joined(separator: ",\n    "))\n)"
            + d.options(of: table) + (d.hasCommentStatements ? "" : comment(table).map(d.comment(inTable:)) ?? "")
    }

    /// Returns the statements that update the comments of a table and its columns.
    /// - Parameters:
    ///   - former: the previous table.
    ///   - formerColumns: the previous columns, by their current names.
    func commentStatements(_ table: SQLTable, from former: SQLTable, _ formerColumns: [String: SQLTable.Column])
        -> [String]
    {
        let (d, name, comment) = (warehouse, warehouse.name(table.name), comment(table))
        var statements = comment == self.comment(former) ? [] : [d.comment(onTable: name, comment)]
        // Comments of columns that the definitions no longer contain are kept.
        for column in table.columns where column.description != nil {
            let former = formerColumns[column.name]
            // In most dialects, the statement that adds a column includes its comment.
            guard former != nil || d.hasCommentStatements else { continue }
            let text = self.comment(column)
            if text != former.flatMap({ self.comment($0) }) {
                statements.append(d.comment(onColumn: d.name(column.name), of: name, text))
            }
        }
        return statements
    }

    private func comments(of columns: [SQLTable.Column]) -> [(name: String, text: String)] {
        columns.compactMap { column in comment(column).map { (warehouse.name(column.name), $0) } }
    }

    /// Returns a column of `CREATE TABLE` or `ADD COLUMN`.
    func definition(of column: SQLTable.Column) -> String {
        let d = warehouse
        var text = "\(d.name(column.name)) \(d.type(of: column.type, isOptional: !column.isRequired))"
        if column.isRequired, d.marksRequired { text += " NOT NULL" }
        guard !d.hasCommentStatements, let comment = comment(column) else { return text }
        return text + d.comment(inColumn: comment)
    }

    /// Returns a column's description and privacy level, or nil if it has neither.
    func comment(_ column: SQLTable.Column) -> String? {
        let privacy = column.privacy.flatMap { $0 == .none ? nil : "(\($0.rawValue))" }
        let parts = [privacy, column.description.flatMap { $0.isEmpty ? nil : InlineText.plain($0) }].compactMap { $0 }
        let d = warehouse
        return parts.isEmpty ? nil : d.commentLiteral(parts.joined(separator: " "), longest: d.longestComments.column)
    }

    // MARK: Load

    /// The default folder of the rows that `loggen validate --split` writes.
    package static let records = "records"

    func writeLoad(of folder: String, to text: inout SQLText) {
        let d = warehouse
        if let setting = d.loadSetting { text.addLine(setting) }
        let (before, after) = d.transaction
        let start = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
        for statement in before { text.add(statement) }
        for table in tables + [SQLTable.badRecords] {
            for statement in d.load(table, from: start + table.name + ".ndjson") { text.add(statement) }
        }
        for statement in after { text.add(statement) }
    }
}

enum InlineText {
    static func plain(_ markdown: String) -> String {
        // Nearly all descriptions are one line without markup.
        guard InlineMarkdown.hasMarkup(markdown) else { return SwiftText.visible(markdown[...]) }
        return SwiftText.line(markdown.split(separator: "\n").joined(separator: " "))
    }
}
