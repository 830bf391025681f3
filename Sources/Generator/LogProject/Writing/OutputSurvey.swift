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
        package var otherFolders: [String]
        /// The default folders of outputs that have another folder now. These folders may contain files of an earlier
        /// run.
        var defaultFolders: [(path: String, output: any Output)]
        /// The manifest of generated files; nil if the configuration does not determine the outputs' folders.
        package internal(set) var manifest: FileManifest?

        /// The folders of the plan's outputs, as messages show them.
        package var folders: [String] { output.outputs.map { FileSystem.shortened($0.folder) } }

        /// The folders that `loggen.yml` names for the first time and that are outside the git repository of the
        /// definitions.
        package var foldersOutsideRepository: [String] {
            guard let manifest, let top = DefinitionFolder.repository(of: root) else { return [] }
            return manifest.newFolders.filter { !FileSystem.isFolder(top, at: FileSystem.resolved($0)) }.map(
                FileSystem.shortened)
        }

        package init(output: OutputPlan, root: String, isWhole: Bool) {
            self.output = output
            self.root = root
            self.isWhole = isWhole
            otherFolders = []
            defaultFolders = []
        }
    }

    /// The files whose bytes differ from those on disk. The bytes are empty if they have been staged.
    private(set) var changed: [OutputFile] = []
    private(set) var unchangedCount = 0
    /// Generated files that are not in a plan.
    private(set) var stale: [String] = []
    /// Files with the generated header that no plan contains, and that are left as they are.
    private(set) var leftovers: [Leftover] = []
    /// The number of files of each output, and of those that differ from the disk.
    private(set) var counts: [OutputWriter.Count] = []
    /// The files of each plan's outputs, by the output's name.
    private(set) var made: [[String: [FileManifest.File]]] = []
    /// The staged files.
    private(set) var waiting: [StagedFile] = []
    /// The changed files that would replace a file that does not belong to loggen.
    private(set) var others: [String] = []
    /// The temporary files of killed runs.
    private(set) var abandoned: [String] = []
    /// Folders that may be empty after the removal of stale files, the innermost first.
    private(set) var abandonedFolders: [String] = []

    /// The places of the generated header in planned files, by plan and output. They identify stale files:
    /// unplanned files with the header in the same place.
    private var headerPlaces: [[Set<GeneratedHeader.Place>]] = []

    private enum State: Sendable {
        case nothing
        case unchanged(PlannedFile)
        case changed(PlannedFile)
        case failed(FileError)
    }

    /// A planned file and the state of its path on disk. This is a class, because copies of thousands of structures
    /// would take time.
    private final class PlannedFile: Sendable {
        /// The bytes are empty if they are staged.
        let file: OutputFile
        let header: GeneratedHeader.Finding
        let isThere: Bool
        let isOurs: Bool
        let waiting: StagedFile?

        init(
            _ file: OutputFile, _ header: GeneratedHeader.Finding, isThere: Bool, isOurs: Bool,
            _ waiting: StagedFile? = nil
        ) {
            (self.file, self.header, self.isThere, self.isOurs, self.waiting) = (file, header, isThere, isOurs, waiting)
        }
    }

    /// Compares plans with the disk.
    /// - Parameter isStaged: whether to stage the bytes of each changed file once they are made, so that they are never
    ///   all in memory. If the initializer throws, no staged file is left. After a signal, files that have not been made
    ///   yet are missing.
    init(of plans: [Plan], isForced: Bool, isStaged: Bool = false) async throws(FileError) {
        try Self.checkSharing(plans)
        var kept: [ExactString: String] = [:]
        do throws(FileError) {
            for plan in plans {
                let states = await Self.states(of: plan.output, isForced: isForced, isStaged: isStaged)
                waiting.reserveCapacity(waiting.count + states.count)
                for case .changed(let found) in states { if let file = found.waiting { waiting.append(file) } }
                try await add(plan, states, isForced: isForced, &kept)
            }
            // A stale file of one definition folder may be a planned file of another in the same run.
            let folders = Set(
                plans.flatMap { $0.output.outputs.map(\.folder) + $0.otherFolders }.map {
                    ExactString(FileSystem.resolved($0))
                })
            for (plan, places) in zip(plans, headerPlaces) where plan.isWhole {
                findStaleFiles(listedIn: plan, places, kept)
                for (path, output) in plan.defaultFolders
                where !folders.contains(ExactString(FileSystem.resolved(path))) {
                    try await findStaleFiles(inDefaultFolder: path, of: output, in: plan, besides: folders)
                }
            }
            if isForced { others = [] }
            if isStaged, let inTheWay { throw inTheWay }
        } catch {
            StagedFile.discard(waiting)
            throw error
        }
    }

    /// Makes all files of a plan and compares them with the disk.
    private static func states(of plan: OutputPlan, isForced: Bool, isStaged: Bool)
        async -> [State]
    {
        let files = plan.files
        let folders = plan.outputs.map(\.folder)
        // A missing folder has no files to compare.
        let areNew = folders.map { FileSystem.kind($0, followingLinks: false) == nil }
        let movesHeader = plan.outputs.map(\.output.movesHeader)
        return await inParallel(sizes: files.map(\.weight)) { index in
            let output = files[index].output
            guard !Interruption.isPending, var file = files[index].make() else { return .nothing }
            let state = state(of: file, movesHeader: movesHeader[output], isNew: areNew[output])
            guard isStaged, case .changed(let found) = state, !found.isThere || found.isOurs || isForced else {
                return state
            }
            if !found.isThere { file.former = .nothing }
            let waiting = StagedFile(file)
            return .changed(
                PlannedFile(
                    OutputFile(path: file.path, bytes: []), found.header, isThere: found.isThere, isOurs: found.isOurs,
                    waiting))
        }
    }

    private mutating func add(
        _ plan: Plan, _ states: [State], isForced: Bool, _ kept: inout [ExactString: String]
    ) async throws(FileError) {
        let outputs = plan.output.outputs
        let files = plan.output.files
        let names = outputs.map(\.name)
        var places = [Set<GeneratedHeader.Place>](repeating: [], count: outputs.count)
        var lastPlaces = [GeneratedHeader.Place?](repeating: nil, count: outputs.count)
        var made = [[FileManifest.File]](repeating: [], count: outputs.count)
        func note(_ found: PlannedFile, of output: Int) {
            if plan.manifest != nil {
                let path = Substring(found.file.path.utf8.dropFirst(outputs[output].folder.utf8.count + 1))
                made[output].append(
                    .init(path: String(path), source: String(decoding: found.header.source, as: UTF8.self)))
            }
            // Nearly all files of an output have the header in one place.
            guard found.header.place != lastPlaces[output] else { return }
            lastPlaces[output] = found.header.place
            places[output].insert(found.header.place)
        }
        var counts = outputs.map { OutputWriter.Count(folder: $0.folder, contents: $0.output.contents) }
        // For each output, whether its folder contains a file of one of the plan's categories.
        var isKnown = [Bool](repeating: false, count: outputs.count)
        kept.reserveCapacity(kept.count + files.count)
        changed.reserveCapacity(changed.count + files.count)
        for (index, state) in states.enumerated() {
            let (output, isOfCategory) = (files[index].output, files[index].isOfCategory)
            let path: String
            switch state {
            case .nothing: continue
            case .failed(let problem): throw problem
            case .unchanged(let found):
                path = found.file.path
                unchangedCount += 1
                counts[output].files += 1
                note(found, of: output)
                if isOfCategory { isKnown[output] = true }
            case .changed(let found):
                path = found.file.path
                changed.append(found.file)
                counts[output].files += 1
                counts[output].written += 1
                note(found, of: output)
                if isOfCategory, found.isThere, found.isOurs { isKnown[output] = true }
                if found.isThere, !found.isOurs { others.append(path) }
            }
            if let other = kept.updateValue(names[output], forKey: ExactString(path)) {
                throw FileError(
                    "`\(path)` would be written twice, by the outputs `\(other)` and `\(names[output])`: "
                        + "give one of them another folder with `to:`"
                )
            }
        }
        self.counts += counts
        self.made.append(Dictionary(zip(names, made), uniquingKeysWith: +))
        headerPlaces.append(places)
        guard plan.isWhole else { return }
        let listed = plan.manifest.map(ListedFiles.init)
        let current = Set(
            outputs.map { ExactString(FileSystem.resolved($0.folder)) }
                + plan.otherFolders.map { ExactString(FileSystem.resolved($0)) })
        for (index, output) in outputs.enumerated() where FileSystem.kind(output.folder) == .directory {
            let isShared = (outputs.indices.filter { $0 != index }.map { outputs[$0].folder } + plan.otherFolders)
                .contains { FileSystem.resolved($0) == FileSystem.resolved(output.folder) }
            let ending = isShared && !output.output.fileExtension.isEmpty ? "." + output.output.fileExtension : ""
            let stale = try await generated(
                in: output.folder, by: output.output, besides: current,
                where: { [kept] in $0.hasSuffix(ending) && kept[ExactString($0)] == nil }
            )
            .filter {
                places[index].contains($0.place) || output.output.movesHeader && $0.place.isComment
                    || places[index].isEmpty && ($0.place.isComment || $0.place.isSchema)
            }
            if let listed, listed.hasFiles(of: output) {
                let unlisted = stale.map(\.path).filter { !listed.contains($0) }
                leftovers += unlisted.map { Leftover(path: $0, reason: .unlisted(manifest: listed.manifest)) }
                continue
            }
            guard let first = stale.first else { continue }
            // Generated files next to a folder of this plan come from the same definitions.
            let isOurs = outputs.indices.contains {
                isKnown[$0] && folder(of: outputs[$0].folder) == folder(of: output.folder)
            }
            guard isOurs || isForced else {
                throw Self.problem(othersIn: output.folder, first, of: plan)
            }
            self.stale += stale.map(\.path)
            abandonedFolders += Self.folders(of: stale.map(\.path), below: output.folder)
        }
    }

    private static func state(of file: OutputFile, movesHeader: Bool, isNew: Bool) -> State {
        guard let header = GeneratedHeader.find(in: file.bytes) else {
            return .failed(
                FileError(
                    "cannot write `\(file.path)`: the header is missing from the first "
                        + "\(GeneratedHeader.searchedBytes) bytes; "
                        + "start the template with `{{header}}` in a comment"
                ))
        }
        if isNew { return .changed(PlannedFile(file, header, isThere: false, isOurs: false)) }
        do throws(FileError) {
            var isCurrent = try FileSystem.holds(file.path, file.bytes)
            if !isCurrent { isCurrent = try FileSystem.holdsWithCRLF(file.path, file.bytes) }
            if isCurrent {
                return .unchanged(
                    PlannedFile(OutputFile(path: file.path, bytes: []), header, isThere: true, isOurs: true))
            }
            guard FileSystem.kind(file.path) != nil else {
                return .changed(PlannedFile(file, header, isThere: false, isOurs: false))
            }
            let old = GeneratedHeader.find(in: try FileSystem.head(file.path, GeneratedHeader.searchedBytes))?.place
            // The template's author may have moved the header since then.
            let isOurs = old != nil && (old == header.place || movesHeader && old?.isComment == true)
            return .changed(PlannedFile(file, header, isThere: true, isOurs: isOurs))
        } catch {
            return .failed(error)
        }
    }

    // MARK: Ownership of folders

    private struct Generated: Sendable {
        var path: String
        var place: GeneratedHeader.Place
        var source: [UInt8]
    }

    /// The files in an output's folder that have the header in any line. Subfolders are searched if the output has
    /// some. Links are not followed.
    /// - Parameters:
    ///   - others: the folders of outputs. These folders are skipped unless the paths of the output's files have a
    ///     recognizable form.
    ///   - isWanted: whether to examine a file with this path.
    private mutating func generated(
        in top: String, by output: (any Output)?, besides others: Set<ExactString>,
        where isWanted: @escaping @Sendable (String) -> Bool
    ) async throws(FileError) -> [Generated] {
        var files: [Generated] = []
        var folders = [top]
        // Some outputs have two folders for each event. The folders of one level are searched in parallel.
        while !folders.isEmpty {
            let looks = await inParallel(sizes: folders.map { _ in 1 << 12 }) { [folders] in
                FolderScan.result(at: folders[$0], in: top, by: output, besides: others, where: isWanted)
            }
            var below: [String] = []
            for look in looks {
                let look = try look.get()
                abandoned += look.abandoned
                files += look.files
                below += look.folders
            }
            folders = below
        }
        return files
    }

    /// The relevant entries of one folder.
    private struct FolderScan: Sendable {
        var files: [Generated] = []
        /// The subfolders to search.
        var folders: [String] = []
        /// The temporary files of killed runs.
        var abandoned: [String] = []

        static func result(
            at folder: String, in top: String, by output: (any Output)?, besides others: Set<ExactString>,
            where isWanted: (String) -> Bool
        ) -> Result<FolderScan, FileError> {
            do throws(FileError) {
                return .success(try FolderScan(at: folder, in: top, by: output, besides: others, where: isWanted))
            } catch {
                return .failure(error)
            }
        }

        private init(
            at folder: String, in top: String, by output: (any Output)?, besides others: Set<ExactString>,
            where isWanted: (String) -> Bool
        ) throws(FileError) {
            for entry in try FileSystem.entries(folder) {
                let path = joined(folder, entry.name)
                if StagedFile.isAbandoned(entry.name, in: folder) { abandoned.append(path) }
                guard !entry.name.hasPrefix(".") else { continue }
                let kind = entry.kind ?? FileSystem.kind(path, followingLinks: false)
                func form() -> Bool? {
                    output?.mayWrite(top == "." ? path : String(Substring(path.utf8.dropFirst(top.utf8.count + 1))))
                }
                if kind == .directory, output?.hasSubfolders ?? false,
                    form() != nil || !others.contains(ExactString(FileSystem.resolved(path)))
                {
                    folders.append(path)
                }
                guard kind == .file, isWanted(path), form() ?? true,
                    let finding = GeneratedHeader.find(in: try FileSystem.head(path, GeneratedHeader.searchedBytes))
                else { continue }
                files.append(Generated(path: path, place: finding.place, source: finding.source))
            }
        }
    }

    /// The parent folders of files below a folder, deepest first.
    private static func folders(of paths: [String], below top: String) -> [String] {
        var found: Set<ExactString> = []
        for path in paths {
            var folder = folder(of: path)
            while folder.utf8.count > top.utf8.count, found.insert(ExactString(folder)).inserted {
                folder = LogProject.folder(of: folder)
            }
        }
        return found.map(\.text).sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Throws if two definition folders have outputs in the same folder.
    private static func checkSharing(_ plans: [Plan]) throws(FileError) {
        var owners: [ExactString: Plan] = [:]
        for plan in plans {
            for folder in Set(plan.output.outputs.map { ExactString($0.folder) }).map(\.text).sorted() {
                guard let other = owners.updateValue(plan, forKey: ExactString(FileSystem.resolved(folder))),
                    !other.root.isExactly(plan.root)
                else {
                    continue
                }
                throw FileError(
                    "`\(other.root)` and `\(plan.root)` would both write to `\(folder)`: give each its own folder "
                        + "with `to:` in its loggen.yml, or run them one by one with `--output`"
                )
            }
        }
    }

    private static func problem(othersIn folder: String, _ file: Generated, of plan: Plan) -> FileError {
        let source = String(decoding: file.source, as: UTF8.self)
        return FileError(
            "`\(folder)` contains files of other definitions than `\(plan.root)`, such as `\(file.path)` "
                + "from \(source): name another folder with `to:` in loggen.yml or `--output`; "
                + "if those files are stale, remove them, or use `--force`"
        )
    }

    /// A problem that lists the files that do not belong to loggen; nil without such files.
    var inTheWay: FileError? {
        guard !others.isEmpty else { return nil }
        let shown =
            others.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
            + (others.count > 5 ? " and \(others.count - 5) more" : "")
        let what =
            others.count == 1
            ? "the file has no generated header where loggen writes it, so loggen did not generate it"
            : "the files have no generated header where loggen writes it, so loggen did not generate them"
        return FileError(
            "cannot write \(shown): \(what): move \(others.count == 1 ? "it" : "them") away, give the output "
                + "another folder with `to:`, or overwrite \(others.count == 1 ? "it" : "them") with `--force`"
        )
    }

    // MARK: Stale files

    /// The result for a listed file that no plan contains.
    private enum ListedFile { case stale, kept(Leftover.Reason) }

    /// Finds files in a plan's manifest that the plans do not contain.
    private mutating func findStaleFiles(
        listedIn plan: Plan, _ places: [Set<GeneratedHeader.Place>], _ kept: [ExactString: String]
    ) {
        guard let manifest = plan.manifest else { return }
        let outputs = plan.output.outputs
        let repository = DefinitionFolder.repository(of: plan.root)
        // The plan and the manifest may spell the same folder differently.
        let planned = Dictionary(
            outputs.map { (ExactString(FileSystem.resolved($0.folder)), $0.folder) },
            uniquingKeysWith: { first, _ in first })
        var inUse: Set<ExactString>?
        for section in manifest.coveredSections {
            let folder = manifest.folder(section.folder)
            let real = FileSystem.resolved(folder)
            let current = planned[ExactString(real)]
            let top = current ?? folder
            let isOutside = current == nil && repository.map { !FileSystem.isFolder($0, at: real) } ?? false
            let output = outputs.firstIndex { $0.name == section.output }
            var found: [String] = []
            for file in section.files {
                let path = joined(top, file.path)
                guard kept[ExactString(path)] == nil,
                    let result = Self.result(of: file, at: path, isOutside, output.map { places[$0] } ?? [])
                else { continue }
                let paths = inUse ?? Self.pathsInUse(kept, manifest)
                inUse = paths
                // A planned path may lead to the same file: through a link, or with letters of another case.
                guard !paths.contains(ExactString(FileSystem.resolved(path))) else { continue }
                switch result {
                case .stale: found.append(path)
                case .kept(let reason): leftovers.append(Leftover(path: path, reason: reason))
                }
            }
            guard !found.isEmpty else { continue }
            stale += found
            abandonedFolders += Self.folders(of: found, below: top) + (current == nil ? [top] : [])
        }
    }

    /// Returns the result for a listed file that no plan contains. Nil if the file is missing, or has no generated
    /// header and thus belongs to a person. A file with another source belongs to other definitions and is kept.
    private static func result(
        of file: FileManifest.File, at path: String, _ isOutside: Bool, _ places: Set<GeneratedHeader.Place>
    ) -> ListedFile? {
        guard FileSystem.kind(path, followingLinks: false) == .file else { return nil }
        guard let head = try? FileSystem.head(path, GeneratedHeader.searchedBytes) else { return .kept(.unreadable) }
        guard let header = GeneratedHeader.find(in: head),
            header.place.isComment || header.place.isSchema || places.contains(header.place)
        else { return nil }
        if !header.source.elementsEqual(file.source.utf8) { return .kept(.otherSource) }
        return isOutside ? .kept(.outsideRepository) : .stale
    }

    /// Returns the real paths of planned files, and of files that manifests list for other runs.
    private static func pathsInUse(_ kept: [ExactString: String], _ manifest: FileManifest) -> Set<ExactString> {
        Set((kept.keys.map(\.text) + manifest.pathsOfOtherRuns).map { ExactString(FileSystem.resolved($0)) })
    }

    /// Finds files of an earlier run in the default folder of an output that has another folder now. Other definitions
    /// may use the same folder, so all files there must be equal to planned files.
    /// - Parameter folders: the current folders of all outputs.
    private mutating func findStaleFiles(
        inDefaultFolder path: String, of output: any Output, in plan: Plan, besides folders: Set<ExactString>
    ) async throws(FileError) {
        guard FileSystem.kind(path) == .directory else { return }
        let files = try await generated(in: path, by: output, besides: folders, where: { _ in true })
            .filter { $0.place.isComment || $0.place.isSchema }
        guard !files.isEmpty else { return }
        var planned: [ExactString: OutputPlan.File] = [:]
        for file in plan.output.files where plan.output.outputs[file.output].name == output.name {
            let folder = plan.output.outputs[file.output].folder
            planned[ExactString(String(Substring(file.path.utf8.dropFirst(folder.utf8.count + 1))))] = file
        }
        for file in files {
            let name = String(Substring(file.path.utf8.dropFirst(path.utf8.count + 1)))
            guard let made = planned[ExactString(name)]?.make(), try FileSystem.holds(file.path, made.bytes) else {
                return
            }
        }
        stale += files.map(\.path)
        // A folder that still contains something is not removed.
        abandonedFolders += Self.folders(of: files.map(\.path), below: path) + [path]
    }

    /// The paths that a manifest lists.
    private struct ListedFiles {
        /// The manifest's path.
        let manifest: String
        private var folders: Set<ExactString> = []
        private var paths: Set<ExactString> = []

        init(_ manifest: FileManifest) {
            self.manifest = manifest.path
            var real: [ExactString: String] = [:]
            for entry in manifest.entries {
                let key = ExactString(entry.folder)
                let folder = real[key] ?? FileSystem.resolved(manifest.folder(entry.folder))
                real[key] = folder
                folders.insert(ExactString("\(entry.output) \(folder)"))
                paths.insert(ExactString(joined(folder, entry.file.path)))
            }
        }

        /// Returns true if the manifest lists files of an output in its current folder.
        func hasFiles(of output: OutputRequest) -> Bool {
            folders.contains(ExactString("\(output.name) \(FileSystem.resolved(output.folder))"))
        }

        func contains(_ path: String) -> Bool { paths.contains(ExactString(FileSystem.resolved(path))) }
    }
}
