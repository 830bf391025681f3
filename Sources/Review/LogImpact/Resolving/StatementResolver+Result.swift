extension StatementResolver {
    /// Returns the findings with names and places.
    mutating func result(_ range: Range<Int>, _ cursor: inout PlaceCursor) -> StatementReads {
        let start = offset(statementStart(range))
        var offsets: Set<UInt32> = [start]
        for read in reads { offsets.formUnion(read.offsets) }
        for use in uses { offsets.insert(use.offset) }
        let places = cursor.places(offsets)
        func place(_ offset: UInt32) -> SourcePlace { places[offset] ?? SourcePlace(line: 1, column: 1) }

        var result = StatementReads(place: place(start))
        result.target = target.map { $0.map { $0.map { names.name($0) } ?? "" } }
        result.unknownRelations = unknownRelations.values
            .map { $0.map { $0.map { names.name($0) } ?? "" }.joined(separator: ".") }.sorted()
        result.dependsOnAllColumns = dependsOnAllColumns
        if !unknownRelations.isEmpty {
            result.readsUnknownColumns = readsUnknownColumns
            result.unqualifiedNames = Set(unqualifiedNames.map { names.name($0).lowercased() })
        }
        result.uses = uses.map { use in
            TableUse(
                table: tableName(use), alias: use.alias == 0 ? nil : names.name(use.alias), place: place(use.offset),
                filters: use.filters.map { filter in
                    ColumnFilter(
                        column: use.table < 0
                            ? names.name(filter.column) : catalog.columnName(use.table, filter.column, names),
                        values: filter.values)
                }, certainty: use.certainty)
        }
        result.reads = reads.map { read in
            ColumnRead(
                use: Int(read.use), table: tableName(uses[Int(read.use)]), column: columnName(read.use, read.column),
                path: read.path == 0 ? [] : names.name(read.path).split(separator: "\u{1F}").map { String($0) },
                certainty: read.certainty, places: read.offsets.sorted().map(place))
        }
        result.reads.sort {
            ($0.places[0], $0.table ?? "", $0.column ?? "") < ($1.places[0], $1.table ?? "", $1.column ?? "")
        }
        addOutputs(to: &result, budget: 100_000 + 10 * range.count)
        return result
    }

    private func tableName(_ use: Use) -> String? { use.table < 0 ? nil : catalog.catalog.tables[use.table].name }

    private func columnName(_ use: Int32, _ column: UInt32) -> String? {
        guard column != 0 else { return nil }
        let table = uses[Int(use)].table
        return table < 0 ? names.name(column) : catalog.columnName(table, column, names)
    }

    private mutating func addOutputs(to result: inout StatementReads, budget: Int) {
        guard let root else { return }
        var budget = budget
        guard let columns = columnsForCopy(root) else {
            result.otherOutputSources = sources(wholeNode(root), &budget)
            return
        }
        for column in columns {
            result.outputs.append(
                OutputColumn(
                    name: column.name == 0 ? nil : names.name(column.name), sources: sources(column.node, &budget)))
        }
        if isOpenRelation(root) {
            result.otherOutputSources = sources(
                relations[root].openNode != LineageGraph.none ? relations[root].openNode : starNode(root), &budget)
        }
    }

    private mutating func sources(_ node: Node, _ budget: inout Int) -> [ColumnSource] {
        guard let leaves = graph.leaves(node, budget: &budget) else {
            // The graph is too large: every table of the statement is a source.
            let tables = Set(uses.prefix(1000).map { tableName($0) })
            return tables.map { ColumnSource(table: $0, column: nil) }
        }
        var seen: Set<ColumnSource> = []
        for leaf in leaves {
            seen.insert(ColumnSource(table: tableName(uses[Int(leaf.use)]), column: columnName(leaf.use, leaf.column)))
        }
        return seen.sorted { ($0.table ?? "", $0.column ?? "") < ($1.table ?? "", $1.column ?? "") }
    }
}

extension StatementReads {
    var isEmpty: Bool { reads.isEmpty && uses.isEmpty && outputs.isEmpty && target == nil && unknownRelations.isEmpty }

    /// Returns the statement with all certain reads made uncertain.
    func uncertain(_ reason: Certainty.Reason) -> StatementReads {
        var copy = self
        for index in copy.reads.indices where copy.reads[index].certainty == .reads {
            copy.reads[index].certainty = .mayRead(reason)
        }
        for index in copy.uses.indices where copy.uses[index].certainty == .reads {
            copy.uses[index].certainty = .mayRead(reason)
        }
        return copy
    }
}
