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
        var blocks: [Block] = []

        var isLine: Bool { level == PlanOutline.line }

        /// The title without its number.
        var unnumbered: String { PlanNames.unnumbered(title) }
    }

    /// The document itself, then the headings in source order.
    private(set) var sections = [Section()]
    private var open = [0]

    private var level: Int { sections[open[open.count - 1]].level }

    init(_ document: MarkdownDocument, in source: InferenceSource) {
        let names = Self.namesInLines(of: document, in: source)
        for (index, block) in document.blocks.enumerated() {
            let html = source.text.string(block.range)
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
                if names[index] == nil { sections[open[open.count - 1]].blocks.append(block) }
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
    private static func namesInLines(of document: MarkdownDocument, in source: InferenceSource) -> [Int: [Section]] {
        var names: [Int: [Section]] = [:]
        // The first line with a label below a heading, until it is known not to be the only name there.
        var label: (index: Int, section: Section)?
        var (isInEvent, count) = (false, 0)
        for (index, block) in document.blocks.enumerated() {
            if case .heading(let heading) = block.content {
                (label, count) = (nil, 0)
                isInEvent = heading.code != nil || PlanNames.isName(heading.text)
            }
            guard case .other(.paragraph) = block.content, !isInEvent else { continue }
            let items = PlanListItem.lines(block.lines, in: source)
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
    var isTable: Bool { if case .table = self { true } else { false } }

    fileprivate var isTableOrList: Bool { if case .list = self { true } else { isTable } }
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

    /// Reads the lines of a list by their indentation. Lines of code are text of their item.
    static func read(_ lines: ClosedRange<Int>, in source: InferenceSource) -> [PlanListItem] {
        var open: [(indentation: Int, item: PlanListItem)] = []
        var items: [PlanListItem] = []
        func close(_ indentation: Int) {
            while let last = open.last, last.indentation >= indentation {
                open.removeLast()
                guard let parent = open.indices.last else {
                    items.append(last.item)
                    continue
                }
                open[parent].item.children.append(last.item)
                open[parent].item.lines = open[parent].item.lines.lowerBound...last.item.lines.upperBound
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

    /// Indicates whether the item is a fact about an event: `Owner: @shop`, `**Params**:`.
    var isFact: Bool {
        guard !text.hasPrefix("`") else { return false }
        guard let fact = PlanFact(text) else {
            return !children.isEmpty && PlanFact(PlanItem.plain(text), "").isPartOfEvent
        }
        let header = PlanHeader(fact.label)
        // `Key: `cart_opened`` is a name, and `key: string` is a property.
        let isName = [.event, .name].contains(header) && fact.text.hasPrefix("`")
        if header?.isList ?? false { return !PlanNames.isPath(String(PlanItem.plain(fact.text).prefix { $0 != " " })) }
        return fact.isPartOfEvent && (isName || TypeNameParser.parse(fact.text) == nil)
    }

    var label: PlanHeader? { isFact ? PlanHeader(PlanFact(text)?.label ?? PlanItem.plain(text)) : nil }

    /// Indicates whether the item lists the properties of every event: `Common fields: id, locale`.
    var isOfAll: Bool { (label?.isList ?? false) && PlanWords.isShared(PlanFact(text)?.label ?? "") }

    /// The names of the events at the beginning of the item, and the rest. Nil if it does not begin with a
    /// name in code or a name such as `cart_opened`.
    var names: (markdown: String, names: PlanNames, rest: String)? {
        let fact = PlanFact(text).flatMap { PlanHeader($0.label) == .event ? $0 : nil }
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
                    || name.name.split(separator: " ").count < 6 && children.contains { $0.label?.isList ?? false })
        }
        // `` `track` never fails `` is prose, also with a remark: `` `track` (web) never fails ``.
        var next = trimmed(rest)
        if next.hasPrefix("("), let close = next.firstIndex(of: ")") { next = trimmed(next[close...].dropFirst()) }
        // The first word of a step, such as `HomePage`, may look like a name.
        let isStep =
            isOrdered && rest.contains(where: \.isLetter)
            && !names.names.contains { $0.name.contains { "_.:-".contains($0) } }
            && !children.contains { $0.label?.isList ?? false }
        // `` `cart_opened` parameters: ``
        let isBold = !isCode && line.hasPrefix("**") && names.names.allSatisfy { $0.name.holds("_") }
        let isProse = !isBold && next.first.map { $0.isLetter || $0 == "," } ?? false
        guard areNames, !isStep, !names.names.isEmpty, !isProse || PlanWords.introduces(String(next)) else {
            return nil
        }
        return (markdown, names, String(rest) + text.dropFirst(line.count))
    }
}
