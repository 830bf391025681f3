import MarkdownSyntax
import Testing

@testable import LogDefinitions

/// The values that the detector returns. `DamageTests` and the cases of diagnostics cover the messages.
@Suite struct NearMissDetectorTests {
    private static let table = "| column | type |\n| --- | --- |\n| recipe_id | int64 |\n"

    private func detect(_ body: String) -> (outline: DocumentOutline, nearMisses: NearMisses, source: SourceText) {
        let document = MarkdownDocument(SourceText(Array("# search\n\n## show\n\n\(body)\n".utf8)))
        let outline = DocumentOutline(of: document, kind: .category, file: 0)
        let nearMisses = NearMissDetector(document: document, kind: .category).nearMisses(in: outline)
        return (outline, nearMisses, document.source)
    }

    @Test(
        "A block that the parser reads is not a near miss",
        arguments: [
            table, "- recipe_id: !bigint\n    - Recipe\n", "Text.\n\n| key | value |\n| --- | --- |\n| owner | @a |\n",
        ])
    func consumedBlocksAreNotNearMisses(_ body: String) {
        let found = detect(body).nearMisses
        #expect(found.ofDocument.isEmpty && found.inSections.isEmpty)
    }

    @Test(
        "Each near miss has its kind",
        arguments: [
            ("<div>\n\(table)</div>", "inHTML"), ("<table><tr><td>recipe_id</td></tr></table>", "htmlTable"),
            ("> | recipe_id | int64 |", "tableInQuote"), ("- | recipe_id | int64 |", "tableInList"),
            ("    | recipe_id | int64 |", "indentedRow"), ("\(table)\n| size | int |", "table"),
            ("column, type\nrecipe_id, int64", "pastedTable"), ("owner: @team", "details"),
            ("recipe_id: !integer", "columnLine"), ("\(table)\n- size: !integer", "secondColumnList"),
            ("##hide", "heading"), ("- size: !integer\n<!-- x -->\n    - Size", "detachedDescription"),
        ])
    func kinds(_ body: String, _ kind: String) {
        let found = detect(body).nearMisses.inSections.map { String("\($0)".prefix { $0 != "(" }) }
        #expect(found == [kind])
    }

    @Test("A fence without an end is a near miss of the document")
    func openFence() {
        let found = detect("```\n## hide\n\n\(Self.table)").nearMisses.ofDocument
        guard case .openBlock(let block)? = found.first else {
            Issue.record("\(found)")
            return
        }
        #expect(block.end == "```")
    }

    @Test("A broken heading ends its section, and the table below belongs to that heading")
    func brokenHeadingEndsSection() throws {
        let (outline, nearMisses, source) = detect("Text.\n\n##hide\n\n\(Self.table)")
        let section = try #require(outline.sections.first)
        let end = nearMisses.end(of: section)
        #expect(nearMisses.isDamaged(section))
        #expect(section.blocks[..<end].map { source.string($0.range) } == ["Text."])
    }

    @Test("A row below a blank line names the header line of its table")
    func separatedRowNamesItsTable() {
        #expect(detect("\(Self.table)\n| size | int |").nearMisses.tablesWithLostRows == [4])
    }
}
