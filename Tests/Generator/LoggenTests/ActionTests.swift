import Foundation
import Testing
import TestSupport
import Yams

/// Tests of the shell code in `action.yml`, run as on a runner, with a fake GitHub API on loopback.
@Suite struct ActionTests {
    // MARK: A runner

    private final class Runner {
        let scratch: Scratch
        private let api = Process()
        private var port = 0

        /// - Parameters:
        /// - change: the content of `D/search.md` in the pull request.
        /// - state: further state of the API.
        init(_ change: String, comments: [[String: Any]] = [], state: [String: Any] = [:]) throws {
            scratch = try Scratch(copying: Self.base.get())
            var state = state
            state["comments"] = comments
            state["requests"] = [String]()
            try scratch.write(try JSONSerialization.data(withJSONObject: state), to: "state.json")
            try scratch.write(change, to: "app/D/search.md")

            api.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            api.arguments = [
                "python3", Tool.repository.appendingPathComponent("Tests/Generator/LoggenTests/Action/api.py").path,
                scratch.url.appendingPathComponent("state.json").path,
            ]
            let out = Pipe()
            api.standardOutput = out
            try api.run()
            port = try #require(
                Int(
                    String(decoding: out.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n").first
                        ?? ""))
        }

        deinit { kill(api.processIdentifier, SIGKILL) }

        private static let base: Result<URL, any Error> = Result {
            let scratch = try Scratch([
                "app/D/search.md": ReviewTests.search(ReviewTests.row, ReviewTests.position),
                "app/D/types.md": ReviewTests.types,
                "app/D/loggen.yml": "outputs: {}\n", "summary.md": "", "output": "",
            ])
            try scratch.git("init", "-q", "-b", "main", in: "app")
            #expect(try Tool.run("lock", "D", in: scratch.url.appendingPathComponent("app")).code == 0)
            try scratch.commit(in: "app")
            try scratch.git("switch", "-qc", "change", in: "app")
            return try scratch.kept(as: "action")
        }

        /// Runs the step `review` with inputs in addition to those of the action.
        ///
        /// - Parameter event: the event that started the workflow instead of the pull request; nil leaves a file that
        ///   is not JSON.
        func run(
            _ inputs: [String: String] = [:], labels: [String] = [], event: [String: Any]?? = .none,
            environment more: [String: String] = [:]
        ) throws -> Tool.Result {
            let text = try Tool.text(of: "action.yml")
            let action = try #require(try Yams.load(yaml: text) as? [String: Any])
            var values: [String: String] = [:]
            for (name, input) in try #require(action["inputs"] as? [String: [String: Any]]) {
                values["inputs.\(name)"] = input["default"] as? String ?? ""
            }
            for (name, value) in inputs { values["inputs.\(name)"] = value }
            values["inputs.loggen"] = Tool.executable.path
            values["inputs.definitions"] = inputs["definitions"] ?? "D"
            values["inputs.token"] = inputs["token"] ?? "secret-token"
            let steps = try #require((action["runs"] as? [String: Any])?["steps"] as? [[String: Any]])
            let step = try #require(steps.first { $0["id"] as? String == "review" })
            var environment: [String: String] = [
                "GITHUB_ACTION_PATH": Tool.repository.path, "GITHUB_ACTIONS": "true",
                "GITHUB_API_URL": "http://127.0.0.1:\(port)",
                "GITHUB_REPOSITORY": "acme/app",
                "GITHUB_EVENT_PATH": scratch.url.appendingPathComponent("event.json").path,
                "GITHUB_STEP_SUMMARY": scratch.url.appendingPathComponent("summary.md").path,
                "GITHUB_OUTPUT": scratch.url.appendingPathComponent("output").path,
            ]
            for (name, value) in try #require(step["env"] as? [String: String]) {
                let expression = value.dropFirst("${{ ".count).dropLast(" }}".count)
                let known: String = try #require(values[String(expression)], "\(value)")
                environment[name] = known
            }
            let pullRequest: [String: Any] = [
                "number": 7, "base": ["sha": "main"], "labels": labels.map { ["name": $0] },
            ]
            if let event = event ?? ["pull_request": pullRequest] {
                try scratch.write(try JSONSerialization.data(withJSONObject: event), to: "event.json")
            } else {
                try scratch.write("{", to: "event.json")
            }
            environment.merge(more) { _, new in new }
            try scratch.write("", to: "summary.md")
            try scratch.write("", to: "output")
            return try Tool.launch(
                URL(fileURLWithPath: "/bin/bash"),
                ["--noprofile", "--norc", "-eo", "pipefail", "-c", try #require(step["run"] as? String)],
                in: scratch.url.appendingPathComponent("app"), environment: environment)
        }

        var comments: [[String: Any]] {
            get throws { try state["comments"] as? [[String: Any]] ?? [] }
        }

        var requests: [String] {
            get throws { try state["requests"] as? [String] ?? [] }
        }

        private var state: [String: Any] {
            get throws {
                try JSONSerialization.jsonObject(with: Data(try scratch.read("state.json").utf8)) as? [String: Any]
                    ?? [:]
            }
        }
    }

    private static let breaking = ReviewTests.search(ReviewTests.row, "position | string(3) | 上から")
    private static let safe = ReviewTests.search(ReviewTests.row, ReviewTests.position, "note | string(40)? | ひとこと")

    private static func comment(_ id: Int, by type: String = "User", _ body: String = "LGTM") -> [String: Any] {
        ["id": id, "user": ["login": "someone", "type": type], "body": body]
    }

    // MARK: Requirements

    @Test("The action installs Python, and libcmark for the build, where they are missing")
    func requirementsAreInstalled() throws {
        let action = try #require(try Yams.load(yaml: Tool.text(of: "action.yml")) as? [String: Any])
        let steps = try #require((action["runs"] as? [String: Any])?["steps"] as? [[String: Any]])
        let script = try #require(steps.first?["run"] as? String)
        func installed(_ present: String..., loggen: String = "") throws -> String {
            let scratch = try Scratch(["bin/id": "#!/bin/sh\necho 0\n", "bin/apt-get": "#!/bin/sh\necho $*\n"])
            for tool in present { try scratch.write("#!/bin/sh\n", to: "bin/\(tool)") }
            _ = try Tool.command(["chmod", "-R", "+x", "bin"], in: scratch.url)
            // `-p` ignores functions of the environment, such as an `apt-get` with a lock.
            let result = try Tool.launch(
                URL(fileURLWithPath: "/bin/bash"), ["--noprofile", "--norc", "-peo", "pipefail", "-c", script],
                in: scratch.url,
                environment: ["PATH": scratch.url.appendingPathComponent("bin").path, "LOGGEN_TOOL": loggen])
            #expect(result.code == 0, "\(result.error)")
            return result.out
        }
        let all = "update -q\ninstall -qy python3 libcmark-dev zlib1g-dev pkg-config\n"
        #expect(try installed("pkg-config") == all)
        #expect(try installed(loggen: "loggen") == all)
        #expect(try installed("python3") == all)
        #expect(try installed("python3", "pkg-config").isEmpty)
        #expect(try installed("python3", loggen: "loggen").isEmpty)
    }

    // MARK: Reports

    @Test("A breaking change fails until the label accepts it")
    func aBreakingChangeFailsUntilTheLabelAcceptsIt() throws {
        let runner = try Runner(Self.breaking)
        let result = try runner.run()
        #expect(result.code == 1, "\(result.out)\(result.error)")
        #expect(
            result.out.contains(
                "::error::This change of the log definitions breaks app code, the warehouse and old apps"))
        let report = try #require(try runner.comments.first?["body"] as? String)
        #expect(
            report.hasPrefix("This change of the log definitions breaks")
                && report.hasSuffix("<!-- loggen review: D -->\n"))
        #expect(try runner.scratch.read("summary.md") == report)
        #expect(try runner.scratch.read("output") == "verdict=breaks\n")

        let accepted = try runner.run(labels: ["bug", "accept-breaking-logs"])
        #expect(accepted.code == 0, "\(accepted.out)")
        #expect(try runner.comments.count == 1)
        #expect(try (runner.comments.first?["body"] as? String)?.contains(", and it is accepted: ") == true)
        #expect(try runner.scratch.read("output") == "verdict=accepted\n")
    }

    @Test("A label with the name of an owner is the owner's consent") func labelsOfOwners() throws {
        let runner = try Runner(Self.breaking)
        for (path, text) in ReviewTests.consumers("acceptance: owners\nmention: true\n") {
            try runner.scratch.write(text, to: "app/D/\(path)")
        }
        let labels = [
            "accept-breaking-logs", "accept-breaking-logs: Ana", "accept-breaking-logs:", "accept-breaking-logs:-x",
        ]
        let result = try runner.run(labels: labels)
        #expect(result.code == 1, "\(result.out)\(result.error)")
        #expect(result.out.contains("and 1 owner of them has not accepted it"), "\(result.out)")
        let report = try #require(try runner.comments.first?["body"] as? String)
        #expect(report.contains("\nOther owners to ask: @growth.\n"), "\(report)")
        #expect(result.out.contains("The label `accept-breaking-logs: @growth` is the consent of this owner."))
        #expect(!result.out.contains("also accepts the changes"))
        let accepted = try runner.run(labels: labels + ["Accept-Breaking-Logs: @growth"])
        #expect(accepted.code == 0, "\(accepted.out)")
        #expect(try runner.scratch.read("output") == "verdict=accepted\n")
    }

    @Test("One comment is kept up to date among many others") func oneCommentIsKeptUpToDateAmongManyOfOthers() throws {
        // Another comment quotes a report. The action's comment is on the third page.
        let quoted = Self.comment(3, "> quoted\n\n<!-- loggen review: D -->")
        let own = Self.comment(900, by: "Bot", "old\n\n<!-- loggen review: D -->\n")
        let other = Self.comment(901, by: "Bot", "another folder's\n\n<!-- loggen review: E -->\n")
        let runner = try Runner(Self.safe, comments: (10...230).map { Self.comment($0) } + [quoted, other, own])
        #expect(try runner.run().code == 0)
        let comments = try runner.comments
        #expect(comments.count == 224)
        let changed = comments.filter {
            ($0["body"] as? String)?.hasPrefix("This change of the log definitions breaks nothing") == true
        }
        #expect(changed.map { $0["id"] as? Int } == [900])
        #expect(try runner.requests.last == "PATCH /repos/acme/app/issues/comments/900")
    }

    @Test("The comment of a person is found with the person's token")
    func aPersonsTokenFindsThatPersonsComment() throws {
        let runner = try Runner(
            Self.safe, comments: [Self.comment(5, by: "User", "old\n\n<!-- loggen review: D -->")],
            state: ["login": "someone"])
        #expect(try runner.run().code == 0)
        #expect(try runner.comments.count == 1)
    }

    @Test("A change without effect gets no comment") func changeWithoutEffectGetsNoComment() throws {
        let runner = try Runner(ReviewTests.search(ReviewTests.row, ReviewTests.position))
        #expect(try runner.run().code == 0)
        #expect(try runner.comments.isEmpty)
        #expect(try runner.scratch.read("output") == "verdict=nothing\n")
    }

    @Test("With a fork's token, the report is only in the summary")
    func aForksTokenLeavesTheReportInTheSummary() throws {
        let runner = try Runner(Self.safe, state: ["readOnly": true])
        let result = try runner.run()
        #expect(result.code == 0, "\(result.out)")
        #expect(
            result.out.contains(
                "::warning::the report is in the job's summary only: its comment could not be written (HTTP Error 403"))
        #expect(try runner.scratch.read("summary.md").hasPrefix("This change of the log definitions breaks nothing"))
    }

    @Test("A push gets a summary and no comment") func aPushHasASummaryAndNoComment() throws {
        let runner = try Runner(Self.safe)
        #expect(try runner.run(event: ["before": "main"]).code == 0)
        #expect(try runner.requests.isEmpty)
        #expect(try runner.scratch.read("summary.md").hasPrefix("This change of the log definitions breaks nothing"))
    }

    @Test(
        "A push without a known base is compared with the default branch",
        arguments: [
            ["before": String(repeating: "0", count: 40)], ["before": String(repeating: "ab", count: 20)], [:],
        ])
    func pushWithoutABaseIsComparedWithTheDefaultBranch(_ event: [String: String]) throws {
        let runner = try Runner(Self.breaking)
        let isLost = event["before"]?.hasPrefix("a") == true
        let found = try runner.run(
            event: (event as [String: Any]).merging(["repository": ["default_branch": "main"]]) { $1 })
        #expect(found.code == 1, "\(found.out)")
        #expect(found.out.contains("::error::This change of the log definitions breaks"))
        #expect(
            found.out.contains("::warning::the commit before this push is not in the clone; compared with main")
                == isLost)
        // `main` is the pushed commit itself. The comparison has no result, and the warning advises another base.
        #expect(
            found.out.contains("which is the commit that was pushed: name a revision in the input `base`") == isLost)
        let nowhere = try runner.run(
            event: (event as [String: Any]).merging(["repository": ["default_branch": "trunk"]]) { $1 })
        #expect(nowhere.code == 2)
        #expect(
            nowhere.out.hasSuffix(
                "is not in the clone, nor is `origin/trunk`; set `fetch-depth: 0` for actions/checkout, or name a revision in "
                    + "the input `base`\n"
            ),
            "\(nowhere.out)")
    }

    /// In a container, the user does not own the files that the runner checked out.
    @Test("A folder of another owner is read", .enabled(if: geteuid() == 0))
    func theFolderOfAnotherOwnerIsRead() throws {
        let runner = try Runner(Self.safe)
        for path in ["app", "app/.git", "app/D"] {
            #expect(chown(runner.scratch.url.appendingPathComponent(path).path, 1001, 1001) == 0)
        }
        try runner.scratch.write("", to: "home/.gitconfig")
        let home = [
            "HOME": runner.scratch.url.appendingPathComponent("home").path, "GIT_CONFIG_GLOBAL": "",
            "XDG_CONFIG_HOME": "",
        ]
        for _ in 1...2 {
            let result = try runner.run(environment: home.filter { !$1.isEmpty })
            #expect(result.code == 0, "\(result.out)")
        }
        let settings = try runner.scratch.read("home/.gitconfig")
        #expect(settings.components(separatedBy: "directory = ").count == 2, "\(settings)")
    }

    @Test("Labels and pull requests may be null") func labelsAndPullRequestsMayBeNull() throws {
        let runner = try Runner(Self.safe)
        let requests: [[String: Any]] = [
            ["pull_request": ["number": 7, "base": ["sha": "main"], "labels": NSNull()] as [String: Any]],
            ["pull_request": NSNull(), "before": "main"],
            ["pull_request": ["number": 7, "base": NSNull()] as [String: Any], "before": "main"],
        ]
        for request in requests {
            let result = try runner.run(event: request)
            #expect(result.code == 0 && !result.error.contains("Traceback"), "\(result.error)")
        }
        let broken = try runner.run(event: .some(nil))
        #expect(
            broken.code == 2 && broken.out.contains("::error::cannot read the event of the workflow")
                && broken.error.isEmpty, "\(broken.error)")
    }

    @Test("An unexpected response is a warning", arguments: ["null", #"{"message": "sorry"}"#])
    func unexpectedResponseIsAWarning(_ answer: String) throws {
        let runner = try Runner(Self.safe, state: ["answer": answer])
        let result = try runner.run()
        #expect(result.code == 0 && !result.error.contains("Traceback"), "\(result.error)")
        #expect(
            result.out.contains("its comment could not be written (the answer is not a list of comments)"),
            "\(result.out)")
    }

    // MARK: Annotations

    @Test("The change is reported before errors in the definitions")
    func theChangeComesBeforeErrorsOfTheDefinitions() throws {
        let runner = try Runner(Self.breaking)
        // The configuration can disable `name-length`, so errors of this rule do not prevent a review of the change.
        try runner.scratch.write("outputs: {}\nname-length: 3\n", to: "app/D/loggen.yml")
        try runner.scratch.write("# home\n" + (1...30).map { "\n## event\($0)\n" }.joined(), to: "app/D/home.md")
        let result = try runner.run()
        #expect(result.code == 1)
        let errors = result.out.split(separator: "\n").filter { $0.hasPrefix("::error") }
        #expect(
            errors.count == 10 && errors[0].hasPrefix("::error::This change of the log definitions breaks"),
            "\(result.out)")
        #expect(try runner.scratch.read("summary.md").contains(" more problems of the definitions</summary>"))
    }

    @Test("An error that the base already has does not fail the job") func errorOfTheBaseDoesNotFailTheJob() throws {
        let runner = try Runner(ReviewTests.search(ReviewTests.row, "position | nope | 上から"))
        #expect(try runner.run().code == 1)
        try runner.scratch.commit(in: "app")
        try runner.scratch.git("branch", "-f", "main", in: "app")
        let result = try runner.run()
        #expect(result.code == 0 && result.out.contains("::error file=D/search.md"), "\(result.out)")
        #expect(try runner.scratch.read("output") == "verdict=nothing\n")
    }

    @Test("A violation of a rule that the base already has does not fail the job") func violationOfTheBase() throws {
        let runner = try Runner("# search\n\n## show\n")
        try runner.scratch.write("outputs: {}\nrules: {require-owner: error}\n", to: "app/D/loggen.yml")
        try runner.scratch.commit(in: "app")
        try runner.scratch.git("branch", "-f", "main", in: "app")
        let result = try runner.run()
        #expect(result.code == 0 && result.out.contains("title=require-owner"), "\(result.out)")
    }

    @Test("The worst ten diagnostics are annotations, and the others are in the summary")
    func theWorstTenAreAnnotatedAndTheRestIsInTheSummary() throws {
        let runner = try Runner("# search\n\n" + (1...30).map { "## Bad\($0)\n\n" }.joined())
        let result = try runner.run()
        #expect(result.code == 1)
        let annotations = result.out.split(separator: "\n").filter {
            $0.hasPrefix("::error ") || $0.hasPrefix("::warning ")
        }
        #expect(annotations.filter { $0.hasPrefix("::error ") }.count == 10)
        #expect(annotations.filter { $0.hasPrefix("::warning ") }.count <= 10)
        let summary = try runner.scratch.read("summary.md")
        #expect(
            summary.hasPrefix("The log definitions have ")
                && summary.contains(" more problems of the definitions</summary>"))
        #expect(summary.contains("D/search.md:"))
        #expect(try runner.scratch.read("output") == "verdict=errors\n")
    }

    @Test("Wrong inputs exit with code 2") func wrongInputsEndWithTwo() throws {
        let runner = try Runner(Self.safe)
        let nowhere = try runner.run(["definitions": "Nowhere"])
        #expect(
            nowhere.code == 2 && nowhere.out.contains("::error::") && nowhere.out.contains("Nowhere"), "\(nowhere.out)")
        let base = try runner.run(["base": "no-such-branch"])
        #expect(
            base.code == 2
                && base.out.contains("::error::loggen: error: `no-such-branch` is not a commit of this clone"),
            "\(base.out)")
    }
}
