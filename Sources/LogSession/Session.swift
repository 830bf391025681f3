package import LogDefinitions
import LogEmission
import MarkdownSyntax

/// One run over definitions: what was found, read and checked.
package struct Session {
    package let terminal: Terminal
    package let options: CommonOptions
    package let configuration: Configuration
    package let analysis: Analysis
    /// The lock file, where the command reads it and there is one.
    package let lock: LockFile?
    /// How the definitions differ from the lock file; nil where there is none that can be read, or the definitions have errors.
    package let drift: Drift?
    /// Definition files alone, without configuration.
    package let fileCount: Int
    /// Where the definitions are: the PATHs, or what `loggen.yml` names in place of its own folder.
    package let paths: [String]
    /// The folder of the first of them.
    package let root: String

    /// Finds, reads and checks everything; throws only what ends a run with exit code 2.
    package static func start(
        _ paths: [String], options: CommonOptions, today: CalendarDate? = nil, readsLock: Bool = false, terminal: Terminal
    ) async throws(FileProblem) -> Session {
        var configuration = try Self.configuration(named: options.config, root: Self.root(of: paths))
        var paths = paths
        if let definitions = configuration.definitions, let folder = configuration.path.map(folder) {
            paths = paths.map { normalized($0) == normalized(folder) ? definitions : $0 }
        }
        let found = try Sources.find(paths)
        let root = Self.root(of: paths)
        configuration.analysis.today = today
        terminal.progress("loggen: reading \(found.count) files")
        let files = try await Sources.read(found)
        terminal.progress("loggen: checking \(files.count) files")
        async let readLock = readsLock ? Self.lock(in: root) : .success(nil)
        var analysis = await Analysis.run(files, options: configuration.analysis)
        configuration.checkSamplingKey(analysis.definitions)
        analysis.definitions.samplingKey = configuration.samplingKey?.name
        let lock = try await readLock.get()
        var drift: Drift?
        if let lock, lock.diagnostics.isEmpty, !analysis.hasErrors {
            let compared = await Drift.between(lock.latest, and: analysis.definitions, scope: Self.scope(paths))
            analysis.definitions.setVersions(compared.versions)
            drift = compared.drift
        }
        return Session(
            terminal: terminal, options: options, configuration: configuration, analysis: analysis, lock: lock, drift: drift,
            fileCount: files.count, paths: paths, root: root)
    }

    private static func root(of paths: [String]) -> String {
        FileSystem.kind(paths[0]) == .directory ? normalized(paths[0]) : folder(of: normalized(paths[0]))
    }

    /// A folder holds all definitions that its lock file speaks of; files on their own may be some of them.
    private static func scope(_ paths: [String]) -> Drift.Scope {
        FileSystem.kind(paths[0]) == .directory ? .everything : .givenCategories
    }

    package var scope: Drift.Scope { Self.scope(paths) }

    package var lockPath: String { joined(root, LockFile.fileName) }

    private static func lock(in root: String) -> Result<LockFile?, FileProblem> {
        let path = joined(root, LockFile.fileName)
        guard FileSystem.kind(path) != nil else { return .success(nil) }
        do throws(FileProblem) {
            let source = SourceText(try FileSystem.read(path))
            return .success(LockFile(SourceFile(path: path, relativePath: LockFile.fileName, source: source)))
        } catch {
            return .failure(error)
        }
    }

    private static func configuration(named path: String?, root: String) throws(FileProblem) -> Configuration {
        if let path { return try Configuration(path: path) }
        let path = joined(root, Configuration.fileName)
        return FileSystem.kind(path) == .file ? try Configuration(path: path) : Configuration()
    }

    /// Everything wrong, documents first, then configuration, then what the caller adds.
    package var report: Report {
        var report = Report(files: analysis.definitions.files, diagnostics: analysis.diagnostics)
        if let source = configuration.source { report.add(files: [source], diagnostics: configuration.diagnostics) }
        if let lock { report.add(files: [lock.file], diagnostics: lock.diagnostics + (drift?.diagnostics ?? [])) }
        return report
    }
}

/// Diagnostics with the files they speak of.
package struct Report {
    package private(set) var files: [SourceFile]
    package private(set) var diagnostics: [Diagnostic]

    package init(files: [SourceFile] = [], diagnostics: [Diagnostic] = []) {
        self.files = files
        self.diagnostics = diagnostics
    }

    package var errors: Int { diagnostics.count { $0.severity == .error } }
    package var warnings: Int { diagnostics.count { $0.severity == .warning } }

    /// Adds diagnostics whose places count from the first of `files`.
    package mutating func add(files new: [SourceFile], diagnostics added: [Diagnostic]) {
        let offset = files.count
        files += new
        diagnostics += added.map { diagnostic in
            var moved = diagnostic
            moved.place.file += offset
            for index in moved.notes.indices { moved.notes[index].place?.file += offset }
            return moved
        }
    }

    /// Shows everything in the form asked for: text on standard error, anything else on standard output.
    package func show(_ format: DiagnosticFormat, on terminal: Terminal) {
        switch format {
        case .text:
            let text = DiagnosticText(files: files, usesColor: terminal.usesColor)
            terminal.error(diagnostics.map { text.render($0) }.joined())
        case .json: terminal.out(DiagnosticReports(files: files).json(diagnostics))
        case .github: terminal.out(DiagnosticReports(files: files).github(diagnostics))
        case .sarif: terminal.out(DiagnosticReports(files: files).sarif(diagnostics))
        }
    }

    /// `2 errors and 1 warning`; nil when there is nothing.
    package var count: String? {
        func counted(_ number: Int, _ word: String) -> String? {
            number == 0 ? nil : "\(number) \(word)\(number == 1 ? "" : "s")"
        }
        let parts = [counted(errors, "error"), counted(warnings, "warning")].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " and ")
    }
}

/// Files on disk that a run reads.
package enum Sources {
    package struct Found {
        package var path: String
        package var relativePath: String
        /// Whether another path may lead to the same file.
        package var isLink = false
    }

    /// What files hold, by their names.
    package enum Kind {
        /// `*.md`, without `README.md`.
        case definitions
        /// `*.swift`
        case swift

        fileprivate func has(_ name: String) -> Bool {
            switch self {
            case .definitions: name.hasSuffix(".md") && name != "README.md"
            case .swift: name.hasSuffix(".swift")
            }
        }

        fileprivate func nothing(in path: String) -> FileProblem {
            switch self {
            case .definitions: FileProblem("no definitions in `\(path)`: it holds no `*.md` file beside README.md")
            case .swift: FileProblem("no sources in `\(path)`: it holds no `*.swift` file")
            }
        }
    }

    /// The files under files and folders, without hidden ones, bytewise by path; each once.
    package static func find(_ paths: [String], _ kind: Kind = .definitions) throws(FileProblem) -> [Found] {
        var found: [Found] = []
        for path in paths {
            switch FileSystem.kind(path) {
            case .directory:
                let root = normalized(path)
                var inFolder: [Found] = []
                try walk(root == "." ? "" : root, relative: "", kind, into: &inFolder)
                if inFolder.isEmpty { throw kind.nothing(in: path) }
                found += inFolder
            case .file: found.append(Found(path: normalized(path), relativePath: path.split(separator: "/").last.map(String.init) ?? path))
            case .link, .other: throw FileProblem("cannot read `\(path)`: it is neither a file nor a folder")
            case nil: throw FileProblem("cannot read `\(path)`: there is no such file or folder")
            }
        }
        guard paths.count > 1 || found.contains(where: \.isLink) else { return found }
        var seen: Set<FileSystem.Identity> = []
        return found.filter { file in FileSystem.identity(file.path).map { seen.insert($0).inserted } ?? true }
    }

    private static func walk(_ folder: String, relative: String, _ kind: Kind, into found: inout [Found]) throws(FileProblem) {
        for entry in try FileSystem.entries(folder.isEmpty ? "." : folder) where !entry.name.hasPrefix(".") {
            let path = joined(folder, entry.name)
            let relativePath = relative.isEmpty ? entry.name : relative + "/" + entry.name
            switch entry.kind ?? FileSystem.kind(path, followingLinks: false) {
            case .directory: try walk(path, relative: relativePath, kind, into: &found)
            case .file where kind.has(entry.name): found.append(Found(path: path, relativePath: relativePath))
            // A link to a folder may lead back up.
            case .link where kind.has(entry.name) && FileSystem.kind(path) == .file:
                found.append(Found(path: path, relativePath: relativePath, isLink: true))
            default: break
            }
        }
    }

    package static func read(_ found: [Found]) async throws(FileProblem) -> [SourceFile] {
        let results = await inParallel(sizes: found.map { _ in 4096 }) { index -> Result<SourceFile, FileProblem> in
            let file = found[index]
            do throws(FileProblem) {
                let source = SourceText(try FileSystem.read(file.path))
                return .success(SourceFile(path: file.path, relativePath: file.relativePath, source: source))
            } catch {
                return .failure(error)
            }
        }
        var files: [SourceFile] = []
        for result in results { files.append(try result.get()) }
        return files
    }
}

extension Configuration {
    /// `sampling-key` names a common column, or samples could not be taken by it.
    package mutating func checkSamplingKey(_ definitions: Definitions) {
        guard let samplingKey, !diagnostics.contains(where: { $0.place.range == samplingKey.range }) else { return }
        let names = definitions.common?.columns.filter { $0.status != .retired }.map(\.name) ?? []
        guard !names.contains(samplingKey.name) else { return }
        let nearest = nearestSpelling(of: samplingKey.name, among: names)
        diagnostics.append(
            Diagnostic(
                .configuration, "`sampling-key` names no common column: `\(samplingKey.name)`", at: Place(file: 0, range: samplingKey.range),
                notes: [.help(nearest.map { "did you mean `\($0)`?" } ?? "name a column of `common.md`")]))
    }
}
