/// The relations of a FROM clause.
extension StatementResolver {
    enum JoinKind { case inner, left, right, full }

    /// Adds the relations of a FROM clause to the scope, and reads the conditions of its joins.
    ///
    /// - Parameter first: The kind of the join with the relations before the clause.
    mutating func fromClause(_ range: Range<Int>, in scope: Int, depth: Int, first: JoinKind = .inner) {
        guard !isTooDeep(depth) else {
            for index in range where tokens[index].isName {
                unresolved.append((tokens[index].symbol, tokens[index].start))
            }
            return
        }
        let end = range.upperBound
        var index = range.lowerBound
        var join = first
        var isNatural = false
        while index < end {
            let token = tokens[index]
            if token.kind == .block || token.isMark(.comma) {
                if token.kind != .block { join = .inner }
                index += 1
                continue
            }
            if let after = joinEnd(index, end) {
                join = joinKind(index, after)
                isNatural = (index..<after).contains { tokens[$0].word == .natural }
                let isArray = (index..<after).contains { tokens[$0].word == .array }
                index = after
                if isArray { index = arrayJoin(index, end, in: scope, depth: depth) }
                continue
            }
            if word(index, end) == .lateral {
                index =
                    word(index + 1, end) == .view
                    ? lateralView(index + 2, end, in: scope, depth: depth) : index + 1
                continue
            }
            if word(index, end) == .only, isName(index + 1, end) {
                index += 1
                continue
            }
            let first = scopes[scope].items.count
            index = max(index + 1, relation(index, end, in: scope, depth: depth))
            if isNatural { naturalJoin(first, in: scope, at: offset(index - 1)) }
            isNatural = false
            index = suffixes(index, end, in: scope, depth: depth, first: first, join)
        }
    }

    // MARK: Joins

    /// Returns the index after `… JOIN`; nil if the word does not begin a join.
    func joinEnd(_ start: Int, _ end: Int) -> Int? {
        var index = start
        while index < end, index - start < 8 {
            let word = tokens[index].word
            if word == .join { return index + 1 }
            guard word.isJoinPrefix else { return nil }
            index += 1
        }
        return nil
    }

    private func joinKind(_ start: Int, _ end: Int) -> JoinKind {
        var kind = JoinKind.inner
        for index in start..<end {
            switch tokens[index].word {
            case .right: return .right
            case .full: return .full
            // The rows on the left that do not meet the condition are in the result.
            case .left, .asof, .anti: kind = .left
            default: continue
            }
        }
        return kind
    }

    /// Reads the columns that both sides of a natural join have.
    private mutating func naturalJoin(_ first: Int, in scope: Int, at offset: UInt32) {
        let items = scopes[scope].items
        guard first > 0, first < items.count else { return }
        budget -= items.count
        guard budget >= 0 else { return }
        for item in items[first...] {
            guard let columns = columnsForCopy(item.relation), !isOpenRelation(item.relation),
                !items[..<first].contains(where: { isOpenRelation($0.relation) })
            else {
                for item in items { consume(item.relation, at: offset) }
                return
            }
            for column in columns {
                for other in items[..<first] {
                    guard let node = node(of: column.name, in: other) else { continue }
                    record(node.node, at: offset)
                    record(column.node, at: offset)
                }
            }
        }
    }

    /// Reads the parts of a relation after its alias: ON, USING, samples, hints.
    private mutating func suffixes(
        _ start: Int, _ end: Int, in scope: Int, depth: Int, first: Int, _ join: JoinKind
    ) -> Int {
        var index = start
        var hasCondition = false
        while index < end {
            let token = tokens[index]
            if token.isMark(.comma) || joinEnd(index, end) != nil || token.word == .lateral { return index }
            if token.word == .on {
                let stop = conditionEnd(index + 1, end)
                // A second condition belongs to an earlier join: `a LEFT JOIN b JOIN c ON … ON …`.
                if !hasCondition { addFilters(index + 1..<stop, in: scope, join: join, from: first) }
                hasCondition = true
                _ = expression(index + 1..<stop, in: scope, depth: depth)
                index = stop
            } else if token.word == .using, isOpen(index + 1, end) {
                using(index + 2..<partner(index + 1, end), in: scope)
                index = partner(index + 1, end) + 1
                if word(index, end) == .as, isName(index + 1, end) {
                    add(addRelation(.unknown), alias: tokens[index + 1].symbol, to: scope)
                    index += 2
                }
            } else if token.kind == .block {
                index += 1
            } else {
                // Samples, time travel and hints. A name after a Jinja block can be another relation.
                let isAfterBlock = index > start && tokens[index - 1].kind == .block
                if isAfterBlock, token.isName || token.kind == .expression || token.kind == .open { return index }
                let stop = next(index, end)
                _ = expression(index..<stop, in: scope, depth: depth)
                index = stop
            }
        }
        return min(index, end)
    }

    private func conditionEnd(_ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end {
            let token = tokens[index]
            if token.isMark(.comma) || joinEnd(index, end) != nil { return index }
            if token.word == .lateral, word(index + 1, end) == .view { return index }
            if token.word == .on, index > start, tokens[index - 1].kind != .mark { return index }
            index = next(index, end)
        }
        return min(index, end)
    }

    private mutating func using(_ range: Range<Int>, in scope: Int) {
        for index in range where tokens[index].isName {
            let token = tokens[index]
            addUnqualified(token.symbol)
            var isFound = false
            budget -= scopes[scope].items.count / 8
            guard budget >= 0 else { return }
            for item in scopes[scope].items {
                guard let found = node(of: token.symbol, in: item) else { continue }
                record(found.node, at: token.start)
                isFound = true
            }
            if !isFound || scopes[scope].isOpen { openReads(token.symbol, in: scope, at: token.start) }
        }
    }

    /// Reads ClickHouse's ARRAY JOIN: expressions with aliases.
    private mutating func arrayJoin(_ start: Int, _ end: Int, in scope: Int, depth: Int) -> Int {
        var index = start
        while index < end, joinEnd(index, end) == nil { index = next(index, end) }
        let stop = min(index, end)
        for item in items(start..<stop) {
            var alias: UInt32 = 0
            var expressionEnd = item.upperBound
            if item.count > 2, word(item.upperBound - 2, end) == .as {
                alias = tokens[item.upperBound - 1].symbol
                expressionEnd -= 2
            }
            let node = expression(item.lowerBound..<expressionEnd, in: scope, depth: depth)
            if alias != 0 { scopes[scope].aliases[alias] = node }
        }
        return stop
    }

    /// Reads Spark's LATERAL VIEW [OUTER] function(…) table [AS column, …].
    private mutating func lateralView(_ start: Int, _ end: Int, in scope: Int, depth: Int) -> Int {
        var index = word(start, end) == .outer ? start + 1 : start
        let first = index
        while index < end, !isOpen(index, end) { index += 1 }
        let close = index < end ? partner(index, end) : end
        let node = expression(first..<min(close + 1, end), in: scope, depth: depth)
        index = min(close + 1, end)
        var alias: UInt32 = 0
        if isName(index, end), word(index, end) != .as, word(index, end) != .lateral {
            alias = tokens[index].symbol
            index += 1
        }
        var relation = Relation()
        if word(index, end) == .as {
            index += 1
            while isName(index, end), word(index, end) != .lateral, joinEnd(index, end) == nil {
                relation.columns.append(Relation.Column(name: tokens[index].symbol, node: node))
                index += 1
                guard isMark(index, end, .comma) else { break }
                index += 1
            }
        } else {
            relation.isOpen = true
        }
        relation.openNode = node
        add(addRelation(relation), alias: alias, to: scope)
        return index
    }

    // MARK: Relations

    /// Adds the relation at `start` with its alias, and returns the index after it.
    private mutating func relation(_ start: Int, _ end: Int, in scope: Int, depth: Int) -> Int {
        let token = tokens[start]
        if token.isOpen(.parenthesis) { return parenthesized(start, end, in: scope, depth: depth) }
        if token.word == .values, isOpen(start + 1, end) {
            var index = start
            while index < end, joinEnd(index, end) == nil, word(index, end) != .as { index = next(index, end) }
            var relation = Relation.unknown
            relation.openNode = expression(start..<index, in: scope, depth: depth)
            return alias(index, end, addRelation(relation), in: scope, depth: depth)
        }
        guard let name = relationName(start, end) else {
            if token.kind == .string {
                let name = quotedRelation(token)
                return alias(start + 1, end, name.relation, path: name.path, in: scope, depth: depth)
            }
            let stop = next(start, end)
            _ = expression(start..<stop, in: scope, depth: depth)
            return stop
        }
        if isOpen(name.end, end), !name.isTemplate {
            return tableFunction(start, name.end, end, in: scope, depth: depth)
        }
        if let node = correlatedArray(start, name, in: scope) {
            var relation = Relation.unknown
            relation.openNode = node
            return alias(name.end, end, addRelation(relation), in: scope, depth: depth)
        }
        let relation = namedRelation(name, at: tokens[start].start)
        return alias(name.end, end, relation, path: name.path, in: scope, depth: depth)
    }

    private mutating func parenthesized(_ start: Int, _ end: Int, in scope: Int, depth: Int) -> Int {
        let close = partner(start, end)
        let inner = start + 1..<max(start + 1, close)
        if startsQuery(inner.lowerBound, inner.upperBound) || isWrappedQuery(inner) {
            let result = query(inner, in: scope, depth: depth + 1)
            return alias(close + 1, end, result, in: scope, depth: depth)
        }
        if inner.allSatisfy({ tokens[$0].kind == .expression || tokens[$0].kind == .block }) {
            let result = relations.count
            var relation = Relation.unknown
            relation.openNode = anyTable(at: tokens[start].start)
            _ = addRelation(relation)
            mentions(inner)
            return alias(close + 1, end, result, in: scope, depth: depth)
        }
        let first = scopes[scope].items.count
        fromClause(inner, in: scope, depth: depth + 1)
        // An alias of a join replaces the names of its relations. Both are visible here.
        let index = close + 1
        if let alias = aliasName(index, end) {
            var joined = Relation()
            for item in scopes[scope].items[min(first, scopes[scope].items.count)...] {
                joined.columns += columnsForCopy(item.relation) ?? []
                if isOpenRelation(item.relation) { joined.isOpen = true }
                joined.openNode = graph.union([joined.openNode, wholeNode(item.relation)])
            }
            add(addRelation(joined), alias: alias.name, to: scope)
            return alias.end
        }
        return min(index, end)
    }

    /// Returns whether a range is `(SELECT …)` with a set operation or nothing after it.
    private func isWrappedQuery(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        var limit = Self.maximumDepth
        while isOpen(index, range.upperBound), limit > 0 {
            let close = partner(index, range.upperBound)
            let after = word(close + 1, range.upperBound)
            if close + 1 < range.upperBound, !after.isSetOperator, after != .order, after != .limit { return false }
            if startsQuery(index + 1, range.upperBound) { return true }
            index += 1
            limit -= 1
        }
        return false
    }

    private mutating func tableFunction(
        _ start: Int, _ open: Int, _ end: Int, in scope: Int, depth: Int
    ) -> Int {
        let close = partner(open, end)
        let range = open + 1..<max(open + 1, close)
        var relation = Relation.unknown
        let isUnnest = tokens[start].word == .unnest
        if tokens[start].word == .identifier || tokens[start].word == .table {
            if range.count == 1, tokens[range.lowerBound].kind == .string, !tokens[range.lowerBound].hasTemplate {
                let path = stringContent(tokens[range.lowerBound]).split(separator: ".").map {
                    names.intern(String($0))
                }
                let name = RelationName(path: path, end: close + 1)
                let result = namedRelation(name, at: tokens[range.lowerBound].start)
                return alias(close + 1, end, result, path: path, in: scope, depth: depth)
            }
            if tokens[start].word == .identifier || !range.contains(where: { isOpen($0, close) }) {
                relation.openNode = anyTable(at: tokens[start].start)
            }
        }
        var arguments = expression(range, in: scope, depth: depth)
        if !isUnnest { arguments = graph.union([arguments, mentions(range)]) }
        relation.openNode = graph.union([relation.openNode, arguments])
        return alias(close + 1, end, addRelation(relation), in: scope, depth: depth)
    }

    /// Returns the source of BigQuery's `FROM t, t.items`.
    private mutating func correlatedArray(_ start: Int, _ name: RelationName, in scope: Int) -> Node? {
        guard name.path.count > 1, !name.isTemplate, case let first?? = name.path.first else { return nil }
        guard catalog.tables(named: name.path).isEmpty, !scopes[scope].items(named: first).isEmpty else { return nil }
        return expression(start..<name.end, in: scope, depth: 0)
    }

    // MARK: Aliases

    /// Returns the alias at `start`, with or without AS.
    func aliasName(_ start: Int, _ end: Int) -> (name: UInt32, end: Int)? {
        if word(start, end) == .as, isName(start + 1, end) || start + 1 < end && tokens[start + 1].kind == .string {
            // `t AS OF …` is time travel.
            if word(start + 1, end) == .of, start + 2 < end { return nil }
            return (tokens[start + 1].isName ? tokens[start + 1].symbol : 0, start + 2)
        }
        guard isName(start, end), start > 0, tokens[start - 1].kind != .block else { return nil }
        switch tokens[start].word {
        case .on, .using, .final, .sample, .tablesample, .pivot, .unpivot, .matchRecognize, .with, .lateral, .join:
            return nil
        case .for, .as, .at, .before, .changes, .version, .timestamp, .where, .group, .order, .set, .when, .select:
            return nil
        case .union, .intersect, .except, .minus, .limit, .and, .or, .from, .values, .partition, .connect: return nil
        default: return joinEnd(start, end) == nil ? (tokens[start].symbol, start + 1) : nil
        }
    }

    /// Reads the suffixes before the alias, the alias and its columns; adds the relation to the scope.
    private mutating func alias(
        _ start: Int, _ end: Int, _ relation: Int, path: [UInt32?] = [], in scope: Int, depth: Int
    ) -> Int {
        var relation = relation
        var index = start
        while index < end {
            switch word(index, end) {
            case .pivot, .unpivot:
                guard isOpen(index + 1, end) || isOpen(index + 3, end) else { break }
                relation = pivoted(relation, index, end, alias: path, in: scope, depth: depth)
                while index < end, !isOpen(index, end) { index += 1 }
                index = min(partner(index, end) + 1, end)
                continue
            case .final:
                index += 1
                continue
            case .tablesample, .sample:
                index += 1
                while index < end,
                    isOpen(index, end) || tokens[index].kind == .number
                        || tokens[index].kind == .word
                            && isOpen(index + 1, end)
                { index = next(index, end) }
                continue
            case .for, .version, .timestamp, .at, .before, .changes:
                if let stop = timeTravelEnd(index, end) {
                    _ = expression(index..<stop, in: scope, depth: depth)
                    index = stop
                    continue
                }
            default: break
            }
            break
        }
        guard let alias = aliasName(index, end) else {
            let last = path.last.flatMap { $0 } ?? 0
            add(relation, alias: last, path: path, to: scope)
            return index
        }
        index = alias.end
        if isOpen(index, end), word(index - 1, end) != .with, !tokens[index + 1].isMark(.other) {
            let columns = columnDefinitions(index + 1..<partner(index, end))
            if !columns.isEmpty { relation = renamed(relation, columns, at: tokens[index].start) }
            index = partner(index, end) + 1
        }
        add(relation, alias: alias.name, to: scope)
        if word(index, end) == .with, word(index + 1, end) == .offset || word(index + 1, end) == .ordinality {
            index += 2
            let offsetAlias = aliasName(index, end)
            scopes[scope].aliases[offsetAlias?.name ?? Word.offset.rawValue] = LineageGraph.none
            index = offsetAlias?.end ?? index
        }
        return min(index, end)
    }

    /// The names of `(a, b)` or `(a int, b text)`.
    private func columnDefinitions(_ range: Range<Int>) -> [UInt32] {
        items(range).compactMap { tokens[$0.lowerBound].isName ? tokens[$0.lowerBound].symbol : nil }
    }

    /// Returns the end of FOR SYSTEM_TIME AS OF …, TIMESTAMP AS OF …, AT (…) or BEFORE (…).
    private func timeTravelEnd(_ start: Int, _ end: Int) -> Int? {
        if isOpen(start + 1, end), word(start, end) != .for { return partner(start + 1, end) + 1 }
        var index = start
        while index < min(start + 4, end) {
            if word(index, end) == .as, word(index + 1, end) == .of {
                index += 2
                if word(index, end) == .timestamp || word(index, end) == .date { index += 1 }
                return index < end ? min(next(next(index, end), end), isOpen(index + 1, end) ? end : index + 1) : end
            }
            index += 1
        }
        return nil
    }

    /// Reads PIVOT (…) or UNPIVOT (…): every column of the relation is a key or a value.
    private mutating func pivoted(
        _ relation: Int, _ index: Int, _ end: Int, alias: [UInt32?], in parent: Int, depth: Int
    ) -> Int {
        let scope = addScope(parent: parent)
        add(relation, alias: alias.last.flatMap { $0 } ?? 0, path: alias, to: scope)
        var open = index
        while open < end, !isOpen(open, end) { open += 1 }
        guard open < end else { return relation }
        let node = expression(open + 1..<max(open + 1, partner(open, end)), in: scope, depth: depth)
        consume(relation, at: tokens[index].start, .pivot)
        var result = Relation()
        result.columns = columnsForCopy(relation) ?? []
        result.isOpen = true
        result.openNode = graph.union([node, wholeNode(relation)])
        return addRelation(result)
    }
}
