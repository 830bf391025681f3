import LogDefinitions
import MarkdownSyntax

/// The definition files of one vocabulary: a definition folder that was passed to a run, or some of its files.
///
/// A PATH that is a folder is a definition folder. A PATH may also be a file, which is read together with its
/// definition folder: the nearest folder at or above it that contains `loggen.yml`, `loggen.lock`, or a `common.md` or
/// `types.md` with the right title. For a file in a git repository, only folders of that repository count. Without such
/// a folder, the file belongs to its parent folder, whose subfolders are not read.
///
/// If `definitions` in `loggen.yml` names modules, the definition files are those in the modules' folders, which may be
/// anywhere. A PATH in one of these folders is read together with the others.
package struct DefinitionFolder: Sendable {
    /// The folder of the definition files and of `loggen.lock`, as spelled on the command line.
    package var root: String
    /// The content of `loggen.yml`.
    package var configuration: Configuration
    /// The definition files of the folder, or of all its modules, sorted by the bytes of their paths.
    package var documents: [Sources.File]
    /// Indicates whether the folder's subfolders are read.
    package var isDeep: Bool
    /// Indicates whether a PATH is the folder itself, not a file in it.
    package var isGiven: Bool
    /// The modules that contain the definition files; empty without modules.
    var modules: [ModuleFolder] = []
    /// The PATHs of the run that belong to the folder.
    var paths: [String] = []

    /// Returns the definition file at a path that is relative to one of the searched folders.
    func found(_ path: String, in holder: ModuleFolder) -> Sources.File {
        guard !configuration.modules.isEmpty else { return Sources.File(path: joined(root, path), relativePath: path) }
        return Sources.File(
            path: joined(holder.path, path), relativePath: holder.name(in: root) + "/" + path, module: holder.moduleName
        )
    }

    /// Returns the definition folders of PATHs, sorted by path. The order of the PATHs does not matter.
    package static func find(_ paths: [String], _ options: ProjectOptions) throws(FileError) -> [DefinitionFolder] {
        let excluded = Set(options.exclude.map { ExactString(FileSystem.resolved($0)) })
        var groups: [Group] = []
        let spellings = Dictionary(
            paths.map { (ExactString(normalized($0)), $0) }, uniquingKeysWith: { first, _ in first })
        let named = try options.config.map { path throws(FileError) in try Configuration(path: path, options.registry)
        }
        for path in spellings.keys.map(\.text).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            switch FileSystem.kind(path) {
            case .directory:
                if let group = try group(ofModulesWith: path, named, options) {
                    groups.append(group)
                    continue
                }
                let settings = try settings(of: path, named, options)
                var root = path
                if let definitions = settings?.definitions, let file = settings?.path,
                    normalized(folder(of: file)) == path
                {
                    root = definitions
                }
                groups.append(
                    Group(
                        root: root, givenRoot: root == path ? spellings[ExactString(path)] : nil,
                        configuration: settings, folders: [root], paths: [path]))
            case .file: groups.append(try group(ofFile: path, named, options))
            case .link, .other: throw FileError("cannot read `\(path)`: it is neither a file nor a folder")
            case nil: throw FileError("read", path, ENOENT)
            }
        }
        return try merged(groups).map { group throws(FileError) in try group.folder(without: excluded) }
    }

    /// The PATHs of one vocabulary.
    private struct Group {
        var root: String
        var givenRoot: String?
        var configuration: Configuration?
        var folders: [String] = []
        var files: [String] = []
        var paths: [String] = []
        /// Indicates whether the root has a marker, so that its subfolders are read.
        var isDeep = true
        var modules: [ModuleFolder] = []

        var isWhole: Bool { folders.contains(root) }
        var isOfModules: Bool { configuration?.modules.isEmpty == false }

        func folder(without excluded: Set<ExactString>) throws(FileError) -> DefinitionFolder {
            func isIncluded(_ file: Sources.File) -> Bool {
                excluded.isEmpty || !excluded.contains(ExactString(FileSystem.resolved(file.path)))
            }
            var documents: [Sources.File] = []
            if isOfModules {
                documents = try documentsOfModules().filter(isIncluded)
                // A missing module has its own diagnostic.
                let isFound = configuration?.diagnostics.isEmpty ?? true
                if documents.isEmpty, files.isEmpty, isFound {
                    throw Sources.Kind.definitions.nothing(in: modules.map(\.path).joined(separator: "`, `"))
                }
            } else if isDeep {
                if FileSystem.kind(root) == .directory { documents = try Sources.walk(root).filter(isIncluded) }
                if documents.isEmpty, files.isEmpty { throw Sources.Kind.definitions.nothing(in: givenRoot ?? root) }
            } else {
                for folder in Set(files.map { ExactString(LogProject.folder(of: $0)) }).map(\.text).sorted() {
                    documents += try Sources.entries(of: folder, seenFrom: root)
                }
            }
            documents = Sources.withoutTwins(documents)
            if !isWhole { markGiven(in: &documents) }
            documents.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            return DefinitionFolder(
                root: root, configuration: configuration ?? Configuration(), documents: documents, isDeep: isDeep,
                isGiven: isWhole, modules: modules, paths: paths)
        }

        /// Returns the files of all modules. Their relative paths begin with the module's path in the package, or with
        /// the module's name if it is outside the package.
        private func documentsOfModules() throws(FileError) -> [Sources.File] {
            var documents: [Sources.File] = []
            for module in modules {
                let inside = module.name(in: root)
                for var document in try Sources.walk(module.path) {
                    document.relativePath = inside + "/" + document.relativePath
                    document.module = module.moduleName
                    documents.append(document)
                }
            }
            return documents
        }

        private func markGiven(in documents: inout [Sources.File]) {
            for index in documents.indices { documents[index].isGiven = false }
            for folder in folders {
                let real = FileSystem.resolved(folder)
                for index in documents.indices
                where FileSystem.isFolder(real, at: FileSystem.resolved(LogProject.folder(of: documents[index].path))) {
                    documents[index].isGiven = true
                }
            }
            var identities: [FileSystem.Identity: Int] = [:]
            for (index, document) in documents.enumerated() {
                if let identity = FileSystem.identity(document.path) { identities[identity] = index }
            }
            for file in files {
                guard let identity = FileSystem.identity(file) else { continue }
                if let known = identities[identity] {
                    documents[known].isGiven = true
                } else {
                    // A file with a name that the search in folders skips.
                    identities[identity] = documents.count
                    documents.append(
                        Sources.File(
                            path: file, relativePath: file.split(separator: "/").last.map(String.init) ?? file))
                }
            }
        }
    }

    // MARK: Files

    private static func group(ofFile path: String, _ named: Configuration?, _ options: ProjectOptions)
        throws(FileError) -> Group
    {
        let own = folder(of: path)
        if var group = try group(ofModulesWith: own, named, options) {
            (group.folders, group.files, group.paths) = ([], [path], [path])
            return group
        }
        let real = FileSystem.resolved(own)
        func holds(_ folder: String) -> Bool { FileSystem.isFolder(FileSystem.resolved(folder), at: real) }
        if let named {
            let root = named.definitions ?? named.path.map { folder(of: $0) } ?? own
            if named.definitions != nil, holds(root) {
                return Group(root: root, configuration: named, files: [path], paths: [path])
            }
        }
        for folder in foldersAbove(own) where isMarked(folder) {
            let settings = try settings(of: folder, named, options)
            // Files outside the modules' folders do not belong to the modules.
            if settings?.modules.isEmpty == false { break }
            // If `loggen.yml` names a subfolder, the Markdown files next to `loggen.yml` are not definition files.
            if named == nil, let definitions = settings?.definitions {
                guard holds(definitions) else { continue }
                return Group(root: definitions, configuration: settings, files: [path], paths: [path])
            }
            return Group(root: folder, configuration: settings, files: [path], paths: [path])
        }
        return Group(root: own, configuration: named, files: [path], paths: [path], isDeep: false)
    }

    /// Returns the group of the modules for a folder: the folder of their `loggen.yml`, a folder in a module, or a
    /// folder that contains a module. Nil for other folders. A `loggen.yml` inside a module is reported, not read.
    private static func group(ofModulesWith path: String, _ named: Configuration?, _ options: ProjectOptions)
        throws(FileError) -> Group?
    {
        let real = FileSystem.resolved(path)
        for folder in foldersAbove(path) {
            guard var settings = try configuration(in: folder, unless: named, options) else { continue }
            guard !settings.modules.isEmpty, let file = settings.path else { continue }
            let root = normalized(LogProject.folder(of: file))
            let modules = ModuleFolder.find(&settings, known: options.modules)
            let isRoot = FileSystem.resolved(root) == real
            guard isRoot || modules.contains(where: { $0.holds(real) || FileSystem.isFolder(real, at: $0.real) }) else {
                return nil
            }
            return Group(
                root: root, givenRoot: isRoot ? path : nil, configuration: settings, folders: [isRoot ? root : path],
                paths: [path], modules: modules)
        }
        return nil
    }

    /// Returns the definition folder of a document, as a PATH. Nil if no folder at or above the document has a marker
    /// (`isMarked`). The document need not exist on disk.
    package static func marked(above document: String, _ options: ProjectOptions) throws(FileError) -> String? {
        let named = try options.config.map { path throws(FileError) in try Configuration(path: path, options.registry)
        }
        let group = try group(ofFile: document, named, options)
        guard group.isDeep else { return nil }
        // The `loggen.yml` is outside the folder that it names. The PATH of the `loggen.yml` selects the folder, too.
        if let file = group.configuration?.path, group.configuration?.definitions != nil, named == nil {
            return folder(of: file)
        }
        return group.root
    }

    /// Returns the marked folders at and below a folder, as PATHs sorted by path. The search skips hidden folders and
    /// dependencies, and stops after 20,000 entries. A missed folder is found when one of its documents is opened.
    package static func marked(below root: String) -> [String] {
        var (found, waiting, left): ([String], [String], Int) = ([], [normalized(root)], 20_000)
        while let folder = waiting.popLast(), left > 0 {
            if isMarked(folder) {
                found.append(folder)
                continue
            }
            for entry in (try? FileSystem.entries(folder)) ?? []
            where !entry.name.hasPrefix(".") && !["node_modules", "Pods"].contains(entry.name) {
                left -= 1
                let path = joined(folder, entry.name)
                if (entry.kind ?? FileSystem.kind(path, followingLinks: false)) == .directory { waiting.append(path) }
            }
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the definition folder at a path: the folder itself or, if it has no marker, a marked subfolder with all
    /// of its definition files. Nil for a folder without definitions.
    package static func holding(_ path: String) -> String? {
        guard FileSystem.kind(path) == .directory else { return nil }
        // A folder that cannot be searched has its own message later.
        guard !isMarked(path), let files = try? Sources.walk(path) else { return path }
        guard var folder = files.first.map({ LogProject.folder(of: $0.path) }) else { return nil }
        while folder != path, folder != ".", folder != "/" {
            let prefix = folder + "/"
            if isMarked(folder), files.allSatisfy({ $0.path.utf8.starts(with: prefix.utf8) }) { return folder }
            folder = LogProject.folder(of: folder)
        }
        return path
    }

    /// Returns whether a folder contains a file that only definition folders have.
    package static func isMarked(_ folder: String) -> Bool {
        if [Configuration.fileName, LockFile.fileName].contains(where: {
            FileSystem.kind(joined(folder, $0), followingLinks: false) != nil
        }) {
            return true
        }
        // The title is checked, because any project may have a `types.md`.
        return ["common", "types"].contains { name in
            guard let head = try? FileSystem.head(joined(folder, name + ".md"), 1 << 14) else { return false }
            // Decoding repairs a character that is cut at the end of the head.
            return SourceText(Array(String(decoding: head, as: UTF8.self).utf8)).titleName?.lowercased() == name
        }
    }

    /// Returns a folder and those above it, up to the root of the git repository or file system; 64 at most.
    private static func foldersAbove(_ folder: String) -> [String] {
        var folders: [String] = []
        var current: String? = folder
        while let next = current, folders.count < 64 {
            folders.append(next)
            let isTop = FileSystem.kind(joined(next, ".git")) != nil || FileSystem.resolved(next) == "/"
            current = isTop ? nil : parent(of: next)
        }
        return folders
    }

    /// The root of the git repository that contains a folder; nil outside a repository.
    package static func repository(of folder: String) -> String? {
        foldersAbove(folder).last.flatMap { FileSystem.kind(joined($0, ".git")) == nil ? nil : FileSystem.resolved($0) }
    }

    private static func parent(of folder: String) -> String {
        if folder == "." { return ".." }
        if folder.split(separator: "/").last == ".." { return folder + "/.." }
        return LogProject.folder(of: folder)
    }

    static func configuration(in folder: String, _ options: ProjectOptions) throws(FileError) -> Configuration {
        if let path = options.config { return try Configuration(path: path, options.registry) }
        return try settings(of: folder, nil, options) ?? Configuration()
    }

    /// Returns the configuration in a folder or, without one, the configuration in a folder above whose `definitions`
    /// names the folder. So the rules are the same, whether the command line names the folder or the one above.
    private static func settings(of folder: String, _ named: Configuration?, _ options: ProjectOptions)
        throws(FileError) -> Configuration?
    {
        if let own = try configuration(in: folder, unless: named, options) { return own }
        let real = FileSystem.resolved(folder)
        for above in foldersAbove(folder).dropFirst() {
            if let settings = try configuration(in: above, unless: nil, options), let named = settings.definitions {
                return FileSystem.resolved(named) == real ? settings : nil
            }
        }
        return nil
    }

    private static func configuration(in folder: String, unless named: Configuration?, _ options: ProjectOptions)
        throws(FileError)
        -> Configuration?
    {
        if let named { return named }
        let path = joined(folder, Configuration.fileName)
        if try FileSystem.isThere(path) { return try Configuration(path: path, options.registry) }
        for name in ["loggen.yaml", "Loggen.yml", "Loggen.yaml"] where try FileSystem.isThere(joined(folder, name)) {
            throw FileError("`\(joined(folder, name))` is not read: rename it to `\(Configuration.fileName)`")
        }
        return nil
    }

    // MARK: Groups

    /// Merges the groups of one vocabulary: paths in one folder and below, or all files without a marked folder.
    private static func merged(_ groups: [Group]) -> [Group] {
        var merged: [(real: String, group: Group)] = []
        // The root of files without a marker is their nearest common folder.
        let loose = groups.filter { !$0.isDeep }
        var all = groups.filter(\.isDeep)
        if let first = loose.first {
            var root = first.root
            while !loose.allSatisfy({ FileSystem.isFolder(FileSystem.resolved(root), at: FileSystem.resolved($0.root)) }
            ) { root = parent(of: root) }
            all.append(
                Group(
                    root: root, configuration: first.configuration, files: loose.flatMap(\.files),
                    paths: loose.flatMap(\.paths), isDeep: false))
        }
        for group in all.map({ (real: FileSystem.resolved($0.root), group: $0) }).sorted(by: isBefore) {
            // A vocabulary of modules consists of the modules' folders only, not of all folders below its `loggen.yml`.
            if let outer = merged.firstIndex(where: {
                $0.group.isDeep
                    && ($0.group.isOfModules ? $0.real == group.real : FileSystem.isFolder($0.real, at: group.real))
            }) {
                merged[outer].group.folders += group.group.folders
                merged[outer].group.files += group.group.files
                merged[outer].group.paths += group.group.paths
            } else {
                merged.append(group)
            }
        }
        return merged.map(\.group)
    }

    /// Returns whether a group precedes: outer folders first, then the group for the whole folder.
    private static func isBefore(_ left: (real: String, group: Group), _ right: (real: String, group: Group)) -> Bool {
        if left.real != right.real { return left.real.utf8.lexicographicallyPrecedes(right.real.utf8) }
        if left.group.isDeep != right.group.isDeep { return left.group.isDeep }
        if left.group.isWhole != right.group.isWhole { return left.group.isWhole }
        return left.group.root.utf8.lexicographicallyPrecedes(right.group.root.utf8)
    }
}
