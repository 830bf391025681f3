import LogDefinitions
import LogOutputs

/// The staging of new files until all of them are complete.
///
/// A file is written next to its path, under a temporary name. ``commit(_:isForced:)`` renames all files into place, so
/// a full disk leaves the old files unchanged. If a rename fails, the earlier ones are undone. A run that is killed
/// leaves old and new files, each complete. The next run finishes and removes the temporary files. Links are followed
/// and kept. Permissions are kept, too.
struct Staging: Sendable {
    /// A staged file. A class, because lists of thousands are traversed several times.
    final class StagedFile: Sendable {
        fileprivate let temporary: String
        fileprivate let path: String
        /// Indicates whether the path did not exist.
        fileprivate let isFirst: Bool
        fileprivate let former: OutputFile.Former
        /// The folders that were created for the file.
        fileprivate let folders: [String]
        /// The reason why the file could not be staged; nil if it was staged.
        fileprivate let problem: FileError?

        fileprivate init(
            _ temporary: String, for path: String, isFirst: Bool, former: OutputFile.Former, folders: [String],
            _ problem: FileError?
        ) {
            (self.temporary, self.path, self.isFirst, self.former) = (temporary, path, isFirst, former)
            (self.folders, self.problem) = (folders, problem)
        }
    }

    private static let prefix = ".loggen-"
    /// The process identifier alone is not unique: a process in another container or after a kill may have the same
    /// one.
    private let name = "\(Self.prefix)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"

    /// Writes a file's bytes next to its path. After a failure, ``commit(_:isForced:)`` throws the reason.
    /// - Parameters:
    ///   - number: a number that is unique in the run.
    ///   - isFirst: whether the path was free when the run compared it; nil to look now.
    func add(_ file: OutputFile, number: Int, isFirst: Bool? = nil) -> StagedFile {
        let isLink = FileSystem.kind(file.path, followingLinks: false) == .link
        let path = isLink ? FileSystem.resolvedLink(file.path) : file.path
        let temporary = joined(folder(of: path), "\(name)-\(number)")
        let mode = FileSystem.mode(path)
        var isFirst = isFirst ?? (mode == nil)
        if case .nothing = file.former { isFirst = true }
        var folders: [String] = []
        var problem: FileError?
        do throws(FileError) {
            try FileSystem.create(temporary, file.bytes, mode: mode) { () throws(FileError) in
                folders += try FileSystem.createDirectory(folder(of: path))
            }
        } catch {
            problem = error
        }
        return StagedFile(
            temporary, for: path, isFirst: isFirst, former: file.former, folders: folders, problem)
    }

    /// Renames all files into place. Throws without a change if a staged file is missing, or if another file has
    /// appeared at a path that was free.
    /// - Parameter isForced: whether to replace files that have appeared in the meantime.
    func commit(_ waiting: [StagedFile], isForced: Bool) throws(FileError) {
        do throws(FileError) {
            for file in waiting {
                if let problem = file.problem { throw problem }
                // Another run removes a temporary file if it cannot see this process, or after an hour.
                if FileSystem.kind(file.temporary, followingLinks: false) != .file {
                    throw FileError(
                        "the temporary file `\(file.temporary)` was removed during the run, so nothing was written: "
                            + "run loggen again")
                }
                if file.isFirst, !isForced { try Self.checkIsFree(file.path) }
            }
            var placed = Placed()
            do throws(FileError) {
                for file in waiting { try placed.place(file) }
            } catch {
                throw placed.undo(after: error)
            }
            placed.removeFormer()
        } catch {
            discard(waiting)
            throw error
        }
    }

    /// Removes the temporary files and the folders that were created for them, such as on a full disk.
    func discard(_ waiting: [StagedFile]) {
        for file in waiting { unlink(file.temporary) }
        for folder in waiting.flatMap(\.folders).sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(folder) }
    }

    /// Throws if a file has appeared at a path, unless it has the generated header: it may be that of another run.
    private static func checkIsFree(_ path: String) throws(FileError) {
        guard let kind = FileSystem.kind(path, followingLinks: false) else { return }
        if kind == .file, GeneratedHeader.find(in: try FileSystem.head(path, GeneratedHeader.searchedBytes)) != nil {
            return
        }
        throw FileError("cannot write `\(path)`: it appeared during the run: move it away, and run loggen again")
    }

    // MARK: Killed runs

    /// Returns whether a name is that of a temporary file or folder of another run.
    static func isOfAnotherRun(_ name: String) -> Bool { process(in: name).map { $0 != getpid() } ?? false }

    private static func process(in name: String) -> pid_t? {
        guard name.hasPrefix(prefix),
            let number = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false).first,
            let process = pid_t(number), process > 0
        else { return nil }
        return process
    }

    /// Removes temporary files of killed processes. Their names contain the process identifier. A file is removed if
    /// that process does not exist, or after an hour, since a later process may have the same identifier.
    func removeAbandoned(in folder: String) {
        guard FileSystem.kind(folder) == .directory else { return }
        for entry in (try? FileSystem.entries(folder)) ?? [] where !entry.name.hasPrefix(name) {
            guard let process = Self.process(in: entry.name) else { continue }
            let path = joined(folder, entry.name)
            let isGone = kill(process, 0) != 0 && errno == ESRCH
            guard isGone || FileSystem.age(path).map({ $0 > 3600 }) ?? false else { continue }
            // Earlier versions had folders. A link with such a name is a person's.
            switch FileSystem.kind(path, followingLinks: false) {
            case .file: unlink(path)
            case .directory: FileSystem.removeStaging(path)
            default: break
            }
        }
    }
}

/// The files of a commit that are in place.
private struct Placed {
    /// The paths, with the paths of the replaced files; nil without a former file.
    private var renames: [(path: String, former: String?)] = []

    /// Replaces a file, or creates it. The replaced file is kept under another temporary name.
    mutating func place(_ file: Staging.StagedFile) throws(FileError) {
        let (path, former) = (file.path, file.temporary + "-old")
        var isKept = link(path, former) == 0
        do throws(FileError) {
            // The link fails on a disk without hard links, and for an immutable file or a file of another user.
            if !isKept, FileSystem.kind(path, followingLinks: false) == .file {
                try FileSystem.create(former, try FileSystem.read(path), mode: FileSystem.mode(path))
                isKept = true
            }
            if case .bytes(let expected) = file.former, try !FileSystem.holds(isKept ? former : path, expected) {
                throw FileError("`\(path)` was saved during the run, so nothing was written: run loggen again")
            }
            try FileSystem.rename(file.temporary, to: path)
        } catch {
            unlink(former)
            throw error
        }
        renames.append((path, isKept ? former : nil))
    }

    /// Restores the replaced files, and removes the new ones.
    /// - Returns: the error with the files that could not be restored.
    func undo(after error: FileError) -> FileError {
        var message = error.description
        for (path, former) in renames.reversed() {
            do throws(FileError) {
                if let former { try FileSystem.rename(former, to: path) } else { try FileSystem.remove(path) }
            } catch {
                message += "; the former `\(path)` could not be restored"
            }
        }
        return FileError(message)
    }

    func removeFormer() {
        for case (_, let former?) in renames { unlink(former) }
    }
}
