import Foundation
import LogDefinitions
import Testing
import TestSupport

@Suite struct DisplayWidthTests {
    private static let widths: [(String, Int)] = [
        ("", 0), ("recipe_id", 9), ("レシピ", 6), ("レシピID", 8), ("（全角）", 8), ("　", 2), ("―○×…α", 5),
        ("ｶﾞｰﾘｯｸ", 6), ("か\u{3099}", 2), ("e\u{301}", 1), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("葛\u{E0100}", 2),
        ("\u{FEFF}a\u{200B}b", 2),
        ("🍳", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("👩‍❤️‍👨", 2), ("🏳️‍🌈", 2), ("🇯🇵", 2), ("🇯🇵🇫🇷", 4), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
        ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("a1️⃣b", 4), ("\u{FE0F}", 0), ("\u{200D}", 0), ("\u{301}", 0),
        ("a\u{0}\u{1B}\u{7F}\u{85}\u{9F}b", 2), ("a\tb", 2), ("é\tb", 2), ("𠮷野家", 6), ("\u{10FFFF}", 1),
    ]

    @Test("A string has the width of its characters", arguments: widths)
    func stringHasTheWidthOfItsCharacters(_ text: String, _ width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    /// wcwidth (PyPI) is an independent implementation of the same standards.
    @Test("Widths match those of wcwidth") func widthsEqualThoseOfWcwidth() throws {
        try #require(Wcwidth.isInstalled, "needs Python's wcwidth: python3 -m pip install wcwidth==0.7.0")
        // Scalars that are not control characters, after a wide one and between letters, then typical sequences. A deep
        // run tries every scalar.
        var samples: [String] = []
        let step = Depth.limit(11, deep: 1)
        let values = Array(stride(from: UInt32(0xA0), to: 0x20000, by: step)) + Array(0xE0000..<0xE0200)
        for value in values where value != 0x200D {
            guard let scalar = Unicode.Scalar(value), !Self.isSpacingMark(scalar) else { continue }
            samples.append("漢\(scalar)")
            samples.append("a\(scalar)b")
        }
        let parts = [
            "a", "_", "9", "漢", "カ", "ｶ", "ﾞ", "\u{3099}", "\u{301}", "한", "🍳", "👍", "🏽", "👩\u{200D}🌾", "❤", "\u{FE0F}",
            "🇯🇵", "🇫🇷", "１",
            "、", " ", "○", "…",
        ]
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<Depth.cases(750, deep: 6_000) {
            samples.append(
                (0...Int.random(in: 1...8, using: &generator)).map { _ in
                    parts[Int.random(in: 0..<parts.count, using: &generator)]
                }
                .joined())
        }
        let expected = try Wcwidth.widths(of: samples)
        #expect(expected.count == samples.count)
        let different = zip(samples, expected).filter { DisplayWidth.of($0) != $1 }
        #expect(
            different.count == 0,
            "\(different.count) differ, first: \(different.prefix(5).map { "\($0.0.debugDescription) \($0.1)" })")
    }

    /// Returns whether a scalar is a spacing mark. Without a base character, its width is not defined. After a letter,
    /// both implementations count one column, but wcwidth counts only the first mark.
    private static func isSpacingMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .spacingMark
    }
}

private enum Wcwidth {
    static let isInstalled = (try? widths(of: ["漢"])) == [2]

    /// Sends one string per line to Python's wcwidth, and reads one width per line.
    static func widths(of samples: [String]) throws -> [Int] {
        let program =
            "import sys, wcwidth\nfor s in sys.stdin.buffer.read().decode().split('\\n'): print(wcwidth.wcswidth(s))"
        let result = try Tool.command(
            ["python3", "-c", program], in: Tool.repository, input: samples.joined(separator: "\n"))
        return result.out.split(separator: "\n").compactMap { Int($0) }
    }
}
