import LogDefinitions
import MarkdownSyntax

/// Reads definitions from tracking plans in Markdown: tables and lists of events and their properties.
struct PlanDocument {
    struct Event {
        var name: String { didSet { key = Names.identifier(name) ?? name } }
        /// The form in which two names are one.
        private(set) var key: String
        var title = ""
        var chapter: String?
        var paragraphs: [String] = []
        var details: [DraftDetail] = []
        var properties: [PlanProperty] = []
        var isRetired = false
        var place: SourcePlace

        init(_ name: PlanNames.Name, chapter: String?, place: SourcePlace) {
            (self.name, title, isRetired) = (name.name, name.title, name.isRetired)
            key = Names.identifier(name.name) ?? name.name
            (self.chapter, self.place) = (chapter, place)
        }

        mutating func add(_ paragraph: String) {
            if !paragraph.isEmpty, !paragraphs.contains(paragraph) { paragraphs.append(paragraph) }
        }

        mutating func add(_ property: PlanProperty) {
            if let index = properties.firstIndex(where: { $0.name.isExactly(property.name) }) {
                properties[index].merge(property)
            } else {
                properties.append(property)
            }
        }

        mutating func add(_ key: Details.Key, _ value: String) {
            let value = PlainText.normalized(value, isOneLine: true)
            if !details.contains(where: { $0.key == key }) { details.append(DraftDetail(key, value)) }
        }
    }

    let source: InferenceSource
    let outline: PlanOutline
    var events: [Event] = []
    /// The indices of the events of each key, in order.
    private var indices: [ExactString: [Int]] = [:]
    var common: [PlanProperty] = []
    /// Properties below a heading that belongs to no event. They describe properties that events list by name.
    var dictionary: [PlanProperty] = []
    /// The values of the tables below the heading of a property.
    var values: [(name: String, values: [DraftType.Value], place: SourcePlace)] = []
    var findings: [Finding] = []
    private var skipped: [String] = []
    private var kinds: [Kind] = []

    /// What a heading stands for.
    enum Kind { case chapter, event, part, shared, people }

    static func read(_ sources: [InferenceSource], category: String?) -> (draft: Draft, findings: [Finding]) {
        var draft = Draft()
        var findings: [Finding] = []
        for source in sources {
            var document = PlanDocument(source)
            document.read()
            document.finish(&draft, category: category)
            findings += document.findings
        }
        return (draft, findings)
    }

    private init(_ source: InferenceSource) {
        self.source = source
        outline = PlanOutline(MarkdownDocument(source.text))
    }

    mutating func warn(_ message: String, at place: SourcePlace) {
        findings.append(Finding(.warning, message, at: place))
    }

    mutating func note(_ message: String, at place: SourcePlace) {
        findings.append(Finding(.note, message, at: place))
    }

    func section(_ index: Int) -> PlanOutline.Section { outline.sections[index] }

    func place(ofSection index: Int) -> SourcePlace { SourcePlace(source.path, line: section(index).line) }

    // MARK: Headings

    /// The tables and lists of a section that have the form of properties, if its heading is an event.
    private func hasProperties(_ index: Int) -> Bool {
        section(index).blocks.indices.contains { block in
            switch section(index).blocks[block].content {
            case .table(let table):
                switch PlanTable(table, in: source).form {
                case .properties, .details: true
                case .names: isNamed(index)
                case .events, .values, .none: false
                }
            case .list(let list):
                isOfProperties(list, index, block) || isOfFacts(list) || (isNamed(index) && isOfParts(list))
            case .other(.paragraph):
                saysNone(section(index).blocks[block])
                    || (isNamed(index) && facts(ofParagraph: section(index).blocks[block]) != nil)
            default: false
            }
        }
    }

    /// Returns whether a section without deeper headings describes the properties of every event.
    private func saysEveryEvent(_ index: Int) -> Bool {
        section(index).children.isEmpty && !isNamed(index)
            && section(index).blocks.contains { block in
                guard case .other(.paragraph) = block.content else { return false }
                return PlanWords.saysEveryEvent(PlanItem.plain(source.text.string(block.range)))
            }
    }

    /// Returns whether a paragraph says that the event has no properties.
    private func saysNone(_ block: Block) -> Bool {
        let text = source.text.string(block.range)
        if let fact = Self.fact(text), case .properties = PlanHeader(fact.label) {
            return PlanWords.isNone(PlanItem.plain(fact.value))
        }
        return PlanWords.saysNone(PlanItem.plain(text))
    }

    /// Returns whether a heading is written as the name of an event.
    private func isNamed(_ index: Int) -> Bool {
        section(index).code != nil || (Names.isIdentifier(section(index).title) && section(index).title.holds("_"))
    }

    private func isChapterOfEvents(_ index: Int) -> Bool {
        let title = PlanWords.folded(PlanNames.unnumbered(section(index).title))
        return PlanWords.eventLists.contains(title) || title.hasSuffix(" events") || title.hasSuffix("イベント")
            || title.hasSuffix("イベント一覧")
    }

    private mutating func decideKinds() {
        let count = outline.sections.count
        kinds = Array(repeating: .chapter, count: count)
        // Nested sections come after their parents.
        for index in (1..<count).reversed() {
            let title = PlanWords.folded(PlanNames.unnumbered(section(index).title))
            let children = section(index).children
            if PlanWords.isOfPeople(title) {
                kinds[index] = .people
            } else if PlanWords.isShared(title) || saysEveryEvent(index) {
                kinds[index] = .shared
            } else if PlanWords.isPart(title), section(index).code == nil {
                kinds[index] = .part
            } else if !isAbout(index), !children.contains(where: { kinds[$0] == .event }),
                hasProperties(index) || children.contains(where: { kinds[$0] == .part && hasProperties($0) })
            {
                kinds[index] = .event
            }
        }
        // A heading without properties is an event next to events that are written alike.
        for parent in 0..<count {
            for siblings in Dictionary(grouping: section(parent).children, by: { section($0).level }).values {
                decideKinds(ofSiblings: siblings)
            }
        }
    }

    private mutating func decideKinds(ofSiblings siblings: [Int]) {
        let events = siblings.filter { kinds[$0] == .event }
        guard !events.isEmpty else { return }
        let areNamed = events.allSatisfy(isNamed)
        for index in siblings where kinds[index] == .chapter && section(index).level < 7 {
            let isAlike = isNamed(index) || (!areNamed && events.count * 2 >= siblings.count - 1)
            if isAlike, section(index).children.allSatisfy({ kinds[$0] == .part }), !isProse(index),
                !hasOtherContents(index)
            {
                kinds[index] = .event
            }
        }
    }

    /// Returns whether a heading is about the document.
    private func isAbout(_ index: Int) -> Bool {
        guard section(index).code == nil else { return false }
        let title = PlanWords.folded(PlanNames.unnumbered(section(index).title))
        return !isNamed(index) && (PlanWords.prose.contains(title) || isChapterOfEvents(index))
    }

    /// Returns whether a heading without properties is about the document: `Naming conventions`, `Known issues`.
    private func isProse(_ index: Int) -> Bool {
        let words = PlanWords.folded(PlanNames.unnumbered(section(index).title)).split(separator: " ").map(String.init)
        return isAbout(index)
            || (!isNamed(index) && (words.count > 8 || words.last.map(PlanWords.prose.contains) ?? true))
    }

    /// Returns whether a section has tables or lists that are no properties.
    private func hasOtherContents(_ index: Int) -> Bool {
        section(index).blocks.contains { block in
            switch block.content {
            case .table, .list: true
            default: false
            }
        }
    }

    /// Returns the event that the properties of a section belong to.
    private func eventSection(of index: Int) -> Int? {
        var current = index
        while kinds[current] == .part, let parent = section(current).parent { current = parent }
        return kinds[current] == .event ? current : nil
    }

    /// Returns the title of the nearest heading that names a category.
    func chapter(above index: Int?) -> String? {
        var current = index
        while let section = current, section > 0 {
            let isTitle = self.section(section).level == 1 && self.section(0).children.count == 1
            if kinds[section] == .chapter, !isTitle {
                var title = PlanNames.unnumbered(self.section(section).code ?? self.section(section).title)
                if !PlanWords.eventLists.contains(PlanWords.folded(title)) {
                    for suffix in [" events", " Events", "イベント一覧", "のイベント", "イベント"] where title.hasSuffix(suffix) {
                        title = String(title.dropLast(suffix.count))
                        break
                    }
                    return PlanNames.uncounted(title)
                }
            }
            current = self.section(section).parent
        }
        return nil
    }

    // MARK: Contents

    private mutating func read() {
        decideKinds()
        for index in outline.sections.indices {
            var target: [Int] = []
            if kinds[index] == .event { target = open(index) }
            let paragraphs = read(index, target)
            // What a listed event's own heading says.
            if kinds[index] == .chapter, index > 0 {
                let name = section(index).code ?? section(index).title
                if let event = indices[ExactString(Names.identifier(name) ?? name)]?.first {
                    for paragraph in paragraphs { events[event].add(paragraph) }
                }
            }
        }
        if !skipped.isEmpty {
            note(
                "left out, because they contain neither events nor properties: \(skipped.joined(separator: "; "))",
                at: SourcePlace(source.path))
        }
    }

    /// Adds the events of a heading. Returns their indices.
    private mutating func open(_ index: Int) -> [Int] {
        let names = PlanNames(heading: section(index).title, code: section(index).code)
        for variable in names.variables {
            warn(
                "the variable `\(variable)` is left out of an event's name: make it a column",
                at: place(ofSection: index))
        }
        let chapter = chapter(above: section(index).parent)
        return names.names.map { event(named: $0, in: chapter, at: place(ofSection: index)) }
    }

    /// Returns the index of an event, which is added if the document has not named it.
    mutating func event(named name: PlanNames.Name, in chapter: String?, at place: SourcePlace) -> Int {
        let event = Event(name, chapter: chapter, place: place)
        let same = indices[ExactString(event.key)]?.first { index in
            let known = events[index].chapter
            return known == chapter || known == nil || chapter == nil || events[index].properties.isEmpty
        }
        guard let same else {
            indices[ExactString(event.key), default: []].append(events.count)
            events.append(event)
            return events.count - 1
        }
        events[same].chapter = events[same].chapter ?? chapter
        if events[same].title.isEmpty { events[same].title = name.title }
        events[same].isRetired = events[same].isRetired || name.isRetired
        return same
    }

    /// Reads the blocks of a section, whose properties belong to the events of the section above it. Returns its
    /// paragraphs.
    private mutating func read(_ index: Int, _ opened: [Int]) -> [String] {
        var target = opened
        if target.isEmpty, kinds[index] == .part, let above = eventSection(of: index) { target = open(above) }
        var paragraphs: [String] = []
        var isShared = isBelow(.shared, index)
        let isOfPeople = isBelow(.people, index)
        for (number, block) in section(index).blocks.enumerated() {
            let place = source.place(block.range.lowerBound)
            switch block.content {
            case .other(.paragraph):
                let text = PlanItem.plain(source.text.string(block.range))
                if PlanWords.saysEveryEvent(text), target.isEmpty { isShared = true }
                if PlanWords.isPart(text) || saysNone(block) { continue }
                if let facts = facts(ofParagraph: block) {
                    for fact in facts { read(fact, &target, at: place) }
                } else {
                    paragraphs.append(text)
                    if kinds[index] == .event { for event in target { events[event].add(text) } }
                }
            case .table(let written):
                let table = PlanTable(written, in: source)
                var form = table.form
                if form == .names {
                    form =
                        isChapterOfEvents(index) ? .events : target.isEmpty && !isShared ? .none : .properties
                }
                switch form {
                case .events where !isOfPeople: readEvents(table, chapter(above: index))
                case .properties where isOfPeople, .events:
                    note("properties of people or groups are left out: `\(section(index).title)`", at: place)
                case .properties: add(properties(of: table), to: target, isShared, index)
                case .details:
                    for row in table.rows where row.cells.count > 1 {
                        let fact = (table.text(row.cells[0]), row.cells[1].text(in: source.text))
                        read(fact, &target, at: table.place(row.cells[0]))
                    }
                case .values: readValues(table, index)
                case .names, .none: skipped.append("line \(table.line) (\(table.headerText(written)))")
                }
            case .list(let list):
                if isOfPeople { continue }
                if isOfFacts(list) {
                    for item in list.items {
                        guard let text = item.text, let fact = Self.fact(source.text.string(text)) else { continue }
                        read(fact, &target, at: source.place(text.lowerBound))
                    }
                } else if !target.isEmpty, isOfParts(list) {
                    readParts(list, target)
                } else if isOfProperties(list, index, number) || (isShared && isOfNames(list)) {
                    add(properties(of: list), to: target, isShared, index)
                } else if kinds[index] == .chapter {
                    readEvents(list, index)
                }
            case .other(.code) where !target.isEmpty && number > 0 && isIntroduction(section(index).blocks[number - 1]):
                if let properties = properties(ofCode: block) {
                    add(properties, to: target, isShared, index)
                } else {
                    warn("properties in code are left out: write them as a table", at: place)
                }
            default: continue
            }
        }
        return paragraphs
    }

    /// Returns whether a block is a paragraph such as `Properties:`.
    private func isIntroduction(_ block: Block) -> Bool {
        guard case .other(.paragraph) = block.content else { return false }
        let last = source.text.string(block.range).split(separator: "\n").last.map(String.init) ?? ""
        return PlanWords.isPart(PlanItem.plain(last))
    }

    private func isBelow(_ kind: Kind, _ index: Int) -> Bool {
        kinds[index] == kind || (kinds[index] == .part && (section(index).parent.map { isBelow(kind, $0) } ?? false))
    }

    private mutating func add(_ properties: [PlanProperty], to target: [Int], _ isShared: Bool, _ index: Int) {
        if isShared {
            for property in properties where !common.contains(where: { $0.name.isExactly(property.name) }) {
                common.append(property)
            }
        } else if target.isEmpty {
            dictionary += properties
        } else {
            let isRequired = PlanWords.requirement(PlanWords.folded(section(index).title))
            for var property in properties {
                property.isRequired = property.isRequired ?? isRequired
                for event in target { events[event].add(property) }
            }
        }
    }

    // MARK: Facts about an event

    static func fact(_ markdown: String) -> (label: String, value: String)? {
        guard let colon = markdown.firstIndex(where: { ":：".contains($0) }) else { return nil }
        var value = trimmed(markdown[markdown.index(after: colon)...])
        let label = PlanItem.plain(markdown[..<colon].filter { $0 != "*" })
        while value.hasPrefix("*") { value = trimmed(value.dropFirst()) }
        return label.isEmpty || value.isEmpty || label.holds("`") ? nil : (label, String(value))
    }

    private func isOfFacts(_ list: MarkdownSyntax.List) -> Bool {
        let facts = list.items.count { item in
            item.text.flatMap { Self.fact(source.text.string($0)) }.map { PlanTable.isFact($0.label) } ?? false
        }
        return facts > 0 && facts * 2 >= list.items.count
    }

    private func facts(ofParagraph block: Block) -> [(label: String, value: String)]? {
        let lines = PlanItem.withoutBreaks(source.text.string(block.range)).split(separator: "\n")
        let facts = lines.compactMap { Self.fact(String($0)) }
        return facts.count == lines.count && facts.contains(where: { PlanTable.isFact($0.label) }) ? facts : nil
    }

    mutating func read(_ fact: (label: String, value: String), _ target: inout [Int], at place: SourcePlace) {
        let text = PlanItem.plain(fact.value)
        for event in target {
            switch PlanHeader(fact.label) {
            case .event, .name:
                // The name in code differs from the heading, which is its title.
                guard let name = PlanNames(cell: fact.value).names.first, target.count == 1 else { continue }
                if !name.name.isExactly(events[event].name) {
                    if events[event].title.isEmpty { events[event].title = events[event].name }
                    rename(event, name.name)
                }
            case .properties(let isRequired):
                for property in items(fact.value, at: place, isRequired) { events[event].add(property) }
            default: read(PlanHeader(fact.label), text, label: fact.label, event)
            }
        }
    }

    private mutating func rename(_ event: Int, _ name: String) {
        indices[ExactString(events[event].key)]?.removeAll { $0 == event }
        events[event].name = name
        let key = ExactString(events[event].key)
        indices[key] = ((indices[key] ?? []) + [event]).sorted()
    }

    /// Reads a cell or a line that describes an event.
    mutating func read(_ header: PlanHeader?, _ text: String, label: String, _ event: Int) {
        guard !PlanWords.isNone(text) else { return }
        switch header {
        case .description: events[event].add(text)
        case .owner: events[event].add(.owner, text)
        case .since: events[event].add(.since, text)
        case .platforms:
            if (try? Platforms(written: text)) != nil {
                events[event].add(.platforms, text)
            } else {
                events[event].add("\(label): \(text)")
            }
        case .status:
            let state = PlanWords.retirement(text)
            if state.isRetired { events[event].isRetired = true }
            if state.isDeprecated { events[event].add(.deprecated, text) }
        case .deprecated: if PlanWords.flag(text) != false { events[event].add(.deprecated, text) }
        case .title:
            if events[event].title.isEmpty { events[event].title = PlainText.normalized(text, isOneLine: true) }
        case .category, .number, nil: break
        default: events[event].add("\(label): \(text)")
        }
    }
}
