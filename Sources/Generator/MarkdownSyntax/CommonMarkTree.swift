import CCMark

/// A document's tree as parsed by libcmark. The tree is freed together with this value.
struct CommonMarkTree: ~Copyable {
    let root: CommonMarkNode

    init(parsing text: [UInt8]) {
        let parser = cmark_parser_new(CMARK_OPT_DEFAULT)
        Self.feed(text, to: parser)
        root = CommonMarkNode(cmark_parser_finish(parser))
        cmark_parser_free(parser)
    }

    /// Parses a document for its blocks and for the text of `#` headings. In all other lines, marks of emphasis and
    /// code are blanked: they do not affect blocks, and each of them would become a node of 144 bytes. Front matter is
    /// replaced with empty lines.
    init(blocksOf source: SourceText) {
        let parser = cmark_parser_new(CMARK_OPT_DEFAULT)
        source.bytes.withUnsafeBufferPointer { bytes in
            let frontMatterLines = source.frontMatterLines
            var piece = [UInt8](repeating: 0x0A, count: frontMatterLines)
            for line in source.lineStarts.indices.dropFirst(frontMatterLines) {
                let start = piece.count
                piece.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[source.wholeLineRange(line)]))
                Self.blankMarks(in: &piece, from: start)
                if piece.count >= 1 << 16 {
                    Self.feed(piece, to: parser)
                    piece.removeAll(keepingCapacity: true)
                }
            }
            Self.feed(piece, to: parser)
        }
        root = CommonMarkNode(cmark_parser_finish(parser))
        cmark_parser_free(parser)
    }

    private static func feed(_ text: [UInt8], to parser: OpaquePointer?) {
        text.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            // libcmark drops a byte order mark at the start of a piece. `SourceText` has already removed the mark of
            // the file, so another mark here is text. To keep that text, the first piece is only its first byte.
            let head = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 1 : 0
            cmark_parser_feed(parser, base, head)
            cmark_parser_feed(parser, base + head, buffer.count - head)
        }
    }

    /// Blanks the marks after the first letter or pipe of a line. A fence, a heading, a tag or a link reference
    /// definition before it leaves the line unchanged.
    private static func blankMarks(in text: inout [UInt8], from start: Int) {
        text.withUnsafeMutableBufferPointer { text in
            var index = start
            while index < text.count {
                switch text[index] {
                case 0x23, 0x3C, 0x5B, 0x60, 0x7E: return
                case 0x7C, 0x41...0x5A, 0x61...0x7A, 0x80...: break
                default:
                    index += 1
                    continue
                }
                break
            }
            while index < text.count {
                switch text[index] {
                case 0x21, 0x26, 0x2A, 0x5F, 0x60: text[index] = 0x61
                default: break
                }
                index += 1
            }
        }
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
    /// The last line as reported by libcmark. The block does not always end there: see `BlockReader`.
    var lastLine: Int { Int(cmark_node_get_end_line(pointer)) - 1 }
    /// The offset of the node's first byte in its first line, from 0.
    var firstByte: Int { Int(cmark_node_get_start_column(pointer)) - 1 }

    var headingLevel: Int { Int(cmark_node_get_heading_level(pointer)) }
    var literal: String { cmark_node_get_literal(pointer).map { String(cString: $0) } ?? "" }

    /// Calls `visit` for each descendant in document order, without recursion, because nesting is unlimited.
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
