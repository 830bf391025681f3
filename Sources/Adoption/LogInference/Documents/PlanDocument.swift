import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// Reads definitions from tracking plans in Markdown: tables and lists of events and their properties.
struct PlanDocument {
    struct Event {
        var name: String { didSet { key = Names.key(name) } }
        /// The name as an identifier, or the name itself if it has no identifier. Names with equal keys are one name.
        private(set) var key: String
        var title = ""
        var chapter: String?
        var paragraphs: [String] = []
        var details: [DraftDetail] = []
        var properties: [PlanProperty] = []
        var isRetired = false
        /// Indicates whether only the items of lists name the event, without facts about it.
        var isItem = false
        var place: SourcePlace

        init(_ name: PlanNames.Name, chapter: String?, place: SourcePlace) {
            (self.name, title, isRetired) = (name.name, name.title, name.isRetired)
            key = Names.key(name.name)
            (self.chapter, self.place) = (chapter, place)
            if let deprecation = name.deprecation { add(.deprecated, deprecation, label: "Status") }
        }

        mutating func add(_ paragraph: String) {
            if !paragraph.isEmpty, !paragraphs.contains(paragraph) { paragraphs.append(paragraph) }
        }

        mutating func add(_ property: PlanProperty) {
            let index = properties.firstIndex { $0.name.isExactly(property.name) }
            if let index, property.type == nil || [nil, property.type].contains(properties[index].type) {
                properties[index].merge(property)
            } else {
                // A second type is reported.
                properties.append(property)
            }
        }

        /// Adds a detail. A second value becomes a paragraph.
        mutating func add(_ key: Details.Key, _ value: String, label: String) {
            let value = PlainText.normalized(value, isOneLine: true)
            if let known = details.first(where: { $0.key == key }) {
                if known.value != value { add("\(label): \(value)") }
            } else {
                details.append(DraftDetail(key, value))
            }
        }

        /// Adds a title. A second one becomes a paragraph.
        mutating func add(title: String) {
            if self.title.isEmpty {
                self.title = title
            } else if !title.isEmpty, title != self.title {
                add("(\(title))")
            }
        }
    }

    let source: InferenceSource
    let outline: PlanOutline
    var events: [Event] = []
    private var eventIndicesByKey: [ExactString: [Int]] = [:]
    var common: [PlanProperty] = []
    /// Properties below a heading that belongs to no event. They describe properties that events list by name.
    var dictionary: [PlanProperty] = []
    /// The values of the tables below the heading of a property.
    var values: [(name: String, values: [DraftType.Value], place: SourcePlace)] = []
    var findings: [Finding] = []
    private var skipped: [String] = []
    private var unreadLineNumbers: [ClosedRange<Int>] = []
    private var leftOutNamesByHeading: [Int: [(name: String, line: Int)]] = [:]
    private var kinds: [Kind] = []
    private var listedIdentifiers: Set<String> = []
    /// By the index of the heading. A fact below it may rename the event.
    private var eventsByHeading: [Int: [Int]] = [:]

    /// The role of a heading. The contents of a `part` belong to an event. `shared` contains the properties of every
    /// event. `people` contains properties of users or groups, and `prose` is about the document; both are left out.
    enum Kind { case chapter, event, part, shared, people, prose }

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

    func section(_ index: Int) -> PlanOutline.Section { outline.sections[index] }

    /// Returns the index of the heading above a line, from 1.
    func section(at line: Int) -> Int { outline.sections.lastIndex { $0.line <= line } ?? 0 }

    func place(ofSection index: Int) -> SourcePlace { SourcePlace(source.path, line: section(index).line) }

    // MARK: Headings

    private mutating func decideKinds() {
        listedIdentifiers = identifiersInTablesOfEvents()
        kinds = Array(repeating: .chapter, count: outline.sections.count)
        // Nested sections come after their parents.
        for index in outline.sections.indices.dropFirst().reversed() {
            let title = PlanWords.folded(PlanNames.unnumbered(section(index).title))
            let children = section(index).children
            if PlanWords.isOfPeople(title) {
                kinds[index] = .people
            } else if PlanWords.isShared(title) {
                kinds[index] = .shared
            } else if isNamed(index) {
                let areOthers =
                    children.contains { kinds[$0] == .event } || hasOnlyTablesOfEventsOrValues(index)
                    || isTitleOfDocument(index)
                kinds[index] = areOthers ? .chapter : .event
            } else if PlanWords.isPart(title) {
                kinds[index] = .part
            } else if isTitleOfDocument(index) || isChapterOfEvents(index) {
                continue
            } else if PlanWords.isAbout(title) {
                kinds[index] = .prose
            } else if !children.contains(where: { kinds[$0] == .event }),
                isListed(index) || (hasProperties(index) && !section(index).title.hasSuffix(":"))
            {
                kinds[index] = .event
            }
        }
        // A chapter about the document is so with the headings below it, except names with properties.
        for index in outline.sections.indices.dropFirst() {
            guard let parent = section(index).parent, kinds[parent] == .prose else { continue }
            let hasTable = section(index).blocks.contains { if case .table = $0.content { true } else { false } }
            if kinds[index] == .chapter
                || kinds[index] == .event && !hasTable && !(isNamed(index) && hasProperties(index))
            {
                kinds[index] = .prose
            }
        }
    }

    /// Returns whether a heading is written as the name of an event: `` `login` ``, `` Log in `login_done` ``,
    /// `USER_SIGNED_UP`.
    func isNamed(_ index: Int) -> Bool {
        let title = PlanNames.unnumbered(section(index).title)
        guard let code = section(index).code else {
            return PlanNames(heading: title, code: nil).names.contains { PlanNames.isName($0.name) }
        }
        if PlanNames.isName(code) { return true }
        let rest = title.components(code).joined().split(separator: "]").filter { !$0.hasPrefix("[") }.joined()
        return !rest.contains(where: \.isLetter) && !PlanNames.isPath(code)
    }

    private func hasProperties(_ index: Int) -> Bool {
        var (isIntroduced, isOfAll) = (PlanWords.introduces(section(index).title), false)
        for block in section(index).blocks {
            defer {
                isIntroduced = isIntroduction(block)
                isOfAll = introducesPropertiesOfEveryEvent(block)
            }
            if isOfAll { continue }
            switch block.content {
            case .table(let table):
                let table = PlanTable(table, in: source)
                switch table.form {
                case .properties where isNamed(index) || table.describesProperties: return true
                case .details: return true
                case .names: if isNamed(index) || isIntroduced { return true }
                case .properties, .events, .values, .none: break
                }
            case .list:
                for item in PlanListItem.read(block.lines, in: source) {
                    if isIntroduced { return true }
                    let isTyped = property(in: item)?.type != nil
                    // A list or a line of other names has events, and the next list may have their properties.
                    if !isNamed(index), let (_, rest) = names(of: item), !isTyped || trimmed(rest[...]).hasPrefix("{") {
                        return false
                    }
                    if isFactAboutEvent(item) || isTyped, !item.isOrdered || isNamed(index) { return true }
                }
            case .other(.paragraph):
                if deniesProperties(block) { return true }
                if !isNamed(index), lines(named: block) != nil { return false }
            case .other(.code): if isIntroduced, properties(ofCode: block) != nil { return true }
            default: break
            }
        }
        return section(index).children.contains { kinds[$0] == .part && hasProperties($0) }
    }

    private func introducesPropertiesOfEveryEvent(_ block: Block) -> Bool {
        guard case .other(.paragraph) = block.content else { return false }
        let text = PlanItem.prose(source.text.string(block.range))
        return PlanWords.saysEveryEvent(text) || PlanWords.isShared(text) && PlanWords.isPart(text)
    }

    private func hasOnlyTablesOfEventsOrValues(_ index: Int) -> Bool {
        !hasProperties(index)
            && section(index).blocks.contains { block in
                guard case .table(let table) = block.content else { return false }
                return [.values, .events].contains(PlanTable(table, in: source).form)
            }
    }

    private func deniesProperties(_ block: Block) -> Bool {
        let text = source.text.string(block.range)
        if let fact = Self.fact(text), case .properties = PlanHeader(fact.label) {
            return PlanWords.isNone(PlanItem.plain(fact.value))
        }
        return PlanWords.saysNone(PlanItem.plain(text))
    }

    private func isChapterOfEvents(_ index: Int) -> Bool {
        let title = PlanWords.folded(PlanNames.unnumbered(section(index).title))
        return PlanWords.eventLists.contains(title) || title.hasSuffix(" events") || title.hasSuffix("イベント")
            || title.hasSuffix("イベント一覧")
    }

    private func identifiersInTablesOfEvents() -> Set<String> {
        outline.sections.flatMap(\.blocks).reduce(into: []) { names, block in
            guard case .table(let table) = block.content else { return }
            let plan = PlanTable(table, in: source)
            guard plan.form == .events else { return }
            for cell in plan.rows.flatMap(\.cells) where cell.header == .event {
                for name in PlanNames(cell: cell.cell.text(in: source.text)).names {
                    names.insert(Names.key(name.name))
                }
            }
        }
    }

    /// Returns whether a table of events has the name that is the heading.
    func isListed(_ index: Int) -> Bool {
        listedIdentifiers.contains(Names.key(section(index).code ?? PlanNames.unnumbered(section(index).title)))
    }

    private func isTitleOfDocument(_ index: Int) -> Bool {
        section(index).level == 1 && section(0).children.count == 1
            && section(index).children.contains { kinds[$0] != .part }
    }

    private func eventSection(of index: Int) -> Int? {
        var current = index
        while kinds[current] == .part, let parent = section(current).parent { current = parent }
        return kinds[current] == .event ? current : nil
    }

    /// Returns the title of the nearest heading that names a category.
    func chapter(above index: Int?) -> String? {
        var current = index
        while let section = current, section > 0 {
            if kinds[section] == .chapter, let title = chapterTitle(section) { return title }
            current = self.section(section).parent
        }
        return nil
    }

    private func chapterTitle(_ index: Int) -> String? {
        var title = PlanNames.unnumbered(
            isNamed(index) ? section(index).code ?? section(index).title : section(index).title)
        guard !PlanWords.eventLists.contains(PlanWords.folded(title)) else { return nil }
        for suffix in [" events", " Events", "イベント一覧", "のイベント", "イベント"] where title.hasSuffix(suffix) {
            title = String(title.dropLast(suffix.count))
            break
        }
        title = PlanNames.uncounted(title)
        let isTitle = section(index).level == 1 && section(0).children.count == 1
        return isTitle && (PlanWords.isOfDocument(title) || PlanNames.identifier(of: title) == nil) ? nil : title
    }

    // MARK: Contents

    private mutating func read() {
        decideKinds()
        for index in outline.sections.indices { read(index, kinds[index] == .event ? openEvents(index) : []) }
        if !skipped.isEmpty {
            findings.note(
                "left out, because they contain neither events nor properties: \(skipped.joined(separator: "; "))",
                at: SourcePlace(source.path))
        }
    }

    /// Reports the headings and the text that no event has.
    mutating func reportUnread() {
        let used = Set(events.compactMap(\.chapter)).union(events.map(\.name))
        for index in outline.sections.indices.dropFirst() where [.chapter, .prose].contains(kinds[index]) {
            let title = section(index).code ?? section(index).title
            let isNamed = chapterTitle(index).map(used.contains) ?? false
            if !isNamed, eventAbove(index) == nil, !PlanWords.eventLists.contains(PlanWords.folded(title)),
                !used.contains(title)
            {
                unreadLineNumbers.append(section(index).line...section(index).line)
                if section(index).children.isEmpty {
                    leaveOutLeadingName(title, line: section(index).line, below: index)
                }
            }
        }
        reportLeftOutNames()
        var ranges: [ClosedRange<Int>] = []
        for range in unreadLineNumbers.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound + 2 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        guard !ranges.isEmpty else { return }
        let lines = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
        findings.note(
            "left out, because it belongs to no event: the text of lines \(lines.joined(separator: ", "))",
            at: SourcePlace(source.path))
    }

    /// Leaves text out. Names at the beginning of the items of a list are reported.
    /// - Parameter index: the heading of a list; nil for prose.
    mutating func leaveUnread(_ lines: ClosedRange<Int>, namesBelow index: Int? = nil) {
        unreadLineNumbers.append(lines.lowerBound + 1...lines.upperBound + 1)
        guard let index else { return }
        for line in lines {
            var text = trimmed(source.text.string(source.text.lineRange(line))[...])
            text = trimmed(text.drop { "-*+0123456789.)[]x ".contains($0) })
            leaveOutLeadingName(String(text), line: line + 1, below: index)
        }
    }

    private mutating func leaveOutLeadingName(_ text: String, line: Int, below index: Int) {
        let isCode = text.hasPrefix("`")
        let name = String(isCode ? text.dropFirst().prefix { $0 != "`" } : text.prefix { !" :(=*".contains($0) })
        guard PlanNames.isName(name) || isCode && Names.isIdentifier(name) else { return }
        leftOutNamesByHeading[index, default: []].append((name, line))
    }

    private mutating func leaveOutNamesInCode(_ text: String, _ block: Block, below index: Int) {
        for (number, span) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where number % 2 == 1 { leaveOutLeadingName("`\(span)`", line: block.lines.lowerBound + 1, below: index) }
    }

    private mutating func reportLeftOutNames() {
        let known = Set(
            (events.map(\.name) + (events.flatMap(\.properties) + common + dictionary).map(\.name)).map(Names.key))
        for (_, names) in leftOutNamesByHeading.sorted(by: { $0.key < $1.key }) {
            let names = names.filter { !known.contains(Names.key($0.name)) }
            guard let first = names.first, let last = names.last else { continue }
            let shown =
                names.prefix(10).map { "`\($0.name)`" }.joined(separator: ", ") + (names.count > 10 ? ", …" : "")
            findings.warn(
                (names.count == 1
                    ? "a name in line \(first.line) looks like an event, and is left out: "
                    : "\(names.count) names in lines \(first.line)–\(last.line) look like events, and are left out: ")
                    + "\(shown): write a heading for each, or a table with the header Event",
                at: SourcePlace(source.path, line: first.line))
        }
    }

    private mutating func openEvents(_ index: Int) -> [Int] {
        if let events = eventsByHeading[index] { return events }
        let names = PlanNames(heading: section(index).title, code: section(index).code)
        for variable in names.variables {
            findings.warn(
                "the variable `\(variable)` is left out of an event's name: make it a column",
                at: place(ofSection: index))
        }
        let chapter = chapter(above: section(index).parent)
        let events = names.names.map { event(named: $0, in: chapter, at: place(ofSection: index)) }
        for event in events { self.events[event].add(names.rest) }
        eventsByHeading[index] = events
        return events
    }

    /// Returns whether the document defines or lists an event of this name.
    func isEvent(_ name: String) -> Bool {
        let key = Names.key(name)
        return listedIdentifiers.contains(key) || !(eventIndicesByKey[ExactString(key)] ?? []).isEmpty
    }

    /// Returns the index of an event, which is added if the document has not named it.
    mutating func event(named name: PlanNames.Name, in chapter: String?, at place: SourcePlace) -> Int {
        let event = Event(name, chapter: chapter, place: place)
        let same = eventIndicesByKey[ExactString(event.key)]?.first { index in
            let known = events[index].chapter
            return known == chapter || known == nil || chapter == nil || events[index].properties.isEmpty
        }
        if let same { events[same].isItem = false }
        guard let same else {
            eventIndicesByKey[ExactString(event.key), default: []].append(events.count)
            events.append(event)
            return events.count - 1
        }
        if events[same].properties.isEmpty { events[same].chapter = events[same].chapter ?? chapter }
        events[same].add(title: name.title)
        if !name.name.isExactly(events[same].name), !Names.isIdentifier(name.name) {
            events[same].add(title: name.name)
        }
        events[same].isRetired = events[same].isRetired || name.isRetired
        return same
    }

    private func eventAbove(_ index: Int) -> Int? {
        var current = section(index).parent
        while let section = current, kinds[section] != .event { current = self.section(section).parent }
        return current
    }

    /// Those of its heading, of the heading above it, or the listed event of its title.
    private mutating func described(by index: Int, _ target: [Int]) -> [Int] {
        if !target.isEmpty { return target }
        guard kinds[index] == .chapter, index > 0 else { return [] }
        if let above = eventAbove(index) { return openEvents(above) }
        let name = section(index).code ?? section(index).title
        return (eventIndicesByKey[ExactString(Names.key(name))]?.first).map { [$0] } ?? []
    }

    /// The properties of a part belong to the events of the section above it.
    private mutating func read(_ index: Int, _ opened: [Int]) {
        var target = opened
        if target.isEmpty, kinds[index] == .part, let above = eventSection(of: index) { target = openEvents(above) }
        let described = described(by: index, target)
        // Below a heading of an event, the first text begins with the title of its own heading.
        var title = target.isEmpty && eventAbove(index) != nil ? "\(section(index).title): " : ""
        func describe(_ texts: [String], _ lines: ClosedRange<Int>) {
            guard !described.isEmpty else { return leaveUnread(lines) }
            for event in described { events[event].add(title + texts.joined(separator: "\n")) }
            title = ""
        }
        let isShared = isBelow(.shared, index)
        let isLeftOut = isBelow(.people, index) || kinds[index] == .prose
        // `Optional properties:` above a table or a list.
        var requirement: Bool?
        var (hasTable, isPart, isOfAll) = (false, PlanWords.introduces(section(index).title), false)
        // The event of the last line or list that names one. Its properties may be in the next list.
        var current: [Int] = []
        var isDirect = false
        // A line such as `Fired in:` above a list.
        var label = false
        for block in section(index).blocks {
            let (follows, isLabelled) = (isDirect, label)
            (isDirect, label) = (false, false)
            let place = source.place(block.range.lowerBound)
            let written = source.text.string(block.range)
            switch block.content {
            case .other(.paragraph):
                let text = PlanItem.prose(written)
                if target.isEmpty, introducesPropertiesOfEveryEvent(block) { isOfAll = true }
                let introduces = PlanWords.introduces(text)
                isPart = introduces
                label = !introduces && [":", "："].contains(where: text.hasSuffix)
                if introduces {
                    requirement = PlanWords.requirement(PlanWords.folded(text))
                    continue
                }
                if deniesProperties(block) { continue }
                let subject = target.isEmpty ? current : target
                if !subject.isEmpty, let facts = facts(ofParagraph: block, isNamed: isNamed(index) || target.isEmpty) {
                    for fact in facts {
                        if let label = fact.label {
                            read((label, fact.text), subject, at: place)
                        } else if target.isEmpty {
                            for event in subject { events[event].add(PlanItem.prose(fact.text)) }
                        } else {
                            describe([PlanItem.prose(fact.text)], block.lines)
                        }
                    }
                } else if target.isEmpty, !isLeftOut, !isOfAll, let items = lines(named: block) {
                    current = readEvents(items, index, isIntroduced: false)
                    isDirect = true
                } else {
                    describe([text], block.lines)
                    if described.isEmpty, written.hasPrefix("`") { leaveOutNamesInCode(written, block, below: index) }
                }
            case .other(.quote):
                let lines = written.split(separator: "\n").map { trimmed($0.drop { $0 == ">" }) }
                describe([PlanItem.prose(lines.joined(separator: "\n"))], block.lines)
            case .table(let table):
                let table = PlanTable(table, in: source)
                for excess in table.excess {
                    findings.warn(
                        "the row has more cells than the header: `\(PlanItem.plain(excess.text))` is left out; write "
                            + "`\\|` for a pipe inside of a cell", at: excess.place)
                }
                if table.form == .properties, let event = target.first, !isShared {
                    if hasTable, !isPart {
                        findings.note(
                            "a second table below one heading: its properties are those of `\(events[event].name)`",
                            at: place)
                    }
                    hasTable = true
                }
                read(
                    table, target.isEmpty ? current : target, isShared || isOfAll, isBelow(.people, index), index,
                    requirement, at: place)
                (requirement, isPart, isOfAll, current) = (nil, false, false, [])
            case .list:
                let items = PlanListItem.read(block.lines, in: source)
                if isLeftOut {
                    leaveUnread(block.lines, namesBelow: kinds[index] == .prose ? index : nil)
                } else if isShared || isOfAll {
                    for item in items {
                        let found = properties(in: item, isIntroduced: isPart || isShared)
                        if found.isEmpty {
                            leaveUnread(item.lines, namesBelow: index)
                        } else {
                            add(found, to: [], true, index)
                        }
                    }
                } else if !target.isEmpty {
                    for prose in readParts(
                        items, target, index, isIntroduced: isPart, requirement: requirement, onlyTyped: isLabelled)
                    {
                        describe(prose.texts, prose.lines)
                    }
                } else if !current.isEmpty,
                    follows || isPart || items.first.map({ isFact($0) || property(in: $0)?.type != nil }) ?? false
                {
                    for prose in readParts(items, current, index, isIntroduced: isPart, requirement: requirement) {
                        for event in current { events[event].add(prose.texts.joined(separator: "\n")) }
                    }
                } else {
                    current = readEvents(items, index, isIntroduced: isPart)
                }
                (requirement, isPart, isOfAll) = (nil, false, false)
            case .other(.code) where !(target + current).isEmpty && isPart:
                if let properties = properties(ofCode: block) {
                    add(properties, to: target.isEmpty ? current : target, isShared, index)
                } else {
                    findings.warn("properties in code are left out: write them as a table", at: place)
                }
            case .other(.code): leaveUnread(block.lines)
            case .other(.html): if PlanOutline.hasText(written) { leaveUnread(block.lines) }
            default: continue
            }
            // The last line of a list or a paragraph may introduce the next block.
            isPart = isPart || isIntroduction(block)
        }
    }

    private mutating func read(
        _ table: PlanTable, _ target: [Int], _ isShared: Bool, _ isOfPeople: Bool, _ index: Int,
        _ requirement: Bool?, at place: SourcePlace
    ) {
        var form = table.form
        if form == .names {
            form = isChapterOfEvents(index) ? .events : target.isEmpty && !isShared ? .none : .properties
        }
        switch form {
        case .events where !isOfPeople: readEvents(table, chapter(above: index))
        case .properties where isOfPeople, .events:
            findings.note("properties of people or groups are left out: `\(section(index).title)`", at: place)
        case .properties: add(properties(of: table), to: target, isShared, index, requirement)
        case .details where !target.isEmpty:
            for fact in table.facts { read((fact.label, fact.value), target, at: fact.place) }
        case .values: readValues(table, index)
        case .names, .none, .details:
            skipped.append("line \(table.line) (\(table.headerText))")
            for row in table.rows {
                if let cell = row.cells.first {
                    leaveOutLeadingName(cell.cell.text(in: source.text), line: row.line, below: index)
                }
            }
        }
    }

    /// Returns whether a block is a paragraph such as `Properties:`.
    func isIntroduction(_ block: Block) -> Bool {
        switch block.content {
        case .other(.paragraph), .list: break
        default: return false
        }
        let last = source.text.string(block.range).split(separator: "\n").last ?? ""
        return PlanWords.introduces(PlanItem.plain(String(trimmed(last.drop { "-* ".contains($0) }))))
    }

    private func isBelow(_ kind: Kind, _ index: Int) -> Bool {
        kinds[index] == kind || (kinds[index] == .part && (section(index).parent.map { isBelow(kind, $0) } ?? false))
    }

    mutating func add(
        _ properties: [PlanProperty], to target: [Int], _ isShared: Bool, _ index: Int, _ requirement: Bool? = nil
    ) {
        if isShared {
            for property in properties {
                if let known = common.firstIndex(where: { $0.name.isExactly(property.name) }) {
                    common[known].merge(property)
                } else {
                    common.append(property)
                }
            }
        } else if target.isEmpty {
            dictionary += properties
        } else {
            let isRequired = requirement ?? PlanWords.requirement(PlanWords.folded(section(index).title))
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
        let written = markdown[..<colon].filter { $0 != "*" }
        let label = PlanItem.plain(written)
        while value.hasPrefix("*") { value = trimmed(value.dropFirst()) }
        // A name in code is that of a property, such as `platform`.
        return label.isEmpty || value.isEmpty || written.holds("`") ? nil : (label, String(value))
    }

    private func isFactAboutEvent(_ item: PlanListItem) -> Bool {
        guard isFact(item) else { return false }
        switch PlanHeader(Self.fact(item.text)?.label ?? PlanItem.plain(item.text)) {
        case .event, .name, .properties: return true
        default: return false
        }
    }

    /// Returns whether an item is a fact about an event: `Owner: @shop`, `**Params**:`.
    func isFact(_ item: PlanListItem) -> Bool {
        guard !item.text.hasPrefix("`") else { return false }
        guard let fact = Self.fact(item.text) else {
            return !item.children.isEmpty && PlanTable.isPartOfEvent(PlanItem.plain(item.text))
        }
        if case .properties = PlanHeader(fact.label) { return true }
        return PlanTable.isPartOfEvent(fact.label) && TypeNameParser.parse(fact.value) == nil
    }

    /// Nil for prose. If `isNamed`, the heading is the name of an event, so that `Props` alone is a fact, too.
    private func facts(ofParagraph block: Block, isNamed: Bool) -> [(label: String?, text: String)]? {
        var lines = PlanItem.withoutBreaks(source.text.string(block.range)).split(separator: "\n").map(String.init)
        if isNamed { lines = lines.flatMap(Self.separatingLabels) }
        // `Properties:` introduces the next block.
        if lines.count > 1, let last = lines.last, PlanWords.isPart(PlanItem.plain(last)) { lines.removeLast() }
        let facts: [(label: String?, text: String)] = lines.map { line in
            Self.fact(line).map { ($0.label, $0.value) } ?? (nil, line)
        }
        let isFact = isNamed ? PlanTable.isPartOfEvent : PlanTable.isFact
        guard facts.contains(where: { $0.label.map(isFact) ?? false }),
            isNamed || !facts.contains(where: { $0.label == nil })
        else { return nil }
        return facts
    }

    /// Separates `Shown. **Props**: a` before the label in bold.
    private static func separatingLabels(_ line: String) -> [String] {
        guard let start = line.firstRange(ofText: ". **")?.lowerBound else { return [line] }
        let (before, after) = (String(line[...start]), String(trimmed(line[line.index(after: start)...])))
        guard let fact = fact(after), PlanTable.isPartOfEvent(fact.label) else { return [line] }
        return [before, after]
    }

    mutating func read(_ fact: (label: String, value: String), _ target: [Int], at place: SourcePlace) {
        let header = PlanHeader(fact.label)
        for event in target {
            switch header {
            case .event, .name:
                let names = PlanNames(cell: fact.value)
                guard let name = names.names.first, names.names.count == 1, target.count == 1 else {
                    events[event].add("\(fact.label): \(PlanItem.prose(fact.value))")
                    continue
                }
                events[event].add(title: name.title)
                events[event].add(names.rest)
                // The name in code differs from the heading, which is its title.
                if !name.name.isExactly(events[event].name) {
                    events[event].add(title: events[event].name)
                    rename(event, name.name)
                }
            case .properties(let isRequired):
                for property in items(fact.value, at: place, isRequired) { events[event].add(property) }
            default: read(header, PlanItem.prose(fact.value), label: fact.label, event)
            }
        }
    }

    private mutating func rename(_ event: Int, _ name: String) {
        eventIndicesByKey[ExactString(events[event].key)]?.removeAll { $0 == event }
        events[event].name = name
        let key = ExactString(events[event].key)
        eventIndicesByKey[key] = ((eventIndicesByKey[key] ?? []) + [event]).sorted()
    }

    /// Reads a cell or a line that describes an event.
    mutating func read(_ header: PlanHeader?, _ text: String, label: String, _ event: Int) {
        if PlanWords.isNone(text) {
            // `Conversion: No` says something.
            guard case .other = header, ["no", "x", "×", "なし"].contains(PlanWords.folded(text)) else { return }
        }
        switch header {
        case .description: events[event].add(text)
        case .owner: events[event].add(.owner, text, label: label)
        case .since: events[event].add(.since, text, label: label)
        case .platforms where (try? Platforms(written: text)) != nil:
            events[event].add(.platforms, text, label: label)
        case .status:
            let state = PlanWords.retirement(text)
            if state.isRetired { events[event].isRetired = true }
            if state.isDeprecated {
                events[event].add(.deprecated, text, label: label)
            } else if !PlanWords.retiredWords.contains(PlanWords.folded(text)) {
                events[event].add("\(label): \(text)")
            }
        case .deprecated: if Spreadsheet.flag(text) != false { events[event].add(.deprecated, text, label: label) }
        case .title: events[event].add(title: PlainText.normalized(text, isOneLine: true))
        case .privacy where LogPrivacy(written: text) != nil || Spreadsheet.flag(text) == true:
            events[event].add(.privacy, (LogPrivacy(written: text) ?? .personal).rawValue, label: label)
        case .number: break
        case .category where events[event].chapter == nil || events[event].chapter == text:
            events[event].chapter = text
        default: events[event].add(label.isEmpty ? text : "\(label): \(text)")
        }
    }
}
