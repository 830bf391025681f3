import MarkdownSyntax

/// Lines that resemble rows of a table.
extension NearMissDetector {
    /// A near miss in a paragraph: a heading, a table, rows or a column.
    func findingInText(at position: Position) -> Finding {
        let block = position.block
        let scans = source.scans(at: block.lines, skippingTags: true)
        if !scans.isEmpty, let heading = heading(among: scans, isText: true) {
            return Finding(.heading(heading), .heading)
        }
        guard !position.isNotes else { return .none }
        if !position.isBelowBrokenTable, let table = PastedTable(block, in: position.context, source: source) {
            return Finding(.pastedTable(table), .table)
        }
        if let rows = rows(among: scans, at: position) { return finding(in: rows, at: position) }
        return columns(at: position)
    }

    /// The lines of a paragraph that read like rows. Nil if the paragraph is text.
    private func rows(among scans: Scans, at position: Position) -> Scans? {
        guard let first = scans.firstIndex(where: { $0.scan.separators > 0 || $0.scan.isDelimiter }) else { return nil }
        let rows = scans[first...].filter { $0.scan.separators > 0 || $0.scan.isDelimiter }
        let table = position.tableAbove
        let isTable =
            position.isBelowBrokenTable
            || (table != nil && rows.contains { isRow($0.scan, of: table, in: position.context) })
            || rows.contains { $0.scan.beginsWithPipe || $0.scan.isDelimiter || $0.scan.tabs > 1 }
            || rows.count { $0.scan.pipes > 0 } > 1 || rows.count { $0.scan.widePipes > 0 } > 1
            || rows.count { $0.scan.tabs > 0 } > 1
            || rows.contains { Self.readsLikeRow(cells(of: $0.scan), in: position.context) }
        return isTable ? Array(rows) : nil
    }

    private func finding(in rows: Scans, at position: Position) -> Finding {
        let scan = rows[0].scan
        let header = cells(of: scan)
        let delimiter = rows.prefix(3).firstIndex { $0.scan.isDelimiter }
        let beginsTable = Self.isHeader(header, in: position.context) && delimiter != 0
        if position.isBelowBrokenTable, !beginsTable { return .partOfBrokenTable }
        var table: BrokenTable
        let isBelowTable = position.tableAbove != nil && !beginsTable && delimiter == nil
        if isBelowTable, scan.pipes > 0, scan.widePipes == 0, scan.invisible == nil, !scan.isEscaped {
            table = BrokenTable(range: scan.range, flaw: .separatedRow)
        } else if beginsTable, let separator = separator(in: scan), let cells = adjacentRows(rows) {
            let lines = rows[0].line...rows[rows.count - 1].line
            table = BrokenTable(
                range: scan.range, flaw: .separator(separator, .table(cells, inPlaceOf: lines)))
        } else if let delimiter {
            table = brokenHeader(in: rows, delimiter, position.context)
        } else if let separator = separator(in: scan) {
            table = BrokenTable(range: scan.range, flaw: .separator(separator, .row(header)))
        } else {
            let isHeader = rows.count > 1 || Self.isHeader(header, in: position.context)
            table = BrokenTable(
                range: scan.range,
                flaw: isHeader ? .missingDelimiter(columns: header.count) : .strayRow(columns: header.count))
        }
        if isBelowTable { table.tableAbove = position.tableAbove?.header.line }
        return Finding(.table(table), .table)
    }

    /// The mistake in the headers of a table, or in the row of hyphens below them.
    private func brokenHeader(in rows: Scans, _ delimiter: Int, _ context: SectionContext) -> BrokenTable {
        let scan = rows[delimiter].scan
        guard delimiter > 0 else {
            return BrokenTable(
                range: scan.range,
                flaw: .missingHeader(columns: cells(of: scan).count, isEnumeration: context == .type))
        }
        let header = rows[delimiter - 1].scan
        let columns = cells(of: header)
        if let separator = separator(in: header) {
            return BrokenTable(range: header.range, flaw: .separator(separator, .row(columns)))
        }
        let text = source.string(scan.start..<scan.end)
        if let other = text.unicodeScalars.first(where: { !"-=_|: \t+".unicodeScalars.contains($0) }) {
            return BrokenTable(range: scan.range, flaw: .delimiterCharacter(other, columns: columns.count))
        }
        let count = cells(of: scan).count
        return BrokenTable(
            range: scan.range,
            flaw: count == columns.count
                ? .delimiterSpelling(columns: columns.count) : .delimiterCount(count, columns: columns.count))
    }

    /// The cells of neighbouring lines, without rows of hyphens. Nil if the lines are not adjacent.
    private func adjacentRows(_ rows: Scans) -> [[String]]? {
        guard rows.count > 1, rows[rows.count - 1].line - rows[0].line == rows.count - 1 else { return nil }
        // Below headers with tabs, a pipe is part of a cell.
        let isTabbed = rows[0].scan.tabs > 0 && rows[0].scan.pipes == 0 && rows[0].scan.widePipes == 0
        let table = rows.filter { !$0.scan.isDelimiter }.map { row in
            cells(of: row.scan, isTabbed: isTabbed).map { isTabbed ? PastedTable.unquoted($0) : $0 }
        }
        return table.count > 1 ? table : nil
    }

    /// A header that CommonMark reads as a heading, because the line below it has hyphens and no pipes.
    func headerReadAsHeading(_ block: Block) -> Finding {
        let lines = block.lines.lowerBound...max(block.lines.lowerBound, block.lines.upperBound - 1)
        guard let last = source.scans(at: lines).last else { return .none }
        let columns = cells(of: last.scan).count
        return Finding(
            .table(BrokenTable(range: last.scan.range, flaw: .delimiterWithoutPipes(columns: columns))), .table)
    }

    /// The near miss of a line that CommonMark reads as a row of the table above. The line is text, or the first half
    /// of the row is missing.
    func nearMiss(inSkippedRow line: Int, _ scan: LineScan) -> NearMiss {
        let flaw: BrokenTable.Flaw
        if scan.widePipes > 0 || scan.isEscaped, let separator = separator(in: scan) {
            flaw = .separator(separator, .row(cells(of: scan)))
        } else if scan.pipes > 0 {
            flaw = .rowWithoutFirstPipe
        } else if scan.marks > 1 || (scan.hasWideMark && scan.hasAnyBlankAfterMarks) {
            return .heading(heading(scan, on: line, level: max(2, scan.marks)))
        } else {
            flaw = .rowWithoutPipes(cells: scan.tabs > 0 ? cells(of: scan) : nil)
        }
        return .table(BrokenTable(range: scan.range, flaw: flaw))
    }

    // MARK: Cells

    /// The character that separates the cells of a line in place of pipes. Nil if pipes separate the cells.
    private func separator(in scan: LineScan) -> BrokenTable.CellSeparator? {
        if scan.isEscaped { return .escapedPipe }
        if scan.widePipes > 0 {
            let text = source.string(scan.start..<scan.end)
            return .lookalike(text.unicodeScalars.first { $0.resemblesPipe })
        }
        if scan.tabs > 0, scan.pipes == 0 { return .tab }
        if let invisible = scan.invisible { return .pipeAfter(source.string(invisible).unicodeScalars.first) }
        let line = source.lineRange(source.lineIndex(at: scan.start))
        return scan.beginsWithPipe && source.bytes[line.lowerBound..<scan.start].contains(0x3C) ? .pipeAfter("<") : nil
    }

    /// Returns whether a line without a pipe at its start has as many cells as a table, and a name in the first cell.
    func isRow(_ scan: LineScan, of table: Table?, in context: SectionContext) -> Bool {
        guard let table else { return false }
        let cells = cells(of: scan)
        guard cells.count == table.alignments.count, let first = cells.first else { return false }
        let name = Name.identifier(ofCell: first, allowsTitle: true)
        return context == .type ? scan.pipes > 0 && !first.contains(" ") : name.isEmpty || Name.isIdentifier(name)
    }

    /// Returns whether cells are headers, a column with its type, or a detail with its value.
    static func readsLikeRow(_ cells: [String], in context: SectionContext) -> Bool {
        guard cells.count > 1 else { return false }
        if isHeader(cells, in: context) { return true }
        if cells.count == 2, Details.Key(spelling: String(withoutBackticks(cells[0][...]))) != nil { return true }
        return Name.isIdentifier(Name.identifier(ofCell: cells[0]))
            && cells.dropFirst().contains { cell in
                guard let parsed = try? TypeNotation.parse(String(withoutBackticks(cell[...]))) else { return false }
                return parsed.type.typeName == nil
            }
    }

    static func isHeader(_ cells: [String], in context: SectionContext) -> Bool {
        let known = cells.count { HeaderKind($0) != nil }
        return known > 1 || (context == .type && cells.count == 1 && known == 1)
    }

    /// The cells of a line, with any separator.
    /// - Parameter isTabbed: whether only tabs separate cells.
    func cells(of scan: LineScan, isTabbed: Bool = false) -> [String] {
        guard scan.start < scan.end else { return [] }
        let text = source.string(scan.start..<scan.end)
        var cells = text.unicodeScalars.split(omittingEmptySubsequences: false) {
            $0 == "\t" || (!isTabbed && ($0 == "|" || $0.resemblesPipe))
        }.map { String(Substring($0).trimmingInvisible()) }
        if scan.beginsWithPipe, !isTabbed, cells.count > 1, cells.first?.isEmpty == true { cells.removeFirst() }
        if cells.count > 1, cells.last?.isEmpty == true { cells.removeLast() }
        return cells
    }
}

extension Unicode.Scalar {
    fileprivate var resemblesPipe: Bool {
        switch self {
        case "\u{FF5C}", "\u{FFE8}", "\u{2502}", "\u{2503}", "\u{2223}", "\u{A6}": true
        default: false
        }
    }
}

extension LineScan {
    /// The line's text without the blanks around it.
    var range: Range<Int> { start..<max(start, end) }
}

extension Substring {
    /// The string without spaces and invisible characters at its ends.
    func trimmingInvisible() -> Substring {
        var scalars = unicodeScalars
        while let first = scalars.first, first == " " || ScalarNames.isInvisible(first) { scalars.removeFirst() }
        while let last = scalars.last, last == " " || ScalarNames.isInvisible(last) { scalars.removeLast() }
        return Substring(scalars)
    }
}
