/// Conditions that restrict a table's rows to some values of a column.
extension StatementResolver {
    /// Adds the conditions `column = 'x'` and `column IN ('x', 'y')` of a conjunction to the uses of the tables.
    ///
    /// - Parameters:
    ///   - join: The kind of the join whose condition this is; nil for WHERE.
    ///   - first: The first item on the right of the join.
    mutating func addFilters(_ range: Range<Int>, in scope: Int, join: JoinKind? = nil, from first: Int = 0) {
        if join == .full { return }
        for conjunct in conjuncts(range) {
            guard let filter = filter(conjunct, in: scope), let found = filterColumn(filter.path, in: scope) else {
                continue
            }
            switch join {
            case .left where found.item < first, .right where found.item >= first: continue
            default: break
            }
            let item = scopes[scope].items[found.item]
            // More conditions narrow further, but a chain of queries would copy all of them.
            if let leaf = graph.leaf(found.node), uses[Int(leaf.use)].filters.count >= 8 { continue }
            if case .table(let use, _) = relations[item.relation].kind {
                uses[use].filters.append((filter.path.components.last ?? 0, filter.values))
            } else if let leaf = graph.leaf(found.node) {
                var copy = uses[Int(leaf.use)]
                copy.filters.append((leaf.column, filter.values))
                uses.append(copy)
                scopes[scope].narrow(found.item, item.narrowed.last?.use ?? leaf.use, to: Int32(uses.count - 1))
            }
        }
    }

    /// Splits a condition at AND. Returns nothing for a condition with OR, unless it has one column only.
    private func conjuncts(_ range: Range<Int>) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = range.lowerBound
        var index = start
        var depth = 0
        var cases = 0
        var isConditional = false
        var hasOr = false
        while index < range.upperBound {
            let token = tokens[index]
            if token.kind == .block {
                switch JinjaExpression.tag(bytes, token) {
                case "if", "for": depth += 1
                case "endif", "endfor": depth -= 1
                default: break
                }
                isConditional = true
            }
            switch token.word {
            case .case: cases += 1
            case .end: cases -= 1
            case .or, .xor: if cases <= 0 { hasOr = true }
            case .and where cases <= 0:
                if !isConditional { result.append(start..<index) }
                start = index + 1
                isConditional = depth != 0
            default: break
            }
            index = next(index, range.upperBound)
        }
        if !isConditional { result.append(start..<range.upperBound) }
        if hasOr { return result.count == 1 && result[0] == range ? result : [] }
        return result
    }

    private struct Filter {
        var path: ColumnPath
        var values: [String]
    }

    /// Returns the column and the values of a condition; nil if it has another form.
    private func filter(_ range: Range<Int>, in scope: Int) -> Filter? {
        var range = range
        while isOpen(range.lowerBound, range.upperBound),
            partner(range.lowerBound, range.upperBound) == range.upperBound - 1,
            range.count > 2
        {
            range = range.lowerBound + 1..<range.upperBound - 1
        }
        guard range.count >= 3, range.count < 2000 else { return nil }
        if let orIndex = range.first(where: { tokens[$0].word == .or }) {
            guard let left = equality(range.lowerBound..<orIndex, in: scope),
                let right = filter(orIndex + 1..<range.upperBound, in: scope),
                left.path.components == right.path.components
            else { return nil }
            return Filter(path: left.path, values: left.values + right.values)
        }
        return equality(range, in: scope)
    }

    private func equality(_ range: Range<Int>, in scope: Int) -> Filter? {
        let end = range.upperBound
        guard range.count >= 3 else { return nil }
        let first = range.lowerBound
        if let value = literal(first), isMark(first + 1, end, .equals), isName(first + 2, end),
            tokens[first + 2].kind != .doubleQuoted
        {
            let path = columnPath(first + 2, first + 2..<end)
            return path.end == end && path.members.isEmpty ? Filter(path: path, values: [value]) : nil
        }
        guard isName(first, end) else { return nil }
        let path = columnPath(first, range)
        guard path.members.isEmpty, path.end < end else { return nil }
        if isMark(path.end, end, .equals), path.end + 2 == end, let value = literal(path.end + 1) {
            return Filter(path: path, values: [value])
        }
        guard word(path.end, end) == .in, isOpen(path.end + 1, end), partner(path.end + 1, end) == end - 1 else {
            return nil
        }
        var values: [String] = []
        for item in items(path.end + 2..<end - 1) {
            guard item.count == 1, let value = literal(item.lowerBound) else { return nil }
            values.append(value)
        }
        return values.isEmpty ? nil : Filter(path: path, values: values)
    }

    /// Returns the value of a string without escapes and templates.
    private func literal(_ index: Int) -> String? {
        let token = tokens[index]
        guard token.kind == .string || token.kind == .doubleQuoted, !token.hasTemplate else { return nil }
        if token.kind == .doubleQuoted, catalogHasColumn(token.symbol) { return nil }
        guard Int(token.start) < bytes.count, bytes[Int(token.start)] == 0x27 || bytes[Int(token.start)] == 0x22 else {
            return nil
        }
        let content = contentRange(token)
        for byte in bytes[content] where byte == 0x5C || byte == 0x27 || byte == 0x22 { return nil }
        return String(decoding: bytes[content], as: UTF8.self)
    }

    /// A name in double quotes is a column or, in BigQuery and Spark, a string.
    private func catalogHasColumn(_ symbol: UInt32) -> Bool {
        uses.contains { $0.table >= 0 && catalog.hasColumn($0.table, symbol) }
    }

    /// Returns the item and the node of a column; nil if several relations of the scope can have it.
    private mutating func filterColumn(_ path: ColumnPath, in scope: Int) -> (item: Int, node: Node)? {
        guard let column = path.components.last, path.components.count <= 4 else { return nil }
        var result: (item: Int, node: Node)?
        let items: [Int]
        if path.components.count >= 2 {
            items = scopes[scope].items(named: path.components[path.components.count - 2])
        } else {
            items = Array(scopes[scope].items.indices)
            // Only one relation can have the column.
            guard items.count <= 32, !scopes[scope].isOpen || items.count == 1 else { return nil }
        }
        for index in items {
            guard let found = node(of: column, in: scopes[scope].items[index]) else { continue }
            if result != nil { return nil }
            result = (index, found.node)
        }
        return result
    }
}
