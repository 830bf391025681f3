import Foundation
import Testing
import TestSupport

/// Tests of the version, which must be the same everywhere, and of the release scripts.
struct ReleaseTests {
    /// Files that contain the version, in addition to those that the script always writes.
    private static let places = [
        "README.md", "README.ja.md", "Sources/Generator/LogProject/Version.swift", "Plugins/Shared/LoggenTool.swift",
        "Sources/Runtime/ActivityOutbox/Uploading/OTLP/OTLPWriter.swift",
    ]

    @Test("The version is that of the file VERSION") func versionIsThatOfTheVersionFile() throws {
        let version = try Tool.text(of: "VERSION").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try Tool.run("--version", in: Tool.repository).out == version + "\n")
        #expect(try Tool.text(of: "README.md").contains("- This is version \(version) ("))
        #expect(try Tool.text(of: "README.ja.md").contains("バージョン\(version)([変更履歴]"))
        #expect(
            try Tool.text(of: "Sources/Generator/LogProject/Version.swift").contains(
                "package let loggenVersion = \"\(version)\"\n"))
        #expect(try Tool.text(of: "Plugins/Shared/LoggenTool.swift").contains("static let version = \"\(version)\"\n"))
        #expect(
            try Tool.text(of: "Sources/Runtime/ActivityOutbox/Uploading/OTLP/OTLPWriter.swift").contains(
                "static let loggenVersion = \"\(version)\"\n"))
    }

    @Test("A plugin of another version is rejected") func aPluginOfAnotherVersionIsRefused() throws {
        let scratch = try Scratch(["Definitions/search.md": "# search\n\n## show\n"])
        let version = try Tool.text(of: "VERSION").trimmingCharacters(in: .whitespacesAndNewlines)
        let tool = Tool.executable(named: "loggen-swift")
        for (executable, options) in [(Tool.executable, []), (tool, ["--output", "Generated"])] {
            let result = try Tool.launch(
                executable, ["Definitions"] + options, in: scratch.url,
                environment: ["LOGGEN_PLUGIN_VERSION": "99.0.0"])
            #expect(result.code == 2)
            #expect(result.error.contains("this loggen is \(version), but the package of its plugin is 99.0.0"))
            #expect(result.error.contains("unset it"))
            #expect(scratch.contains("Generated") == false)
        }
        #expect(try Tool.launch(tool, ["--version"], in: scratch.url).out == version + "\n")
        for value in [version, ""] {
            #expect(
                try Tool.run("lint", "Definitions", in: scratch.url, environment: ["LOGGEN_PLUGIN_VERSION": value]).code
                    == 0)
        }
    }

    private final class Clone {
        let scratch: Scratch

        init() throws {
            scratch = try Scratch()
            for path in ReleaseTests.places + [
                "VERSION", "CHANGELOG.md", ".gitignore", "LICENSE", "Package.swift", "Releases/release.py",
                "Releases/bundle.py", "Releases/plugins.py",
            ] where !path.hasPrefix("Plugins/") {
                try scratch.write(try Tool.text(of: path), to: "clone/\(path)")
            }
            // With the links to Plugins/Shared
            try FileManager.default.copyItem(
                at: Tool.repository.appendingPathComponent("Plugins"),
                to: scratch.url.appendingPathComponent("clone/Plugins"))
            try scratch.write("9.8.7\n", to: "clone/VERSION")
            // The tools that other machines have built, here as empty files.
            let artifacts = ["loggen", "loggen-swift"].map { tool in
                let variants = ["x86_64-unknown-linux-gnu", "arm64-apple-macosx"].map {
                    "{\"path\": \"loggen-\($0)/bin/\(tool)\", \"supportedTriples\": [\"\($0)\"]}"
                }
                return
                    "\"\(tool)\": {\"type\": \"executable\", \"version\": \"9.9.0\", \"variants\": [\(variants.joined(separator: ", "))]}"
            }
            try scratch.write(
                """
                {"schemaVersion": "1.0", "artifacts": {\(artifacts.joined(separator: ", "))}}
                """, to: "made/loggen.artifactbundle/info.json")
            for tool in ["loggen", "loggen-swift"] {
                try scratch.write(
                    "a tool\n", to: "made/loggen.artifactbundle/loggen-x86_64-unknown-linux-gnu/bin/\(tool)")
                try scratch.write("a tool\n", to: "made/loggen.artifactbundle/loggen-arm64-apple-macosx/bin/\(tool)")
            }
            try git("init", "--quiet", "--bare", "../remote.git")
            try git("init", "--quiet", "--initial-branch", "main")
            try git("remote", "add", "origin", "../remote.git")
            try git("add", ".")
            try git("commit", "--quiet", "--message", "All")
            try git("push", "--quiet", "origin", "main")
        }

        func run(_ command: String...) throws -> Tool.Result { try run(command) }

        private func run(_ command: [String]) throws -> Tool.Result {
            try Tool.command(
                command, in: scratch.url.appendingPathComponent("clone"),
                environment: Tool.author.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 })
        }

        @discardableResult func git(_ arguments: String...) throws -> String {
            let result = try run(["git"] + arguments)
            try #require(result.code == 0, "git \(arguments): \(result.error)")
            return result.out
        }

        func release(_ arguments: String...) throws -> Tool.Result {
            try run(
                [
                    "python3", "Releases/release.py", "--repository", "git@github.com:acme/loggen.git", "--output",
                    "../files",
                ] + arguments)
        }
    }

    @Test("A dry run lists all steps and changes nothing") func dryRunListsAllStepsAndChangesNothing() throws {
        let clone = try Clone()
        let before = try clone.scratch.files()
        let result = try clone.release("9.9.0", "--dry-run", "--push", "origin", "--day", "2026-12-01")
        #expect(result.code == 0, "\(result.error)")
        for line in [
            "would write CHANGELOG.md", "would write README.md", "would write VERSION",
            "would write Sources/Generator/LogProject/Version.swift",
            "would build the bundle", "would commit `loggen 9.9.0` and tag 9.9.0",
            "SHA256SUMS for https://github.com/acme/loggen/releases/",
            "loggen-plugins, the package with the plugins, for https://github.com/acme/loggen-plugins",
            "would push main and 9.9.0 to origin",
        ] { #expect(result.out.contains(line), "\(result.out)") }
        #expect(try clone.scratch.files() == before)
    }

    @Test("A release is tagged, pushed and packed") func aReleaseIsTaggedPushedAndPacked() throws {
        let clone = try Clone()
        let result = try clone.release(
            "9.9.0", "--push", "origin", "--day", "2026-12-01", "--bundle", "../made/loggen.artifactbundle")
        try #require(result.code == 0, "\(result.out)\(result.error)")
        #expect(try clone.git("status", "--porcelain") == "")
        // The remote has the branch and the tag. The tagged commit contains the new version everywhere.
        #expect(
            try clone.git("ls-remote", "origin", "refs/heads/main").hasPrefix(
                try clone.git("rev-parse", "9.9.0^{commit}").prefix(40)))
        #expect(try clone.git("ls-remote", "--tags", "origin").contains("refs/tags/9.9.0\n"))
        #expect(try clone.git("show", "9.9.0:VERSION") == "9.9.0\n")
        for path in Self.places { #expect(try clone.git("show", "9.9.0:\(path)").contains("9.9.0"), "\(path)") }
        let english = try clone.git("rev-parse", "9.9.0:README.md").prefix(40)
        #expect(try clone.scratch.read("clone/README.ja.md").hasSuffix("<!-- English: README.md blob \(english) -->\n"))
        let changes = try clone.scratch.read("clone/CHANGELOG.md")
        #expect(changes.contains("## Unreleased\n\n## 9.9.0 - 2026-12-01\n\n### Added\n"))

        // The files to upload are valid checksums, and a formula with a tool for each machine.
        let sums = try Tool.command(
            ["sha256sum", "--check", "--strict", "SHA256SUMS"], in: clone.scratch.url.appendingPathComponent("files"))
        #expect(sums.code == 0, "\(sums.out)\(sums.error)")
        let sum = try clone.scratch.read("files/SHA256SUMS").prefix(64)
        let formula = try clone.scratch.read("files/loggen.rb")
        #expect(
            formula.contains(
                "url \"https://github.com/acme/loggen/releases/download/9.9.0/loggen.artifactbundle.zip\"\n  sha256 \"\(sum)\""
            ))
        #expect(formula.contains("if OS.mac?\n      bin.install \"loggen-arm64-apple-macosx/bin/loggen\""))
        #expect(
            formula.contains(
                "elsif Hardware::CPU.intel?\n      bin.install \"loggen-x86_64-unknown-linux-gnu/bin/loggen\""))
        #expect(
            result.out.contains(
                "LOGGEN_BUNDLE=https://github.com/acme/loggen/releases/download/9.9.0/loggen.artifactbundle.zip#\(sum)")
        )

        try Self.pluginsRunTheBundle(clone, checksum: String(sum))
        #expect(result.out.contains("files/loggen-plugins to https://github.com/acme/loggen-plugins, and tag it 9.9.0"))

        // A release cannot be repeated, and an earlier version is refused.
        let again = try clone.release("9.9.0", "--dry-run")
        #expect(again.code == 1 && again.error.contains("9.9.0 is already released"))
        let back = try clone.release("9.8.0", "--dry-run")
        #expect(back.code == 1 && back.error.contains("is lower than 9.9.0"))
    }

    /// Checks that SwiftPM accepts the package loggen-plugins of a release, and that it contains no links and no name of
    /// a target of loggen.
    private static func pluginsRunTheBundle(_ clone: Clone, checksum: String) throws {
        let folder = clone.scratch.url.appendingPathComponent("files/loggen-plugins")
        let dump = try Tool.command(["swift", "package", "dump-package"], in: folder)
        try #require(dump.code == 0, "\(dump.error)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(dump.out.utf8)) as? [String: Any])
        let targets = try #require(json["targets"] as? [[String: Any]])
        let tool = try #require(targets.first { $0["type"] as? String == "binary" })
        #expect(
            tool["url"] as? String
                == "https://github.com/acme/loggen/releases/download/9.9.0/loggen.artifactbundle.zip")
        #expect(tool["checksum"] as? String == checksum)
        let names = targets.compactMap { $0["name"] as? String }
        #expect(try names.count == 4 && Set(names).isDisjoint(with: PackageTests.manifest.get().targets.keys))
        let products = (json["products"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        #expect(products == ["LogGenPlugin", "LogGenCommands"])
        for target in targets where target["type"] as? String == "plugin" {
            let path = try #require(target["path"] as? String)
            let code = try clone.scratch.read("files/loggen-plugins/\(path)/LoggenTool.swift")
            #expect(code.contains("static let version = \"9.9.0\"") && code.contains("isPrebuilt = true"), "\(path)")
        }
        for path in clone.scratch.paths(under: "files/loggen-plugins") {
            let file = folder.appendingPathComponent(path)
            let type = try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
            #expect(type != .typeSymbolicLink, "\(path)")
        }
        #expect(
            try clone.scratch.read("files/loggen-plugins/README.md").contains(
                "[loggen](https://github.com/acme/loggen) 9.9.0"))
        #expect(try clone.scratch.read("files/loggen-plugins/LICENSE") == Tool.text(of: "LICENSE"))
    }

    @Test("The package with the plugins replaces its former content only, and keeps its repository")
    func pluginsReplaceTheirFormerContent() throws {
        let scratch = try Scratch([
            "tools.zip": "an archive", "mine/notes.txt": "mine", "file": "mine", "plugins.new/file": "mine",
            "plugins/Package.swift": "// Written by Releases/plugins.py of loggen.\n",
            "app/Package.swift": "// .package(name: \"loggen-plugins\", path: \"../loggen-plugins\")\n",
            "plugins/Plugins/Former/Former.swift": "", "plugins/.git/HEAD": "ref: refs/heads/main\n",
        ])
        func write(_ arguments: String...) throws -> Tool.Result {
            try Tool.command(
                ["python3", Tool.repository.appendingPathComponent("Releases/plugins.py").path] + arguments,
                in: scratch.url, environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        }
        #expect(try write("plugins", "--bundle", "tools.zip").code == 0)
        let first = try scratch.files(under: "plugins")
        #expect(try scratch.read("plugins/.git/HEAD") == "ref: refs/heads/main\n")
        #expect(first["Plugins/Former/Former.swift"] == nil && first["tools.zip"] == Data("an archive".utf8))
        #expect(
            try scratch.read("plugins/Package.swift").contains(
                ".binaryTarget(name: \"loggen-tools\", path: \"tools.zip\")"))
        #expect(try write("plugins", "--bundle", "tools.zip").code == 0)
        #expect(try scratch.files(under: "plugins") == first)
        for folder in ["mine", "file", "app"] {
            #expect(try write(folder, "--bundle", "tools.zip").code == 1, "\(folder)")
        }
        #expect(try write("new", "--bundle", "missing.zip").code == 1)
        for address in [
            "http://example.com/a.zip#" + String(repeating: "0", count: 64), "https://example.com/a.zip", "a.tar",
        ] {
            #expect(try write("new", "--bundle", address).code == 2, "\(address)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
        #expect(left == ["app", "file", "mine", "plugins", "plugins.new", "tools.zip"])
        for file in ["mine/notes.txt", "file", "plugins.new/file"] { #expect(try scratch.read(file) == "mine") }
    }

    @Test("A release that fails a check is refused and undone") func failedReleaseIsRefusedAndUndone() throws {
        let clone = try Clone()
        let before = try clone.scratch.files(under: "clone").filter { !$0.key.hasPrefix(".git/") }
        // The bundle has version 9.9.0.
        let other = try clone.release("9.10.0", "--bundle", "../made/loggen.artifactbundle")
        #expect(
            other.code == 1 && other.error.contains("the bundle has version 9.9.0; expected 9.10.0"),
            "\(other.error)")
        #expect(try clone.scratch.files(under: "clone").filter { !$0.key.hasPrefix(".git/") } == before)
        #expect(try clone.git("status", "--porcelain") == "" && clone.git("tag") == "")
        #expect(try clone.release("v1").code == 2)
        try clone.scratch.write("changed\n", to: "clone/README.md")
        let dirty = try clone.release("9.9.0", "--dry-run")
        #expect(dirty.code == 1 && dirty.error.contains("the clone has changes"))
    }

    /// On Linux, the test checks the commands for a Mac's tools, and the use of their output.
    @Test("A bundle from a Mac has both architectures") func aMacsBundleIsOfBothArchitectures() throws {
        func script(_ text: String) -> String {
            "#!/bin/sh\nprintf '%s\\n' \"$(basename \"$0\") $*\" >>\"$ASKED\"\n\(text)\n"
        }
        let scratch = try Scratch([
            "clone/Releases/bundle.py": try Tool.text(of: "Releases/bundle.py"), "clone/VERSION": "9.8.7\n",
            "clone/LICENSE": "MIT\n",
            "bin/swift": script(
                """
                case "$*" in *--show-bin-path*) echo "$BUILT"; exit ;; esac
                for last; do :; done
                mkdir -p "$BUILT" && printf '#!/bin/sh\\necho 9.8.7\\n' >"$BUILT/$last"
                """),
            "bin/git": script("for last; do :; done; mkdir -p \"$last\""),
            "bin/cmake": script("[ \"$1\" != --build ] || { mkdir -p \"$2/src\" && : >\"$2/src/libcmark.a\"; }"),
            "bin/otool": script("echo /usr/lib/libSystem.B.dylib"), "bin/lipo": script("echo $ARCHITECTURES"),
            "bin/strip": script(""),
            "bin/codesign": script(""),
        ])
        _ = try Tool.command(["chmod", "-R", "+x", "bin"], in: scratch.url)
        func bundle(_ architectures: String) throws -> Tool.Result {
            try Tool.command(
                [
                    "python3", "-c",
                    "import platform, runpy, sys; platform.system = lambda: 'Darwin'; sys.argv = ['bundle.py', '--output', 'made']; runpy.run_path('clone/Releases/bundle.py', run_name='__main__')",
                ], in: scratch.url,
                environment: [
                    "PATH": Tool.path(scratch.url.appendingPathComponent("bin")),
                    "ARCHITECTURES": architectures,
                    "ASKED": scratch.url.path + "/asked", "BUILT": scratch.url.path + "/built",
                    "PYTHONDONTWRITEBYTECODE": "1",
                ])
        }
        let alone = try bundle("arm64")
        #expect(alone.code == 1 && alone.error.contains("loggen is built only for arm64; expected"), "\(alone.error)")
        #expect(try scratch.files(under: "made").isEmpty)
        let result = try bundle("x86_64 arm64")
        try #require(result.code == 0, "\(result.error)")
        #expect(
            try scratch.read("made/loggen.artifactbundle/loggen-9.8.7-macos/bin/loggen") == "#!/bin/sh\necho 9.8.7\n")
        #expect(
            try scratch.read("made/loggen.artifactbundle/loggen-9.8.7-macos/bin/loggen-swift")
                == "#!/bin/sh\necho 9.8.7\n")
        let info = try scratch.read("made/loggen.artifactbundle/info.json")
        #expect(info.contains("\"loggen-9.8.7-macos/bin/loggen-swift\""))
        #expect(
            info.contains("\"arm64-apple-macosx\"") && info.contains("\"x86_64-apple-macosx\"")
                && info.contains("\"version\": \"9.8.7\""))
        let asked = try scratch.read("asked")
        #expect(asked.contains("--arch arm64 --arch x86_64") && !asked.contains("--static-swift-stdlib"))
        #expect(
            asked.contains("-DCMAKE_OSX_ARCHITECTURES=arm64;x86_64") && asked.contains("codesign --force --sign - "))
    }

    @Test("The scripts have a help text", arguments: ["bundle.py", "plugins.py", "release.py"])
    func scriptsHaveAHelpText(_ script: String) throws {
        let result = try Tool.command(
            ["python3", "Releases/\(script)", "--help"], in: Tool.repository,
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(result.code == 0 && result.out.contains("Exit codes:"))
    }
}
