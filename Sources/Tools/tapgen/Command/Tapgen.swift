import ArgumentParser
import CommandOptions
import LogProject

/// The command line. Exit codes: 0 no problems; 1 problems found; 2 wrong usage, or a file could not be read or
/// written.
@main
struct Tapgen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapgen",
        abstract:
            "Make events of the taps of buttons, without tracking code in the screens, and show where events are used.",
        usage: """
            tapgen <path> ... [<options>]
            tapgen <subcommand> <path> ... [<options>]
            """,
        discussion: """
            Without a command, `tapgen PATH…` does what `tapgen generate PATH…` does.

            Reads log definitions and Swift sources: those of --sources, or those that loggen.yml names as `sources`.

            Exit codes: 0 nothing wrong; 1 problems found; 2 used wrongly, or a file could not be read or written.
            """,
        version: loggenVersion,
        subcommands: [Generate.self, Check.self, Usage.self],
        defaultSubcommand: Generate.self
    )

    static func main() async { await runToEnd() }
}
