/// Queries: common table expressions, set operations and the clauses of SELECT.
extension StatementResolver {
    /// Resolves a query and returns its relation.
    mutating func query(_ range: Range<Int>, in parent: Int, depth: Int) -> Int {
        guard !isTooDeep(depth) else { return tooDeep(range) }
        let recursion = pendingRecursion
        pendingRecursion = nil
        let mark = commonTableLog.count
        var expressions: [(range: Range<Int>, alias: UInt32)] = []
        var start = skipBlocks(range.lowerBound, range.upperBound)
        if word(start, range.upperBound) == .with {
            start = commonTableList(start + 1, range.upperBound, in: parent, depth: depth, &expressions)
        }
        let body = start..<range.upperBound
        let result: Int
        switch word(start, range.upperBound) {
        case .insert, .update, .delete, .merge:
            statementBody(body, in: parent, depth: depth)
            result = root ?? addRelation(.unknown)
        default:
            result = setOperation(body, in: parent, depth: depth, expressions, recursion)
        }
        while commonTableLog.count > mark, let name = commonTableLog.popLast() { commonTables[name]?.removeLast() }
        return result
    }

    /// Treats each name as one that can read a table of the statement.
    private mutating func tooDeep(_ range: Range<Int>) -> Int {
        for index in range {
            let token = tokens[index]
            guard token.isName else { continue }
            unresolved.append((token.symbol, token.start))
            if catalog.isNamed(token.symbol) {
                for table in catalog.tables(named: [token.symbol]).prefix(8) {
                    let use = addUse(table, at: token.start, .mayRead(.tooDeep))
                    record(use: Int32(use), column: 0, at: token.start, .mayRead(.tooDeep))
                }
            }
        }
        return addRelation(.unknown)
    }

    // MARK: Common table expressions

    /// Resolves the list after WITH and returns the index of the query after it.
    private mutating func commonTableList(
        _ start: Int, _ end: Int, in parent: Int, depth: Int,
        _ expressions: inout [(range: Range<Int>, alias: UInt32)]
    ) -> Int {
        var index = start
        let isRecursive = word(index, end) == .recursive && isName(index + 1, end)
        if isRecursive { index += 1 }
        while index < end {
            let token = tokens[index]
            if token.kind == .block || token.isMark(.comma) {
                index += 1
            } else if let body = commonTableBody(index, end) {
                let inner = body.open + 1..<partner(body.open, end)
                commonTable(
                    tokens[index].symbol, columns: body.columns, inner, isRecursive: isRecursive, in: parent,
                    depth: depth)
                index = skipCommonTableSuffix(partner(body.open, end) + 1, end, in: parent, depth: depth)
            } else if startsBody(index, end) {
                return index
            } else {
                let stop = expressionAlias(index, end)
                if let alias = stop.alias {
                    expressions.append((index..<stop.expressionEnd, alias))
                } else {
                    _ = expression(index..<stop.expressionEnd, in: parent, depth: depth)
                }
                index = max(stop.next, index + 1)
            }
        }
        return min(index, end)
    }

    private func startsBody(_ index: Int, _ end: Int) -> Bool {
        switch word(index, end) {
        case .select, .insert, .from, .values, .update, .delete, .merge, .table: true
        default:
            isOpen(index, end) && (startsQuery(index + 1, end) || isOpen(index + 1, end))
                && !isAliased(partner(index, end) + 1, end)
        }
    }

    private func isAliased(_ index: Int, _ end: Int) -> Bool {
        word(index, end) == .as && isName(index + 1, end)
    }

    /// Returns the body of `name [(columns)] [AS] [NOT MATERIALIZED] (…)`.
    private func commonTableBody(_ start: Int, _ end: Int) -> (open: Int, columns: [UInt32])? {
        guard isName(start, end), !tokens[start].word.isReserved else { return nil }
        var index = start + 1
        var columns: [UInt32] = []
        if isOpen(index, end), !startsQuery(index + 1, end) {
            columns = nameList(index + 1..<partner(index, end))
            index = partner(index, end) + 1
        } else if isOpen(index, end) {
            return (index, [])
        }
        if word(index, end) == .using {
            while index < end, word(index, end) != .as { index = next(index, end) }
        }
        guard word(index, end) == .as else { return isOpen(index, end) ? (index, columns) : nil }
        index += 1
        while word(index, end) == .not || word(index, end) == .materialized { index += 1 }
        index = skipBlocks(index, end)
        return isOpen(index, end) ? (index, columns) : nil
    }

    func nameList(_ range: Range<Int>) -> [UInt32] {
        var result: [UInt32] = []
        var expectsName = true
        for index in range {
            let token = tokens[index]
            if token.isName, expectsName {
                result.append(token.symbol)
                expectsName = false
            } else if token.isMark(.comma) || token.kind == .block {
                expectsName = true
            }
        }
        return result
    }

    /// Returns the range of ClickHouse's `expression AS name`.
    private func expressionAlias(_ start: Int, _ end: Int) -> (expressionEnd: Int, alias: UInt32?, next: Int) {
        var index = start
        while index < end {
            if isAliased(index, end) { return (index, tokens[index + 1].symbol, index + 2) }
            if isMark(index, end, .comma) { return (index, nil, index + 1) }
            if index > start, word(index, end) == .select { return (index, nil, index) }
            index = next(index, end)
        }
        return (end, nil, end)
    }

    /// Skips PostgreSQL's SEARCH and CYCLE.
    private mutating func skipCommonTableSuffix(_ start: Int, _ end: Int, in parent: Int, depth: Int) -> Int {
        var index = start
        guard word(index, end) == .search || word(index, end) == .cycle else { return index }
        while index < end, !startsBody(index, end), !isMark(index, end, .comma) { index = next(index, end) }
        return index
    }

    private mutating func commonTable(
        _ name: UInt32, columns: [UInt32], _ range: Range<Int>, isRecursive: Bool, in parent: Int, depth: Int
    ) {
        // Snowflake's common table expressions are recursive without the keyword. A table with the name is nearer.
        let seesItself = isRecursive || !catalog.isNamed(name) && commonTables[name]?.last == nil
        var placeholder = Relation.unknown
        placeholder.columns = columns.map { Relation.Column(name: $0, node: LineageGraph.none) }
        let own = addRelation(placeholder)
        if seesItself {
            commonTables[name, default: []].append(own)
            pendingRecursion = (own, columns)
        }
        var result = query(range, in: parent, depth: depth + 1)
        pendingRecursion = nil
        if seesItself { commonTables[name]?.removeLast() }
        if !columns.isEmpty { result = renamed(result, columns, at: offset(range.lowerBound)) }
        commonTables[name, default: []].append(result)
        commonTableLog.append(name)
    }

    /// Gives a relation's columns other names, by position.
    mutating func renamed(_ relation: Int, _ columns: [UInt32], at offset: UInt32) -> Int {
        consume(relation, at: offset)
        var copy = Relation()
        let known = columnsForCopy(relation)
        let rest = isOpenRelation(relation) || known == nil ? wholeNode(relation) : LineageGraph.none
        for (index, name) in columns.enumerated() {
            let node: Node
            if let known, index < known.count, !isOpenRelation(relation) {
                node = known[index].node
            } else {
                node = rest
            }
            copy.columns.append(Relation.Column(name: name, node: node))
        }
        // The columns after the list keep their names.
        if let known, known.count > columns.count { copy.columns += known[columns.count...] }
        return addRelation(copy)
    }

    /// Returns the columns of a relation, with leaves for those of a table; nil if the budget is exceeded.
    mutating func columnsForCopy(_ relation: Int) -> [Relation.Column]? {
        switch relations[relation].kind {
        case .table(let use, let table):
            let symbols = catalog.columnSymbols[table]
            budget -= symbols.count
            guard budget >= 0 else { return nil }
            return symbols.map {
                Relation.Column(name: $0, node: graph.leaf(use: use, column: $0), isDeferred: true)
            }
        case .derived:
            budget -= relations[relation].columns.count
            return budget >= 0 ? relations[relation].columns : nil
        }
    }

    /// Records that the statement depends on all columns that a `*` passes on. The place is that of the `*`.
    /// - Parameter isResult: Whether the statement only returns the columns.
    mutating func consume(
        _ relation: Int, at offset: UInt32, _ reason: Certainty.Reason = .star, isResult: Bool = false
    ) {
        let star = starNode(relation)
        record(star, at: offset, .mayRead(reason), keepsPlace: true)
        if isOpenRelation(relation) { readsUnknownColumns = true }
        if !isResult, star != LineageGraph.none || isOpenRelation(relation) { dependsOnAllColumns = true }
    }

    // MARK: Set operations

    private mutating func setOperation(
        _ range: Range<Int>, in parent: Int, depth: Int, _ expressions: [(range: Range<Int>, alias: UInt32)],
        _ recursion: (relation: Int, columns: [UInt32])?
    ) -> Int {
        var start = range.lowerBound
        var first: Int?
        var others: [Int] = []
        var index = start
        var hasSelect = false
        var isByName = false
        while index <= range.upperBound {
            let isEnd = index == range.upperBound
            let isSecondSelect =
                !isEnd && hasSelect && word(index, range.upperBound) == .select
                && isSelectStart(index, range)
            if isEnd || isSecondSelect || isSetOperator(index, start, range.upperBound) {
                if start < index || first == nil && isEnd {
                    let term = term(
                        start..<index, in: parent, depth: depth, first: first, first == nil ? expressions : [])
                    if first == nil {
                        first = term
                        if let recursion { update(recursion.relation, recursion.columns, from: term) }
                    } else {
                        others.append(term)
                    }
                }
                if isEnd { break }
                hasSelect = isSecondSelect
                if isSecondSelect {
                    start = index
                    index += 1
                    continue
                }
                index += 1
                while index < range.upperBound {
                    let word = word(index, range.upperBound)
                    guard word == .all || word == .distinct || word == .by || word == .name || word == .corresponding
                    else { break }
                    if word == .name || word == .corresponding { isByName = true }
                    index += 1
                }
                start = index
                continue
            }
            if word(index, range.upperBound) == .select, isSelectStart(index, range) { hasSelect = true }
            index = next(index, range.upperBound)
        }
        guard let first else { return addRelation(.unknown) }
        return others.isEmpty ? first : combined(first, others, isByName: isByName, at: offset(range.lowerBound))
    }

    /// Returns whether a word separates the terms of a query. `* EXCEPT (…)` and columns can have the same words.
    private func isSetOperator(_ index: Int, _ start: Int, _ end: Int) -> Bool {
        let word = word(index, end)
        guard word.isSetOperator, !isMark(index - 1, end, .dot), !isMark(index + 1, end, .dot) else { return false }
        if index == start { return true }
        if isMark(index - 1, end, .star), word == .except || word == .minus { return false }
        let following = skipBlocks(index + 1, end)
        switch self.word(following, end) {
        case .all, .distinct, .select, .with, .from, .values, .table, .by, .corresponding: return true
        default: return isOpen(following, end) || following >= end || tokens[following].kind == .expression
        }
    }

    /// Gives the relation of a recursive query the columns of its first term.
    private mutating func update(_ relation: Int, _ names: [UInt32], from term: Int) {
        guard var columns = columnsForCopy(term) else { return }
        for (index, name) in names.enumerated() where index < columns.count { columns[index].name = name }
        var result = Relation()
        result.columns = columns
        result.isOpen = isOpenRelation(term)
        result.openNode = relations[term].openNode
        result.starNode = starNode(term)
        result.buildIndex()
        relations[relation] = result
    }

    private func isSelectStart(_ index: Int, _ range: Range<Int>) -> Bool {
        !isMark(index - 1, range.upperBound, .dot) && !isMark(index + 1, range.upperBound, .dot)
            && !isMark(index - 1, range.upperBound, .pipe)
    }

    /// Returns the relation of a set operation: the columns by position or name, with the sources of all terms.
    private mutating func combined(_ first: Int, _ others: [Int], isByName: Bool, at offset: UInt32) -> Int {
        var result = Relation()
        let terms = [first] + others
        for term in terms { consume(term, at: offset) }
        let copies = terms.map { columnsForCopy($0) }
        let isOpen = terms.contains { isOpenRelation($0) } || copies.contains { $0 == nil }
        let head = copies[0] ?? []
        if isByName {
            var positions: [UInt32: Int] = [:]
            var nodes: [[Node]] = []
            for column in copies.compactMap({ $0 }).joined() {
                if let position = positions[column.name] {
                    nodes[position].append(column.node)
                } else {
                    positions[column.name] = nodes.count
                    nodes.append([column.node])
                    result.columns.append(column)
                }
            }
            for index in nodes.indices { result.columns[index].node = graph.union(nodes[index]) }
        } else {
            for (position, column) in head.enumerated() {
                var column = column
                var nodes = [column.node]
                for copy in copies.dropFirst() {
                    guard let copy, position < copy.count else { continue }
                    nodes.append(copy[position].node)
                    if copy[position].isDeferred { column.isDeferred = true }
                }
                column.node = graph.union(nodes)
                result.columns.append(column)
            }
        }
        if isOpen {
            result.isOpen = true
            result.openNode = graph.union(terms.map { wholeNode($0) })
            for index in result.columns.indices {
                result.columns[index].node = graph.union([result.columns[index].node, result.openNode])
            }
        }
        // The position of every column matters, so the reads are recorded and a `*` has nothing more to pass on.
        return addRelation(result)
    }

    // MARK: Terms

    private mutating func term(
        _ range: Range<Int>, in parent: Int, depth: Int, first: Int?,
        _ expressions: [(range: Range<Int>, alias: UInt32)]
    ) -> Int {
        let start = skipBlocks(range.lowerBound, range.upperBound)
        if isOpen(start, range.upperBound),
            startsQuery(start + 1, range.upperBound) || isOpen(start + 1, range.upperBound)
        {
            let close = partner(start, range.upperBound)
            let inner = query(start + 1..<max(start + 1, close), in: parent, depth: depth + 1)
            if close + 1 < range.upperBound {
                let scope = addScope(parent: parent)
                add(inner, alias: 0, to: scope)
                addAliases(of: inner, to: scope)
                _ = expression(close + 1..<range.upperBound, in: scope, depth: depth)
            }
            return inner
        }
        return select(start..<range.upperBound, in: parent, depth: depth, first: first, expressions)
    }

    /// Makes the columns of a relation visible as aliases, which record no reads.
    private mutating func addAliases(of relation: Int, to scope: Int) {
        for column in columnsForCopy(relation) ?? [] where column.name != 0 {
            scopes[scope].aliases[column.name] = column.node
        }
    }

    /// Resolves a SELECT without set operations.
    private mutating func select(
        _ range: Range<Int>, in parent: Int, depth: Int, first: Int?,
        _ expressions: [(range: Range<Int>, alias: UInt32)]
    ) -> Int {
        let clauses = clauses(range)
        let scope = addScope(parent: parent)
        for clause in clauses where clause.kind == .from { fromClause(clause.range, in: scope, depth: depth) }
        for clause in clauses where clause.kind == .where && !clause.isConditional {
            addFilters(clause.range, in: scope)
        }
        for expression in expressions {
            let node = self.expression(expression.range, in: scope, depth: depth)
            scopes[scope].aliases[expression.alias] = node
        }
        for clause in clauses where clause.kind == .window { windowNames(clause.range, in: scope) }
        var output = Relation()
        var hasSelect = false
        for clause in clauses where clause.kind == .select {
            hasSelect = true
            selectList(clause.range, in: scope, depth: depth, &output)
        }
        if !hasSelect, clauses.contains(where: { $0.kind == .from }) {
            star(StarItem(offset: offset(range.lowerBound)), of: Array(scopes[scope].items.indices), in: scope, &output)
        }
        for clause in clauses {
            switch clause.kind {
            case .select, .from, .window: break
            case .orderBy: orderBy(clause.range, in: scope, depth: depth, first: first)
            case .into: target = relationName(clause.range.lowerBound, clause.range.upperBound)?.path
            case .values:
                output.isOpen = true
                output.openNode = graph.union([
                    output.openNode, expression(clause.range, in: scope, depth: depth),
                ])
            case .where, .other:
                let node = expression(clause.range, in: scope, depth: depth)
                if clause.kind == .other, !hasSelect, clauses.count == 1 {
                    output.isOpen = true
                    output.openNode = graph.union([output.openNode, node])
                    if clause.range.contains(where: { tokens[$0].kind == .expression }) {
                        output.openNode = graph.union([output.openNode, anyTable(at: offset(clause.range.lowerBound))])
                    }
                }
            }
        }
        // The columns of a `*` are keys, as with DISTINCT.
        let isGroupedByAll = clauses.contains { clause in
            clause.range.count == 1 && word(clause.range.lowerBound, range.upperBound) == .all
        }
        if isGroupedByAll { dependOnStar(of: output, at: offset(range.lowerBound)) }
        if clauses.contains(where: { $0.isPipe }) {
            output.isOpen = true
            output.openNode = graph.union([output.openNode] + scopes[scope].items.map(\.relation).map { wholeNode($0) })
        }
        for clause in clauses where clause.kind == .window { _ = expression(clause.range, in: scope, depth: depth) }
        return addRelation(output)
    }

    private mutating func windowNames(_ range: Range<Int>, in scope: Int) {
        for index in range where word(index + 1, range.upperBound) == .as && tokens[index].isName {
            scopes[scope].localNames.insert(tokens[index].symbol)
        }
    }

    /// Resolves ORDER BY. An item that is an alias alone does not read a column with its name.
    private mutating func orderBy(_ range: Range<Int>, in scope: Int, depth: Int, first: Int?) {
        for item in items(range) {
            let end = item.upperBound
            if isName(item.lowerBound, end), !isMark(item.lowerBound + 1, end, .dot),
                !isOpen(item.lowerBound + 1, end)
            {
                let symbol = tokens[item.lowerBound].symbol
                let isAlias =
                    scopes[scope].aliases[symbol] != nil
                    || first.map { relations[$0].column(symbol) != nil } ?? false
                let isAlone = item.dropFirst().allSatisfy {
                    switch tokens[$0].word {
                    case .asc, .desc, .nulls, .first, .last: true
                    default: false
                    }
                }
                if isAlias, isAlone { continue }
            }
            _ = expression(item, in: scope, depth: depth)
        }
    }

    /// Splits a range at its commas.
    func items(_ range: Range<Int>) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = range.lowerBound
        var index = start
        while index < range.upperBound {
            if tokens[index].isMark(.comma) {
                if start < index { result.append(start..<index) }
                start = index + 1
            }
            index = next(index, range.upperBound)
        }
        if start < range.upperBound { result.append(start..<range.upperBound) }
        return result
    }
}
