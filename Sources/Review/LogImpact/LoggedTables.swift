package import LogDefinitions
import LogTypes
import LogWarehouse

/// The tables of a model, under the names by which statements read them.
package struct LoggedTables: Sendable {
    struct Table: Sendable {
        /// The events, as `category.event`.
        var events: Set<String>
        /// The record's members by column name, lowercased.
        var fields: [String: String]
        /// The events of each member that is not in all events of the table.
        var owners: [String: Set<String>]
        /// The effects on columns, by lowercased name, that differ between the first and the last state, also for
        /// records of unchanged events.
        var differences: [String: QueryEffect] = [:]

        /// Returns the effect on a column, or the worst one on all columns if it is nil.
        /// - Parameter member: The member of the columns that count; nil for all members.
        func difference(_ column: String?, of member: String?) -> QueryEffect? {
            guard let column = column?.lowercased() else {
                return differences.lazy.filter { member == nil || fields[$0.key] == member }.map(\.value).max()
            }
            return member == nil || fields[column] == member ? differences[column] : nil
        }

        private var eventsByName: [String: [String]] = [:]
        private var byCategory: [String: [String]] = [:]

        init(events: Set<String>, fields: [String: String], owners: [String: Set<String>]) {
            (self.events, self.fields, self.owners) = (events, fields, owners)
        }

        /// Prepares `selects(anyOf:_:)`.
        mutating func index() {
            for event in events {
                let parts = event.eventNameParts
                eventsByName[parts.event, default: []].append(event)
                byCategory[parts.category, default: []].append(event)
            }
        }

        /// Returns whether the conditions of a use select records of some events.
        func selects(anyOf events: Set<String>, _ filters: [ColumnFilter]) -> Bool {
            // Most conditions name few of many events.
            for filter in filters {
                let candidates: [String: [String]]
                switch fields[filter.column.lowercased()] {
                case RecordEnvelope.event.name: candidates = eventsByName
                case RecordEnvelope.category.name where filters.count == 1: candidates = byCategory
                default: continue
                }
                return filter.values.contains { value in
                    candidates[value]?.contains { events.contains($0) && selects($0, filters) } ?? false
                }
            }
            return events.contains { self.events.contains($0) && selects($0, filters) }
        }

        /// Returns whether the conditions of a use select an event's records.
        func selects(_ event: String, _ filters: [ColumnFilter]) -> Bool {
            let parts = event.eventNameParts
            return filters.allSatisfy { filter in
                switch fields[filter.column.lowercased()] {
                case RecordEnvelope.event.name: filter.values.contains(parts.event)
                case RecordEnvelope.category.name: filter.values.contains(parts.category)
                default: true
                }
            }
        }
    }

    package private(set) var catalog: Catalog
    /// The tables by their names in the catalog.
    private(set) var tables: [String: Table]
    private var tablesByEvent: [String: [String]] = [:]
    /// The names that loggen gives the tables.
    package let generatedNames: Set<String>
    /// The last components are lower case.
    private var namesByLastComponent: [String: [String]] = [:]
    private var canonicalNames: [String: String] = [:]

    /// - Parameter names: The names in the warehouse, by the names that loggen gives.
    package init(_ model: Model, names: [String: String] = [:]) { self.init([(model, names)]) }

    /// Creates the tables of several states of the definitions. A table has the columns of all states.
    package init(_ states: [(model: Model, names: [String: String])]) {
        var (tables, order, columns) = ([String: Table](), [String](), [String: [String]]())
        var generatedNames: Set<String> = []
        var differences: [String: [String: QueryEffect]] = [:]
        // The models of the output dbt have the columns of their tables.
        var models: [(name: String, table: String)] = []
        for grouping in SQLTables.allCases {
            let made = states.map { SQLTable.all(of: $0.model, by: grouping) }
            if let first = made.first, made.count > 1 {
                differences.merge(Self.differences(first, made[made.count - 1])) { one, _ in one }
            }
            for (state, table) in zip(states, made).flatMap({ state, tables in tables.map { (state, $0) } }) {
                generatedNames.insert(table.name)
                // Several tables can have one name in the warehouse.
                let name = state.names[table.name].map(Self.unquoted) ?? table.name
                if tables[name] == nil { order.append(name) }
                if grouping == .event { models.append((table.modelName, name)) }
                var entry = tables[name] ?? Table(events: [], fields: [:], owners: [:])
                // Of several states, an earlier one has a renamed event under its former name.
                entry.events.formUnion(states.count > 1 ? table.currentEvents : table.events)
                for column in table.columns
                where entry.fields.updateValue(
                    column.field, forKey: column.name.lowercased()) == nil
                {
                    columns[name, default: []].append(column.name)
                }
                // In one state, statements may still read former names. In several, an earlier state has them.
                guard states.count == 1, !table.formerNames.isEmpty || !table.renames.isEmpty else {
                    tables[name] = entry
                    continue
                }
                for case .column(let former, let current) in table.renames.map(\.part)
                where entry.fields[former.lowercased()] == nil {
                    entry.fields[former.lowercased()] = current
                    columns[name, default: []].append(former)
                }
                tables[name] = entry
                for former in table.formerNames where tables[former] == nil {
                    order.append(former)
                    (tables[former], columns[former]) = (entry, columns[name])
                    generatedNames.insert(former)
                }
            }
        }
        // The setting `tables` may name the table of a removed event. Such a name is not reported as unknown.
        for state in states { generatedNames.formUnion(state.model.removedEvents().map(SQLTable.name(ofEvent:))) }
        let events = Self.columnNames(of: states.map(\.model))
        for (name, table) in tables {
            for field in Set(table.fields.values) {
                let having = table.events.filter { events[$0]?.contains(field) ?? true }
                if having.count < table.events.count, !having.isEmpty { tables[name]?.owners[field] = having }
            }
        }
        for (name, differences) in differences {
            for shown in Set(states.map { $0.names[name].map(Self.unquoted) ?? name }) {
                tables[shown]?.differences.merge(differences) { max($0, $1) }
            }
        }
        for name in tables.keys { tables[name]?.index() }
        for model in models where tables[model.name] == nil {
            tables[model.name] = tables[model.table]
            columns[model.name] = columns[model.table]
            order.append(model.name)
        }
        self.tables = tables
        for (name, table) in tables { for event in table.events { tablesByEvent[event, default: []].append(name) } }
        self.generatedNames = generatedNames
        catalog = Catalog(tables: order.map { Catalog.Table(name: $0, columns: columns[$0] ?? []) })
        for name in order { namesByLastComponent[Self.components(name).last ?? name, default: []].append(name) }
    }

    private static func differences(_ first: [SQLTable], _ last: [SQLTable]) -> [String: [String: QueryEffect]] {
        let former = Dictionary(first.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
        return last.reduce(into: [:]) { result, table in
            if let old = former[table.name] { result[table.name] = differences(old.columns, table.columns) }
        }
    }

    private static func differences(_ old: [SQLTable.Column], _ new: [SQLTable.Column]) -> [String: QueryEffect] {
        let former = Dictionary(old.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { one, _ in one })
        var rest = Set(former.keys)
        var result: [String: QueryEffect] = [:]
        for column in new {
            let name = column.name.lowercased()
            rest.remove(name)
            if let former = former[name] {
                let difference = difference(former, column)
                if difference > .none { result[name] = difference }
            } else {
                result[name] = .adds
            }
        }
        for name in rest { result[name] = .breaks }
        return result
    }

    private static func difference(_ old: SQLTable.Column, _ new: SQLTable.Column) -> QueryEffect {
        func events(_ column: SQLTable.Column) -> Set<Substring>? {
            column.versions.map { Set($0.map { $0.prefix { $0 != " " } }) }
        }
        // The values of some events are in another column.
        if old.field != new.field || events(old) != events(new) { return .breaks }
        guard old.type != new.type else { return .none }
        return old.type.joined(with: new.type) == nil ? .breaks : .shifts
    }

    /// Returns the members of an event's records in its own table, including those of earlier versions.
    package func fields(of event: String) -> Set<String> {
        tables.values.filter { $0.events == [event] }.reduce(into: []) { $0.formUnion($1.fields.values) }
    }

    /// The members of the records of each event that has its own table, including those of earlier versions.
    var fieldsByEvent: [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        for table in tables.values where table.events.count == 1 {
            for event in table.events { result[event, default: []].formUnion(table.fields.values) }
        }
        return result
    }

    private static func unquoted(_ name: String) -> String { name.filter { $0 != "`" && $0 != "\"" } }

    private static func components(_ name: String) -> [String] {
        unquoted(name).lowercased().split(separator: ".").map(String.init)
    }

    /// Returns the table with a qualified name, compared case-insensitively. If the qualifiers of all candidates
    /// differ, the last component decides.
    func name(matching name: String) -> String? {
        let wanted = Self.components(name)
        guard let last = wanted.last, let candidates = namesByLastComponent[last] else { return nil }
        return candidates.first { candidate in
            zip(Self.components(candidate).reversed(), wanted.reversed()).allSatisfy { $0 == $1 }
        } ?? candidates.first
    }

    /// Adds another name of a table.
    mutating func add(_ alias: String, as name: String) {
        guard tables[alias] == nil, let table = tables[name] else { return }
        tables[alias] = table
        for event in table.events { tablesByEvent[event, default: []].append(alias) }
        canonicalNames[alias] = name
        if let entry = catalog.tables.first(where: { $0.name == name }) {
            catalog.tables.append(Catalog.Table(name: alias, columns: entry.columns))
        }
    }

    /// Returns the name in the warehouse of a table with another name.
    func canonicalName(_ name: String) -> String { canonicalNames[name] ?? name }

    private static func columnNames(of models: [Model]) -> [String: Set<String>] {
        var columns: [String: Set<String>] = [:]
        for model in models {
            let common = (model.definitions.common?.columns ?? []).map(\.name)
            for category in model.definitions.categories {
                for event in category.events {
                    let names = event.columns.map(\.name) + common
                    columns["\(category.name).\(event.name)", default: []].formUnion(names)
                }
            }
        }
        return columns
    }

    /// Returns the names in the catalog of the tables with an event's records.
    func names(of event: String) -> [String] { tablesByEvent[event] ?? [] }
}
