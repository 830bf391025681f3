import Foundation
import Testing
import TestSupport

/// Tests of `loggen init --without-plugin`, and of the printed lines of a package manifest.
extension InitTests {
    private static let package = """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(
            name: "App",
            dependencies: [
            ],
            targets: [
                .executableTarget(name: "App"),
            ]
        )

        """

    /// Inserts the printed lines into the manifest, and returns SwiftPM's evaluation of it.
    private static func evaluated(_ output: String, in scratch: borrowing Scratch, _ folder: String) throws
        -> [String: Any]
    {
        func lines(after heading: String) throws -> String {
            let rest = try #require(output.components(separatedBy: "    // \(heading)\n").dropFirst().first)
            return rest.components(separatedBy: "\n\n")[0] + "\n"
        }
        let manifest =
            package.replacingOccurrences(
                of: "dependencies: [\n", with: "dependencies: [\n\(try lines(after: "dependencies"))"
            )
            .replacingOccurrences(of: "targets: [\n", with: "targets: [\n\(try lines(after: "targets"))")
        try scratch.write(manifest, to: folder + "/Package.swift")
        let dump = try Tool.command(
            ["swift", "package", "dump-package"], in: scratch.url.appendingPathComponent(folder))
        try #require(dump.code == 0, "\(manifest)\(dump.error)")
        return try #require(try JSONSerialization.jsonObject(with: Data(dump.out.utf8)) as? [String: Any])
    }

    private static func target(_ name: String, of manifest: [String: Any]) -> [String: Any]? {
        (manifest["targets"] as? [[String: Any]])?.first { $0["name"] as? String == name }
    }

    private static func loggen(in manifest: [String: Any]) throws -> [String: Any] {
        let entry = try #require((manifest["dependencies"] as? [[String: [[String: Any]]]])?.first)
        return try #require(entry.values.first?.first)
    }

    @Test(
        "A package without the plugin commits Swift that compiles in a plain target",
        arguments: Depth.some(1, of: ["en", "ja"]))
    func packageWithoutPluginCommitsItsSwift(_ language: String) throws {
        let folder = "it's \"an\" アプリ"
        let scratch = try Scratch(["\(folder)/Package.swift": Self.package])
        let result = try Tool.run("init", "--without-plugin", folder, "--language", language, in: scratch.url)
        try #require(result.code == 0, "\(result.error)")
        let root = scratch.url.appendingPathComponent(folder)
        for command in [["lint", "--strict"], ["check", "--strict"], ["format", "--check"]] {
            let checked = try Tool.run(command + ["Definitions"], in: root)
            #expect(checked.code == 0, "\(command): \(checked.out)\(checked.error)")
        }
        #expect(try scratch.read("\(folder)/Package.swift") == Self.package)
        #expect(!FileManager.default.fileExists(atPath: root.appendingPathComponent("Sources").path))
        let english = ["Edit", "reports", "generates", "needs", "if it posts"]
        #expect(language == "en" || !english.contains { result.out.contains($0) }, "\(result.out)")

        // The printed lines are a plain target, and the dependency is the clone that built the tool.
        let manifest = try Self.evaluated(result.out, in: scratch, folder)
        let target = try #require(Self.target("AppLogs", of: manifest))
        #expect(target["path"] as? String == "Generated/Swift")
        #expect(target["pluginUsages"] == nil || (target["pluginUsages"] as? [Any])?.isEmpty == true)
        let dependency = try Self.loggen(in: manifest)
        let clone = try #require(dependency["path"] as? String)
        #expect(
            URL(fileURLWithPath: clone).resolvingSymlinksInPath().path
                == Tool.repository.resolvingSymlinksInPath().path)
        let name = dependency["nameForTargetDependencyResolutionOnly"] as? String
        #expect((name ?? URL(fileURLWithPath: clone).lastPathComponent) == "loggen")

        // An app can post the generated events.
        let swift = root.appendingPathComponent("Generated/Swift")
        let sources = try FileManager.default.contentsOfDirectory(atPath: swift.path).sorted()
        #expect(sources == ["CommonColumns.swift", "Lifecycle.swift", "Types.swift"])
        let compiler = try SwiftCompiler()
        let module = try compiler.module("AppLogs", sources: sources.map { swift.appendingPathComponent($0) })
        try #require(module.code == 0, "\(module.error)")
        try scratch.write("import AppLogs\n\nprint(Lifecycle.launch(source: .icon))\n", to: "main.swift")
        let run = try compiler.run(scratch.url.appendingPathComponent("main.swift"), linking: ["AppLogs"])
        #expect(run.out == "lifecycle.launch {\"source\":\"icon\"}\n", "\(run.error)")

        // A second run changes nothing, and prints the target only while it is missing.
        let before = try scratch.files()
        let again = try Tool.run("init", "--without-plugin", "--language", language, in: root)
        #expect(again.code == 0 && !again.out.contains("// targets"), "\(again.out)\(again.error)")
        #expect(try scratch.files() == before)
        try FileManager.default.removeItem(at: root.appendingPathComponent("Package.swift"))
        let project = try Tool.run("init", "--language", language, in: root)
        #expect(project.out.contains("ActivityTracking") && project.out.contains("OtherProjects"), "\(project.out)")

        // A stale file is found by the printed command for CI.
        #expect(result.out.contains("    loggen check 'it'\\''s \"an\" アプリ/Definitions'  "), "\(result.out)")
        try scratch.write("# lifecycle\n\n## quit\n", to: "\(folder)/Definitions/lifecycle.md")
        #expect(try Tool.run("check", "\(folder)/Definitions", in: scratch.url).code == 1)
    }

    @Test("A target with the plugin excludes `--without-plugin`") func aPluginExcludesTheOption() throws {
        let manifest =
            Self.packageManifest(#".target(name: "Logs", plugins: [plugin])"#)
        let scratch = try Scratch(["Package.swift": manifest])
        try scratch.expect(
            "init --without-plugin", code: 2, error: "the target Logs in `Package.swift` uses LogGenPlugin",
            "omit --without-plugin")
        #expect(try scratch.files() == ["Package.swift": Data(manifest.utf8)])
    }

    @Test("The printed target has the Swift folder of an existing loggen.yml, and a free name")
    func printedTargetFollowsTheConfiguration() throws {
        let taken = Self.package.replacingOccurrences(
            of: "\"App\"),\n    ]", with: "\"App\"),\n        .target(name: \"AppLogs\", dependencies: []),\n    ]")
        let scratch = try Scratch([
            "a/Package.swift": taken, "a/Definitions/loggen.yml": "outputs: {swift: {to: ../Code/Logs}}\n",
            "b/Package.swift": taken, "b/Definitions/loggen.yml": "outputs: {json-schema: {to: ../Schemas}}\n",
            "c/Definitions/loggen.yml": "outputs: {swift: {to: ../Code/Logs}}\n",
            "d/Definitions/loggen.yml": "repository: https://example.com/{file}#{line}\n",
        ])
        func initialize(_ folder: String) throws -> String {
            let result = try Tool.run("init", "--without-plugin", folder, "--language", "en", in: scratch.url)
            #expect(result.code == 0, "\(result.error)")
            return result.out
        }
        let renamed = try initialize("a")
        #expect(
            renamed.contains(".target(name: \"GeneratedLogs\",") && renamed.contains("path: \"Code/Logs\")"),
            "\(renamed)")
        let schemas = try initialize("b")
        #expect(!schemas.contains("// targets") && schemas.contains("    loggen check b/Definitions  "), "\(schemas)")
        #expect(try initialize("c").contains("Add the Swift files in c/Code/Logs to a target"))
        // Without `outputs`, all outputs are below the working directory.
        #expect(try initialize("d").contains("Add the Swift files in d/../Generated/Swift to a target"))
        #expect(scratch.contains("Generated/Swift") == true)
    }

    @Test("A git repository of a package without the plugin gets a hook for the committed files")
    func hookChecksTheCommittedFiles() throws {
        let scratch = try Scratch(["App/Package.swift": Self.package])
        let first = try scratch.loggen("init --without-plugin App --language en")
        #expect(
            first.out.contains("after `git init`, `loggen init --without-plugin App` writes the hook"), "\(first.out)")
        try scratch.git("init", "--quiet")
        try scratch.expect("init --without-plugin App --language en", out: "/hooks/pre-commit\n")
        for name in ["pre-commit", "pre-merge-commit"] {
            let hook = try scratch.read(".git/hooks/\(name)")
            #expect(hook.hasSuffix("\nloggen check --staged App/Definitions || exit\n"), "\(hook)")
        }
    }

    @Test("The hook of a package with loggen-plugins names that package, because loggen has the same command")
    func hookNamesThePackageOfThePlugins() throws {
        func manifest(_ package: String) -> String {
            Self.packageManifest(#".target(name: "Logs", plugins: [plugin])"#, dependency: package)
        }
        for (package, option) in [("loggen", ""), ("loggen-plugins", "--package loggen-plugins ")] {
            let scratch = try Scratch(["Package.swift": manifest(package)])
            try scratch.git("init", "--quiet")
            try scratch.expect("init")
            let hook = try scratch.read(".git/hooks/pre-commit")
            #expect(hook.hasSuffix("\nexec swift package \(option)loggen-check --staged\n) || exit\n"), "\(hook)")
            #expect(hook.contains("\nunset $(git rev-parse --local-env-vars)\n"), "\(hook)")
        }
    }

    @Test("A commit before Package.swift has the printed lines is refused, and the message says how to go on")
    func hookOfAPackageWithoutThePlugin() throws {
        let scratch = try Scratch(["App/Package.swift": Self.package])
        try scratch.git("init", "--quiet")
        try scratch.expect("init App")
        let refused = #expect(throws: Scratch.GitFailure.self) { try scratch.commit() }
        #expect(
            refused?.message.contains("loggen: Package.swift lacks the lines that `loggen init` printed") == true,
            "\(refused?.message ?? "")")
        try scratch.git("commit", "--quiet", "--message", "first", "--no-verify")
    }

    @Test("The printed dependency is the clone around the tool, and otherwise the address of the repository")
    func printedDependencyIsWhereTheToolIs() throws {
        let own = try Tool.text(of: "Package.swift")
        let scratch = try Scratch([
            "my clones/loggen/Package.swift": own, "my clones/loggen/.build/debug/x": "",
            "my clones/\"fork\"/Package.swift": own, "my clones/\"fork\"/.build/debug/x": "",
            "app with it/Package.swift": Self.package, "app with it/.build/debug/x": "", "bin/x": "",
        ])
        var tool = Tool.executable
        /// Moves the tool, and returns the lines that it prints for a package.
        func dependency(_ place: String) throws -> [String: Any] {
            let moved = scratch.url.appendingPathComponent(place).appendingPathComponent("loggen")
            if tool == Tool.executable {
                try FileManager.default.copyItem(at: tool, to: moved)
            } else {
                try FileManager.default.moveItem(at: tool, to: moved)
            }
            tool = moved
            try? scratch.remove("app")
            try scratch.write(Self.package, to: "app/Package.swift")
            let result = try Tool.launch(
                moved, ["init", "app", "--language", "en"], in: scratch.url,
                environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""])
            try #require(result.code == 0, "\(result.error)")
            return try Self.loggen(in: Self.evaluated(result.out, in: scratch, "app"))
        }
        func path(_ folder: String) -> String { scratch.url.appendingPathComponent(folder).path }
        let clone = try dependency("my clones/loggen/.build/debug")
        #expect(clone["path"] as? String == path("my clones/loggen"))
        #expect(clone["nameForTargetDependencyResolutionOnly"] == nil)
        let fork = try dependency("my clones/\"fork\"/.build/debug")
        #expect(fork["path"] as? String == path("my clones/\"fork\""))
        #expect(fork["nameForTargetDependencyResolutionOnly"] as? String == "loggen")
        for place in ["app with it/.build/debug", "bin"] {
            let elsewhere = try dependency(place)
            #expect(elsewhere["path"] == nil && elsewhere["identity"] as? String == "loggen", "\(elsewhere)")
        }
    }
}
