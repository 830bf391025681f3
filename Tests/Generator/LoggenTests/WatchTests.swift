import Foundation
import Testing
import TestSupport

/// Tests of `loggen generate --watch`, a process that keeps running while documents are edited.
struct WatchTests {
    private final class Watch {
        let process = Process()
        let scratch: Scratch

        init(_ files: [String: String], _ arguments: [String] = []) throws {
            scratch = try Scratch(files)
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = Tool.withSignals + ["generate", "Definitions", "--watch"] + arguments
            process.currentDirectoryURL = scratch.url
            for name in ["out", "error"] { try scratch.write("", to: name) }
            process.standardOutput = try FileHandle(forWritingTo: scratch.url.appendingPathComponent("out"))
            process.standardError = try FileHandle(forWritingTo: scratch.url.appendingPathComponent("error"))
            try process.run()
        }

        deinit { if process.isRunning { process.terminate() } }

        var runs: Int { ((try? scratch.read("out")) ?? "").split(separator: "\n").count }
        var said: String { (try? scratch.read("error")) ?? "" }

        /// Waits for a condition, longer than any machine needs.
        func until(_ isSo: () throws -> Bool) throws -> Bool {
            for _ in 0..<600 {
                if try isSo() { return true }
                Thread.sleep(forTimeInterval: 0.05)
            }
            return try isSo()
        }
    }

    private static func document(_ type: String) -> String {
        "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | \(type) |\n"
    }

    @Test("Every save generates the outputs") func everySaveIsGenerated() throws {
        let watch = try Watch(["Definitions/search.md": Self.document("int64")])
        let swift = "Generated/Swift/Search.swift"
        func shows(_ text: String) -> Bool { ((try? watch.scratch.read(swift)) ?? "").contains(text) }
        #expect(try watch.until { watch.runs == 1 && shows("a: Int64") })

        try watch.scratch.write(Self.document("string"), to: "Definitions/search.md")
        #expect(try watch.until { watch.runs == 2 && shows("a: String") })

        // A mistake is reported once. The outputs stay, and the next save replaces them.
        try watch.scratch.write(Self.document("itn64"), to: "Definitions/search.md")
        #expect(
            try watch.until { watch.said.contains("Definitions/search.md:7:7: error: the type `itn64` is not defined") }
        )
        #expect(shows("a: String") && watch.process.isRunning)
        // Some editors write another file and rename it. Here, it has the size of the previous file.
        try watch.scratch.write(Self.document("uuid "), to: "Definitions/.search.md.swp")
        #expect(
            rename(
                watch.scratch.url.path + "/Definitions/.search.md.swp",
                watch.scratch.url.path + "/Definitions/search.md") == 0)
        #expect(try watch.until { watch.runs == 3 && shows("a: UUID") })

        // Changes of new documents, the configuration and the lock file count, too. A missing folder is reported and
        // awaited.
        try watch.scratch.write("# home\n\n## open\n", to: "Definitions/home.md")
        #expect(
            try watch.until {
                watch.runs == 4
                    && FileManager.default.fileExists(atPath: watch.scratch.url.path + "/Generated/Swift/Home.swift")
            })
        try watch.scratch.write("outputs:\n  swift:\n    access: internal\n", to: "Definitions/loggen.yml")
        #expect(try watch.until { watch.runs == 5 && !shows("public enum") })
        #expect(rename(watch.scratch.url.path + "/Definitions", watch.scratch.url.path + "/Away") == 0)
        #expect(try watch.until { watch.said.contains("cannot read `Definitions`: no such file or folder") })
        #expect(rename(watch.scratch.url.path + "/Away", watch.scratch.url.path + "/Definitions") == 0)
        #expect(try watch.until { watch.runs == 6 })

        // Without a change, nothing is generated.
        Thread.sleep(forTimeInterval: 1.5)
        #expect(watch.runs == 6 && watch.process.isRunning)
        // Ctrl-C ends the process by the signal, which shells show as 130.
        kill(watch.process.processIdentifier, SIGINT)
        watch.process.waitUntilExit()
        #expect(watch.process.terminationReason == .uncaughtSignal && watch.process.terminationStatus == SIGINT)
    }

    @Test("Outputs in the watched folder, including Markdown, do not start a run")
    func outputsAreNotWatched() throws {
        let yml = "outputs:\n  swift:\n    to: Generated/Swift\n  index:\n    to: Generated/Index\n"
        let watch = try Watch(["Definitions/search.md": Self.document("int64"), "Definitions/loggen.yml": yml])
        #expect(try watch.until { watch.runs == 1 })
        Thread.sleep(forTimeInterval: 1.5)
        #expect(watch.runs == 1, "\(watch.said)")
    }

    @Test("Links among the templates that lead to a folder above are followed once")
    func linksAboveTheTemplates() throws {
        let scratch = try Scratch([
            "Definitions/search.md": Self.document("int64"), "T/names.txt.mustache": "# {{header}}\n", "T/more/a": "",
        ])
        for name in ["one", "two"] {
            try scratch.link("T/more/\(name)", to: "..")
        }
        let process = try Tool.start(
            Tool.executable, ["generate", "Definitions", "--watch", "--templates", "T", "--quiet"], in: scratch.url)
        defer { process.terminate() }
        let output = scratch.url.appendingPathComponent("Generated/names/search.txt").path
        for _ in 0..<600 where !FileManager.default.fileExists(atPath: output) { Thread.sleep(forTimeInterval: 0.05) }
        #expect(FileManager.default.fileExists(atPath: output))
    }

    @Test("Input that is missing at the start is an error") func missingInputAtTheStartIsAnError() throws {
        let scratch = try Scratch()
        try scratch.expect("generate nowhere --watch", code: 2, error: "cannot read `nowhere`")
    }
}
