/// The select list and its output columns.
extension StatementResolver {
    /// A `*` with its modifiers.
    struct StarItem {
        var offset: UInt32
        var excluded: Set<UInt32> = []
        var replaced: [UInt32: Node] = [:]
        var renamed: [UInt32: UInt32] = [:]
    }

    mutating func selectList(_ range: Range<Int>, in scope: Int, depth: Int, _ output: inout Relation) {
        var start = range.lowerBound
        var isDistinct = false
        loop: while start < range.upperBound {
            switch word(start, range.upperBound) {
            case .distinct:
                isDistinct = true
                start += 1
                if word(start, range.upperBound) == .on, isOpen(start + 1, range.upperBound) {
                    let close = partner(start + 1, range.upperBound)
                    _ = expression(start + 1..<close, in: scope, depth: depth)
                    start = close + 1
                }
            case .all: start += 1
            case .top where start + 1 < range.upperBound && tokens[start + 1].kind == .number: start += 2
            case .as where word(start + 1, range.upperBound) == .struct || word(start + 1, range.upperBound) == .value:
                start += 2
            default:
                guard tokens[start].kind == .block else { break loop }
                start += 1
            }
        }
        guard start < range.upperBound else { return }
        for item in items(start..<range.upperBound) { selectItem(item, in: scope, depth: depth, &output) }
        if isDistinct { dependOnStar(of: output, at: offset(range.lowerBound)) }
    }

    /// Records that the rows of a query depend on all of its columns.
    mutating func dependOnStar(of output: Relation, at offset: UInt32) {
        record(output.starNode, at: offset, .mayRead(.star))
        if output.isOpen { readsUnknownColumns = true }
        if output.isOpen || output.starNode != LineageGraph.none { dependsOnAllColumns = true }
    }

    private mutating func selectItem(_ item: Range<Int>, in scope: Int, depth: Int, _ output: inout Relation) {
        let start = skipBlocks(item.lowerBound, item.upperBound)
        guard start < item.upperBound else { return }
        if starItem(start, item, in: scope, depth: depth, &output) { return }
        let alias = selectAlias(start, item.upperBound)
        let node = expression(start..<alias.expressionEnd, in: scope, depth: depth)
        var name = alias.name
        if name == 0 { name = impliedName(start, alias.expressionEnd) }
        if let template = writesColumns(start, item.upperBound), name == 0 {
            output.isOpen = true
            let rest = readAll(in: scope, at: template, .macro)
            output.openNode = graph.union([output.openNode, node, rest])
            return
        }
        output.columns.append(Relation.Column(name: name, node: node))
        if name != 0, alias.name != 0 { scopes[scope].aliases[name] = node }
        // A name with Jinja inside is not known.
        if item.upperBound - start > 0, alias.hasTemplate {
            output.isOpen = true
            output.openNode = graph.union([output.openNode, node])
        }
    }

    /// Returns the offset of a template that is a whole item, so that it can write several columns.
    private func writesColumns(_ start: Int, _ end: Int) -> UInt32? {
        for index in start..<end {
            switch tokens[index].kind {
            case .block: continue
            case .expression:
                if JinjaExpression(bytes, tokens[index]).meaning == .settings { return nil }
            default: return nil
            }
        }
        for index in start..<end where tokens[index].kind == .expression { return tokens[index].start }
        return nil
    }

    /// Returns the alias at the end of an item, with or without AS.
    private func selectAlias(_ start: Int, _ end: Int) -> (name: UInt32, expressionEnd: Int, hasTemplate: Bool) {
        var last = end
        while last > start, tokens[last - 1].kind == .block { last -= 1 }
        // `AS total_{{ x }}`
        var asIndex = last
        while asIndex > start, last - asIndex < 8, tokens[asIndex - 1].word != .as { asIndex -= 1 }
        if asIndex > start + 1, asIndex < last, tokens[asIndex - 1].word == .as, last - asIndex > 1,
            (asIndex..<last).allSatisfy({
                tokens[$0].isName || tokens[$0].kind == .expression || tokens[$0].kind == .number
            })
        {
            return (0, asIndex - 1, true)
        }
        guard last - start >= 2 else { return (0, end, false) }
        let token = tokens[last - 1]
        let previous = tokens[last - 2]
        if previous.word == .as {
            if token.kind == .expression { return (0, last - 2, true) }
            if token.isName { return (token.symbol, last - 2, false) }
            if token.kind == .string { return (0, last - 2, false) }
        }
        guard token.isName, !token.word.isReserved, previous.kind != .block,
            previous.kind != .expression
                || token.followsSpace
        else { return (0, end, false) }
        guard endsOperand(previous), !previous.isMark(.star), previous.kind != .mark else { return (0, end, false) }
        // Three operands in sequence: the one in the middle is an operator.
        if previous.kind == .word || previous.kind == .string, last - start >= 3, previous.word != .end,
            endsOperand(tokens[last - 3]), tokens[last - 3].kind != .mark
        {
            return (0, end, false)
        }
        return (token.symbol, last - 1, false)
    }

    /// Returns the name of an expression without an alias: the last component of a path.
    private func impliedName(_ start: Int, _ end: Int) -> UInt32 {
        guard isName(start, end), tokens[start].word == .none || !tokens[start].word.isReserved else { return 0 }
        let path = columnPath(start, start..<end)
        guard path.end == end || isMark(path.end, end, .doubleColon) && typeEnd(path.end + 1, end) == end else {
            return 0
        }
        if let member = path.members.last { return names.intern(member) }
        return path.components.last ?? 0
    }

    // MARK: Stars

    /// Reads `*`, `t.*` and their modifiers. Returns false if the item is another expression.
    private mutating func starItem(
        _ start: Int, _ item: Range<Int>, in scope: Int, depth: Int, _ output: inout Relation
    ) -> Bool {
        let end = item.upperBound
        var index = start
        var targets: [Int] = []
        if !isMark(index, end, .star) {
            guard isName(start, end) || tokens[start].kind == .expression else { return false }
            var components: [UInt32] = []
            while index + 1 < end, tokens[index].isName || tokens[index].kind == .expression,
                isMark(index + 1, end, .dot)
            {
                components.append(qualifier(tokens[index]))
                index += 2
            }
            guard isMark(index, end, .star), let last = components.last else { return false }
            var current = scope
            targets = []
            while current >= 0, targets.isEmpty {
                targets = scopes[current].items(named: last)
                if !targets.isEmpty, current != scope { break }
                current = scopes[current].parent
            }
            guard !targets.isEmpty, scopes[scope].items(named: last) == targets else {
                // The members of a structured column, or a relation of an enclosing query.
                var path = ColumnPath(components: components, offset: tokens[start].start, end: index + 1)
                path.endsWithStar = true
                let node = resolve(path, in: scope)
                output.isOpen = true
                output.openNode = graph.union([
                    output.openNode, node, expression(index + 1..<end, in: scope, depth: depth),
                ])
                return true
            }
        }
        if index == start { targets = Array(scopes[scope].items.indices) }
        index += 1
        var star = StarItem(offset: tokens[start].start)
        modifiers(index, end, in: scope, depth: depth, targets, &star)
        self.star(star, of: targets, in: scope, &output)
        return true
    }

    private func qualifier(_ token: SQLToken) -> UInt32 {
        guard token.kind == .expression else { return token.symbol }
        if case .table(let path) = JinjaExpression(bytes, token).meaning { return names.intern(path.last ?? "") }
        return 0
    }

    /// Reads EXCEPT, EXCLUDE, REPLACE and RENAME.
    private mutating func modifiers(
        _ start: Int, _ end: Int, in scope: Int, depth: Int, _ targets: [Int], _ star: inout StarItem
    ) {
        var index = start
        while index < end {
            let word = word(index, end)
            let list =
                isOpen(index + 1, end)
                ? index + 2..<max(index + 2, partner(index + 1, end)) : index + 1..<min(index + 2, end)
            switch word {
            case .except, .exclude:
                for position in list where tokens[position].isName {
                    star.excluded.insert(tokens[position].symbol)
                    readExcluded(tokens[position], targets, in: scope)
                }
            case .rename:
                let names = isOpen(index + 1, end) ? list : index + 1..<min(index + 4, end)
                for item in items(names) where item.count >= 3 {
                    star.renamed[tokens[item.lowerBound].symbol] = tokens[item.upperBound - 1].symbol
                    readExcluded(tokens[item.lowerBound], targets, in: scope)
                }
            case .replace:
                for item in items(list) {
                    let node = expression(item, in: scope, depth: depth)
                    if item.count >= 3, tokens[item.upperBound - 1].isName {
                        star.replaced[tokens[item.upperBound - 1].symbol] = node
                        readExcluded(tokens[item.upperBound - 1], targets, in: scope)
                    }
                }
            default:
                _ = expression(index..<next(index, end), in: scope, depth: depth)
                index = next(index, end)
                continue
            }
            index = isOpen(index + 1, end) ? partner(index + 1, end) + 1 : list.upperBound
        }
    }

    /// A name in EXCEPT is an error if no column has it, so the statement depends on the column.
    private mutating func readExcluded(_ token: SQLToken, _ targets: [Int], in scope: Int) {
        for target in targets.prefix(64) {
            if let found = node(of: token.symbol, in: scopes[scope].items[target]), found.isDeferred {
                record(found.node, at: token.start)
            }
        }
    }

    /// Adds the columns of the items to the output. They are read only if the rest of the statement uses them.
    mutating func star(_ star: StarItem, of targets: [Int], in scope: Int, _ output: inout Relation) {
        var starNodes = [output.starNode]
        for target in targets {
            budget -= 1
            guard budget >= 0 else { break }
            let item = scopes[scope].items[target]
            guard let columns = columnsForCopy(item.relation) else {
                consume(item.relation, at: star.offset)
                output.isOpen = true
                output.openNode = graph.union([output.openNode, wholeNode(item.relation)])
                continue
            }
            let isModified = !star.excluded.isEmpty || !star.replaced.isEmpty
            var kept: [Node] = []
            for var column in columns where !star.excluded.contains(column.name) {
                if let replaced = star.replaced[column.name] {
                    column.node = replaced
                    column.isDeferred = false
                } else {
                    column.node = narrowed(column.node, item)
                    if column.isDeferred { kept.append(column.node) }
                }
                column.name = star.renamed[column.name] ?? column.name
                output.columns.append(column)
            }
            if isOpenRelation(item.relation) {
                output.isOpen = true
                if case .derived = relations[item.relation].kind {
                    output.openNode = graph.union([output.openNode, relations[item.relation].openNode])
                } else {
                    output.openNode = graph.union([output.openNode, wholeNode(item.relation)])
                }
            }
            if isModified {
                for node in kept { record(node, at: star.offset, .mayRead(.unusedStar)) }
                starNodes += kept
            } else {
                let node = narrowed(starNode(item.relation), item)
                record(node, at: star.offset, .mayRead(.unusedStar))
                starNodes.append(node)
            }
        }
        output.starNode = graph.union(starNodes)
    }
}
