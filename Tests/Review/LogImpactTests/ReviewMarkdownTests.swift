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

    private static func visible(_ markdown: String) -> String { InlineMarkdown.plainText(markdown) }

    private static func visibleCell(_ markdown: String) throws -> String {
        let document = MarkdownDocument(SourceText(Array("| a |\n| --- |\n| \(markdown) |\n".utf8)))
        guard case .table(let read)? = document.blocks.first?.content else { return "no table" }
        let row = try #require(read.rows.first)
        #expect(row.cells.count == 1 && row.excess == nil, "\(markdown)")
        return InlineMarkdown.plainText(row.cells[0].text(in: document.source))
    }

    @Test("Quoted strings are visible as they are, in running text and in cells")
    func quotedStrings() throws {
        for text in Self.strings(2_000) {
            let sentence = "loses \(text.asCode), and more"
            let expected = "loses \(text), and more"
            #expect(Self.visible(sentence.escapedMarkdown()) == expected)
            #expect(try Self.visibleCell(sentence.escapedMarkdown(inCell: true)) == expected)
        }
    }

    @Test("A sentence shows all characters except backquotes and blanks, and is no markup, however it is quoted")
    func hostileSentences() throws {
        func rest(_ text: String) -> String { text.filter { $0 != "`" && $0 != " " } }
        for text in Self.strings(2_000) {
            for markdown in [text.escapedMarkdown(), "loses `\(text)` now".escapedMarkdown()] {
                #expect(rest(Self.visible(markdown)).contains(rest(text)), "\(markdown)")
                // Only code contains the sign with a name.
                let words = markdown.split(separator: "`", omittingEmptySubsequences: false)
                #expect(words.count > 1 || !markdown.contains("@ana"), "\(markdown)")
            }
            #expect(try rest(Self.visibleCell(text.escapedMarkdown(inCell: true))) == rest(text), "\(text)")
        }
    }
}
