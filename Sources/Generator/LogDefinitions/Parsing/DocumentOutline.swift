import MarkdownSyntax

/// A definition file divided by its headings. The parser reads the blocks with a role; the others are text.
struct DocumentOutline {
    /// The section of the first `#` heading: that of the category, `common.md` or `types.md`, if any.
    private(set) var title: Section?
    /// The sections of `##` headings below the title.
    private(set) var sections: [Section] = []
    /// The place where a title was expected; nil if the first heading is a title.
    private(set) var missingTitle: MissingTitle?
    /// Further `#` headings. Their content belongs to no section.
    private(set) var extraTitles: [ExtraTitle] = []
    /// The blocks before the title, if any, read as if they were below it.
    private(set) var stray: Section?

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
        /// The index of the first table of columns or events, if any.
        var firstColumnTable: Int?
        var hasDetails: Bool

        init(heading: Heading, name: Name, context: SectionContext, blocks: ArraySlice<Block>, in source: SourceText) {
            self.heading = heading
            self.name = name
            self.context = context
            self.blocks = blocks
            notesStart =
                blocks.firstIndex { if case .heading(let heading) = $0.content { heading.level > 2 } else { false } }
                ?? blocks.endIndex
            let roles = blocks[..<notesStart].map { BlockRole(of: $0, in: context, source: source) }
            self.roles = roles
            firstColumnTable = roles.firstIndex(where: \.isColumnTable).map { $0 + blocks.startIndex }
            hasDetails = roles.contains { if case .details = $0 { true } else { false } }
        }

        /// A Boolean value that indicates whether a block above the notes defines something. A table with another word
        /// for `column` may belong to a document of another kind.
        var hasDefinitions: Bool { hasDetails || roles.contains { $0.isDefinition && !$0.hasOtherWords } }

        /// The role of a block. Blocks of notes have none.
        func role(at index: Int) -> BlockRole { index < notesStart ? roles[index - blocks.startIndex] : .text }
    }

    var allSections: [Section] { [title].compactMap { $0 } + sections }

    /// A Boolean value that indicates whether the file is a document of another kind: no heading names a category or an
    /// event, and no table or list defines something. A short file without tables may be an unfinished one.
    var definesNothing: Bool {
        let sections = allSections
        let isDocument =
            sections.count > 3
            || sections.contains { $0.blocks.contains { if case .table = $0.content { true } else { false } } }
        return isDocument && !sections.contains { Name.isIdentifier($0.name.identifier) || $0.hasDefinitions }
    }

    var firstHeading: Range<Int> { (title?.heading ?? sections.first?.heading)?.range ?? 0..<0 }

    struct MissingTitle {
        /// The title was expected before the block with this index.
        var end: Int
        /// The first heading of any level. Nil if the file has no heading at all.
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
            if current == nil, missingTitle == nil, index > 0, title == nil {
                stray = Section(
                    heading: heading, name: Name(heading: heading, in: source, file: file), context: contexts.title,
                    blocks: blocks[..<index], in: source)
            }
            current = heading
            start = index + 1
        }
        close(&self, at: blocks.endIndex)
        if title == nil, missingTitle == nil { missingTitle = MissingTitle(end: blocks.endIndex) }
    }
}

extension SourceText {
    /// Returns whether CommonMark reads a table's header as a heading, because its row of hyphens has no pipes.
    fileprivate func isTableHeader(_ heading: Heading, _ block: Block) -> Bool {
        guard block.lines.count > 1, bytes[heading.range].contains(UInt8(ascii: "|")),
            let scan = scan(at: block.lines.upperBound - 1)
        else { return false }
        return scan.beginsWithPipe || (scan.pipes > 0 && heading.code == nil)
    }
}
