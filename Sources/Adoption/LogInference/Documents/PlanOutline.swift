import LogDefinitions
import MarkdownSyntax

/// A document's headings as a tree, each with the blocks directly below it.
struct PlanOutline {
    struct Section {
        /// From 1; 0 for the document itself. Headings between `<details>` and `</details>` have higher levels.
        var level = 0
        var title = ""
        /// The content of the heading's code span.
        var code: String?
        /// The line, from 1.
        var line = 1
        var parent: Int?
        var children: [Int] = []
        var blocks: [Block] = []
    }

    /// The document itself, then the headings in source order.
    private(set) var sections = [Section()]
    private var open = [0]
    private var openDetailsCount = 0

    init(_ document: MarkdownDocument) {
        let names = Self.eventNames(in: document)
        for (index, block) in document.blocks.enumerated() {
            var section = Section(line: block.lines.lowerBound + 1)
            switch block.content {
            case .heading(let heading):
                (section.level, section.title) = (10 * openDetailsCount + heading.level, heading.text)
                section.code = heading.code?.text
                add(section)
            case .other(.html):
                if !readTags(document.source.string(block.range), line: section.line) { append(block) }
            case .other(.paragraph):
                guard let name = names[index] else {
                    append(block)
                    continue
                }
                (section.level, section.title, section.code) = (10 * openDetailsCount + 8, name.title, name.code)
                add(section)
            default: append(block)
            }
        }
    }

    private mutating func append(_ block: Block) { sections[open[open.count - 1]].blocks.append(block) }

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
                let isCode = inside.holds("<code>")
                add(Section(level: 10 * openDetailsCount, title: title, code: isCode ? title : nil, line: line))
                hasTag = true
            }
        }
        return hasTag
    }

    private typealias Name = (title: String, code: String?, isLabelled: Bool)

    /// Each is above a table or a list. One label alone describes the event that its heading names.
    private static func eventNames(in document: MarkdownDocument) -> [Int: Name] {
        var sections: [[Int: Name]] = [[:]]
        var isInEvent = false
        for (index, block) in document.blocks.enumerated() {
            if case .heading(let heading) = block.content {
                sections.append([:])
                isInEvent = heading.code != nil || PlanNames.isName(heading.text)
            }
            // Below the name of an event, such lines are names of its properties.
            guard case .other(.paragraph) = block.content, block.lines.count == 1, !isInEvent else { continue }
            let rest = document.blocks[(index + 1)...].prefix(4)
            let next = rest.first { if case .other(.paragraph) = $0.content { false } else { true } }
            switch next?.content {
            case .table, .list:
                sections[sections.count - 1][index] = eventName(document.source.string(block.range), above: rest.first)
            default: break
            }
        }
        return sections.reduce(into: [:]) { names, section in
            if section.count > 1 || !section.values.contains(where: \.isLabelled) {
                names.merge(section) { one, _ in one }
            }
        }
    }

    /// - Parameter next: the next block. A title in bold is a heading only directly above a table.
    private static func eventName(_ markdown: String, above next: Block?) -> Name? {
        func withoutColon(_ text: Substring) -> Substring {
            text.hasSuffix(":") || text.hasSuffix("\u{FF1A}") ? trimmed(text.dropLast()) : text
        }
        var text = withoutColon(trimmed(PlanNames.unnumbered(markdown)[...]))
        let isBold = text.hasPrefix("**") && text.hasSuffix("**") && text.utf8.count > 4
        if isBold { text = withoutColon(trimmed(text.dropFirst(2).dropLast(2))) }
        var isLabelled = false
        if let fact = PlanDocument.fact(String(text)), [.event, .name].contains(PlanHeader(fact.label)) {
            text = trimmed(fact.value[...])
            isLabelled = true
        }
        let isCode = text.hasPrefix("`") && text.hasSuffix("`") && text.count(where: { $0 == "`" }) == 2
        let title = isCode ? String(trimmed(text.dropFirst().dropLast())) : InlineMarkdown.plainText(String(text))
        let isAboveTable = if case .table? = next?.content { true } else { false }
        let isTitle =
            isBold && isAboveTable && title.split(separator: " ").count < 6 && !PlanWords.isShared(title)
            && !PlanWords.saysEveryEvent(title)
        guard isLabelled || isCode || PlanNames.isName(title) || isTitle, !PlanWords.isPart(title), !title.isEmpty
        else { return nil }
        return (title, isCode ? title : nil, isLabelled)
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
