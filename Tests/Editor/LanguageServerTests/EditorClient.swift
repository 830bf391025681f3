@testable import LogProject
@testable import loggen
import CommandOptions
import Foundation
import LanguageServer
import TestSupport

/// A client in the test process. The client counts UTF-16 units with Foundation and keeps its own copies of the
/// documents.
struct EditorClient {
    var server: LanguageServer
    var texts: [String: String] = [:]
    var diagnostics: [String: [Diagnostic]] = [:]
    var messages: [[String: Any]] = []
    private var versions: [String: Int] = [:]
    private var number = 0
    private var reader = MessageReader()

    struct Diagnostic: Hashable, Comparable {
        var line: Int
        var character: Int
        var code: String
        var source: String
        var message: String

        static func < (left: Diagnostic, right: Diagnostic) -> Bool {
            (left.line, left.character, left.code, left.message) < (
                right.line, right.character, right.code, right.message
            )
        }
    }

    init(at root: URL, capabilities: [String: Any] = [:], locale: String = "en", paths: [String] = []) async throws {
        server = LanguageServer(paths: paths, options: ProjectOptions(registry: .all), version: "1")
        _ = try await ask(
            "initialize",
            ["processId": NSNull(), "rootUri": root.absoluteString, "capabilities": capabilities, "locale": locale])
        try await tell("initialized", [:])
    }

    // MARK: Messages

    mutating func send(_ message: [String: Any]) async throws -> [[String: Any]] {
        try await send([message])
    }

    mutating func send(_ messages: [[String: Any]]) async throws -> [[String: Any]] {
        let bodies = try messages.map {
            try JSONSerialization.data(withJSONObject: $0.merging(["jsonrpc": "2.0"]) { first, _ in first })
        }
        reader.append(await server.handle(bodies))
        var answers: [[String: Any]] = []
        while let data = try reader.next() {
            let message = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
            note(message)
            if message["method"] == nil { answers.append(message) } else { self.messages.append(message) }
        }
        return answers
    }

    private mutating func note(_ message: [String: Any]) {
        guard message["method"] as? String == "textDocument/publishDiagnostics",
            let params = message["params"] as? [String: Any],
            let uri = params["uri"] as? String
        else { return }
        diagnostics[uri] = (params["diagnostics"] as? [[String: Any]] ?? []).map { diagnostic in
            let start = (diagnostic["range"] as? [String: [String: Int]])?["start"] ?? [:]
            return Diagnostic(
                line: start["line"] ?? -1, character: start["character"] ?? -1,
                code: diagnostic["code"] as? String ?? "",
                source: diagnostic["source"] as? String ?? "", message: diagnostic["message"] as? String ?? "")
        }.sorted()
    }

    mutating func ask(_ method: String, _ params: [String: Any]) async throws -> [String: Any] {
        number += 1
        return try await send(["id": number, "method": method, "params": params]).first { $0["id"] as? Int == number }
            ?? [:]
    }

    mutating func tell(_ method: String, _ params: [String: Any]) async throws {
        _ = try await send(["method": method, "params": params])
    }

    // MARK: Documents

    mutating func open(_ url: URL, _ text: String? = nil) async throws {
        let uri = url.absoluteString
        let text = try text ?? String(decoding: Data(contentsOf: url), as: UTF8.self)
        (texts[uri], versions[uri]) = (text, 1)
        try await tell(
            "textDocument/didOpen",
            ["textDocument": ["uri": uri, "languageId": "markdown", "version": 1, "text": text]])
    }

    mutating func edit(_ url: URL, _ range: NSRange, _ text: String) async throws {
        let uri = url.absoluteString
        let old = texts[uri, default: ""] as NSString
        let params: [String: Any] = [
            "textDocument": ["uri": uri, "version": versions[uri, default: 0] + 1],
            "contentChanges": [["range": span(range, in: old), "text": text]],
        ]
        versions[uri, default: 0] += 1
        texts[uri] = old.replacingCharacters(in: range, with: text)
        try await tell("textDocument/didChange", params)
    }

    func place(_ url: URL, behind text: String) -> [String: Any] {
        let whole = texts[url.absoluteString, default: ""] as NSString
        let found = whole.range(of: text)
        return [
            "textDocument": ["uri": url.absoluteString], "position": position(found.location + found.length, in: whole),
        ]
    }

    func position(_ offset: Int, in text: NSString) -> [String: Int] {
        var (line, start, index) = (0, 0, 0)
        while index < offset {
            let unit = text.character(at: index)
            index += 1
            let isEnd = unit == 0x0A || unit == 0x0D && !(index < text.length && text.character(at: index) == 0x0A)
            if isEnd { (line, start) = (line + 1, index) }
        }
        return ["line": line, "character": offset - start]
    }

    func span(_ range: NSRange, in text: NSString) -> [String: Any] {
        ["start": position(range.location, in: text), "end": position(range.location + range.length, in: text)]
    }
}
