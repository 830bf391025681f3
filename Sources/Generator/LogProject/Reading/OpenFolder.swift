package import LogDefinitions
package import MarkdownSyntax

/// A definition folder that an editor has open. Some definition files are in the editor's memory. The others are as
/// last read from disk.
///
/// `session(_:)` returns the result that the command line would have if the files in memory were saved. This function
/// does not read the disk; `reload()` does.
package struct OpenFolder {
    package typealias Texts = [ExactString: SourceText]

    /// The folder of the definition files, with links followed.
    package let place: String
    private let options: ProjectOptions
    /// The PATH on a command line with the same result.
    private let path: String
    private var folder: DefinitionFolder
    private var files: [SourceFile] = []
    /// The paths with links followed, in the order of `files`.
    private var realPaths: [ExactString] = []
    private var known: Set<ExactString> = []
    private var lock: LockFile?
    private var memory = Analysis.Memory()
    private var driftMemory = Drift.Memory()
    private var day = currentDay()

    /// Opens the definition folder that contains a document, as `DefinitionFolder` finds that folder. The document need
    /// not exist on disk.
    ///
    /// Any project has Markdown files. A folder without a marker therefore counts only if most of its files have their
    /// own name as the title, as definition files do. The result is nil for other folders.
    package init?(holding path: String, _ options: ProjectOptions) async throws(FileError) {
        let folder = LogProject.folder(of: path)
        guard
            let root = try DefinitionFolder.marked(above: path, options)
                ?? (Self.isMostlyDefinitions(folder) ? folder : nil)
        else { return nil }
        try await self.init(at: root, options)
        if !belongs(path) { return nil }
    }

    private static func isMostlyDefinitions(_ folder: String) -> Bool {
        let documents = ((try? Sources.entries(of: folder, seenFrom: folder)) ?? []).prefix(100)
        let named = documents.count { document in
            guard let bytes = try? FileSystem.read(document.path) else { return false }
            let source = SourceText(bytes)
            return source.titleName == SourceFile(path: document.path, relativePath: document.path, source: source).stem
        }
        return named * 2 > documents.count
    }

    /// Opens the folder at a path.
    /// - Parameter path: a definition folder, or the folder of its `loggen.yml`.
    package init(at path: String, _ options: ProjectOptions) async throws(FileError) {
        self.path = path
        self.options = options
        folder = try Self.find(path, options)
        place = FileSystem.resolved(folder.root)
        try await reload()
    }

    private static func find(_ path: String, _ options: ProjectOptions) throws(FileError) -> DefinitionFolder {
        guard let folder = try DefinitionFolder.find([path], options).first else {
            throw FileError("no definitions")
        }
        return folder
    }

    /// Returns whether a document belongs to this folder. The document need not exist on disk.
    package func belongs(_ path: String) -> Bool {
        let real = FileSystem.resolved(path)
        guard Sources.isDefinition(name(of: real)) else { return false }
        if known.contains(ExactString(real)) { return true }
        return searchedFolder(of: real) != nil && !options.exclude.contains { FileSystem.resolved($0) == real }
    }

    private func searchedFolder(of real: String) -> ModuleFolder? {
        let places =
            folder.configuration.modules.isEmpty
            ? [ModuleFolder(name: "", path: folder.root, real: place)] : folder.modules
        return places.first { holder in
            guard holder.holds(real), !real.utf8.elementsEqual(holder.real.utf8) else { return false }
            let below = real.dropFirst(holder.real.count).split(separator: "/").dropLast()
            return !below.contains { $0.hasPrefix(".") || Sources.isLeftOut($0) }
        }
    }

    private func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Reads the folder from disk again.
    package mutating func reload() async throws(FileError) {
        let settings = folder.configuration.source?.source.bytes
        folder = try Self.find(path, options)
        // The configuration may have changed the severities of rules.
        if folder.configuration.source?.source.bytes != settings { memory = Analysis.Memory() }
        let before = Dictionary(files.map { (ExactString($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        files = try await Sources.read(folder.documents).map { file in
            // The analysis recognizes an unchanged source by the storage of its bytes, so the old file is kept.
            guard let old = before[ExactString(file.path)], old.source.bytes == file.source.bytes,
                old.relativePath == file.relativePath,
                old.module == file.module
            else {
                return file
            }
            return old
        }
        realPaths = files.map { ExactString(FileSystem.resolved($0.path)) }
        known = Set(realPaths)
        lock = try Session.lock(in: folder.root).get()
    }

    /// Checks the folder with these documents in place of those on disk.
    /// - Parameter texts: the documents in memory, by path with links followed.
    /// - Returns: the session, and the paths of its documents with links followed.
    package mutating func session(_ texts: Texts) async -> (session: Session, places: [ExactString]) {
        var (folder, files, places) = (folder, files, realPaths)
        for (index, place) in places.enumerated() {
            guard let text = texts[place] else { continue }
            files[index] = SourceFile(
                path: files[index].path, relativePath: files[index].relativePath, module: files[index].module,
                source: text)
        }
        // Adds documents that have not been saved yet.
        for (place, text) in texts where !known.contains(place) && belongs(place.text) {
            guard let holder = searchedFolder(of: place.text) else { continue }
            let inside = String(place.text.dropFirst(holder.real.count).drop { $0 == "/" })
            let document = folder.found(inside, in: holder)
            let index =
                files.firstIndex { document.path.utf8.lexicographicallyPrecedes($0.path.utf8) } ?? files.endIndex
            folder.documents.insert(document, at: index)
            files.insert(
                SourceFile(
                    path: document.path, relativePath: document.relativePath, module: document.module, source: text),
                at: index)
            places.insert(place, at: index)
        }
        let today = currentDay()
        if today != day { memory = Analysis.Memory() }
        day = today
        let session = await Session(folder, files, options, today: today, memory: &memory)
        return (await session.compared(with: lock, memory: &driftMemory), places)
    }
}
