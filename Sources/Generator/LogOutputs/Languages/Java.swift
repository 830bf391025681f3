extension TextLanguage {
    /// Java, which translates `\uXXXX` before it parses: `\uXXXX` for a quote or a line end acts as that character.
    static let java = TextLanguage(
        name: "java",
        string: { text in
            quoted(text, escapes: ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"]) { scalar in
                scalar.value < 0x80 ? "\\" + octal(scalar.value) : utf16Escape(scalar)
            }
        },
        comment: { text in withoutLastBackslash(separated(blockComment(text)) { $0 == "\\" && $1 == "u" }) })

    static func octal(_ number: UInt32) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }

    /// Replaces a backslash at a line's end by its full-width form. A real one would escape the next character.
    static func withoutLastBackslash(_ line: String) -> String {
        line.hasSuffix("\\") ? line.dropLast() + "\u{FF3C}" : line
    }
}
