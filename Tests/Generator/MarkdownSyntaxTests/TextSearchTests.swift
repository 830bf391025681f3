import MarkdownSyntax
import Testing
import TestSupport

struct TextSearchTests {
    /// Compares with a search at every offset. Two letters produce many occurrences and near misses.
    @Test("All occurrences are found") func allOccurrencesAreFound() {
        var dice = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...60, using: &dice)).map { _ in UInt8.random(in: 97...98, using: &dice) }
            let needle = (0..<Int.random(in: 0...5, using: &dice)).map { _ in UInt8.random(in: 97...98, using: &dice) }
            let start = Int.random(in: 0...text.count, using: &dice)
            let range = start..<Int.random(in: start...text.count, using: &dice)
            var expected: [Int] = []
            var index = range.lowerBound
            while !needle.isEmpty, index + needle.count <= range.upperBound {
                if Array(text[index..<(index + needle.count)]) == needle {
                    expected.append(index)
                    index += needle.count
                } else {
                    index += 1
                }
            }
            let source = SourceText(text)
            #expect(source.occurrences(of: needle, in: range) == expected)
            #expect(source.occurrences(of: needle, in: range, limit: 1) == Array(expected.prefix(1)))
        }
    }

    @Test(
        "A word ends at the characters that end a name",
        arguments: [
            ("| Code |", true), ("Code", true), ("[Code?]", true), ("Code12 Code", true), ("型Code型", true),
            ("Code12", false), ("a_Code", false),
            ("xCode Codes", false), ("", false), ("Cod", false),
        ]) func aWordEndsWhereNamesDo(_ text: String, _ holds: Bool)
    {
        #expect(SourceText(Array(text.utf8)).holdsWord(Array("Code".utf8)) == holds)
    }
}
