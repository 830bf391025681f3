import Foundation
import Testing
import TestSupport

/// Tests that Markdown files without definitions get no diagnostics.
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

    @Test("A title equal to the file name does not make a document a definition")
    func aTitleThatNamesItsFileAloneMakesNoDefinition() async throws {
        #expect(
            try await problems(of: "docs/setup.md", Self.others.merging(["docs/setup.md": Self.setup]) { $1 }) == [])
    }

    @Test("A folder contains definitions if most of its documents look like definitions")
    func aFolderIsJudgedByMostOfItsDocuments() async throws {
        let files = [
            "docs/setup.md": Self.setup, "docs/api.md": "# api\n", "docs/faq.md": "# Frequently asked questions\n",
        ]
        #expect(try await problems(of: "docs/setup.md", files)?.isEmpty == false)
    }

    /// Documents in subfolders count, too, because they belong to the definition folder.
    @Test("One document in the parent folder does not make definitions of all documents below")
    func oneDocumentAboveDoesNotMakeDefinitionsOfAllBelow() async throws {
        let files = Self.others.merging(["setup.md": Self.setup]) { $1 }
        #expect(try await problems(of: "setup.md", files) == [])
        #expect(try await problems(of: "docs/api.md", files) == [])
    }

    @Test("A folder with `loggen.yml` or `loggen.lock` contains definitions", arguments: ["loggen.yml", "loggen.lock"])
    func folderWithConfigurationContainsDefinitions(_ marker: String) async throws {
        let text = marker == "loggen.yml" ? "" : "loggen.lock 1\n"
        let files = Self.others.merging(["docs/setup.md": Self.setup, "docs/" + marker: text]) { $1 }
        #expect(try await problems(of: "docs/setup.md", files)?.isEmpty == false)
    }

    @Test("A marker file that is added later takes effect at the next save") func aMarkerMayComeLater() async throws {
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
