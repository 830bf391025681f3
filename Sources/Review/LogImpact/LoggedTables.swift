package import LogDefinitions
import LogTypes
import LogWarehouse

/// The tables of a model, under the names by which statements read them.
package struct LoggedTables: Sendable {
    struct Table: Sendable {
        /// The events, as `category.event`.
        var events: Set<String> = []
        private(set) var columns: [String] = []
        /// The record's members by column name, lowercased.
        private(set) var fields: [String: String] = [:]
        /// The events of each member that is not in all events of the table.
        private(set) var owners: [String: Set<String>] = [:]
        /// The effects of changes of columns between the first and the last state, by lowercased name, on all records.
        var differences: [String: QueryEffect] = [:]

        /// Returns the effect on a column, or the worst one on all columns if it is nil.
        /// - Parameter member: The member of the columns that count; nil for all members.
        func difference(_ column: String?, of member: String?) -> QueryEffect? {
            guard let column = column?.lowercased() else {
                return differences.lazy.filter { member == nil || fields[$0.key] == member }.map(\.value).max()
            }
            return member == nil || fields[column] == member ? differences[column] : nil
        }

        /// The former names of renamed events, which conditions may still have. Both are `category.event`.
        var formerNames: [String: [String]] = [:]
        private var eventsByName: [String: [String]] = [:]
        private var byCategory: [String: [String]] = [:]

        mutating func add(_ column: String, _ field: String) {
            guard fields[column.lowercased()] == nil else { return }
            fields[column.lowercased()] = field
            columns.append(column)
        }

        /// Prepares `owners` and `selects(anyOf:_:)`.
        /// - Parameter columns: The names of the columns of each event.
        mutating func index(_ columns: [String: Set<String>]) {
            for field in Set(fields.values) {
                let having = events.filter { columns[$0]?.contains(field) ?? true }
                if having.count < events.count, !having.isEmpty { owners[field] = having }
            }
            for event in events {
                for parts in names(of: event).map(\.eventNameParts) {
                    eventsByName[parts.event, default: []].append(event)
                    byCategory[parts.category, default: []].append(event)
                }
            }
        }

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

        func selects(_ event: String, _ filters: [ColumnFilter]) -> Bool { name(of: event, in: filters) != nil }

        private func names(of event: String) -> [String] { [event] + (formerNames[event] ?? []) }

        /// Returns the name by which conditions select an event: its own, or else a former one.
        func name(of event: String, in filters: [ColumnFilter]) -> String? {
            names(of: event).first { name in
                let parts = name.eventNameParts
                return filters.allSatisfy { filter in
                    switch fields[filter.column.lowercased()] {
                    case RecordEnvelope.event.name: filter.values.contains(parts.event)
                    case RecordEnvelope.category.name: filter.values.contains(parts.category)
                    default: true
                    }
                }
            }
        }
    }

    /// The tables by their names in statements.
    private(set) var tables: [String: Table] = [:]
    /// The names of the tables, in the order of the definitions.
    private(set) var names: [String] = []
    private var tablesByEvent: [String: [String]] = [:]
    /// The names that loggen gives the tables.
    package private(set) var generatedNames: Set<String> = []

    /// Creates the tables of several states of the definitions. A table has the columns of all states.
    /// - Parameter states: The states, with the names of tables in the warehouse by those that loggen gives.
    package init(_ states: [(model: Model, names: [String: String])]) {
        // The models of the output dbt have the columns of their tables.
        var models: [(name: String, table: String)] = []
        for grouping in SQLTables.allCases {
            let made = states.map { SQLTable.all(of: $0.model, by: grouping) }
            let differences = made.count > 1 ? Self.differences(made[0], made[made.count - 1]) : [:]
            for (state, table) in zip(states, made).flatMap({ state, tables in tables.map { (state, $0) } }) {
                generatedNames.insert(table.name)
                // Several tables can have one name in the warehouse.
                let name = state.names[table.name]?.filter { $0 != "`" && $0 != "\"" } ?? table.name
                if grouping == .event { models.append((table.modelName, name)) }
                var entry = tables[name] ?? Table()
                entry.events.formUnion(table.currentEvents)
                entry.differences.merge(differences[table.name] ?? [:]) { max($0, $1) }
                for column in table.columns { entry.add(column.name, column.field) }
                // In one state, statements may still read former names. In several, an earlier state has them.
                let isAlone = states.count == 1
                for rename in isAlone ? table.renames : [] {
                    switch rename.part {
                    case .column(let former, let current): entry.add(former, current)
                    case .event(let former): entry.formerNames[rename.event, default: []].append(former)
                    case .value: break
                    }
                }
                set(entry, name)
                for former in isAlone ? table.formerNames : [] where tables[former] == nil {
                    set(entry, former)
                    generatedNames.insert(former)
                }
            }
        }
        // The setting `tables` may name the table of a removed event. Such a name is not reported as unknown.
        for state in states { generatedNames.formUnion(state.model.removedEvents().map(SQLTable.name(ofEvent:))) }
        let events = Self.columnNames(of: states.map(\.model))
        for name in names { tables[name]?.index(events) }
        for model in models where tables[model.name] == nil {
            if let table = tables[model.table] { set(table, model.name) }
        }
        for (name, table) in tables { for event in table.events { tablesByEvent[event, default: []].append(name) } }
    }

    private mutating func set(_ table: Table, _ name: String) {
        if tables.updateValue(table, forKey: name) == nil { names.append(name) }
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

    /// The members of the records of each event that has its own table, including those of earlier versions.
    package var fieldsByEvent: [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        for table in tables.values where table.events.count == 1 {
            for event in table.events { result[event, default: []].formUnion(table.fields.values) }
        }
        return result
    }

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

    func names(of event: String) -> [String] { tablesByEvent[event] ?? [] }
}
