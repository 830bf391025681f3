/// A table, a subquery or a common table expression in a FROM clause.
struct Relation {
    struct Column {
        /// The name's symbol; zero without a name.
        var name: UInt32
        var node: LineageGraph.Node
        /// A Boolean value that indicates whether a `*` passed the column on, so that no read is recorded yet.
        var isDeferred = false
    }

    enum Kind {
        /// A table of the catalog.
        case table(use: Int, table: Int)
        case derived
    }

    var kind: Kind
    var columns: [Column] = []
    /// The columns by name, if there are many.
    private var index: [UInt32: Int32]?
    /// A Boolean value that indicates whether the relation can have other columns.
    var isOpen = false
    /// The sources of the other columns.
    var openNode = LineageGraph.none
    /// The tables and columns that a `*` passes on.
    var starNode = LineageGraph.none

    init(kind: Kind = .derived) { self.kind = kind }

    static let unknown: Relation = {
        var relation = Relation()
        relation.isOpen = true
        return relation
    }()

    mutating func buildIndex() {
        guard columns.count > 8 else { return }
        var index: [UInt32: Int32] = [:]
        index.reserveCapacity(columns.count)
        for (position, column) in columns.enumerated() where index[column.name] == nil {
            index[column.name] = Int32(position)
        }
        self.index = index
    }

    func column(_ name: UInt32) -> Column? {
        guard name != 0 else { return nil }
        if let index { return index[name].map { columns[Int($0)] } }
        return columns.first { $0.name == name }
    }
}
