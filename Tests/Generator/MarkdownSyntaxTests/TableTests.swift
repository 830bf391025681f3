import MarkdownSyntax
import Testing

@Suite struct Tables {
    @Test(
        "Tables are found",
        arguments: [
            ("| a | b |\n| --- | --- |\n| c | d |", [["a", "b"], ["c", "d"]]),
            ("a | b\n-|-\nc | d\n", [["a", "b"], ["c", "d"]]),
            ("|a|\n|-|\n", [["a"]]),
            ("a\n:-\nb", [["a"], ["b"]]),
            ("| a |\r\n| --- |\r\n| b |\r\n", [["a"], ["b"]]),
            ("| a |\r| --- |\r| b |\r", [["a"], ["b"]]),
            ("\u{FEFF}| a |\n| --- |\n", [["a"]]),
            ("\t| a |\n| --- |\n", []),
            ("|\ta\t|\n|\t---\t|\n|\tb\t|", [["a"], ["b"]]),
            ("| 列 | 型 |\n|---|---|\n| 並び順 | `ListOrder` |", [["列", "型"], ["並び順", "`ListOrder`"]]),
            ("| \0 |\n|-|\n", [["\u{FFFD}"]]),
        ])
    func areFound(text: String, cells: [[String]]) {
        #expect(DocumentText(text).cells == cells)
    }

    @Test(
        "An escaped pipe is resolved",
        arguments: [
            ("\\|", "|"), ("`a \\| b`", "`a | b`"), ("\\\\|", "\\|"), ("a\\b", "a\\b"), ("\\| \\|", "| |"),
            ("日\\|本", "日|本"),
        ])
    func resolveAnEscapedPipe(cell: String, text: String) {
        #expect(DocumentText("|a|\n|-|\n| \(cell) |").cells == [["a"], [text]])
    }

    @Test("Cells keep their source") func giveCellsAsTheyStandInTheSource() throws {
        let text = DocumentText("x\n\n | 名 | `b` |\n | - | - |\n |  c\\|d  |\n")
        let table = try #require(text.tables.first)
        #expect(text.text(table.header.cells[0].range) == "名")
        #expect(text.text(table.header.cells[1].range) == "`b`")
        #expect(text.text(table.rows[0].cells[0].range) == "c\\|d")
        #expect(table.rows[0].cells[0].hasEscapedPipe)
        #expect(table.header.line == 2)
        #expect(table.rows.map(\.line) == [4])
    }

    @Test("Cells that a row lacks are omitted") func missingCellsOfARowAreOmitted() {
        #expect(DocumentText("|a|b|c|\n|-|-|-|\n|d|\n|e||\n").cells == [["a", "b", "c"], ["d"], ["e", ""]])
    }

    @Test("Excess cells keep their source") func keepTheSourceOfExcessCells() throws {
        let text = DocumentText("|a|\n|-|\n|b| c | d |\n|e|\n")
        let table = try #require(text.tables.first)
        #expect(table.rows.map { text.text($0.excess) } == ["c | d", nil])
        #expect(text.cells == [["a"], ["b"], ["e"]])
    }

    @Test("Alignments are read") func readAlignments() {
        let alignments = DocumentText("|a|b|c|d|\n|-|:-|-:|:-:|").tables.first?.alignments
        #expect(alignments == [Table.Alignment.none, .left, .right, .center])
    }

    /// Their rows of hyphens end the comparison with cmark-gfm.
    @Test(
        "Tables in lists and quotes are ignored",
        arguments: ["> |a|\n> |-|", "- |a|\n  |-|", "> |a|\n|-|", "a | b\n- | -\n"])
    func countOnlyOutsideOfListsAndQuotes(text: String) {
        #expect(DocumentText(text).tables.isEmpty)
    }

    /// cmark-gfm counts columns in 16 bits: a longer line is not a row. cmark-gfm takes quadratic time for such lines,
    /// so the comparison with cmark-gfm does not include them.
    @Test("A table has at most 65,535 columns") func haveAtMost65535Columns() {
        func row(_ cell: String, _ columns: Int) -> String { String(repeating: "|" + cell, count: columns) + "\n" }
        #expect(DocumentText(row("a", 65_535) + row("-", 65_535)).tables.first?.header.cells.count == 65_535)
        #expect(DocumentText(row("a", 65_536) + row("-", 65_536)).kinds == ["paragraph"])
        #expect(DocumentText(row("a", 65_536) + "|a|\n|-|\n").kinds == ["paragraph"])
        #expect(DocumentText("|a|\n|-|\n" + row("b", 65_535) + "|c|\n").cells == [["a"], ["b"], ["c"]])
        #expect(DocumentText("|a|\n|-|\n" + row("b", 65_536) + "|c|\n").kinds == ["table", "paragraph"])
    }

    /// Each argument contains the lines after a table and the kinds of blocks that follow the table.
    @Test(
        "A table ends where a block begins",
        arguments: [
            ("\nx", ["paragraph"]), ("- - -", ["thematicBreak"]), ("- x", ["list"]), ("> q", ["quote"]),
            ("# h", ["h1"]), ("```\n|x|\n|-|", ["code"]), ("<div>", ["html"]),
        ])
    func endWhereABlockBegins(after: String, kinds: [String]) {
        let text = DocumentText("|a|\n|-|\n|r|\n" + after)
        #expect(text.kinds == ["table"] + kinds)
        #expect(text.cells == [["a"], ["r"]])
    }

    /// These lines cannot interrupt a paragraph. So libcmark reads them as a part of the table's paragraph.
    @Test(
        "A line that only GFM does not read as a row ends the table",
        arguments: [
            ("---", ["thematicBreak"]), ("===", ["thematicBreak"]),
            ("-", ["thematicBreak"]), ("*", ["paragraph"]), ("2. x", ["paragraph"]),
            ("2. x\n   |a|\n   |-|", ["paragraph"]), ("    code", ["code"]),
            ("\tcode", ["code"]), ("<b>", ["html"]), ("</any-tag  >", ["html"]),
            ("<b>\n|x|\n---", ["html"]), ("|", ["paragraph"]), ("|\n---", ["paragraph"]),
            ("|\n|b|\n|-|", ["paragraph", "table"]),
            ("---\n---", ["thematicBreak", "thematicBreak"]),
            ("    code\n\tcode\n|b|\n|-|", ["code", "table"]),
        ])
    func endAtALineThatIsNoRow(after: String, kinds: [String]) {
        let text = DocumentText("|a|\n|-|\n|r|\n" + after)
        #expect(text.kinds == ["table"] + kinds)
        #expect(text.cells == [["a"], ["r"]])
        #expect(text.document.blocks[1].lines.lowerBound == 3)
    }

    @Test(
        "Any other line continues a table",
        arguments: ["text", "1.x", "1x", "#x", "<b>x", "<b>x</b>", "-x", "``", "[a]: /b", "\u{0B}"])
    func goOnWithAnyOtherLine(line: String) {
        #expect(DocumentText("|a|\n|-|\n\(line)\n|r|").cells.count == 3)
    }

    @Test("The lines before the header are a paragraph") func leaveTheLinesBeforeTheHeaderAsAParagraph() {
        let text = DocumentText("one\ntwo\n|a|\n|-|\n")
        #expect(text.kinds == ["paragraph", "table"])
        #expect(text.blockTexts == ["one\ntwo", "|a|\n|-|"])
        #expect(text.document.blocks.map(\.lines) == [0...1, 2...3])
    }

    /// In GFM, a line outside its container ends a table in it. libcmark reads the line as a part of the paragraph there.
    @Test(
        "A line below a table in a container is a part of that container",
        arguments: [
            ("> |a|\n> |-|\n|b|\n|-|", ["quote"]), ("- |a|\n  |-|\n|b|\n|-|", ["list"]),
            ("> a\n|b|\n|-|", ["quote"]), ("> |a|\n> |-|\n\n|b|\n|-|", ["quote", "table"]),
        ])
    func lineBelowATableInAContainerBelongsToIt(text: String, kinds: [String]) {
        #expect(DocumentText(text).kinds == kinds)
    }
}
