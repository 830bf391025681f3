@testable import LogProject
@testable import loggen
import CommandOptions
import Foundation
import LanguageServer
import Testing

@Suite struct EditorSessionTests {
    private static func session() throws -> EditorSession { EditorSession(options: ProjectOptions(registry: .all)) }

    private static func message(_ method: String, _ params: [String: Any] = [:], id: Int? = nil) throws -> Data {
        var message: [String: Any] = ["jsonrpc": "2.0", "method": method, "params": params]
        message["id"] = id
        return try JSONSerialization.data(withJSONObject: message)
    }

    @Test("No new server starts if the server crashes after an exit request")
    func noServerFollowsExit() throws {
        var session = try Self.session()
        #expect(session.crashed(on: "/D/menu.md") != nil)
        _ = session.received(try Self.message("exit"))
        #expect(session.crashed(on: "/D/home.md") == nil)
    }

    @Test("No new server starts if the server crashes on an excluded document")
    func noServerFollowsTheSameCrash() throws {
        var session = try Self.session()
        #expect(session.crashed(on: "/D/menu.md") != nil)
        #expect(session.crashed(on: "/D/menu.md") == nil)
        #expect(session.excluded == ["/D/menu.md"])
    }

    @Test("After a crash, open requests get an error, and `initialize` is sent to the next server")
    func openRequestsGetErrors() throws {
        var session = try Self.session()
        _ = session.received(try Self.message("initialize", ["capabilities": [String: Any]()], id: 1))
        _ = session.received(try Self.message("textDocument/hover", id: 2))
        let messages = session.crashed(on: "/D/menu.md")
        let answers = try #require(messages).map { String(decoding: $0, as: UTF8.self) }
        #expect(answers.contains { $0.contains("\"id\":2") && $0.contains("error") })
        #expect(!answers.contains { $0.contains("\"id\":1") })
        #expect(session.restoration.contains { String(decoding: $0, as: UTF8.self).contains("\"initialize\"") })
    }
}
