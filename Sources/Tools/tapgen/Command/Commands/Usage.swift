import ArgumentParser
import CommandOptions
import LogDefinitions
import LogProject
import MarkdownSyntax
import TapScanning

struct Usage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show where each event is posted, and which events are defined and never made.",
        discussion: """
            An event is made where its case is named outside of a pattern, or by the tap of a button that its trigger names. A place is marked as possible if the \
            sources do not tell whose case a name is, as in `.show` given to a function of another module.

            Exit code 1 if the definitions have errors, or with --strict if an event is never made.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Argument(
        help: ArgumentHelp(
            "Definition files, and folders that are searched for *.md; Definitions if left out.", valueName: "path"))
    var paths: [String] = ["Definitions"]

    @OptionGroup var sources: SourceOptions

    @Option(help: "How events are shown.")
    var format: Format = .text

    @OptionGroup var options: CommonOptions

    @Flag(help: "Exit with 1 if an event is never made.")
    var strict = false

    func run() async throws {
        let terminal = options.terminal
        let session = try await Session.asOne(paths, options: options.project(), terminal: terminal)
        let names = Set(
            session.analysis.definitions.categories.flatMap(\.events).map { SwiftNames.memberName($0.name) })
        let (sources, _) = try await SwiftSources.read(session.sources(sources), events: names, terminal: terminal)
        let run = TapRun(session, sources, isWhole: false)
        var report = session.report
        let unreadable = run.report.diagnostics.filter { $0.rule == .swiftSyntax }
        if report.errors == 0 { report = Report(files: run.report.files, diagnostics: unreadable) }
        try report.show(options.diagnostics, on: terminal)
        guard report.errors == 0 else { throw ExitCode(1) }

        let usage = EventsInUse(run)
        terminal.clearProgress()
        if format == .json { try terminal.out(usage.json()) } else { try terminal.out(usage.text()) }
        if strict, usage.events.contains(where: \.places.isEmpty) { throw ExitCode(1) }
        endProcess(holding: run)
    }
}
