import MarkdownSyntax

struct SectionSearch {
    let search: LostLineSearch
    let section: DocumentOutline.Section
    private var found: [LostLines] = []
    /// The last table above, if it defines something.
    private var table: Table?
    /// The last line of a table, if only blank lines and rows that belong to it follow.
    private var tableEnd: Int?

    private var source: SourceText { search.source }
    private var context: SectionContext { section.context }

    init(search: LostLineSearch, section: DocumentOutline.Section) {
        (self.search, self.section) = (search, section)
    }

    mutating func run(_ skippedRows: Set<Int>) -> [LostLines] {
        for (index, block) in zip(section.blocks.indices, section.blocks) {
            let isNotes = index >= section.notesStart
            if case .table(let table) = block.content {
                if !isNotes { read(table, section.role(at: index).isDefinition, skippedRows) }
            } else if let container = LineContainer(of: block, in: source) {
                let isBelowTable = tableEnd == block.lines.lowerBound - 1
                read(block, in: container, isNotes: isNotes)
                guard !isNotes, (found.last?.last.line ?? -1) < block.lines.lowerBound else { continue }
                if let name = search.name(aboveTableAt: index, of: section) {
                    add(name)
                } else if container == .html, isBelowTable || index < section.firstColumnTable ?? .max {
                    // Below the section's column table, a table in HTML is a note, unless it continues a table.
                    addHTMLTable(block)
                }
            } else {
                tableEnd = nil
            }
        }
        return found
    }

    private mutating func read(_ table: Table, _ isDefinition: Bool, _ skippedRows: Set<Int>) {
        for row in skippedRows.isEmpty ? [] : table.rows where skippedRows.contains(row.line) {
            if let scan = source.scan(at: row.line) { add(skipped(TextLine(number: row.line, scan: scan))) }
        }
        tableEnd = table.header.line + 1 + table.rows.count
        self.table = isDefinition ? table : nil
    }

    /// The mistake in a line that CommonMark reads as a row of the table above.
    private func skipped(_ line: TextLine) -> LostLine {
        if let heading = search.heading(line, isNotes: false, isType: false) { return heading }
        var row = row(line, line.scan.separators > 0 ? search.cells(of: line.scan) : [])
        row.cause =
            row.cause ?? "it is part of the table above, and has too few pipes: text needs an empty line above it"
        return row
    }

    private mutating func read(_ block: Block, in container: LineContainer, isNotes: Bool) {
        let lines = source.textLines(of: block).compactMap { line, range in
            source.scan(in: range, isStripped: true).map { TextLine(number: line, scan: $0, container: container) }
        }
        // A fence in a list or a quote.
        func isFence(_ line: TextLine) -> Bool {
            ["```", "~~~"].contains { source.bytes[line.range].starts(with: $0.utf8) }
        }
        let hasClosedFences = lines.count(where: isFence).isMultiple(of: 2)
        let isType = context == .type && lines.count == 1
        var (hasHeading, isInFence, isBelowText) = (false, false, false)
        var pasted: PastedCells?
        for line in lines {
            let scan = line.scan
            guard !line.range.isEmpty else {
                (pasted, isBelowText) = (nil, false)
                continue
            }
            if hasClosedFences, isFence(line) { isInFence.toggle() }
            if isInFence { continue }
            if let heading = search.heading(line, isNotes: isNotes, isType: isType) {
                add(heading)
                hasHeading = true
            }
            if hasHeading || isNotes { continue }
            var text: String { source.string(line.range) }
            if pasted == nil, scan.separators == 0 || scan.tabs > 0, line.number < block.lines.upperBound {
                pasted = PastedCells(text, in: context)
            }
            var lost: LostLine?
            if let pasted {
                let isRule = text.utf8.allSatisfy { "-=+ ".utf8.contains($0) }
                lost = row(line, isRule ? [] : pasted.cells(of: text))
                lost?.cause = container.cause ?? "its cells are separated by \(pasted.name), not by `|`"
            } else if let cells = cells(of: line) {
                lost = row(line, cells)
            } else if case .heading = block.content {
                lost = row(line, [])
            } else {
                lost = detail(line) ?? column(line)
                if isBelowText, lost?.isUncertain == true { lost = nil }
            }
            isBelowText = lost == nil
            if let lost { add(lost) } else { tableEnd = nil }
        }
    }

    private mutating func add(_ line: LostLine) {
        let hasHeaders = line.kind == .row && LostLineSearch.isHeader(line.cells, in: context)
        // Indented lines, such as those of a nested list, describe the line above.
        func isGap(_ line: Int) -> Bool { source.bytes[source.lineRange(line)].first.map { $0 <= 0x20 } ?? true }
        if let last = found.last?.last, last.kind == line.kind, !last.isUncertain || line.isUncertain, !line.isHeading,
            !hasHeaders, (last.line + 1..<max(last.line + 1, line.line)).allSatisfy(isGap)
        {
            return found[found.count - 1].lines.append(line)
        }
        var lines = LostLines(lines: [line], hasHeaders: hasHeaders)
        switch line.kind {
        case .row where !hasHeaders: (lines.tableAbove, lines.hasTable) = (tableEnd, tableEnd != nil)
        case .column: lines.hasTable = section.firstColumnTable != nil
        case .detail: lines.hasTable = section.hasDetails
        case .row, .heading: break
        }
        found.append(lines)
    }

    // MARK: Rows, columns and details

    private mutating func addHTMLTable(_ block: Block) {
        let text = source.string(block.range).lowercased()
        guard !text.hasPrefix("<!--"), ["<table", "<tr", "<td", "<th"].contains(where: text.holds) else { return }
        let line = block.lines.lowerBound
        add(LostLine(line: line, range: source.lineRange(line), kind: .row, cause: "a table in HTML is a note"))
    }

    /// The cells of a line that reads like a row. Nil for other lines.
    private func cells(of line: TextLine) -> [String]? {
        let (scan, container) = (line.scan, line.container)
        guard scan.separators > 0 || scan.beginsWithPipe else { return nil }
        let cells = scan.isDelimiter ? [] : search.cells(of: scan)
        if scan.beginsWithPipe || scan.isDelimiter || container == .text && scan.tabs > 1 { return cells }
        let isBelow = tableEnd != nil && container == .text
        let fits = table.map { search.fits(cells, $0.header, isBelow: isBelow) } ?? false
        return fits || LostLineSearch.readsLikeRow(cells, in: context) ? cells : nil
    }

    private func row(_ line: TextLine, _ cells: [String]) -> LostLine {
        LostLine(line: line.number, range: line.range, kind: .row, cells: cells, cause: search.cause(of: line))
    }

    private mutating func column(_ line: TextLine) -> LostLine? {
        let range = line.range.lowerBound..<source.lineRange(line.number).upperBound
        guard context != .type, let column = ColumnLine(range, in: source, types: search.types),
            !columns.contains(column.name)
        else { return nil }
        // Code with members of JSON is an example.
        let bytes = source.bytes[range]
        if line.container == .code, bytes.contains(UInt8(ascii: "\"")), bytes.contains(UInt8(ascii: ":")) { return nil }
        // A line directly below a table is a row that lost its form.
        if tableEnd == line.number - 1, !column.isProse { return row(line, search.cells(of: line.scan)) }
        return LostLine(
            line: line.number, range: range, kind: .column,
            cells: [Name.suggestedIdentifier(for: column.name) ?? column.name, column.type]
                + (column.description.isEmpty ? [] : [column.description]),
            isUncertain: column.isProse)
    }

    /// The columns of the section's tables. A line that begins with one of them explains it.
    private lazy var columns = Set(
        section.blocks[..<section.notesStart].flatMap { block -> [String] in
            guard case .table(let table) = block.content,
                let index = table.header.cells.firstIndex(where: { HeaderKind($0.text(in: source)) == .column })
            else { return [] }
            return table.rows.compactMap { $0.cell(index).map { Name.identifier(ofCell: $0.text(in: source)) } }
        })

    private func detail(_ line: TextLine) -> LostLine? {
        let bytes = source.bytes[line.range]
        guard bytes.count <= 400, bytes.contains(UInt8(ascii: ":")) || bytes.contains(0xEF) else { return nil }
        let text = source.string(line.range)
        guard let colon = text.unicodeScalars.firstIndex(where: { $0 == ":" || $0 == "\u{FF1A}" }) else { return nil }
        let word = text[..<colon].filter { !"*`_".contains($0) }[...].trimmingInvisible()
        let rest = Substring(text.unicodeScalars[colon...].dropFirst()).drop { $0 == "*" || $0 == " " }
        let value = String(withoutBackticks(rest.trimmingInvisible()))
        guard let key = Details.Key(spelling: String(word)), key.isOfTypes == (context == .type), !value.isEmpty,
            context != .common || key == .privacy,
            let meant = (try? key.read(value)) != nil ? value : key.correction(of: value)
        else { return nil }
        // A sentence can also begin with `owner:` or `since:`. A team has no spaces or begins with `@`; a version has
        // no spaces and at least one digit.
        switch key {
        case .owner where !(value.hasPrefix("@") || !value.contains(" ")): return nil
        case .since where value.contains(" ") || !value.utf8.contains(where: isDigit): return nil
        default:
            return LostLine(line: line.number, range: line.range, kind: .detail, cells: [key.rawValue, meant])
        }
    }
}
