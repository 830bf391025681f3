import ArgumentParser
import CommandOptions
import LogDefinitions
import LogProject

/// The command line. Exit codes: 0 if nothing is wrong; 1 if there are problems; 2 if the command was used wrongly, or
/// a file could not be read or written.
@main
struct Loggen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loggen",
        abstract: "Log definitions written as Markdown tables become typed Swift and JSON Schemas.",
        usage: """
            loggen <path> ... [<options>]
            loggen <subcommand> <path> ... [<options>]
            """,
        discussion: """
            Without a command, `loggen PATH…` runs `loggen generate PATH…`.

            Exit codes: 0 no problems; 1 problems found; 2 wrong usage, or a file could not be read or written.
            """,
        version: loggenVersion,
        subcommands: [
            Init.self, Generate.self, Check.self, ReviewCommand.self, ImpactCommand.self, Lock.self, Lint.self,
            Format.self, Dump.self,
            Validate.self, Infer.self,
            SQL.self,
            Rules.self, Templates.self, LSP.self,
        ],
        defaultSubcommand: Generate.self
    )

    static func main() async {
        checkPluginVersion()
        await runToEnd()
    }
}
