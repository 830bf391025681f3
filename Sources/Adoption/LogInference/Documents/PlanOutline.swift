import LogDefinitions
import MarkdownSyntax

/// A document's headings as a tree, each with the blocks directly below it.
struct PlanOutline {
    struct Section {
        /// From 1; 0 for the document itself.
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

    init(_ document: MarkdownDocument) {
        var open = [0]
        let names = Self.names(in: document)
        for (index, block) in document.blocks.enumerated() {
            var section = Section()
            switch block.content {
            case .other(.paragraph) where names[index] != nil:
                section.level = 8
                section.title = names[index]?.title ?? ""
                section.code = names[index]?.code
            case .heading(let heading):
                section.level = heading.level
                section.title = heading.text
                section.code = heading.code?.text
            case .other(.html):
                // `<summary>` is the heading of a block that opens.
                guard let title = Self.summary(document.source.string(block.range)) else {
                    sections[open[open.count - 1]].blocks.append(block)
                    continue
                }
                section.level = 7
                section.title = InlineMarkdown.plainText(title)
                if title.holds("<code>") { section.code = section.title }
            default:
                sections[open[open.count - 1]].blocks.append(block)
                continue
            }
            section.line = block.lines.lowerBound + 1
            while sections[open[open.count - 1]].level >= section.level { open.removeLast() }
            let parent = open[open.count - 1]
            section.parent = parent
            sections[parent].children.append(sections.count)
            open.append(sections.count)
            sections.append(section)
        }
    }

    private typealias Name = (title: String, code: String?)

    /// Returns the paragraphs that are headings of events, by their index: `**checkout_started**`, `Event: checkout`.
    /// Each is above a table or a list. One alone describes the event that its heading names.
    private static func names(in document: MarkdownDocument) -> [Int: Name] {
        var sections: [[Int: Name]] = [[:]]
        var isEvent = false
        for (index, block) in document.blocks.enumerated() {
            if case .heading(let heading) = block.content {
                sections.append([:])
                isEvent = heading.code != nil || Names.isIdentifier(heading.text) && heading.text.holds("_")
            }
            // Below the name of an event, such lines are names of its properties.
            guard case .other(.paragraph) = block.content, block.lines.count == 1, !isEvent else { continue }
            let rest = document.blocks[(index + 1)...].prefix(4)
            let next = rest.first { if case .other(.paragraph) = $0.content { false } else { true } }
            switch next?.content {
            case .table, .list:
                sections[sections.count - 1][index] = name(document.source.string(block.range), above: rest.first)
            default: break
            }
        }
        return sections.reduce(into: [:]) { names, section in
            if section.count > 1 { names.merge(section) { one, _ in one } }
        }
    }

    /// Returns the event that a paragraph names; nil if the paragraph is not a heading.
    /// - Parameter next: the next block. A title in bold is a heading only directly above a table.
    private static func name(_ markdown: String, above next: Block?) -> Name? {
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
        let isTitle = isBold && isAboveTable && title.split(separator: " ").count < 6 && !title.hasSuffix(":")
        guard isLabelled || isCode || Names.isIdentifier(title) && title.holds("_") || isTitle,
            !PlanWords.isPart(title), !title.isEmpty
        else { return nil }
        return (title, isCode ? title : nil)
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

    private static func summary(_ html: String) -> String? {
        let bytes = Array(html.utf8)
        let source = SourceText(bytes)
        guard let start = source.occurrences(of: Array("<summary>".utf8), limit: 1).first,
            let end = source.occurrences(of: Array("</summary>".utf8), limit: 1).first, start + 9 <= end
        else { return nil }
        return source.string(start + 9..<end)
    }
}
