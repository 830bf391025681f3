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

    func run() async throws {
        let terminal = options.terminal
        let session = try await Session.start(arguments.paths, options: options, readsLock: true, terminal: terminal)
        var report = session.report
        let plan = try await session.plan(outputs, report: &report)
        report.show(options.diagnostics, on: terminal)
        guard let plan, report.errors == 0 else {
            if options.diagnostics == .text, !options.quiet {
                terminal.error("loggen: \(report.count ?? "errors"); nothing was written\n")
            }
            throw ExitCode(1)
        }
        terminal.progress("loggen: making \(plan.files.count) files")
        let outcome = try await OutputWriter.write(plan)
        terminal.clearProgress()
        if !options.quiet {
            let summary = summary(session, outcome, seconds: terminal.seconds)
            if options.diagnostics == .text { terminal.out(summary) } else { terminal.error(summary) }
        }
        endProcess(holding: session)
    }

    private func summary(_ session: Session, _ outcome: OutputWriter.Outcome, seconds: Double) -> String {
        let definitions = session.analysis.definitions
        let events = definitions.categories.flatMap(\.events)
        let columns = events.reduce(definitions.common?.columns.count ?? 0) { $0 + $1.columns.count }
        var changes = "\(outcome.written) written, \(outcome.unchanged) unchanged"
        if outcome.removed > 0 { changes += ", \(outcome.removed) removed" }
        let milliseconds = Int((seconds * 1000).rounded())
        return """
            loggen: \(session.fileCount) files, \(definitions.categories.count) categories, \(events.count) events, \(columns) columns \
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
}

extension Session {
    /// The plan for what is asked for; nil where problems, added to the report, stand in the way.
    func plan(_ options: OutputOptions, report: inout Report) async throws(FileProblem) -> OutputPlan? {
        let templates = try TemplateFolder.read(options.templates ?? configuration.templates)
        var library = TemplateLibrary()
        for file in templates {
            let problems = library.add(file)
            report.add(files: [file], diagnostics: problems)
        }
        let outputs = try outputs(options, library: library, report: &report)
        guard report.errors == 0 else { return nil }
        return OutputPlan(of: analysis.definitions, outputs: outputs, templates: library)
    }

    private func outputs(_ options: OutputOptions, library: TemplateLibrary, report: inout Report) throws(FileProblem) -> [Output] {
        let known = ["swift", "json-schema"] + library.addedNames
        var configured = configuration.outputs ?? known.map { ($0, Configuration.Output()) }
        if let source = configuration.source {
            let unknown = configured.filter { !known.contains($0.name) }.map { output in
                Diagnostic(
                    .configuration, "there is no output `\(output.name)`",
                    at: Place(file: 0, range: configuration.outputRanges[output.name] ?? 0..<0), notes: [Self.help(output.name, known)])
            }
            report.add(files: [source], diagnostics: unknown)
        }
        if let only = options.only {
            let names = only.split(separator: ",").map { $0.filter { $0 != " " } }
            for name in names where !known.contains(name) {
                throw FileProblem("there is no output `\(name)`: \(Self.help(name, known).message)")
            }
            configured = names.map { name in configured.first { $0.name == name } ?? (name, Configuration.Output()) }
        }
        return configured.filter { known.contains($0.name) }.map { name, settings in
            let form: Output.Form
            let folder: String
            switch name {
            case "swift": (form, folder) = (.swift(access: settings.access ?? "public"), "Swift")
            case "json-schema": (form, folder) = (.jsonSchema(baseURL: settings.baseURL), "JSONSchema")
            default: (form, folder) = (.template, name)
            }
            let base = options.output.map { joined(normalized($0), folder) } ?? settings.to.map { normalized($0) } ?? joined("Generated", folder)
            return Output(name: name, form: form, fileExtension: library.fileExtension(of: name), folder: base)
        }
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
