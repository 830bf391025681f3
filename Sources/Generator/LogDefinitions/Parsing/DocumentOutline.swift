import MarkdownSyntax

/// A document divided by its headings, with the role of each block. The parser consumes the blocks that have a role;
/// the other ones are text.
struct DocumentOutline {
    /// The category's or the file's section. Nil if the document has no `#` heading.
    private(set) var title: Section?
    /// The sections of `##` headings below the title.
    private(set) var sections: [Section] = []
    /// The place where a title was expected, if the first heading is not a title.
    private(set) var missingTitle: MissingTitle?
    /// Further `#` headings. Their content belongs to no section.
    private(set) var extraTitles: [ExtraTitle] = []
    /// The first block, if it stands above the title.
    private(set) var strayBlock: Block?

    /// A heading of level 1 or 2, with the blocks up to the next such heading.
    struct Section {
        var heading: Heading
        var name: Name
        var context: SectionContext
        var blocks: ArraySlice<Block>
        /// The index of the first heading of level 3 or deeper, or the end of `blocks`. Notes begin there.
        var notesStart: Int
        /// The roles of the blocks above the notes.
        private var roles: [BlockRole]

        init(heading: Heading, name: Name, context: SectionContext, blocks: ArraySlice<Block>, in source: SourceText) {
            self.heading = heading
            self.name = name
            self.context = context
            self.blocks = blocks
            notesStart =
                blocks.firstIndex { if case .heading(let heading) = $0.content { heading.level > 2 } else { false } }
                ?? blocks.endIndex
            roles = blocks[..<notesStart].map { BlockRole(of: $0, in: context, source: source) }
        }

        /// The role of a block. Blocks of notes have none.
        func role(at index: Int) -> BlockRole { index < notesStart ? roles[index - blocks.startIndex] : .text }

        /// The index of the first table of columns or events.
        var firstColumnTable: Int? { roles.firstIndex(where: \.isColumnTable).map { $0 + blocks.startIndex } }
        var hasDetails: Bool { roles.contains { if case .details = $0 { true } else { false } } }
    }

    struct MissingTitle {
        /// The title was expected before the block with this index.
        var end: Int
        /// The first heading of any level. Nil if the document has no title at all.
        var firstHeading: Range<Int>?
    }

    struct ExtraTitle {
        var range: Range<Int>
        var first: Range<Int>?
    }

    init(of document: MarkdownDocument, kind: SourceFile.Kind, file: Int) {
        let blocks = document.blocks
        let source = document.source
        let contexts: (title: SectionContext, section: SectionContext) =
            switch kind {
            case .category: (.category, .event)
            case .common: (.common, .event)
            case .types: (.type, .type)
            }
        var start = blocks.startIndex
        var current: Heading?

        func close(_ outline: inout Self, at end: Int) {
            guard let heading = current, heading.level == 1 || outline.title != nil else { return }
            let section = Section(
                heading: heading, name: Name(heading: heading, in: source, file: file),
                context: heading.level == 1 ? contexts.title : contexts.section, blocks: blocks[start..<end],
                in: source)
            if heading.level == 1 { outline.title = section } else { outline.sections.append(section) }
        }
        for (index, block) in blocks.enumerated() {
            guard case .heading(let heading) = block.content, heading.level <= 2,
                !source.isTableHeader(heading, block)
            else { continue }
            if heading.level == 1, title != nil || current?.level == 1 {
                extraTitles.append(ExtraTitle(range: heading.range, first: (title?.heading ?? current)?.range))
                close(&self, at: index)
                current = nil
                continue
            }
            if heading.level == 2, title == nil, current == nil, missingTitle == nil {
                let first = blocks[...index].lazy.compactMap {
                    if case .heading(let heading) = $0.content { heading.range } else { nil }
                }.first
                missingTitle = MissingTitle(end: index, firstHeading: first)
            }
            close(&self, at: index)
            if current == nil, missingTitle == nil, index > 0, title == nil { strayBlock = blocks[0] }
            current = heading
            start = index + 1
        }
        close(&self, at: blocks.endIndex)
        if title == nil, missingTitle == nil { missingTitle = MissingTitle(end: blocks.endIndex) }
    }
}

/// The kind of a section, which decides what its blocks define.
enum SectionContext { case common, category, event, type }

/// The part of a definition that the parser reads from a block.
enum BlockRole {
    case details(Table)
    case columns(Table, TableHeader)
    case events(Table, TableHeader)
    case values(Table, TableHeader)
    /// A table with headers that the format does not know.
    case unknownTable(Table)
    case columnList(List)
    case text

    init(of block: Block, in context: SectionContext, source: SourceText) {
        switch block.content {
        case .table(let table): self.init(of: table, in: context, source: source)
        case .list(let list): self = list.definesColumns(in: source) ? .columnList(list) : .text
        case .heading, .other: self = .text
        }
    }

    init(of table: Table, in context: SectionContext, source: SourceText) {
        let cells = table.header.cells.map { $0.text(in: source) }
        let kinds = cells.map { HeaderKind($0) }
        let header = TableHeader(kinds: kinds, texts: cells)
        if kinds.count == 2, kinds.contains(.key), kinds.contains(.value) {
            self = .details(table)
        } else if context == .type {
            // `keyy | value` is a details table with a spelling mistake.
            let isDetails =
                kinds.count == 2
                && cells.indices.contains { kinds[$0] == nil && HeaderKind.nearest(to: cells[$0])?.kind == .key }
            self = kinds.contains(.value) && !isDetails ? .values(table, header) : .unknownTable(table)
        } else if kinds.contains(.column), kinds.contains(.type) {
            self =
                context == .category && kinds.contains(.event) ? .events(table, header) : .columns(table, header)
        } else {
            self = .unknownTable(table)
        }
    }

    var isColumnTable: Bool {
        switch self {
        case .columns, .events: true
        default: false
        }
    }

    var isColumnList: Bool { if case .columnList = self { true } else { false } }
}

extension SourceText {
    /// Whether a heading is the header of a table. If the row of hyphens below has no pipes, CommonMark reads the two
    /// lines as a heading.
    fileprivate func isTableHeader(_ heading: Heading, _ block: Block) -> Bool {
        guard block.lines.count > 1, bytes[heading.range].contains(UInt8(ascii: "|")),
            let last = scans(at: block.lines.lowerBound...(block.lines.upperBound - 1)).last
        else { return false }
        return last.line == block.lines.upperBound - 1
            && (last.scan.beginsWithPipe || (last.scan.pipes > 0 && heading.code == nil))
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
