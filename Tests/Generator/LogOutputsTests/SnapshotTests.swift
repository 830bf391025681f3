import Foundation
import Testing
import TestSupport

/// Compares the outputs of a small set of definitions, `Tests/Generator/Fixtures/Snapshot`, byte for byte.
/// `GeneratedSwiftTests` compiles and runs the Swift.
///
/// `RECORD_SNAPSHOTS=1` writes the files again and fails, which prevents recording by accident.
struct SnapshotTests {
    static let folder = Tool.repository.appendingPathComponent("Tests/Generator/Fixtures/Snapshot")
    static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil

    static func made() throws -> [String: String] {
        let scratch = try Scratch()
        let input = folder.appendingPathComponent("Definitions").path
        let generation = try Tool.run(input, "--output", "Generated", in: scratch.url)
        #expect(generation.code == 0, "\(generation.error)")
        // Only `tables.sql` is compared, because people read it. The stages in `.ci/stages` run the check and the load.
        let tables = try Tool.run(input, "--only", "sql", "--output", "Warehouses", in: scratch.url)
        #expect(tables.code == 0, "\(tables.error)")
        let dump = try Tool.run("dump", input, in: scratch.url)
        #expect(dump.code == 0, "\(dump.error)")
        var files = try scratch.files(under: "Generated").mapValues { String(decoding: $0, as: UTF8.self) }
        for (path, data) in try scratch.files(under: "Warehouses") where path.hasSuffix("/tables.sql") {
            files[path] = String(decoding: data, as: UTF8.self)
        }
        files["dump.json"] = dump.out
        return files
    }

    @Test("Outputs are as recorded", .enabled(if: !isRecording)) func outputsAreAsRecorded() throws {
        let made = try Self.made()
        let outputs = Self.folder.appendingPathComponent("Outputs")
        let recorded =
            FileManager.default.enumerator(atPath: outputs.path)?.compactMap { $0 as? String }.filter {
                $0.contains(".")
            } ?? []
        #expect(made.keys.sorted() == recorded.sorted())
        for (path, text) in made {
            let expected = try? String(contentsOf: outputs.appendingPathComponent(path), encoding: .utf8)
            let lines = zip(
                (expected ?? "").split(separator: "\n", omittingEmptySubsequences: false),
                text.split(separator: "\n", omittingEmptySubsequences: false))
            let line = lines.enumerated().first { $1.0 != $1.1 }
            #expect(text == expected, "\(path):\((line?.offset ?? lines.underestimatedCount) + 1)")
        }
    }

    @Test(
        "The committed Swift and schemas are current",
        arguments: [
            ["Definitions"],
            [
                "Tests/Generator/Vectors/Definitions", "--only", "swift", "--output",
                "Tests/Generator/Vectors/SwiftLogs/Generated",
            ],
        ])
    func committedFilesAreCurrent(_ arguments: [String]) throws {
        let check = try Tool.launch(Tool.executable, ["check"] + arguments, in: Tool.repository)
        #expect(
            check.code == 0, "run `swift run loggen \(arguments.joined(separator: " "))`: \(check.out)\(check.error)")
    }

    @Test("Facts name a document in a folder, without lines")
    func documentsInFolders() throws {
        let scratch = try Scratch()
        try scratch.write(
            "# home\n\n| event | column | type |\n| --- | --- | --- |\n| open | | |\n| close | a | int |\n",
            to: "Definitions/feed/home.md")
        let generation = try Tool.run("Definitions", "--only", "swift", in: scratch.url)
        #expect(generation.code == 0, "\(generation.error)")
        let swift = try scratch.read("Generated/Swift/Home.swift")
        #expect(
            swift.contains("        home|||feed/home.md\n        .open|1-0-0|active\n        .close|1-0-0|active\n"))
    }

    @Test("Outputs are recorded", .enabled(if: isRecording)) func recording() throws {
        let outputs = Self.folder.appendingPathComponent("Outputs")
        try? FileManager.default.removeItem(at: outputs)
        let made = try Self.made()
        for (path, text) in made {
            let file = outputs.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        Issue.record("recorded \(made.count) files: read them, then run without RECORD_SNAPSHOTS")
    }
}
