import LogDefinitions
import LogProject
import MarkdownSyntax

/// A definition folder in a git revision.
///
/// Links are followed within the revision. If the revision does not contain the folder, the folder's former path is
/// searched. This is the folder that exists only in the revision and shares the most files with the current folder.
struct BaseRevision {
    /// A message about the comparison; nil without one.
    private(set) var note: String?
    private let revision: String
    /// The revision's name in messages.
    private let name: String
    private var files: [(path: String, relativePath: String, object: String)] = []
    /// The current definition files of modules outside the repository.
    private var others: [SourceFile] = []
    private let folder: String
    /// The revision's `loggen.yml`; nil without one. A configuration outside the repository has no revisions, so its
    /// current content is used.
    private(set) var configuration: Configuration?
    /// The git object of the lock file in the definition folder; nil without a lock file.
    private var lockObject: String?

    /// Finds the definition files of a session's folder in the revision.
    init(_ revision: String, named name: String? = nil, of session: Session) async throws(FileError) {
        guard !revision.isEmpty, !revision.hasPrefix("-") else {
            throw FileError("`\(revision)` is not a git revision")
        }
        self.revision = revision
        self.name = name ?? revision
        folder = session.root
        let tree = try Tree(of: revision, seenFrom: session.root)
        var root = tree.path(of: session.root)
        configuration = try configuration(of: session, in: tree, root)
        if !session.configuration.modules.isEmpty {
            try readModules(of: session, tree)
            return
        }
        // The definition files may also have moved to a parent folder or a subfolder.
        if !session.analysis.definitions.files.contains(where: {
            tree.blobs[ExactString(tree.path(of: $0.path))] != nil
        }) {
            let hasFolder = tree.hasFolder(root)
            if let former = tree.formerFolder(of: session, at: root, isNearby: hasFolder) {
                configuration = try configuration(of: session, in: tree, former)
                note =
                    "`\(session.root)` was `\(former.isEmpty ? "." : former)` in `\(self.name)`: the two are compared"
                root = former
            } else if !hasFolder {
                note =
                    "`\(self.name)` has no definitions in `\(session.root)`: all are new, and nothing is compared"
                return
            }
        }
        let excluded = Set(session.options.exclude.map { ExactString(tree.path(of: $0)) })
        let prefix = root.isEmpty ? "" : root + "/"
        if tree.blobs[ExactString(prefix + LockFile.fileName)] != nil {
            lockObject = try tree.object(at: prefix + LockFile.fileName)
        }
        let shown = tree.path(of: session.root) == root ? session.root : root
        for path in tree.blobs.keys.map(\.text).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        where path.utf8.starts(with: prefix.utf8) {
            let relative = path.withoutFirst(prefix.utf8.count)
            guard Self.isDefinition(relative), session.isDeep || !relative.contains("/"),
                !excluded.contains(ExactString(path))
            else { continue }
            files.append((joined(shown == "." ? "" : shown, relative), relative, try tree.object(at: path)))
        }
        // Adds files that are PATHs of the run and that the search in folders skips.
        for index in session.given {
            let file = session.analysis.definitions.files[index]
            guard !Self.isDefinition(file.relativePath),
                let object = tree.blobs[ExactString(tree.path(of: file.path))]?.object
            else { continue }
            files.append((file.path, file.relativePath, object))
        }
    }

    private func configuration(of session: Session, in tree: Tree, _ root: String) throws(FileError) -> Configuration? {
        var path = (root.isEmpty ? "" : root + "/") + Configuration.fileName
        if let known = session.configuration.path {
            guard tree.holds(FileSystem.resolved(known)) else { return session.configuration }
            if !FileSystem.isFolder(FileSystem.resolved(session.root), at: FileSystem.resolved(known)) {
                path = tree.path(of: known)
            }
        }
        guard tree.blobs[ExactString(path)] != nil else { return nil }
        let text = try Git.contents(of: [try tree.object(at: path)], in: folder, name).first ?? []
        let file = session.configuration.path ?? joined(session.root, Configuration.fileName)
        return Configuration(path: file, source: SourceText(text))
    }

    /// Reads the modules of the revision's `loggen.yml`, or the current modules if that file does not name any.
    private mutating func readModules(of session: Session, _ tree: Tree) throws(FileError) {
        let root = tree.path(of: session.root)
        func below(_ folder: String) -> String { folder.isEmpty ? "" : folder + "/" }
        if tree.blobs[ExactString(below(root) + LockFile.fileName)] != nil {
            lockObject = try tree.object(at: below(root) + LockFile.fileName)
        }
        var named: [Configuration.Module] = []
        let settings = below(root) + Configuration.fileName
        if tree.blobs[ExactString(settings)] != nil {
            let text = try Git.contents(of: [try tree.object(at: settings)], in: folder, name).first ?? []
            named = Configuration(path: joined(session.root, Configuration.fileName), source: SourceText(text)).modules
        }
        var modules: [(name: String, module: String, folder: String)] = []
        for module in session.modules {
            guard !module.isCheckout, tree.holds(module.real) else {
                others += session.analysis.definitions.files.filter { $0.module == module.moduleName }
                continue
            }
            modules.append((module.name, module.moduleName, tree.path(of: module.path)))
        }
        for module in named {
            let places =
                module.folder.map { [tree.path(of: $0)] }
                ?? ModuleFolder.targetFolders.map { below(root) + $0 + "/" + module.name }
            guard let place = places.first(where: { tree.hasFolder($0) }) else { continue }
            modules.removeAll { $0.name == module.name }
            modules.append((module.name, ModuleFolder.moduleName(ofTarget: module.name), place))
        }
        let excluded = Set(session.options.exclude.map { ExactString(tree.path(of: $0)) })
        for path in tree.blobs.keys.map(\.text).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard let module = modules.first(where: { path.utf8.starts(with: below($0.folder).utf8) }),
                !excluded.contains(ExactString(path)),
                Self.isDefinition(path.withoutFirst(below(module.folder).utf8.count))
            else { continue }
            let relative = path.utf8.starts(with: below(root).utf8) ? path.withoutFirst(below(root).utf8.count) : path
            files.append(
                (joined(session.root == "." ? "" : session.root, relative), relative, try tree.object(at: path)))
        }
        if files.isEmpty {
            note =
                "`\(name)` has no definitions in the modules of `\(session.root)`: all are new, and nothing is compared"
        }
    }

    /// The definitions of the revision.
    /// - Throws: a problem if the definitions have errors.
    func definitions(options: AnalysisOptions) async throws(FileError) -> Definitions {
        let analysis = try await analysis(options: options)
        if let error = analysis.diagnostics.first(where: { $0.severity == .error }) {
            throw cannotCompare(analysis, error)
        }
        return analysis.definitions
    }

    func cannotCompare(_ analysis: Analysis, _ error: Diagnostic) -> FileError {
        let file = analysis.definitions.files[error.place.file]
        let line = file.source.position(at: error.place.range.lowerBound).line
        return FileError(
            "cannot compare with `\(name)`, whose definitions have errors: \(file.path):\(line): \(error.message)")
    }

    /// The lock file; nil if the revision does not contain one.
    func lock() throws(FileError) -> LockFile? {
        guard let lockObject, let bytes = try Git.contents(of: [lockObject], in: folder, name).first else { return nil }
        return LockFile(
            SourceFile(path: "\(name):\(LockFile.fileName)", relativePath: LockFile.fileName, source: SourceText(bytes))
        )
    }

    /// The definitions of the revision and their diagnostics.
    func analysis(options: AnalysisOptions) async throws(FileError) -> Analysis {
        let contents = try Git.contents(of: files.map(\.object), in: folder, revision)
        let sources = zip(files, contents).map { file, bytes in
            SourceFile(path: "\(name):\(file.path)", relativePath: file.relativePath, source: SourceText(bytes))
        }
        var analysis = await Analysis.run(sources + others, options: options)
        analysis.definitions.samplingKey = configuration?.samplingKey?.name
        return analysis
    }

    private static func isDefinition(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return path.hasSuffix(".md") && parts.last != "README.md" && !parts.contains { $0.hasPrefix(".") }
            && !parts.dropLast().contains { Sources.isLeftOut($0) }
    }

    /// All files of a revision, by path from the root of the repository.
    private struct Tree {
        struct Blob {
            var mode: Substring
            var object: String
        }

        let revision: String
        let top: String
        let folder: String
        private(set) var blobs: [ExactString: Blob] = [:]

        init(of revision: String, seenFrom folder: String) throws(FileError) {
            self.revision = revision
            self.folder = folder
            let line = try Git.run(["-C", folder, "rev-parse", "--show-toplevel"], revision)
            top = FileSystem.resolved(String(decoding: line.prefix { $0 != 0x0A }, as: UTF8.self))
            let commit = try Git.commit(revision, in: folder)
            let listing = try Git.run(
                ["-C", folder, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit], revision)
            for entry in listing.split(separator: 0) {
                // MODE type OBJECT<tab>PATH
                guard let tab = entry.firstIndex(of: 0x09) else { continue }
                let words = String(decoding: entry[..<tab], as: UTF8.self).split(separator: " ")
                guard words.count == 3, words[1] == "blob" else { continue }
                blobs[ExactString(String(decoding: entry[(tab + 1)...], as: UTF8.self))] = Blob(
                    mode: words[0], object: String(words[2]))
            }
        }

        /// Returns a path relative to the root of the repository.
        func path(of path: String) -> String {
            let path = FileSystem.resolved(path)
            return path.isExactly(top) ? "" : path.withoutFirst(top == "/" ? 1 : top.utf8.count + 1)
        }

        /// Returns true if a path, with links followed, is in the repository.
        func holds(_ real: String) -> Bool { FileSystem.isFolder(top, at: real) }

        func hasFolder(_ folder: String) -> Bool {
            folder.isEmpty
                || blobs.keys.lazy.map(\.text).contains {
                    $0.utf8.starts(with: (folder + "/").utf8)
                        && BaseRevision.isDefinition($0.withoutFirst(folder.utf8.count + 1))
                }
        }

        /// The git object of the file at a path. Links are followed.
        func object(at path: String) throws(FileError) -> String {
            var current = path
            for _ in 0..<40 {
                guard let blob = blobs[ExactString(current)] else { break }
                guard blob.mode == "120000" else { return blob.object }
                let target = String(
                    decoding: try Git.contents(of: [blob.object], in: folder, revision).first ?? [], as: UTF8.self)
                guard !target.hasPrefix("/") else { break }
                var parts = current.split(separator: "/").dropLast().map(String.init)
                for part in target.split(separator: "/") where part != "." {
                    if part != ".." { parts.append(String(part)) } else if parts.popLast() == nil { parts = ["", ""] }
                }
                current = parts.joined(separator: "/")
            }
            throw FileError(
                "cannot compare with `\(revision)`: `\(path)` is a link to a file that is not in the revision; "
                    + "compare with \(LockFile.fileName), without `--base`"
            )
        }

        /// The path of a definition folder before it was renamed or moved; nil without such a path.
        ///
        /// - Parameter isNearby: whether only parent folders and subfolders count.
        func formerFolder(of session: Session, at current: String, isNearby: Bool) -> String? {
            var documents: [ExactString: [String]] = [:]
            for file in session.analysis.definitions.files {
                documents[ExactString(file.relativePath.split(separator: "/").last ?? ""), default: []].append(
                    file.relativePath)
            }
            var candidates: [ExactString: Int] = [:]
            for path in blobs.keys.lazy.map(\.text)
            where path.hasSuffix(".md") && FileSystem.kind(top + "/" + path) == nil {
                for document in documents[ExactString(path.split(separator: "/").last ?? "")] ?? [] {
                    if path.isExactly(document) {
                        candidates[ExactString(""), default: 0] += 1
                    } else if path.utf8.reversed().starts(with: ("/" + document).utf8.reversed()) {
                        candidates[
                            ExactString(String(decoding: path.utf8.dropLast(document.utf8.count + 1), as: UTF8.self)),
                            default: 0] += 1
                    }
                }
            }
            return candidates.map { (folder: $0.key.text, shared: $0.value) }
                .filter {
                    $0.folder != current
                        && (isEnclosing($0.folder, current) || !isNearby && !holdsDefinitions($0.folder))
                }
                .max { ($0.shared, $1.folder) < ($1.shared, $0.folder) }?.folder
        }

        private func isEnclosing(_ folder: String, _ other: String) -> Bool {
            folder.isEmpty || other.isEmpty || other.utf8.starts(with: (folder + "/").utf8)
                || folder.utf8.starts(with: (other + "/").utf8)
        }

        /// Returns true if a folder contains definitions in the working tree. Such a folder has not been moved.
        private func holdsDefinitions(_ folder: String) -> Bool {
            !((try? Sources.walk(folder.isEmpty ? top : top + "/" + folder)) ?? []).isEmpty
        }
    }
}

extension String {
    /// Returns the path without its first bytes. Characters are not counted, because the first scalar of a name may
    /// combine with the slash before it.
    fileprivate func withoutFirst(_ count: Int) -> String { String(decoding: utf8.dropFirst(count), as: UTF8.self) }
}

/// The events of a release.
struct Release {
    var tag: String
    /// The full names (`category.event`) of all events in the release, including retired ones.
    var events: Set<String>

    /// The release at the latest tag before a commit, for a session's folder; nil without a tag.
    ///
    /// - Parameter isWhole: whether errors in the release's definition files are thrown. If not, the readable
    ///   definitions are used.
    static func latest(for session: Session, before commit: String = "HEAD", isWhole: Bool = true)
        async throws(FileError) -> Release?
    {
        _ = try Git.run(["-C", session.root, "rev-parse", "--git-dir"], "HEAD")
        guard let line = try? Git.run(["-C", session.root, "describe", "--tags", "--abbrev=0", commit], commit) else {
            return nil
        }
        let tag = String(decoding: line.prefix { $0 != 0x0A }, as: UTF8.self)
        let before = try await BaseRevision("refs/tags/" + tag, of: session)
        let options = session.configuration.analysis
        let definitions =
            isWhole
            ? try await before.definitions(options: options) : try await before.analysis(options: options).definitions
        var events = Set(
            definitions.categories.flatMap { category in category.events.map { "\(category.name).\($0.name)" } })
        if let lock = try before.lock() { events.formUnion(lock.latest.entries.keys) }
        return Release(tag: tag, events: events)
    }
}

/// Calls of git.
enum Git {
    /// Returns the contents of objects. One process reads them all.
    static func contents(of objects: [String], in folder: String, _ revision: String) throws(FileError) -> [[UInt8]] {
        guard !objects.isEmpty else { return [] }
        let output = try run(
            ["-C", folder, "cat-file", "--batch"], revision,
            standardInput: Array(objects.map { $0 + "\n" }.joined().utf8))
        var contents: [[UInt8]] = []
        var rest = output[...]
        while contents.count < objects.count {
            // OBJECT type SIZE<line end>BYTES<line end>
            guard let end = rest.firstIndex(of: 0x0A),
                let size = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ").last.flatMap({ Int($0) }
                ),
                rest.endIndex - end - 1 > size
            else { throw FileError("cannot read the definitions of `\(revision)`: the output of git ends early") }
            contents.append(Array(rest[(end + 1)..<(end + 1 + size)]))
            rest = rest[(end + 2 + size)...]
        }
        return contents
    }

    /// Returns the commit of a revision.
    static func commit(_ revision: String, in folder: String) throws(FileError) -> String {
        guard !revision.hasPrefix("-") else { throw FileError("`\(revision)` is not a git revision") }
        do throws(FileError) {
            let answer = try run(
                ["-C", folder, "rev-parse", "--verify", "--end-of-options", "\(revision)^{commit}"], revision)
            return String(decoding: answer.prefix { $0 != 0x0A }, as: UTF8.self)
        } catch {
            guard !isShallow(folder) else {
                throw FileError(
                    "this clone is shallow and does not have `\(revision)`: fetch the history "
                        + "(`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout)"
                )
            }
            if revision.utf8.count >= 40, revision.allSatisfy(\.isHexDigit) {
                throw FileError(
                    "this clone does not have the commit `\(revision)`: fetch it (`git fetch origin \(revision)`), "
                        + "or name another"
                )
            }
            // git gives no other reason for a name that it cannot resolve.
            guard error.description.hasSuffix("fatal: Needed a single revision") else { throw error }
            throw FileError("`\(revision)` is not a commit of this clone: fetch it first, or name another")
        }
    }

    static func isShallow(_ folder: String) -> Bool {
        guard let answer = try? run(["-C", folder, "rev-parse", "--is-shallow-repository"], "HEAD") else {
            return false
        }
        return answer.starts(with: "true".utf8)
    }

    static func run(_ arguments: [String], _ revision: String, standardInput: [UInt8] = []) throws(FileError)
        -> [UInt8]
    {
        let result = try Subprocess.run("git", arguments, standardInput: standardInput, withoutEnvironment: "GIT_")
        guard result.code == 0 else {
            // Later lines contain the fix, for example for a folder with another owner.
            let lines = String(decoding: result.error, as: UTF8.self).split(separator: "\n").map {
                $0.drop { $0 == " " || $0 == "\t" }
            }
            let shown = lines[(lines.firstIndex { $0.hasPrefix("fatal:") } ?? 0)...].prefix(10)
            let reason = shown.isEmpty ? "it ended with \(result.code)" : shown.joined(separator: " ")
            throw FileError("cannot read the definitions of `\(revision)`; git reports: \(reason)")
        }
        return result.out
    }
}
