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
            "Watch what an app logs while it logs it: a collector on this machine that judges each record, and a page that shows them.",
        discussion: """
            An app in development sends its batches to the address that is printed, as to any collector. Each record is judged by the definitions, \
            stored in a session, and shown on the page at the same address.

            Examples:

              logscope Definitions/
              logscope Definitions/ --host 0.0.0.0 --require owner:@search-team
              logscope Definitions/ --fail 503:30s --delay 2s --drop 10%
              logscope Definitions/ --port 8090 --until-idle 10s --require-seen all --report report.md
              logscope --session friday.sqlite --export records.ndjson

            Exit codes: 0 nothing wrong; 1 with --until-idle, a record was bad, an event of --require-seen did not come, or nothing came; \
            2 used wrongly, or a file or a port could not be used.
            """,
        version: loggenVersion
    )

    @Argument(help: ArgumentHelp("Definition files, and folders that are searched for *.md.", valueName: "path"))
    var paths: [String] = []

    @Option(help: "The port to listen on; a free one if left out.")
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "The address to listen on: 0.0.0.0 for phones in the same network. Beyond this machine, the page needs a token.",
            valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("Answer 401 to batches whose `Authorization` is not this.", valueName: "value"))
    var expectAuthorization: String?

    @Option(
        help: ArgumentHelp("The session's file; opened again if it is there. A new one if left out.", valueName: "file")
    )
    var session: String?

    @Option(
        help: ArgumentHelp(
            "Write the records of --session as NDJSON, each once, and end; `-` is standard output.", valueName: "file"))
    var export: String?

    @Flag(help: "Let --export replace a file that stands there.")
    var force = false

    @Option(help: ArgumentHelp("Answer batches with this status, for so long: 503:30s.", valueName: "status:time"))
    var fail: String?

    @Option(help: ArgumentHelp("Let each answer wait: 2s, 500ms; a minute at most.", valueName: "time"))
    var delay: String?

    @Option(help: ArgumentHelp("Throw away so many batches and reset their connections: 10%.", valueName: "share"))
    var drop: String?

    @Option(
        help: ArgumentHelp(
            "What is on the page's checklist: `all`, `owner:@team`, a category, or `category.event`; may be given more than once.",
            valueName: "selector"))
    var require: [String] = []

    @Option(
        help: ArgumentHelp(
            "End when no record has come for so long, and say whether the records are right.", valueName: "time"))
    var untilIdle: String?

    @Option(help: ArgumentHelp("With --until-idle: how long the first record may take.", valueName: "time"))
    var firstWithin = "5min"

    @Option(
        help: ArgumentHelp(
            "With --until-idle: fail for events that did not come; selectors as in --require.", valueName: "selector"))
    var requireSeen: [String] = []

    @Option(help: ArgumentHelp("With --until-idle: write a report in Markdown.", valueName: "file"))
    var report: String?

    @OptionGroup var options: CommonOptions

    static func main() async { await runToEnd() }

    func validate() throws {
        if paths.contains("") { throw ValidationError("A path is empty.") }
        for (name, value) in [("--session", session), ("--export", export), ("--report", report)] where value == "" {
            throw ValidationError("`\(name)` names no file.")
        }
        if host.isEmpty { throw ValidationError("`--host` names no address.") }
        if export != nil {
            if session == nil { throw ValidationError("Name the session: `--session FILE`.") }
            if untilIdle != nil { throw ValidationError("`--until-idle` listens, and `--export` does not.") }
        } else if paths.isEmpty {
            throw ValidationError("Name the definitions, as in `logscope Definitions/`.")
        }
        if untilIdle == nil, !requireSeen.isEmpty || report != nil {
            throw ValidationError("`--require-seen` and `--report` judge a run that ends: add `--until-idle 10s`.")
        }
        if expectAuthorization == "" { throw ValidationError("`--expect-authorization` is empty.") }
        #if Scope
            try ScopeRun.check(self)
        #endif
    }

    func run() async throws {
        #if Scope
            try await ScopeRun(self).run()
        #else
            throw FileProblem(
                "this logscope was built without what it listens with: build it with the package trait `Scope`, as in `swift run --traits Scope logscope`"
            )
        #endif
    }
}
