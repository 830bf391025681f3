import LogDefinitions

/// Finds the tables and columns that SQL statements read.
///
/// The reader accepts BigQuery, Snowflake, PostgreSQL, DuckDB, ClickHouse and Spark, with Jinja and LookML. It never
/// fails: a name that it cannot resolve may read every column with that name. Its time is linear in the input.
package struct SQLReader {
    private let catalog: CatalogIndex
    private let names = NameStore()

    package init(_ catalog: Catalog) {
        self.catalog = CatalogIndex(catalog, names)
    }

    /// Performs work with a reader for each index on all cores. A reader's table of names is not shared.
    ///
    /// - Parameter sizes: The bytes of SQL at each index.
    /// - Returns: The results in the order of the indices.
    static func inParallel<Result: Sendable>(
        _ catalog: Catalog, sizes: [Int], _ work: @escaping @Sendable (SQLReader, Int) -> Result
    ) async -> [Result] {
        // A reader indexes the catalog, so few of them share the work.
        let target = max(256 << 10, sizes.reduce(0, +) / 16)
        var ranges: [Range<Int>] = []
        var rangeSizes: [Int] = []
        var (start, size) = (0, 0)
        for (index, bytes) in sizes.enumerated() {
            size += bytes + 256
            guard size >= target || index == sizes.count - 1 else { continue }
            ranges.append(start..<(index + 1))
            rangeSizes.append(size)
            (start, size) = (index + 1, 0)
        }
        let (parts, partSizes) = (ranges, rangeSizes)
        return await LogDefinitions.inParallel(sizes: partSizes) { number in
            let reader = SQLReader(catalog)
            return parts[number].map { work(reader, $0) }
        }.flatMap { $0 }
    }

    /// Returns the statements of an input.
    ///
    /// - Parameters:
    ///   - bytes: SQL in UTF-8.
    ///   - model: The name of the table that `{{ this }}` or `${TABLE}` stands for.
    package func statements(in bytes: [UInt8], model: String? = nil) -> [StatementReads] {
        statements(in: bytes, model: model, views: [:])
    }

    package func statements(in sql: String, model: String? = nil) -> [StatementReads] {
        statements(in: Array(sql.utf8), model: model)
    }

    /// Returns the statements in a file of SQL, YAML, LookML or JSON. Their places are places in the file.
    package func statements(in bytes: [UInt8], kind: ConsumerKind, model: String? = nil) -> [StatementReads] {
        var mask = SQLMask(bytes)
        switch kind {
        case .sql: return statements(in: bytes, model: model)
        case .yaml: YAMLScanner.scan(&mask)
        case .lookML: LookMLScanner.scan(&mask)
        case .json: JSONStringScanner.scan(&mask)
        }
        return statements(in: mask.bytes, model: model, views: mask.views, expressions: mask.expressions)
    }

    private func statements(
        in bytes: [UInt8], model: String?, views: [String: [String]], expressions: [SQLMask.Expression] = []
    ) -> [StatementReads] {
        let model = model.map { $0.split(separator: ".").map { names.intern(String($0)) } } ?? []
        var context = InputContext(
            model: model, variables: TemplateVariables(views: views), expressions: expressions)
        let start = SQLMask.startsWithByteOrderMark(bytes) ? 3 : 0
        return statements(in: bytes, start..<bytes.count, &context, nesting: 0)
    }

    private struct InputContext {
        var model: [UInt32]
        var variables: TemplateVariables
        /// The ranges of the input that contain an SQL expression instead of statements, in ascending order.
        var expressions: [SQLMask.Expression]
    }

    private func statements(
        in bytes: [UInt8], _ range: Range<Int>, _ context: inout InputContext, nesting: Int
    ) -> [StatementReads] {
        let first = tokens(bytes, range, .backslash)
        guard first.isAmbiguous else { return resolve(bytes, first, &context, nesting: nesting) }
        let second = tokens(bytes, range, .standard)
        if first.isClean != second.isClean {
            return resolve(bytes, first.isClean ? first : second, &context, nesting: nesting)
        }
        let isEqual =
            first.tokens.count == second.tokens.count
            && zip(first.tokens, second.tokens).allSatisfy { $0.kind == $1.kind && $0.start == $1.start }
        let result = resolve(bytes, first, &context, nesting: nesting)
        return isEqual ? result : merge(result, resolve(bytes, second, &context, nesting: nesting))
    }

    private func tokens(_ bytes: [UInt8], _ range: Range<Int>, _ family: LexicalFamily) -> TokenList {
        SQLLexer.tokens(of: bytes, range: range, family: family, symbols: &names.table)
    }

    private func resolve(
        _ bytes: [UInt8], _ list: TokenList, _ context: inout InputContext, nesting: Int
    ) -> [StatementReads] {
        context.variables.read(list, bytes)
        var resolver = StatementResolver(
            bytes: bytes, list: list, catalog: catalog, names: names, variables: context.variables,
            model: context.model)
        var places = PlaceCursor(bytes)
        var result: [StatementReads] = []
        var embedded: [Range<Int>] = []
        var expressions = context.expressions[...]
        for range in list.statements {
            let start = Int(list.tokens[range.lowerBound].start)
            while let first = expressions.first, first.range.upperBound <= start { expressions.removeFirst() }
            if let expression = expressions.first, expression.range.lowerBound <= start {
                resolver.expressionStatement(range, table: expression.table)
            } else {
                resolver.statement(range)
            }
            embedded += resolver.embedded
            let statement = resolver.result(range, &places)
            if !statement.isEmpty { result.append(statement) }
        }
        guard nesting < 3 else { return result }
        for range in embedded {
            for statement in statements(in: bytes, range, &context, nesting: nesting + 1) {
                result.append(statement.uncertain(.dynamicStatement))
            }
        }
        return result
    }

    /// Adds the reads that only the second lexical family finds.
    private func merge(_ first: [StatementReads], _ second: [StatementReads]) -> [StatementReads] {
        struct Key: Hashable {
            var table: String?
            var column: String?
        }
        let known = Set(first.flatMap { $0.reads.map { Key(table: $0.table, column: $0.column) } })
        var result = first
        for statement in second {
            var rest = statement.uncertain(.ambiguousSyntax)
            rest.reads.removeAll { known.contains(Key(table: $0.table, column: $0.column)) }
            if !rest.reads.isEmpty { result.append(rest) }
        }
        return result
    }
}
