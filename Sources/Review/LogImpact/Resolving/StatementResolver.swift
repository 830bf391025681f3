/// Finds the columns that one statement reads.
///
/// The resolver reads tokens once, without a syntax tree: a query's FROM clause first, then its expressions.
struct StatementResolver {
    typealias Node = LineageGraph.Node

    /// The nesting of queries. Deeper ones are not resolved: their names may read any table of the statement.
    static let maximumDepth = 80
    /// The bytes of stack that nested queries use. Threads of Apple's systems have 512 KB; debug builds need most.
    private static let maximumStack: UInt = 320 * 1024
    private var stackBase: UInt = 0

    let bytes: [UInt8]
    let tokens: [SQLToken]
    let partners: [Int32]
    let catalog: CatalogIndex
    let names: NameStore
    /// The Jinja variables of the input.
    let variables: TemplateVariables
    /// The table that `this` names.
    let model: [UInt32]

    var graph = LineageGraph()
    var relations: [Relation] = []
    var scopes: [Scope] = []
    var commonTables: [UInt32: [Int]] = [:]
    var commonTableLog: [UInt32] = []
    /// The relation of the recursive query that is resolved next.
    var pendingRecursion: (relation: Int, columns: [UInt32])?

    var uses: [Use] = []
    var reads: [Read] = []
    private var readIndex: [ReadKey: Int] = [:]
    /// The names that no scope contains, with their offsets.
    var unresolved: [(symbol: UInt32, offset: UInt32)] = []
    /// The names that open relations can have.
    var openNames: [(symbol: UInt32, node: Node, offset: UInt32)] = []
    var unknownRelations: [UInt32: [UInt32?]] = [:]
    /// A Boolean value that indicates whether the result depends on all columns of a relation with unknown columns.
    var readsUnknownColumns = false
    /// A Boolean value that indicates whether rows or values depend on all columns of a relation.
    var dependsOnAllColumns = false
    /// The names without a qualifier that are columns of the catalog.
    var unqualifiedNames: Set<UInt32> = []
    var target: [UInt32?]?
    var root: Int?
    /// A Boolean value that indicates whether the statement is a field of LookML, in which `${x}` is another field.
    var isField = false
    /// The remaining copies of columns and visits of the graph, so that the time is linear.
    var budget: Int
    /// The strings that contain statements.
    var embedded: [Range<Int>] = []
    /// A use without filters of each table, for names whose relation is not known.
    var unfilteredUses: [Int: Int32] = [:]

    struct Use {
        /// The table in the catalog; -1 for any.
        var table: Int
        var alias: UInt32
        var offset: UInt32
        var filters: [(column: UInt32, values: [String])] = []
        var isAmbiguous = false
        /// The certainty that the statement reads the table, whichever columns it reads.
        var certainty = Certainty.reads
    }

    struct Read {
        var use: Int32
        var column: UInt32
        var path: UInt32
        var certainty: Certainty
        var offsets: [UInt32]
    }

    private struct ReadKey: Hashable {
        var use: Int32
        var column: UInt32
        var path: UInt32
    }

    init(
        bytes: [UInt8], list: TokenList, catalog: CatalogIndex, names: NameStore, variables: TemplateVariables,
        model: [UInt32]
    ) {
        self.bytes = bytes
        tokens = list.tokens
        partners = list.partners
        self.catalog = catalog
        self.names = names
        self.variables = variables
        self.model = model
        budget = 0
    }

    /// Removes the findings of the previous statement.
    mutating func reset(tokenCount: Int) {
        graph = LineageGraph()
        relations.removeAll(keepingCapacity: true)
        scopes.removeAll(keepingCapacity: true)
        commonTables.removeAll(keepingCapacity: true)
        commonTableLog.removeAll(keepingCapacity: true)
        uses.removeAll(keepingCapacity: true)
        reads.removeAll(keepingCapacity: true)
        readIndex.removeAll(keepingCapacity: true)
        unresolved.removeAll(keepingCapacity: true)
        openNames.removeAll(keepingCapacity: true)
        unknownRelations.removeAll(keepingCapacity: true)
        embedded.removeAll(keepingCapacity: true)
        unfilteredUses.removeAll(keepingCapacity: true)
        readsUnknownColumns = false
        dependsOnAllColumns = false
        unqualifiedNames.removeAll(keepingCapacity: true)
        target = nil
        root = nil
        isField = false
        budget = 100_000 + 8 * tokenCount
        stackBase = Self.stackAddress()
    }

    /// Returns whether a query is nested too deeply for the limit or the stack.
    func isTooDeep(_ depth: Int) -> Bool {
        let address = Self.stackAddress()
        return depth >= Self.maximumDepth || max(stackBase, address) - min(stackBase, address) > Self.maximumStack
    }

    @inline(never)
    private static func stackAddress() -> UInt {
        var marker: UInt8 = 0
        return withUnsafePointer(to: &marker) { UInt(bitPattern: $0) }
    }

    // MARK: Tokens

    func word(_ index: Int, _ end: Int) -> Word { index < end ? tokens[index].word : .none }

    func isOpen(_ index: Int, _ end: Int, _ mark: SQLToken.Mark = .parenthesis) -> Bool {
        index < end && tokens[index].isOpen(mark)
    }

    func isMark(_ index: Int, _ end: Int, _ mark: SQLToken.Mark) -> Bool {
        index >= 0 && index < end && tokens[index].isMark(mark)
    }

    func isName(_ index: Int, _ end: Int) -> Bool { index < end && tokens[index].isName }

    /// Returns the index of the closing bracket, `end` at most.
    func partner(_ index: Int, _ end: Int) -> Int { max(index, min(Int(partners[index]), end)) }

    /// Returns the index after the token, or after its closing bracket.
    func next(_ index: Int, _ end: Int) -> Int {
        tokens[index].kind == .open ? min(partner(index, end) + 1, end) : index + 1
    }

    func skipBlocks(_ index: Int, _ end: Int) -> Int {
        var index = index
        while index < end, tokens[index].kind == .block { index += 1 }
        return index
    }

    /// Returns whether a query begins at the token.
    func startsQuery(_ index: Int, _ end: Int) -> Bool {
        let index = skipBlocks(index, end)
        switch word(index, end) {
        case .select: return true
        case .with: return isName(index + 1, end)
        case .from, .table: return index + 1 < end && !isMark(index + 1, end, .comma)
        case .values: return isOpen(index + 1, end)
        default: return false
        }
    }

    func offset(_ index: Int) -> UInt32 { tokens[min(index, tokens.count - 1)].start }

    // MARK: Findings

    mutating func addUse(
        _ table: Int, alias: UInt32 = 0, at offset: UInt32, _ certainty: Certainty = .reads
    ) -> Int {
        uses.append(Use(table: table, alias: alias, offset: offset, certainty: certainty))
        return uses.count - 1
    }

    mutating func record(
        use: Int32, column: UInt32, path: UInt32 = 0, at offset: UInt32, _ certainty: Certainty = .reads,
        keepsPlace: Bool = false
    ) {
        var certainty = certainty
        if certainty == .reads, uses[Int(use)].isAmbiguous { certainty = .mayRead(.ambiguousTable) }
        if certainty == .reads, uses[Int(use)].table < 0 { certainty = .mayRead(.dynamicName) }
        let key = ReadKey(use: use, column: column, path: path)
        if let index = readIndex[key] {
            if certainty.rank > reads[index].certainty.rank { reads[index].certainty = certainty }
            if !keepsPlace, reads[index].offsets.last != offset { reads[index].offsets.append(offset) }
        } else {
            readIndex[key] = reads.count
            reads.append(Read(use: use, column: column, path: path, certainty: certainty, offsets: [offset]))
        }
    }

    /// Records a read of each leaf below the node.
    ///
    /// - Parameter keepsPlace: Whether a known read keeps its places and changes only its certainty.
    mutating func record(
        _ node: Node, path: UInt32 = 0, at offset: UInt32, _ certainty: Certainty = .reads, keepsPlace: Bool = false
    ) {
        guard node != LineageGraph.none else { return }
        let leaves = graph.leaf(node).map { [$0] } ?? graph.leaves(node, budget: &budget)
        // A statement without budget may read all of its tables; see `finishNames`.
        guard let leaves else { return }
        for leaf in leaves {
            record(
                use: leaf.use, column: leaf.column, path: path, at: offset, certainty, keepsPlace: keepsPlace)
        }
    }

    mutating func addRelation(_ relation: Relation) -> Int {
        var relation = relation
        relation.buildIndex()
        relations.append(relation)
        return relations.count - 1
    }

    mutating func addScope(parent: Int) -> Int {
        scopes.append(Scope(parent: parent))
        return scopes.count - 1
    }

    /// Adds a relation to a scope.
    mutating func add(_ relation: Int, alias: UInt32, path: [UInt32?] = [], to scope: Int) {
        scopes[scope].add(Scope.Item(alias: alias, path: path, relation: relation))
        if isOpenRelation(relation) { scopes[scope].isOpen = true }
        if case .table(let use, _) = relations[relation].kind { uses[use].alias = alias }
    }

    func isOpenRelation(_ relation: Int) -> Bool {
        if case .table(_, let table) = relations[relation].kind { return catalog.columnSymbols[table].isEmpty }
        return relations[relation].isOpen
    }

    /// Returns a node for all columns of a relation.
    mutating func wholeNode(_ relation: Int) -> Node {
        switch relations[relation].kind {
        case .table(let use, _): return graph.leaf(use: use, column: 0)
        case .derived:
            budget -= relations[relation].columns.count
            if budget < 0 { return relations[relation].starNode }
            return graph.union(
                relations[relation].columns.map(\.node) + [relations[relation].openNode, relations[relation].starNode])
        }
    }

    /// Returns the tables and columns that a `*` of the relation passes on without a recorded read.
    mutating func starNode(_ relation: Int) -> Node {
        switch relations[relation].kind {
        case .table(let use, _): graph.leaf(use: use, column: 0)
        case .derived: relations[relation].starNode
        }
    }
}
