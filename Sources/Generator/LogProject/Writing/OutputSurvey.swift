import LogDefinitions
package import LogOutputs

/// The difference between plans and the files on disk, and the owner of each file that exists.
///
/// A file at a planned path belongs to loggen if it has the generated header in the planned line. A file is stale if
/// the manifest lists it and the plans do not contain it. In folders without a manifest, a file is stale if it has the
/// header and the plans do not contain it.
package struct OutputSurvey {
    /// The outputs of one definition folder.
    package struct Plan: Sendable {
        package var output: OutputPlan
        package var root: String
        /// Indicates whether the run covers all definitions that the outputs' folders are generated from.
        package var isWhole: Bool
        /// The folders of other outputs of the same definitions, which this run does not generate.
        package internal(set) var otherFolders: [String] = []
        /// The default folders of outputs that have another folder now. These folders may contain files of an earlier
        /// run.
        var defaultFolders: [(path: String, output: any Output)] = []
        /// The manifest of generated files; nil if the configuration does not determine the outputs' folders.
        package internal(set) var manifest: FileManifest?

        /// The folders of the plan's outputs, as messages show them.
        package var folders: [String] { output.outputs.map { FileSystem.shortened($0.folder) } }

        /// The folders that `loggen.yml` names for the first time and that are outside the git repository of the
        /// definitions.
        package var foldersOutsideRepository: [String] {
            guard let manifest, let top = DefinitionFolder.repository(of: root) else { return [] }
            return output.outputs.filter(manifest.isNew).map(\.folder).filter {
                !FileSystem.isFolder(top, at: FileSystem.resolved($0))
            }.map(FileSystem.shortened)
        }
    }

    /// A planned file, compared with its path on disk.
    struct ComparedFile: Sendable {
        enum State: Sendable { case missing, current, outdated, notGenerated }

        /// The bytes are empty if the file is current or staged.
        var file: OutputFile
        var header: GeneratedHeader.Finding
        var state: State
        var staged: StagedFile?
    }

    /// An output's planned files.
    struct ComparedOutput {
        var request: OutputRequest
        /// The real path of the folder.
        var real: String
        var count: OutputWriter.Count
        /// The files' entries in the manifest.
        var entries: [FileManifest.Entry] = []
        /// The places of the generated header. They identify stale files: unplanned files with the header in the same
        /// place.
        var places: Set<GeneratedHeader.Place> = []
        /// Indicates whether the folder contains a generated file of one of the plan's categories.
        var isKnown = false
    }

    /// The files that differ from the disk.
    private(set) var changed: [ComparedFile] = []
    /// Generated files that no plan contains.
    private(set) var unplanned: [UnplannedFile] = []
    /// The outputs of each plan.
    private(set) var outputs: [[ComparedOutput]] = []
    /// The temporary files of killed runs.
    private(set) var abandoned: [String] = []

    var staged: [StagedFile] { changed.compactMap(\.staged) }

    private var plannedByPath: [ExactString: (file: OutputPlan.File, output: String)] = [:]
    private typealias GeneratedFile = (path: String, header: GeneratedHeader.Finding)

    /// Compares plans with the disk.
    /// - Parameter isStaged: whether to stage the bytes of each changed file once they are made, so that they are never
    ///   all in memory. If the initializer throws, no staged file is left. After a signal, files that have not been
    ///   made yet are missing.
    init(of plans: [Plan], isForced: Bool, isStaged: Bool = false) async throws(FileError) {
        try Self.refuseSharedFolders(plans)
        do throws(FileError) {
            for plan in plans { try await compare(plan, isForced: isForced, isStaged: isStaged) }
            // A stale file of one definition folder may be a planned file of another in the same run.
            let others = plans.flatMap(\.otherFolders).map(FileSystem.resolved)
            let folders = Set((outputs.joined().map(\.real) + others).map { ExactString($0) })
            for (index, plan) in plans.enumerated() where plan.isWhole {
                try findFiles(inFoldersOf: plan, outputs[index], besides: folders, isForced: isForced)
                findFiles(listedIn: plan, outputs[index])
                for (path, output) in plan.defaultFolders
                where !folders.contains(ExactString(FileSystem.resolved(path))) {
                    try findFiles(inDefaultFolder: path, of: output, in: outputs[index], besides: folders)
                }
            }
            removeFilesInUse(plans)
            if isStaged, !isForced, let foreignFilesProblem { throw foreignFilesProblem }
        } catch {
            StagedFile.discard(staged)
            throw error
        }
    }

    // MARK: Planned files

    private mutating func compare(_ plan: Plan, isForced: Bool, isStaged: Bool) async throws(FileError) {
        let files = plan.output.files
        let requests = plan.output.outputs
        let movesHeader = requests.map(\.output.movesHeader)
        let results = await inParallel(sizes: files.map(\.weight)) { index in
            Result { () throws(FileError) in
                try Self.compare(
                    files[index], movesHeader: movesHeader[files[index].output], isForced: isForced, isStaged: isStaged)
            }
        }
        let listedFolders = requests.map { plan.manifest?.folder(of: $0) }
        var outputs = requests.map { request in
            ComparedOutput(
                request: request, real: FileSystem.resolved(request.folder),
                count: .init(folder: request.folder, contents: request.output.contents))
        }
        // All staged files are noted before an error is thrown.
        var problem: FileError?
        for (file, result) in zip(files, results) {
            do throws(FileError) {
                guard let compared = try result.get() else { continue }
                let request = requests[file.output]
                outputs[file.output].count.files += 1
                if compared.state != .current {
                    outputs[file.output].count.written += 1
                    changed.append(compared)
                }
                if file.isOfCategory, compared.state == .current || compared.state == .outdated {
                    outputs[file.output].isKnown = true
                }
                outputs[file.output].places.insert(compared.header.place)
                if let folder = listedFolders[file.output] {
                    outputs[file.output].entries.append(
                        FileManifest.Entry(
                            output: request.name, folder: folder, path: Self.path(file.path, in: request.folder),
                            source: String(decoding: compared.header.source, as: UTF8.self)))
                }
                if let other = plannedByPath.updateValue((file, request.name), forKey: ExactString(file.path)) {
                    throw FileError(
                        "`\(file.path)` would be written twice, by the outputs `\(other.output)` and "
                            + "`\(request.name)`: give one of them another folder with `to:`")
                }
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
        self.outputs.append(outputs)
    }

    private static func compare(
        _ planned: OutputPlan.File, movesHeader: Bool, isForced: Bool, isStaged: Bool
    ) throws(FileError) -> ComparedFile? {
        guard !Interruption.isPending, var file = planned.make() else { return nil }
        guard let header = GeneratedHeader.find(in: file.bytes) else {
            throw FileError(
                "cannot write `\(file.path)`: the header is missing from the first "
                    + "\(GeneratedHeader.searchedBytes) bytes; start the template with `{{header}}` in a comment")
        }
        let state = try state(of: file, header.place, movesHeader: movesHeader)
        if state == .missing { file.former = .nothing }
        let staged = isStaged && state != .current && (state != .notGenerated || isForced) ? StagedFile(file) : nil
        if state == .current || staged != nil { file.bytes = [] }
        return ComparedFile(file: file, header: header, state: state, staged: staged)
    }

    private static func state(
        of file: OutputFile, _ place: GeneratedHeader.Place, movesHeader: Bool
    ) throws(FileError) -> ComparedFile.State {
        guard FileSystem.kind(file.path) != nil else { return .missing }
        if try FileSystem.holds(file.path, file.bytes) { return .current }
        if try FileSystem.holdsWithCRLF(file.path, file.bytes) { return .current }
        let old = GeneratedHeader.find(in: try FileSystem.head(file.path, GeneratedHeader.searchedBytes))?.place
        // The template's author may have moved the header since then.
        return old == place || movesHeader && old?.isComment == true ? .outdated : .notGenerated
    }

    private static func refuseSharedFolders(_ plans: [Plan]) throws(FileError) {
        var owners: [ExactString: String] = [:]
        for plan in plans {
            for folder in plan.output.outputs.map(\.folder).sorted() {
                let other = owners.updateValue(plan.root, forKey: ExactString(FileSystem.resolved(folder))) ?? plan.root
                if other.isExactly(plan.root) { continue }
                throw FileError(
                    "`\(other)` and `\(plan.root)` would both write to `\(folder)`: give each its own folder "
                        + "with `to:` in its loggen.yml, or run them one by one with `--output`"
                )
            }
        }
    }

    private var foreignFilesProblem: FileError? {
        let others = changed.filter { $0.state == .notGenerated }.map(\.file.path)
        guard !others.isEmpty else { return nil }
        let shown = others.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
        let more = others.count > 5 ? " and \(others.count - 5) more" : ""
        let (files, it) = others.count == 1 ? ("file has", "it") : ("files have", "them")
        return FileError(
            "cannot write \(shown)\(more): the \(files) no generated header where loggen writes it, "
                + "so loggen did not generate \(it): move \(it) away, give the output another folder with `to:`, "
                + "or overwrite \(it) with `--force`"
        )
    }

    // MARK: Unplanned files

    /// In a folder without a manifest, generated files are stale.
    private mutating func findFiles(
        inFoldersOf plan: Plan, _ outputs: [ComparedOutput], besides folders: Set<ExactString>, isForced: Bool
    ) throws(FileError) {
        let files = plan.manifest?.files ?? []
        let otherFolders = plan.otherFolders.map(FileSystem.resolved)
        for compared in outputs where FileSystem.kind(compared.request.folder) == .directory {
            let output = compared.request
            let sharing = (outputs.map(\.real) + otherFolders).count { $0.isExactly(compared.real) }
            let ending = sharing > 1 && !output.output.fileExtension.isEmpty ? "." + output.output.fileExtension : ""
            let found = try generatedFiles(in: output.folder, of: output.output, ending: ending, besides: folders)
                .filter { Self.isOwn($0.header.place, of: output.output, compared.places) }
            let isListed = files.contains {
                $0.entry.output == output.name && $0.realFolder.isExactly(compared.real)
            }
            // Generated files next to a folder of this plan come from the same definitions.
            let isOurs = outputs.contains { $0.isKnown && folder(of: $0.request.folder) == folder(of: output.folder) }
            if let first = found.first, !isListed, !isOurs, !isForced {
                throw FileError(
                    "`\(output.folder)` contains files of other definitions than `\(plan.root)`, such as "
                        + "`\(first.path)` from \(String(decoding: first.header.source, as: UTF8.self)): "
                        + "name another folder with `to:` in loggen.yml or `--output`; "
                        + "if those files are stale, remove them, or use `--force`")
            }
            let reason = isListed ? plan.manifest.map { UnplannedFile.Reason.unlisted(manifest: $0.path) } : nil
            unplanned += found.map { UnplannedFile(path: $0.path, top: output.folder, reason: reason) }
        }
    }

    private mutating func findFiles(listedIn plan: Plan, _ outputs: [ComparedOutput]) {
        guard let manifest = plan.manifest else { return }
        let repository = DefinitionFolder.repository(of: plan.root)
        for listed in manifest.files where manifest.covers(listed.entry.output) {
            // The plan and the manifest may spell the same folder differently.
            let current = outputs.first { $0.real.isExactly(listed.realFolder) }?.request.folder
            let top = current ?? listed.folder
            var file = UnplannedFile(
                path: joined(top, listed.entry.path), top: top, isFormer: current == nil, entry: listed.entry)
            guard plannedByPath[ExactString(file.path)] == nil,
                FileSystem.kind(file.path, followingLinks: false) == .file
            else { continue }
            if let head = try? FileSystem.head(file.path, GeneratedHeader.searchedBytes) {
                let places = outputs.first { $0.request.name == listed.entry.output }?.places
                // A file without the header belongs to a person.
                guard let header = GeneratedHeader.find(in: head),
                    Self.isOwn(header.place, of: nil, places ?? [])
                else { continue }
                let isOther = !header.source.elementsEqual(listed.entry.source.utf8)
                let isOutside =
                    current == nil && repository.map { !FileSystem.isFolder($0, at: listed.realFolder) } ?? false
                file.reason = isOther ? .otherSource : isOutside ? .outsideRepository : nil
            } else {
                file.reason = .unreadable
            }
            unplanned.append(file)
        }
    }

    /// Other definitions may use the default folder, so all files there must be equal to planned files.
    private mutating func findFiles(
        inDefaultFolder path: String, of output: any Output, in outputs: [ComparedOutput],
        besides folders: Set<ExactString>
    ) throws(FileError) {
        guard FileSystem.kind(path) == .directory,
            let current = outputs.first(where: { $0.request.name == output.name })?.request.folder
        else { return }
        let found = try generatedFiles(in: path, of: output, besides: folders)
            .filter { Self.isOwn($0.header.place, of: nil, []) }.map(\.path)
        for file in found {
            guard let made = plannedByPath[ExactString(joined(current, Self.path(file, in: path)))]?.file.make(),
                try FileSystem.holds(file, made.bytes)
            else { return }
        }
        unplanned += found.map { UnplannedFile(path: $0, top: path, isFormer: true) }
    }

    /// A planned path may be a link to a file, or have letters of another case. A listed file that is also in an
    /// output's folder stays once.
    private mutating func removeFilesInUse(_ plans: [Plan]) {
        guard !unplanned.isEmpty else { return }
        func real(_ paths: [String]) -> Set<ExactString> { Set(paths.map { ExactString(FileSystem.resolved($0)) }) }
        let manifests = plans.compactMap(\.manifest)
        let inUse = real(plannedByPath.keys.map(\.text) + manifests.flatMap(\.filesOfOtherRuns).map(\.path))
        let listed = real(manifests.flatMap(\.files).map(\.path))
        unplanned.removeAll { file in
            let path = ExactString(FileSystem.resolved(file.path))
            return inUse.contains(path) || file.entry == nil && listed.contains(path)
        }
    }

    /// - Parameter output: the output whose folder contains the file; nil if there is more evidence than the header.
    private static func isOwn(
        _ place: GeneratedHeader.Place, of output: (any Output)?, _ places: Set<GeneratedHeader.Place>
    ) -> Bool {
        places.contains(place)
            || (output?.movesHeader ?? true || places.isEmpty) && (place.isComment || place.isSchema)
    }

    private static func path(_ path: String, in folder: String) -> String {
        folder == "." ? path : String(Substring(path.utf8.dropFirst(folder.utf8.count + 1)))
    }

    /// Subfolders are searched if the output has some. Links are not followed.
    /// - Parameter others: the folders of outputs. These folders are skipped unless the paths of the output's files
    ///   have a recognizable form.
    private mutating func generatedFiles(
        in top: String, of output: any Output, ending: String = "", besides others: Set<ExactString>,
        below subfolder: String? = nil
    ) throws(FileError) -> [GeneratedFile] {
        var files: [GeneratedFile] = []
        let folder = subfolder ?? top
        for entry in try FileSystem.entries(folder) {
            let path = joined(folder, entry.name)
            if StagedFile.isAbandoned(entry.name, in: folder) { abandoned.append(path) }
            guard !entry.name.hasPrefix(".") else { continue }
            let kind = entry.kind ?? FileSystem.kind(path, followingLinks: false)
            let hasForm = output.mayWrite(Self.path(path, in: top))
            if kind == .directory, output.hasSubfolders,
                hasForm != nil || !others.contains(ExactString(FileSystem.resolved(path)))
            {
                files += try generatedFiles(in: top, of: output, ending: ending, besides: others, below: path)
            }
            guard kind == .file, path.hasSuffix(ending), hasForm ?? true, plannedByPath[ExactString(path)] == nil,
                let header = GeneratedHeader.find(in: try FileSystem.head(path, GeneratedHeader.searchedBytes))
            else { continue }
            files.append((path, header))
        }
        return files
    }
}
