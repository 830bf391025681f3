import Foundation
import LogProject

/// The files that the next commit will contain.
///
/// `--staged` writes git's index into a temporary folder and runs the same command there. So every rule, path and
/// message is that of a run in a clone of the commit, and drafts and unstaged lines do not count.
struct StagedFiles {
    /// A git hook sets this variable to the tree of the commit if it has to remove git's variables, such as the index,
    /// from the environment of a build.
    private static let treeVariable = "LOGGEN_STAGED_TREE"

    /// The repository's top folder, and the path from there to the current folder, which is empty or ends with a slash.
    private let top: String
    private let prefix: String
    private let tree: String
    private let terminal: Terminal

    /// Runs this command without `--staged` on the staged files.
    /// - Parameter paths: the definitions. If the commit does not contain them, and does not delete them, nothing runs.
    /// - Throws: an exit code, unless the command succeeds.
    static func run(_ paths: [String], on terminal: Terminal) throws -> Int32 {
        let files = try StagedFiles(on: terminal)
        let hasMore = files.hasMore(than: paths)
        guard let code = try files.runCommand(on: paths) else { return 0 }
        if code == 1, hasMore, !terminal.isQuiet {
            terminal.error("note: the folder has changes that are not in the commit: `git add` stages them\n")
        }
        return code
    }

    private init(on terminal: Terminal) throws(FileError) {
        self.terminal = terminal
        let places = try Self.git("rev-parse", "--show-toplevel", "--show-prefix").split(
            separator: "\n", omittingEmptySubsequences: false)
        guard places.count >= 2 else { throw FileError("this folder is not in a git repository, as `--staged` needs") }
        (top, prefix) = (String(places[0]), String(places[1]))
        if let tree = environment(Self.treeVariable), !tree.isEmpty {
            self.tree = tree
        } else {
            tree = try Self.git("write-tree").trimmingCharacters(in: .newlines)
        }
    }

    /// Reports that the commit contains none of the paths.
    /// - Throws: an error if the commit deletes one.
    private func reportAbsence(of paths: [String]) throws(FileError) {
        for path in paths {
            let isKnown = try? Self.git("rev-parse", "--verify", "--quiet", "HEAD:" + inRepository(path))
            if isKnown != nil {
                throw FileError("the commit deletes `\(path)`; to commit it all the same: `git commit --no-verify`")
            }
        }
        guard !terminal.isQuiet else { return }
        let names = paths.map { "`\($0)`" }.joined(separator: ", ")
        terminal.error("loggen: the commit does not contain \(names); nothing to check\n")
    }

    /// Returns whether files of the repository differ from the index, or definitions are not in it.
    private func hasMore(than paths: [String]) -> Bool {
        (try? Self.git("diff", "--quiet")) == nil
            || (try? Self.git(["ls-files", "--others", "--exclude-standard", "--"] + paths))?.isEmpty == false
    }

    /// Returns a path relative to the top of the repository.
    private func inRepository(_ path: String) -> String {
        let path = FileSystem.path(path, seenFrom: top)
        return path == "." ? "" : path
    }

    /// Runs the command. Returns its exit code, or nil if the commit contains none of the paths.
    private func runCommand(on paths: [String]) throws -> Int32? {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(
            "loggen-staged-\(UUID().uuidString)"
        ).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = folder + "/tree"
        try FileManager.default.createDirectory(atPath: copy + "/" + prefix, withIntermediateDirectories: true)
        try write(to: copy, index: folder + "/index")
        guard paths.contains(where: { FileSystem.kind(copy + "/" + inRepository($0)) != nil }) else {
            try reportAbsence(of: paths)
            return nil
        }

        let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--staged" }.map(relative)
        guard let program = Bundle.main.executablePath else { throw FileError("this program's file is unknown") }
        guard chdir(copy + "/" + prefix) == 0 else { throw FileError("open", copy, errno) }
        let child = try Subprocess.start(program, arguments, files: [], withoutEnvironment: "GIT_")
        // Ctrl-C ends the child. This process still removes the folder.
        for signal in [SIGINT, SIGTERM] { Foundation.signal(signal, SIG_IGN) }
        return Subprocess.wait(for: child)
    }

    /// Writes the files of the tree, as git stores them, into a folder.
    private func write(to copy: String, index: String) throws(FileError) {
        try Self.git(["-C", top, "read-tree", tree], index: index)
        // Without conversions, the bytes are those of the commit.
        try Self.git(
            ["-C", top, "-c", "core.autocrlf=false", "checkout-index", "--all", "--quiet", "--prefix=\(copy)/"],
            index: index)
        // The commit contains only the revision of a submodule, so its files are those of the working folder.
        if FileSystem.kind(copy + "/.gitmodules") == .file {
            for line in try Self.git(["-C", top, "ls-files", "--stage", "-z"], index: index).split(separator: "\0")
            where line.hasPrefix("160000 ") {
                let path = line.drop { $0 != "\t" }.dropFirst()
                rmdir("\(copy)/\(path)")
                symlink("\(top)/\(path)", "\(copy)/\(path)")
            }
        }
        // Other revisions, such as that of `--base`, are read from the repository.
        let repository = try Self.git("rev-parse", "--absolute-git-dir")
        try FileSystem.create(copy + "/.git", Array("gitdir: \(repository)".utf8), mode: 0o644)
    }

    /// Returns an argument with a relative path in place of an absolute one in the repository: `/top/a`, `--x=/top/a`.
    private func relative(_ argument: String) -> String {
        let start = argument.hasPrefix("-") ? argument.firstIndex(of: "=").map(argument.index(after:)) : nil
        let path = argument[(start ?? argument.startIndex)...]
        guard path.hasPrefix("/"), FileSystem.isFolder(top, at: FileSystem.resolved(String(path))) else {
            return argument
        }
        return argument[..<(start ?? argument.startIndex)] + FileSystem.path(String(path), seenFrom: ".")
    }

    private static func git(_ arguments: String...) throws(FileError) -> String { try git(arguments) }

    @discardableResult
    private static func git(_ arguments: [String], index: String? = nil) throws(FileError) -> String {
        let variables = index.map { ["GIT_INDEX_FILE=\($0)"] } ?? []
        let result = try Subprocess.run("env", variables + ["git"] + arguments, standardInput: [])
        guard result.code == 0 else {
            let message = String(decoding: result.error, as: UTF8.self).trimmingCharacters(in: .newlines)
            throw FileError("git: \(message)")
        }
        return String(decoding: result.out, as: UTF8.self)
    }
}
