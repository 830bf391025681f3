import ArgumentParser
import CommandOptions
import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Generate Swift and JSON Schemas, or the outputs in loggen.yml, from the definitions.",
        discussion: """
            Writes only files whose bytes change, removes stale generated files, and writes nothing if there is an \
            error.
            With --watch, it keeps running, and generates again when a definition file, loggen.yml, loggen.lock or a \
            template is saved. Ctrl-C ends it.
            """
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var outputs: OutputArguments
    @OptionGroup var options: CommonOptions

    @Flag(help: "Overwrite files that loggen did not generate.")
    var force = false

    @Flag(help: "Keep running, and generate again when a file is saved.")
    var watch = false

    @Flag(
        name: .customLong("print"),
        help: """
            Print the file of `--only` to standard output without the generated header, for formats without comments. \
            Writes nothing.
            """
    )
    var printsFile = false

    func validate() throws {
        if printsFile, outputs.only == nil {
            throw ValidationError("`--print` needs the name of an output: `--only NAME`.")
        }
        if printsFile, watch || force {
            throw ValidationError("`--print` writes nothing, so it takes neither `--watch` nor `--force`.")
        }
    }

    func run() async throws {
        try checkCommand()
        if printsFile { return try await printFile(on: options.terminal) }
        guard watch else {
            let made = try await write(on: options.terminal)
            endProcess(holding: made)
        }
        let watch = DefinitionWatch(paths: arguments.paths, options: options, templates: outputs.templates)
        // An unreadable path at the start is a usage error.
        _ = try DefinitionFolder.find(arguments.paths, options.project)
        // The state is taken before the run, so that a save during the run counts as a change.
        var state = watch.state()
        while true {
            let terminal = options.terminal
            do {
                if let problem = state.problem { throw FileError(problem) }
                _ = try await write(on: terminal)
            } catch let problem as FileError {
                terminal.clearProgress()
                terminal.error("loggen: error: \(problem)\n")
            } catch is ExitCode {
                // The errors have been reported, and the next save may fix them.
            }
            state = try await watch.change(since: state)
            if terminal.isOutputAbandoned { return }
        }
    }

    /// Throws if the first path may be a misspelled command: `generate` is the default command.
    private func checkCommand() throws(FileError) {
        guard let word = arguments.paths.first, FileSystem.kind(word) == nil else { return }
        let commands = Loggen.configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
        guard let nearest = nearestSpelling(of: word, among: commands) else { return }
        throw FileError(
            "`\(word)` is neither a command nor a path; did you mean `\(nearest)`? `loggen --help` lists the commands")
    }

    /// Throws an exit code if the definitions have errors.
    private func printFile(on terminal: Terminal) async throws {
        let sessions = try await options.start(arguments.paths, on: terminal)
        let (plans, report) = try await sessions.plans(outputs.project, terminal: terminal)
        // Standard output contains only the file.
        if options.diagnostics == .text || report.errors > 0 { try report.show(options.diagnostics, on: terminal) }
        guard let plans, report.errors == 0 else { throw ExitCode(1) }
        var files: [OutputFile] = []
        for file in plans.flatMap(\.output.files) {
            if let file = file.make() { files.append(file) }
        }
        guard files.count == 1, let file = files.first else {
            throw FileError(
                "`--only \(outputs.only ?? "")` generates \(files.count) files, and `--print` prints one; "
                    + "write them without `--print`"
            )
        }
        try terminal.out(GeneratedHeader.removed(from: file.bytes))
    }

    /// Writes the outputs. Concurrent runs take turns, because each reads, changes and writes manifests.
    /// - Throws: an exit code if the definitions have errors.
    private func write(on terminal: Terminal) async throws -> ([Session], [OutputSurvey.Plan]) {
        let folders = try DefinitionFolder.find(arguments.paths, options.project).map(\.root)
        // Runs for several definition folders may share the manifest in this folder.
        let shared = folder(of: outputs.project.baseFolder)
        return try await FolderLock.hold(folders + [shared]) {
            try await writeAlone(on: terminal)
        }
    }

    private func writeAlone(on terminal: Terminal) async throws -> ([Session], [OutputSurvey.Plan]) {
        let sessions = try await options.start(arguments.paths, on: terminal)
        let (plans, report) = try await sessions.plans(outputs.project, terminal: terminal)
        try report.show(options.diagnostics, on: terminal)
        guard let plans, report.errors == 0 else {
            if options.diagnostics == .text, !options.quiet {
                terminal.error("loggen: \(report.count ?? "errors"); nothing was written\n")
            }
            throw ExitCode(1)
        }
        terminal.progress("loggen: making \(plans.reduce(0) { $0 + $1.output.files.count }) files")
        let outside = Set(plans.flatMap(\.foldersOutsideRepository)).sorted()
        let outcome = try await OutputWriter.write(plans, isForced: force)
        terminal.clearProgress()
        if !options.quiet {
            for folder in outside {
                terminal.error(
                    "note: `\(folder)` is outside the definitions' git repository, so no commit contains these files\n"
                )
            }
            for note in StaleFile.notes(on: outcome.leftovers) { terminal.error(note) }
            let summary = summary(sessions, outcome, folders: plans.flatMap(\.folders), seconds: terminal.seconds)
            if options.diagnostics == .text { try terminal.out(summary) } else { terminal.error(summary) }
            if options.diagnostics == .text, !watch { terminal.error(explanation(sessions, plans, outcome)) }
        }
        return (sessions, plans)
    }

    private func explanation(
        _ sessions: [Session], _ plans: [OutputSurvey.Plan], _ outcome: OutputWriter.Outcome
    ) -> String {
        let outputs = outcome.outputs.filter { $0.files > 0 }.map { output in
            let state =
                switch output.written {
                case 0: "up to date"
                case output.files: "written"
                default: "\(output.written) written, the others up to date"
                }
            let files = counted(output.files, "file")
            return (FileSystem.shortened(output.folder), "\(files), \(state): \(output.contents)")
        }
        let width = outputs.map(\.0.count).max() ?? 0
        let lines = outputs.map { folder, text in
            "  \(folder)\(String(repeating: " ", count: width - folder.count))  \(text)\n"
        }
        return lines.joined() + "next: \(nextStep(sessions, plans, outcome))\n"
    }

    private func nextStep(
        _ sessions: [Session], _ plans: [OutputSurvey.Plan], _ outcome: OutputWriter.Outcome
    ) -> String {
        func command(_ name: String) -> String { "`\(Check.command(name, arguments.paths, options))`" }
        let files = plans.flatMap(\.output.files)
        if let page = files.first?.path, files.allSatisfy({ $0.path.hasSuffix(".html") }) {
            return "open `\(FileSystem.shortened(page))` in a browser"
        }
        if sessions.contains(where: { $0.lock == nil }) {
            return "\(command("lock")) records this state, so that \(command("check")) reports breaking changes"
        }
        let drifts = sessions.compactMap(\.drift)
        if drifts.contains(where: { !$0.deleted.isEmpty || $0.events.contains(where: \.isBreaking) }) {
            return "\(command("check")) shows what the changes break, and how to accept them"
        }
        if drifts.contains(where: { !$0.events.isEmpty }) {
            return "\(command("lock")) records the changes; then commit the lock file with the generated files"
        }
        guard outcome.written + outcome.removed == 0 else {
            return "compile the app, and commit the generated files together with the definitions"
        }
        let paths = sessions.map { "`\(FileSystem.shortened($0.root))`" }.joined(separator: ", ")
        return "edit a table in \(paths), and run this command again; with `--only catalogue`, it makes a page to read"
    }

    private func summary(_ sessions: [Session], _ outcome: OutputWriter.Outcome, folders: [String], seconds: Double)
        -> String
    {
        let files = sessions.reduce(0) { $0 + $1.fileCount }
        let categories = sessions.flatMap(\.definitions.categories)
        let events = categories.reduce(0) { $0 + $1.events.count }
        let common = sessions.reduce(0) { $0 + ($1.definitions.common?.columns.count ?? 0) }
        let columns = categories.reduce(common) { $1.events.reduce($0) { $0 + $1.columns.count } }
        var changes = "\(outcome.written) written, \(outcome.unchanged) unchanged"
        if outcome.removed > 0 { changes += ", \(outcome.removed) removed" }
        let milliseconds = Int((seconds * 1000).rounded())
        let made = counted(outcome.written + outcome.unchanged, "file")
        let places = folders.isEmpty ? "" : " in " + Set(folders).sorted().joined(separator: ", ")
        return """
            loggen: \(counted(files, "file")), \(counted(categories.count, "category", "categories")), \
            \(counted(events, "event")), \(counted(columns, "column")) → \(made) (\(changes))\(places) in \(milliseconds) ms

            """
    }
}
