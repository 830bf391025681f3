import Foundation
import Testing
import TestSupport

/// Tests of `loggen init`, which creates valid first definitions and keeps existing files.
struct InitTests {
    /// Returns a manifest with a dependency on loggen.
    static func packageManifest(_ targets: String, dependency: String = "loggen") -> String {
        """
        // swift-tools-version: 6.1
        import PackageDescription

        let plugin = Target.PluginUsage.plugin(name: "LogGenPlugin", package: "\(dependency)")
        let package = Package(
            name: "App", dependencies: [.package(url: "https://example.com/\(dependency)", from: "1.0.0")],
            targets: [\(targets)])

        """
    }

    private static let manifest = packageManifest(
        """

        /* .target(name: "Former", plugins: [plugin]), */
        .target(name: "Feed", dependencies: [.target(name: "Base")]), .target(name: "Base"),
        .target(name: "Logs", dependencies: [.target(name: "Base")], path: "Code/Logs", plugins: [plugin]),
        .executableTarget(name: "App", dependencies: ["Feed"]),
        .testTarget(name: "FeedTests", dependencies: ["Feed"]),

        """)
    private static let empty = packageManifest("")

    @Test(
        "The created files pass all commands",
        arguments: [("en", nil), ("ja", Self.empty), ("en", Self.manifest)] as [(String, String?)])
    func createdFilesPassAllCommands(_ language: String, _ manifest: String?) throws {
        let scratch = try Scratch(manifest.map { ["Package.swift": $0] } ?? [:])
        let result = try Tool.run("init", "--language", language, in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        let folder = manifest == nil ? "Definitions" : manifest == Self.manifest ? "Code/Logs" : "Sources/AppLogs"
        let schemas = manifest == nil ? "" : manifest == Self.manifest ? "Logs/" : "AppLogs/"
        for file in [folder + "/loggen.lock", folder + "/.loggen-outputs", "Generated/JSONSchema/" + schemas] {
            #expect(result.out.contains((language == "ja" ? "作成: " : "wrote ") + file + "\n"), "\(result.out)")
        }
        let english = ["wrote", "kept", "Edit", "makes", "needs", "has the plugin", "if it posts", "Documentation"]
        #expect(language == "en" || !english.contains { result.out.contains($0) }, "\(result.out)")
        #expect(result.out.contains(language == "ja" ? " README.ja.md\n" : " README.md "), "\(result.out)")
        #expect(
            try scratch.read("\(folder)/common.md").hasPrefix(language == "ja" ? "# 共通カラム `common`\n" : "# common\n"))
        for command in [["lint", "--strict"], ["check", "--strict"], ["format", "--check"]] {
            let checked = try Tool.run(command + [folder], in: scratch.url)
            #expect(checked.code == 0, "\(command): \(checked.out)\(checked.error)")
        }
        #expect(try scratch.read("\(folder)/loggen.lock").contains("lifecycle.launch 1-0-0 active "))
        if let manifest {
            #expect(try scratch.read("Package.swift") == manifest)
            #expect(
                try scratch.read("\(folder)/\(manifest == Self.manifest ? "Logs" : "AppLogs").swift").hasPrefix("//"))
            #expect(
                result.out.contains("plugins: [.plugin(name: \"LogGenPlugin\", package: \"loggen\")]")
                    == (manifest != Self.manifest), "\(result.out)"
            )
        }

        // A second run, from elsewhere, changes nothing and reports that.
        let before = try scratch.files()
        let again = try Tool.run(
            "init", scratch.url.path, "--language", "en", in: FileManager.default.temporaryDirectory)
        #expect(again.code == 0, "\(again.error)")
        #expect(
            !again.out.contains("wrote ") && again.out.contains("kept the existing ")
                && again.out.contains("/\(folder)/lifecycle.md\n"), "\(again.out)")
        #expect(try scratch.files() == before)
    }

    @Test(
        "The language comes from the environment",
        arguments: [("ja_JP.UTF-8", "# アプリ `lifecycle`\n"), ("C", "# lifecycle\n"), ("", "# lifecycle\n")])
    func languageComesFromTheEnvironment(_ language: String, _ title: String) throws {
        let scratch = try Scratch()
        #expect(
            try Tool.run("init", in: scratch.url, environment: ["LC_ALL": "", "LC_MESSAGES": "", "LANG": language]).code
                == 0)
        #expect(try scratch.read("Definitions/lifecycle.md").hasPrefix(title))
    }

    @Test("The lines that the package manifest needs are printed") func linesForThePackageManifestArePrinted() throws {
        let scratch = try Scratch([
            "Package.swift": Self.packageManifest(#".executableTarget(name: "App"), .testTarget(name: "AppTests")"#)
        ])
        let said = try scratch.loggen("init").out
        #expect(said.contains("    .target(name: \"AppLogs\",\n") && !said.contains("exclude"), "\(said)")
        #expect(!said.contains("AppTests"))
        #expect(said.contains("    platforms: [.macOS(.v12), .iOS(.v15)],\n"), "\(said)")
        #expect(
            said.contains("    // dependencies of App, if it posts events\n    \"AppLogs\",\n"), "\(said)")
        #expect(said.contains("`swift build` generates the Swift.\n"), "\(said)")
        #expect(said.contains("    activityLogger.post(Lifecycle.launch(source: .icon))\n"), "\(said)")
        let common = try scratch.read("Sources/AppLogs/common.md")
        #expect(common.contains("| user_id     | int64?     | signed-in user; otherwise empty | `42`    | personal |"))
    }

    @Test(
        "The definitions go to the target with the plugin, in the folder where SwiftPM finds its sources",
        arguments: [
            (#".target(name: "Core"), .target(name: "UI")"#, "src/Core/c.swift", "src/AppLogs"),
            (#".target(name: "Core", plugins: [plugin])"#, "src/Core/c.swift", "src/Core"),
            (#".target(name: "Core", plugins: [plugin])"#, "Sources/c.swift", "Sources"),
            (#".testTarget(name: "Logs", plugins: [plugin])"#, "Tests/Logs/l.swift", "Tests/Logs"),
            (
                #".target(name: "Logs", plugins: [plugin]), .binaryTarget(name: "V", path: "V.xcframework")"#,
                "Sources/Logs/l.swift", "Sources/Logs"
            ),
            (#".target(name: "App")"#, "Sources/a.swift", "AppLogs"),
            (#".target(name: "App", path: "Sources")"#, "Sources/a.swift", "AppLogs"),
        ])
    func folderOfTheTarget(_ targets: String, _ source: String, _ folder: String) throws {
        let scratch = try Scratch(["Package.swift": Self.packageManifest(targets), source: ""])
        let said = try scratch.loggen("init")
        #expect(scratch.contains("\(folder)/loggen.lock") == true, "\(said.out)\(said.error)")
        #expect(said.out.contains(#"path: "AppLogs","#) == (folder == "AppLogs"), "\(said.out)")
        // The other target needs a path, too, if it has none.
        let isFlat = folder == "AppLogs" && !targets.contains("path")
        #expect(said.out.contains("// to the target App\n    path: \"Sources\",\n") == isFlat, "\(said.out)")
    }

    @Test("If SwiftPM cannot read the manifest, its reason is a note, and the definitions are for a new target")
    func brokenManifest() throws {
        let scratch = try Scratch(["Package.swift": "let package = 1\n"])
        let result = try scratch.expect("init", error: "note: SwiftPM cannot read Package.swift", "error: ")
        #expect(result.out.contains("wrote Sources/AppLogs/loggen.lock\n"), "\(result.out)")
    }

    @Test("An existing hook of a package gets lines that pass where the package is missing")
    func linesForAHook() throws {
        let scratch = try Scratch(["a/Package.swift": Self.empty, "b/Package.swift": Self.empty])
        try scratch.git("init", "--quiet")
        try scratch.expect("init a --language en", out: "wrote .git/hooks/pre-commit\n")
        let said = try scratch.loggen("init b --language en").out
        let parts = said.components(separatedBy: "; add the lines below, before any `exec`\n\n")
        let lines = try #require(parts.dropFirst().first)
        let block = lines.components(separatedBy: "\n) || exit\n")[0] + "\n) || exit\n"
        #expect(block.contains("check=.build/plugins/LogGenCheckCommand/outputs/staged-check\n"), "\(said)")
        for name in ["pre-commit", "pre-merge-commit"] {
            try scratch.write(try scratch.read(".git/hooks/\(name)") + block, to: ".git/hooks/\(name)")
        }
        let again = try scratch.loggen("init b --language en").out
        #expect(again.contains("kept the existing .git/hooks/pre-commit\n"), "\(again)")
        try scratch.write("one\n", to: "one.txt")
        try scratch.git("add", "one.txt")
        try scratch.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "one")
    }

    @Test("Existing files are kept") func existingFilesAreKept() throws {
        let scratch = try Scratch([
            "Definitions/search.md": "# search\n\n## show\n", "Definitions/loggen.yml": "outputs: {}\n",
        ])
        let before = try scratch.files()
        try scratch.expect("init")
        let after = try scratch.files()
        for (path, bytes) in before { #expect(after[path] == bytes) }
        // Existing categories get no example next to them, and no common columns.
        #expect(Set(after.keys).subtracting(before.keys) == ["Definitions/loggen.lock"])
        try scratch.expect("check Definitions")
    }

    @Test("A hook that cannot be written leaves no files, and the message names it") func noPartialHook() throws {
        let scratch = try Scratch()
        try scratch.git("init", "--quiet")
        try scratch.git("config", "core.hooksPath", "hooks/git")
        try scratch.write("a file\n", to: "hooks")
        let before = Set(try scratch.files().keys.filter { !$0.hasPrefix(".git/") })
        try scratch.expect("init", code: 2, error: "hooks")
        #expect(Set(try scratch.files().keys.filter { !$0.hasPrefix(".git/") }) == before)
        #expect(scratch.contains("Definitions") == false)
    }

    @Test("Files generated without a configuration are in the way, and the advice can be followed")
    func generatedFilesInTheWay() throws {
        let scratch = try Scratch(["Definitions/shop.md": "# shop\n\n## see\n"])
        try scratch.expect("Definitions")
        try scratch.write("# shop\n\n## look\n", to: "Definitions/shop.md")
        try scratch.expect(
            "init", code: 2, error: "Generated/Swift/Shop.swift`, which exist: move them away, or delete them")
        try FileManager.default.removeItem(at: scratch.url.appendingPathComponent("Generated"))
        try scratch.expect("init")
    }

    @Test("Definitions with errors get no new files") func definitionsWithErrorsGetNothing() throws {
        let scratch = try Scratch([
            "Definitions/search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | itn |\n"
        ])
        let before = try scratch.files()
        try scratch.expect("init", code: 1, error: "Definitions/search.md:7:", "nothing was written")
        #expect(try scratch.files() == before)
    }

    @Test("A file in place of a folder leaves no partial result", arguments: [[], ["--without-plugin"]])
    func fileInPlaceOfAFolderLeavesNoPartialResult(_ options: [String]) throws {
        let scratch = try Scratch(["Generated": "mine\n"])
        let result = try Tool.run(["init"] + options, in: scratch.url)
        #expect(result.code == 2, "\(result.out)\(result.error)")
        #expect(try scratch.files() == ["Generated": Data("mine\n".utf8)])
        #expect(scratch.contains("Definitions") == false)
    }

    @Test("Wrong usage is reported", arguments: [["init", ""], ["init", "--language", "fr"]])
    func wrongUsageIsReported(_ arguments: [String]) throws {
        let scratch = try Scratch()
        let result = try Tool.run(arguments, in: scratch.url)
        #expect(result.code == 2 && !result.error.isEmpty)
        #expect(try scratch.files().isEmpty)
    }

    @Test("A missing folder is created") func missingFolderIsCreated() throws {
        let scratch = try Scratch()
        try scratch.expect("init new/app")
        try scratch.expect("lint --strict new/app/Definitions")
    }

    @Test("An existing hook is kept, and the line for it is printed") func existingHookIsKept() throws {
        let scratch = try Scratch()
        try scratch.git("init", "--quiet")
        try scratch.write("#!/bin/sh\n", to: ".git/hooks/pre-commit")
        try scratch.write("outputs: {}\n", to: "other/Definitions/loggen.yml")
        let kept = try scratch.loggen("init other")
        let line = "loggen check --staged other/Definitions || exit\n"
        #expect(kept.out.contains("kept the existing .git/hooks/pre-commit; add the line, before any `exec`: \(line)"))
        #expect(try scratch.read(".git/hooks/pre-commit") == "#!/bin/sh\n")
    }

    @Test("Two folders of a repository can share a hook") func twoFoldersShareAHook() throws {
        let scratch = try Scratch()
        try scratch.git("init", "--quiet")
        try scratch.expect("init ios", out: "wrote .git/hooks/pre-commit\n")
        let line = "loggen check --staged android/Definitions || exit\n"
        try scratch.expect("init android", out: "add the line, before any `exec`: " + line)
        for name in ["pre-commit", "pre-merge-commit"] {
            try scratch.write(try scratch.read(".git/hooks/\(name)") + line, to: ".git/hooks/\(name)")
        }
        let again = try scratch.loggen("init android").out
        #expect(again.contains("kept the existing .git/hooks/pre-commit\n"), "\(again)")
        // The root has no line, although those of the subfolders end like one.
        try scratch.expect("init", out: "add the line, before any `exec`: loggen check --staged Definitions || exit\n")
        // Each line runs after the one before, and a failure ends the hook.
        let hook = try scratch.read(".git/hooks/pre-commit")
        #expect(hook.hasSuffix("\nloggen check --staged ios/Definitions || exit\n" + line) && !hook.contains("exec "))
    }
}
