import LogDefinitions
import LogWarehouse

/// Where a warehouse has an event's records, as the output `sql` makes it.
struct EventTables: Sendable {
    private let grouping: SQLTables
    private let scripts: [SQLScript]
    private let heads: [SQLScript.Head]
    private let tables: [String: SQLTable]

    init(_ scripts: [SQLScript], by grouping: SQLTables) {
        (self.scripts, self.grouping) = (scripts, grouping)
        heads = scripts.map(\.head)
        tables = Dictionary(
            (scripts.first?.tables ?? []).flatMap { table in table.events.map { ($0, table) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// For each warehouse, its name and the statement that makes the event's table. If events share a table, that would be
    /// long and the same everywhere: then it is the query of the event's records.
    subscript(event: String) -> [(warehouse: String, statement: String)] {
        guard let table = tables[event] else { return [] }
        return zip(scripts, heads).map { script, head in
            let d = script.warehouse
            let statement: String
            switch grouping {
            case .event: statement = script.statement(of: table, head)
            case .category, .wide:
                // No name has a dot.
                let parts = event.split(separator: ".").map(String.init)
                let conditions = zip([RecordEnvelope.category, .event], parts).suffix(grouping == .wide ? 2 : 1)
                statement =
                    "SELECT *\nFROM \(d.name(table.name))\nWHERE "
                    + conditions.map { "\(d.name($0)) = \(d.literal($1))" }.joined(separator: " AND ")
            }
            return (d.title, statement + ";")
        }
    }
}
