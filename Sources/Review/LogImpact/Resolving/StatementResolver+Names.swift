/// The names of relations.
extension StatementResolver {
    struct RelationName {
        /// The components; nil for one that Jinja computes.
        var path: [UInt32?]
        /// The index after the name.
        var end: Int
        /// A Boolean value that indicates whether `ref`, `source` or a variable names the relation.
        var isTemplate = false
        /// The tables that a variable can name.
        var alternatives: [[UInt32?]] = []
        /// The constant parts of a last component that Jinja or `*` completes.
        var pattern: (prefix: String, suffix: String)?
    }

    /// Returns the name at `start`: `a.b.c`, `my-project.b.c`, a quoted path, or Jinja.
    func relationName(_ start: Int, _ end: Int) -> RelationName? {
        guard start < end else { return nil }
        var name = RelationName(path: [], end: start)
        var index = start
        while index < end {
            let token = tokens[index]
            switch token.kind {
            case .word, .name, .doubleQuoted: append(token, to: &name)
            case .expression: append(template: token, to: &name)
            case .lookML: append(lookML: token, to: &name)
            case .number where index > start && !token.followsSpace: break
            default: return name.path.isEmpty ? nil : name
            }
            index += 1
            name.end = index
            // `{{ prefix }}_events` is one component. `my-project` is one, too.
            while index < end, !tokens[index].followsSpace, !isMark(index, end, .dot), !name.path.isEmpty {
                let next = tokens[index]
                if next.kind == .expression || next.isName && tokens[index - 1].kind == .expression {
                    extend(&name, with: next)
                } else if next.isMark(.minus), index + 1 < end, !tokens[index + 1].followsSpace,
                    tokens[index + 1].isName || tokens[index + 1].kind == .number
                {
                    name.path[name.path.count - 1] = nil
                    index += 1
                } else {
                    break
                }
                index += 1
                name.end = index
            }
            guard isMark(index, end, .dot), index + 1 < end else { break }
            index += 1
            // Snowflake's `db..table` has an empty component.
            if isMark(index, end, .dot) {
                name.path.append(nil)
                index += 1
            }
        }
        return name.path.isEmpty ? nil : name
    }

    private func append(_ token: SQLToken, to name: inout RelationName) {
        guard token.kind != .word else { return name.path.append(token.symbol) }
        let text = names.name(token.symbol)
        guard text.utf8.contains(0x2E) || token.hasTemplate || text.hasSuffix("*") else {
            return name.path.append(token.symbol)
        }
        for (component, isDynamic) in Self.components(text) {
            name.pattern = nil
            if isDynamic || component.hasSuffix("*") {
                let parts = Self.constantParts(component)
                name.path.append(nil)
                name.pattern = parts
            } else {
                name.path.append(names.intern(component))
            }
        }
    }

    /// Splits a quoted path at the dots outside of Jinja.
    private static func components(_ text: String) -> [(String, isDynamic: Bool)] {
        var result: [(String, isDynamic: Bool)] = []
        var current = ""
        var isDynamic = false
        var depth = 0
        for character in text {
            if character == "{" { depth += 1 }
            if character == "}" { depth = max(0, depth - 1) }
            if character == ".", depth == 0 {
                result.append((current, isDynamic))
                (current, isDynamic) = ("", false)
            } else {
                if depth > 0 { isDynamic = true }
                current.append(character)
            }
        }
        result.append((current, isDynamic))
        return result
    }

    private static func constantParts(_ component: String) -> (prefix: String, suffix: String) {
        let prefix = component.prefix { $0 != "{" && $0 != "*" }
        let reversed = component.reversed().prefix { $0 != "}" && $0 != "*" }
        return (String(prefix), String(reversed.reversed()))
    }

    private func append(template token: SQLToken, to name: inout RelationName) {
        let expression = JinjaExpression(bytes, token)
        name.isTemplate = true
        name.pattern = nil
        switch expression.meaning {
        case .table(let path): name.path += path.map { names.intern($0) }
        case .this: name.path += model.isEmpty ? [nil] : model.map { $0 }
        case .variable(let variable):
            name.path.append(nil)
            name.pattern = ("", "")
            if let tables = variables.tables[variable] {
                name.alternatives = tables.map { $0.map { names.intern($0) } }
            } else if let values = variables.values[variable] {
                name.alternatives = values.map { $0.split(separator: ".").map { names.intern(String($0)) } }
            }
        case .settings, .macro:
            name.path.append(nil)
            name.pattern = ("", "")
            if !expression.tables.isEmpty { name.alternatives = expression.tables.map { $0.map { names.intern($0) } } }
        }
    }

    private func append(lookML token: SQLToken, to name: inout RelationName) {
        let content = String(
            decoding: bytes[Int(token.start) + 2..<max(Int(token.start) + 2, Int(token.end) - 1)], as: UTF8.self)
        name.isTemplate = true
        if content == "TABLE" {
            name.path += model.isEmpty ? [nil] : model.map { $0 }
        } else if let view = content.split(separator: ".").first.map({ String($0) }) {
            let view = view.filter { $0 != " " }
            name.path += variables.views[view]?.map { names.intern($0) } ?? [names.intern(view)]
        }
    }

    /// Extends the last component with an adjacent token: `{{ x }}_events`, `events_{{ x }}`.
    private func extend(_ name: inout RelationName, with token: SQLToken) {
        let last = name.path.removeLast()
        var pattern = name.pattern ?? (last.map { names.name($0) } ?? "", "")
        if name.pattern == nil, last == nil { pattern = ("", "") }
        if token.kind == .expression {
            pattern.suffix = ""
        } else {
            pattern.suffix += names.name(token.symbol)
        }
        if token.kind == .expression, case .variable(let variable) = JinjaExpression(bytes, token).meaning,
            let values = variables.values[variable]
        {
            name.alternatives = values.map { [names.intern(pattern.prefix + $0)] }
        } else if !name.alternatives.isEmpty {
            let suffix = token.kind == .expression ? "" : names.name(token.symbol)
            name.alternatives =
                suffix.isEmpty
                ? [] : name.alternatives.map { [names.intern(($0.last.flatMap { $0 }.map(names.name) ?? "") + suffix)] }
        }
        name.path.append(nil)
        name.pattern = pattern
    }

    // MARK: Relations

    /// Returns the relation with a name: a common table expression, a table of the catalog, or an unknown one.
    mutating func namedRelation(_ name: RelationName, at offset: UInt32) -> Int {
        if name.path.count == 1, !name.isTemplate, case let only?? = name.path.first,
            let relation = commonTables[only]?.last
        {
            return relation
        }
        if !name.alternatives.isEmpty {
            let tables = name.alternatives.flatMap { catalog.tables(named: $0).prefix(8) }
            return tables.isEmpty ? unknownRelation(name.path) : relation(of: tables, at: offset)
        }
        if let pattern = name.pattern, name.path.last == .some(nil) {
            // A pattern is compared with every table.
            budget -= catalog.components.count
            if pattern.prefix.isEmpty && pattern.suffix.isEmpty || budget < 0 { return anyRelation(at: offset) }
            let tables = catalog.tables(prefix: pattern.prefix, suffix: pattern.suffix, names, limit: 50)
            if tables.count > 50 { return anyRelation(at: offset) }
            return tables.isEmpty ? unknownRelation(name.path) : relation(of: tables, at: offset, isAmbiguous: true)
        }
        if name.path.last == .some(nil) {
            // `{{ this }}` without a model is the statement's own table.
            return unknownRelation(name.path)
        }
        let tables = catalog.tables(named: name.path)
        return tables.isEmpty ? unknownRelation(name.path) : relation(of: Array(tables.prefix(20)), at: offset)
    }

    /// Returns the relation with the name in a string, as in DuckDB and ClickHouse. Most strings are paths of files.
    mutating func quotedRelation(_ token: SQLToken) -> (relation: Int, path: [UInt32?]) {
        guard !token.hasTemplate else { return (unknownRelation([]), []) }
        let path: [UInt32?] = stringContent(token).split(separator: ".").map { names.intern(String($0)) }
        let tables = catalog.tables(named: path)
        guard !tables.isEmpty else { return (unknownRelation([]), []) }
        return (relation(of: Array(tables.prefix(20)), at: token.start, isAmbiguous: true), path)
    }

    mutating func unknownRelation(_ path: [UInt32?]) -> Int {
        if case let last?? = path.last { unknownRelations[last] = path }
        return addRelation(.unknown)
    }

    private mutating func anyRelation(at offset: UInt32) -> Int {
        var relation = Relation.unknown
        relation.openNode = anyTable(at: offset)
        relation.starNode = relation.openNode
        return addRelation(relation)
    }

    /// Records that any table can be read, and returns its node.
    mutating func anyTable(at offset: UInt32, _ reason: Certainty.Reason = .dynamicName) -> Node {
        let use = addUse(-1, at: offset, .mayRead(reason))
        record(use: Int32(use), column: 0, at: offset, .mayRead(reason))
        return graph.leaf(use: use, column: 0)
    }

    private mutating func relation(of tables: [Int], at offset: UInt32, isAmbiguous: Bool = false) -> Int {
        if tables.count == 1, let table = tables.first {
            let use = addUse(table, at: offset, isAmbiguous ? .mayRead(.ambiguousTable) : .reads)
            uses[use].isAmbiguous = isAmbiguous
            return addRelation(Relation(kind: .table(use: use, table: table)))
        }
        var result = Relation()
        var nodes: [Node] = []
        var positions: [UInt32: Int] = [:]
        for table in tables {
            let use = addUse(table, at: offset, .mayRead(.ambiguousTable))
            uses[use].isAmbiguous = true
            nodes.append(graph.leaf(use: use, column: 0))
            for column in catalog.columnSymbols[table] {
                let leaf = graph.leaf(use: use, column: column)
                if let position = positions[column] {
                    result.columns[position].node = graph.union([result.columns[position].node, leaf])
                } else {
                    positions[column] = result.columns.count
                    result.columns.append(Relation.Column(name: column, node: leaf, isDeferred: true))
                }
            }
        }
        result.isOpen = true
        result.openNode = graph.union(nodes)
        result.starNode = result.openNode
        return addRelation(result)
    }

    /// Reads the tables that a range names outside of FROM clauses, and returns their node.
    @discardableResult
    mutating func mentions(_ range: Range<Int>) -> Node {
        var nodes: [Node] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let token = tokens[index]
            if token.isName || token.kind == .expression, let name = relationName(index, range.upperBound) {
                var paths = name.alternatives
                if name.pattern == nil { paths.append(name.path) }
                for path in paths {
                    for table in catalog.tables(named: path).prefix(8) {
                        let use = addUse(table, at: token.start, .mayRead(.mentioned))
                        record(use: Int32(use), column: 0, at: token.start, .mayRead(.mentioned))
                        nodes.append(graph.leaf(use: use, column: 0))
                    }
                }
                index = max(name.end, index + 1)
            } else {
                index += 1
            }
        }
        return graph.union(nodes)
    }

    /// Returns the content of a string, without its delimiters. Escapes remain.
    func stringContent(_ token: SQLToken) -> String {
        String(decoding: bytes[contentRange(token)], as: UTF8.self)
    }

    func contentRange(_ token: SQLToken) -> Range<Int> {
        let opening = token.kind == .doubleQuoted ? 1 : Int(token.symbol)
        let start = min(Int(token.start) + opening, bytes.count)
        guard start > Int(token.start), start <= bytes.count else { return start..<start }
        let isDollar = bytes[Int(token.start)] == 0x24
        // The closing delimiter has no prefix: `r'…'` ends with one quote.
        var closing = opening
        if !isDollar { closing = opening >= 3 && Int(token.end) >= 3 && isTriple(token) ? 3 : 1 }
        return start..<max(start, min(Int(token.end) - closing, bytes.count))
    }

    private func isTriple(_ token: SQLToken) -> Bool {
        let opening = Int(token.start) + Int(token.symbol)
        return opening >= 3 && opening <= bytes.count && bytes[opening - 1] == bytes[opening - 2]
            && bytes[opening - 2] == bytes[opening - 3]
    }
}
