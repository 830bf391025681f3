import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions

/// Tests that no part of a definition is dropped silently. One line of valid documents is damaged as people damage
/// lines. Then the model is unchanged, or there is a diagnostic within two lines of the damage.
@Suite struct DamageTests {
    static let documentsPerDamage = Depth.cases(1, deep: 5)

    @Test(
        "A damaged line changes nothing or is reported",
        arguments: Damage.all.enumerated().map { ($0.offset, $0.element) })
    func aDamagedLineChangesNothingOrIsReported(_ seed: Int, _ damage: Damage) async {
        var applied = 0
        for number in 0..<Self.documentsPerDamage * 12 where applied < Self.documentsPerDamage {
            var random = SeededGenerator(seed: UInt64(seed) << 32 | UInt64(number))
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

    @Test(
        "Prose is not reported as a lost definition",
        arguments: [
            "Shown when A | B is on the screen.", "#cooking is a tag, and so is #料理.",
            "Run `cat log | sort | uniq` by hand.", "＃料理 というタグ。",
            "```sh\ncat log | sort\n## no heading\n```", "- first: new\n- second: 人気\n- note: see below", "ホーム｜検索 の画面。",
            "A\ttab alone.",
            "> A quote with a | in it.", "    let x = a | b\n    // # no heading", "<!-- | column | type | -->",
            "Either `a|b`\nor `c|d`.",
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

    @Test(
        "The search for lost definitions takes linear time",
        arguments: Depth.some(
            3,
            of: [
                "- a: !integer\n    - b: said\n", "text | more\n", "<!-- x -->\n\n", "> ! a\n", "- a: b\n", "a\tb\n",
                "    ! a | b\n",
            ]))
    func lookingTakesLinearTime(_ line: String) async {
        let growth = await Growth.ofSixteenTimes(250) { count in
            _ = await analyse(["search.md": "# search\n\n## show\n\n" + String(repeating: line, count: count)])
        }
        #expect(growth < 96)
    }

    @Test(
        "Headings of notes are not reported",
        arguments: [
            "### History", "### History of changes", "### 補足", "### `recipe_id` と `position` の関係", "### `recipe_id`",
            "#### Why `other` is not sent here",
            "### show",
        ])
    func headingsOfNotesAreNotHit(_ heading: String) async {
        let text =
            "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| recipe_id | int64 |\n\n\(heading)\n\n| when | what |\n| --- | --- |\n| 2026 | x |\n\na | b\nc | d\n"
        #expect(await analyse(["search.md": text]).diagnostics.map(\.message) == [])
    }
}

func model(of definitions: Definitions) -> [String] {
    summary(of: definitions)
        + definitions.types.map { type in
            let kind: String =
                switch type.kind {
                case .enumeration(let values): values.map { "\($0.value): \($0.description)" }.joined(separator: ", ")
                case .scalar(let scalar): scalar.description
                case .external: "external"
                }
            return "type \(type.name) \(kind) \(type.swift ?? "-") \(type.description)"
        }
}
