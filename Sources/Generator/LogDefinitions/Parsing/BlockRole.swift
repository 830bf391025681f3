import MarkdownSyntax

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
    case text

    init(of block: Block, in context: SectionContext, source: SourceText) {
        switch block.content {
        case .table(let table): self.init(of: table, in: context, source: source)
        case .heading, .list, .other: self = .text
        }
    }

    init(of table: Table, in context: SectionContext, source: SourceText) {
        let cells = table.header.cells.map { $0.text(in: source) }
        let header = TableHeader(cells)
        let kinds = header.kinds
        if kinds.count == 2, kinds.contains(.key), kinds.contains(.value) {
            self = .details(table)
        } else if context == .type {
            // The headers `keyy | value` are a misspelling of `key | value`. As an unknown table, they are reported.
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

    var isDefinition: Bool {
        switch self {
        case .details, .columns, .events, .values: true
        case .unknownTable, .text: false
        }
    }

    /// A Boolean value that indicates whether a table of columns has another header than `column`.
    var hasOtherWords: Bool {
        switch self {
        case .columns(_, let header), .events(_, let header):
            !header.texts.contains { HeaderKind.column.isCanonical($0) }
        default: false
        }
    }
}
