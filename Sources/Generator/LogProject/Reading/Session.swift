package import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// One vocabulary of a run: everything found, read and checked.
///
/// A run has one for each definition folder that its PATHs name. If they name only some files of a folder, all of the
/// folder is read, but reports and outputs are about those files only.
package struct Session {
    package let options: ProjectOptions
    package let configuration: Configuration
    package let analysis: Analysis
    /// The versions of events, from the lock file.
    package private(set) var versions: Versions
    /// The lock file, if the command reads it and there is one.
    package private(set) var lock: LockFile?
    /// How the run's definitions differ from the lock file. Nil if there is no readable lock file, or if the
    /// definitions have errors.
    package private(set) var drift: Drift?
    /// The documents that the PATHs name, by index of the analysis' files.
    package let given: Set<Int>
    /// The folder of the documents and of the lock file; if there are modules, that of their `loggen.yml`.
    package let root: String
    /// The modules that have the documents; empty if the folder itself has them.
    package let modules: [ModuleFolder]
    /// Whether folders below belong to it.
    package let isDeep: Bool
    /// Whether the folder itself was given. If so, things that it no longer has are reported, too.
    package let isFolderGiven: Bool

    /// Whether the run is about all of the folder.
    package var isWhole: Bool { readsAllModules && given.count == analysis.definitions.files.count }
    /// Only the definition files, without a configuration.
    package var fileCount: Int { given.count }

    /// Finds, reads and checks everything, each definition folder by itself. Throws only problems that end a run with
    /// exit code 2.
    package static func start(
        _ paths: [String], options: ProjectOptions, today: CalendarDate? = nil, readsLock: Bool = false,
        terminal: Terminal
    ) async throws(FileProblem) -> [Session] {
        var sessions: [Session] = []
        for folder in try DefinitionFolder.find(paths, options) {
            sessions.append(try await read(folder, options, today: today, readsLock: readsLock, terminal))
        }
        return sessions
    }

    /// The documents under the PATHs as one vocabulary, wherever they are. This is for tapgen, which reads the
    /// definitions of several modules.
    package static func asOne(_ paths: [String], options: ProjectOptions, terminal: Terminal) async throws(FileProblem)
        -> Session
    {
        let first = FileSystem.kind(paths[0]) == .directory ? normalized(paths[0]) : folder(of: normalized(paths[0]))
        let configuration = try DefinitionFolder.configuration(in: first, options)
        var paths = paths
        if let definitions = configuration.definitions, let folder = configuration.path.map(folder) {
            paths = paths.map { normalized($0) == normalized(folder) ? definitions : $0 }
        }
        let documents = try Sources.find(paths).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return try await read(
            DefinitionFolder(
                root: first, configuration: configuration, documents: documents, isDeep: true, isGiven: true), options,
            today: nil,
            readsLock: false, terminal)
    }

    private static func read(
        _ folder: DefinitionFolder, _ options: ProjectOptions, today: CalendarDate?, readsLock: Bool,
        _ terminal: Terminal
    ) async throws(FileProblem) -> Session {
        terminal.progress("loggen: reading \(folder.documents.count) files")
        let files = try await Sources.read(folder.documents)
        terminal.progress("loggen: checking \(files.count) files")
        async let readLock = readsLock ? Self.lock(in: folder.root) : .success(nil)
        var memory = Analysis.Memory()
        let session = await Session(folder, files, options, today: today, memory: &memory)
        var drift = Drift.Memory()
        return await session.compared(with: try await readLock.get(), memory: &drift)
    }

    /// A folder whose documents have been read, in the order of their paths.
    init(
        _ folder: DefinitionFolder, _ files: [SourceFile], _ options: ProjectOptions, today: CalendarDate?,
        memory: inout Analysis.Memory
    ) async {
        var configuration = folder.configuration
        configuration.analysis.today = today
        var analysis = await Analysis.run(files, options: configuration.analysis, memory: &memory)
        analysis.explainUnknownTypes(
            ofUnread: configuration.modules.map(\.name).filter { name in !folder.modules.contains { $0.name == name } })
        analysis.definitions.samplingKey = configuration.samplingKey?.name
        self.analysis = analysis
        configuration.checkSamplingKey(analysis.definitions)
        configuration.checkOutputs(analysis.definitions)
        self.options = options
        self.configuration = configuration
        versions = Versions()
        lock = nil
        drift = nil
        // The analysis keeps the order of the documents, which is the order of their paths.
        given = Set(folder.documents.indices.filter { folder.documents[$0].isGiven })
        root = folder.root
        modules = folder.modules
        isDeep = folder.isDeep
        isFolderGiven = folder.isGiven
    }

    /// The session with what the lock file says of it.
    func compared(with lock: LockFile?, memory: inout Drift.Memory) async -> Session {
        var session = self
        session.lock = lock
        guard let lock, lock.diagnostics.isEmpty, diagnostics.allSatisfy({ $0.severity != .error }) else {
            return session
        }
        let compared = await Drift.between(
            lock.latest, and: analysis.definitions, scope: session.scope, memory: &memory)
        session.versions = compared.versions
        session.drift = concerned(compared.drift)
        return session
    }

    /// Whether nothing is missing: a package of a monorepo knows only its own modules.
    private var readsAllModules: Bool { configuration.modules.count == modules.count }

    /// Where events of a baseline count as deleted if they are gone. A category of which nothing was read may be that of a module that was not
    /// read.
    package var scope: Drift.Scope { readsAllModules ? .everything : .givenCategories }

    /// The folders that documents are searched in.
    package var folders: [String] { configuration.modules.isEmpty ? [root] : modules.map(\.path) }

    package var lockPath: String { joined(root, LockFile.fileName) }

    static func lock(in root: String) -> Result<LockFile?, FileProblem> {
        let path = joined(root, LockFile.fileName)
        guard FileSystem.kind(path) != nil else { return .success(nil) }
        do throws(FileProblem) {
            let source = SourceText(try FileSystem.read(path))
            return .success(LockFile(SourceFile(path: path, relativePath: LockFile.fileName, source: source)))
        } catch {
            return .failure(error)
        }
    }

    // MARK: What the run is about

    /// The definitions, with only those categories that the run is about.
    package var definitions: Definitions {
        guard !isWhole else { return analysis.definitions }
        var definitions = analysis.definitions
        definitions.categories.removeAll { !given.contains($0.file) }
        return definitions
    }

    /// What outputs are made from.
    package var model: Model {
        Model(
            analysis.definitions, versions: versions, repository: configuration.repository, lock: lock)
    }

    /// Whether documents that the run is not about have errors. If so, outputs that need all documents cannot be made.
    package var hasErrorsElsewhere: Bool {
        analysis.diagnostics.contains { $0.severity == .error && !concerns($0) }
    }

    /// Problems of the documents that the run is about. Also errors of `common.md` and `types.md`, because the
    /// documents build on them.
    private var diagnostics: [Diagnostic] {
        isWhole ? analysis.diagnostics : analysis.diagnostics.filter(concerns)
    }

    private func concerns(_ diagnostic: Diagnostic) -> Bool {
        let files = analysis.definitions.files
        if given.contains(diagnostic.place.file) { return true }
        if diagnostic.severity == .error, ["common", "types"].contains(files[diagnostic.place.file].stem) {
            return true
        }
        return diagnostic.notes.contains { $0.place.map { given.contains($0.file) } ?? false }
    }

    /// The part of a drift that the run is about: events of its files, and events that are affected by changes of
    /// `common.md` and `types.md`.
    package func concerned(_ drift: Drift) -> Drift {
        guard !isFolderGiven else { return drift }
        let definitions = analysis.definitions
        let names = Set(definitions.categories.filter { given.contains($0.file) }.map(\.name))
        let isCommonGiven = definitions.common.map { given.contains($0.file) } ?? false
        let areTypesGiven = definitions.typesFile.map { given.contains($0) } ?? false
        var concerned = drift
        concerned.events.removeAll { event in
            if given.contains(definitions.categories[event.category].file) { return false }
            return !event.changes.contains { change in
                switch change.subject {
                case .event, .column: false
                case .commonColumns, .commonColumn: isCommonGiven
                case .type: areTypesGiven
                }
            }
        }
        concerned.deleted.removeAll { !names.contains(String($0.prefix { $0 != "." })) }
        return concerned
    }

    /// All problems: first those of documents, then those of the configuration, then those that the caller adds.
    package var report: Report { report(ofAllOutputs: false) }

    /// - Parameter ofAllOutputs: whether an output that `loggen.yml` names and nobody asks for now must have what it needs.
    package func report(ofAllOutputs: Bool) -> Report {
        var report = Report(files: analysis.definitions.files, diagnostics: diagnostics)
        if let source = configuration.source {
            report.add(
                files: [source],
                diagnostics: configuration.diagnostics + (ofAllOutputs ? configuration.unfinishedOutputs() : []))
        }
        if let lock { report.add(files: [lock.file], diagnostics: lock.diagnostics + (drift?.diagnostics ?? [])) }
        return report
    }
}

extension Analysis {
    /// A build reads those modules alone that a target depends on. A type of another one is unknown there, and `types.md` does not lack it.
    fileprivate mutating func explainUnknownTypes(ofUnread modules: [String]) {
        guard !modules.isEmpty else { return }
        let names = modules.map { "`\($0)`" }.joined(separator: ", ")
        for index in diagnostics.indices where diagnostics[index].rule == .unknownType {
            diagnostics[index].notes.removeAll { $0.kind == .help && definitions.typesFile == nil }
            diagnostics[index].notes.append(
                .help(
                    "if it is a type of \(names), add that target to the `dependencies` of this one: only what a target depends on is read"
                ))
        }
    }
}

extension [Session] {
    /// All problems, one definition folder after the other.
    package var report: Report {
        var report = Report()
        for session in self { report.add(session.report) }
        return report
    }

    /// - Parameter ofAllOutputs: as in `Session.report(ofAllOutputs:)`.
    package func report(ofAllOutputs: Bool) -> Report {
        var report = Report()
        for session in self { report.add(session.report(ofAllOutputs: ofAllOutputs)) }
        return report
    }
}

extension Configuration {
    /// Settings of outputs name what documents have.
    mutating func checkOutputs(_ definitions: Definitions) {
        for (name, output) in outputs ?? [] {
            for problem in registry.unknownNames(in: definitions, of: name, settings: output.settings) {
                diagnostics.append(
                    Diagnostic(
                        .configuration, problem.message, at: Place(file: 0, range: problem.range),
                        notes: problem.help.map { [.help($0)] } ?? []))
            }
        }
    }

    /// What `loggen.yml` leaves out of outputs of ours. One that it misspells is a warning: a run's `--templates` may have it.
    func unfinishedOutputs() -> [Diagnostic] {
        // A setting with a wrong value is not there.
        guard diagnostics.allSatisfy({ $0.severity != .error }) else { return [] }
        let problems = unfinishedOutputs(in: registry)
        // Templates of the user's may stand in the place of ours. They are read only if that matters.
        var ofTemplates = Report()
        guard !problems.isEmpty, templates != nil,
            let registry = (try? UserTemplates.read(templates))?.added(to: registry, report: &ofTemplates)
        else {
            return problems
        }
        return unfinishedOutputs(in: registry)
    }

    private func unfinishedOutputs(in registry: OutputRegistry) -> [Diagnostic] {
        (outputs ?? []).flatMap { name, output in
            if let known = registry.output(named: name) { return known.missing(in: output.settings).diagnostics }
            guard let nearest = nearestSpelling(of: name, among: registry.names) else { return [] }
            var problem = Diagnostic(
                .configuration, "there is no output `\(name)`", at: Place(file: 0, range: output.settings.range),
                notes: [.help("did you mean `\(nearest)`?")])
            problem.severity = .warning
            return [problem]
        }
    }

    /// `sampling-key` must name a common column. Otherwise samples could not be taken by it.
    package mutating func checkSamplingKey(_ definitions: Definitions) {
        guard let samplingKey, !diagnostics.contains(where: { $0.place.range == samplingKey.range }) else { return }
        let names = definitions.common?.columns.filter { $0.status != .retired }.map(\.name) ?? []
        guard !names.contains(samplingKey.name) else { return }
        let nearest = nearestSpelling(of: samplingKey.name, among: names)
        diagnostics.append(
            Diagnostic(
                .configuration, "`sampling-key` names no common column: `\(samplingKey.name)`",
                at: Place(file: 0, range: samplingKey.range),
                notes: [.help(nearest.map { "did you mean `\($0)`?" } ?? "name a column of `common.md`")]))
    }
}
