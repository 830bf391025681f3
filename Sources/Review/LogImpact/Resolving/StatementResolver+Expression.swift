/// Expressions: the columns, subqueries and templates in a range of tokens.
extension StatementResolver {
    /// The state of an expression.
    struct ExpressionState {
        var nodes: [Node] = []
        /// The closing brackets of the open brackets.
        var opens: [(close: Int, kind: BracketKind)] = []

        /// A Boolean value that indicates whether `a:b` is a path. In `[a:b]` and `{a:b}`, `b` is an expression.
        var allowsColon: Bool { opens.last?.kind != .other }
    }

    enum BracketKind {
        case cast, parenthesis, other
    }

    /// Reads the columns of an expression and returns the node of all.
    mutating func expression(_ range: Range<Int>, in scope: Int, depth: Int) -> Node {
        var state = ExpressionState()
        var index = range.lowerBound
        let end = range.upperBound
        while index < end {
            let token = tokens[index]
            while let last = state.opens.last, last.close <= index { state.opens.removeLast() }
            switch token.kind {
            case .word, .name, .doubleQuoted:
                index = name(index, range, in: scope, depth: depth, &state)
            case .open:
                if token.mark == .parenthesis, isSubquery(index, range) {
                    let close = partner(index, end)
                    subquery(index + 1..<max(index + 1, close), index, range, in: scope, depth: depth, &state)
                    index = close + 1
                } else {
                    let isCast = index > range.lowerBound && isCast(tokens[index - 1].word)
                    let kind: BracketKind = token.mark != .parenthesis ? .other : isCast ? .cast : .parenthesis
                    state.opens.append((partner(index, end), kind))
                    index += 1
                }
            case .expression:
                index = template(index, range, in: scope, &state)
            case .lookML:
                index = lookMLReference(index, range, in: scope, &state)
            case .mark where token.mark == .doubleColon:
                index = typeEnd(index + 1, end)
            case .mark where token.mark == .star:
                if isStar(index, range) { state.nodes.append(readAll(in: scope, at: token.start, .star)) }
                index += 1
            default: index += 1
            }
        }
        return graph.union(state.nodes)
    }

    private func isCast(_ word: Word) -> Bool { word == .cast || word == .tryCast || word == .safeCast }

    private func isSubquery(_ index: Int, _ range: Range<Int>) -> Bool {
        guard startsQuery(index + 1, partner(index, range.upperBound)) else { return false }
        // `trim(FROM x)`
        return word(skipBlocks(index + 1, range.upperBound), range.upperBound) != .from || index == range.lowerBound
            || tokens[index - 1].kind != .word || tokens[index - 1].word.isInfix
    }

    private mutating func subquery(
        _ inner: Range<Int>, _ index: Int, _ range: Range<Int>, in scope: Int, depth: Int,
        _ state: inout ExpressionState
    ) {
        let relation = query(inner, in: scope, depth: depth + 1)
        if index > range.lowerBound, tokens[index - 1].word == .exists { return }
        consume(relation, at: tokens[index].start)
        state.nodes.append(wholeNode(relation))
    }

    /// Returns whether `*` is an argument that stands for all columns. `count(*)` reads none.
    private func isStar(_ index: Int, _ range: Range<Int>) -> Bool {
        guard index > range.lowerBound else { return true }
        let previous = tokens[index - 1]
        if previous.isOpen(.parenthesis) {
            return !(index >= range.lowerBound + 2 && tokens[index - 2].word == .count)
        }
        return previous.isMark(.comma) || previous.word == .distinct || previous.word == .set
            || previous.word == .insert || previous.isOpen(.bracket)
    }

    /// Returns the index after the type that follows `::`.
    func typeEnd(_ start: Int, _ end: Int) -> Int {
        var index = start
        guard isName(index, end) else { return index }
        index += 1
        while isMark(index, end, .dot), isName(index + 1, end) { index += 2 }
        while index < end {
            if isOpen(index, end) || isOpen(index, end, .bracket) && (isClose(index + 1, end)) {
                index = partner(index, end) + 1
            } else if word(index, end) == .precision || word(index, end) == .varying {
                index += 1
            } else {
                break
            }
        }
        return min(index, end)
    }

    private func isClose(_ index: Int, _ end: Int) -> Bool { index < end && tokens[index].kind == .close }

    // MARK: Names

    private mutating func name(
        _ index: Int, _ range: Range<Int>, in scope: Int, depth: Int, _ state: inout ExpressionState
    ) -> Int {
        let end = range.upperBound
        let token = tokens[index]
        // The member of an expression: `f(x).y`.
        if index > range.lowerBound, isMark(index - 1, end, .dot) { return index + 1 }
        if !isMark(index + 1, end, .dot), let next = keyword(index, range, in: scope, depth: depth, &state) {
            return next
        }
        let isAlternative = index > range.lowerBound && bytes[Int(tokens[index - 1].start)] == 0x3F
        var path = columnPath(index, range, allowsColon: state.allowsColon && !isAlternative)
        if isMark(path.end, end, .fatArrow) || isMark(path.end, end, .assignment), path.components.count == 1 {
            return path.end
        }
        if isMark(path.end, end, .arrow), path.components.count == 1 {
            if isUnknown(token.symbol, in: scope) {
                if scope >= 0 { scopes[scope].localNames.insert(token.symbol) }
                return path.end
            }
        }
        // `{'key': value}`
        if isMark(index + 1, end, .colon), index > range.lowerBound,
            tokens[index - 1].isOpen(.brace) || tokens[index - 1].isMark(.comma), path.end == index + 1
        {
            return index + 2
        }
        if isOpen(path.end, end), !isOuterJoinMark(path.end, end) {
            return call(index, path, range, in: scope, depth: depth, &state)
        }
        if path.end < end, tokens[path.end].kind == .expression, !tokens[path.end].followsSpace {
            return template(path.end, range, in: scope, &state, prefix: path)
        }
        path.isSoftKeyword = token.word != .none
        path.isDoubleQuoted = token.kind == .doubleQuoted
        if path.isSoftKeyword || index > range.lowerBound && tokens[index - 1].kind == .number && token.kind == .word {
            // A unit after a number, or a keyword. It is a column only if a relation has it.
            path.isSoftKeyword = true
        }
        state.nodes.append(resolve(path, in: scope))
        return path.end
    }

    /// Returns whether no relation of the scopes has the column.
    private mutating func isUnknown(_ symbol: UInt32, in scope: Int) -> Bool {
        var current = scope
        while current >= 0, current < scopes.count {
            for item in scopes[current].items.prefix(32) where node(of: symbol, in: item) != nil { return false }
            current = scopes[current].parent
        }
        return true
    }

    /// Snowflake's `a.id (+)`.
    private func isOuterJoinMark(_ open: Int, _ end: Int) -> Bool {
        partner(open, end) == open + 2 && tokens[open + 1].isMark(.other) && bytes[Int(tokens[open + 1].start)] == 0x2B
    }

    /// Returns the index after a keyword and the names that it makes into something other than columns.
    private mutating func keyword(
        _ index: Int, _ range: Range<Int>, in scope: Int, depth: Int, _ state: inout ExpressionState
    ) -> Int? {
        let end = range.upperBound
        let word = tokens[index].word
        let next = index + 1
        switch word {
        case .none: return nil
        case .as:
            // A type to the end of CAST, or an alias.
            if let open = state.opens.last, open.kind == .cast { return max(open.close, next) }
            return isName(next, end) && !isOpen(next + 1, end) ? next + 1 : next
        case _ where word.isReserved:
            // Spark has no reserved words.
            if catalog.reservedColumns.contains(tokens[index].symbol), !isUnknown(tokens[index].symbol, in: scope) {
                let path = ColumnPath(components: [tokens[index].symbol], offset: tokens[index].start)
                state.nodes.append(resolve(path, in: scope, .mayRead(.unresolved)))
            }
            return next
        case .over, .collate:
            return isName(next, end) ? next + 1 : next
        case .cast, .tryCast, .safeCast: return isOpen(next, end) ? next : nil
        case .extract:
            // `extract(day FROM x)`
            guard isOpen(next, end), self.word(next + 2, end) == .from, isName(next + 1, end) else { return nil }
            return next + 2
        case .date, .timestamp, .datetime, .time:
            return next < end && tokens[next].kind == .string ? next + 1 : nil
        case .columns:
            guard isOpen(next, end) else { return nil }
            state.nodes.append(readAll(in: scope, at: tokens[index].start, .dynamicName))
            return next + 1
        case .identifier:
            return identifierCall(next, end, in: scope, &state)
        case .lambda:
            var position = next
            while position < end, isName(position, end) || isMark(position, end, .comma) {
                if tokens[position].isName, scope >= 0 { scopes[scope].localNames.insert(tokens[position].symbol) }
                position += 1
            }
            return isMark(position, end, .colon) ? position + 1 : nil
        case .true, .false, .interval, .exists, .distinct: return next
        default: return nil
        }
    }

    /// Reads Snowflake's `IDENTIFIER('x')`.
    private mutating func identifierCall(
        _ open: Int, _ end: Int, in scope: Int, _ state: inout ExpressionState
    ) -> Int? {
        guard isOpen(open, end) else { return nil }
        let argument = open + 1
        guard argument < end, tokens[argument].kind == .string, partner(open, end) == argument + 1 else {
            state.nodes.append(readAll(in: scope, at: tokens[open].start, .dynamicName))
            return argument
        }
        var path = ColumnPath(offset: tokens[argument].start)
        path.components = stringContent(tokens[argument]).split(separator: ".").map { names.intern(String($0)) }
        state.nodes.append(resolve(path, in: scope))
        return argument + 1
    }

    // MARK: Calls

    private mutating func call(
        _ index: Int, _ path: ColumnPath, _ range: Range<Int>, in scope: Int, depth: Int,
        _ state: inout ExpressionState
    ) -> Int {
        let end = range.upperBound
        // `name.upper()` of DuckDB: the part before the function can be a column.
        if path.components.count > 1 {
            var receiver = path
            receiver.components.removeLast()
            if !isUnknown(receiver.components[0], in: scope)
                || scope >= 0 && !scopes[scope].items(named: receiver.components[0]).isEmpty
            {
                state.nodes.append(resolve(receiver, in: scope))
            }
            return path.end
        }
        // JSON_EXTRACT(properties, '$.position'): the argument is read with its members.
        let name = names.name(path.components.first ?? 0)
        let isJSON = name.utf8.count < 64 && Self.readsMembers(name)
        guard isJSON, isName(path.end + 1, end), !isMark(path.end + 2, end, .fatArrow),
            tokens[path.end + 1].word.isReserved == false
        else { return path.end }
        let close = partner(path.end, end)
        var argument = columnPath(path.end + 1, path.end + 1..<close)
        guard isMark(argument.end, close, .comma), !isOpen(argument.end, close) else { return path.end }
        var position = argument.end
        var members: [String] = []
        while isMark(position, close, .comma), position + 1 < close, tokens[position + 1].kind == .string {
            members += Self.members(of: stringContent(tokens[position + 1]))
            position += 2
        }
        argument.members += members
        argument.isSoftKeyword = tokens[path.end + 1].word != .none
        state.nodes.append(resolve(argument, in: scope))
        return position
    }

    private static func readsMembers(_ name: String) -> Bool {
        if name == "get" || name == "get_path" { return true }
        var matched = 0
        let pattern: [UInt8] = [0x6A, 0x73, 0x6F, 0x6E]
        for byte in name.utf8 {
            if byte == pattern[matched] { matched += 1 } else { matched = byte == pattern[0] ? 1 : 0 }
            if matched == pattern.count { return true }
        }
        return false
    }

    /// Returns the members of `$.a.b`, `$['a']`, `/a/b` or `a`.
    static func members(of path: String) -> [String] {
        guard path.utf8.count < 1000 else { return [] }
        let parts = path.split { ".[]'\"/$".contains($0) }.map { String($0) }
        return parts.filter { part in !part.allSatisfy { $0.isNumber || $0 == "*" } }
    }

    // MARK: Paths

    /// Reads `a.b.c`, with `:d`, `['e']`, `->'f'` and `->>'g'` after it.
    func columnPath(_ start: Int, _ range: Range<Int>, allowsColon: Bool = true) -> ColumnPath {
        let end = range.upperBound
        var path = ColumnPath(components: [tokens[start].symbol], offset: tokens[start].start)
        if tokens[start].kind == .name, names.name(tokens[start].symbol).utf8.contains(0x2E) {
            // BigQuery's quoted path.
            path.components = names.name(tokens[start].symbol).split(separator: ".").map { names.intern(String($0)) }
        }
        var index = start + 1
        while index < end {
            if isMark(index, end, .dot), isName(index + 1, end) {
                path.components.append(tokens[index + 1].symbol)
                index += 2
            } else if isMark(index, end, .dot), isMark(index + 1, end, .star) {
                path.endsWithStar = true
                index += 2
                break
            } else if isMark(index, end, .dot), index + 1 < end, tokens[index + 1].kind == .number {
                index += 2
            } else {
                break
            }
        }
        while !path.endsWithStar, let next = member(index, end, &path, allowsColon) { index = next }
        path.end = index
        return path
    }

    private func member(_ index: Int, _ end: Int, _ path: inout ColumnPath, _ allowsColon: Bool) -> Int? {
        guard index + 1 < end else { return nil }
        let token = tokens[index]
        let next = tokens[index + 1]
        switch token.mark {
        case .dot where token.kind == .mark && !path.members.isEmpty && next.isName:
            path.members.append(names.name(next.symbol))
            return index + 2
        case .colon
        where allowsColon && token.kind == .mark && next.isName && !token.followsSpace && !next.followsSpace:
            // Snowflake's path.
            path.members.append(names.name(next.symbol))
            return index + 2
        case .arrow, .longArrow:
            guard token.kind == .mark, next.kind == .string || next.kind == .number else { return nil }
            if next.kind == .string { path.members += Self.members(of: stringContent(next)) }
            return index + 2
        case .bracket:
            guard token.kind == .open, partner(index, end) == index + 2 else { return nil }
            if next.kind == .string { path.members.append(stringContent(next)) }
            return next.kind == .string || next.kind == .number ? index + 3 : nil
        default: return nil
        }
    }
}
