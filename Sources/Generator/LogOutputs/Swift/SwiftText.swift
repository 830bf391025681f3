import LogDefinitions
import MarkdownSyntax

/// Escapes strings for Swift or a similar language. An escaped string never ends its comment or literal.
package enum SwiftText {
    /// A documentation comment with a line per line of the string, and a newline at the end. Empty for an empty string.
    static func documentation(_ text: String, indent: String) -> String {
        guard !text.isEmpty else { return "" }
        var result = ""
        result.reserveCapacity(text.utf8.count + 64)
        var rest = text.utf8[...]
        while true {
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            let line = visible(Substring(rest[..<end]))
            result += indent
            result += line.isEmpty ? "///" : "/// "
            result += line
            result += "\n"
            guard end < rest.endIndex else { return result }
            rest = rest[rest.index(after: end)...]
        }
    }

    /// Inline Markdown as one line of plain text.
    package static func line(_ markdown: String) -> String {
        visible(InlineMarkdown.plainText(markdown)[...])
    }

    /// A string literal in double quotes that keeps every scalar, for Kotlin, TypeScript, Java and C#. Invisible
    /// scalars become UTF-16 escapes. So does `$`, which begins a template in Kotlin.
    static func literal(_ text: String) -> String {
        TextLanguage.quoted(text, escapes: escapes, number: TextLanguage.utf16Escape)
    }

    private static let escapes: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "$": "\\u0024"]

    /// A Swift string literal that keeps every scalar.
    package static func swiftLiteral(_ text: String) -> String {
        TextLanguage.quoted(text, escapes: swiftEscapes) { "\\u{\(String($0.value, radix: 16))}" }
    }

    private static let swiftEscapes: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\"]

    /// Returns the string without line ends, control characters and direction marks. Such characters can make code look
    /// different from what the compiler reads.
    package static func visible(_ text: Substring) -> String {
        var copy = text
        let isPlain = copy.withUTF8 { bytes in
            // Invisible characters begin with one of these bytes, which are rare even in Japanese. `special` becomes 0
            // if there is one. The compiler vectorizes a loop of this form: 16 bytes at once.
            var (special, all): (UInt8, UInt8) = (.max, 0)
            for byte in bytes {
                special = min(special, byte & 0xE0, byte ^ 0x7F)
                special = min(special, byte ^ 0xC2, byte ^ 0xD8)
                special = min(special, byte ^ 0xE2, byte ^ 0xEF)
                special = min(special, byte ^ 0xF3)
                all |= byte
            }
            return special != 0 && (all < 0x80 || bytes.last != 0x20)
        }
        if isPlain { return String(text) }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\r" || scalar == "\t" {
                result.append(" ")
            } else {
                result.append(isReadable(scalar) ? scalar : "\u{FFFD}")
            }
        }
        while result.last == " " { result.removeLast() }
        return String(result)
    }

    /// Returns whether a scalar may stay in text that is not code: it can be seen, or joins others, as in emoji.
    package static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
        isVisible(scalar) || scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    package static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: true
        case 0..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            false
        default: true
        }
    }
}
