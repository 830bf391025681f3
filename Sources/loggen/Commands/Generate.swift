import ArgumentParser
import LogDefinitions
import LogEmission
import LogSession
import MarkdownSyntax

struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write what the definitions become: Swift and JSON Schemas, or what loggen.yml names.",
        discussion: """
            Writes only files whose bytes change, removes generated files that nothing produces any more, and writes nothing when there is an error.
            """
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var outputs: OutputOptions
    @OptionGroup var options: CommonOptions

    @Flag(help: "Write over files in the way that are not loggen's, and take the outputs' folders to be these definitions' alone.")
    var force = false

    func run() async throws {
        let terminal = options.terminal
        let sessions = try await Session.start(arguments.paths, options: options, readsLock: true, terminal: terminal)
        let (plans, report) = try await sessions.plans(outputs, terminal: terminal)
        try report.show(options.diagnostics, on: terminal)
        guard let plans, report.errors == 0 else {
            if options.diagnostics == .text, !options.quiet {
                terminal.error("loggen: \(report.count ?? "errors"); nothing was written\n")
            }
            throw ExitCode(1)
        }
        terminal.progress("loggen: making \(plans.reduce(0) { $0 + $1.output.files.count }) files")
        let outcome = try await OutputWriter.write(plans, isForced: force)
        terminal.clearProgress()
        if !options.quiet {
            let summary = summary(sessions, outcome, seconds: terminal.seconds)
            if options.diagnostics == .text { try terminal.out(summary) } else { terminal.error(summary) }
        }
        endProcess(holding: sessions)
    }

    private func summary(_ sessions: [Session], _ outcome: OutputWriter.Outcome, seconds: Double) -> String {
        let files = sessions.reduce(0) { $0 + $1.fileCount }
        let categories = sessions.flatMap(\.definitions.categories)
        let events = categories.flatMap(\.events)
        let common = sessions.reduce(0) { $0 + ($1.definitions.common?.columns.count ?? 0) }
        let columns = events.reduce(common) { $0 + $1.columns.count }
        var changes = "\(outcome.written) written, \(outcome.unchanged) unchanged"
        if outcome.removed > 0 { changes += ", \(outcome.removed) removed" }
        let milliseconds = Int((seconds * 1000).rounded())
        return """
            loggen: \(files) files, \(categories.count) categories, \(events.count) events, \(columns) columns \
            → \(outcome.written + outcome.unchanged) files (\(changes)) in \(milliseconds) ms

            """
    }
}

/// Flags about what is made and where it goes.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Make only these outputs, separated by commas: swift, json-schema, or a template of yours.", valueName: "outputs"))
    var only: String?

    @Option(help: ArgumentHelp("The folder for all outputs, whatever loggen.yml says; Generated where it says nothing.", valueName: "folder"))
    var output: String?

    @Option(help: ArgumentHelp("A folder with templates (*.mustache) that replace ours or add outputs.", valueName: "folder"))
    var templates: String?

    /// The outputs that `--only` names, each once.
    var onlyNames: [String]? {
        only.map { only in
            only.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }.reduce(into: []) { names, name in
                if !names.contains(name) { names.append(name) }
            }
        }
    }

    func validate() throws {
        if let onlyNames, onlyNames.contains("") {
            throw ValidationError("`--only` names an output, or several with commas between: `--only swift,json-schema`.")
        }
        if output == "" { throw ValidationError("`--output` names no folder.") }
        if templates == "" { throw ValidationError("`--templates` names no folder.") }
    }
}

extension [Session] {
    /// The plans for what is asked for, and everything wrong; no plans if something stands in the way.
    func plans(_ options: OutputOptions, terminal: Terminal) async throws(FileProblem) -> (plans: [OutputSurvey.Plan]?, report: Report) {
        var report = Report()
        var plans: [OutputSurvey.Plan] = []
        for session in self {
            var own = session.report
            if let plan = try session.plan(options, report: &own, terminal: terminal) { plans.append(plan) }
            report.add(own)
        }
        return (plans.count == count ? plans : nil, report)
    }
}

extension Session {
    /// The plan for what is asked for; nil if problems, added to the report, stand in the way.
    fileprivate func plan(_ options: OutputOptions, report: inout Report, terminal: Terminal) throws(FileProblem) -> OutputSurvey.Plan? {
        let templates = try TemplateFolder.read(options.templates ?? configuration.templates)
        var library = TemplateLibrary()
        for file in templates {
            let problems = library.add(file)
            report.add(files: [file], diagnostics: problems)
        }
        // A template that cannot be read is an output all the same, or `--only` would not know its name.
        let configured = try outputs(options, library: library, report: &report)
        let asked = try options.onlyNames.map { names throws(FileProblem) in try only(names, of: configured, options, library) } ?? configured
        try checkFolders(asked, options, &report)
        guard report.errors == 0 else { return nil }
        if hasErrorsElsewhere, asked.contains(where: { $0.name == "json-schema" }), !self.options.quiet {
            terminal.error("note: \(JSONSchemaEmitter.envelopeFileName) is left as it is: other documents of `\(root)` have errors\n")
        }
        let output = OutputPlan(
            of: model, outputs: asked, templates: library, given: isWhole ? nil : given, isSound: !hasErrorsElsewhere)
        var plan = OutputSurvey.Plan(output: output, root: root, documents: analysis.definitions.files.map(\.relativePath), isWhole: isWhole)
        plan.otherFolders = configured.filter { output in !asked.contains { $0.name == output.name } }.map(\.folder)
        if isWhole { remember(configured, asked, options, in: &plan) }
        return plan
    }

    /// All outputs of the configuration.
    private func outputs(_ options: OutputOptions, library: TemplateLibrary, report: inout Report) throws(FileProblem) -> [Output] {
        let known = ["swift", "json-schema"] + library.names
        let configured = configuration.outputs ?? known.map { ($0, Configuration.Output()) }
        if let source = configuration.source {
            let unknown = configured.filter { !known.contains($0.name) }.map { output in
                Diagnostic(
                    .configuration, "there is no output `\(output.name)`",
                    at: Place(file: 0, range: configuration.outputRanges[output.name] ?? 0..<0), notes: [Self.help(output.name, known)])
            }
            report.add(files: [source], diagnostics: unknown)
        }
        return configured.filter { known.contains($0.name) }.map { output($0.name, $0.output, options, library) }
    }

    private func only(
        _ names: [String], of configured: [Output], _ options: OutputOptions, _ library: TemplateLibrary
    ) throws(FileProblem) -> [Output] {
        let known = ["swift", "json-schema"] + library.names
        var outputs: [Output] = []
        for name in names {
            guard known.contains(name) else { throw FileProblem("there is no output `\(name)`: \(Self.help(name, known).message)") }
            outputs.append(configured.first { $0.name == name } ?? output(name, Configuration.Output(), options, library))
        }
        return outputs
    }

    private func output(_ name: String, _ settings: Configuration.Output, _ options: OutputOptions, _ library: TemplateLibrary) -> Output {
        let form: Output.Form =
            switch name {
            case "swift": .swift(access: settings.access ?? "public")
            case "json-schema": .jsonSchema(baseURL: settings.baseURL)
            default: .template
            }
        let folder = options.output.map { joined(normalized($0), Self.folderName(of: name)) } ?? settings.to ?? Self.defaultFolder(of: name)
        return Output(name: name, form: form, fileExtension: library.fileExtension(of: name), folder: folder)
    }

    private static func folderName(of output: String) -> String {
        switch output {
        case "swift": "Swift"
        case "json-schema": "JSONSchema"
        default: output
        }
    }

    private static func defaultFolder(of output: String) -> String { joined(Sources.outputFolderName, folderName(of: output)) }

    // MARK: Folders

    /// An output's folder is none that definitions are read from, and holds none.
    private func checkFolders(_ outputs: [Output], _ options: OutputOptions, _ report: inout Report) throws(FileProblem) {
        let definitions = FileSystem.resolved(root)
        for output in outputs {
            let folder = FileSystem.resolved(output.folder)
            let problem: String
            if FileSystem.isFolder(folder, at: definitions) {
                problem = folder == definitions ? "is the folder of the definitions" : "holds the folder of the definitions, `\(root)`"
            } else if FileSystem.isFolder(definitions, at: folder), isRead(folder, below: definitions) {
                problem = "lies in the folder of the definitions, `\(root)`, where the next run would read it"
            } else {
                continue
            }
            let help = "name a folder beside it, or one called `\(Sources.outputFolderName)`, which no definitions are read from"
            if options.output == nil, let source = configuration.source,
                let range = configuration.outputs?.first(where: { $0.name == output.name })?.output.toRange
            {
                report.add(
                    files: [source],
                    diagnostics: [
                        Diagnostic(.configuration, "the folder `\(output.folder)` \(problem)", at: Place(file: 0, range: range), notes: [.help(help)])
                    ])
            } else {
                throw FileProblem("cannot write to `\(output.folder)`: it \(problem): \(help)")
            }
        }
    }

    /// Whether documents in a folder below the definitions' would be read as definitions.
    private func isRead(_ folder: String, below definitions: String) -> Bool {
        // Documents without a folder of their own: what lies below the folder they stand in is not read.
        if !isDeep { return false }
        return !folder.dropFirst(definitions.count).split(separator: "/").contains { $0 == Sources.outputFolderName || $0.hasPrefix(".") }
    }

    /// What may be left behind where the configuration once sent outputs, and what is to be remembered for the next change.
    private func remember(_ configured: [Output], _ asked: [Output], _ options: OutputOptions, in plan: inout OutputSurvey.Plan) {
        guard options.output == nil, let path = configuration.path, let outputs = configuration.outputs else { return }
        var record = OutputRecord(besideConfiguration: path)
        // With `--only`, the other outputs are as they were.
        func isAsked(_ name: String) -> Bool { options.only == nil || asked.contains { $0.name == name } }
        plan.formerFolders = record.folders.filter { isAsked($0.output) }.map { .init(path: $0.path, isKnown: true) }
        if options.only == nil, self.options.config == nil {
            // What the configuration does not name may still be made with `--only`: its folder is left alone.
            plan.formerFolders += outputs.filter { $0.output.to != nil }.map { .init(path: Self.defaultFolder(of: $0.name), isKnown: false) }
        }
        let named = outputs.filter { $0.output.to != nil && isAsked($0.name) }.compactMap { output in
            configured.first { $0.name == output.name }.map { (output: $0.name, path: $0.folder) }
        }
        record.remember(named, forgetting: isAsked)
        plan.record = record
    }

    private static func help(_ name: String, _ known: [String]) -> Diagnostic.Note {
        let nearest = nearestSpelling(of: name, among: known)
        return .help(nearest.map { "did you mean `\($0)`?" } ?? "there are " + known.map { "`\($0)`" }.joined(separator: ", "))
    }
}

/// The user's templates on disk.
enum TemplateFolder {
    static func read(_ path: String?) throws(FileProblem) -> [SourceFile] {
        guard let path else { return [] }
        let folder = normalized(path)
        var files: [SourceFile] = []
        for entry in try FileSystem.entries(folder) where entry.name.hasSuffix(".mustache") && !entry.name.hasPrefix(".") {
            let file = joined(folder, entry.name)
            files.append(SourceFile(path: file, relativePath: entry.name, source: SourceText(try FileSystem.read(file))))
        }
        if files.isEmpty { throw FileProblem("no templates in `\(path)`: it holds no `*.mustache` file") }
        return files
    }
}
