import Foundation
import LogDefinitions
import LogProject
import LogTypes
import MarkdownSyntax

struct OpenDocument {
    /// The URI as the client spells it.
    var uri: String
    var path: String
    var version: Int?
    var source: SourceText
}

/// The client's open documents, and the definition folders that they belong to.
struct Workspace {
    let options: ProjectOptions
    var encoding = TextPositions.Encoding.utf16
    /// The documents by path, with links resolved.
    private(set) var documents: [ExactString: OpenDocument] = [:]
    private(set) var folders: [Folder] = []

    struct Folder {
        fileprivate var open: OpenFolder
        fileprivate(set) var session: Session
        /// The paths of the definition files with links resolved, in the order of the session's files.
        fileprivate(set) var places: [ExactString]
        fileprivate(set) var indices: [ExactString: Int]

        fileprivate init(_ open: OpenFolder, _ texts: OpenFolder.Texts) async {
            self.open = open
            (session, places) = await self.open.session(texts)
            indices = Dictionary(zip(places, places.indices), uniquingKeysWith: { first, _ in first })
        }

        var place: String { open.place }

        fileprivate var isMarked: Bool {
            session.configuration.source != nil || session.lock != nil || session.analysis.definitions.common != nil
                || session.analysis.definitions.typesFile != nil
        }

        /// Indicates whether most files have their own name as the title. The files of subfolders count.
        fileprivate var isMostlyDefinitions: Bool {
            let files = session.analysis.definitions.files
            return files.count { $0.source.titleName == $0.stem } * 2 > files.count
        }

        fileprivate mutating func check(_ texts: OpenFolder.Texts) async {
            let before = places
            (session, places) = await open.session(texts)
            if places != before {
                indices = Dictionary(zip(places, places.indices), uniquingKeysWith: { first, _ in first })
            }
        }
    }

    init(options: ProjectOptions) { self.options = options }

    // MARK: Paths

    static func path(_ uri: String) -> String? {
        guard uri.utf8.count >= 7, uri.prefix(7).lowercased() == "file://", let colon = uri.firstIndex(of: ":") else {
            return nil
        }
        let rest = uri[uri.index(colon, offsetBy: 3)...]
        guard let slash = rest.firstIndex(of: "/"), rest[..<slash].isEmpty || rest[..<slash].lowercased() == "localhost"
        else { return nil }
        guard let path = String(rest[slash...]).removingPercentEncoding, !path.utf8.contains(0) else { return nil }
        return normalized(path)
    }

    static func uri(_ path: String) -> String {
        "file://" + PercentEncoding.path(path.hasPrefix("/") ? path : FileSystem.resolved(path))
    }

    private static func key(_ path: String) -> ExactString { ExactString(FileSystem.resolved(path)) }

    func document(_ uri: String) -> OpenDocument? { Self.path(uri).flatMap { documents[Self.key($0)] } }

    /// Returns the URI of a file. For an open file, this is the URI in the client's spelling.
    func uri(of path: String) -> String { documents[Self.key(path)]?.uri ?? Self.uri(path) }

    /// Returns whether a URI refers to a file of a report. A report lists the folder's definition files first.
    func isSame(_ uri: String, as file: Int, of files: [SourceFile], in folder: Folder) -> Bool {
        guard let key = Self.path(uri).map(Self.key) else { return false }
        return key == (folder.places.indices.contains(file) ? folder.places[file] : Self.key(files[file].path))
    }

    func uri(_ file: Int, in folder: Folder) -> String {
        documents[folder.places[file]]?.uri ?? Self.uri(folder.session.analysis.definitions.files[file].path)
    }

    func positions(_ file: Int, in folder: Folder) -> TextPositions {
        let source = folder.session.analysis.definitions.files[file].source
        let isOpen = documents[folder.places[file]] != nil
        return TextPositions(
            source: source, encoding: encoding, hasByteOrderMark: isOpen && source.byteOrderMarkLength > 0)
    }

    func file(_ uri: String) -> (folder: Int, index: Int)? {
        guard let path = Self.path(uri) else { return nil }
        let key = Self.key(path)
        for folder in folders.indices {
            if let index = folders[folder].indices[key] { return (folder, index) }
        }
        return nil
    }

    // MARK: Documents

    mutating func open(_ document: OpenedDocument.Document) -> Bool {
        guard let path = Self.path(document.uri) else { return false }
        documents[Self.key(path)] = OpenDocument(
            uri: document.uri, path: path, version: document.version, source: SourceText(Array(document.text.utf8)))
        return true
    }

    mutating func close(_ uri: String) { Self.path(uri).map { _ = documents.removeValue(forKey: Self.key($0)) } }

    /// False if the document is not open.
    mutating func change(_ change: ChangedDocument) -> Bool {
        guard let path = Self.path(change.textDocument.uri), var document = documents[Self.key(path)] else {
            return false
        }
        for change in change.contentChanges {
            guard let span = change.range else {
                document.source = SourceText(Array(change.text.utf8))
                continue
            }
            let mark = document.source.byteOrderMarkLength
            let positions = TextPositions(source: document.source, encoding: encoding, hasByteOrderMark: mark > 0)
            var bytes = document.source.withMark
            // The first position is before the byte-order mark. A replacement that begins there removes the mark. An
            // insertion there precedes the mark.
            let isWhole = mark > 0 && span.start.line == 0 && span.start.character == 0
            let range = positions.range(span)
            let end = isWhole && span.end == span.start ? 0 : range.upperBound + mark
            bytes.replaceSubrange((isWhole ? 0 : range.lowerBound + mark)..<end, with: change.text.utf8)
            document.source = SourceText(bytes)
        }
        document.version = change.textDocument.version ?? document.version
        documents[Self.key(path)] = document
        return true
    }

    // MARK: Folders

    func folder(of uri: String) -> Int? {
        guard let path = Self.path(uri) else { return nil }
        return folders.indices.filter { folders[$0].open.belongs(path) }.max {
            folders[$0].place.utf8.count < folders[$1].place.utf8.count
        }
    }

    /// Adds the folder of a document, if it is a definition folder.
    mutating func findFolder(of uri: String) async throws(FileError) {
        guard let document = document(uri), folder(of: uri) == nil else { return }
        // A matching title alone is not sufficient: any project may have a `# setup` in `setup.md`.
        guard let found = try await OpenFolder(holding: document.path, options),
            !folders.contains(where: { $0.place == found.place })
        else { return }
        let folder = await Folder(found, texts)
        if folder.isMarked || folder.isMostlyDefinitions { folders.append(folder) }
    }

    mutating func addFolder(at path: String) async throws(FileError) {
        let folder = try await OpenFolder(at: path, options)
        guard !folders.contains(where: { $0.place == folder.place }) else { return }
        folders.append(await Folder(folder, texts))
    }

    mutating func removeFolder(_ index: Int) { folders.remove(at: index) }

    mutating func reload(_ index: Int) async throws(FileError) { try await folders[index].open.reload() }

    /// Checks the documents of a folder, with the contents of open documents.
    mutating func check(_ index: Int) async { await folders[index].check(texts) }

    private var texts: OpenFolder.Texts { documents.mapValues(\.source) }
}
