/// Parses a line as a table row, as in GFM §4.10. Where the specification is open, the parser follows cmark-gfm.
extension LineCursor {
    /// cmark-gfm counts columns in 16 bits; a line with more cells is not a row.
    static let maximumColumns = 65_535

    /// The columns' alignments; nil if the line is not a delimiter row.
    var delimiterRow: [Table.Alignment]? {
        var index = firstNonspace
        let first = byte(index)
        guard first == 0x7C || first == 0x3A || first == 0x2D || isWhitespace(first) else { return nil }
        var alignments: [Table.Alignment] = []
        if first == 0x7C { index += 1 }
        while true {
            while index < end, isWhitespace(bytes[index]) { index += 1 }
            // A colon counts only at the end of a cell. Only spaces and tabs are trimmed from a cell.
            let isLeft = byte(index) == 0x3A && !(alignments.isEmpty && first != 0x7C && index > firstNonspace)
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

    /// Parses the line as a row, from `start` on. Returns nil if it has no cells or too many.
    func row(line: Int, from start: Int, columns: Int) -> Row? {
        var cells: [Cell] = []
        cells.reserveCapacity(min(columns, (end - start) / 2 + 1, 16))
        var excess: Range<Int>?
        var count = 0
        var index = start
        if byte(index) == 0x7C {
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
        return count == 0 ? nil : Row(line: line, cells: cells, excess: excess)
    }
}
