import LogDefinitions
import LogOutputs

/// Where new bytes wait until all of them are there.
///
/// They go to a staging folder inside the file's folder. A folder that the run makes is filled in the staging folder of
/// the folder around it: that is on the same disk, and many outputs have a folder for each event. Files and new folders
/// are renamed into place by ``commit(_:isForced:)``. So the old files stay as they were if the disk becomes full. Links are
/// followed and kept. Permissions are kept, too.
struct Staging: Sendable {
    /// A file that waits. An object, because lists of thousands are gone through several times.
    final class Waiting: Sendable {
        /// The folder whose staging folder it is in.
        fileprivate let folder: String
        /// Where it waits.
        fileprivate let staged: String
        /// Where it is to go. Nil if it goes there with all that is new in the folder.
        fileprivate let path: String?
        /// Whether nothing stood there.
        fileprivate let isFirst: Bool
        /// Why it could not be written.
        fileprivate let problem: FileProblem?

        fileprivate init(in folder: String, _ staged: String, for path: String?, isFirst: Bool, _ problem: FileProblem?)
        {
            (self.folder, self.staged, self.path, self.isFirst, self.problem) = (folder, staged, path, isFirst, problem)
        }
    }

    /// Folders around which nothing is staged, even if the run makes them: those of them that were not there.
    private let missing: Set<ExactText>
    /// The folders that must be made for those to be there, the outermost first.
    private let made: [String]
    /// Not the number of the process alone: in another container, another process has it, and after a kill a later one.
    private let name = "\(Self.prefix)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"

    /// - Parameter tops: folders around which nothing is staged, even if the run makes them.
    init(tops: [String]) {
        let missing = Set(tops.map { ExactText($0) }).map(\.text).filter {
            FileSystem.kind($0, followingLinks: false) == nil
        }
        self.missing = Set(missing.map { ExactText($0) })
        made = missing.sorted { $0.utf8.count < $1.utf8.count }.flatMap(Self.missingFolders)
    }

    /// Writes a file's bytes to where they wait. If that fails, ``commit(_:isForced:)`` throws the reason.
    /// - Parameters:
    ///   - top: the folder at or around the file's own around which nothing is staged.
    ///   - number: a number that no other file of the run has.
    ///   - isFirstInFolder: whether its folder is likely to be missing if the run makes it.
    func add(_ file: OutputFile, below top: String, number: Int, isFirstInFolder: Bool = false) -> Waiting {
        var path = file.path
        var base = top
        // Nothing stands in a folder that is not there.
        var isNew = missing.contains(ExactText(top))
        if !isNew {
            base = Self.nearestFolder(folder(of: path), atLeast: top)
            isNew = base.utf8.count < folder(of: path).utf8.count
        }
        // If the path is a link, the file behind the link is replaced.
        if !isNew, FileSystem.kind(path, followingLinks: false) == .link {
            path = FileSystem.resolvedLink(path)
            base = Self.nearestFolder(folder(of: path), atLeast: "/")
            isNew = base.utf8.count < folder(of: path).utf8.count
        }
        let staging = joined(base, name)
        // Files of many folders meet in one staging folder, so their names there are numbers.
        let staged =
            isNew
            ? "\(staging)/\(Self.new)/\(Substring(path.utf8.dropFirst(base == "/" ? 1 : base.utf8.count + 1)))"
            : "\(staging)/\(number)"
        let mode = isNew ? nil : FileSystem.mode(path)
        var problem: FileProblem?
        do throws(FileProblem) {
            try FileSystem.create(staged, file.bytes, mode: mode, isFolderThere: !(isNew && isFirstInFolder)) {
                () throws(FileProblem) in
                let new = folder(of: staged)
                // Some outputs have two folders for each event, one in the other. Two calls make both if the rest is there.
                let outer = folder(of: new)
                if outer.utf8.count > staging.utf8.count, mkdir(outer, 0o755) == 0, mkdir(new, 0o755) == 0 { return }
                if FileSystem.kind(staging) == nil {
                    if let kind = FileSystem.kind(base), kind != .directory {
                        throw FileProblem("make the folder", base, ENOTDIR)
                    }
                    removeAbandoned(in: base)
                }
                try FileSystem.createDirectory(new)
            }
        } catch {
            problem = error
        }
        return Waiting(in: base, staged, for: isNew ? nil : path, isFirst: mode == nil, problem)
    }

    /// The folder at or above a path that is there, or the last one that is asked.
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

    // MARK: The end

    /// Renames everything into place, if all of it is there and nothing else has come to stand there. If not, nothing has
    /// changed.
    /// - Parameter isForced: whether what has come to stand there is replaced.
    func commit(_ waiting: [Waiting], isForced: Bool) async throws(FileProblem) {
        // Another run takes a folder for abandoned if its process cannot be seen, or has stood still for an hour.
        let areThere = await inParallel(sizes: waiting.map { _ in 1 << 12 }) {
            FileSystem.kind(waiting[$0].staged, followingLinks: false) == .file
        }
        do throws(FileProblem) {
            // Told first: a file that is being written while the folder is removed says only that there is no folder.
            if let lost = waiting.indices.first(where: { waiting[$0].problem == nil && !areThere[$0] }) {
                let folder = joined(waiting[lost].folder, name)
                throw FileProblem(
                    "cannot write what waited in `\(folder)`: it has been removed meanwhile, so nothing was written: run loggen again"
                )
            }
            for file in waiting { if let problem = file.problem { throw problem } }
            let withNew = folders(of: waiting) { $0.path == nil }
            if !isForced {
                for file in waiting where file.isFirst {
                    if let path = file.path { try Self.checkPlace(path, isFolder: false) }
                }
                let problems = await inParallel(sizes: withNew.map { _ in 1 << 20 }) { number -> FileProblem? in
                    do throws(FileProblem) {
                        try Self.checkPlaces(of: newFolder(in: withNew[number]), in: withNew[number])
                        return nil
                    } catch {
                        return error
                    }
                }
                for case let problem? in problems { throw problem }
            }
            for file in waiting { if let path = file.path { try FileSystem.rename(file.staged, to: path) } }
            // All others keep what else is in them.
            let replaceable = withNew.filter { missing.contains(ExactText($0)) }
            for folder in withNew {
                let isReplaceable = missing.contains(ExactText(folder))
                try placeNew(in: folder, by: isReplaceable ? replaceable.first { !$0.isExactly(folder) } : nil)
            }
        } catch {
            discard(waiting)
            throw error
        }
        removeStagings(of: waiting)
    }

    /// Leaves everything as it was.
    func discard(_ waiting: [Waiting]) {
        removeStagings(of: waiting)
        // A disk that is full is not to be filled with empty folders.
        for folder in made.reversed() { rmdir(folder) }
    }

    private func newFolder(in folder: String) -> String { "\(joined(folder, name))/\(Self.new)" }

    /// Folders that have come meanwhile may be another run's, and files with our header, too.
    private static func checkPlaces(of staged: String, in folder: String) throws(FileProblem) {
        for entry in try FileSystem.entries(staged) {
            let (staged, path) = (joined(staged, entry.name), joined(folder, entry.name))
            guard FileSystem.kind(path, followingLinks: false) != nil else { continue }
            let isFolder = FileSystem.kind(staged) == .directory
            try checkPlace(path, isFolder: isFolder)
            if isFolder { try checkPlaces(of: staged, in: path) }
        }
    }

    private static func checkPlace(_ path: String, isFolder: Bool) throws(FileProblem) {
        guard let kind = FileSystem.kind(path, followingLinks: false) else { return }
        if isFolder {
            if FileSystem.kind(path) == .directory { return }
        } else if kind == .file,
            GeneratedHeader.find(in: try FileSystem.head(path, GeneratedHeader.searchedBytes)) != nil
        {
            return
        }
        throw FileProblem(
            "cannot write `\(path)`: something else has come to stand there since the run began: move it away, and run loggen again"
        )
    }

    private func folders(of waiting: [Waiting], where isWanted: (Waiting) -> Bool = { _ in true }) -> [String] {
        var seen: Set<ExactText> = []
        var folders: [String] = []
        for file in waiting where isWanted(file) {
            // Nearly always, the next file waits where the last one does.
            if let last = folders.last, last.isExactly(file.folder) { continue }
            if seen.insert(ExactText(file.folder)).inserted { folders.append(file.folder) }
        }
        return folders
    }

    private func removeStagings(of waiting: [Waiting]) {
        for folder in folders(of: waiting) { FileSystem.removeStaging(joined(folder, name)) }
    }

    /// Moves what is new in a folder into its place.
    ///
    /// A folder that the run makes is replaced by the one that is filled in it: that is one step, instead of one for each
    /// thing in it. No folder can replace one around it. So it waits in another's staging folder for a moment: if the run is
    /// killed then, the next one finds it there.
    /// - Parameter other: another folder that the run makes; nil if what is new goes in beside what else is there.
    private func placeNew(in folder: String, by other: String?) throws(FileProblem) {
        var staged = newFolder(in: folder)
        if let staging = other.map({ joined($0, name) }) {
            let aside = "\(staging)/\(Self.aside)"
            // The other may be in its place already.
            mkdir(staging, 0o755)
            if (try? FileSystem.rename(staged, to: aside)) != nil {
                staged = aside
                rmdir(joined(folder, name))
                // If anything else has come to stand in it, it stays.
                rmdir(folder)
            }
        }
        try Self.move(staged, to: folder)
    }

    /// Moves a folder. One that is there by now, of another run or of an output inside this one's, takes what is in it.
    private static func move(_ staged: String, to path: String) throws(FileProblem) {
        if FileSystem.kind(path) != .directory {
            do throws(FileProblem) {
                return try FileSystem.rename(staged, to: path)
            } catch {
                guard FileSystem.kind(path) == .directory else { throw error }
            }
        }
        for entry in try FileSystem.entries(staged) {
            let (staged, path) = (joined(staged, entry.name), joined(path, entry.name))
            if FileSystem.kind(staged) == .directory {
                try move(staged, to: path)
            } else {
                try FileSystem.rename(staged, to: path)
            }
        }
    }

    // MARK: Killed runs

    static let prefix = ".loggen-"
    /// The folder in a staging folder that holds what is new.
    private static let new = "new"
    /// The folder in a staging folder that holds what is to replace another folder.
    private static let aside = "aside"

    /// Removes what killed processes have left. A staging folder's name holds the number of its process. It is removed if
    /// no process has that number, or if it is older than an hour: then a later process may have the number.
    func removeAbandoned(in folder: String) {
        guard FileSystem.kind(folder) == .directory else { return }
        for entry in (try? FileSystem.entries(folder)) ?? []
        where entry.name.hasPrefix(Self.prefix) && entry.name != name {
            // Releases before had the number alone.
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
