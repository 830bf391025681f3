/// The resolution of column names.
extension StatementResolver {
    /// A name such as `t.properties.position`.
    struct ColumnPath {
        var components: [UInt32] = []
        var offset: UInt32 = 0
        /// The index after the name, with subscripts and JSON operators.
        var end = 0
        /// The members of a JSON column that operators after the name read.
        var members: [String] = []
        var endsWithStar = false
        /// A Boolean value that indicates whether the first component is a word that can be a keyword.
        var isSoftKeyword = false
        var isDoubleQuoted = false
    }

    struct FoundColumn {
        var node: Node
        /// A Boolean value that indicates whether the reference reads the column.
        var isDeferred: Bool
    }

    /// Returns the column of a relation in a scope; nil if it has none with the name.
    mutating func node(of column: UInt32, in item: Scope.Item) -> FoundColumn? {
        switch relations[item.relation].kind {
        case .table(let use, let table):
            guard catalog.hasColumn(table, column) else { return nil }
            return FoundColumn(node: graph.leaf(use: use, column: column), isDeferred: true)
        case .derived:
            guard let found = relations[item.relation].column(column) else { return nil }
            return FoundColumn(node: narrowed(found.node, item), isDeferred: found.isDeferred)
        }
    }

    /// Returns the node with the use that a condition of the scope narrows.
    mutating func narrowed(_ node: Node, _ item: Scope.Item) -> Node {
        guard !item.narrowed.isEmpty, let leaf = graph.leaf(node),
            let narrow = item.narrowed.last(where: { $0.use == leaf.use })
        else { return node }
        return graph.leaf(use: Int(narrow.replacement), column: leaf.column)
    }

    /// Reads a column and returns its node.
    mutating func resolve(_ path: ColumnPath, in scope: Int, _ certainty: Certainty = .reads) -> Node {
        guard let first = path.components.first else { return LineageGraph.none }
        if path.components.count == 1 { addUnqualified(first) }
        var current = scope
        var certainty = certainty
        var openNodes: [Node] = []
        while current >= 0, current < scopes.count {
            if let node = resolveQualified(path, in: current, certainty) {
                return graph.union([node] + openNodes)
            }
            if let node = resolveUnqualified(path, in: current, certainty) {
                return graph.union([node] + openNodes)
            }
            if let node = scopes[current].aliases[first] { return graph.union([node] + openNodes) }
            if scopes[current].localNames.contains(first) { return graph.union(openNodes) }
            if path.components.count == 1, let node = wholeRow(first, in: current, path) {
                return graph.union([node] + openNodes)
            }
            if scopes[current].isOpen {
                openNodes.append(openReads(first, in: current, at: path.offset))
                if certainty == .reads { certainty = .mayRead(.openRelation) }
            }
            current = scopes[current].parent
        }
        if openNodes.isEmpty || path.components.count > 1 {
            if !path.isSoftKeyword || path.components.count > 1 {
                for component in path.components.prefix(4) { unresolved.append((component, path.offset)) }
                mention(path)
            }
        }
        return graph.union(openNodes)
    }

    /// Adds a name that another relation of the statement can have.
    mutating func addUnqualified(_ name: UInt32) {
        if catalog.columnNames.contains(name) { unqualifiedNames.insert(name) }
    }

    /// Reads a table that a name outside of FROM clauses names.
    private mutating func mention(_ path: ColumnPath) {
        for count in stride(from: min(path.components.count, 3), through: 1, by: -1)
        where catalog.isNamed(path.components[count - 1]) {
            for table in catalog.tables(named: Array(path.components.prefix(count))).prefix(8) {
                let use = addUse(table, at: path.offset, .mayRead(.unresolved))
                let column = count < path.components.count ? path.components[count] : 0
                record(use: Int32(use), column: column, at: path.offset, .mayRead(.unresolved))
            }
            return
        }
    }

    // MARK: Qualified names

    private mutating func resolveQualified(_ path: ColumnPath, in scope: Int, _ certainty: Certainty) -> Node? {
        let components = path.components
        let count = path.endsWithStar ? components.count : components.count - 1
        guard count >= 1 else { return nil }
        var isUncertain: Node?
        for qualifier in 1...min(count, 4) {
            for index in scopes[scope].items(named: components[qualifier - 1]) {
                let item = scopes[scope].items[index]
                guard matches(components.prefix(qualifier), item) else { continue }
                guard qualifier < components.count else {
                    return readWhole(item.relation, at: path.offset)
                }
                let column = components[qualifier]
                if let found = node(of: column, in: item) {
                    read(found, members: components.dropFirst(qualifier + 1), path, certainty)
                    return found.node
                }
                if let node = unknownColumn(column, of: item, path, certainty) { isUncertain = node }
            }
        }
        if let isUncertain {
            // `a.b` can be the member `b` of a column `a`.
            if let node = resolveUnqualified(path, in: scope, certainty) { return graph.union([node, isUncertain]) }
            return isUncertain
        }
        return nil
    }

    private func matches(_ components: ArraySlice<UInt32>, _ item: Scope.Item) -> Bool {
        guard components.count > 1 else { return true }
        return zip(components.reversed(), item.path.reversed()).allSatisfy { $1 == nil || $0 == $1 }
    }

    /// Reads a column that a relation is not known to have.
    private mutating func unknownColumn(
        _ column: UInt32, of item: Scope.Item, _ path: ColumnPath, _ certainty: Certainty
    ) -> Node? {
        switch relations[item.relation].kind {
        case .table(let use, let table):
            let isKnown = !catalog.columnSymbols[table].isEmpty
            record(
                use: Int32(use), column: column, at: path.offset, isKnown ? .mayRead(.unknownColumn) : certainty)
            return graph.leaf(use: use, column: column)
        case .derived:
            guard relations[item.relation].isOpen else {
                unresolved.append((column, path.offset))
                return LineageGraph.none
            }
            let node = relations[item.relation].openNode
            if node != LineageGraph.none { openNames.append((column, node, path.offset)) }
            return node
        }
    }

    // MARK: Unqualified names

    private mutating func resolveUnqualified(_ path: ColumnPath, in scope: Int, _ certainty: Certainty) -> Node? {
        guard let name = path.components.first, !(path.endsWithStar && path.components.count == 0) else { return nil }
        var nodes: [Node] = []
        for index in candidates(name, in: scope) {
            guard let found = node(of: name, in: scopes[scope].items[index]) else { continue }
            read(found, members: path.components.dropFirst(), path, certainty)
            nodes.append(found.node)
        }
        if nodes.isEmpty { return nil }
        return graph.union(nodes)
    }

    /// Returns the items of the scope that can have the column.
    private mutating func candidates(_ name: UInt32, in scope: Int) -> [Int] {
        let items = scopes[scope].items
        guard items.count > 8 else { return Array(items.indices) }
        for position in scopes[scope].indexedCount..<items.count where budget >= 0 { index(position, in: scope) }
        scopes[scope].indexedCount = items.count
        return scopes[scope].itemsByColumn[name] ?? []
    }

    /// Adds the columns of an item to the scope's index. A table's columns are those of its first item.
    private mutating func index(_ position: Int, in scope: Int) {
        let relation = scopes[scope].items[position].relation
        switch relations[relation].kind {
        case .table(_, let table):
            guard scopes[scope].indexed.insert(table).inserted else { return }
            budget -= catalog.columnSymbols[table].count
            for column in catalog.columnSymbols[table] {
                scopes[scope].itemsByColumn[column, default: []].append(position)
            }
        case .derived:
            guard scopes[scope].indexed.insert(-1 - relation).inserted else { return }
            budget -= relations[relation].columns.count
            for column in relations[relation].columns where column.name != 0 {
                // A name that many relations have is ambiguous.
                if scopes[scope].itemsByColumn[column.name, default: []].count < 8 {
                    scopes[scope].itemsByColumn[column.name, default: []].append(position)
                }
            }
        }
    }

    private mutating func read(
        _ found: FoundColumn, members: ArraySlice<UInt32>, _ path: ColumnPath, _ certainty: Certainty
    ) {
        guard found.isDeferred else { return }
        var symbol: UInt32 = 0
        if !members.isEmpty || !path.members.isEmpty {
            let parts = members.map { names.name($0) } + path.members
            symbol = names.intern(parts.joined(separator: "\u{1F}"))
        }
        record(found.node, path: symbol, at: path.offset, certainty)
    }

    private mutating func wholeRow(_ name: UInt32, in scope: Int, _ path: ColumnPath) -> Node? {
        guard let index = scopes[scope].items(named: name).first else { return nil }
        let relation = scopes[scope].items[index].relation
        if !path.endsWithStar { consume(relation, at: path.offset, .wholeRow) }
        return wholeNode(relation)
    }

    private mutating func readWhole(_ relation: Int, at offset: UInt32) -> Node {
        consume(relation, at: offset)
        return wholeNode(relation)
    }

    /// Records a name that an open relation of the scope can have.
    @discardableResult
    mutating func openReads(_ name: UInt32, in scope: Int, at offset: UInt32) -> Node {
        if scopes[scope].openCount < scopes[scope].items.count {
            var sources = scopes[scope].openSources
            var nodes = [sources.node]
            for item in scopes[scope].items[scopes[scope].openCount...] where isOpenRelation(item.relation) {
                switch relations[item.relation].kind {
                case .table(let use, _): if sources.uses.count < 50 { sources.uses.append(Int32(use)) }
                case .derived: nodes.append(relations[item.relation].openNode)
                }
            }
            sources.node = graph.union(nodes)
            scopes[scope].openSources = sources
            scopes[scope].openCount = scopes[scope].items.count
        }
        let sources = scopes[scope].openSources
        for use in sources.uses { record(use: use, column: name, at: offset, .mayRead(.unknownColumn)) }
        if sources.node != LineageGraph.none { openNames.append((name, sources.node, offset)) }
        return graph.union([sources.node] + sources.uses.map { graph.leaf(use: Int($0), column: name) })
    }

    /// Records that an expression can read any column of the scopes.
    mutating func readAll(in scope: Int, at offset: UInt32, _ reason: Certainty.Reason) -> Node {
        var nodes: [Node] = []
        var current = scope
        while current >= 0, current < scopes.count {
            budget -= scopes[current].items.count
            guard budget >= 0 else { break }
            for item in scopes[current].items {
                consume(item.relation, at: offset, reason)
                nodes.append(wholeNode(item.relation))
            }
            current = scopes[current].parent
        }
        return graph.union(nodes)
    }
}
