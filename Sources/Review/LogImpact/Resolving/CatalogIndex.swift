/// The names of a catalog as symbols.
struct CatalogIndex {
    let catalog: Catalog
    /// The components of each table's name.
    let components: [[UInt32]]
    /// The index of each column by its symbol.
    let columns: [[UInt32: Int32]]
    /// The symbols of each table's columns, in order.
    let columnSymbols: [[UInt32]]
    /// The symbols of the columns of all tables.
    let columnNames: Set<UInt32>
    /// The columns that are named like reserved words.
    let reservedColumns: Set<UInt32>
    private let tablesByName: [UInt32: [Int]]

    init(_ catalog: Catalog, _ names: NameStore) {
        self.catalog = catalog
        var components: [[UInt32]] = []
        var columns: [[UInt32: Int32]] = []
        var columnSymbols: [[UInt32]] = []
        var tablesByName: [UInt32: [Int]] = [:]
        for (index, table) in catalog.tables.enumerated() {
            let path = table.name.split(separator: ".").map { names.intern(String($0)) }
            components.append(path)
            if let last = path.last { tablesByName[last, default: []].append(index) }
            let symbols = table.columns.map(names.intern)
            columnSymbols.append(symbols)
            columns.append(
                Dictionary(symbols.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first }))
        }
        columnNames = Set(columnSymbols.joined())
        reservedColumns = columnNames.filter { Word(rawValue: $0)?.isReserved ?? false }
        self.components = components
        self.columns = columns
        self.columnSymbols = columnSymbols
        self.tablesByName = tablesByName
    }

    /// Returns the tables with this name. The name's qualification and the table's agree as far as both have one.
    func tables(named path: [UInt32?]) -> [Int] {
        guard case let last?? = path.last, let candidates = tablesByName[last] else { return [] }
        let matching = candidates.filter { candidate in
            zip(path.reversed(), components[candidate].reversed()).allSatisfy { $0 == nil || $0 == $1 }
        }
        guard matching.count > 1 else { return matching }
        let exact = matching.filter { components[$0].count == path.count && zip(path, components[$0]).allSatisfy(==) }
        return exact.count == 1 ? exact : matching
    }

    /// Returns the tables whose last component has the prefix and the suffix, `limit` of them at most.
    func tables(prefix: String, suffix: String, _ names: NameStore, limit: Int) -> [Int] {
        var result: [Int] = []
        for (index, path) in components.enumerated() {
            guard let last = path.last, result.count <= limit else { continue }
            let name = names.name(last)
            let isShard = prefix.hasSuffix("_") && suffix.isEmpty && name == prefix.dropLast()
            // A computed prefix can be empty or an environment's: `{{ x }}_events`.
            let isPrefixed = prefix.isEmpty && suffix.hasPrefix("_") && name == suffix.dropFirst()
            if isShard || isPrefixed
                || name.count >= prefix.count + suffix.count && name.hasPrefix(prefix) && name.hasSuffix(suffix)
            {
                result.append(index)
            }
        }
        return result
    }

    func isNamed(_ symbol: UInt32) -> Bool { tablesByName[symbol] != nil }

    func hasColumn(_ table: Int, _ symbol: UInt32) -> Bool { columns[table][symbol] != nil }

    func columnName(_ table: Int, _ symbol: UInt32, _ names: NameStore) -> String {
        guard let index = columns[table][symbol] else { return names.name(symbol) }
        return catalog.tables[table].columns[Int(index)]
    }
}
