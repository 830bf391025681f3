import MarkdownSyntax
import Testing

@Suite struct SourceTextTests {
    /// Lines with lengths around the size of the blocks in which scalars are counted, with letters of one to four
    /// bytes.
    static let text = SourceText(
        Array(
            [0, 1, 300, 1023, 1024, 1025, 5_000, 2, 20_000].map { "a" + String(repeating: "é検🍳b", count: $0) }.joined(
                separator: "\r\n"
            ).utf8))

    @Test("A position is the line number and the number of scalars before it in the line")
    func aPlaceIsTheNumberOfItsLineAndOfTheScalarsBeforeIt() {
        var line = 1
        var column = 1
        for offset in Self.text.bytes.indices {
            if offset > 0, Self.text.bytes[offset - 1] == 0x0A { (line, column) = (line + 1, 1) }
            guard Self.text.bytes[offset] & 0xC0 != 0x80 else { continue }
            let position = Self.text.position(at: offset)
            #expect(position == (line, column))
            guard position == (line, column) else { return }
            column += 1
        }
    }

    @Test("A position after the end is the end") func positionAfterTheEndIsTheEnd() {
        #expect(SourceText(Array("検索\nab".utf8)).position(at: 100) == (2, 3))
        #expect(SourceText([]).position(at: 1) == (1, 1))
    }

    /// The test takes minutes if each position is counted from the start of its line.
    @Test("Many positions in a long line are found quickly") func manyPlacesInOneLongLineAreFound() {
        let source = SourceText(Array(repeating: 0x61, count: 2_000_000))
        for offset in stride(from: 0, to: source.bytes.count, by: 10) {
            guard source.position(at: offset).column == offset + 1 else {
                Issue.record("offset \(offset)")
                return
            }
        }
    }
}
