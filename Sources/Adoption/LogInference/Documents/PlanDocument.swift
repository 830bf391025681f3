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
            (self.name, key, facts.isRetired) = (name.name, Names.key(name.name), name.isRetired)
            (self.chapter, self.place) = (chapter, place)
            add(title: name.title)
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

        /// Adds a title, or takes a state such as `[deprecated]`. A second title becomes a paragraph.
        mutating func add(title: String) {
            let state = title.filter { !"[]".contains($0) }
            if PlanWords.isState(state) {
                _ = facts.take(.status, state, label: "Status")
            } else if self.title.isEmpty {
                self.title = title
            } else if !title.isEmpty, title != self.title {
                facts.add("(\(title))")
            }
        }

        /// Reads a cell or a line that describes the event.
        mutating func read(_ header: PlanHeader?, _ text: String, label: String) {
            if PlanWords.isNone(text) {
                // `Conversion: No` is a fact.
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

    /// The decisions of the headings above for the blocks of a section.
    struct Context {
        /// The kind of the heading; that of the heading above a part.
        var kind = Kind.chapter
        /// The events that have the properties of the section.
        var target: [Int] = []
        /// The title of the nearest heading that names a category.
        var chapter: String?
        var isRequired: Bool?
        var introduction = PlanIntroduction()
        var section = 0

        var isLeftOut: Bool { kind == .people || kind == .prose }

        /// Indicates whether the properties are those of every event.
        var isOfAll: Bool { kind == .shared || introduction.isOfAll && target.isEmpty }
    }

    let source: InferenceSource
    let outline: PlanOutline
    var events: [Event] = []
    private var eventIndicesByKey: [ExactString: [Int]] = [:]
    var common: [PlanProperty] = []
    private var commonIndicesByName: [ExactString: Int] = [:]
    /// Properties below a heading that belongs to no event. They describe properties that events list by name.
    var dictionary: [PlanProperty] = []
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
        for case .table(let table) in outline.sections.flatMap(\.blocks).map(\.content) where table.form == .events {
            for cell in table.rows.compactMap({ $0[.event] }) {
                listedIdentifiers.formUnion(PlanNames(cell.markdown).names.map { Names.key($0.name) })
            }
        }
        kinds = Array(repeating: .chapter, count: outline.sections.count)
        // Nested sections come after their parents.
        for index in kinds.indices.dropFirst().reversed() { kinds[index] = kind(index) }
        // A chapter about the document is so with the headings below it, except names with properties.
        for index in kinds.indices.dropFirst() where section(index).parent.map({ kinds[$0] }) == .prose {
            let hasTable = section(index).blocks.contains { if case .table = $0.content { true } else { false } }
            let isEvent = kinds[index] == .event && (hasTable || isNamed(index) && hasProperties(index) == true)
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
        if isNamed(index) { return hasEvents || isTitle || hasProperties(index) == false ? .chapter : .event }
        if PlanWords.isPart(title) { return .part }
        let isOfDocument = isTitleOfDocument(index) && PlanWords.isOfDocument(title)
        if isTitle || isOfDocument || PlanWords.endsInEvents(title) { return .chapter }
        // `ai/setup/done` is a name, not a title.
        if title.holds(" ") || !title.holds("/"), PlanWords.isAbout(title) {
            // The steps of a funnel repeat events.
            return title.holds("funnel") && hasUnorderedList(index) ? .chapter : .prose
        }
        let isListed = listedIdentifiers.contains(Names.key(section(index).code ?? section(index).unnumbered))
        let mayBeEvent = !section(index).title.hasSuffix(":") && !PlanWords.isSentence(title)
        let isEvent = isListed || mayBeEvent && hasProperties(index) == true
        return !hasEvents && isEvent ? .event : .chapter
    }

    private func hasUnorderedList(_ index: Int) -> Bool {
        section(index).blocks.contains {
            if case .list(let items) = $0.content { items.allSatisfy { !$0.isOrdered } } else { false }
        }
    }

    private func isTitleOfDocument(_ index: Int) -> Bool {
        section(index).level == 1 && section(0).children.count == 1
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
        if PlanNames.isName(code) { return !(rest.last?.first?.isLowercase ?? false) }
        return !rest.joined().contains(where: \.isLetter) && !PlanNames.isPath(code)
    }

    /// Returns whether a heading has properties, which the first table, the first item of a list, or code decides; false
    /// for tables of events or values, and nil for nothing of this.
    private func hasProperties(_ index: Int) -> Bool? {
        var introduction = PlanIntroduction(section(index).title)
        var result: Bool?
        let isNamed = isNamed(index)
        for block in section(index).blocks {
            defer { introduction = block.introduction }
            if introduction.isOfAll { continue }
            let isIntroduced = introduction.isOfProperties
            switch block.content {
            case .table(let table):
                switch table.form {
                case .details: return true
                case .properties where isNamed || table.describesProperties: return true
                case .events: return false
                case .values: result = false
                default: break
                }
            case .list(let items):
                let found = items.map { item in
                    isIntroduced || !item.isOrdered ? properties(in: item, isIntroduced: isIntroduced).first : nil
                }
                // Without a line such as `Properties:`, most items of a list of properties have types.
                if items.contains(where: \.isOfProperties)
                    || items.count(where: { [.event, .name].contains($0.label) }) == 1
                    || isIntroduced && found.contains(where: { PlanNames.identifier(of: $0?.name ?? "") != nil })
                    || zip(items, found).count(where: { item, property in
                        !item.text.holds("` {") && property?.type.map { !$0.isConstant } ?? false
                    }) * 2 > items.count
                {
                    return true
                }
            case .paragraph(let lines):
                if lines.contains(where: { $0.isOfProperties && !$0.isOfAll })
                    || PlanWords.saysNone(PlanItem.plain(block.text))
                {
                    return true
                }
            case .code:
                guard let code = properties(ofCode: block) else { break }
                if isIntroduced || code.isType && !section(index).title.holds(" ") { return true }
            default: break
            }
        }
        let hasPart = section(index).children.contains {
            kinds[$0] == .part && !PlanWords.isDictionary(section($0).title) && hasProperties($0) == true
        }
        return hasPart ? true : result
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
            (context.kind, context.target) = (kinds[index], [])
        }
        if kinds[index] == .chapter { context.chapter = chapterTitle(index) ?? context.chapter }
        context.isRequired = PlanWords.requirement(PlanWords.folded(section.title))
        if kinds[index] == .event {
            let names = PlanNames(section.names, isHeading: true)
            // A line in another chapter only explains an event.
            let explains = section.isLine && names.names.allSatisfy { isEvent($0.name) }
            context.target = events(
                names, in: explains ? nil : context.chapter, at: SourcePlace(source.path, line: section.line))
        }
        contexts.append(context)
        if let rest = section.rest { readRest(rest, of: context.target, context) }
        readBlocks(context)
    }

    private mutating func readBlocks(_ context: Context) {
        var context = context
        let (index, isRequired) = (context.section, context.isRequired)
        func describe(_ text: String, _ lines: ClosedRange<Int>) {
            if context.target.isEmpty { leaveUnread(lines) }
            for event in context.target { events[event].facts.add(text) }
        }
        // The events of the last list that names some. Their properties may be in the next list.
        var current: [Int] = []
        var next = PlanIntroduction(section(index).title)
        for block in section(index).blocks {
            context.introduction = next
            context.isRequired = next.isRequired ?? isRequired
            next = block.introduction
            let subject = context.target.isEmpty ? current : context.target
            switch block.content {
            case .paragraph(var lines):
                let text = PlanItem.prose(block.text)
                // The last line introduces the next block.
                if let last = lines.last, PlanWords.introduces(PlanItem.plain(last.text)) { lines.removeLast() }
                if lines.isEmpty || PlanWords.saysNone(text) { continue }
                if kinds[index] == .part, !context.target.isEmpty, PlanHeader(section(index).title) == .event {
                    read(PlanFact(section(index).title, block.text), context.target, at: block.place)
                    continue
                }
                let isOfEvents = index == 0 || PlanWords.endsInEvents(section(index).title)
                if kinds[index] == .chapter, isOfEvents, !context.isOfAll, let names = namesInLines(of: block) {
                    current = names.flatMap { events(PlanNames($0), in: context.chapter, at: block.place) }
                    continue
                }
                let isNamed = isNamed(index) || context.target.isEmpty
                let isShared = context.target.isEmpty && !context.isLeftOut
                let shared = isShared ? PlanWords.namesInEveryEvent(block.text) : []
                add(shared.map { PlanProperty($0, at: block.place) }, to: [], Context(kind: .shared))
                if !subject.isEmpty && hasFacts(lines, isNamed: isNamed) || lines.contains(where: \.isOfAll) {
                    readParts(lines, of: subject, context)
                } else if !context.target.isEmpty || context.isLeftOut
                    || readNames(
                        PlanListItem(text: named(block.text), lines: block.lines, place: block.place), context) == nil
                {
                    describe(text, block.lines)
                    if context.kind == .people { continue }
                    for line in lines {
                        let isOfEvents = PlanFact(line.text).map { PlanWords.isAboutEvents($0.label) } ?? false
                        guard context.target.isEmpty || isOfEvents else { continue }
                        let parts = PlanItem.split(PlanFact(line.text)?.text ?? line.text).prefix {
                            $0.hasPrefix("`")
                        }
                        let isFirst = block.text.hasPrefix("`") && line.place == block.place
                        let names = isFirst ? PlanItem.spans(block.text) : parts.count > 1 ? Array(parts) : []
                        for name in names { leaveOutNames(name, line: line.place.line, below: index) }
                    }
                }
            case .quote:
                let lines = block.text.split(separator: "\n").map { trimmed($0.drop { $0 == ">" }) }
                describe(PlanItem.prose(lines.joined(separator: "\n")), block.lines)
            case .table(let table):
                read(table, context, subject)
                current = []
            case .list(let items):
                let isOfCurrent =
                    context.introduction.isOfProperties
                    || items.first.map { $0.isFact || property(in: $0)?.type != nil } ?? false
                let isOfOthers =
                    context.introduction.isOfOthers && context.target.isEmpty && !context.isOfAll
                    && !(context.introduction.isShort && PlanWords.isAboutEvents(section(index).title))
                if context.isLeftOut || isOfOthers {
                    leaveUnread(block.lines, namesBelow: context.kind == .people ? nil : index)
                } else if context.isOfAll {
                    for item in items {
                        let found = properties(in: item, isIntroduced: true).filter {
                            PlanNames.identifier(of: $0.name) != nil
                        }
                        if found.isEmpty { leaveUnread(item.lines, namesBelow: index) }
                        add(found, to: [], context)
                    }
                } else if !context.target.isEmpty || !current.isEmpty && isOfCurrent {
                    readParts(items, of: subject, context)
                } else {
                    if kinds[index] == .part, PlanWords.introduces(section(index).title) {
                        context.introduction.isOfProperties = true
                    }
                    current = readEvents(items, context)
                }
            case .code:
                let code = subject.isEmpty && !context.isOfAll ? nil : properties(ofCode: block)
                let isIntroduced = context.introduction.isOfProperties
                if let code, isIntroduced || code.isType {
                    add(code.found, to: subject, context)
                    for place in code.unread {
                        findings.warn("the code is left out: write its properties in a table", at: place)
                    }
                } else if context.target.isEmpty, !context.isLeftOut,
                    context.introduction.isOfEvents || PlanWords.isAboutEvents(section(index).title),
                    let items = namesInCode(block)
                {
                    context.introduction.isOfEvents = true
                    current = readEvents(items, context)
                } else if !subject.isEmpty, isIntroduced || code?.isObject ?? false {
                    findings.warn("properties in code are left out: write them as a table", at: block.place)
                } else {
                    leaveUnread(block.lines)
                    guard context.target.isEmpty, PlanWords.isAboutEvents(section(index).title) else { continue }
                    for line in block.lines {
                        let text = trimmed(source.text.string(source.text.lineRange(line))[...])
                        // A call or a setting names no event.
                        if text.allSatisfy({ !"=(`".contains($0) }) {
                            leaveOutNames(String(text), line: line + 1, below: index)
                        }
                    }
                }
            case .html: if PlanItem.plain(block.text).contains(where: \.isLetter) { leaveUnread(block.lines) }
            case .other: continue
            }
        }
    }

    /// Returns the names of a paragraph of nothing but three or more of them, in code or bare.
    private func namesInLines(of block: PlanBlock) -> [String]? {
        let names = PlanItem.split(block.text.split(separator: "\n").joined(separator: ","))
        let areNames = names.allSatisfy {
            PlanNames.isName(PlanItem.isCode($0) ? String($0.dropFirst().dropLast()) : $0)
        }
        return names.count > 2 && areNames ? names : nil
    }

    /// Returns a paragraph of a label and a line of names in code with the label in plain text.
    private func named(_ paragraph: String) -> String {
        let lines = paragraph.split(separator: "\n")
        guard lines.count > 1, lines[lines.count - 1].hasPrefix("`") else { return paragraph }
        return PlanItem.plain(lines.dropLast().joined(separator: " ")) + " " + lines[lines.count - 1]
    }

    private mutating func read(_ table: PlanTable, _ context: Context, _ target: [Int]) {
        let title = section(context.section)
        for excess in table.excess {
            findings.warn(
                "the row has more cells than the header: `\(excess.text)` is left out; write `\\|` for a pipe inside of "
                    + "a cell", at: excess.place)
        }
        switch table.form {
        case .events where context.kind != .people: readEvents(table, context.chapter)
        case .properties where context.kind == .people, .events:
            findings.note("properties of people or groups are left out: `\(title.title)`", at: table.place)
        case .properties: add(properties(of: table), to: target, context)
        case .details where !target.isEmpty: for row in table.facts { read(row.fact, target, at: row.place) }
        case .values:
            let isOfEvent = kinds[context.section] == .event
            readValues(table, of: title.code ?? title.unnumbered, in: isOfEvent ? target : [])
        case .none, .details:
            skipped.append("line \(table.place.line) (\(table.headerText))")
            for cell in table.rows.flatMap(\.cells)
            where cell.column == 0 || PlanHeader(cell.label, isOfTable: true) == .event {
                leaveOutNames(cell.markdown, line: cell.place.line, below: context.section)
            }
        }
    }

    mutating func add(_ properties: [PlanProperty], to target: [Int], _ context: Context) {
        for var property in properties {
            if context.isOfAll {
                if let known = commonIndicesByName[ExactString(property.name)] {
                    common[known].merge(property)
                } else {
                    commonIndicesByName[ExactString(property.name)] = common.count
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

    mutating func read(_ fact: PlanFact, _ target: [Int], at place: SourcePlace) {
        let header = fact.header
        if case .properties(let isRequired) = header {
            var context = Context()
            if target.isEmpty, PlanWords.isShared(fact.label) { context.kind = .shared }
            add(items(fact.text, at: place, isRequired), to: target, context)
            return
        }
        for event in target {
            switch header {
            case .event, .name:
                let names = PlanNames(fact.text)
                // `Event ID: a new UUID` is about the event's records.
                let mayBeOfRecords = PlanWords.folded(fact.label).hasSuffix(" id")
                guard let name = names.names.first, target.count == 1,
                    !mayBeOfRecords || names.variables.isEmpty && PlanNames.isName(name.name)
                else {
                    events[event].facts.add("\(fact.label): \(PlanItem.prose(fact.text))")
                    continue
                }
                for other in names.names.dropFirst() {
                    leaveOutNames("`\(other.name)`", line: place.line, below: section(at: place.line))
                }
                events[event].add(title: name.title)
                events[event].facts.add(names.rest)
                guard !name.name.isExactly(events[event].name) else { continue }
                // The name in code differs from the heading, which is its title.
                events[event].add(title: events[event].name)
                eventIndicesByKey[ExactString(events[event].key)]?.removeAll { $0 == event }
                events[event].name = name.name
                eventIndicesByKey[ExactString(events[event].key), default: []].append(event)
            default: events[event].read(header, PlanItem.prose(fact.text), label: fact.label)
            }
        }
    }

    // MARK: Text without an event

    /// Reports headings and lines without an event.
    mutating func reportUnread() {
        let used = Set(events.compactMap(\.chapter)).union(events.map(\.name))
        for index in outline.sections.indices.dropFirst() where [.chapter, .prose].contains(kinds[index]) {
            let (line, title) = (section(index).line, section(index).code ?? section(index).title)
            let isNamed = chapterTitle(index).map(used.contains) ?? false
            if !isNamed, !PlanWords.isListOfEvents(title), !used.contains(title) {
                unreadLineNumbers.append(line...line)
                if section(index).children.isEmpty { leaveOutNames(title, line: line, below: index) }
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

    /// Leaves text out. Names at the beginning of the lines are reported.
    /// - Parameter index: the heading of the names; nil for prose.
    mutating func leaveUnread(_ lines: ClosedRange<Int>, namesBelow index: Int? = nil) {
        unreadLineNumbers.append(lines.lowerBound + 1...lines.upperBound + 1)
        guard let index else { return }
        for line in lines {
            let text = source.text.string(source.text.lineRange(line))
            // An entry of a table of contents is not a name.
            if text.holds("](#") { continue }
            let name = trimmed(text.drop { "-*+0123456789.)[]x \t".contains($0) })
            leaveOutNames(String(name), line: line + 1, below: index)
        }
    }

    mutating func leaveOutNames(_ text: String, line: Int, below index: Int) {
        for text in PlanItem.split(text).flatMap(PlanItem.separated).prefix(text.hasPrefix("`") ? .max : 1) {
            let isCode = text.hasPrefix("`")
            let name = String(isCode ? text.dropFirst().prefix { $0 != "`" } : text.prefix { !" :(=*".contains($0) })
            if isCode ? PlanNames.isName(name) || Names.isIdentifier(name) : PlanNames.isName(name) && !name.holds("-")
            {
                leftOutNamesByHeading[index, default: []].append((name, line))
            }
        }
    }

    private mutating func reportLeftOutNames() {
        let properties = events.flatMap(\.properties) + common + dictionary
        let known = Set((events.map(\.name) + properties.map(\.name)).map(Names.key))
        for (_, names) in leftOutNamesByHeading.sorted(by: { $0.key < $1.key }) {
            var seen = known
            let names = names.sorted { $0.line < $1.line }.filter { seen.insert(Names.key($0.name)).inserted }
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
