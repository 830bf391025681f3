import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// Tables of events, properties and values.
extension PlanDocument {
    // MARK: Events

    mutating func readEvents(_ table: PlanTable, _ chapter: String?) {
        var chapter = chapter
        var current: [Int] = []
        // True in a row about all events.
        var isOfAll = false
        let hasPropertyColumn = table.headers.contains(.property)
        let nameHeader: PlanHeader = table.headers.contains(.event) ? .event : .name
        let columnsOfCode = Set(table.headers.indices.filter(table.isCode))
        let isNextToCode = table.headers.firstIndex(of: nameHeader).map(columnsOfCode.contains) ?? false
        for row in table.rows {
            let above = current
            if let category = row[.category] { chapter = category.text }
            if let name = row[nameHeader] {
                let names = PlanNames(PlanItem.isNone(name.markdown) ? "" : name.markdown)
                current = []
                isOfAll =
                    names.names.count == 1 && PlanWords[.allEvents].contains(PlanWords.folded(names.names[0].name))
                // Next to names in code, words are a name only if they are bold or their row has properties.
                let areWords = names.names.contains { !Names.isIdentifier($0.name) && !PlanNames.isName($0.name) }
                if isNextToCode, areWords, !isOfAll, !name.markdown.holds("`") {
                    if row.cells.count == 1 {
                        chapter = name.text
                        findings.note("`\(name.text)` is read as the title of the rows below it", at: name.place)
                        continue
                    }
                    let hasProperties = row.cells.contains { $0.header.isList || $0.header == .property }
                    if !hasProperties, !name.markdown.hasPrefix("**") {
                        findings.warn("`\(name.text)` is left out: it is not a name", at: name.place)
                        continue
                    }
                }
                if !isOfAll { current = events(names, in: chapter, at: name.place) }
            }
            guard !current.isEmpty || isOfAll else {
                if row.cells.contains(where: { $0.header != nameHeader }) {
                    findings.warn("the row does not belong to an event: name the event in its row", at: row.place)
                }
                continue
            }
            var properties = row.cells.flatMap { content -> [PlanProperty] in
                switch content.header {
                case .properties(let isRequired):
                    items(
                        content.markdown, at: content.place, isRequired,
                        nextToCode: columnsOfCode.contains(content.column))
                case .property: items(content.markdown, at: content.place, nil, isName: true)
                default: []
                }
            }
            let describesProperty = hasPropertyColumn && !properties.isEmpty
            func isOfEvent(_ header: PlanHeader) -> Bool {
                switch header {
                case .properties, .property, nameHeader: false
                case .trigger, .owner, .title, .category, .number: true
                case .status: !describesProperty || current != above
                default: !describesProperty
                }
            }
            if describesProperty {
                let cells = row.cells.filter { ![nameHeader, .property].contains($0.header) && !isOfEvent($0.header) }
                for index in properties.indices { describe(&properties[index], cells, table) }
            }
            if isOfAll { add(properties, to: [], Context(kind: .shared)) }
            for event in current {
                for content in row.cells where isOfEvent(content.header) {
                    events[event].read(content.header, content.prose, label: content.label)
                }
                for property in properties { events[event].add(property) }
            }
        }
    }

    /// Reads a list of properties in one line or cell.
    /// - Parameters:
    ///   - isName: whether the cell is in a column of names, in which `x` and `no` are names.
    ///   - nextToCode: whether most cells of the column have names in code.
    mutating func items(
        _ markdown: String, at place: SourcePlace, _ isRequired: Bool?, isName: Bool = false, nextToCode: Bool = false
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
        let isPointer = !hasCode && !isName && PlanWords.isPointer(plain)
        return (isPointer ? [plain] : PlanItem.split(markdown).flatMap(PlanItem.separated)).flatMap {
            written -> [PlanProperty] in
            // A sentence ends: `with total, currency.`
            var item = written.hasSuffix(".") && !written.holds(" ") ? String(written.dropLast()) : written
            // Words may precede the name: `` list fields + `count` ``.
            let words = item.prefix { $0 != "`" }
            let isName = words.count < item.count && words.allSatisfy { $0.isLetter || " +".contains($0) }
            if isName, words.split(separator: " ").count < 4, PlanWords.requirement(String(words)) == nil {
                item = String(item.dropFirst(words.count))
            }
            let text = PlanItem.plain(item)
            guard !isPointer, let property = PlanItem.property(item, at: place) else {
                findings.warn("`\(text)` is left out: it does not begin with a name", at: place)
                return []
            }
            // Next to names in code, words are prose: `` `match_id`, match base parameters ``.
            if hasCode && !item.holds("`") && property.name.utf8.contains(0x20)
                || nextToCode && PlanNames.identifier(of: property.name) == nil
            {
                findings.warn("`\(text)` is left out: it is not a name", at: place)
                return []
            }
            // `item_list_id/name` and `status/product` are two properties each.
            let parts = property.name.components("/")
            let names =
                parts.allSatisfy { Names.isIdentifier($0) && !$0.holds("_") }
                ? parts : PlanNames.spelledOut(property.name)
            return names.map { name in
                var one = property
                one.name = name
                one.isRequired = property.isRequired ?? isRequired
                return one
            }
        }
    }

    // MARK: Properties

    mutating func properties(of table: PlanTable) -> [PlanProperty] {
        table.rows.flatMap { row -> [PlanProperty] in
            let index = row.cells.firstIndex { [.property, .name].contains($0.header) || $0.header.isList }
            guard let index else {
                if !row.cells.isEmpty { findings.warn("the row is left out: it has no name", at: row.place) }
                return []
            }
            var others = row.cells
            let name = others.remove(at: index)
            var found = items(
                name.markdown, at: name.place, nil, isName: name.header != .properties(isRequired: nil))
            for index in found.indices { describe(&found[index], others, table) }
            return found
        }
    }

    private mutating func describe(_ property: inout PlanProperty, _ cells: [PlanTable.Content], _ table: PlanTable) {
        // In a column of marks, an empty cell is the other answer.
        for header in [PlanHeader.required, .optional] where property.isRequired == nil && table.hasMarks(header) {
            if !cells.contains(where: { $0.header == header }) { property.isRequired = header == .optional }
        }
        for cell in cells {
            let (label, place, text) = (cell.label, cell.place, cell.prose)
            if property.facts.take(cell.header, text, label: label) { continue }
            switch cell.header {
            case .required, .optional:
                let isYes = Spreadsheet.flag(text) ?? (PlanWords.isNone(text) ? false : nil)
                if isYes == nil {
                    findings.warn(
                        "`\(text)` does not say whether `\(property.name)` is required: it becomes optional", at: place)
                }
                property.isRequired = isYes == (cell.header == .required) && property.isRequired != false
            case _ where PlanWords.isNone(text): continue
            case .type: read(type: cell, &property)
            case .values:
                let isString = property.type.map { $0.element == .string(.init()) } ?? true
                if isString, let values = TypeNameParser.values(PlanItem.withoutBreaks(cell.markdown)) {
                    property.type =
                        property.type.map { $0.changed { if case .string = $0 { values } else { $0 } } } ?? values
                } else {
                    property.facts.add("Values: \(text)")
                }
            case .example:
                let example = PlainText.normalized(text, isOneLine: true)
                let isQuoted = example.utf8.count > 2 && example.hasPrefix("\"") && example.hasSuffix("\"")
                property.set(example: isQuoted ? String(example.dropFirst().dropLast()) : example, label: label)
            case .platforms:
                findings.warn(
                    "`\(text)` does not name platforms: the platforms of `\(property.name)` are left out", at: place)
            case .privacy where Spreadsheet.flag(text) == nil:
                findings.warn("`\(text)` is not a privacy level: that of `\(property.name)` is left out", at: place)
            case .privacy: break
            case .title, .name, .property: property.facts.add(text)
            default:
                if let annotation = SchemaReader.annotation(label, text) {
                    property.facts.annotations.append(annotation)
                }
            }
        }
    }

    private mutating func read(type cell: PlanTable.Content, _ property: inout PlanProperty) {
        let text = cell.text
        if let known = property.type {
            if TypeNameParser.parse(text)?.parsed.type != known { property.facts.add("\(cell.label): \(cell.prose)") }
        } else if !property.takeType(text) {
            // `string (optional)`, `number, required`
            if let item = PlanItem.property("`\(property.name)`: \(text)", at: cell.place), item.type != nil {
                property.merge(item)
            } else {
                property.type = .string(.init())
                findings.warn(TypeNameParser.messageOfUnknownType(text, of: property.name), at: cell.place)
            }
        }
    }

    // MARK: Values

    /// Adds the values of a property with the name of the heading above. Directly below an event, they describe it.
    mutating func readValues(_ table: PlanTable, of name: String, in target: [Int]) {
        var property = PlanProperty(name, at: table.place)
        var values: [String] = []
        for row in table.rows {
            guard let value = row[.values] else {
                findings.warn("the row is left out: it has no value", at: row.place)
                continue
            }
            values.append(PlainText.normalized(value.text, isOneLine: true))
            let others = row.cells.filter { ![.values, .number].contains($0.header) }.map(\.prose)
            if !others.isEmpty { property.facts.add("`\(value.text)`: \(others.joined(separator: ", "))") }
        }
        property.type = DraftResolver.problem(with: values) == nil ? .enumeration(.init(values)) : nil
        if property.type == nil || !target.isEmpty {
            property.facts.add("Values: \(values.joined(separator: ", "))")
        }
        if target.isEmpty { dictionary.append(property) }
        for event in target { events[event].facts.merge(property.facts) }
    }
}
