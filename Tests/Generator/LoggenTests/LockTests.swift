import Foundation
import Testing
import TestSupport

/// Tests of `loggen lock PATH… [--accept] [EVENT…]`.
struct LockTests {
    private func search(_ show: String, hide: String) -> String {
        func event(_ name: String, _ row: String) -> String {
            "## \(name)\n\n| column | type |\n| --- | --- |\n| \(row) |\n\n"
        }
        return "# search\n\n" + event("show", show) + event("hide", hide)
    }

    @Test("The first run records everything") func recordsEverythingAtFirst() throws {
        let scratch = try Scratch([
            "D/search.md": search("a | int64", hide: "b | string(10)?"), "D/x/home.md": "# home\n\n## ~~open~~\n",
        ])
        let result = try scratch.expect("lock D")
        #expect(result.out == "loggen: 3 events recorded (3 new) in D/loggen.lock\n")
        #expect(result.error == "")
        #expect(
            try scratch.read("D/loggen.lock") == """
                loggen.lock 1
                home.open 1-0-0 retired
                search.hide 1-0-0 active b:string(10)?
                search.show 1-0-0 active a:int64

                """)
        #expect(Array(try scratch.files().keys.sorted()) == ["D/loggen.lock", "D/search.md", "D/x/home.md"])
    }

    @Test("An unchanged lock file is not written") func unchangedLockFileIsNotWritten() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | string(10)?")])
        _ = try scratch.loggen("lock D")
        let file = scratch.url.appendingPathComponent("D/loggen.lock").path
        let before = try FileManager.default.attributesOfItem(atPath: file)
        let result = try scratch.loggen("lock --accept D")
        #expect(result.out == "loggen: nothing to record in D/loggen.lock\n")
        let after = try FileManager.default.attributesOfItem(atPath: file)
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
    }

    @Test("Harmless changes are recorded, and breaking ones are refused")
    func recordsTheHarmlessAndRefusesTheRest() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | string(10)?")])
        _ = try scratch.loggen("lock D")
        try scratch.write(search("a | bool", hide: "b | string(20)?"), to: "D/search.md")
        let result = try scratch.expect("lock D", code: 1)
        #expect(result.out == "search.hide: 1-0-0 → 1-0-1\nloggen: 1 event recorded (1 changed) in D/loggen.lock\n")
        #expect(
            result.error == """
                D/search.md:7:7: error: the column `a` of `search.show` changes its type: `int64` → `bool`; breaks app code, the warehouse and old apps; \
                model (1-0-0 → 2-0-0) [breaking-change]
                help: once everyone affected is ready, accept with `loggen lock --accept D`; append an event's name to accept only that event

                """)
        #expect(
            try scratch.read("D/loggen.lock") == """
                loggen.lock 1
                search.hide 1-0-0 active b:string(10)?
                search.hide 1-0-1 active b:string(20)?
                search.show 1-0-0 active a:int64

                """)
        #expect(try scratch.loggen("lock D --accept").out.hasPrefix("search.show: 1-0-0 → 2-0-0\n"))
        #expect(
            try scratch.read("D/loggen.lock").hasSuffix(
                "search.show 1-0-0 active a:int64\nsearch.show 2-0-0 active a:bool\n"))
    }

    @Test(
        "An event that looks renamed is not recorded until that is decided, even if a column changes with it",
        arguments: [
            "book_id | int64\nposition | int(0...)\ngenre | string",
            "item_id | int64\nposition | int(0...)\ngenre | string",
            "book_id | int64\nposition | int(0...)\ngenre | string\nshelf | int", "book_id | int64\ngenre | string",
            "book_id | int64\nposition | int64\ngenre | string",
        ])
    func undecidedRename(columns: String) throws {
        func document(_ events: String...) -> String { "# shelf\n\n" + events.joined(separator: "\n") }
        func event(_ name: String, _ columns: String, details: String = "") -> String {
            let rows = columns.split(separator: "\n").map { "| \($0) |\n" }.joined()
            return "## \(name)\n\n\(details)| column | type |\n| --- | --- |\n\(rows)"
        }
        let scratch = try Scratch([
            "D/shelf.md": document(event("see_book", "book_id | int64\nposition | int(0...)\ngenre | string")),
            "D/loggen.yml": "outputs: {}\n",
        ])
        try scratch.expect("lock D")
        let first = try scratch.read("D/loggen.lock")
        try scratch.write(document(event("view_book", columns), event("other", "a | bool")), to: "D/shelf.md")
        for words in [["D"], ["--accept", "D"], ["--accept", "D", "shelf.view_book"]] {
            let result = try Tool.run(["lock"] + words, in: scratch.url)
            #expect(result.code == 1 && result.error.contains("write `| renamed from | see_book |`"), "\(result)")
            #expect(!(try scratch.read("D/loggen.lock").contains("view_book")), "\(words)")
        }
        let check = try scratch.loggen("check D")
        #expect(check.error.contains("`shelf.view_book` looks renamed from `shelf.see_book`"), "\(check)")
        #expect(!check.error.contains("breaks nothing"), "\(check)")
        // Both decisions lead on.
        let renamed = "| key | value |\n| --- | --- |\n| renamed from | see_book |\n\n"
        for text in [
            document(event("view_book", columns, details: renamed)),
            document(event("view_book", columns), "## ~~see_book~~\n"),
        ] {
            try scratch.write(text, to: "D/shelf.md")
            try scratch.write(first, to: "D/loggen.lock")
            try scratch.expect("lock --accept D")
            try scratch.expect("check D")
        }
        #expect(try scratch.read("D/loggen.lock").contains("shelf.view_book 1-0-0"))
    }

    @Test("A value or a common column that looks renamed is proposed as one")
    func proposesFormerNames() throws {
        let types = "# types\n\n## Genre\n\n| value | description |\n| --- | --- |\n| prose | a |\n| verse | b |\n"
        let common = "# common\n\n| column | type |\n| --- | --- |\n| visitor | string |\n"
        let scratch = try Scratch([
            "D/search.md": search("a | Genre", hide: "b | int"), "D/types.md": types, "D/common.md": common,
        ])
        try scratch.expect("lock D")
        try scratch.write(types.replacingOccurrences(of: "| verse", with: "| poetry"), to: "D/types.md")
        try scratch.write(common.replacingOccurrences(of: "| visitor", with: "| guest"), to: "D/common.md")
        let result = try scratch.loggen("lock D")
        for (heir, former) in [("poetry", "verse"), ("guest", "visitor")] {
            #expect(
                result.error.contains(
                    "if `\(heir)` continues `\(former)`, write `\(former)` into a column `renamed from`"),
                "\(result)")
        }
    }

    @Test("A value in a list of values has no row for its former name, so none is proposed")
    func proposesNoFormerNameInAList() throws {
        let scratch = try Scratch(["D/search.md": search("a | enum(x, y) |\n| z | int", hide: "b | int")])
        try scratch.expect("lock D")
        try scratch.write(search("a | enum(x, z) |\n| z | int", hide: "b | int"), to: "D/search.md")
        let result = try scratch.loggen("lock D")
        #expect(result.code == 1 && !result.error.contains("renamed from"), "\(result)")
    }

    @Test("A single event can be accepted") func acceptsOneEvent() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | int64")])
        _ = try scratch.loggen("lock D")
        try scratch.write(search("a | bool", hide: "b | bool"), to: "D/search.md")
        let result = try scratch.expect("lock D --accept search.show")
        #expect(result.out == "search.show: 1-0-0 → 2-0-0\nloggen: 1 event recorded (1 changed) in D/loggen.lock\n")
        let check = try scratch.loggen("check D --only swift --stat")
        #expect(check.error.contains("`search.hide`"))
        #expect(!check.error.contains("`search.show`"))
        // Arguments may have any order.
        try scratch.expect("lock --accept search.hide D")
    }

    @Test("A breaking change without a new version can be accepted")
    func aBreakingChangeCanBeAcceptedOverAnUnchangedVersion() throws {
        let columns = "| column | type |\n| --- | --- |\n"
        let scratch = try Scratch(["D/search.md": "# search\n\n## show\n\n\(columns)| a | int64 |\n| b | bool |\n"])
        _ = try scratch.loggen("lock D")
        try scratch.write("# search\n\n## show\n\n\(columns)| b | bool |\n| a | int64 |\n", to: "D/search.md")
        try scratch.expect(
            "lock D", code: 1,
            error: "`search.show` has its columns in another order; breaks app code; no new version [breaking-change]")
        #expect(try scratch.loggen("lock D --accept").out.hasPrefix("search.show: 1-0-0, changed\n"))
        #expect(try scratch.read("D/loggen.lock") == "loggen.lock 1\nsearch.show 1-0-0 active b:bool a:int64\n")
    }

    @Test("Wrong usage is explained") func wrongUsageIsExplained() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | int64")])
        for (arguments, expected) in [
            (["lock", "--accept"], "Missing expected argument"),
            (["lock", "--accept", "search.show"], "Name the definition folder"),
            (["lock", "D", "search.show"], "`loggen lock --accept D search.show`"),
            (["lock", "D", "--accept", "search.shw"], "unknown event `search.shw`: did you mean `search.show`?"),
        ] {
            let result = try Tool.run(arguments, in: scratch.url)
            #expect(result.code == 2)
            #expect(result.error.contains(expected), "\(result.error)")
        }
        #expect(Array(try scratch.files().keys) == ["D/search.md"])
    }

    @Test("Definitions with errors are not recorded") func definitionsWithErrorsAreNotRecorded() throws {
        let scratch = try Scratch(["D/search.md": "# search\n\n## Show\n"])
        let result = try scratch.expect("lock D", code: 1)
        #expect(result.error.hasSuffix("loggen: 1 error; nothing was recorded\n"))
        #expect(Array(try scratch.files().keys) == ["D/search.md"])
    }

    /// Permissions do not stop root, but no user can create a file below a device.
    @Test("A lock file that cannot be written is reported") func aLockFileThatCannotBeWrittenGetsASentence() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | int64")])
        let lock = scratch.url.appendingPathComponent("D/loggen.lock").path
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: "/dev/null/loggen.lock")
        let result = try scratch.expect("lock D", code: 2)
        #expect(result.error.hasPrefix("loggen: error: cannot "))
    }

    /// Changes of different events merge automatically. Changes of the same event cause a conflict that is explained.
    @Test("Lock files merge in git") func mergesInGit() throws {
        let scratch = try Scratch([
            "D/search.md": search("a | int64", hide: "b | int64"), "D/home.md": "# home\n\n## open\n",
        ])
        // Unchanged lines are in between, as in any larger lock file.
        for name in ["kitchen", "premium"] {
            try scratch.write("# \(name)\n\n## open\n\n## close\n", to: "D/\(name).md")
        }
        _ = try scratch.loggen("lock D")
        try scratch.git("init", "-q", "-b", "main")
        try scratch.git("add", ".")
        try scratch.git("commit", "-qm", "first")
        try scratch.git("checkout", "-qb", "side")
        try scratch.write("# home\n\n## open\n\n| column | type |\n| --- | --- |\n| c | bool? |\n", to: "D/home.md")
        _ = try scratch.loggen("lock D")
        try scratch.git("commit", "-qam", "home")
        try scratch.git("checkout", "-q", "main")
        try scratch.write(search("a | bool", hide: "b | int64"), to: "D/search.md")
        _ = try scratch.loggen("lock --accept D")
        try scratch.git("commit", "-qam", "search")
        try scratch.git("merge", "-q", "side", "-m", "merge")
        #expect(try scratch.loggen("lock D").out == "loggen: nothing to record in D/loggen.lock\n")

        try scratch.git("checkout", "-qb", "other")
        try scratch.write(search("a | string", hide: "b | int64"), to: "D/search.md")
        _ = try scratch.loggen("lock --accept D")
        try scratch.git("commit", "-qam", "other")
        try scratch.git("checkout", "-q", "main")
        try scratch.write(search("a | url", hide: "b | int64"), to: "D/search.md")
        _ = try scratch.loggen("lock --accept D")
        try scratch.git("commit", "-qam", "main")
        #expect(throws: Scratch.GitFailure.self) { try scratch.git("merge", "-q", "other") }
        try scratch.git("checkout", "--ours", "D/search.md")
        try scratch.expect(
            "lock D", code: 1, error: "error: the lock file is in a merge conflict [lock-file]",
            "help: remove the conflict markers and keep the lines of both branches; if both have one version of an event, "
                + "keep the line of the branch with releases; then run `loggen lock`")
    }

    @Test("A retired name cannot be defined again") func retiredNameCannotBeDefinedAgain() throws {
        let scratch = try Scratch([
            "D/search.md": "# search\n\n## ~~hide~~\n\n## show\n\n| column | type |\n| --- | --- |\n| ~~a~~ | int |\n"
        ])
        try scratch.expect("lock D")
        let before = try scratch.read("D/loggen.lock")
        try scratch.write(
            "# search\n\n## hide\n\n## show\n\n| column | type |\n| --- | --- |\n| a | int? |\n", to: "D/search.md")
        for arguments in [["lock", "D"], ["lock", "--accept", "D"], ["lock", "--accept", "D", "search.hide"]] {
            let result = try Tool.run(arguments, in: scratch.url)
            #expect(result.code == 1)
            #expect(result.error.contains("`search.hide` is retired and defined again, but its name stays reserved"))
            #expect(!result.error.contains("--accept D"))
            #expect(try scratch.read("D/loggen.lock") == before)
        }
    }

    @Test("An event that was never released can be forgotten") func unreleasedEventCanBeForgotten() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | int64")])
        _ = try scratch.loggen("lock D")
        try scratch.expect("lock --forget D search.hide", code: 2, error: "not a git repository")
        try scratch.commit()
        try scratch.git("tag", "1.0.0")
        // This event was locked after the release, and deleted again.
        try scratch.write(search("a | int64", hide: "b | int64") + "## later\n", to: "D/search.md")
        try scratch.expect("lock D")
        try scratch.write(search("a | int64", hide: "b | int64"), to: "D/search.md")
        let deleted = try scratch.loggen("check D --only swift --stat --diagnostics json")
        #expect(
            deleted.out.contains(
                "if no released app contains the event, also remove it from the lock file: `loggen lock --forget D`, "
                    + "followed by the event's name"
            ))
        try scratch.expect(
            "lock --forget D search.hide search.later", code: 2, error: "`search.hide` is in the release `1.0.0`")
        let before = try scratch.read("D/loggen.lock")
        #expect(before.contains("search.later"))
        let unknown = try scratch.loggen("lock --forget D search.lates")
        #expect(unknown.error.contains("unknown event `search.lates`: did you mean `search.later`?"))
        // A shallow clone may lack the tag of a release.
        try scratch.commit("later")
        let clones = try Scratch()
        try clones.git("clone", "-q", "--depth", "1", "--no-tags", "file://\(scratch.url.path)", "clone")
        let shallow = try Tool.run(
            ["lock", "--forget", "D", "search.hide"], in: clones.url.appendingPathComponent("clone"))
        #expect(shallow.code == 2 && shallow.error.contains("this clone is shallow"), "\(shallow)")
        #expect(try clones.read("clone/D/loggen.lock") == before)
        let result = try scratch.expect("lock --forget D search.later")
        #expect(result.out == "search.later: forgotten\nloggen: 1 event taken back in D/loggen.lock\n")
        #expect(
            try scratch.read("D/loggen.lock")
                == before.replacingOccurrences(of: "search.later 1-0-0 active\n", with: ""))
        #expect(try scratch.loggen("lock D").out == "loggen: nothing to record in D/loggen.lock\n")
    }
}
