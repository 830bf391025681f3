import LogDefinitions
package import LogOutputs

/// Makes folders match plans: all of it is written, or nothing.
package struct OutputWriter {
    package struct Outcome {
        package var written = 0
        package var unchanged = 0
        package var removed = 0
        /// Files with the generated header that neither a plan nor the manifest contains. They are left as they are.
        package var unlisted: [String] = []
    }

    /// Writes the files that plans make. Removes files that they made before and no longer make.
    ///
    /// - Parameter isForced: whether files that are not ours are overwritten, and the folders count as ours alone.
    package static func write(_ plans: [OutputSurvey.Plan], isForced: Bool) async throws(FileProblem) -> Outcome {
        let folders = plans.flatMap { $0.output.outputs.map(\.folder) }
        let staging = Staging(tops: folders)
        // They may hold what the disk has no room for twice.
        for folder in Set(folders.map { ExactText($0) }) { staging.removeAbandoned(in: folder.text) }
        Interruption.listen()
        // The work begins when signals are heard: one that came before would end the process and leave what waits.
        let (isHeard, heard) = AsyncStream.makeStream(of: Never.self)
        let work = Task { () -> Result<OutputSurvey, FileProblem> in
            for await _ in isHeard {}
            do throws(FileProblem) {
                return .success(try await OutputSurvey(of: plans, isForced: isForced, into: staging))
            } catch {
                return .failure(error)
            }
        }
        let interruption = Interruption { work.cancel() }
        heard.finish()
        let result = await work.value
        if let signal = await interruption.come() {
            if case .success(let survey) = result { staging.discard(survey.waiting) }
            Interruption.endProcess(signal)
        }
        do throws(FileProblem) {
            let outcome = try await putIntoPlace(result.get(), staging, of: plans, isForced: isForced)
            // A signal that came meanwhile waited for that.
            await interruption.end()
            return outcome
        } catch {
            await interruption.end()
            throw error
        }
    }

    private static func putIntoPlace(
        _ survey: OutputSurvey, _ staging: Staging, of plans: [OutputSurvey.Plan], isForced: Bool
    ) async throws(FileProblem) -> Outcome {
        for folder in Set(survey.folders.map { ExactText($0) }) { staging.removeAbandoned(in: folder.text) }
        for (plan, made) in zip(plans, survey.made) { await plan.manifest?.add(made) }
        do throws(FileProblem) {
            try await staging.commit(survey.waiting, isForced: isForced)
        } catch {
            for plan in plans { await plan.manifest?.withdraw() }
            throw error
        }
        for path in survey.stale { try FileSystem.remove(path) }
        for folder in survey.abandonedFolders { rmdir(folder) }
        for (plan, made) in zip(plans, survey.made) { await plan.manifest?.finish(made) }
        return Outcome(
            written: survey.changed.count, unchanged: survey.unchangedCount, removed: survey.stale.count,
            unlisted: survey.unlisted)
    }

    /// Writes single files: all of them, or none.
    package static func write(_ files: [OutputFile]) async throws(FileProblem) {
        Interruption.listen()
        let interruption = Interruption {}
        do throws(FileProblem) {
            try await replaceChanged(files)
        } catch {
            await interruption.end()
            throw error
        }
        // A signal waits until the files are in place: that takes no time.
        await interruption.end()
    }

    static func replaceChanged(_ files: [OutputFile]) async throws(FileProblem) {
        var changed: [OutputFile] = []
        for file in files where try !FileSystem.holds(file.path, file.bytes) { changed.append(file) }
        try await replace(changed, besides: files.map { folder(of: $0.path) })
    }

    /// Writes files only if nothing else stands at their places: all of them, or none.
    package static func writeNew(_ files: [OutputFile]) async throws(FileProblem) {
        for file in files {
            guard FileSystem.kind(file.path, followingLinks: false) != nil, try !FileSystem.holds(file.path, file.bytes)
            else { continue }
            throw FileProblem(
                "cannot write `\(file.path)`: something else stands there: move it away, or name another folder")
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

    /// Returns the changes that `write` would make, in order of path, and the files that it would leave unlisted.
    package static func differences(
        _ plans: [OutputSurvey.Plan]
    ) async throws(FileProblem) -> (differences: [Difference], unlisted: [String]) {
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
        return (differences.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }, survey.unlisted)
    }

    /// A note on files with the generated header that the manifest does not list; nil without such files.
    package static func note(onUnlisted paths: [String]) -> String? {
        guard let first = paths.first else { return nil }
        let more = paths.count > 1 ? " and \(paths.count - 1) more" : ""
        return """
            note: `\(FileSystem.shortened(first))`\(more): not generated by this run and not listed in \
            `\(FileManifest.fileName)`; remove \(paths.count > 1 ? "them" : "it") if nothing else generates \
            \(paths.count > 1 ? "them" : "it")

            """
    }

    private static func replace(_ files: [OutputFile], besides folders: [String]) async throws(FileProblem) {
        let staging = Staging(tops: folders)
        for folder in Set(folders.map { ExactText($0) }) { staging.removeAbandoned(in: folder.text) }
        guard !files.isEmpty else { return }
        let waiting = files.enumerated().map {
            staging.add($0.element, below: folder(of: $0.element.path), number: $0.offset)
        }
        try await staging.commit(waiting, isForced: true)
    }
}
