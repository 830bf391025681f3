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
        var facts = PlanFacts()
        var properties: [PlanProperty] = []
        /// Indicates whether only the items of lists name the event, without facts about it.
        var isItem = false
        var place: SourcePlace

        init(_ name: PlanNames.Name, chapter: String?, place: SourcePlace) {
            (self.name, title, facts.isRetired) = (name.name, name.title, name.isRetired)
            key = Names.key(name.name)
            (self.chapter, self.place) = (chapter, place)
            if let deprecation = name.deprecation { facts.add(.deprecated, deprecation, label: "Status") }
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

        /// Adds a title. A second one becomes a paragraph.
        mutating func add(title: String) {
            if self.title.isEmpty {
                self.title = title
            } else if !title.isEmpty, title != self.title {
                facts.add("(\(title))")
            }
        }

        /// Reads a cell or a line that describes the event.
        mutating func read(_ header: PlanHeader?, _ text: String, label: String) {
            if PlanWords.isNone(text) {
                // `Conversion: No` says something.
                guard case .other = header, ["no", "x", "×", "なし"].contains(PlanWords.folded(text)) else { return }
            }
            if facts.take(header, text, label: label) { return }
            switch header {
            case .owner: facts.add(.owner, text, label: label)
            case .title: add(title: PlainText.normalized(text, isOneLine: true))
            case .category where chapter == nil || chapter == text: chapter = text
            default: facts.add(label.isEmpty ? text : "\(label): \(text)")
            }
        }
    }

    /// The role of a heading. The contents of a `part` belong to an event. `shared` contains the properties of every
    /// event. `people` contains properties of users or groups, and `prose` is about the document; both are left out.
    enum Kind { case chapter, event, part, shared, people, prose }

    /// What the headings above decide for the blocks of a section.
    struct Context {
        /// The kind of the heading; that of the heading above a part.
        var kind = Kind.chapter
        /// The events that have the properties of the section.
        var target: [Int] = []
        /// The events of the nearest heading of an event above.
        var above: [Int] = []
        /// The title of the nearest heading that names a category.
        var chapter: String?
        /// Whether properties are required or optional.
        var isRequired: Bool?
        /// Whether a line such as `Cart events:` is above.
        var isOfEvents = false
        /// The index of the section.
        var section = 0

        var isLeftOut: Bool { kind == .people || kind == .prose }
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
    var skipped: [String] = []
    private var unreadLineNumbers: [ClosedRange<Int>] = []
    private var leftOutNamesByHeading: [Int: [(name: String, line: Int)]] = [:]
    private var kinds: [Kind] = []
    private var contexts: [Context] = []
    private var listedIdentifiers: Set<String> = []

    static func read(_ sources: [InferenceSource], category: String?) -> (draft: Draft, findings: [Finding]) {
        var draft = Draft()
        var findings: [Finding] = []
        for source in sources {
            var document = PlanDocument(source)
            document.finish(&draft, category: category)
            findings += document.findings
        }
        return (draft, findings)
    }

    private init(_ source: InferenceSource) {
        self.source = source
        outline = PlanOutline(MarkdownDocument(source.text), in: source)
        decideKinds()
        for index in outline.sections.indices { read(index) }
        if !skipped.isEmpty {
            findings.note(
                "left out, because they contain neither events nor properties: \(skipped.joined(separator: "; "))",
                at: SourcePlace(source.path))
        }
    }

    func section(_ index: Int) -> PlanOutline.Section { outline.sections[index] }

    /// Returns the index of the heading above a line, from 1.
    func section(at line: Int) -> Int { outline.sections.lastIndex { $0.line <= line } ?? 0 }

    // MARK: Headings

    private mutating func decideKinds() {
        for case .table(let table) in outline.sections.flatMap(\.blocks).map(\.content) {
            let plan = PlanTable(table, in: source)
            guard plan.form == .events else { continue }
            for cell in plan.rows.compactMap({ $0[.event] }) {
                listedIdentifiers.formUnion(PlanNames(cell.markdown).names.map { Names.key($0.name) })
            }
        }
        kinds = Array(repeating: .chapter, count: outline.sections.count)
        // Nested sections come after their parents.
        for index in kinds.indices.dropFirst().reversed() { kinds[index] = kind(index) }
        // A chapter about the document is so with the headings below it, except names with properties.
        for index in kinds.indices.dropFirst() where section(index).parent.map({ kinds[$0] }) == .prose {
            let hasTable = section(index).blocks.contains { if case .table = $0.content { true } else { false } }
            let isEvent = kinds[index] == .event && (hasTable || isNamed(index) && hasProperties(index))
            if kinds[index] == .chapter || kinds[index] == .event && !isEvent { kinds[index] = .prose }
        }
    }

    private func kind(_ index: Int) -> Kind {
        let title = PlanWords.folded(section(index).unnumbered)
        let children = section(index).children
        let isTitle = isTitleOfDocument(index) && children.contains { kinds[$0] != .part }
        let hasEvents = children.contains { kinds[$0] == .event }
        if PlanWords.isOfPeople(title) { return .people }
        if PlanWords.isShared(title) { return .shared }
        if isNamed(index) { return hasEvents || isTitle || hasOnlyTablesOfEventsOrValues(index) ? .chapter : .event }
        if PlanWords.isPart(title) { return .part }
        let isOfDocument = isTitleOfDocument(index) && PlanWords.isOfDocument(title)
        if isTitle || isOfDocument || isChapterOfEvents(index) { return .chapter }
        // `ai/setup/done` is no title in words.
        if title.holds(" ") || !title.holds("/"), PlanWords.isAbout(title) { return .prose }
        let name = Names.key(section(index).code ?? section(index).unnumbered)
        let isEvent = listedIdentifiers.contains(name) || hasProperties(index) && !section(index).title.hasSuffix(":")
        return !hasEvents && isEvent ? .event : .chapter
    }

    private func isTitleOfDocument(_ index: Int) -> Bool {
        section(index).level == 1 && section(0).children.count == 1
    }

    func isChapterOfEvents(_ index: Int) -> Bool {
        let title = PlanWords.folded(section(index).unnumbered)
        return PlanWords.isListOfEvents(title) || [" events", "イベント", "イベント一覧"].contains(where: title.hasSuffix)
    }

    /// Returns whether a heading is written as the name of an event: `` `login` ``, `` Log in `login_done` ``,
    /// `USER_SIGNED_UP`.
    func isNamed(_ index: Int) -> Bool {
        let section = section(index)
        guard let code = section.code else {
            return section.rest != nil
                || PlanNames(section.names, isHeading: true).names.contains { PlanNames.isName($0.name) }
        }
        let rest = section.unnumbered.components(code)
        // `` `total` of orders `` is a title.
        if PlanNames.isName(code) { return !(rest.last?.dropFirst().first?.isLowercase ?? false) }
        let others = rest.joined().split(separator: "]").filter { !$0.hasPrefix("[") }
        return !others.joined().contains(where: \.isLetter) && !PlanNames.isPath(code)
    }

    /// The table or list below a heading, whose first part with a property or a name of an event decides.
    private func hasProperties(_ index: Int) -> Bool {
        var (isIntroduced, isOfAll) = (PlanWords.introduces(section(index).title), false)
        for block in section(index).blocks {
            defer { (isIntroduced, isOfAll) = (isIntroduction(block), introducesPropertiesOfEveryEvent(block)) }
            if isOfAll { continue }
            switch block.content {
            case .table(let table):
                let table = PlanTable(table, in: source)
                switch table.form {
                case .details: return true
                case .properties: if isNamed(index) || table.describesProperties { return true }
                case .names: if isNamed(index) || isIntroduced { return true }
                case .events, .values, .none: break
                }
            case .list:
                let items = PlanListItem.read(block.lines, in: source)
                // Without a line such as `Properties:`, most items of a list of properties have types.
                let typed = items.count { !$0.isOrdered && properties(in: $0, isIntroduced: false).first?.type != nil }
                if typed * 2 > items.count { return true }
                for item in items {
                    let found = isIntroduced || isNamed(index) ? properties(in: item, isIntroduced: isIntroduced) : []
                    if found.contains(where: { PlanNames.identifier(of: $0.name) != nil }) { return true }
                    let fact = item.isFact ? PlanHeader(PlanFact(item.text)?.label ?? PlanItem.plain(item.text)) : nil
                    if [.event, .name].contains(fact) || fact?.isList ?? false { return true }
                }
            case .other(.paragraph): if deniesProperties(block) { return true }
            case .other(.code):
                guard let code = properties(ofCode: block) else { break }
                if isIntroduced || code.isTypeScript && !section(index).title.holds(" ") { return true }
            default: break
            }
        }
        return section(index).children.contains { kinds[$0] == .part && hasProperties($0) }
    }

    private func hasOnlyTablesOfEventsOrValues(_ index: Int) -> Bool {
        !hasProperties(index)
            && section(index).blocks.contains { block in
                guard case .table(let table) = block.content else { return false }
                return [.values, .events].contains(PlanTable(table, in: source).form)
            }
    }

    private func introducesPropertiesOfEveryEvent(_ block: Block) -> Bool {
        guard case .other(.paragraph) = block.content else { return false }
        let text = PlanItem.prose(source.text.string(block.range))
        return PlanWords.saysEveryEvent(text) || PlanWords.isShared(text) && PlanWords.isPart(text)
    }

    private func deniesProperties(_ block: Block) -> Bool {
        let text = source.text.string(block.range)
        if let fact = PlanFact(text), PlanHeader(fact.label)?.isList ?? false {
            return PlanWords.isNone(PlanItem.plain(fact.text))
        }
        return PlanWords.saysNone(PlanItem.plain(text))
    }

    /// Returns whether the last line of a block is one such as `Properties:`.
    private func isIntroduction(_ block: Block) -> Bool {
        switch block.content {
        case .other(.paragraph), .list: break
        default: return false
        }
        let last = source.text.string(block.range).split(separator: "\n").last ?? ""
        return PlanWords.introduces(PlanItem.plain(String(trimmed(last.drop { "-* ".contains($0) }))))
    }

    private func chapterTitle(_ index: Int) -> String? {
        guard index > 0 else { return nil }
        var title = isNamed(index) ? section(index).code ?? section(index).unnumbered : section(index).unnumbered
        guard !PlanWords.isListOfEvents(title) else { return nil }
        for suffix in [" events", " Events", "イベント一覧", "のイベント", "イベント"] where title.hasSuffix(suffix) {
            title = String(title.dropLast(suffix.count))
            break
        }
        title = PlanNames.uncounted(title)
        let isOfDocument = PlanWords.isOfDocument(title) || PlanNames.identifier(of: title) == nil
        return isTitleOfDocument(index) && isOfDocument ? nil : title
    }

    // MARK: Contents

    private mutating func read(_ index: Int) {
        let section = section(index)
        var context = Context()
        if let parent = section.parent { context = contexts[parent] }
        context.section = index
        if kinds[index] != .part || index == 0 {
            context.above = context.target.isEmpty ? context.above : context.target
            (context.kind, context.target) = (kinds[index], [])
        } else if context.kind == .prose {
            context.kind = .chapter
        }
        if kinds[index] == .chapter { context.chapter = chapterTitle(index) ?? context.chapter }
        context.isRequired = PlanWords.requirement(PlanWords.folded(section.title))
        if kinds[index] == .event {
            let names = PlanNames(section.names, isHeading: true)
            context.target = events(names, in: context.chapter, at: SourcePlace(source.path, line: section.line))
        }
        contexts.append(context)
        if let rest = section.rest { readRest(rest, of: context.target, context) }
        readBlocks(context)
    }

    private mutating func readBlocks(_ context: Context) {
        let index = context.section
        // Text below another heading of an event's chapter describes the event, and begins with the heading.
        var (described, title) = (context.target, "")
        if described.isEmpty, context.kind == .chapter, index > 0 {
            let name = ExactString(Names.key(section(index).code ?? section(index).title))
            described = context.above.isEmpty ? eventIndicesByKey[name]?.first.map { [$0] } ?? [] : context.above
        }
        if context.target.isEmpty, !context.above.isEmpty { title = "\(section(index).title): " }
        func describe(_ texts: [String], _ lines: ClosedRange<Int>) {
            guard !described.isEmpty else { return leaveUnread(lines) }
            for event in described { events[event].facts.add(title + texts.joined(separator: "\n")) }
            title = ""
        }
        // A line may say that the properties of the next block are optional, or those of every event.
        var context = context
        let isRequired = context.isRequired
        var (isPart, isOfAll) = (PlanWords.introduces(section(index).title), false)
        // The event of the last list that names one. Its properties may be in the next list.
        var current: [Int] = []
        // A line such as `Fired in:` above a list.
        var isLabelled = false
        for block in section(index).blocks {
            let written = source.text.string(block.range)
            let follows = isLabelled
            isLabelled = false
            let subject = context.target.isEmpty ? current : context.target
            switch block.content {
            case .other(.paragraph):
                let text = PlanItem.prose(written)
                isOfAll = context.target.isEmpty && introducesPropertiesOfEveryEvent(block)
                isPart = PlanWords.introduces(text)
                isLabelled = !isIntroduction(block) && [":", "："].contains(where: text.hasSuffix)
                if isPart {
                    context.isRequired = PlanWords.requirement(PlanWords.folded(text)) ?? isRequired
                    continue
                }
                context.isOfEvents = isLabelled && PlanWords.isAboutEvents(text)
                if deniesProperties(block) { continue }
                let isNamed = isNamed(index) || context.target.isEmpty
                if !subject.isEmpty, let facts = facts(ofParagraph: written, isNamed: isNamed) {
                    for fact in facts {
                        if !fact.label.isEmpty {
                            read(fact, subject, at: source.place(block.range.lowerBound))
                        } else if context.target.isEmpty {
                            for event in subject { events[event].facts.add(PlanItem.prose(fact.text)) }
                        } else {
                            describe([PlanItem.prose(fact.text)], block.lines)
                        }
                    }
                } else if subject.isEmpty, !context.isLeftOut,
                    readNames(written, context, at: source.place(block.range.lowerBound))
                {
                    break
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
                        "the row has more cells than the header: `\(excess.text)` is left out; write `\\|` for a pipe "
                            + "inside of a cell", at: excess.place)
                }
                read(table, context, subject, isOfAll: isOfAll)
                (context.isRequired, isPart, isOfAll, current) = (isRequired, false, false, [])
            case .list:
                let items = PlanListItem.read(block.lines, in: source)
                if context.isLeftOut
                    || follows && !context.isOfEvents && subject.isEmpty && context.kind != .shared && !isOfAll
                {
                    leaveUnread(block.lines, namesBelow: context.kind == .people ? nil : index)
                } else if context.kind == .shared || isOfAll {
                    for item in items {
                        let found = properties(in: item, isIntroduced: isPart || context.kind == .shared)
                        if found.isEmpty { leaveUnread(item.lines, namesBelow: index) }
                        add(found, to: [], context, isOfAll: true)
                    }
                } else if !context.target.isEmpty {
                    for prose in readParts(items, context.target, context, isIntroduced: isPart, onlyTyped: follows) {
                        describe(prose.texts, prose.lines)
                    }
                } else if !current.isEmpty,
                    isPart || items.first.map({ $0.isFact || property(in: $0)?.type != nil }) ?? false
                {
                    for prose in readParts(items, current, context, isIntroduced: isPart) {
                        for event in current { events[event].facts.add(prose.texts.joined(separator: "\n")) }
                    }
                } else {
                    current = readEvents(items, context, isIntroduced: isPart)
                }
                (context.isRequired, isPart, isOfAll, context.isOfEvents) = (isRequired, false, false, false)
            case .other(.code) where !subject.isEmpty || context.kind == .shared:
                if let code = properties(ofCode: block), isPart || code.isTypeScript {
                    add(code.found, to: subject, context, isOfAll: context.kind == .shared)
                    for place in code.unread {
                        findings.warn("the line of code is left out: write it in a table", at: place)
                    }
                } else if isPart {
                    findings.warn(
                        "properties in code are left out: write them as a table",
                        at: source.place(block.range.lowerBound))
                } else {
                    leaveUnread(block.lines)
                }
            case .other(.code): leaveUnread(block.lines)
            case .other(.html): if PlanOutline.hasText(written) { leaveUnread(block.lines) }
            default: continue
            }
            // The last line of a list or a paragraph may introduce the next block.
            isPart = isPart || isIntroduction(block)
        }
    }

    private mutating func read(_ table: PlanTable, _ context: Context, _ target: [Int], isOfAll: Bool) {
        let title = section(context.section)
        let isShared = context.kind == .shared || isOfAll
        var form = table.form
        if form == .names {
            form = isChapterOfEvents(context.section) ? .events : target.isEmpty && !isShared ? .none : .properties
        }
        switch form {
        case .events where context.kind != .people: readEvents(table, context.chapter)
        case .properties where context.kind == .people, .events:
            findings.note("properties of people or groups are left out: `\(title.title)`", at: table.place)
        case .properties: add(properties(of: table), to: target, context, isOfAll: isShared)
        case .details where !target.isEmpty: for row in table.facts { read(row.fact, target, at: row.place) }
        case .values: readValues(table, title.code ?? title.unnumbered)
        case .names, .none, .details:
            skipped.append("line \(table.place.line) (\(table.headerText))")
            for row in table.rows {
                for cell in row.cells where cell.column == 0 || PlanHeader(cell.label, isOfTable: true) == .event {
                    for name in PlanItem.split(cell.markdown).flatMap(PlanItem.separated) {
                        leaveOutLeadingName(name, line: row.place.line, below: context.section)
                    }
                }
            }
        }
    }

    mutating func add(_ properties: [PlanProperty], to target: [Int], _ context: Context, isOfAll: Bool = false) {
        for var property in properties {
            if isOfAll {
                if let known = common.firstIndex(where: { $0.name.isExactly(property.name) }) {
                    common[known].merge(property)
                } else {
                    common.append(property)
                }
            } else if target.isEmpty {
                dictionary.append(property)
            } else {
                property.isRequired = property.isRequired ?? context.isRequired
                for event in target { events[event].add(property) }
            }
        }
    }

    // MARK: Events

    /// Returns whether the document defines or lists an event of this name.
    func isEvent(_ name: String) -> Bool {
        let key = Names.key(name)
        return listedIdentifiers.contains(key) || !(eventIndicesByKey[ExactString(key)] ?? []).isEmpty
    }

    /// Returns the indices of events, which are added if the document has not named them.
    mutating func events(_ names: PlanNames, in chapter: String?, at place: SourcePlace) -> [Int] {
        for variable in names.variables {
            findings.warn("the variable `\(variable)` is left out of an event's name: make it a column", at: place)
        }
        return names.names.map { name in
            let index = event(named: name, in: chapter, at: place)
            events[index].facts.add(names.rest)
            return index
        }
    }

    private mutating func event(named name: PlanNames.Name, in chapter: String?, at place: SourcePlace) -> Int {
        var event = Event(name, chapter: chapter, place: place)
        // `Removed events`
        if let chapter, PlanWords.isState(chapter) { _ = event.facts.take(.status, chapter, label: "Status") }
        let same = eventIndicesByKey[ExactString(event.key)]?.first { index in
            let known = events[index].chapter
            return known == chapter || known == nil || chapter == nil || events[index].properties.isEmpty
        }
        guard let same else {
            eventIndicesByKey[ExactString(event.key), default: []].append(events.count)
            events.append(event)
            return events.count - 1
        }
        events[same].isItem = false
        if events[same].properties.isEmpty { events[same].chapter = events[same].chapter ?? chapter }
        events[same].add(title: name.title)
        if !name.name.isExactly(events[same].name), !Names.isIdentifier(name.name) {
            events[same].add(title: name.name)
        }
        events[same].facts.isRetired = events[same].facts.isRetired || name.isRetired
        return same
    }

    /// Reads a fact about events.
    mutating func read(_ fact: PlanFact, _ target: [Int], at place: SourcePlace) {
        let header = PlanHeader(fact.label)
        for event in target {
            switch header {
            case .event, .name:
                let names = PlanNames(fact.text)
                guard let name = names.names.first, names.names.count == 1, target.count == 1 else {
                    events[event].facts.add("\(fact.label): \(PlanItem.prose(fact.text))")
                    continue
                }
                events[event].add(title: name.title)
                events[event].facts.add(names.rest)
                guard !name.name.isExactly(events[event].name) else { continue }
                // The name in code differs from the heading, which is its title.
                events[event].add(title: events[event].name)
                eventIndicesByKey[ExactString(events[event].key)]?.removeAll { $0 == event }
                events[event].name = name.name
                eventIndicesByKey[ExactString(events[event].key), default: []].append(event)
            case .properties(let isRequired):
                for property in items(fact.text, at: place, isRequired) { events[event].add(property) }
            default: events[event].read(header, PlanItem.prose(fact.text), label: fact.label)
            }
        }
    }

    // MARK: Text without an event

    /// Reports the headings and the text that no event has.
    mutating func reportUnread() {
        let used = Set(events.compactMap(\.chapter)).union(events.map(\.name))
        for index in outline.sections.indices.dropFirst() where [.chapter, .prose].contains(kinds[index]) {
            let (line, title) = (section(index).line, section(index).code ?? section(index).title)
            let isNamed = chapterTitle(index).map(used.contains) ?? false
            if !isNamed, contexts[index].above.isEmpty, !PlanWords.isListOfEvents(title), !used.contains(title) {
                unreadLineNumbers.append(line...line)
                if section(index).children.isEmpty { leaveOutLeadingName(title, line: line, below: index) }
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
            let text = trimmed(source.text.string(source.text.lineRange(line))[...])
            // An entry of a table of contents is not a name.
            if text.holds("](#") { continue }
            let name = trimmed(text.drop { "-*+0123456789.)[]x ".contains($0) })
            leaveOutLeadingName(String(name), line: line + 1, below: index)
        }
    }

    mutating func leaveOutLeadingName(_ text: String, line: Int, below index: Int) {
        let isCode = text.hasPrefix("`")
        let name = String(isCode ? text.dropFirst().prefix { $0 != "`" } : text.prefix { !" :(=*".contains($0) })
        guard isCode ? PlanNames.isName(name) || Names.isIdentifier(name) : PlanNames.isName(name) && !name.holds("-")
        else { return }
        leftOutNamesByHeading[index, default: []].append((name, line))
    }

    private mutating func leaveOutNamesInCode(_ text: String, _ block: Block, below index: Int) {
        for (number, span) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where number % 2 == 1 { leaveOutLeadingName("`\(span)`", line: block.lines.lowerBound + 1, below: index) }
    }

    private mutating func reportLeftOutNames() {
        let properties = events.flatMap(\.properties) + common + dictionary
        let known = Set((events.map(\.name) + properties.map(\.name)).map(Names.key))
        for (_, names) in leftOutNamesByHeading.sorted(by: { $0.key < $1.key }) {
            var seen = known
            let names = names.filter { seen.insert(Names.key($0.name)).inserted }
            guard let first = names.first, let last = names.last else { continue }
            let shown = names.prefix(10).map { "`\($0.name)`" }.joined(separator: ", ")
            let lines = first.line == last.line ? "line \(first.line)" : "lines \(first.line)–\(last.line)"
            let count =
                names.count == 1
                ? "a name in \(lines) looks like an event, and is left out"
                : "\(names.count) names in \(lines) look like events, and are left out"
            findings.warn(
                "\(count): \(shown)\(names.count > 10 ? ", …" : ""): write a heading for each, or a table with the "
                    + "header Event", at: SourcePlace(source.path, line: first.line))
        }
    }
}
