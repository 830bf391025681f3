import ArgumentParser
import CommandOptions
import Foundation
import LogProject

/// The command line. Exit codes: 0 success; 1 a check failed; 2 wrong usage, or a file or port could not be used.
@main
struct Logscope: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logscope",
        abstract:
            "Watch an app's records while it runs: a local collector validates them, and a page shows them.",
        discussion: """
            An app in development sends its batches to the printed address, as to any collector. Each record is \
            validated against the definitions, stored in a session, and shown on the page at the same address.

            Examples:

              logscope Definitions/
              logscope Definitions/ --host 0.0.0.0 --require owner:@search-team
              logscope Definitions/ --fail 503:30s --delay 2s --drop 10%
              logscope Definitions/ --port 8090 --until-idle 10s --require-seen all --report report.md
              logscope --session friday.sqlite --export records.ndjson

            A time has a unit: ms, s, m or min, h.

            Exit codes: 0 success; 1 if the definitions have an error, or if, with --until-idle, a record was rejected, \
            a batch was refused, an event of --require-seen was missing, or no new record arrived; 2 if the usage was \
            wrong, or a file or a port could not be used.
            """,
        version: loggenVersion
    )

    @Argument(help: ArgumentHelp("Definition files, and folders that are searched for *.md.", valueName: "path"))
    var paths: [String] = []

    @Option(help: "The port to listen on. The default is a free port.")
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "The address to listen on: 0.0.0.0 for phones in the same network. Then the page needs a token.",
            valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("Answer 401 to batches with another `Authorization`.", valueName: "value"))
    var expectAuthorization: String?

    @Option(
        help: ArgumentHelp(
            "The session's file. An existing one is reopened. The default is a new one.", valueName: "file")
    )
    var session: String?

    @Option(
        help: ArgumentHelp(
            "Write each record of --session once, as NDJSON, then exit; `-` is standard output.", valueName: "file"))
    var export: String?

    @Flag(help: "Let --export overwrite an existing file.")
    var force = false

    @Option(help: ArgumentHelp("Answer batches with a status, for a time: 503:30s.", valueName: "status:time"))
    var fail: String?

    @Option(help: ArgumentHelp("Delay each answer: 2s, 500ms; a minute at most.", valueName: "time"))
    var delay: String?

    @Option(help: ArgumentHelp("Discard a share of the batches and reset their connections: 10%.", valueName: "share"))
    var drop: String?

    @Option(
        help: ArgumentHelp(
            "The events of the page's checklist: `all`, `owner:@team`, a category, or `category.event`. Repeatable.",
            valueName: "selector"))
    var require: [String] = []

    @Option(
        help: ArgumentHelp(
            "Exit when no record has arrived for this time, and report the verdicts.", valueName: "time"))
    var untilIdle: String?

    @Option(help: ArgumentHelp("With --until-idle: the maximum wait for the first record.", valueName: "time"))
    var firstWithin = "5min"

    @Option(
        help: ArgumentHelp(
            "With --until-idle: fail if an event has no good record. See --require.", valueName: "selector"))
    var requireSeen: [String] = []

    @Option(help: ArgumentHelp("With --until-idle: write a report in Markdown.", valueName: "file"))
    var report: String?

    @OptionGroup var options: CommonOptions

    static func main() async { await runToEnd() }

    func validate() throws {
        if export != nil {
            if session == nil { throw ValidationError("Name the session: `--session FILE`.") }
            if !paths.isEmpty || untilIdle != nil || !requireSeen.isEmpty || report != nil {
                throw ValidationError(
                    "`--export` does not listen for records: remove the definitions, `--until-idle`, `--require-seen` "
                        + "and `--report`, or `--export`.")
            }
        } else if paths.isEmpty {
            throw ValidationError("Name the definitions, as in `logscope Definitions/`.")
        } else if untilIdle == nil, !requireSeen.isEmpty || report != nil {
            throw ValidationError("`--require-seen` and `--report` judge a run that ends: add `--until-idle 10s`.")
        }
        #if Scope
            try ScopeRun.check(self)
        #endif
    }

    func run() async throws {
        #if Scope
            try await ScopeRun(self).run()
        #else
            throw FileError(
                "this logscope was built without its HTTP server: build it with the package trait `Scope`, as in "
                    + "`swift run --traits Scope logscope`"
            )
        #endif
    }
}
