import Testing
import TestSupport

@testable import LogOutputs
import LogProject

/// Tests of strings from definitions in source code.
struct SwiftTextTests {
    @Test(
        "A Kotlin, TypeScript, Java or C# literal keeps every scalar, and no string ends it early",
        arguments: [
            ("a", #""a""#), ("\"", #""\"""#), ("\\", #""\\""#), ("${x}", #""\u0024{x}""#), ("\n", #""\n""#),
            ("\u{0}", #""\u0000""#),
            ("\u{2028}", #""\u2028""#), ("\u{202E}", #""\u202e""#), ("\u{E0001}", #""\udb40\udc01""#),
            ("日本🍣", #""日本🍣""#),
        ])
    func literal(text: String, expected: String) {
        #expect(SwiftText.literal(text) == expected)
    }

    @Test(
        "A Swift literal keeps every scalar, and no string ends it early",
        arguments: [("\"\"\"", #""\"\"\"""#), ("\\(x)", #""\\(x)""#), ("\r\n", #""\u{d}\u{a}""#), ("$#", #""$#""#)])
    func swiftLiteral(text: String, expected: String) {
        #expect(SwiftText.swiftLiteral(text) == expected)
    }

    @Test(
        "Every line of a description stays in its comment",
        arguments: [
            "*/ }", "a\rb", "a\r\nb", "a\u{2028}b\u{2029}c", "a\u{85}b", "a\u{B}b\u{C}c", "a\u{0}b",
            "a\u{202E}b\u{2066}c", "\n\n",
        ])
    func documentation(text: String) {
        let comment = SwiftText.documentation(text, indent: "    ")
        #expect(comment.hasSuffix("\n"))
        // All scalars that a reader might take for a line ending.
        for line in comment.unicodeScalars.split(whereSeparator: {
            ["\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"].contains($0)
        }) {
            #expect(String(line).hasPrefix("    ///"))
        }
        #expect(!comment.unicodeScalars.contains { ["\u{0}", "\u{202E}", "\u{2066}"].contains($0) })
    }

    /// Strings of all lengths, with the scalars at which the fast paths stop, and their neighbors.
    private static let texts: [String] = {
        var random = SeededGenerator(seed: 1)
        let edges = [
            0x00, 0x09, 0x0A, 0x1F, 0x20, 0x22, 0x24, 0x27, 0x3C, 0x5C, 0x5F, 0x60, 0x7E, 0x7F, 0x80, 0x9F, 0xA0, 0xAC,
            0xAD, 0xAE, 0xBF, 0xC0, 0x600,
            0x61B, 0x61C, 0x61D, 0x200A, 0x200B, 0x2010, 0x2027, 0x2028, 0x2029, 0x202F, 0x2060, 0x2070, 0x3001, 0x3042,
            0xFEFE, 0xFEFF, 0xFF08,
            0xFFF8, 0xFFF9, 0xFFFC, 0x1F363, 0xDFFFF, 0xE0000, 0xE0080, 0x10FFFF,
        ].compactMap { Unicode.Scalar(UInt32($0)) }
        return (0..<4000).map { number in
            var text = String.UnicodeScalarView()
            for _ in 0..<(number % 80) {
                text.append(
                    Int.random(in: 0..<20, using: &random) == 0 ? edges.randomElement(using: &random) ?? "a" : "x")
            }
            if number % 3 == 0 { text.append(" ") }
            return String(text)
        } + edges.map { String($0) }
    }()

    @Test("The fast path finds the same visible scalars as the slow path") func visible() {
        for text in Self.texts {
            let shown = SwiftText.visible(text[...])
            var expected = text.unicodeScalars.map {
                "\n\r\t".unicodeScalars.contains($0) ? " " : SwiftText.isVisible($0) ? $0 : "\u{FFFD}"
            }
            // Only a line of ASCII keeps blanks at its end.
            let isASCII = text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
            while !isASCII, expected.last == " " { expected.removeLast() }
            #expect(shown.unicodeScalars.elementsEqual(expected), "\(text.debugDescription)")
        }
    }

    @Test("Strings are joined as by the standard library") func joined() {
        for count in 0..<6 {
            for start in stride(from: 0, to: Self.texts.count - count, by: 7) {
                let texts = Self.texts[start..<(start + count)]
                for separator in ["", ", ", "、"] {
                    #expect(
                        Array(texts).joined(separator: separator).utf8.elementsEqual(
                            texts.joined(separator: separator).utf8))
                }
            }
        }
    }
}
