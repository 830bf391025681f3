import MarkdownSyntax

/// Looks for text that somebody meant as a definition but CommonMark takes for plain text. Every such text must be
/// reported.
///
/// The contract's last section and `DefinitionFormat` say where it looks: at everything above the first `###` of a
/// section. Below that, it looks only for lines that look like the heading of an event.
extension FileParser {
    /// The kind of the block above. Rows may have been separated from it.
    enum Previous {
        case text, table
        /// A table with a mistake that is already reported. The rows below belong to the same mistake.
        case broken
    }

    enum Found { case nothing, table, heading }

    /// Reports what is lost under one heading. If a line was meant as a heading but is not one, the content after it
    /// belongs to that line; in its present place it would be wrong. The result is the block at which that content
    /// begins.
    mutating func reportLost(
        in blocks: ArraySlice<Block>, firstColumnTable: Int?, hasDetails: Bool, in context: SectionBody.Context
    ) -> Int {
        var previous = Previous.text
        var isNotes = false
        var lastTable: Block?
        for index in blocks.indices {
            let found: Found
            switch blocks[index].content {
            case .heading(let heading):
                isNotes = isNotes || heading.level > 2
                found = heading.level > 2 ? .nothing : reportUnderlined(heading, blocks[index], in: context)
            case .table:
                previous = .table
                lastTable = blocks[index]
                continue
            case .list(let list):
                if !isNotes, !isColumnList(list) {
                    reportDetails(in: blocks[index], hasDetails: hasDetails, context: context)
                }
                found = reportLost(list, blocks[index], isNotes: isNotes, hasColumns: firstColumnTable != nil)
            case .other(.code):
                let above = index > blocks.startIndex ? blocks[index - 1] : nil
                if !isNotes,
                    isItemOfList(
                        blocks[index], above: above, beforeThat: index > blocks.startIndex + 1 ? blocks[index - 2] : nil
                    )
                {
                    report(
                        .listColumn, "HTML stands between this description and its column, so it is code",
                        at: blocks[index].range,
                        notes: [.help("move the HTML out of the list")])
                    found = .nothing
                } else {
                    found =
                        isFenced(blocks[index])
                        ? .nothing : reportIndented(blocks[index], isNotes, previous, in: context)
                }
            case .other(.html):
                found = reportLostHTML(
                    blocks[index], isNotes, hasColumnsAbove: firstColumnTable ?? .max < index, previous,
                    above: index > blocks.startIndex ? blocks[index - 1] : nil, lastTable: lastTable, in: context)
            case .other(.quote): found = reportQuoted(blocks[index], isNotes)
            case .other(.paragraph), .other(.linkReferences):
                if !isNotes { reportDetails(in: blocks[index], hasDetails: hasDetails, context: context) }
                found = reportLostText(
                    blocks[index], isNotes, previous, previous == .table ? blocks[index - 1] : nil, in: context)
            case .other(.thematicBreak): found = .nothing
            }
            switch found {
            case .heading: return index
            case .table: previous = .broken
            case .nothing: previous = .text
            }
        }
        return blocks.endIndex
    }

    typealias Scans = [(line: Int, scan: LineScan)]

    func scans(at block: Block, skippingMarkers: Bool = false) -> Scans {
        source.scans(at: block.lines, skippingMarkers: skippingMarkers)
    }

    // MARK: Other blocks

    func isFenced(_ block: Block) -> Bool {
        guard let first = source.bytes[block.range].first else { return false }
        guard first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else { return false }
        var columns = 0
        for byte in source.bytes[source.lineStarts[block.lines.lowerBound]..<block.range.lowerBound] {
            columns += byte == 0x09 ? 4 : 1
        }
        return columns < 4
    }

    mutating func reportIndented(_ block: Block, _ isNotes: Bool, _ previous: Previous, in context: SectionBody.Context)
        -> Found
    {
        let scans = scans(at: block, skippingMarkers: false)
        if reportHeading(among: scans) { return .heading }
        guard !isNotes else { return .nothing }
        guard
            let (line, scan) = scans.first(where: {
                $0.scan.beginsWithPipe || readsLikeRow(cells(of: $0.scan), in: context)
            })
        else {
            return reportItems(in: source.scans(at: block.lines, skippingMarkers: true)) ? .table : .nothing
        }
        if previous == .broken, !isHeader(cells(of: scan), in: context) { return .table }
        return lost(
            line, scan, "a row that is indented by four columns, or by a tab, is code and defines nothing",
            [.help("remove the indentation of the row")])
    }

    mutating func reportQuoted(_ block: Block, _ isNotes: Bool) -> Found {
        let scans = scans(at: block, skippingMarkers: true)
        if reportHeading(among: scans) { return .heading }
        guard !isNotes, !scans.isEmpty else { return .nothing }
        if let (line, scan) = scans.first(where: { $0.scan.beginsWithPipe || $0.scan.isDelimiter }) {
            return lost(
                line, scan, "a table in a quote defines nothing",
                [
                    .help(
                        "put the table at the beginning of its lines; one that defines nothing goes below a `###` heading"
                    )
                ])
        }
        return reportItems(in: scans) ? .table : .nothing
    }
}

extension SourceText {
    func scan(at line: Int, skippingMarkers: Bool = false) -> LineScan? {
        scan(in: lineRange(line), skippingMarkers: skippingMarkers)
    }

    /// The look of one line, or of the part of a line that a range covers.
    func scan(in range: Range<Int>, skippingMarkers: Bool = false, skippingTags: Bool = false) -> LineScan? {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map {
                LineScan(range, in: $0, skippingMarkers: skippingMarkers, skippingTags: skippingTags)
            }
        }
    }

    /// Whether a row holds only hyphens, like the line below a header.
    func isDelimiter(_ row: Row) -> Bool {
        !row.cells.isEmpty
            && row.cells.allSatisfy { cell in
                let text = bytes[cell.range]
                return text.contains(0x2D) && text.allSatisfy { $0 == 0x2D || $0 == 0x3A }
            }
    }

    /// Whether a row has fewer cells than its table because its line was not meant as a row of it. Such a line has no
    /// pipe, has something else instead of a pipe, or is the second half of a row.
    func isNoRow(_ row: Row, of table: Table) -> Bool {
        guard row.cells.count < table.alignments.count, let scan = scan(at: row.line) else { return false }
        if scan.widePipes > 0 || scan.isEscaped || scan.pipes == 0 { return true }
        return !scan.beginsWithPipe && bytes[lineRange(table.header.line)].first == UInt8(ascii: "|")
    }
}
