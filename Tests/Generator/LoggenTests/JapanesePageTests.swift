import Foundation
import Testing
import TestSupport

/// Compares each Japanese page with the English page that its last line records.
///
/// The line contains a git blob, so `git diff BLOB HEAD:PAGE` shows the changes since the Japanese page was written.
struct JapanesePageTests {
    /// The last line of a Japanese page: `<!-- English: README.md blob 4af2… -->`.
    private struct Source {
        var path: String
        var blob: String

        init?(lastLineOf text: String) {
            let words = text.split(separator: "\n").last?.split(separator: " ").map(String.init) ?? []
            guard text.hasSuffix("\n"), words.count == 6, words[2].hasSuffix(".md"), words[4].count == 40,
                words[0...1] == ["<!--", "English:"], words[3] == "blob", words[5] == "-->"
            else { return nil }
            (path, blob) = (words[2], words[4])
        }
    }

    /// Relative to the repository's root. Hidden folders, such as `.build`, are skipped.
    private static func pages() throws -> [String] {
        let root = Tool.repository.resolvingSymlinksInPath()
        let files = try #require(
            FileManager.default.enumerator(
                at: root, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles]))
        var pages: [String] = []
        for case let url as URL in files where url.lastPathComponent.hasSuffix(".ja.md") {
            pages.append(String(url.resolvingSymlinksInPath().path.dropFirst(root.path.count + 1)))
        }
        return pages.sorted()
    }

    private static func blob(of path: String) throws -> String {
        let result = try Tool.command(["git", "hash-object", "--no-filters", path], in: Tool.repository)
        try #require(result.code == 0, "\(result.error)")
        return result.out.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("The Japanese sample is written in Japanese, and has the records of the English one")
    func sample() throws {
        func document(_ page: String) throws -> String {
            let blocks = try ReadmeTests.blocks(of: page)
            return try #require(blocks.first { $0.path == "Sources/AppLogs/feed.md" }).lines.joined(separator: "\n")
                + "\n"
        }
        let (english, japanese) = (try document("README.md"), try document("README.ja.md"))
        #expect(japanese.contains("# フィード `feed`"))
        let scratch = try Scratch(["en/feed.md": english, "ja/feed.md": japanese])
        for folder in ["en", "ja"] {
            #expect(try Tool.run("lock", folder, in: scratch.url).code == 0)
            #expect(try Tool.run("format", folder, "--check", in: scratch.url).code == 0)
        }
        #expect(try scratch.read("en/loggen.lock") == scratch.read("ja/loggen.lock"))
        let article = try Tool.text(of: ReadmeTests.article("GettingStarted.ja"))
        #expect(article.contains("\n" + japanese))
    }

    @Test("Japanese pages are up to date with their English pages") func pagesAreUpToDate() throws {
        let pages = try Self.pages()
        #expect(pages.count >= 6, "\(pages)")
        for page in pages {
            let text = try Tool.text(of: page)
            guard let source = Source(lastLineOf: text) else {
                Issue.record("\(page): the last line is not `<!-- English: PAGE.md blob HEX -->`")
                continue
            }
            guard FileManager.default.fileExists(atPath: Tool.repository.appendingPathComponent(source.path).path)
            else {
                Issue.record("\(page): the English page \(source.path) does not exist")
                continue
            }
            let current = try Self.blob(of: source.path)
            if source.blob != current {
                Issue.record(
                    """
                    \(page) is stale: update \(page) to \(source.path) (`git diff \(source.blob) HEAD:\(source.path)` \
                    shows the changes), then record \(current) in its last line
                    """)
            }
        }
    }
}
