import Foundation
import Testing
import TestSupport

/// Tests of `.ci/run` in a repository whose stages write into a log which of them are running.
@Suite(.timeLimit(.minutes(5))) struct GateTests {
    /// A stage that others must meet waits until one of them runs. Each writes down whom it has seen.
    private static func stage(
        _ name: String, _ declaration: String = "", meets other: String? = nil, _ last: String = ""
    )
        -> String
    {
        let wait = other.map { "for try in {1..200}; do [ -e \"out/\($0)\" ] && break; sleep 0.05; done" } ?? ""
        return """
            #!/usr/bin/env bash
            # Checks nothing.
            # Needs: nothing.
            \(declaration)
            touch out/\(name)
            \(wait)
            for look in 1 2 3; do (cd out && ls | xargs echo \(name): >>../seen/\(name)); sleep 0.05; done
            rm out/\(name)
            \(last)

            """
    }

    private func repository(_ stages: [String: String]) throws -> Scratch {
        let scratch = try Scratch([
            "file": "", ".gitignore": "out/\nseen/\n", "out/.keep": "", "seen/.keep": "",
        ])
        for (name, text) in stages { try scratch.write(text, to: ".ci/stages/\(name)") }
        for path in [".ci/run", ".ci/common.sh"] {
            try FileManager.default.copyItem(
                at: Tool.repository.appendingPathComponent(path), to: scratch.url.appendingPathComponent(path))
        }
        try scratch.commit("stages")
        return scratch
    }

    private func run(_ arguments: String..., in scratch: borrowing Scratch) throws -> Tool.Result {
        try Tool.launch(scratch.url.appendingPathComponent(".ci/run"), arguments, in: scratch.url)
    }

    /// Returns the stages that one has seen while it ran.
    private func seen(_ name: String, in scratch: borrowing Scratch) throws -> Set<String> {
        Set(try scratch.read("seen/\(name)").split { " \n".contains($0) }.map(String.init)).subtracting([
            "\(name):", name,
        ])
    }

    @Test("Stages run at once, except those that are alone and those that use a held folder")
    func lanes() throws {
        let scratch = try repository([
            "format": Self.stage("format"), "readme": Self.stage("readme", "# Alone: it edits."),
            "tests": Self.stage("tests", "# Holds: .build, other.", meets: "free"),
            "alone": Self.stage("alone", "# Alone: it edits."), "free": Self.stage("free", meets: "tests"),
            "user": Self.stage("user", "# Uses: .build."), "holder": Self.stage("holder", "# Holds: .build."),
        ])
        let result = try run("--jobs", "3", in: scratch)
        #expect(result.code == 0 && result.out.hasSuffix("\nAll well\n"), "\(result.out)\(result.error)")
        #expect(try seen("tests", in: scratch).contains("free") && seen("free", in: scratch).contains("tests"))
        for name in ["alone", "readme"] { #expect(try seen(name, in: scratch).isEmpty) }
        for name in ["holder", "user"] {
            #expect(try seen(name, in: scratch).isDisjoint(with: ["holder", "tests", "user"]), "\(name)")
        }
        // A single lane shows one after the other.
        let single = try run("--jobs", "1", "user", "holder", in: scratch)
        #expect(single.code == 0)
        #expect(single.out.contains("== user\n\n== holder\n\nstage "), "\(single.out)")
    }

    /// SwiftPM's lock of a build folder is a file in `TMPDIR`. Without it, one build ends another: `database is locked`.
    @Test("The stages of a run share their temporary folder, and the run removes it")
    func sharedLocks() throws {
        let stage = """
            #!/usr/bin/env bash
            # Checks nothing.
            # Needs: nothing.
            source "$(dirname "$0")/../common.sh"
            touch "$TMPDIR/lock"
            printf '%s\n' "$TMPDIR" >>seen/folders

            """
        let scratch = try repository(["format": stage, "readme": stage, "tests": stage])
        let result = try run(in: scratch)
        #expect(result.code == 0, "\(result.out)\(result.error)")
        let folders = try scratch.read("seen/folders").split(separator: "\n").map(String.init)
        #expect(folders.count == 3 && Set(folders).count == 1, "\(folders)")
        for folder in folders { #expect(!FileManager.default.fileExists(atPath: folder)) }
    }

    @Test("A stage that fails or changes the clone fails the run, and the others run")
    func failures() throws {
        let scratch = try repository([
            "format": Self.stage("format", "", "echo 'error: the reason'; exit 3"), "readme": Self.stage("readme"),
            "tests": Self.stage("tests", "", "echo more >>file"),
        ])
        let result = try run("--jobs", "1", "format", "tests", "readme", in: scratch)
        #expect(result.code == 1 && result.out.hasSuffix("\n2 of 3 stages failed\n"), "\(result.out)")
        let table = result.out.split(separator: "\n").suffix(5)
        for (line, end) in zip(table, [" failed", " failed: the clone has changed", " ", " "]) {
            #expect(line.hasSuffix(end) || end == " ", "\(table)")
        }
        #expect(table.dropFirst(2).first?.hasPrefix("readme ") == true, "\(table)")
        let end = result.out.components(separatedBy: "-- format: what failed\n").last
        #expect(end?.hasPrefix("error: the reason\n") == true, "\(result.out)")
    }

    @Test(
        "A wrong argument is a mistake that runs nothing",
        arguments: [
            (["reedme"], "unknown stage `reedme`"), (["../run"], "unknown stage `../run`"), ([""], "unknown stage ``"),
            (["--changed"], "--changed needs a revision"), (["--changed", "--deep"], "`--deep` is not a commit"),
            (["--changed", "nothing"], "`nothing` is not a commit"), (["--deep", "readme"], "name none"),
            (["--jobs", "0"], "--jobs needs a number"), (["--record"], "unknown option --record"),
        ])
    func mistakes(_ arguments: [String], _ message: String) throws {
        let scratch = try repository(["format": "", "other": "", "readme": "", "tests": ""])
        let result = try Tool.launch(scratch.url.appendingPathComponent(".ci/run"), arguments, in: scratch.url)
        #expect(result.code == 2 && result.error.hasPrefix(".ci/run: "), "\(result.error)")
        #expect(result.error.contains(message), "\(result.error)")
        #expect(result.out == "")
    }

    @Test("A deep stage runs with --deep, by its name, or if its paths have changed since a revision")
    func depths() throws {
        let scratch = try repository([
            "format": Self.stage("format"), "wide": Self.stage("wide", "# Deep: one,\n# two/inner."),
            "other": Self.stage("other", "# Deep: three."),
        ])
        func ran(_ arguments: String...) throws -> [String] {
            let result = try Tool.launch(
                scratch.url.appendingPathComponent(".ci/run"), ["--jobs", "1"] + arguments, in: scratch.url)
            #expect(result.code == 0, "\(result.out)\(result.error)")
            return result.out.split(separator: "\n").filter { $0.hasPrefix("== ") }.map { String($0.dropFirst(3)) }
        }
        #expect(try ran() == ["format"])
        #expect(try ran("--deep") == ["format", "other", "wide"])
        #expect(try ran("other") == ["other"])
        #expect(try ran("--changed", "HEAD") == ["format"])
        // Files that are not committed count, and only those below a path.
        try scratch.write("", to: "two/outer")
        #expect(try ran("--changed", "HEAD") == ["format"])
        try scratch.write("", to: "two/inner/file")
        #expect(try ran("--changed", "HEAD") == ["format", "wide"])
        let list = try Tool.launch(
            scratch.url.appendingPathComponent(".ci/run"), ["--changed", "HEAD", "--list"], in: scratch.url
        ).out
        #expect(list.contains("wide") && !list.contains("other") && !list.contains("=="), "\(list)")
        try scratch.write("# more\n", to: ".ci/stages/other")
        #expect(try ran("--changed", "HEAD") == ["format", "other", "wide"])
    }

    private static func deepStages() throws -> [String: [String]] {
        let gate = Tool.repository.appendingPathComponent(".ci/run")
        let list = try Tool.launch(gate, ["--list"], in: Tool.repository).out
        var (paths, name, isInside) = ([String: [String]](), "", false)
        for line in list.split(separator: "\n") {
            let text = line.dropFirst(23)
            if !line.hasPrefix(" ") { name = String(line.prefix { $0 != " " }) }
            if line.dropFirst(15).hasPrefix("deep ") { paths[name] = [] }
            if text.hasPrefix("Paths: ") { isInside = true }
            guard isInside else { continue }
            isInside = text.hasSuffix(",")
            let listed = text.hasPrefix("Paths: ") ? text.dropFirst(7) : text
            paths[name, default: []] += listed.split { ", ".contains($0) }.map { path in
                String(isInside || !path.hasSuffix(".") ? path : path.dropLast())
            }
        }
        return paths
    }

    @Test("The paths of each deep stage exist") func pathsExist() throws {
        let stages = try Self.deepStages()
        #expect(stages.count > 10)
        for (stage, paths) in stages {
            #expect(!paths.isEmpty, "\(stage)")
            for path in paths {
                let url = Tool.repository.appendingPathComponent(path)
                #expect(FileManager.default.fileExists(atPath: url.path), "\(stage): \(path)")
            }
        }
    }
}
