import LogDefinitions

/// An update that gives rows of earlier models the current names and values. A second run changes nothing.
package struct SQLUpdate: Sendable {
    var values: [(column: String, expression: String)]
    var condition: String
}

extension SQLUpdate {
    /// Returns the updates for a table whose columns have their current names.
    /// - Parameter moved: the columns that only some events of the table have renamed, with the former columns.
    ///   - refusals: takes a sentence about values that no statement updates.
    static func all(
        _ renames: [SQLTable.Rename], in table: SQLTable,
        moved: [(rename: SQLTable.Rename, from: SQLTable.Column, to: SQLTable.Column)], _ d: any SQLWarehouse,
        refusals: inout [String]
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
        updates += valueUpdates(renames, in: table, names, d, &refusals)
        return updates
    }

    private static func valueUpdates(
        _ renames: [SQLTable.Rename], in table: SQLTable, _ names: Names, _ d: any SQLWarehouse,
        _ refusals: inout [String]
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
        var updates: [SQLUpdate] = []
        for key in keys {
            let values = heirs[key] ?? []
            for column in table.columns where column.field == key.column {
                guard case .string = column.type.element.form else { continue }
                let name = d.name(column.name)
                func current(_ value: String, _ type: LogValueType, depth: Int = 0) -> String {
                    if case .array(let list) = type {
                        let item = depth == 0 ? "item" : "item\(depth)"
                        return d.mapped(value, item, current(d.item(item, list.items), list.items, depth: depth + 1))
                    }
                    return "CASE \(value) "
                        + values.map { "WHEN \(d.literal($0.from)) THEN \(d.literal($0.to))" }.joined(separator: " ")
                        + " ELSE \(value) END"
                }
                var isConcerned = "\(name) IN (\(values.map { d.literal($0.from) }.joined(separator: ", ")))"
                if case .array(let list) = column.type.form {
                    isConcerned = "\(d.count(name)) > 0"
                    if list.isOfLists, d.words.listOfLists != nil {
                        refusals.append(
                            "the column `\(column.name)` of `\(table.name)` has lists of lists as JSON: replace "
                                + values.map { "`\($0.from)` by `\($0.to)`" }.joined(separator: ", ") + " in them")
                        continue
                    }
                }
                updates.append(
                    SQLUpdate(
                        values: [(column.name, current(name, column.type))],
                        condition: [names.condition(key.event), isConcerned].compactMap { $0 }.joined(
                            separator: " AND ")))
            }
        }
        return updates
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

    fileprivate func cast(_ text: String, _ type: LogValueType, isNeeded: Bool) -> String {
        isNeeded ? cast(text, self.type(of: type)) : text
    }
}
