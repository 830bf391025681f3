import MarkdownSyntax
import Testing

@Suite struct Blocks {
    @Test("Blocks have kinds, lines and ranges") func haveKindsLinesAndRanges() {
        let text = DocumentText(
            "# h\n\npara\ngraph  \n\n  - a\n  - b\n\n> q\nlazy\n\n---\n\n    code\n\n```\nx\n\n```\n<!-- c -->\n[a]: /b\n\n[c]: /d\n  'e'\n***\n"
        )
        #expect(
            text.kinds == [
                "h1", "paragraph", "list", "quote", "thematicBreak", "code", "code", "html", "linkReferences",
                "linkReferences",
                "thematicBreak",
            ])
        #expect(
            text.document.blocks.map(\.lines) == [
                0...0, 2...3, 5...6, 8...9, 11...11, 13...13, 15...18, 19...19, 20...20, 22...23, 24...24,
            ])
        #expect(text.blockTexts[1...2] == ["para\ngraph  ", "- a\n  - b"])
        #expect(text.blockTexts[5] == "code")
        #expect(text.blockTexts[7] == "<!-- c -->")
    }

    @Test("An underlined heading ends at its underline") func anUnderlinedHeadingEndsAtItsUnderline() {
        for after in ["", "\n", "\n\nx", "\n[a]: /b", "\nx", "\n---", "\n==="] {
            #expect(DocumentText("a\nb\n===" + after).document.blocks[0].lines == 0...2)
        }
    }

    @Test("A blank document has no blocks", arguments: ["", "\n", " \t\r\n\r", "\u{FEFF}"])
    func blankDocumentHasNoBlocks(text: String) {
        #expect(DocumentText(text).document.blocks.isEmpty)
    }

    @Test("LF, CRLF and CR end lines", arguments: ["\n", "\r\n", "\r"])
    func countLinesByAnyLineEnd(end: String) {
        let text = DocumentText(["# a", "", "\0", "", "|b|", "|-|", "- c", "", "d"].joined(separator: end))
        #expect(text.document.blocks.map(\.lines) == [0...0, 2...2, 4...5, 6...6, 8...8])
        #expect(text.blockTexts == ["# a", "\u{FFFD}", "|b|\(end)|-|", "- c", "d"])
    }

    @Test("A second byte order mark is text") func aSecondByteOrderMarkIsText() {
        #expect(DocumentText("\u{FEFF}\u{FEFF}# a").kinds == ["paragraph"])
        #expect(DocumentText("\u{FEFF}# a").kinds == ["h1"])
    }

    // MARK: Headings

    struct HeadingCase: CustomTestStringConvertible {
        var source: String
        var text: String
        var code: String?
        var before: String
        var after = ""
        var content: String

        var testDescription: String { source }
    }

    @Test(
        "A heading is split at its first code span",
        arguments: [
            HeadingCase(source: "# a", text: "a", before: "a", content: "a"),
            HeadingCase(source: "  ##   a b  ## ", text: "a b", before: "a b", content: "a b"),
            HeadingCase(
                source: "# レシピ `recipe` ", text: "レシピ recipe", code: "recipe", before: "レシピ ", content: "レシピ `recipe`"),
            HeadingCase(
                source: "# `a` b `c`", text: "a b c", code: "a", before: "", after: " b c", content: "`a` b `c`"),
            HeadingCase(
                source: "# &amp; \\* *e* [l](u) ![i](u)", text: "& * e l i", before: "& * e l i",
                content: "&amp; \\* *e* [l](u) ![i](u)"),
            HeadingCase(
                source: "# *x `a` y*", text: "x a y", code: "a", before: "x ", after: " y", content: "*x `a` y*"),
            HeadingCase(source: "# `` a`b ``", text: "a`b", code: "a`b", before: "", content: "`` a`b ``"),
            HeadingCase(source: "a\n`b`\n---", text: "a b", code: "b", before: "a ", content: "a\n`b`"),
            HeadingCase(
                source: "   a\n   `b` c\n===", text: "a b c", code: "b", before: "a ", after: " c",
                content: "a\n   `b` c"),
            HeadingCase(
                source: "a `\n   b ` c\n===", text: "a b c", code: "b", before: "a ", after: " c",
                content: "a `\n   b ` c"),
            HeadingCase(source: "# \\`a `b`", text: "`a b", code: "b", before: "`a ", content: "\\`a `b`"),
            HeadingCase(source: "# ~~old~~", text: "~~old~~", before: "~~old~~", content: "~~old~~"),
            HeadingCase(
                source: "## [obsolete] a_b", text: "[obsolete] a_b", before: "[obsolete] a_b", content: "[obsolete] a_b"
            ),
            HeadingCase(source: "# ##", text: "", before: "", content: ""),
            HeadingCase(source: "#", text: "", before: "", content: ""),
        ])
    func headingIsSplitAtItsFirstCodeSpan(_ expected: HeadingCase) throws {
        let text = DocumentText(expected.source)
        let heading = try #require(text.headings.first)
        #expect(heading.text == expected.text)
        #expect(heading.code?.text == expected.code)
        #expect(heading.before == expected.before)
        #expect(heading.after == expected.after)
        #expect(text.text(heading.range) == expected.content)
        if let code = heading.code { #expect(text.text(code.range) == code.text) }
    }
}
