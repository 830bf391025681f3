import MarkdownSyntax

struct SectionSearch {
    let search: LostLineSearch
    let section: DocumentOutline.Section
    private var found: [LostLines] = []
    /// The headers of the last table above with a definition.
    private var headers: [HeaderKind?] = []
    /// The last line of a table, if only blank lines and rows that belong to it follow.
    private var tableEnd: Int?

    private var source: SourceText { search.source }
    private var context: SectionContext { section.context }

    init(search: LostLineSearch, section: DocumentOutline.Section) {
        (self.search, self.section) = (search, section)
    }

    mutating func run(_ skippedRows: Set<Int>) -> [LostLines] {
        for index in section.blocks.indices {
            let block = section.blocks[index]
            if case .table(let table) = block.content {
                if index < section.notesStart { read(table, index, skippedRows) }
                continue
            }
            guard !section.role(at: index).isDefinition, let container = LineContainer(of: block, in: source) else {
                tableEnd = nil
                continue
            }
            let count = found.count
            read(block, in: container, isNotes: index >= section.notesStart)
            if found.count == count, let name = search.name(aboveTableAt: index, of: section) { add(name) }
        }
        return withoutExplanations()
    }

    private mutating func read(_ table: Table, _ index: Int, _ skippedRows: Set<Int>) {
        for row in table.rows where skippedRows.contains(row.line) {
            if let scan = source.scan(at: row.line) { add(skipped(scan, on: row.line)) }
        }
        tableEnd = table.header.line + 1 + table.rows.count
        guard section.role(at: index).isDefinition else {
            headers = []
            return
        }
        headers = table.header.cells.map { HeaderKind($0.text(in: source)) }
    }

    /// The mistake in a line that CommonMark reads as a row of the table above.
    private func skipped(_ scan: LineScan, on line: Int) -> LostLine {
        if let heading = search.heading(scan, on: line, in: .text, isNotes: false, isType: false) { return heading }
        let cause =
            search.cause(ofRow: scan, on: line, in: .text)
            ?? (scan.pipes > 0
                ? "it begins without a pipe, unlike its header: it may be the second half of the row above"
                : "it has no pipe, and no empty line precedes it")
        return LostLine(
            line: line, range: scan.start..<scan.end,
            kind: .row(scan.separators > 0 ? search.cells(of: scan) : [], isDelimiter: false), cause: cause)
    }

    // MARK: Blocks

    private mutating func read(_ block: Block, in container: LineContainer, isNotes: Bool) {
        let lines = source.textLines(of: block).map { line, range in
            (line, range, scan: source.scan(in: range, isStripped: true).flatMap { $0.start < $0.end ? $0 : nil })
        }
        let scans = lines.compactMap(\.scan)
        var hasHeading = false
        var pasted: PastedCells?
        var isBelowText = false
        let hasClosedFences = scans.count(where: isFence).isMultiple(of: 2)
        var isInFence = false
        let isPiped = container.isText && !isNotes && hasTwoRows(scans)
        for (line, range, scan) in lines {
            guard let scan else {
                (pasted, isBelowText) = (nil, false)
                continue
            }
            if hasClosedFences, isFence(scan) { isInFence.toggle() }
            if isInFence { continue }
            let isType = context == .type && lines.count == 1
            if let heading = search.heading(scan, on: line, in: container, isNotes: isNotes, isType: isType) {
                add(heading)
                hasHeading = true
            }
            if hasHeading || isNotes { continue }
            var lost: LostLine?
            if pasted == nil, scan.separators == 0 || scan.tabs > 0, isAboveText(line, in: block) {
                pasted = PastedCells.separator(of: source.string(scan.start..<scan.end), in: context)
            }
            let isBelowTable = tableEnd.map { $0 + 1 == line } ?? false
            if let pasted {
                lost = self.pasted(scan, on: line, pasted, in: container)
            } else if let cells = cells(of: scan, isPiped: isPiped, in: container) {
                lost = row(scan, on: line, cells, in: container)
            } else if case .heading = block.content {
                lost = row(scan, on: line, [], in: container)
                lost?.kind = .row([], isDelimiter: true)
            } else if let detail = detail(scan, on: line) {
                lost = detail
            } else if let column = column(range, on: line, in: container), !column.isUncertain || !isBelowText {
                // A line directly below a table is a row that lost its form.
                lost =
                    isBelowTable && !column.isUncertain
                    ? row(scan, on: line, search.cells(of: scan), in: container) : column
            }
            isBelowText = lost == nil
            if lost == nil, let last = found.last, last.last.column != nil, last.last.end == line - 1,
                isNested(scan, below: last.last.line)
            {
                found[found.count - 1].lines[last.lines.count - 1].describe(
                    source.string(scan.start..<scan.end), on: line)
                continue
            }
            if let lost { add(lost) } else { tableEnd = nil }
        }
        if !isNotes, !hasHeading, container.isHTML { addHTMLTable(block) }
    }

    private mutating func add(_ line: LostLine) {
        let isNext: Bool =
            found.last.map { last in
                guard last.last.belongs(with: line) else { return false }
                let isHeader = line.cells.map { LostLineSearch.isHeader($0, in: context) } ?? false
                return !isHeader
                    && (last.last.end + 1..<max(last.last.end + 1, line.line)).allSatisfy { source.isBlankLine($0) }
            } ?? false
        if isNext { return found[found.count - 1].lines.append(line) }
        let surroundings = LostLines.Surroundings(
            context: context, tableAbove: tableEnd, hasColumns: section.firstColumnTable != nil,
            hasDetails: section.hasDetails)
        found.append(LostLines(lines: [line], surroundings: surroundings))
    }

    /// Removes the lines that begin with a column of the section's tables, because they explain that column.
    private func withoutExplanations() -> [LostLines] {
        guard found.contains(where: { $0.first.column != nil }) else { return found }
        var columns: Set<String> = []
        for index in section.blocks.indices {
            switch section.role(at: index) {
            case .columns(let table, let header), .events(let table, let header):
                guard let cell = header.kinds.firstIndex(of: .column) else { continue }
                for row in table.rows where row.cells.indices.contains(cell) {
                    columns.insert(Name.identifier(ofCell: row.cells[cell].text(in: source)))
                }
            default: break
            }
        }
        return found.compactMap { group in
            var group = group
            group.lines.removeAll { $0.column.map { columns.contains($0.name) } ?? false }
            return group.lines.isEmpty ? nil : group
        }
    }

    private func isAboveText(_ line: Int, in block: Block) -> Bool {
        line < block.lines.upperBound && !source.isBlankLine(line + 1)
    }

    /// Returns whether a line is indented more than another one, like a nested item.
    private func isNested(_ scan: LineScan, below line: Int) -> Bool {
        let indentations = [source.lineIndex(at: scan.start), line].map { line in
            source.bytes[source.lineRange(line)].prefix { $0 == 0x20 || $0 == 0x09 }.count
        }
        return indentations[0] > indentations[1]
    }

    // MARK: Fences in other blocks

    private func isFence(_ scan: LineScan) -> Bool {
        let text = source.bytes[scan.start..<scan.end]
        return text.starts(with: "```".utf8) || text.starts(with: "~~~".utf8)
    }

    // MARK: Rows

    private func hasTwoRows(_ scans: [LineScan]) -> Bool {
        [\LineScan.pipes, \.widePipes, \.tabs].contains { sign in scans.count { $0[keyPath: sign] > 0 } > 1 }
    }

    /// The cells of a line that reads like a row. Nil for other lines.
    private func cells(of scan: LineScan, isPiped: Bool, in container: LineContainer) -> [String]? {
        guard scan.separators > 0 || scan.isDelimiter || scan.beginsWithPipe else { return nil }
        let cells = search.cells(of: scan)
        if scan.beginsWithPipe || scan.isDelimiter || isPiped || (container.isText && scan.tabs > 1) { return cells }
        let fits = LostLineSearch.fits(cells, headers, isBelow: tableEnd != nil, isText: container.isText)
        return fits || LostLineSearch.readsLikeRow(cells, in: context) ? cells : nil
    }

    private func row(_ scan: LineScan, on line: Int, _ cells: [String], in container: LineContainer) -> LostLine {
        LostLine(
            line: line, range: scan.start..<max(scan.start, scan.end),
            kind: .row(cells, isDelimiter: scan.isDelimiter),
            cause: search.cause(ofRow: scan, on: line, in: container))
    }

    private func pasted(_ scan: LineScan, on line: Int, _ pasted: PastedCells, in container: LineContainer) -> LostLine
    {
        let text = source.string(scan.start..<scan.end)
        let isRule = text.utf8.allSatisfy { $0 == 0x2D || $0 == 0x3D || $0 == 0x20 || $0 == 0x2B }
        return LostLine(
            line: line, range: scan.start..<scan.end, kind: .row(pasted.cells(of: text), isDelimiter: isRule),
            cause: container.cause ?? "its cells are separated by \(pasted.name), not by `|`")
    }

    /// Adds a table of HTML elements. Below the section's column table, it is a note, unless it continues a table.
    private mutating func addHTMLTable(_ block: Block) {
        let isBelowTable = tableEnd.map { $0 + 1 == block.lines.lowerBound } ?? false
        let hasColumnsAbove =
            section.firstColumnTable.map { section.blocks[$0].lines.lowerBound < block.lines.lowerBound } ?? false
        guard !hasColumnsAbove || isBelowTable, found.last.map({ $0.last.line < block.lines.lowerBound }) ?? true else {
            return
        }
        let text = source.string(block.range).lowercased()
        guard !text.hasPrefix("<!--"), ["<table", "<tr", "<td", "<th", "<tbody"].contains(where: text.holds) else {
            return
        }
        let line = block.lines.lowerBound
        add(
            LostLine(
                line: line, range: source.lineRange(line), kind: .row([], isDelimiter: false),
                cause: "a table in HTML is a note"))
    }

    // MARK: Columns and details

    private func column(_ range: Range<Int>, on line: Int, in container: LineContainer) -> LostLine? {
        // Code with members of JSON is an example.
        let isMember =
            source.bytes[range].contains(UInt8(ascii: "\"")) && source.bytes[range].contains(UInt8(ascii: ":"))
        if case .code = container, isMember { return nil }
        guard context != .type, let column = ColumnLine(range, in: source, isNamedType: { search.types[$0] != nil })
        else { return nil }
        return LostLine(
            line: line, range: column.range, kind: .column(column), cause: nil, isUncertain: column.isProse)
    }

    private func detail(_ scan: LineScan, on line: Int) -> LostLine? {
        let bytes = source.bytes[scan.start..<min(scan.end, scan.start + 400)]
        guard bytes.contains(UInt8(ascii: ":")) || bytes.contains(0xEF) else { return nil }
        let text = source.string(scan.start..<min(scan.end, scan.start + 400))
        guard let colon = text.unicodeScalars.firstIndex(where: { $0 == ":" || $0 == "\u{FF1A}" }) else { return nil }
        let word = text[..<colon].trimmingInvisible().filter { $0 != "*" && $0 != "`" && $0 != "_" }
        let value = String(
            withoutBackticks(
                Substring(text.unicodeScalars[colon...].dropFirst()).trimmingInvisible()
                    .drop { $0 == "*" || $0 == " " }))
        guard let key = Details.Key(spelling: String(word)), key.isOfTypes == (context == .type), !value.isEmpty,
            value.utf8.count <= 300, context != .common || key == .privacy, (try? key.read(value)) != nil
        else { return nil }
        // A sentence can also begin with `owner:` or `since:`. A team has no spaces or begins with `@`; a version has
        // no spaces and at least one digit.
        switch key {
        case .owner where !(value.hasPrefix("@") || !value.contains(" ")): return nil
        case .since where value.contains(" ") || !value.utf8.contains(where: isDigit): return nil
        default: return LostLine(line: line, range: scan.start..<scan.end, kind: .detail(key, value: value), cause: nil)
        }
    }
}
