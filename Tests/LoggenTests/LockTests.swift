import Foundation
import TestSupport
import Testing

/// `loggen lock PATH… [--accept] [EVENT…]`: what is recorded, what is refused.
struct LockTests {
    private func search(_ show: String, hide: String) -> String {
        func event(_ name: String, _ row: String) -> String { "## \(name)\n\n| column | type |\n| --- | --- |\n| \(row) |\n\n" }
        return "# search\n\n" + event("show", show) + event("hide", hide)
    }

    @Test func recordsEverythingAtFirst() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | string(10)?"), "D/x/home.md": "# home\n\n## ~~open~~\n"])
        let result = try Tool.run("lock", "D", in: scratch.url)
        #expect(result.code == 0)
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

    @Test func writesOnlyWhereBytesChange() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | string(10)?")])
        _ = try Tool.run("lock", "D", in: scratch.url)
        let file = scratch.url.appendingPathComponent("D/loggen.lock").path
        let before = try FileManager.default.attributesOfItem(atPath: file)
        let result = try Tool.run("lock", "--accept", "D", in: scratch.url)
        #expect(result.out == "loggen: nothing to record in D/loggen.lock\n")
        let after = try FileManager.default.attributesOfItem(atPath: file)
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
    }

    @Test func recordsTheHarmlessAndRefusesTheRest() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | string(10)?")])
        _ = try Tool.run("lock", "D", in: scratch.url)
        try scratch.write(search("a | bool", hide: "b | string(20)?"), to: "D/search.md")
        let result = try Tool.run("lock", "D", in: scratch.url)
        #expect(result.code == 1)
        #expect(result.out == "search.hide: 1-0-0 → 1-0-1\nloggen: 1 event recorded (1 changed) in D/loggen.lock\n")
        #expect(
            result.error == """
                D/search.md:7:7: error: the column `a` of `search.show` changes its type: `int64` → `bool`; breaks app code, the warehouse and old apps; \
                model (1-0-0 → 2-0-0) [breaking-change]
                help: once everyone it breaks is ready, accept with `loggen lock --accept D`, or with an event's name behind it for that event alone

                """)
        #expect(
            try scratch.read("D/loggen.lock") == """
                loggen.lock 1
                search.hide 1-0-0 active b:string(10)?
                search.hide 1-0-1 active b:string(20)?
                search.show 1-0-0 active a:int64

                """)
        #expect(try Tool.run("lock", "D", "--accept", in: scratch.url).out.hasPrefix("search.show: 1-0-0 → 2-0-0\n"))
        #expect(try scratch.read("D/loggen.lock").hasSuffix("search.show 1-0-0 active a:int64\nsearch.show 2-0-0 active a:bool\n"))
    }

    @Test func acceptsOneEvent() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | int64")])
        _ = try Tool.run("lock", "D", in: scratch.url)
        try scratch.write(search("a | bool", hide: "b | bool"), to: "D/search.md")
        let result = try Tool.run("lock", "D", "--accept", "search.show", in: scratch.url)
        #expect(result.code == 0)
        #expect(result.out == "search.show: 1-0-0 → 2-0-0\nloggen: 1 event recorded (1 changed) in D/loggen.lock\n")
        let check = try Tool.run("check", "D", "--only", "swift", "--stat", in: scratch.url)
        #expect(check.error.contains("`search.hide`"))
        #expect(!check.error.contains("`search.show`"))
        // In any order.
        #expect(try Tool.run("lock", "--accept", "search.hide", "D", in: scratch.url).code == 0)
    }

    @Test func aBreakingChangeCanBeAcceptedOverAnUnchangedVersion() throws {
        let columns = "| column | type |\n| --- | --- |\n"
        let scratch = try Scratch(["D/search.md": "# search\n\n## show\n\n\(columns)| a | int64 |\n| b | bool |\n"])
        _ = try Tool.run("lock", "D", in: scratch.url)
        try scratch.write("# search\n\n## show\n\n\(columns)| b | bool |\n| a | int64 |\n", to: "D/search.md")
        let refused = try Tool.run("lock", "D", in: scratch.url)
        #expect(refused.code == 1)
        #expect(refused.error.contains("`search.show` has its columns in another order; breaks app code; no new version [breaking-change]"))
        #expect(try Tool.run("lock", "D", "--accept", in: scratch.url).out.hasPrefix("search.show: 1-0-0, changed\n"))
        #expect(try scratch.read("D/loggen.lock") == "loggen.lock 1\nsearch.show 1-0-0 active b:bool a:int64\n")
    }

    @Test func usedWronglySaysHow() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | int64")])
        for (arguments, expected) in [
            (["lock", "--accept"], "Missing expected argument"), (["lock", "--accept", "search.show"], "Say where the definitions are"),
            (["lock", "D", "search.show"], "`loggen lock --accept D search.show`"),
            (["lock", "D", "--accept", "search.shw"], "there is no event `search.shw`: did you mean `search.show`?"),
        ] {
            let result = try Tool.run(arguments, in: scratch.url)
            #expect(result.code == 2)
            #expect(result.error.contains(expected), "\(result.error)")
        }
        #expect(Array(try scratch.files().keys) == ["D/search.md"])
    }

    @Test func definitionsWithErrorsAreNotRecorded() throws {
        let scratch = try Scratch(["D/search.md": "# search\n\n## Show\n"])
        let result = try Tool.run("lock", "D", in: scratch.url)
        #expect(result.code == 1)
        #expect(result.error.hasSuffix("loggen: 1 error; nothing was recorded\n"))
        #expect(Array(try scratch.files().keys) == ["D/search.md"])
    }

    @Test func aFolderThatCannotBeWrittenGetsASentence() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | int64")])
        let folder = scratch.url.appendingPathComponent("D").path
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
        // Who may write everywhere is not stopped by permissions.
        guard !FileManager.default.isWritableFile(atPath: folder) else { return }
        let result = try Tool.run("lock", "D", in: scratch.url)
        #expect(result.code == 2)
        #expect(result.error.hasPrefix("loggen: error: cannot "))
    }

    /// Two branches that change different events merge without a hand; two that change one event leave a conflict that is explained.
    @Test func mergesInGit() throws {
        let scratch = try Scratch(["D/search.md": search("a | int64", hide: "b | int64"), "D/home.md": "# home\n\n## open\n"])
        func git(_ arguments: String..., code: Int32 = 0) throws {
            let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
            let result = try Tool.launch(URL(fileURLWithPath: "/usr/bin/env"), ["git"] + identity + arguments, in: scratch.url)
            #expect(result.code == code, "\(result.out)\(result.error)")
        }
        // Lines that nobody changes stand between, as in any lock file of some size.
        for name in ["kitchen", "premium"] { try scratch.write("# \(name)\n\n## open\n\n## close\n", to: "D/\(name).md") }
        _ = try Tool.run("lock", "D", in: scratch.url)
        try git("init", "-q", "-b", "main")
        try git("add", ".")
        try git("commit", "-qm", "first")
        try git("checkout", "-qb", "side")
        try scratch.write("# home\n\n## open\n\n| column | type |\n| --- | --- |\n| c | bool? |\n", to: "D/home.md")
        _ = try Tool.run("lock", "D", in: scratch.url)
        try git("commit", "-qam", "home")
        try git("checkout", "-q", "main")
        try scratch.write(search("a | bool", hide: "b | int64"), to: "D/search.md")
        _ = try Tool.run("lock", "--accept", "D", in: scratch.url)
        try git("commit", "-qam", "search")
        try git("merge", "-q", "side", "-m", "merge")
        #expect(try Tool.run("lock", "D", in: scratch.url).out == "loggen: nothing to record in D/loggen.lock\n")

        try git("checkout", "-qb", "other")
        try scratch.write(search("a | string", hide: "b | int64"), to: "D/search.md")
        _ = try Tool.run("lock", "--accept", "D", in: scratch.url)
        try git("commit", "-qam", "other")
        try git("checkout", "-q", "main")
        try scratch.write(search("a | url", hide: "b | int64"), to: "D/search.md")
        _ = try Tool.run("lock", "--accept", "D", in: scratch.url)
        try git("commit", "-qam", "main")
        try git("merge", "-q", "other", code: 1)
        try git("checkout", "--ours", "D/search.md")
        let result = try Tool.run("lock", "D", in: scratch.url)
        #expect(result.code == 1)
        #expect(result.error.contains("error: the lock file is in a merge conflict [lock-file]"))
        #expect(
            result.error.contains(
                "help: keep the lines that are on the branch merged into, remove the marks and your own lines, then run `loggen lock`"))
    }
}
