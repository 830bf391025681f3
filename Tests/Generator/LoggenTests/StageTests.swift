import Foundation
import Testing
import TestSupport

/// Tests of `loggen validate --stream` and `--split` as a stage of a pipeline.
@Suite(.timeLimit(.minutes(20))) struct StageTests {
    private static let good = ValidateTests.record()
    private static let bad = ValidateTests.record("show", #","position":-1"#)

    private func scratch(_ files: [String: String] = [:]) throws -> Scratch {
        try Scratch(files.merging(["Definitions/search.md": ValidateTests.search]) { own, _ in own })
    }

    private func validate(_ arguments: String..., in scratch: borrowing Scratch, input: String = "") throws
        -> Tool.Result
    {
        try Tool.run(["validate", "Definitions"] + arguments, in: scratch.url, input: input)
    }

    private func names(_ scratch: borrowing Scratch, _ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.url.appendingPathComponent(folder).path).sorted()
    }

    @Test("A stream has a line for each record, and bad records are not a failure")
    func aStreamKeepsEachRecord() throws {
        let scratch = try scratch()
        let result = try validate("--stream", in: scratch, input: Self.good + "\n" + Self.bad + "x\n" + Self.good)
        #expect(result.code == 0)
        let tables = result.out.split(separator: "\n").map { $0.prefix { $0 != "," } }
        #expect(
            tables == [
                #"{"table":"search__show""#, #"{"table":"bad_records""#, #"{"table":"bad_records""#,
                #"{"table":"search__show""#,
            ])
        #expect(result.error.hasPrefix("loggen: 4 records: 2 valid, 2 bad (2 violations)"))
        #expect(try validate("--stream", "--quiet", in: scratch, input: Self.good).error == "")
    }

    @Test("The tables of the output `sql` are those of a stage and of `loggen sql`")
    func tablesOfTheOutput() throws {
        let scratch = try scratch(["Definitions/loggen.yml": "outputs: {sql: {tables: wide}}\n"])
        #expect(
            try validate("--stream", in: scratch, input: Self.good).out.hasPrefix(#"{"table":"records""#))
        #expect(
            try validate("--stream", "--tables", "event", in: scratch, input: Self.good).out
                .hasPrefix(#"{"table":"search__show""#))
        #expect(
            try scratch.loggen("sql Definitions --dialect duckdb --part load").out
                == scratch.loggen("sql Definitions --dialect duckdb --part load --tables wide").out)
    }

    @Test("Empty input is not a failure of a stage", arguments: [["--stream"], ["--split", "rows"]])
    func emptyInput(_ arguments: [String]) throws {
        let scratch = try scratch()
        let result = try Tool.run(["validate", "Definitions"] + arguments, in: scratch.url, input: "")
        #expect(result.code == 0)
        #expect(result.out == "")
    }

    private final class Run {
        let process = Process()
        let (input, output, error) = (Pipe(), Pipe(), Pipe())

        init(_ arguments: [String], in folder: URL) throws {
            process.executableURL = Tool.executable
            process.arguments = ["validate", "Definitions"] + arguments
            process.currentDirectoryURL = folder
            (process.standardInput, process.standardOutput, process.standardError) = (input, output, error)
            try process.run()
            // Kills a run that hangs. Only its own test fails then.
            let id = process.processIdentifier
            DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak process] in
                if process?.isRunning == true { kill(id, SIGKILL) }
            }
        }

        func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

        /// Waits for the next lines of the output, and returns them. The input stays open, so the lines never arrive if
        /// the run waits for the end of the input. The result then has fewer lines, because the run is killed.
        func lines(_ count: Int) -> [Substring] {
            var text = ""
            while text.count(where: { $0 == "\n" }) < count {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            return text.split(separator: "\n")
        }

        func end() -> Int32 {
            input.fileHandleForWriting.closeFile()
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    @Test("Each record of a stream is written before the next one is read")
    func recordOfAStreamIsWrittenBeforeTheNextIsRead() throws {
        let scratch = try scratch()
        let run = try Run(["--stream", "-"], in: scratch.url)
        for number in 0..<20 {
            run.write(number % 3 == 0 ? Self.bad : Self.good)
            let lines = run.lines(1)
            #expect(
                lines.count == 1
                    && lines.first?.hasPrefix(
                        number % 3 == 0 ? #"{"table":"bad_records""# : #"{"table":"search__show""#) == true
            )
        }
        // Write one and a half records. The half record is kept until it is complete.
        run.write(Self.good + Self.good.prefix(40))
        #expect(run.lines(1).count == 1)
        run.write(String(Self.good.dropFirst(40)))
        #expect(run.lines(1).count == 1)
        #expect(run.end() == 0)
    }

    @Test("A stream fails if its output is closed, because records are lost")
    func anAbandonedStreamFails() throws {
        let scratch = try scratch()
        let run = try Run(["--stream", "-"], in: scratch.url)
        run.write(Self.good)
        #expect(run.lines(1).count == 1)
        run.output.fileHandleForReading.closeFile()
        run.write(Self.good)
        run.process.waitUntilExit()
        #expect(run.process.terminationStatus == 2)
        let error = String(decoding: run.error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(error.contains("cannot write to `standard output`: Broken pipe"), "\(error)")
    }

    @Test("A split has a file for each table, even without rows")
    func aSplitHasAFileForEachTable() throws {
        let scratch = try scratch(["events.ndjson": Self.good + Self.bad + Self.good])
        let result = try validate("--split", "rows/", "events.ndjson", in: scratch)
        #expect(result.code == 0)
        #expect(result.out.hasPrefix("events.ndjson:2: search.show: position: -1 is below 0"))
        #expect(try names(scratch, "rows") == ["bad_records.ndjson", "search__leave.ndjson", "search__show.ndjson"])
        #expect(try scratch.read("rows/search__show.ndjson") == Self.good + Self.good)
        #expect(try scratch.read("rows/search__leave.ndjson") == "")
        #expect(try scratch.read("rows/bad_records.ndjson").hasSuffix(#""violations":["position: minimum"]}"# + "\n"))
        #expect(try names(scratch) == ["Definitions", "events.ndjson", "rows"])
    }

    @Test(
        "A line that begins with a bracket is a single record in a stream",
        arguments: ["[INFO] started", "[]", "[1,2]", "["])
    func linesThatBeginWithABracket(_ line: String) throws {
        let scratch = try scratch()
        let input = line + "\n" + Self.good + Self.good
        let result = try validate("--stream", in: scratch, input: input)
        #expect(result.code == 0)
        #expect(
            result.out.split(separator: "\n").map { $0.hasPrefix(#"{"table":"search__show""#) } == [false, true, true])
        // A single bracket begins an array.
        if line == "[" { return }
        let split = try validate("--split", "rows", in: scratch, input: input)
        if split.code == 0 {
            #expect(try scratch.read("rows/search__show.ndjson") == Self.good + Self.good)
        } else {
            // The array has trailing content.
            #expect(line == "[]" && split.error.contains("its array is followed by other content"), "\(split.error)")
            #expect(try names(scratch) == ["Definitions"])
        }
    }

    @Test("An array of records is split, and content after it is an error")
    func arraysAreSplit() throws {
        let scratch = try scratch()
        let array = "[\(Self.good),\(Self.good)]"
        #expect(try validate("--split", "rows", in: scratch, input: array).code == 0)
        #expect(try scratch.read("rows/search__show.ndjson").split(separator: "\n").count == 2)
        #expect(try validate("--split", "rows", "--force", in: scratch, input: array + array).code == 2)
        #expect(try scratch.read("rows/search__show.ndjson").split(separator: "\n").count == 2)
    }

    @Test("The rows' folder keeps its permissions, and is restored after a kill between two renames")
    func foldersAreReplaced() throws {
        let scratch = try scratch()
        #expect(try validate("--split", "rows", in: scratch, input: Self.good).code == 0)
        let rows = scratch.url.appendingPathComponent("rows")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: rows.path)
        #expect(try validate("--split", "rows", "--force", in: scratch, input: Self.good + Self.good).code == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: rows.path)[.posixPermissions] as? Int == 0o700)
        // This is the state after the first of two renames.
        try FileManager.default.moveItem(at: rows, to: scratch.url.appendingPathComponent(".rows.replaced.loggen"))
        let next = try validate("--split", "rows", in: scratch, input: Self.bad)
        #expect(next.code == 2 && next.error.contains("rows of an earlier run"), "\(next.error)")
        #expect(try scratch.read("rows/search__show.ndjson") == Self.good + Self.good)
        #expect(try names(scratch) == ["Definitions", "rows"])
    }

    @Test("Concurrent runs that replace a folder leave all rows of one of them")
    func runsThatReplaceAtOnce() throws {
        let scratch = try scratch()
        #expect(try validate("--split", "rows", in: scratch, input: "").code == 0)
        for _ in 0..<Depth.cases(5, deep: 20) {
            let runs = try (0..<3).map { _ in
                try Run(["--split", "rows", "--force", "--quiet", "--limit", "0", "-"], in: scratch.url)
            }
            for (number, run) in runs.enumerated() {
                run.write(
                    String(repeating: Self.good, count: number + 1) + String(repeating: Self.bad, count: number + 1))
            }
            for run in runs { run.input.fileHandleForWriting.closeFile() }
            let codes = runs.map { run in
                run.process.waitUntilExit()
                return run.process.terminationStatus
            }
            #expect(codes.contains(0) && codes.allSatisfy { $0 == 0 || $0 == 2 }, "\(codes)")
            #expect(
                try names(scratch, "rows") == ["bad_records.ndjson", "search__leave.ndjson", "search__show.ndjson"])
            let good = try scratch.read("rows/search__show.ndjson").split(separator: "\n").count
            let bad = try scratch.read("rows/bad_records.ndjson").split(separator: "\n").count
            #expect(good == bad && (1...3).contains(good))
            #expect(try names(scratch) == ["Definitions", "rows"])
        }
    }

    @Test("Events of a category can share a table", arguments: [("category", "search"), ("wide", "records")])
    func groupsOfEvents(_ tables: String, _ name: String) throws {
        let scratch = try scratch()
        #expect(try validate("--split", "rows", "--tables", tables, in: scratch, input: Self.good).code == 0)
        #expect(try names(scratch, "rows") == ["bad_records.ndjson", "\(name).ndjson"])
        #expect(try scratch.read("rows/\(name).ndjson") == Self.good)
    }

    @Test(
        "A valid record that an engine cannot store is bad only for that engine",
        arguments: [("postgresql", 1), ("duckdb", 0)])
    func limitsOfAnEngine(_ dialect: String, _ bad: Int) throws {
        let scratch = try scratch()
        let old = Self.good.replacing("2026-04-01T", with: "0000-04-01T")
        let result = try validate("--split", "rows", "--dialect", dialect, in: scratch, input: old + Self.good)
        #expect(result.code == 0)
        #expect(
            result.out.contains("0000-04-01T") == (bad == 1)
                && result.out.contains("cannot be stored in PostgreSQL") == (bad == 1))
        #expect(try scratch.read("rows/bad_records.ndjson").split(separator: "\n").count == bad)
        #expect(try scratch.read("rows/search__show.ndjson").split(separator: "\n").count == 2 - bad)
    }

    @Test("Rows of an earlier run are replaced only with `--force`, and other files never")
    func filesThatAreThere() throws {
        let scratch = try scratch(["events.ndjson": Self.good, "notes/a.txt": "mine", "file": "mine"])
        #expect(try validate("--split", "rows", "events.ndjson", in: scratch).code == 0)
        let again = try validate("--split", "rows", in: scratch, input: Self.bad)
        #expect(again.code == 2 && again.error.contains("it contains rows of an earlier run"), "\(again.error)")
        #expect(try scratch.read("rows/search__show.ndjson") == Self.good)
        #expect(try validate("--split", "rows", "--force", in: scratch, input: Self.bad).code == 0)
        #expect(try scratch.read("rows/search__show.ndjson") == "")
        try FileManager.default.createDirectory(
            at: scratch.url.appendingPathComponent("odd/search__show.ndjson"), withIntermediateDirectories: true)
        for folder in ["notes", "file", ".", "..", "Definitions", "odd"] {
            let result = try validate("--split", folder, "--force", "events.ndjson", in: scratch)
            #expect(result.code == 2 && result.error.contains("cannot write `\(folder)`"), "\(result.error)")
        }
        #expect(try scratch.read("notes/a.txt") == "mine")
        // Raw records are not rows, whatever the file's name.
        let own = try validate("--split", "rows", "--force", "rows/search__show.ndjson", in: scratch)
        #expect(own.code == 2 && own.error.contains("records are read from a file in it"), "\(own.error)")
        try scratch.move("rows/search__show.ndjson", to: "rows/monday.ndjson")
        let raw = try validate("--split", "rows", "--force", "events.ndjson", in: scratch)
        #expect(raw.code == 2 && raw.error.contains("`monday.ndjson`"), "\(raw.error)")
        #expect(try names(scratch, "rows").contains("monday.ndjson"))
        #expect(try names(scratch) == ["Definitions", "events.ndjson", "file", "notes", "odd", "rows"])
    }

    @Test("A failed run leaves no folder of rows")
    func failedRunLeavesNoFolderOfRows() throws {
        let scratch = try scratch(["events.ndjson": Self.good, "cut.gz": "\u{1F}"])
        // Truncated gzip data
        try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]).write(to: scratch.url.appendingPathComponent("cut.gz"))
        #expect(try validate("--split", "rows", "events.ndjson", "cut.gz", in: scratch).code == 2)
        #expect(try validate("--split", "rows", "events.ndjson", "missing", in: scratch).code == 2)
        #expect(try names(scratch) == ["Definitions", "cut.gz", "events.ndjson"])
    }

    @Test(
        "A killed run leaves no rows, and the next run removes its remains",
        arguments: [("--split", "rows"), ("--good", "rows.ndjson")], [SIGKILL, SIGTERM])
    func aKilledRunLeavesNoRows(_ output: (option: String, path: String), _ signal: Int32) throws {
        let scratch = try scratch()
        func remains() throws -> [String] { try names(scratch).filter { $0.hasPrefix(".\(output.path).") } }
        let run = try Run([output.option, output.path, "--quiet", "-"], in: scratch.url)
        run.write(String(repeating: Self.good, count: 3000))
        while run.process.isRunning, try remains().isEmpty { usleep(1000) }
        kill(run.process.processIdentifier, signal)
        run.process.waitUntilExit()
        #expect(try !names(scratch).contains(output.path) && !remains().isEmpty)
        #expect(try validate(output.option, output.path, in: scratch, input: Self.good + Self.good).code == 0)
        #expect(
            try scratch.read(output.option == "--split" ? "rows/search__show.ndjson" : output.path) == Self.good
                + Self.good)
        #expect(try names(scratch) == ["Definitions", output.path])
    }

    @Test(
        "A run does not write to the output of a concurrent run",
        arguments: [("--split", "rows"), ("--good", "rows.ndjson")])
    func concurrentRunsAreRefused(_ option: String, _ path: String) throws {
        let scratch = try scratch()
        let run = try Run([option, path, "--quiet", "-"], in: scratch.url)
        run.write(Self.good)
        while run.process.isRunning, try !names(scratch).contains(".\(path).loggen") { usleep(1000) }
        let second = try validate(option, path, in: scratch, input: Self.bad)
        #expect(second.code == 2 && second.error.contains("another run of loggen is writing it"), "\(second.error)")
        #expect(run.end() == 0)
        #expect(try names(scratch) == ["Definitions", path])
    }

    #if os(Linux)
        @Test(
            "Without file locks, remains of a killed run do not get into the output",
            arguments: [("--split", "rows", "/search__show.ndjson"), ("--good", "rows.ndjson", "")])
        func fileSystemsWithoutLocks(_ option: String, _ path: String, _ file: String) throws {
            let scratch = try scratch([
                "lock.c": "#include <errno.h>\nint flock(int file, int operation) { errno = ENOTSUP; return -1; }\n",
                "run.sh": """
                hidden=.\(path).loggen\(file)
                mkdir -p "$(dirname "$hidden")"
                printf '%500s' remains >"$hidden"
                LD_PRELOAD=./lock.so exec "$0" validate Definitions \(option) \(path) --quiet -

                """,
            ])
            let compiled = try Tool.command(["cc", "-shared", "-fPIC", "-o", "lock.so", "lock.c"], in: scratch.url)
            #expect(compiled.code == 0)
            let run = try Tool.shell(". ./run.sh", in: scratch.url, input: Self.good)
            #expect(run.code == 0 && !run.error.contains("preload"), "\(run.error)")
            #expect(try scratch.read(path + file) == Self.good)
            #expect(try names(scratch) == ["Definitions", "lock.c", "lock.so", path, "run.sh"])
        }
    #endif

    @Test(
        "Options that a stage does not support are rejected",
        arguments: [
            (["--stream", "--split", "rows"], "--split"), (["--stream", "--format", "json"], "--format"),
            (["--stream", "--bad", "x"], "--bad"),
            (["--split", "rows", "--strict"], "--strict"), (["--stream", "--coverage"], "--coverage"),
            (["--dialect", "duckdb"], "--dialect"),
            (["--tables", "wide"], "--tables"), (["--split", ""], "--split"),
        ])
    func unsupportedOptionsAreRejected(_ arguments: [String], _ named: String) throws {
        let scratch = try scratch()
        let result = try Tool.run(["validate", "Definitions"] + arguments, in: scratch.url, input: Self.good)
        #expect(result.code != 0 && result.error.contains("`\(named)`"), "\(result.error)")
        #expect(result.out == "")
    }
}
