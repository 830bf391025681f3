/// The columns from which expressions are computed, as an acyclic graph.
///
/// An expression's node refers to the nodes of its operands, so a statement's graph is as large as the statement.
struct LineageGraph {
    typealias Node = Int32

    struct Leaf: Hashable {
        var use: Int32
        /// The column's symbol; zero for all columns.
        var column: UInt32
    }

    private enum Content {
        case leaf(Leaf)
        case union(Range<Int>)
    }

    /// The node without sources.
    static let none: Node = 0
    private var contents: [Content] = [.union(0..<0)]
    private var children: [Node] = []
    private var stamps: [Int32] = [0]
    private var stamp: Int32 = 0

    mutating func leaf(use: Int, column: UInt32) -> Node { add(.leaf(Leaf(use: Int32(use), column: column))) }

    mutating func union(_ nodes: [Node]) -> Node {
        let start = children.count
        var single: Node = Self.none
        for node in nodes where node != Self.none && node != single {
            children.append(node)
            single = node
        }
        switch children.count - start {
        case 0: return Self.none
        case 1:
            children.removeLast()
            return single
        default: return add(.union(start..<children.count))
        }
    }

    private mutating func add(_ content: Content) -> Node {
        contents.append(content)
        stamps.append(0)
        return Node(contents.count - 1)
    }

    /// The leaf; nil if the node has operands.
    func leaf(_ node: Node) -> Leaf? {
        if case .leaf(let leaf) = contents[Int(node)] { return leaf }
        return nil
    }

    /// Returns the leaves below a node. Returns nil if it visits more than `budget` nodes, which it reduces.
    mutating func leaves(_ node: Node, budget: inout Int) -> [Leaf]? {
        stamp += 1
        var result: [Leaf] = []
        var stack = [node]
        while let next = stack.popLast() {
            guard stamps[Int(next)] != stamp else { continue }
            stamps[Int(next)] = stamp
            budget -= 1
            if budget < 0 { return nil }
            switch contents[Int(next)] {
            case .leaf(let leaf): result.append(leaf)
            case .union(let range): stack.append(contentsOf: children[range])
            }
        }
        return result
    }
}
