import ArgumentParser
import LogSession

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare the definitions' `tap(…)` triggers with the sources: each names a button, and which buttons no event names.",
        discussion: """
            Writes nothing. A trigger that names no button is an error at the definition's line; a button without an event, and one that cannot be reached, is a \
            warning at its own. Severities are set in loggen.yml. Exit code 1 when there is an error, or with --strict a warning.
            """
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var sources: SourceOptions
    @OptionGroup var options: CommonOptions

    @Flag(help: "Let warnings fail, too.")
    var strict = false

    func run() async throws {
        let terminal = options.terminal
        let session = try await Session.asOne(arguments.paths, options: options, terminal: terminal)
        let (sources, _) = try await SwiftSources.read(session.sources(sources), terminal: terminal)
        let run = TapRun(session, sources, isWhole: true)
        try run.report.show(options.diagnostics, on: terminal)
        if options.diagnostics == .text, !options.quiet { terminal.error("tapgen: \(run.report.count ?? "no problems") in \(run.summary)\n") }
        if run.report.errors > 0 || (strict && run.report.warnings > 0) { throw ExitCode(1) }
        endProcess(holding: run)
    }
}
