import ArgumentParser
import CommandOptions
import LogDefinitions
import LogInference
import LogOutputs
import LogProject
import MarkdownSyntax

struct Adopt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find calls that log with strings, propose definitions of their events, and rewrite the calls.",
        discussion: """
            Finds the calls of Firebase, Amplitude, Segment, Mixpanel, PostHog and Puree, and those of the functions \
            that --calls names:

            tapgen adopt Sources --calls 'Analytics.track(_:properties:)'
            tapgen adopt Sources --calls 'report(page:label=name:values=parameters:)'

            The part before the method is a type or an instance; without it, any receiver matches. The first parameter \
            is the event's name, and the second its dictionary; `=name` and `=parameters` name others. Arguments may \
            be left out.

            Prints the calls, the definitions and a unified diff, and changes nothing. --output writes the \
            definitions. --rewrite also rewrites the calls whose name, columns and types are certain. A \
            rewritten call reaches the destinations of the logger, and no longer the SDK. All files are written, or \
            none.

            Exit codes: 0 every call is certain; 1 a call or a column is not certain, or there are no calls; 2 wrong \
            usage, or a file could not be read or written, or already exists.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Argument(help: ArgumentHelp("Swift files, and folders that are searched for *.swift.", valueName: "path"))
    var sources: [String]

    @Option(
        help: ArgumentHelp(
            "Functions of the app that log an event, separated by commas. Repeatable.", valueName: "functions"))
    var calls: [String] = []

    @Option(help: ArgumentHelp("The category of the proposed events.", valueName: "name"))
    var category = "app_events"

    @Option(name: .shortAndLong, help: ArgumentHelp("The folder for the definitions.", valueName: "folder"))
    var output: String?

    @Flag(help: "Rewrite the calls that are certain. Needs --output.")
    var rewrite = false

    @Option(help: ArgumentHelp("The logger in rewritten calls.", valueName: "expression"))
    var logger = "activityLogger"

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("A module that rewritten files import. Repeatable.", valueName: "module"))
    var imports: [String] = []

    @Option(help: "The output format.")
    var format: Format = .text

    @Flag(name: .shortAndLong, help: "Do not print a summary.")
    var quiet = false

    func validate() throws {
        if rewrite, output == nil {
            throw ValidationError("`--rewrite` needs `--output`: the rewritten calls need their definitions.")
        }
        if Names.identifier(category) != category || SwiftNames.reservedCategoryNames.contains(category) {
            throw ValidationError("`--category \(category)` is not a category's name, such as `app_events`.")
        }
        if logger.allSatisfy(\.isWhitespace) || logger.contains(where: \.isNewline) {
            throw ValidationError("`--logger` takes an expression, such as `activityLogger`.")
        }
        for module in imports where !LogTrigger.isSwiftIdentifier(module[...]) {
            throw ValidationError("`--import \(module)` is not the name of a module.")
        }
        _ = try patterns()
    }

    private func patterns() throws -> [CallPattern] {
        do throws(CallPattern.Failure) {
            var patterns: [CallPattern] = []
            for calls in calls { patterns += try CallPattern.list(calls) }
            return patterns + CallPattern.known
        } catch {
            throw ValidationError("`--calls`: \(error.message).")
        }
    }

    func run() async throws {
        let terminal = Terminal(color: .auto, isQuiet: quiet)
        let patterns = try patterns()
        let type = SwiftNames.typeName(category)
        let options = Adoption.Options(category: category, logger: logger, imports: imports)
        let sources = try await CallSources.read(
            self.sources, patterns, replacements: [options.loggerName, type], terminal: terminal)
        if let (file, offset) = LoggedCall.declaration(of: type, in: sources.facts) {
            let position = sources.files[file].source.position(at: offset)
            throw FileError(
                "`\(sources.files[file].path):\(position.line)` already declares `\(type)`: choose another "
                    + "`--category`")
        }
        let adoption = await Adoption(sources, patterns, options)
        let report = AdoptionReport(adoption: adoption, output: output ?? "")
        terminal.clearProgress()
        if format == .json { try terminal.out(report.json()) } else { try terminal.out(report.text()) }
        if let output { try await write(adoption, to: output) }
        if !quiet { terminal.error("tapgen: \(report.summary)\(written(adoption))\n") }
        guard !adoption.calls.isEmpty else {
            if !quiet { terminal.error("help: name the functions that log events with `--calls`\n") }
            throw ExitCode(1)
        }
        if !adoption.undecided.isEmpty || adoption.inference.hasLosses { throw ExitCode(1) }
        endProcess(holding: adoption)
    }

    private func written(_ adoption: Adoption) -> String {
        guard let output else { return "" }
        let changed = rewrite ? ", and \(counted(adoption.edits.count, "file")) rewritten" : ""
        return "; \(counted(adoption.inference.documents.count, "definition file")) in `\(output)`\(changed)"
    }

    /// Writes the definitions, and the rewritten files: either all or none.
    private func write(_ adoption: Adoption, to folder: String) async throws(FileError) {
        var files: [OutputFile] = []
        for document in adoption.inference.documents {
            let path = joined(normalized(folder), document.path)
            let bytes = Array(document.text.utf8)
            if FileSystem.kind(path, followingLinks: false) != nil, try !FileSystem.holds(path, bytes) {
                throw FileError(
                    "cannot write `\(path)`: it exists with other content: choose another `--category` or folder")
            }
            files.append(OutputFile(path: path, bytes: bytes, former: .nothing))
        }
        for file in rewrite ? adoption.edits.keys.sorted() : [] {
            let source = adoption.sources.files[file]
            let original = source.source.withMark
            guard try FileSystem.holds(source.path, original) else {
                throw FileError("`\(source.path)` changed during the run, so nothing was written: run tapgen again")
            }
            files.append(
                OutputFile(
                    path: source.path, bytes: SourceEdit.apply(adoption.edits[file] ?? [], to: source.source),
                    former: .bytes(original)))
        }
        try await OutputWriter.write(files)
    }
}
