import Foundation
import LogDefinitions
import LogProject

/// The files that the next commit will contain.
///
/// `--staged` writes git's index into a temporary folder and runs the same command there. So every rule, path and
/// message is that of a run in a clone of the commit, and drafts and unstaged lines do not count.
struct StagedFiles {
    /// The environment variable that contains the tree of the commit. A hook sets it before the hook unsets git's
    /// variables for a build, such as `GIT_INDEX_FILE`.
    private static let treeVariable = "LOGGEN_STAGED_TREE"

    private let repository: GitRepository
    private let object: String
    private let terminal: Terminal

    /// Runs this command without `--staged` on the staged files.
    /// - Parameters:
    ///   - paths: the definitions. If the commit does not contain them, and does not delete them, nothing runs.
    ///   - needsLock: whether the commit must not delete the lock file of definitions that it keeps.
    /// - Throws: an exit code, unless the command succeeds.
    static func run(_ paths: [String], needsLock: Bool = false, on terminal: Terminal) throws -> Int32 {
        let files = try StagedFiles(on: terminal)
        guard let code = try files.runCommand(on: paths, needsLock: needsLock) else { return 0 }
        if code == 1, !terminal.isQuiet, files.hasChangesBeyondCommit {
            terminal.error("note: the folder has changes that are not in the commit: `git add` stages them\n")
        }
        return code
    }

    private init(on terminal: Terminal) throws(FileError) {
        self.terminal = terminal
        repository = try GitRepository()
        if let tree = environment(Self.treeVariable), !tree.isEmpty {
            object = tree
        } else {
            do throws(FileError) {
                object = try repository.git(["write-tree"]).line
            } catch {
                guard let unmerged = try? repository.git(["ls-files", "--unmerged"]), !unmerged.isEmpty else {
                    throw error
                }
                throw FileError("a merge has conflicts: resolve them, and `git add` the files")
            }
        }
    }

    /// Throws an error if the commit deletes one of the paths.
    private func reportAbsence(of paths: [String]) throws(FileError) {
        for path in paths where (try? repository.git(["rev-parse", "--verify", "HEAD:" + pathFromTop(path)])) != nil {
            throw FileError("the commit deletes `\(path)`; to commit it all the same: `git commit --no-verify`")
        }
        guard !terminal.isQuiet else { return }
        let names = paths.map { "`\($0)`" }.joined(separator: ", ")
        terminal.error("loggen: the commit does not contain \(names); nothing to check\n")
    }

    private func checkLocks(of paths: [String], in tree: GitTree) throws(FileError) {
        let changes = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=D", "HEAD", object]
        let deleted = ((try? repository.git(changes)) ?? []).split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.split(separator: "/").last.map(String.init) == LockFile.fileName }
        guard !deleted.isEmpty else { return }
        // A path that the commit lacks does not hide the folders of the others.
        let folders = paths.compactMap { try? DefinitionFolder.find([tree.path(pathFromTop($0))], ProjectOptions()) }
        let bare = folders.joined().map(\.root).filter { FileSystem.kind(joined($0, LockFile.fileName)) == nil }
        let roots = Set(bare.map { ExactString(FileSystem.resolved($0)) })
        for lock in deleted {
            let folder = tree.path(lock.contains("/") ? LogProject.folder(of: lock) : "")
            guard roots.contains(ExactString(FileSystem.resolved(folder))) else { continue }
            throw FileError(
                "the commit deletes `\(repository.pathFromHere(lock))`, which keeps the names and types of released "
                    + "records: bring it back, or commit all the same with `git commit --no-verify`")
        }
    }

    /// Indicates whether the folder has changes beyond the commit. The commit's tree is compared, not the index: in
    /// `git commit -a`, the index may be another one.
    private var hasChangesBeyondCommit: Bool {
        (try? repository.git(["diff", "--quiet", object])) == nil
            || (try? repository.git(["ls-files", "--others", "--exclude-standard", "--directory"]))?.isEmpty == false
    }

    private func pathFromTop(_ path: String) -> String { repository.path(of: path) ?? path }

    private func runCommand(on paths: [String], needsLock: Bool) throws -> Int32? {
        let tree = try GitTree(object, of: repository)
        try tree.write()
        guard paths.contains(where: { FileSystem.kind(tree.path(pathFromTop($0))) != nil }) else {
            try reportAbsence(of: paths)
            return nil
        }
        if needsLock { try checkLocks(of: paths, in: tree) }
        let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--staged" }.map(relative)
        guard let program = Bundle.main.executablePath else { throw FileError("this program's file is unknown") }
        guard chdir(tree.folder) == 0 else { throw FileError("open", tree.folder, errno) }
        let child = try Subprocess.start(program, arguments, files: [], withoutEnvironment: "GIT_")
        // Ctrl-C ends the child. This process still removes the folder.
        for signal in [SIGINT, SIGTERM] { Foundation.signal(signal, SIG_IGN) }
        return withExtendedLifetime(tree) { Subprocess.wait(for: child) }
    }

    /// Makes an argument's path in the repository relative: `/top/a`, `--x=/top/a`.
    private func relative(_ argument: String) -> String {
        let start = argument.hasPrefix("-") ? argument.firstIndex(of: "=").map(argument.index(after:)) : nil
        let path = argument[(start ?? argument.startIndex)...]
        guard path.hasPrefix("/"), let place = repository.path(of: String(path)) else { return argument }
        return argument[..<(start ?? argument.startIndex)] + repository.pathFromHere(place)
    }
}
