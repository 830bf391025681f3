import CCMark

/// Finds the tables in the paragraphs of libcmark (GFM §4.10). Where the specification is open, the reader follows
/// cmark-gfm.
///
/// CommonMark has no tables. libcmark reads a table as a paragraph, or as a heading if an underline follows. So a table
/// is a line of such a block with a row of hyphens below it, and its rows are the lines below. A paragraph continues
/// with a few lines that end a table in GFM.
struct TableReader {
    /// cmark-gfm counts columns in 16 bits; a line with more cells is not a row.
    private static let maximumColumns = 65_535

    private let source: SourceText
    private let bytes: UnsafePointer<UInt8>
    private(set) var blocks: [Block] = []

    /// Reads the tables in blocks. The pointer refers to the source's own bytes.
    init(_ blocks: [Block], in source: SourceText, _ bytes: UnsafePointer<UInt8>) {
        self.source = source
        self.bytes = bytes
        self.blocks.reserveCapacity(blocks.count)
        for block in blocks {
            switch block.content {
            case .other(.paragraph) where block.lines.count > 1: read(block, upTo: block.lines.upperBound)
            case .heading where block.lines.count > 2: read(block, upTo: block.lines.upperBound - 1)
            default: self.blocks.append(block)
            }
        }
    }

    /// - Parameter last: the last line that may be a row. In a heading, the underline is below it.
    private mutating func read(_ block: Block, upTo last: Int) {
        let end = block.lines.upperBound
        var start = block.lines.lowerBound
        var delimiter = start + 1
        while delimiter <= last, !isTooWide(line(delimiter - 1)) {
            guard let table = table(delimiter, upTo: last) else {
                delimiter += 1
                continue
            }
            append(.other(.paragraph), start, delimiter - 2)
            append(.table(table), delimiter - 1, delimiter + table.rows.count)
            start = delimiter + table.rows.count + 1
            guard start <= end else { return }
            switch start <= last ? tableEnd(line(start)) : .thematicBreak {
            case .code?:
                let first = start
                while start <= last, line(start).isIndentedCode { start += 1 }
                append(.other(.code), first, start - 1)
            case let kind?: return append(.other(kind), start, end)
            // A pipe alone.
            case nil: break
            }
            delimiter = start + 1
        }
        if start == block.lines.lowerBound {
            blocks.append(block)
        } else {
            append(.other(.paragraph), start, end)
        }
    }

    private mutating func append(_ content: Block.Content, _ first: Int, _ last: Int) {
        guard first <= last else { return }
        let range = line(first).text.lowerBound..<source.lineRange(last).upperBound
        blocks.append(Block(content: content, lines: first...last, range: range))
    }

    private func table(_ delimiter: Int, upTo last: Int) -> Table? {
        guard let alignments = alignments(line(delimiter)),
            let header = row(line(delimiter - 1), columns: alignments.count),
            header.excess == nil, header.cells.count == alignments.count
        else { return nil }
        var rows: [Row] = []
        while delimiter + rows.count < last {
            let line = line(delimiter + rows.count + 1)
            guard tableEnd(line) == nil, let row = row(line, columns: alignments.count) else { break }
            rows.append(row)
        }
        return Table(alignments: alignments, header: header, rows: rows)
    }

    // MARK: Lines

    private struct Line {
        var number: Int
        /// The line without its indentation and its line ending.
        var text: Range<Int>
        var isIndentedCode: Bool
    }

    private func line(_ number: Int) -> Line {
        let range = source.lineRange(number)
        var (start, isIndented) = (range.lowerBound, false)
        while start < range.upperBound, isSpaceOrTab(bytes[start]) {
            if bytes[start] == 0x09 { isIndented = true }
            start += 1
        }
        return Line(
            number: number, text: start..<range.upperBound, isIndentedCode: isIndented || start - range.lowerBound > 3)
    }

    /// Returns the kind of block that a line begins at the end of a table; nil if it does not end the table. libcmark
    /// decides about lines that begin like other blocks.
    private func tableEnd(_ line: Line) -> Block.Kind? {
        if line.isIndentedCode { return .code }
        switch line.text.isEmpty ? 0 : bytes[line.text.lowerBound] {
        case 0x2A, 0x2B, 0x2D, 0x30...0x39, 0x3C: break
        default: return nil
        }
        let text = UnsafeBufferPointer(start: bytes + line.text.lowerBound, count: line.text.count)
        switch CommonMarkTree(parsing: Array(text)).root.firstChild?.type {
        case CMARK_NODE_HTML_BLOCK: return .html
        // The marker of an item that cannot interrupt a paragraph: it is empty, or its number is not 1.
        case CMARK_NODE_LIST: return .paragraph
        default: return nil
        }
    }

    /// Returns whether a line has too many cells. In a paragraph with such a line, cmark-gfm finds no header.
    private func isTooWide(_ line: Line) -> Bool {
        line.text.count >= Self.maximumColumns && row(line, columns: 0) == nil
    }

    private func alignments(_ line: Line) -> [Table.Alignment]? {
        let (start, end) = (line.text.lowerBound, line.text.upperBound)
        func byte(_ index: Int) -> UInt8 { index < end ? bytes[index] : 0x0A }
        var index = start
        let first = byte(index)
        guard first == 0x7C || first == 0x3A || first == 0x2D || isWhitespace(first), !line.isIndentedCode else {
            return nil
        }
        var alignments: [Table.Alignment] = []
        if first == 0x7C { index += 1 }
        while true {
            while index < end, isWhitespace(bytes[index]) { index += 1 }
            // A colon counts only at the end of a cell. Only spaces and tabs are trimmed from a cell.
            let isLeft = byte(index) == 0x3A && !(alignments.isEmpty && first != 0x7C && index > start)
            if byte(index) == 0x3A { index += 1 }
            guard byte(index) == 0x2D else { return nil }
            while byte(index) == 0x2D { index += 1 }
            let hasColon = byte(index) == 0x3A
            if hasColon { index += 1 }
            let contentEnd = index
            while index < end, isWhitespace(bytes[index]) { index += 1 }
            let isRight = hasColon && (contentEnd..<index).allSatisfy { isSpaceOrTab(bytes[$0]) }
            guard alignments.count < Self.maximumColumns else { return nil }
            alignments.append(isLeft ? (isRight ? .center : .left) : (isRight ? .right : .none))
            if index >= end { return alignments }
            guard bytes[index] == 0x7C else { return nil }
            index += 1
            var rest = index
            while rest < end, isWhitespace(bytes[rest]) { rest += 1 }
            if rest >= end { return alignments }
        }
    }

    private func row(_ line: Line, columns: Int) -> Row? {
        let end = line.text.upperBound
        var index = line.text.lowerBound
        var cells: [Cell] = []
        cells.reserveCapacity(min(columns, (end - index) / 2 + 1, 16))
        var excess: Range<Int>?
        var count = 0
        if index < end, bytes[index] == 0x7C {
            index += 1
            while index < end, isWhitespace(bytes[index]) { index += 1 }
        }
        while index < end {
            var cellStart = index
            var hasEscapedPipe = false
            var previous: UInt8 = 0
            while index < end {
                let byte = bytes[index]
                if byte == 0x7C {
                    guard previous == 0x5C else { break }
                    hasEscapedPipe = true
                }
                previous = byte
                index += 1
            }
            var cellEnd = index
            while cellEnd > cellStart, isSpaceOrTab(bytes[cellEnd - 1]) { cellEnd -= 1 }
            while cellStart < cellEnd, isSpaceOrTab(bytes[cellStart]) { cellStart += 1 }
            count += 1
            guard count <= Self.maximumColumns else { return nil }
            if count <= columns {
                cells.append(Cell(range: cellStart..<cellEnd, hasEscapedPipe: hasEscapedPipe))
            } else {
                excess = (excess?.lowerBound ?? cellStart)..<cellEnd
            }
            if index < end {
                index += 1
                while index < end, isWhitespace(bytes[index]) { index += 1 }
            }
        }
        return count == 0 ? nil : Row(line: line.number, cells: cells, excess: excess)
    }
}

@inline(__always)
func isSpaceOrTab(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// Returns whether a byte is a space, tab, vertical tab, form feed or line end.
@inline(__always)
func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }

@inline(__always)
package func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

@inline(__always)
package func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
