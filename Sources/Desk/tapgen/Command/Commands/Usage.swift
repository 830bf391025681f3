import ArgumentParser
import CommandOptions
import LogDefinitions
import LogProject
import MarkdownSyntax

struct Usage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show where each event is created, and which events are never created.",
        discussion: """
            An event is created where its case is named outside of a pattern, or by the tap of the button in its \
            trigger. A place is marked as possible if the sources do not determine the type of a case, as in `.show` \
            passed to a function of another module. A place with a former name of the event or of a column is marked, \
            too.

            Exit code 1 if the definitions have errors, or with --strict if an event is never created.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Argument(
        help: ArgumentHelp(
            "Definition files, and folders that are searched for *.md. The default is Definitions.", valueName: "path"))
    var paths: [String] = ["Definitions"]

    @OptionGroup var sources: SourceOptions

    @Option(help: "The output format.")
    var format: Format = .text

    @OptionGroup var options: CommonOptions

    @Flag(help: "Exit with 1 if an event is never created.")
    var strict = false

    func run() async throws {
        let terminal = options.terminal
        let session = try await Session.asOne(paths, options: options.project(), terminal: terminal)
        let names = Set(
            session.analysis.definitions.categories.flatMap(\.events).flatMap { event in
                [event.name] + event.formerNames.map(\.name.eventNameParts.event)
            }.map(SwiftNames.memberName))
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
