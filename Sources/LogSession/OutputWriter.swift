import LogDefinitions
package import LogEmission

/// Makes folders match plans: all of it is written, or nothing.
///
/// New bytes first go to a staging folder inside the file's folder. A folder that the run makes is filled in the staging
/// folder of the folder around it: that is on the same disk, and many outputs have a folder for each event. Files and new
/// folders are renamed into place when all of them are there. So the old files stay as they were if the disk becomes full.
/// Links are followed and kept. Permissions are kept, too.
package struct OutputWriter {
    package struct Outcome {
        package var written = 0
        package var unchanged = 0
        package var removed = 0
    }

    /// Writes the files that plans make. Removes files that they made before and no longer make.
    ///
    /// - Parameter isForced: whether files that are not ours are overwritten, and the folders count as ours alone.
    package static func write(_ plans: [OutputSurvey.Plan], isForced: Bool) async throws(FileProblem) -> Outcome {
        let survey = try await OutputSurvey(of: plans, isForced: isForced)
        if let problem = survey.inTheWay { throw problem }
        for folder in Set((survey.folders + survey.changed.map { folder(of: $0.path) }).map { ExactText($0) }) {
            removeAbandonedStagings(in: folder.text)
        }
        try await replace(survey.changed, in: survey.folders)
        for path in survey.leftBehind { try FileSystem.remove(path) }
        for folder in survey.abandonedFolders { rmdir(folder) }
        try await OutputRecord.update(plans)
        return Outcome(written: survey.changed.count, unchanged: survey.unchangedCount, removed: survey.leftBehind.count)
    }

    /// Writes single files.
    package static func write(_ files: [OutputFile]) async throws(FileProblem) {
        var changed: [OutputFile] = []
        for file in files where try !FileSystem.holds(file.path, file.bytes) { changed.append(file) }
        for folder in Set(files.map { ExactText(folder(of: $0.path)) }) { removeAbandonedStagings(in: folder.text) }
        try await replace(changed)
    }

    /// Writes files only if nothing else stands at their places: all of them, or none.
    package static func writeNew(_ files: [OutputFile]) async throws(FileProblem) {
        for file in files {
            guard FileSystem.kind(file.path, followingLinks: false) != nil, try !FileSystem.holds(file.path, file.bytes) else { continue }
            throw FileProblem("cannot write `\(file.path)`: something else stands there: move it away, or name another folder")
        }
        try await write(files)
    }

    /// A file that `write` would change.
    package struct Difference: Sendable {
        package var path: String
        /// The file that is there now; nil if there is none.
        package var old: [UInt8]?
        /// The file that is to be there; nil if the file is to be removed.
        package var new: [UInt8]?
        /// Whether the file that is there now is not ours.
        package var isInTheWay = false
    }

    /// The changes that `write` would make, in order of path.
    package static func differences(_ plans: [OutputSurvey.Plan]) async throws(FileProblem) -> [Difference] {
        let survey = try await OutputSurvey(of: plans, isForced: false)
        var differences: [Difference] = []
        for file in survey.changed {
            let old = FileSystem.kind(file.path) == nil ? nil : try FileSystem.read(file.path)
            differences.append(Difference(path: file.path, old: old, new: file.bytes, isInTheWay: survey.others.containsExactly(file.path)))
        }
        for path in survey.leftBehind { differences.append(Difference(path: path, old: try FileSystem.read(path), new: nil)) }
        return differences.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// - Parameter outputs: folders around which nothing is staged, even if the run makes them. Without any, each file is
    ///   staged in its own folder.
    private static func replace(_ files: [OutputFile], in outputs: [String]? = nil) async throws(FileProblem) {
        guard !files.isEmpty else { return }
        var stagings = Stagings(tops: Set((outputs ?? files.map { folder(of: $0.path) }).map { ExactText($0) }))
        var isWritten = false
        defer { stagings.remove(withFolders: !isWritten) }
        var targets: [Target] = []
        targets.reserveCapacity(files.count)
        for (index, file) in files.enumerated() {
            var (path, folder) = (file.path, folder(of: file.path))
            // Nothing stands in a folder that is not there.
            let isNew = stagings.isMissing(folder)
            // If the path is a link, the file behind the link is replaced.
            if !isNew, FileSystem.kind(path, followingLinks: false) == .link {
                path = FileSystem.resolvedLink(path)
                folder = LogSession.folder(of: path)
            }
            let place = try stagings.place(for: folder)
            // Files of many folders meet in one staging folder, so their names there are numbers.
            let name = place.isNew ? String(Substring(path.utf8.dropFirst(folder.utf8.count + 1))) : String(index)
            targets.append(Target(path: path, bytes: file.bytes, staged: place.folder + "/" + name, isNew: isNew, hasNewFolder: place.isNew))
        }
        let written = targets
        let problems = await inParallel(sizes: written.map(\.bytes.count)) { index -> FileProblem? in
            let target = written[index]
            do throws(FileProblem) {
                try FileSystem.create(target.staged, target.bytes, mode: target.isNew ? nil : FileSystem.mode(target.path))
                return nil
            } catch {
                return error
            }
        }
        for problem in problems { if let problem { throw problem } }
        for target in written where !target.hasNewFolder { try FileSystem.rename(target.staged, to: target.path) }
        for folder in stagings.newFolders { try move(folder.staged, to: folder.path) }
        isWritten = true
    }

    /// Renames a folder. If there is one by now, of another run or of an output inside this one's, what is in it goes
    /// there.
    private static func move(_ staged: String, to path: String) throws(FileProblem) {
        do throws(FileProblem) {
            try FileSystem.rename(staged, to: path)
        } catch {
            guard FileSystem.kind(staged) == .directory, FileSystem.kind(path) == .directory else { throw error }
            for entry in try FileSystem.entries(staged) { try move(joined(staged, entry.name), to: joined(path, entry.name)) }
        }
    }

    /// A file to be written.
    private struct Target: Sendable {
        var path: String
        var bytes: [UInt8]
        /// Where it waits.
        var staged: String
        /// Whether nothing can stand at its path.
        var isNew: Bool
        /// Whether it waits in a folder that is renamed as a whole.
        var hasNewFolder: Bool
    }

    /// The folders that files wait in, and those that are made for them.
    private struct Stagings {
        /// Where the files of a folder wait.
        struct Place {
            var folder: String
            /// Whether it becomes the folder itself.
            var isNew: Bool
        }

        /// Folders that have a staging folder of their own, even if the run makes them.
        let tops: Set<ExactText>
        /// The folders that are renamed as they are, with all that is in them.
        private(set) var newFolders: [(staged: String, path: String)] = []
        /// By folder.
        private var places: [ExactText: Place] = [:]
        private var own: [String] = []
        /// Whether folders were there when somebody asked first.
        private var missing: [ExactText: Bool] = [:]
        /// The folders that were made, the outermost first. A disk that is full is not to be filled with empty folders.
        private var made: [String] = []

        init(tops: Set<ExactText>) { self.tops = tops }

        mutating func isMissing(_ folder: String) -> Bool {
            if let known = missing[ExactText(folder)] { return known }
            let isMissing = FileSystem.kind(folder, followingLinks: false) == nil
            missing[ExactText(folder)] = isMissing
            return isMissing
        }

        /// Where the files of a folder wait. It is there then.
        mutating func place(for folder: String) throws(FileProblem) -> Place {
            if let known = places[ExactText(folder)] { return known }
            let outer = LogSession.folder(of: folder)
            let isMissing = isMissing(folder)
            let place: Place
            if isMissing, !tops.contains(ExactText(folder)), outer.utf8.count < folder.utf8.count {
                let around = try self.place(for: outer)
                if around.isNew {
                    place = Place(folder: around.folder + Substring(folder.utf8.dropFirst(outer.utf8.count)), isNew: true)
                } else {
                    // The names of files there are numbers.
                    place = Place(folder: joined(around.folder, "new-\(newFolders.count)"), isNew: true)
                    newFolders.append((place.folder, folder))
                }
                try FileSystem.createDirectory(place.folder)
            } else {
                if isMissing { made += OutputWriter.missingFolders(folder) }
                try FileSystem.createDirectory(folder)
                place = Place(folder: joined(folder, "\(stagingPrefix)\(getpid())"), isNew: false)
                try FileSystem.createDirectory(place.folder)
                own.append(place.folder)
            }
            places[ExactText(folder)] = place
            return place
        }

        func remove(withFolders: Bool) {
            for staging in own { FileSystem.removeStaging(staging) }
            if withFolders { for folder in made.reversed() { rmdir(folder) } }
        }
    }

    /// The folders that must be made for a folder to be there, the outermost first.
    private static func missingFolders(_ path: String) -> [String] {
        guard FileSystem.kind(path) == nil else { return [] }
        let outer = folder(of: path)
        return (outer.utf8.count < path.utf8.count ? missingFolders(outer) : []) + [path]
    }

    static let stagingPrefix = ".loggen-"

    /// Removes what killed processes have left. A staging folder's name ends with the number of its process. It is
    /// removed if no process has that number, or if it is older than an hour: then a later process may have the number.
    private static func removeAbandonedStagings(in folder: String) {
        guard FileSystem.kind(folder) == .directory else { return }
        for entry in (try? FileSystem.entries(folder)) ?? [] where entry.name.hasPrefix(stagingPrefix) {
            guard let process = pid_t(entry.name.dropFirst(stagingPrefix.count)), process > 0 else { continue }
            let path = joined(folder, entry.name)
            let isGone = kill(process, 0) != 0 && errno == ESRCH
            if isGone || FileSystem.age(path).map({ $0 > 3600 }) ?? false { FileSystem.removeStaging(path) }
        }
    }
}
