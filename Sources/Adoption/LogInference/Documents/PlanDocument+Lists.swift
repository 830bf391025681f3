import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// Lists and lines of events and properties, and properties in code. Each item is decided alone.
extension PlanDocument {
    // MARK: Events

    /// Reads the items of a section that belongs to no event. Returns the events of the last item that names some.
    mutating func readEvents(_ items: [PlanListItem], _ context: Context) -> [Int] {
        var last: [Int] = []
        let isIntroduced = context.introduction.isOfProperties
        for item in items {
            let found = properties(in: item, isIntroduced: isIntroduced)
            if item.isOfProperties {
                readParts([item], of: [], context)
            } else if let events = readNames(item, context) ?? readEvent(item, context) {
                last = events
            } else if !found.isEmpty, isIntroduced || found.contains(where: { $0.type != nil }) {
                dictionary += found
            } else {
                // The items below a step, or below `User properties`, are not events.
                let isOfPeople = PlanWords.isOfPeople(PlanItem.plain(item.text))
                let children = item.isOrdered || isOfPeople ? [] : item.children
                let end = (children.first?.lines.lowerBound ?? item.lines.upperBound + 1) - 1
                leaveUnread(
                    item.lines.lowerBound...max(end, item.lines.lowerBound),
                    namesBelow: isOfPeople ? nil : context.section)
                var context = context
                context.introduction = PlanIntroduction()
                last = readEvents(children, context)
            }
        }
        return last
    }

    /// Reads an item or a line of names in code: `` Cart events: `cart_opened`, `cart_closed` ``. Nil for other text.
    mutating func readNames(_ item: PlanListItem, _ context: Context) -> [Int]? {
        guard let fact = PlanFact(item.text), fact.header != .event else { return nil }
        let parts = PlanItem.split(fact.text.hasSuffix(".") ? String(fact.text.dropLast()) : fact.text)
        let areNames = parts.allSatisfy { part in
            let name = part.dropFirst().dropLast().filter { $0 != "*" }
            return PlanItem.isCode(part) && !name.holds(" ") && PlanNames.isTitle(name) && !PlanNames.isPath(name)
        }
        let isOfEvents =
            context.introduction.isOfEvents || PlanWords.isAboutEvents(fact.label)
            || PlanWords.isListOfEvents(section(context.section).title)
            || PlanWords.folded(section(context.section).title).hasSuffix(" event groups")
        if PlanWords.isShared(fact.label), let found = list(fact.text, at: item.place, onlyCode: true), found.count > 1
        {
            var context = context
            context.kind = .shared
            add(found, to: [], context)
            if !item.children.isEmpty { leaveUnread(item.lines, namesBelow: context.section) }
            return []
        }
        guard areNames, parts.count > 1 || PlanWords.isAboutEvents(fact.label) else { return nil }
        var target: [Int] = []
        if isOfEvents {
            target = events(PlanNames(parts.joined(separator: ", ")), in: context.chapter, at: item.place)
        } else {
            for part in parts { leaveOutNames(part, line: item.place.line, below: context.section) }
            return nil
        }
        if target.isEmpty, !item.children.isEmpty { leaveUnread(item.lines, namesBelow: context.section) }
        var context = context
        context.introduction = PlanIntroduction()
        if !target.isEmpty { readParts(item.children, of: target, context) }
        return target
    }

    private mutating func readEvent(_ item: PlanListItem, _ context: Context) -> [Int]? {
        guard let (_, names, rest) = item.names else { return readTitledEvent(item, context) }
        let areNew = names.names.map { !isEvent($0.name) }
        // `count` (int) is a property, and so are names below `Properties:`. `` `a` — `{ b: int }` `` is an event.
        let isList =
            rest.drop { " —–-`".contains($0) }.hasPrefix("{") || names.names.contains { $0.name.holds(" ") }
        if areNew.contains(true), !isList, item.children.isEmpty, !context.introduction.isOfEvents,
            context.introduction.isOfProperties || property(in: item)?.type != nil
        {
            return nil
        }
        let target = events(names, in: context.chapter, at: item.place)
        for (event, isNew) in zip(target, areNew) where isNew && item.children.isEmpty { events[event].isItem = true }
        var item = item
        item.text = rest
        readRest(item, of: target, context)
        return target
    }

    /// Reads an item in words with the names of events below it: `Event: cart_opened`, or an action and its category.
    private mutating func readTitledEvent(_ item: PlanListItem, _ context: Context) -> [Int]? {
        var target: [Int] = []
        var parts: [PlanListItem] = []
        let facts = item.children.map { PlanFact($0.text) }
        let hasCategory = facts.contains { $0?.header == .category }
        for (child, fact) in zip(item.children, facts) {
            guard let fact, fact.header == .event || hasCategory && PlanWords.folded(fact.label) == "action",
                case let names = PlanNames(fact.text), names.names.allSatisfy({ PlanNames.isName($0.name) })
            else {
                parts.append(child)
                continue
            }
            let found = events(names, in: context.chapter, at: child.place)
            for event in found { events[event].add(title: PlanItem.plain(item.text)) }
            readParts(child.children, of: found, context)
            target += found
        }
        if !target.isEmpty { readParts(parts, of: target, context) }
        return target.isEmpty ? nil : target
    }

    /// Reads the rest after the names of events, and the items below them.
    mutating func readRest(_ item: PlanListItem, of target: [Int], _ context: Context) {
        var text = String(trimmed(item.text.drop { " —–-:：".contains($0) }))
        var found: [PlanProperty]?
        if text.hasPrefix("("), text.hasSuffix(")") {
            let inside = String(text.dropFirst().dropLast())
            let fact = PlanFact(inside)
            switch fact?.header {
            // `(props: a, b)`
            case .properties(let isRequired): found = items(fact?.text ?? "", at: item.place, isRequired)
            case .required, .optional:
                found = items(fact?.text ?? "", at: item.place, fact?.header == .required)
            // `(plan, price: number)`; `(tap)`, `(planned)` and `(iOS)` are about the event.
            case .other, nil:
                // `` (`yes`/`no`) `` has values.
                let areValues = inside.holds("`") && inside.holds("/")
                let names = PlanItem.split(inside).flatMap { $0.prefix { $0 != ":" }.split { " /".contains($0) } }
                let areNames = !areValues && !names.allSatisfy { PlanWords.isRemark(String($0)) }
                found = areNames ? list(inside, at: item.place, areBare: true) : nil
            default: break
            }
        }
        // `` *(server)* `{ code: string }` ``
        let braces = text.components(" `{")
        if found == nil, braces.count == 2, PlanWords.withoutRemark(PlanWords.folded(braces[0])).text.isEmpty,
            let members = list("`{" + braces[1], at: item.place)
        {
            (found, text) = (members, braces[0])
            for event in target { events[event].facts.add(PlanItem.prose(text)) }
        }
        found = found ?? list(text, at: item.place)
        for event in target {
            if found == nil { events[event].facts.add(PlanItem.prose(text)) }
            for property in found ?? [] { events[event].add(property) }
        }
        var context = context
        context.introduction = PlanIntroduction()
        readParts(item.children, of: target, context)
    }

    // MARK: Parts of an event

    /// Reads the items below events: facts about them, their properties, and prose.
    mutating func readParts(_ items: [PlanListItem], of target: [Int], _ context: Context) {
        // Below a line such as `Fired in:`, a name alone is something else.
        var (isIntroduced, isOfOthers) = (context.introduction.isOfProperties, context.introduction.isOfOthers)
        for item in items {
            defer {
                // The line `Properties:` below an item, without a blank line, is part of the item.
                let last = item.text.split(separator: "\n").dropFirst().last.map(String.init)
                if let last, PlanWords.introduces(PlanItem.plain(last)) { (isIntroduced, isOfOthers) = (true, false) }
            }
            if !isIntroduced, item.isFact {
                readFact(item, target, context)
                continue
            }
            let found = properties(in: item, isIntroduced: isIntroduced)
            if found.isEmpty || isOfOthers && PlanItem.isCode(item.text) && found.allSatisfy({ $0.type == nil }) {
                let text = item.prose.joined(separator: "\n")
                if PlanItem.isNone(item.text) || PlanWords.introduces(text) { continue }
                if target.isEmpty { leaveUnread(item.lines) }
                for event in target { events[event].facts.add(text) }
            } else {
                add(found, to: target, context)
            }
        }
    }

    /// Reads a fact about an event: `Owner: @shop`, or `Parameters` with a list of them.
    private mutating func readFact(_ item: PlanListItem, _ target: [Int], _ context: Context) {
        var fact = PlanFact(item.text) ?? PlanFact(PlanItem.plain(item.text), "")
        if case .properties(let isRequired) = fact.header {
            var context = context
            context.isRequired = isRequired ?? context.isRequired
            context.introduction.isOfProperties = true
            readParts(item.children, of: target, context)
        } else {
            let texts = [fact.text] + item.children.flatMap(\.prose)
            fact.text = texts.filter { !$0.isEmpty }.joined(separator: "\n")
        }
        if !fact.text.isEmpty { read(fact, target, at: item.place) }
    }

    /// Returns whether the lines of a paragraph are facts about an event.
    /// - Parameter isNamed: whether the heading is the name of an event, so that one fact is enough.
    func hasFacts(_ lines: [PlanListItem], isNamed: Bool) -> Bool {
        isNamed && lines.contains(where: \.isFact) || lines.contains(where: \.isOfProperties)
            || lines.allSatisfy(\.isFact) && lines.contains { PlanFact($0.text)?.isOfEvent ?? false }
    }

    // MARK: Properties

    /// Returns the property that an item begins with, in code, as an identifier, or as a word with a type.
    /// - Parameter isIntroduced: whether a line such as `Properties:` is above, so that words are a name, too.
    func property(in item: PlanListItem, isIntroduced: Bool = false) -> PlanProperty? {
        guard !PlanItem.isNone(item.text), let property = PlanItem.property(item.text, at: item.place),
            !PlanNames.isPath(property.name)
        else { return nil }
        if PlanItem.withoutLink(item.text.drop { "*_~".contains($0) }).hasPrefix("`") {
            return property.type == nil && isEvent(property.name) ? nil : property
        }
        if isIntroduced, !PlanWords.isPointer(PlanItem.plain(item.text)) { return property }
        let isTyped = property.type != nil || property.isRequired != nil
        return PlanNames.isName(property.name) || isTyped && Names.isIdentifier(property.name) ? property : nil
    }

    /// A list of properties: `` `a`, `b` ``, `{ a, b }`, `order_id, cart_id (optional)`. Nil without one.
    /// - Parameter areBare: whether words are names, too.
    private func list(
        _ text: String, at place: SourcePlace, onlyCode: Bool = false, areBare: Bool = false
    ) -> [PlanProperty]? {
        let (members, rest) = PlanItem.members(text) ?? (nil, "")
        let parts = PlanItem.split(members ?? text).flatMap(PlanItem.separated)
        var found: [PlanProperty] = []
        for part in parts {
            // `user_id, string, required`
            if areBare, let last = found.indices.last,
                found[last].takeWord(part)
                    || PlanWords[.plainType].contains(PlanWords.folded(part)) && found[last].takeType(part)
            {
                continue
            }
            guard let property = PlanItem.property(part, at: place) else { return nil }
            let isName = part.hasPrefix("`") && !property.name.holds("\"")
            let isAlone = part.count { $0 == "`" } == 2 && ["`", ")"].contains(where: part.hasSuffix)
            let isCode = isName && (isAlone || part == parts.last)
            let isBare =
                PlanNames.isName(property.name)
                || (areBare || property.type != nil) && Names.isIdentifier(property.name)
            guard members != nil || isCode || !onlyCode && isBare else { return nil }
            found.append(property)
        }
        guard let last = found.indices.last else { return nil }
        if rest.contains(where: \.isLetter) {
            found[last].facts.add(PlanItem.prose(String(rest.drop { ",;:. ".contains($0) })))
        }
        return found
    }

    /// The properties of an item and of those inside it. An item without a type describes the property above it.
    func properties(in item: PlanListItem, isIntroduced: Bool) -> [PlanProperty] {
        let areBare = isIntroduced && item.text.holds(",") && !item.text.holds("`")
        var found = list(item.text, at: item.place, onlyCode: !areBare, areBare: areBare) ?? []
        if found.count < (areBare ? 1 : 2), PlanItem.members(item.text) == nil {
            found = property(in: item, isIntroduced: isIntroduced).map { [$0] } ?? []
        }
        // In `` `event_data`: `{ id: string }` ``, the members are the properties.
        if found.count == 1, let fact = PlanFact(item.text.filter { $0 != "`" }), fact.header?.isList ?? false,
            fact.text.hasPrefix("{"), let members = list(fact.text, at: item.place)
        {
            found = members
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

    /// Returns the lines of code as items if each is a name, with its properties after two blanks: `item_opened  size`.
    func namesInCode(_ block: PlanBlock) -> [PlanListItem]? {
        guard block.lines.count > 2 else { return nil }
        let written = PlanListItem.lines(block.lines.lowerBound + 1...block.lines.upperBound - 1, in: source)
        let columns = written.map { $0.text.components("  ").map { trimmed($0[...]) }.filter { !$0.isEmpty } }
        let isOfNames = columns.joined().allSatisfy { PlanNames.isName(String($0)) }
        if isOfNames, columns.contains(where: { $0.count > 2 }), Set(columns.joined()).count == columns.joined().count {
            return zip(written, columns).flatMap { line, names in
                names.map { name in
                    var item = line
                    item.text = String(name)
                    return item
                }
            }
        }
        let lines = written.map { line in
            let name = line.text.prefix { $0 != " " }
            let rest = line.text.dropFirst(name.count)
            var item = line
            if rest.hasPrefix("  ") {
                let parts = String(rest).components("  ").flatMap { $0.split(separator: ",") }
                let names = parts.map { trimmed($0) }.filter { !$0.isEmpty }.map { "`\($0)`" }
                item.text = "`\(name)`: " + names.joined(separator: ", ")
            }
            return item
        }
        return lines.allSatisfy { $0.names != nil && !$0.text.hasSuffix(":") } ? lines : nil
    }

    /// Returns the type of a member of a TypeScript type. In an object, a value is the name of a type, or an example.
    private static func value(
        ofMember member: Substring, _ colon: Substring.Index, isType: Bool
    ) -> (type: String, example: String?) {
        if isType && !member.hasPrefix("\"") || colon == member.endIndex { return (String(member[colon...]), nil) }
        let value = trimmed(member[colon...].dropFirst()).filter { !"\"'".contains($0) }
        return TypeNameParser.parse(value) == nil ? ("", value) : (": \(value)", nil)
    }

    /// Reads the members of a TypeScript type or a JSON object: `method: 'email' | 'google' // How`. Nil if most of them
    /// are something else.
    /// - Returns: `isObject`, whether the code begins with the object; `isType`, whether it also needs no label.
    func properties(
        ofCode block: PlanBlock
    ) -> (found: [PlanProperty], unread: [SourcePlace], isObject: Bool, isType: Bool)? {
        var (found, unread, comment) = ([PlanProperty](), [SourcePlace](), "")
        let lines = block.text.split(separator: "\n").prefix(2).map { trimmed($0.drop { $0 == "`" }) }
        let members = block.lines.dropFirst().dropLast().flatMap { line -> [(text: String, place: SourcePlace)] in
            let range = source.text.lineRange(line)
            let (text, place) = (trimmed(source.text.string(range)[...]), source.place(range.lowerBound))
            guard text.hasPrefix("{"), text.hasSuffix("}") else { return [(String(text), place)] }
            return PlanItem.split(String(text.dropFirst().dropLast())).map { ($0, place) }
        }
        // A JSON Schema is not an object of properties.
        if let schema = members.first(where: { $0.text.hasPrefix("\"properties\"") && $0.text.hasSuffix("{") }) {
            return ([], [schema.place], true, true)
        }
        for (text, place) in members {
            let parts = " \(text)".components(" //").map { trimmed($0[...]) }
            comment += (comment.isEmpty ? "" : " ") + parts.dropFirst().joined(separator: " ")
            var member = parts[0]
            while let last = member.last, ",;".contains(last) { member = trimmed(member.dropLast()) }
            if ["", "{", "}"].contains(member) || member.hasSuffix("{") && !member.holds(":") { continue }
            let colon = member.firstIndex(of: ":") ?? member.startIndex
            // `'model.id'` and ``[`day.${number}.id`]`` are names.
            let name = String(member[..<colon]).components("${number}").joined().filter { !"'\"`[]".contains($0) }
            let value = Self.value(ofMember: member, colon, isType: !["js", "javascript"].contains(lines.first))
            guard Names.identifier(name) != nil, !name.holds(" "),
                member.count(where: { $0 == "{" }) == member.count(where: { $0 == "}" }),
                var property = PlanItem.property("`\(name)`\(value.type)", at: place)
            else {
                unread.append(place)
                continue
            }
            if let example = value.example { property.set(example: example, label: "Example") }
            property.facts.add(comment)
            comment = ""
            found.append(property)
        }
        // An event without properties.
        if lines == ["typescript", "void"] { return ([], [], true, true) }
        let isObject = lines.last?.hasPrefix("{") ?? false
        let isType = isObject && ["ts", "typescript", "json"].contains(lines[0])
        return found.count > unread.count ? (found, unread, isObject, isType) : nil
    }
}
