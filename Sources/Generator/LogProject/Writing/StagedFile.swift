import LogDefinitions
import LogOutputs

/// A new file under a temporary name next to its path, until all files of a run are staged.
///
/// After ``check(isForced:)`` of all files, ``place()`` renames each into place, so a full disk leaves the old files
/// unchanged. A run that is killed leaves old and new files, each complete. The next run finishes and removes the
/// temporary files. Links are followed and kept. Permissions are kept, too.
struct StagedFile: Sendable {
    private let temporary: String
    private let path: String
    private let former: OutputFile.Former
    private var createdFolders: [String] = []
    private var stagingProblem: FileError?

    /// The prefix of temporary names. The process identifier after it finds the files of killed runs. A random number
    /// makes the name unique: a process in another container, or a later one, may have the same identifier.
    private static let prefix = ".loggen-"

    /// Writes a file's bytes next to its path. After a failure, ``check(isForced:)`` throws the reason.
    init(_ file: OutputFile) {
        let isLink = FileSystem.kind(file.path, followingLinks: false) == .link
        path = isLink ? FileSystem.resolvedLink(file.path) : file.path
        let folder = LogProject.folder(of: path)
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        temporary = joined(folder, "\(Self.prefix)\(getpid())-\(number)")
        let mode = FileSystem.mode(path)
        if mode == nil, case .anything = file.former { former = .nothing } else { former = file.former }
        var made: [String] = []
        do throws(FileError) {
            try FileSystem.create(temporary, file.bytes, target: file.path, mode: mode) { () throws(FileError) in
                made += try FileSystem.createDirectory(folder)
            }
        } catch {
            stagingProblem = error
        }
        createdFolders = made
    }

    /// Throws if the staged file is missing, or if the file at its path cannot be replaced or is another one by now.
    /// - Parameter isForced: whether to replace a file that has appeared in the meantime.
    func check(isForced: Bool) throws(FileError) {
        if let stagingProblem { throw stagingProblem }
        // Another run removes a temporary file if it cannot see this process, or after an hour.
        if FileSystem.kind(temporary, followingLinks: false) != .file {
            throw FileError(
                "the temporary file `\(temporary)` was removed during the run, so nothing was written: "
                    + "run loggen again")
        }
        try FileSystem.checkIsReplaceable(path)
        try checkFormer(isForced: isForced, else: "nothing was written")
    }

    /// Renames the file into place. A person may have saved or created their file since the check.
    func place(isForced: Bool) throws(FileError) {
        try checkFormer(isForced: isForced, else: "it was not written")
        try FileSystem.rename(temporary, to: path)
    }

    private func checkFormer(isForced: Bool, else result: String) throws(FileError) {
        switch former {
        case .anything: break
        case .nothing: if !isForced { try checkIsFree() }
        case .bytes(let expected):
            if try !FileSystem.holds(path, expected) {
                throw FileError("`\(path)` was saved during the run, so \(result): run loggen again")
            }
        }
    }

    private func checkIsFree() throws(FileError) {
        guard FileSystem.kind(path, followingLinks: false) != nil else { return }
        throw FileError("cannot write `\(path)`: it appeared during the run: move it away, and run loggen again")
    }

    /// Removes the temporary files and the folders that were created for them, such as on a full disk.
    static func discard(_ files: [StagedFile]) {
        for file in files { unlink(file.temporary) }
        for folder in files.flatMap(\.createdFolders).sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(folder) }
    }

    // MARK: Killed runs

    /// Returns whether a folder's entry is the temporary file of a killed run: its process does not exist, or the file
    /// is more than an hour old, since a later process may have the same identifier.
    static func isAbandoned(_ name: String, in folder: String) -> Bool {
        let path = joined(folder, name)
        guard name.hasPrefix(prefix), FileSystem.kind(path, followingLinks: false) == .file,
            let process = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }), process > 0
        else { return false }
        return kill(process, 0) != 0 && errno == ESRCH || FileSystem.age(path).map { $0 > 3600 } ?? false
    }

    /// Removes the temporary files of killed runs in folders.
    static func removeAbandoned(in folders: [String]) {
        for folder in Set(folders.map { ExactString($0) }) {
            for entry in (try? FileSystem.entries(folder.text)) ?? [] where isAbandoned(entry.name, in: folder.text) {
                unlink(joined(folder.text, entry.name))
            }
        }
    }
}
