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
        for block in document.blocks {
            var section = Section()
            switch block.content {
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
