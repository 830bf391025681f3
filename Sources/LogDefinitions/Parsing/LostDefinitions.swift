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
    mutating func reportLost(in blocks: ArraySlice<Block>, firstColumnTable: Int?, in context: SectionBody.Context) -> Int {
        var previous = Previous.text
        var isNotes = false
        for index in blocks.indices {
            let found: Found
            switch blocks[index].content {
            case .heading(let heading):
                isNotes = isNotes || heading.level > 2
                found = heading.level > 2 ? .nothing : reportUnderlined(heading, blocks[index], in: context)
            case .table:
                previous = .table
                continue
            case .list(let list): found = reportLost(list, blocks[index], isNotes: isNotes, hasColumns: firstColumnTable != nil)
            case .other(.code): found = isFenced(blocks[index]) ? .nothing : reportIndented(blocks[index], isNotes, previous, in: context)
            case .other(.html):
                found = reportLostHTML(
                    blocks[index], isNotes: isNotes || firstColumnTable ?? .max < index,
                    isRow: !isNotes && previous == .table && blocks[index - 1].lines.upperBound == blocks[index].lines.lowerBound - 1)
            case .other(.quote): found = reportQuoted(blocks[index], isNotes)
            case .other(.paragraph), .other(.linkReferences):
                found = reportLostText(blocks[index], isNotes, previous, previous == .table ? blocks[index - 1] : nil, in: context)
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

    typealias Looks = [(line: Int, look: LineLook)]

    func looks(at block: Block, skippingMarkers: Bool = false) -> Looks {
        source.looks(at: block.lines, skippingMarkers: skippingMarkers)
    }

    // MARK: Other blocks

    func isFenced(_ block: Block) -> Bool {
        guard let first = source.bytes[block.range].first else { return false }
        guard first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else { return false }
        var columns = 0
        for byte in source.bytes[source.lineStarts[block.lines.lowerBound]..<block.range.lowerBound] { columns += byte == 0x09 ? 4 : 1 }
        return columns < 4
    }

    mutating func reportIndented(_ block: Block, _ isNotes: Bool, _ previous: Previous, in context: SectionBody.Context) -> Found {
        let looks = looks(at: block, skippingMarkers: false)
        if reportHeading(among: looks) { return .heading }
        guard !isNotes else { return .nothing }
        guard let (line, look) = looks.first(where: { $0.look.beginsWithPipe || readsLikeRow(cells(of: $0.look), in: context) }) else {
            return reportItems(in: source.looks(at: block.lines, skippingMarkers: true)) ? .table : .nothing
        }
        if previous == .broken, !isHeader(cells(of: look), in: context) { return .table }
        return lost(
            line, look, "a row that is indented by four columns, or by a tab, is code and defines nothing",
            [.help("remove the indentation of the row")])
    }

    mutating func reportQuoted(_ block: Block, _ isNotes: Bool) -> Found {
        let looks = looks(at: block, skippingMarkers: true)
        if reportHeading(among: looks) { return .heading }
        guard !isNotes, !looks.isEmpty else { return .nothing }
        if let (line, look) = looks.first(where: { $0.look.beginsWithPipe || $0.look.isDelimiter }) {
            return lost(
                line, look, "a table in a quote defines nothing",
                [.help("put the table at the beginning of its lines; one that defines nothing goes below a `###` heading")])
        }
        return reportItems(in: looks) ? .table : .nothing
    }

    mutating func reportLostHTML(_ block: Block, isNotes: Bool, isRow: Bool) -> Found {
        let text = source.bytes[block.range]
        if text.starts(with: "<!--".utf8) {
            // If a comment contains the start of another comment, its own end is missing.
            guard count("<!--", in: text) > 1, let (line, look) = definition(in: block.lines.lowerBound + 1...block.lines.upperBound, of: block)
            else {
                return .nothing
            }
            reportOpen("comment", block, line, look, end: "-->")
            return .nothing
        }
        guard !isNotes || isRow, ["<table", "<tr", "<td", "<th", "<tbody"].contains(where: { starts(text, with: $0) || count($0, in: text) > 0 })
        else {
            return .nothing
        }
        report(
            .brokenTable, "a table in HTML defines nothing", at: source.lineRange(block.lines.lowerBound),
            notes: [.help("write it as a table with pipes; one that defines nothing goes below a `###` heading")])
        return .table
    }

    func starts(_ text: ArraySlice<UInt8>, with tag: String) -> Bool {
        text.prefix(tag.utf8.count).elementsEqual(tag.utf8, by: { $0 | 0x20 == $1 || $0 == $1 })
    }

    func count(_ part: String, in text: ArraySlice<UInt8>) -> Int {
        let part = Array(part.utf8)
        var count = 0
        for index in text.indices
        where text[index] == part[0] && text[index...].prefix(part.count).elementsEqual(part, by: { $0 == $1 || $0 | 0x20 == $1 }) {
            count += 1
        }
        return count
    }
}

extension SourceText {
    func look(at line: Int, skippingMarkers: Bool = false) -> LineLook? {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { LineLook(lineRange(line), in: $0, skippingMarkers: skippingMarkers) }
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
        guard row.cells.count < table.alignments.count, let look = look(at: row.line) else { return false }
        if look.widePipes > 0 || look.isEscaped || look.pipes == 0 { return true }
        return !look.beginsWithPipe && bytes[lineRange(table.header.line)].first == UInt8(ascii: "|")
    }
}
