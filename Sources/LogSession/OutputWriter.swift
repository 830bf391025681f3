import LogDefinitions
package import LogEmission

/// Brings folders to what plans say: all of it, or nothing.
///
/// New bytes are first written to a staging folder inside each output's folder; only when every file is there are they
/// renamed into place. A disk that fills up leaves the old files as they were. Links are followed and kept, and so are
/// permissions.
package struct OutputWriter {
    package struct Outcome {
        package var written = 0
        package var unchanged = 0
        package var removed = 0
    }

    /// Writes what plans make, and removes what they made before and no longer do.
    ///
    /// - Parameter isForced: whether files in the way that are not ours are written over, and the folders are taken to be ours alone.
    package static func write(_ plans: [OutputSurvey.Plan], isForced: Bool) async throws(FileProblem) -> Outcome {
        let survey = try await OutputSurvey(of: plans, isForced: isForced)
        if let problem = survey.inTheWay { throw problem }
        for folder in survey.folders { removeAbandonedStagings(in: folder) }
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

    /// Writes files where nothing else stands: all of them, or none.
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
        /// What stands there; nil if nothing does.
        package var old: [UInt8]?
        /// What is to stand there; nil if the file is to go.
        package var new: [UInt8]?
        /// Whether what stands there is not ours.
        package var isInTheWay = false
    }

    /// What `write` would change, in order of path.
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
        // Through a link, the file it leads to is the one that is replaced.
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

    private static let stagingPrefix = ".loggen-"

    /// Removes what processes that were killed have left: nobody has the process' number any more, or has it and began
    /// after.
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
