import Foundation
import Testing
import TestSupport

/// Tests of `--staged` and of the git hooks of `loggen init`, with git itself.
@Suite(.timeLimit(.minutes(5))) struct StagedTests {
    private final class Repository {
        let scratch: Scratch
        let folder: String

        init() throws {
            scratch = try Scratch(copying: Self.base.get())
            folder = ""
        }

        private static let base: Result<URL, any Error> = Result {
            let base = RunFolder.url.appendingPathComponent("staged")
            let repository = try Repository("")
            try withExtendedLifetime(repository) {
                try FileManager.default.copyItem(at: repository.scratch.url, to: base)
            }
            return base
        }

        init(_ folder: String, files: [String: String] = [:]) throws {
            scratch = try Scratch(files)
            self.folder = folder
            try must("git", "init", "--quiet", "--initial-branch", "main", in: ".")
            try must("loggen", "init", "--without-plugin", folder.isEmpty ? "." : folder, in: ".")
            try must("git", "add", ".", in: ".")
            try must("git", "commit", "--quiet", "-m", "Logs", in: ".")
        }

        private static let path = ["PATH": Tool.path(Tool.executable.deletingLastPathComponent())]

        func run(_ command: [String], in place: String? = nil, environment: [String: String] = [:]) throws
            -> Tool.Result
        {
            try Tool.command(
                command, in: scratch.url.appendingPathComponent(place ?? folder),
                environment: Tool.author.merging(Self.path) { $1 }.merging(environment) { $1 })
        }

        @discardableResult
        func must(_ command: String..., in place: String? = nil) throws -> String {
            let result = try run(command, in: place)
            try #require(result.code == 0, "\(command.joined(separator: " ")): \(result.out)\(result.error)")
            return result.out
        }

        /// Commits what is staged. Returns nil, or the output of the hook that has refused it.
        func commit(_ arguments: String..., in place: String? = nil) throws -> String? {
            let result = try run(["git", "commit", "--quiet", "-m", "A change"] + arguments, in: place)
            return result.code == 0 ? nil : result.out + result.error
        }

        func read(_ path: String) throws -> String { try scratch.read(at(path)) }

        func write(_ path: String, _ text: String) throws { try scratch.write(text, to: at(path)) }

        func edit(_ path: String, _ old: String, _ new: String) throws {
            let text = try read(path)
            try #require(text.contains(old), "\(text)")
            try write(path, text.replacingOccurrences(of: old, with: new))
        }

        func generate(in place: String? = nil) throws {
            try must("loggen", "lock", "--accept", "Definitions", "--quiet", in: place)
            try must("loggen", "Definitions", "--quiet", in: place)
        }

        private func at(_ path: String) -> String { folder.isEmpty ? path : folder + "/" + path }
    }

    /// A definition that breaks the one of `loggen init`.
    private static let column = ("LaunchSource", "string(8)   ")
    private static let draft = "# new\n\n## open\n\nOpened.\n"

    @Test("A staged breaking change that is undone in the folder is refused", arguments: ["", "it's an アプリ"])
    func undoneInTheFolder(_ folder: String) throws {
        let repository = try Repository(folder)
        let original = try repository.read("Definitions/lifecycle.md")
        try repository.edit("Definitions/lifecycle.md", Self.column.0, Self.column.1)
        try repository.must("git", "add", ".")
        try repository.write("Definitions/lifecycle.md", original)
        let refused = try #require(try repository.commit())
        #expect(refused.contains("Definitions/lifecycle.md:") && refused.contains("[breaking-change]"), "\(refused)")
        #expect(refused.contains("note: the folder has changes that are not in the commit"), "\(refused)")
        try repository.must("git", "add", ".")
        try repository.write("notes.txt", "")
        try repository.must("git", "add", ".")
        #expect(try repository.commit() == nil)
    }

    @Test("A refused `git commit -a` has no note on unstaged changes, whichever index the hook passes on")
    func commitOfEverything() throws {
        let repository = try Repository()
        try repository.write(
            ".git/hooks/pre-commit",
            "#!/bin/sh\nexport LOGGEN_STAGED_TREE=$(git write-tree)\nunset $(git rev-parse --local-env-vars)\n"
                + "exec loggen check Definitions --staged\n")
        try repository.edit("Definitions/lifecycle.md", Self.column.0, Self.column.1)
        #expect(try repository.commit("--all")?.contains("note:") == false)
        try repository.write("notes.txt", "")
        #expect(try repository.commit("--all")?.contains("not in the commit") == true)
    }

    @Test("During a merge with conflicts, the next step is to resolve them")
    func conflict() throws {
        let repository = try Repository()
        let file = "Definitions/lifecycle.md"
        try repository.must("git", "checkout", "--quiet", "-b", "other")
        try repository.edit(file, Self.column.0, Self.column.1)
        try repository.must("git", "commit", "--quiet", "--no-verify", "--all", "-m", "one")
        try repository.must("git", "checkout", "--quiet", "-")
        try repository.edit(file, Self.column.0, Self.column.0 + " ")
        try repository.must("git", "commit", "--quiet", "--no-verify", "--all", "-m", "two")
        _ = try repository.run(["git", "merge", "other"])
        let result = try repository.run(["loggen", "check", "Definitions", "--staged"])
        #expect(result.code == 2 && result.error.contains("resolve them, and `git add` the files"), "\(result)")
    }

    @Test("Definitions, lock file and outputs have to be in one commit")
    func everythingInOneCommit() throws {
        let repository = try Repository()
        try repository.write("Definitions/new.md", Self.draft)
        try repository.generate()
        // Without the definition, without the lock file and the outputs, and without the outputs.
        for paths in [["Definitions/loggen.lock", "Generated"], ["Definitions/new.md"], ["Definitions"]] {
            try repository.must("git", "reset", "--quiet")
            _ = try repository.run(["git", "add"] + paths)
            #expect(try repository.commit() != nil, "\(paths)")
        }
        try repository.must("git", "add", ".")
        #expect(try repository.commit() == nil)
        try repository.must("git", "clone", "--quiet", ".", "clone")
        try repository.must("loggen", "check", "Definitions", in: "clone")
    }

    @Test("Drafts and unstaged lines do not stop another commit, and are not committed")
    func drafts() throws {
        let repository = try Repository()
        try repository.write("Definitions/draft.md", "# draft\n\n## Not yet\n")
        try repository.edit("Definitions/lifecycle.md", Self.column.0, "strng")
        try repository.write("notes.txt", "")
        try repository.must("git", "add", "notes.txt")
        #expect(try repository.commit() == nil)
        // One of two hunks.
        let lint = try repository.run(["loggen", "lint", "--staged", "Definitions"])
        #expect(lint.code == 0, "\(lint.error)")
        #expect(try repository.run(["loggen", "lint", "Definitions"]).code == 1)
        #expect(try repository.run(["loggen", "format", "--check", "--staged", "Definitions"]).code == 0)
        #expect(try repository.must("git", "status", "--porcelain").contains("?? Definitions/draft.md"))
        // A path that is announced, but not staged.
        try repository.must("git", "add", "--intent-to-add", "Definitions/draft.md")
        try repository.write("more.txt", "")
        try repository.must("git", "add", "more.txt")
        #expect(try repository.commit() == nil)
    }

    @Test("`commit -a`, `commit PATH` and `--amend` are judged by what they commit")
    func waysToCommit() throws {
        let repository = try Repository()
        try repository.edit("Definitions/lifecycle.md", Self.column.0, Self.column.1)
        #expect(try repository.commit("-a") != nil)
        #expect(try repository.commit("--", "Definitions/lifecycle.md") != nil)
        #expect(try repository.commit("--amend", "-a") != nil)
        // Only another path.
        try repository.write("notes.txt", "")
        try repository.must("git", "add", "notes.txt")
        #expect(try repository.commit("--", "notes.txt") == nil)
        try repository.generate()
        #expect(try repository.commit("-a") == nil)
        #expect(try repository.commit("--amend", "--allow-empty") == nil)
    }

    @Test("Renames and deletions are judged", arguments: ["lifecycle.md", "types.md", "loggen.lock"])
    func deletions(_ file: String) throws {
        let repository = try Repository()
        try repository.must("git", "rm", "--quiet", "Definitions/\(file)")
        let refused = try #require(try repository.commit())
        if file == "loggen.lock" {
            #expect(refused.contains("the commit deletes `Definitions/loggen.lock`, which keeps"), "\(refused)")
            // Other commands do not need the lock file.
            #expect(try repository.run(["loggen", "lint", "--staged", "Definitions"]).code == 0)
        }
        try repository.must("git", "reset", "--quiet", "--hard")
        try repository.must("git", "mv", "Definitions/\(file)", "Definitions/moved-\(file)")
        #expect(try repository.commit() != nil)
    }

    @Test(
        "A commit that deletes all definitions is refused, and a branch without definitions passes",
        arguments: ["", "app"])
    func withoutDefinitions(folder: String) throws {
        let repository = try Repository(folder)
        let definitions = folder.isEmpty ? "Definitions" : "app/Definitions"
        try repository.must("git", "rm", "-r", "--quiet", ".", in: ".")
        let refused = try #require(try repository.commit(in: "."))
        #expect(refused.contains("the commit deletes `\(definitions)`"), "\(refused)")
        try repository.must("git", "reset", "--quiet", "--hard", in: ".")
        try repository.must("git", "checkout", "--quiet", "--orphan", "pages", in: ".")
        try repository.must("git", "rm", "-r", "-f", "--quiet", ".", in: ".")
        try repository.scratch.write("", to: "index.html")
        try repository.must("git", "add", "index.html", in: ".")
        let result = try repository.run(["git", "commit", "-m", "A page"], in: ".")
        #expect(result.code == 0, "\(result.error)")
        #expect(result.error.contains("loggen: the commit does not contain `\(definitions)`; nothing to check"))
    }

    @Test("No version of the latest tag is lost, or given to another shape")
    func releasedVersions() throws {
        let repository = try Repository()
        let columns = "# shop\n\n## view\n\n| column | type |\n| --- | --- |\n| item | int |\n"
        func tag(_ name: String, _ text: String) throws {
            try repository.write("Definitions/shop.md", text)
            try repository.generate()
            try repository.must("git", "add", ".")
            #expect(try repository.commit() == nil)
            try repository.must("git", "tag", name)
        }
        try repository.must("git", "rm", "-r", "--quiet", "Generated")
        try repository.write("Definitions/loggen.yml", "outputs: {}\n")
        try tag("v1", columns + "| rank | int |\n")
        try tag("v2", columns)
        let released = try repository.read("Definitions/loggen.lock")
        let line = try #require(
            released.split(separator: "\n").map(String.init).first { $0.hasPrefix("shop.view 2-0-0 ") })
        func errors(_ command: String...) throws -> String {
            let result = try repository.run(["loggen"] + command + ["Definitions"])
            #expect(result.code == 1, "\(result)")
            return result.error
        }
        try repository.must("git", "revert", "--no-commit", "HEAD")
        let lost = "`shop.view` has no line for the version 2-0-0 of the release `v2`"
        let way = "put the line back, then run `loggen lock`: `\(line)`"
        for said in [try errors("check"), try errors("check", "--staged"), try errors("lock", "--accept")] {
            #expect(said.contains(lost) && said.contains(way), "\(said)")
        }
        #expect(try repository.commit() != nil)
        for (text, message) in [
            (
                released.replacingOccurrences(of: line, with: line.replacing("item:int", with: "item:bool")),
                "has another shape for the version 2-0-0"
            ),
            (
                released.replacingOccurrences(of: "shop.view 1-0-0", with: "shop.list 1-0-0"),
                "no line for the version 1-0-0"
            ),
            ("loggen.lock 1\n", "has no line for the version 2-0-0"),
        ] {
            try repository.write("Definitions/loggen.lock", text)
            #expect(try errors("check").contains(message))
        }
        try repository.must("rm", "Definitions/loggen.lock")
        #expect(try errors("check").contains(way))
        // With the lines, the reverted shape gets a version of its own.
        try repository.write("Definitions/loggen.lock", released)
        try repository.must("loggen", "lock", "--accept", "--quiet", "Definitions")
        #expect(try repository.read("Definitions/loggen.lock").contains("shop.view 3-0-0 active"))
        try repository.must("loggen", "check", "Definitions")
    }

    @Test("A linked worktree, a hooks path, a sparse checkout and a submodule are judged")
    func unusualRepositories() throws {
        let repository = try Repository("", files: ["docs/a.txt": ""])
        try repository.must("git", "worktree", "add", "--quiet", "-b", "other", "work tree 試験")
        let path = "work tree 試験/Definitions/lifecycle.md"
        try repository.edit(path, Self.column.0, Self.column.1)
        #expect(try repository.commit("-a", in: "work tree 試験") != nil)
        try repository.generate(in: "work tree 試験")
        #expect(try repository.commit("-a", in: "work tree 試験") == nil)

        try repository.must("git", "sparse-checkout", "set", "--no-cone", "docs/")
        try repository.write("docs/a.txt", "more")
        #expect(try repository.commit("-a") == nil)
        try repository.must("git", "sparse-checkout", "disable")

        try repository.must("git", "config", "core.hooksPath", "our hooks")
        try repository.must("loggen", "init", "--without-plugin", ".")
        try repository.edit("Definitions/lifecycle.md", Self.column.0, Self.column.1)
        let refused = try #require(try repository.commit("-a"))
        #expect(refused.contains("[breaking-change]"), "\(refused)")

        let outer = try Repository()
        try outer.must(
            "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository.scratch.url.path, "sub"
        )
        #expect(try outer.commit() == nil)
        try outer.must("loggen", "init", "--without-plugin", ".", in: "sub")
        try outer.edit("sub/Definitions/lifecycle.md", Self.column.0, Self.column.1)
        #expect(try outer.commit("-a", in: "sub") != nil)
        try outer.must("git", "add", "--all", in: "sub")
        let inside = try outer.run(["loggen", "check", "--staged", "--base", "HEAD", "Definitions"], in: "sub")
        #expect(inside.code == 1 && inside.error.contains("[breaking-change]"), "\(inside.error)")
        // The definitions of a submodule are those of its commit in the next commit.
        func isBreaking() throws -> Bool {
            try outer.run(["loggen", "check", "--staged", "sub/Definitions"]).error.contains("[breaking-change]")
        }
        #expect(try !isBreaking())
        #expect(try outer.commit("-a", "--no-verify", in: "sub") == nil)
        #expect(try !isBreaking())
        try outer.must("git", "add", "sub")
        #expect(try isBreaking())
        let base = try outer.run(["loggen", "check", "--base", "HEAD", "sub/Definitions"])
        #expect(base.code == 1 && base.error.contains("[breaking-change]"), "\(base.error)")
    }

    @Test("A lock file may be deleted when others continue it, and not because its folder is reached by a link")
    func deletedLocks() throws {
        let linked = try Repository()
        try linked.must("mkdir", "shared")
        try linked.must("git", "mv", "Definitions", "shared/defs")
        try linked.must("git", "rm", "-r", "--quiet", "Generated")
        try linked.write("shared/defs/loggen.yml", "outputs: {}\n")
        try linked.must("ln", "-s", "shared/defs", "Definitions")
        try linked.must("git", "add", ".")
        #expect(try linked.commit() == nil)
        try linked.must("git", "rm", "--quiet", "shared/defs/loggen.lock")
        #expect(try linked.commit()?.contains("the commit deletes `shared/defs/loggen.lock`") == true)

        let both = try linked.run(["loggen", "check", "--staged", "Definitions", "Missing"])
        #expect(both.error.contains("the commit deletes `shared/defs/loggen.lock`"), "\(both.error)")

        let joined = try Repository()
        try joined.must("git", "rm", "-r", "--quiet", "Generated")
        for name in ["core", "cart"] {
            try joined.write("Sources/\(name)/loggen.yml", "outputs: {}\n")
            try joined.write("Sources/\(name)/\(name).md", "# \(name)\n\n## open\n\nOpened.\n")
            try joined.must("loggen", "lock", "Sources/\(name)")
        }
        try joined.must("git", "add", ".")
        try joined.must("git", "commit", "--quiet", "--no-verify", "-m", "Separate")
        try joined.write("loggen.yml", "definitions: [core, cart]\noutputs: {}\n")
        try joined.must("sh", "-c", "(cat Sources/core/loggen.lock; tail -qn +2 Sources/cart/loggen.lock) >loggen.lock")
        try joined.must("sh", "-c", "git rm -qf Sources/*/loggen.lock Sources/*/loggen.yml; git add .")
        let result = try joined.run(["loggen", "check", "--staged", "."])
        #expect(result.code == 0, "\(result.out)\(result.error)")
    }

    @Test("A merge of two valid branches that is not valid is refused")
    func merges() throws {
        let repository = try Repository()
        try repository.write("Definitions/loggen.yml", "outputs: {}\n")
        try repository.must("git", "rm", "-r", "--quiet", "Generated")
        for (name, type) in [("aaa", "int?"), ("zzz", "string?")] {
            try repository.write("Definitions/\(name).md", "# \(name)\n\n## open\n\nOpened.\n")
            try repository.generate()
            try repository.must("git", "add", ".")
            #expect(try repository.commit() == nil)
            try repository.must("git", "checkout", "--quiet", "-b", name)
            try repository.write(
                "Definitions/\(name).md",
                "# \(name)\n\n## open\n\nOpened.\n\n| column | type |\n| --- | --- |\n| score | \(type) |\n")
            try repository.must("loggen", "format", "Definitions")
            try repository.generate()
            try repository.must("git", "add", ".")
            #expect(try repository.commit() == nil)
            try repository.must("git", "checkout", "--quiet", "main")
        }
        try repository.must("git", "merge", "--quiet", "-m", "One", "aaa")
        let merged = try repository.run(["git", "merge", "-m", "Two", "zzz"])
        #expect(merged.code != 0, "\(merged.out)\(merged.error)")
        #expect((merged.out + merged.error).contains("[column-type]"), "\(merged.out)\(merged.error)")
    }

    @Test("Without loggen on PATH, the hook says how to get it, and how to skip it once")
    func withoutTheTool() throws {
        let repository = try Repository()
        try repository.write("notes.txt", "")
        try repository.must("git", "add", ".")
        let result = try repository.run(
            ["git", "commit", "-m", "Notes"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.code == 1)
        #expect(result.error.contains("swift build -c release --product loggen"), "\(result.error)")
        #expect(result.error.contains("git commit --no-verify"))
    }

    @Test("A clone with CRLF has no drift") func lineEnds() throws {
        let repository = try Repository()
        try repository.must("git", "clone", "--quiet", "--config", "core.autocrlf=true", ".", "clone", in: "")
        #expect(try repository.read("clone/Generated/Swift/Lifecycle.swift").contains("\r\n"))
        try repository.must("loggen", "check", "--stat", "Definitions", in: "clone")
        try repository.must("loggen", "check", "--staged", "Definitions", in: "clone")
        let run = try repository.must("loggen", "Definitions", in: "clone")
        #expect(run.contains("(0 written, "), "\(run)")
        // Other changes of a file with CRLF are drift.
        try repository.edit("clone/Generated/Swift/Lifecycle.swift", "case launch", "case lunch")
        #expect(try repository.run(["loggen", "check", "--stat", "Definitions"], in: "clone").code == 1)
    }

    @Test("Paths may be absolute, and the folder may be below the top of the repository")
    func paths() throws {
        let repository = try Repository("app")
        try repository.edit("Definitions/lifecycle.md", Self.column.0, Self.column.1)
        try repository.must("git", "add", ".")
        let folder = repository.scratch.url.path + "/app/Definitions"
        for (arguments, place, shown) in [
            ([folder], "app", "Definitions/lifecycle.md:"), (["app/Definitions"], ".", "app/Definitions/lifecycle.md:"),
            (["."], "app/Definitions", "lifecycle.md:"),
            ([folder, "--config=\(folder)/loggen.yml"], "app", "Definitions/lifecycle.md:"),
        ] {
            let result = try repository.run(["loggen", "check", "--staged"] + arguments, in: place)
            #expect(result.code == 1 && result.error.hasPrefix(shown), "\(arguments): \(result.error)")
        }
        // The copy is removed.
        try repository.must("mkdir", "temporary")
        let temporary = repository.scratch.url.path + "/app/temporary"
        let checked = try repository.run(
            ["loggen", "check", "--staged", "Definitions"], environment: ["TMPDIR": temporary])
        #expect(checked.code == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        let base = try repository.run(["loggen", "check", "--staged", "--base", "HEAD", "Definitions"])
        #expect(base.code == 1 && base.error.contains("[breaking-change]"), "\(base.error)")
    }

    @Test("Outside of a repository, and for writing, `--staged` is a mistake")
    func mistakes() throws {
        let scratch = try Scratch(["D/search.md": GenerateTests.search])
        try scratch.expect("check --staged D", code: 2, error: "not a git repository")
        try scratch.expect("format --staged D", code: 2, error: "loggen format --check --staged")
    }
}
