import Foundation
import Testing
import TestSupport

/// Compares every sample in README.md with the tool's input, output or messages.
struct ReadmeTests {
    struct Block: Sendable {
        var language: String
        var path: String
        var lines: [String]
    }

    /// Returns the path of an article of loggen.
    static func article(_ name: String) -> String { "Sources/Generator/loggen/Documentation.docc/\(name).md" }

    /// Returns the fenced blocks. The path comes after the language in the first line of a fence.
    static func blocks(of file: String = "README.md") throws -> [Block] {
        let text = try String(contentsOf: Tool.repository.appendingPathComponent(file), encoding: .utf8)
        var blocks: [Block] = []
        var isOpen = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                isOpen.toggle()
                let words = line.dropFirst(3).split(separator: " ").map(String.init)
                if isOpen {
                    blocks.append(Block(language: words.first ?? "", path: words.dropFirst().first ?? "", lines: []))
                }
            } else if isOpen {
                blocks[blocks.count - 1].lines.append(line)
            }
        }
        return blocks
    }

    @Test("Excerpts come from existing files") func excerptsAreOfRealFiles() throws {
        let scratch = try Scratch()
        let result = try Tool.run(
            [Tool.repository.appendingPathComponent("Definitions").path, "--output", "Generated"], in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        let excerpts = try Self.blocks().filter { $0.path.contains("/") }
        #expect(Set(excerpts.map(\.language)) == ["markdown", "swift", "json"])
        for excerpt in excerpts {
            let base = excerpt.path.hasPrefix("Generated") ? scratch.url : Tool.repository
            let file = try String(contentsOf: base.appendingPathComponent(excerpt.path), encoding: .utf8)
            if let line = Self.firstLine(of: excerpt, missingIn: file) {
                Issue.record("README.md shows a line that \(excerpt.path) does not have there: \(line)")
            }
        }
    }

    /// Returns the first line of an excerpt that the file does not contain after the previous lines.
    static func firstLine(of excerpt: Block, missingIn file: String) -> String? {
        var rest = file.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }[...]
        for line in excerpt.lines.map({ $0.trimmingCharacters(in: .whitespaces) }) where !line.isEmpty {
            guard let index = rest.firstIndex(of: line) else { return line }
            rest = rest[(index + 1)...]
        }
        return nil
    }

    @Test("Swift in the documentation comes from an example that is compiled and run")
    func documentationIsOfExamples() throws {
        func files(under folder: String, _ suffix: String) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: Tool.repository.appendingPathComponent(folder).path)
                .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
        }
        let examples = try files(under: "Tests", "Example.swift").map {
            try String(contentsOf: Tool.repository.appendingPathComponent($0), encoding: .utf8)
        }
        var count = 0
        for file in try files(under: "Sources", ".md") {
            for block in try Self.blocks(of: file) where block.language == "swift" {
                count += 1
                #expect(
                    examples.contains { Self.firstLine(of: block, missingIn: $0) == nil },
                    "\(file): \(block.lines.first ?? "")")
            }
        }
        #expect(count >= 3)
    }

    @Test("The message is current") func theMessageIsTheOneShown() throws {
        let shown = try #require(try Self.blocks().first { $0.language == "text" }).lines.joined(separator: "\n") + "\n"
        let scratch = try Scratch()
        try FileManager.default.copyItem(
            at: Tool.repository.appendingPathComponent("Definitions"),
            to: scratch.url.appendingPathComponent("Definitions"))
        var lines = try scratch.read("Definitions/recipe_search.md").components(separatedBy: "\n")
        let index = try #require(lines.firstIndex { $0.contains("見られたレシピ") && $0.contains("| recipe_id |") })
        lines[index] = lines[index].replacingOccurrences(of: "RecipeID", with: "RecipeId")
        try scratch.write(lines.joined(separator: "\n"), to: "Definitions/recipe_search.md")
        let result = try Tool.run("lint", "Definitions/", "--quiet", in: scratch.url)
        #expect(result.error == shown)
    }
}
