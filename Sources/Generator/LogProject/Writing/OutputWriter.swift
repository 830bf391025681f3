import LogDefinitions
package import LogOutputs

/// Writes plans to disk. All files are staged before the first is replaced.
package struct OutputWriter {
    /// The number of an output's files, and of those that were missing or stale.
    package struct Count: Sendable {
        package var folder: String
        package var contents: String
        package var files = 0
        package var written = 0

        init(folder: String, contents: String) { (self.folder, self.contents) = (folder, contents) }
    }

    package struct Outcome {
        /// The files of each output, in the order of the plans.
        package var outputs: [Count]
        /// Stale files that are left as they are.
        package var leftovers: [StaleFile] = []
        package var removed = 0

        package var written: Int { outputs.reduce(0) { $0 + $1.written } }
        package var unchanged: Int { outputs.reduce(0) { $0 + $1.files } - written }
    }

    /// Writes the planned files and removes stale ones.
    ///
    /// - Parameter isForced: whether to overwrite files that do not belong to loggen.
    package static func write(_ plans: [OutputSurvey.Plan], isForced: Bool) async throws(FileError) -> Outcome {
        // Abandoned files are removed first: the disk may lack the space for a second copy.
        StagedFile.removeAbandoned(in: plans.flatMap { $0.output.files.map { folder(of: $0.path) } })
        let interruption = Interruption()
        // A signal during the renames takes effect after them.
        defer { interruption.end() }
        let survey = try await OutputSurvey(of: plans, isForced: isForced, isStaged: true)
        if Interruption.isPending {
            StagedFile.discard(survey.staged)
            interruption.end()
        }
        var outcome = Outcome(outputs: survey.counts)
        try await replace(survey.staged, isForced: isForced) { () throws(FileError) in
            for (manifest, made, _) in survey.manifests { try await manifest.add(made) }
        }
        // The outputs are in place. A file that cannot be removed does not fail the run.
        for var file in survey.stale {
            if file.reason == nil { file.remove() }
            if file.reason == nil { outcome.removed += 1 } else { outcome.leftovers.append(file) }
        }
        let left = Set(outcome.leftovers.map(\.entry.line))
        for (manifest, made, _) in survey.manifests { try await manifest.finish(made, leaving: left) }
        return outcome
    }

    /// Replaces files. Calls `willPlace` after the checks of all files. After an error, no temporary file is left.
    private static func replace(
        _ files: [StagedFile], isForced: Bool, willPlace: () async throws(FileError) -> Void = {}
    ) async throws(FileError) {
        do throws(FileError) {
            for file in files { try file.check(isForced: isForced) }
            try await willPlace()
            for file in files { try file.place(isForced: isForced) }
        } catch {
            StagedFile.discard(files)
            throw error
        }
    }

    /// Writes individual files. All files are staged before the first is replaced.
    package static func write(_ files: [OutputFile]) async throws(FileError) {
        let interruption = Interruption()
        // A signal takes effect after the files are in place, which takes little time.
        defer { interruption.end() }
        try await replaceChanged(files)
    }

    static func replaceChanged(_ files: [OutputFile]) async throws(FileError) {
        StagedFile.removeAbandoned(in: files.map { folder(of: $0.path) })
        var changed: [OutputFile] = []
        for file in files where try !FileSystem.holds(file.path, file.bytes) { changed.append(file) }
        try await replace(changed.map(StagedFile.init), isForced: false)
    }

    /// Writes individual files. Throws if another file exists at one of the paths.
    package static func writeNew(_ files: [OutputFile]) async throws(FileError) {
        var files = files
        for (index, file) in files.enumerated() {
            files[index].former = .nothing
            guard FileSystem.kind(file.path, followingLinks: false) != nil, try !FileSystem.holds(file.path, file.bytes)
            else { continue }
            throw FileError(
                "cannot write `\(file.path)`: it exists with other content: move it away, or name another folder")
        }
        try await write(files)
    }

    /// A file that `write` would change.
    package struct Difference: Sendable {
        package var path: String
        /// The current bytes; nil without a file.
        package var old: [UInt8]?
        /// The new bytes; nil if the file is to be removed.
        package var new: [UInt8]?
        /// Indicates whether the current file does not belong to loggen.
        package var isInTheWay = false
    }

    /// Returns the changes that `write` would make, in order of path, and the stale files that it would leave.
    package static func differences(
        _ plans: [OutputSurvey.Plan]
    ) async throws(FileError) -> (differences: [Difference], leftovers: [StaleFile]) {
        let survey = try await OutputSurvey(of: plans, isForced: false)
        var differences: [Difference] = []
        for changed in survey.changed {
            let path = changed.file.path
            differences.append(
                Difference(
                    path: path, old: changed.state == .missing ? nil : try FileSystem.read(path),
                    new: changed.file.bytes, isInTheWay: changed.state == .notGenerated))
        }
        for file in survey.stale where file.reason == nil {
            differences.append(Difference(path: file.path, old: try FileSystem.read(file.path), new: nil))
        }
        // Without its line in a manifest, a file would never become stale. A run that changes other files adds it, too.
        let left = Set(survey.stale.filter { $0.reason != nil }.map(\.entry.line))
        var manifests: [String: [FileManifest.Entry]] = [:]
        for (manifest, made, _) in survey.manifests where differences.isEmpty && !manifest.lists(made) {
            manifests[manifest.path] = manifest.finished(manifests[manifest.path], made, leaving: left)
        }
        for (path, entries) in manifests {
            let old = FileSystem.kind(path) == nil ? nil : try FileSystem.read(path)
            let new = FileManifest.bytes(of: entries)
            if old != new { differences.append(Difference(path: path, old: old, new: new)) }
        }
        return (
            differences.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) },
            survey.stale.filter { $0.reason != nil }
        )
    }
}
