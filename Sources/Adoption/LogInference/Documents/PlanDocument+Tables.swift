import LogDefinitions
import MarkdownSyntax

/// Tables of events, properties and values.
extension PlanDocument {
    // MARK: Events

    mutating func readEvents(_ table: PlanTable, _ chapter: String?) {
        var chapter = chapter
        var current: [Int] = []
        let hasPropertyColumn = table.headers.contains(.property)
        let nameHeader: PlanHeader = table.headers.contains(.event) ? .event : .name
        let written = table.rows.compactMap { row in
            table.cells(row).first { $0.header == nameHeader }.map { $0.cell.text(in: source.text) }
        }
        // In a table of names in code, words are not a name, unless they are bold.
        let areCode = written.count { $0.holds("`") } * 2 > written.count
        for row in table.rows {
            let cells = table.cells(row)
            let name = cells.first { $0.header == nameHeader }
            if let category = cells.first(where: { $0.header == .category }) { chapter = table.text(category.cell) }
            if let name, !PlanWords.repeatsAbove(table.text(name.cell)) {
                let markdown = name.cell.text(in: source.text)
                let names = PlanNames(cell: markdown)
                // A row that has only a name in words is a heading of the rows below it.
                if cells.count == 1, table.headers.count > 2, !markdown.holds("`"),
                    !names.names.allSatisfy({ Names.isIdentifier($0.name) })
                {
                    chapter = PlanNames.unnumbered(table.text(name.cell))
                    current = []
                    continue
                }
                if areCode, !markdown.holds("`"), !markdown.hasPrefix("**"), markdown.holds(" ") {
                    warn("`\(table.text(name.cell))` is left out: it is not a name", at: table.place(name.cell))
                    current = []
                    continue
                }
                for variable in names.variables {
                    warn(
                        "the variable `\(variable)` is left out of an event's name: make it a column",
                        at: table.place(name.cell))
                }
                let place = table.place(name.cell)
                current = names.names.map { event(named: $0, in: chapter, at: place) }
            }
            guard !current.isEmpty else {
                if !cells.isEmpty {
                    warn(
                        "the row does not belong to an event: name the event in its row",
                        at: SourcePlace(source.path, line: row.line + 1))
                }
                continue
            }
            var properties: [PlanProperty] = []
            for (header, cell) in cells {
                switch header {
                case .properties(let isRequired): properties += items(cell, table, isRequired)
                case .property: properties += items(cell, table, nil)
                default: break
                }
            }
            let describesProperty = hasPropertyColumn && !properties.isEmpty
            if describesProperty { properties = properties.map { described($0, cells, table) } }
            for event in current {
                for (header, cell) in cells where header != nameHeader {
                    switch header {
                    case .properties, .property: continue
                    case .trigger, .status, .owner, .title, .category: break
                    default: if describesProperty { continue }
                    }
                    let label = table.headers.firstIndex(of: header).flatMap { self.label(table, $0) } ?? ""
                    read(header, table.text(cell), label: label, event)
                }
                for property in properties { events[event].add(property) }
            }
        }
    }

    private func label(_ table: PlanTable, _ index: Int) -> String? {
        switch table.headers[index] {
        case .trigger: "Trigger"
        case .platforms: "Platforms"
        case .values: "Values"
        case .example: "Example"
        case .other(let text): text
        default: nil
        }
    }

    private mutating func items(_ cell: Cell, _ table: PlanTable, _ isRequired: Bool?) -> [PlanProperty] {
        items(cell.text(in: source.text), at: table.place(cell), isRequired)
    }

    /// Reads a list of properties in one line or cell.
    mutating func items(_ markdown: String, at place: SourcePlace, _ isRequired: Bool?) -> [PlanProperty] {
        if PlanWords.isNone(PlanItem.plain(markdown)) || PlanWords.repeatsAbove(markdown) { return [] }
        let hasCode = markdown.holds("`")
        return PlanItem.split(markdown).flatMap { item -> [PlanProperty] in
            if let names = PlanItem.alternatives(item) {
                return names.map {
                    var property = PlanProperty(name: $0, place: place)
                    property.isRequired = false
                    return property
                }
            }
            guard let property = PlanItem.property(item, at: place) else {
                warn("`\(PlanItem.plain(item))` is left out: it does not begin with a name", at: place)
                return []
            }
            // Next to names in code, words are prose: `` `match_id`, match base parameters ``.
            if hasCode, !item.holds("`"), property.name.utf8.contains(0x20) {
                warn("`\(property.name)` is left out: it is not a name", at: place)
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
            let cells = table.cells(row)
            let name = cells.first { cell in
                switch cell.header {
                case .property, .name, .properties: true
                default: false
                }
            }
            guard let name else {
                if !cells.isEmpty {
                    warn("the row is left out: it has no name", at: SourcePlace(source.path, line: row.line + 1))
                }
                continue
            }
            for property in items(name.cell, table, nil) { properties.append(described(property, cells, table)) }
        }
        return properties
    }

    /// Adds what the other cells of a row say about a property.
    private mutating func described(
        _ property: PlanProperty, _ cells: [(header: PlanHeader, cell: Cell)], _ table: PlanTable
    ) -> PlanProperty {
        var property = property
        for (header, cell) in cells {
            let text = table.text(cell)
            let place = table.place(cell)
            switch header {
            case .type:
                guard !PlanWords.isNone(text), property.type == nil else { continue }
                if let (parsed, rest) = TypeNameParser.parse(text) {
                    property.take(parsed, rest)
                } else {
                    property.type = .string(.init())
                    warn("unknown type `\(text)`: `\(property.name)` becomes a string", at: place)
                }
            case .required, .optional:
                let isRequired = PlanWords.flag(text) ?? (PlanWords.isNone(text) ? false : nil)
                if let isRequired {
                    property.isRequired = (isRequired == (header == .required)) && property.isRequired != false
                } else {
                    warn(
                        "`\(text)` does not say whether `\(property.name)` is required: it becomes optional", at: place)
                    property.isRequired = false
                }
            case .description:
                if !PlanWords.isNone(text) {
                    property.description = property.description.isEmpty ? text : "\(property.description) \(text)"
                }
            case .values: read(values: text, markdown: cell.text(in: source.text), &property)
            case .example:
                let example = PlainText.normalized(text, isOneLine: true)
                if !PlanWords.isNone(text) { property.example = Self.unquoted(example) }
            case .status:
                let state = PlanWords.retirement(text)
                property.isRetired = property.isRetired || state.isRetired
                if state.isDeprecated { property.deprecated = text }
            case .since: property.since = PlainText.normalized(text, isOneLine: true)
            case .deprecated:
                if !PlanWords.isNone(text), PlanWords.flag(text) != false { property.deprecated = text }
            case .platforms:
                guard !PlanWords.isNone(text) else { continue }
                property.platforms = try? Platforms(written: text)
                if property.platforms == nil {
                    warn("`\(text)` names no platforms: those of `\(property.name)` are left out", at: place)
                }
            case .privacy:
                if let privacy = LogPrivacy(written: text) {
                    property.privacy = privacy
                } else if PlanWords.flag(text) == true {
                    property.privacy = .personal
                } else if PlanWords.flag(text) == nil, !PlanWords.isNone(text) {
                    warn("`\(text)` is not a privacy level: that of `\(property.name)` is left out", at: place)
                }
            case .isList:
                if PlanWords.flag(text) == true { property.type = .array(.init(of: property.type ?? .string(.init()))) }
            case .other(let header):
                if !PlanWords.isNone(text), let annotation = SchemaReader.annotation(header, text) {
                    property.annotations.append(annotation)
                }
            case .trigger, .owner, .title, .category, .number, .event, .property, .properties, .name: break
            }
        }
        return property
    }

    private func read(values text: String, markdown: String, _ property: inout PlanProperty) {
        guard !PlanWords.isNone(text) else { return }
        let isString = property.type.map { $0.element == .string(.init()) } ?? true
        guard isString, let values = TypeNameParser.values(PlanItem.withoutBreaks(markdown)) else {
            let addition = "Values: \(text)"
            property.description = property.description.isEmpty ? addition : "\(property.description)\n\(addition)"
            return
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
        let values = table.rows.compactMap { row -> DraftType.Value? in
            let cells = table.cells(row)
            guard let value = cells.first(where: { $0.header == .values }) else { return nil }
            let description = cells.first { $0.header == .description }.map { table.text($0.cell) } ?? ""
            return DraftType.Value(
                PlainText.normalized(table.text(value.cell), isOneLine: true), description: description)
        }
        self.values.append((name, values, SourcePlace(source.path, line: table.line)))
    }
}
