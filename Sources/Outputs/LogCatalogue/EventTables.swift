import LogDefinitions
import LogWarehouse

/// The tables of the output `sql` that contain an event's records.
struct EventTables: Sendable {
    private let grouping: SQLTables
    private let scripts: [SQLScript]
    private let tables: [String: SQLTable]

    init(_ scripts: [SQLScript], by grouping: SQLTables) {
        (self.scripts, self.grouping) = (scripts, grouping)
        tables = Dictionary(
            (scripts.first?.tables ?? []).flatMap { table in table.events.map { ($0, table) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns a statement per warehouse. If events have separate tables, it creates the event's table. Otherwise the
    /// table's statement would be long and the same for many events, so a query of the event's records is returned.
    subscript(event: String) -> [(warehouse: String, statement: String)] {
        guard let table = tables[event] else { return [] }
        return scripts.map { script in
            let d = script.warehouse
            let statement: String
            switch grouping {
            case .event: statement = script.statement(of: table)
            case .category, .wide:
                // Names contain no dots.
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
