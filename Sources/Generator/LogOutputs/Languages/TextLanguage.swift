import LogDefinitions

/// How a definition's text is written for a language. The text always stays inside its literal or comment.
package struct TextLanguage: Sendable {
    /// The name in `output.yml`.
    package let name: String
    /// A literal with its quotes. It keeps every scalar, unless the language has no way to write one.
    package let string: @Sendable (String) -> String
    /// A line for a comment of any style, or for the language's running text. It has no line ends, controls or
    /// direction marks.
    package let comment: @Sendable (String) -> String
    /// The markup that Markdown may become in this language. Markup is not escaped as text.
    package let markup: Markup?

    package enum Markup: Sendable { case markdown, html }

    init(
        name: String, markup: Markup? = nil, string: @escaping @Sendable (String) -> String,
        comment: @escaping @Sendable (String) -> String
    ) {
        self.name = name
        self.markup = markup
        self.string = string
        self.comment = comment
    }

    package static let all: [TextLanguage] = [
        .swift, .kotlin, .javascript, .java, .c, .sql, .html, .markdown, .json, .yaml, .csv,
    ]

    package static func named(_ name: String) -> TextLanguage? { all.first { $0.name.isExactly(name) } }
}

/// The parts that languages share.
extension TextLanguage {
    /// A text on one line, without controls and direction marks. With them, a reader would see other text than the
    /// compiler.
    package static func line(_ text: String) -> String { SwiftText.visible(text[...]) }

    /// Whether a text has only letters, digits and marks that mean nothing in any language's literal or comment. Nearly
    /// all names do, and many descriptions.
    static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var others = 0 as UInt8
            for byte in bytes { others |= isPlain(byte) ? 0 : 1 }
            return others == 0
        }
    }

    /// Whether a text has only visible ASCII, and none that has an escape.
    private static func isPlain(_ text: String, besides escapes: [Unicode.Scalar: String]) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.allSatisfy { isPlain($0) || (0x20...0x7E).contains($0) && escapes[Unicode.Scalar($0)] == nil }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        // 0 if it is one of the marks.
        var mark = min(byte ^ UInt8(ascii: " "), byte ^ UInt8(ascii: "_"), byte ^ UInt8(ascii: "-"))
        mark = min(mark, byte ^ UInt8(ascii: "."), byte ^ UInt8(ascii: ","))
        let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
        let isDigit = byte &- UInt8(ascii: "0") < 10
        return min(mark, isLetter ? 0 : 1, isDigit ? 0 : 1) == 0
    }

    /// A line that neither opens nor closes a comment like C's. This holds also for languages whose comments nest.
    static func blockComment(_ text: String) -> String {
        if isPlain(text) { return text }
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in line(text).unicodeScalars {
            // A template's own `*` or `/` could form a comment mark with the text's first or last character. That mark
            // is broken too.
            if (previous == "*" && scalar == "/") || (previous == "/" && scalar == "*")
                || (previous == nil && (scalar == "/" || scalar == "*"))
            {
                result += " "
            }
            result.unicodeScalars.append(scalar)
            previous = scalar
        }
        if previous == "*" || previous == "/" { result += " " }
        return result
    }

    /// A literal. Each scalar in it stands for itself, has its own escape, or is written as its number.
    static func quoted(
        _ text: String, _ quote: String = "\"", escapes: [Unicode.Scalar: String], number: (Unicode.Scalar) -> String
    ) -> String {
        if isPlain(text, besides: escapes) { return quote + text + quote }
        var result = quote
        for scalar in text.unicodeScalars {
            if let escape = escapes[scalar] {
                result += escape
            } else if SwiftText.isVisible(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += number(scalar)
            }
        }
        return result + quote
    }

    /// `\u202e`; two such escapes for a scalar beyond the first plane.
    static func utf16Escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { "\\u" + hex($0, digits: 4) }.joined()
    }

    package static func hex(_ number: some BinaryInteger, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
