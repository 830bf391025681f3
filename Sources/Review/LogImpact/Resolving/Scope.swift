/// The names that the expressions of a query see.
struct Scope {
    struct Item {
        /// The alias, or the last component of the name.
        var alias: UInt32
        /// The components of the name, if there is no alias.
        var path: [UInt32?] = []
        /// The index of the relation.
        var relation: Int
        /// The uses that a condition of this scope narrows, with their replacements.
        var narrowed: [(use: Int32, replacement: Int32)] = []
    }

    /// The index of the enclosing scope; -1 for none.
    var parent: Int
    private(set) var items: [Item] = []
    private var itemsByAlias: [UInt32: [Int]] = [:]
    /// The aliases of the select list.
    var aliases: [UInt32: LineageGraph.Node] = [:]
    /// The names of the `WINDOW` clause and of parameters of lambda expressions. They are not columns.
    var localNames: Set<UInt32> = []
    /// A Boolean value that indicates whether a relation has unknown columns.
    var isOpen = false
    /// The items with a column, if there are many items.
    var itemsByColumn: [UInt32: [Int]] = [:]
    /// The number of items in `itemsByColumn`, and the tables and relations among them.
    var indexedCount = 0
    var indexed: Set<Int> = []
    /// The sources of the columns that the first `openCount` items can have in addition to the known ones.
    var openSources: (node: LineageGraph.Node, uses: [Int32]) = (LineageGraph.none, [])
    var openCount = 0

    init(parent: Int) { self.parent = parent }

    mutating func add(_ item: Item) {
        if items.count >= 8 {
            if itemsByAlias.isEmpty {
                for (index, item) in items.enumerated() { itemsByAlias[item.alias, default: []].append(index) }
            }
            // More than eight items with the same alias are an error in every dialect.
            if itemsByAlias[item.alias, default: []].count < 8 {
                itemsByAlias[item.alias, default: []].append(items.count)
            }
        }
        items.append(item)
    }

    mutating func narrow(_ item: Int, _ use: Int32, to replacement: Int32) {
        items[item].narrowed.append((use, replacement))
    }

    func items(named alias: UInt32) -> [Int] {
        guard alias != 0 else { return [] }
        if !itemsByAlias.isEmpty { return itemsByAlias[alias] ?? [] }
        return items.indices.filter { items[$0].alias == alias }
    }
}
