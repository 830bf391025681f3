package import Foundation
import LogDefinitions
package import LogProject
import MarkdownSyntax

/// The state of an editor's connection, from which a new server is restored after a crash.
///
/// A document that crashed a server is excluded until the editor changes, opens or closes it.
package struct EditorSession {
    /// The next step for a message of the editor: forward it to the server, or start another server and send the editor
    /// these messages.
    package enum Step {
        case forward
        case restart([Data])
    }

    /// The documents that the editor has open. Folders are not read here.
    private var workspace: Workspace
    private var initialize: Data?
    private var initialized: Data?
    private var folderChanges: [Data] = []
    private var hasRegistered = false
    private var hasEnded = false
    /// The editor's requests without a response.
    private var open: [RequestID] = []
    private var initializeID: RequestID?
    /// The path of the last document that a message of the editor refers to; nil before the first such message.
    private var lastPath: String?
    /// The URIs of documents that crashed a server, by resolved path.
    private var leftOut: [ExactString: String] = [:]

    package init(options: ProjectOptions) { workspace = Workspace(options: options) }

    package var excluded: [String] { leftOut.keys.map(\.text).sorted() }

    // MARK: Messages

    private struct Target: Decodable {
        struct Document: Decodable { var uri: String? }
        struct Change: Decodable { var uri: String? }
        var textDocument: Document?
        var changes: [Change]?
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ message: Data) -> Value? {
        (try? JSONDecoder().decode(Parameters<Value>.self, from: message))?.params
    }

    private static func key(_ uri: String) -> ExactString? {
        Workspace.path(uri).map { ExactString(FileSystem.resolved($0)) }
    }

    /// Handles a message of the editor.
    package mutating func received(_ message: Data) -> Step {
        guard let envelope = try? JSONDecoder().decode(Envelope.self, from: message), !envelope.isResponse else {
            return .forward
        }
        if let id = envelope.id { open.append(id) }
        switch envelope.method {
        case "initialize":
            guard initialize == nil, let parameters = Self.read(Initialize.self, message) else { return .forward }
            (initialize, initializeID) = (message, envelope.id)
            workspace.encoding = parameters.encoding
            return .forward
        case "initialized": initialized = message
        case "exit": hasEnded = true
        case "workspace/didChangeWorkspaceFolders": folderChanges.append(message)
        case "textDocument/didOpen":
            if let document = Self.read(OpenedDocument.self, message)?.textDocument { _ = workspace.open(document) }
        case "textDocument/didChange":
            if let change = Self.read(ChangedDocument.self, message) { _ = workspace.change(change) }
        case "textDocument/didClose":
            if let uri = Self.read(Target.self, message)?.textDocument?.uri { workspace.close(uri) }
        default: break
        }
        let target = Self.read(Target.self, message)
        let uris = ([target?.textDocument?.uri] + (target?.changes ?? []).map(\.uri)).compactMap { $0 }
        if let uri = target?.textDocument?.uri, let key = Self.key(uri) { lastPath = key.text }
        guard envelope.id == nil, !leftOut.isEmpty else { return .forward }
        // Changed documents are included again.
        let changed = uris.compactMap(Self.key).compactMap { leftOut.removeValue(forKey: $0) }
        guard !changed.isEmpty else { return .forward }
        return .restart(
            changed.compactMap { Self.published($0, []) }
                + refusals("loggen restarted with a changed document"))
    }

    /// Returns errors for all requests without a response. `initialize` is excluded, because the next server responds
    /// to it.
    private mutating func refusals(_ reason: String) -> [Data] {
        defer { open.removeAll { $0 != initializeID } }
        return open.filter { $0 != initializeID }.compactMap {
            Self.encoded(ErrorResponse(id: $0, error: .ended(reason)))
        }
    }

    /// Handles a message of the server.
    /// - Returns: false if the editor has received the message from an earlier server.
    package mutating func sent(_ message: Data) -> Bool {
        guard let envelope = try? JSONDecoder().decode(Envelope.self, from: message) else { return true }
        if envelope.isResponse {
            guard let id = envelope.id, id != .null else { return true }
            guard let index = open.firstIndex(of: id) else { return false }
            open.remove(at: index)
            return true
        }
        guard envelope.method == "client/registerCapability" else { return true }
        defer { hasRegistered = true }
        return !hasRegistered
    }

    // MARK: Another server

    /// Handles the crash of a server on a document.
    ///
    /// - Parameter path: the document that the server was reading; nil if it is unknown.
    /// - Returns: messages for the editor. Nil if the editor has ended the session, or if the document is unknown or
    ///   already excluded.
    package mutating func crashed(on path: String?) -> [Data]? {
        guard !hasEnded, let path = (path ?? lastPath).map({ FileSystem.resolved($0) }),
            leftOut[ExactString(path)] == nil
        else { return nil }
        let uri = workspace.uri(of: path)
        leftOut[ExactString(path)] = uri
        let reason =
            "loggen crashed while it read this document, and excludes it until it changes; please report this bug"
        let start = Span(start: .init(line: 0, character: 0), end: .init(line: 0, character: 0))
        let problem = PublishedDiagnostics.Diagnostic(
            range: start, severity: 1, code: "crash", source: "loggen", message: reason)
        return [Self.published(uri, [problem])].compactMap { $0 }
            + refusals("loggen crashed on `\(path)` and continues without it")
    }

    /// The messages that restore the state of the last server in a new one.
    package var restoration: [Data] {
        let documents = workspace.documents.filter { leftOut[$0.key] == nil }.values.sorted { $0.uri < $1.uri }.map {
            document in
            let text = String(decoding: document.source.withMark, as: UTF8.self)
            return Self.encoded(
                Notification(
                    method: "textDocument/didOpen",
                    params: OpenedDocument(
                        textDocument: .init(uri: document.uri, version: document.version, text: text))))
        }
        return ([initialize, initialized] + folderChanges + documents).compactMap { $0 }
    }

    private static func published(_ uri: String, _ diagnostics: [PublishedDiagnostics.Diagnostic]) -> Data? {
        encoded(
            Notification(
                method: "textDocument/publishDiagnostics",
                params: PublishedDiagnostics(uri: uri, version: nil, diagnostics: diagnostics)))
    }

    private static func encoded(_ message: some Encodable) -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return try? encoder.encode(message)
    }
}
