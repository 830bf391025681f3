import MarkdownSyntax
import Testing
import TestSupport

/// Tests that count work instead of time where they can: the values that are kept.
@Suite struct LinearWork {
    @Test(
        "Parsing a repeated part takes linear work",
        arguments: [
            "|a\n|-\n|\n", "|a\n|-\n2. x\n", "|a\n|-\n2. x\n\n", "|a\n|-\n---\n", "|a\n|-\n    b\n", "> |a\n> |-\nb\n",
            "- |a|\n  |-|\n  2. x\n",
            "|a\n|-\n    b\n|\n", "|a\n|-\n<b>x\n", "|-|-|\n", "[a]: /b\n===\n", "[a]: /b\n", "- [a]: /b\n\n\n", "|\n",
            "|", "> ", "- ", "* ", "`` ` ",
            "# `a` b\n",
            "<a b='c' ",
            "<b>\n|a\n|-\n",
        ])
    func repeatedPartTakesLinearWork(part: String) {
        let growth = Growth.ofFourTimes(40_000) { size in
            let source = SourceText(Array(String(repeating: part, count: size / part.utf8.count).utf8))
            #expect(MarkdownDocument(source).blocks.count <= source.bytes.count)
        }
        #expect(growth < 9)
    }

    @Test("Short rows of a wide table keep only their own cells")
    func shortRowsOfAWideTableKeepOnlyTheirOwnCells() throws {
        let columns = Depth.limit(20_000, deep: 60_000)
        let rows = Depth.limit(1_000, deep: 2_000)
        let text = DocumentText(
            String(repeating: "|a", count: columns) + "\n" + String(repeating: "|-", count: columns) + "\n"
                + String(repeating: "b\n", count: rows))
        let table = try #require(text.tables.first)
        #expect(table.header.cells.count == columns)
        #expect(table.rows.count == rows)
        #expect(table.rows.allSatisfy { $0.cells.count == 1 })
    }

    @Test("Excess cells are kept as one range") func excessCellsAreKeptAsOneRange() throws {
        let text = DocumentText("|a|\n|-|\n" + String(repeating: "|b", count: 60_000))
        let row = try #require(text.tables.first?.rows.first)
        #expect(row.cells.count == 1)
        #expect(row.excess?.count == 59_999 * 2 - 1)
    }

    @Test("Deep nesting is not recursive", arguments: ["> ", "- ", "1. "])
    func deepNestingIsNotRecursive(marker: String) {
        let text = DocumentText(String(repeating: marker, count: 100_000) + "|a|")
        #expect(text.document.blocks.count == 1)
    }

    @Test("Deep emphasis in a heading is not recursive") func deepEmphasisInAHeadingIsNotRecursive() throws {
        let depth = 20_000
        let text = DocumentText(
            "# " + String(repeating: "*a **a ", count: depth) + "b" + String(repeating: "** *", count: depth))
        #expect(try #require(text.headings.first).text.contains("b"))
    }
}
