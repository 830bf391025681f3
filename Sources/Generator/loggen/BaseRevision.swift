import LogDefinitions
import LogImpact
import LogOutputs
import LogProject
import LogReview
import MarkdownSyntax

/// The definitions of a git revision, which the usual reader reads in a copy of the revision's tree. So the revision's
/// own `loggen.yml` decides about them.
struct BaseRevision {
    /// A message about the comparison, if any.
    private(set) var note: String?
    /// The definitions and their diagnostics. The paths of the files begin with the revision's name.
    let analysis: Analysis
    let lock: LockFile?
    /// The revision's `loggen.yml`; nil if the revision has no definitions.
    let configuration: Configuration?
    /// Indicates whether the definition folder as a whole is compared.
    let isFolderGiven: Bool
    /// The revision's name in messages.
    let name: String
    let repository: GitRepository
    private let tree: GitTree
    private let session: Session?

    /// Reads the definitions at a session's PATHs in the revision.
    init(_ revision: String, named name: String? = nil, of session: Session) async throws(FileError) {
        self.name = name ?? revision
        repository = try GitRepository(holding: session.paths.first ?? session.root)
        tree = try GitTree(try repository.commit(revision), of: repository, isClosed: true)
        let former: String?
        do throws(FileError) {
            try tree.writeDefinitions(and: session.paths + (session.options.config.map { [$0] } ?? []))
            (self.session, former) = try await Self.read(session, in: tree)
        } catch {
            throw FileError("cannot compare with `\(self.name)`: \(error)")
        }
        let (repository, tree) = (repository, tree)
        // For a new module, the folder of all modules was read.
        let isOfModules = former.map { repository.path(of: $0) == repository.path(of: session.root) } ?? false
        if self.session == nil {
            note =
                "\(self.name.asCode) has no definitions in \(session.root.asCode): all are new, and nothing is compared"
        } else if let former, !isOfModules {
            note = "\(session.root.asCode) was \(former.asCode) in \(self.name.asCode): the two are compared"
        }
        var analysis: Analysis
        if let session = self.session { analysis = session.analysis } else { analysis = await Analysis.run([]) }
        for index in analysis.definitions.files.indices {
            analysis.definitions.files[index].path = "\(self.name):\(analysis.definitions.files[index].path)"
        }
        self.analysis = analysis
        lock = self.session?.lock
        configuration = self.session?.configuration
        let hasFile = session.paths.contains { path in
            let isFolder = repository.path(of: path).flatMap { FileSystem.kind(tree.path($0)) } == .directory
            return FileSystem.kind(path) == .file && !isFolder
        }
        isFolderGiven = !hasFile && !isOfModules && self.session?.isFolderGiven ?? false
    }

    /// - Throws: a problem if the definitions have errors.
    func definitions() throws(FileError) -> Definitions {
        if let error = report.diagnostics.first { throw cannotCompare(error) }
        return analysis.definitions
    }

    /// The errors that leave the definitions incomplete.
    var report: Report {
        func errors(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
            diagnostics.filter { $0.severity == .error && !$0.rule.isAdjustable }
        }
        var report = Report(files: analysis.definitions.files, diagnostics: errors(analysis.diagnostics))
        // A module that is not found has definitions that are not read.
        if let configuration, !configuration.modules.isEmpty, var source = configuration.source {
            source.path = "\(name):\(source.path)"
            report.add(files: [source], diagnostics: errors(configuration.diagnostics))
        }
        return report
    }

    func cannotCompare(_ error: Diagnostic) -> FileError {
        let file = report.files[error.place.file]
        let line = file.source.position(at: error.place.range.lowerBound).line
        return FileError(
            "cannot compare with `\(name)`, whose definitions have errors: \(file.path):\(line): \(error.message)")
    }

    /// Returns the consumers of data in the revision; nil if it has none.
    /// - Parameters:
    ///   - paths: the paths; without one, those of `consumers` in the revision's loggen.yml.
    ///   - exchange: the results of the reader in Python for the consumers after the change.
    func consumers(
        at paths: [String], of tables: LoggedTables, calling model: Model, _ terminal: Terminal,
        exchange: (input: [UInt8], output: [UInt8])?
    ) async throws(FileError) -> ConsumerGraph? {
        guard let session else { return nil }
        let paths = paths.isEmpty ? session.configuration.consumers : paths
        let places = paths.compactMap { repository.path(of: $0) }.filter { place in
            tree.paths.contains { FileSystem.isFolder(place, at: $0) }
        }
        guard !places.isEmpty else { return nil }
        try tree.write { path in places.contains { FileSystem.isFolder($0, at: path) } }
        return try await tree.inside { () async throws(FileError) in
            var reader = try session.consumers(
                at: places.map { repository.pathFromHere($0) }, of: tables, calling: model, terminal,
                exchange: exchange)
            return try reader.graph()
        }
    }

    // MARK: Places

    /// The folders of a session's definitions, from the top of the repository, with links followed.
    func places(of session: Session) -> [String] {
        session.folders.compactMap { repository.path(of: FileSystem.resolved($0)) }.map { $0.isEmpty ? "." : $0 }
    }

    /// - Returns: the session in the revision, if it has definitions, and the folder that was moved since, if one was.
    private static func read(_ session: Session, in tree: GitTree) async throws(FileError) -> (Session?, String?) {
        var (paths, former): ([String], String?) = ([], nil)
        for path in session.paths {
            guard let place = tree.repository.path(of: path) else { continue }
            try tree.checkWay(to: place)
            guard let folder = try Self.folderOrFormerFolder(at: place, path, of: session, in: tree) else { continue }
            let inTree = String(decoding: folder.utf8.dropFirst(tree.top.utf8.count + 1), as: UTF8.self)
            paths.append(tree.repository.pathFromHere(inTree))
            if folder != tree.path(place), FileSystem.kind(path) == .directory { former = paths.last }
        }
        guard !paths.isEmpty else { return (nil, nil) }
        let options = optionsInCopy(of: session, in: tree)
        let sessions = try await tree.inside { () async throws(FileError) in
            try await Session.start(
                paths, options: options, readsLock: true, terminal: Terminal(color: .never, isQuiet: true))
        }
        guard sessions.count < 2 else {
            let roots = sessions.map { "`\($0.root)`" }.joined(separator: ", ")
            throw FileError("\(roots) are separate definition folders there; run this command for each")
        }
        return (sessions.first, former)
    }

    private static func folderOrFormerFolder(at place: String, _ path: String, of session: Session, in tree: GitTree)
        throws(FileError) -> String?
    {
        let copy = tree.path(place)
        if let folder = DefinitionFolder.holding(copy) { return folder }
        // The events of a new module may be from another one. The folder of all modules has them.
        let root = session.modules.isEmpty ? nil : tree.repository.path(of: session.root).map(tree.path)
        let vocabulary = root.flatMap { DefinitionFolder.isMarked($0) ? $0 : nil }
        guard FileSystem.kind(path) == .directory else {
            return try DefinitionFolder.marked(above: copy, session.options)
                ?? (FileSystem.kind(copy) == .file ? copy : vocabulary)
        }
        // The folder that has the PATH's definitions now may have had them above or elsewhere.
        let above = try DefinitionFolder.marked(above: joined(copy, "x.md"), session.options).flatMap { folder in
            let place = String(decoding: folder.utf8.dropFirst(tree.top.utf8.count + 1), as: UTF8.self)
            return DefinitionFolder.isMarked(joined(tree.repository.top, place)) ? nil : folder
        }
        return above ?? vocabulary ?? formerFolder(of: session, in: tree).map(tree.path)
    }

    /// Returns the folder that only the revision has and that shares the most file names, if any. A link may be in its
    /// place.
    private static func formerFolder(of session: Session, in tree: GitTree) -> String? {
        let documents = session.analysis.definitions.files.map(\.relativePath)
        var shared: [String: Int] = [:]
        func isGone(_ path: String) -> Bool {
            let now = joined(tree.repository.top, path)
            return FileSystem.kind(now) == nil || tree.repository.path(of: FileSystem.resolved(now)) != path
        }
        for path in tree.paths {
            for document in documents where ("/" + path).utf8.reversed().starts(with: ("/" + document).utf8.reversed())
            {
                guard isGone(path) else { continue }
                let folder = String(decoding: path.utf8.dropLast(document.utf8.count + 1), as: UTF8.self)
                shared[folder, default: 0] += 1
            }
        }
        return shared.filter { isGone($0.key) || DefinitionFolder.holding(joined(tree.repository.top, $0.key)) == nil }
            .max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    private static func optionsInCopy(of session: Session, in tree: GitTree) -> ProjectOptions {
        func here(_ path: String) -> String {
            tree.repository.path(of: path).map(tree.repository.pathFromHere) ?? FileSystem.resolved(path)
        }
        func exists(_ path: String) -> Bool { FileSystem.kind(joined(tree.folder, path)) != nil }
        var options = session.options
        options.config = options.config.map(here).flatMap { exists($0) ? $0 : nil }
        options.exclude = options.exclude.map(here)
        options.modules = options.modules.mapValues(here)
        // A module that was elsewhere is searched.
        if !options.modules.values.allSatisfy(exists) { options.modules = [:] }
        return options
    }
}

extension LockFile {
    /// Reports the lines that the lock file at a path has lost since the latest tag before `HEAD`. Without git, or
    /// without a tag or a lock file in it, nothing is reported.
    mutating func reportLinesLostSinceRelease(at path: String) {
        let place = ["-C", LogProject.folder(of: path)]
        guard let tag = try? GitRepository.run(place + ["describe", "--tags", "--abbrev=0"]).line,
            let bytes = try? GitRepository.run(place + ["cat-file", "blob", "refs/tags/\(tag):./\(LockFile.fileName)"])
        else { return }
        let source = SourceFile(path: "\(tag):\(path)", relativePath: LockFile.fileName, source: SourceText(bytes))
        reportLines(lostSince: LockFile(source), named: tag)
    }
}

struct Release {
    var tag: String
    /// The full names (`category.event`) of all events in the release, including retired ones.
    var events: Set<String>

    /// The release at the latest tag before a commit, for a session's folder; nil without a tag. A shallow clone, which
    /// may lack the tag, is an error.
    ///
    /// - Parameter isWhole: whether to throw errors in the release's files. If not, the readable ones are used.
    static func latest(for session: Session, before commit: String = "HEAD", isWhole: Bool = true)
        async throws(FileError) -> Release?
    {
        let repository = try GitRepository(holding: session.paths.first ?? session.root)
        guard let tag = try? repository.git(["describe", "--tags", "--abbrev=0", commit]).line else {
            guard repository.isShallow else { return nil }
            throw FileError(
                "this clone is shallow, so its latest release is unknown: fetch tags and history "
                    + "(`git fetch --unshallow --tags`)")
        }
        let before = try await BaseRevision("refs/tags/" + tag, of: session)
        let definitions = isWhole ? try before.definitions() : before.analysis.definitions
        var events = Set(definitions.eventNames)
        if let lock = before.lock { events.formUnion(lock.latest.entries.keys) }
        return Release(tag: tag, events: events)
    }
}
