import LogDefinitions
import LogOutputs

/// The staging of new files until all of them are complete.
///
/// A file is written to a staging folder inside its own folder. For a folder that the run creates, the content is
/// collected in the staging folder of the nearest existing parent: it is on the same disk, and many outputs have a
/// folder for each event. ``commit(_:isForced:)`` renames files and new folders into place, so a full disk leaves the
/// old files unchanged. If a rename fails, the earlier ones are undone. Links are followed and kept. Permissions are
/// kept, too.
struct Staging: Sendable {
    /// A staged file. A class, because lists of thousands are traversed several times.
    final class StagedFile: Sendable {
        /// The folder that contains the staging folder.
        fileprivate let folder: String
        /// The path in the staging folder.
        fileprivate let staged: String
        /// The final path. Nil if the file is moved together with its new folder.
        fileprivate let path: String?
        /// Indicates whether the final path did not exist.
        fileprivate let isFirst: Bool
        /// The reason why the file could not be staged; nil if it was staged.
        fileprivate let problem: FileError?
        /// The bytes that the replaced file must have; nil for any.
        fileprivate let former: [UInt8]?

        fileprivate init(
            in folder: String, _ staged: String, for path: String?, isFirst: Bool, former: [UInt8]?,
            _ problem: FileError?
        ) {
            (self.folder, self.staged, self.path, self.isFirst, self.problem) = (folder, staged, path, isFirst, problem)
            self.former = former
        }
    }

    /// The top folders that did not exist at the beginning. Staging folders are never above a top folder.
    private let missing: Set<ExactString>
    /// The missing folders at and above the top folders, the outermost first.
    private let made: [String]
    /// The process identifier alone is not unique: a process in another container or after a kill may have the same
    /// one.
    private let name = "\(Self.prefix)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"

    /// Creates a staging.
    /// - Parameter tops: the top folders. Staging folders are never above them, even if the run creates the top
    ///   folders.
    init(tops: [String]) {
        let missing = Set(tops.map { ExactString($0) }).map(\.text).filter {
            FileSystem.kind($0, followingLinks: false) == nil
        }
        self.missing = Set(missing.map { ExactString($0) })
        made = missing.sorted { $0.utf8.count < $1.utf8.count }.flatMap(Self.missingFolders)
    }

    /// Writes a file's bytes to the staging. After a failure, ``commit(_:isForced:)`` throws the reason.
    /// - Parameters:
    ///   - top: the top folder that contains the file.
    ///   - number: a number that is unique in the run.
    ///   - isFirstInFolder: whether its folder, if the run creates it, is probably still missing.
    func add(_ file: OutputFile, below top: String, number: Int, isFirstInFolder: Bool = false) -> StagedFile {
        var path = file.path
        var base = top
        // In a missing top folder, all paths are new.
        var isNew = missing.contains(ExactString(top))
        if !isNew {
            base = Self.nearestFolder(folder(of: path), atLeast: top)
            isNew = base.utf8.count < folder(of: path).utf8.count
        }
        // If the path is a link, the link's target is replaced.
        if !isNew, FileSystem.kind(path, followingLinks: false) == .link {
            path = FileSystem.resolvedLink(path)
            base = Self.nearestFolder(folder(of: path), atLeast: "/")
            isNew = base.utf8.count < folder(of: path).utf8.count
        }
        let staging = joined(base, name)
        // One staging folder takes files of many folders, so the files have numbers for names.
        let staged =
            isNew
            ? "\(staging)/\(Self.new)/\(Substring(path.utf8.dropFirst(base == "/" ? 1 : base.utf8.count + 1)))"
            : "\(staging)/\(number)"
        let mode = isNew ? nil : FileSystem.mode(path)
        var problem: FileError?
        do throws(FileError) {
            try FileSystem.create(staged, file.bytes, mode: mode, isFolderThere: !(isNew && isFirstInFolder)) {
                () throws(FileError) in
                let new = folder(of: staged)
                // Fast path for outputs with two nested folders for each event: two calls create both if the parents
                // exist.
                let outer = folder(of: new)
                if outer.utf8.count > staging.utf8.count, mkdir(outer, 0o755) == 0, mkdir(new, 0o755) == 0 { return }
                if FileSystem.kind(staging) == nil {
                    if let kind = FileSystem.kind(base), kind != .directory {
                        throw FileError("make the folder", base, ENOTDIR)
                    }
                    removeAbandoned(in: base)
                }
                try FileSystem.createDirectory(new)
            }
        } catch {
            problem = error
        }
        return StagedFile(in: base, staged, for: isNew ? nil : path, isFirst: mode == nil, former: file.former, problem)
    }

    /// The nearest existing folder at or above a path; `top` if none exists below it.
    private static func nearestFolder(_ path: String, atLeast top: String) -> String {
        var path = path
        while path.utf8.count > top.utf8.count, FileSystem.kind(path, followingLinks: false) == nil {
            path = folder(of: path)
        }
        return path
    }

    private static func missingFolders(_ path: String) -> [String] {
        guard FileSystem.kind(path) == nil else { return [] }
        let outer = folder(of: path)
        return (outer.utf8.count < path.utf8.count ? missingFolders(outer) : []) + [path]
    }

    // MARK: Commit

    /// Renames all files into place. Throws without a change if a staged file is missing, or if another file has
    /// appeared at a path that was free.
    /// - Parameter isForced: whether to replace files that have appeared in the meantime.
    func commit(_ waiting: [StagedFile], isForced: Bool) async throws(FileError) {
        // Staged files may be missing: another run removes a staging folder as abandoned if it cannot see this process,
        // or if the folder is older than an hour.
        let areThere = await inParallel(sizes: waiting.map { _ in 1 << 12 }) {
            FileSystem.kind(waiting[$0].staged, followingLinks: false) == .file
        }
        do throws(FileError) {
            // This check precedes the report of failed writes: if a staging folder is removed during a write, the error
            // of the write does not contain the reason: that another run removed the folder.
            if let lost = waiting.indices.first(where: { waiting[$0].problem == nil && !areThere[$0] }) {
                let folder = joined(waiting[lost].folder, name)
                throw FileError(
                    "the staging folder `\(folder)` was removed during the run, so nothing was written: run loggen "
                        + "again"
                )
            }
            for file in waiting { if let problem = file.problem { throw problem } }
            let withNew = folders(of: waiting) { $0.path == nil }
            if !isForced {
                for file in waiting where file.isFirst {
                    if let path = file.path { try Self.checkPlace(path, isFolder: false) }
                }
                let problems = await inParallel(sizes: withNew.map { _ in 1 << 20 }) { number -> FileError? in
                    do throws(FileError) {
                        try Self.checkPlaces(of: newFolder(in: withNew[number]), in: withNew[number])
                        return nil
                    } catch {
                        return error
                    }
                }
                for case let problem? in problems { throw problem }
            }
            var placed = Placed()
            do throws(FileError) {
                for file in waiting {
                    guard let path = file.path else { continue }
                    try placed.replace(path, by: file.staged, joined(file.folder, name), expecting: file.former)
                }
                // Only folders that were missing can be replaced. All others may have other content.
                let replaceable = withNew.filter { missing.contains(ExactString($0)) }
                for folder in withNew {
                    let isReplaceable = missing.contains(ExactString(folder))
                    try placeNew(
                        in: folder, by: isReplaceable ? replaceable.first { !$0.isExactly(folder) } : nil, &placed)
                }
            } catch {
                throw placed.undo(after: error)
            }
        } catch {
            discard(waiting)
            throw error
        }
        removeStagings(of: waiting)
    }

    /// Removes the staged files and the folders that were created for them.
    func discard(_ waiting: [StagedFile]) {
        removeStagings(of: waiting)
        // Empty folders are removed after a failure, such as on a full disk.
        for folder in made.reversed() { rmdir(folder) }
    }

    private func newFolder(in folder: String) -> String { "\(joined(folder, name))/\(Self.new)" }

    /// Throws if other files have appeared at the paths of a staged folder. Folders and files with the generated header
    /// may be those of another run and are allowed.
    private static func checkPlaces(of staged: String, in folder: String) throws(FileError) {
        for entry in try FileSystem.entries(staged) {
            let (staged, path) = (joined(staged, entry.name), joined(folder, entry.name))
            guard FileSystem.kind(path, followingLinks: false) != nil else { continue }
            let isFolder = FileSystem.kind(staged) == .directory
            try checkPlace(path, isFolder: isFolder)
            if isFolder { try checkPlaces(of: staged, in: path) }
        }
    }

    private static func checkPlace(_ path: String, isFolder: Bool) throws(FileError) {
        guard let kind = FileSystem.kind(path, followingLinks: false) else { return }
        if isFolder {
            if FileSystem.kind(path) == .directory { return }
        } else if kind == .file,
            GeneratedHeader.find(in: try FileSystem.head(path, GeneratedHeader.searchedBytes)) != nil
        {
            return
        }
        throw FileError(
            "cannot write `\(path)`: it appeared during the run: move it away, and run loggen again"
        )
    }

    private func folders(of waiting: [StagedFile], where isWanted: (StagedFile) -> Bool = { _ in true }) -> [String] {
        var seen: Set<ExactString> = []
        var folders: [String] = []
        for file in waiting where isWanted(file) {
            // Fast path: nearly always, the next file is in the same folder as the last one.
            if let last = folders.last, last.isExactly(file.folder) { continue }
            if seen.insert(ExactString(file.folder)).inserted { folders.append(file.folder) }
        }
        return folders
    }

    private func removeStagings(of waiting: [StagedFile]) {
        for folder in folders(of: waiting) { FileSystem.removeStaging(joined(folder, name)) }
    }

    /// Moves the new content of a folder into place.
    ///
    /// A folder that the run creates is replaced by its filled staging folder: one step instead of one for each entry.
    /// Since a folder cannot replace its own parent, the filled folder is moved to another folder's staging first. If
    /// the run is killed then, the next run finds it there.
    /// - Parameter other: another folder that the run creates; nil to merge the new content into an existing folder.
    private func placeNew(in folder: String, by other: String?, _ placed: inout Placed) throws(FileError) {
        var staged = newFolder(in: folder)
        var staging = joined(folder, name)
        if let other = other.map({ joined($0, name) }) {
            let aside = "\(other)/\(Self.aside)"
            // The other folder may be in place already, without its staging folder. The staging folder is then created
            // again.
            mkdir(other, 0o755)
            if (try? FileSystem.rename(staged, to: aside)) != nil {
                (staged, staging) = (aside, other)
                rmdir(joined(folder, name))
                // Fails if other content has appeared in the folder, which is kept.
                rmdir(folder)
            }
        }
        try placed.move(staged, to: folder, staging)
    }

    // MARK: Killed runs

    static let prefix = ".loggen-"
    /// The subfolder of a staging folder for the content of new folders.
    private static let new = "new"
    /// The subfolder of a staging folder to which `placeNew` moves the new content of another folder.
    private static let aside = "aside"

    /// Removes staging folders of killed processes. The name of a staging folder contains the process identifier. The
    /// folder is removed if that process does not exist, or after an hour, since a later process may have the same
    /// identifier.
    func removeAbandoned(in folder: String) {
        guard FileSystem.kind(folder) == .directory else { return }
        for entry in (try? FileSystem.entries(folder)) ?? []
        where entry.name.hasPrefix(Self.prefix) && entry.name != name {
            // Earlier releases had only the process identifier in the name.
            guard
                let number = entry.name.dropFirst(Self.prefix.count).split(
                    separator: "-", omittingEmptySubsequences: false
                ).first,
                let process = pid_t(number), process > 0
            else { continue }
            let path = joined(folder, entry.name)
            let isGone = kill(process, 0) != 0 && errno == ESRCH
            if isGone || FileSystem.age(path).map({ $0 > 3600 }) ?? false { FileSystem.removeStaging(path) }
        }
    }
}

/// The files and folders of a commit that are in place.
private struct Placed {
    /// The paths, with the paths of the replaced files; nil without a former file.
    private var renames: [(path: String, former: String?)] = []

    /// Replaces a file, or creates it.
    /// - Parameter staging: the staging folder, in which the replaced file is kept.
    /// - Parameter expected: the bytes that the file must have; nil for any.
    mutating func replace(
        _ path: String, by staged: String, _ staging: String, expecting expected: [UInt8]? = nil
    ) throws(FileError) {
        let former = "\(staging)/old-\(renames.count)"
        var isKept = link(path, former) == 0
        // The link fails on a disk without hard links, and for an immutable file or a file of another user.
        if !isKept, FileSystem.kind(path, followingLinks: false) == .file {
            try FileSystem.create(former, try FileSystem.read(path), mode: FileSystem.mode(path))
            isKept = true
        }
        if let expected, try !FileSystem.holds(isKept ? former : path, expected) {
            throw FileError("`\(path)` was saved during the run, so nothing was written: run loggen again")
        }
        try FileSystem.rename(staged, to: path)
        renames.append((path, isKept ? former : nil))
    }

    /// Moves a folder. If the target exists, made by another run or by an output inside this folder, the contents are
    /// merged.
    mutating func move(_ staged: String, to path: String, _ staging: String) throws(FileError) {
        if FileSystem.kind(path) != .directory {
            do throws(FileError) {
                try FileSystem.rename(staged, to: path)
                renames.append((path, nil))
                return
            } catch {
                guard FileSystem.kind(path) == .directory else { throw error }
            }
        }
        for entry in try FileSystem.entries(staged) {
            let (inner, path) = (joined(staged, entry.name), joined(path, entry.name))
            if FileSystem.kind(inner) == .directory {
                try move(inner, to: path, staging)
            } else {
                try replace(path, by: inner, staging)
            }
        }
    }

    /// Restores the replaced files, and removes the new ones.
    /// - Returns: the error with the files that could not be restored.
    func undo(after error: FileError) -> FileError {
        var message = error.description
        for (path, former) in renames.reversed() {
            do throws(FileError) {
                if let former {
                    try FileSystem.rename(former, to: path)
                } else if FileSystem.kind(path, followingLinks: false) == .directory {
                    FileSystem.removeStaging(path)
                } else {
                    try FileSystem.remove(path)
                }
            } catch {
                message += "; the former `\(path)` could not be restored"
            }
        }
        return FileError(message)
    }
}
