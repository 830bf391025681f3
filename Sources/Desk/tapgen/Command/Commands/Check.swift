import ArgumentParser
import CommandOptions
import LogProject

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Compare the definitions' `tap(…)` triggers with the sources: find triggers without a button, "
            + "and buttons without an event.",
        discussion: """
            Writes nothing. A trigger without a button is an error at the line of the definition. A button without an \
            event, or one that cannot be reached, is a warning at the line of the button. loggen.yml sets severities. \
            Exit code 1 if there is an error, or with --strict a warning.
            """
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var sources: SourceOptions
    @OptionGroup var options: CommonOptions

    @Flag(help: "Exit with 1 for warnings, too.")
    var strict = false

    func run() async throws {
        let terminal = options.terminal
        let session = try await Session.asOne(arguments.paths, options: options.project(), terminal: terminal)
        let (sources, _) = try await SwiftSources.read(session.sources(sources), terminal: terminal)
        let run = TapRun(session, sources, isWhole: true)
        try run.report.show(options.diagnostics, on: terminal)
        if options.diagnostics == .text, !options.quiet {
            terminal.error("tapgen: \(run.report.count ?? "no problems") in \(run.summary)\n")
        }
        if run.report.errors > 0 || (strict && run.report.warnings > 0) { throw ExitCode(1) }
        endProcess(holding: run)
    }
}
