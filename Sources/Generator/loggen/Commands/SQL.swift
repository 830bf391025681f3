import ArgumentParser
import CommandOptions
import LogDefinitions
import LogProject
import LogWarehouse
import MarkdownSyntax

struct SQL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print SQL for a warehouse: its tables, and the load of records.",
        discussion: """
            `loggen validate --split records` checks records and writes a file of rows for each table. The load reads \
            these files with the engine's reader: valid records go into the tables of their events, and the others \
            into bad_records.
            """
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    @Option(help: "The dialect of the warehouse.")
    var dialect: SQLDialect

    @Option(
        help:
            "One table for each event, for each category, or for all events (wide). Default: that of the output `sql`.")
    var tables: SQLTables?

    @Option(help: "Print only this part; may be given more than once.")
    var part: [SQLScript.Part] = []

    @Option(
        help: ArgumentHelp(
            "The output folder of `loggen validate --split`, in the engine's notation: a path, a stage, a bucket's "
                + "URL.",
            valueName: "folder"))
    var records: String?

    @Option(
        help: ArgumentHelp(
            "Print the statements that change the tables from this git revision's definitions to the current ones.",
            valueName: "revision"))
    var from: String?

    @Flag(
        help: ArgumentHelp(
            "Also create views under the former names of tables and columns. Later migrations need `--views`, too. "
                + "Drop the views when nothing reads the former names."))
    var views = false

    func validate() throws {
        if records != nil, from != nil {
            throw ValidationError("`--from` prints changes of tables, and `--records` is for the load.")
        }
        if from != nil, !part.isEmpty {
            throw ValidationError("`--from` prints changes of tables, and `--part` does not apply to them.")
        }
    }

    func run() async throws {
        let terminal = options.terminal
        let sessions = try await options.sessions(arguments.paths)
        let session = try sessions.only(for: "sql")
        let tables = tables ?? session.sqlTables
        let script = SQLScript(session.model, dialect, tables: tables)
        for collision in script.collisions { terminal.error("error: \(collision)\n") }
        if !script.collisions.isEmpty { throw ExitCode(1) }
        if let from {
            let evolution = SQLEvolution(
                from: SQLScript(try await formerModel(from, session, terminal), dialect, tables: tables), to: script,
                hasViews: views)
            for refusal in evolution.refusals { terminal.error("error: \(refusal)\n") }
            if !evolution.refusals.isEmpty { throw ExitCode(1) }
            return try terminal.out(
                Array(evolution.comment.utf8) + SQLScript.text(evolution.transaction(script.warehouse)))
        }
        let text = script.text(of: part.isEmpty ? SQLScript.Part.allCases : part, records: records ?? SQLScript.records)
        try terminal.out(text + (views ? Array("\n".utf8) + SQLScript.text(script.viewStatements) : []))
    }

    private func formerModel(_ revision: String, _ session: Session, _ terminal: Terminal) async throws -> Model {
        let base = try await BaseRevision(revision, of: session)
        if !options.quiet, let note = base.note { terminal.error("note: \(note)\n") }
        let definitions = try base.definitions()
        guard let lock = base.lock else { return Model(definitions) }
        let versions = await Drift.between(lock.latest, and: definitions, scope: .everything).versions
        return Model(definitions, versions: versions, lock: lock)
    }
}

extension SQLDialect: ExpressibleByArgument {}
extension SQLTables: ExpressibleByArgument {}
extension SQLScript.Part: ExpressibleByArgument {}

extension Session {
    /// The tables of the output `sql` in `loggen.yml`.
    var sqlTables: SQLTables { configuration.outputs?.first { $0.name == "sql" }?.output.settings.tables ?? .event }
}
