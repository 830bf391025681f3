import Foundation
import Testing
import TestSupport

/// Tests of `loggen review` with git histories. `Reviews/` contains the expected reports. `RECORD_SNAPSHOTS=1` writes
/// the files again and fails, which prevents recording by accident.
@Suite struct ReviewTests {
    /// A branch `main`, and the changes to the documents in another branch.
    struct History: Sendable, CustomTestStringConvertible {
        var name = ""
        /// A Boolean value that indicates whether the base has a lock file.
        var isLocked = true
        /// A Boolean value that indicates whether the lock file is older than `before`, which has errors.
        var isLockedFirst = false
        /// Files in `D` that add to the usual documents or replace them.
        var before: [String: String] = [:]
        /// The files that the branch writes, by path.
        var after: [String: String] = [:]
        /// Arguments of `loggen` runs in the branch before the review.
        var commands: [[String]] = []
        var arguments = ["D", "--base", "main"]
        var code: Int32 = 1

        var testDescription: String { name }
    }

    static let types = """
        # 共通の型 `types`

        ## ListOrder

        一覧の並び順。

        | value   | description |
        | ------- | ----------- |
        | newest  | 新着順      |
        | popular | 人気順      |

        ## RecipeID: int64

        """
    static let common = """
        # 共通の列 `common`

        | column  | type   | required | description |
        | ------- | ------ | -------- | ----------- |
        | user_id | int64? | ×        | 会員の番号  |

        """
    static func search(_ rows: String..., trigger: String = "impression(80%, 2s)", extra: String = "") -> String {
        """
        # レシピ検索 `search`

        | key   | value        |
        | ----- | ------------ |
        | owner | @search-team |

        ## 見られた `show`

        レシピが見られた。

        | key     | value |
        | ------- | ----- |
        | trigger | \(trigger) |

        | column | type | description |
        | ------ | ---- | ----------- |
        \(rows.map { "| \($0) |\n" }.joined())
        ## 選ばれた `tap`

        | column | type | description |
        | ------ | ---- | ----------- |
        | recipe_id | RecipeID | レシピ |
        | order | ListOrder | 並び順 |
        \(extra)
        """
    }
    static let row = "recipe_id | RecipeID | レシピ"
    static let position = "position | int(0...) | 上から何番目か"

    static let histories: [History] = [
        History(name: "nothing", code: 0),
        History(name: "add-event", after: ["search.md": search(row, position, extra: "\n## 閉じた `close`\n")], code: 0),
        History(name: "add-category", after: ["home.md": "# ホーム `home`\n\n## 開いた `open`\n"], code: 0),
        History(
            name: "add-optional-column", after: ["search.md": search(row, position, "note | string(40)? | ひとこと")],
            code: 0),
        History(name: "add-required-column", after: ["search.md": search(row, position, "note | string(40) | ひとこと")]),
        History(
            name: "accepted", after: ["search.md": search(row, position, "note | string(40) | ひとこと")],
            commands: [["lock", "--accept", "D"]], code: 0),
        History(
            name: "label-accepts", after: ["search.md": search(row, position, "note | string(40) | ひとこと")],
            arguments: ["D", "--base", "main", "--accepted"], code: 0),
        History(name: "type-change", after: ["search.md": search(row, "position | int16(0...) | 上から何番目か")]),
        History(
            name: "retire-event",
            after: [
                "search.md": search(row, position).replacingOccurrences(of: "## 選ばれた `tap`", with: "## ~~選ばれた `tap`~~")
            ]),
        History(
            name: "delete-retired", before: ["old.md": "# old\n\n## kept\n\n## ~~gone~~\n"],
            after: ["old.md": "# old\n\n## kept\n"], code: 0),
        History(
            name: "rename-without-retiring",
            after: [
                "search.md": search(row, position).replacingOccurrences(of: "## 選ばれた `tap`", with: "## 選ばれた `choose`")
            ]),
        History(
            name: "delete-unreleased",
            before: ["search.md": search(row, position, extra: "\n## 閉じた `close`\n")],
            after: ["search.md": search(row, position)], commands: [["lock", "D", "--forget", "search.close"]], code: 0),
        History(
            name: "named-type-of-forty-events",
            before: [
                "many.md": "# 多い `many`\n"
                    + (1...40).map {
                        "\n## 行動 `act\($0)`\n\n| column | type | description |\n| - | - | - |\n| order | ListOrder | 並び順 |\n"
                    }.joined()
            ],
            after: ["types.md": types.replacingOccurrences(of: "| popular | 人気順      |\n", with: "")]),
        History(name: "common-column", after: ["common.md": common + "| app_version | string(20) | ○ | アプリの版 |\n"]),
        History(name: "trigger", after: ["search.md": search(row, position, trigger: "impression(50%, 1s)")]),
        History(
            name: "words-only",
            after: [
                "search.md": search(row, "position | int(0...) | 0から数えた順番").replacingOccurrences(
                    of: "@search-team", with: "@feed-team"),
                "types.md": types.replacingOccurrences(of: "人気順", with: "人気の順"),
            ], code: 0),
        History(
            name: "deprecate",
            after: ["search.md": search(row, position, trigger: "impression(80%, 2s) |\n| deprecated | use tap")],
            code: 0),
        History(
            name: "hostile-cells",
            after: [
                "search.md": search(row, position, "note | string(40)? | ``` </details> \u{202E}")
                    .replacingOccurrences(
                        of: "| owner | @search-team |",
                        with: "| owner | <b>@everyone</b> `a` \\| <!-- x --> [l](javascript:x) \u{202E}</details> |"),
                "types.md": types.replacingOccurrences(of: "| popular |", with: "| it `s @everyone | 値 |\n| popular |"),
            ], code: 0),
        History(
            name: "errors-of-before", isLockedFirst: true,
            before: ["search.md": search(row, position, "Bad Name | int | x")],
            after: ["search.md": search(row, position, "note | string(40)? | ひとこと")], code: 0),
        History(name: "errors-now", after: ["search.md": search(row, "Bad Name | nope | x")]),
        History(
            name: "without-a-lock", isLocked: false, after: ["search.md": search(row, "position | string(3) | 上から")]),
        History(
            name: "warehouse", before: ["loggen.yml": "outputs:\n  sql: {dialect: [duckdb]}\n"],
            after: ["search.md": search(row, position, "note | string(40)? | ひとこと")], code: 0),
        History(
            name: "consumers", before: consumers(),
            after: [
                "search.md": search(row, "level | int? | 段", trigger: "impression(50%, 1s)"),
                "types.md": types.replacingOccurrences(of: "| popular | 人気順      |\n", with: ""),
            ]),
        History(
            name: "consumers-of-a-new-column", before: consumers(),
            after: ["search.md": search(row, position, "note | string(40)? | ひとこと")], code: 0),
        History(
            name: "owners-missing", before: consumers("mention: true\nacceptance: owners\n"),
            after: ["search.md": search(row)], commands: [["lock", "--accept", "D"]],
            arguments: ["D", "--base", "main", "--accepted-by", "ANA@example.com"]),
    ]

    /// The calls of two events, as tapgen reports them.
    private static let usages = """
        {"events": [{"event": "search.show", "places": [
          {"file": "Feed.swift", "line": 2, "column": 9, "certain": true},
          {"file": "Search.swift", "line": 14, "column": 5, "certain": true}]},
         {"event": "search.tap", "places": [{"file": "Search.swift", "line": 21, "column": 5, "certain": false}]}]}

        """

    /// A dbt project and queries that read the usual definitions.
    static func consumers(_ settings: String = "") -> [String: String] {
        func model(_ name: String, _ code: String, _ dependencies: String = "") -> String {
            """
            "model.shop.\(name)": {"resource_type": "model", "name": "\(name)", "original_file_path": "models/\(name).sql",
              "raw_code": "\(code)", "depends_on": {"nodes": [\(dependencies)]}}
            """
        }
        func exposure(_ name: String, _ owner: String, _ model: String) -> String {
            """
            "exposure.shop.\(name)": {"name": "\(name)", "original_file_path": "models/exposures.yml", "owner": {\(owner)},
              "depends_on": {"nodes": ["model.shop.\(model)"]}}
            """
        }
        let nodes = [
            model("ctr", "select position, count(*) as n from search__show group by 1"),
            model("shown", "select * from search__show"),
            model("feed", "select recipe_id from shown", #""model.shop.shown""#),
            model("taps", "select t.order, count(*) as n from search__tap as t group by 1"),
        ]
        let exposures = [
            exposure("board", #""name": "Ana", "email": "ana@example.com""#, "ctr"),
            exposure("growth", #""name": "@growth""#, "feed"),
            exposure("search", #""name": "@search-team""#, "ctr"),
        ]
        return [
            "loggen.yml": "outputs: {}\nconsumers: [analytics, queries, app]\n" + settings,
            "analytics/dbt_project.yml": "name: shop\n",
            "analytics/target/manifest.json":
                "{\"nodes\": {\(nodes.joined(separator: ",\n"))},\n\"exposures\": {\(exposures.joined(separator: ",\n"))}}",
            "queries/recipes.sql": "select recipe_id from search__show where recipe_id > 0\n",
            "app/usage.json": usages,
            "queries/other.sql": "select x from elsewhere\n",
            (settings.isEmpty ? "queries/broken/dbt_project.yml" : "queries/none.txt"): "name: broken\n",
        ]
    }

    // MARK: Running

    /// The base of most histories, and a change that breaks consumers of `@growth`, `@search-team` and Ana, and that
    /// loggen.lock accepts. Tests copy them.
    private static let usualBase: Result<URL, any Error> = Result { try made(History()).kept(as: "usual base") }
    private static let acceptedBreak: Result<URL, any Error> = Result {
        let history = History(
            before: consumers("acceptance: owners\n"), after: ["search.md": search(row)],
            commands: [["lock", "--accept", "D"]])
        return try changed(history).kept(as: "accepted break")
    }

    private static func base(_ history: History = History()) throws -> Scratch {
        let isUsual = history.before.isEmpty && history.isLocked
        return isUsual ? try Scratch(copying: usualBase.get()) : try made(history)
    }

    private static func made(_ history: History) throws -> Scratch {
        let scratch = try Scratch()
        try scratch.git("init", "-q", "-b", "main")
        let usual = [
            "types.md": types, "common.md": common, "search.md": search(row, position), "loggen.yml": "outputs: {}\n",
        ]
        let early = history.isLockedFirst ? [:] : history.before
        for (path, text) in usual.merging(early, uniquingKeysWith: { $1 }) { try scratch.write(text, to: "D/\(path)") }
        if history.isLocked {
            try scratch.expect("lock D")
        }
        for (path, text) in history.before { try scratch.write(text, to: "D/\(path)") }
        try scratch.commit("before")
        try scratch.git("switch", "-qc", "change")
        return scratch
    }

    private static func changed(_ history: History) throws -> Scratch {
        let scratch = try base(history)
        for (path, text) in history.after { try scratch.write(text, to: "D/\(path)") }
        for command in history.commands {
            let result = try Tool.run(command, in: scratch.url)
            #expect(result.code == 0, "\(result.error)")
        }
        try scratch.commit("change")
        return scratch
    }

    private static let folder = Tool.repository.appendingPathComponent("Tests/Generator/LoggenTests/Reviews")

    /// Returns the reports of a history in Markdown and as text. All formats begin with the same sentence, and `check`
    /// finds the same breaks, in the same words.
    private func review(_ history: History) throws -> (report: String, code: Int32) {
        let scratch = try Self.changed(history)
        let markdown = try Tool.run(["review"] + history.arguments + ["--format", "markdown"], in: scratch.url)
        let text = try Tool.run(["review"] + history.arguments, in: scratch.url)
        let sentence = text.out.prefix { $0 != "\n" }
        #expect(text.code == markdown.code && markdown.out.hasPrefix(sentence))
        if markdown.code == 1 {
            let json = try Tool.run(["review"] + history.arguments + ["--format", "json"], in: scratch.url)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
            #expect(json.code == 1 && object["sentence"] as? String == String(sentence))
            let check = try scratch.loggen("check D --base main --diagnostics json")
            let found = try check.out.split(separator: "\n").compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }.filter { ["breaking-change", "deleted-event", "reserved-name"].contains($0["rule"] as? String) }
            for finding in found {
                let message = try #require(finding["message"] as? String)
                #expect(text.out.contains("\n  \(message)\n"))
            }
            if object["errors"] as? Int == 0 { #expect(!found.isEmpty) }
        }
        return (markdown.out + "\n```text\n" + text.out + "```\n", markdown.code)
    }

    @Test("The report of a history is as recorded, and has the words of `check`", arguments: histories)
    func aHistoryReadsAsRecorded(_ history: History) throws {
        let (report, code) = try review(history)
        #expect(code == history.code)
        let file = Self.folder.appendingPathComponent("\(history.name).md")
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
            try Data(report.utf8).write(to: file)
            Issue.record("recorded \(history.name): read it, then run without RECORD_SNAPSHOTS")
        } else {
            #expect(report == String(decoding: try Data(contentsOf: file), as: UTF8.self))
        }
    }

    @Test("Values, paths and branches are code in Markdown, also with backquotes in them")
    func quotedStrings() throws {
        func document(_ kinds: String) -> String {
            "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| kind | enum(\(kinds)) |\n"
        }
        let scratch = try Scratch(["D`x/search.md": document("a, b")])
        try scratch.git("init", "-q", "-b", "b`c")
        try scratch.commit("before")
        try scratch.write(document("a"), to: "D`x/search.md")
        let result = try scratch.loggen("review D`x --base b`c --format markdown")
        #expect(!result.out.contains("\\`"), "\(result.out)")
        for part in [
            "\n- the column `kind` of `search.show` loses the value `b`; breaks ",
            "\n> ``D`x/loggen.lock`` is missing, ", "\n- ``b`c`` has no recorded version ",
        ] {
            #expect(result.out.contains(part), "\(result.out)")
        }
    }

    @Test("Every recorded report belongs to a history") func everyReportBelongsToAHistory() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Self.histories.map { "\($0.name).md" }))
    }

    @Test("The article on impact shows the consumers of a recorded report") func impactArticle() throws {
        let article = try Tool.text(of: "Sources/Generator/loggen/Documentation.docc/Impact.md")
        let recorded = try String(contentsOf: Self.folder.appendingPathComponent("consumers.md"), encoding: .utf8)
        let parts = article.components(separatedBy: "```text\nconsumers: ")
        let sample = try #require(parts.count == 2 ? parts[1].components(separatedBy: "\n```")[0] : nil)
        #expect(recorded.contains("\nconsumers: \(sample)\n\n"))
    }

    @Test("The article shows a recorded report") func theArticleShowsARecordedReport() throws {
        func text(_ file: URL) throws -> String {
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```text\n")
            return try #require(parts.count == 2 ? parts[1] : nil).components(separatedBy: "\n```")[0]
        }
        let article = try text(
            Tool.repository.appendingPathComponent("Sources/Generator/loggen/Documentation.docc/Review.md"))
        let recorded = try text(Self.folder.appendingPathComponent("trigger.md"))
        #expect(article.replacingOccurrences(of: "Definitions", with: "D") == recorded)
    }

    // MARK: Consumers

    @Test("A change has to be accepted by owners of broken consumers outside the team")
    func ownersAccept() throws {
        let scratch = try Scratch(copying: Self.acceptedBreak.get())
        for (owners, code) in [
            ([], 1), (["@growth"], 1), (["@growth", "Ana <ana@example.com>"], 0), (["@GROWTH", "ana"], 0),
        ] as [([String], Int32)] {
            // The label of a reviewer does not replace the consent of owners.
            let options = owners.isEmpty ? ["--accepted"] : ["--accepted-by"] + owners
            let result = try Tool.run(["review", "D", "--base", "main"] + options, in: scratch.url)
            #expect(result.code == code, "\(owners): \(result.out)")
        }
    }

    private static let manifest = "D/analytics/target/manifest.json"

    /// Writes the manifest of the base, which the change does not edit.
    private func write(manifest: String, in scratch: borrowing Scratch) throws {
        try scratch.git("switch", "-q", "main")
        try scratch.write(manifest, to: Self.manifest)
        try scratch.commit("manifest")
        try scratch.git("switch", "-q", "change")
        try scratch.git("merge", "-q", "--no-edit", "main")
    }

    @Test("Authors of the change are not asked, by their address or, without one, by their name") func authors() throws
    {
        let scratch = try Scratch(copying: Self.acceptedBreak.get())
        let manifest = try scratch.read(Self.manifest)
        // The author is `a <a@example.com>`. The first owner has an address, the second has none.
        for (name, address, other, code) in [
            ("Ana", "A@example.com", "A", Int32(0)), ("a", "ana@example.com", "A", 1), ("Ana", "a", "A", 1),
            ("Ana", "A@example.com", "@growth", 1), ("Ana", "A@example.com", "a@example.com", 1),
        ] {
            let changed = manifest.replacing("ana@example.com", with: address).replacing("Ana", with: name)
            try write(manifest: changed.replacing("@growth", with: other), in: scratch)
            let result = try scratch.loggen("review D --base main")
            #expect(result.code == code, "\(name) \(address) \(other)")
        }
        // The commits since a tag are those of many changes.
        let own = manifest.replacing("ana@example.com", with: "a@example.com").replacing("@growth", with: "a")
        try write(manifest: own, in: scratch)
        try scratch.expect("review D --base main")
        try scratch.git("tag", "v1", "main")
        try scratch.expect("review D --base-tag v1", code: 1)
        // A commit of other files does not make an author.
        try write(manifest: manifest, in: scratch)
        try scratch.write("x", to: "README.md")
        try scratch.git("add", "README.md")
        for name in ["@growth", "Ana"] {
            try scratch.git(
                "-c", "user.name=\(name)", "-c", "user.email=ana@example.com", "commit", "-qm", name, "--allow-empty")
        }
        try scratch.expect("review D --base main", code: 1)
    }

    @Test(
        "A change cannot remove the owners who have to accept it",
        arguments: [
            ("D/search.md", search(row).replacing("@search-team", with: "@growth")),
            ("D/loggen.yml", "consumers: [analytics]\n"), ("D/loggen.yml", "outputs: {}\n"),
            (manifest, nil), (manifest, "{"),
        ] as [(String, String?)])
    func ownersStay(path: String, text: String?) throws {
        let scratch = try Scratch(copying: Self.acceptedBreak.get())
        if let text { try scratch.write(text, to: path) } else { try scratch.remove(path) }
        // Only `@growth` has not accepted, or one whose consumer cannot be read.
        let owners = path == Self.manifest ? ["@growth", "Ana"] : ["Ana", "@search-team"]
        let result = try Tool.run(["review", "D", "--base", "main", "--accepted-by"] + owners, in: scratch.url)
        #expect(result.code == 1, "\(result.out)")
        if text == "outputs: {}\n" { #expect(result.out.contains("note: the change removes `consumers`")) }
        if path == Self.manifest {
            #expect(result.out.contains("the owners of consumers that cannot be read have not accepted it"))
        }
    }

    @Test("Each of several owners accepts for all of them")
    func severalOwners() throws {
        let scratch = try Scratch(copying: Self.acceptedBreak.get())
        let manifest = try scratch.read(Self.manifest)
        let several = #""name": ["@growth", " @sales "]"#
        try write(manifest: manifest.replacing(#""name": "@growth""#, with: several), in: scratch)
        try scratch.write("class A {}", to: "D/app/A.java")
        for (owner, code) in [("@growth", Int32(0)), ("@sales", 0), ("@growth, @sales", 0), ("@sale", 1)] {
            let result = try Tool.run("review", "D", "--base", "main", "--accepted-by", "Ana", owner, in: scratch.url)
            #expect(result.code == code, "\(owner): \(result.out)")
        }
    }

    private static let settings = "consumers: c\ntables: {search__show: x.shown}\n"
    private static let calls = ["loggen.yml": "consumers: app\n", "app/usage.json": usages]

    /// Changes, and what the report says of their only consumer.
    static let effects: [(history: History, line: String)] = [
        (
            History(
                name: "the calls of the definitions before the change break", before: calls,
                after: ["search.md": search(row, position, "note | string(40) | ひとこと")]),
            "app code: the change breaks 2 calls\n"
        ),
        (
            History(
                name: "a possible call of a deleted event may break", before: calls,
                after: ["search.md": search(row, position).components(separatedBy: "## 選ばれた")[0]]),
            "app code: the change may break 1 call\n"
        ),
        (
            History(
                name: "an event loses a common column, which a star on another event reads", isLocked: false,
                before: [
                    "loggen.yml": "consumers: c\n", "common.md": common + "| screen | string(9)? | × | 画面 |\n",
                    "c/q.sql": "select * from search where event_name = 'tap'",
                ],
                after: ["common.md": common, "search.md": search(row, position, "screen | string(9)? | 画面")]),
            "no owner: may break query `q`"
        ),
        (
            History(
                name: "each state of the definitions has the tables of its own loggen.yml",
                before: ["loggen.yml": settings, "c/q.sql": "select position from x.shown"],
                after: ["search.md": search(row), "loggen.yml": settings.replacing("x.shown", with: "x.shown_v2")]),
            "no owner: breaks query `q`"
        ),
    ]

    @Test("A change affects its consumer", arguments: effects)
    func effectOnAConsumer(_ effect: (history: History, line: String)) throws {
        let scratch = try Self.changed(effect.history)
        let result = try scratch.loggen("review D --base main")
        #expect(result.out.contains(effect.line), "\(effect.history.name): \(result)")
    }

    @Test("A consumer of an event that the base's errors do not hide is found") func baseWithErrors() throws {
        func home(_ type: String) -> String {
            "# home\n\n## open\n\n| column | type |\n| --- | --- |\n| a | \(type)(3) |\n"
        }
        let scratch = try Self.changed(
            History(
                isLockedFirst: true,
                before: [
                    "loggen.yml": "consumers: c\n", "c/q.sql": "select recipe_id from search__tap",
                    "home.md": home("strin"),
                ],
                after: [
                    "search.md": Self.search(Self.row, Self.position).components(separatedBy: "## 選ばれた")[0],
                    "home.md": home("string"),
                ]))
        let result = try scratch.loggen("review D --base main")
        #expect(result.out.contains("no owner: breaks query `q`"), "\(result.out)\(result.error)")
    }

    @Test("A consumer that breaks through another one is listed with it, even if it reads shifted values itself")
    func worseThroughAnother() throws {
        let history = History(
            before: [
                "loggen.yml": "consumers: c\n", "c/a.sql": "create view a as select position from search__show",
                "c/b.sql": "select order from search__tap join a using (position)",
            ],
            after: [
                "search.md": Self.search(Self.row),
                "types.md": Self.types.replacing("| popular | 人気順      |\n", with: ""),
            ])
        let scratch = try Self.changed(history)
        let result = try scratch.loggen("review D --base main")
        #expect(result.out.contains("breaks query `a`: `D/c/a.sql:1:25` reads `position`"), "\(result.out)")
        #expect(result.out.contains("no owner: breaks query `a`, query `b`"))
        #expect(!result.out.contains("breaks query `b`: "))
    }

    @Test("Names of unreadable consumers stay on their line and within the limit") func namesOfUnreadableConsumers()
        throws
    {
        let history = History(before: Self.consumers(), after: ["search.md": Self.search(Self.row)])
        let scratch = try Self.changed(history)
        let name = String(repeating: "@", count: 200) + "`a\nnote: forged"
        for number in 1...7 {
            try scratch.link("D/queries/\(number)\(name).sql", to: "nowhere")
        }
        let result = try scratch.loggen("review D --base main")
        #expect(
            !result.out.contains("\nnote: forged") && result.out.contains("consumers are not read"), "\(result.out)")
        let markdown = try scratch.loggen("review D --base main --format markdown")
        #expect(markdown.out.utf16.count < 65_000 && !markdown.out.contains("\nnote"))
    }

    @Test("Many consumers are counted where they do not fit") func manyConsumers() throws {
        var before = ["loggen.yml": "consumers: c\n"]
        for number in 1...60 {
            before["c/q\(number)-\(String(repeating: "x", count: 80)).sql"] = "select position from search__show"
        }
        let history = History(before: before, after: ["search.md": Self.search(Self.row)])
        let scratch = try Self.changed(history)
        let result = try scratch.loggen("review D --base main --format markdown")
        #expect(result.out.contains("Consumers of the data: 60 break."))
        #expect(result.out.contains("\n- …and 50 more: `loggen review … --format text` shows all\n"))
        #expect(result.out.utf16.count < 65_000)
    }

    struct Effect: Sendable, CustomTestStringConvertible {
        var name: String
        var rows = [row, position]
        var extra = ""
        var queries: [String: String]
        var affected: [String]

        var testDescription: String { name }
    }

    private static let note = [row, position, "note | string(40)? | ひとこと"]

    static let consumerEffects: [Effect] = [
        Effect(
            name: "a new event", extra: "\n## 閉じた `close`\n",
            queries: [
                "counts": "select event_name, count(*) as n from search group by 1", "all": "select * from records",
                "taps": "select recipe_id from search where event_name = 'tap'",
            ], affected: ["shifts all", "shifts counts"]),
        Effect(
            name: "a new column of another event", rows: note,
            queries: [
                "taps": "select * from search where event_name = 'tap'", "sorts": "select t.order from search as t",
            ],
            affected: ["may shift taps"]),
        Effect(
            name: "a deleted column of another event", rows: [row],
            queries: ["taps": "select * from records where event_name = 'tap'", "n": "select count(*) as n from taps"],
            affected: ["may break n", "may break taps"]),
        Effect(
            name: "a column that the table has for another event", rows: [row, position, "order | ListOrder? | 並び順"],
            queries: [
                "events": "select * exclude (event_id) from search", "sorts": "select e.order from events as e",
                "taps": "select t.order from search as t where event_name = 'tap'",
                "own": "select * from search__show", "shown": "select t.position from own as t",
            ], affected: ["may shift events", "may shift own", "may shift sorts"]),
        Effect(
            name: "a column of another type", rows: [row, position, "order | int? | 番号"],
            queries: [
                "taps": "select t.order from search as t where event_name = 'tap'",
                "own": "select t.order from search__tap as t",
            ], affected: ["breaks taps"]),
        Effect(
            name: "a name that becomes ambiguous", rows: note,
            queries: [
                "joined": "select note from search__show join other using (recipe_id)", "after": "select n from joined",
                "qualified": "select o.note from search__show s join other o using (recipe_id)",
            ], affected: ["may shift after", "may shift joined"]),
        Effect(
            name: "a name that becomes ambiguous downstream", rows: note,
            queries: [
                "own": "select * from search__show", "joined": "select note from own join other using (recipe_id)",
                "after": "select n from joined", "named": "select recipe_id from own",
                "imported": "with o as (select * from own) select recipe_id from o",
            ], affected: ["may shift after", "may shift joined", "may shift own"]),
        Effect(
            name: "rows that depend on all columns", rows: note,
            queries: [
                "distinct": "select distinct * from search__show", "a": "select count(*) as n from \"distinct\"",
                "grouped": "with g as (select *, 1 as one from search__show group by all) select one from g",
                "b": "select one from grouped", "whole": "select s as whole from search__show s",
                "c": "select whole from whole", "own": "select * from search__show",
                "union": "with u as (select * from own union select * from own) select position from u",
                "d": "select position from \"union\"",
            ],
            affected: ["a", "b", "c", "d", "distinct", "grouped", "own", "union", "whole"].map { "may shift \($0)" }),
    ]

    @Test("A change reaches consumers through shared tables and new columns", arguments: consumerEffects)
    func aChangeReachesConsumers(_ effect: Effect) throws {
        let search =
            Self.search("")
            .replacing("|  |\n", with: effect.rows.map { "| \($0) |\n" }.joined()) + effect.extra
        let history = History(
            isLocked: false, before: ["loggen.yml": "outputs: {}\nrules: {column-type: off}\n"],
            after: ["search.md": search])
        let scratch = try Self.changed(history)
        for (name, query) in effect.queries { try scratch.write(query + "\n", to: "queries/\(name).sql") }
        let result = try Tool.run(
            ["review", "D", "--base", "main", "--format", "json", "--consumers", "queries"], in: scratch.url)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
        let consumers = try #require(report["consumers"] as? [[String: Any]])
        let affected = try consumers.map { consumer in
            let name = try #require(consumer["name"] as? String)
            let effect = try #require(consumer["effect"] as? String)
            return consumer["certain"] as? Bool == true ? "\(effect) \(name)" : "may \(effect.dropLast()) \(name)"
        }
        #expect(affected.sorted() == effect.affected.sorted(), "\(result.out)")
    }

    @Test("A review reads the consumers of its option instead of those of loggen.yml") func consumersOption() throws {
        let history = History(before: Self.consumers(), after: ["search.md": Self.search(Self.row)])
        let scratch = try Self.changed(history)
        try scratch.write("select position from {{ source('logs', 'search__show') }}", to: "one.sql")
        let result = try Tool.run(["review", "D", "--base", "main", "--consumers", "one.sql"], in: scratch.url)
        #expect(result.out.contains("consumers: 1 breaks\n  no owner: breaks query `one`\n"), "\(result.out)")
        let missing = try Tool.run(["review", "D", "--base", "main", "--consumers", "two.sql"], in: scratch.url)
        #expect(missing.code == 2 && missing.error.contains("`two.sql`: no such file or folder"), "\(missing.error)")
    }

    @Test(
        "A setting of the review with another value is an error",
        arguments: [
            ("acceptance: all", "`anyone` or `owners`"), ("mention: 3", "`true` or `false`"),
            ("acceptance: owners", "needs `consumers`"),
        ])
    func settings(line: String, message: String) throws {
        let scratch = try Scratch(["D/search.md": "# search\n\n## show\n", "D/loggen.yml": line + "\n"])
        try scratch.expect("lint D", code: 1, error: message, "loggen.yml:1:")
    }

    // MARK: Lock files

    private static let typeChange = search(row, "position | string(3) | 上から")
    private static let broken =
        "This change of the log definitions breaks app code, the warehouse and old apps, and is not accepted: "

    @Test("A recreated lock file accepts nothing") func recreatedLockFileAcceptsNothing() throws {
        let scratch = try Self.base()
        try scratch.write(Self.typeChange, to: "D/search.md")
        try scratch.remove("D/loggen.lock")
        try scratch.expect("lock D")
        let result = try scratch.expect(
            "review D --base main", code: 1,
            out: "help: Restore `D/loggen.lock` as it is in `main`. Once everyone affected is ready, accept with")
        #expect(result.out.hasPrefix(Self.broken + "1 event changed.\n"), "\(result.out)")
        try scratch.expect("review D --base main --accepted")
        // The help resolves the problem.
        try scratch.git("checkout", "-q", "main", "--", "D/loggen.lock")
        try scratch.expect("lock --accept D")
        try scratch.expect("review D --base main", out: "loggen.lock accepts it", "(1-0-0 → 2-0-0)")
    }

    @Test("A deleted lock file is a change") func aLockFileThatIsGoneIsAChange() throws {
        let scratch = try Self.base()
        try scratch.remove("D/loggen.lock")
        let result = try scratch.expect("review D --base main", code: 1)
        #expect(
            result.out
                == "This change removes `D/loggen.lock`, which keeps the names and types of released records, and is not accepted.\n\nhelp: Restore `D/loggen.lock` as it is in `main`.\n"
        )
        try scratch.expect("review D --base main --accepted")
    }

    /// Records of old apps are validated with earlier versions, and only the lock file reserves some names.
    @Test(
        "A loss in the lock file is a separate change",
        arguments: [
            "an old version", "reserved names", "a reserved name of the newest", "an old type", "all of the event",
            "the newest version, below a newer one",
        ])
    func lossInTheLockFileIsASeparateChange(_ what: String) throws {
        func edited(_ lines: [String]) -> [String] {
            switch what {
            case "an old version": lines.filter { !$0.contains(" 1-0-0 ") }
            case "reserved names": lines.map { $0.replacing(" ~gone", with: "") }
            case "a reserved name of the newest":
                lines.map { $0.contains(" 3-0-0 ") ? $0.replacing(" ~gone", with: "") : $0 }
            case "an old type": lines.map { $0.contains(" 1-0-0 ") ? $0.replacing("position:", with: "place:") : $0 }
            case "the newest version, below a newer one":
                lines.flatMap { line in
                    guard line.contains(" 3-0-0 ") else { return [line] }
                    return [line.replacing(":date", with: ":bool"), line.replacing(" 3-0-0 ", with: " 3-0-1 ")]
                }
            default: lines.filter { !$0.hasPrefix("search.show ") }
            }
        }
        let scratch = try Self.base()
        try scratch.write(Self.search(Self.row, Self.position, "~~gone~~ | int | 消えた"), to: "D/search.md")
        try scratch.expect("lock --accept D")
        for type in ["string(3)", "date"] {
            try scratch.write(Self.search(Self.row, "position | \(type) | 上から"), to: "D/search.md")
            try scratch.expect("lock --accept D")
        }
        try scratch.commit("accepted")
        try scratch.git("branch", "-f", "main")
        try scratch.expect("review D --base main")
        let lock = try scratch.read("D/loggen.lock")
        let lines = edited(lock.split(separator: "\n").map(String.init))
        #expect(lines.joined(separator: "\n") + "\n" != lock, "\(lock)")
        try scratch.write(lines.joined(separator: "\n") + "\n", to: "D/loggen.lock")
        let result = try scratch.loggen("review D --base main")
        #expect(result.code == 1, "\(what): \(result.out)\n\(lock)")
        #expect(result.out.contains("lacks versions or reserved names of `main`: `search.show`"), "\(result.out)")
        if what == "an old version" {
            #expect(
                result.out.hasPrefix(
                    "This change removes entries of 2 events from `D/loggen.lock`, and is not accepted.\nnote: "),
                "\(result.out)")
            // The loss is also reported next to an accepted change.
            try scratch.write(Self.search(Self.row, "position | bool | 上から"), to: "D/search.md")
            try scratch.expect("lock --accept D")
            try scratch.expect("review D --base main", code: 1, out: "lacks versions")
        }
    }

    /// The event is in the lock file of `main`, or only in its documents.
    @Test("A released event cannot be removed by hand", arguments: [true, false])
    func aReleasedEventIsNotTakenBackByHand(_ isKnown: Bool) throws {
        let whole = Self.search(Self.row, Self.position, extra: "\n## 閉じた `close`\n")
        let scratch = try Self.base(History(before: isKnown ? ["search.md": whole] : [:]))
        try scratch.write(whole, to: "D/search.md")
        try scratch.commit("close")
        try scratch.git("branch", "-f", "main")
        try scratch.git("tag", "v1.0")
        let lock = try scratch.read("D/loggen.lock")
        #expect(lock.contains("search.close ") == isKnown)
        try scratch.write(
            lock.split(separator: "\n").filter { !$0.hasPrefix("search.close ") }.joined(separator: "\n") + "\n",
            to: "D/loggen.lock")
        try scratch.write(Self.search(Self.row, Self.position), to: "D/search.md")
        for arguments in [[], ["--accepted"]] {
            let result = try Tool.run(["review", "D", "--base", "main"] + arguments, in: scratch.url)
            #expect(result.code == 1)
            #expect(result.out.hasPrefix(Self.broken + "1 event deleted.\n"), "\(result.out)")
            #expect(!result.out.contains("lock --forget") && !result.out.contains("lock --accept"))
        }
    }

    @Test("An outdated lock file accepts nothing") func outdatedLockFileAcceptsNothing() throws {
        func whole(_ type: String) -> String {
            Self.search(
                Self.row, Self.position,
                extra: "\n## 閉じた `close`\n\n| column | type |\n| - | - |\n| reason | \(type) |\n")
        }
        let scratch = try Self.base()
        try scratch.write(whole("int32"), to: "D/search.md")
        try scratch.commit("close")
        try scratch.git("branch", "-f", "main")
        try scratch.write(whole("string"), to: "D/search.md")
        for command in [["review"], ["lock", "--accept"]] {
            if command[0] == "lock" { #expect(try Tool.run(command + ["D"], in: scratch.url).code == 0) }
            let result = try scratch.expect(
                "review D --base main", code: 1,
                out:
                    "help: `main` has no recorded version of the changed events: record them there first, with `loggen lock D`. Here, once everyone"
            )
            #expect(result.out.hasPrefix(Self.broken + "1 event changed.\n"), "\(result.out)")
        }
    }

    /// The name is retired in the documents of `main`, or only in its lock file.
    @Test("A retired name cannot be accepted", arguments: ["## ~~選ばれた `tap`~~", ""])
    func aRetiredNameIsNeverAccepted(_ heading: String) throws {
        let whole = Self.search(Self.row, Self.position)
        let parts = whole.components(separatedBy: "## 選ばれた `tap`")
        let retired = parts.joined(separator: "## ~~選ばれた `tap`~~")
        let scratch = try Self.base(History(before: ["search.md": retired]))
        if heading.isEmpty {
            try scratch.write(parts[0], to: "D/search.md")
            try scratch.commit("without it")
            try scratch.git("branch", "-f", "main")
        }
        try scratch.write(whole, to: "D/search.md")
        for arguments in [[], ["--accepted"]] {
            let result = try Tool.run(["review", "D", "--base", "main"] + arguments, in: scratch.url)
            #expect(result.code == 1, "\(result.out)")
            #expect(
                result.out.hasPrefix("This change of the log definitions breaks the warehouse, and is not accepted: "),
                "\(result.out)")
            #expect(
                result.out.contains(
                    "  `search.tap` is retired and defined again, but its name stays reserved; breaks the warehouse"))
            #expect(
                result.out.contains("help: A retired or former name stays reserved: its new use cannot be accepted."))
            #expect(!result.out.contains("--accept D"))
        }
    }

    // MARK: Errors

    @Test("An error of the base is not attributed to the change") func errorOfTheBaseIsNotAttributedToTheChange() throws
    {
        let wrong = Self.search(Self.row, "position | nope | 上から")
        let scratch = try Self.base(History(isLockedFirst: true, before: ["search.md": wrong]))
        try scratch.write("# ホーム `home`\n\n## 開いた `open`\n", to: "D/home.md")
        let result = try scratch.loggen("review D --base main")
        #expect(result.code == 0 && result.error.isEmpty, "\(result.error)")
        #expect(
            result.out.hasPrefix(
                "This change of the log definitions breaks nothing: 1 event added.\nnote: the definitions have 1 error that `main` also has; "
            ),
            "\(result.out)")
        // The change fixes another error. The column below it is unchanged.
        try scratch.write(
            wrong.replacingOccurrences(of: "## 選ばれた `tap`", with: "## `Close`\n\n## 選ばれた `tap`"), to: "D/search.md")
        try scratch.commit("two errors")
        try scratch.git("branch", "-f", "main")
        try scratch.write(
            Self.search(Self.row, Self.position).replacingOccurrences(
                of: "## 選ばれた `tap`", with: "## `Close`\n\n## 選ばれた `tap`"), to: "D/search.md")
        try scratch.expect("review D --base main", out: "note: the definitions have 1 error that `main` also has; ")
        // A new error is attributed to the change.
        try scratch.write("# ホーム `home`\n\n## 開いた `Open`\n", to: "D/home.md")
        let worse = try scratch.expect("review D --base main", code: 1)
        #expect(
            worse.out.hasPrefix("This change of the log definitions brings 1 error, so the change cannot be reviewed"),
            "\(worse.out)")
        #expect(worse.error.contains("home.md") && !worse.error.contains("nope"))
    }

    @Test("A type is reported once if the base's documents have errors")
    func typeIsReportedOnceIfTheBaseHasErrors() throws {
        let wrong = Self.search(Self.row, "position | nope | 上から")
        let scratch = try Self.base(History(isLockedFirst: true, before: ["search.md": wrong]))
        try scratch.write(Self.typeChange, to: "D/search.md")
        let result = try scratch.loggen("review D --base main")
        #expect(
            result.out.contains(
                "  the column `position` of `search.show` changes its type: `int(0...)` → `string(3)`; breaks"),
            "\(result.out)")
    }

    // MARK: Git histories

    @Test("Only commits of the branch are attributed to it") func onlyWhatTheBranchAddsIsBlamedOnIt() throws {
        let scratch = try Self.base()
        try scratch.write(Self.search(Self.row, Self.position, "note | string(40)? | ひとこと"), to: "D/search.md")
        try scratch.commit("mine")
        // In the meantime, `main` gets a breaking change.
        try scratch.git("switch", "-q", "main")
        try scratch.write(Self.search(Self.row, "position | string(3) | 上から"), to: "D/search.md")
        try scratch.commit("theirs")
        try scratch.git("switch", "-q", "change")
        let result = try scratch.expect("review D --base main")
        #expect(
            result.out.hasPrefix("This change of the log definitions breaks nothing: 1 event changed.\n"),
            "\(result.out)")
    }

    @Test(
        "An event or a column with fewer platforms breaks the code of the other apps, by name",
        arguments: [
            ("", "| platforms | web |", "| hint | string? | |", "ios (Swift) and android (Kotlin)"),
            ("| platforms | ios |", "", "| hint | string? | |", "android (Kotlin) and web (TypeScript)"),
            ("", "", "| hint | string? | ios, web |", "android (Kotlin)"),
        ])
    func fewerPlatforms(category: String, event: String, column: String, apps: String) throws {
        func document(_ category: String, _ event: String, _ column: String) -> String {
            func details(_ row: String) -> String { row.isEmpty ? "" : "| key | value |\n| --- | --- |\n\(row)\n\n" }
            return "# search\n\n\(details(category))## show\n\n\(details(event))"
                + "| column | type | platforms |\n| --- | --- | --- |\n| position | int | |\n\(column)\n"
        }
        let scratch = try Scratch([
            "D/search.md": document("", "", "| hint | string? | |"), "D/loggen.yml": "outputs: {}\n",
        ])
        try scratch.expect("lock D")
        try scratch.git("init", "-q", "-b", "main")
        try scratch.commit("base")
        try scratch.git("switch", "-qc", "change")
        try scratch.write(document(category, event, column), to: "D/search.md")
        try scratch.commit("change")
        try scratch.expect(
            "review D --base main", code: 1, out: "breaks app code, and is not accepted",
            "is removed from the code of apps for \(apps); breaks app code")
        try scratch.expect("review D --base main --accepted")
        try scratch.expect("check D --base main", code: 1, error: "is removed from the code of apps for \(apps)")
        // The way back breaks nothing.
        try scratch.git("switch", "-q", "main")
        try scratch.expect("review D --base HEAD")
        try scratch.expect("check D --base change")
    }

    @Test("A revision that several refs have is refused with their names, until one is named in full")
    func ambiguousRevision() throws {
        let scratch = try Self.base()
        try scratch.commit("mine")
        try scratch.git("tag", "main")
        for command in [
            ["review", "D", "--base"], ["check", "D", "--base"], ["sql", "D", "--dialect", "duckdb", "--from"],
        ] {
            for revision in ["main", "main~0", "main^{commit}", "main@{0}"] {
                let result = try Tool.run(command + [revision], in: scratch.url)
                #expect(result.code == 2, "\(result)")
                #expect(
                    result.error.contains("`main` is ambiguous: `refs/heads/main`, `refs/tags/main`; name one of them"),
                    "\(result.error)")
            }
            #expect(try Tool.run(command + ["refs/heads/main"], in: scratch.url).code != 2)
        }
        // git would accept a tag with the name of a missing branch.
        try scratch.git("tag", "refs/heads/other")
        try scratch.expect("review D --base refs/heads/other", code: 2)
    }

    @Test("Two merged branches are one change") func twoMergedBranchesAreOneChange() throws {
        let scratch = try Self.base()
        try scratch.write("# ホーム `home`\n\n## 開いた `open`\n", to: "D/home.md")
        try scratch.commit("home")
        try scratch.git("switch", "-qc", "other", "main")
        try scratch.write("# 設定 `settings`\n\n## 開いた `open`\n", to: "D/settings.md")
        try scratch.commit("settings")
        try scratch.git("switch", "-q", "change")
        try scratch.git("merge", "-q", "--no-edit", "other")
        try scratch.expect(
            "review D --base main", out: "breaks nothing: 2 events added", "`home.open`", "`settings.open`")
    }

    @Test(
        "Documents that moved, also between a folder and its subfolder, are compared",
        arguments: [("D", "Logs"), ("D", "D/Logs"), ("D/Logs", "D"), ("D", "."), (".", "D")])
    func movedDocumentsAreCompared(_ from: String, _ to: String) throws {
        let scratch = try Scratch(["README.md": "an app"])
        try scratch.git("init", "-q", "-b", "main")
        for (name, text) in ["search.md": Self.search(Self.row, Self.position), "types.md": Self.types] {
            try scratch.write(text, to: "\(from)/\(name)")
        }
        #expect(try Tool.run("lock", from, in: scratch.url).code == 0)
        try scratch.commit("before")
        try scratch.git("switch", "-qc", "change")
        try FileManager.default.createDirectory(
            at: scratch.url.appendingPathComponent(to), withIntermediateDirectories: true)
        for name in ["search.md", "types.md", "loggen.lock"] {
            try scratch.git("mv", "\(from)/\(name)", "\(to)/\(name)")
        }
        try scratch.write(Self.typeChange, to: "\(to)/search.md")
        try scratch.commit("moved")
        let result = try Tool.run("review", to, "--base", "main", in: scratch.url)
        #expect(result.code == 1)
        #expect(
            result.out.hasPrefix(
                Self.broken + "1 event changed.\nnote: `\(to)` was `\(from)` in `main`: the two are compared\n"),
            "\(result.out)")
        #expect(result.out.contains("`search.show` changed (1-0-0 → 2-0-0)"))
    }

    @Test("The first commit adds everything") func theFirstCommitAddsEverything() throws {
        let scratch = try Scratch(["README.md": "an app"])
        try scratch.git("init", "-q", "-b", "main")
        try scratch.commit("nothing")
        try scratch.git("switch", "-qc", "change")
        try scratch.write("# ホーム `home`\n\n## 開いた `open`\n", to: "D/home.md")
        let result = try scratch.expect("review D --base main")
        #expect(
            result.out.hasPrefix(
                "This change of the log definitions breaks nothing: 1 event added.\nnote: `main` has no definitions in `D`: all are new, and nothing is compared\n"
            ), "\(result.out)")
    }

    @Test("A shallow clone gets help to fetch the history") func aShallowCloneGetsTheWayOut() throws {
        let scratch = try Self.base()
        try scratch.commit("change")
        let clones = try Scratch()
        try clones.git(
            "clone", "-q", "--depth", "1", "--no-single-branch", "file://\(scratch.url.path)", "clone")
        let clone = clones.url.appendingPathComponent("clone")
        let result = try Tool.run("review", "D", "--base", "origin/main", in: clone)
        #expect(result.code == 2)
        #expect(
            result.error.contains(
                "have no common commit: this clone is shallow, so fetch the history (`git fetch --unshallow`"),
            "\(result.error)")
        let tagged = try Tool.run("review", "D", "--base-tag", "v*", in: clone)
        #expect(tagged.code == 2 && tagged.error.contains("this clone is shallow"))

        // The clone lacks the commit itself.
        let unknown = String(repeating: "ab", count: 20)
        try clones.git("clone", "-q", "--depth", "1", "file://\(scratch.url.path)", "narrow")
        for (command, revision) in [
            ("review", "origin/main"), ("review", unknown), ("check", "origin/main"), ("check", "HEAD~1"),
        ] {
            let result = try Tool.run(command, "D", "--base", revision, in: clones.url.appendingPathComponent("narrow"))
            #expect(result.code == 2)
            #expect(
                result.error.hasPrefix(
                    "loggen: error: this clone is shallow and does not have `\(revision)`: fetch the history (`git fetch --unshallow`"
                ),
                "\(result.error)")
        }
        for command in ["review", "check"] {
            let whole = try Tool.run(command, "D", "--base", unknown, in: scratch.url)
            #expect(
                whole.code == 2 && whole.error.contains("this clone does not have the commit `abab"), "\(whole.error)")
        }
    }

    /// In a container, the user does not own the files that the host checked out.
    @Test("Git's message about another owner is complete", .enabled(if: geteuid() == 0))
    func messageOfGitAboutAnotherOwnerIsComplete() throws {
        let scratch = try Self.base()
        for path in ["", ".git", "D"] { #expect(chown(scratch.url.appendingPathComponent(path).path, 1001, 1001) == 0) }
        for arguments in [["--base", "main"], ["--base-tag", "v*"]] {
            let result = try Tool.run(
                ["review", "D"] + arguments, in: scratch.url, environment: ["HOME": "/nonexistent"])
            #expect(result.code == 2)
            #expect(
                result.error.contains("git reports: fatal: detected dubious ownership")
                    && result.error.contains("git config --global --add safe.directory "),
                "\(result.error)")
        }
    }

    @Test("A tag can replace a branch as the base") func tagCanReplaceABranchAsTheBase() throws {
        let scratch = try Self.base()
        try scratch.git("tag", "v1.0")
        try scratch.git("tag", "nightly")
        try scratch.write(Self.search(Self.row, "position | string(3) | 上から"), to: "D/search.md")
        try scratch.commit("change")
        try scratch.git("tag", "nightly-2")
        let result = try scratch.expect("review D --base-tag v*", code: 1)
        #expect(
            result.out.hasPrefix(
                "This change of the log definitions breaks app code, the warehouse and old apps, and is not accepted"))
        #expect(
            try scratch.loggen("review D --base-tag nightly*").out
                == "The log definitions are the same as in `nightly-2`.\n")
    }

    @Test(
        "Wrong usage is explained",
        arguments: [
            (
                ["--base", "nowhere"],
                "loggen: error: `nowhere` is not a commit of this clone: fetch it first, or name another"
            ),
            (["--base=--output=x"], "loggen: error: `--output=x` is not a git revision"),
            (["--base", ""], "loggen: error: The value of `--base` is empty."),
            ([], "loggen: error: Name the base of the comparison: either `--base REVISION` or `--base-tag PATTERN`."),
            (["--base", "main", "--base-tag", "v*"], "loggen: error: Name the base of the comparison"),
            (
                ["--base", "main", "--diagnostics", "github"],
                "loggen: error: `--diagnostics` does not apply to the report of `review`: write `--format json`"
            ),
            (
                ["--base", "main", "--sources", "D/loggen.yml"],
                "loggen: error: D/loggen.yml:1: the usages are not JSON: "
            ),
            (["--base", "main", "--sources", "nowhere.json"], "loggen: error: cannot read `nowhere.json`: "),
        ])
    func wrongUsageIsExplained(_ arguments: [String], _ sentence: String) throws {
        let scratch = try Self.base()
        let result = try Tool.run(["review", "D"] + arguments, in: scratch.url)
        #expect(result.code == 2)
        #expect(result.error.hasPrefix(sentence) && result.out.isEmpty, "\(result.error)")
    }

    @Test("Usages show where the app posts an event") func usagesSayWhereTheAppPosts() throws {
        let scratch = try Self.base()
        try scratch.write(Self.search(Self.row, Self.position, "note | string(40)? | ひとこと"), to: "D/search.md")
        try scratch.write(
            #"{"events":[{"event":"search.show","places":[{"file":"App/画面.swift","line":12}]}]}"#, to: "usage.json")
        try scratch.expect(
            "review D --base main --sources usage.json", out: "\n  the app posts it in `App/画面.swift:12`\n")
    }

    @Test("Every warehouse is listed for a change of any size")
    func everyWarehouseIsNamedHoweverMuchChanges() throws {
        func many(_ rows: String) -> String {
            "# 多い `many`\n"
                + (1...60).map {
                    "\n## `act\($0)`\n\n| column | type | description |\n| - | - | - |\n| number | int32 | x |\n\(rows)"
                }.joined()
        }
        let scratch = try Self.base(History(before: ["many.md": many(""), "loggen.yml": "outputs: {sql: {}}\n"]))
        try scratch.write(
            many((1...5).map { "| note\($0) | string(40)? | とても長い説明がここにある |\n" }.joined()), to: "D/many.md")
        let markdown = try scratch.loggen("review D --base main --format markdown")
        #expect(markdown.code == 0 && markdown.out.utf16.count < 65_000, "\(markdown.error)")
        for title in ["DuckDB", "Spark", "PostgreSQL", "BigQuery", "Snowflake", "ClickHouse"] {
            #expect(markdown.out.contains("<summary>\(title): "), "\(title)")
        }
    }

    /// GitHub accepts 65,536 characters.
    @Test("A report of 400 changed events is short enough") func manyChangedEventsFit() throws {
        func many(_ type: String) -> String {
            "# 多い `many`\n"
                + (1...400).map { index in
                    "\n## 行動\(index)の、とても長い題名がついたイベント `act\(index)`\n\n"
                        + (1...5).map { "列の説明がここに何行も続く。\($0)\n" }.joined()
                        + "\n| column | type | description |\n| - | - | - |\n| number\(index) | \(type) | とても長い説明 |\n"
                }.joined()
        }
        let scratch = try Self.base(History(before: ["many.md": many("int32")]))
        try scratch.write(many("string(100)"), to: "D/many.md")
        let markdown = try scratch.expect(
            "review D --base main --format markdown", code: 1, out: "400 events changed",
            " more: `loggen review … --format text` shows all.")
        #expect(markdown.out.utf16.count < 65_000 && markdown.out.utf16.count > 50_000, "\(markdown.out.utf16.count)")
        #expect(markdown.out.contains("**What to do**") && markdown.out.hasSuffix("<!-- loggen review: D -->\n"))
        // Every folded section is closed.
        #expect(
            markdown.out.components(separatedBy: "<details>").count
                == markdown.out.components(separatedBy: "</details>").count)
        let text = try scratch.loggen("review D --base main")
        #expect(text.out.components(separatedBy: "` changed (1-0-0 → 2-0-0)").count == 401)
    }
}
