import LogDefinitions
import MarkdownSyntax

/// Lists of events and properties, and properties in code.
extension PlanDocument {
    // MARK: Events

    mutating func readEvents(_ list: MarkdownSyntax.List, _ index: Int) {
        let chapter = chapter(above: index)
        for item in list.items {
            guard let range = item.text, !item.children.isEmpty else { continue }
            let children = item.children.map { (source.text.string($0.text), source.place($0.text.lowerBound)) }
            // The items of the nested list are facts about the event (`When: …`, `Params: …`), or its properties.
            let facts = children.map { (fact: Self.fact($0.0), place: $0.1) }
            let areFacts = facts.contains { $0.fact.map { PlanTable.isPartOfEvent($0.label) } ?? false }
            let properties = areFacts ? [] : children.compactMap { PlanItem.property($0.0, at: $0.1, isCode: true) }
            let (place, text) = (source.place(range.lowerBound), source.text.string(range))
            let end = [" — ", " – ", " - ", ": ", " ("].compactMap { text.firstRange(ofText: $0)?.lowerBound }.min()
            let names = PlanNames(cell: String(text[..<(end ?? text.endIndex)])).names
            guard areFacts || properties.count == children.count,
                names.allSatisfy({ Names.isIdentifier($0.name) || (!areFacts && !$0.name.utf8.contains(0x20)) })
            else { continue }
            for name in names {
                let event = event(named: name, in: chapter, at: place)
                events[event].add(PlanItem.plain(String(text[(end ?? text.endIndex)...].drop { " —–-:".contains($0) })))
                for property in properties { events[event].add(property) }
                for case (let fact?, let place) in facts where areFacts {
                    var target = [event]
                    read(fact, &target, at: place)
                }
            }
        }
    }

    private func parts(of list: MarkdownSyntax.List) -> [PlanHeader?] {
        list.items.map { item in item.text.flatMap { PlanHeader(PlanItem.plain(source.text.string($0))) } }
    }

    /// Returns whether the items of a list name parts of an event: `Parameters`, with a list of them.
    func isOfParts(_ list: MarkdownSyntax.List) -> Bool {
        parts(of: list).contains { if case .properties = $0 { true } else { $0 == .trigger } }
            && list.items.contains { !$0.children.isEmpty }
    }

    mutating func readParts(_ list: MarkdownSyntax.List, _ target: [Int]) {
        let parts = parts(of: list)
        for (item, part) in zip(list.items, parts) {
            let children = item.children.map { (source.text.string($0.text), source.place($0.text.lowerBound)) }
            for event in target {
                if case .properties(let isRequired) = part {
                    for (text, place) in children {
                        guard var property = PlanItem.property(text, at: place) else { continue }
                        property.isRequired = property.isRequired ?? isRequired
                        events[event].add(property)
                    }
                } else if let label = item.text {
                    let text = children.map { PlanItem.plain($0.0) }.joined(separator: "\n")
                    read(part, text, label: PlanItem.plain(source.text.string(label)), event)
                }
            }
        }
    }

    // MARK: Properties

    /// Returns whether the items of a list are names of properties. In words such as `Web: all of it`, only a type tells
    /// that the first one is a name.
    func isOfNames(_ list: MarkdownSyntax.List) -> Bool {
        list.items.allSatisfy { item in
            guard let text = item.text,
                let property = PlanItem.property(source.text.string(text), at: source.place(text.lowerBound))
            else { return false }
            return property.type != nil || !(property.name.first?.isUppercase ?? true)
        }
    }

    func isOfProperties(_ list: MarkdownSyntax.List, _ index: Int, _ block: Int) -> Bool {
        guard isOfNames(list), list.items.allSatisfy({ $0.children.isEmpty || $0.text != nil }) else { return false }
        if PlanWords.isPart(section(index).title) { return true }
        if block > 0, case .other(.paragraph) = section(index).blocks[block - 1].content {
            let text = PlanWords.folded(PlanItem.plain(source.text.string(section(index).blocks[block - 1].range)))
            let words = ["properties", "parameters", "params", "attributes", "パラメータ", "プロパティ", "属性"]
            if text.utf8.count < 60, words.contains(where: { text.holds($0) }) { return true }
        }
        guard !list.isOrdered else { return false }
        let areCode = list.items.allSatisfy { item in
            item.text.map { trimmed(source.text.string($0)[...]).drop { $0 == "*" }.hasPrefix("`") } ?? false
        }
        return areCode && properties(of: list).contains { $0.type != nil }
            && list.items.allSatisfy { item in item.children.isEmpty }
    }

    func properties(of list: MarkdownSyntax.List) -> [PlanProperty] {
        list.items.flatMap { item -> [PlanProperty] in
            guard let range = item.text else { return [] }
            let (text, place) = (source.text.string(range), source.place(range.lowerBound))
            // An item may have several names.
            let parts = PlanItem.split(text)
            if parts.count > 1, parts.allSatisfy({ $0.hasPrefix("`") }) {
                return parts.compactMap { PlanItem.property($0, at: place) }
            }
            guard var property = PlanItem.property(text, at: place) else { return [] }
            for child in item.children {
                let text = PlanItem.plain(source.text.string(child.text))
                property.description = property.description.isEmpty ? text : "\(property.description)\n\(text)"
            }
            return [property]
        }
    }

    /// Reads the members of a TypeScript type: `method: 'email' | 'google' // How`. Nil if the code has other lines.
    func properties(ofCode block: Block) -> [PlanProperty]? {
        var properties: [PlanProperty] = []
        for line in block.lines.dropFirst().dropLast() {
            let range = source.text.lineRange(line)
            let text = trimmed(source.text.string(range)[...])
            if ["", "{", "}", "};"].contains(text) || text.hasPrefix("//") { continue }
            let comment = text.firstRange(ofText: "//")
            var member = trimmed(text[..<(comment?.lowerBound ?? text.endIndex)])
            while let last = member.last, ",;".contains(last) { member = trimmed(member.dropLast()) }
            guard let colon = member.firstIndex(of: ":"), !member.contains(where: { "{}".contains($0) }),
                Names.identifier(String(member[..<colon])) != nil, !member[..<colon].holds(" "),
                var property = PlanItem.property(String(member), at: source.place(range.lowerBound))
            else { return nil }
            if let comment { property.description = String(trimmed(text[comment.upperBound...])) }
            properties.append(property)
        }
        return properties.isEmpty ? nil : properties
    }
}
