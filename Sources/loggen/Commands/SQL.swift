import ArgumentParser
import LogDefinitions
import LogEmission
import LogSession

struct SQL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the SQL of a warehouse: its tables, the check of raw records, and their load.",
        discussion: """
            Raw records stand in the table raw_records, as JSON in its column record. The view checked_records says what each breaks, as \
            `loggen validate` does; the load puts the good ones into the tables of their events, and the others into bad_records.
            """
    )

    enum Part: String, ExpressibleByArgument, CaseIterable {
        case tables, check, load
    }

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    @Option(help: "The warehouse that reads it.")
    var dialect: SQLDialect

    @Option(help: "Whether each event has a table, or each category, or all have one (wide).")
    var tables: SQLTables = .event

    @Option(help: "Print only this part; may be given more than once.")
    var part: [Part] = []

    func run() async throws {
        let terminal = options.terminal
        let sessions = try await Session.start(arguments.paths, options: options, readsLock: true, terminal: terminal)
        let report = sessions.report
        // Standard output is for SQL alone.
        if options.diagnostics == .text || report.errors > 0 { try report.show(options.diagnostics, on: terminal) }
        if report.errors > 0 { throw ExitCode(1) }
        guard sessions.count == 1, let session = sessions.first else {
            throw FileProblem("\(sessions.map { "`\($0.root)`" }.joined(separator: ", ")) are definition folders of their own; run `sql` for each")
        }
        let script = SQLScript(session.model, dialect, tables: tables)
        let parts = part.isEmpty ? Part.allCases : part
        let statements = parts.flatMap { part in
            switch part {
            case .tables: script.tableStatements
            case .check: [script.checkStatement]
            case .load: script.loadStatements
            }
        }
        try terminal.out(SQLScript.text(statements))
    }
}

extension SQLDialect: ExpressibleByArgument {}
extension SQLTables: ExpressibleByArgument {}
