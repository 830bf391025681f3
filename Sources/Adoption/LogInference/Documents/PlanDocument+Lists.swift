import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// Lists of events and properties, and properties in code.
extension PlanDocument {
    // MARK: Events

    /// Reads an event whose own list has its properties. Returns whether the item is one.
    mutating func readEvent(_ item: MarkdownSyntax.List.Item, _ index: Int) -> Bool {
        guard let range = item.text, !item.children.isEmpty else { return false }
        let children = item.children.map { (source.text.string($0.text), source.place($0.text.lowerBound)) }
        // An item whose own items have lists is a chapter.
        let isChapter = zip(item.children, children).contains { child, text in
            child.rest != nil && PlanItem.property(text.0, at: text.1).map { $0.type == nil } ?? true
        }
        // The items of the nested list are facts about the event (`When: …`, `Params: …`), or its properties.
        let facts = children.map { (fact: Self.fact($0.0), text: $0.0, place: $0.1) }
        let areFacts = facts.contains { $0.fact.map { PlanTable.isPartOfEvent($0.label) } ?? false }
        if isChapter, !areFacts, !source.text.string(range).holds("`") { return false }
        let properties = areFacts ? [] : children.compactMap { PlanItem.property($0.0, at: $0.1, isCode: true) }
        let place = source.place(range.lowerBound)
        var text = source.text.string(range)
        // `Event: checkout_started`
        if let fact = Self.fact(text), [.event, .name].contains(PlanHeader(fact.label)) { text = fact.value }
        let start = trimmed(text.drop { "*[] x".contains($0) })
        let isNamed = start.hasPrefix("`") || start.prefix { $0 != " " }.contains("_")
        let end = [" — ", " – ", " - ", ": ", " ("].compactMap { text.firstRange(ofText: $0)?.lowerBound }.min()
        let names = PlanNames(cell: String(text[..<(end ?? text.endIndex)]))
        let areProperties =
            properties.count == children.count && (isNamed || properties.contains { $0.type != nil })
        guard areFacts || areProperties,
            !names.names.contains(where: { PlanWords.isPart($0.name) || PlanWords.isOfPeople($0.name) }),
            names.names.allSatisfy({ Names.isIdentifier($0.name) || (!areFacts && !$0.name.utf8.contains(0x20)) })
        else { return false }
        for name in names.names {
            let event = event(named: name, in: chapter(above: index), at: place)
            events[event].add(names.rest)
            events[event].add(PlanItem.prose(String(text[(end ?? text.endIndex)...].drop { " —–-:".contains($0) })))
            for (property, child) in zip(properties, item.children) {
                var property = property
                for text in texts(below: child) { property.describe(text) }
                events[event].add(property)
            }
            for ((fact, text, place), child) in zip(facts, item.children) where areFacts {
                if let fact { read(fact, [event], at: place) } else { events[event].add(PlanItem.prose(text)) }
                let isList = if case .properties? = PlanHeader(PlanItem.plain(text)) { true } else { false }
                for line in lines(below: child) {
                    if isList, let property = PlanItem.property(line, at: place) {
                        events[event].add(property)
                    } else {
                        events[event].add(PlanItem.prose(line))
                    }
                }
            }
            for rest in item.rest { events[event].add(PlanItem.prose(source.text.string(rest))) }
        }
        return !names.names.isEmpty
    }

    /// Returns the text of an item and of the items inside it.
    func texts(of item: MarkdownSyntax.List.Item) -> [String] {
        (item.text.map { [$0] } ?? []).map { PlanItem.prose(source.text.string($0)) } + textsInside(item)
    }

    private func textsInside(_ item: MarkdownSyntax.List.Item) -> [String] {
        item.children.flatMap { [PlanItem.prose(source.text.string($0.text))] + texts(below: $0) }
            + item.rest.map { PlanItem.prose(source.text.string($0)) }
    }

    /// Returns the lines below the text of a nested item, without the markers of deeper items.
    private func texts(below child: MarkdownSyntax.List.Child) -> [String] {
        lines(below: child).map(PlanItem.prose).filter { !$0.isEmpty }
    }

    private func lines(below child: MarkdownSyntax.List.Child) -> [String] {
        let lines = child.rest.map { source.text.string($0).split(separator: "\n") } ?? []
        return lines.map { line in
            let text = trimmed(line)
            let isItem = ["- ", "* ", "+ "].contains(where: text.hasPrefix)
            return String(isItem ? text.dropFirst(2) : text)
        }
    }

    /// Returns whether a list contains the parts of an event: an item has a name such as `Parameters` or `Trigger`, and
    /// an item has a nested list.
    func isOfParts(_ list: MarkdownSyntax.List) -> Bool {
        list.items.contains { !$0.children.isEmpty }
            && list.items.contains { item in
                switch item.text.flatMap({ PlanHeader(PlanItem.plain(source.text.string($0))) }) {
                case .properties, .trigger: true
                default: false
                }
            }
    }

    /// Reads facts about an event: `Owner: @shop`, or `Parameters` with a list of them.
    mutating func readParts(_ list: MarkdownSyntax.List, _ target: [Int]) {
        for item in list.items {
            guard let range = item.text else { continue }
            let (text, place) = (source.text.string(range), source.place(range.lowerBound))
            let fact = Self.fact(text)
            let label = fact?.label ?? PlanItem.plain(text)
            if case .properties(let isRequired) = PlanHeader(label) {
                if let fact { read(fact, target, at: place) }
                for child in item.children {
                    let (text, place) = (source.text.string(child.text), source.place(child.text.lowerBound))
                    guard var property = PlanItem.property(text, at: place) else {
                        findings.warn("`\(PlanItem.plain(text))` is left out: it does not begin with a name", at: place)
                        continue
                    }
                    property.isRequired = property.isRequired ?? isRequired
                    for text in texts(below: child) { property.describe(text) }
                    for event in target { events[event].add(property) }
                }
            } else if let fact, item.children.isEmpty, item.rest.isEmpty {
                read(fact, target, at: place)
            } else if fact == nil, !item.children.isEmpty {
                let text = textsInside(item).joined(separator: "\n")
                for event in target { read(PlanHeader(label), text, label: label, event) }
            } else {
                for event in target { events[event].add(texts(of: item).joined(separator: "\n")) }
            }
        }
    }

    // MARK: Properties

    /// Returns whether the items of a list are names of properties. In words such as `Web: all of it`, only a type
    /// tells that the first one is a name.
    func isOfNames(_ list: MarkdownSyntax.List) -> Bool {
        list.items.allSatisfy { item in
            guard let text = item.text,
                let property = PlanItem.property(source.text.string(text), at: source.place(text.lowerBound))
            else { return false }
            return property.type != nil || !(property.name.first?.isUppercase ?? true)
        }
    }

    private func haveNames(_ list: MarkdownSyntax.List) -> Bool {
        list.items.allSatisfy { item in
            guard let range = item.text else { return false }
            let text = source.text.string(range)
            if PlanItem.isNone(text) { return true }
            return !PlanWords.isPointer(PlanItem.plain(text))
                && PlanItem.property(text, at: source.place(range.lowerBound)) != nil
        }
    }

    func isOfProperties(_ list: MarkdownSyntax.List, _ index: Int, _ block: Int) -> Bool {
        guard list.items.allSatisfy({ $0.children.isEmpty || $0.text != nil }) else { return false }
        // Below `Properties:`, words such as `Item Count` are names.
        if block > 0, isIntroduction(section(index).blocks[block - 1]) { return haveNames(list) }
        guard isOfNames(list) else { return false }
        if PlanWords.isPart(section(index).title) { return true }
        if block > 0, case .other(.paragraph) = section(index).blocks[block - 1].content {
            let text = PlanWords.folded(PlanItem.plain(source.text.string(section(index).blocks[block - 1].range)))
            let words = ["properties", "parameters", "params", "attributes", "パラメータ", "プロパティ", "属性"]
            if text.utf8.count < 60, words.contains(where: { text.holds($0) }) { return true }
        }
        // Below the name of an event, names with types are its properties.
        let areTyped = list.items.allSatisfy { item in
            guard let text = item.text,
                let property = PlanItem.property(source.text.string(text), at: source.place(text.lowerBound))
            else { return false }
            return property.type != nil && Names.isIdentifier(property.name)
        }
        if isNamed(index), areTyped { return true }
        guard !list.isOrdered else { return false }
        let areCode = list.items.allSatisfy { item in
            item.text.map { trimmed(source.text.string($0)[...]).drop { $0 == "*" }.hasPrefix("`") } ?? false
        }
        return areCode && (isListed(index) || properties(of: list).contains { $0.type != nil })
            && list.items.allSatisfy { item in item.children.isEmpty }
    }

    func properties(of list: MarkdownSyntax.List) -> [PlanProperty] {
        list.items.flatMap { item -> [PlanProperty] in
            guard let range = item.text, !PlanItem.isNone(source.text.string(range)) else { return [] }
            let (text, place) = (source.text.string(range), source.place(range.lowerBound))
            // An item may have several names.
            let parts = PlanItem.split(text).flatMap(PlanItem.separated)
            let areNames = parts.dropLast().allSatisfy { part in
                part.hasPrefix("`") && (part.hasSuffix("`") && part.count { $0 == "`" } == 2 || !text.holds(","))
            }
            if parts.count > 1, areNames, parts[parts.count - 1].hasPrefix("`"), item.children.isEmpty,
                item.rest.isEmpty
            {
                return parts.compactMap { PlanItem.property($0, at: place) }
            }
            guard var property = PlanItem.property(text, at: place) else { return [] }
            for text in textsInside(item) { property.describe(text) }
            return [property]
        }
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
