import ArgumentParser
import CommandOptions
import LogDefinitions
import LogImpact
import LogOutputs
import LogProject
import LogTypes

struct ImpactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "impact",
        abstract: "List the readers and the call sites of an event or a column: models, dashboards, queries, Swift.",
        usage: """
            loggen impact <event[.column]> <path> ... [--consumers <path> ...] [<options>]
            loggen impact --all <path> ... [--consumers <path> ...] [<options>]
            """,
        discussion: """
            Reads dbt projects (`target/manifest.json`), SQL, and SQL in other files, with Python's sqlglot. \
            Lists the calls in Swift that `tapgen usage --format json` reports. \
            Shows the coverage that `loggen validate --coverage --format json` reports. A reader or a call that the \
            code leaves open is reported as possible. Exit code 0, also without readers.

            With --all, the arguments are only paths, and the report contains every event. Its JSON is the file that \
            the catalogue's option `readers` takes.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: ArgumentHelp("The event, such as `search.show`, or a column of it.", valueName: "event[.column]"))
    var subject: String

    @Argument(help: ArgumentHelp("Definition folders and files.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var options: CommonOptions

    @Flag(name: .customLong("all"), help: "Report the readers of all events.")
    var reportsAll = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Files and folders of consumers; the default is `consumers` in loggen.yml.", valueName: "path"))
    var consumers: [String] = []

    @Option(help: "The format of the report.")
    var format: Format = .text

    private var definitionPaths: [String] { reportsAll ? [subject] + paths : paths }

    func validate() throws {
        if definitionPaths.isEmpty {
            throw ValidationError("Name the folder of the definitions: `loggen impact \(subject) Definitions`.")
        }
    }

    func run() async throws {
        let terminal = options.terminal
        if reportsAll, subject.utf8.contains(UInt8(ascii: ".")), FileSystem.kind(subject) == nil, !paths.isEmpty {
            throw FileError("`--all` reports every event: leave out `\(subject)`, which is not a path")
        }
        let sessions = try await options.sessions(definitionPaths)
        let session = try sessions.only(for: "impact")
        let tables = try session.loggedTables([(session.model, session.configuration.tables)])
        let definitions = session.analysis.definitions
        let subject = reportsAll ? nil : try Self.subject(self.subject, in: definitions, tables)
        guard !consumers.isEmpty || !session.configuration.consumers.isEmpty else {
            throw FileError(
                "no consumers: name their files and folders with `--consumers`, or under `consumers` in loggen.yml")
        }
        var reader = try session.consumers(at: consumers, of: tables, calling: session.model, terminal)
        let graph = try reader.graph()
        if let subject {
            let report = ImpactReport(graph.impact(on: subject), graph.consumers, unreadable: reader.unreadable)
            try show(report.text(), report.json(), on: terminal)
        } else {
            let report = ReaderReport(graph, of: definitions.eventNames, unreadable: reader.unreadable)
            try show(report.text(), report.json(), on: terminal)
        }
    }

    private func show(
        _ text: @autoclosure () -> String, _ json: @autoclosure () -> [UInt8], on terminal: Terminal
    ) throws {
        switch format {
        case .text: try terminal.out(text())
        case .json: try terminal.out(json())
        }
    }

    private static func subject(
        _ text: String, in definitions: Definitions, _ tables: LoggedTables
    ) throws(FileError) -> Impact.Subject {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 || parts.count == 3 else {
            throw FileError("`\(text)` is not of the form `category.event` or `category.event.column`")
        }
        let asked = "\(parts[0]).\(parts[1])"
        let heir = definitions.categories.lazy.flatMap { category in category.events.map { (category, $0) } }
            .first { $0.1.formerNames.contains { $0.name == asked } }
        if let heir {
            let column = parts.count == 3 ? "." + parts[2] : ""
            return try subject("\(heir.0.name).\(heir.1.name)\(column)", in: definitions, tables)
        }
        let name = asked
        guard
            let event = definitions.categories.first(where: { $0.name == parts[0] })?.events
                .first(where: { $0.name == parts[1] })
        else {
            throw FileError("unknown event `\(name)`" + suggestion(for: name, among: definitions.eventNames))
        }
        guard parts.count == 3 else { return Impact.Subject(event: name) }
        let columns =
            (definitions.common?.columns ?? []).map(\.name) + event.columns.map(\.name)
            + RecordEnvelope.allCases.map(\.name) + (tables.fieldsByEvent[name] ?? []).sorted()
        if let column = (event.columns + (definitions.common?.columns ?? []))
            .first(where: { $0.formerNames.contains { $0.name == parts[2] } })
        {
            return Impact.Subject(event: name, column: column.name)
        }
        guard columns.contains(parts[2]) else {
            throw FileError("`\(name)` has no column `\(parts[2])`" + suggestion(for: parts[2], among: columns))
        }
        return Impact.Subject(event: name, column: parts[2])
    }
}
