import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions

@Suite struct TableFormattingTests {
    private func format(_ source: SourceText) -> [UInt8] {
        DocumentFormatter.format(source) { _ in true }
    }

    private func format(_ text: String) -> String {
        String(decoding: format(SourceText(Array(text.utf8))), as: UTF8.self)
    }

    /// A fuzzer found this. Formatting would pad the cells of the second delimiter row and make it an ordinary row.
    @Test("A table with a second delimiter row is unchanged") func tableWithASecondDelimiterRowIsUnchanged() {
        let text =
            "| column | type | example |\n|-|-|-|\n| a | int | |\n| column | type |\n| --- | --- |\n| b | int |\n"
        #expect(format(text) == text)
    }

    @Test(
        "Tables are aligned",
        arguments: [
            (
                "| column | type |\n|-|-|\n|recipe_id|int64|\n| 名前|string(256)?|\n",
                "| column    | type         |\n| --------- | ------------ |\n| recipe_id | int64        |\n| 名前      | string(256)? |\n"
            ),
            ("a|b\n-|-\n1|2", "| a   | b   |\n| --- | --- |\n| 1   | 2   |\n"),
            (
                "|left|center|right|none|\n|:-|:-:|-:|---|\n|1|1|1|1|\n|ひだり|まんなか|みぎ|なし|\n",
                "| left   |  center  | right | none |\n| :----- | :------: | ----: | ---- |\n| 1      |    1     |     1 | 1    |\n"
                    + "| ひだり | まんなか |  みぎ | なし |\n"
            ),
            (
                "| a | b | c |\n|-|-|-|\n| 1 |\n||\n",
                "| a   | b   | c   |\n| --- | --- | --- |\n| 1   |     |     |\n|     |     |     |\n"
            ),
            (
                "| a | b |\n|-|-|\n| x \\| y | `p\\|q` |\n| c:\\ | \\\\ |\n",
                "| a      | b      |\n| ------ | ------ |\n| x \\| y | `p\\|q` |\n| c:\\    | \\\\     |\n"
            ),
            ("  | a |\n   |-|\n  | 🍳👨‍👩‍👧 |\t\n| ｶﾞ |  \n", "| a    |\n| ---- |\n| 🍳👨‍👩‍👧 |\n| ｶﾞ   |\n"),
            (
                "text\n| a |\n| - |\n| b |\n***\nafter\n| c |\n| - |\n---\n",
                "text\n| a   |\n| --- |\n| b   |\n***\nafter\n| c   |\n| --- |\n---\n"
            ),
        ])
    func tablesAreAlignedByDisplayWidth(_ text: String, _ expected: String) {
        #expect(format(text) == expected)
        #expect(format(expected) == expected)
    }

    @Test(
        "Everything else is unchanged",
        arguments: [
            "```\n| a | b |\n|-|-|\n|1|2|\n```\n", "    | a | b |\n    |-|-|\n", "> | a | b |\n> |-|-|\n> |1|2|\n",
            "- | a | b |\n  |-|-|\n  |1|2|\n",
            "<div>\n| a | b |\n|-|-|\n</div>\n", "| a | b |\n|-|-|-|\n",
            "#  見出し  #\n\n*  item\n\n\n\ntext  \ntrailing\n",
            "",
            "| a |\n|-|\n| 1 | lost |\n",
            "| a |\n|-|\n| 1 |  | |\n", "[a]: /b\n---\n---|\n-:|\n",
            "| a |\n|-|\n\u{0B}x |\n",
        ])
    func everythingElseIsUnchanged(_ text: String) {
        #expect(format(text) == text)
    }

    @Test(
        "Line endings are kept, and the last line gets one",
        arguments: [
            ("text", "text\n"), ("text\n\n\n", "text\n"), ("\n\n", ""), ("a\r\nb", "a\r\nb\r\n"),
            ("a\rb\r\r", "a\rb\r"),
            ("text\n  \n", "text\n  \n"),
            ("|a|\r\n|-|\r\n|1|", "| a   |\r\n| --- |\r\n| 1   |\r\n"),
            ("|a|\n|-|\r\n|1|\r", "| a   |\n| --- |\r\n| 1   |\n"),
        ])
    func lineEndsAreKeptAndTheLastLineHasOne(_ text: String, _ expected: String) {
        #expect(format(text) == expected)
        #expect(format(expected) == expected)
    }

    @Test("A very long cell does not widen its column") func aVeryLongCellDoesNotWidenItsColumn() {
        let long = String(repeating: "長", count: 500)
        #expect(
            format("|a|b|\n|-|-|\n|1|\(long)|\n|22|333333|\n")
                == "| a   | b      |\n| --- | ------ |\n| 1   | \(long) |\n| 22  | 333333 |\n")
    }

    @Test("A table that would grow too large is unchanged") func aTableThatWouldGrowOutOfBoundsIsLeftAlone() {
        let wide = "|" + String(repeating: "a|", count: 2_000) + "\n|" + String(repeating: "-|", count: 2_000) + "\n"
        let text = wide + String(repeating: "|1|\n", count: 2_000)
        #expect(format(text) == text)
    }

    /// The model contains notes as written.
    @Test("Tables in notes are unchanged") func tablesInNotesStayAsTheyAre() async {
        let documents = [
            "c.md":
                "# c\n\n## e\n\n| column | type |\n| ------ | ---- |\n| a      | int  |\n\n|値|説明|\n|-|-|\n|1|one|\n\n### Notes\n\n|column|type|\n|-|-|\n|b|int|\n",
            "types.md": "# types\n\n## Kind\n\n| value |\n| ----- |\n| a     |\n\n|column|type|\n|-|-|\n|b|int|\n",
        ]
        #expect(await formatted(documents) == documents)
    }

    @Test("Invalid UTF-8 is unchanged") func invalidUTF8IsLeftAlone() {
        let bytes: [UInt8] = Array("|a|\n|-|\n|".utf8) + [0xFF, 0x7C]
        #expect(format(SourceText(bytes)) == bytes)
    }

    @Test("Random tables keep their cells and need no second pass", arguments: 0..<Depth.cases(1, deep: 6))
    func randomTablesKeepTheirCellsAndNeedNoSecondPass(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            let text = Self.randomDocument(&random)
            let before = SourceText(Array(text.utf8))
            let once = format(before)
            let after = SourceText(once)
            let isSame = Self.structure(of: after) == Self.structure(of: before)
            #expect(isSame, "\(text.debugDescription)")
            let isStable = format(after) == once
            #expect(isStable, "\(text.debugDescription)")
        }
    }

    @Test("Aligned tables are rectangles", arguments: 0..<Depth.cases(1, deep: 3))
    func alignedTablesAreRectangles(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) &+ 1_000)
        let parts = ["a", "レシピ", "🍳", "ｶﾞ", "👍🏽", "\\|", "`x`", " ", "一二", "❤️"]
        for _ in 0..<100 {
            let width = Int.random(in: 1...5, using: &random)
            let row = { (random: inout SeededGenerator) in
                "|"
                    + (0..<width).map { _ in (0..<3).map { _ in parts.randomElement(using: &random) ?? "" }.joined() }
                    .joined(
                        separator: "|") + "|\n"
            }
            let text = row(&random) + "|" + String(repeating: "-|", count: width) + "\n" + row(&random) + row(&random)
            let lines = format(text).split(separator: "\n")
            #expect(lines.count == 4)
            #expect(Set(lines.map { DisplayWidth.of(String($0)) }).count == 1, "\(text.debugDescription)")
        }
    }

    private static func structure(of source: SourceText) -> [String] {
        MarkdownDocument(source).blocks.map { block in
            switch block.content {
            case .table(let table):
                let rows = ([table.header] + table.rows).map { row in
                    // Cells that a row lacks are empty.
                    (0..<table.alignments.count).map { $0 < row.cells.count ? row.cells[$0].text(in: source) : "" }
                        .joined(separator: "¦")
                        + (row.excess.map { "+" + source.string($0) } ?? "")
                }
                return "table \(table.alignments) " + rows.joined(separator: "⏎")
            default: return source.string(block.range)
            }
        }
    }

    private static func randomDocument(_ random: inout SeededGenerator) -> String {
        let cells = [
            "", " ", "a", "recipe_id", " 名前 ", "\\|", "`a\\|b`", "🍳", "👨‍👩‍👧", "ｶﾞ", "\\", "\\\\", "\t", "[x](y)", "<br>",
            "---", "- x", "> q",
            "# h", "*e*", "&amp;", "　",
        ]
        let others = [
            "", "text", "## head", "---", "- item", "> quote", "```", "    code", "<div>", "| not | table |", "===",
            "[a]: /b",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                text += (others.randomElement(using: &random) ?? "") + "\n"
            }
            let width = Int.random(in: 1...4, using: &random)
            for line in 0..<Int.random(in: 2...5, using: &random) {
                let isRagged = line > 1 && Int.random(in: 0..<4, using: &random) == 0
                let count = isRagged ? Int.random(in: 0...(width + 1), using: &random) : width
                let cells = (0..<count).map { _ in
                    line == 1
                        ? ["-", ":-", "-:", ":-:", " --- "].randomElement(using: &random) ?? "-"
                        : cells.randomElement(using: &random) ?? ""
                }
                let pipes = Int.random(in: 0..<8, using: &random)
                text += String(repeating: " ", count: Int.random(in: 0..<12, using: &random) / 9)
                text += (pipes == 0 ? "" : "|") + cells.joined(separator: "|") + (pipes == 1 ? "" : "|")
                text += Int.random(in: 0..<9, using: &random) == 0 ? "\r\n" : "\n"
            }
        }
        return text
    }

    @Test("A byte order mark is kept") func aByteOrderMarkIsKept() async {
        let source = SourceText([0xEF, 0xBB, 0xBF] + Array("# c\n\n## e\n\n|column|type|\n|-|-|\n|a|int|\n".utf8))
        let analysis = await Analysis.run([SourceFile(path: "c.md", relativePath: "c.md", source: source)])
        let files = await DefinitionFormatter.format(analysis)
        #expect(files.first?.bytes.starts(with: [0xEF, 0xBB, 0xBF, 0x23]) == true)
    }

    @Test(
        "Formatting random documents with mistakes preserves their meaning and mistakes",
        arguments: 0..<Depth.cases(1, deep: 4))
    func formattingRandomDocumentsKeepsMeaningAndMistakes(_ seed: Int) async {
        let pieces = [
            "## event1", "## [obsolete] event2", "## 表示 `event3`", "## event4\nRight below.", "### Notes", "Some text.",
            "---", "> quote", "- a: !integer", "- plain item\n    - one", "| key | value |\n|-|-|\n| owner | @a |",
            "| column | type |\n|-|-|\n| n | int |",
            "| column | type | 備考 |\n|:-|-:|:-:|\n| o | string(3) | \\| |\n| p | Kind |",
            "| x | y |\n|-|-|\n| 1 | 2 | 3 |", "```\n- q: !integer\n```", "    - r: !integer",
            "<!--\n| column | type |\n|-|-|\n-->", "[s]: /t",
        ]
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<60 {
            let body = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                (pieces.randomElement(using: &random) ?? "")
                    + (Int.random(in: 0..<3, using: &random) == 0 ? "\n" : "\n\n")
            }
            let documents = ["c.md": "# c\n\n" + body.joined()]
            let before = await analyse(documents)
            let result = await formatted(documents)
            let after = await analyse(result)
            #expect(summary(of: before.definitions) == summary(of: after.definitions), "\(documents)")
            let mistakes = [before, after].map { $0.diagnostics.map(\.rule.name).sorted() }
            #expect(mistakes[0] == mistakes[1], "\(documents)")
            #expect(await formatted(result) == result, "\(documents)")
        }
    }
}
