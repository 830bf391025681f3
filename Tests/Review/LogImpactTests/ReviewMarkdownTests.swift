import LogDefinitions
import MarkdownSyntax
import TestSupport
import Testing

@testable import LogReview

/// Compares reports in Markdown with the text that libcmark renders.
@Suite struct ReviewMarkdownTests {
    private static let parts = [
        "`", "``", "\\", "\\`", "|", "\\|", "*", "_", "<b>", "&amp;", "[x](y)", "~~", "#", "@ana", " ", "a", "値", ": ",
    ]

    /// Returns random strings without blanks at their ends, which code spans may lose.
    private static func strings(_ count: Int) -> [String] {
        var random = SeededGenerator(seed: 51)
        return (0..<count).map { _ in
            let middle = (0..<Int.random(in: 0..<7, using: &random)).map { _ in
                parts[Int.random(in: parts.indices, using: &random)]
            }
            return "x" + middle.joined() + (Bool.random(using: &random) ? "`" : "z")
        }
    }

    @Test("Quoted strings and words are visible as they are, in running text and in cells")
    func visibleText() throws {
        let strings = Self.strings(2_000)
        for (text, words) in zip(strings, strings.reversed()) {
            let sentence: Sentence = "loses \(code: text), \(words: words)"
            let visible = "loses \(text), \(words)"
            #expect(InlineMarkdown.plainText(sentence.markdown) == visible)
            let table = "| a |\n| --- |\n| \(sentence.markdown(inCell: true)) |\n"
            let document = MarkdownDocument(SourceText(Array(table.utf8)))
            guard case .table(let read)? = document.blocks.first?.content, let cell = read.rows.first?.cells.first
            else {
                Issue.record("no table: \(table)")
                continue
            }
            #expect(read.rows.first?.cells.count == 1 && read.rows.first?.excess == nil)
            #expect(InlineMarkdown.plainText(cell.text(in: document.source)) == visible, "\(table)")
        }
    }
}
