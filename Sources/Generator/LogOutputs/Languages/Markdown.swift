import TextEncoding

extension TextLanguage {
    /// Markdown. Literals are code. Comment lines are valid in running text and in cells of tables.
    static let markdown = TextLanguage(
        name: "markdown", markup: .markdown, string: { "<code>" + MarkdownText.escaped($0) + "</code>" },
        comment: { MarkdownText.escaped($0) })
}

enum MarkdownText {
    /// Returns Markdown that renders as the given string, without emphasis, links, tags, lists or ends of cells.
    static func escaped(_ text: String) -> String {
        var shown = TextLanguage.line(text)
        if shown.withUTF8(isPlain) { return shown }
        let line = Array(shown.unicodeScalars)
        var result = ""
        func isWord(_ index: Int) -> Bool {
            line.indices.contains(index) && (line[index] == "_" || line[index].properties.isXIDContinue)
        }
        for (index, scalar) in line.enumerated() {
            switch scalar {
            case "&", "<", ">": result += HTMLEscape.escaped(scalar)
            // Template engines of static site generators interpret these characters.
            case "{": result += "&#123;"
            case "}": result += "&#125;"
            // Inside a word, `_` is plain text.
            case "_" where isWord(index - 1) && isWord(index + 1): result += "_"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "!", "#": result += "\\" + String(scalar)
            // Two hyphens would end a comment in an HTML page.
            case "-" where index > 0 && line[index - 1] == "-": result += "\\-"
            // These characters turn a line into a list or a heading.
            case "-", "+", "=":
                result +=
                    index == 0 || line[..<index].allSatisfy({ $0 == scalar }) ? "\\" + String(scalar) : String(scalar)
            case ".", ")":
                result +=
                    index > 0 && line[..<index].allSatisfy({ $0.properties.numericType != nil })
                    ? "\\" + String(scalar) : String(scalar)
            case " " where index == 0: result += "&#32;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns whether a string needs no escapes: the fast path for most descriptions in English.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, (0x61...0x7A).contains(first | 0x20) else { return false }
        var others = 0 as UInt8
        for byte in text {
            var mark = min(byte ^ UInt8(ascii: " "), byte ^ UInt8(ascii: "."), byte ^ UInt8(ascii: ","))
            mark = min(mark, byte ^ UInt8(ascii: ":"), byte ^ UInt8(ascii: ";"))
            mark = min(mark, byte ^ UInt8(ascii: "'"), byte ^ UInt8(ascii: "("))
            mark = min(mark, byte ^ UInt8(ascii: ")"), byte ^ UInt8(ascii: "/"))
            mark = min(mark, byte ^ UInt8(ascii: "?"))
            let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
            let isDigit = byte &- UInt8(ascii: "0") < 10
            others |= min(mark, isLetter ? 0 : 1, isDigit ? 0 : 1)
        }
        return others == 0
    }
}
