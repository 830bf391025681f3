import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// The outputs of a run: those of `--only`, or else of `loggen.yml`, or else those that are on by default.
struct OutputSelection {
    private(set) var configured: [OutputRequest] = []
    /// The outputs that this run generates: some of `configured`, or outputs that are not configured.
    private(set) var asked: [OutputRequest] = []

    /// - Parameter root: the definition folder, where a missing `loggen.yml` would be.
    init(
        from registry: OutputRegistry, _ configuration: Configuration, _ options: OutputOptions, root: String,
        report: inout Report
    ) throws(FileError) {
        let wanted = configuration.outputs ?? registry.unaskedNames.map { ($0, Configuration.Output()) }
        var diagnostics: [Diagnostic] = []
        for (name, settings) in wanted {
            guard let output = registry.output(named: name) else {
                diagnostics.append(
                    Self.problem(
                        "unknown output `\(name)`", at: settings.settings.range, help: Self.help(name, registry.names)))
                continue
            }
            let isOurs = configuration.registry.names.containsExactly(name)
            for (key, range) in settings.settingRanges where !output.isElsewhere {
                guard let option = output.options.first(where: { $0.key == key }) else {
                    // A custom output that replaces a built-in one lacks the options of the built-in one.
                    let message =
                        isOurs
                        ? "`\(key)` is an option of the built-in output `\(name)`, which your template replaces"
                        : "the output `\(name)` has no option `\(key)`"
                    let help = isOurs ? nil : Self.help(key, ["to"] + output.options.map(\.key))
                    diagnostics.append(Self.problem(message, at: range, help: help))
                    continue
                }
                guard let setting = settings.settings.setting(key) else { continue }
                diagnostics += option.problems(setting).map { Self.problem($0.message, at: $0.range, help: $0.help) }
            }
            configured.append(Self.request(output, settings, options))
        }
        if let source = configuration.source { report.add(files: [source], diagnostics: diagnostics) }
        for name in options.only ?? configured.map(\.name) {
            guard let output = registry.output(named: name) else {
                throw FileError("unknown output `\(name)`: \(Self.help(name, registry.names))")
            }
            asked.append(configured.first { $0.name == name } ?? Self.request(output, Configuration.Output(), options))
        }
        try complete(configuration, root, &report)
    }

    private mutating func complete(_ configuration: Configuration, _ root: String, _ report: inout Report)
        throws(FileError)
    {
        // An output that `loggen.yml` does not name has no position there for diagnostics.
        let path = configuration.source?.path ?? joined(root, Configuration.fileName)
        let unnamed = SourceFile(
            path: path, relativePath: Configuration.fileName, source: SourceText([]),
            exists: configuration.source != nil)
        let all = Dictionary(
            (configuration.outputs ?? []).map { ($0.name, $0.output.settings) }, uniquingKeysWith: { first, _ in first }
        )
        for index in asked.indices {
            asked[index].settings.all = all
            let settings = configuration.outputs?.first { $0.name == asked[index].name }?.output
            asked[index].settings.file = settings.flatMap { _ in configuration.source } ?? unnamed
            for (key, path, range) in settings?.files ?? [] {
                guard FileSystem.kind(path) != nil else {
                    let problem = Self.problem(
                        "the file `\(path)` does not exist", at: range,
                        help: "the path is relative to this file's folder; remove `\(key)` if the file does not exist")
                    if let source = configuration.source { report.add(files: [source], diagnostics: [problem]) }
                    continue
                }
                asked[index].settings.files[key] = SourceFile(
                    path: path, relativePath: path, source: SourceText(try FileSystem.read(path)))
            }
        }
    }

    private static func request(_ output: any Output, _ settings: Configuration.Output, _ options: OutputOptions)
        -> OutputRequest
    {
        let folder =
            (options.output == nil ? settings.to : nil) ?? joined(options.baseFolder, output.folderName)
        return OutputRequest(output, folder: folder, settings: settings.settings)
    }

    private static func help(_ name: String, _ known: [String]) -> String {
        nearestSpelling(of: name, among: known).map { "did you mean `\($0)`?" }
            ?? "choose one of " + known.map { "`\($0)`" }.joined(separator: ", ")
    }

    private static func problem(_ message: String, at range: Range<Int>, help: String? = nil) -> Diagnostic {
        Diagnostic(.configuration, message, at: Place(file: 0, range: range), notes: help.map { [.help($0)] } ?? [])
    }

    // MARK: Folders

    /// Reports output folders that contain a definition folder, or that would be searched for definitions.
    func checkFolders(_ session: Session, _ options: OutputOptions, _ report: inout Report) throws(FileError) {
        let all = session.folders.map { (path: $0, real: FileSystem.resolved($0)) }
        for output in asked {
            let folder = FileSystem.resolved(output.folder)
            let problem: String
            if let definitions = all.first(where: { FileSystem.isFolder(folder, at: $0.real) }) {
                problem =
                    folder == definitions.real
                    ? "is the definition folder" : "contains the definition folder `\(definitions.path)`"
            } else if let definitions = all.first(where: {
                FileSystem.isFolder($0.real, at: folder) && isSearched(folder, below: $0.real, session)
            }) {
                problem =
                    "is in the definition folder `\(definitions.path)`, where the next run would read it"
            } else {
                continue
            }
            let help =
                "name a folder next to it, or one called `\(Sources.outputFolderName)`, which is not searched for "
                + "definitions"
            if options.output == nil, let source = session.configuration.source,
                let range = session.configuration.outputs?.first(where: { $0.name == output.name })?.output.toRange
            {
                let message = "the folder `\(output.folder)` \(problem)"
                report.add(files: [source], diagnostics: [Self.problem(message, at: range, help: help)])
            } else {
                throw FileError("cannot write to `\(output.folder)`: it \(problem): \(help)")
            }
        }
    }

    private func isSearched(_ folder: String, below definitions: String, _ session: Session) -> Bool {
        // Without a marked definition folder, subfolders are not searched.
        if !session.isDeep { return false }
        return !folder.dropFirst(definitions.count).split(separator: "/").contains {
            Sources.isLeftOut($0) || $0.hasPrefix(".")
        }
    }

    /// Returns the manifest of the configuration, and that of the folder with the outputs without a `to:`.
    func manifests(of session: Session, _ options: OutputOptions) throws(FileError) -> [FileManifest] {
        let configuration = session.configuration
        let moved = configured.filter { request in
            options.output == nil
                && configuration.outputs?.contains { $0.name == request.name && $0.output.to != nil } ?? false
        }
        let inBase = asked.filter { request in !moved.contains { $0.name == request.name } }
        // The first `to:` of an output moves its files out of the default folder.
        let isDefault = options.only == nil && session.options.config == nil
        let base = try FileManifest(
            at: joined(options.baseFolder, FileManifest.fileName), of: session.root, inBase,
            replacing: Set((isDefault ? inBase + moved : inBase).map(\.name)), isWhole: session.isWhole)
        guard options.output == nil, let path = configuration.path else { return [base] }
        // `--only` leaves other outputs unchanged.
        let only = options.only.map { _ in Set(asked.map(\.name)) }
        let own = try FileManifest(
            at: FileManifest.path(ofConfiguration: path), of: nil,
            moved.filter { only?.contains($0.name) ?? true }, replacing: only, isWhole: session.isWhole)
        return [base, own]
    }
}
