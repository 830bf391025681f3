import Foundation
import Testing
import TestSupport

@testable import LanguageServer

/// Tests of the quick fixes that an editor offers for a diagnostic.
struct QuickFixTests {
    /// The capabilities of a client that creates and renames files.
    private static var files: [String: Any] {
        ["workspace": ["workspaceEdit": ["documentChanges": true, "resourceOperations": ["create", "rename"]]]]
    }

    private struct Action {
        var title: String
        var changes: [String]
        var edits: [(range: [String: [String: Int]], text: String)]
    }

    private func actions(_ client: inout EditorClient, _ uri: String, line: Int, character: Int = 2) async throws
        -> [Action]
    {
        let place = ["line": line, "character": character]
        let answer = try await client.ask(
            "textDocument/codeAction",
            [
                "textDocument": ["uri": uri], "range": ["start": place, "end": place],
                "context": ["diagnostics": [Any]()],
            ])
        return try #require(answer["result"] as? [[String: Any]]).map { action in
            let edit = action["edit"] as? [String: Any] ?? [:]
            var changes = edit["documentChanges"] as? [[String: Any]] ?? []
            for (uri, edits) in edit["changes"] as? [String: Any] ?? [:] {
                changes.append(["textDocument": ["uri": uri], "edits": edits])
            }
            let edits = changes.flatMap { $0["edits"] as? [[String: Any]] ?? [] }
            return Action(
                title: action["title"] as? String ?? "", changes: changes.map { $0["kind"] as? String ?? "edit" },
                edits: edits.map { ($0["range"] as? [String: [String: Int]] ?? [:], $0["newText"] as? String ?? "") })
        }
    }

    /// Returns the texts of the edits that rename what is at a place; nil if the server refuses.
    private func rename(
        _ client: inout EditorClient, _ url: URL, line: Int, character: Int, to name: String
    ) async throws -> [String]? {
        let answer = try await client.ask(
            "textDocument/rename",
            [
                "textDocument": ["uri": url.absoluteString], "position": ["line": line, "character": character],
                "newName": name,
            ])
        if answer["error"] != nil { return nil }
        let result = try #require(answer["result"] as? [String: Any], "\(answer)")
        let changes = try #require(result["changes"] as? [String: [[String: Any]]])
        return changes.values.joined().compactMap { $0["newText"] as? String }.sorted()
    }

    @Test("The title of a quick fix describes its change") func titleDescribesTheChange() async throws {
        let scratch = try Scratch([
            "s.md": "# ss\n\n## a\n\n| column | type | required |\n| --- | --- | --- |\n| n | int? | yes |\n",
            "loggen.yml": "",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        for (capabilities, hasRename) in [([:], false), (Self.files, true)] as [([String: Any], Bool)] {
            var client = try await EditorClient(at: scratch.url, capabilities: capabilities)
            try await client.open(url)
            let ways = try await actions(&client, url.absoluteString, line: 0)
            #expect(
                ways.map(\.title) == ["Change the heading to `s`"] + (hasRename ? ["Rename the file to `ss.md`"] : []))
            #expect(ways.map(\.changes) == [["edit"]] + (hasRename ? [["rename"]] : []))
            #expect(ways.first?.edits.map(\.text) == ["s"])
        }
    }

    /// A misspelled built-in type is not declared, and a type whose declaration has an error is not declared again.
    @Test(
        "Quick fixes of a type fit its row and its declaration",
        arguments: [
            (
                "| required | column | type |\n| --- | --- | --- |\n| yes | n | int? |", nil, 2,
                ["Change the type to `int`"]
            ),
            ("| column | type |\n| --- | --- |\n| n | INT64 |", nil, 6, ["Did you mean `int64`?"]),
            ("| column | type |\n| --- | --- |\n| n | String |", nil, 6, ["Did you mean `string`?"]),
            ("| column | type |\n| --- | --- |\n| n | ListOrder |", "## Kind: int64\n\n##ListOrder", 6, []),
        ] as [(String, String?, Int, [String])])
    func typesInTables(_ table: String, _ types: String?, _ character: Int, _ titles: [String]) async throws {
        let scratch = try Scratch(["s.md": "# s\n\n## a\n\n\(table)\n", "loggen.yml": ""])
        if let types { try scratch.write("# types\n\n\(types)\n", to: "types.md") }
        let url = scratch.url.appendingPathComponent("s.md")
        var client = try await EditorClient(at: scratch.url, capabilities: Self.files)
        try await client.open(url)
        let ways = try await actions(&client, url.absoluteString, line: 6, character: character)
        #expect(ways.map(\.title) == titles)
    }

    @Test("A quick fix replaces a misspelled value in an example") func misspelledExample() async throws {
        let scratch = try Scratch([
            "s.md":
                "# s\n\n## a\n\n| column | type | example |\n| --- | --- | --- |\n| k | enum(taxi, bus) | `taxy` |\n",
            "loggen.yml": "",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        let way = try #require(try await actions(&client, url.absoluteString, line: 6, character: 26).first)
        #expect(way.title == "Did you mean `taxi`?" && way.edits.first?.text == "taxi")
    }

    @Test("A quick fix for a misspelled trigger keeps its arguments")
    func aMisspeltTriggerKeepsWhatItIsGiven() async throws {
        let scratch = try Scratch([
            "s.md": "# s\n\n## a\n\n| key | value |\n| --- | --- |\n| trigger | impresion(80%) |\n", "loggen.yml": "",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        let text = client.texts[url.absoluteString, default: ""] as NSString
        let place = client.span(text.range(of: "impresion"), in: text)["start"] as? [String: Int] ?? [:]
        let ways = try await actions(
            &client, url.absoluteString, line: place["line"] ?? -1, character: place["character"] ?? -1)
        let edit = try #require(ways.first?.edits.first)
        #expect(edit.text == "impression(80%)")
        let end = edit.range["end"]
        #expect(end?["character"] == place["character"].map { $0 + "impresion(80%)".utf8.count })
    }

    /// After the fix, the lock file has no diagnostics.
    @Test("A quick fix creates a deleted document again, with its events retired")
    func aDeletedDocumentComesBackRetired() async throws {
        let lock = "loggen.lock 1\ns.a 1-0-0 active n:int\nt.b 1-0-0 active n:int\nt.c 1-0-0 active n:int\n"
        let scratch = try Scratch([
            "s.md": "# s\n\n## a\n\n| column | type |\n| --- | --- |\n| n | int |\n", "loggen.yml": "",
            "loggen.lock": lock,
        ])
        let url = scratch.url.appendingPathComponent("loggen.lock")
        var client = try await EditorClient(at: scratch.url)
        #expect(client.diagnostics[url.absoluteString]?.map(\.code) == ["deleted-event", "deleted-event"])
        // A client that does not create files gets no such fix.
        #expect(try await actions(&client, url.absoluteString, line: 2).isEmpty)

        client = try await EditorClient(at: scratch.url, capabilities: Self.files)
        let way = try #require(try await actions(&client, url.absoluteString, line: 2).first)
        #expect(way.title == "Create `t.md` with its 2 events as retired")
        #expect(way.changes == ["create", "edit"])
        // An unsaved document has other lines than the file that the diagnostics are about.
        try await client.open(url, "\n" + lock)
        #expect(try await actions(&client, url.absoluteString, line: 2).isEmpty)
        try await client.tell("textDocument/didClose", ["textDocument": ["uri": url.absoluteString]])
        let text = try #require(way.edits.first?.text)
        #expect(text == "# t\n\n## ~~b~~\n\n## ~~c~~\n")
        try scratch.write(text, to: "t.md")
        try await client.tell("workspace/didChangeWatchedFiles", ["changes": [Any]()])
        #expect(client.diagnostics[url.absoluteString] == [])
        // Retiring events is a breaking change to accept, not an error in the document.
        let document = scratch.url.appendingPathComponent("t.md").absoluteString
        #expect(client.diagnostics[document]?.map(\.code) == ["breaking-change", "breaking-change"])
        // The fix does not overwrite an existing document.
        #expect(try await actions(&client, url.absoluteString, line: 2).isEmpty)
    }

    private static func category(_ events: Int, _ type: String) -> String {
        "# big\n" + (0..<events).map { "\n## e\($0)\n\n| column | type |\n| --- | --- |\n| n | \(type) |\n" }.joined()
    }

    /// Editors request quick fixes for a selection, which may be the whole document. Four times as many diagnostics may
    /// cost four times as much.
    @Test("The cost of quick fixes for a selection grows linearly", arguments: ["innt", "string"])
    func costOfQuickFixesGrowsLinearly(_ type: String) async throws {
        func files(_ size: Int) -> [String: String] {
            let lock = "loggen.lock 1\n" + (0..<size).map { "big.e\($0) 1-0-0 active n:int\n" }.sorted().joined()
            return ["big.md": Self.category(size, type), "loggen.yml": "", "loggen.lock": lock]
        }
        func open(_ root: URL, _ size: Int) async throws -> (server: LanguageServer, uri: String) {
            let url = root.appendingPathComponent("big.md")
            var client = try await EditorClient(at: root)
            try await client.open(url)
            #expect(client.diagnostics[url.absoluteString]?.count == size)
            return (client.server, url.absoluteString)
        }
        let few = try Scratch(files(100))
        let many = try Scratch(files(400))
        let (small, large) = (try await open(few.url, 100), try await open(many.url, 400))
        let everything = Span(start: Position(line: 0, character: 0), end: Position(line: 1_000_000, character: 0))
        #expect(large.server.actions(large.uri, everything).count == (type == "innt" ? 100 : 200))
        let growth = Growth.ofFourTimes(100) { size in
            let client = size == 100 ? small : large
            _ = client.server.actions(client.uri, everything)
        }
        #expect(growth < 10, "\(type)")
        // The lock file is read again for each request.
        #expect(try few.read("loggen.lock") != many.read("loggen.lock"))
    }

    @Test("Accepting a change edits only its lines in the lock file")
    func acceptingEditsOnlyItsLines() async throws {
        let lock = "loggen.lock 1\nbig.e0 1-0-0 active n:int\nbig.e1 1-0-0 active n:int\nbig.e2 1-0-0 active n:int\n"
        let scratch = try Scratch(["big.md": Self.category(3, "string"), "loggen.yml": "", "loggen.lock": lock])
        let url = scratch.url.appendingPathComponent("big.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        let ways = try await actions(&client, url.absoluteString, line: 12, character: 7)
        #expect(
            ways.map(\.title) == [
                "Accept the change of `big.e1` in `loggen.lock`", "Accept all changes in `loggen.lock`",
            ])
        let edit = try #require(ways.first?.edits.first)
        #expect(edit.text == "big.e1 2-0-0 active n:string\n")
        #expect(edit.range == ["start": ["line": 3, "character": 0], "end": ["line": 3, "character": 0]])
        let all = try #require(ways.last?.edits.first)
        #expect(
            all.text
                == "big.e0 2-0-0 active n:string\nbig.e1 1-0-0 active n:int\nbig.e1 2-0-0 active n:string\nbig.e2 1-0-0 active n:int\nbig.e2 2-0-0 active n:string\n"
        )
    }

    @Test("The rename of a locked name writes it as a former name, and that of a new name does not")
    func renames() async throws {
        let scratch = try Scratch([
            "s.md":
                "# s\n\n## a\n\nAs `s.a`.\n\n| column | type |\n| --- | --- |\n| n | int |\n| fresh | int |\n",
            "loggen.yml": "outputs: {}\n", "loggen.lock": "loggen.lock 1\ns.a 1-0-0 active n:int\n",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        #expect(
            try await rename(&client, url, line: 8, character: 2, to: "count") == [
                "| column | type | renamed from |\n| --- | --- | --- |\n| count | int | `n` |\n| fresh | int | |"
            ])
        #expect(try await rename(&client, url, line: 9, character: 3, to: "newer") == ["newer"])
        let event = try #require(try await rename(&client, url, line: 2, character: 3, to: "b"))
        #expect(Set(event) == ["b", "s.b", "| key | value |\n| --- | --- |\n| renamed from | `a` |\n\n"])
    }

    @Test("After the rename of an event, its columns are known by its former name, and its former name can return")
    func renamesAfterARename() async throws {
        let scratch = try Scratch([
            "s.md":
                "# s\n\n## 予約した `b`\n\n| key | value |\n| --- | --- |\n| renamed from | `a` |\n\n| column | type | renamed from |\n| --- | --- | --- |\n| n | int | |\n| now | int | m, `old` |\n\n## 見た `c`\n",
            "loggen.yml": "outputs: {}\n",
            "loggen.lock": "loggen.lock 1\ns.a 1-0-0 active n:int m:int\ns.c 1-0-0 active\n",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        let row = try await rename(&client, url, line: 10, character: 2, to: "count")
        #expect(row?.map { $0.split(separator: " ").joined(separator: " ") } == ["| count | int | `n` |"])
        #expect(try await rename(&client, url, line: 11, character: 2, to: "m") == ["| m | int | `old` |"])
        #expect(try await rename(&client, url, line: 11, character: 2, to: "later") == ["later"])
        // The lock file does not have the event's current name.
        #expect(try await rename(&client, url, line: 2, character: 9, to: "a") == ["", "a"])
        #expect(try await rename(&client, url, line: 2, character: 9, to: "d") == ["d"])
        // The document's headers are in English.
        #expect(
            try await rename(&client, url, line: 13, character: 7, to: "d") == [
                "\n| key | value |\n| --- | --- |\n| renamed from | `c` |\n", "d",
            ])
    }

    @Test("After the rename of a category, the rename of its event writes a former name")
    func renameInARenamedCategory() async throws {
        let scratch = try Scratch([
            "t.md": "# t\n\n| key | value |\n| --- | --- |\n| renamed from | s |\n\n## a\n",
            "loggen.yml": "outputs: {}\n", "loggen.lock": "loggen.lock 1\ns.a 1-0-0 active n:int\n",
        ])
        let url = scratch.url.appendingPathComponent("t.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        let edits = try await rename(&client, url, line: 6, character: 3, to: "b")
        #expect(edits == ["\n| key | value |\n| --- | --- |\n| renamed from | `a` |\n", "b"])
    }

    @Test("An open loggen.yml keeps its diagnostics")
    func configurationIsOpened() async throws {
        let scratch = try Scratch(["s.md": "# s\n\n## a\n", "loggen.yml": "outputs:\n  swfit:\n"])
        let url = scratch.url.appendingPathComponent("loggen.yml")
        var client = try await EditorClient(at: scratch.url)
        let before = client.diagnostics[url.absoluteString]
        #expect(before?.isEmpty == false)
        try await client.open(url)
        #expect(client.diagnostics[url.absoluteString] == before)
    }

    @Test("A rename to a name that is taken or reserved is refused", arguments: [(2, "b"), (6, "m"), (6, "event_id")])
    func renameToATakenName(line: Int, name: String) async throws {
        let rows = "| n | int |\n| m | int |\n"
        let scratch = try Scratch([
            "s.md": "# s\n\n## a\n\n| column | type |\n| --- | --- |\n\(rows)\n## b\n", "loggen.yml": "outputs: {}\n",
        ])
        let url = scratch.url.appendingPathComponent("s.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        let character = line == 2 ? 3 : 2
        #expect(try await rename(&client, url, line: line, character: character, to: name) == nil)
        #expect(try await rename(&client, url, line: line, character: character, to: "free") != nil)
    }
}
