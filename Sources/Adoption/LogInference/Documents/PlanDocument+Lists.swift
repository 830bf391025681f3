import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// Lists and lines of events and properties, and properties in code. Each item is decided alone.
extension PlanDocument {
    // MARK: Events

    /// Reads the items of a section that belongs to no event. Returns the events of the last item that names some.
    mutating func readEvents(_ items: [PlanListItem], _ context: Context, isIntroduced: Bool) -> [Int] {
        var last: [Int] = []
        for item in items where !readNames(item.text, context, at: item.place) {
            let found = properties(in: item, isIntroduced: isIntroduced)
            if let events = readEvent(item, context, isIntroduced: isIntroduced) {
                last = events
            } else if !found.isEmpty, isIntroduced || found.contains(where: { $0.type != nil }) {
                dictionary += found
            } else {
                // The items below a step are not events.
                let children = item.isOrdered ? [] : item.children
                let end = (children.first?.lines.lowerBound ?? item.lines.upperBound + 1) - 1
                leaveUnread(item.lines.lowerBound...max(end, item.lines.lowerBound), namesBelow: context.section)
                last = readEvents(children, context, isIntroduced: false)
            }
        }
        return last
    }

    /// Reads a line of names in code: `` Cart events: `cart_opened`, `cart_closed` ``. Returns whether it is one.
    mutating func readNames(_ markdown: String, _ context: Context, at place: SourcePlace) -> Bool {
        guard let fact = PlanFact(markdown) else { return false }
        let parts = PlanItem.split(fact.text.hasSuffix(".") ? String(fact.text.dropLast()) : fact.text)
        let areNames = parts.allSatisfy { part in
            let name = String(part.dropFirst().dropLast())
            return part.hasPrefix("`") && part.hasSuffix("`") && !name.holds(" ") && PlanNames.isTitle(name)
                && !PlanNames.isPath(name)
        }
        guard areNames, parts.count > 1 else { return false }
        if PlanWords.isShared(fact.label) {
            add(items(fact.text, at: place, nil), to: [], context, isOfAll: true)
        } else if context.isOfEvents || PlanWords.isAboutEvents(fact.label) {
            _ = events(PlanNames(parts.joined(separator: ", ")), in: context.chapter, at: place)
        } else {
            for part in parts { leaveOutLeadingName(part, line: place.line, below: context.section) }
            return false
        }
        return true
    }

    private mutating func readEvent(_ item: PlanListItem, _ context: Context, isIntroduced: Bool) -> [Int]? {
        guard let (_, names, rest) = item.names else { return nil }
        let areNew = names.names.map { !isEvent($0.name) }
        // `count` (int) is a property, and so are names below `Properties:`.
        let isList = trimmed(rest[...]).hasPrefix("{") || names.names.contains { $0.name.holds(" ") }
        if areNew.contains(true), !isList, item.children.isEmpty, isIntroduced || property(in: item)?.type != nil {
            return nil
        }
        let target = events(names, in: context.chapter, at: item.place)
        for (event, isNew) in zip(target, areNew) where isNew && item.children.isEmpty { events[event].isItem = true }
        var item = item
        item.text = rest
        readRest(item, of: target, context)
        return target
    }

    /// Reads the text after the names of events, and the items below them.
    mutating func readRest(_ item: PlanListItem, of target: [Int], _ context: Context) {
        let text = String(trimmed(item.text.drop { " —–-:：".contains($0) }))
        let parts = PlanItem.split(text)
        // `` `a`, `b` ``, `{ a, b }` and `order_id, cart_id (optional)`
        let areNames = parts.allSatisfy { part in
            if part.hasPrefix("`") { return true }
            guard let property = PlanItem.property(part, at: item.place) else { return false }
            return PlanNames.isName(property.name) || Names.isIdentifier(property.name) && property.type != nil
        }
        if PlanItem.members(text) != nil || areNames && parts.contains(where: { !$0.hasSuffix(".") }) {
            for property in items(text, at: item.place, nil) { for event in target { events[event].add(property) } }
        } else {
            for event in target { events[event].facts.add(PlanItem.prose(text)) }
        }
        for prose in readParts(item.children, target, context, isIntroduced: false) {
            for event in target { events[event].facts.add(prose.texts.joined(separator: "\n")) }
        }
    }

    // MARK: Parts of an event

    /// Reads the items below an event: facts about it, and its properties. Returns the other items, which are prose.
    /// - Parameter onlyTyped: whether a line such as `Fired in:` is above, so that names without a type are something else.
    mutating func readParts(
        _ items: [PlanListItem], _ target: [Int], _ context: Context, isIntroduced: Bool, onlyTyped: Bool = false
    ) -> [(texts: [String], lines: ClosedRange<Int>)] {
        var prose: [(texts: [String], lines: ClosedRange<Int>)] = []
        var (isIntroduced, onlyTyped) = (isIntroduced, onlyTyped)
        for item in items {
            defer {
                // The line `Properties:` below an item, without a blank line, is part of the item.
                let last = item.text.split(separator: "\n").dropFirst().last.map(String.init)
                if let last, PlanWords.introduces(PlanItem.plain(last)) { (isIntroduced, onlyTyped) = (true, false) }
            }
            if !isIntroduced, item.isFact {
                readFact(item, target, context)
                continue
            }
            let found = properties(in: item, isIntroduced: isIntroduced)
            if found.isEmpty || onlyTyped && found.allSatisfy({ $0.type == nil && $0.isRequired == nil }) {
                if !PlanItem.isNone(item.text) { prose.append((item.prose, item.lines)) }
            } else {
                add(found, to: target, context)
            }
        }
        return prose
    }

    /// Reads a fact about an event: `Owner: @shop`, or `Parameters` with a list of them.
    private mutating func readFact(_ item: PlanListItem, _ target: [Int], _ context: Context) {
        let fact = PlanFact(item.text)
        let label = fact?.label ?? PlanItem.plain(item.text)
        if let fact { read(fact, target, at: item.place) }
        if case .properties(let isRequired) = PlanHeader(label) {
            var context = context
            context.isRequired = isRequired ?? context.isRequired
            for child in item.children {
                let found = properties(in: child, isIntroduced: true)
                if found.isEmpty, !PlanItem.isNone(child.text) {
                    findings.warn(
                        "`\(PlanItem.plain(child.text))` is left out: it does not begin with a name", at: child.place)
                }
                add(found, to: target, context)
            }
        } else {
            let text = item.children.flatMap(\.prose).joined(separator: "\n")
            for event in target where !text.isEmpty {
                if fact == nil {
                    events[event].read(PlanHeader(label), text, label: label)
                } else {
                    events[event].facts.add(text)
                }
            }
        }
    }

    /// Reads the lines of a paragraph. Nil for prose.
    /// - Parameter isNamed: whether the heading is the name of an event, so that `Props` alone is a fact, too.
    func facts(ofParagraph markdown: String, isNamed: Bool) -> [PlanFact]? {
        var lines = PlanItem.withoutBreaks(markdown).split(separator: "\n").map(String.init)
        // `Properties:` introduces the next block.
        if lines.count > 1, let last = lines.last, PlanWords.isPart(PlanItem.plain(last)) { lines.removeLast() }
        let facts = lines.map { PlanFact($0) ?? PlanFact("", $0) }
        let hasFact = facts.contains { isNamed ? $0.isPartOfEvent : $0.isOfEvent }
        return hasFact && (isNamed || !facts.contains { $0.label.isEmpty }) ? facts : nil
    }

    // MARK: Properties

    /// Returns the property that an item begins with, in code, as an identifier, or as a word with a type.
    /// - Parameter isIntroduced: whether a line such as `Properties:` is above, so that words are a name, too.
    func property(in item: PlanListItem, isIntroduced: Bool = false) -> PlanProperty? {
        guard !PlanItem.isNone(item.text), let property = PlanItem.property(item.text, at: item.place),
            !PlanNames.isPath(property.name)
        else { return nil }
        if item.text.drop(while: { "*_~".contains($0) }).hasPrefix("`") {
            return property.type == nil && isEvent(property.name) ? nil : property
        }
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
        guard let owner = found.indices.last else { return [] }
        for child in item.children {
            let inner = properties(in: child, isIntroduced: false)
            // Names without a type may be its values.
            if inner.contains(where: { $0.type != nil }) {
                found += inner
            } else {
                for text in child.prose { found[owner].facts.add(text) }
            }
        }
        return found
    }

    /// Reads the members of a TypeScript type: `method: 'email' | 'google' // How`. Nil if most lines are something else.
    func properties(ofCode block: Block) -> (found: [PlanProperty], unread: [SourcePlace], isTypeScript: Bool)? {
        var (found, unread, above) = ([PlanProperty](), [SourcePlace](), "")
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
            let colon = member.firstIndex(of: ":") ?? member.startIndex
            // `'model.id'` and ``[`day.${number}.id`]`` are names.
            let name = String(member[..<colon]).components("${number}").joined().filter { !"'\"`[]".contains($0) }
            guard Names.identifier(name) != nil, !name.holds(" "),
                member.count(where: { $0 == "{" }) == member.count(where: { $0 == "}" }),
                var property = PlanItem.property("`\(name)`\(member[colon...])", at: source.place(range.lowerBound))
            else {
                unread.append(source.place(range.lowerBound))
                continue
            }
            property.facts.add(above)
            above = ""
            if let comment { property.facts.add(String(trimmed(text[comment.upperBound...]))) }
            found.append(property)
        }
        let lines = source.text.string(block.range).split(separator: "\n").prefix(2).map {
            trimmed($0.drop { $0 == "`" })
        }
        let isTypeScript = [["ts", "{"], ["typescript", "{"]].contains(lines)
        // An event without properties.
        if lines == ["typescript", "void"] { return ([], [], true) }
        return found.count > unread.count ? (found, unread, isTypeScript) : nil
    }
}
