import Foundation
import Testing
import TestSupport

/// Compares `loggen-swift`, the tool of the build plugin, with `loggen generate --only swift`.
struct PluginToolTests {
    private static func run(_ arguments: [String], in scratch: borrowing Scratch) throws -> (
        tool: Tool.Result, command: Tool.Result
    ) {
        (
            try Tool.launch(
                Tool.executable(named: "loggen-swift"), arguments + ["--output", "Out/Tool"], in: scratch.url),
            try Tool.launch(
                Tool.executable,
                ["generate"] + arguments + ["--only", "swift", "--output", "Out/Command", "--force", "--quiet"],
                in: scratch.url)
        )
    }

    @Test(
        "The tool writes the same Swift and the same messages",
        arguments: [
            "", "outputs: {sql: {dialect: [duckdb]}, dbt: {dialect: duckdb}, catalogue: , swift: {access: package}}\n",
            "rules: {description: warning}\n",
            "outputs: {kotlin: {package: com.example}, mine: {x: 1}}\nsampling-key: recipe_id\n", "otputs: {}\n",
            "outputs: {swift: {access: private}}\n",
        ],
        ["", "\n## select\n", "\n## Hide\n", "\n## hide\n\n| column | type |\n| --- | --- |\n| a | itn64 |\n"])
    func sameAsTheCommand(_ settings: String, _ more: String) throws {
        let scratch = try Scratch([
            "D/search.md": PluginTests.search + more, "D/home.md": "# home\n\n## open\n", "D/notes.md": "# Notes\n",
        ])
        if !settings.isEmpty { try scratch.write(settings, to: "D/loggen.yml") }
        let (tool, command) = try Self.run(["D", "--exclude", "D/notes.md"], in: scratch)
        #expect(
            tool.code == command.code && tool.out == command.out && tool.error == command.error,
            "\(tool.error)\n\(command.error)")
        func files(_ folder: String) throws -> [String: Data] {
            scratch.contains(folder)
                ? try scratch.files(under: folder) : [:]
        }
        #expect(try files("Out/Tool") == files("Out/Command"))
        #expect(try files("Out/Tool").isEmpty == (tool.code != 0))
    }

    @Test(
        "The tool uses the templates of loggen.yml and rejects unreadable ones",
        arguments: ["// {{header}}\n", "// {{haeder}}\n"])
    func templates(_ template: String) throws {
        let scratch = try Scratch([
            "D/search.md": PluginTests.search, "D/loggen.yml": "templates: ../T\n", "T/swift.mustache": template,
            "T/sql/output.yml": "x: 1\n",
        ])
        let (tool, command) = try Self.run(["D"], in: scratch)
        #expect(tool.code == command.code && tool.error == command.error, "\(tool.error)\n\(command.error)")
    }

    @Test(
        "Wrong usage exits with code 2 and an error",
        arguments: [
            ([], "are required"), (["D", "--only", "sql"], "unknown option `--only`"),
            (["D", "--exclude"], "needs a value"),
            (["D", "--module", "x"], "is not of the form"), (["missing"], "no such file or folder"),
        ])
    func wrongUse(_ arguments: [String], _ message: String) throws {
        let scratch = try Scratch(["D/search.md": PluginTests.search])
        let result = try Tool.launch(
            Tool.executable(named: "loggen-swift"), (arguments.isEmpty ? [] : ["--output", "Out"]) + arguments,
            in: scratch.url)
        #expect(result.code == 2 && result.error.contains(message), "\(result.error)")
        #expect(try scratch.files().count == 1)
    }
}
