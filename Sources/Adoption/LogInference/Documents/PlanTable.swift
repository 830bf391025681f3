import LogDefinitions
import MarkdownSyntax

/// A table of a plan, with the meaning of its headers.
struct PlanTable {
    enum Form {
        /// A row is an event, perhaps with properties in a cell, or a property of an event named in the row.
        case events
        /// A row is a property.
        case properties
        /// A row is a fact about the event: its name, its owner, its platforms.
        case details
        /// A row is an allowed value.
        case values
        /// The rows are names. The heading decides of what.
        case names
        /// Something else.
        case none
    }

    let source: InferenceSource
    let headers: [PlanHeader?]
    let rows: [Row]
    let line: Int
    private(set) var form = Form.none

    init(_ table: Table, in source: InferenceSource) {
        self.source = source
        line = table.header.line + 1
        headers = table.header.cells.map { PlanHeader(PlanItem.plain($0.text(in: source.text))) }
        rows = table.rows
        form = decided()
        if form == .events, !hasNames { form = .none }
    }

    /// The headers as written, for messages.
    func headerText(_ table: Table) -> String {
        table.header.cells.map { "`\(PlanItem.plain($0.text(in: source.text)))`" }.joined(separator: ", ")
    }

    private func decided() -> Form {
        let known = headers.compactMap { $0 }
        let hasList = known.contains { if case .properties = $0 { true } else { false } }
        if headers.count == 2 {
            let facts = rows.count { row in row.cells.first.map { Self.isFact(text($0)) } ?? false }
            if facts > 0, facts * 2 >= rows.count, !known.contains(.type) { return .details }
        }
        if known.contains(.event) { return .events }
        if known.contains(.property) { return .properties }
        if known.contains(.name) {
            if hasList { return .events }
            if known.contains(where: \.isOfProperties) { return .properties }
            if known.contains(where: { [.trigger, .status, .owner, .platforms].contains($0) }) { return .events }
            return known.contains(.description) ? .names : .none
        }
        if hasList {
            let isFirst = if case .properties = known.first { true } else { false }
            return known.count > 1 && (isFirst || known.contains(.type)) ? .properties : .none
        }
        if known.first == .values, known.count > 1 { return .values }
        return .none
    }

    /// Indicates whether the column of events has names, instead of counts.
    private var hasNames: Bool {
        rows.contains { row in
            cells(row).contains {
                [.event, .name].contains($0.header)
                    && text($0.cell).unicodeScalars.contains(where: \.properties.isAlphabetic)
            }
        }
    }

    /// Returns whether a label names a fact about an event.
    static func isFact(_ label: String) -> Bool {
        switch PlanHeader(label) {
        case .event, .owner, .platforms, .status, .since, .trigger: true
        case .name: PlanWords.folded(label) == "key"
        default: false
        }
    }

    /// Returns whether a label names a fact about an event, its description, or its properties.
    static func isPartOfEvent(_ label: String) -> Bool {
        switch PlanHeader(label) {
        case .properties, .description: true
        default: isFact(label)
        }
    }

    func text(_ cell: Cell) -> String { PlanItem.plain(cell.text(in: source.text)) }

    func place(_ cell: Cell) -> SourcePlace { source.place(cell.range.lowerBound) }

    /// The cells of a row that have contents and a header.
    func cells(_ row: Row) -> [(header: PlanHeader, cell: Cell)] {
        row.cells.enumerated().compactMap { index, cell in
            guard !cell.range.isEmpty, headers.indices.contains(index), let header = headers[index] else { return nil }
            return (header, cell)
        }
    }
}
