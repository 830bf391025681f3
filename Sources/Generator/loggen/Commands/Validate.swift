import ArgumentParser
import CommandOptions
import Foundation
import LogDefinitions
import LogProject
import LogValidation
import LogWarehouse

struct Validate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check records against the definitions, each by the version that it names.",
        discussion: """
            Records are NDJSON or a JSON array, optionally compressed with gzip. Each is checked against the version \
            of the event that it names: the current one in the definitions, older ones in loggen.lock. For an unknown \
            event, the envelope and the common columns are checked.

            Records with a repeated event_id are counted, and are not bad: a repetition is found if fewer than \
            \(grouped(RepeatedIDs.reach)) other ids are in between. Exit code 1 if a record is bad, if an event of \
            --require-seen did not occur, or if there are no records.

            --stream and --split are for pipelines: each record becomes a row of its event's table, or of bad_records, \
            and bad records are not a failure. Exit code 2 if reading or writing fails.
            """
    )

    @Option(
        help: ArgumentHelp(
            "A definition file, or a folder that is searched for *.md; may be given more than once.", valueName: "path")
    )
    var definitions: [String] = []

    @Argument(
        help: ArgumentHelp(
            "Definition folders and files, unless --definitions names them, and files of records; "
                + "`-` is standard input, the default.",
            valueName: "path"))
    var words: [String] = []

    @OptionGroup var options: CommonOptions

    @Option(help: "The format of violations: one line each (text, json, github), or tables at the end (markdown).")
    var format: ValidationFormat = .text

    @Option(help: ArgumentHelp("Write the bad records here, as NDJSON, each with its violations.", valueName: "file"))
    var bad: String?

    @Option(help: ArgumentHelp("Write the valid records here, unchanged.", valueName: "file"))
    var good: String?

    @Flag(
        help:
            "Write each record to standard output as soon as it is read, as a line of JSON with `table` and `record`."
    )
    var stream = false

    @Option(
        help: ArgumentHelp(
            "Write a file of rows for each table here, which `loggen sql --part load` loads.", valueName: "folder"))
    var split: String?

    @Option(
        help:
            "With --stream or --split: move valid records that this warehouse cannot hold to bad_records, as `storage`."
    )
    var dialect: SQLDialect?

    @Option(
        help: ArgumentHelp(
            "With --stream or --split: one table for each event, for each category, or for all events (wide). Default: "
                + "that of the output `sql`.")
    )
    var tables: SQLTables?

    @Flag(help: "Let --bad, --good and --split replace existing files.")
    var force = false

    @Option(help: ArgumentHelp("Show this many violations of each event; all are counted.", valueName: "number"))
    var limit = 20

    @Flag(
        help:
            "Report the events, columns and enumeration values that occur in the records, and their app versions.")
    var coverage = false

    @Flag(
        help:
            "Report for each column how often it has a value, the number of distinct values, and the smallest and largest."
    )
    var statistics = false

    @Option(
        help: ArgumentHelp(
            "Fail for declared events that did not occur: `all`, `owner:@team`, a category, or `category.event`; "
                + "may be given more than once.",
            valueName: "selector"))
    var requireSeen: [String] = []

    @Flag(help: "Also fail for records that list their own violations.")
    var strict = false

    /// Returns whether a path names definitions: without `--definitions`, a folder or a Markdown file does.
    private func isDefinition(_ path: String) -> Bool {
        definitions.isEmpty && (path.hasSuffix(".md") || FileSystem.kind(path) == .directory)
    }

    private var files: [String] { words.filter { !isDefinition($0) } }
    private var definitionPaths: [String] { definitions + words.filter { isDefinition($0) } }

    func validate() throws {
        if definitionPaths.isEmpty {
            throw ValidationError("Name the definitions: `loggen validate Definitions records.ndjson`.")
        }
        if limit < 0 { throw ValidationError("`--limit` must be 0 or greater.") }
        if files.count(where: { $0 == RecordInput.standardInput }) > 1 {
            throw ValidationError("Standard input can be read only once.")
        }
        if files.isEmpty, isatty(STDIN_FILENO) == 1 {
            throw ValidationError("Name files of records, or `-` for standard input.")
        }
        for path in [bad, good] where path == "-" {
            throw ValidationError(
                "`--bad` and `--good` name a file: `/dev/stdout` is standard output, and `./-` is a file called `-`.")
        }
        try validateStage()
    }

    /// Indicates whether the run is a stage of a pipeline: rejected records become rows and do not fail the run.
    private var isPipelineStage: Bool { stream || split != nil }

    private func validateStage() throws {
        guard isPipelineStage else {
            if dialect != nil { throw ValidationError("`--dialect` requires `--stream` or `--split`.") }
            if tables != nil { throw ValidationError("`--tables` requires `--stream` or `--split`.") }
            return
        }
        let excluded = [
            ("--split", stream && split != nil), ("--bad", bad != nil), ("--good", good != nil), ("--strict", strict),
            ("--format", stream && format != .text), ("--coverage", stream && coverage),
            ("--statistics", stream && statistics),
        ]
        if let option = excluded.first(where: \.1)?.0 {
            throw ValidationError("`\(option)` cannot be combined with `\(stream ? "--stream" : "--split")`.")
        }
    }

    func run() async throws {
        let terminal = options.terminal
        let sessions = try await options.start(definitionPaths, on: terminal)
        var problems = sessions.report
        for session in sessions {
            // The session's report covers only the latest line of each event.
            guard var lock = session.lock, lock.diagnostics.isEmpty else { continue }
            await lock.checkHistory()
            problems.add(files: [lock.file], diagnostics: lock.diagnostics)
        }
        guard problems.errors == 0 else {
            try problems.show(options.diagnostics, on: terminal)
            throw ExitCode(1)
        }
        let events = sessions.flatMap { EventDescription.all(of: $0.model) }
        try checkNames(events, isOneFolder: sessions.count == 1)
        let wanted = try events.selected(by: requireSeen, option: "--require-seen")
        let routing = try routing(sessions, terminal)
        let paths = files.isEmpty ? [RecordInput.standardInput] : files
        try checkNoFileIsReadAndWritten(paths)
        let rules = RecordRules(events, common: EventDescription.commonColumns(of: sessions.map(\.model)))
        let interest = RecordInterest(
            limit: stream ? 0 : limit, wantsBadRecords: bad != nil, wantsGoodRecords: good != nil,
            wantsCoverage: coverage,
            wantsStatistics: statistics,
            wantsIDs: true, routing: routing)
        let report = try ValidationReport(
            paths: paths, format: format, limit: limit, terminal: terminal, bad: bad, good: good, isForced: force,
            routing: routing, split: split)
        let observations: RecordObservations
        let input = RecordInput(paths, arrays: stream ? .none : isPipelineStage ? .readStrictly : .read)
        do {
            observations = try await Self.validateAll(input, rules, interest, report)
            try await report.finish()
        } catch {
            await report.abandon()
            throw error
        }

        let counts = await report.counts
        let tallies = await report.tallies.map { ($0, $1.tally.count, $1.tally.example, paths[$1.file]) }.sorted {
            left, right in
            (left.0.event ?? "", left.2.line, left.0.column ?? "", left.0.rule.rawValue)
                < (right.0.event ?? "", right.2.line, right.0.column ?? "", right.0.rule.rawValue)
        }
        let summary = ValidationSummary(
            counts: counts, rules: rules, observations: observations, tallies: tallies, hasCoverage: coverage,
            hasStatistics: statistics,
            unseen: wanted.filter { observations.records[$0] == 0 }.map { events[$0] })
        try show(summary, terminal)
        for (path, count) in zip(paths, await report.recordsOfFiles)
        where count == 0 && counts.records > 0 && !options.quiet {
            terminal.error("note: `\(path)` contains no records\n")
        }
        if isPipelineStage {
            if !summary.unseen.isEmpty { throw ExitCode(1) }
            return
        }
        if counts.notJSON > 0 || counts.bad == counts.records {
            for help in await input.help { terminal.error("help: \(help)\n") }
        }
        if counts.records == 0 { terminal.error("loggen: no records were found: nothing has been checked\n") }
        if counts.bad > 0 || counts.records == 0 || !summary.unseen.isEmpty || (strict && counts.declared > 0) {
            throw ExitCode(1)
        }
    }

    private func routing(_ sessions: [Session], _ terminal: Terminal) throws -> RecordRouting? {
        guard isPipelineStage else { return nil }
        let session = try sessions.only(for: "validate")
        let script = SQLScript(session.model, dialect ?? .duckdb, tables: tables ?? session.sqlTables)
        for collision in script.collisions { terminal.error("error: \(collision)\n") }
        if !script.collisions.isEmpty { throw ExitCode(1) }
        let tables = RecordTables(script.tables, for: dialect)
        return stream ? .stream(tables) : .split(tables)
    }

    private static func validateAll(
        _ input: RecordInput, _ rules: RecordRules, _ interest: RecordInterest, _ report: ValidationReport
    ) async throws -> RecordObservations {
        return try await withThrowingTaskGroup(of: RecordObservations.self) { group in
            for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask {
                    var judge = RecordEvaluator(rules, interest)
                    do {
                        while let piece = try await input.next() {
                            try await report.add(judge.judge(piece.chunk), piece)
                            if await report.isDecided { await report.leave() }
                        }
                    } catch let problem as FileError {
                        await report.end(with: problem)
                    }
                    return judge.observations
                }
            }
            var all: RecordObservations?
            for try await observations in group {
                if all == nil { all = observations } else { all?.merge(observations) }
            }
            return all ?? RecordEvaluator(rules, interest).observations
        }
    }

    private func show(_ summary: ValidationSummary, _ terminal: Terminal) throws(FileError) {
        if stream {
            for line in summary.unseenLines { terminal.error(line + "\n") }
            if !options.quiet { terminal.error("loggen: \(summary.sentence)\n") }
            return
        }
        switch format {
        case .json: try terminal.out(summary.json)
        case .markdown: try terminal.out(summary.markdown)
        case .text, .github:
            if coverage || statistics { try terminal.out(summary.text) }
            for line in summary.unseenLines { try terminal.out(line + "\n") }
            let hidden = summary.tallies.isEmpty ? 0 : hiddenCount(summary)
            if hidden > 0 {
                terminal.error(
                    "note: \(grouped(hidden)) more violations are not shown; `--limit` shows more of each event\n")
            }
            if !options.quiet { terminal.error("loggen: \(summary.sentence)\n") }
        }
    }

    private func hiddenCount(_ summary: ValidationSummary) -> Int {
        Dictionary(grouping: summary.tallies, by: \.key.event).values.reduce(0) {
            $0 + max(0, $1.reduce(0) { $0 + $1.count } - limit)
        }
    }

    // MARK: Arguments

    private func checkNames(_ events: [EventDescription], isOneFolder: Bool) throws(FileError) {
        var known: Set<String> = []
        for event in events where !known.insert(event.fullName).inserted {
            throw FileError(
                isOneFolder
                    ? "`\(event.fullName)` is defined again after its rename: `loggen check` names the event that continues it"
                    : "`\(event.fullName)` is defined in two of the folders; check the records of one of them at a time"
            )
        }
    }

    private func checkNoFileIsReadAndWritten(_ paths: [String]) throws(FileError) {
        let read = Set(paths.filter { $0 != RecordInput.standardInput }.map { FileSystem.resolved($0) })
        for path in [bad, good].compactMap({ $0 }) where read.contains(FileSystem.resolvedLink(path)) {
            throw FileError("cannot write `\(path)`: records are read from it")
        }
        if paths.contains(RecordInput.standardInput), let input = FileSystem.identity(of: STDIN_FILENO) {
            let rows = split.map { folder in
                ((try? FileSystem.entries(folder)) ?? []).map { joined(folder, $0.name) }
            }
            for path in [bad, good].compactMap({ $0 }) + (rows ?? [])
            where FileSystem.kind(path) == .file && FileSystem.identity(path) == input {
                throw FileError("cannot write `\(path)`: standard input is read from it")
            }
        }
        if let split, read.contains(where: { folder(of: $0) == FileSystem.resolved(split) }) {
            throw FileError("cannot write `\(split)`: records are read from a file in it")
        }
        if let bad, let good, FileSystem.resolvedLink(bad) == FileSystem.resolvedLink(good),
            FileSystem.kind(bad) != .other
        {
            throw FileError("`--bad` and `--good` name the same file")
        }
    }
}

extension ValidationFormat: ExpressibleByArgument {}
