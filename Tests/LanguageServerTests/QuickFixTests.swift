import Foundation
import TestSupport
import Testing

/// What an editor offers beside a problem.
struct QuickFixTests {
    /// Of a client that creates and renames files.
    private static var files: [String: Any] {
        ["workspace": ["workspaceEdit": ["documentChanges": true, "resourceOperations": ["create", "rename"]]]]
    }

    private struct Action {
        var title: String
        /// Kinds of changes of files, and new texts.
        var changes: [String]
        var edits: [(range: [String: [String: Int]], text: String)]
    }

    private func actions(_ client: inout EditorClient, _ uri: String, line: Int) async throws -> [Action] {
        let place = ["line": line, "character": 2]
        let answer = try await client.ask(
            "textDocument/codeAction",
            ["textDocument": ["uri": uri], "range": ["start": place, "end": place], "context": ["diagnostics": [Any]()]])
        return try #require(answer["result"] as? [[String: Any]]).map { action in
            let edit = action["edit"] as? [String: Any] ?? [:]
            var changes = edit["documentChanges"] as? [[String: Any]] ?? []
            for (uri, edits) in edit["changes"] as? [String: Any] ?? [:] { changes.append(["textDocument": ["uri": uri], "edits": edits]) }
            let edits = changes.flatMap { $0["edits"] as? [[String: Any]] ?? [] }
            return Action(
                title: action["title"] as? String ?? "", changes: changes.map { $0["kind"] as? String ?? "edit" },
                edits: edits.map { ($0["range"] as? [String: [String: Int]] ?? [:], $0["newText"] as? String ?? "") })
        }
    }

    @Test func aTitleSaysWhatIsDone() async throws {
        let scratch = try Scratch([
            "s.md": "# ss\n\n## a\n\n| column | type | required |\n| --- | --- | --- |\n| n | int? | yes |\n", "loggen.yml": "",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        for (capabilities, hasRename) in [([:], false), (Self.files, true)] as [([String: Any], Bool)] {
            var client = try await EditorClient(at: scratch.url, capabilities: capabilities)
            try await client.open(url)
            let ways = try await actions(&client, url.absoluteString, line: 0)
            #expect(ways.map(\.title) == ["Change the heading to `s`"] + (hasRename ? ["Rename the file to `ss.md`"] : []))
            #expect(ways.map(\.changes) == [["edit"]] + (hasRename ? [["rename"]] : []))
            #expect(ways.first?.edits.map(\.text) == ["s"])
        }
    }

    @Test func aTypeThatContradictsItsRowIsWritten() async throws {
        let scratch = try Scratch([
            "s.md": "# s\n\n## a\n\n| required | column | type |\n| --- | --- | --- |\n| yes | n | int? |\n", "loggen.yml": "",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        #expect(try await actions(&client, url.absoluteString, line: 6).map(\.title) == ["Change the type to `int`"])
    }

    /// What was written behind a misspelling stays.
    @Test func aMisspeltTriggerKeepsWhatItIsGiven() async throws {
        let scratch = try Scratch([
            "s.md": "# s\n\n## a\n\n| key | value |\n| --- | --- |\n| trigger | impresion(80%) |\n", "loggen.yml": "",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        let text = client.texts[url.absoluteString, default: ""] as NSString
        let place = client.span(text.range(of: "impresion"), in: text)["start"] as? [String: Int] ?? [:]
        let answer = try await client.ask(
            "textDocument/codeAction",
            ["textDocument": ["uri": url.absoluteString], "range": ["start": place, "end": place], "context": ["diagnostics": [Any]()]])
        let action = try #require((answer["result"] as? [[String: Any]])?.first)
        let changes = (action["edit"] as? [String: Any])?["changes"] as? [String: [[String: Any]]]
        let edit = try #require(changes?[url.absoluteString]?.first)
        #expect(edit["newText"] as? String == "impression")
        let end = (edit["range"] as? [String: [String: Int]])?["end"]
        #expect(end?["character"] == place["character"].map { $0 + "impresion".utf8.count })
    }

    /// A document that was deleted comes back with its events retired, and the lock file has no more to say.
    @Test func aDeletedDocumentComesBackRetired() async throws {
        let lock = "loggen.lock 1\ns.a 1-0-0 active n:int\nt.b 1-0-0 active n:int\nt.c 1-0-0 active n:int\n"
        let scratch = try Scratch([
            "s.md": "# s\n\n## a\n\n| column | type |\n| --- | --- |\n| n | int |\n", "loggen.yml": "", "loggen.lock": lock,
        ])
        let url = scratch.url.appendingPathComponent("loggen.lock")
        var client = try await EditorClient(at: scratch.url)
        #expect(client.diagnostics[url.absoluteString]?.map(\.code) == ["deleted-event", "deleted-event"])
        // A client that creates no files has no use for it.
        #expect(try await actions(&client, url.absoluteString, line: 2).isEmpty)

        client = try await EditorClient(at: scratch.url, capabilities: Self.files)
        let way = try #require(try await actions(&client, url.absoluteString, line: 2).first)
        #expect(way.title == "Create `t.md` with its 2 events as retired")
        #expect(way.changes == ["create", "edit"])
        let text = try #require(way.edits.first?.text)
        #expect(text == "# t\n\n## ~~b~~\n\n## ~~c~~\n")
        try scratch.write(text, to: "t.md")
        try await client.tell("workspace/didChangeWatchedFiles", ["changes": [Any]()])
        #expect(client.diagnostics[url.absoluteString] == [])
        #expect(client.diagnostics.values.allSatisfy { $0.isEmpty })
        // Where the document is, nothing is created over it.
        #expect(try await actions(&client, url.absoluteString, line: 2).isEmpty)
    }
}
