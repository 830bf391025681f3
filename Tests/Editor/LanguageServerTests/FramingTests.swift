import Foundation
import LanguageServer
import Testing
import TestSupport

struct FramingTests {
    @Test("Messages are the same wherever a pipe splits the bytes") func messagesAreTheSameHoweverTheyArrive() throws {
        var dice = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let messages = (0..<Int.random(in: 1...6, using: &dice)).map { _ in
                Data(
                    (0..<Int.random(in: 0...40, using: &dice)).map { _ in
                        Array("{}\r\n\"a😀".utf8).randomElement(using: &dice) ?? 0x20
                    })
            }
            let heads = [
                "Content-Length: %d\r\n\r\n", "content-length:%d\r\nContent-Type: a\r\n\r\n", "Content-Length: %d\n\n",
            ]
            var bytes: [UInt8] = []
            for message in messages {
                bytes += Array(String(format: heads.randomElement(using: &dice) ?? "", message.count).utf8) + message
            }
            var reader = MessageReader()
            var found: [Data] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = min(rest.count, Int.random(in: 1...25, using: &dice))
                reader.append(rest.prefix(count))
                rest = rest.dropFirst(count)
                while let message = try reader.next() { found.append(message) }
            }
            #expect(found == messages)
        }
    }

    @Test(
        "An unreadable message header is an error",
        arguments: [
            "Content-Type: a\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "Content-Length: x\r\n\r\n", "\r\n\r\n\r\n",
            "Content-Length: 99999999999\r\n\r\n",
            String(repeating: "a", count: 20_000),
            "Content-Length: 2\r\nX: " + String(repeating: "a", count: 20_000) + "\r\n\r\n{}",
        ])
    func unreadableHeaderIsAnError(text: String) {
        var reader = MessageReader()
        reader.append(text.utf8)
        #expect(throws: MessageReader.Failure.self) { while try reader.next() != nil {} }
    }

    @Test("A cancelled request gets a cancellation error") func cancelledRequestGetsACancellationError() async throws {
        let scratch = try Scratch(["loggen.yml": "", "search.md": "# search\n\n## show\n"])
        var client = try await EditorClient(at: scratch.url)
        let place: [String: Any] = [
            "textDocument": ["uri": scratch.url.appendingPathComponent("search.md").absoluteString],
            "position": ["line": 0, "character": 3],
        ]
        let answers = try await client.send([
            ["id": 50, "method": "textDocument/definition", "params": place],
            ["id": "b", "method": "textDocument/definition", "params": place],
            ["method": "$/cancelRequest", "params": ["id": 50]],
        ])
        let codes = answers.map { ($0["error"] as? [String: Any])?["code"] as? Int }
        #expect(codes == [-32800, nil])
    }

    @Test("Changes that arrive together are checked once")
    func changesThatComeTogetherAreCheckedTogether() async throws {
        let scratch = try Scratch(["loggen.yml": "", "search.md": "# search\n\n## show\n"])
        let url = scratch.url.appendingPathComponent("search.md")
        var client = try await EditorClient(at: scratch.url)
        try await client.open(url)
        client.messages = []
        _ = try await client.send(
            (2...9).map { version in
                let start = ["line": 2, "character": 7]
                return [
                    "method": "textDocument/didChange",
                    "params": [
                        "textDocument": ["uri": url.absoluteString, "version": version],
                        "contentChanges": [["range": ["start": start, "end": start], "text": "A"]],
                    ],
                ]
            })
        let versions = client.messages.compactMap { ($0["params"] as? [String: Any])?["version"] as? Int }
        #expect(versions == [9])
        #expect(client.diagnostics[url.absoluteString]?.map(\.code) == ["identifier"])
    }
}
