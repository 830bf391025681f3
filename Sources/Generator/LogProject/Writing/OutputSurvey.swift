import LogDefinitions
package import LogOutputs

/// What plans would change on disk, and who made the files that are there.
///
/// A file is ours if it has our header in the line where we write it. A file has been left behind if it has our header,
/// is in a folder of ours, and is no longer made. Then its definition is gone, or the output now goes elsewhere.
package struct OutputSurvey {
    /// The outputs of one definition folder.
    package struct Plan: Sendable {
        package var output: OutputPlan
        /// The definition folder.
        package var root: String
        /// Paths of its documents, as headers name them.
        package var documents: [String]
        /// Whether the run saw everything that the outputs' folders are made from.
        package var isWhole: Bool
        /// Folders of other outputs of the same definitions. This run does not make those outputs.
        package var otherFolders: [String]
        /// The folders that outputs had before the configuration changed.
        package var formerFolders: [FormerFolder]
        /// The file that remembers the folders named by the configuration, with its new content. Nil if there is
        /// nothing to remember.
        package var record: OutputRecord?

        /// The folders of its outputs, as messages show them.
        package var folders: [String] { output.outputs.map { FileSystem.shortened($0.folder) } }

        /// The folders that `loggen.yml` names for the first time and that the definitions' git repository does not have.
        package var foldersOutsideRepository: [String] {
            guard let record, let top = DefinitionFolder.repository(of: root) else { return [] }
            return record.newFolders.filter { !FileSystem.isFolder(top, at: FileSystem.resolved($0)) }.map(
                FileSystem.shortened)
        }

        package init(output: OutputPlan, root: String, documents: [String], isWhole: Bool) {
            self.output = output
            self.root = root
            self.documents = documents
            self.isWhole = isWhole
            otherFolders = []
            formerFolders = []
        }
    }

    /// A folder that may hold old files of an output that now goes elsewhere.
    package struct FormerFolder: Sendable {
        package var path: String
        /// Whether we know that the folder was ours. If not, all files there with our header must come from these
        /// documents.
        package var isKnown: Bool
        /// The output that wrote there; nil if there is none of that name any more.
        package var output: (any Output)?

        package init(path: String, isKnown: Bool, output: (any Output)?) {
            self.path = path
            self.isKnown = isKnown
            self.output = output
        }
    }

    /// Files whose bytes differ from those on disk. They have no bytes if those wait in a staging.
    private(set) var changed: [OutputFile] = []
    private(set) var unchangedCount = 0
    /// Files that no plan makes any more.
    private(set) var leftBehind: [String] = []
    /// What waits in a staging to be put into place.
    private(set) var waiting: [Staging.Waiting] = []
    /// Changed files that would replace a file that is not ours.
    private(set) var others: [String] = []
    /// Folders of all outputs, and those below in which a run was killed.
    private(set) var folders: [String] = []
    /// Folders that may become empty when the files left behind are removed, those inside others first.
    private(set) var abandonedFolders: [String] = []

    private enum State: Sendable {
        case nothing
        case unchanged(Found)
        case changed(Found)
        case failed(FileProblem)
    }

    /// A file that a plan makes, beside what stands at its place. An object, because there are thousands of them.
    private final class Found: Sendable {
        /// It has no bytes if they wait in a staging.
        let file: OutputFile
        let place: GeneratedHeader.Place?
        let isThere: Bool
        let isOurs: Bool
        let waiting: Staging.Waiting?

        init(
            _ file: OutputFile, _ place: GeneratedHeader.Place?, isThere: Bool, isOurs: Bool,
            _ waiting: Staging.Waiting? = nil
        ) {
            (self.file, self.place, self.isThere, self.isOurs, self.waiting) = (file, place, isThere, isOurs, waiting)
        }
    }

    /// - Parameter staging: takes the bytes of changed files as soon as they are made, so that memory never holds them all.
    ///   If this throws, everything there is as it was. If the task is cancelled, what has not been made yet is missing.
    init(of plans: [Plan], isForced: Bool, into staging: Staging? = nil) async throws(FileProblem) {
        try Self.checkSharing(plans)
        var kept: [ExactText: String] = [:]
        var seen = 0
        do throws(FileProblem) {
            for plan in plans {
                let states = await Self.states(of: plan.output, isForced: isForced, into: staging, numbersFrom: seen)
                seen += states.count
                waiting.reserveCapacity(waiting.count + states.count)
                for case .changed(let found) in states { if let file = found.waiting { waiting.append(file) } }
                try await add(plan, states, isForced: isForced, &kept)
            }
            if isForced { others = [] }
            if staging != nil, let inTheWay { throw inTheWay }
        } catch {
            staging?.discard(waiting)
            throw error
        }
    }

    /// Makes all files of a plan, and compares them with what is there.
    private static func states(of plan: OutputPlan, isForced: Bool, into staging: Staging?, numbersFrom first: Int)
        async -> [State]
    {
        let files = plan.files
        let folders = plan.outputs.map(\.folder)
        // Nothing stands in a folder that is not there.
        let areNew = folders.map { FileSystem.kind($0, followingLinks: false) == nil }
        let movesHeader = plan.outputs.map(\.output.movesHeader)
        return await inParallel(sizes: files.map(\.weight)) { index in
            let output = files[index].output
            guard !Task.isCancelled, let file = files[index].make() else { return .nothing }
            let state = state(of: file, movesHeader: movesHeader[output], isNew: areNew[output])
            guard let staging, case .changed(let found) = state, !found.isThere || found.isOurs || isForced else {
                return state
            }
            let isFirstInFolder = index == 0 || !Self.shareFolder(files[index - 1].path, file.path)
            let waiting = staging.add(
                file, below: folders[output], number: first + index, isFirstInFolder: isFirstInFolder)
            return .changed(
                Found(
                    OutputFile(path: file.path, bytes: []), found.place, isThere: found.isThere, isOurs: found.isOurs,
                    waiting))
        }
    }

    private static func shareFolder(_ one: String, _ other: String) -> Bool {
        let slash = UInt8(ascii: "/")
        let (one, other) = (one.utf8, other.utf8)
        guard let end = one.lastIndex(of: slash), let otherEnd = other.lastIndex(of: slash) else { return false }
        return one[..<end].elementsEqual(other[..<otherEnd])
    }

    private mutating func add(
        _ plan: Plan, _ states: [State], isForced: Bool, _ kept: inout [ExactText: String]
    ) async throws(FileProblem) {
        let outputs = plan.output.outputs
        let files = plan.output.files
        let names = outputs.map(\.name)
        var places = [Set<GeneratedHeader.Place>](repeating: [], count: outputs.count)
        var lastPlaces = [GeneratedHeader.Place?](repeating: nil, count: outputs.count)
        func note(_ place: GeneratedHeader.Place?, of output: Int) {
            // Nearly all files of an output have the header in one place.
            guard let place, place != lastPlaces[output] else { return }
            lastPlaces[output] = place
            places[output].insert(place)
        }
        // Whether the folder already holds a file of one of our categories.
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
                note(found.place, of: output)
                if isOfCategory { isKnown[output] = true }
            case .changed(let found):
                path = found.file.path
                changed.append(found.file)
                note(found.place, of: output)
                if isOfCategory, found.isThere, found.isOurs { isKnown[output] = true }
                if found.isThere, !found.isOurs { others.append(path) }
            }
            if let other = kept.updateValue(names[output], forKey: ExactText(path)) {
                throw FileProblem(
                    "`\(path)` would be written twice, by the outputs `\(other)` and `\(names[output])`: give one of them another folder with `to:`"
                )
            }
        }
        folders += outputs.map(\.folder)
        guard plan.isWhole else { return }
        let current = Set(
            outputs.map { ExactText(FileSystem.resolved($0.folder)) }
                + plan.otherFolders.map { ExactText(FileSystem.resolved($0)) })
        for (index, output) in outputs.enumerated() where FileSystem.kind(output.folder) == .directory {
            let isShared = (outputs.indices.filter { $0 != index }.map { outputs[$0].folder } + plan.otherFolders)
                .contains { FileSystem.resolved($0) == FileSystem.resolved(output.folder) }
            let ending = isShared && !output.output.fileExtension.isEmpty ? "." + output.output.fileExtension : ""
            let stale = try await generated(
                in: output.folder, by: output.output, besides: current,
                where: { [kept] in $0.hasSuffix(ending) && kept[ExactText($0)] == nil }
            )
            .filter {
                places[index].contains($0.place) || output.output.movesHeader && $0.place.isComment
                    || places[index].isEmpty && ($0.place.isComment || $0.place.isSchema)
            }
            guard let first = stale.first else { continue }
            // Whatever lies beside a folder of ours was made with it.
            let isOurs = outputs.indices.contains {
                isKnown[$0] && folder(of: outputs[$0].folder) == folder(of: output.folder)
            }
            guard isOurs || isForced else {
                throw Self.problem(othersIn: output.folder, first, of: plan)
            }
            leftBehind += stale.map(\.path)
            abandonedFolders += Self.folders(of: stale.map(\.path), below: output.folder)
        }
        try await findLeftBehind(in: plan.formerFolders, besides: current, of: plan)
        try await findLeftBehindBeside(outputs, in: plan.formerFolders, of: plan) { [kept] in kept[ExactText($0)] != nil
        }
    }

    private static func state(of file: OutputFile, movesHeader: Bool, isNew: Bool) -> State {
        let place = GeneratedHeader.find(in: file.bytes)?.place
        guard place != nil else {
            return .failed(
                FileProblem(
                    "cannot write `\(file.path)`: its first \(GeneratedHeader.searchedBytes) bytes do not hold the header, by which loggen would know it again; let the template begin with `{{header}}` in a comment"
                ))
        }
        if isNew { return .changed(Found(file, place, isThere: false, isOurs: false)) }
        do throws(FileProblem) {
            if try FileSystem.holds(file.path, file.bytes) {
                return .unchanged(Found(OutputFile(path: file.path, bytes: []), place, isThere: true, isOurs: true))
            }
            guard FileSystem.kind(file.path) != nil else {
                return .changed(Found(file, place, isThere: false, isOurs: false))
            }
            let old = GeneratedHeader.find(in: try FileSystem.head(file.path, GeneratedHeader.searchedBytes))?.place
            // The template's author may have moved the header since then.
            let isOurs = old != nil && (old == place || movesHeader && old?.isComment == true)
            return .changed(Found(file, place, isThere: true, isOurs: isOurs))
        } catch {
            return .failed(error)
        }
    }

    // MARK: Whose a folder is

    private struct Generated: Sendable {
        var path: String
        var place: GeneratedHeader.Place
        var source: [UInt8]
    }

    /// The files in an output's folder that have the header, anywhere in the file. If the output has folders below its
    /// own, they are searched, too. Links are not followed.
    /// - Parameters:
    ///   - others: folders that outputs have. They are searched for what another output left there only if its paths have
    ///     a form of their own.
    ///   - isWanted: whether a file with this path is looked at.
    private mutating func generated(
        in top: String, by output: (any Output)?, besides others: Set<ExactText>,
        where isWanted: @escaping @Sendable (String) -> Bool
    ) async throws(FileProblem) -> [Generated] {
        var files: [Generated] = []
        var folders = [top]
        // Some outputs have two folders for each event. All cores look at those of one level.
        while !folders.isEmpty {
            let looks = await inParallel(sizes: folders.map { _ in 1 << 12 }) { [folders] in
                Look.result(at: folders[$0], in: top, by: output, besides: others, where: isWanted)
            }
            var below: [String] = []
            for (folder, look) in zip(folders, looks) {
                let look = try look.get()
                // A run that was killed while it renamed files leaves its staging folders also where all files are in
                // place by now.
                if look.hasStaging, folder != top { self.folders.append(folder) }
                files += look.files
                below += look.folders
            }
            folders = below
        }
        return files
    }

    /// What stands in one folder.
    private struct Look: Sendable {
        var files: [Generated] = []
        /// The folders in it that are searched, too.
        var folders: [String] = []
        var hasStaging = false

        static func result(
            at folder: String, in top: String, by output: (any Output)?, besides others: Set<ExactText>,
            where isWanted: (String) -> Bool
        ) -> Result<Look, FileProblem> {
            do throws(FileProblem) {
                return .success(try Look(at: folder, in: top, by: output, besides: others, where: isWanted))
            } catch {
                return .failure(error)
            }
        }

        private init(
            at folder: String, in top: String, by output: (any Output)?, besides others: Set<ExactText>,
            where isWanted: (String) -> Bool
        ) throws(FileProblem) {
            for entry in try FileSystem.entries(folder) {
                if entry.name.hasPrefix(Staging.prefix) { hasStaging = true }
                guard !entry.name.hasPrefix(".") else { continue }
                let path = joined(folder, entry.name)
                let kind = entry.kind ?? FileSystem.kind(path, followingLinks: false)
                func form() -> Bool? {
                    output?.mayWrite(top == "." ? path : String(Substring(path.utf8.dropFirst(top.utf8.count + 1))))
                }
                if kind == .directory, output?.hasSubfolders ?? false,
                    form() != nil || !others.contains(ExactText(FileSystem.resolved(path)))
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

    /// The folders of files, up to a folder above them, deepest first.
    private static func folders(of paths: [String], below top: String) -> [String] {
        var found: Set<ExactText> = []
        for path in paths {
            var folder = folder(of: path)
            while folder.utf8.count > top.utf8.count, found.insert(ExactText(folder)).inserted {
                folder = LogProject.folder(of: folder)
            }
        }
        return found.map(\.text).sorted { $0.utf8.count > $1.utf8.count }
    }

    /// An output's folder belongs to one definition folder.
    private static func checkSharing(_ plans: [Plan]) throws(FileProblem) {
        var owners: [ExactText: Plan] = [:]
        for plan in plans {
            for folder in Set(plan.output.outputs.map { ExactText($0.folder) }).map(\.text).sorted() {
                guard let other = owners.updateValue(plan, forKey: ExactText(FileSystem.resolved(folder))),
                    !other.root.isExactly(plan.root)
                else {
                    continue
                }
                throw FileProblem(
                    "`\(other.root)` and `\(plan.root)` would both write to `\(folder)`: give each its own folder with `to:` in its loggen.yml, or run them one by one with `--output`"
                )
            }
        }
    }

    private static func problem(othersIn folder: String, _ file: Generated, of plan: Plan) -> FileProblem {
        let source = String(decoding: file.source, as: UTF8.self)
        return FileProblem(
            "`\(folder)` holds what other definitions than `\(plan.root)` became, such as `\(file.path)` from \(source): name another folder, with `to:` in loggen.yml or `--output`; where nothing makes those files any more, remove them, or let `--force` do it"
        )
    }

    /// What stands in the way, if anything does.
    var inTheWay: FileProblem? {
        guard !others.isEmpty else { return nil }
        let shown =
            others.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
            + (others.count > 5 ? " and \(others.count - 5) more" : "")
        let what =
            others.count == 1
            ? "the file does not bear loggen's header where loggen writes it, so it is not ours"
            : "the files do not bear loggen's header where loggen writes it, so they are not ours"
        return FileProblem(
            "cannot write \(shown): \(what): move \(others.count == 1 ? "it" : "them") away, give the output another folder with `to:`, or write over \(others.count == 1 ? "it" : "them") with `--force`"
        )
    }

    /// Finds what an output left in a folder that others share with it and still have.
    private mutating func findLeftBehindBeside(
        _ outputs: [OutputRequest], in former: [FormerFolder], of plan: Plan,
        isKept: @escaping @Sendable (String) -> Bool
    ) async throws(FileProblem) {
        let sources = Set((plan.documents + ["all log definitions"]).map { Array($0.utf8) })
        for folder in former where folder.isKnown && FileSystem.kind(folder.path) == .directory {
            let path = FileSystem.resolved(folder.path)
            guard let output = folder.output, outputs.contains(where: { FileSystem.resolved($0.folder) == path }),
                !outputs.contains(where: { $0.name == output.name && FileSystem.resolved($0.folder) == path }),
                // What this run does not make would look as if nothing made it.
                !plan.otherFolders.contains(where: { FileSystem.resolved($0) == path }),
                !output.fileExtension.isEmpty || output.mayWrite("") != nil
            else { continue }
            let ending = output.fileExtension.isEmpty ? "" : "." + output.fileExtension
            let known = Set(leftBehind.map { ExactText($0) })
            let others = Set((outputs.map(\.folder) + plan.otherFolders).map { ExactText(FileSystem.resolved($0)) })
            let files = try await generated(
                in: folder.path, by: output, besides: others,
                where: { $0.hasSuffix(ending) && !isKept($0) && !known.contains(ExactText($0)) }
            ).filter { ($0.place.isComment || $0.place.isSchema) && sources.contains($0.source) }
            leftBehind += files.map(\.path)
            abandonedFolders += Self.folders(of: files.map(\.path), below: folder.path)
        }
    }

    /// - Parameter current: folders that outputs have now.
    private mutating func findLeftBehind(
        in former: [FormerFolder], besides current: Set<ExactText>, of plan: Plan
    ) async throws(FileProblem) {
        let documents = Set(plan.documents.map { Array($0.utf8) })
        let shared = Set(["all log definitions", "common.md", "types.md"].map { Array($0.utf8) })
        func isCurrent(_ path: String) -> Bool { current.contains(ExactText(FileSystem.resolved(path))) }
        var seen: Set<ExactText> = []
        for folder in former
        where !isCurrent(folder.path) && seen.insert(ExactText(FileSystem.resolved(folder.path))).inserted {
            guard FileSystem.kind(folder.path) == .directory else { continue }
            folders.append(folder.path)
            let files = try await generated(in: folder.path, by: folder.output, besides: current, where: { _ in true })
                .filter { $0.place.isComment || $0.place.isSchema }
            let own = files.filter { documents.contains($0.source) && !shared.contains($0.source) }
            // A file that is made of all documents names none of them. It is ours if the output is known to have written here.
            let areOurs = files.allSatisfy { documents.contains($0.source) || shared.contains($0.source) }
            guard folder.isKnown ? !own.isEmpty || areOurs && !files.isEmpty : !own.isEmpty && areOurs else { continue }
            leftBehind += files.map(\.path)
            // A folder that still holds something is not removed.
            abandonedFolders += Self.folders(of: files.map(\.path), below: folder.path) + [folder.path]
        }
    }
}
