package import LogDefinitions
import LogWarehouse

/// The tables of a model, under the names by which statements read them.
package struct LoggedTables: Sendable {
    struct Table: Sendable {
        /// The events, as `category.event`.
        var events: [String]
        /// The record's members by column name, lowercased.
        var fields: [String: String]
        /// The events of each member that is not in all events of the table.
        var owners: [String: Set<String>]
    }

    package private(set) var catalog: Catalog
    /// The tables by their names in the catalog.
    private(set) var tables: [String: Table]
    /// The names of tables by their lowercased last component.
    private var names: [String: String] = [:]
    /// The names of tables that others stand for.
    private var aliases: [String: String] = [:]

    /// - Parameter names: The names in the warehouse, by the names that loggen gives.
    package init(_ model: Model, names: [String: String] = [:]) {
        var (tables, entries) = ([String: Table](), [Catalog.Table]())
        let columns = Self.columns(of: model)
        for grouping in SQLTables.allCases {
            for table in SQLTable.all(of: model, by: grouping) {
                let name = names[table.name] ?? table.name
                guard tables[name] == nil else { continue }
                var (fields, owners) = ([String: String](), [String: Set<String>]())
                for column in table.columns {
                    fields[column.name.lowercased()] = column.field
                    let having = table.events.filter { columns[$0]?.contains(column.field) ?? true }
                    if having.count < table.events.count, !having.isEmpty { owners[column.field] = Set(having) }
                }
                tables[name] = Table(events: table.events, fields: fields, owners: owners)
                entries.append(Catalog.Table(name: name, columns: table.columns.map(\.name)))
            }
        }
        self.tables = tables
        catalog = Catalog(tables: entries)
        for name in tables.keys.sorted() where self.names[Self.lastComponent(name)] == nil {
            self.names[Self.lastComponent(name)] = name
        }
    }

    private static func lastComponent(_ name: String) -> String {
        (name.split(separator: ".").last.map(String.init) ?? name).lowercased()
    }

    /// Returns the table with the last component of a name, compared case-insensitively.
    func name(matching name: String) -> String? { names[Self.lastComponent(name)] }

    /// Adds another name of a table.
    mutating func add(_ alias: String, as name: String) {
        guard tables[alias] == nil, let table = tables[name] else { return }
        tables[alias] = table
        aliases[alias] = name
        if let entry = catalog.tables.first(where: { $0.name == name }) {
            catalog.tables.append(Catalog.Table(name: alias, columns: entry.columns))
        }
    }

    /// Returns the name in the warehouse of a table with another name.
    func canonicalName(_ name: String) -> String { aliases[name] ?? name }

    /// Returns the names of the columns of each event.
    private static func columns(of model: Model) -> [String: Set<String>] {
        var columns: [String: Set<String>] = [:]
        for category in model.definitions.categories {
            for event in category.events {
                columns["\(category.name).\(event.name)"] = Set(event.columns.map(\.name))
            }
        }
        return columns
    }

    /// Returns the events of a table that meet the conditions of a use.
    func events(of table: Table, _ filters: [ColumnFilter]) -> [String] {
        var events = table.events
        for filter in filters {
            let values = Set(filter.values)
            switch table.fields[filter.column.lowercased()] {
            case "event_name": events.removeAll { !values.contains($0.eventNameParts.event) }
            case "event_category": events.removeAll { !values.contains($0.eventNameParts.category) }
            default: break
            }
        }
        return events
    }
}
