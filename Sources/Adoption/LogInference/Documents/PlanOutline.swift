import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// A document's headings as a tree, each with the blocks directly below it.
struct PlanOutline {
    struct Section {
        /// From 1; 0 for the document itself.
        var level = 0
        var title = ""
        /// The content of the heading's code span.
        var code: String?
        /// The Markdown of the names in the heading.
        var names = ""
        /// The text after the names of events that begin a line, with the line.
        var rest: PlanListItem?
        /// The line, from 1.
        var line = 1
        var parent: Int?
        var children: [Int] = []
        var blocks: [PlanBlock] = []

        var isLine: Bool { level == PlanOutline.line }

        /// The title without its number.
        var unnumbered: String { PlanNames.unnumbered(title) }
    }

    /// The document itself, then the headings in source order.
    private(set) var sections = [Section()]
    private var open = [0]

    private var level: Int { sections[open[open.count - 1]].level }

    init(_ document: MarkdownDocument, in source: InferenceSource) {
        let blocks = document.blocks.map { PlanBlock($0, in: source) }
        let names = Self.namesInLines(of: document, blocks)
        for (index, block) in document.blocks.enumerated() {
            let html = blocks[index].text
            switch block.content {
            case .heading(let heading):
                var section = Section(level: heading.level, title: heading.text, code: heading.code?.text)
                (section.names, section.line) = (document.source.string(heading.range), block.lines.lowerBound + 1)
                // `</details>` ends the section of a summary.
                if level >= Self.summary { section.level += Self.summary }
                add(section)
            case .other(.html) where html.holds("<summary") || html.holds("</details"):
                while level >= Self.summary { open.removeLast() }
                for summary in html.components("<summary").dropFirst() {
                    let inside = summary.components("</summary")[0].drop { $0 != ">" }.dropFirst()
                    let title = InlineMarkdown.plainText(String(inside))
                    var section = Section(level: Self.summary, title: title, line: block.lines.lowerBound + 1)
                    section.code = inside.holds("<code>") ? title : nil
                    section.names = section.code.map { "`\($0)`" } ?? title
                    add(section)
                }
            default:
                for section in names[index] ?? [] { add(section) }
                if names[index] == nil { sections[open[open.count - 1]].blocks.append(blocks[index]) }
            }
        }
    }

    /// The level of `<summary>`, below that of all headings and names in lines.
    private static let summary = 10
    static let line = 8

    private mutating func add(_ section: Section) {
        while level >= section.level { open.removeLast() }
        let parent = open[open.count - 1]
        sections[parent].children.append(sections.count)
        open.append(sections.count)
        sections.append(section)
        sections[sections.count - 1].parent = parent
    }

    /// Returns the events in lines, which are headings: lines that begin with a name in bold, and a name above a table or
    /// a list. One label alone describes the event that its heading names. Below the name of an event, lines are about
    /// its properties.
    private static func namesInLines(of document: MarkdownDocument, _ blocks: [PlanBlock]) -> [Int: [Section]] {
        var names: [Int: [Section]] = [:]
        // The first line with a label below a heading, until it is known not to be the only name there.
        var label: (index: Int, section: Section)?
        var (isInEvent, count) = (false, 0)
        for (index, block) in document.blocks.enumerated() {
            if case .heading(let heading) = block.content {
                (label, count) = (nil, 0)
                isInEvent = heading.code != nil || PlanNames.isName(heading.text)
            }
            guard case .paragraph(let items) = blocks[index].content, !isInEvent else { continue }
            let bold = items.compactMap { $0.text.hasPrefix("**") ? $0.names : nil }
            let rest = document.blocks[(index + 1)...].prefix(4)
            let next = rest.first { if case .other(.paragraph) = $0.content { false } else { true } }
            if bold.count == items.count {
                names[index] = zip(items, bold).map { section($1.markdown, $0, rest: $1.rest) }
            } else if items.count == 1, next?.content.isTableOrList == true {
                let item = items[0]
                let found = item.names.flatMap { name in
                    name.rest.allSatisfy(":：*".contains) || PlanWords.introduces(String(trimmed(name.rest[...])))
                        ? name.markdown : nil
                }
                let title = rest.first?.content.isTable == true ? boldTitle(item.text) : nil
                guard let name = found ?? title else { continue }
                if count == 0, PlanFact(item.text) != nil {
                    label = (index, section(name, item))
                } else {
                    names[index] = [section(name, item)]
                }
            } else {
                continue
            }
            count += 1
            if count > 1, let (index, section) = label { names[index] = [section] }
        }
        return names
    }

    private static func section(_ names: String, _ item: PlanListItem, rest: String = "") -> Section {
        var section = Section(level: line, title: PlanItem.plain(names), names: names, line: item.place.line)
        if PlanItem.isCode(names) { section.code = section.title }
        if !rest.isEmpty {
            section.rest = item
            section.rest?.text = rest
        }
        return section
    }

    /// Returns the title in a line in bold. It may be a label of a part.
    private static func boldTitle(_ text: String) -> String? {
        guard text.hasPrefix("**") else { return nil }
        let title = PlanItem.plain(text)
        let isLabel =
            PlanWords.isPart(title) || PlanWords.isShared(title) || PlanWords.saysEveryEvent(title)
        return isLabel || title.split(separator: " ").count > 5 ? nil : title
    }
}

extension Block.Content {
    fileprivate var isTable: Bool { if case .table = self { true } else { false } }

    fileprivate var isTableOrList: Bool { if case .list = self { true } else { isTable } }
}

/// A block below a heading.
struct PlanBlock {
    enum Content {
        case table(PlanTable)
        case list([PlanListItem])
        /// A paragraph's lines.
        case paragraph([PlanListItem])
        case quote, code, html, other
    }

    let content: Content
    let lines: ClosedRange<Int>
    /// Markdown.
    let text: String
    let place: SourcePlace
    /// The meaning of a paragraph, or of the last line of a list, for the next block.
    private(set) var introduction = PlanIntroduction()

    init(_ block: Block, in source: InferenceSource) {
        (lines, text, place) = (block.lines, source.text.string(block.range), source.place(block.range.lowerBound))
        switch block.content {
        case .table(let table): content = .table(PlanTable(table, in: source))
        case .list:
            content = .list(PlanListItem.read(lines, in: source))
            let last = text.split(separator: "\n").last?.drop { "-* ".contains($0) } ?? ""
            introduction.isOfProperties = PlanWords.introduces(PlanItem.prose(String(last)))
        case .other(.paragraph):
            content = .paragraph(PlanListItem.lines(lines, in: source).map(\.labelled))
            introduction = PlanIntroduction(PlanItem.prose(text))
        case .other(.quote): content = .quote
        case .other(.code): content = .code
        case .other(.html): content = .html
        case .other, .heading: content = .other
        }
    }
}

/// The meaning of a line for the block below it.
struct PlanIntroduction {
    /// `Properties:`
    var isOfProperties = false
    var isRequired: Bool?
    /// `Sent with every event`
    var isOfAll = false
    /// `Cart events:`
    var isOfEvents = false
    /// `Fired in:`
    var isOfOthers = false
    /// `Gameplay:`, and not a sentence
    var isShort = false

    init() {}

    init(_ text: String) {
        let last = PlanItem.prose(text.split(separator: "\n").last.map(String.init) ?? "")
        isOfProperties = PlanWords.introduces(last)
        isRequired = isOfProperties ? PlanWords.requirement(PlanWords.folded(last)) : nil
        // A sentence with the names introduces no more of them.
        isOfAll =
            PlanWords.saysEveryEvent(text) && PlanWords.namesInEveryEvent(text).isEmpty
            || PlanWords.isShared(text) && PlanWords.isPart(text)
        let isLabel = !isOfProperties && [":", "："].contains(where: last.hasSuffix)
        isOfEvents = isLabel && PlanWords.isAboutEvents(text)
        isOfOthers = isLabel && !isOfEvents
        isShort = last.split(separator: " ").count < 5
    }
}

/// An item of a list, with the items inside it at any depth.
struct PlanListItem {
    /// The Markdown of the item without its marker and checkbox. Continued lines are joined by line ends.
    var text: String
    var isOrdered = false
    /// The lines of the item and of the items inside it, from 0.
    var lines: ClosedRange<Int>
    var place: SourcePlace
    var children: [PlanListItem] = []
    /// The label of a fact about an event: `Owner: @shop`, `**Params**:`. Nil if the item is something else.
    var label: PlanHeader?

    /// Reads the lines of a list by their indentation. Lines of code are text of their item.
    static func read(_ lines: ClosedRange<Int>, in source: InferenceSource) -> [PlanListItem] {
        var open: [(indentation: Int, item: PlanListItem)] = []
        var items: [PlanListItem] = []
        func close(_ indentation: Int) {
            while let last = open.last, last.indentation >= indentation {
                open.removeLast()
                let item = last.item.labelled
                guard let parent = open.indices.last else {
                    items.append(item)
                    continue
                }
                open[parent].item.children.append(item)
                open[parent].item.lines = open[parent].item.lines.lowerBound...item.lines.upperBound
            }
        }
        var isCode = false
        for line in self.lines(lines, in: source) where !line.text.isEmpty {
            if line.text.hasPrefix("```") { isCode.toggle() }
            if !isCode, !line.text.hasPrefix("```"), let marker = lengthOfMarkerAndBlank(line.text) {
                close(line.place.column)
                var item = line
                item.isOrdered = line.text.first?.isNumber ?? false
                item.text = String(trimmed(line.text.dropFirst(marker)))
                for box in ["[ ] ", "[x] ", "[X] "] where item.text.hasPrefix(box) {
                    item.text = String(trimmed(item.text.dropFirst(4)))
                }
                open.append((line.place.column, item))
            } else if let last = open.indices.last {
                open[last].item.text += "\n" + line.text
                open[last].item.lines = open[last].item.lines.lowerBound...line.lines.upperBound
            }
        }
        close(0)
        return items
    }

    static func lines(_ lines: ClosedRange<Int>, in source: InferenceSource) -> [PlanListItem] {
        lines.map { line in
            let range = source.text.lineRange(line)
            let text = source.text.string(range)
            let blanks = text.prefix { $0 == " " || $0 == "\t" }
            return PlanListItem(
                text: String(trimmed(text[...])), lines: line...line,
                place: source.place(range.lowerBound + blanks.utf8.count))
        }
    }

    private static func lengthOfMarkerAndBlank(_ text: String) -> Int? {
        if ["- ", "* ", "+ ", "• "].contains(where: text.hasPrefix) { return 2 }
        let digits = text.prefix { $0.isNumber && $0.isASCII }
        return (1...9).contains(digits.count) && [". ", ") "].contains(where: text.dropFirst(digits.count).hasPrefix)
            ? digits.count + 2 : nil
    }

    /// The text of the item and of the items inside it, without markup.
    var prose: [String] { [PlanItem.prose(text)] + children.flatMap(\.prose) }

    fileprivate var labelled: PlanListItem {
        var item = self
        item.label = readLabel()
        return item
    }

    private func readLabel() -> PlanHeader? {
        let fact = PlanFact(text) ?? (children.isEmpty ? nil : PlanFact(PlanItem.plain(text), ""))
        guard let fact, fact.isPartOfEvent, !text.hasPrefix("`") else { return nil }
        if fact.text.isEmpty { return fact.header }
        if fact.header?.isList ?? false {
            return PlanNames.isPath(String(PlanItem.plain(fact.text).prefix { $0 != " " })) ? nil : fact.header
        }
        // `Key: `cart_opened`` is a name, and `key: string` is a property.
        let isName = [.event, .name].contains(fact.header) && fact.text.hasPrefix("`")
        return isName || TypeNameParser.parse(fact.text) == nil ? fact.header : nil
    }

    var isFact: Bool { label != nil }

    /// Indicates whether the label introduces the properties of an event.
    var isOfProperties: Bool { label?.isList ?? false }

    /// Indicates whether the item lists the properties of every event: `Common fields: id, locale`.
    var isOfAll: Bool { isOfProperties && PlanWords.isShared(PlanFact(text)?.label ?? "") }

    /// The names of the events at the beginning of the item, and the rest. Nil if it does not begin with a
    /// name in code or a name such as `cart_opened`.
    var names: (markdown: String, names: PlanNames, rest: String)? {
        let fact = PlanFact(text).flatMap { $0.header == .event ? $0 : nil }
        let text = fact?.text ?? text
        let line = text.prefix { $0 != "\n" }
        var rest = line.drop { "*_~".contains($0) }
        // A bold name ends with its marks, and a name in code with its last backtick before other text.
        let isCode = rest.hasPrefix("`")
        var end = rest.startIndex
        if isCode {
            repeat {
                guard let close = rest[rest.index(after: end)...].firstIndex(of: "`") else { return nil }
                end = rest.index(after: close)
                let next = rest[end...].drop { " /,".contains($0) }
                guard next.hasPrefix("`"), next.startIndex > end else { break }
                end = next.startIndex
            } while end < rest.endIndex
        } else {
            end =
                ["**", " — ", " – ", " - ", ": ", " (", " {", "："].compactMap {
                    rest.firstRange(ofText: $0)?.lowerBound
                }
                .min() ?? rest.endIndex
            if rest[..<end].holds("`") { return nil }
        }
        let markdown = (line.hasPrefix("~~") ? "~~" : "") + rest[..<end]
        let names = PlanNames(markdown)
        rest = rest[end...].drop { "*_".contains($0) }
        let areNames = names.names.allSatisfy { name in
            !PlanNames.isPath(name.name) && !PlanWords.isPart(name.name)
                && (fact != nil || PlanNames.isName(name.name) || isCode && !isOrdered && PlanNames.isTitle(name.name)
                    || Names.isIdentifier(name.name) && children.contains(where: \.isFact)
                    || name.name.split(separator: " ").count < 6 && children.contains(where: \.isOfProperties))
        }
        // `` `track` never fails `` is prose, also with a remark: `` `track` (web) never fails ``.
        var next = trimmed(rest)
        if next.hasPrefix("("), let close = next.firstIndex(of: ")") { next = trimmed(next[close...].dropFirst()) }
        // The first word of a step, such as `HomePage`, may look like a name.
        let isStep =
            isOrdered && rest.contains(where: \.isLetter)
            && !names.names.contains { $0.name.contains { "_.:-".contains($0) } }
            && !children.contains(where: \.isOfProperties)
        // `` `cart_opened` parameters: ``
        let isBold = !isCode && line.hasPrefix("**") && names.names.allSatisfy { $0.name.holds("_") }
        let isProse = !isBold && next.first.map { $0.isLetter || $0 == "," } ?? false
        guard areNames, !isStep, !names.names.isEmpty, !isProse || PlanWords.introduces(String(next)) else {
            return nil
        }
        return (markdown, names, String(rest) + text.dropFirst(line.count))
    }
}
