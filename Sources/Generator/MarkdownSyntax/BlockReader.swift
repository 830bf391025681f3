import CCMark

extension MarkdownDocument {
    package init(_ source: SourceText) {
        self.source = source
        blocks = source.bytes.withUnsafeBufferPointer { bytes -> [Block] in
            guard let base = bytes.baseAddress, !bytes.isEmpty else { return [] }
            // libcmark's tree is freed before the rows of tables take memory.
            return TableReader(BlockReader(source, base).blocks, in: source, base).blocks
        }
    }
}

/// Builds the top-level blocks from libcmark's tree. A table is still a paragraph or a heading.
struct BlockReader {
    private let source: SourceText
    private let bytes: UnsafePointer<UInt8>
    private let lineStarts: [Int]
    private(set) var blocks: [Block] = []

    /// Reads a document. The pointer refers to the source's own bytes.
    init(_ source: SourceText, _ bytes: UnsafePointer<UInt8>) {
        self.source = source
        self.bytes = bytes
        lineStarts = source.lineStarts
        let tree = CommonMarkTree(blocksOf: source)
        var uncovered = source.frontMatterLines
        var node = tree.root.firstChild
        while let current = node {
            node = current.next
            let first = current.firstLine
            appendDefinitions(uncovered, first)
            let last = lastNonblankLine(of: current, before: node?.firstLine)
            append(content(of: current, first...last), first...last)
            uncovered = last + 1
        }
        appendDefinitions(uncovered, lineStarts.count)
    }

    private mutating func append(_ content: Block.Content, _ lines: ClosedRange<Int>) {
        blocks.append(Block(content: content, lines: lines, range: range(lines)))
    }

    private mutating func appendDefinitions(_ first: Int, _ end: Int) {
        for run in nonblankRuns(first, end) { append(.other(.linkReferences), run) }
    }

    private func content(of node: CommonMarkNode, _ lines: ClosedRange<Int>) -> Block.Content {
        switch node.type {
        case CMARK_NODE_HEADING: .heading(HeadingReader(source: source, bytes: bytes).heading(node, lines))
        case CMARK_NODE_LIST: .list
        case CMARK_NODE_CODE_BLOCK: .other(.code)
        case CMARK_NODE_HTML_BLOCK: .other(.html)
        case CMARK_NODE_BLOCK_QUOTE: .other(.quote)
        case CMARK_NODE_THEMATIC_BREAK: .other(.thematicBreak)
        default: .other(.paragraph)
        }
    }

    // MARK: Lines

    /// Returns the last line of a block that is not blank. libcmark's range includes the blank lines after a list or
    /// code, and the line after an underlined heading. It excludes the line that ends an HTML block.
    private func lastNonblankLine(of node: CommonMarkNode, before next: Int?) -> Int {
        let first = node.firstLine
        let limit = max(first, min(next ?? lineStarts.count, lineStarts.count) - 1)
        var last = min(max(first, node.lastLine), limit)
        if node.type == CMARK_NODE_HTML_BLOCK, node.lastLine < limit, !isBlank(node.lastLine + 1) {
            last = node.lastLine + 1
        }
        while last > first, isBlank(last) { last -= 1 }
        if node.type == CMARK_NODE_HEADING, last > first, !isUnderline(last) { last -= 1 }
        return last
    }

    private func nonblankRuns(_ first: Int, _ end: Int) -> [ClosedRange<Int>] {
        guard first < end else { return [] }
        var runs: [ClosedRange<Int>] = []
        var start: Int?
        for line in first..<end {
            if isBlank(line) {
                if let first = start { runs.append(first...line - 1) }
                start = nil
            } else if start == nil {
                start = line
            }
        }
        if let start { runs.append(start...end - 1) }
        return runs
    }

    private func isUnderline(_ line: Int) -> Bool {
        let text = startOfText(line)..<endOfText(line)
        return text.allSatisfy { bytes[$0] == 0x2D } || text.allSatisfy { bytes[$0] == 0x3D }
    }

    private func lineEnd(_ line: Int) -> Int { source.lineRange(line).upperBound }

    private func startOfText(_ line: Int) -> Int {
        var start = lineStarts[line]
        let end = lineEnd(line)
        while start < end, isSpaceOrTab(bytes[start]) { start += 1 }
        return start
    }

    private func endOfText(_ line: Int) -> Int {
        var end = lineEnd(line)
        let start = lineStarts[line]
        while end > start, isSpaceOrTab(bytes[end - 1]) { end -= 1 }
        return end
    }

    private func isBlank(_ line: Int) -> Bool { startOfText(line) == lineEnd(line) }

    private func range(_ lines: ClosedRange<Int>) -> Range<Int> {
        startOfText(lines.lowerBound)..<lineEnd(lines.upperBound)
    }
}
