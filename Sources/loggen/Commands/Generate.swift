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
