package import LogDefinitions
import MarkdownSyntax

/// The files that a run reads from disk.
package enum Sources {
    package struct File: Sendable {
        package var path: String
        package var relativePath: String
        /// Indicates whether the path is a link, so that another path may lead to the same file.
        package var isLink = false
        /// Indicates whether the file is in the run's scope. If not, it is read only because other files depend on it.
        package var isGiven = true
        /// The file's Swift module; nil if `loggen.yml` does not list modules.
        package var module: String?
    }

    /// A kind of file, recognized by the file's name.
    package enum Kind {
        /// `*.md`, without `README*.md`. In another case, such as `*.MD`, the rule `file-name` reports the file.
        case definitions
        /// `*.swift`
        case swift

        fileprivate func has(_ name: String) -> Bool {
            switch self {
            case .definitions: name.lowercased().hasSuffix(".md") && !name.hasPrefix("README")
            case .swift: name.hasSuffix(".swift")
            }
        }

        func nothing(in path: String) -> FileError {
            switch self {
            case .definitions: FileError("no definitions in `\(path)`: it has no `*.md` files except README.md")
            case .swift: FileError("no sources in `\(path)`: it has no `*.swift` files")
            }
        }
    }

    /// Returns whether a file with this name is a definition file.
    package static func isDefinition(_ name: String) -> Bool { !name.hasPrefix(".") && Kind.definitions.has(name) }

    /// Returns the files at and below the PATHs in their order, bytewise in a folder, without hidden ones and duplicates.
    package static func find(_ paths: [String], _ kind: Kind = .definitions) throws(FileError) -> [File] {
        var found: [File] = []
        for path in paths {
            switch FileSystem.kind(path) {
            case .directory:
                let inFolder = try walk(normalized(path), kind)
                if inFolder.isEmpty { throw kind.nothing(in: path) }
                found += inFolder
            case .file:
                found.append(
                    File(
                        path: normalized(path), relativePath: path.split(separator: "/").last.map(String.init) ?? path))
            case .link, .other: throw FileError("cannot read `\(path)`: it is neither a file nor a folder")
            case nil: throw FileError("read", path, ENOENT)
            }
        }
        return paths.count > 1 ? uniqued(found) : withoutTwins(found)
    }

    /// Removes each file that occurs again under another path. This is possible only if one of the paths is a link.
    static func withoutTwins(_ found: [File]) -> [File] {
        found.contains(where: \.isLink) ? uniqued(found) : found
    }

    private static func uniqued(_ found: [File]) -> [File] {
        var seen: Set<FileSystem.Identity> = []
        return found.filter { file in FileSystem.identity(file.path).map { seen.insert($0).inserted } ?? true }
    }

    /// The name of folders for outputs, which are not searched for definitions.
    package static let outputFolderName = "Generated"

    /// Returns whether folders with this name are not searched for definitions: output folders and DocC catalogs.
    package static func isLeftOut(_ name: some StringProtocol) -> Bool {
        name == outputFolderName || name.hasSuffix(".docc")
    }

    /// Returns the files in a folder and its subfolders.
    package static func walk(_ root: String, _ kind: Kind = .definitions) throws(FileError) -> [File] {
        var found: [File] = []
        try walk(root == "." ? "" : root, relative: "", kind, into: &found)
        return found
    }

    private static func walk(_ folder: String, relative: String, _ kind: Kind, into found: inout [File])
        throws(FileError)
    {
        for entry in try FileSystem.entries(folder.isEmpty ? "." : folder) where !entry.name.hasPrefix(".") {
            let path = joined(folder, entry.name)
            let relativePath = relative.isEmpty ? entry.name : relative + "/" + entry.name
            if (entry.kind ?? FileSystem.kind(path, followingLinks: false)) == .directory {
                if kind == .definitions, isLeftOut(entry.name) { continue }
                try walk(path, relative: relativePath, kind, into: &found)
            } else if let file = try file(entry, path, relativePath, kind) {
                found.append(file)
            }
        }
    }

    /// Returns the definition files directly in a folder.
    static func entries(of folder: String, seenFrom root: String) throws(FileError) -> [File] {
        let relative = FileSystem.resolved(folder).dropFirst(FileSystem.resolved(root).count).drop { $0 == "/" }
        var found: [File] = []
        for entry in try FileSystem.entries(folder) where !entry.name.hasPrefix(".") {
            if let file = try file(
                entry, joined(folder, entry.name), (relative.isEmpty ? "" : relative + "/") + entry.name, .definitions)
            {
                found.append(file)
            }
        }
        return found
    }

    private static func file(_ entry: FileSystem.Entry, _ path: String, _ relativePath: String, _ kind: Kind)
        throws(FileError) -> File?
    {
        guard kind.has(entry.name) else { return nil }
        switch entry.kind ?? FileSystem.kind(path, followingLinks: false) {
        case .file: return File(path: path, relativePath: relativePath)
        case .link:
            switch FileSystem.kind(path) {
            case .file: return File(path: path, relativePath: relativePath, isLink: true)
            case nil: throw FileError("cannot read `\(path)`: it is a broken link")
            // Links to folders are not followed, because they may form a cycle.
            default: return nil
            }
        default: return nil
        }
    }

    package static func read(_ found: [File]) async throws(FileError) -> [SourceFile] {
        let results = await inParallel(sizes: found.map { _ in 4096 }) { index -> Result<SourceFile, FileError> in
            let file = found[index]
            do throws(FileError) {
                let source = SourceText(try FileSystem.read(file.path))
                return .success(
                    SourceFile(path: file.path, relativePath: file.relativePath, module: file.module, source: source))
            } catch {
                return .failure(error)
            }
        }
        var files: [SourceFile] = []
        for result in results { files.append(try result.get()) }
        return files
    }
}
