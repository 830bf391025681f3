import MarkdownSyntax

extension SourceText {
    /// Returns whether a row has only hyphens and colons, like the line below a header.
    func isDelimiter(_ row: Row) -> Bool {
        !row.cells.isEmpty
            && row.cells.allSatisfy { cell in
                let text = bytes[cell.range]
                return text.contains(0x2D) && text.allSatisfy { $0 == 0x2D || $0 == 0x3A }
            }
    }

    /// Returns true for a line that CommonMark reads as a row although its author did not mean a row. Such a line has
    /// too few cells. In addition, the line has no pipe, has another character in place of a pipe, or is the second
    /// half of a row.
    func isNoRow(_ row: Row, of table: Table) -> Bool {
        guard row.cells.count < table.alignments.count, let scan = scan(at: row.line) else { return false }
        if scan.widePipes > 0 || scan.isEscaped || scan.pipes == 0 { return true }
        return !scan.beginsWithPipe && bytes[lineRange(table.header.line)].first == UInt8(ascii: "|")
    }

    /// The scan of a line.
    func scan(at line: Int, skippingMarkers: Bool = false) -> LineScan? {
        scan(in: lineRange(line), skippingMarkers: skippingMarkers)
    }

    /// The scan of one line, or of the part of a line that a range covers.
    func scan(in range: Range<Int>, skippingMarkers: Bool = false, skippingTags: Bool = false) -> LineScan? {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map {
                LineScan(range, in: $0, skippingMarkers: skippingMarkers, skippingTags: skippingTags)
            }
        }
    }

    func isBlankLine(_ line: Int) -> Bool { bytes[lineRange(line)].allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

extension Row {
    /// The range of a cell. Nil if the row is too short.
    func range(ofCell index: Int) -> Range<Int>? { cells.indices.contains(index) ? cells[index].range : nil }
}
