import Foundation
import LogProject
import LogTypes

/// A tree of a git repository in a temporary folder, which commands read as any other folder.
///
/// A separate git directory, which shares only the objects, writes the files with the bytes that git stores. So neither
/// the attributes of the tree nor the settings, attributes and filters of the clone change them.
final class GitTree {
    private struct Entry {
        /// The path from the top of the repository.
        var path: String
        var mode: Substring
        /// The entry as git lists it, without its end: `MODE TYPE OBJECT<tab>PATH`.
        var line: [UInt8]
    }

    let repository: GitRepository
    /// The folder with the files, at the place of the repository's top.
    let top: String
    /// The folder at the place of the current folder.
    var folder: String { path(repository.prefix) }
    private let temporary: String
    private var entries: [Entry] = []
    private var objectStores: [String] = []
    /// The paths of submodules whose commit is not in the clone.
    private(set) var missing: [String] = []

    /// Indicates whether links out of the tree are broken. Their targets, such as the working folder, have no revision.
    private let isClosed: Bool

    /// Lists a tree, and creates its folders.
    init(_ tree: String, of repository: GitRepository, isClosed: Bool = false) throws(FileError) {
        self.repository = repository
        self.isClosed = isClosed
        temporary =
            FileSystem.resolved(FileManager.default.temporaryDirectory.path) + "/loggen-tree-\(UUID().uuidString)"
        // A relative path out of the repository stays in the temporary folder.
        top = temporary + "/files" + repository.top
        objectStores = [try repository.git(Self.objectFolder).line]
        try list(tree, at: "")
        for folder in Set(entries.map { LogProject.folder(of: $0.path) } + missing + [repository.prefix]) {
            try Self.makeFolder(path(folder))
        }
        try makeRepository()
    }

    /// Makes the folder a repository: the search for a project's files ends here, and git finds other revisions.
    ///
    /// git ignores `core.worktree` in a repository with a `commondir`. In a submodule, it names the submodule's folder.
    private func makeRepository() throws(FileError) {
        let directory = temporary + "/git"
        let common = try repository.git(["rev-parse", "--path-format=absolute", "--git-common-dir"]).line
        let head: String
        if let branch = try? repository.git(["symbolic-ref", "--quiet", "HEAD"]).line {
            head = "ref: \(branch)"
        } else {
            head = try repository.git(["rev-parse", "HEAD"]).line
        }
        try Self.makeFolder(directory)
        for (file, text) in [
            (directory + "/commondir", common), (directory + "/HEAD", head + "\n"),
            (top + "/.git", "gitdir: \(directory)"),
        ] { try FileSystem.create(file, Array(text.utf8), mode: 0o644) }
    }

    deinit { try? FileManager.default.removeItem(atPath: temporary) }

    var paths: [String] { entries.map(\.path) }

    /// Returns the path of a file or folder here, given its path from the top of the repository.
    func path(_ place: String) -> String { place.isEmpty ? top : joined(top, place) }

    /// Runs code with the folder as the current folder.
    func inside<Result>(_ body: () async throws(FileError) -> Result) async throws(FileError) -> Result {
        let current = open(".", O_RDONLY | O_CLOEXEC)
        guard current >= 0, chdir(folder) == 0 else { throw FileError("open", folder, errno) }
        defer {
            fchdir(current)
            close(current)
        }
        return try await body()
    }

    /// Checks that no link and no submodule on the way to a place lacks its target.
    func checkWay(to place: String) throws(FileError) {
        var way = ""
        for part in place.split(separator: "/") {
            way = joined(way, String(part))
            if FileSystem.kind(path(way), followingLinks: false) == .link, FileSystem.kind(path(way)) == nil {
                throw FileError("`\(way)` is a link to a file or folder that is not in the revision")
            }
        }
        if let module = missing.first(where: { FileSystem.isFolder($0, at: place) }) {
            throw FileError(
                "the commit of the submodule `\(module)` is not in this clone: fetch it "
                    + "(`git submodule update --init`; `submodules: true` of actions/checkout)")
        }
    }

    /// Lists the files of a tree. Those of a submodule belong to the commit that the tree names.
    private func list(_ tree: String, at prefix: String) throws(FileError) {
        let listing = try repository.git(
            ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", tree], in: prefix)
        for line in listing.split(separator: 0) {
            guard let tab = line.firstIndex(of: 0x09) else { continue }
            let words = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
            guard words.count == 3 else { continue }
            let path = joined(prefix, String(decoding: line[(tab + 1)...], as: UTF8.self))
            guard words[1] == "commit" else {
                // Attributes do not apply.
                guard Self.name(of: path) != ".gitattributes" else { continue }
                let start = prefix.isEmpty ? [] : Array((prefix + "/").utf8)
                entries.append(
                    Entry(path: path, mode: words[0], line: line[...tab] + start + line[(tab + 1)...]))
                continue
            }
            // Without its own repository, git would answer for the one around it.
            guard FileSystem.kind(joined(repository.top, path) + "/.git") != nil,
                (try? repository.git(["cat-file", "-e", String(words[2])], in: path)) != nil
            else {
                missing.append(path)
                continue
            }
            objectStores.append(try repository.git(Self.objectFolder, in: path).line)
            try list(String(words[2]), at: path)
        }
    }

    func write(where isNeeded: (String) -> Bool = { _ in true }) throws(FileError) {
        try write(entries.filter { isNeeded($0.path) })
    }

    /// Writes the files of definitions, settings and locks, those with other names, and those that links lead to.
    func writeDefinitions(and names: [String]) throws(FileError) {
        let links = entries.filter { $0.mode == "120000" }
        try write(links)
        let targets = links.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: path($0.path)) }
        let wanted = Set((targets + names).map { ExactString(Self.name(of: $0)) })
        let kinds = [".md", ".yml", ".lock"]
        try write(
            entries.filter { entry in
                entry.mode == "120000" || kinds.contains { entry.path.hasSuffix($0) }
                    || wanted.contains(ExactString(Self.name(of: entry.path)))
            })
    }

    private static let objectFolder = ["rev-parse", "--path-format=absolute", "--git-path", "objects"]

    private func write(_ entries: [Entry]) throws(FileError) {
        if !entries.isEmpty { try checkOut(entries) }
        if isClosed { cutLinks() }
        linkModules()
    }

    private func checkOut(_ entries: [Entry]) throws(FileError) {
        let store = temporary + "/store"
        let names = entries.map { $0.line.split(separator: 0x20)[2].prefix { $0 != 0x09 } + [0x0A] }
        if FileSystem.kind(store) == nil {
            for folder in ["objects/info", "refs"] { try Self.makeFolder(joined(store, folder)) }
            let isSHA1 = names[0].count == 41
            for (file, text) in [
                ("HEAD", "ref: refs/heads/none\n"),
                (
                    "config",
                    "[core]\nbare = false\nattributesFile = /dev/null\nrepositoryFormatVersion = "
                        + (isSHA1 ? "0\n" : "1\n[extensions]\nobjectFormat = sha256\n")
                ),
                ("objects/info/alternates", objectStores.map { $0 + "\n" }.joined()),
            ] { try FileSystem.create(joined(store, file), Array(text.utf8), mode: 0o644) }
        }
        let variables = ["GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1"]
        func git(_ arguments: [String], input: [UInt8] = []) throws(FileError) {
            _ = try GitRepository.run(
                ["-C", top, "--git-dir=\(store)", "--work-tree=\(top)"] + arguments, variables, input: input)
        }
        unlink(store + "/index")
        try git(["update-index", "-z", "--index-info"], input: Array(entries.map { $0.line + [0] }.joined()))
        let checkout = ["checkout-index", "--all", "--force", "--quiet"]
        do throws(FileError) {
            try git(checkout)
        } catch {
            // The repository of a partial clone fetches the objects that it lacks.
            try repository.git(["cat-file", "--batch-check"], input: Array(names.joined()))
            try git(checkout)
        }
    }

    private static func name(of path: String) -> Substring { path.split(separator: "/").last ?? "" }

    private func cutLinks() {
        for link in entries.filter({ $0.mode == "120000" }).map({ path($0.path) })
        where FileSystem.kind(link) != nil && !FileSystem.isFolder(top, at: FileSystem.resolved(link)) {
            unlink(link)
            symlink(link, link)
        }
    }

    /// Links modules of other repositories, which have no revision here: checked-out packages and adjacent ones.
    private func linkModules() {
        for path in paths where Self.name(of: path) == Configuration.fileName {
            let file = self.path(path)
            guard let modules = (try? Configuration(path: file))?.modules, !modules.isEmpty else { continue }
            let checkouts = joined(LogProject.folder(of: file), ".build/checkouts")
            for folder in modules.compactMap(\.folder) + [checkouts] where FileSystem.kind(folder) == nil {
                let copy = GitRepository.withoutParents(folder)
                guard copy.utf8.starts(with: (temporary + "/files/").utf8) else { continue }
                let other = String(decoding: copy.utf8.dropFirst((temporary + "/files").utf8.count), as: UTF8.self)
                guard FileSystem.kind(other) == .directory,
                    folder == checkouts || !FileSystem.isFolder(repository.top, at: FileSystem.resolved(other)),
                    (try? Self.makeFolder(LogProject.folder(of: copy))) != nil
                else { continue }
                symlink(other, copy)
            }
        }
    }

    private static func makeFolder(_ path: String) throws(FileError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw FileError("cannot create the folder `\(path)`: \(error.localizedDescription)")
        }
    }
}
