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

    /// A cell that is not empty.
    struct Content {
        var header: PlanHeader
        /// The header as written.
        var label: String
        var cell: Cell
    }

    struct ContentRow {
        /// The line, from 1.
        var line: Int
        var cells: [Content]
    }

    let source: InferenceSource
    /// The headers as written.
    let labels: [String]
    private(set) var headers: [PlanHeader?]
    private(set) var rows: [ContentRow] = []
    let line: Int
    private(set) var form = Form.none
    private let header: Row
    /// The cells beyond those of the header.
    var excess: [(text: String, place: SourcePlace)] {
        table.rows.compactMap { row in
            row.excess.map { (source.text.string($0), source.place($0.lowerBound)) }
        }
    }
    private let table: Table

    init(_ table: Table, in source: InferenceSource) {
        self.source = source
        self.table = table
        header = table.header
        line = table.header.line + 1
        labels = table.header.cells.map { PlanItem.plain($0.text(in: source.text)) }
        headers = labels.map { PlanHeader($0, isOfTable: true) }
        let hasProperties = headers.contains { $0 == .property || ($0?.isList ?? false) }
        // A question or a metric with the events that it counts. Next to properties, one event in each row is defined.
        if let first = labels.first, headers.first != .event, PlanWords.usesEvents(first),
            !hasProperties || !namesEachEventOnce(table.rows)
        {
            headers = headers.map { $0 == .event ? .other("") : $0 }
        }
        // `Related events` is a column of names only next to properties, or as the first column.
        if !hasProperties {
            for index in headers.indices.dropFirst()
            where headers[index] == .event && !PlanHeader.isWord(labels[index]) && headers[index - 1] != .number {
                headers[index] = .other(labels[index])
            }
        }
        // An action is an event only by a name, and in the first column: `Shortcut | Action` are keys.
        for index in headers.indices where headers[index] == .event && PlanWords.isAction(labels[index]) {
            let cells = table.rows.compactMap { $0.cells.indices.contains(index) ? text($0.cells[index]) : nil }
            if index > 0 && headers[index - 1] != .number || cells.count(where: Names.isIdentifier) * 2 <= cells.count {
                headers[index] = .other(labels[index])
            }
        }
        findColumnsOfNamesInCode(table.rows)
        // Next to types, a column of properties has one in each row.
        if headers.contains(.event), let types = headers.firstIndex(of: .type) {
            let cells = table.rows.compactMap { $0.cells.indices.contains(types) ? text($0.cells[types]) : nil }
            if cells.count(where: { TypeNameParser.parse($0) != nil }) * 2 > cells.count {
                headers = headers.map { $0 == .properties(isRequired: nil) ? .property : $0 }
            }
        }
        readRows(table.rows)
        form = decided()
        if form == .events, !eventColumnHasNames { form = .none }
        chooseNames()
    }

    /// Returns whether a column has marks, such as `✓`, in some rows.
    func hasMarks(_ header: PlanHeader) -> Bool {
        rows.contains { $0.cells.contains { $0.header == header && Spreadsheet.flag(text($0.cell)) == true } }
    }

    /// Indicates whether a column describes the properties, so that a heading in words is an event.
    var describesProperties: Bool {
        headers.contains {
            $0.map { [.type, .required, .optional, .description, .values, .example].contains($0) } ?? false
        }
    }

    private func namesEachEventOnce(_ rows: [Row]) -> Bool {
        guard let column = headers.firstIndex(of: .event) else { return false }
        let names = rows.flatMap { row in
            row.cells.indices.contains(column) ? PlanNames(cell: row.cells[column].text(in: source.text)).names : []
        }
        return names.count == rows.count && Set(names.map { ExactString($0.name) }).count == rows.count
    }

    private mutating func findColumnsOfNamesInCode(_ rows: [Row]) {
        guard headers.contains(.event), !headers.contains(.property) else { return }
        for index in headers.indices {
            let isRequired: Bool?
            switch headers[index] {
            case .required: isRequired = true
            case .optional: isRequired = false
            case .other(let label): isRequired = PlanWords.requirement(PlanWords.folded(label))
            default: continue
            }
            let cells = rows.compactMap {
                $0.cells.indices.contains(index) ? $0.cells[index].text(in: source.text) : nil
            }
            .filter { !PlanWords.isNone(PlanItem.plain($0)) }
            let lists = cells.filter { cell in
                cell.hasPrefix("`") && PlanItem.split(cell).allSatisfy { Names.isIdentifier(PlanItem.plain($0)) }
            }
            // One name in each cell may be that of another event.
            if lists.count * 2 > cells.count, lists.contains(where: { PlanItem.split($0).count > 1 }) {
                headers[index] = .properties(isRequired: isRequired)
            }
        }
    }

    /// The headers as written, for messages.
    var headerText: String { labels.map { "`\($0)`" }.joined(separator: ", ") }

    /// `同上` stands for the cell above.
    private mutating func readRows(_ rows: [Row]) {
        var above: [Int: Cell] = [:]
        for row in rows {
            var cells: [Content] = []
            for (index, written) in row.cells.enumerated()
            where !written.range.isEmpty && labels.indices.contains(index) {
                let cell = PlanWords.repeatsAbove(text(written)) ? above[index] ?? written : written
                above[index] = cell
                let isNumber = text(cell).allSatisfy { $0.isNumber || $0 == "." }
                cells.append(
                    Content(
                        header: headers[index] ?? (isNumber ? .number : .description), label: labels[index], cell: cell)
                )
            }
            self.rows.append(ContentRow(line: row.line + 1, cells: cells))
        }
    }

    /// The column with most identifiers, or else the first. The others are titles.
    private mutating func chooseNames() {
        var kinds: [PlanHeader] = [.event, .name]
        if form == .properties { kinds = [.property, .name] }
        if form == .events, headers.contains(where: { $0?.isOfProperties ?? false }) { kinds = [.event] }
        let columns = headers.indices.filter { index in headers[index].map(kinds.contains) ?? false }
        guard columns.count > 1, form == .properties || form == .events else { return }
        func count(_ column: Int) -> Int {
            rows.count { row in
                row.cells.contains { $0.label == labels[column] && Names.isIdentifier(text($0.cell)) }
            }
        }
        let first = columns.first { headers[$0] == kinds[0] } ?? columns[0]
        let best = columns.reduce(first) { count($1) > count($0) ? $1 : $0 }
        for column in columns {
            headers[column] = column == best ? kinds[0] : .title
            for row in rows.indices {
                for cell in rows[row].cells.indices where rows[row].cells[cell].label == labels[column] {
                    rows[row].cells[cell].header = column == best ? kinds[0] : .title
                }
            }
        }
    }

    /// The rows of a table of details. The header may be one of them.
    var facts: [(label: String, value: String, place: SourcePlace)] {
        var facts = rows.filter { $0.cells.count > 1 }.map { row in
            (text(row.cells[0].cell), row.cells[1].cell.text(in: source.text), place(row.cells[0].cell))
        }
        if Self.isFact(labels[0]), case .other = headers[1] {
            facts.insert(
                (labels[0], header.cells[1].text(in: source.text), SourcePlace(source.path, line: line)), at: 0)
        }
        return facts
    }

    private func decided() -> Form {
        let known = headers.compactMap { $0 }
        let hasList = known.contains(where: \.isList)
        if headers.count == 2 {
            // Below `Parameter`, `platform` is a name, as is a name in code.
            let label = PlanWords.folded(labels[0])
            let isOfNames =
                headers[0] == .property
                && (PlanWords.propertyWords.contains(label + "s") || PlanWords.endsWithProperties(label))
            let facts = rows.count { row in
                guard !isOfNames, let first = row.cells.first else { return false }
                return Self.isFact(text(first.cell)) && !first.cell.text(in: source.text).holds("`")
            }
            let names = rows.count { row in
                guard row.cells.count > 1, Self.isEventName(text(row.cells[0].cell)) else { return false }
                let value = row.cells[1].cell.text(in: source.text)
                return value.holds("`") || !text(row.cells[1].cell).holds(" ")
            }
            if names == 1 || facts > 0 && facts * 2 >= rows.count, !known.contains(.type) { return .details }
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
            return known.count > 1 && (known.first?.isList == true || known.contains(.type)) ? .properties : .none
        }
        if known.first == .values, known.count > 1 { return .values }
        return .none
    }

    private var eventColumnHasNames: Bool {
        rows.contains { row in
            row.cells.contains {
                [.event, .name].contains($0.header)
                    && text($0.cell).unicodeScalars.contains(where: \.properties.isAlphabetic)
            }
        }
    }

    /// A property may be `event` or `event_name`.
    private static func isEventName(_ label: String) -> Bool {
        PlanHeader(label) == .event && !Names.isIdentifier(label.lowercased())
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

    func prose(_ cell: Cell) -> String { PlanItem.prose(cell.text(in: source.text)) }

    func place(_ cell: Cell) -> SourcePlace { source.place(cell.range.lowerBound) }
}
