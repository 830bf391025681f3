import Foundation
import Testing
import TestSupport

/// Tests of this package's published hooks with pre-commit (pre-commit.com) in a git repository.
///
/// Only the script that builds the tool is replaced, so that the hooks run the tool under test. `.ci/stages/hooks`
/// installs the hooks as users do.
struct PreCommitTests {
    static let hooks = ["loggen-format", "loggen-lint", "loggen-check"]

    /// Returns the configuration in the article Building, with the third hook in addition.
    private static func configuration(revision: String) throws -> String {
        let blocks = try ReadmeTests.blocks(of: ReadmeTests.article("Building"))
        let sample = try #require(blocks.first { $0.path == ".pre-commit-config.yaml" }).lines.map { $0 + "\n" }
            .joined()
        let (address, commit, check) = (
            "../loggen # or its URL", "COMMIT # the hash of a commit, or a release's tag", "      - id: loggen-check\n"
        )
        try #require([address, commit, check, "- id: loggen-format\n"].allSatisfy(sample.contains))
        return sample.replacingOccurrences(of: address, with: "../hooks")
            .replacingOccurrences(of: commit, with: revision)
            .replacingOccurrences(of: check, with: "      - id: loggen-lint\n        args: [Definitions]\n" + check)
    }

    private final class Repository {
        let scratch: Scratch

        /// A repository with a commit that has passed the hooks. Its copies use the hooks that pre-commit installed for it.
        private static let base: Result<URL, any Error> = Result {
            let scratch = try Scratch([
                "app/Definitions/search.md": """
                # search

                ## show

                Shown.

                | column    | type  |
                | --------- | ----- |
                | recipe_id | int64 |

                """,
                "hooks/Hooks/loggen": "#!/bin/sh\nexec '\(Tool.executable.path)' \"$@\"\n",
                "hooks/.pre-commit-hooks.yaml": try Tool.text(of: ".pre-commit-hooks.yaml"),
            ])
            let repository = Repository(scratch)
            try repository.must(["chmod", "+x", "Hooks/loggen"], in: "hooks")
            try repository.must(["git", "init", "--quiet", "--initial-branch", "main"], in: "hooks")
            try repository.must(["git", "add", "."], in: "hooks")
            try repository.must(["git", "commit", "--quiet", "--message", "Hooks"], in: "hooks")
            let revision = try repository.run(["git", "rev-parse", "HEAD"], in: "hooks").out
            try repository.scratch.write(
                try PreCommitTests.configuration(revision: revision.trimmingCharacters(in: .newlines)),
                to: "app/.pre-commit-config.yaml")
            try repository.must(["git", "init", "--quiet"])
            try repository.must(["loggen", "Definitions"])
            try repository.must(["loggen", "lock", "Definitions"])
            try repository.must(["pre-commit", "install"])
            try #require(try repository.commit() == nil)
            let kept = RunFolder.url.appendingPathComponent("hooks")
            try withExtendedLifetime(repository) {
                try FileManager.default.copyItem(at: repository.scratch.url, to: kept)
            }
            return kept
        }

        private init(_ scratch: consuming Scratch) { self.scratch = scratch }

        convenience init() throws { self.init(try Scratch(copying: Self.base.get())) }

        private static let environment = Tool.author.merging([
            "PATH": Tool.path(Tool.executable.deletingLastPathComponent()),
            "PRE_COMMIT_HOME": RunFolder.url.appendingPathComponent("pre-commit").path,
        ]) { $1 }

        func run(_ command: [String], in folder: String = "app") throws -> Tool.Result {
            try Tool.command(command, in: scratch.url.appendingPathComponent(folder), environment: Self.environment)
        }

        func must(_ command: [String], in folder: String = "app") throws {
            let result = try run(command, in: folder)
            try #require(result.code == 0, "\(command.joined(separator: " ")): \(result.out)\(result.error)")
        }

        /// Commits everything. Returns nil if the hooks pass, or their output if they fail.
        func commit() throws -> String? {
            try must(["git", "add", "--all"])
            let result = try run(["git", "commit", "--quiet", "--message", "A change"])
            return result.code == 0 ? nil : result.out + result.error
        }

        func edit(_ path: String, _ old: String, _ new: String) throws {
            let text = try scratch.read("app/" + path)
            try #require(text.contains(old))
            try scratch.write(text.replacingOccurrences(of: old, with: new), to: "app/" + path)
        }
    }

    @Test("A commit passes if definitions, files and lock file agree")
    func aCommitPassesWhereDefinitionsFilesAndLockAgree() throws {
        let repository = try Repository()
        try repository.edit("Definitions/search.md", "Shown.", "Seen.")
        try repository.must(["loggen", "Definitions"])
        #expect(try repository.commit() == nil)
    }

    @Test("A hand-edited generated file is rejected") func aGeneratedFileEditedByHandIsRefused() throws {
        let repository = try Repository()
        try repository.edit("Generated/Swift/Search.swift", "recipeId: Int64", "recipeId: Int")
        let said = try #require(try repository.commit())
        #expect(said.contains("-    case show(recipeId: Int)\n+    case show(recipeId: Int64)"), "\(said)")
        #expect(said.contains("1 file differs from the definitions: run `loggen generate Definitions`"))
        try repository.must(["loggen", "generate", "Definitions"])
        try repository.scratch.write("Notes.\n", to: "app/notes.txt")
        #expect(try repository.commit() == nil)
    }

    @Test("A misaligned table is rejected with the command that formats it")
    func misalignedTableIsRejected() throws {
        let repository = try Repository()
        try repository.edit("Definitions/search.md", "| recipe_id | int64 |", "|recipe_id|int64|")
        let said = try #require(try repository.commit())
        #expect(said.contains("Definitions/search.md: the file is not in canonical form"), "\(said)")
        #expect(said.contains("help: run `loggen format Definitions`"), "\(said)")
        try repository.must(["loggen", "format", "Definitions"])
        // The file equals the committed one. Another file keeps the commit from being empty.
        try repository.scratch.write("Notes.\n", to: "app/notes.txt")
        #expect(try repository.commit() == nil)
    }

    @Test(
        "A commit that only deletes files is judged",
        arguments: ["Definitions/search.md", "Generated/Swift/Search.swift"])
    func deletions(_ path: String) throws {
        let repository = try Repository()
        try repository.must(["git", "rm", "--quiet", path])
        let result = try repository.run(["git", "commit", "--quiet", "--message", "Less"])
        #expect(result.code != 0 && !result.error.contains("no files to check"), "\(result.out)\(result.error)")
    }

    @Test("A mistake is rejected with its source location") func mistakeIsRejectedWithItsSourceLocation() throws {
        let repository = try Repository()
        try repository.edit("Definitions/search.md", "| int64 |", "| itn64 |")
        let said = try #require(try repository.commit())
        #expect(
            said.contains("Definitions/search.md:9:15: error: the type `itn64` is not defined [unknown-type]"),
            "\(said)")
        #expect(said.contains("help: did you mean `int64`?"))
        #expect(said.components(separatedBy: "[unknown-type]").count == 2, "It is printed once: \(said)")
    }

    /// The script reports a failed build, with a fix. It passes on the tool's output.
    @Test("The script builds a missing tool, and one that is older than its sources")
    func scriptBuildsTheTool() throws {
        let script = try Tool.text(of: "Hooks/loggen")
        let scratch = try Scratch([
            "clone/Hooks/loggen": script, "clone/Package.swift": "", "clone/Sources/a/b.swift": "",
            // A fake `swift` records the arguments of each build, and creates a `loggen` that prints the arguments of
            // its call.
            "bin/swift": """
            #!/bin/sh
            echo "$@" >>"$ASKED"
            [ -z "$GIT_DIR" ] || exit 9
            [ -z "$BREAKS" ] || { echo "error: $BREAKS"; exit 1; }
            [ ! -x "$7/.build/$3/loggen" ] || exit 0
            mkdir -p "$7/.build/$3" && printf '#!/bin/sh\\necho "given $*"; exit 1\\n' >"$7/.build/$3/loggen" && chmod +x "$7/.build/$3/loggen"

            """,
        ])
        func run(breaks: String = "") throws -> Tool.Result {
            try Tool.command(
                ["sh", "clone/Hooks/loggen", "lint", "a b"], in: scratch.url,
                environment: [
                    "PATH": Tool.path(scratch.url.appendingPathComponent("bin")),
                    "BREAKS": breaks, "GIT_DIR": "/nowhere",
                    "ASKED": scratch.url.appendingPathComponent("asked").path,
                ])
        }
        _ = try Tool.command(["chmod", "+x", "bin/swift"], in: scratch.url)
        let broken = try run(breaks: "'cmark.h' file not found")
        #expect(broken.code == 2)
        #expect(
            broken.error.contains("'cmark.h' file not found") && broken.error.contains("apt-get install libcmark-dev"))
        let other = try run(breaks: "cannot clone from local directory")
        #expect(other.code == 2)
        #expect(other.error.contains("cannot clone") && !other.error.contains("libcmark"), "\(other.error)")
        func builds() throws -> Int {
            let result = try run()
            #expect(result.code == 1 && result.out == "given lint a b\n", "\(result.out)\(result.error)")
            let asked = try scratch.read("asked").split(separator: "\n").filter { $0.hasPrefix("build") }
            #expect(asked.allSatisfy { $0.hasPrefix("build -c release --product loggen --package-path ") })
            return asked.count
        }
        #expect(try builds() == 3)
        #expect(try builds() == 3)
        // SwiftPM decides whether a change concerns the tool. One that does not is looked at once.
        for change in [
            "echo >>clone/Sources/a/b.swift", "rm clone/Sources/a/b.swift", "echo >>clone/Package.swift",
            "mkdir clone/Sources/a/c && touch -d '2 years ago' old && mv old clone/Sources/a/c/old.swift",
        ] {
            let before = try builds()
            // A file system's clock is coarser than the steps of this test.
            _ = try Tool.shell("sleep 0.02; \(change); sleep 0.02", in: scratch.url)
            #expect(try builds() == before + 1, "\(change)")
            #expect(try builds() == before + 1, "\(change)")
        }
        // A failed build does not leave the stale tool in use.
        try scratch.write("", to: "clone/Sources/a/b.swift")
        #expect(try run(breaks: "no").code == 2)
        #expect(try run(breaks: "no").code == 2)
    }

    @Test("The script starts the latest of the built tools, and rebuilds that one")
    func latestTool() throws {
        let tool = "#!/bin/sh\necho \"$0\" | sed 's|.*/.build/||'\n"
        let scratch = try Scratch([
            "Hooks/loggen": try Tool.text(of: "Hooks/loggen"),
            "Package.swift": "", "Sources/a.swift": "", ".build/release/loggen": tool,
            "bin/swift": "#!/bin/sh\necho \"$3\" >>asked\n",
        ])
        func run(_ preparation: String) throws -> String {
            let steps = "sleep 0.02; \(preparation); chmod +x bin/* .build/*/*; PATH=$PWD/bin:$PATH sh Hooks/loggen"
            return try Tool.shell(steps, in: scratch.url).out
        }
        #expect(try run("touch .build/release/loggen") == "release/loggen\n")
        #expect(try run("mkdir .build/debug && cp .build/release/loggen .build/debug") == "debug/loggen\n")
        #expect(throws: (any Error).self) { try scratch.read("asked") }
        #expect(try run("echo >>Sources/a.swift") == "debug/loggen\n")
        #expect(try scratch.read("asked") == "debug\n")
    }

    /// With a bundle, nothing is built: the fake `swift` would fail.
    @Test("The tool of a bundle is used") func aBundlesToolIsRun() throws {
        let tool = "#!/bin/sh\necho \"given $* by $LOGGEN_PLUGIN_VERSION\"; exit 1\n"
        let scratch = try Scratch([
            "clone/Hooks/loggen": try Tool.text(of: "Hooks/loggen"),
            "clone/VERSION": "9.8.7\n", "bin/swift": "#!/bin/sh\nexit 1\n",
            "a bundle/loggen-9.8.7-x86_64-unknown-linux-gnu/bin/loggen": tool,
            "a bundle/loggen-9.8.7-aarch64-unknown-linux-gnu/bin/loggen": tool,
            "a bundle/loggen-9.8.7-macos/bin/loggen": tool,
            "other/loggen-9.8.7-riscv64-unknown-linux-gnu/bin/loggen": tool,
        ])
        _ = try Tool.command(["chmod", "-R", "+x", "."], in: scratch.url)
        func run(_ bundle: String) throws -> Tool.Result {
            try Tool.command(
                ["sh", "clone/Hooks/loggen", "lint", "a b"], in: scratch.url,
                environment: [
                    "PATH": Tool.path(scratch.url.appendingPathComponent("bin")),
                    "LOGGEN_BUNDLE": bundle,
                ])
        }
        // A relative path is relative to the clone.
        for bundle in [scratch.url.path + "/a bundle", "../a bundle"] {
            let result = try run(bundle)
            #expect(result.code == 1 && result.out == "given lint a b by 9.8.7\n", "\(result.out)\(result.error)")
        }
        let missing = try run("../other")
        #expect(missing.code == 2 && missing.error.contains("has no loggen for this machine"), "\(missing.error)")
    }

    /// The repository's configuration contains every published hook.
    @Test("This repository uses its hooks") func thisRepositoryUsesItsHooks() throws {
        let config = try Tool.text(of: ".pre-commit-config.yaml")
        let published = try Tool.text(of: ".pre-commit-hooks.yaml")
        for hook in Self.hooks {
            #expect(published.contains("- id: \(hook)\n"))
            #expect(config.contains("- id: \(hook)\n"))
        }
    }
}
