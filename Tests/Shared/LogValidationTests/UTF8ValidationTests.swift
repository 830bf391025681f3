import LogValidation
import Testing
import TextEncoding

@Suite struct UTF8Validation {
    @Test(
        "Valid UTF-8 has no invalid byte",
        arguments: [
            "", "a", "12345678", "123456789é", "日本語", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}", "\u{D7FF}\u{E000}",
            "\0",
        ])
    func acceptsText(text: String) {
        #expect(firstInvalidUTF8(in: Array(text.utf8)) == nil)
    }

    @Test(
        "An invalid sequence is found at its first byte",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE3, 0x81], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3, 0x41], [0xE3, 0x81, 0xC3],
            [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func findsTheFirstInvalidByte(bytes: [UInt8]) {
        for prefix in ["", "a", "日", "1234567", "12345678", "123456789"] {
            let start = Array(prefix.utf8)
            #expect(firstInvalidUTF8(in: start + bytes) == start.count)
            #expect(firstInvalidUTF8(in: start + bytes + Array("text 12345678".utf8)) == start.count)
        }
    }

    @Test("The judge's scanner and Swift's decoder accept the same bytes as UTF-8")
    func scannerAndDecoderAcceptTheSameBytes() async throws {
        var judge = RecordEvaluator(try await ProbeDefinitions.validator().rules, RecordInterest(limit: 0))
        // The bounds of the ranges in table 3-7, and their neighbours.
        let bytes: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        let ends: [[UInt8]] = [
            [], [0x41], [0x80], [0xBF], [0x80, 0x41], [0x80, 0x80], [0xBF, 0xBF], [0x80, 0xC0], [0x80, 0x80, 0x80],
        ]
        var valid = 0
        var differences: [[UInt8]] = []
        for first in bytes {
            for second in bytes {
                for end in ends {
                    let text = Array("\u{3042}abcde".utf8) + [first, second] + end
                    let place = firstInvalidUTF8(in: text)
                    let record = Array("{\"a\":\"".utf8) + text + Array("\"}".utf8)
                    let isJSON = judge.judge(RecordChunk(lines: record)).counts.notJSON == 0
                    if place != Self.firstUndecodable(text) || isJSON != (place == nil) { differences.append(text) }
                    if place == nil { valid += 1 }
                }
            }
        }
        #expect(differences == [])
        #expect(valid > 50)
    }

    private static func firstUndecodable(_ bytes: [UInt8]) -> Int? {
        var (offset, decoder, iterator) = (0, UTF8(), bytes.makeIterator())
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
