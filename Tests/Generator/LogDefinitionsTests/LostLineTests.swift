import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions

/// The two rules for lines that no reader consumes: a line that begins with a name and a type is a lost column, and a
/// line that contains only a name, above a table, is a lost heading.
@Suite struct LostLineTests {
    private static let table = "| column | type |\n| --- | --- |\n| recipe_id | int64 |\n"

    /// Returns the rules and lines of the diagnostics of an event's body. Lines count from the body's first line.
    private func found(_ body: String, file: String = "search.md") async -> [(rule: Rule, line: Int)] {
        let title = file == "types.md" ? "# types\n\n## ListOrder\n\n" : "# search\n\n## show\n\n"
        let analysis = await analyse([file: title + body + "\n"])
        return analysis.diagnostics.map { diagnostic in
            let source = analysis.definitions.files[diagnostic.place.file].source
            return (diagnostic.rule, source.position(at: diagnostic.place.range.lowerBound).line - 4)
        }
    }

    @Test(
        "A name and a type in any decoration, with any signs between them, are a lost column",
        arguments: [
            "", "- ", "* ", "+ ", "1. ", "2) ", "・", "• ", "> ", "- [ ] ", "- [x] ", "    ", "\t", "\u{3000}", "■ ",
            "– ",
            "① ", "- > ", "a) ", "@", "$",
        ])
    func lostColumn(_ mark: String) async {
        let names = [
            "item_id", "`item_id`", "**item_id**", "__item_id__", "*item_id*", "<b>item_id</b>", "itemId", "id3",
            "[item_id](#id)", "item\\_id", "\"item_id\"", "“item_id”", "item_id?",
        ]
        let separators = [
            ": ", "：", "\t", "   ", ", ", ",", ";", " ; ", " -> ", " → ", " => ", " – ", " — ", " - ", " = ", "=", " (",
            "（", "\u{A0}\u{A0}", "\u{3000}", ":  !", " / ", " & ", " · ", " ... ", ": <",
        ]
        let types = [
            "int64", "string?", "string(256)", "`date`", "**uuid**", "enum(new, old)", "decimal(6, 2)?", "bool",
        ]
        let rests = ["", " the item", " — the item", ": the item", "。商品", ", the item"]
        var random = SeededGenerator(seed: UInt64(mark.utf8.reduce(7) { $0 * 31 + Int($1) }))
        for _ in 0..<Depth.cases(60, deep: 600) {
            guard let name = names.randomElement(using: &random),
                let separator = separators.randomElement(using: &random),
                let type = types.randomElement(using: &random), let rest = rests.randomElement(using: &random)
            else { return }
            // Indented code with strings is an example of a record.
            if "\t    ".contains(mark), !mark.isEmpty, name.contains("\"") { continue }
            let close = [" (": ")", "（": "）", ": <": ">"][separator] ?? ""
            let line = mark + name + separator + type + close + rest
            for (body, number) in [(line, 1), ("Text.\n\n\(line)", 3), ("\(Self.table)\n\(line)", 5)] {
                let found = await found(body)
                #expect(found.contains { abs($0.line - number) < 2 }, "\(body): \(found)")
            }
        }
    }

    @Test(
        "A mark of retirement, a rule or a sign that hides or moves an event is reported",
        arguments: [
            ("[obsolete] ## hide", Rule.brokenHeading), ("\u{2028}## hide", .brokenHeading),
            ("The user pressed `hide`\n---", .brokenHeading), ("<!-- ## hide", .openBlock), ("~~~## hide", .openBlock),
            ("## [廃止] 古い `hide`", .misplacedMark), ("## ［obsolete］ 古い `hide`", .misplacedMark),
            ("## [obselete] Old `hide`", .misplacedMark), ("## ~Old `hide`~", .misplacedMark),
        ])
    func hiddenEvent(_ line: String, _ rule: Rule) async {
        let found = await found("\(Self.table)\n\(line)\n\nIt was hidden.")
        #expect(found.map(\.rule.name) == [rule.name] && found.first?.line == 5, "\(line): \(found)")
    }

    @Test("A correction keeps the mark of a retired event")
    func keptMarks() async {
        for (line, whole) in [("[obsolete] ## hide", "## [obsolete] hide"), ("## ~hide~", "## ~~hide~~")] {
            let text = "# search\n\n## show\n\n\(line)\n"
            #expect(await corrected(text) == text.replacing(line, with: whole))
        }
    }

    @Test(
        "A cell or table without an effect is reported",
        arguments: [
            ("| column | type | deprecated |\n| --- | --- | --- |\n| a | int | no |\n", Rule.cellValue, 3),
            ("| column | type | 廃止 |\n| --- | --- | --- |\n| a | int | － |\n", .cellValue, 3),
            ("| key | value |\n| --- | --- |\n| deprecated | false |\n", .detailValue, 3),
            ("| event | column | type |\n| --- | --- | --- |\n| hide | a | int |\n", .misplacedTable, 3),
            ("| column | type |\n| --- | --- |\n| a | int |\n~~| b | int |~~\n", .brokenTable, 4),
        ])
    func withoutEffect(_ body: String, _ rule: Rule, _ line: Int) async {
        let found = await found(body)
        #expect(found.map(\.rule.name) == [rule.name] && found.first?.line == line, "\(found)")
    }

    @Test("Values below the title, marks of types and other headers of values have no effect, and are reported")
    func typesWithoutEffect() async {
        let values = "| value | description |\n| --- | --- |\n| a | |\n| b | |\n"
        for (text, rule) in [
            (values, Rule.unknownTable), ("## ~~Order~~\n\n\(values)", .misplacedMark),
            ("## Order\n\n" + values.replacing("description", with: "deprecated"), .headerSpelling),
        ] {
            let analysis = await analyse(["types.md": "# types\n\n" + text])
            #expect(analysis.diagnostics.map(\.rule.name) == [rule.name], "\(analysis.diagnostics)")
        }
    }

    @Test("In a table of events, keys of details are details of the event that the row names")
    func detailsOfEvents() async throws {
        let analysis = await analyse([
            "search.md": "# search\n\n| event | column | type | trigger | sampling | 担当 |\n"
                + "| --- | --- | --- | --- | --- | --- |\n| show | | | screen | 10% | @search |\n"
                + "| | a | int | | | |\n| hide | b | int | screen | | |\n"
        ])
        #expect(analysis.diagnostics.isEmpty)
        let events = try #require(analysis.definitions.categories.first?.events)
        #expect(events.map { $0.trigger?.description } == ["screen", "screen"])
        #expect(events.flatMap(\.columns).flatMap(\.annotations).isEmpty)
        #expect(events[0].details.sampling?.value == 0.1 && events[0].details.owner?.value == "@search")
    }

    @Test(
        "A correction of an enumeration drops no value",
        arguments: [
            ("enum(small, big, …)", "enum(small, big)"), ("enum(small, big, ...)", "enum(small, big)"),
            ("enum(small | big)", nil),
        ])
    func enumerationCorrection(_ type: String, _ meant: String?) async throws {
        let analysis = await analyse([
            "search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | \(type) |\n"
        ])
        let notes = try #require(analysis.diagnostics.first { $0.rule == .typeSyntax }?.notes)
        let help = meant.map { "write `\($0)`" } ?? "a pipe ends the cell: separate the values with commas"
        #expect(notes.map(\.message) == [help])
    }

    @Test("A quotation mark at one end of a value is a warning", arguments: ["enum(x, y`)", "enum(\"a, b\", c)"])
    func halfQuotedValues(_ type: String) async {
        let found = await found("| column | type |\n| --- | --- |\n| a | \(type) |\n")
        #expect(!found.isEmpty && found.allSatisfy { $0.rule == .enumSpelling }, "\(found)")
    }

    @Test("An empty line between headers and hyphens is removed") func emptyLineInATable() async {
        let text = "# search\n\n## show\n\n| column | type |\n\n| --- | --- |\n| a | int |\n"
        #expect(await corrected(text) == text.replacing("type |\n\n", with: "type |\n"))
    }

    @Test("A pipe in a code span is escaped, and not the next one")
    func pipeInCode() async {
        let text =
            "# search\n\n## show\n\n| column | type | example | privacy |\n| --- | --- | --- | --- |\n"
            + "| a | string | `x|y` | personal |\n"
        #expect(await corrected(text, of: .excessCells) == text.replacing("x|y", with: "x\\|y"))
    }

    @Test(
        "A broken row of a table keeps its own message",
        arguments: ["\tsize \tint64", "     :  size      | int64", "| `size`, int64 text", "    size int64"])
    func brokenRow(_ line: String) async {
        let found = await found("\(Self.table)\(line)\n\n\(Self.table)")
        #expect(!found.contains { $0.rule == .listColumn || $0.rule == .brokenHeading }, "\(found)")
        #expect(found.contains { $0.line == 4 }, "\(found)")
    }

    @Test(
        "The help has the name, the type and the description of a lost column",
        arguments: [
            ("item: [int; 1...3]the item", "| item | [int; 1...3] | the item |"),
            ("item: int64\\", "| item | int64 |"), ("<b>item</b> <i>int64</i>", "| item | int64 |"),
            ("- item\\_id: enum(a, b)? — the item", "| item_id | enum(a, b)? | the item |"),
            ("`itemId`: `string(8)`, the item", "| item_id | string(8) | the item |"),
            ("- item: `a` | `b`", "| item | enum(a, b) |"), ("`item`: \"a\" | \"b\"", "| item | enum(a, b) |"),
        ])
    func help(_ line: String, _ row: String) async {
        let analysis = await analyse(["search.md": "# search\n\n## show\n\n\(Self.table)\n\(line)\n"])
        let notes = analysis.diagnostics.flatMap(\.notes).map(\.text)
        #expect(notes == ["add to the column table:\n\(row)"], "\(notes)")
    }

    @Test("A list item with a name and a named type is a lost column, and a sentence is not")
    func namedTypes() async {
        for (line, isColumn) in [
            ("- sort: Order", true), ("`sort` (Order?)", true), ("- sort: Order of results", false),
        ] {
            let found = await analyse([
                "search.md": "# search\n\n## show\n\n\(line)\n", "types.md": "# types\n\n## Order: int64\n",
            ]).diagnostics.map(\.rule.name)
            #expect(found == (isColumn ? ["list-column"] : []), "\(line)")
        }
    }

    @Test("Neighboring columns are one mistake")
    func neighboringColumns() async {
        let lists = [
            "- **item**: int64 — the item\n- **is_new**: bool", "item int64\nis_new bool",
            "> item: int64\n> is_new: bool",
        ]
        for list in lists {
            let found = await found(list)
            #expect(
                found.map(\.rule) == [.listColumn] && found.map(\.line) == [1], "\(list): \(found)")
        }
    }

    @Test(
        "Prose with the name of a type is not a lost column",
        arguments: [
            "The date string is set by the server.", "Sent when the user opens the\npurchase date picker and leaves.",
            "the date of the purchase", "read-only date of the purchase", "- Shown as a string\n- Sent with a date",
            "Format: date of the purchase", "item-string", "e.g. string", "key/string", "商品のstringを送る",
            "a `string` of JSON",
            "```\nitem_id: int64\n```", "    {\n        \"item_id\": \"string\"\n    }", "is double checked",
            "it's string", "https://date.example/int", "values: new | old", "remark: read this | then that",
            "The mode, which is\neither light|dark.", "- open docs|guide", "- mode: [light|dark]", "usage: show | hide",
            "> either: new|old",
        ])
    func prose(_ prose: String) async {
        for body in [prose, "\(prose)\n\n\(Self.table)", "\(Self.table)\n\(prose)"] {
            let found = await found(body)
            #expect(found.isEmpty, "\(body): \(found)")
        }
    }

    @Test("Two plain words, the second of which is an English word and a type, are a warning")
    func warning() async throws {
        let analysis = await analyse(["search.md": "# search\n\n## show\n\npurchase date of the item\n"])
        let diagnostic = try #require(analysis.diagnostics.first)
        #expect(analysis.diagnostics.count == 1 && diagnostic.severity == .warning && diagnostic.rule == .listColumn)
    }

    @Test(
        "A line that contains only a name, above a table, is a lost heading, and the table does not belong to the event above",
        arguments: [
            "**hide**", "__hide__", "`hide`", "**`hide`**", "<h2>hide</h2>", "<b>hide</b>", "【hide】", "「hide」",
            "■ hide", "◆hide",
            "hide:", "hide：", "[hide]", "**Hide `hide`**",
            "Text.\n**hide**",
            "== hide ==", "• hide",
        ])
    func lostHeading(_ line: String) async {
        let details = "| key | value |\n| --- | --- |\n| privacy | personal |\n"
        for body in [
            "Text.\n\n\(line)\n\n", "\(Self.table)\n\(line)\n\n", "\(details)\n\(line)\n\n", "\(details)\n\(line)\n",
        ] {
            // Without an empty line, the table is part of the HTML block.
            for table in [Self.table, details] where body.hasSuffix("\n\n") || !line.hasPrefix("<") {
                let number =
                    body.split(separator: "\n", omittingEmptySubsequences: false).lastIndex { $0.contains("hide") } ?? 0
                let found = await found(body + table)
                #expect(
                    found.map(\.rule) == [.brokenHeading] && found.first?.line == number + 1,
                    "\(body + table): \(found)")
            }
        }
        guard !line.hasPrefix("hide") else { return }
        let values = "| value | description |\n| --- | --- |\n| new | new ones |\n| old | old ones |\n"
        let type = line.split(separator: "hide", omittingEmptySubsequences: false).joined(separator: "HideOrder")
        let inTypes = await found("\(values)\n\(type)\n\n\(values)", file: "types.md")
        #expect(inTypes.map(\.rule) == [.brokenHeading], "\(type): \(inTypes)")
    }

    @Test("A word with a colon above a table of values is a label")
    func labelOfValues() async {
        let found = await found("Note:\n\n| value |\n| --- |\n| new |\n| old |", file: "types.md")
        #expect(found.isEmpty, "\(found)")
    }

    @Test(
        "A label, a sentence and the event's own name above a table are not a lost heading",
        arguments: [
            "**Columns**", "columns:", "Properties:", "`show`", "The columns of `hide`:", "(hide)", "*/hide", "hide;",
            "（hide）", "hide。", "\"hide\"", "@hide", "/hide", "hide", "hide.", "Sent by hide.",
            "- hide\n- show",
            "**Hide the list**", "Columns of hide", "イベント：`hide` の列", "```\nhide\n```", "Columns of `close`",
            "See `close`", "The values of `close`", "**Note**", "**Trigger**", "as `close`", "Replaces `close`",
            "Screen `search`",
        ])
    func noHeading(_ line: String) async {
        for body in [line, "It opens.\n\n\(line)"] {
            let found = await found("\(body)\n\n\(Self.table)")
            #expect(found.isEmpty, "\(body): \(found)")
        }
    }

    private static let details = "| key | value |\n| --- | --- |\n| owner | @shop |\n"

    @Test(
        "A heading behind signs that make it text is an error",
        arguments: [
            "\\#\\# Closed `close`", "・## Closed `close`", "+## Closed `close`", "-## Closed `close`",
            "//## Closed `close`", "**## Closed `close`**", "~~## Closed `close`~~", "_## close_",
        ])
    func headingBehindSigns(_ line: String) async {
        for body in [line, "\(line)\n\n\(Self.table)", "\(line)\n\nIt closes.\n\n\(Self.details)\n\(Self.table)"] {
            let found = await found("It opens.\n\n\(body)")
            #expect(found.contains { $0.rule == .brokenHeading && $0.line == 3 }, "\(body): \(found)")
        }
    }

    @Test(
        "A line with only a name above text and a table is a warning, and the table stays where it is",
        arguments: ["**close**", "【close】", "▼ close"])
    func nameAboveText(_ line: String) async {
        let analysis = await analyse([
            "search.md": "# search\n\n## show\n\nIt opens.\n\n\(line)\n\nIt closes.\n\n\(Self.table)"
        ])
        #expect(analysis.diagnostics.map(\.rule) == [.brokenHeading])
        #expect(analysis.diagnostics.map(\.severity) == [.warning])
        #expect(analysis.definitions.categories.first?.events.first?.columns.map(\.name) == ["recipe_id"])
    }

    @Test("A title with a name in code directly above a table is a warning", arguments: ["Closed", "クローズ"])
    func title(_ title: String) async {
        let analysis = await analyse([
            "search.md": "# search\n\n## show\n\nIt opens.\n\n\(title) `close`\n\n\(Self.table)\n## open\n"
        ])
        #expect(analysis.diagnostics.map(\.rule) == [.brokenHeading])
        #expect(analysis.diagnostics.map(\.severity) == [.warning])
        // A name of the document is a reference.
        #expect(await found("It opens.\n\n\(title) `open`\n\n\(Self.table)\n## open\n").isEmpty)
    }

    @Test(
        "A sentence after a colon is at most a warning",
        arguments: [
            "note: text is cut after 256 characters.", "- gesture: double tap on the row", "- iOS: text field below",
        ])
    func sentence(_ line: String) async {
        let analysis = await analyse(["search.md": "# search\n\n## show\n\n\(Self.table)\n\(line)\n"])
        #expect(!analysis.diagnostics.contains { $0.severity == .error }, "\(analysis.diagnostics.map(\.message))")
    }

    @Test("Details below a note's heading are a warning", arguments: ["Event details", "詳細", "ライフサイクル"])
    func detailsInNotes(_ title: String) async {
        let found = await found("\(Self.table)\n### \(title)\n\n\(Self.details)")
        #expect(found.map(\.rule) == [.misplacedTable], "\(found)")
    }

    @Test("The correction of a heading that is struck with its number signs retires the event")
    func struckHeading() async {
        let analysis = await analyse(["search.md": "# search\n\n## show\n\n~~## Paid `pay`~~\n"])
        let notes = analysis.diagnostics.flatMap(\.notes).map(\.message)
        #expect(notes == ["write `## ~~Paid `pay`~~` as a whole line, without indentation"])
    }
}
