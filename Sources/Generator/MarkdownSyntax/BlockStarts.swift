/// Decides whether a block other than a paragraph begins at the first nonblank byte of a line (CommonMark 0.30 §4 and
/// §5).
///
/// libcmark reports the blocks of a document, but not whether a line would begin a block if the lines above were a
/// table. This extension decides only that question.
extension LineCursor {
    struct Fence {
        var character: UInt8
        var length: Int
    }

    var isATXHeading: Bool {
        var index = firstNonspace
        while byte(index) == 0x23 { index += 1 }
        let level = index - firstNonspace
        return level >= 1 && level <= 6 && (index >= end || isSpaceOrTab(byte(index)))
    }

    var openingFence: Fence? {
        let character = byte(firstNonspace)
        guard character == 0x60 || character == 0x7E else { return nil }
        var index = firstNonspace
        while byte(index) == character { index += 1 }
        let length = index - firstNonspace
        guard length >= 3 else { return nil }
        if character == 0x60 {
            while index < end {
                if bytes[index] == 0x60 { return nil }
                index += 1
            }
        }
        // libcmark stores the length in one byte.
        return Fence(character: character, length: min(length, 255))
    }

    func closes(_ fence: Fence) -> Bool {
        guard indent <= 3 else { return false }
        var index = firstNonspace
        while byte(index) == fence.character { index += 1 }
        guard index - firstNonspace >= fence.length else { return false }
        while index < end {
            guard isSpaceOrTab(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    var isSetextUnderline: Bool {
        let character = byte(firstNonspace)
        guard character == 0x3D || character == 0x2D else { return false }
        var index = firstNonspace
        while byte(index) == character { index += 1 }
        while index < end {
            guard isSpaceOrTab(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    /// Returns whether the line is a thematic break. If not, `searched` is set to the end of the scan. No thematic
    /// break begins before that place, so a line of a thousand list markers is not scanned a thousand times.
    func isThematicBreak(searched: inout Int) -> Bool {
        guard searched <= firstNonspace else { return false }
        let character = byte(firstNonspace)
        guard character == 0x2A || character == 0x5F || character == 0x2D else { return false }
        var count = 0
        var index = firstNonspace
        while index < end {
            let byte = bytes[index]
            if byte == character {
                count += 1
            } else if !isSpaceOrTab(byte) {
                searched = index
                return false
            }
            index += 1
        }
        if count < 3 { searched = index }
        return count >= 3
    }

    /// Returns the length of a list marker, or nil without a marker.
    func listMarkerLength(interruptingParagraph: Bool) -> Int? {
        var index = firstNonspace
        switch byte(index) {
        case 0x2A, 0x2B, 0x2D:
            index += 1
        case 0x30...0x39:
            var number = 0
            repeat {
                number = number * 10 + Int(byte(index) - 0x30)
                index += 1
            } while index - firstNonspace < 9 && isDigit(byte(index))
            if interruptingParagraph, number != 1 { return nil }
            guard byte(index) == 0x2E || byte(index) == 0x29 else { return nil }
            index += 1
        default:
            return nil
        }
        guard isWhitespace(byte(index)) else { return nil }
        let length = index - firstNonspace
        if interruptingParagraph {
            while isSpaceOrTab(byte(index)) { index += 1 }
            if index >= end { return nil }
        }
        return length
    }

    // MARK: HTML

    /// The kinds of HTML block, by their end conditions, in the order of §4.6.
    enum HTMLKind {
        case rawText, comment, processingInstruction, declaration, characterData
        /// Ends before a blank line.
        case element
    }

    func htmlBlock(canBeAnyTag: Bool) -> HTMLKind? {
        guard byte(firstNonspace) == 0x3C else { return nil }
        let start = firstNonspace + 1
        switch byte(start) {
        case 0x21:
            if matches("--", at: start + 1) { return .comment }
            if matches("[cdata[", at: start + 1) { return .characterData }
            if byte(start + 1) >= 0x41, byte(start + 1) <= 0x5A { return .declaration }
            return nil
        case 0x3F:
            return .processingInstruction
        default:
            break
        }
        let isClosing = byte(start) == 0x2F
        let nameStart = isClosing ? start + 1 : start
        guard isLetter(byte(nameStart)) else { return nil }
        var nameEnd = nameStart
        while nameEnd - nameStart < 16, isLetter(byte(nameEnd)) || isDigit(byte(nameEnd)) { nameEnd += 1 }
        let name = String(decoding: (nameStart..<nameEnd).map { bytes[$0] | 0x20 }, as: UTF8.self)
        let after = byte(nameEnd)
        if !isClosing, Self.rawTextTags.contains(name), isWhitespace(after) || after == 0x3E { return .rawText }
        if Self.blockTags.contains(name),
            isWhitespace(after) || after == 0x3E || (after == 0x2F && byte(nameEnd + 1) == 0x3E)
        {
            return .element
        }
        return canBeAnyTag && isWholeLineTag ? .element : nil
    }

    /// Returns whether the line contains the end of an HTML block that does not end with a blank line.
    func ends(_ kind: HTMLKind) -> Bool {
        switch kind {
        case .rawText:
            contains("</", followedBy: { index in Self.rawTextTags.contains { matches($0 + ">", at: index) } })
        case .comment: contains("-->")
        case .processingInstruction: contains("?>")
        case .declaration: contains(">")
        case .characterData: contains("]]>")
        case .element: false
        }
    }

    private static let rawTextTags: Set<String> = ["script", "pre", "textarea", "style"]

    private static let blockTags: Set<String> = [
        "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup",
        "dd",
        "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame",
        "frameset",
        "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main",
        "menu",
        "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "section", "source", "summary",
        "table", "tbody",
        "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
    ]

    /// Compares case-insensitively; `text` is in lower case.
    private func matches(_ text: String, at start: Int) -> Bool {
        var index = start
        for expected in text.utf8 {
            let found = byte(index)
            guard found == expected || (isLetter(found) && found | 0x20 == expected) else { return false }
            index += 1
        }
        return true
    }

    private func contains(_ text: String, followedBy condition: (Int) -> Bool = { _ in true }) -> Bool {
        guard let first = text.utf8.first else { return true }
        var index = firstNonspace
        while index < end {
            if bytes[index] == first, matches(text, at: index), condition(index + text.utf8.count) { return true }
            index += 1
        }
        return false
    }

    /// Indicates whether the line consists of a complete opening or closing tag of any name.
    private var isWholeLineTag: Bool {
        var index = firstNonspace + 1
        let isClosing = byte(index) == 0x2F
        if isClosing { index += 1 }
        guard isLetter(byte(index)) else { return false }
        while isLetter(byte(index)) || isDigit(byte(index)) || byte(index) == 0x2D { index += 1 }
        if !isClosing {
            while let next = endOfAttribute(at: index) { index = next }
        }
        index = skipWhitespace(from: index)
        if !isClosing, byte(index) == 0x2F { index += 1 }
        guard byte(index) == 0x3E else { return false }
        index += 1
        while index < end {
            guard isSpaceOrTab(bytes[index]) || bytes[index] == 0x0C else { return false }
            index += 1
        }
        return true
    }

    private func endOfAttribute(at start: Int) -> Int? {
        var index = skipWhitespace(from: start)
        guard index > start, isLetter(byte(index)) || byte(index) == 0x5F || byte(index) == 0x3A else { return nil }
        while true {
            let byte = byte(index)
            guard isLetter(byte) || isDigit(byte) || byte == 0x5F || byte == 0x3A || byte == 0x2E || byte == 0x2D else {
                break
            }
            index += 1
        }
        let nameEnd = index
        index = skipWhitespace(from: index)
        guard byte(index) == 0x3D else { return nameEnd }
        index = skipWhitespace(from: index + 1)
        let quote = byte(index)
        if quote == 0x22 || quote == 0x27 {
            index += 1
            while index < end, bytes[index] != quote { index += 1 }
            return index < end ? index + 1 : nil
        }
        let valueStart = index
        while index < end, !isWhitespace(bytes[index]), !Self.endsUnquotedValue(bytes[index]) { index += 1 }
        return index > valueStart ? index : nil
    }

    private static func endsUnquotedValue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x27, 0x3C, 0x3D, 0x3E, 0x60: true
        default: false
        }
    }

    private func skipWhitespace(from start: Int) -> Int {
        var index = start
        while index < end, isWhitespace(bytes[index]) { index += 1 }
        return index
    }
}
