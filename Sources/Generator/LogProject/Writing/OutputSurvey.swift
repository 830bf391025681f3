import LogDefinitions
package import LogOutputs

/// The difference between plans and the files on disk.
///
/// A file belongs to loggen if a manifest lists it. It is stale if the plans do not contain it.
package struct OutputSurvey {
    /// The outputs of one definition folder.
    package struct Plan: Sendable {
        package var output: OutputPlan
        package var root: String
        /// The manifests that list the files of the outputs.
        package var manifests: [FileManifest]

        /// The folders of the plan's outputs, as messages show them.
        package var folders: [String] { output.outputs.map { FileSystem.shortened($0.folder) } }

        /// The folders that a run writes to for the first time and that are outside the git repository of the
        /// definitions, although `loggen.yml` names them.
        package var foldersOutsideRepository: [String] {
            output.outputs.filter { output in
                manifests.contains { $0.isNew(output) } && isOutsideRepository(output.folder)
            }.map { FileSystem.shortened($0.folder) }
        }

        fileprivate func isOutsideRepository(_ folder: String) -> Bool {
            DefinitionFolder.repository(of: root).map { !FileSystem.isFolder($0, at: FileSystem.resolved(folder)) }
                ?? false
        }
    }

    struct ComparedFile: Sendable {
        enum State: Sendable { case missing, current, outdated, notGenerated }

        /// The bytes are empty if the file is current or staged.
        var file: OutputFile
        /// The source that the header names.
        var source: [UInt8]
        var state: State
        var staged: StagedFile?
    }

    /// The files that differ from the disk.
    private(set) var changed: [ComparedFile] = []
    /// Listed files that no plan contains.
    private(set) var stale: [StaleFile] = []
    /// The number of files of each output, in the order of the plans.
    private(set) var counts: [OutputWriter.Count] = []
    /// The manifests that change, with the entries of the planned files.
    private(set) var manifests: [(manifest: FileManifest, made: [FileManifest.Entry], plan: Plan)] = []

    var staged: [StagedFile] { changed.compactMap(\.staged) }

    /// The output and the definition folder of each planned path, with links of its folder followed.
    private var planned: [ExactString: (output: String, root: String)] = [:]
    private var foreignFiles: [(path: String, manifest: String, root: String)] = []

    /// - Parameter isStaged: whether to stage the bytes of each changed file once they are made, so that they are never
    ///   all in memory. If the initializer throws, no staged file is left. After a signal, files may be missing.
    init(of plans: [Plan], isForced: Bool, isStaged: Bool = false) async throws(FileError) {
        do throws(FileError) {
            for plan in plans { try await compare(plan, isForced: isForced, isStaged: isStaged) }
            findStaleFiles(of: plans)
            if isStaged, !isForced, let foreignFilesProblem { throw foreignFilesProblem }
        } catch {
            StagedFile.discard(staged)
            throw error
        }
    }

    // MARK: Planned files

    private mutating func compare(_ plan: Plan, isForced: Bool, isStaged: Bool) async throws(FileError) {
        let (files, requests) = (plan.output.files, plan.output.outputs)
        let manifestOfOutput = requests.map { request in plan.manifests.firstIndex { $0.isManifest(of: request) } }
        let results = await inParallel(sizes: files.map(\.weight)) { index in
            Result { () throws(FileError) in
                let file = files[index]
                let isListed = manifestOfOutput[file.output].map {
                    plan.manifests[$0].lists(file.pathInFolder, of: requests[file.output])
                }
                return try Self.compare(file, isListed: isListed ?? false, isForced: isForced, isStaged: isStaged)
            }
        }
        let realFolders = requests.map { FileSystem.resolved($0.folder) }
        var counts = requests.map { OutputWriter.Count(folder: $0.folder, contents: $0.output.contents) }
        var made = plan.manifests.map { _ in [FileManifest.Entry]() }
        // All staged files are noted before an error is thrown.
        var problem: FileError?
        for (file, result) in zip(files, results) {
            do throws(FileError) {
                guard let compared = try result.get() else { continue }
                let request = requests[file.output]
                counts[file.output].files += 1
                if compared.state != .current {
                    counts[file.output].written += 1
                    changed.append(compared)
                }
                if let manifest = manifestOfOutput[file.output] {
                    let list = plan.manifests[manifest]
                    if let entry = list.entry(file.pathInFolder, of: request, source: compared.source) {
                        made[manifest].append(entry)
                    }
                    if compared.state == .notGenerated { foreignFiles.append((file.path, list.path, plan.root)) }
                }
                let path = ExactString(joined(realFolders[file.output], file.pathInFolder))
                if let other = planned.updateValue((request.name, plan.root), forKey: path) {
                    let makers =
                        other.root.isExactly(plan.root)
                        ? "by the outputs `\(other.output)` and `\(request.name)`"
                        : "for `\(other.root)` and `\(plan.root)`"
                    throw FileError(
                        "`\(file.path)` would be written twice, \(makers): give one of them another folder with `to:`")
                }
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
        self.counts += counts
        manifests += zip(plan.manifests, made).filter { !$0.isCurrent($1) }.map { ($0, $1, plan) }
    }

    private static func compare(
        _ planned: OutputPlan.File, isListed: Bool, isForced: Bool, isStaged: Bool
    ) throws(FileError) -> ComparedFile? {
        guard !Interruption.isPending, var file = planned.make() else { return nil }
        guard let header = GeneratedHeader.find(in: file.bytes) else {
            throw FileError(
                "cannot write `\(file.path)`: the header is missing from the first "
                    + "\(GeneratedHeader.searchedBytes) bytes; start the template with `{{header}}` in a comment")
        }
        let state = try state(of: file, isListed: isListed)
        if state == .missing { file.former = .nothing }
        let staged = isStaged && state != .current && (state != .notGenerated || isForced) ? StagedFile(file) : nil
        if state == .current || staged != nil { file.bytes = [] }
        return ComparedFile(file: file, source: header.source, state: state, staged: staged)
    }

    private static func state(of file: OutputFile, isListed: Bool) throws(FileError) -> ComparedFile.State {
        guard FileSystem.kind(file.path) != nil else { return .missing }
        if try FileSystem.holds(file.path, file.bytes) { return .current }
        if try FileSystem.holdsWithCRLF(file.path, file.bytes) { return .current }
        let isGenerated = try isListed ? hasHeader(file.path) : false
        return isGenerated ? .outdated : .notGenerated
    }

    /// Returns whether a file has the header. A person's own file at a listed path has none, and is never replaced.
    private static func hasHeader(_ path: String) throws(FileError) -> Bool {
        GeneratedHeader.find(in: try FileSystem.head(path, GeneratedHeader.searchedBytes)) != nil
    }

    private var foreignFilesProblem: FileError? {
        guard let first = foreignFiles.first else { return nil }
        let shown = foreignFiles.prefix(5).map { "`\(FileSystem.shortened($0.path))`" }.joined(separator: ", ")
        let more = foreignFiles.count > 5 ? " and \(foreignFiles.count - 5) more" : ""
        let (it, its) = foreignFiles.count == 1 ? ("it", "its header is") : ("them", "their headers are")
        let cause =
            FileSystem.kind(first.manifest) == nil
            ? "`\(first.manifest)`, which would list generated files, does not exist"
            : "`\(first.manifest)` does not list \(it) as generated from `\(first.root)`, or \(its) gone"
        return FileError(
            "cannot write \(shown)\(more): \(cause): move \(it) away, give the output another folder with `to:`, "
                + "or, if loggen generated \(it), overwrite \(it) with `--force`")
    }

    // MARK: Stale files

    private mutating func findStaleFiles(of plans: [Plan]) {
        var found: [StaleFile] = []
        for (manifest, made, plan) in manifests {
            for entry in manifest.stale(without: made) {
                let (folder, isCurrent) = manifest.folder(of: entry)
                var file = StaleFile(path: joined(folder, entry.path), folder: folder, entry: entry)
                let kind = FileSystem.kind(file.path, followingLinks: false)
                guard kind == .file || kind == .link else { continue }
                do throws(FileError) {
                    if kind == .link {
                        file.reason = "stale, but a symbolic link; remove it"
                    } else if try !Self.hasHeader(file.path) {
                        file.reason = "stale, but without its header, so it may be yours; move it away, or remove it"
                    } else if !isCurrent, plan.isOutsideRepository(folder) {
                        file.reason = "stale, and outside the git repository of the definitions; remove the file"
                    }
                } catch {
                    file.reason = "stale, and not readable; remove the file"
                }
                found.append(file)
            }
        }
        guard !found.isEmpty else { return }
        // A planned path may be a link to a file, or have letters of another case.
        let paths = planned.keys.map(\.text) + plans.flatMap(\.manifests).flatMap(\.filesOfOtherRuns)
        let inUse = Set(paths.map { ExactString(FileSystem.resolved($0)) })
        stale = found.filter { !inUse.contains(ExactString(FileSystem.resolved($0.path))) }
    }
}
