import MarkdownSyntax
import Testing

@Suite struct UTF8Validation {
    @Test(
        "Valid UTF-8 is accepted",
        arguments: [
            "", "a", "12345678", "123456789é", "日本語", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}", "\u{D7FF}\u{E000}",
            "\0",
        ])
    func acceptsText(text: String) {
        #expect(firstInvalidUTF8(in: Array(text.utf8)) == nil)
    }

    @Test(
        "The offset of the first invalid sequence is returned",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE3, 0x81], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3, 0x41], [0xE3, 0x81, 0xC3],
            [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func givesThePlaceOfWhatIsNone(bytes: [UInt8]) {
        for prefix in ["", "a", "日", "1234567", "12345678", "123456789"] {
            let start = Array(prefix.utf8)
            #expect(firstInvalidUTF8(in: start + bytes) == start.count)
            #expect(firstInvalidUTF8(in: start + bytes + Array("text 12345678".utf8)) == start.count)
        }
    }
}
