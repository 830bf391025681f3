import Foundation
import Testing
import TestSupport

/// Tests of documents of several modules in one editor. `definitions` in `loggen.yml` lists the modules.
struct SharedVocabularyTests {
    private static let files = [
        "loggen.yml": "definitions: [AppLogs, Search, Cart]\n",
        "Sources/AppLogs/common.md": "# common\n\n| column | type |\n| --- | --- |\n| user_id | int64 |\n",
        "Sources/AppLogs/types.md": "# types\n\n## ListOrder\n\n| value |\n| --- |\n| newest |\n",
        "Sources/Search/search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| order | ListOrder |\n",
        "Sources/Cart/cart.md": "# cart\n\n## add\n\n| column | type |\n| --- | --- |\n| from | ListOrder? |\n",
        "Docs/search.md": "# Searching\n\n## Tips\n",
    ]

    @Test("Modules share one vocabulary in an editor") func modulesAreOneVocabularyInAnEditor() async throws {
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

        // Go to Definition and Rename work across modules.
        let definition = try await client.ask("textDocument/definition", client.place(cart, behind: "| from | ListOr"))
        #expect("\(definition)".contains("Sources/AppLogs/types.md"), "\(definition)")
        let renamed = try await client.ask(
            "textDocument/rename", client.place(cart, behind: "| from | ListOr").merging(["newName": "Order"]) { $1 })
        for path in ["AppLogs/types.md", "Search/search.md", "Cart/cart.md"] {
            #expect("\(renamed)".contains("Sources/\(path)"), "\(renamed)")
        }

        // An unsaved document belongs to its module, and rules apply across modules.
        let new = url("Sources/Search/home.md")
        try await client.open(new, "# home\n\n## open\n\n| column | type |\n| --- | --- |\n| from | int |\n")
        #expect(
            client.diagnostics[new.absoluteString]?.map(\.code) == ["column-type"]
                || client.diagnostics[cart.absoluteString]?.map(\.code) == ["column-type"])
        // A document outside all modules is not a definition.
        let other = url("Docs/search.md")
        try await client.open(other)
        #expect(client.diagnostics[other.absoluteString] ?? [] == [])

        // An edit of the types affects all modules.
        let types = url("Sources/AppLogs/types.md")
        try await client.open(types)
        let text = try scratch.read("Sources/AppLogs/types.md") as NSString
        try await client.edit(types, text.range(of: "ListOrder"), "Sorting")
        #expect(client.diagnostics[cart.absoluteString]?.contains { $0.code == "unknown-type" } == true)
        #expect(
            client.diagnostics[url("Sources/Search/search.md").absoluteString]?.contains { $0.code == "unknown-type" }
                == true)
    }

    @Test("A quick fix creates `types.md` in the module with the shared types")
    func newTypesFileIsCreatedInTheModule() async throws {
        let scratch = try Scratch(Self.files)
        try scratch.remove("Sources/AppLogs/types.md")
        let cart = scratch.url.appendingPathComponent("Sources/Cart/cart.md")
        var client = try await EditorClient(
            at: scratch.url,
            capabilities: [
                "workspace": ["workspaceEdit": ["documentChanges": true, "resourceOperations": ["create", "rename"]]]
            ])
        try await client.open(cart)
        let place = client.place(cart, behind: "| from | ListOr")["position"] as? [String: Int] ?? [:]
        let actions = try await client.ask(
            "textDocument/codeAction",
            [
                "textDocument": ["uri": cart.absoluteString], "range": ["start": place, "end": place],
                "context": ["diagnostics": [Any]()],
            ])
        #expect("\(actions)".contains("Sources/AppLogs/types.md"), "\(actions)")
    }
}
