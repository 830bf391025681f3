import LogProject

struct GitRepository {
    /// The top folder, with links followed.
    let top: String
    /// The path from the top to the current folder; empty if the current folder is not in the repository.
    let prefix: String
    /// Indicates whether git gets the variables of a git hook, such as that of the index.
    private let isInHook: Bool

    /// Finds the repository of the current folder, as a git hook sees it.
    init() throws(FileError) {
        top = FileSystem.resolved(try Self.run(["rev-parse", "--show-toplevel"], isInHook: true).line)
        prefix = Self.path(of: ".", from: top) ?? ""
        isInHook = true
    }

    /// Finds the repository of a path: that of the current folder or, if the path is outside of it, another one.
    ///
    /// The repositories of folders around the path come first. A change may put another repository in a folder's place.
    init(holding path: String) throws(FileError) {
        var folders = ["."]
        if path.hasPrefix("/") {
            folders += [folder(of: path), path]
        } else {
            for part in path.split(separator: "/") { folders.append(joined(folders[folders.count - 1], String(part))) }
        }
        var failure = FileError("`\(path)` is not in a git repository")
        for folder in folders where FileSystem.kind(folder) == .directory {
            do throws(FileError) {
                let top = FileSystem.resolved(try Self.run(["-C", folder, "rev-parse", "--show-toplevel"]).line)
                guard Self.path(of: path, from: top) != nil else { continue }
                (self.top, prefix, isInHook) = (top, Self.path(of: ".", from: top) ?? "", false)
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    // MARK: Paths

    /// Returns a path from the top; nil outside of the repository. Links below the top are not followed, because
    /// another revision might not have them.
    func path(of path: String) -> String? { Self.path(of: path, from: top) }

    private static func path(of path: String, from top: String) -> String? {
        let parts = withoutParents(joined(FileSystem.resolved("."), path)).split(separator: "/")
        return (0...parts.count).lazy.first {
            FileSystem.resolved("/" + parts[..<$0].joined(separator: "/")).utf8.elementsEqual(top.utf8)
        }.map { parts[$0...].joined(separator: "/") }
    }

    /// Returns a path from the current folder, given one from the top.
    func pathFromHere(_ path: String) -> String { relativePath(to: path, from: prefix) }

    /// Returns an absolute path without `.` and `..`, as written: links are not followed.
    static func withoutParents(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    // MARK: Calls

    /// Runs git in a folder of the repository. In the folder of a submodule, git reads the submodule.
    @discardableResult
    func git(_ arguments: [String], in folder: String = "", _ variables: [String] = [], input: [UInt8] = [])
        throws(FileError) -> [UInt8]
    {
        try Self.run(
            ["-C", joined(top, folder)] + arguments, variables, input: input, isInHook: isInHook && folder.isEmpty)
    }

    /// Returns the commit of a revision. A name with several meanings is refused: git would prefer a tag to a branch,
    /// and each author of a branch can push a tag.
    func commit(_ revision: String) throws(FileError) -> String {
        guard !revision.isEmpty, !revision.hasPrefix("-") else {
            throw FileError("`\(revision)` is not a git revision")
        }
        let steps = zip(revision.indices, revision.indices.dropFirst())
        let end = steps.first { revision[$0] == "@" && revision[$1] == "{" }?.0 ?? revision.endIndex
        let name = revision[..<end].prefix { !"~^:".contains($0) }
        let refs = try refs(named: String(name))
        let meanings = refs + (refs.isEmpty ? [] : try objects(abbreviated: name))
        guard meanings.count < 2 else {
            throw FileError(
                "`\(name)` is ambiguous: \(meanings.map { "`\($0)`" }.joined(separator: ", ")); name one of them in full"
            )
        }
        // git would also accept `refs/tags/refs/heads/main` for `refs/heads/main`.
        guard !refs.isEmpty || !name.hasPrefix("refs/") else {
            throw FileError("`\(revision)` is not a commit of this clone: fetch it first, or name another")
        }
        let full = (refs.first ?? String(name)) + revision.dropFirst(name.count)
        do throws(FileError) {
            return try git(["rev-parse", "--verify", "--end-of-options", "\(full)^{commit}"]).line
        } catch {
            guard !isShallow else {
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

    /// Returns the refs that git would accept for a name (gitrevisions(7)). A complete object name has precedence.
    private func refs(named name: String) throws(FileError) -> [String] {
        let isObject = name.allSatisfy(\.isHexDigit) && [40, 64].contains(name.count)
        guard !["", "@", "HEAD"].contains(name), !isObject else { return [] }
        let candidates =
            name.hasPrefix("refs/")
            ? [name]
            : ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"].map { $0 + name } + ["refs/remotes/\(name)/HEAD"]
        let found = try git(["for-each-ref", "--format=%(refname)"] + candidates).split(separator: 0x0A)
        return found.map { String(decoding: $0, as: UTF8.self) }.filter { candidates.contains($0) }
    }

    private func objects(abbreviated name: Substring) throws(FileError) -> [String] {
        guard name.count > 3, name.allSatisfy(\.isHexDigit) else { return [] }
        let found = try git(["rev-parse", "--disambiguate=\(name)"]).split(separator: 0x0A)
        return found.map { String(decoding: $0, as: UTF8.self) }
    }

    var isShallow: Bool { (try? git(["rev-parse", "--is-shallow-repository"]).line) == "true" }

    /// Runs git without the clone's replacements of commits and objects (`git replace`, `info/grafts`).
    static func run(
        _ arguments: [String], _ variables: [String] = [], input: [UInt8] = [], isInHook: Bool = false
    ) throws(FileError) -> [UInt8] {
        let result = try Subprocess.run(
            "git", arguments, standardInput: input, withoutEnvironment: isInHook ? nil : "GIT_",
            variables: ["GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=/dev/null/none"] + variables)
        guard result.code == 0 else {
            // Later lines contain the fix, for example for a folder with another owner.
            let lines = String(decoding: result.error, as: UTF8.self).split(separator: "\n").map {
                $0.drop { $0 == " " || $0 == "\t" }
            }
            let shown = lines[(lines.firstIndex { $0.hasPrefix("fatal:") } ?? 0)...].prefix(10)
            let reason = shown.isEmpty ? "it ended with \(result.code)" : shown.joined(separator: " ")
            throw FileError("cannot read the repository; git reports: \(reason)")
        }
        return result.out
    }
}

extension [UInt8] {
    var line: String { String(decoding: prefix { $0 != 0x0A }, as: UTF8.self) }
}
