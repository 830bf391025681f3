import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// Tables of events, properties and values.
extension PlanDocument {
    // MARK: Events

    mutating func readEvents(_ table: PlanTable, _ chapter: String?) {
        var chapter = chapter
        var current: [Int] = []
        // Whether the row is about all events.
        var isOfAll = false
        let hasPropertyColumn = table.headers.contains(.property)
        let nameHeader: PlanHeader = table.headers.contains(.event) ? .event : .name
        let written = table.rows.compactMap { row in
            row.cells.first { $0.header == nameHeader }.map { $0.cell.text(in: source.text) }
        }
        // In a table of names in code, words are not a name, unless they are bold.
        let areCode = written.count { $0.holds("`") } * 2 > written.count
        for row in table.rows {
            let above = current
            let name = row.cells.first { $0.header == nameHeader }
            if let category = row.cells.first(where: { $0.header == .category }) { chapter = table.text(category.cell) }
            if let name {
                let (markdown, place) = (name.cell.text(in: source.text), table.place(name.cell))
                let names = PlanNames(cell: markdown)
                isOfAll = names.names.count == 1 && PlanWords.namesAllEvents(names.names[0].name)
                // A row that has only a name in words is a heading of the rows below it.
                if row.cells.count == 1, table.headers.count > 2, !markdown.holds("`"),
                    !names.names.allSatisfy({ Names.isIdentifier($0.name) })
                {
                    chapter = PlanNames.unnumbered(table.text(name.cell))
                    current = []
                    continue
                }
                if areCode, !isOfAll, !markdown.holds("`"), !markdown.hasPrefix("**"), markdown.holds(" ") {
                    findings.warn("`\(table.text(name.cell))` is left out: it is not a name", at: place)
                    current = []
                    continue
                }
                for variable in names.variables {
                    findings.warn(
                        "the variable `\(variable)` is left out of an event's name: make it a column", at: place)
                }
                current = isOfAll ? [] : names.names.map { event(named: $0, in: chapter, at: place) }
                for event in current { events[event].add(names.rest) }
            }
            guard !current.isEmpty || isOfAll else {
                if !row.cells.isEmpty {
                    findings.warn(
                        "the row does not belong to an event: name the event in its row",
                        at: SourcePlace(source.path, line: row.line))
                }
                continue
            }
            var properties = row.cells.flatMap { content -> [PlanProperty] in
                switch content.header {
                case .properties(let isRequired): items(content.cell, table, isRequired)
                case .property: items(content.cell, table, nil, isName: true)
                default: []
                }
            }
            let describesProperty = hasPropertyColumn && !properties.isEmpty
            func isOfEvent(_ header: PlanHeader) -> Bool {
                switch header {
                case .properties, .property: false
                case .trigger, .owner, .title, .category, .number: true
                case .status: !describesProperty || current != above
                default: !describesProperty
                }
            }
            let others = row.cells.filter { $0.header != nameHeader }
            if describesProperty {
                let cells = others.filter { !isOfEvent($0.header) && $0.header != .property }
                properties = properties.map { describedByOtherCells($0, cells, table) }
            }
            if isOfAll { add(properties, to: [], true, 0) }
            for event in current {
                for content in others where isOfEvent(content.header) {
                    read(content.header, table.prose(content.cell), label: content.label, event)
                }
                for property in properties { events[event].add(property) }
            }
        }
    }

    private mutating func items(
        _ cell: Cell, _ table: PlanTable, _ isRequired: Bool?, isName: Bool = false
    ) -> [PlanProperty] {
        items(cell.text(in: source.text), at: table.place(cell), isRequired, isName: isName)
    }

    /// Reads a list of properties in one line or cell.
    /// - Parameter isName: whether the cell is in a column of names, in which `x` and `no` are names.
    mutating func items(
        _ markdown: String, at place: SourcePlace, _ isRequired: Bool?, isName: Bool = false
    ) -> [PlanProperty] {
        let hasCode = markdown.holds("`")
        let plain = PlanItem.plain(markdown)
        let mayBeName = isName && (hasCode || Names.isIdentifier(plain) && plain != "none")
        if PlanItem.isNone(markdown), !mayBeName { return [] }
        if PlanWords.isNoneWithRemark(plain) {
            findings.note("left out, because it says that there are no properties: `\(plain)`", at: place)
            return []
        }
        if let (members, rest) = PlanItem.members(markdown) {
            if rest.contains(where: \.isLetter) { findings.note("left out: `\(PlanItem.plain(rest))`", at: place) }
            return members.isEmpty ? [] : items(members, at: place, isRequired, isName: true)
        }
        if !hasCode, !isName, PlanWords.isPointer(plain) {
            findings.warn("`\(plain)` is left out: it does not begin with a name", at: place)
            return []
        }
        return PlanItem.split(markdown).flatMap(PlanItem.separated).flatMap { item -> [PlanProperty] in
            if let names = PlanItem.alternatives(item) {
                return names.map {
                    var property = PlanProperty(name: $0, place: place)
                    property.isRequired = false
                    return property
                }
            }
            guard let property = PlanItem.property(item, at: place) else {
                findings.warn("`\(PlanItem.plain(item))` is left out: it does not begin with a name", at: place)
                return []
            }
            // Next to names in code, words are prose: `` `match_id`, match base parameters ``.
            if hasCode, !item.holds("`"), property.name.utf8.contains(0x20) {
                findings.warn("`\(PlanItem.plain(item))` is left out: it is not a name", at: place)
                return []
            }
            // `item_list_id/name` is two properties.
            return PlanNames.spelledOut(property.name).map { name in
                var one = property
                one.name = name
                one.isRequired = property.isRequired ?? isRequired
                return one
            }
        }
    }

    // MARK: Properties

    mutating func properties(of table: PlanTable) -> [PlanProperty] {
        var properties: [PlanProperty] = []
        for row in table.rows {
            let index = row.cells.firstIndex { content in
                switch content.header {
                case .property, .name, .properties: true
                default: false
                }
            }
            guard let index else {
                if !row.cells.isEmpty {
                    findings.warn("the row is left out: it has no name", at: SourcePlace(source.path, line: row.line))
                }
                continue
            }
            var others = row.cells
            let name = others.remove(at: index)
            for property in items(name.cell, table, nil, isName: name.header != .properties(isRequired: nil)) {
                properties.append(describedByOtherCells(property, others, table))
            }
        }
        return properties
    }

    private mutating func describedByOtherCells(
        _ property: PlanProperty, _ cells: [PlanTable.Content], _ table: PlanTable
    ) -> PlanProperty {
        var property = property
        // In a column of marks, an empty cell is the other answer.
        for header in [PlanHeader.required, .optional] where property.isRequired == nil && table.hasMarks(header) {
            if !cells.contains(where: { $0.header == header }) { property.isRequired = header == .optional }
        }
        for content in cells {
            let (label, place) = (content.label, table.place(content.cell))
            let text = content.header == .type ? table.text(content.cell) : table.prose(content.cell)
            switch content.header {
            case .type:
                guard !PlanWords.isNone(text) else { continue }
                let parsed = TypeNameParser.parse(text)
                if property.type != nil {
                    if parsed?.parsed.type != property.type {
                        property.describe("\(label): \(table.prose(content.cell))")
                    }
                } else if let (parsed, rest) = parsed {
                    property.take(parsed, rest)
                } else if let item = PlanItem.property("`\(property.name)`: \(text)", at: place), item.type != nil {
                    // `string (optional)`, `number, required`
                    (property.type, property.unexpressed) = (item.type, item.unexpressed)
                    property.isRequired = item.isRequired ?? property.isRequired
                    property.describe(item.description)
                } else {
                    property.type = .string(.init())
                    findings.warn("unknown type `\(text)`: `\(property.name)` becomes a string", at: place)
                }
            case .required, .optional:
                let isRequired = Spreadsheet.flag(text) ?? (PlanWords.isNone(text) ? false : nil)
                if let isRequired {
                    property.isRequired = (isRequired == (content.header == .required)) && property.isRequired != false
                } else {
                    findings.warn(
                        "`\(text)` does not say whether `\(property.name)` is required: it becomes optional", at: place)
                    property.isRequired = false
                }
            case .description:
                if !PlanWords.isNone(text) { property.describe(text) }
            case .values: read(values: text, markdown: content.cell.text(in: source.text), &property)
            case .example:
                let example = PlainText.normalized(text, isOneLine: true)
                if !PlanWords.isNone(text) { property.set(\.example, Self.unquoted(example), label: label) }
            case .status:
                let state = PlanWords.retirement(text)
                property.isRetired = property.isRetired || state.isRetired
                if state.isDeprecated {
                    property.set(\.deprecated, text, label: label)
                } else if !PlanWords.isNone(text), !PlanWords.retiredWords.contains(PlanWords.folded(text)) {
                    property.describe("\(label): \(text)")
                }
            case .since:
                if !PlanWords.isNone(text) {
                    property.set(\.since, PlainText.normalized(text, isOneLine: true), label: label)
                }
            case .deprecated:
                if !PlanWords.isNone(text), Spreadsheet.flag(text) != false {
                    property.set(\.deprecated, text, label: label)
                }
            case .platforms:
                guard !PlanWords.isNone(text) else { continue }
                property.platforms = try? Platforms(written: text)
                if property.platforms == nil {
                    findings.warn(
                        "`\(text)` does not name platforms: the platforms of `\(property.name)` are left out", at: place
                    )
                }
            case .privacy:
                if let privacy = LogPrivacy(written: text) {
                    property.privacy = privacy
                } else if Spreadsheet.flag(text) == true {
                    property.privacy = .personal
                } else if Spreadsheet.flag(text) == nil, !PlanWords.isNone(text) {
                    findings.warn("`\(text)` is not a privacy level: that of `\(property.name)` is left out", at: place)
                }
            case .isList:
                if Spreadsheet.flag(text) == true {
                    property.type = .array(.init(of: property.type ?? .string(.init())))
                } else if Spreadsheet.flag(text) == nil, !PlanWords.isNone(text) {
                    property.describe("\(label): \(text)")
                }
            case .number: break
            case .title, .name, .property: property.describe(text)
            default:
                if !PlanWords.isNone(text), let annotation = SchemaReader.annotation(label, text) {
                    property.annotations.append(annotation)
                }
            }
        }
        return property
    }

    private func read(values text: String, markdown: String, _ property: inout PlanProperty) {
        guard !PlanWords.isNone(text) else { return }
        let isString = property.type.map { $0.element == .string(.init()) } ?? true
        guard isString, let values = TypeNameParser.values(PlanItem.withoutBreaks(markdown)) else {
            return property.describe("Values: \(text)")
        }
        property.type = property.type.map { $0.changed { if case .string = $0 { values } else { $0 } } } ?? values
    }

    private static func unquoted(_ text: String) -> String {
        let isQuoted = text.utf8.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        return isQuoted ? String(text.dropFirst().dropLast()) : text
    }

    // MARK: Values

    mutating func readValues(_ table: PlanTable, _ index: Int) {
        let name = section(index).code ?? PlanNames.unnumbered(section(index).title)
        var values: [DraftType.Value] = []
        for row in table.rows {
            guard let value = row.cells.first(where: { $0.header == .values }) else {
                findings.warn("the row is left out: it has no value", at: SourcePlace(source.path, line: row.line))
                continue
            }
            let others = row.cells.filter { ![.values, .number].contains($0.header) }.map { content in
                let text = table.prose(content.cell)
                return content.header == .description ? text : "\(content.label): \(text)"
            }
            values.append(
                DraftType.Value(
                    PlainText.normalized(table.text(value.cell), isOneLine: true),
                    description: others.joined(separator: "\n")))
        }
        self.values.append((name, values, SourcePlace(source.path, line: table.line)))
    }
}
