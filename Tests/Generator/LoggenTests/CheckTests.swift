import Foundation
import Testing
import TestSupport

/// Tests of `loggen check PATH…`, which compares generated files with definitions, and definitions with loggen.lock or
/// a git revision.
struct CheckTests {
    static func search(_ columns: String..., heading: String = "show", more: String = "") -> String {
        let table = columns.isEmpty ? "" : "| column | type |\n| --- | --- |\n" + columns.map { "| \($0) |\n" }.joined()
        return "# search\n\n## \(heading)\n\n\(table)\n\(more)"
    }

    static func settle(_ scratch: borrowing Scratch) throws {
        try scratch.expect("D")
        try scratch.expect("lock D")
        try scratch.expect("D")
    }

    private func silent(_ result: Tool.Result) -> Bool {
        result.code == 0 && result.out.isEmpty
            && (result.error.isEmpty || result.error.wholeMatch(of: /loggen: nothing to change.*\n/) != nil)
    }

    @Test("Without a problem, `check` changes nothing") func checkWithoutAProblemChangesNothing() throws {
        let scratch = try Scratch(["D/search.md": Self.search("recipe_id | int64")])
        try Self.settle(scratch)
        let before = try scratch.files()
        #expect(silent(try scratch.loggen("check D")))
        #expect(try scratch.files() == before)
    }

    @Test("Without a lock file, `check` explains how to begin") func missingLockFileExplainsHowToBegin() throws {
        let scratch = try Scratch(["D/search.md": Self.search()])
        _ = try scratch.loggen("D")
        let result = try scratch.expect("check D")
        let note =
            "note: `D/loggen.lock` is missing: nothing protects the names and types of released records; `loggen lock D` creates it, and later changes are compared with it\n"
        #expect(result.error == note + "loggen: nothing to change: 3 generated files are up to date\n")
        let strict = try scratch.expect("check D --strict --quiet", code: 1)
        #expect(strict.error == note)
        try scratch.expect("check D --diagnostics json", out: #""severity": "warning", "rule": "lock-file""#)
        #expect(silent(try scratch.loggen("check D --quiet")))
    }

    // MARK: Generated files

    @Test("A hand-edited file is shown as a diff") func aHandEditedFileIsShownAsADifference() throws {
        let scratch = try Scratch(["D/search.md": Self.search()])
        try Self.settle(scratch)
        let file = "Generated/Swift/Search.swift"
        let generated = try scratch.read(file)
        try scratch.write(generated.replacingOccurrences(of: "case show", with: "case shown"), to: file)
        let before = try scratch.files()
        let result = try scratch.expect(
            "check D", code: 1, out: "\n-    case shown\n+    case show\n",
            error: "loggen: 1 file differs from the definitions: run `loggen generate D`\n")
        #expect(result.out.hasPrefix("--- Generated/Swift/Search.swift\n+++ Generated/Swift/Search.swift\n@@ -"))
        let allowing = "--allow-writing-to-package-directory loggen generate"
        for (target, package, command) in [
            ("", "", allowing), ("AppLogs", "", "\(allowing) --target AppLogs"),
            ("", "loggen-plugins", "--package loggen-plugins \(allowing)"),
        ] {
            let ofPlugin = try Tool.run(
                "check", "D", in: scratch.url,
                environment: ["LOGGEN_PLUGIN_TARGET": target, "LOGGEN_PLUGIN_PACKAGE": package])
            #expect(ofPlugin.error.contains(": run `swift package \(command)`\n"), "\(ofPlugin.error)")
        }
        #expect(try scratch.files() == before)

        try scratch.expect("check D --only json-schema")
        let stat = try scratch.expect("check D --stat", code: 1)
        #expect(stat.out.wholeMatch(of: /Generated\/Swift\/Search\.swift \| \+\d+ -\d+\n/) != nil)
    }

    @Test("Missing and stale files are listed") func forgottenAndStaleFilesAreShown() throws {
        let scratch = try Scratch(["D/search.md": Self.search(), "D/home.md": "# home\n\n## ~~open~~\n"])
        try Self.settle(scratch)
        try scratch.remove("D/home.md")
        try scratch.remove("Generated/Swift/Search.swift")
        let result = try scratch.expect("check D --stat", code: 1)
        let lines = result.out.split(separator: "\n").map { String($0.prefix { !$0.isNumber }) }
        #expect(
            lines == [
                "Generated/JSONSchema/envelope.schema.json | +",
                "Generated/JSONSchema/home.schema.json | stale, +",
                "Generated/Swift/Home.swift | stale, +", "Generated/Swift/Search.swift | missing, +",
            ])
        let diff = try scratch.loggen("check D")
        #expect(diff.out.contains("\nGenerated/Swift/Search.swift | missing, +"))
        #expect(diff.out.contains("\nGenerated/Swift/Home.swift | stale, +0 -"))
    }

    @Test("If only the plugin generates, no files are missing")
    func whereOnlyThePluginGeneratesNoFilesAreMissed() throws {
        let scratch = try Scratch(["D/search.md": Self.search()])
        try scratch.expect(
            "check D --stat", code: 1,
            error: "help: if only the build plugin generates files, write `outputs: {}` into loggen.yml\n")
        try scratch.write("outputs: {}\n", to: "D/loggen.yml")
        try scratch.expect("check D")
    }

    @Test("Errors in definitions come first") func errorsInDefinitionsComeFirst() throws {
        let scratch = try Scratch(["D/search.md": "# search\n\n## Show\n"])
        let result = try scratch.expect("check D", code: 1, error: "D/search.md:3:4: error: ")
        #expect(result.out == "")
    }

    @Test("With `--strict`, warnings fail") func strictLetsWarningsFail() throws {
        let scratch = try Scratch(["D/search.md": "text\n\n" + Self.search()])
        try Self.settle(scratch)
        try scratch.expect("check D")
        try scratch.expect("check D --strict", code: 1)
    }

    // MARK: Definitions

    @Test("A breaking change is one line with location, readers and bump")
    func aBreakingChangeIsOneLineWithPlaceReadersAndBump() throws {
        let scratch = try Scratch(["D/search.md": Self.search("recipe_id | int64"), "D/loggen.yml": "outputs: {}\n"])
        try Self.settle(scratch)
        try scratch.write(Self.search("recipe_id | string", "keyword | string?"), to: "D/search.md")
        let result = try scratch.expect("check D", code: 1)
        #expect(
            result.error == """
                D/search.md:7:15: error: the column `recipe_id` of `search.show` changes its type: `int64` → `string`; breaks app code, \
                the warehouse and old apps; model (1-0-0 → 2-0-0) [breaking-change]
                help: once everyone affected is ready, accept with `loggen lock --accept D`; append an event's name to accept only that event

                """)
        try scratch.expect("lock --accept D")
        #expect(silent(try scratch.loggen("check D")))
    }

    @Test("An outdated lock file is one line") func outdatedLockFileIsOneLine() throws {
        let scratch = try Scratch(["D/search.md": Self.search(), "D/loggen.yml": "outputs: {}\n"])
        try Self.settle(scratch)
        try scratch.write(Self.search("keyword | string?", more: "## hide\n"), to: "D/search.md")
        let result = try scratch.expect("check D", code: 1)
        #expect(
            result.error
                == "D/loggen.lock:1:1: error: loggen.lock is out of date: run `loggen lock D`; 2 events differ, which breaks nothing [lock-behind]\n"
        )
        try scratch.expect("lock D")
        #expect(silent(try scratch.loggen("check D")))
    }

    @Test("A column that changed its type is at fault, not the columns of other files", arguments: ["check", "lint"])
    func changedColumnIsAtFault(_ command: String) throws {
        func document(_ name: String, _ type: String) -> String {
            "# \(name)\n\n## show\n\n| column | type |\n| --- | --- |\n| recipe_id | \(type) |\n"
        }
        let scratch = try Scratch([
            "D/a.md": document("a", "int64?"), "D/b.md": document("b", "int64"), "D/c.md": document("c", "int64"),
            "D/loggen.yml": "outputs: {}\n",
        ])
        try Self.settle(scratch)
        try scratch.write(document("a", "string?"), to: "D/a.md")
        let result = try Tool.run(command, "D", "--quiet", in: scratch.url)
        #expect(
            result.code == 1
                && result.error.hasPrefix(
                    """
                    D/a.md:7:15: error: `recipe_id` has another type than in loggen.lock: a column name has one type in all events [column-type]
                        | recipe_id | string? |
                                      ^~~~~~~
                    D/b.md:7:15: note: the accepted type is here
                    help: write `int64?`

                    """),
            "\(result.error)")
        // A new column has no accepted type.
        try scratch.write("loggen.lock 1\n", to: "D/loggen.lock")
        let without = try Tool.run(command, "D", "--quiet", in: scratch.url)
        #expect(without.error.hasPrefix("D/b.md:7:15: error: ") && without.error.contains("help: write `string`\n"))
    }

    @Test("An added value of an enumeration breaks nothing, and is a note")
    func addedValueIsANote() throws {
        let scratch = try Scratch(["D/search.md": Self.search("sort | enum(a, b)"), "D/loggen.yml": "outputs: {}\n"])
        try Self.settle(scratch)
        try scratch.write(Self.search("sort | enum(a, b, c)"), to: "D/search.md")
        let result = try scratch.loggen("check D")
        #expect(
            result.code == 1
                && result.error == """
                    D/loggen.lock:1:1: error: loggen.lock is out of date: run `loggen lock D`; 1 event differs, which breaks nothing [lock-behind]
                    note: the column `sort` of `search.show` gains the value `c`; query results may change

                    """,
            "\(result.error)")
        let lock = try scratch.loggen("lock D")
        #expect(try lock.code == 0 && scratch.read("D/loggen.lock").contains("search.show 1-0-1 "), "\(lock.error)")
    }

    @Test("A lock file without events may be cut off") func lockFileWithoutEventsMayBeCutOff() throws {
        let scratch = try Scratch([
            "D/search.md": Self.search(), "D/loggen.yml": "outputs: {}\n", "D/loggen.lock": "loggen.lock 1\n",
        ])
        try scratch.expect(
            "check D", code: 1,
            error: "loggen.lock has no events; restore it from git, or run `loggen lock D` [lock-behind]")
    }

    @Test("A column that moves between an event and `common.md` has no row to bring back", arguments: [true, false])
    func columnMoves(_ becomesCommon: Bool) throws {
        let common = "# common\n\n| column | type |\n| --- | --- |\n"
        let own = [
            "D/search.md": Self.search("a | int64", more: "## hide\n"), "D/common.md": common + "| b | int64 |\n",
        ]
        let shared = [
            "D/search.md": Self.search(more: "## hide\n"), "D/common.md": common + "| b | int64 |\n| a | int64 |\n",
        ]
        let scratch = try Scratch(becomesCommon ? own : shared)
        try scratch.write("outputs: {}\n", to: "D/loggen.yml")
        try Self.settle(scratch)
        for (path, text) in becomesCommon ? shared : own { try scratch.write(text, to: path) }
        let check = try scratch.expect("check D", code: 1, error: "was required and is deleted")
        #expect(!check.error.contains("bring the row back"), "\(check.error)")
    }

    @Test("Descriptions do not change a version") func descriptionsDoNotChangeAVersion() throws {
        let scratch = try Scratch(["D/search.md": Self.search(), "D/loggen.yml": "outputs: {}\n"])
        try Self.settle(scratch)
        try scratch.write(
            "# 検索 `search`\n\nText.\n\n## 表示 `show`\n\n| key | value |\n| --- | --- |\n| owner | @a |\n",
            to: "D/search.md")
        #expect(silent(try scratch.loggen("check D")))
    }

    @Test("An event that is gone has to be retired") func anEventThatIsGoneIsToBeRetired() throws {
        let scratch = try Scratch([
            "D/search.md": Self.search(more: "## hide\n"), "D/home.md": "# home\n\n## open\n",
            "D/loggen.yml": "outputs: {}\n",
        ])
        try Self.settle(scratch)
        try scratch.write(Self.search(), to: "D/search.md")
        try scratch.remove("D/home.md")
        let result = try scratch.expect(
            "check D", code: 1,
            error: "D/search.md:1:3: error: `search.hide` is deleted but not retired: bring it back as `## ~~hide~~`; ",
            "D/loggen.lock:2:1: error: `home.open` is deleted but not retired: bring it back as `## ~~open~~`; ",
            "note: a new file `home.md` begins with `# home`\n")
        #expect(result.error.split(separator: "\n").count == 3)
        // A single file has no information about the others.
        #expect(!(try scratch.loggen("check D/search.md").error.contains("home.open")))

        try scratch.expect("lock --accept D", code: 1)
        try scratch.write("# home\n\n## ~~open~~\n", to: "D/home.md")
        try scratch.write(Self.search(more: "## ~~hide~~\n"), to: "D/search.md")
        try scratch.expect("lock --accept D")
        // After events are retired and accepted, their sections may be deleted. The names stay reserved.
        try scratch.write(Self.search(), to: "D/search.md")
        try scratch.remove("D/home.md")
        #expect(silent(try scratch.loggen("check D")))
        try scratch.write(Self.search(more: "## hide\n"), to: "D/search.md")
        try scratch.expect(
            "check D", code: 1,
            error: "D/search.md:6:4: error: `search.hide` is retired and defined again, but its name stays reserved; "
                + "breaks the warehouse", "[reserved-name]")
    }

    @Test("Generated versions are those that are recorded") func versionsAreTheOnesThatWouldBeRecorded() throws {
        let scratch = try Scratch(["D/search.md": Self.search()])
        try Self.settle(scratch)
        try scratch.write(Self.search("keyword | string?"), to: "D/search.md")
        _ = try scratch.loggen("D")
        let before = try scratch.files(under: "Generated")
        #expect(try scratch.read("Generated/Swift/Search.swift").contains("1-0-1"))
        #expect(try scratch.read("Generated/JSONSchema/search.schema.json").contains(#""x-version": "1-0-1""#))
        #expect(try scratch.loggen("dump D").out.contains(#""version": "1-0-1""#))
        _ = try scratch.loggen("lock D")
        _ = try scratch.loggen("D")
        #expect(try scratch.files(under: "Generated") == before)
        #expect(silent(try scratch.loggen("check D")))
    }

    // MARK: Lock files that cannot be read

    @Test("A broken lock file is reported with its line") func aLockFileInDisorderGetsASentenceWithItsLine() throws {
        let text = "loggen.lock 1\nsearch.show 1-0-0 active x:strin\nsearch.show 1-0-1 active\n"
        let scratch = try Scratch(["D/search.md": Self.search(), "D/loggen.lock": text])
        for command in ["check", "lock"] {
            let result = try Tool.run(command, "D", in: scratch.url)
            #expect(result.code == 1)
            #expect(
                result.error.hasPrefix("D/loggen.lock:2:1: error: `strin` is not a type [lock-file]\n"),
                "\(result.error)")
            #expect(result.error.contains("\nhelp: "))
            #expect(Array(try scratch.files().keys.sorted()) == ["D/loggen.lock", "D/search.md"])
            #expect(try scratch.read("D/loggen.lock") == text)
        }
    }

    @Test("A lock file that is a folder cannot be read") func lockFileThatIsAFolderCannotBeRead() throws {
        let scratch = try Scratch(["D/search.md": Self.search(), "D/loggen.lock/x": ""])
        for command in ["check", "lock", "generate", "dump"] {
            let result = try Tool.run(command, "D", in: scratch.url)
            #expect(result.code == 2)
            #expect(result.error == "loggen: error: cannot read `D/loggen.lock`: Is a directory\n")
        }
    }

    // MARK: Formats

    @Test("Diagnostics for programs contain everything") func programsGetEverythingAsDiagnostics() throws {
        let scratch = try Scratch(["D/search.md": Self.search("recipe_id | int64", more: "## hide\n")])
        try Self.settle(scratch)
        try scratch.write(Self.search("recipe_id | int64?"), to: "D/search.md")
        let json = try scratch.expect("check D --diagnostics json", code: 1)
        #expect(json.error == "")
        let rules = try json.out.split(separator: "\n").compactMap {
            (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["rule"] as? String
        }
        #expect(rules == ["deleted-event", "breaking-change", "output-drift", "output-drift"])
        #expect(json.out.contains("accept with `loggen lock --accept D`"))
        let github = try scratch.loggen("check D --diagnostics github")
        #expect(github.out.contains("::error file=D/search.md,line=7,col=3,endColumn=12,title=breaking-change::"))
        #expect(github.out.contains("::error file=Generated/Swift/Search.swift,"))
        let sarif = try scratch.loggen("check D --diagnostics sarif")
        #expect(try JSONSerialization.jsonObject(with: Data(sarif.out.utf8)) is [String: Any])
    }

    // MARK: Revisions

    @Test("A revision can replace the lock file") func aRevisionCanTakeThePlaceOfTheLockFile() throws {
        let scratch = try Scratch([
            "App/D/search.md": Self.search("recipe_id | RecipeID", "name | string(10)"),
            "App/D/a b/ホーム/home.md": "# home\n\n## open\n",
            "App/D/types.md": "# types\n\n## RecipeID: int32\n", "App/D/README.md": "no definition",
            "App/D/.hidden/x.md": "no definition",
            "App/D/loggen.yml": "outputs: {}\n",
        ])
        try scratch.commit()
        let app = scratch.url.appendingPathComponent("App")
        #expect(silent(try Tool.run("check", "D", "--base", "HEAD", in: app)))

        try scratch.write(
            Self.search("recipe_id | RecipeID", "name | string(20)", "more | bool?"), to: "App/D/search.md")
        #expect(silent(try Tool.run("check", "D", "--base", "HEAD", in: app)))
        try scratch.write("# types\n\n## RecipeID: int64\n", to: "App/D/types.md")
        try scratch.remove("App/D/a b/ホーム/home.md")
        // A git hook sets variables that point elsewhere.
        let result = try Tool.run(
            ["check", "D", "--base", "HEAD"], in: app, environment: ["GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index"])
        #expect(result.code == 1)
        #expect(
            result.error == """
                D/types.md:3:4: error: the type `RecipeID` becomes wider: `int32` → `int64`, in `search.show`; breaks app code and the warehouse; revision [breaking-change]
                HEAD:D/a b/ホーム/home.md:3:4: error: `home.open` is deleted but not retired: bring it back as `## ~~open~~`; breaks app code, the warehouse and old apps [deleted-event]

                """)
        #expect(
            try Tool.run(
                "check", scratch.url.appendingPathComponent("App/D").path, "--base", "HEAD",
                in: FileManager.default.temporaryDirectory
            ).code
                == 1)
        #expect(
            try Tool.run("check", "D/search.md", "D/types.md", "--base", "HEAD", in: app).error.split(separator: "\n")
                .count == 1)
    }

    @Test("An unreadable revision is reported") func unreadableRevisionIsReported() throws {
        let scratch = try Scratch(["D/search.md": "# search\n\n## Show\n", "D/loggen.yml": "outputs: {}\n"])
        try scratch.commit()
        try scratch.write(Self.search(), to: "D/search.md")
        for (revision, sentence) in [
            ("nowhere", "`nowhere` is not a commit of this clone: fetch it first, or name another"),
            ("--output=x", "`--output=x` is not a git revision"),
            ("HEAD", "cannot compare with `HEAD`, whose definitions have errors: HEAD:D/search.md:3: "),
        ] {
            let result = try Tool.run(["check", "D", "--base=\(revision)"], in: scratch.url)
            #expect(result.code == 2)
            #expect(result.error.hasPrefix("loggen: error: \(sentence)"), "\(result.error)")
        }
        let outside = try Scratch(["D/search.md": Self.search(), "D/loggen.yml": "outputs: {}\n"])
        let result = try Tool.run(["check", "D", "--base", "HEAD"], in: outside.url)
        #expect(result.code == 2)
        #expect(result.error.contains("git reports: fatal: not a git repository"))
        let without = try Tool.run(
            ["check", "D", "--base", "HEAD"], in: outside.url, environment: ["PATH": "/nowhere"])
        #expect(without.code == 2)
        #expect(without.error == "loggen: error: cannot run `git`: No such file or directory\n")
    }

    @Test("Symbolic links in a revision are followed") func aRevisionsLinksAreFollowed() throws {
        let scratch = try Scratch([
            "D/search.md": Self.search("a | int"),
            "Real/home.md": "# home\n\n## open\n\n| column | type |\n| --- | --- |\n| b | int |\n",
            "D/loggen.yml": "outputs: {}\n",
        ])
        try scratch.link("D/home.md", to: "../Real/home.md")
        try scratch.commit()
        #expect(silent(try scratch.loggen("check D --base HEAD")))
        try scratch.write("# home\n\n## open\n\n| column | type |\n| --- | --- |\n| b | string |\n", to: "Real/home.md")
        try scratch.expect("check D --base HEAD", code: 1, error: "the column `b` of `home.open` changes its type")
    }

    @Test("A renamed folder is compared with its former path", arguments: [true, false], [true, false])
    func aFolderThatWasRenamedIsComparedWithItsOldSelf(_ isStaged: Bool, hasLink: Bool) throws {
        let scratch = try Scratch([
            "x/D/search.md": Self.search("a | int"), "x/D/home.md": "# home\n\n## open\n",
            "x/D/loggen.yml": "outputs: {}\n", "y/z.md": "# z\n",
        ])
        try scratch.commit()
        if isStaged {
            try scratch.git("mv", "x/D", "E")
        } else {
            try scratch.move("x/D", to: "E")
        }
        if hasLink { try scratch.link("x/D", to: "../E") }
        try scratch.write(Self.search("a | string"), to: "E/search.md")
        try scratch.remove("E/home.md")
        try scratch.expect(
            "check E --base HEAD", code: 1, error: "note: `E` was `x/D` in `HEAD`: the two are compared\n",
            "E/search.md:7:7: error: the column `a` of `search.show` changes its type",
            "HEAD:x/D/home.md:3:4: error: `home.open` is deleted")
        // If the revision has no such folder, everything is new, and a note reports it.
        try scratch.write("# fresh\n\n## show\n", to: "New/fresh.md")
        let new = try scratch.loggen("check New --base HEAD --only swift")
        #expect(new.error.contains("note: `HEAD` has no definitions in `New`: all are new, and nothing is compared\n"))
    }
}
