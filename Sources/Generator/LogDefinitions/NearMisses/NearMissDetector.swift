import MarkdownSyntax

/// Searches a document for near misses: text that was intended as a definition but is plain text in CommonMark.
///
/// The detector reads the outline, which lists the blocks that the parser consumes, and returns values. The detector
/// searches everything above the first `###` of a section. Below that, it searches only for headings of events.
struct NearMissDetector {
    let document: MarkdownDocument
    let kind: SourceFile.Kind
    /// The names of the document's headings.
    private(set) var names: Set<String> = []

    init(document: MarkdownDocument, kind: SourceFile.Kind) {
        (self.document, self.kind) = (document, kind)
    }

    var source: SourceText { document.source }

    typealias Section = DocumentOutline.Section
    typealias Scans = [(line: Int, scan: LineScan)]

    /// The near misses of one block, and their effect on the blocks below.
    struct Finding {
        var nearMisses: [NearMiss] = []
        var effect = NearMiss.Effect.none

        static let none = Finding()

        init() {}

        init(_ nearMiss: NearMiss, _ effect: NearMiss.Effect) {
            nearMisses = [nearMiss]
            self.effect = effect
        }

        /// The effect of rows that belong to a table whose near miss has already been found.
        static let partOfBrokenTable: Finding = {
            var finding = Finding()
            finding.effect = .table
            return finding
        }()
    }

    /// A block of a section, with the blocks around it.
    struct Position {
        /// The kind of the block above, from which rows may have been separated.
        enum Previous {
            case text
            case table(Table)
            /// A table with a near miss.
            case brokenTable
        }

        let section: Section
        var index: Int
        var previous = Previous.text
        /// The last table of the section above the block, if any.
        var lastTable: Table?

        var block: Block { section.blocks[index] }
        var context: SectionContext { section.context }
        var isNotes: Bool { index >= section.notesStart }

        /// The block at a distance above this one. Nil beyond the section's start.
        func block(above distance: Int) -> (block: Block, role: BlockRole)? {
            let above = index - distance
            guard above >= section.blocks.startIndex else { return nil }
            return (section.blocks[above], section.role(at: above))
        }

        var isBelowBrokenTable: Bool { if case .brokenTable = previous { true } else { false } }
        var tableAbove: Table? { if case .table(let table) = previous { table } else { nil } }
    }

    /// The near misses of the title and of the blocks without a role.
    func nearMisses(in outline: DocumentOutline) -> NearMisses {
        var found = NearMisses()
        var detector = self
        detector.names = Set(([outline.title].compactMap { $0 } + outline.sections).map(\.name.identifier))
        if let block = openBlock() { found.ofDocument.append(.openBlock(block)) }
        if let missing = outline.missingTitle, let title = title(in: document.blocks[..<missing.end]) {
            found.ofDocument.append(title)
            found.hasTitle = true
        }
        if let title = outline.title { detector.search(title, &found) }
        // The parser does not read the sections of `common.md`.
        if kind != .common { for section in outline.sections { detector.search(section, &found) } }
        return found
    }

    private func search(_ section: Section, _ found: inout NearMisses) {
        let count = found.inSections.count
        var end = section.blocks.endIndex
        var position = Position(section: section, index: section.blocks.startIndex)
        search: for index in section.blocks.indices {
            position.index = index
            if case .table(let table) = section.blocks[index].content {
                position.previous = .table(table)
                position.lastTable = table
                continue
            }
            let finding = finding(at: position)
            found.inSections += finding.nearMisses
            switch finding.effect {
            case .none: position.previous = .text
            case .table: position.previous = .brokenTable
            case .heading:
                end = index
                break search
            }
        }
        removeExplanations(of: section, from: count, in: &found)
        if found.inSections.count > count { found.ends[section.blocks.startIndex] = end }
    }

    /// Removes the lines that begin with a column of the section's tables, because they explain that column.
    private func removeExplanations(of section: Section, from start: Int, in found: inout NearMisses) {
        func name(_ nearMiss: NearMiss) -> String? {
            if case .columnLine(let column, _) = nearMiss { column.name } else { nil }
        }
        guard found.inSections[start...].contains(where: { name($0) != nil }) else { return }
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
        let kept = found.inSections[start...].filter { !(name($0).map(columns.contains) ?? false) }
        found.inSections.replaceSubrange(start..., with: kept)
    }

    private func finding(at position: Position) -> Finding {
        let finding =
            position.block.tableEnd == nil || position.isNotes
            ? content(at: position) : end(ofTableAbove: position)
        guard finding.nearMisses.isEmpty, case .none = finding.effect, let heading = name(aboveTableAt: position)
        else { return finding }
        return Finding(.heading(heading), heading.isUncertain ? .none : .heading)
    }

    /// The line that ends a table, unless the block that begins there has a near miss of its own.
    private func end(ofTableAbove position: Position) -> Finding {
        let block = position.block
        var finding = Finding.none
        switch block.content {
        case .other(.code), .other(.html): finding = content(at: position)
        default:
            heading(among: source.scans(at: block.lines), isText: true).map {
                finding = Finding(.heading($0), .heading)
            }
        }
        // A row is more than a line that looks like a column.
        let isOwn = finding.nearMisses.contains { if case .columnLine = $0 { false } else { true } }
        guard !isOwn, let end = block.tableEnd else { return finding }
        let line = block.range.lowerBound..<source.lineRange(block.lines.lowerBound).upperBound
        return Finding(
            .table(BrokenTable(range: line, flaw: .end(end), tableAbove: position.tableAbove?.header.line)), .table)
    }

    private func content(at position: Position) -> Finding {
        let block = position.block
        switch block.content {
        case .heading(let heading): return heading.level > 2 ? .none : headerReadAsHeading(block)
        case .list(let list):
            var finding = finding(in: list, at: position)
            if !position.isNotes, !position.section.role(at: position.index).isColumnList,
                let details = details(in: block, position.section)
            {
                finding.nearMisses.insert(.details(details), at: 0)
            }
            return finding
        case .other(.paragraph), .other(.linkReferences):
            var finding = findingInText(at: position)
            if !position.isNotes, let details = details(in: block, position.section) {
                finding.nearMisses.insert(.details(details), at: 0)
            }
            return finding
        case .other(.code):
            if !position.isNotes, isDetachedDescription(position) {
                return Finding(.detachedDescription(block.range), .none)
            }
            return isFenced(block) ? .none : findingInIndentedCode(at: position)
        case .other(.html): return findingInHTML(at: position)
        case .other(.quote): return findingInQuote(at: position)
        case .other(.thematicBreak), .table: return .none
        }
    }

    // MARK: Quotes and code

    private func findingInIndentedCode(at position: Position) -> Finding {
        let scans = source.scans(at: position.block.lines)
        if let heading = heading(among: scans) { return Finding(.heading(heading), .heading) }
        guard !position.isNotes else { return .none }
        guard
            let (_, scan) = scans.first(where: {
                $0.scan.beginsWithPipe || Self.readsLikeRow(cells(of: $0.scan), in: position.context)
            })
        else {
            return columns(at: position)
        }
        if position.isBelowBrokenTable, !Self.isHeader(cells(of: scan), in: position.context) {
            return .partOfBrokenTable
        }
        return Finding(.indentedRow(scan.range), .table)
    }

    private func findingInQuote(at position: Position) -> Finding {
        let scans = source.scans(at: position.block.lines, skippingMarkers: true)
        if let heading = heading(among: scans) { return Finding(.heading(heading), .heading) }
        guard !position.isNotes else { return .none }
        if let (_, scan) = scans.first(where: { $0.scan.beginsWithPipe || $0.scan.isDelimiter }) {
            return Finding(.tableInQuote(scan.range), .table)
        }
        return columns(at: position)
    }

    func isFenced(_ block: Block) -> Bool {
        guard let first = source.bytes[block.range].first else { return false }
        guard first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else { return false }
        var columns = 0
        for byte in source.bytes[source.lineStarts[block.lines.lowerBound]..<block.range.lowerBound] {
            columns += byte == 0x09 ? 4 : 1
        }
        return columns < 4
    }

    // MARK: Skipped rows

    /// The near misses of lines that CommonMark reads as rows of a table and the parser skips.
    func nearMisses(inSkippedRows lines: [Int]) -> [NearMiss] {
        lines.compactMap { line in source.scan(at: line).map { nearMiss(inSkippedRow: line, $0) } }
    }
}

/// The near misses of a document, and the ends of the sections that contain near misses.
struct NearMisses: Sendable {
    /// The near misses outside of sections.
    var ofDocument: [NearMiss] = []
    /// A Boolean value that indicates whether `ofDocument` contains the document's title.
    var hasTitle = false
    var inSections: [NearMiss] = []
    /// The ends of the sections that contain near misses. The key is the index of the section's first block. The value
    /// is the index of the first block after the section.
    fileprivate(set) var ends: [Int: Int] = [:]

    /// Returns whether a section contains a near miss.
    func isDamaged(_ section: DocumentOutline.Section) -> Bool { ends[section.blocks.startIndex] != nil }

    /// Returns the index of the first block after a section. A section ends at a broken heading, because the blocks
    /// below belong to that heading.
    func end(of section: DocumentOutline.Section) -> Int {
        ends[section.blocks.startIndex] ?? section.blocks.endIndex
    }

    /// The lines of the headers of tables that have broken rows below them.
    var tablesWithLostRows: Set<Int> {
        Set(
            inSections.compactMap { nearMiss in
                if case .table(let table) = nearMiss { table.tableAbove } else { nil }
            })
    }
}
