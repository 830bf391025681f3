import CCMark
import TextEncoding

/// Converts inline Markdown to plain text and to HTML. libcmark is called only for strings that may have markup.
///
/// A string without a line end is parsed as the content of a table cell, in which `- a` is not a list. A string with
/// several lines is parsed as a document.
///
/// A string of more than a mebibyte is treated as plain text. libcmark's tree takes up to 130 bytes per input byte,
/// because each delimiter (such as `*`) and each string between delimiters is a node.
package enum InlineMarkdown {
    private static let longest = 1 << 20

    /// Returns the plain text: the content of code spans, link text, and image descriptions. `<br>` ends a line, and
    /// other raw HTML is removed. An empty line separates paragraphs.
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

    /// Returns the text of a cell without its backslash escapes, or nil if a reader of the rendered cell would see
    /// something else than text: emphasis, a link, a tag, a footnote. Code spans and HTML entities are kept.
    package static func unescapedCell(_ markdown: String) -> String? {
        guard hasMarkup(markdown), markdown.utf8.count <= longest else { return markdown }
        let hasMarkup = parse(markdown) { root, _ in
            var hasMarkup = false
            root.forEachDescendant { node in
                switch node.type {
                case CMARK_NODE_PARAGRAPH, CMARK_NODE_TEXT, CMARK_NODE_CODE, CMARK_NODE_SOFTBREAK: break
                default: hasMarkup = true
                }
            }
            return hasMarkup
        }
        guard !hasMarkup, withoutFootnotes(markdown).utf8.elementsEqual(markdown.utf8) else { return nil }
        var result: [UInt8] = []
        var rest = markdown.utf8[...]
        while let byte = rest.popFirst() {
            let isEscape =
                byte == 0x5C && rest.first.map { $0 > 0x20 && $0 < 0x7F && !isLetter($0) && !isDigit($0) } ?? false
            result.append(isEscape ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns a string without references to footnotes, such as `[^1]`, which libcmark does not know.
    package static func withoutFootnotes(_ markdown: String) -> String {
        var result = ""
        var rest = markdown[...]
        while let open = rest.firstIndex(of: "[") {
            let after = rest[open...].dropFirst()
            result += rest[..<open]
            guard after.first == "^", let close = after.firstIndex(of: "]"),
                after.index(after: after.startIndex) < close
            else {
                result += "["
                rest = after
                continue
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// Returns whether a string may have markup. The check is fast and has false positives, but no false negatives.
    package static func hasMarkup(_ markdown: String) -> Bool {
        var copy = markdown
        return copy.withUTF8 { buffer in
            // Few strings contain these bytes. `special` becomes 0 at NUL, LF, CR, `\`, `&`, `<`, `*`, `[` or a
            // backtick, and `underscore` at `_`. The compiler vectorizes this loop, 16 bytes at once, but not one with
            // comparisons.
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
            // Inside a word, an underscore is not markup: `recipe_id`.
            return buffer.indices.contains { index in
                guard buffer[index] == 0x5F else { return false }
                return index == 0 || index + 1 == buffer.count || !isWord(buffer[index - 1])
                    || !isWord(buffer[index + 1])
            }
        }
    }

    /// Returns HTML. Raw HTML and links that could run a script are removed; `<br>` remains a line break. The HTML of a
    /// cell has no enclosing paragraph.
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

    /// Returns the same Markdown with every fence closed, and without raw HTML and links that could run a script.
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

    /// A prefix that prevents blocks in a cell. For emphasis, its blank is equivalent to the start of a line.
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

    /// Replaces U+0000 with U+FFFD, as libcmark does.
    private static func withoutNul(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    /// Returns Markdown that renders as the given bytes. A backslash may precede any ASCII punctuation in CommonMark.
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
            // Like libcmark, this function keeps apostrophes: they are harmless in text and in double quotes.
            if scalar == "'" { result += "'" } else { result += HTMLEscape.escaped(scalar) }
        }
        return result
    }

    private static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == 0x5F }
}

extension CommonMarkNode {
    /// Returns this node's own text, without that of its descendants.
    func plainText(softBreak: String, lineBreak: String) -> String {
        switch type {
        case CMARK_NODE_TEXT, CMARK_NODE_CODE, CMARK_NODE_CODE_BLOCK: literal
        case CMARK_NODE_SOFTBREAK: softBreak
        case CMARK_NODE_LINEBREAK: lineBreak
        case CMARK_NODE_HTML_INLINE: isLineBreakTag ? lineBreak : ""
        default: ""
        }
    }

    /// Indicates whether the node is `<br>`, `<br/>` or `<br />`, in any case.
    var isLineBreakTag: Bool {
        guard type == CMARK_NODE_HTML_INLINE else { return false }
        let tag = literal.lowercased().filter { $0 != " " }
        return tag == "<br>" || tag == "<br/>"
    }

    var isLeafBlock: Bool {
        type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING || type == CMARK_NODE_CODE_BLOCK
    }
}
