import MarkdownSyntax
import Testing

@testable import LogDefinitions

/// Nothing that a person meant as a definition may be dropped in silence: a valid run of documents, one line of it damaged as people damage
/// lines. Afterwards the model is the same, or there is a problem within two lines of the damage.
@Suite struct DamageTests {
    /// Documents per way to damage one; in all there are more than a thousand.
    static let documentsPerDamage = 14

    @Test(arguments: Damage.all.enumerated().map { ($0.offset, $0.element) })
    func aDamagedLineChangesNothingOrIsReported(_ seed: Int, _ damage: Damage) async {
        var applied = 0
        for number in 0..<Self.documentsPerDamage * 12 where applied < Self.documentsPerDamage {
            var random = SplitMix(state: UInt64(seed) << 32 | UInt64(number))
            let documents = ValidDocument.run(&random)
            guard let (file, index, lines) = damage.damaged(documents, &random) else { continue }
            applied += 1
            var texts = Dictionary(uniqueKeysWithValues: documents.map { ($0.name, $0.text) })
            let before = await analyse(texts)
            #expect(before.diagnostics.map(\.message) == [], "seed \(seed)/\(number) is valid before")
            texts[file] = lines.joined(separator: "\n") + "\n"
            let after = await analyse(texts)
            let places = after.diagnostics.filter { after.definitions.files[$0.place.file].relativePath == file }.map {
                after.definitions.files[$0.place.file].source.position(at: $0.place.range.lowerBound).line - 1
            }
            let isNear = places.contains { abs($0 - index) <= 2 }
            let isSame = model(of: before.definitions) == model(of: after.definitions)
            #expect(
                isNear || isSame,
                "seed \(seed)/\(number), \(file) line \(index + 1), \(after.diagnostics.map(\.message)) at \(places.map { $0 + 1 }):\n\(texts[file] ?? "")"
            )
        }
        #expect(applied == Self.documentsPerDamage, "\(applied) documents took the damage")
    }

    /// What a document says in prose is never taken for a lost definition.
    @Test(arguments: [
        "Shown when A | B is on the screen.", "#cooking is a tag, and so is #料理.", "Run `cat log | sort | uniq` by hand.", "＃料理 というタグ。",
        "```sh\ncat log | sort\n## no heading\n```", "- first: new\n- second: 人気\n- note: see below", "ホーム｜検索 の画面。", "A\ttab alone.",
        "> A quote with a | in it.", "    let x = a | b\n    // # no heading", "<!-- | column | type | -->", "Either `a|b`\nor `c|d`.",
        "――――", "1. one | two\n2. three", "Costs: !important", "[link]: https://example.com/a|b",
    ])
    func proseIsNotHit(_ prose: String) async {
        let table = "| column | type |\n| --- | --- |\n| recipe_id | int64 |\n"
        for text in [
            "# search\n\n\(prose)\n\n## show\n\n\(table)", "# search\n\n## show\n\n\(prose)\n\n\(table)",
            "# search\n\n## show\n\n\(table)\n\(prose)\n",
            "# search\n\n## show\n\n\(table)\n### History\n\n\(prose)\n",
        ] {
            let analysis = await analyse(["search.md": text])
            #expect(analysis.diagnostics.map(\.message) == [], "\(text)")
        }
    }

    /// Counted by growth: eight times the lines take about eight times as long, and would take sixty-four times.
    @Test(arguments: [
        "- a: !integer\n    - b: said\n    - c: 5 ! x\n", "text | more\n", "> ! a\n", "- a: b\n", "a\tb\n", "<!-- x -->\n\n", "    ! a | b\n",
    ])
    func lookingTakesLinearTime(_ line: String) async {
        func seconds(_ count: Int) async -> Double {
            let text = "# search\n\n## show\n\n" + String(repeating: line, count: count)
            let clock = ContinuousClock()
            var best = Double.infinity
            for _ in 0..<3 {
                let start = clock.now
                _ = await analyse(["search.md": text])
                let duration = start.duration(to: clock.now).components
                best = min(best, Double(duration.seconds) + Double(duration.attoseconds) / 1e18)
            }
            return best
        }
        let (few, many) = (await seconds(500), await seconds(4_000))
        #expect(many / few < 24)
    }

    @Test(arguments: [
        "### History", "### History of changes", "### 補足", "### `recipe_id` と `position` の関係", "### `recipe_id`", "#### Why `other` is not sent here",
        "### show",
    ])
    func headingsOfNotesAreNotHit(_ heading: String) async {
        let text =
            "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| recipe_id | int64 |\n\n\(heading)\n\n| when | what |\n| --- | --- |\n| 2026 | x |\n\na | b\nc | d\n"
        #expect(await analyse(["search.md": text]).diagnostics.map(\.message) == [])
    }
}

/// What documents mean, places aside.
func model(of definitions: Definitions) -> [String] {
    summary(of: definitions)
        + definitions.types.map { type in
            let kind: String =
                switch type.kind {
                case .enumeration(let values): values.map { "\($0.value): \($0.description)" }.joined(separator: ", ")
                case .scalar(let scalar): scalar.notation
                case .external: "external"
                }
            return "type \(type.name) \(kind) \(type.swift ?? "-") \(type.description)"
        }
}

/// A document as lines with what each is for.
struct ValidDocument {
    enum Kind: Equatable { case title, heading, header, delimiter, row, item, description, text, fence, fenceEnd, blank }

    var name: String
    var lines: [(text: String, kind: Kind)] = []

    var text: String { lines.map(\.text).joined(separator: "\n") + "\n" }

    mutating func add(_ text: String, _ kind: Kind) { lines.append((text, kind)) }

    mutating func table(_ rows: [[String]]) {
        for (number, row) in rows.enumerated() {
            add("| " + row.joined(separator: " | ") + " |", number == 0 ? .header : .row)
            if number == 0 { add("| " + row.map { _ in "---" }.joined(separator: " | ") + " |", .delimiter) }
        }
        add("", .blank)
    }

    mutating func prose(_ random: inout SplitMix) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            add("検索結果のレシピが表示された。", .text)
            add("", .blank)
        case 1:
            add("Shown to people, see `a | b` and #cooking.", .text)
            add("", .blank)
        case 2:
            add("```", .fence)
            add("let a = b | c", .text)
            add("```", .fenceEnd)
            add("", .blank)
        default: break
        }
    }

    /// A category, `common.md` and `types.md`.
    static func run(_ random: inout SplitMix) -> [ValidDocument] { [category(&random), common(&random), types(&random)] }

    private static func headers(_ isJapanese: Bool) -> [String] { isJapanese ? ["カラム", "型", "説明"] : ["column", "type", "description"] }
    private static func details(_ isJapanese: Bool) -> [[String]] {
        isJapanese ? [["キー", "値"], ["担当", "@team"], ["追加", "1.0"]] : [["key", "value"], ["owner", "@team"], ["since", "1.0"]]
    }

    private static func category(_ random: inout SplitMix) -> ValidDocument {
        var document = ValidDocument(name: "search.md")
        let isJapanese = Bool.random(using: &random)
        document.add(isJapanese ? "# 検索 `search`" : "# search", .title)
        document.add("", .blank)
        document.prose(&random)
        if Bool.random(using: &random) { document.table(details(isJapanese)) }
        var columns: [(String, String)] = [
            ("recipe_id", "int64"), ("position", "int(0...)?"), ("keyword", "string(64)"), ("order", "SortOrder"), ("size", "enum(a, b)"),
        ]
        columns.shuffle(using: &random)
        let form = Int.random(in: 0..<3, using: &random)
        if form == 1 {
            var rows = [[isJapanese ? "イベント" : "event"] + headers(isJapanese)]
            for event in ["show", "hide", "open_all"] {
                for (number, column) in columns.prefix(Int.random(in: 1...3, using: &random)).enumerated() {
                    rows.append([number == 0 ? event : "", column.0, column.1, "説明 \(number)"])
                }
            }
            document.table(rows)
            return document
        }
        for event in ["show", "hide_recipe", "clear"] {
            document.add(isJapanese ? "## 表示 `\(event)`" : "## \(event)", .heading)
            document.add("", .blank)
            document.prose(&random)
            if Bool.random(using: &random) { document.table(details(isJapanese)) }
            let own = columns.prefix(Int.random(in: 1...4, using: &random))
            if form == 0 {
                document.table([headers(isJapanese)] + own.map { [$0.0, $0.1, "説明"] })
            } else {
                let types = ["recipe_id": "!bigint", "position": "!integer?", "keyword": "!string 64", "order": "!double", "size": "!boolean"]
                for column in own {
                    document.add("- \(column.0): \(types[column.0] ?? "!date")", .item)
                    if Bool.random(using: &random) { document.add("    - 説明", .description) }
                }
                document.add("", .blank)
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                document.add("### History", .text)
                document.add("", .blank)
                document.add("Since the beginning: a | b.", .text)
                document.add("", .blank)
            }
        }
        return document
    }

    private static func common(_ random: inout SplitMix) -> ValidDocument {
        var document = ValidDocument(name: "common.md")
        document.add("# common", .title)
        document.add("", .blank)
        document.prose(&random)
        let isJapanese = Bool.random(using: &random)
        let columns = [
            ["user_id", "int64?", "ID"], ["device", "string(32)", "端末"], ["locale", "string(35 bytes)", ""], ["is_premium", "bool", "x"],
        ]
        document.table([headers(isJapanese)] + columns.prefix(Int.random(in: 2...4, using: &random)))
        return document
    }

    private static func types(_ random: inout SplitMix) -> ValidDocument {
        var document = ValidDocument(name: "types.md")
        document.add("# types", .title)
        document.add("", .blank)
        document.prose(&random)
        let isJapanese = Bool.random(using: &random)
        document.add("## SortOrder", .heading)
        document.add("", .blank)
        document.prose(&random)
        document.table([[isJapanese ? "値" : "value", isJapanese ? "説明" : "description"], ["newest", "新着順"], ["popular", "人気順"], ["near", ""]])
        document.add("## RecipeID: int64", .heading)
        document.add("", .blank)
        document.add("## Device", .heading)
        document.add("", .blank)
        document.table([["key", "value"], ["swift", "Kitchen.Device"]])
        return document
    }
}

/// One way in which people damage a line.
struct Damage: Sendable, CustomTestStringConvertible {
    var name: String
    private var kinds: [ValidDocument.Kind]
    /// The lines that take the damaged one's place; nil if it cannot be damaged so.
    private var change: @Sendable (String) -> [String]?

    var testDescription: String { name }

    init(_ name: String, _ kinds: ValidDocument.Kind..., change: @escaping @Sendable (String) -> [String]?) {
        self.name = name
        self.kinds = kinds
        self.change = change
    }

    func damaged(_ documents: [ValidDocument], _ random: inout SplitMix) -> (file: String, line: Int, lines: [String])? {
        var candidates: [(Int, Int)] = []
        for (number, document) in documents.enumerated() {
            for (index, line) in document.lines.enumerated() where kinds.contains(line.kind) { candidates.append((number, index)) }
        }
        while let (number, index) = candidates.randomElement(using: &random) {
            var lines = documents[number].lines.map(\.text)
            if let new = change(lines[index]), new != [lines[index]] {
                lines.replaceSubrange(index...index, with: new)
                return (documents[number].name, index, lines)
            }
            candidates.removeAll { $0 == (number, index) }
        }
        return nil
    }

    private static func replacing(_ old: String, _ new: String) -> @Sendable (String) -> [String]? {
        { line in line.contains(old) ? [String(line.map { String($0) == old ? new : String($0) }.joined())] : nil }
    }

    private static func cells(_ line: String) -> [String] {
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func before(_ prefix: String) -> @Sendable (String) -> [String]? { { [prefix + $0] } }

    private static func marks(_ change: @escaping @Sendable (String, String) -> String) -> @Sendable (String) -> [String]? {
        { line in
            let marks = line.prefix { $0 == "#" }
            return [change(String(marks), String(line.dropFirst(marks.count + 1)))]
        }
    }

    static let all: [Damage] = [
        // The row of hyphens
        Damage("the row of hyphens is missing", .delimiter) { _ in [] },
        Damage("the row of hyphens has a cell more", .delimiter) { [$0 + " --- |"] },
        Damage("the row of hyphens has a cell less", .delimiter) { cells($0).count > 1 ? [String($0.dropLast(6))] : nil },
        Damage("em dashes for hyphens", .delimiter, change: replacing("-", "—")),
        Damage("en dashes for hyphens", .delimiter, change: replacing("-", "–")),
        Damage("horizontal bars for hyphens", .delimiter, change: replacing("-", "―")),
        Damage("long vowel marks for hyphens", .delimiter, change: replacing("-", "ー")),
        Damage("equals signs for hyphens", .delimiter, change: replacing("-", "=")),
        Damage("full-width pipes in the row of hyphens", .delimiter, change: replacing("|", "｜")),
        Damage("one cell of em dashes", .delimiter) { line in [String(line.dropLast(5)) + "—— |"] },
        Damage("the row of hyphens is indented by four", .delimiter, change: before("    ")),
        Damage("a row of hyphens without pipes", .delimiter) { line in ["----------"] },
        Damage("the row of hyphens twice", .delimiter) { [$0, $0] },
        Damage("the row of hyphens with commas", .delimiter) { ["| " + cells($0).joined(separator: " , ") + " |"] },
        // Blank lines
        Damage("an empty line below the headers", .header) { [$0, ""] },
        Damage("an empty line below the row of hyphens", .delimiter) { [$0, ""] },
        Damage("an empty line above a row", .row) { ["", $0] },
        Damage("a line of a full-width space above a row", .row) { ["\u{3000}", $0] },
        // Headers and rows
        Damage("the headers are missing", .header) { _ in [] },
        Damage("headers indented by a tab", .header, change: before("\t")),
        Damage("headers indented by four", .header, change: before("    ")),
        Damage("a row indented by a tab", .row, change: before("\t")),
        Damage("a row indented by four", .row, change: before("    ")),
        Damage("headers parted by tabs", .header) { [cells($0).joined(separator: "\t")] },
        Damage("a row parted by tabs", .row) { [cells($0).joined(separator: "\t")] },
        Damage("headers parted by full-width pipes", .header, change: replacing("|", "｜")),
        Damage("a row parted by full-width pipes", .row, change: replacing("|", "｜")),
        Damage("a row's first inner pipe is full-width", .row) { line in
            let parts = cells(line)
            return parts.count > 1 ? ["| \(parts[0]) ｜ " + parts.dropFirst().joined(separator: " | ") + " |"] : nil
        },
        Damage("a row's last inner pipe is full-width", .row) { line in
            let parts = cells(line)
            return parts.count > 1 ? ["| " + parts.dropLast().joined(separator: " | ") + " ｜ \(parts[parts.count - 1]) |"] : nil
        },
        Damage("a row of box-drawing lines", .row, change: replacing("|", "│")),
        Damage("headers of box-drawing lines", .header, change: replacing("|", "│")),
        Damage("a row with escaped pipes", .row) { [$0.map { $0 == "|" ? "\\|" : String($0) }.joined()] },
        Damage("headers with escaped pipes", .header) { [$0.map { $0 == "|" ? "\\|" : String($0) }.joined()] },
        Damage("a row without pipes", .row) { [cells($0).joined(separator: " ")] },
        Damage("headers without pipes", .header) { cells($0).count > 1 ? [cells($0).joined(separator: " ")] : nil },
        Damage("headers without a pipe between two", .header) { line in
            let parts = cells(line)
            return parts.count > 1 ? ["| \(parts[0]) " + parts.dropFirst().joined(separator: " | ") + " |"] : nil
        },
        Damage("headers with a cell more", .header) { [$0 + " x |"] },
        Damage("a row in a quote", .row, change: before("> ")),
        Damage("headers in a quote", .header, change: before("> ")),
        Damage("a row in a list", .row, change: before("- ")),
        Damage("headers in a list", .header, change: before("- ")),
        Damage("a row behind a full-width space", .row, change: before("\u{3000}")),
        Damage("headers behind a zero-width space", .header, change: before("\u{200B}")),
        Damage("a row in HTML", .row) { ["<tr>" + cells($0).map { "<td>\($0)</td>" }.joined() + "</tr>"] },
        Damage("headers in HTML", .header) { ["<table><tr>" + cells($0).map { "<th>\($0)</th>" }.joined() + "</tr>"] },
        Damage("a row broken in two", .row) { line in
            let parts = cells(line)
            return parts.count > 1 && !parts[parts.count - 1].isEmpty
                ? ["| " + parts.dropLast().joined(separator: " | ") + " |", parts[parts.count - 1] + " |"] : nil
        },
        Damage("a row with a pipe too many at its start", .row, change: before("|")),
        Damage("a row with a pipe too many at its end", .row) { [$0 + "|"] },
        Damage("a row without its first pipe", .row) { [String($0.dropFirst(2))] },
        Damage("a row without its last pipe", .row) { [String($0.dropLast(2))] },
        Damage("a row twice", .row) { [$0, $0] },
        Damage("a header misspelt", .header) { line in
            let parts = cells(line)
            return ["| \(parts[0])x | " + parts.dropFirst().joined(separator: " | ") + " |"]
        },
        // Headings
        Damage("no blank in a heading", .heading, .title, change: marks { $0 + $1 }),
        Damage("full-width marks of a heading", .heading, .title, change: marks { String(repeating: "＃", count: $0.count) + " " + $1 }),
        Damage("a full-width space in a heading", .heading, .title, change: marks { $0 + "\u{3000}" + $1 }),
        Damage("full-width marks and space", .heading, .title, change: marks { String(repeating: "＃", count: $0.count) + "\u{3000}" + $1 }),
        Damage("a no-break space in a heading", .heading, .title, change: marks { $0 + "\u{A0}" + $1 }),
        Damage("a zero-width space before a heading", .heading, .title, change: before("\u{200B}")),
        Damage("a full-width space before a heading", .heading, .title, change: before("\u{3000}")),
        Damage("a heading one deeper", .heading, .title, change: marks { $0 + "# " + $1 }),
        Damage("a heading two deeper", .heading, .title, change: marks { $0 + "## " + $1 }),
        Damage("a heading one higher", .heading, change: marks { $0.dropFirst() + " " + $1 }),
        Damage("a heading indented by four", .heading, .title, change: before("    ")),
        Damage("a heading indented by a tab", .heading, .title, change: before("\t")),
        Damage("an escaped heading", .heading, .title, change: before("\\")),
        Damage("a heading in a quote", .heading, change: before("> ")),
        Damage("a heading in a list", .heading, change: before("- ")),
        // Lists
        Damage("an item without `!`", .item) { [$0.replacingFirst("!", "")] },
        Damage("an item without a blank", .item) { ["-" + $0.dropFirst(2)] },
        Damage("an item without its marker", .item) { [String($0.dropFirst(2))] },
        Damage("a full-width colon", .item) { [$0.replacingFirst(":", "：")] },
        Damage("a full-width exclamation mark", .item) { [$0.replacingFirst("!", "！")] },
        Damage("an item without its colon", .item) { [$0.replacingFirst(":", "")] },
        Damage("an item indented by two", .item, change: before("  ")),
        Damage("an item indented by four", .item, change: before("    ")),
        Damage("an item indented by a tab", .item, change: before("\t")),
        Damage("another marker", .item) { ["*" + $0.dropFirst()] },
        Damage("a Japanese bullet", .item) { ["・" + $0.dropFirst(2)] },
        Damage("a dash for the marker", .item) { ["– " + $0.dropFirst(2)] },
        Damage("an item in a quote", .item, change: before("> ")),
        // What is never closed, and merges
        Damage("a fence that is not closed", .fenceEnd) { _ in [] },
        Damage("a fence without its first line", .fence) { _ in [] },
        Damage("a fence before a heading", .heading) { ["```", $0] },
        Damage("a comment before a heading", .heading) { ["<!-- later", $0] },
        Damage("the mark of a merge", .row, .item, .heading) { ["<<<<<<< HEAD", $0] },
        Damage("the end of a merge", .row, .item, .heading) { [">>>>>>> other", $0] },
        // Nothing is wrong
        Damage("a row indented by one", .row, .header, .delimiter, change: before(" ")),
        Damage("blanks at the end", .row, .header, .delimiter, .heading, .item) { [$0 + "  "] },
        Damage("more hyphens", .delimiter, change: replacing("-", "--")),
        Damage("an empty line above a heading", .heading) { ["", $0] },
        Damage("no empty line above what follows", .blank) { _ in [] },
    ]
}

extension String {
    fileprivate func replacingFirst(_ old: Character, _ new: String) -> String {
        guard let index = firstIndex(of: old) else { return self }
        return self[..<index] + new + self[self.index(after: index)...]
    }
}
