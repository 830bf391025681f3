@testable import loggen
import CommandOptions
import Foundation
import LanguageServer
import LogDefinitions
import LogProject
import MarkdownSyntax
import Testing
import TestSupport

/// Compares an editor's diagnostics after random edits with those of `loggen lint`, and for the lock file with those of
/// `loggen check`.
struct RandomEditTests {
    private static let pieces = [
        "a", "|", " | ", "\n", "\r\n", "\r", "#", "## ", "`", "😀", "検索", "e\u{301}", "\u{FEFF}", "~~", "int64",
        "ListOrder", "RecipeID", "(0...)",
        "?",
        "[", "]", "| key | value |\n| --- | --- |\n", "| 項目 | 型 |\n|---|---|\n| id | int |\n", "trigger", "tap(A.b)",
        "\t", "- a: !integer\n",
        "```\n",
        "<!--", "sampling", "personal", "\\|", ":", "｜", "",
    ]

    @Test("Diagnostics after random edits match those of `loggen lint`", arguments: 1...Depth.cases(1, deep: 3))
    func editsAreJudgedAsLintJudgesThem(seed: Int) async throws {
        var dice = SeededGenerator(seed: UInt64(seed))
        let definitions = Tool.repository.appendingPathComponent("Definitions")
        let scratch = try Scratch()
        let names = ["common.md", "types.md", "home.md", "kitchen.md", "recipe_search.md", "loggen.yml", "loggen.lock"]
        for name in names {
            try scratch.write(Data(contentsOf: definitions.appendingPathComponent(name)), to: name)
        }
        let documents = names.filter { $0.hasSuffix(".md") }.map { scratch.url.appendingPathComponent($0) }
        var client = try await EditorClient(at: scratch.url)
        for document in documents { try await client.open(document) }
        for _ in 0..<Depth.cases(5, deep: 30) {
            let document = try #require(documents.randomElement(using: &dice))
            let text = client.texts[document.absoluteString, default: ""] as NSString
            var start = Int.random(in: 0...text.length, using: &dice)
            var length = min(
                text.length - start,
                Int.random(in: 0...4, using: &dice) == 0
                    ? Int.random(in: 0...60, using: &dice) : Int.random(in: 0...2, using: &dice))
            // Editors do not split surrogate pairs.
            if start > 0, start < text.length, UTF16.isTrailSurrogate(text.character(at: start)) { start -= 1 }
            if start + length < text.length, UTF16.isTrailSurrogate(text.character(at: start + length)) { length += 1 }
            length = min(length, text.length - start)
            let piece = try #require(Self.pieces.randomElement(using: &dice))
            try await client.edit(document, NSRange(location: start, length: length), piece)
            try await compare(client, names.filter { $0.hasSuffix(".md") }, scratch.url, seed)
        }
    }

    private func compare(_ client: EditorClient, _ names: [String], _ root: URL, _ seed: Int) async throws {
        let other = try Scratch()
        for name in ["loggen.yml", "loggen.lock"] {
            try other.write(Data(contentsOf: root.appendingPathComponent(name)), to: name)
        }
        for name in names {
            try other.write(client.texts[root.appendingPathComponent(name).absoluteString, default: ""], to: name)
        }
        let sessions = try await Session.start(
            [other.url.path], options: ProjectOptions(registry: .all), today: currentDay(),
            terminal: Terminal(color: .never, isQuiet: true))
        let report = sessions.report
        let locked = try await Session.start(
            [other.url.path], options: ProjectOptions(registry: .all), today: currentDay(), readsLock: true,
            terminal: Terminal(color: .never, isQuiet: true))
        let session = try #require(locked.first)
        let lock = try #require(session.lock)
        let drift = DriftReport(definitions: session.analysis.definitions, baseline: lock.latest, hasVersions: true)
        let drifted = session.drift.map { drift.diagnostics(of: $0) } ?? []
        var expected: [String: [EditorClient.Diagnostic]] = [:]
        for (diagnostic, file, source) in report.diagnostics.map({ ($0, report.files[$0.place.file], "loggen") })
            + drifted.map({ ($0, drift.files[$0.place.file], "loggen check") })
        {
            let name = URL(fileURLWithPath: file.path).lastPathComponent
            let line = file.source.lineIndex(at: diagnostic.place.range.lowerBound)
            // Foundation counts the UTF-16 units.
            let before = String(
                decoding: file.source.bytes[file.source.lineStarts[line]..<diagnostic.place.range.lowerBound],
                as: UTF8.self)
            let mark = line == 0 && file.source.byteOrderMarkLength > 0 ? 1 : 0
            expected[root.appendingPathComponent(name).absoluteString, default: []].append(
                .init(
                    line: line, character: (before as NSString).length + mark, code: diagnostic.rule.name,
                    source: source,
                    message: diagnostic.message))
        }
        for name in names + ["loggen.lock"] {
            let uri = root.appendingPathComponent(name).absoluteString
            let shown = client.diagnostics[uri, default: []].map { diagnostic in
                var first = diagnostic
                first.message =
                    diagnostic.message.components(separatedBy: "\nhelp: ")[0].components(separatedBy: "\nnote: ")[0]
                return first
            }
            #expect(shown.sorted() == expected[uri, default: []].sorted(), "seed \(seed), \(name)")
        }
    }
}
