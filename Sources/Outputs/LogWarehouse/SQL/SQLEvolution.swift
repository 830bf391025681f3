import LogDefinitions

/// The statements that migrate the tables of an earlier model to those of the current one. The statements keep every
/// row and every value.
///
/// Unused columns are kept. A column whose type changes is widened if the new type can store all its values. Otherwise,
/// if the lock file contains the version with the old type, the column is renamed (`count_v1`) and a new column is
/// added. All other changes are refused.
package struct SQLEvolution: Sendable {
    package private(set) var statements: [String] = []
    /// Sentences about changes that no statement makes without loss.
    package private(set) var refusals: [String] = []
    /// A statement, as an SQL comment, that adds a column of the envelope. Tables that the first versions of loggen
    /// created lack this column. The statement is a comment, because the version of loggen that created the tables is
    /// unknown. Empty if the revisions share no table.
    package private(set) var comment = ""

    package init(from old: SQLScript, to new: SQLScript) {
        let known = Dictionary(old.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for table in new.tables {
            guard let former = known[table.name] else {
                statements += new.statements(of: table)
                continue
            }
            change(former, to: table, new)
            if comment.isEmpty { comment = Self.comment(table, new) }
        }
    }

    private static func comment(_ table: SQLTable, _ script: SQLScript) -> String {
        let name = RecordEnvelope.samplingRate.name
        guard let column = table.columns.first(where: { $0.name == name }) else { return "" }
        let statement = addition(of: column, to: table, script, ifMissing: true)
        return """
            -- Tables that were made before records had "\(column.name)" lack this column, and the load fills it.
            -- Each of them takes it with such a statement\(script.warehouse.addsIfMissing ? "" : ", once"):
            -- \(statement);

            """
    }

    private enum Step {
        case rename(String, to: String)
        case widen(SQLTable.Column)
        /// The column becomes nullable. Its type is the new type, because a `widen` step comes before this step.
        case relax(SQLTable.Column)
        case add(SQLTable.Column)
    }

    private mutating func change(_ old: SQLTable, to new: SQLTable, _ script: SQLScript) {
        let d = script.warehouse
        var steps: [Step] = []
        let before = Dictionary(old.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var source = SQLSources()
        for column in new.columns {
            if let former = before[column.name], Self.holds(column, former) { source[column.name] = former }
        }
        // A column for the type of an older version may have another name now, such as `count_v1` instead of `count`.
        let kept = Set(source.values.map(\.name))
        var renames: [(old: String, new: String)] = []
        for former in old.columns where !kept.contains(former.name) {
            if let heir = new.columns.first(where: { source[$0.name] == nil && Self.holds($0, former) }) {
                source[heir.name] = former
                renames.append((former.name, heir.name))
            } else if let column = new.columns.first(where: { $0.name == former.name }) {
                refusals.append(
                    "the column `\(column.name)` of `\(new.name)` is \(d.type(of: former.type)) and would be "
                        + "\(d.type(of: column.type)), which cannot hold its values: lock the version with the old "
                        + "type, "
                        + "which gives it a separate column, or give the new column another name"
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
                steps.append(.add(column.required(false)))
                continue
            }
            let changed = column.required(column.isRequired && former.isRequired)
            if d.type(of: former.type) != d.type(of: column.type) {
                steps.append(.widen(changed))
            }
            if former.isRequired && !column.isRequired { steps.append(.relax(changed)) }
        }
        let onlyAdds = steps.allSatisfy { if case .add = $0 { true } else { false } }
        if !onlyAdds, let replacement = d.replacement(old, by: new, source, script) {
            statements += replacement
        } else {
            for step in steps { statements.append(statement(step, new, script)) }
            statements += script.commentStatements(new, from: old, source)
        }
    }

    /// Returns whether a column can store every value of an earlier column of the same field.
    private static func holds(_ column: SQLTable.Column, _ former: SQLTable.Column) -> Bool {
        column.field == former.field && former.type.joined(with: column.type) == column.type
    }

    /// Returns renames in an order in which each new name is free. In a cycle of names, one column has a temporary
    /// name.
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
        case .rename(let old, let new): return alter + "RENAME COLUMN \(d.name(old)) TO \(d.name(new))"
        case .add(let column): return Self.addition(of: column, to: table, script)
        case .widen(let column):
            return alter + d.widening(d.name(column.name), to: d.type(of: column.type, isOptional: !column.isRequired))
        case .relax(let column):
            return alter + d.relaxing(d.name(column.name), d.type(of: column.type, isOptional: true))
        }
    }

    /// - Parameter ifMissing: whether the statement accepts an existing column, if the dialect has such a statement.
    private static func addition(
        of column: SQLTable.Column, to table: SQLTable, _ script: SQLScript, ifMissing: Bool = false
    ) -> String {
        let d = script.warehouse
        return "ALTER TABLE \(d.name(table.name)) " + d.adding(script.definition(of: column), ifMissing: ifMissing)
    }
}
