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

    /// Returns whether CommonMark reads a line as a row that its author did not mean: it has marks before its first
    /// pipe, or it has too few cells and no pipe, a character in place of a pipe, or the second half of a row.
    func isNoRow(_ row: Row, of table: Table) -> Bool {
        if let cell = row.cells.first?.range, bytes[cell].starts(with: "~~".utf8),
            bytes[cell].allSatisfy({ $0 == 0x7E })
        {
            return true
        }
        guard row.cells.count < table.alignments.count, let scan = scan(at: row.line) else { return false }
        if scan.widePipes > 0 || scan.isEscaped || scan.pipes == 0 { return true }
        return !scan.beginsWithPipe && bytes[lineRange(table.header.line)].first == UInt8(ascii: "|")
    }

    /// The cells that a code span would join, if a pipe in it did not end the first one. Nil without such cells: a run
    /// of backticks without a second one in its cell, and one of the same length in the next cell that has any.
    func splitCode(in row: Row) -> Range<Int>? {
        let line = lineRange(row.line)
        guard bytes[line].contains(0x60) else { return nil }
        var open: (start: Int, run: Int)?
        var start = line.lowerBound
        for index in line.lowerBound...line.upperBound
        where index == line.upperBound || bytes[index] == 0x7C && index > 0 && bytes[index - 1] != 0x5C {
            let cell = start..<index
            start = index + 1
            guard bytes[cell].contains(0x60) else { continue }
            let run = openCode(in: cell)
            if let run, let open, open.run == run { return open.start..<index }
            open = run.map { (cell.lowerBound, $0) }
        }
        return nil
    }

    /// Returns the length of the first run of backticks that begins no code span in its cell; nil without such a run.
    private func openCode(in cell: Range<Int>) -> Int? {
        var runs: [Int] = []
        var index = cell.lowerBound
        while index < cell.upperBound {
            let start = index
            while index < cell.upperBound, bytes[index] == 0x60 { index += 1 }
            if index > start { runs.append(index - start) } else { index += bytes[index] == 0x5C ? 2 : 1 }
        }
        var rest = runs[...]
        while let run = rest.first {
            guard let end = rest.dropFirst().firstIndex(of: run) else { return run }
            rest = rest[(end + 1)...]
        }
        return nil
    }

    func scan(at line: Int, isStripped: Bool = false) -> LineScan? {
        scan(in: lineRange(line), isStripped: isStripped)
    }

    func scan(in range: Range<Int>, isStripped: Bool = false) -> LineScan? {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { LineScan(range, in: $0, isStripped: isStripped) }
        }
    }

    func isBlankLine(_ line: Int) -> Bool { bytes[lineRange(line)].allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

extension Row {
    func cell(_ index: Int?) -> Cell? { index.flatMap { $0 < cells.count ? cells[$0] : nil } }

    func range(ofCell index: Int) -> Range<Int>? { cell(index)?.range }
}
