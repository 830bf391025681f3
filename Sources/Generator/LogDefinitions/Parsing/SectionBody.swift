import MarkdownSyntax

/// The content under one heading.
struct SectionBody {
    enum Context { case common, category, event, type }

    var description = ""
    var notes = ""
    var details = Details()
    var columns: [Column] = []
    /// Events of the one-table form.
    var events: [Event] = []
    /// Rows of a `value | description` table.
    var values: [NamedType.EnumValue]?
}

extension FileParser {
    /// The purpose of a table, by its header.
    enum TableKind {
        case details
        case columns(TableHeader)
        case events(TableHeader)
        case values(TableHeader)
        case unknown
        /// The block is not a table.
        case none

        var definesColumns: Bool {
            switch self {
            case .columns, .events: true
            default: false
            }
        }
    }

    mutating func body(of section: Section, in context: SectionBody.Context) -> SectionBody {
        var body = SectionBody()
        var notes: [Block] = []
        // Everything before the first table is the description. Content after a deeper heading does not count.
        let firstDeeper = section.blocks.firstIndex {
            if case .heading(let heading) = $0.content { heading.level > 2 } else { false }
        }
        let kinds = section.blocks[..<(firstDeeper ?? section.blocks.endIndex)].map { block in
            if case .table(let table) = block.content { kind(of: table, in: context) } else { TableKind.none }
        }
        let firstColumnTable = kinds.firstIndex(where: \.definesColumns).map { $0 + section.blocks.startIndex }
        let hasColumns = firstColumnTable != nil
        let hasDetails = kinds.contains { if case .details = $0 { true } else { false } }
        let blocks = section.blocks[
            ..<reportLost(in: section.blocks, firstColumnTable: firstColumnTable, hasDetails: hasDetails, in: context)]
        let deeper = min(firstDeeper ?? blocks.endIndex, blocks.endIndex)
        let counted = blocks[..<deeper]
        var descriptionEnd = counted.startIndex
        var firstColumns: Range<Int>?
        var firstDetails: Range<Int>?
        for index in counted.indices {
            let block = counted[index]
            var isDefinition = false
            switch block.content {
            case .table(let table):
                isDefinition = true
                let place = cellRange(table.header, 0) ?? block.range
                switch kinds[index - counted.startIndex] {
                case .details:
                    if let firstDetails {
                        reportSecond("details table", at: place, first: firstDetails)
                    } else {
                        firstDetails = place
                        body.details = details(table, in: context)
                    }
                case .columns(let header):
                    if let firstColumns {
                        reportSecond("column table", at: place, first: firstColumns)
                    } else {
                        firstColumns = place
                        if context == .category {
                            report(
                                .misplacedTable, "columns under a category's heading belong to no event", at: place,
                                notes: [
                                    .help(
                                        "put them under an event's `##` heading, add an `event` column, or move them to `common.md`"
                                    )
                                ])
                        } else {
                            body.columns = columns(table, header)
                        }
                    }
                case .events(let header):
                    if let firstColumns {
                        reportSecond("event table", at: place, first: firstColumns)
                    } else {
                        firstColumns = place
                        body.events = events(table, header)
                    }
                case .values(let header):
                    if let firstColumns {
                        reportSecond("table of values", at: place, first: firstColumns)
                    } else {
                        firstColumns = place
                        body.values = values(table, header)
                    }
                case .unknown, .none:
                    // After the definition, a table that defines nothing is a note.
                    if firstColumns == nil {
                        reportUnknownTable(table, at: place, in: context)
                        firstColumns = place
                    } else {
                        isDefinition = false
                    }
                }
            case .list(let list) where !hasColumns && context != .type && isColumnList(list):
                isDefinition = true
                if let firstColumns {
                    reportSecond("column list", at: block.range, first: firstColumns)
                } else {
                    firstColumns = block.range
                    if context == .category {
                        report(
                            .misplacedTable, "columns under a category's heading belong to no event",
                            at: source.lineRange(block.lines.lowerBound),
                            notes: [.help("put them under an event's `##` heading, or move them to `common.md`")])
                    } else {
                        body.columns = columns(list)
                    }
                }
            default: break
            }
            if isDefinition {
                if firstColumns == nil && firstDetails == nil { firstColumns = block.range }
            } else if firstColumns == nil && firstDetails == nil {
                descriptionEnd = index + 1
            } else {
                notes.append(block)
            }
        }
        collectDeepHeadings(blocks[deeper...], in: context)
        body.description = source.markdown(of: counted[..<descriptionEnd])
        body.notes = source.markdown(of: notes + blocks[deeper...])
        return body
    }

    private mutating func reportSecond(_ what: String, at range: Range<Int>, first: Range<Int>) {
        report(
            .secondTable, "a second \(what) under one heading", at: range,
            notes: [
                .note("the first one is here", at: Place(file: file, range: first.lowerBound..<first.lowerBound)),
                .help("put the rows into one table, or give them a heading of their own"),
            ])
    }

    private mutating func reportUnknownTable(_ table: Table, at range: Range<Int>, in context: SectionBody.Context) {
        let cells = table.header.cells.map { $0.text(in: source) }
        let wanted: [HeaderKind]
        switch context {
        case .type: wanted = [.value, .key]
        case .category: wanted = [.key, .value]
        case .common, .event: wanted = [.column, .type, .key, .value]
        }
        for (index, cell) in cells.enumerated() where HeaderKind(cell) == nil {
            guard let nearest = HeaderKind.nearest(to: cell), wanted.contains(nearest.kind) else { continue }
            report(
                .missingHeader, "`\(cell)` is not a header this table can have",
                at: cellRange(table.header, index) ?? range,
                notes: [.didYouMean(nearest.spelling)] + hidden(in: cell))
            return
        }
        let kinds = Set(cells.compactMap { HeaderKind($0) })
        if context == .event || context == .common, kinds.contains(.column) != kinds.contains(.type) {
            let missing = kinds.contains(.column) ? "type" : "column"
            report(
                .missingHeader, "the column table has no `\(missing)` header", at: range,
                notes: [.help("a column table has at least the headers `column` and `type`")])
            return
        }
        let help: String =
            switch context {
            case .type: "an enumeration's table has the headers `value` and `description`"
            case .category:
                "a details table has the headers `key` and `value`; tables that define nothing go below a `###` heading"
            case .common, .event:
                "a column table has the headers `column` and `type`, a details table `key` and `value`; tables that define nothing go below a `###` heading"
            }
        report(.unknownTable, "this table's headers say neither columns nor details", at: range, notes: [.help(help)])
    }

    func cellRange(_ row: Row, _ index: Int) -> Range<Int>? {
        row.cells.indices.contains(index) ? row.cells[index].range : nil
    }

    func kind(of table: Table, in context: SectionBody.Context) -> TableKind {
        let cells = table.header.cells.map { $0.text(in: source) }
        let kinds = cells.map { HeaderKind($0) }
        if kinds.count == 2, kinds.contains(.key), kinds.contains(.value) { return .details }
        let header = TableHeader(kinds: kinds, texts: cells)
        if context == .type {
            // `keyy | value` is a details table with a spelling mistake.
            let isDetails =
                kinds.count == 2
                && cells.indices.contains { kinds[$0] == nil && HeaderKind.nearest(to: cells[$0])?.kind == .key }
            return kinds.contains(.value) && !isDetails ? .values(header) : .unknown
        }
        guard kinds.contains(.column), kinds.contains(.type) else { return .unknown }
        return context == .category && kinds.contains(.event) ? .events(header) : .columns(header)
    }
}
