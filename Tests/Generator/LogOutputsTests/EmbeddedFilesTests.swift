import Foundation
import Testing
import TestSupport

/// Tests that the string literals in the tools are equal to the pages and templates, which are the files to edit. The
/// literals compile a hundred times as fast as the byte arrays of SwiftPM's `.embedInCode`.
struct EmbeddedFilesTests {
    private static let targets = [
        ("Sources/Generator/LogTemplates", "Templates"),
        ("Sources/Review/LogImpact", "Sources/Review/LogImpact/Reader"),
        ("Sources/Outputs/LogCatalogue", "Sources/Outputs/LogCatalogue/Page"),
        ("Sources/Desk/trackscope/ScenarioRunner", "Sources/Desk/trackscope/ScenarioRunner/Page"),
        ("Sources/Desk/logscope/ScopeCollector", "Sources/Desk/logscope/ScopeCollector/Page"),
    ]

    private static func literals(of files: String) throws -> String {
        let folder = Tool.repository.appendingPathComponent(files)
        let endings = [".css", ".html", ".js", ".mustache", ".py", ".yml"]
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            endings.contains { path.hasSuffix($0) }
        }
        var code = """
            // Made from the files in \(files). Do not edit.
            // To make it again: `RECORD_SNAPSHOTS=1 swift test --filter EmbeddedFilesTests`.
            // swift-format-ignore-file

            enum EmbeddedFiles {

            """
        for path in paths.sorted() {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            var marks = "#"
            while text.contains("\"\"\"" + marks) || text.contains("\\" + marks) { marks += "#" }
            let name = String(path.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            code += "    static let \(name) = \(marks)\"\"\"\n\(wrapped(text, marks))\n\"\"\"\(marks)\n"
            if path.hasSuffix(".css") || path.hasSuffix(".js") {
                code += "    static let \(name)_hash = \"\(try hash(text))\"\n"
            }
        }
        return code + "}\n"
    }

    /// The hash of a page's style or script, as its policy contains it (CSP3, section 2.3.1).
    private static func hash(_ text: String) throws -> String {
        let program = """
            import base64, hashlib, sys
            print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode(), end="")
            """
        return try "sha256-" + Tool.command(["python3", "-c", program], in: Tool.repository, input: text).out
    }

    /// Continues lines of more than 120 columns on the next line, which does not change the literal's value.
    private static func wrapped(_ text: String, _ marks: String) -> String {
        let most = 120 - 1 - marks.count
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var (rest, pieces) = (line[...], [Substring]())
            while rest.count > 120 {
                pieces.append(rest.prefix(most))
                rest = rest.dropFirst(most)
            }
            return (pieces + [rest]).joined(separator: "\\\(marks)\n")
        }.joined(separator: "\n")
    }

    @Test("An embedded literal is equal to its file", arguments: targets)
    func literalsAreCurrent(target: String, files: String) throws {
        let made = try Self.literals(of: files)
        let file = Tool.repository.appendingPathComponent(target + "/Generated/EmbeddedFiles.swift")
        let isCurrent = try? String(contentsOf: file, encoding: .utf8) == made
        if isCurrent != true, SnapshotTests.isRecording { try made.write(to: file, atomically: true, encoding: .utf8) }
        #expect(isCurrent == true, "\(target): record it with RECORD_SNAPSHOTS=1, and commit it")
    }
}
