import ArgumentParser
import CommandOptions
import LogProject

/// The command line. Exit codes: 0 no problems; 1 problems found; 2 wrong usage, or a file error.
@main
struct Tapgen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapgen",
        abstract:
            "Log taps of buttons without tracking code in the screens, and show where events are used.",
        usage: """
            tapgen <path> ... [<options>]
            tapgen <subcommand> <path> ... [<options>]
            """,
        discussion: """
            Without a command, `tapgen PATH…` does what `tapgen generate PATH…` does.

            Reads log definitions, and the Swift sources of --sources, or of `sources` in loggen.yml.

            Exit codes: 0 success; 1 problems found; 2 wrong usage, or a file could not be read or written.
            """,
        version: loggenVersion,
        subcommands: [Generate.self, Check.self, Usage.self, Adopt.self],
        defaultSubcommand: Generate.self
    )

    static func main() async { await runToEnd() }
}
