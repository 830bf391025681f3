import Foundation
import Testing
import TestSupport

/// Any project has Markdown: what is no definition is left alone.
struct OrdinaryMarkdownTests {
    private static let setup = "# setup\n\n## Install\n\n| key | value |\n| --- | --- |\n| PORT | 80 |\n"
    private static let others = [
        "docs/api.md": "# API reference\n\n## Get\n", "docs/faq.md": "# Frequently asked questions\n",
        "docs/intro.md": "# Introduction\n",
    ]

    private func problems(of name: String, _ files: [String: String]) async throws -> [EditorClient.Diagnostic]? {
        let scratch = try Scratch(files)
        var client = try await EditorClient(at: scratch.url)
        let url = scratch.url.appendingPathComponent(name)
        try await client.open(url)
        try await client.edit(url, NSRange(location: 0, length: 0), "\n")
        return client.diagnostics[url.absoluteString]
    }

    @Test func aTitleThatNamesItsFileAloneMakesNoDefinition() async throws {
        #expect(
            try await problems(of: "docs/setup.md", Self.others.merging(["docs/setup.md": Self.setup]) { $1 }) == [])
    }

    @Test func aFolderIsJudgedByMostOfItsDocuments() async throws {
        let files = [
            "docs/setup.md": Self.setup, "docs/api.md": "# api\n", "docs/faq.md": "# Frequently asked questions\n",
        ]
        #expect(try await problems(of: "docs/setup.md", files)?.isEmpty == false)
    }

    /// Folders below a definition folder belong to it: what is there counts, too.
    @Test func oneDocumentAboveDoesNotMakeDefinitionsOfAllBelow() async throws {
        let files = Self.others.merging(["setup.md": Self.setup]) { $1 }
        #expect(try await problems(of: "setup.md", files) == [])
        #expect(try await problems(of: "docs/api.md", files) == [])
    }

    @Test(arguments: ["loggen.yml", "loggen.lock"]) func aMarkedFolderCountsAlways(_ marker: String) async throws {
        let text = marker == "loggen.yml" ? "" : "loggen.lock 1\n"
        let files = Self.others.merging(["docs/setup.md": Self.setup, "docs/" + marker: text]) { $1 }
        #expect(try await problems(of: "docs/setup.md", files)?.isEmpty == false)
    }

    /// Who opens a document first, and then says what its folder is, sees problems with the next save.
    @Test func aMarkerMayComeLater() async throws {
        let scratch = try Scratch(Self.others.merging(["docs/setup.md": Self.setup]) { $1 })
        var client = try await EditorClient(at: scratch.url)
        let url = scratch.url.appendingPathComponent("docs/setup.md")
        try await client.open(url)
        #expect(client.diagnostics[url.absoluteString] == [])
        try scratch.write("", to: "docs/loggen.yml")
        try await client.tell("textDocument/didSave", ["textDocument": ["uri": url.absoluteString]])
        #expect(client.diagnostics[url.absoluteString]?.isEmpty == false)
    }
}
