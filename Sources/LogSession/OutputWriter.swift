import LogDefinitions
package import LogEmission

/// Makes folders match plans: all of it is written, or nothing.
///
/// New bytes first go to a staging folder inside each output's folder. The files are renamed into place when all of
/// them are there. So the old files stay as they were if the disk becomes full. Links are followed and kept.
/// Permissions are kept, too.
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
        try await replace(survey.changed)
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

    private static func replace(_ files: [OutputFile]) async throws(FileProblem) {
        guard !files.isEmpty else { return }
        // If the path is a link, the file behind the link is replaced.
        let targets = files.map { file in
            FileSystem.kind(file.path, followingLinks: false) == .link
                ? OutputFile(path: FileSystem.resolvedLink(file.path), bytes: file.bytes) : file
        }
        var stagings: [ExactText: String] = [:]
        defer { for staging in stagings.values { FileSystem.removeStaging(staging) } }
        for target in targets {
            let folder = folder(of: target.path)
            guard stagings[ExactText(folder)] == nil else { continue }
            try FileSystem.createDirectory(folder)
            let staging = joined(folder, "\(stagingPrefix)\(getpid())")
            try FileSystem.createDirectory(staging)
            stagings[ExactText(folder)] = staging
        }
        let folders = stagings
        func staged(_ target: OutputFile) -> String {
            joined(folders[ExactText(folder(of: target.path))] ?? ".", target.path.split(separator: "/").last.map(String.init) ?? target.path)
        }
        let paths = targets.map { staged($0) }
        let problems = await inParallel(sizes: targets.map(\.bytes.count)) { index -> FileProblem? in
            do throws(FileProblem) {
                try FileSystem.create(paths[index], targets[index].bytes, mode: FileSystem.mode(targets[index].path))
                return nil
            } catch {
                return error
            }
        }
        for problem in problems { if let problem { throw problem } }
        for (target, path) in zip(targets, paths) { try FileSystem.rename(path, to: target.path) }
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
