import ArgumentParser
import CommandOptions
import LogDefinitions
import LogImpact
import LogProject
import LogTypes

struct ImpactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "impact",
        abstract: "List the readers of an event or a column: models, dashboards and queries.",
        discussion: """
            Reads dbt projects (`target/manifest.json`), SQL, and SQL in YAML, LookML and JSON. A reader whose statement \
            leaves it open is reported as possible. Exit code 0, also without readers.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: ArgumentHelp("The event, such as `search.show`, or a column of it.", valueName: "event[.column]"))
    var subject: String

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Files and folders of consumers; the default is `consumers` in loggen.yml.", valueName: "path"))
    var consumers: [String] = []

    @Option(help: "The format of the report.")
    var format: Format = .text

    func validate() throws {
        if consumers.contains("") { throw ValidationError("A path of `--consumers` is empty.") }
    }

    func run() async throws {
        let terminal = options.terminal
        let sessions = try await Session.start(
            arguments.paths, options: options.project, readsLock: true, terminal: terminal)
        let report = sessions.report
        if options.diagnostics == .text || report.errors > 0 { try report.show(options.diagnostics, on: terminal) }
        if report.errors > 0 { throw ExitCode(1) }
        let session = try sessions.only(for: "impact")
        let tables = try session.loggedTables([session.model])
        let subject = try Self.subject(self.subject, in: session.analysis.definitions, tables)
        guard !consumers.isEmpty || !session.configuration.consumers.isEmpty else {
            throw FileError(
                "no consumers: name their files and folders with `--consumers`, or under `consumers` in loggen.yml")
        }
        let reader = try session.consumers(at: consumers, of: tables)
        let graph = reader.graph
        let result = ImpactReport(graph.impact(on: subject), graph.consumers, unreadable: reader.unreadable)
        switch format {
        case .text: try terminal.out(result.text())
        case .json: try terminal.out(result.json())
        }
    }

    /// Returns the event and the column that an argument names.
    private static func subject(
        _ text: String, in definitions: Definitions, _ tables: LoggedTables
    ) throws(FileError) -> Impact.Subject {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 || parts.count == 3 else {
            throw FileError("`\(text)` is not of the form `category.event` or `category.event.column`")
        }
        let name = "\(parts[0]).\(parts[1])"
        guard
            let event = definitions.categories.first(where: { $0.name == parts[0] })?.events
                .first(where: { $0.name == parts[1] })
        else {
            let names = definitions.categories.flatMap { category in
                category.events.map { "\(category.name).\($0.name)" }
            }
            throw FileError("unknown event `\(name)`" + suggestion(for: name, among: names))
        }
        guard parts.count == 3 else { return Impact.Subject(event: name) }
        let columns =
            (definitions.common?.columns ?? []).map(\.name) + event.columns.map(\.name)
            + RecordEnvelope.allCases.map(\.name) + tables.fields(of: name).sorted()
        guard columns.contains(parts[2]) else {
            throw FileError("`\(name)` has no column `\(parts[2])`" + suggestion(for: parts[2], among: columns))
        }
        return Impact.Subject(event: name, column: parts[2])
    }
}
