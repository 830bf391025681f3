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
        package var written = 0
        package var unchanged = 0
        package var removed = 0
        /// The files of each output, in the order of the plans.
        package var outputs: [Count] = []
        /// Generated files that no plan contains, and that are left as they are.
        package var leftovers: [Leftover] = []
        /// The manifests that could not be written.
        package var unwrittenManifests: [String] = []
    }

    /// Writes the planned files and removes stale ones.
    ///
    /// - Parameter isForced: whether to overwrite files that do not belong to loggen, and to remove stale files from
    ///   folders that may belong to other definitions.
    package static func write(_ plans: [OutputSurvey.Plan], isForced: Bool) async throws(FileError) -> Outcome {
        // Abandoned files are removed first: the disk may lack the space for a second copy.
        StagedFile.removeAbandoned(in: plans.flatMap { $0.output.outputs.map(\.folder) })
        let interruption = Interruption()
        // A signal during the renames takes effect after them.
        defer { interruption.end() }
        let survey = try await OutputSurvey(of: plans, isForced: isForced, isStaged: true)
        if Interruption.isPending {
            StagedFile.discard(survey.waiting)
            interruption.end()
        }
        return try await putIntoPlace(survey, of: plans, isForced: isForced)
    }

    private static func putIntoPlace(
        _ survey: OutputSurvey, of plans: [OutputSurvey.Plan], isForced: Bool
    ) async throws(FileError) -> Outcome {
        for path in survey.abandoned { unlink(path) }
        var outcome = Outcome(
            written: survey.changed.count, unchanged: survey.unchangedCount, outputs: survey.counts,
            leftovers: survey.leftovers)
        do throws(FileError) {
            for file in survey.waiting { try file.check(isForced: isForced) }
            for (plan, made) in zip(plans, survey.made) {
                guard let manifest = plan.manifest, await !manifest.add(made) else { continue }
                outcome.unwrittenManifests.append(manifest.path)
            }
            for file in survey.waiting { try file.place() }
        } catch {
            StagedFile.discard(survey.waiting)
            throw error
        }
        // The outputs are in place. A file that cannot be removed does not fail the run.
        for path in survey.stale {
            do {
                try FileSystem.remove(path)
                outcome.removed += 1
            } catch {
                outcome.leftovers.append(Leftover(path: path, reason: .unremovable(error.description)))
            }
        }
        for folder in survey.abandonedFolders { rmdir(folder) }
        let listed = Set(
            outcome.leftovers.filter(\.staysListed).map { ExactString(FileSystem.resolved($0.path)) })
        for (plan, made) in zip(plans, survey.made) { await plan.manifest?.finish(made, leaving: listed) }
        return outcome
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
        var staged: [StagedFile] = []
        do throws(FileError) {
            for file in files where try !FileSystem.holds(file.path, file.bytes) { staged.append(StagedFile(file)) }
            for file in staged { try file.check(isForced: false) }
            for file in staged { try file.place() }
        } catch {
            StagedFile.discard(staged)
            throw error
        }
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

    /// Returns the changes that `write` would make, in order of path, and the generated files that it would leave.
    package static func differences(
        _ plans: [OutputSurvey.Plan]
    ) async throws(FileError) -> (differences: [Difference], leftovers: [Leftover]) {
        let survey = try await OutputSurvey(of: plans, isForced: false)
        var differences: [Difference] = []
        for file in survey.changed {
            let old = FileSystem.kind(file.path) == nil ? nil : try FileSystem.read(file.path)
            differences.append(
                Difference(
                    path: file.path, old: old, new: file.bytes, isInTheWay: survey.others.containsExactly(file.path)))
        }
        for path in survey.stale {
            differences.append(Difference(path: path, old: try FileSystem.read(path), new: nil))
        }
        return (differences.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }, survey.leftovers)
    }
}
