import Foundation
import Testing
import TestSupport

/// The documents of several modules in one editor: `definitions` in `loggen.yml` names the modules.
struct SharedVocabularyTests {
    private static let files = [
        "loggen.yml": "definitions: [AppLogs, Search, Cart]\n",
        "Sources/AppLogs/common.md": "# common\n\n| column | type |\n| --- | --- |\n| user_id | int64 |\n",
        "Sources/AppLogs/types.md": "# types\n\n## SortOrder\n\n| value |\n| --- |\n| newest |\n",
        "Sources/Search/search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| order | SortOrder |\n",
        "Sources/Cart/cart.md": "# cart\n\n## add\n\n| column | type |\n| --- | --- |\n| from | SortOrder? |\n",
        "Docs/search.md": "# Searching\n\n## Tips\n",
    ]

    @Test func modulesAreOneVocabularyInAnEditor() async throws {
        let scratch = try Scratch(Self.files)
        func url(_ path: String) -> URL { scratch.url.appendingPathComponent(path) }
        var client = try await EditorClient(
            at: scratch.url,
            capabilities: [
                "workspace": ["workspaceEdit": ["documentChanges": true, "resourceOperations": ["create", "rename"]]]
            ])
        let cart = url("Sources/Cart/cart.md")
        try await client.open(cart)
        #expect(client.diagnostics[cart.absoluteString] == [])

        // A type of another module has its definition there, and a new name everywhere.
        let definition = try await client.ask("textDocument/definition", client.place(cart, behind: "| from | SortOr"))
        #expect("\(definition)".contains("Sources/AppLogs/types.md"), "\(definition)")
        let renamed = try await client.ask(
            "textDocument/rename", client.place(cart, behind: "| from | SortOr").merging(["newName": "Order"]) { $1 })
        for path in ["AppLogs/types.md", "Search/search.md", "Cart/cart.md"] {
            #expect("\(renamed)".contains("Sources/\(path)"), "\(renamed)")
        }

        // A document that is not saved yet belongs to its module; rules hold between them.
        let new = url("Sources/Search/home.md")
        try await client.open(new, "# home\n\n## open\n\n| column | type |\n| --- | --- |\n| from | int |\n")
        #expect(
            client.diagnostics[new.absoluteString]?.map(\.code) == ["column-type"]
                || client.diagnostics[cart.absoluteString]?.map(\.code) == ["column-type"])
        // What is in no module is no definition.
        let other = url("Docs/search.md")
        try await client.open(other)
        #expect(client.diagnostics[other.absoluteString] ?? [] == [])

        // An edit of the types is seen in all modules.
        let types = url("Sources/AppLogs/types.md")
        try await client.open(types)
        let text = try scratch.read("Sources/AppLogs/types.md") as NSString
        try await client.edit(types, text.range(of: "SortOrder"), "Sorting")
        #expect(client.diagnostics[cart.absoluteString]?.contains { $0.code == "unknown-type" } == true)
        #expect(
            client.diagnostics[url("Sources/Search/search.md").absoluteString]?.contains { $0.code == "unknown-type" }
                == true)
    }

    /// The declaration that a quick fix writes stands where it is read.
    @Test func aNewTypesFileStandsInAModule() async throws {
        let scratch = try Scratch(Self.files)
        try FileManager.default.removeItem(at: scratch.url.appendingPathComponent("Sources/AppLogs/types.md"))
        let cart = scratch.url.appendingPathComponent("Sources/Cart/cart.md")
        var client = try await EditorClient(
            at: scratch.url,
            capabilities: [
                "workspace": ["workspaceEdit": ["documentChanges": true, "resourceOperations": ["create", "rename"]]]
            ])
        try await client.open(cart)
        let place = client.place(cart, behind: "| from | SortOr")["position"] as? [String: Int] ?? [:]
        let actions = try await client.ask(
            "textDocument/codeAction",
            [
                "textDocument": ["uri": cart.absoluteString], "range": ["start": place, "end": place],
                "context": ["diagnostics": [Any]()],
            ])
        #expect("\(actions)".contains("Sources/AppLogs/types.md"), "\(actions)")
    }
}
