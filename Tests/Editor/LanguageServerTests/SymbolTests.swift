import Foundation
import Testing
import TestSupport

@testable import LanguageServer

/// Tests of the outline that an editor shows for a document.
struct SymbolTests {
    private static func category(_ events: Int) -> String {
        "# big\n" + (0..<events).map { "\n## e\($0)\n\n| column | type |\n| --- | --- |\n| n | int |\n" }.joined()
    }

    private static func types(_ types: Int) -> String {
        "# types\n" + (0..<types).map { "\n## T\($0)\n\n| value |\n| --- |\n| newest |\n" }.joined()
    }

    /// Editors request symbols after every change. Four times as many sections may cost four times as much, not sixteen
    /// times.
    @Test("The cost of symbols grows linearly", arguments: [("big.md", category), ("types.md", types)])
    func costOfSymbolsGrowsLinearly(
        _ name: String, _ text: @Sendable (Int) -> String
    )
        async throws
    {
        var clients: [Int: (server: LanguageServer, file: OpenFile)] = [:]
        for size in [50, 200] {
            let scratch = try Scratch([name: text(size), "loggen.yml": ""])
            let url = scratch.url.appendingPathComponent(name)
            var client = try await EditorClient(at: scratch.url)
            try await client.open(url)
            clients[size] = (client.server, try #require(client.server.file(url.absoluteString)))
        }
        let (small, large) = (try #require(clients[50]), try #require(clients[200]))
        #expect(large.server.flatSymbols(large.file).count >= 400)
        for form in ["as a tree", "flat"] {
            let growth = Growth.ofFourTimes(50, rounds: 5) { size in
                let client = size == 50 ? small : large
                if form == "flat" {
                    _ = client.server.flatSymbols(client.file)
                } else {
                    _ = client.server.symbols(client.file)
                }
            }
            #expect(growth < 8, "\(name), \(form)")
        }
    }

    /// A section ends with the next heading of level 1 or 2, with the document, or with its line in a table of events.
    @Test("A symbol's range is its section") func aSymbolIsItsSection() async throws {
        let scratch = try Scratch([
            "s.md": "# s\n\n## a\n\n### Notes\n\ntext\n\nb\n-\n\n| column | type |\n| --- | --- |\n| n | int |\n",
            "loggen.yml": "",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        let file = try #require(client.server.file(url.absoluteString))
        let category = try #require(client.server.symbols(file).first)
        #expect(category.children.map(\.name) == ["a", "b"])
        #expect(category.children.map(\.range.start.line) == [2, 8])
        #expect(category.children.map(\.range.end.line) == [8, 14])
        #expect(category.children.last?.children.map(\.range.end.line) == [13])
    }
}
