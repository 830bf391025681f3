import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// A document's headings as a tree, each with the blocks directly below it.
struct PlanOutline {
    struct Section {
        /// From 1; 0 for the document itself. Headings between `<details>` and `</details>` have higher levels.
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

        /// The title without its number.
        var unnumbered: String { PlanNames.unnumbered(title) }
    }

    /// The document itself, then the headings in source order.
    private(set) var sections = [Section()]
    private var open = [0]
    private var openDetailsCount = 0

    init(_ document: MarkdownDocument, in source: InferenceSource) {
        let names = Self.namesInLines(of: document, in: source)
        for (index, block) in document.blocks.enumerated() {
            let line = block.lines.lowerBound + 1
            switch block.content {
            case .heading(let heading):
                add(
                    Section(
                        level: 10 * openDetailsCount + heading.level, title: heading.text, code: heading.code?.text,
                        names: document.source.string(heading.range), line: line))
            case .other(.html) where readTags(document.source.string(block.range), line: line): break
            default:
                for var section in names[index] ?? [] {
                    section.level = 10 * openDetailsCount + 8
                    add(section)
                }
                if names[index] == nil { sections[open[open.count - 1]].blocks.append(block) }
            }
        }
    }

    private mutating func add(_ section: Section) {
        while sections[open[open.count - 1]].level >= section.level { open.removeLast() }
        let parent = open[open.count - 1]
        sections[parent].children.append(sections.count)
        open.append(sections.count)
        sections.append(section)
        sections[sections.count - 1].parent = parent
    }

    /// Reads `<details>`, `</details>` and `<summary>`, which is a heading. Returns whether there is one.
    private mutating func readTags(_ html: String, line: Int) -> Bool {
        var hasTag = false
        let parts = html.components("<")
        for (index, part) in parts.enumerated() {
            if part.hasPrefix("details") {
                (openDetailsCount, hasTag) = (openDetailsCount + 1, true)
            } else if part.hasPrefix("/details"), openDetailsCount > 0 {
                while sections[open[open.count - 1]].level >= 10 * openDetailsCount { open.removeLast() }
                (openDetailsCount, hasTag) = (openDetailsCount - 1, true)
            } else if part.hasPrefix("summary"),
                let end = parts[index...].firstIndex(where: { $0.hasPrefix("/summary") })
            {
                let inside = "<" + parts[index..<end].joined(separator: "<")
                let title = InlineMarkdown.plainText(String(inside.drop { $0 != ">" }.dropFirst()))
                let code = inside.holds("<code>") ? title : nil
                add(
                    Section(
                        level: 10 * openDetailsCount, title: title, code: code, names: code.map { "`\($0)`" } ?? title,
                        line: line))
                hasTag = true
            }
        }
        return hasTag
    }

    /// Returns the events in lines, which are headings: names in bold, and a name above a table or a list. One label
    /// alone describes the event that its heading names. Below the name of an event, lines are about its properties.
    private static func namesInLines(of document: MarkdownDocument, in source: InferenceSource) -> [Int: [Section]] {
        var names: [[Int: [Section]]] = [[:]]
        var labels = [0]
        var isInEvent = false
        for (index, block) in document.blocks.enumerated() {
            if case .heading(let heading) = block.content {
                names.append([:])
                labels.append(0)
                isInEvent = heading.code != nil || PlanNames.isName(heading.text)
            }
            guard case .other(.paragraph) = block.content, !isInEvent else { continue }
            let lines = block.lines.map { line -> PlanListItem in
                let range = source.text.lineRange(line)
                let text = String(trimmed(source.text.string(range)[...]))
                return PlanListItem(text: text, lines: line...line, place: source.place(range.lowerBound))
            }
            let bold = lines.compactMap { $0.text.hasPrefix("**") ? $0.names : nil }
            let rest = document.blocks[(index + 1)...].prefix(4)
            let next = rest.first { if case .other(.paragraph) = $0.content { false } else { true } }
            if bold.count == lines.count {
                names[names.count - 1][index] = zip(lines, bold).map { line, names in
                    section(names.markdown, line, rest: names.rest)
                }
            } else if lines.count == 1, next?.content.isTableOrList == true,
                let (name, isLabelled) = name(lines[0].text, isAboveTable: rest.first?.content.isTable == true)
            {
                labels[labels.count - 1] += isLabelled ? 1 : 0
                names[names.count - 1][index] = [section(name, lines[0])]
            }
        }
        return zip(names, labels).reduce(into: [:]) { all, section in
            if section.1 == 0 || section.0.count > 1 { all.merge(section.0) { one, _ in one } }
        }
    }

    private static func section(_ names: String, _ line: PlanListItem, rest: String = "") -> Section {
        let isCode = names.hasPrefix("`") && names.hasSuffix("`") && names.count(where: { $0 == "`" }) == 2
        let title = PlanItem.plain(names)
        var section = Section(
            title: title, code: isCode ? title : nil, names: names, line: line.lines.lowerBound + 1)
        if !rest.isEmpty {
            section.rest = line
            section.rest?.text = rest
        }
        return section
    }

    /// - Parameter isAboveTable: whether the next block is a table. Only there, a title in bold is a heading.
    private static func name(_ markdown: String, isAboveTable: Bool) -> (name: String, isLabelled: Bool)? {
        func withoutColon(_ text: Substring) -> Substring {
            text.hasSuffix(":") || text.hasSuffix("\u{FF1A}") ? trimmed(text.dropLast()) : text
        }
        var text = withoutColon(trimmed(PlanNames.unnumbered(markdown)[...]))
        let isBold = text.hasPrefix("**") && text.hasSuffix("**") && text.utf8.count > 4
        if isBold { text = withoutColon(trimmed(text.dropFirst(2).dropLast(2))) }
        let fact = PlanFact(String(text)).flatMap { [.event, .name].contains(PlanHeader($0.label)) ? $0 : nil }
        if let fact { text = trimmed(fact.text[...]) }
        let title = PlanItem.plain(String(text))
        let isCode = text.hasPrefix("`") && text.hasSuffix("`") && text.count(where: { $0 == "`" }) == 2
        let isTitle =
            isBold && isAboveTable && title.split(separator: " ").count < 6 && !PlanWords.isShared(title)
            && !PlanWords.saysEveryEvent(title)
        let isName = fact != nil || isCode || PlanNames.isName(title) || isTitle
        return isName && !PlanWords.isPart(title) && !title.isEmpty ? (String(text), fact != nil) : nil
    }

    /// Returns whether HTML has text outside of its tags and comments.
    static func hasText(_ html: String) -> Bool {
        var isTag = false
        return !html.hasPrefix("<!--")
            && html.contains { character in
                if "<>".contains(character) { isTag = character == "<" }
                return !isTag && character.isLetter
            }
    }
}

extension Block.Content {
    fileprivate var isTable: Bool { if case .table = self { true } else { false } }

    fileprivate var isTableOrList: Bool { if case .list = self { true } else { isTable } }
}

/// An item of a list, with the items inside it at any depth.
struct PlanListItem {
    /// The Markdown of the item without its marker and checkbox. Continued lines are joined by line ends.
    var text: String
    /// Indicates whether the marker is a number.
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
        for line in lines {
            let range = source.text.lineRange(line)
            let text = source.text.string(range)
            let rest = text.drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { continue }
            if rest.hasPrefix("```") { isCode.toggle() }
            if !isCode, !rest.hasPrefix("```"), let marker = lengthOfMarkerAndBlank(rest) {
                let indentation = text[..<rest.startIndex].reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
                close(indentation)
                var inside = trimmed(rest.dropFirst(marker))
                for box in ["[ ] ", "[x] ", "[X] "] where inside.hasPrefix(box) {
                    inside = trimmed(inside.dropFirst(4))
                }
                let item = PlanListItem(
                    text: String(inside), isOrdered: rest.first?.isNumber ?? false, lines: line...line,
                    place: source.place(range.upperBound - inside.utf8.count))
                open.append((indentation, item))
            } else if let last = open.indices.last {
                open[last].item.text += "\n" + trimmed(rest)
                open[last].item.lines = open[last].item.lines.lowerBound...line
            }
        }
        close(0)
        return items
    }

    private static func lengthOfMarkerAndBlank(_ text: Substring) -> Int? {
        if ["- ", "* ", "+ ", "• "].contains(where: text.hasPrefix) { return 2 }
        let digits = text.prefix { $0.isNumber && $0.isASCII }
        let rest = text.dropFirst(digits.count)
        return !digits.isEmpty && digits.count < 10 && (rest.hasPrefix(". ") || rest.hasPrefix(") "))
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
        if PlanHeader(fact.label)?.isList ?? false { return true }
        return fact.isPartOfEvent && TypeNameParser.parse(fact.text) == nil
    }

    /// The names of the events at the beginning of the item, and the text after them. Nil if it does not begin with a
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
                    || Names.isIdentifier(name.name) && children.contains(where: \.isFact))
        }
        // `` `track` never fails `` is prose, also with a remark: `` `track` (web) never fails ``.
        var next = trimmed(rest)
        if next.hasPrefix("("), let close = next.firstIndex(of: ")") { next = trimmed(next[close...].dropFirst()) }
        guard areNames, !names.names.isEmpty, !(next.first.map { $0.isLetter || $0 == "," } ?? false)
        else { return nil }
        return (markdown, names, String(rest) + text.dropFirst(line.count))
    }
}
