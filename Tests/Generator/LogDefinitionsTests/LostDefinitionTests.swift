import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions

/// Tests of generated mistakes, with the number of those that stay silent, and of corrections applied one by one.
@Suite struct LostDefinitionTests {
    private static let tables: [(file: String, head: String, rows: [[String]])] = [
        ("search.md", "# search\n\n## show\n", [["column", "type"], ["item_id", "int64"], ["is_new", "bool"]]),
        (
            "search.md", "# search\n\n## show\n",
            [["description", "type", "column"], ["the item", "int64", "item_id"], ["", "bool", "is_new"]]
        ),
        ("search.md", "# search\n\n## show\n", [["key", "value"], ["owner", "@search"], ["sampling", "10%"]]),
        (
            "search.md", "# search\n",
            [["event", "column", "type"], ["show", "item_id", "int64"], ["", "is_new", "bool"]]
        ),
        (
            "types.md", "# types\n\n## Order\n",
            [["value", "description"], ["newest", "new ones"], ["popular", "many"]]
        ),
    ]

    private static func padded(_ rows: [[String]], _ separator: String) -> [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: separator)
        }
    }

    private static func joined(_ rows: [[String]], _ separator: String, _ start: String = "", _ end: String = "")
        -> [String]
    {
        rows.map { start + $0.joined(separator: separator) + end }
    }

    private static let exports: [@Sendable ([[String]]) -> [String]] = [
        { joined($0, " | ", "| ", " |") }, { joined($0, " | ") }, { joined($0, "\t") }, { joined($0, ",") },
        { joined($0.map { $0.map { "\"\($0)\"" } }, ",") }, { joined($0, ";") }, { padded($0, "  ") },
        { joined($0, "｜", "｜", "｜") }, { joined($0, " │ ", "│ ", " │") },
        { rows in
            var lines = joined(rows, " | ", "| ", " |")
            lines.insert("|" + rows[0].map { _ in "---" }.joined(separator: "+") + "|", at: 1)
            return lines
        },
        { ["||" + $0[0].joined(separator: "||") + "||"] + joined(Array($0.dropFirst()), "|", "|", "|") },
        { rows in
            let rule = "+" + rows[0].map { _ in "----" }.joined(separator: "+") + "+"
            return [rule] + padded(rows, " | ").flatMap { ["| \($0) |", rule] }
        },
        { rows in
            ["<table>"] + rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>" } + ["</table>"]
        },
    ]

    private static let wrappers: [(first: String, rest: String)] = [
        ("", ""), ("Text.\n", ""), ("> ", "> "), ("- ", "  "), ("- ", "- "), ("- [ ] ", "- [ ] "), ("1. ", "   "),
        ("    ", "    "), ("\t", "\t"), ("<div>\n", ""), ("<!-- x --> ", ""),
    ]

    private func isSilent(_ text: String, _ file: String) async -> Bool {
        await analyse([file: text]).diagnostics.isEmpty
    }

    @Test("At most 38 of 715 pasted exports are silent") func pastedExports() async {
        var silent: [String] = []
        for table in Self.tables {
            for export in Self.exports {
                for (first, rest) in Self.wrappers {
                    let lines = export(table.rows).enumerated().map { ($0.offset == 0 ? first : rest) + $0.element }
                    let text = "\(table.head)\n\(lines.joined(separator: "\n"))\n"
                    if await isSilent(text, table.file) { silent.append(text) }
                }
            }
        }
        #expect(silent.count <= 38, "\(silent.count) silent:\n\(silent.joined(separator: "\n=====\n"))")
    }

    @Test("At most 144 of 568 damaged headings are silent") func damagedHeadings() async {
        let signs = [
            "**", "__", "~~", "~", "==", "\\", "・", "•", "■", "▼", "–", ">", "*", "+", "-", "1.", "[ ]", "//", "%",
        ]
        let damages: [@Sendable (String) -> String] =
            signs.flatMap { sign -> [@Sendable (String) -> String] in
                [{ "\(sign)## \($0)" }, { "\(sign) ## \($0)" }, { "\(sign)\($0)" }]
            } + [
                { "##\($0)" }, { "＃＃ \($0)" }, { "#\u{200B}# \($0)" }, { "##\u{3000}\($0)" }, { "\u{3000}## \($0)" },
                { "    ## \($0)" }, { "\t## \($0)" }, { "<h2>\($0)</h2>" }, { "<b>\($0)</b>" }, { "【\($0)】" },
                { "\($0):" }, { "h2. \($0)" }, { "[obsolete] ## \($0)" }, { "## \($0) ##x" },
            ]
        let table = "| column | type |\n| --- | --- |\n| item_id | int64 |\n"
        let contexts = ["", "It closes.\n\n"].flatMap { text in
            ["close", "Closed `close`"].flatMap { name in
                [table, "| key | value |\n| --- | --- |\n| owner | @a |\n"].map { (text, name, $0) }
            }
        }
        var silent: [String] = []
        for damage in damages {
            for (text, name, table) in contexts {
                let document = "# search\n\n## show\n\nIt opens.\n\n\(damage(name))\n\n\(text)\(table)"
                if await isSilent(document, "search.md") { silent.append(damage(name)) }
            }
        }
        #expect(damages.count * contexts.count == 568)
        #expect(silent.count <= 144, "\(silent.count) silent: \(silent)")
    }

    @Test("Corrections applied one by one end, and lose no definition", arguments: 0..<Depth.cases(6, deep: 30))
    func corrections(_ part: Int) async {
        for number in 0..<10 {
            var random = SeededGenerator(seed: UInt64(part * 10 + number))
            var documents = ValidDocument.run(&random)
            for _ in 0..<3 {
                guard let damage = Damage.all.randomElement(using: &random),
                    let (file, _, lines) = damage.damaged(documents, &random),
                    let index = documents.firstIndex(where: { $0.name == file })
                else { continue }
                let kinds = documents[index].lines.map(\.kind)
                documents[index].lines = lines.enumerated().map {
                    ($0.element, $0.offset < kinds.count ? kinds[$0.offset] : .text)
                }
            }
            var texts = Dictionary(uniqueKeysWithValues: documents.map { ($0.name, $0.text) })
            var seen: Set<[String: String]> = [texts]
            while let (file, corrected, message) = await correction(of: texts) {
                let before = names(await analyse(texts))
                texts[file] = corrected
                let after = names(await analyse(texts))
                #expect(before.allSatisfy { $0.value <= after[$0.key] ?? 0 }, "\(message):\n\(corrected)")
                guard seen.insert(texts).inserted else {
                    Issue.record("a cycle: \(message):\n\(corrected)")
                    break
                }
            }
        }
    }

    @Test("The help of each of many mistakes in a large file is its word") func helpsInALargeFile() async {
        let text = String(repeating: "words ", count: 2_000)
        let rows = (0..<40).map { "| C\($0) | int | \(text) |\n" }.joined()
        let document = "# search\n\n## show\n\n| column | type | description |\n| --- | --- | --- |\n\(rows)"
        let helps = await analyse(["search.md": document]).diagnostics.flatMap(\.notes).map(\.message)
        #expect(helps == (0..<40).map { "write `c\($0)`" })
    }

    /// How often each event, column and type is defined. A corrected heading takes the columns below it from the event
    /// above, so the columns of all events count together.
    private func names(_ analysis: Analysis) -> [String: Int] {
        let events = analysis.definitions.categories.flatMap(\.events)
        let names =
            events.map { "event \($0.name)" } + events.flatMap(\.columns).map { "column \($0.name)" }
            + analysis.definitions.types.map { "type \($0.name)" }
        return names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func correction(of texts: [String: String]) async -> (file: String, text: String, message: String)? {
        let analysis = await analyse(texts)
        for diagnostic in analysis.diagnostics {
            let file = analysis.definitions.files[diagnostic.place.file]
            for edit in diagnostic.notes.compactMap(\.edit) {
                guard let change = diagnostic.change(edit, in: file.source) else { continue }
                var bytes = file.source.bytes
                bytes.replaceSubrange(change.range, with: change.text.utf8)
                return (file.relativePath, String(decoding: bytes, as: UTF8.self), diagnostic.message)
            }
        }
        return nil
    }
}
