import MarkdownSyntax

/// Lines that look like rows of a table but are not.
extension FileParser {
    mutating func reportLostText(
        _ block: Block, _ isNotes: Bool, _ previous: Previous, _ above: Block?, in context: SectionBody.Context
    ) -> Found {
        let scans = source.scans(at: block.lines, skippingTags: true)
        guard !scans.isEmpty else {
            guard !isNotes, previous != .broken, let table = pastedTable(block, in: context) else { return .nothing }
            return report(table)
        }
        if reportHeading(among: scans, isText: true) { return .heading }
        guard !isNotes else { return .nothing }
        if previous != .broken, let table = pastedTable(block, in: context) { return report(table) }
        if let rows = rows(among: scans, previous, above, in: context) {
            return report(rows, previous, above, in: context)
        }
        for (line, scan) in scans where scan.hasListType && reportColumn(on: line, scan, isItem: false) {
            return .table
        }
        return .nothing
    }

    /// The lines of a paragraph, from the first line that reads like a table row. Nil if there is no such line.
    func rows(among scans: Scans, _ previous: Previous, _ above: Block?, in context: SectionBody.Context) -> Scans? {
        guard let first = scans.firstIndex(where: { $0.scan.separators > 0 || $0.scan.isDelimiter }) else { return nil }
        let rows = scans[first...].filter { $0.scan.separators > 0 || $0.scan.isDelimiter }
        let isTable =
            previous == .broken || (previous == .table && rows.contains { isRow($0.scan, below: above, in: context) })
            || rows.contains { $0.scan.beginsWithPipe || $0.scan.isDelimiter || $0.scan.tabs > 1 }
            || rows.count { $0.scan.pipes > 0 } > 1 || rows.count { $0.scan.widePipes > 0 } > 1
            || rows.count { $0.scan.tabs > 0 } > 1
            || rows.contains { readsLikeRow(cells(of: $0.scan), in: context) }
        return isTable ? Array(rows) : nil
    }

    /// Whether a line without a pipe at its start has as many cells as the table above, and a name in the first cell.
    func isRow(_ scan: LineScan, below block: Block?, in context: SectionBody.Context) -> Bool {
        guard case .table(let table)? = block?.content else { return false }
        let cells = cells(of: scan)
        guard cells.count == table.alignments.count, let first = cells.first else { return false }
        let name = Name(cell: first, range: 0..<0, in: source, file: file, allowsTitle: true).identifier
        return context == .type ? scan.pipes > 0 && !first.contains(" ") : name.isEmpty || Name.isIdentifier(name)
    }

    /// Whether a line's cells are headers, a column with its type, or a detail with its value.
    func readsLikeRow(_ cells: [String], in context: SectionBody.Context) -> Bool {
        guard cells.count > 1 else { return false }
        if isHeader(cells, in: context) { return true }
        if cells.count == 2, Details.Key(spelling: String(withoutBackticks(cells[0][...]))) != nil { return true }
        let name = Name(cell: cells[0], range: 0..<0, in: source, file: file).identifier
        return Name.isIdentifier(name)
            && cells.dropFirst().contains { cell in
                guard let parsed = try? TypeNotation.parse(String(withoutBackticks(cell[...]))) else { return false }
                return parsed.type.typeName == nil
            }
    }

    func isHeader(_ cells: [String], in context: SectionBody.Context) -> Bool {
        let known = cells.count { HeaderKind($0) != nil || HeaderKind(Confusable.folded($0)) != nil }
        return known > 1 || (context == .type && cells.count == 1 && known == 1)
    }

    /// The cells of a line, with any kind of separator.
    func cells(of scan: LineScan) -> [String] {
        guard scan.start < scan.end else { return [] }
        let text = source.string(scan.start..<scan.end)
        var cells = text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            switch scalar {
            case "|", "\u{FF5C}", "\u{FFE8}", "\u{2502}", "\u{2503}", "\u{2223}", "\u{A6}", "\t": true
            default: false
            }
        }.map { String(trimmedWide(Substring($0))) }
        if scan.beginsWithPipe, cells.count > 1, cells.first?.isEmpty == true { cells.removeFirst() }
        if cells.count > 1, cells.last?.isEmpty == true { cells.removeLast() }
        return cells
    }

    func trimmedWide(_ text: Substring) -> Substring {
        var scalars = text.unicodeScalars
        while let first = scalars.first, first == " " || ScalarNames.isInvisible(first) { scalars.removeFirst() }
        while let last = scalars.last, last == " " || ScalarNames.isInvisible(last) { scalars.removeLast() }
        return Substring(scalars)
    }

    func row(_ cells: [String]) -> String? {
        let text = cells.map { $0.isEmpty ? "| " : "| \($0) " }.joined() + "|"
        return text.unicodeScalars.count <= 160 ? text : nil
    }

    func delimiterRow(_ count: Int) -> String { String(repeating: "| --- ", count: min(count, 20)) + "|" }

    mutating func report(_ rows: Scans, _ previous: Previous, _ above: Block?, in context: SectionBody.Context) -> Found
    {
        let (line, scan) = rows[0]
        let header = cells(of: scan)
        let delimiter = rows.prefix(3).firstIndex { $0.scan.isDelimiter }
        let beginsTable = isHeader(header, in: context) && delimiter != 0
        if previous == .broken, !beginsTable { return .table }
        if previous == .table, !beginsTable, delimiter == nil {
            if case .table(let table)? = above?.content { lostTables.insert(table.header.line) }
            if scan.pipes > 0, scan.widePipes == 0, scan.invisible == nil, !scan.isEscaped {
                return lost(
                    line, scan, "this row has a blank line between it and its table, and defines nothing",
                    [
                        .help("remove the blank line above it", .deleteBlankLinesAbove),
                        .help("if it is text, write its pipes as code: `a | b`"),
                    ])
            }
        }
        if beginsTable, let problem = otherSeparator(scan), let table = tableOfOtherSigns(rows) {
            return lost(
                line, scan, problem,
                [writing(correctedTable(table), inPlaceOf: rows[0].line...rows[rows.count - 1].line)])
        }
        if let delimiter {
            let (delimiterLine, delimiterScan) = rows[delimiter]
            if delimiter == 0 {
                let count = cells(of: scan).count
                let example =
                    context == .type
                    ? ["value", "description"] : count == 2 ? ["column", "type"] : ["column", "type", "description"]
                return lost(
                    delimiterLine, delimiterScan, "the table has no header row above its row of hyphens",
                    [.help("write a line such as `\(row(example) ?? "")` above it, with as many cells")])
            }
            let headerScan = rows[delimiter - 1].scan
            let headerCells = cells(of: headerScan)
            if let problem = otherSeparator(headerScan) {
                return lost(rows[delimiter - 1].line, headerScan, problem, writing(row(headerCells)))
            }
            let text = source.string(delimiterScan.start..<delimiterScan.end)
            let dash = text.unicodeScalars.first { !"-=_|: \t+".unicodeScalars.contains($0) }
            let help = [
                Diagnostic.Note.help(
                    "write `\(delimiterRow(headerCells.count))` below the headers",
                    .replaceLine(delimiterRow(headerCells.count)))
            ]
            if let dash {
                return lost(
                    delimiterLine, delimiterScan,
                    "the row below the headers has \(ScalarNames.described(dash)), in place of a hyphen", help)
            }
            let count = cells(of: delimiterScan).count
            if count != headerCells.count {
                return lost(
                    delimiterLine, delimiterScan,
                    "the row below the headers has \(count) cell\(count == 1 ? "" : "s"), the headers are \(headerCells.count): this is not a table",
                    help)
            }
            return lost(
                delimiterLine, delimiterScan,
                "the row below the headers is not made of hyphens alone, or is indented: this is not a table", help)
        }
        if let problem = otherSeparator(scan) { return lost(line, scan, problem, writing(row(header))) }
        if rows.count > 1 || isHeader(header, in: context) {
            return lost(
                line, scan, "the table has no row of hyphens below its headers, and defines nothing",
                [
                    .help(
                        "write `\(delimiterRow(header.count))` below the headers",
                        .appendLine(delimiterRow(header.count)))
                ])
        }
        return lost(
            line, scan, "a line with pipes outside of a table defines nothing",
            [
                .help(
                    "put it below its table, without a blank line between; a table has a row of headers and a row `\(delimiterRow(header.count))`"
                ),
                .help("if it is text, write its pipes as code, or put it below a `###` heading"),
            ])
    }

    /// The cells of neighbouring lines, without rows of hyphens. Nil if other lines stand between them.
    private func tableOfOtherSigns(_ rows: Scans) -> [[String]]? {
        guard rows.count > 1, rows[rows.count - 1].line - rows[0].line == rows.count - 1 else { return nil }
        let table = rows.filter { !$0.scan.isDelimiter }.map { cells(of: $0.scan) }
        return table.count > 1 ? table : nil
    }

    /// What separates the cells of a line instead of pipes, as a sentence.
    func otherSeparator(_ scan: LineScan) -> String? {
        if scan.isEscaped { return "the backslash before its first pipe makes this line text, not a row of a table" }
        if scan.widePipes > 0 {
            let text = source.string(scan.start..<scan.end)
            let wide = text.unicodeScalars.first {
                ["\u{FF5C}", "\u{FFE8}", "\u{2502}", "\u{2503}", "\u{2223}", "\u{A6}"].contains($0)
            }
            return "the cells are parted by \(described(wide)), not by `|`: this is not a row of a table"
        }
        if scan.tabs > 0, scan.pipes == 0 {
            return "the cells are parted by tabs, not by `|`: this is not a row of a table"
        }
        if let invisible = scan.invisible {
            return
                "the row begins with \(described(source.string(invisible).unicodeScalars.first)): this is not a row of a table"
        }
        return nil
    }

    /// Advice to write a line anew, if it can be said how.
    private func writing(_ line: String?) -> [Diagnostic.Note] {
        line.map { [.help("write `\($0)`", .replaceLine($0))] } ?? []
    }

    mutating func lost(_ line: Int, _ scan: LineScan, _ message: String, _ help: [Diagnostic.Note]) -> Found {
        report(.brokenTable, message, at: scan.start..<max(scan.start, scan.end), notes: help)
        return .table
    }

    /// Reports a header if the line below it has hyphens but no pipes. CommonMark takes such a header for a heading.
    mutating func reportUnderlined(_ heading: Heading, _ block: Block, in context: SectionBody.Context) -> Found {
        guard
            let last = source.scans(
                at: block.lines.lowerBound...max(block.lines.lowerBound, block.lines.upperBound - 1)
            ).last
        else {
            return .nothing
        }
        let count = cells(of: last.scan).count
        return lost(
            last.line, last.scan, "the row below these headers has no pipes: this is a heading, not a table",
            [.help("write `\(delimiterRow(count))` below the headers", .replaceUnderline(delimiterRow(count)))])
    }

    /// Whether a heading is the header of a table. The line below it should be the table's row of hyphens.
    func isTableHeader(_ heading: Heading, _ block: Block) -> Bool {
        guard block.lines.count > 1, source.bytes[heading.range].contains(UInt8(ascii: "|")),
            let last = source.scans(at: block.lines.lowerBound...(block.lines.upperBound - 1)).last
        else { return false }
        return last.line == block.lines.upperBound - 1
            && (last.scan.beginsWithPipe || (last.scan.pipes > 0 && heading.code == nil))
    }

    /// Reports a line that is read as a row, if it was not meant as a row or was meant as a row with more cells.
    mutating func reportNoRow(_ row: Row, of table: Table) {
        guard let scan = source.scan(at: row.line) else { return }
        if scan.widePipes > 0 || scan.isEscaped {
            _ = lost(row.line, scan, otherSeparator(scan) ?? "", writing(self.row(cells(of: scan))))
        } else if scan.pipes > 0 {
            _ = lost(
                row.line, scan, "this row begins without a pipe, unlike its header",
                [
                    .help(
                        "put it behind the line above, or begin it with `|`",
                        .replaceLine("| " + source.string(scan.start..<scan.end)))
                ])
        } else if scan.marks > 1 || (scan.hasWideMark && scan.hasAnyBlankAfterMarks) {
            reportHeading(row.line, scan, level: max(2, scan.marks))
        } else {
            let place = Place(file: file, range: scan.start..<scan.start)
            let help =
                scan.tabs > 0
                ? writing(self.row(cells(of: scan)))
                : [
                    .help(
                        "if it is text, put an empty line above it; if it is a row, part its cells with `|`",
                        .insertLine("", before: place))
                ]
            _ = lost(row.line, scan, "a line without a pipe is read as a row of the table above", help)
        }
    }
}
