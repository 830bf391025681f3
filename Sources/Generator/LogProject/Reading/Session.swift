package import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// One vocabulary of a run, read and checked.
///
/// A run has one session per definition folder. If its PATHs name only some files of a folder, the whole folder is
/// read, but reports and outputs contain only those files.
package struct Session {
    package let options: ProjectOptions
    package let configuration: Configuration
    package private(set) var analysis: Analysis
    /// The versions of events from the lock file.
    package private(set) var versions: Versions
    /// The lock file; nil if it does not exist or the command does not read it.
    package private(set) var lock: LockFile?
    /// The differences between the definitions and the lock file. Nil if the lock file is missing, unreadable or not
    /// requested, or if the definitions have errors.
    package private(set) var drift: Drift?
    /// The definition files that the PATHs name, as indices into the files of the analysis.
    package let given: Set<Int>
    /// The folder of the definition files and of the lock file. With modules, it is the folder of `loggen.yml`.
    package let root: String
    /// The modules that contain the definition files; empty without modules.
    package let modules: [ModuleFolder]
    /// The PATHs of the run that belong to the folder.
    package let paths: [String]
    /// Indicates whether the folder's subfolders are read.
    package let isDeep: Bool
    /// Indicates whether a PATH is the folder itself. If so, the run also reports deleted events of the folder.
    package let isFolderGiven: Bool

    /// Indicates whether the run covers the whole folder.
    package var isWhole: Bool { readsAllModules && given.count == analysis.definitions.files.count }
    /// The number of definition files that the run covers.
    package var fileCount: Int { given.count }

    /// Finds, reads and checks each definition folder.
    /// - Throws: only problems that end a run with exit code 2.
    package static func start(
        _ paths: [String], options: ProjectOptions, today: String? = nil, readsLock: Bool = false,
        terminal: Terminal
    ) async throws(FileError) -> [Session] {
        var sessions: [Session] = []
        for folder in try DefinitionFolder.find(paths, options) {
            sessions.append(try await read(folder, options, today: today, readsLock: readsLock, terminal))
        }
        return sessions
    }

    /// Reads the definition files of all PATHs as one vocabulary. `tapgen` calls this function to read several modules.
    package static func asOne(_ paths: [String], options: ProjectOptions, terminal: Terminal) async throws(FileError)
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
        _ folder: DefinitionFolder, _ options: ProjectOptions, today: String?, readsLock: Bool,
        _ terminal: Terminal
    ) async throws(FileError) -> Session {
        terminal.progress("loggen: reading \(folder.documents.count) files")
        let files = try await Sources.read(folder.documents)
        terminal.progress("loggen: checking \(files.count) files")
        async let readLock = readsLock ? Self.lock(in: folder.root) : .success(nil)
        var memory = Analysis.Memory()
        var session = await Session(folder, files, options, today: today, memory: &memory)
        guard readsLock else {
            session.checkNames(since: try? Self.lock(in: folder.root).get())
            return session
        }
        var drift = Drift.Memory()
        return await session.compared(with: try await readLock.get(), memory: &drift)
    }

    /// Checks a folder whose files have been read, in the order of their paths.
    init(
        _ folder: DefinitionFolder, _ files: [SourceFile], _ options: ProjectOptions, today: String?,
        memory: inout Analysis.Memory
    ) async {
        var configuration = folder.configuration
        configuration.analysis.today = today
        configuration.analysis.typesFolder = folder.modules.first?.path
        var analysis = await Analysis.run(files, options: configuration.analysis, memory: &memory)
        analysis.explainUnknownTypes(
            ofUnread: configuration.modules.map(\.name).filter { name in !folder.modules.contains { $0.name == name } })
        analysis.definitions.samplingKey = configuration.samplingKey.map {
            analysis.definitions.currentName(ofCommonColumn: $0.name)
        }
        self.analysis = analysis
        configuration.checkSamplingKey(analysis.definitions)
        configuration.checkOutputs(analysis.definitions)
        self.options = options
        self.configuration = configuration
        versions = Versions()
        lock = nil
        drift = nil
        // The analysis keeps the files in the order of their paths, so the indices match.
        given = Set(folder.documents.indices.filter { folder.documents[$0].isGiven })
        root = folder.root
        modules = folder.modules
        paths = folder.paths
        isDeep = folder.isDeep
        isFolderGiven = folder.isGiven
    }

    func compared(with lock: LockFile?, memory: inout Drift.Memory) async -> Session {
        var session = self
        session.lock = lock
        session.checkNames(since: lock)
        guard let lock, lock.diagnostics.isEmpty, diagnostics.allSatisfy({ $0.severity != .error }) else {
            return session
        }
        let compared = await Drift.between(
            lock.latest, and: analysis.definitions, scope: session.scope, memory: &memory)
        session.versions = compared.versions
        session.drift = concerned(compared.drift)
        return session
    }

    private mutating func checkNames(since lock: @autoclosure () -> LockFile?) {
        let hasFormerNames = analysis.definitions.hasFormerNames
        guard hasFormerNames || analysis.diagnostics.contains(where: { $0.rule == .columnType }) else { return }
        let lock = lock()
        if let lock { analysis.blameChangedColumns(since: lock.latest) }
        if hasFormerNames, lock?.diagnostics.isEmpty ?? true { analysis.checkFormerNames(since: lock?.latest) }
    }

    /// Indicates whether the run reads all modules. A package of a monorepo sees only its own ones.
    private var readsAllModules: Bool { configuration.modules.count == modules.count }

    /// The scope in which missing events of a baseline count as deleted. If some modules were not read, a missing
    /// category may belong to one of them.
    package var scope: Drift.Scope { readsAllModules ? .everything : .givenCategories }

    /// The folders that are searched for definition files.
    package var folders: [String] { configuration.modules.isEmpty ? [root] : modules.map(\.path) }

    package var lockPath: String { joined(root, LockFile.fileName) }

    static func lock(in root: String) -> Result<LockFile?, FileError> {
        let path = joined(root, LockFile.fileName)
        do throws(FileError) {
            guard try FileSystem.isThere(path) else { return .success(nil) }
            let source = SourceText(try FileSystem.read(path))
            return .success(LockFile(SourceFile(path: path, relativePath: LockFile.fileName, source: source)))
        } catch {
            return .failure(error)
        }
    }

    // MARK: Scope of the run

    /// The definitions, with only the categories that the run covers.
    package var definitions: Definitions {
        guard !isWhole else { return analysis.definitions }
        var definitions = analysis.definitions
        definitions.categories.removeAll { !given.contains($0.file) }
        return definitions
    }

    /// The input of the outputs.
    package var model: Model {
        Model(
            analysis.definitions, versions: versions, repository: configuration.repository, lock: lock)
    }

    /// Indicates whether definition files outside the run's scope have errors. If so, outputs that need all definition
    /// files cannot be generated.
    package var hasErrorsElsewhere: Bool {
        analysis.diagnostics.contains { $0.severity == .error && !concerns($0) }
    }

    /// The diagnostics of the run's files, and errors of `common.md` and `types.md`, on which these files depend.
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

    /// The part of a drift in the run's scope: events of its files, and those affected by `common.md` or `types.md`.
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
        concerned.deleted.removeAll { name in
            ![name, drift.renames[name] ?? name].contains { names.contains($0.eventNameParts.category) }
        }
        return concerned
    }

    /// All diagnostics: those of the definition files, then those of the configuration and the lock file.
    package var report: Report { report(ofAllOutputs: false) }

    /// Returns all diagnostics.
    /// - Parameter ofAllOutputs: whether to report missing settings of outputs that this run does not generate.
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
    /// Explains unknown types: a build reads only the modules that a target depends on, not the types of others.
    fileprivate mutating func explainUnknownTypes(ofUnread modules: [String]) {
        guard !modules.isEmpty else { return }
        let names = modules.map { "`\($0)`" }.joined(separator: ", ")
        for index in diagnostics.indices where diagnostics[index].rule == .unknownType {
            diagnostics[index].notes.removeAll { $0.kind == .help && definitions.typesFile == nil }
            diagnostics[index].notes.append(
                .help(
                    "if it is a type of \(names), add that target to the `dependencies` of this one: "
                        + "only a target's dependencies are read"
                ))
        }
    }
}

extension [Session] {
    /// Returns the only session of a command that takes one definition folder.
    package func only(for command: String) throws(FileError) -> Session {
        guard count == 1, let first else {
            throw FileError(
                "\(map { "`\($0.root)`" }.joined(separator: ", ")) are separate definition folders; "
                    + "run `\(command)` for each")
        }
        return first
    }

    /// All diagnostics, by definition folder.
    package var report: Report { report(ofAllOutputs: false) }

    /// Returns all diagnostics, by definition folder.
    /// - Parameter ofAllOutputs: as in `Session.report(ofAllOutputs:)`.
    package func report(ofAllOutputs: Bool) -> Report {
        var report = Report()
        for session in self { report.add(session.report(ofAllOutputs: ofAllOutputs)) }
        return report
    }
}

extension Configuration {
    /// Reports settings of outputs with names of events or columns that the definitions do not contain.
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

    /// Returns errors for outputs in `loggen.yml` without required settings, and warnings for unknown outputs with a
    /// name similar to a known one. An unknown output is not an error, because a run with `--templates` may define it.
    func unfinishedOutputs() -> [Diagnostic] {
        // A setting with an invalid value is absent and would be reported as missing.
        guard diagnostics.allSatisfy({ $0.severity != .error }) else { return [] }
        let problems = unfinishedOutputs(in: registry)
        // Custom templates may replace built-in outputs. The templates are read only if there are problems.
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
                .configuration, "unknown output `\(name)`", at: Place(file: 0, range: output.settings.range),
                notes: [.help("did you mean `\(nearest)`?")])
            problem.severity = .warning
            return [problem]
        }
    }

    /// Reports a `sampling-key` that is not the name of a common column.
    package mutating func checkSamplingKey(_ definitions: Definitions) {
        guard let samplingKey, !diagnostics.contains(where: { $0.place.range == samplingKey.range }) else { return }
        let names = definitions.common?.columns.filter { $0.status != .retired }.map(\.name) ?? []
        guard !names.contains(definitions.currentName(ofCommonColumn: samplingKey.name)) else { return }
        let nearest = nearestSpelling(of: samplingKey.name, among: names)
        diagnostics.append(
            Diagnostic(
                .configuration, "`sampling-key` is not a common column: `\(samplingKey.name)`",
                at: Place(file: 0, range: samplingKey.range),
                notes: [.help(nearest.map { "did you mean `\($0)`?" } ?? "name a column of `common.md`")]))
    }
}
