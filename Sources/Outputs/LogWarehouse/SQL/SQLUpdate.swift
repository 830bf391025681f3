import LogDefinitions

/// An update that gives rows of earlier models the current names and values. A second run of the update changes nothing.
package struct SQLUpdate: Sendable {
    /// The columns with their new values, as expressions.
    var values: [(column: String, expression: String)]
    /// The condition for the rows.
    var condition: String
}

extension SQLUpdate {
    /// Returns the updates for a table whose columns have their current names.
    /// - Parameter moved: the columns that only some events of the table have renamed, with the former columns, which
    ///   remain for the others.
    static func all(
        _ renames: [SQLTable.Rename], in table: SQLTable,
        moved: [(rename: SQLTable.Rename, from: SQLTable.Column, to: SQLTable.Column)], _ d: any SQLWarehouse
    ) -> [SQLUpdate] {
        var updates: [SQLUpdate] = []
        let names = Names(table, d)
        for rename in renames {
            guard case .event(let former) = rename.part, let condition = names.condition(former),
                condition != names.condition(rename.event)
            else { continue }
            updates.append(SQLUpdate(values: names.values(rename.event), condition: condition))
        }
        for (rename, from, to) in moved {
            let old = d.name(from.name)
            let missing = d.missing(from)
            let isThere = missing == "NULL" ? "\(old) IS NOT NULL" : "\(d.count(old)) > 0"
            updates.append(
                SQLUpdate(
                    values: [(to.name, d.cast(old, to.type, isNeeded: from.type != to.type)), (from.name, missing)],
                    condition: [names.condition(rename.event), isThere].compactMap { $0 }.joined(separator: " AND ")))
        }
        updates += values(renames, in: table, names, d)
        return updates
    }

    /// The updates of values of enumerations: one for each column of an event.
    private static func values(
        _ renames: [SQLTable.Rename], in table: SQLTable, _ names: Names, _ d: any SQLWarehouse
    ) -> [SQLUpdate] {
        struct Key: Hashable {
            var event: String
            var column: String
        }
        var keys: [Key] = []
        var heirs: [Key: [(from: String, to: String)]] = [:]
        for rename in renames {
            guard case .value(let column, let from, let to) = rename.part else { continue }
            let key = Key(event: rename.event, column: column)
            if heirs[key] == nil { keys.append(key) }
            heirs[key, default: []].append((from, to))
        }
        return keys.flatMap { key -> [SQLUpdate] in
            let values = heirs[key] ?? []
            return table.columns.filter { $0.field == key.column }.compactMap { column in
                let name = d.name(column.name)
                func current(_ value: String) -> String {
                    "CASE \(value) "
                        + values.map { "WHEN \(d.literal($0.from)) THEN \(d.literal($0.to))" }.joined(separator: " ")
                        + " ELSE \(value) END"
                }
                let (expression, isConcerned): (String, String)
                switch column.type.form {
                case .string:
                    expression = current(name)
                    isConcerned = "\(name) IN (\(values.map { d.literal($0.from) }.joined(separator: ", ")))"
                case .array(let list):
                    guard case .string = list.items.form else { return nil }
                    expression = d.mapped(name, "item", current(d.item("item", list.items)))
                    isConcerned = "\(d.count(name)) > 0"
                default: return nil
                }
                return SQLUpdate(
                    values: [(column.name, expression)],
                    condition: [names.condition(key.event), isConcerned].compactMap { $0 }.joined(separator: " AND "))
            }
        }
    }

    /// The columns of a table that name events.
    struct Names {
        private let category: String?
        private let event: String?
        private let d: any SQLWarehouse

        init(_ table: SQLTable, _ d: any SQLWarehouse) {
            func name(_ member: RecordEnvelope) -> String? {
                table.columns.contains { $0.field == member.name } ? member.name : nil
            }
            (category, event, self.d) = (name(.category), name(.event), d)
        }

        /// The values of the columns for an event (`category.event`).
        func values(_ fullName: String) -> [(column: String, expression: String)] {
            let parts = fullName.eventNameParts
            return [(category, parts.category), (event, parts.event)].compactMap { column, value in
                column.map { ($0, d.literal(value)) }
            }
        }

        /// The condition for the rows of an event; nil if all rows of the table are of one event.
        func condition(_ fullName: String) -> String? {
            let tests = values(fullName).map { "\(d.name($0.column)) = \($0.expression)" }
            return tests.isEmpty ? nil : tests.joined(separator: " AND ")
        }
    }
}

extension SQLWarehouse {
    /// The value of a column in a row without one.
    func missing(_ column: SQLTable.Column) -> String {
        if case .array = column.type.form, !hasMissingLists { emptyList } else { "NULL" }
    }

    /// Returns a value in the form of another column's type.
    fileprivate func cast(_ text: String, _ type: LogValueType, isNeeded: Bool) -> String {
        isNeeded ? cast(text, self.type(of: type)) : text
    }
}
