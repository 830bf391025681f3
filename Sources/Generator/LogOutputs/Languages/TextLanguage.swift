import LogDefinitions

/// How strings of a definition are escaped for a language. An escaped string never ends its literal or comment.
package struct TextLanguage: Sendable {
    /// The name in `output.yml`.
    package let name: String
    /// The markup of the language: Markdown or HTML; nil for other languages. Descriptions are converted from Markdown
    /// to this markup and are not escaped.
    package var markup: Markup?
    /// Returns a literal with its quotes. The literal keeps every scalar that the language can express.
    package let string: @Sendable (String) -> String
    /// Returns one line for a comment of any style, or for running text in the language. The line has no line ends,
    /// control characters or direction marks.
    package let comment: @Sendable (String) -> String

    package enum Markup: Sendable { case markdown, html }

    package static let all: [TextLanguage] = [
        .swift, .kotlin, .javascript, .java, .c, .sql, .html, .markdown, .json, .yaml, .csv,
    ]

    package static func named(_ name: String) -> TextLanguage? { all.first { $0.name.isExactly(name) } }
}

extension TextLanguage {
    /// Returns the string on one line, without control characters and direction marks. Such characters can make code
    /// look different from what the compiler reads.
    package static func line(_ text: String) -> String { SwiftText.visible(text[...]) }

    /// Returns whether a string has only letters, digits and punctuation marks that are safe in the literals and
    /// comments of all languages. This is true of nearly all names and many descriptions.
    static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var others = 0 as UInt8
            for byte in bytes { others |= isPlain(byte) ? 0 : 1 }
            return others == 0
        }
    }

    private static func isVisibleASCII(_ text: String, besides escapes: [Unicode.Scalar: String]) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.allSatisfy { isPlain($0) || (0x20...0x7E).contains($0) && escapes[Unicode.Scalar($0)] == nil }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        // 0 if the byte is one of the safe punctuation marks.
        var mark = min(byte ^ UInt8(ascii: " "), byte ^ UInt8(ascii: "_"), byte ^ UInt8(ascii: "-"))
        mark = min(mark, byte ^ UInt8(ascii: "."), byte ^ UInt8(ascii: ","))
        let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
        let isDigit = byte &- UInt8(ascii: "0") < 10
        return min(mark, isLetter ? 0 : 1, isDigit ? 0 : 1) == 0
    }

    /// Returns a line that neither opens nor closes a C-style comment, including in languages whose comments nest.
    static func blockComment(_ text: String) -> String {
        if isPlain(text) { return text }
        // A `*` or `/` of the template next to the string could form a comment delimiter with the string's first or last
        // character. A space separates these, too.
        func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar == "*" || scalar == "/" }
        let line = separated(line(text)) { previous, scalar in
            isMark(scalar) && (previous.map { isMark($0) && $0 != scalar } ?? true)
        }
        return line.unicodeScalars.last.map(isMark) ?? false ? line + " " : line
    }

    /// Returns a string with a space between scalars that must not be adjacent. The first scalar follows nil.
    static func separated(_ text: String, where isWrong: (Unicode.Scalar?, Unicode.Scalar) -> Bool) -> String {
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if isWrong(previous, scalar) { result += " " }
            result.unicodeScalars.append(scalar)
            previous = scalar
        }
        return result
    }

    /// Returns a literal in which each scalar is itself, its escape, or its number.
    static func quoted(
        _ text: String, escapes: [Unicode.Scalar: String], number: (Unicode.Scalar) -> String
    ) -> String {
        if isVisibleASCII(text, besides: escapes) { return "\"" + text + "\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            if let escape = escapes[scalar] {
                result += escape
            } else if SwiftText.isVisible(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += number(scalar)
            }
        }
        return result + "\""
    }

    /// Returns UTF-16 escapes: `\u202e`, or two of them for a scalar above U+FFFF.
    static func utf16Escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { "\\u" + hex($0, digits: 4) }.joined()
    }

    package static func hex(_ number: some BinaryInteger, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
