import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions

/// Tests of definitions next to HTML. In CommonMark, an HTML block usually continues until a blank line.
@Suite struct HTMLTests {
    static let tags = [
        "<br>", "<hr>", "<p>", "</p>", "<a>", "</a>", "<a id=\"tap\"></a>", "<details>", "</details>",
        "<summary>x</summary>", "<div>", "</div>",
        "<div align=\"center\">", "<table>", "</table>", "<tr>", "<td>", "<ul>", "<li>", "<ol>", "<h2>", "<section>",
        "<center>", "<blockquote>",
        "<form>", "<span>", "</span>", "<b>", "<del>", "<img src=\"a.png\">", "<br/>", "<custom-tag>", "<pre>",
        "</pre>", "<script>", "<style>",
        "<textarea>", "<!-- note -->", "<!-- a --><!-- b -->", "<?php", "<!DOCTYPE html>", "<![CDATA[",
    ]
    static let documents = Depth.cases(1, deep: 6)
    static let step = Depth.limit(9, deep: 3)

    @Test(
        "A tag on a separate line changes nothing, or there is a diagnostic within two lines",
        arguments: tags.enumerated().map { ($0.offset, $0.element) })
    func tagChangesNothingOrIsReported(_ seed: Int, _ tag: String) async {
        for number in 0..<Self.documents {
            var random = SeededGenerator(seed: UInt64(number))
            let documents = ValidDocument.run(&random)
            let texts = Dictionary(uniqueKeysWithValues: documents.map { ($0.name, $0.text) })
            let before = model(of: await analyse(texts).definitions)
            let document = documents[number % documents.count]
            // Each tag is inserted at some of the lines, and its neighbors in the list at the others.
            for line in document.lines.indices where line % Self.step == (seed + number) % Self.step {
                var lines = document.lines.map(\.text)
                lines.insert(tag, at: line)
                var changed = texts
                changed[document.name] = lines.joined(separator: "\n") + "\n"
                let after = await analyse(changed)
                let places = after.diagnostics.filter {
                    after.definitions.files[$0.place.file].relativePath == document.name
                }.map {
                    after.definitions.files[$0.place.file].source.position(at: $0.place.range.lowerBound).line - 1
                }
                guard !places.contains(where: { abs($0 - line) <= 2 }) else { continue }
                #expect(
                    before.map(withoutTag) == model(of: after.definitions).map(withoutTag),
                    "\(tag) at line \(line + 1), \(after.diagnostics.map(\.message)) at \(places.map { $0 + 1 }):\n\(changed[document.name] ?? "")"
                )
            }
        }
        func withoutTag(_ text: String) -> String {
            text.filter { $0 != "\n" && $0 != " " }.split(separator: tag.filter { $0 != " " }).joined()
        }
    }

    @Test(
        "A definition inside HTML is an error at its line",
        arguments: [
            (
                "# search\n\n<details>\n## tap\n\n| column | type |\n| --- | --- |\n| size | int |\n", 4,
                "broken-heading"
            ),
            (
                "# search\n\n## tap\n\n| column | type |\n| --- | --- |\n| size | int |\n<br>\n| place | int |\n", 9,
                "broken-table"
            ),
            ("# search\n\n## tap\n\n<hr>\n| key | value |\n| --- | --- |\n| owner | @a |\n", 6, "broken-table"),
            ("# search\n\n## tap\n\ncolumn | type\n--- | ---\nsize | int\n</p>\nplace | int\n", 9, "broken-table"),
            ("# search\n\n## tap\n\n<p>\n- size: !integer\n", 6, "list-column"),
            ("# search\n\n<a id=\"tap\"></a> ## tap\n", 3, "broken-heading"),
            ("# search\n\n## a\n\n<!-- next --> ## tap\n", 5, "broken-heading"),
            ("# search\n\n<div>\nTap `tap`\n---\n", 4, "broken-heading"),
            ("<div>\n# search\n", 2, "broken-heading"),
        ])
    func definitionInHTMLIsAnError(_ text: String, _ line: Int, _ rule: String) async {
        let analysis = await analyse(["search.md": text])
        let source = SourceText(Array(text.utf8))
        let found = analysis.diagnostics.map {
            "\(source.position(at: $0.place.range.lowerBound).line) \($0.rule) \($0.severity)"
        }
        #expect(found == ["\(line) \(rule) error"])
    }

    @Test(
        "The fix for a definition inside HTML resolves the error",
        arguments: [
            "# search\n\n<details>\n## tap\n", "# search\n\n<a id=\"tap\"></a> ## tap\n", "<div>\n# search\n",
            "# search\n\n## tap\n\n<br>\n| column | type |\n| --- | --- |\n| size | int |\n",
            "# search\n\n<?php\n\n## tap\n", "# search\n\n<![CDATA[\n\n## tap\n",
        ])
    func fixResolvesADefinitionInsideHTML(_ text: String) async throws {
        let corrected = try #require(await corrected(text))
        let errors = await analyse(["search.md": corrected]).diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.message) == [])
    }

    @Test(
        "HTML without a definition inside is prose",
        arguments: [
            "<p align=\"center\">\n<img src=\"a.png\">\n</p>",
            "<details>\n<summary>More</summary>\n\nText with a | b.\n\n</details>",
            "<!--\n## old\n\n| column | type |\n-->", "<style>\n#id { color: red }\n</style>", "Press <kbd>#</kbd>.",
            "<b>Note</b> a | b.",
        ])
    func htmlWithoutADefinitionIsProse(_ prose: String) async {
        let table = "| column | type |\n| --- | --- |\n| recipe_id | int64 |\n"
        for text in ["# search\n\n\(prose)\n\n## show\n\n\(table)", "# search\n\n## show\n\n\(table)\n\(prose)\n"] {
            #expect(await analyse(["search.md": text]).diagnostics.map(\.message) == [], "\(text)")
        }
    }
}
