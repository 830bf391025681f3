import Foundation
import Testing
import TestSupport

/// `loggen generate --watch`, as a process that goes on while documents are edited.
struct WatchTests {
    /// The command while it runs.
    private final class Watch {
        let process = Process()
        let scratch: Scratch

        init(_ files: [String: String], _ arguments: [String] = []) throws {
            scratch = try Scratch(files)
            process.executableURL = Tool.executable
            process.arguments = ["generate", "Definitions", "--watch"] + arguments
            process.currentDirectoryURL = scratch.url
            for name in ["out", "error"] { try scratch.write("", to: name) }
            process.standardOutput = try FileHandle(forWritingTo: scratch.url.appendingPathComponent("out"))
            process.standardError = try FileHandle(forWritingTo: scratch.url.appendingPathComponent("error"))
            try process.run()
        }

        deinit { if process.isRunning { process.terminate() } }

        var runs: Int { ((try? scratch.read("out")) ?? "").split(separator: "\n").count }
        var said: String { (try? scratch.read("error")) ?? "" }

        /// Waits for something, longer than any machine needs.
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

    @Test func everySaveIsGenerated() throws {
        let watch = try Watch(["Definitions/search.md": Self.document("int64")])
        let swift = "Generated/Swift/Search.swift"
        func shows(_ text: String) -> Bool { ((try? watch.scratch.read(swift)) ?? "").contains(text) }
        #expect(try watch.until { watch.runs == 1 && shows("a: Int64") })

        try watch.scratch.write(Self.document("string"), to: "Definitions/search.md")
        #expect(try watch.until { watch.runs == 2 && shows("a: String") })

        // A mistake is said once, what was made stays, and the next save mends it.
        try watch.scratch.write(Self.document("itn64"), to: "Definitions/search.md")
        #expect(
            try watch.until { watch.said.contains("Definitions/search.md:7:7: error: the type `itn64` is not defined") }
        )
        #expect(shows("a: String") && watch.process.isRunning)
        // Editors that write a file beside and rename it: here with the size of the file before.
        try watch.scratch.write(Self.document("uuid "), to: "Definitions/.search.md.swp")
        #expect(
            rename(
                watch.scratch.url.path + "/Definitions/.search.md.swp",
                watch.scratch.url.path + "/Definitions/search.md") == 0)
        #expect(try watch.until { watch.runs == 3 && shows("a: UUID") })

        // New documents, the configuration and the lock count, too; a folder that is gone is said, and awaited.
        try watch.scratch.write("# home\n\n## open\n", to: "Definitions/home.md")
        #expect(
            try watch.until {
                watch.runs == 4
                    && FileManager.default.fileExists(atPath: watch.scratch.url.path + "/Generated/Swift/Home.swift")
            })
        try watch.scratch.write("outputs:\n  swift:\n    access: internal\n", to: "Definitions/loggen.yml")
        #expect(try watch.until { watch.runs == 5 && !shows("public enum") })
        #expect(rename(watch.scratch.url.path + "/Definitions", watch.scratch.url.path + "/Away") == 0)
        #expect(try watch.until { watch.said.contains("cannot read `Definitions`: there is no such file or folder") })
        #expect(rename(watch.scratch.url.path + "/Away", watch.scratch.url.path + "/Definitions") == 0)
        #expect(try watch.until { watch.runs == 6 })

        // Nothing happens by itself, whatever was written.
        Thread.sleep(forTimeInterval: 1.5)
        #expect(watch.runs == 6 && watch.process.isRunning)
        // Ctrl-C ends it as it ends every program: shells show 130.
        kill(watch.process.processIdentifier, SIGINT)
        watch.process.waitUntilExit()
        #expect(watch.process.terminationReason == .uncaughtSignal && watch.process.terminationStatus == SIGINT)
    }

    @Test("outputs inside of the watched folder, Markdown among them, start nothing")
    func outputsAreNotWatched() throws {
        let yml = "outputs:\n  swift:\n    to: Generated/Swift\n  index:\n    to: Generated/Index\n"
        let watch = try Watch(["Definitions/search.md": Self.document("int64"), "Definitions/loggen.yml": yml])
        #expect(try watch.until { watch.runs == 1 })
        Thread.sleep(forTimeInterval: 1.5)
        #expect(watch.runs == 1, "\(watch.said)")
    }

    @Test func whatIsNotThereFromTheStartIsAMistake() throws {
        let scratch = try Scratch()
        let result = try Tool.run("generate", "nowhere", "--watch", in: scratch.url)
        #expect(result.code == 2 && result.error.contains("cannot read `nowhere`"))
    }
}
