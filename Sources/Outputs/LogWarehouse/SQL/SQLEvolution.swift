import LogDefinitions

/// The statements that migrate an earlier model's tables to those of the current one. They keep all rows and values.
///
/// Renamed tables and columns keep their rows, and renamed values of enumerations are updated. Unused columns are kept.
/// A column whose type changes is widened if the new type can store all its values. Otherwise, if the lock file
/// contains the version with the old type, the column is renamed (`count_v1`) and a new one added. Other changes are
/// refused.
package struct SQLEvolution: Sendable {
    package private(set) var statements: [String] = []
    /// Sentences about changes that no statement makes without loss.
    package private(set) var refusals: [String] = []
    /// Advice as an SQL comment, which may be empty.
    package private(set) var comment = ""

    /// - Parameter hasViews: whether the statements also create views under former names.
    package init(from old: SQLScript, to new: SQLScript, hasViews: Bool = false) {
        let known = Dictionary(old.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for table in new.tables {
            let formerTables = table.formerNames.filter { known[$0] != nil }
            if known[table.name] != nil ? !formerTables.isEmpty : formerTables.count > 1 {
                let names = (known[table.name] == nil ? [] : [table.name]) + formerTables
                refusals.append(
                    "the tables \(names.map { "`\($0)`" }.joined(separator: " and ")) become one: copy the rows of one "
                        + "into the other, and drop it")
                continue
            }
            guard let former = known[table.name] ?? formerTables.first.flatMap({ known[$0] }) else {
                statements += new.statements(of: table)
                continue
            }
            refuseMoves(to: table, from: former, old)
            change(former, to: table, new)
        }
        guard hasViews else {
            // The statements fail in PostgreSQL if a view reads a changed column, and break the view in others.
            if !statements.isEmpty, !old.views.isEmpty {
                comment = "-- If there are views under former names, print these statements with `--views`.\n\n"
            }
            return
        }
        // A view may read a column whose type changes, which PostgreSQL refuses. Without transactions, a second run
        // must not drop views before it fails.
        let former = old.views.map(\.drop)
        statements = new.warehouse.hasSchemaTransactions ? former + statements : statements + former
        statements += new.viewStatements
    }

    /// The statements as one transaction, if the engine can change tables in one.
    package func transaction(_ d: any SQLWarehouse) -> [String] {
        d.hasSchemaTransactions && !statements.isEmpty ? ["BEGIN"] + statements + ["COMMIT"] : statements
    }

    private mutating func refuseMoves(to table: SQLTable, from former: SQLTable, _ old: SQLScript) {
        for rename in table.renames {
            guard case .event(let name) = rename.part, !former.events.contains(name),
                let other = old.tables.first(where: { $0.events.contains(name) })
            else { continue }
            refusals.append(
                "the rows of `\(rename.event)` are in the table `\(other.name)`, under the former name `\(name)`: copy "
                    + "them into `\(table.name)`, or give each event a table with `--tables event`")
        }
    }

    private enum Step {
        case rename(String, to: String)
        case widen(SQLTable.Column)
        /// The column becomes nullable. Its type is the new type, because a `widen` step comes before this step.
        case relax(SQLTable.Column)
        case add(SQLTable.Column, ifMissing: Bool)
    }

    private mutating func change(_ old: SQLTable, to new: SQLTable, _ script: SQLScript) {
        let d = script.warehouse
        var steps: [Step] = []
        let before = Dictionary(old.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let renamed = new.renames.filter { !old.renames.contains($0) }
        let heirs = Self.heirs(renamed, of: old, in: new)
        func holds(_ column: SQLTable.Column, _ former: SQLTable.Column) -> Bool {
            column.field == heirs[former.field] ?? former.field && column.stores(former)
        }
        var source = SQLSources()
        for column in new.columns {
            if let former = before[column.name], holds(column, former) { source[column.name] = former }
        }
        // A column for the type of an older version may have another name now, such as `count_v1` instead of `count`.
        let kept = Set(source.values.map(\.name))
        var renames: [(old: String, new: String)] = []
        for former in old.columns where !kept.contains(former.name) {
            if let heir = new.columns.first(where: { source[$0.name] == nil && holds($0, former) }) {
                source[heir.name] = former
                renames.append((former.name, heir.name))
            } else if let column = new.columns.first(where: { $0.name == former.name }) {
                refusals.append(
                    "the column `\(column.name)` of `\(new.name)` would change from \(d.type(of: former.type)) to "
                        + "\(d.type(of: column.type)), which cannot hold its values: run `loggen lock` with the "
                        + "definitions before the change, so that the old values get a separate column, or give the "
                        + "new column another name"
                )
                return
            } else if former.isRequired {
                steps.append(.relax(former))
            }
        }
        steps = Self.inOrder(renames) + steps
        for column in new.columns {
            guard let former = source[column.name] else {
                // Existing rows have no value for the column.
                steps.append(.add(column.required(false), ifMissing: old.leftNames.contains(column.field)))
                continue
            }
            let changed = column.required(column.isRequired && former.isRequired)
            if d.type(of: former.type) != d.type(of: column.type) {
                steps.append(.widen(changed))
            }
            if former.isRequired && !column.isRequired { steps.append(.relax(changed)) }
        }
        let updates = SQLUpdate.all(
            renamed, in: new, moved: Self.moved(renamed, heirs, from: old, to: new, source), d, refusals: &refusals)
        let onlyAdds = updates.isEmpty && steps.allSatisfy { if case .add = $0 { true } else { false } }
        rename(old, to: new, d)
        if !onlyAdds, let replacement = d.replacement(old, by: new, source, updates, script) {
            statements += replacement
        } else {
            for step in steps { statements.append(statement(step, new, script)) }
            for update in updates { statements.append(d.update(d.name(new.name), update)) }
            statements += script.commentStatements(new, from: old, source)
        }
    }

    private mutating func rename(_ old: SQLTable, to new: SQLTable, _ d: any SQLWarehouse) {
        guard old.name != new.name else { return }
        statements.append(d.renaming(table: d.name(old.name), to: d.name(new.name)))
        if let (former, rest) = d.rest(of: old.name).flatMap({ former in d.rest(of: new.name).map { (former, $0) } }) {
            statements.append(d.renaming(table: d.name(former.name), to: d.name(rest.name)))
        }
    }

    /// Returns the current names of the fields that all events of a table have renamed alike. Of several fields that
    /// become one, the first is renamed; the values of the others are moved.
    private static func heirs(_ renamed: [SQLTable.Rename], of old: SQLTable, in new: SQLTable) -> [String: String] {
        var heirs: [String: Set<String>] = [:]
        for rename in renamed {
            if case .column(let from, let to) = rename.part { heirs[from, default: []].insert(to) }
        }
        let fields = (old: Set(old.columns.map(\.field)), new: Set(new.columns.map(\.field)))
        let left = old.leftNames
        var taken: Set<String> = []
        return old.columns.reduce(into: [:]) { result, column in
            let from = column.field
            guard result[from] == nil, let names = heirs[from], names.count == 1, let to = names.first,
                !fields.new.contains(from), !fields.old.contains(to), !left.contains(to), taken.insert(to).inserted
            else { return }
            result[from] = to
        }
    }

    /// Returns the columns that only some events of a table have renamed.
    private static func moved(
        _ renamed: [SQLTable.Rename], _ heirs: [String: String], from old: SQLTable, to new: SQLTable,
        _ source: SQLSources
    ) -> [(rename: SQLTable.Rename, from: SQLTable.Column, to: SQLTable.Column)] {
        let names = Dictionary(source.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        return renamed.flatMap { rename -> [(SQLTable.Rename, SQLTable.Column, SQLTable.Column)] in
            guard case .column(let from, let to) = rename.part, heirs[from] == nil else { return [] }
            return old.columns.filter { $0.field == from }.compactMap { former in
                let column = new.columns.first { $0.name == names[former.name] } ?? former
                return new.columns.first { $0.field == to && $0.stores(former) }.map { (rename, column, $0) }
            }
        }
    }

    /// Returns renames in an order in which each new name is free. In a cycle, one column has a temporary name.
    private static func inOrder(_ renames: [(old: String, new: String)]) -> [Step] {
        var (left, steps) = (renames, [Step]())
        while !left.isEmpty {
            if let next = left.firstIndex(where: { rename in !left.contains { $0.old == rename.new } }) {
                let rename = left.remove(at: next)
                steps.append(.rename(rename.old, to: rename.new))
            } else {
                let meanwhile = SQLDialect.shortened(left[0].old + "__meanwhile")
                steps.append(.rename(left[0].old, to: meanwhile))
                left[0].old = meanwhile
            }
        }
        return steps
    }

    private func statement(_ step: Step, _ table: SQLTable, _ script: SQLScript) -> String {
        let d = script.warehouse
        let alter = "ALTER TABLE \(d.name(table.name)) "
        switch step {
        case .rename(let old, let new): return alter + d.renaming(d.name(old), to: d.name(new))
        case .add(let column, let ifMissing):
            return alter + d.adding(script.definition(of: column), ifMissing: ifMissing)
        case .widen(let column):
            return alter + d.widening(d.name(column.name), to: d.type(of: column.type, isOptional: !column.isRequired))
        case .relax(let column):
            return alter + d.relaxing(d.name(column.name), d.type(of: column.type, isOptional: true))
        }
    }
}

extension SQLTable {
    /// Former names of columns that a table may still have, without values: only some of its events have renamed the
    /// column, or another column has taken over its values.
    fileprivate var leftNames: Set<String> {
        Set(renames.compactMap { if case .column(let from, _) = $0.part { from } else { nil } })
    }
}

extension SQLTable.Column {
    fileprivate func stores(_ former: SQLTable.Column) -> Bool { former.type.joined(with: type) == type }
}
