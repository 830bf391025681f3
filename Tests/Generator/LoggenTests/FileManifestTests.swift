import Foundation
import TestSupport
import Testing

/// `.loggen-outputs`, the list of generated files, in runs of the command.
@Suite("The manifest of generated files")
struct FileManifestTests {
    private static let search = "# search\n\n## show\n"
    private static let home = "# home\n\n## show\n"
    private static let manifest = "D/.loggen-outputs"

    private func project(_ files: [String: String] = [:]) throws -> Scratch {
        let scratch = try Scratch(
            ["D/search.md": Self.search, "D/home.md": Self.home, "D/loggen.yml": "outputs: {swift: {to: ../Out}}\n"]
                .merging(files) { $1 })
        try scratch.expect("D")
        return scratch
    }

    @Test("It lists output, folder, file and source, in order, and a second run changes nothing")
    func form() throws {
        let scratch = try project()
        let expected = """
            # Files that loggen generated: output, folder, file, source. Commit with the files.
            swift\t../Out\tHome.swift\thome.md
            swift\t../Out\tSearch.swift\tsearch.md

            """
        #expect(try scratch.read(Self.manifest) == expected)
        let before = try FileManager.default.attributesOfItem(
            atPath: scratch.url.appendingPathComponent(Self.manifest).path)
        #expect(try scratch.loggen("D").out.contains("(0 written, 2 unchanged)"))
        let after = try FileManager.default.attributesOfItem(
            atPath: scratch.url.appendingPathComponent(Self.manifest).path)
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    }

    @Test("A listed file whose definition is removed is removed")
    func removedDefinition() throws {
        let scratch = try project()
        try scratch.remove("D/home.md")
        #expect(try scratch.loggen("check D --stat").out.contains("Out/Home.swift | stale"))
        #expect(try scratch.loggen("D").out.contains("1 removed"))
        #expect(scratch.paths().filter { $0.hasPrefix("Out/") } == ["Out/Search.swift"])
        #expect(try !scratch.read(Self.manifest).contains("Home"))
    }

    @Test("A stale file that is a symbolic link is left alone, with a note in each run") func staleLink() throws {
        let scratch = try project()
        try scratch.write(try scratch.read("Out/Home.swift"), to: "Shared/Home.swift")
        try scratch.remove("Out/Home.swift")
        try scratch.link("Out/Home.swift", to: "../Shared/Home.swift")
        try scratch.remove("D/home.md")
        for _ in 0..<2 {
            let result = try scratch.loggen("D")
            #expect(result.error.contains("note: `Out/Home.swift`: stale, but a symbolic link"), "\(result.error)")
        }
        #expect(try scratch.read("Shared/Home.swift").contains("enum Home"))
    }

    @Test("A manifest that lacks a generated file differs from the definitions, and lines of other files do not matter")
    func manifestIsPartOfDrift() throws {
        let scratch = try project()
        let manifest = try scratch.read(Self.manifest)
        try scratch.write(manifest + "swift\t../Out\tOld.swift\told.md\n", to: Self.manifest)
        try scratch.expect("check D")
        try scratch.write(
            manifest.replacingOccurrences(of: "swift\t../Out\tHome.swift\thome.md\n", with: ""), to: Self.manifest)
        try scratch.expect("check D --stat", code: 1, out: "D/.loggen-outputs | +1 -0\n")
        try scratch.remove(Self.manifest)
        let result = try scratch.loggen("check D")
        #expect(result.code == 1 && result.out == "D/.loggen-outputs | missing, +3 -0\n")
        #expect(result.error.contains("run `loggen generate D`"), "\(result.error)")
        try scratch.expect("D")
        #expect(try scratch.read(Self.manifest) == manifest)
        try scratch.expect("check D")
    }

    @Test("A file that no manifest lists is left alone, even if it has the header")
    func copyOfAGeneratedFile() throws {
        let scratch = try project()
        try scratch.write(try scratch.read("Out/Home.swift"), to: "Out/Home 2.swift")
        for command in [["D"], ["check", "D", "--only", "swift"]] {
            let result = try Tool.run(command, in: scratch.url)
            #expect(result.code == 0 && !result.error.contains("Home 2"), "\(result.error)")
        }
        #expect(try scratch.read("Out/Home 2.swift") == scratch.read("Out/Home.swift"))
    }

    @Test("Without a manifest, equal files are taken into a new one, and other files are errors with their names")
    func lostManifest() throws {
        let scratch = try project(["D/loggen.yml": "outputs: {swift: {to: ../Out}, json-schema: {}}\n"])
        let files = try scratch.files(under: "Out")
        for manifest in [Self.manifest, "Generated/.loggen-outputs"] { try scratch.remove(manifest) }
        #expect(try scratch.loggen("D").out.contains("(0 written, 5 unchanged)"))
        try scratch.remove(Self.manifest)
        try scratch.write("# home\n\n## close\n", to: "D/home.md")
        try scratch.expect(
            "D", code: 2,
            error:
                "cannot write `Out/Home.swift`: `D/.loggen-outputs`, which would list generated files, does not exist")
        #expect(try scratch.files(under: "Out") == files)
        #expect(try scratch.loggen("D --force").out.contains("(2 written, 3 unchanged)"))
        try scratch.remove("D/home.md")
        #expect(try scratch.loggen("D").out.contains("2 removed"))
    }

    @Test("Outputs without a `to:` are listed in the folder that contains theirs", arguments: [nil, "x/y"])
    func manifestOfTheBaseFolder(output: String?) throws {
        let scratch = try Scratch(["D/search.md": Self.search, "D/home.md": Self.home])
        let options = output.map { ["--output", $0] } ?? []
        let base = output ?? "Generated"
        // A run for one file lists its file, too.
        #expect(try Tool.run(["D/home.md", "--only", "swift"] + options, in: scratch.url).code == 0)
        #expect(try Tool.run(["D", "--only", "swift"] + options, in: scratch.url).code == 0)
        let back = String(repeating: "../", count: base.split(separator: "/").count)
        #expect(
            try scratch.read(base + "/.loggen-outputs") == """
                # Files that loggen generated: output, folder, file, source. Commit with the files.
                swift\tSwift\tHome.swift\thome.md\t\(back)D
                swift\tSwift\tSearch.swift\tsearch.md\t\(back)D

                """)
        try scratch.remove("D/home.md")
        try scratch.write(try scratch.read(base + "/Swift/Search.swift"), to: base + "/Swift/Mine.swift")
        #expect(try Tool.run(["check", "D", "--stat"] + options, in: scratch.url).out.contains("Home.swift | stale"))
        #expect(try Tool.run(["D"] + options, in: scratch.url).out.contains("1 removed"))
        #expect(try scratch.files(under: base + "/Swift").keys.sorted() == ["Mine.swift", "Search.swift"])
    }

    @Test("A person's file in the place of a listed one is left alone")
    func personsFile() throws {
        let scratch = try project()
        try scratch.remove("D/home.md")
        try scratch.write("// mine\n", to: "Out/Home.swift")
        // Each run says so until the file is moved away.
        for arguments in [["D"], ["check", "D"], ["D"]] {
            let result = try Tool.run(arguments, in: scratch.url)
            #expect(!result.out.contains("removed"))
            #expect(result.error.contains("note: `Out/Home.swift`: stale, but without its header"), "\(result.error)")
        }
        // It is in the way of a new definition, also if it is not listed.
        try scratch.write(Self.home, to: "D/home.md")
        let listed = try scratch.read(Self.manifest)
        for text in [listed, listed.replacingOccurrences(of: "swift\t../Out\tHome.swift\thome.md\n", with: "")] {
            try scratch.write(text, to: Self.manifest)
            try scratch.expect("D", code: 2, error: "`D/.loggen-outputs` does not list it")
            #expect(try scratch.read("Out/Home.swift") == "// mine\n")
        }
    }

    @Test("A manifest with the marks of a merge conflict lists the files of both sides")
    func mergeConflict() throws {
        let scratch = try project()
        try scratch.write(
            """
            # Files that loggen generated
            <<<<<<< HEAD
            swift\t../Out\tHome.swift\thome.md
            =======
            swift\t../Out\tOther.swift\tother.md
            >>>>>>> branch
            swift\t../Out\tSearch.swift\tsearch.md

            """, to: Self.manifest)
        try scratch.write("// Generated by loggen from other.md. Do not edit.\n", to: "Out/Other.swift")
        #expect(try scratch.loggen("D").out.contains("(0 written, 2 unchanged, 1 removed)"))
        #expect(try !scratch.read(Self.manifest).contains("<<<<"))
    }

    @Test("A run for one file adds its files to the manifest")
    func oneFile() throws {
        let scratch = try project()
        try scratch.write("# extra\n\n## show\n", to: "D/extra.md")
        try scratch.expect("D/extra.md")
        #expect(
            try scratch.read(Self.manifest).hasSuffix(
                "../Out\tExtra.swift\textra.md\nswift\t../Out\tHome.swift\thome.md\nswift\t../Out\tSearch.swift\tsearch.md\n"
            ))
        try scratch.remove("D/extra.md")
        #expect(try scratch.loggen("D").out.contains("1 removed"))

        try scratch.remove(Self.manifest)
        try scratch.expect("D/home.md")
        #expect(
            try scratch.read(Self.manifest).hasSuffix(
                "source. Commit with the files.\nswift\t../Out\tHome.swift\thome.md\n"))
        try scratch.remove("D/home.md")
        #expect(try scratch.loggen("D").out.contains("1 removed"))
    }

    @Test("A former folder that is a link to the current one loses nothing")
    func linkToTheCurrentFolder() throws {
        let scratch = try project()
        try scratch.move("Out", to: "New")
        try scratch.link("Out", to: "New")
        try scratch.write("outputs: {swift: {to: ../New}}\n", to: "D/loggen.yml")
        #expect(try scratch.loggen("D").out.contains("(0 written, 2 unchanged)"))
        #expect(scratch.paths().filter { $0.hasPrefix("New/") }.count == 2)
    }

    @Test("A planned path that is a link to a listed file keeps that file")
    func linkToAListedFile() throws {
        let scratch = try project()
        try scratch.write("outputs: {swift: {to: ../New}}\n", to: "D/loggen.yml")
        for file in ["Home.swift", "Search.swift"] {
            try FileManager.default.createDirectory(
                at: scratch.url.appendingPathComponent("New"), withIntermediateDirectories: true)
            try scratch.link("New/\(file)", to: "../Out/\(file)")
        }
        #expect(try scratch.loggen("D").out.contains("(0 written, 2 unchanged)"))
        #expect(try scratch.read("New/Home.swift").contains("enum Home"))
    }

    @Test("Paths that leave their folder and absolute folders are not read")
    func hostileManifest() throws {
        let scratch = try project()
        let victim = "// Generated by loggen from home.md. Do not edit.\n"
        try scratch.write(victim, to: "Elsewhere/Home.swift")
        try scratch.write(
            try scratch.read(Self.manifest) + "swift\t../Out\t../Elsewhere/Home.swift\thome.md\n"
                + "swift\t\(scratch.url.path)/Elsewhere\tHome.swift\thome.md\n", to: Self.manifest)
        #expect(try scratch.loggen("D").out.contains("(0 written, 2 unchanged)"))
        #expect(try scratch.read("Elsewhere/Home.swift") == victim)
    }

    @Test("Two definition folders exchange their folders only with `--force`")
    func exchangedFolders() throws {
        let scratch = try Scratch([
            "A/search.md": Self.search, "A/loggen.yml": "outputs: {swift: {to: ../One}}\n",
            "B/search.md": "# search\n\n## hide\n", "B/loggen.yml": "outputs: {swift: {to: ../Two}}\n",
        ])
        try scratch.expect("A B")
        try scratch.write("outputs: {swift: {to: ../Two}}\n", to: "A/loggen.yml")
        try scratch.write("outputs: {swift: {to: ../One}}\n", to: "B/loggen.yml")
        let files = try scratch.files()
        #expect(try scratch.loggen("A B").error.contains("Two/Search.swift"))
        #expect(try scratch.files() == files)
        let result = try scratch.loggen("A B --force")
        #expect(result.code == 0 && !result.out.contains("removed"), "\(result.out)\(result.error)")
        #expect(try scratch.read("Two/Search.swift").contains("show"))
        #expect(try scratch.read("One/Search.swift").contains("hide"))
    }

    @Test("In one run, no file is lost if one default folder is the old default folder of another")
    func defaultFolderOfOtherDefinitions() throws {
        let scratch = try Scratch([
            "A/search.md": Self.search, "A/loggen.yml": "outputs: {swift: {to: ../Out}}\n",
            "B/search.md": "# search\n\n## hide\n",
        ])
        for command in [["A", "B"], ["A", "B"], ["B"], ["A"]] {
            let result = try Tool.run(command, in: scratch.url)
            #expect(result.code == 0 && !result.out.contains("removed"), "\(command): \(result.out)\(result.error)")
        }
        #expect(try scratch.read("Generated/Swift/Search.swift").contains("hide"))
        #expect(try scratch.loggen("check A B --stat").out == "")
    }

    @Test("A file that another configuration in the same folder lists is not stale")
    func otherConfiguration() throws {
        let scratch = try project(["D/b.yml": "outputs: {swift: {to: ../Out}}\n"])
        try scratch.expect("D --config D/b.yml")
        try scratch.write("outputs: {swift: {to: ../New}}\n", to: "D/loggen.yml")
        #expect(try !scratch.loggen("D").out.contains("removed"))
        #expect(try scratch.files(under: "Out").count == 2)
        // After the other configuration no longer lists the files, they are stale.
        try scratch.write("outputs: {swift: {to: ../New}}\n", to: "D/b.yml")
        #expect(try scratch.loggen("D --config D/b.yml").out.contains("2 removed"))
    }

    @Test("A file that another configuration lists is not noted as an unlisted one")
    func fileOfAnotherConfigurationIsNotNoted() throws {
        let scratch = try project(["D/b.yml": "outputs: {swift: {to: ../Out}}\n"])
        try scratch.write("# more\n\n## show\n", to: "D/more.md")
        try scratch.expect("D --config D/b.yml")
        try scratch.remove("D/more.md")
        #expect(try !scratch.loggen("D").error.contains("note:"))
        #expect(try scratch.loggen("D --config D/b.yml").out.contains("1 removed"))
    }

    @Test(
        "A link or foreign file in the manifest's place is an error, and nothing is written",
        arguments: ["../mine", "../other", "../absent", nil])
    func foreignManifest(link: String?) throws {
        let other = "# Files that loggen generated\nswift\t../Out\tHome.swift\thome.md\n"
        let scratch = try Scratch([
            "D/search.md": Self.search, "D/loggen.yml": "outputs: {swift: {to: ../Out}}\n", "mine": "mine\n",
            "other": other,
        ])
        if let link {
            try scratch.link(Self.manifest, to: link)
        } else {
            try scratch.write("mine\n", to: Self.manifest)
        }
        try scratch.expect("D", code: 2, error: "`D/.loggen-outputs` is not a manifest")
        #expect(try scratch.files(under: "Out").isEmpty)
        #expect(try scratch.read("mine") == "mine\n" && scratch.read("other") == other)
        #expect(scratch.contains("absent") == false)
        if link == nil { #expect(try scratch.read(Self.manifest) == "mine\n") }
    }

    @Test("A stale file outside the git repository is left alone, with a note in each run")
    func outsideTheRepository() throws {
        let scratch = try Scratch([
            "app/.git/HEAD": "ref: refs/heads/main\n", "app/D/search.md": Self.search,
            "app/D/loggen.yml": "outputs: {swift: {to: ../../Other}}\n",
        ])
        try scratch.expect("app/D")
        try scratch.write("outputs: {swift: {to: ../Out}}\n", to: "app/D/loggen.yml")
        for _ in 0..<2 {
            let result = try scratch.loggen("app/D")
            #expect(result.error.contains("note: `Other/Search.swift`: stale, and outside the git repository"))
        }
        #expect(try scratch.read("Other/Search.swift").contains("enum Search"))
    }

    @Test("Branches that move a folder and add a category merge to a manifest that lists all files")
    func mergedBranches() throws {
        let scratch = try project()
        // One branch moves the folder, and the other adds a category to the old one.
        try scratch.write("# extra\n\n## show\n", to: "D/extra.md")
        try scratch.expect("D")
        let added = try scratch.read(Self.manifest)
        let moved = added.replacingOccurrences(of: "../Out", with: "../New").split(separator: "\n")
            .filter { !$0.contains("Extra") }
        try scratch.write("outputs: {swift: {to: ../New}}\n", to: "D/loggen.yml")
        let extra = added.split(separator: "\n").filter { $0.contains("Extra") }
        try scratch.write((moved + extra).joined(separator: "\n") + "\n", to: Self.manifest)
        try scratch.remove("Out/Home.swift")
        try scratch.remove("Out/Search.swift")
        #expect(try scratch.loggen("D").out.contains("1 removed"))
        #expect(scratch.paths().filter { $0.hasPrefix("Out") } == [])
        #expect(try scratch.files(under: "New").count == 3)
    }

    /// Root may remove files in every folder except one with the append-only attribute (chattr(1)).
    private static func setAppendOnly(_ isSet: Bool, _ folder: URL) -> Bool {
        let chattr = URL(fileURLWithPath: "/usr/bin/chattr")
        let result = try? Tool.launch(chattr, [isSet ? "+a" : "-a", folder.path], in: folder)
        return result?.code == 0
    }

    private static let supportsAppendOnly: Bool = {
        guard let scratch = try? Scratch() else { return false }
        defer { _ = setAppendOnly(false, scratch.url) }
        return setAppendOnly(true, scratch.url)
    }()

    @Test(
        "A stale file that cannot be removed gets a note and stays listed; the run succeeds",
        .enabled(if: supportsAppendOnly))
    func unremovableFile() throws {
        let scratch = try project()
        try scratch.remove("D/home.md")
        let out = scratch.url.appendingPathComponent("Out")
        #expect(Self.setAppendOnly(true, out))
        defer { _ = Self.setAppendOnly(false, out) }
        try scratch.expect("D", error: "note: `Out/Home.swift`: stale: cannot remove")
        #expect(try scratch.read(Self.manifest).contains("Home.swift"))
    }

    /// Each kill leaves files, the manifest, or both of an unfinished run. The next run has to find all of them.
    @Test("After runs that were killed at any time, the folder has the files of the definitions alone")
    func killedRuns() throws {
        let categories = (0..<Depth.limit(100, deep: 200)).map { "screen_\($0)" }
        let scratch = try Scratch(["D/loggen.yml": "outputs: {swift: {to: ../Out}}\n"])
        var generator = SeededGenerator(seed: 7)
        for round in 0..<Depth.cases(2, deep: 8) {
            for category in categories {
                let isThere = Bool.random(using: &generator)
                let path = "D/\(category).md"
                if isThere {
                    try scratch.write("# \(category)\n\n## show_\(round)\n", to: path)
                } else {
                    try? scratch.remove(path)
                }
            }
            let process = try Tool.start(Tool.executable, ["D", "--quiet"], in: scratch.url)
            usleep(UInt32.random(in: 5_000...60_000, using: &generator))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let result = try scratch.loggen("D")
        #expect(result.code == 0 && !result.error.contains("note:"), "\(result.error)")
        let expected = try FileManager.default.contentsOfDirectory(atPath: scratch.url.appendingPathComponent("D").path)
            .filter { $0.hasSuffix(".md") }.count
        #expect(try scratch.files(under: "Out").count == expected)
    }
}
