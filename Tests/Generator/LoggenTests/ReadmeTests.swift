import Foundation
import Testing
import TestSupport

/// Compares the samples of README.md and of loggen's articles with the tool's input, output or messages.
struct ReadmeTests {
    struct Block: Sendable {
        var language: String
        var path: String
        var lines: [String]
    }

    static func article(_ name: String) -> String { "Sources/Generator/loggen/Documentation.docc/\(name).md" }

    /// Returns the fenced blocks. The path comes after the language in the first line of a fence.
    static func blocks(of file: String = "README.md") throws -> [Block] {
        let text = try Tool.text(of: file)
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
        var languages: Set<String> = []
        for document in ["README.md"] + ["DefinitionFormat.ja"].map(Self.article) {
            let excerpts = try Self.blocks(of: document).filter { $0.path.contains("/") && !Self.isOfFeed($0) }
            #expect(!excerpts.isEmpty, "\(document)")
            for excerpt in excerpts {
                languages.insert(excerpt.language)
                let base = excerpt.path.hasPrefix("Generated") ? scratch.url : Tool.repository
                let file = try String(contentsOf: base.appendingPathComponent(excerpt.path), encoding: .utf8)
                if let line = Self.firstLine(of: excerpt, missingIn: file) {
                    Issue.record("\(document) shows a line that \(excerpt.path) does not have there: \(line)")
                }
            }
        }
        #expect(languages == ["markdown", "swift"])
    }

    /// Whether a block belongs to the sample of README.md that the article Getting started builds.
    private static func isOfFeed(_ block: Block) -> Bool {
        ["Sources/AppLogs/feed.md", "Generated/Swift/Feed.swift", "Sources/MyApp/main.swift"].contains(block.path)
    }

    /// The stage `walk` builds the article's package and compares the record that arrives.
    @Test("The sample of README.md is the one that Getting started builds") func theSampleIsBuilt() throws {
        let walk = try Self.blocks(of: Self.article("GettingStarted")).filter { $0.path == "walk" }
        let shell = walk.filter { $0.language == "sh" }.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n")
        let readme = try Self.blocks()
        for path in ["Sources/AppLogs/feed.md", "Sources/MyApp/main.swift"] {
            let block = try #require(readme.first { $0.path == path })
            #expect(shell.contains("\n" + block.lines.joined(separator: "\n") + "\n"), "\(path)")
        }
        func record(_ block: Block?) throws -> NSDictionary {
            let text = try #require(block).lines.joined(separator: "\n")
            return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
        }
        #expect(
            try record(readme.first { $0.language == "json" }) == record(walk.first { $0.language == "json" }))
    }

    private static func feed() throws -> Scratch {
        let document = try #require(try blocks().first { $0.path == "Sources/AppLogs/feed.md" })
        return try Scratch([document.path: document.lines.joined(separator: "\n") + "\n"])
    }

    @Test("The document of README.md becomes its enum, and the record matches the definition")
    func theDocumentBecomesTheEnum() throws {
        let scratch = try Self.feed()
        try scratch.expect("Sources/AppLogs")
        let shown = try #require(try Self.blocks().first { $0.path == "Generated/Swift/Feed.swift" })
        #expect(Self.firstLine(of: shown, missingIn: try scratch.read(shown.path)) == nil)
        let record = try #require(try Self.blocks().first { $0.language == "json" })
        try scratch.write(record.lines.joined() + "\n", to: "records.ndjson")
        try scratch.expect("validate Sources/AppLogs records.ndjson")
    }

    @Test("The fragments in the first table of README.md and in the article Outputs are in the outputs of the document")
    func theFirstTableIsOfOutputs() throws {
        let scratch = try Self.feed()
        #expect(
            try scratch.loggen("Sources/AppLogs --only json-schema,catalogue").code == 0)
        let file = try scratch.read("Generated/JSONSchema/feed.schema.json")
        let shown = try #require(try Self.blocks(of: Self.article("Outputs")).first { $0.language == "json" })
        #expect(
            shown.path == "Generated/JSONSchema/feed.schema.json" && Self.firstLine(of: shown, missingIn: file) == nil)
        let schema = file.split(whereSeparator: \.isWhitespace)
        let tables = try scratch.loggen("sql Sources/AppLogs --dialect duckdb").out
        let outputs = try [
            "engineers": scratch.read("Generated/Catalogue/index.html"),
            "data": schema.joined(separator: " ").replacingOccurrences(of: "{ ", with: "{") + tables,
        ]
        let readme = try Tool.text(of: "README.md")
        var count = 0
        for (reader, output) in outputs {
            let row = try #require(
                readme.split(separator: "\n").first { $0.hasPrefix("| ") && $0.contains(" \(reader)") })
            for match in row.matches(of: /`([^`]*[ (][^`]*)`/) where !match.1.hasPrefix("loggen ") {
                count += 1
                #expect(output.contains(match.1), "\(match.1)")
            }
        }
        #expect(count == 3)
    }

    @Test("The breaking change of README.md is refused with its message") func theBreakingChangeIsRefused() throws {
        let shown = try #require(try Self.blocks().first { $0.language == "text" }).lines.joined(separator: "\n") + "\n"
        let scratch = try Self.feed()
        try scratch.expect("lock Sources/AppLogs")
        let document = try scratch.read("Sources/AppLogs/feed.md")
        try scratch.write(
            document.replacingOccurrences(of: "int64 ", with: "string"), to: "Sources/AppLogs/feed.md")
        let result = try scratch.loggen("check Sources/AppLogs --only swift")
        #expect(result.code == 1 && result.error.hasPrefix(shown), "\(result.error)")
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
            try Tool.text(of: $0)
        }
        var count = 0
        for file in try files(under: "Sources", ".md") {
            // `OtherProjectsTests` compiles the manifests of Tuist.
            for block in try Self.blocks(of: file) where block.language == "swift" && block.path != "Project.swift" {
                count += 1
                #expect(
                    examples.contains { Self.firstLine(of: block, missingIn: $0) == nil },
                    "\(file): \(block.lines.first ?? "")")
            }
        }
        #expect(count >= 3)
    }

    @Test("The message in the article Diagnostics is current") func messageInTheArticleIsCurrent() throws {
        let article = try Self.blocks(of: Self.article("Diagnostics"))
        let shown = try #require(article.first { $0.language == "text" }).lines.joined(separator: "\n") + "\n"
        let scratch = try Self.feed()
        let document = try scratch.read("Sources/AppLogs/feed.md")
        try scratch.write(
            document.replacingOccurrences(of: "int64 ", with: "itn64 "), to: "Sources/AppLogs/feed.md")
        let result = try scratch.loggen("lint Sources/AppLogs --quiet")
        #expect(result.error == shown)
    }
}
