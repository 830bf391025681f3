import Foundation
import Testing
import TestSupport

/// Tests of concurrent runs of loggen in one folder.
@Suite struct ConcurrentRunTests {
    /// Runs all commands concurrently, and returns the exit code of `xargs`: 0 if all succeed.
    private func runAtOnce(_ commands: [[String]], in folder: URL) throws
        -> Int32
    {
        let lines = commands.map { $0.joined(separator: " ") }.joined(separator: "\n") + "\n"
        return try Tool.command(
            ["xargs", "-P", "\(commands.count)", "-L", "1", Tool.executable.path], in: folder, input: lines
        ).code
    }

    @Test("Concurrent runs of `lock` record every event")
    func locksRecordEveryEvent() throws {
        let names = (0..<12).map { "screen_\($0)" }
        for _ in 0..<3 {
            let scratch = try Scratch(
                Dictionary(
                    uniqueKeysWithValues: names.map { ("D/\($0).md", "# \($0)\n\n## show\n") } + [
                        ("D/loggen.yml", "outputs: {}\n")
                    ]))
            #expect(try runAtOnce(names.map { ["lock", "D/\($0).md"] }, in: scratch.url) == 0)
            let lock = try scratch.read("D/loggen.lock")
            for name in names { #expect(lock.contains("\n\(name).show 1-0-0 active\n"), "\(lock)") }
        }
    }

    @Test("Concurrent runs for single outputs record every folder")
    func outputsAreRemembered() throws {
        let outputs = ["swift", "json-schema", "kotlin", "typescript", "index", "catalogue"]
        let settings = outputs.map {
            "  \($0):\n    to: ../Out/\($0)\n" + ($0 == "kotlin" ? "    package: com.example\n" : "")
        }
        for _ in 0..<3 {
            let scratch = try Scratch([
                "D/search.md": "# search\n\n## show\n", "D/loggen.yml": "outputs:\n\(settings.joined())",
            ])
            #expect(try runAtOnce(outputs.map { ["D", "--only", $0] }, in: scratch.url) == 0)
            let record = try scratch.read("D/.loggen-outputs")
            for output in outputs { #expect(record.contains("\n\(output)\t../Out/\(output)\t"), "\(record)") }
        }
    }
}
