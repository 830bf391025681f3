/// Jinja and LookML in expressions.
extension StatementResolver {
    /// Reads the columns that `{{ … }}` can write, and returns the index after it and the adjacent names.
    ///
    /// - Parameter prefix: The name directly before the template.
    mutating func template(
        _ index: Int, _ range: Range<Int>, in scope: Int, _ state: inout ExpressionState, prefix: ColumnPath? = nil
    ) -> Int {
        let end = range.upperBound
        let token = tokens[index]
        let expression = JinjaExpression(bytes, token)
        for path in expression.tables where expression.meaning == .macro {
            mention(path, at: token.start, &state)
        }
        var next = index + 1
        // `{{ ref('x') }}.column`
        if isMark(next, end, .dot), next + 1 < end {
            return qualifiedTemplate(index, expression, range, in: scope, &state)
        }
        let opening = prefix?.components.last.map { names.name($0) } ?? ""
        var closing = ""
        while next < end, !tokens[next].followsSpace,
            tokens[next].isName || tokens[next].kind == .expression
                || tokens[next].kind == .number
        {
            closing = tokens[next].isName ? closing + names.name(tokens[next].symbol) : ""
            next += 1
        }
        let isCall = isOpen(next, end)
        switch expression.meaning {
        case .settings: break
        case .table(let path): mention(path, at: token.start, &state)
        case .this: break
        case .variable(let name):
            if let values = variables.values[name] {
                for value in values {
                    var path = ColumnPath(offset: token.start)
                    path.components = (prefix?.components.dropLast() ?? []).map { $0 }
                    path.components += (opening + value + closing).split(separator: ".").map {
                        names.intern(String($0))
                    }
                    path.isSoftKeyword = true
                    state.nodes.append(resolve(path, in: scope, .mayRead(.dynamicName)))
                }
            } else if !isCall {
                matchingColumns(opening, closing, in: scope, at: token.start, &state)
            }
        case .macro:
            for value in expression.strings.prefix(100) {
                var path = ColumnPath(offset: token.start)
                path.components = value.split(separator: ".").map { names.intern(String($0)) }
                path.isSoftKeyword = true
                state.nodes.append(resolve(path, in: scope, .mayRead(.macro)))
                for component in path.components.prefix(4) { unresolved.append((component, token.start)) }
            }
            let isBare = expression.strings.isEmpty && expression.tables.isEmpty && !isCall
            if opening.isEmpty, closing.isEmpty, isBare, isCondition(index, next, end) {
                state.nodes.append(readAll(in: scope, at: token.start, .macro))
            }
            if !opening.isEmpty || !closing.isEmpty {
                matchingColumns(opening, closing, in: scope, at: token.start, &state)
            }
        }
        return next
    }

    /// Returns whether the tokens are a term of AND and OR.
    private func isCondition(_ start: Int, _ next: Int, _ end: Int) -> Bool {
        guard start > 0, next == end || [.and, .or].contains(word(next, end)) else { return false }
        return [.where, .and, .or, .not, .on, .having, .qualify, .prewhere].contains(tokens[start - 1].word)
    }

    private mutating func mention(_ path: [String], at offset: UInt32, _ state: inout ExpressionState) {
        for table in catalog.tables(named: path.map { names.intern($0) }).prefix(8) {
            let use = addUse(table, at: offset)
            record(use: Int32(use), column: 0, at: offset, .mayRead(.macro))
            state.nodes.append(graph.leaf(use: use, column: 0))
        }
    }

    /// Reads `{{ x }}.column`.
    private mutating func qualifiedTemplate(
        _ index: Int, _ expression: JinjaExpression, _ range: Range<Int>, in scope: Int,
        _ state: inout ExpressionState
    ) -> Int {
        let end = range.upperBound
        guard isName(index + 2, end) else {
            if isMark(index + 2, end, .star) {
                state.nodes.append(readAll(in: scope, at: tokens[index].start, .star))
            }
            return index + 2
        }
        var path = columnPath(index + 2, range)
        path.offset = tokens[index].start
        if case .table(let table) = expression.meaning, let last = table.last {
            path.components.insert(names.intern(last), at: 0)
            state.nodes.append(resolve(path, in: scope))
        } else {
            state.nodes.append(resolve(path, in: scope, .mayRead(.dynamicName)))
        }
        return path.end
    }

    /// Reads the columns of the scope that begin with `prefix` and end with `suffix`.
    private mutating func matchingColumns(
        _ prefix: String, _ suffix: String, in scope: Int, at offset: UInt32, _ state: inout ExpressionState
    ) {
        if prefix.isEmpty, suffix.isEmpty {
            state.nodes.append(readAll(in: scope, at: offset, .dynamicName))
            return
        }
        guard scope >= 0, scope < scopes.count else { return }
        for item in scopes[scope].items {
            budget -= 1
            guard budget >= 0 else { return }
            guard let columns = columnsForCopy(item.relation), !isOpenRelation(item.relation) else {
                consume(item.relation, at: offset, .dynamicName)
                state.nodes.append(wholeNode(item.relation))
                continue
            }
            for column in columns {
                let name = names.name(column.name)
                guard name.count >= prefix.count + suffix.count, name.hasPrefix(prefix), name.hasSuffix(suffix)
                else { continue }
                if column.isDeferred { record(column.node, at: offset, .mayRead(.dynamicName)) }
                state.nodes.append(column.node)
            }
        }
    }

    /// Reads `${TABLE}.column` and `${view.field}`.
    mutating func lookMLReference(
        _ index: Int, _ range: Range<Int>, in scope: Int, _ state: inout ExpressionState
    ) -> Int {
        let end = range.upperBound
        let token = tokens[index]
        let content = lookMLContent(token)
        if content == "table", isMark(index + 1, end, .dot), isName(index + 2, end) {
            var path = columnPath(index + 2, range)
            path.components.insert(names.intern("${table}"), at: 0)
            path.offset = token.start
            state.nodes.append(resolve(path, in: scope))
            return path.end
        }
        if content == "table" {
            state.nodes.append(readAll(in: scope, at: token.start, .wholeRow))
            return index + 1
        }
        if !isField, !content.contains("."), isItem(index, end) {
            state.nodes.append(readAll(in: scope, at: token.start, .dynamicName))
            return index + 1
        }
        let parts = content.split(separator: ".").map { String($0) }
        guard parts.count == 2, let view = parts.first, let field = parts.last else { return index + 1 }
        let path = variables.views[view] ?? [view]
        for table in catalog.tables(named: path.map { names.intern($0) }).prefix(8) {
            let symbol = names.intern(field)
            guard catalog.hasColumn(table, symbol) else { continue }
            let use = addUse(table, at: token.start, .mayRead(.dynamicName))
            record(use: Int32(use), column: symbol, at: token.start, .mayRead(.dynamicName))
            state.nodes.append(graph.leaf(use: use, column: symbol))
        }
        return index + 1
    }

    /// Returns whether a shell's `${x}` is an item of a list or a condition, and not a value.
    private func isItem(_ index: Int, _ end: Int) -> Bool {
        guard index > 0, index + 1 == end || [.mark, .close, .word].contains(tokens[index + 1].kind) else {
            return false
        }
        let previous = tokens[index - 1]
        if previous.isOpen(.parenthesis) { return index < 2 || tokens[index - 2].word != .in }
        return previous.isMark(.comma)
            || [.select, .distinct, .all, .by, .where, .and, .or, .not, .on, .having].contains(previous.word)
    }

    private func lookMLContent(_ token: SQLToken) -> String {
        let start = Int(token.start) + 2
        return String(decoding: bytes[start..<max(start, Int(token.end) - 1)], as: UTF8.self).lowercased()
            .filter { $0 != " " }
    }
}
