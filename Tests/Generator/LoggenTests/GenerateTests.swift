import Foundation
import Testing
import TestSupport

/// Tests of `loggen PATH…`: its files, its messages and its exit codes.
struct GenerateTests {
    static let search = """
        # 検索 `search`

        ## 表示 `show_recipe`

        | column | type | description |
        | --- | --- | --- |
        | recipe_id | int64 | レシピID |

        """

    @Test("A run prints a line for each output, and the next step, to standard error")
    func eachOutputIsExplained() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search, "Definitions/home.md": "# home\n\n## show\n"])
        let first = try scratch.loggen("Definitions/")
        #expect(
            first.error == """
                  Generated/Swift       2 files, written: an enum for each category, with a case for each event
                  Generated/JSONSchema  3 files, written: a JSON Schema for each category, and one for the members that \
                all records share
                next: `loggen lock Definitions/` records this state, so that `loggen check Definitions/` reports breaking \
                changes

                """)
        try scratch.expect("lock Definitions")
        let second = try scratch.loggen("Definitions")
        #expect(second.error.contains("  Generated/Swift       2 files, up to date: an enum"), "\(second.error)")
        #expect(second.error.contains("\nnext: edit a table in `Definitions`, and run this command again"))
        try scratch.remove("Generated/Swift/Home.swift")
        let third = try scratch.loggen("Definitions")
        #expect(third.error.contains("Swift       2 files, 1 written, the others up to date: "), "\(third.error)")
        #expect(third.error.contains("\nnext: compile the app, and commit the generated files together with the"))
        let counts = "loggen: 2 files, 2 categories, 2 events, 1 column → 5 files (5 written, 0 unchanged)"
        #expect(first.out.hasPrefix(counts + " in Generated/JSONSchema, Generated/Swift in "), "\(first.out)")
        // Standard output has one line, for programs.
        for run in [first, second, third] { #expect(run.out.hasSuffix(" ms\n") && run.out.filter(\.isNewline) == "\n") }
        #expect(try scratch.loggen("Definitions --quiet").error == "")
        #expect(try !scratch.loggen("Definitions --diagnostics json").error.contains("next:"))
    }

    @Test("The next step follows from the lock file and the outputs")
    func nextSteps() throws {
        let scratch = try Scratch(["D/search.md": Self.search])
        func next(_ arguments: String...) throws -> String {
            let lines = try Tool.run(["D"] + arguments, in: scratch.url).error.split(separator: "\n")
            return String(try #require(lines.last { $0.hasPrefix("next: ") }).dropFirst(6))
        }
        #expect(try next("--only", "catalogue") == "open `Generated/Catalogue/index.html` in a browser")
        try scratch.expect("lock D")
        #expect(try next().hasPrefix("compile the app, and commit"))
        try scratch.write(Self.search + "\n## hide\n", to: "D/search.md")
        for _ in 0..<2 { #expect(try next().hasPrefix("`loggen lock D` records the changes; then commit")) }
        for text in [Self.search.replacingOccurrences(of: "int64", with: "string"), "# search\n"] {
            try scratch.write(text, to: "D/search.md")
            #expect(try next().hasPrefix("`loggen check D` shows what the changes break"))
        }
    }

    @Test("A second run writes nothing") func aSecondRunWritesNothing() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search])
        _ = try scratch.loggen("Definitions")
        let file = scratch.url.appendingPathComponent("Generated/Swift/Search.swift").path
        let before = try FileManager.default.attributesOfItem(atPath: file)
        let result = try scratch.loggen("Definitions")
        #expect(result.out.contains("(0 written, 3 unchanged)"))
        let after = try FileManager.default.attributesOfItem(atPath: file)
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
    }

    @Test("`--only` limits the outputs") func onlyLimitsTheOutputs() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search])
        _ = try scratch.loggen("Definitions --only json-schema")
        #expect(
            Set(try scratch.files(under: "Generated").keys) == [
                "JSONSchema/search.schema.json", "JSONSchema/envelope.schema.json",
            ])
        // Files of other outputs are kept.
        _ = try scratch.loggen("Definitions --only swift")
        #expect(try scratch.files(under: "Generated").count == 3)
    }

    @Test("An error leaves all files unchanged") func anErrorLeavesEverythingAsItWas() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search])
        _ = try scratch.loggen("Definitions")
        let before = try scratch.files(under: "Generated")
        try scratch.write("# home\n\n## Bad Name\n", to: "Definitions/home.md")
        try scratch.write("# search\n\n## a\n\n## a\n", to: "Definitions/search.md")
        let result = try scratch.expect(
            "Definitions", code: 1, error: "Definitions/home.md:3:4: error: ", "Definitions/search.md:5:4: error: ")
        #expect(result.out == "")
        #expect(result.error.hasSuffix("loggen: 2 errors; nothing was written\n"))
        #expect(try scratch.files(under: "Generated") == before)
    }

    @Test("A file that is given twice is read once") func theSameFileTwiceIsOneFile() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search])
        let result = try scratch.expect("Definitions Definitions/search.md ./Definitions")
        #expect(result.out.hasPrefix("loggen: 1 file, "))
    }

    @Test("Hidden files and README.md are skipped") func skipsHiddenFilesAndREADME() throws {
        let scratch = try Scratch([
            "Definitions/search.md": Self.search, "Definitions/README.md": "not a definition",
            "Definitions/.hidden.md": "x",
            "Definitions/.git/x.md": "x", "Definitions/notes.txt": "x",
        ])
        #expect(try scratch.loggen("Definitions").out.hasPrefix("loggen: 1 file, "))
    }

    @Test("A byte order mark and CRLF are accepted") func acceptsByteOrderMarkAndCRLF() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search])
        _ = try scratch.loggen("Definitions --output One")
        try scratch.write(
            "\u{FEFF}" + Self.search.replacingOccurrences(of: "\n", with: "\r\n"), to: "Definitions/search.md")
        try scratch.expect("Definitions --output Two")
        #expect(try scratch.files(under: "One") == scratch.files(under: "Two"))
    }

    // MARK: Unreadable and unwritable paths

    @Test("A missing path is reported") func aPathThatIsNotThere() throws {
        let scratch = try Scratch()
        let result = try scratch.expect("Definitions", code: 2)
        #expect(result.error == "loggen: error: cannot read `Definitions`: no such file or folder\n")
    }

    @Test("A missing path has a suggestion")
    func similarPaths() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search, "records.ndjson": ""])
        for (arguments, similar) in [
            (["Definition"], "Definitions"), (["lint", "definitions/serch.md"], "Definitions/search.md"),
            (["check", scratch.url.path + "/Definitons"], scratch.url.path + "/Definitions"),
            (["validate", "Definitions", "record.ndjson"], "records.ndjson"),
            (["lint", "Definitions", "--config", "Definitions/serach.md"], "Definitions/search.md"),
            (["impact", "search.show", "Definitons"], "Definitions"),
        ] {
            let result = try Tool.run(arguments, in: scratch.url)
            #expect(
                result.code == 2 && result.error.hasSuffix("no such file or folder; did you mean `\(similar)`?\n"),
                "\(arguments): \(result.error)")
        }
    }

    @Test("A folder without definitions is reported") func aFolderWithoutDefinitions() throws {
        let scratch = try Scratch(["Definitions/README.md": ""])
        let result = try scratch.expect("Definitions/", code: 2)
        #expect(
            result.error
                == "loggen: error: no definitions in `Definitions/`: it has no `*.md` files except README.md\n")
    }

    @Test("A folder in place of an output file is reported") func folderInPlaceOfAnOutputFileIsReported() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search, "Generated/Swift/Search.swift/keep": "x"])
        let result = try scratch.expect("Definitions", code: 2)
        #expect(
            result.error
                == "loggen: error: cannot write `Generated/Swift/Search.swift`: it exists and is not a file; "
                + "move it away\n"
        )
        #expect(Set(try scratch.files(under: "Generated").keys) == ["Swift/Search.swift/keep"])
    }

    @Test("A file in place of the output folder is reported") func aFileWhereTheOutputFolderShouldBe() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search, "Generated": "a file"])
        try scratch.expect("Definitions", code: 2, error: "Not a directory")
        #expect(try scratch.read("Generated") == "a file")
    }

    @Test(
        "A run that cannot replace a file leaves complete files, and the next run finishes",
        .enabled(if: Tool.canMakeImmutable))
    func immutableFile() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search, "Definitions/zoom.md": "# zoom\n\n## in\n"])
        func attribute(_ change: String) throws -> Int32 {
            try Tool.command(["chattr", change, "Generated/Swift/Zoom.swift"], in: scratch.url).code
        }
        try scratch.expect("Definitions --only swift")
        for name in ["search", "zoom"] {
            try scratch.write(try scratch.read("Definitions/\(name).md") + "\n## added\n", to: "Definitions/\(name).md")
        }
        try scratch.write("# more\n\n## one\n", to: "Definitions/more.md")
        #expect(try attribute("+i") == 0)
        defer { _ = try? attribute("-i") }
        let old = try scratch.files()
        try scratch.expect("Definitions", code: 2, error: "Zoom.swift")
        let left = try scratch.files()
        #expect(try attribute("-i") == 0)
        try scratch.expect("Definitions")
        #expect(try scratch.read("Generated/Swift/Zoom.swift").contains("added"))
        let new = try scratch.files()
        #expect(left.allSatisfy { old[$0.key] == $0.value || new[$0.key] == $0.value }, "\(left.keys)")
    }

    @Test("The models of a category share a file of properties") func aCategorysModelsShareAFileOfProperties() throws {
        let long = String(repeating: "a", count: 249)
        let scratch = try Scratch([
            "D/a.md": "# search\n\n## show\n\n## tap\n", "D/b.md": "# \(long)\n\n## show\n", "D/c.md": "# none\n",
            "D/loggen.yml": "name-length: 300\nrules: {file-name: off}\noutputs: {dbt: {dialect: duckdb}}\n",
        ])
        try scratch.expect("D")
        let models = try scratch.files(under: "Generated/dbt/models").keys
        // Names are short enough for warehouses.
        #expect(models.count == 3 + 2 + 1 && models.allSatisfy { $0.utf8.count < 80 }, "\(models)")
        let properties = try scratch.read("Generated/dbt/models/log_search.yml")
        for model in ["log_search__show", "log_search__tap"] {
            #expect(properties.contains("\n  - name: \(model)\n"))
            #expect(models.contains { $0.hasSuffix("\(model).sql") })
        }
    }

    /// Some outputs have a folder for each event, others have one large file.
    @Test(
        "A full disk keeps its files",
        .enabled(if: Tool.canMount),
        arguments: Depth.some(3, of: ["iglu", "catalogue", "dbt", "sql", "typescript", "index", "kotlin"]))
    func aFullDiskKeepsWhatItHas(_ output: String) throws {
        var definitions = [
            "Definitions/search.md": Self.search,
            "Definitions/loggen.yml": "outputs: {iglu: {vendor: com.example}, dbt: {dialect: duckdb}}\n",
        ]
        for index in 0..<20 {
            definitions["Definitions/many_\(index).md"] =
                "# many_\(index)\n"
                + (0..<20).map { "\n## event_\($0)\n\n\(String(repeating: "much to say ", count: 20))\n" }.joined()
        }
        let scratch = try Scratch(definitions)
        let disk = scratch.url.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        _ = try Tool.command(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", disk.path], in: scratch.url)
        defer { _ = try? Tool.command(["umount", disk.path], in: scratch.url) }
        try scratch.write("mine\n", to: "disk/mine.txt")
        let (files, paths) = (try scratch.files(under: "disk"), scratch.paths(under: "disk"))
        let result = try Tool.run("Definitions", "--only", output, "--output", "disk/out", in: scratch.url)
        #expect(result.code == 2 && result.error.contains("No space left on device"), "\(result.error)")
        #expect(try scratch.files(under: "disk") == files)
        #expect(scratch.paths(under: "disk") == paths, "no folder and no temporary file stays")
    }

    /// Files are staged while others are still generated. These errors occur after that.
    @Test(
        "A refused run leaves no files",
        arguments: [
            // A file of another author in an existing folder, next to folders that do not exist.
            (
                "{swift: , json-schema: , iglu: {vendor: com.example}}", "Generated/JSONSchema/search.schema.json",
                "which would list generated files, does not exist"
            ),
            // A folder of another author in place of a file.
            (
                "{swift: , iglu: {vendor: com.example, to: ../Mine}}",
                "Mine/com.example/search-show_recipe/jsonschema/1-0-0/note.txt",
                "it exists and is not a file"
            ),
            // A file of another author in place of a folder.
            ("{swift: , iglu: {vendor: com.example, to: ../Mine}}", "Mine", "Not a directory"),
        ]) func refusedRunLeavesNoFiles(_ outputs: String, _ other: String, _ message: String) throws
    {
        let definitions = [
            "Definitions/search.md": Self.search, "Definitions/loggen.yml": "outputs: \(outputs)\n", other: "mine\n",
        ]
        let scratch = try Scratch(definitions)
        let (files, paths) = (try scratch.files(), scratch.paths())
        try scratch.expect("Definitions", code: 2, error: message)
        #expect(try scratch.files() == files)
        #expect(scratch.paths() == paths, "no folder and no temporary file stays")
    }

    /// Signals come from Ctrl-C, a closed terminal or a stopped build, while files are staged in old and new folders.
    @Test(
        "An interrupted run leaves no files",
        arguments: Depth.some(
            2,
            of: [(SIGINT, true), (SIGTERM, false), (SIGINT, false), (SIGHUP, false), (SIGTERM, true), (SIGHUP, true)]))
    func interruptedRunLeavesNoFiles(_ number: Int32, _ watches: Bool) throws {
        // On a busy machine, a run may finish before the staged file is noticed.
        #expect(
            try (1...5).contains { _ in try Self.interrupts(with: number, watches: watches) },
            "no run could be interrupted")
    }

    /// Returns whether the signal came while files were generated. Then none of them may remain.
    /// - Parameter watches: whether to interrupt the second run of a process with `--watch`.
    private static func interrupts(with number: Int32, watches: Bool) throws -> Bool {
        var definitions = [
            "D/search.md": Self.search,
            "D/loggen.yml":
                "outputs: {iglu: {vendor: com.example}, sql: , swift: , kotlin: {to: ../New}, catalogue: , typescript: }\n",
        ]
        let scratch = try Scratch(definitions)
        let new = scratch.url.appendingPathComponent("New").path
        let process = Process()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        // This polls without giving the thread to another test, because there is little time.
        func wait(_ holds: () throws -> Bool) throws {
            for _ in 0..<300_000 {
                guard process.isRunning, try !holds() else { return }
                usleep(1000)
            }
        }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = Tool.withSignals + ["generate", "D"] + (watches ? ["--watch"] : [])
        process.currentDirectoryURL = scratch.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        if watches {
            try process.run()
            try wait { try scratch.loggen("check D").code == 0 }
        } else {
            try scratch.expect("D --only iglu,sql,swift")
        }
        let (files, paths) = (try scratch.files(), scratch.paths())

        for index in 0..<40 {
            definitions["D/many_\(index).md"] =
                "# many_\(index)\n" + (0..<10).map { "\n## event_\($0)\n\nIts words.\n" }.joined()
        }
        definitions["D/search.md"] = Self.search.replacingOccurrences(of: "int64", with: "string")
        // Replace the files by renaming, so that a watching process never sees half of one.
        let others = try Scratch(definitions)
        for path in definitions.keys {
            #expect(
                rename(others.url.appendingPathComponent(path).path, scratch.url.appendingPathComponent(path).path) == 0
            )
        }
        if !watches { try process.run() }
        // Wait for a staged file.
        try wait {
            ((try? FileManager.default.contentsOfDirectory(atPath: new)) ?? []).contains { $0.hasPrefix(".loggen-") }
        }
        kill(process.processIdentifier, number)
        // Send the signal twice, as `timeout` (to the process and its group) and a closed terminal (kernel and shell)
        // do.
        kill(process.processIdentifier, number)
        try wait { false }
        try #require(!process.isRunning, "the signal ended nothing")
        process.waitUntilExit()
        if process.terminationReason == .exit, process.terminationStatus == 0 { return false }
        // While files are moved into place, a signal is deferred.
        if try scratch.loggen("check D").code == 0 { return false }
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
        let made = { (path: String) in !path.hasPrefix("D/") }
        #expect(try scratch.files().filter { made($0.key) } == files.filter { made($0.key) })
        #expect(scratch.paths().filter(made) == paths.filter(made), "no folder and no temporary file stays")
        return true
    }

    enum Interference: CaseIterable { case takesWhatWaitsAway, putsAFileInTheWay, putsThingsOfTheirOwnBeside }

    @Test("`format` keeps a file that somebody saves during the run", arguments: [false, true])
    func savedDuringFormat(isLate: Bool) throws {
        let name = "many_199.md"
        var isNoticed = false
        for _ in 0..<20 where !isNoticed {
            var files = ["D/loggen.yml": "outputs: {}\n"]
            for index in 0..<200 {
                files["D/many_\(index).md"] = "# many_\(index)\n\n|key|value|\n|-|-|\n|owner|@team|\n\n## open\n"
            }
            let scratch = try Scratch(files)
            let error = Pipe()
            let process = try Tool.start(Tool.executable, ["format", "D"], in: scratch.url, error: error)
            defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
            func isUnwritten() throws -> Bool { try scratch.read("D/many_0.md").contains("|key|value|") }
            if isLate {
                while process.isRunning, try isUnwritten() { usleep(100) }
            } else {
                while process.isRunning, !scratch.paths().contains(where: { $0.hasPrefix("D/.loggen-") }) {
                    usleep(500)
                }
            }
            kill(process.processIdentifier, SIGSTOP)
            let mine = "# many_199\n\n## close\n"
            try scratch.write(mine, to: "D/\(name)")
            kill(process.processIdentifier, SIGCONT)
            let message = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(try scratch.read("D/\(name)") == mine, "\(message)")
            #expect(!scratch.paths().contains { $0.contains(".loggen-") })
            guard process.terminationStatus != 0 else { continue }
            #expect(process.terminationStatus == 2)
            // A run that was stopped before or while it replaced files, in place of the other, is repeated.
            isNoticed = try isUnwritten() != isLate
            let said = try isUnwritten() ? "so nothing was written" : "so it was not written"
            #expect(message.contains("`D/\(name)`") && message.contains(said), "\(message)")
        }
        #expect(isNoticed, "no run could be stopped")
    }

    @Test("Changes that others make during a run are noticed", arguments: Interference.allCases)
    func changesDuringARunAreNoticed(_ deed: Interference) throws {
        #expect(try (1...5).contains { _ in try Self.notices(deed) }, "no run could be stopped")
    }

    /// Interferes with a paused run, and checks the result. Returns false if the run had generated all files when it was
    /// paused, so that the interference came too late.
    private static func notices(_ deed: Interference) throws -> Bool {
        var definitions = [
            "D/search.md": Self.search,
            "D/loggen.yml": "outputs: {iglu: {vendor: com.example}, swift: , kotlin: {to: ../New}, catalogue: }\n",
        ]
        for index in 0..<40 {
            definitions["D/many_\(index).md"] =
                "# many_\(index)\n" + (0..<10).map { "\n## event_\($0)\n\nIts words.\n" }.joined()
        }
        let scratch = try Scratch(definitions)
        try scratch.write("", to: "D/error.txt")
        let process = try Tool.start(
            Tool.executable, ["D"], in: scratch.url,
            error: FileHandle(forWritingTo: scratch.url.appendingPathComponent("D/error.txt")))
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        func aFileWaits() -> Bool { scratch.paths().contains { $0.hasPrefix("New/.loggen-") } }
        while process.isRunning, !aFileWaits() { usleep(1000) }
        kill(process.processIdentifier, SIGSTOP)
        guard aFileWaits() else { return false }
        let mine: [String: Data]
        let said: String?
        switch deed {
        case .takesWhatWaitsAway:
            for path in scratch.paths() where path.contains("/.loggen-") {
                try? scratch.remove(path)
            }
            (mine, said) = ([:], "was removed during the run, so nothing was written")
        case .putsAFileInTheWay:
            mine = ["Generated/Swift/Search.swift": Data("mine\n".utf8)]
            // The run notices the file when it compares or replaces its own.
            said = "cannot write `Generated/Swift/Search.swift`: "
        case .putsThingsOfTheirOwnBeside:
            // Another run's temporary files must be kept, too.
            mine = ["New/mine.txt": Data("mine\n".utf8), "Generated/Swift/.loggen-1-x": Data("other\n".utf8)]
            said = nil
        }
        for (path, bytes) in mine { try scratch.write(String(decoding: bytes, as: UTF8.self), to: path) }
        let folder = scratch.url.appendingPathComponent("Generated/Iglu/com.example").path
        if said == nil {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        }
        kill(process.processIdentifier, SIGCONT)
        process.waitUntilExit()
        let error = try scratch.read("D/error.txt")
        let files = try scratch.files().filter { !$0.key.hasPrefix("D/") }
        guard let said else {
            #expect(process.terminationStatus == 0, "\(error)")
            #expect(files.filter { mine.keys.contains($0.key) } == mine, "\(files.keys)")
            #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
            #expect(
                !scratch.paths().contains {
                    !$0.hasPrefix("D/") && $0.contains(".loggen-") && !$0.contains(".loggen-1-x")
                        && !$0.hasSuffix(".loggen-outputs")
                })
            try scratch.expect("check D")
            return true
        }
        #expect(process.terminationStatus == 2 && error.contains(said), "\(error)")
        #expect(files == mine, "\(files.keys)")
        #expect(!scratch.paths().contains { $0.contains(".loggen-") })
        return true
    }

    /// With closed streams, output of the process must not end up in a generated file.
    @Test("Standard streams may be closed") func streamsMayBeClosed() throws {
        let scratch = try Scratch(["D/search.md": Self.search, "E/search.md": Self.search])
        try scratch.expect("D --output Wanted")
        let result = try Tool.shell("exec \"$0\" E --output Made <&- >&- 2>&-", in: scratch.url)
        // The output cannot be printed.
        #expect(result.code == 2)
        #expect(try scratch.files(under: "Made") == scratch.files(under: "Wanted"))
    }

    @Test("Output folders may be nested") func outputsMayBeInsideEachOther() throws {
        let outputs =
            "{index: {to: ../Out}, iglu: {vendor: com.example, to: ../Out/Iglu}, swift: {to: ../Out/Iglu/com.example}, kotlin: {to: ../Out/Iglu/a/b}}"
        let scratch = try Scratch(["D/search.md": Self.search, "D/loggen.yml": "outputs: \(outputs)\n"])
        try scratch.expect("D")
        let files = try scratch.files(under: "Out")
        #expect(files["README.md"] != nil && files["Iglu/com.example/Search.swift"] != nil, "\(files.keys)")
        #expect(
            files.keys.contains { $0.hasPrefix("Iglu/a/b/") }
                && files.keys.contains { $0.hasSuffix("/jsonschema/1-0-0") }, "\(files.keys)")
        #expect(!scratch.paths(under: "Out").contains { $0.contains(".loggen-") })
        try scratch.expect("check D")
        // A new category adds files to the nested folders. Its removal deletes only those files.
        try scratch.write("# home\n\n## open\n\n## shut\n", to: "D/home.md")
        try scratch.expect("D")
        try scratch.expect("check D")
        try scratch.remove("D/home.md")
        try scratch.expect("D")
        #expect(try scratch.files(under: "Out") == files)
        #expect(!scratch.paths(under: "Out").contains { $0.contains("home") || $0.contains(".loggen-") })
    }

    @Test("Invalid UTF-8 is reported in the document") func invalidUTF8IsAProblemOfTheDocument() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.search])
        try scratch.write(
            Data([0xEF, 0xBB, 0xBF] + Array("# search\n".utf8) + [0xFF, 0x0A]), to: "Definitions/search.md")
        try scratch.expect(
            "Definitions", code: 1,
            error: "Definitions/search.md:2:1: error: the file is not UTF-8: invalid byte at offset 12 [invalid-utf8]\n"
        )
    }

    @Test("Two events with one table are refused") func twoEventsWithOneTableAreRefused() throws {
        let scratch = try Scratch([
            "D/a.md": "# a\n\n## b__c\n", "D/a__b.md": "# a__b\n\n## c\n", "D/loggen.yml": "outputs: {sql: {}}\n",
        ])
        try scratch.expect(
            "D", code: 1, error: "D/a__b.md:3:4: error: `a__b.c` and `a.b__c` would both have the table `a__b__c`",
            "D/a.md:3:4: note: the other event is here")
        #expect(try scratch.files(under: "D/Generated").isEmpty)
        try scratch.write("outputs: {sql: {tables: category}}\n", to: "D/loggen.yml")
        try scratch.expect("D")
        // The models of dbt have the names of the tables.
        try scratch.write("outputs: {dbt: {dialect: duckdb}}\n", to: "D/loggen.yml")
        try scratch.expect("D", code: 1, error: "would both have the table `a__b__c`", "help: rename one of them\n")
    }

    @Test("An event with the table of an event in the lock file is refused")
    func anEventWithATableOfTheLockFileAloneIsRefused() throws {
        let scratch = try Scratch([
            "D/a.md": "# a\n\n## b__c\n", "D/loggen.yml": "outputs: {sql: {}}\n",
            "D/loggen.lock": "loggen.lock 1\na.b__c 1-0-0 active\na__b.c 1-0-0 active\n",
        ])
        try scratch.expect(
            "D", code: 1, error: "D/a.md:3:4: error: `a.b__c` and `a__b.c` would both have the table `a__b__c`",
            "only the lock file has `a__b.c`")
    }

    @Test("An event with the table for another's remaining columns is refused")
    func anEventWithATableForTheRestOfAnotherIsRefused() throws {
        let scratch = try Scratch(["D/a.md": "# a\n\n## b\n\n## b_rest\n", "D/a_rest.md": "# a_rest\n\n## c\n"])
        for (settings, message) in [
            ("dialect: postgresql", "D/a.md:5:4: error: `a.b_rest` and `a.b` would both have the table `a__b_rest`"),
            (
                "dialect: postgresql, tables: category",
                "D/a_rest.md:1:3: error: `a_rest` and `a` would both have the table `a_rest`"
            ),
        ] {
            try scratch.write("outputs: {sql: {\(settings)}}\n", to: "D/loggen.yml")
            try scratch.expect("D", code: 1, error: message)
        }
        try scratch.write("outputs: {sql: {dialect: duckdb}}\n", to: "D/loggen.yml")
        try scratch.expect("D")
    }
}
