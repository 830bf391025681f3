import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// Lists and lines of events and properties, and properties in code. Each item is decided alone.
extension PlanDocument {
    // MARK: Events

    /// Reads the items of a section that belongs to no event. Returns the events of the last item that names some.
    mutating func readEvents(_ items: [PlanListItem], _ index: Int, isIntroduced: Bool) -> [Int] {
        var last: [Int] = []
        for item in items {
            if let events = readEvent(item, index, isIntroduced: isIntroduced) {
                last = events
            } else if case let found = properties(in: item, isIntroduced: isIntroduced),
                isIntroduced || found.contains(where: { $0.type != nil }), !found.isEmpty
            {
                dictionary += found
            } else {
                let end = (item.children.first?.lines.lowerBound ?? item.lines.upperBound + 1) - 1
                leaveUnread(item.lines.lowerBound...max(end, item.lines.lowerBound), namesBelow: index)
                last = readEvents(item.children, index, isIntroduced: false)
            }
        }
        return last
    }

    /// Returns the lines of a paragraph as items if all begin with the names of events in bold; otherwise nil.
    func lines(named block: Block) -> [PlanListItem]? {
        let items = block.lines.map { line -> PlanListItem in
            let range = source.text.lineRange(line)
            let text = String(trimmed(source.text.string(range)[...]))
            return PlanListItem(text: text, isOrdered: false, lines: line...line, place: source.place(range.lowerBound))
        }
        return items.allSatisfy { $0.text.hasPrefix("**") && names(of: $0) != nil } ? items : nil
    }

    /// Returns the names of the events at the beginning of an item, and the text after them. Nil if it does not begin
    /// with a name in code or a name such as `cart_opened`.
    func names(of item: PlanListItem) -> (names: PlanNames, rest: String)? {
        var text = item.text
        var isLabelled = false
        if let fact = Self.fact(text), PlanHeader(fact.label) == .event { (text, isLabelled) = (fact.value, true) }
        let line = text.prefix { $0 != "\n" }
        var rest = line.drop { "*_~".contains($0) }
        // A bold name ends with its marks, and a name in code with its last backtick before other text.
        let isCode = rest.hasPrefix("`")
        let end: Substring.Index
        if isCode {
            var position = rest.startIndex
            repeat {
                guard let close = rest[rest.index(after: position)...].firstIndex(of: "`") else { return nil }
                position = rest.index(after: close)
                let next = rest[position...].drop { " /,".contains($0) }
                guard next.hasPrefix("`"), next.startIndex > position else { break }
                position = next.startIndex
            } while position < rest.endIndex
            end = position
        } else {
            end =
                ["**", " — ", " – ", " - ", ": ", " (", " {", "："].compactMap {
                    rest.firstRange(ofText: $0)?.lowerBound
                }
                .min() ?? rest.endIndex
            if rest[..<end].holds("`") { return nil }
        }
        let names = PlanNames(cell: (line.hasPrefix("~~") ? "~~" : "") + rest[..<end])
        rest = rest[end...].drop { "*_".contains($0) }
        let areNames = names.names.allSatisfy { name in
            !PlanNames.isPath(name.name) && !PlanWords.isPart(name.name)
                && (isLabelled || PlanNames.isName(name.name) || isCode && PlanNames.isTitle(name.name)
                    || Names.isIdentifier(name.name) && item.children.contains(where: isFact))
        }
        // `` `track` never fails `` is prose, also with a remark: `` `track` (web) never fails ``.
        var next = trimmed(rest)
        if next.hasPrefix("("), let close = next.firstIndex(of: ")") { next = trimmed(next[close...].dropFirst()) }
        guard areNames, !names.names.isEmpty, !(next.first?.isLetter ?? false) else { return nil }
        return (names, String(rest) + text.dropFirst(line.count))
    }

    private mutating func readEvent(_ item: PlanListItem, _ index: Int, isIntroduced: Bool) -> [Int]? {
        guard let (names, rest) = names(of: item) else { return nil }
        let isKnown = names.names.allSatisfy { isEvent($0.name) }
        // `count` (int) is a property, and so are names below `Properties:`.
        let isList = rest.drop { $0 == " " }.hasPrefix("{") || names.names.contains { $0.name.holds(" ") }
        if !isKnown, !isList, item.children.isEmpty, isIntroduced || property(in: item)?.type != nil { return nil }
        let text = trimmed(rest.drop { " —–-:：".contains($0) })
        let found = list(in: String(text), at: item.place)
        var events: [Int] = []
        for name in names.names {
            let isNew = !isEvent(name.name)
            let event = event(named: name, in: chapter(above: index), at: item.place)
            if isNew, item.children.isEmpty { self.events[event].isItem = true }
            events.append(event)
            self.events[event].add(names.rest)
            if let found {
                for property in found { self.events[event].add(property) }
            } else {
                self.events[event].add(PlanItem.prose(String(text)))
            }
        }
        for variable in names.variables {
            findings.warn("the variable `\(variable)` is left out of an event's name: make it a column", at: item.place)
        }
        for prose in readParts(item.children, events, index, isIntroduced: false, requirement: nil) {
            for event in events { self.events[event].add(prose.texts.joined(separator: "\n")) }
        }
        return events
    }

    /// For example, `` `a`, `b` ``, `{ a, b }` and `order_id, cart_id (optional)`. Nil for prose.
    private mutating func list(in text: String, at place: SourcePlace) -> [PlanProperty]? {
        if PlanItem.members(text) != nil { return items(text, at: place, nil) }
        let parts = PlanItem.split(text)
        let areNames = parts.allSatisfy { part in
            if part.hasPrefix("`") { return true }
            guard let property = PlanItem.property(part, at: place) else { return false }
            return PlanNames.isName(property.name) || (Names.isIdentifier(property.name) && property.type != nil)
        }
        return areNames && !parts.isEmpty && parts.contains(where: { !$0.hasSuffix(".") })
            ? items(text, at: place, nil) : nil
    }

    // MARK: Parts of an event

    /// Reads the items below an event: facts about it, and its properties. Returns the other items, which are prose.
    /// - Parameter onlyTyped: whether a line such as `Fired in:` is above, so that names without a type are something else.
    mutating func readParts(
        _ items: [PlanListItem], _ target: [Int], _ index: Int, isIntroduced: Bool, requirement: Bool?,
        onlyTyped: Bool = false
    ) -> [(texts: [String], lines: ClosedRange<Int>)] {
        var prose: [(texts: [String], lines: ClosedRange<Int>)] = []
        for item in items {
            if !isIntroduced, isFact(item) {
                readFact(item, target, index)
                continue
            }
            var found = properties(in: item, isIntroduced: isIntroduced)
            if onlyTyped, found.allSatisfy({ $0.type == nil && $0.isRequired == nil }) { found = [] }
            if found.isEmpty {
                if !PlanItem.isNone(item.text) { prose.append((item.prose, item.lines)) }
            } else {
                add(found, to: target, false, index, requirement)
            }
        }
        return prose
    }

    /// Reads a fact about an event: `Owner: @shop`, or `Parameters` with a list of them.
    private mutating func readFact(_ item: PlanListItem, _ target: [Int], _ index: Int) {
        let fact = Self.fact(item.text)
        let label = fact?.label ?? PlanItem.plain(item.text)
        if let fact { read(fact, target, at: item.place) }
        if case .properties(let isRequired) = PlanHeader(label) {
            for child in item.children {
                let found = properties(in: child, isIntroduced: true)
                if found.isEmpty, !PlanItem.isNone(child.text) {
                    findings.warn(
                        "`\(PlanItem.plain(child.text))` is left out: it does not begin with a name", at: child.place)
                }
                add(found, to: target, false, index, isRequired)
            }
        } else {
            let text = item.children.flatMap(\.prose).joined(separator: "\n")
            guard !text.isEmpty else { return }
            for event in target {
                if fact == nil { read(PlanHeader(label), text, label: label, event) } else { events[event].add(text) }
            }
        }
    }

    // MARK: Properties

    /// Returns the property that an item begins with, in code, as an identifier, or as a word with a type.
    /// - Parameter isIntroduced: whether a line such as `Properties:` is above, so that words are a name, too.
    func property(in item: PlanListItem, isIntroduced: Bool = false) -> PlanProperty? {
        guard !PlanItem.isNone(item.text), let property = PlanItem.property(item.text, at: item.place),
            !PlanNames.isPath(property.name)
        else { return nil }
        let isCode = item.text.drop { "*_~".contains($0) }.hasPrefix("`")
        if isCode { return property.type == nil && isEvent(property.name) ? nil : property }
        if isIntroduced, !PlanWords.isPointer(PlanItem.plain(item.text)) { return property }
        let isTyped = property.type != nil || property.isRequired != nil
        return PlanNames.isName(property.name) || isTyped && Names.isIdentifier(property.name) ? property : nil
    }

    /// Returns the properties of an item and of the items inside it. An item without a type describes the property
    /// above it.
    func properties(in item: PlanListItem, isIntroduced: Bool) -> [PlanProperty] {
        var found: [PlanProperty] = []
        let parts = PlanItem.split(item.text).flatMap(PlanItem.separated)
        let areNames = parts.allSatisfy { part in
            part.hasPrefix("`") && (part.count { $0 == "`" } == 2 && part.hasSuffix("`") || part == parts.last)
        }
        if let (members, _) = PlanItem.members(item.text) {
            found = PlanItem.split(members).compactMap { PlanItem.property($0, at: item.place) }
        } else if parts.count > 1, areNames {
            found = parts.compactMap { PlanItem.property($0, at: item.place) }
        } else if let property = property(in: item, isIntroduced: isIntroduced) {
            found = [property]
        }
        guard !found.isEmpty else { return [] }
        let owner = found.count - 1
        for child in item.children {
            var inner = properties(in: child, isIntroduced: false)
            // Names without a type may be its values.
            if inner.allSatisfy({ $0.type == nil }) { inner = [] }
            if inner.isEmpty {
                for text in child.prose { found[owner].describe(text) }
            } else {
                found += inner
            }
        }
        return found
    }

    /// Reads the members of a TypeScript type: `method: 'email' | 'google' // How`. Nil if the code has other lines.
    func properties(ofCode block: Block) -> [PlanProperty]? {
        var properties: [PlanProperty] = []
        var above = ""
        for line in block.lines.dropFirst().dropLast() {
            let range = source.text.lineRange(line)
            let text = trimmed(source.text.string(range)[...])
            if ["", "{", "}", "};"].contains(text) { continue }
            if text.hasSuffix("{"), ["interface ", "type ", "export "].contains(where: text.hasPrefix) { continue }
            if text.hasPrefix("//") {
                above += (above.isEmpty ? "" : " ") + trimmed(text.drop { $0 == "/" })
                continue
            }
            let comment = text.firstRange(ofText: "//")
            var member = trimmed(text[..<(comment?.lowerBound ?? text.endIndex)])
            while let last = member.last, ",;".contains(last) { member = trimmed(member.dropLast()) }
            guard let colon = member.firstIndex(of: ":"), !member.contains(where: { "{}".contains($0) }),
                Names.identifier(String(member[..<colon])) != nil, !member[..<colon].holds(" "),
                var property = PlanItem.property(String(member), at: source.place(range.lowerBound))
            else { return nil }
            property.describe(above)
            above = ""
            if let comment { property.describe(String(trimmed(text[comment.upperBound...]))) }
            properties.append(property)
        }
        return properties.isEmpty || !above.isEmpty ? nil : properties
    }
}
