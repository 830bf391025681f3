package import Foundation
import LogDefinitions
package import LogProject
import LogTypes
import MarkdownSyntax

/// loggen for editors: the command line's session, with the contents of open documents in memory.
///
/// The server handles messages in sequence and returns messages. `loggen lsp` does the reading and writing of streams.
package struct LanguageServer {
    private enum Stage { case started, initialized, shutDown }

    var workspace: Workspace
    private let version: String
    private let commandLineFolders: [String]
    private var stage = Stage.started
    private(set) var client = Initialize.Client()
    private var roots: [String] = []
    private var isWatching = false
    private var uncheckedFolderIndices: Set<Int> = []
    private var publishedByFolderAndURI: [String: [String: [PublishedDiagnostics.Diagnostic]]] = [:]
    /// Documents whose diagnostics are published even if unchanged: the client waits for those of the current version.
    private var touchedURIs: Set<String> = []
    private var shownFileErrors: Set<String> = []
    private var outgoing: [Data] = []
    private let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }()

    /// The exit code, after the client has ended the session.
    package private(set) var exitCode: Int32?

    package init(paths: [String] = [], options: ProjectOptions, version: String) {
        commandLineFolders = paths
        self.version = version
        workspace = Workspace(options: options)
    }

    // MARK: Messages

    /// Handles messages that have arrived together, and returns the framed responses. Documents are checked after the
    /// last message, so that fast typing causes a single check.
    package mutating func handle(_ messages: [Data]) async -> [UInt8] {
        var cancelled: Set<RequestID> = []
        for message in messages
        where (try? JSONDecoder().decode(Envelope.self, from: message))?.method == "$/cancelRequest" {
            if let parameters = try? JSONDecoder().decode(Parameters<CancelParameters>.self, from: message) {
                cancelled.insert(parameters.params.id)
            }
        }
        for message in messages where exitCode == nil { await handle(message, cancelled) }
        await checkChangedFolders()
        defer { outgoing = [] }
        return outgoing.flatMap(MessageReader.framed)
    }

    /// Returns a framed error for a stream whose messages can no longer be read.
    package static func refusal(_ message: String) -> [UInt8] {
        (try? JSONEncoder().encode(ErrorResponse(id: .null, error: .parse(message)))).map(MessageReader.framed) ?? []
    }

    private mutating func handle(_ message: Data, _ cancelled: Set<RequestID>) async {
        guard let envelope = try? JSONDecoder().decode(Envelope.self, from: message) else {
            let isJSON = (try? JSONSerialization.jsonObject(with: message, options: .fragmentsAllowed)) != nil
            let error: ResponseError =
                isJSON ? .invalidRequest("this is not a message of JSON-RPC 2.0") : .parse("this is not JSON")
            return send(ErrorResponse(id: .null, error: error))
        }
        // Responses of clients are confirmations and need no action.
        guard !envelope.isResponse else { return }
        guard let method = envelope.method else {
            return send(
                ErrorResponse(id: envelope.id ?? .null, error: .invalidRequest("the message has no `method`")))
        }
        guard let id = envelope.id else { return await notified(method, message) }
        do {
            if cancelled.contains(id) { throw ResponseError.cancelled }
            try await requested(method, id, message)
        } catch let error as ResponseError {
            send(ErrorResponse(id: id, error: error))
        } catch {
            send(ErrorResponse(id: id, error: .refused("\(error)")))
        }
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ message: Data) throws(ResponseError) -> Value {
        do {
            return try JSONDecoder().decode(Parameters<Value>.self, from: message).params
        } catch let error as DecodingError {
            throw .invalidParameters(Self.said(error))
        } catch {
            throw .invalidParameters("\(error)")
        }
    }

    private static func said(_ error: DecodingError) -> String {
        func path(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
            (context.codingPath + (last.map { [$0] } ?? [])).map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
                .joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): return "`\(path(context, key))` is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "`\(path(context))` has the wrong type"
        case .dataCorrupted(let context): return "`\(path(context))` cannot be read"
        @unknown default: return "the parameters cannot be read"
        }
    }

    private mutating func send(_ message: some Encodable) {
        // Encoding cannot fail: messages consist of strings, numbers and lists.
        if let data = try? encoder.encode(message) { outgoing.append(data) }
    }

    private mutating func answer(_ id: RequestID, _ result: some Encodable) { send(Response(id: id, result: result)) }

    private mutating func say(_ message: String, type: Int = 2, shows: Bool = true) {
        if shows, !shownFileErrors.insert(message).inserted { return }
        send(
            Notification(
                method: shows ? "window/showMessage" : "window/logMessage",
                params: ShownMessage(type: type, message: message)))
    }

    // MARK: Requests

    private mutating func requested(_ method: String, _ id: RequestID, _ message: Data) async throws {
        if method == "initialize" {
            guard stage == .started else { throw ResponseError.invalidRequest("`initialize` can be sent only once") }
            return answer(id, initialize(try read(Initialize.self, message)))
        }
        guard stage != .started else { throw ResponseError.notInitialized }
        guard stage != .shutDown else { throw ResponseError.invalidRequest("after `shutdown`, only `exit` is allowed") }
        // Requests refer to the current documents.
        if method.hasPrefix("textDocument/") { await checkChangedFolders() }
        switch method {
        case "shutdown":
            stage = .shutDown
            answer(id, NoParameters?.none)
        case "textDocument/completion":
            let place = try read(PlaceParameters.self, message)
            answer(id, CompletionList(items: cursor(place).map { completions($0) } ?? []))
        case "textDocument/definition":
            let place = try read(PlaceParameters.self, message)
            answer(id, cursor(place).map { definitions($0) } ?? [])
        case "textDocument/references":
            let place = try read(PlaceParameters.self, message)
            let isWithDeclaration = place.context?.includeDeclaration ?? true
            answer(id, cursor(place).map { references($0, withDeclaration: isWithDeclaration) } ?? [])
        case "textDocument/prepareRename":
            answer(id, try prepareRename(cursor(try read(PlaceParameters.self, message))))
        case "textDocument/rename":
            let rename = try read(RenameParameters.self, message)
            // A rename needs the current files on disk, even closed ones. The client might not watch files.
            await reloadAll()
            await checkChangedFolders()
            answer(
                id,
                try await self.rename(
                    cursor(PlaceParameters(textDocument: rename.textDocument, position: rename.position)),
                    to: rename.newName))
        case "textDocument/formatting":
            let uri = try read(DocumentParameters.self, message).textDocument.uri
            answer(id, file(uri).map { format($0) } ?? [])
        case "textDocument/onTypeFormatting":
            let place = try read(PlaceParameters.self, message)
            answer(id, cursor(place).map { formatTable($0) } ?? [])
        case "textDocument/codeAction":
            let parameters = try read(ActionParameters.self, message)
            let isAsked = parameters.context?.only.map { $0.contains { "quickfix".hasPrefix($0) } } ?? true
            answer(id, isAsked ? actions(parameters.textDocument.uri, parameters.range) : [])
        default: throw ResponseError.unknownMethod(method)
        }
    }

    private mutating func initialize(_ parameters: Initialize) -> Initialized {
        stage = .initialized
        client = parameters.capabilities ?? Initialize.Client()
        workspace.encoding = parameters.encoding
        roots = (parameters.workspaceFolders?.map(\.uri) ?? parameters.rootUri.map { [$0] } ?? []).compactMap(
            Workspace.path)
        return Initialized(
            capabilities: ServerCapabilities(positionEncoding: workspace.encoding.rawValue),
            serverInfo: .init(version: version))
    }

    // MARK: Notifications

    private mutating func notified(_ method: String, _ message: Data) async {
        if method == "exit" {
            exitCode = stage == .shutDown ? 0 : 1
            return
        }
        guard stage == .initialized else { return }
        do {
            switch method {
            case "initialized": await findFoldersAndWatchFiles()
            case "textDocument/didOpen":
                let document = try read(OpenedDocument.self, message).textDocument
                guard workspace.open(document) else { return }
                await reload(document.uri)
            case "textDocument/didChange":
                let change = try read(ChangedDocument.self, message)
                guard workspace.change(change) else {
                    return say("`\(change.textDocument.uri)` was changed but is not open", type: 4, shows: false)
                }
                touch(change.textDocument.uri)
            case "textDocument/didSave": await reloadAll()
            case "textDocument/didClose":
                let uri = try read(DocumentParameters.self, message).textDocument.uri
                let folder = workspace.folder(of: uri)
                workspace.close(uri)
                if let folder { await reload(folder) }
            case "workspace/didChangeWatchedFiles": await reloadAll()
            case "workspace/didChangeWorkspaceFolders":
                let change = try read(FoldersChange.self, message).event
                let removed = change.removed.compactMap { Workspace.path($0.uri) }
                roots.removeAll { removed.contains($0) }
                let added = change.added.compactMap { Workspace.path($0.uri) }
                roots += added
                for folder in workspace.folders.indices.reversed() {
                    let place = workspace.folders[folder].place
                    let isGone = removed.contains { FileSystem.isFolder(FileSystem.resolved($0), at: place) }
                    if isGone, !workspace.documents.keys.contains(where: { FileSystem.isFolder(place, at: $0.text) }) {
                        remove(folder)
                    }
                }
                await addMarkedFolders(below: added)
            default: break
            }
        } catch {
            say("`\(method)`: \(error.message)", type: 4, shows: false)
        }
    }

    private mutating func findFoldersAndWatchFiles() async {
        if client.workspace?.didChangeWatchedFiles?.dynamicRegistration == true, !isWatching {
            isWatching = true
            let watchers = ["**/*.md", "**/\(Configuration.fileName)", "**/\(LockFile.fileName)"]
            let registration = Registrations.Registration(
                id: "files", method: "workspace/didChangeWatchedFiles",
                registerOptions: .init(watchers: watchers.map { .init(globPattern: $0) }))
            send(
                OutgoingRequest(
                    id: .text("register"), method: "client/registerCapability",
                    params: Registrations(registrations: [registration])))
        }
        for path in commandLineFolders {
            do throws(FileError) {
                try await workspace.addFolder(at: path)
            } catch {
                say(error.description)
            }
        }
        await addMarkedFolders(below: roots)
        uncheckedFolderIndices.formUnion(workspace.folders.indices)
    }

    private mutating func addMarkedFolders(below roots: [String]) async {
        for root in roots {
            for path in DefinitionFolder.marked(below: root) {
                // An unreadable folder is reported when a document in it is opened.
                try? await workspace.addFolder(at: path)
            }
        }
        uncheckedFolderIndices.formUnion(workspace.folders.indices)
    }

    private mutating func touch(_ uri: String) {
        if let folder = workspace.folder(of: uri) { uncheckedFolderIndices.insert(folder) }
        touchedURIs.insert(workspace.document(uri)?.uri ?? uri)
    }

    private mutating func reload(_ uri: String) async {
        if workspace.folder(of: uri) == nil { await findFolder(of: uri) }
        touch(uri)
    }

    private mutating func reloadAll() async {
        for folder in workspace.folders.indices.reversed() { await reload(folder) }
        // The files on disk determine whether a document is a definition file.
        for uri in workspace.documents.values.map(\.uri).sorted() where workspace.folder(of: uri) == nil {
            await findFolder(of: uri)
            if workspace.folder(of: uri) != nil { touch(uri) }
        }
    }

    private mutating func findFolder(of uri: String) async {
        do throws(FileError) {
            try await workspace.findFolder(of: uri)
        } catch {
            say(error.description)
        }
    }

    private mutating func reload(_ folder: Int) async {
        do throws(FileError) {
            try await workspace.reload(folder)
            uncheckedFolderIndices.insert(folder)
        } catch {
            // The folder was deleted or has become unreadable.
            if FileSystem.kind(workspace.folders[folder].place) == nil {
                remove(folder)
            } else {
                say(error.description, type: 4, shows: false)
                uncheckedFolderIndices.insert(folder)
            }
        }
    }

    private mutating func remove(_ folder: Int) {
        for uri in publishedByFolderAndURI.removeValue(forKey: workspace.folders[folder].place)?.keys.sorted() ?? [] {
            publish(uri, [])
        }
        workspace.removeFolder(folder)
        uncheckedFolderIndices = Set(workspace.folders.indices)
    }

    // MARK: Diagnostics

    private mutating func checkChangedFolders() async {
        guard !uncheckedFolderIndices.isEmpty || !touchedURIs.isEmpty else { return }
        // A client may wait for diagnostics of a change, even if the document is not a definition file.
        for uri in touchedURIs.sorted() where workspace.folder(of: uri) == nil {
            publish(uri, publishedByFolderAndURI.values.lazy.compactMap { $0[uri] }.first ?? [])
        }
        for folder in uncheckedFolderIndices.sorted() {
            await workspace.check(folder)
            let found = diagnostics(workspace.folders[folder])
            let before = publishedByFolderAndURI[workspace.folders[folder].place] ?? [:]
            for uri in Set(found.keys).union(before.keys).sorted()
            where touchedURIs.contains(uri) || found[uri] ?? [] != before[uri] ?? [] {
                publish(uri, found[uri] ?? [])
            }
            publishedByFolderAndURI[workspace.folders[folder].place] = found.filter { !$0.value.isEmpty }
        }
        uncheckedFolderIndices = []
        touchedURIs = []
    }

    private mutating func publish(_ uri: String, _ diagnostics: [PublishedDiagnostics.Diagnostic]) {
        send(
            Notification(
                method: "textDocument/publishDiagnostics",
                params: PublishedDiagnostics(
                    uri: uri, version: workspace.document(uri)?.version, diagnostics: diagnostics)))
    }

    /// Returns the diagnostics of `lint` and those of `check` on the lock file, by URI. Includes touched documents.
    private func diagnostics(_ folder: Workspace.Folder) -> [String: [PublishedDiagnostics.Diagnostic]] {
        let report = Report(of: folder.session)
        func location(_ place: Place) -> Location { self.location(place, in: folder, report.files) }
        var found: [String: [PublishedDiagnostics.Diagnostic]] = [:]
        for uri in touchedURIs
        where workspace.file(uri).map({ workspace.folders[$0.folder].place == folder.place }) ?? false {
            found[uri] = []
        }
        for (index, diagnostic) in report.diagnostics.enumerated() {
            let place = location(diagnostic.place)
            found[place.uri, default: []].append(
                published(diagnostic, place, source: index < report.linted ? "loggen" : "loggen check", location))
        }
        return found
    }

    /// All diagnostics of a session, those of `lint` first.
    struct Report {
        var files: [SourceFile]
        var diagnostics: [Diagnostic]
        var linted: Int

        init(of session: Session) {
            let all = session.report(ofAllOutputs: true)
            files = all.files
            diagnostics = all.diagnostics
            linted =
                all.diagnostics.count
                - (session.lock.map { $0.diagnostics.count + (session.drift?.diagnostics.count ?? 0) } ?? 0)
            guard let lock = session.lock, let drift = session.drift else { return }
            let report = DriftReport(
                definitions: session.analysis.definitions, baseline: lock.latest, hasVersions: true)
            // `files` and `report.files` begin with the same definition files. Only the files after them are appended,
            // and the places in these files get new indices.
            let documents = session.analysis.definitions.files.count
            let offset = files.count - documents
            files += report.files[documents...]
            diagnostics += report.diagnostics(of: drift).map { diagnostic in
                var moved = diagnostic
                func move(_ place: inout Place) { if place.file >= documents { place.file += offset } }
                move(&moved.place)
                for index in moved.notes.indices {
                    if var place = moved.notes[index].place { move(&place); moved.notes[index].place = place }
                }
                return moved
            }
        }
    }

    func location(_ place: Place, in folder: Workspace.Folder, _ files: [SourceFile]) -> Location {
        if place.file < folder.places.count {
            return Location(
                uri: workspace.uri(place.file, in: folder),
                range: workspace.positions(place.file, in: folder).shown(place.range))
        }
        let file = files[place.file]
        return Location(
            uri: workspace.uri(of: file.path),
            range: TextPositions(source: file.source, encoding: workspace.encoding).shown(place.range))
    }

    func published(
        _ diagnostic: Diagnostic, _ place: Location, source: String, _ location: (Place) -> Location
    ) -> PublishedDiagnostics.Diagnostic {
        let related = diagnostic.notes.compactMap { note in
            note.place.map { PublishedDiagnostics.Diagnostic.Related(location: location($0), message: note.message) }
        }
        let advice = diagnostic.notes.filter { $0.place == nil }.map { "\n\($0.kind.rawValue): \($0.text)" }
        return PublishedDiagnostics.Diagnostic(
            range: place.range, severity: diagnostic.severity == .error ? 1 : 2, code: diagnostic.rule.name,
            source: source,
            message: diagnostic.message + advice.joined(), relatedInformation: related.isEmpty ? nil : related)
    }

    // MARK: Places

    func file(_ uri: String) -> OpenFile? {
        guard let (folder, index) = workspace.file(uri) else { return nil }
        return OpenFile(
            folder: workspace.folders[folder], index: index,
            positions: workspace.positions(index, in: workspace.folders[folder]))
    }

    func cursor(_ parameters: PlaceParameters) -> CursorContext? {
        file(parameters.textDocument.uri).map { CursorContext($0, at: $0.positions.offset(parameters.position)) }
    }

    func location(_ place: Place, in folder: Workspace.Folder) -> Location {
        location(place, in: folder, folder.session.analysis.definitions.files)
    }
}

struct OpenFile {
    let folder: Workspace.Folder
    let index: Int
    let positions: TextPositions

    var session: Session { folder.session }
    var definitions: Definitions { session.analysis.definitions }
    var file: SourceFile { definitions.files[index] }
    var source: SourceText { file.source }
}
