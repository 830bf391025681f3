import CCMark

/// A document's tree as parsed by libcmark. The tree is freed together with this value.
struct CommonMarkTree: ~Copyable {
    let root: CommonMarkNode

    init(parsing text: [UInt8]) {
        let parser = cmark_parser_new(CMARK_OPT_DEFAULT)
        text.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            // libcmark drops a byte-order mark at the start of its first piece of input. `SourceText` has already
            // removed the mark of the file, so another mark here is text. To keep that text, the first piece is only
            // its first byte.
            let head = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 1 : 0
            cmark_parser_feed(parser, base, head)
            cmark_parser_feed(parser, base + head, buffer.count - head)
        }
        root = CommonMarkNode(cmark_parser_finish(parser))
        cmark_parser_free(parser)
    }

    deinit { cmark_node_free(root.pointer) }
}

/// A node of a tree. The tree must outlive the node.
struct CommonMarkNode: Equatable {
    let pointer: OpaquePointer?

    fileprivate init(_ pointer: OpaquePointer?) { self.pointer = pointer }

    private init?(existing pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    var type: cmark_node_type { cmark_node_get_type(pointer) }
    var firstChild: CommonMarkNode? { CommonMarkNode(existing: cmark_node_first_child(pointer)) }
    var next: CommonMarkNode? { CommonMarkNode(existing: cmark_node_next(pointer)) }
    var parent: CommonMarkNode? { CommonMarkNode(existing: cmark_node_parent(pointer)) }

    /// The node's first line, from 0.
    var firstLine: Int { Int(cmark_node_get_start_line(pointer)) - 1 }
    /// The last line as reported by libcmark. The block does not always end there: see `BlockAssembler`.
    var lastLine: Int { Int(cmark_node_get_end_line(pointer)) - 1 }
    /// The offset of the node's first byte in its first line, from 0.
    var firstByte: Int { Int(cmark_node_get_start_column(pointer)) - 1 }

    var headingLevel: Int { Int(cmark_node_get_heading_level(pointer)) }
    var isOrderedList: Bool { cmark_node_get_list_type(pointer) == CMARK_ORDERED_LIST }
    var literal: String { cmark_node_get_literal(pointer).map { String(cString: $0) } ?? "" }

    /// Calls `visit` for each node below this one, in document order. The iteration is not recursive, because nesting
    /// is unlimited.
    func forEachDescendant(_ visit: (CommonMarkNode) -> Void) {
        var node = firstChild
        while let current = node {
            visit(current)
            if let child = current.firstChild {
                node = child
                continue
            }
            var ancestor = current
            while ancestor.next == nil, let parent = ancestor.parent, parent != self { ancestor = parent }
            node = ancestor.next
        }
    }
}
