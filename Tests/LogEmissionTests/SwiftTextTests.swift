import Testing

@testable import LogEmission

/// Texts of definitions where a compiler reads them.
struct SwiftTextTests {
    @Test(
        "a literal of Kotlin, TypeScript, Java and C# keeps every scalar and cannot be left",
        arguments: [
            ("a", #""a""#), ("\"", #""\"""#), ("\\", #""\\""#), ("${x}", #""\u0024{x}""#), ("\n", #""\n""#), ("\u{0}", #""\u0000""#),
            ("\u{2028}", #""\u2028""#), ("\u{202E}", #""\u202e""#), ("\u{E0001}", #""\udb40\udc01""#), ("日本🍣", #""日本🍣""#),
        ])
    func literal(text: String, expected: String) {
        #expect(SwiftText.literal(text) == expected)
    }

    @Test(
        "a Swift literal keeps every scalar and cannot be left",
        arguments: [("\"\"\"", #""\"\"\"""#), ("\\(x)", #""\\(x)""#), ("\r\n", #""\u{d}\u{a}""#), ("$#", #""$#""#)])
    func swiftLiteral(text: String, expected: String) {
        #expect(SwiftText.swiftLiteral(text) == expected)
    }

    @Test(
        "every line of a description stays in its comment",
        arguments: ["*/ }", "a\rb", "a\r\nb", "a\u{2028}b\u{2029}c", "a\u{85}b", "a\u{B}b\u{C}c", "a\u{0}b", "a\u{202E}b\u{2066}c", "\n\n"])
    func documentation(text: String) {
        let comment = SwiftText.documentation(text, indent: "    ")
        #expect(comment.hasSuffix("\n"))
        // What any reader of lines could take for one.
        for line in comment.unicodeScalars.split(whereSeparator: { ["\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"].contains($0) }) {
            #expect(String(line).hasPrefix("    ///"))
        }
        #expect(!comment.unicodeScalars.contains { ["\u{0}", "\u{202E}", "\u{2066}"].contains($0) })
    }
}
