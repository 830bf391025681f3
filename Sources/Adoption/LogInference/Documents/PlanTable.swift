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
        case none
    }

    /// A cell that is not empty.
    struct Content {
        var header: PlanHeader
        var column: Int
        /// The header as written.
        var label: String
        var markdown: String
        var place: SourcePlace

        var text: String { PlanItem.plain(markdown) }
        var prose: String { PlanItem.prose(markdown) }
    }

    struct ContentRow {
        var place: SourcePlace
        var cells: [Content] = []

        subscript(_ header: PlanHeader) -> Content? { cells.first { $0.header == header } }
    }

    /// The headers as written.
    let labels: [String]
    private(set) var headers: [PlanHeader?]
    private(set) var rows: [ContentRow] = []
    private(set) var form = Form.none
    let place: SourcePlace
    /// The second header, as a fact.
    private let headerMarkdown: [String]
    /// The cells beyond those of the header.
    let excess: [(text: String, place: SourcePlace)]

    init(_ table: Table, in source: InferenceSource) {
        place = SourcePlace(source.path, line: table.header.line + 1, column: 1)
        headerMarkdown = table.header.cells.map { $0.text(in: source.text) }
        labels = headerMarkdown.map(PlanItem.plain)
        headers = labels.map { PlanHeader($0, isOfTable: true) }
        excess = table.rows.compactMap { row in
            row.excess.map { (PlanItem.plain(source.text.string($0)), source.place($0.lowerBound)) }
        }
        // `同上` stands for the cell above.
        var above: [Int: Cell] = [:]
        for row in table.rows {
            var contents = ContentRow(place: SourcePlace(source.path, line: row.line + 1))
            for (index, written) in row.cells.enumerated()
            where !written.range.isEmpty && labels.indices.contains(index) {
                let repeats = PlanWords[.ditto].contains(
                    PlanWords.folded(PlanItem.plain(written.text(in: source.text))))
                let cell = repeats ? above[index] ?? written : written
                above[index] = cell
                let markdown = cell.text(in: source.text)
                let isNumber = PlanItem.plain(markdown).allSatisfy { $0.isNumber || $0 == "." }
                contents.cells.append(
                    Content(
                        header: headers[index] ?? (isNumber ? .number : .description), column: index,
                        label: labels[index], markdown: markdown, place: source.place(cell.range.lowerBound)))
            }
            rows.append(contents)
        }
        // `Primary events` next to a question uses events. `Events` has them.
        let hasProperties = headers.contains { $0 == .property || $0?.isList ?? false }
        for index in headers.indices.dropFirst() where headers[index] == .event && !hasProperties {
            if headers[index - 1] != .number, PlanHeader(labels[index]) != .event {
                set(.other(labels[index]), of: index)
            }
        }
        // Below `Category` and `Action`, actions are events. In a language that is not known, names in code are.
        let isUnknown = !headers.contains { [.event, .property, .name, .values].contains($0) || $0?.isList ?? false }
        let action = labels.firstIndex { PlanWords.folded($0) == "action" }
        if isUnknown, headers.contains(.category), let action { set(.event, of: action) }
        let names = isUnknown && !labels[0].allSatisfy(\.isASCII) ? cells(0) : []
        if names.count > 1, names.allSatisfy({ PlanNames($0.markdown).names.allSatisfy { PlanNames.isName($0.name) } })
        {
            set(.event, of: 0)
        }
        if headers.contains(.event), !hasProperties { findColumnsOfProperties() }
        let types = headers.firstIndex(of: .type).map(cells) ?? []
        let isOfRows = headers.contains(.event) && types.contains { TypeNameParser.parse($0.text) != nil }
        for index in headers.indices where isOfRows && headers[index] == .properties(isRequired: nil) {
            set(.property, of: index)
        }
        form = decided()
        chooseNames()
    }

    private mutating func set(_ header: PlanHeader, of column: Int) {
        headers[column] = header
        for row in rows.indices {
            for cell in rows[row].cells.indices where rows[row].cells[cell].column == column {
                rows[row].cells[cell].header = header
            }
        }
    }

    private func cells(_ column: Int) -> [Content] { rows.flatMap { $0.cells.filter { $0.column == column } } }

    /// Finds columns with lists of names in code, which are properties.
    private mutating func findColumnsOfProperties() {
        for index in headers.indices {
            let isRequired: Bool?
            switch headers[index] {
            case .required: isRequired = true
            case .optional: isRequired = false
            case .other(let label): isRequired = PlanWords.requirement(PlanWords.folded(label))
            default: continue
            }
            let cells = cells(index).map(\.markdown).filter { !PlanWords.isNone(PlanItem.plain($0)) }
            // `{ a, b }`, and `` `a` `` below `Required context`.
            var isOther: Bool { if case .other = headers[index] { true } else { false } }
            let isList =
                isOther
                && cells.count { PlanItem.members($0) != nil || isRequired != nil && $0.hasPrefix("`") } * 2
                    > cells.count
            if isList {
                set(.properties(isRequired: isRequired), of: index)
                continue
            }
            let lists = cells.map {
                PlanItem.split($0).map { $0.hasPrefix("`") ? PlanItem.property($0, at: place) : nil }
            }
            .filter { $0.allSatisfy { $0.map { Names.isIdentifier($0.name) } ?? false } }
            // One name in each cell may be that of another event.
            if lists.count * 2 > cells.count, lists.contains(where: { $0.count > 1 || $0[0]?.type != nil }) {
                set(.properties(isRequired: isRequired), of: index)
            }
        }
    }

    private func decided() -> Form {
        let known = headers.compactMap { $0 }
        let hasList = known.contains(where: \.isList)
        // A property may be `status` or `event_name`.
        let label = PlanWords.folded(labels[0])
        let isOfNames = PlanWords[.properties].contains(label + "s") || PlanWords.endsWithProperties(label)
        if headers.count == 2, !isOfNames {
            let facts = rows.compactMap { $0.cells.count > 1 ? $0.cells[0] : nil }.filter { cell in
                !cell.markdown.holds("`") && PlanFact(cell.text, "").isOfEvent
            }
            // `Event name | cart_opened`
            let hasName = rows.contains { row in
                PlanHeader(row.cells.first?.text ?? "") == .event && row.cells.count > 1
                    && !Names.isIdentifier(row.cells[0].text.lowercased()) && !row.cells[1].text.holds(" ")
            }
            if hasName || !facts.isEmpty && facts.count * 2 >= rows.count { return .details }
        }
        let hasNames = rows.contains { row in
            row.cells.contains {
                [.event, .name].contains($0.header) && $0.text.unicodeScalars.contains(where: \.properties.isAlphabetic)
            }
        }
        if known.contains(.event) { return hasNames ? .events : .none }
        if known.contains(.property) { return .properties }
        if known.contains(.name) {
            if hasList { return hasNames ? .events : .none }
            if known.contains(where: \.isOfProperties) { return .properties }
            let isOfEvents = known.contains { [.trigger, .status, .owner, .platforms].contains($0) }
            return isOfEvents && hasNames ? .events : known.contains(.description) ? .properties : .none
        }
        if hasList {
            return known.count > 1 && (known.first?.isList == true || known.contains(.type)) ? .properties : .none
        }
        return known.first == .values && known.count > 1 ? .values : .none
    }

    /// The column with most identifiers, or else the first. The others are titles.
    private mutating func chooseNames() {
        guard form == .properties || form == .events else { return }
        let header = form == .events ? PlanHeader.event : .property
        let isOfRows = form == .events && headers.contains { $0?.isOfProperties ?? false }
        let columns = headers.indices.filter { headers[$0] == header || headers[$0] == .name && !isOfRows }
        guard columns.count > 1 else { return }
        func count(_ column: Int) -> Int { cells(column).count { Names.isIdentifier($0.text) } }
        let first = columns.first { headers[$0] == header } ?? columns[0]
        let best = columns.reduce(first) { count($1) > count($0) ? $1 : $0 }
        for column in columns { set(column == best ? header : .title, of: column) }
    }

    /// Returns whether at least half of the cells of a column have code.
    func isCode(_ column: Int) -> Bool {
        let cells = cells(column)
        return cells.count { $0.markdown.holds("`") } * 2 >= cells.count
    }

    /// Returns whether a column has marks, such as `✓`, in some rows.
    func hasMarks(_ header: PlanHeader) -> Bool {
        rows.contains { row in row[header].map { Spreadsheet.flag($0.text) == true } ?? false }
    }

    /// Indicates whether a column describes the properties, so that a heading in words is an event.
    var describesProperties: Bool {
        headers.contains { $0?.isOfProperties ?? false && $0 != .property }
            || headers.contains(.property) && headers.contains(.description)
    }

    /// The rows of a table of details. The header may be one of them.
    var facts: [(fact: PlanFact, place: SourcePlace)] {
        let rows = rows.filter { $0.cells.count > 1 }.map {
            (PlanFact($0.cells[0].text, $0.cells[1].markdown), $0.cells[0].place)
        }
        let first = PlanFact(labels[0], headerMarkdown[1])
        if first.isOfEvent, case .other = headers[1] { return [(first, place)] + rows }
        return rows
    }

    /// The headers as written, for messages.
    var headerText: String { labels.map { "`\($0)`" }.joined(separator: ", ") }
}
