package import Foundation

// The part of the Language Server Protocol 3.17 that loggen supports: messages and their framing.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/

// MARK: Framing

/// Reads framed messages: a header with `Content-Length`, an empty line, and a JSON body of that length.
package struct MessageReader {
    /// The reason why the stream can no longer be read.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// The maximum lengths of a header and of a body, which no client exceeds, in bytes.
    private static let longestHead = 8 << 10
    private static let longestBody = 256 << 20

    private var bytes: [UInt8] = []
    private var consumedEnd = 0

    package init() {}

    package mutating func append(_ more: some Sequence<UInt8>) {
        if consumedEnd > 0 {
            bytes.removeFirst(consumedEnd)
            consumedEnd = 0
        }
        bytes += more
    }

    /// Returns the next message, or nil if more bytes are needed.
    package mutating func next() throws(Failure) -> Data? {
        let text = bytes[consumedEnd...]
        guard let end = Self.headEnd(text) else {
            if text.count > Self.longestHead {
                throw Failure(description: "the header has more than \(Self.longestHead) bytes")
            }
            return nil
        }
        guard end.before - consumedEnd <= Self.longestHead else {
            throw Failure(description: "the header has more than \(Self.longestHead) bytes")
        }
        let head = String(decoding: bytes[consumedEnd..<end.before], as: UTF8.self)
        var length: Int?
        for line in head.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            length = Int(parts[1].trimmingCharacters(in: .whitespaces))
        }
        guard let length, length >= 0 else { throw Failure(description: "the header has no `Content-Length`") }
        guard length <= Self.longestBody else {
            throw Failure(description: "the message has \(length) bytes, more than \(Self.longestBody)")
        }
        guard bytes.count - end.after >= length else { return nil }
        defer { consumedEnd = end.after + length }
        return Data(bytes[end.after..<(end.after + length)])
    }

    /// Returns the header's end and the body's start; nil if the header is incomplete or too long.
    private static func headEnd(_ text: ArraySlice<UInt8>) -> (before: Int, after: Int)? {
        for index in text.indices where text[index] == 0x0A {
            if index + 1 < text.endIndex, text[index + 1] == 0x0A { return (index, index + 2) }
            if index + 2 < text.endIndex, text[index + 1] == 0x0D, text[index + 2] == 0x0A { return (index, index + 3) }
            // The search for the end stops at the maximum length of a header.
            if index - text.startIndex > longestHead { return nil }
        }
        return nil
    }

    package static func framed(_ body: Data) -> [UInt8] { Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body }
}

// MARK: JSON-RPC

enum RequestID: Codable, Hashable, Sendable {
    case number(Int)
    case text(String)
    case null

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .null: try value.encodeNil()
        }
    }
}

/// The members of a message that are read before its parameters.
struct Envelope: Decodable, Sendable {
    var id: RequestID?
    var method: String?
    var isResponse: Bool

    private enum CodingKeys: CodingKey { case id, method, result, error }

    /// Reads as many members as possible, so that an error response can contain the request's identifier.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = container.contains(.id) ? try? container.decode(RequestID.self, forKey: .id) : nil
        method = try? container.decode(String.self, forKey: .method)
        isResponse = !container.contains(.method) && (container.contains(.result) || container.contains(.error))
    }
}

struct Parameters<Value: Decodable>: Decodable { var params: Value }

struct NoParameters: Codable {}

struct ResponseError: Error, Codable, Sendable {
    var code: Int
    var message: String

    static func parse(_ message: String) -> ResponseError { .init(code: -32700, message: message) }
    static func invalidRequest(_ message: String) -> ResponseError { .init(code: -32600, message: message) }
    static func unknownMethod(_ name: String) -> ResponseError {
        .init(code: -32601, message: "unknown method `\(name)`")
    }
    static func invalidParameters(_ message: String) -> ResponseError { .init(code: -32602, message: message) }
    static let notInitialized = ResponseError(code: -32002, message: "`initialize` has to be sent first")
    static let cancelled = ResponseError(code: -32800, message: "cancelled")
    /// An error for a valid request that cannot be fulfilled.
    static func refused(_ message: String) -> ResponseError { .init(code: -32803, message: message) }
}

struct Response<Result: Encodable>: Encodable {
    var id: RequestID
    var result: Result

    private enum CodingKeys: CodingKey { case jsonrpc, id, result }

    /// Encodes `result` even if it is null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("2.0", forKey: .jsonrpc)
        try container.encode(id, forKey: .id)
        try container.encode(result, forKey: .result)
    }
}

struct ErrorResponse: Encodable {
    var jsonrpc = "2.0"
    var id: RequestID
    var error: ResponseError
}

struct Notification<Params: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var method: String
    var params: Params
}

struct OutgoingRequest<Params: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var id: RequestID
    var method: String
    var params: Params
}

// MARK: Types

/// A position with line and character from 0. Characters are UTF-16 or UTF-8 code units, as negotiated.
struct Position: Codable, Hashable, Sendable {
    var line: Int
    var character: Int

    init(line: Int, character: Int) {
        self.line = line
        self.character = character
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        line = try container.decode(Int.self, forKey: .line)
        character = try container.decode(Int.self, forKey: .character)
        if line < 0 {
            throw DecodingError.dataCorruptedError(forKey: .line, in: container, debugDescription: "below 0")
        }
        if character < 0 {
            throw DecodingError.dataCorruptedError(forKey: .character, in: container, debugDescription: "below 0")
        }
    }
}

struct Span: Codable, Hashable, Sendable {
    var start: Position
    var end: Position
}

struct Location: Codable, Hashable, Sendable {
    var uri: String
    var range: Span
}

struct TextEdit: Codable, Hashable, Sendable {
    var range: Span
    var newText: String
}

struct Initialize: Decodable {
    struct Client: Decodable {
        struct General: Decodable { var positionEncodings: [String]? }
        struct Dynamic: Decodable { var dynamicRegistration: Bool? }
        struct Edits: Decodable {
            var documentChanges: Bool?
            var resourceOperations: [String]?
        }
        struct Workspace: Decodable {
            var didChangeWatchedFiles: Dynamic?
            var workspaceEdit: Edits?
        }
        var general: General?
        var workspace: Workspace?
    }
    struct Folder: Codable { var uri: String }
    var processId: Int?
    var rootUri: String?
    var workspaceFolders: [Folder]?
    var capabilities: Client?

    var encoding: TextPositions.Encoding {
        capabilities?.general?.positionEncodings?.contains(TextPositions.Encoding.utf8.rawValue) == true
            ? .utf8 : .utf16
    }
}

struct ServerCapabilities: Encodable {
    struct Sync: Encodable {
        var openClose = true
        /// `TextDocumentSyncKind.Incremental`: the client sends changes, not whole documents.
        var change = 2
        var save = true
    }
    struct Completion: Encodable { var triggerCharacters = ["|", " ", "(", "[", "`", "."] }
    struct Rename: Encodable { var prepareProvider = true }
    struct OnType: Encodable {
        var firstTriggerCharacter = "|"
        var moreTriggerCharacter = ["\n"]
    }
    struct Actions: Encodable { var codeActionKinds = ["quickfix"] }
    struct Workspace: Encodable {
        struct Folders: Encodable {
            var supported = true
            var changeNotifications = true
        }
        var workspaceFolders = Folders()
    }
    var positionEncoding: String
    var textDocumentSync = Sync()
    var completionProvider = Completion()
    var definitionProvider = true
    var referencesProvider = true
    var renameProvider = Rename()
    var documentFormattingProvider = true
    var documentOnTypeFormattingProvider = OnType()
    var codeActionProvider = Actions()
    var workspace = Workspace()
}

struct Initialized: Encodable {
    struct Server: Encodable {
        var name = "loggen"
        var version: String
    }
    var capabilities: ServerCapabilities
    var serverInfo: Server
}

struct DocumentID: Codable { var uri: String }

struct OpenedDocument: Decodable {
    struct Document: Decodable {
        var uri: String
        var version: Int?
        var text: String
    }
    var textDocument: Document
}

struct ChangedDocument: Decodable {
    struct Document: Decodable {
        var uri: String
        var version: Int?
    }
    struct Change: Decodable {
        /// The replaced range; nil if the change replaces the whole document.
        var range: Span?
        var text: String
    }
    var textDocument: Document
    var contentChanges: [Change]
}

struct DocumentParameters: Decodable { var textDocument: DocumentID }

struct PlaceParameters: Decodable {
    struct Context: Decodable { var includeDeclaration: Bool? }
    var textDocument: DocumentID
    var position: Position
    var context: Context?
}

struct RenameParameters: Decodable {
    var textDocument: DocumentID
    var position: Position
    var newName: String
}

struct ActionParameters: Decodable {
    struct Context: Decodable { var only: [String]? }
    var textDocument: DocumentID
    var range: Span
    var context: Context?
}

struct CancelParameters: Decodable { var id: RequestID }

struct FoldersChange: Decodable {
    struct Event: Decodable {
        var added: [Initialize.Folder]
        var removed: [Initialize.Folder]
    }
    var event: Event
}

struct PublishedDiagnostics: Encodable {
    struct Diagnostic: Encodable, Hashable {
        struct Related: Encodable, Hashable {
            var location: Location
            var message: String
        }
        var range: Span
        /// The severity as a number: 1 for an error, 2 for a warning.
        var severity: Int
        var code: String
        /// The command whose diagnostic it is: `loggen` for `loggen lint`, or `loggen check` for the lock file.
        var source: String
        var message: String
        var relatedInformation: [Related]?
    }
    var uri: String
    var version: Int?
    var diagnostics: [Diagnostic]
}

struct CompletionItem: Encodable {
    /// The kind of an item. The raw values are the numbers of `CompletionItemKind` in the protocol.
    enum Kind: Int, Encodable {
        case field = 5, property = 10, value = 12, enumeration = 13, keyword = 14, member = 20, type = 22, event = 23
    }
    var label: String
    var kind: Kind
    var detail: String?
    var sortText: String
    var filterText: String
    var textEdit: TextEdit
}

struct CompletionList: Encodable {
    var isIncomplete = false
    var items: [CompletionItem]
}

struct PreparedRename: Encodable {
    var range: Span
    var placeholder: String
}

struct CodeAction: Encodable {
    var title: String
    var kind = "quickfix"
    var diagnostics: [PublishedDiagnostics.Diagnostic]
    var isPreferred: Bool?
    var edit: WorkspaceEdit
}

/// An edit of several documents. `changes` is for clients without `documentChanges`; it cannot create or rename files.
struct WorkspaceEdit: Encodable {
    enum Operation: Encodable {
        struct Versioned: Encodable {
            var uri: String
            var version: Int?

            private enum CodingKeys: CodingKey { case uri, version }

            /// The protocol requires the version member, which may be null.
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(uri, forKey: .uri)
                try container.encode(version, forKey: .version)
            }
        }
        struct Edits: Encodable {
            var textDocument: Versioned
            var edits: [TextEdit]
        }
        struct File: Encodable {
            var kind: String
            var uri: String?
            var oldUri: String?
            var newUri: String?
        }
        case edits(Edits)
        case create(uri: String)
        case rename(from: String, to: String)

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .edits(let edits): try value.encode(edits)
            case .create(let uri): try value.encode(File(kind: "create", uri: uri))
            case .rename(let from, let to): try value.encode(File(kind: "rename", oldUri: from, newUri: to))
            }
        }
    }
    var changes: [String: [TextEdit]]?
    var documentChanges: [Operation]?
}

struct ShownMessage: Encodable {
    /// 1 error, 2 warning, 3 information, 4 log.
    var type: Int
    var message: String
}

struct Registrations: Encodable {
    struct Registration: Encodable {
        struct Options: Encodable {
            struct Watcher: Encodable { var globPattern: String }
            var watchers: [Watcher]
        }
        var id: String
        var method: String
        var registerOptions: Options
    }
    var registrations: [Registration]
}
