/// Statements: queries, and those that write tables.
extension StatementResolver {
    /// Resolves the statement in a range of tokens.
    mutating func statement(_ range: Range<Int>) {
        reset(tokenCount: range.count)
        let start = statementStart(range)
        for index in range where tokens[index].kind == .block { blockTables(tokens[index]) }
        for index in range.lowerBound..<start where tokens[index].kind == .expression {
            leadingTemplate(tokens[index], isBeforeQuery: startsQuery(start, range.upperBound))
        }
        statementBody(start..<range.upperBound, in: -1, depth: 0)
        if let root {
            consume(root, at: offset(start), isResult: true)
        }
        finishNames()
    }

    /// Resolves an expression over the columns of one table, as in a dimension of LookML.
    mutating func expressionStatement(_ range: Range<Int>, table: [String]?) {
        reset(tokenCount: range.count)
        isField = true
        let scope = addScope(parent: -1)
        if let table {
            let name = RelationName(path: table.map { names.intern($0) }, end: range.lowerBound)
            let relation = namedRelation(name, at: offset(range.lowerBound))
            add(relation, alias: names.intern("${table}"), path: name.path, to: scope)
        }
        let node = expression(range, in: scope, depth: 0)
        var output = Relation()
        output.columns = [Relation.Column(name: 0, node: node)]
        root = addRelation(output)
        finishNames()
    }

    /// Returns the index of the first token that is neither a block nor a template of settings.
    func statementStart(_ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            let token = tokens[index]
            guard
                token.kind == .block
                    || token.kind == .expression && !isMark(index + 1, range.upperBound, .dot)
            else { break }
            index += 1
        }
        return index == range.upperBound ? range.lowerBound : index
    }

    /// Reads the arguments of a macro at the start of a statement. Without a query after it, the macro itself writes the
    /// query: `{{ latest(source('logs', 'show')) }} WHERE …`.
    private mutating func leadingTemplate(_ token: SQLToken, isBeforeQuery: Bool) {
        blockTables(token)
        let expression = JinjaExpression(bytes, token)
        if case .macro = expression.meaning, expression.tables.isEmpty, !isBeforeQuery {
            _ = anyTable(at: token.start)
        }
    }

    /// Reads the tables that a Jinja block names: `{% set x = f(ref('y')) %}`.
    private mutating func blockTables(_ token: SQLToken) {
        let expression = JinjaExpression(bytes, token)
        guard !expression.tables.isEmpty else { return }
        if let binding = expression.binding, !binding.tables.isEmpty, binding.values == nil, expression.strings.isEmpty
        {
            // The tables are read where the variable is used. A macro's arguments are read here.
            if variables.tables[binding.name] != nil { return }
        }
        for path in expression.tables {
            for table in catalog.tables(named: path.map { names.intern($0) }).prefix(8) {
                let use = addUse(table, at: token.start)
                record(use: Int32(use), column: 0, at: token.start, .mayRead(.macro))
                for string in expression.strings.prefix(100) {
                    let symbol = names.intern(string)
                    guard catalog.hasColumn(table, symbol) else { continue }
                    record(use: Int32(use), column: symbol, at: token.start, .mayRead(.macro))
                }
            }
        }
    }

    mutating func statementBody(_ range: Range<Int>, in parent: Int, depth: Int) {
        let start = range.lowerBound
        let end = range.upperBound
        switch word(start, end) {
        case .select, .with, .from, .values, .table: finish(query(range, in: parent, depth: depth))
        case .insert: insert(range, in: parent, depth: depth)
        case .create: create(range, depth: depth)
        case .update, .delete, .merge: change(range, in: parent, depth: depth)
        case .explain, .describe, .analyze, .verbose:
            if start + 1 < end, !isTooDeep(depth) {
                statementBody(start + 1..<end, in: parent, depth: depth + 1)
            }
        default:
            if isOpen(start, end), startsQuery(start + 1, end) || isOpen(start + 1, end) {
                finish(query(range, in: parent, depth: depth))
            } else {
                other(range, depth: depth)
            }
        }
    }

    private mutating func finish(_ relation: Int) {
        if root == nil { root = relation } else { consume(relation, at: 0) }
    }

    // MARK: Writing statements

    private mutating func insert(_ range: Range<Int>, in parent: Int, depth: Int) {
        let end = range.upperBound
        var index = range.lowerBound + 1
        while [.into, .overwrite, .table, .ignore].contains(word(index, end)) { index += 1 }
        guard let name = relationName(index, end) else { return other(range, depth: depth) }
        target = name.path
        let nameOffset = offset(index)
        index = name.end
        let scope = addScope(parent: parent)
        let targetUses = catalog.tables(named: name.path).prefix(8).map {
            ($0, addUse($0, at: nameOffset, .mayRead(.written)))
        }
        for (table, use) in targetUses {
            add(
                addRelation(Relation(kind: .table(use: use, table: table))), alias: name.path.last.flatMap { $0 } ?? 0,
                to: scope)
        }
        var hasColumns = false
        while index < end, !startsQuery(index, end) {
            if isOpen(index, end), !startsQuery(index + 1, end), !isOpen(index + 1, end) {
                hasColumns = true
                for position in index + 1..<max(index + 1, partner(index, end)) where tokens[position].isName {
                    for (table, use) in targetUses where catalog.hasColumn(table, tokens[position].symbol) {
                        record(
                            use: Int32(use), column: tokens[position].symbol, at: tokens[position].start,
                            .mayRead(.written))
                    }
                }
            } else if isOpen(index, end) {
                break
            }
            if word(index, end) == .name || word(index, end) == .default { hasColumns = true }
            index = next(index, end)
        }
        if !hasColumns {
            for (_, use) in targetUses { record(use: Int32(use), column: 0, at: nameOffset, .mayRead(.written)) }
        }
        if index < end { finish(query(index..<end, in: scope, depth: depth + 1)) }
    }

    private mutating func create(_ range: Range<Int>, depth: Int) {
        let end = range.upperBound
        var index = range.lowerBound + 1
        while index < end, ![.table, .view, .function, .procedure].contains(word(index, end)) {
            if isOpen(index, end) { break }
            index += 1
        }
        if index == end || isOpen(index, end) {
            // Indexes, tasks and other objects.
            other(range, depth: depth)
            for index in range where tokens[index].kind == .string { embed(tokens[index]) }
            return
        }
        let isRoutine = word(index, end) == .function || word(index, end) == .procedure
        index = min(index + 1, end)
        if word(index, end) == .if {
            while index < end, word(index, end) != .exists { index += 1 }
            index = min(index + 1, end)
        }
        let name = relationName(index, end)
        if !isRoutine { target = name?.path }
        index = name?.end ?? index
        let definition = index
        while index < end {
            if word(index, end) == .as {
                let body = skipBlocks(index + 1, end)
                if startsQuery(body, end) || isOpen(body, end) {
                    mentions(definition..<index)
                    finish(query(body..<end, in: -1, depth: depth + 1))
                    return
                }
            } else if word(index, end) == .select, index > definition {
                // Spark allows CREATE TABLE x SELECT …
                finish(query(index..<end, in: -1, depth: depth + 1))
                return
            }
            index = next(index, end)
        }
        mentions(definition..<end)
        for index in range where tokens[index].kind == .string { embed(tokens[index]) }
    }

    /// Reads UPDATE, DELETE and MERGE: each name is resolved in all relations of the statement.
    private mutating func change(_ range: Range<Int>, in parent: Int, depth: Int) {
        let end = range.upperBound
        let scope = addScope(parent: parent)
        var index = range.lowerBound + 1
        if [.into, .from].contains(word(index, end)) { index += 1 }
        let clauses = clauses(index..<end, isStatement: true)
        for (position, clause) in clauses.enumerated() {
            if clause.kind == .from || position == 0 {
                if position == 0 { target = relationName(clause.range.lowerBound, end)?.path }
                // MERGE inserts the rows that do not meet its condition.
                let isMerge = tokens[range.lowerBound].word == .merge
                fromClause(clause.range, in: scope, depth: depth + 1, first: isMerge ? .full : .inner)
            }
        }
        for clause in clauses where clause.kind == .where && !clause.isConditional {
            addFilters(clause.range, in: scope)
        }
        for clause in clauses.dropFirst() where clause.kind != .from {
            _ = expression(clause.range, in: scope, depth: depth + 1)
        }
    }

    /// Reads other statements: the first query, and the tables that are named before it.
    private mutating func other(_ range: Range<Int>, depth: Int) {
        let end = range.upperBound
        var index = range.lowerBound
        while index < end {
            if word(index, end) == .select
                || word(index, end) == .with && isName(index + 1, end) && word(index + 2, end) == .as
            {
                break
            }
            index = next(index, end)
        }
        let scope = addScope(parent: -1)
        let node = mentions(range.lowerBound..<index)
        var relation = Relation.unknown
        relation.openNode = node
        add(addRelation(relation), alias: 0, to: scope)
        _ = expression(range.lowerBound..<index, in: scope, depth: depth + 1)
        if index < end { finish(query(index..<end, in: -1, depth: depth + 1)) }
        let first = word(range.lowerBound, end)
        guard
            first == .execute || first == .exec || first == .do || first == .call || first == .begin
                || first == .declare || first == .set || first == .if || first == .returning
        else { return }
        for index in range where tokens[index].kind == .string { embed(tokens[index]) }
        if first == .execute || first == .exec {
            let strings = range.filter { tokens[$0].kind == .string }.count
            let isLiteral = strings == 1 && range.count <= 3
            if !isLiteral { _ = anyTable(at: offset(range.lowerBound), .dynamicStatement) }
        }
    }

    private mutating func embed(_ token: SQLToken) {
        let content = contentRange(token)
        if content.count >= 8 { embedded.append(content) }
    }

    // MARK: Unresolved names

    /// Reads the columns of the statement's tables that have the names without a relation.
    private mutating func finishNames() {
        for open in openNames {
            guard let leaves = graph.leaves(open.node, budget: &budget) else { break }
            for leaf in leaves where leaf.use >= 0 {
                let table = uses[Int(leaf.use)].table
                if table < 0 || leaf.column == 0 && catalog.hasColumn(table, open.symbol) {
                    record(use: leaf.use, column: open.symbol, at: open.offset, .mayRead(.openRelation))
                }
            }
        }
        if budget < 0 {
            for use in uses.indices {
                record(use: Int32(use), column: 0, at: uses[use].offset, .mayRead(.tooDeep), keepsPlace: true)
            }
        }
        guard !unresolved.isEmpty, !uses.isEmpty else { return }
        var usesByColumn: [UInt32: [Int32]] = [:]
        var seen: Set<Int> = []
        for (index, use) in uses.enumerated() where use.table >= 0 && seen.insert(use.table).inserted {
            for column in catalog.columnSymbols[use.table] { usesByColumn[column, default: []].append(Int32(index)) }
        }
        for name in unresolved {
            for use in (usesByColumn[name.symbol] ?? []).prefix(64) {
                record(use: unfiltered(use), column: name.symbol, at: name.offset, .mayRead(.unresolved))
            }
        }
    }

    /// Returns a use of the same table without filters: the relation of the name is not known.
    private mutating func unfiltered(_ use: Int32) -> Int32 {
        guard !uses[Int(use)].filters.isEmpty else { return use }
        let original = uses[Int(use)]
        if let known = unfilteredUses[original.table] { return known }
        let copy = Int32(addUse(original.table, alias: original.alias, at: original.offset, .mayRead(.unresolved)))
        unfilteredUses[original.table] = copy
        return copy
    }
}
