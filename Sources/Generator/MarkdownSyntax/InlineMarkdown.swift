import CCMark

/// Inline Markdown as text and as HTML. libcmark is asked only if there is something to resolve.
///
/// Text without a line end is read as the content of a table cell, in which `- a` is no list. Text of several lines is
/// read as a document.
///
/// A text of more than a mebibyte is plain: libcmark's tree takes up to 130 bytes for each byte, one node for each mark
/// and each piece of text between.
package enum InlineMarkdown {
    private static let longest = 1 << 20

    /// The text: of a code span its content, of a link its text, of an image its description. `<br>` ends a line, and
    /// other raw HTML is left out. An empty line separates paragraphs.
    package static func plainText(_ markdown: String) -> String {
        guard hasMarkup(markdown) else { return markdown }
        guard markdown.utf8.count <= longest else { return withoutNul(markdown) }
        return parse(markdown) { root, isCell in
            var text = ""
            var separator = ""
            root.forEachDescendant { node in
                if node.isLeafBlock {
                    if !text.isEmpty || !separator.isEmpty { text += separator }
                    separator = "\n\n"
                }
                text += node.plainText(softBreak: isCell ? " " : "\n", lineBreak: "\n")
            }
            if isCell { text.unicodeScalars.removeFirst(min(cellPrefix.utf8.count, text.unicodeScalars.count)) }
            return text
        }
    }

    /// Whether the text may have markup. This is a fast look: it may say yes to plain text, but never no to markup.
    package static func hasMarkup(_ markdown: String) -> Bool {
        var copy = markdown
        return copy.withUTF8 { buffer in
            // Nearly no text has one of these. 0 means that there is one: a loop of this form looks at 16 bytes at once, and one
            // that compares does not.
            var (special, underscore): (UInt8, UInt8) = (.max, .max)
            for byte in buffer {
                special = min(special, byte ^ 0x5C, byte ^ 0x26)
                special = min(special, byte ^ 0x3C, byte ^ 0x2A)
                special = min(special, byte ^ 0x60, byte ^ 0x5B)
                special = min(special, byte ^ 0x0A, byte ^ 0x0D)
                special = min(special, byte)
                underscore = min(underscore, byte ^ 0x5F)
            }
            guard special != 0, underscore == 0 else { return special == 0 }
            // Inside a word, an underscore is no markup: `recipe_id`.
            return buffer.indices.contains { index in
                guard buffer[index] == 0x5F else { return false }
                return index == 0 || index + 1 == buffer.count || !isWord(buffer[index - 1])
                    || !isWord(buffer[index + 1])
            }
        }
    }

    /// The text as HTML. Raw HTML and links that could run a script are left out; `<br>` stays a line break. A cell's
    /// HTML has no paragraph around it.
    package static func html(_ markdown: String) -> String {
        guard hasMarkup(markdown) else { return escaped(markdown) }
        guard markdown.utf8.count <= longest else { return escaped(withoutNul(markdown)) }
        return parse(markdown) { root, isCell in
            removeRawHTML(root)
            guard let buffer = cmark_render_html(root.pointer, CMARK_OPT_SAFE) else { return "" }
            defer { cmark_get_default_mem_allocator().pointee.free(buffer) }
            let html = String(cString: buffer)
            let frame = (head: "<p>" + cellPrefix, tail: "</p>\n")
            guard isCell, html.utf8.starts(with: frame.head.utf8) else { return html }
            return String(Substring(html.utf8.dropFirst(frame.head.utf8.count).dropLast(frame.tail.utf8.count)))
        }
    }

    /// The same Markdown without raw HTML and without links that could run a script, with every fence closed.
    package static func safe(_ markdown: String) -> String {
        guard markdown.utf8.count <= longest else { return literal(markdown) }
        return parse(markdown) { root, isCell in
            removeRawHTML(root)
            root.forEachDescendant { node in
                guard node.type == CMARK_NODE_LINK || node.type == CMARK_NODE_IMAGE,
                    let url = cmark_node_get_url(node.pointer)
                else { return }
                let scheme = String(cString: url).unicodeScalars.prefix { $0 != ":" }.filter { $0.value > 0x20 }
                let isUnsafe = ["javascript", "vbscript", "file", "data"].contains(
                    String(String.UnicodeScalarView(scheme)).lowercased())
                if isUnsafe { cmark_node_set_url(node.pointer, "") }
            }
            guard let buffer = cmark_render_commonmark(root.pointer, CMARK_OPT_DEFAULT, 0) else { return "" }
            defer { cmark_get_default_mem_allocator().pointee.free(buffer) }
            let text = String(cString: buffer)
            guard isCell, text.utf8.starts(with: cellPrefix.utf8) else { return text }
            return String(Substring(text.utf8.dropFirst(cellPrefix.utf8.count).dropLast()))
        }
    }

    /// Stands before a cell's text, so that no block begins in it. For the rules of emphasis, its blank is the same as
    /// the start of a line.
    private static let cellPrefix = ". "

    private static func parse<Result>(_ markdown: String, _ body: (CommonMarkNode, Bool) -> Result) -> Result {
        let isCell = !markdown.utf8.contains { $0 == 0x0A || $0 == 0x0D }
        let tree = CommonMarkTree(parsing: Array((isCell ? cellPrefix + markdown : markdown).utf8))
        return body(tree.root, isCell)
    }

    private static func removeRawHTML(_ root: CommonMarkNode) {
        var nodes: [CommonMarkNode] = []
        root.forEachDescendant {
            if $0.type == CMARK_NODE_HTML_INLINE || $0.type == CMARK_NODE_HTML_BLOCK { nodes.append($0) }
        }
        for node in nodes {
            if node.isLineBreakTag {
                let lineBreak = cmark_node_new(CMARK_NODE_LINEBREAK)
                if cmark_node_insert_before(node.pointer, lineBreak) == 0 { cmark_node_free(lineBreak) }
            }
            cmark_node_free(node.pointer)
        }
    }

    /// As libcmark reads the byte 0.
    private static func withoutNul(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    /// Markdown whose text is this text. CommonMark takes a backslash before all ASCII punctuation.
    private static func literal(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 5 / 4)
        for byte in withoutNul(text).utf8 {
            if byte > 0x20, byte < 0x7F, !isLetter(byte), !isDigit(byte) { bytes.append(0x5C) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x3E || $0 == 0x22 || $0 == 0x3C || $0 == 0x26 }) else { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count * 5 / 4)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == 0x5F }
}

extension CommonMarkNode {
    /// The text of this node itself, without the nodes below it.
    func plainText(softBreak: String, lineBreak: String) -> String {
        switch type {
        case CMARK_NODE_TEXT, CMARK_NODE_CODE, CMARK_NODE_CODE_BLOCK: literal
        case CMARK_NODE_SOFTBREAK: softBreak
        case CMARK_NODE_LINEBREAK: lineBreak
        case CMARK_NODE_HTML_INLINE: isLineBreakTag ? lineBreak : ""
        default: ""
        }
    }

    /// `<br>`, `<br/>` and `<br />`, in any case.
    var isLineBreakTag: Bool {
        guard type == CMARK_NODE_HTML_INLINE else { return false }
        let tag = literal.lowercased().filter { $0 != " " }
        return tag == "<br>" || tag == "<br/>"
    }

    var isLeafBlock: Bool {
        type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING || type == CMARK_NODE_CODE_BLOCK
    }
}
