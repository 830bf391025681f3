import MarkdownSyntax

struct SectionBody {
    var description = ""
    var notes = ""
    var details = Details()
    var columns: [Column] = []
    /// Events of the one-table form.
    var events: [Event] = []
    /// Rows of a `value | description` table, if any.
    var values: [NamedType.EnumValue]?
    /// The place of the block that defines columns, events or values, if any.
    var columnsPlace: Range<Int>?
    fileprivate var detailsPlace: Range<Int>?
}

extension FileParser {
    mutating func body(of section: Section) -> SectionBody {
        var body = SectionBody()
        var notes: [Block] = []
        let notesStart = section.notesStart
        // Everything before the first definition is the description.
        var descriptionEnd = section.blocks.startIndex
        for index in section.blocks.startIndex..<notesStart {
            let block = section.blocks[index]
            if read(block, as: section.role(at: index), of: section, into: &body) { continue }
            if body.columnsPlace == nil, body.detailsPlace == nil {
                descriptionEnd = index + 1
            } else {
                notes.append(block)
            }
        }
        body.description = source.markdown(of: section.blocks[..<descriptionEnd])
        body.notes = source.markdown(of: notes + section.blocks[notesStart...])
        return body
    }

    /// - Returns: whether the block is a definition. Otherwise, it is text.
    private mutating func read(
        _ block: Block, as role: BlockRole, of section: Section, into body: inout SectionBody
    ) -> Bool {
        switch role {
        case .details(let table):
            let place = table.header.range(ofCell: 0) ?? block.range
            guard isFirst("details table", at: place, &body.detailsPlace) else { return true }
            body.details = details(table, in: section.context)
        case .columns(let table, let header):
            let place = table.header.range(ofCell: 0) ?? block.range
            guard isFirst("column table", at: place, &body.columnsPlace) else { return true }
            if section.context == .category {
                report(
                    .misplacedTable, "columns below a category's heading do not belong to an event", at: place,
                    .help(
                        "move them below an event's `##` heading, add an `event` column, or move them to "
                            + "`common.md`"))
            } else {
                body.columns = columns(table, header)
                checkEvents(table, header, in: section)
            }
        case .events(let table, let header):
            let place = table.header.range(ofCell: 0) ?? block.range
            guard isFirst("event table", at: place, &body.columnsPlace) else { return true }
            body.events = events(table, header)
        case .values(let table, let header):
            let place = table.header.range(ofCell: 0) ?? block.range
            guard isFirst("table of values", at: place, &body.columnsPlace) else { return true }
            body.values = values(table, header)
        case .unknownTable(let table):
            // After the definition, a table that defines nothing is a note.
            guard body.columnsPlace == nil else { return false }
            let place = table.header.range(ofCell: 0) ?? block.range
            reportUnknownTable(table, at: place, in: section.context)
            body.columnsPlace = place
        case .text: return false
        }
        return true
    }

    /// Records the place of a definition, or reports that the section already has one of its kind.
    private mutating func isFirst(_ what: String, at place: Range<Int>, _ first: inout Range<Int>?) -> Bool {
        if let first {
            reportSecond(what, at: place, first: first)
            return false
        }
        first = place
        return true
    }

    private mutating func reportSecond(_ what: String, at range: Range<Int>, first: Range<Int>) {
        report(
            .secondTable, "a second \(what) below one heading", at: range,
            .note("the first one is here", at: Place(file: file, range: first.lowerBound..<first.lowerBound)),
            .help("move the rows into the first one, or add a heading above this one"))
    }

    private mutating func reportUnknownTable(_ table: Table, at range: Range<Int>, in context: SectionContext) {
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
                .missingHeader, "`\(cell)` is not a header of this table",
                at: table.header.range(ofCell: index) ?? range, .didYouMean(nearest.spelling), hidden(in: cell))
            return
        }
        let kinds = Set(cells.compactMap { HeaderKind($0) })
        if context == .event || context == .common, kinds.contains(.column) != kinds.contains(.type) {
            let missing: HeaderKind = kinds.contains(.column) ? .type : .column
            let isMissing = "the column table has no `\(missing)` header"
            guard missing == .column, let renamed = cells.indices.first(where: { HeaderKind(cells[$0]) == .key }) else {
                report(
                    .missingHeader, isMissing, at: range,
                    .help("a column table has at least the headers `column` and `type`"))
                return
            }
            report(
                .missingHeader, isMissing, at: table.header.range(ofCell: renamed) ?? range,
                .help("rename `\(cells[renamed])` to `column`", .replace(nil, with: "column")))
            return
        }
        let help: String =
            switch context {
            case .type: "an enumeration's table has the headers `value` and `description`"
            case .category:
                "a details table has the headers `key` and `value`; move other tables below a `###` heading"
            case .common, .event:
                "a column table has the headers `column` and `type`, a details table `key` and `value`; move other "
                    + "tables below a `###` heading"
            }
        report(.unknownTable, "this table defines nothing: its headers are unknown", at: range, .help(help))
    }
}
