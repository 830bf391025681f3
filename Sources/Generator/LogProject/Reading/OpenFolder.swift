package import LogDefinitions
package import MarkdownSyntax

/// A definition folder that stays open, as an editor has it: some documents are texts in memory, the others are as they were on disk.
///
/// `session(_:)` is what the command line would find if the texts were saved. It reads nothing from disk; `reload()` does.
package struct OpenFolder {
    package typealias Texts = [ExactText: SourceText]

    /// The folder of the documents, with links followed.
    package let place: String
    private let options: ProjectOptions
    /// What is found on disk: the PATH of the command line.
    private let path: String
    private var folder: DefinitionFolder
    private var files: [SourceFile] = []
    /// The documents' paths with links followed, in the order of the files.
    private var places: [ExactText] = []
    private var known: Set<ExactText> = []
    private var lock: LockFile?
    private var memory = Analysis.Memory()
    private var driftMemory = Drift.Memory()
    private var day = CalendarDate.today

    /// The folder that a document belongs to, as `DefinitionFolder` has it; the document need not be on disk. Any project has documents:
    /// if nothing marks a folder as one of definitions, it is one if most of its documents name themselves in their titles, as definitions
    /// do. Otherwise nil.
    package init?(holding path: String, _ options: ProjectOptions) async throws(FileProblem) {
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

    /// The folder at a path.
    /// - Parameter path: a definition folder, or the folder of its `loggen.yml`.
    package init(at path: String, _ options: ProjectOptions) async throws(FileProblem) {
        self.path = path
        self.options = options
        folder = try Self.find(path, options)
        place = FileSystem.resolved(folder.root)
        try await reload()
    }

    private static func find(_ path: String, _ options: ProjectOptions) throws(FileProblem) -> DefinitionFolder {
        guard let folder = try DefinitionFolder.find([path], options).first else {
            throw FileProblem("no definitions")
        }
        return folder
    }

    /// Whether a document stands in this folder, on disk or not yet.
    package func belongs(_ path: String) -> Bool {
        let real = FileSystem.resolved(path)
        guard Sources.isDefinition(name(of: real)) else { return false }
        if known.contains(ExactText(real)) { return true }
        return holder(of: real) != nil && !options.exclude.contains { FileSystem.resolved($0) == real }
    }

    /// The folder that a search would find a document in.
    private func holder(of real: String) -> ModuleFolder? {
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

    /// Reads everything that has changed on disk.
    package mutating func reload() async throws(FileProblem) {
        let settings = folder.configuration.source?.source.bytes
        folder = try Self.find(path, options)
        // Other rules may count now.
        if folder.configuration.source?.source.bytes != settings { memory = Analysis.Memory() }
        let before = Dictionary(files.map { (ExactText($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        files = try await Sources.read(folder.documents).map { file in
            // The text that has stayed the same keeps its memory, which the analysis knows it by.
            guard let old = before[ExactText(file.path)], old.source.bytes == file.source.bytes,
                old.relativePath == file.relativePath,
                old.module == file.module
            else {
                return file
            }
            return old
        }
        places = files.map { ExactText(FileSystem.resolved($0.path)) }
        known = Set(places)
        lock = try Session.lock(in: folder.root).get()
    }

    /// Finds, reads and checks everything with these texts in place of those on disk.
    /// - Parameter texts: by path, with links followed.
    /// - Returns: what the command line would find, and the paths of its documents with links followed.
    package mutating func session(_ texts: Texts) async -> (session: Session, places: [ExactText]) {
        var (folder, files, places) = (folder, files, places)
        for (index, place) in places.enumerated() {
            guard let text = texts[place] else { continue }
            files[index] = SourceFile(
                path: files[index].path, relativePath: files[index].relativePath, module: files[index].module,
                source: text)
        }
        // Documents that have not been saved yet.
        for (place, text) in texts where !known.contains(place) && belongs(place.text) {
            guard let holder = holder(of: place.text) else { continue }
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
        let today = CalendarDate.today
        if today != day { memory = Analysis.Memory() }
        day = today
        let session = await Session(folder, files, options, today: today, memory: &memory)
        return (await session.compared(with: lock, memory: &driftMemory), places)
    }
}
