import ArgumentParser

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The command line. Exit codes: 0 nothing wrong, 1 problems found, 2 used wrongly or a file could not be read or written.
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
            Without a command, `loggen PATH…` does what `loggen generate PATH…` does.

            Exit codes: 0 nothing wrong; 1 problems found; 2 used wrongly, or a file could not be read or written.
            """,
        version: "0.1.0",
        subcommands: [Generate.self, Check.self, Lock.self, Lint.self, Format.self, Dump.self, Rules.self, Templates.self],
        defaultSubcommand: Generate.self
    )

    static func main() async {
        // A reader that closes the pipe early ends the output, not the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let problem as FileProblem {
            FileSystem.write(Array("loggen: error: \(problem)\n".utf8), to: STDERR_FILENO)
            Loggen.exit(withCode: 2)
        } catch let code as ExitCode {
            Loggen.exit(withCode: code.rawValue)
        } catch {
            let code = exitCode(for: error)
            let message = fullMessage(for: error) + "\n"
            FileSystem.write(Array(message.utf8), to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
            // The argument parser says 64 (EX_USAGE) where this command's contract says 2.
            Loggen.exit(withCode: code.isSuccess ? 0 : 2)
        }
    }

    /// Ends a run that went well with all it holds still in memory: to give that back piece by piece would take a twentieth of the run.
    static func end(holding session: Session) -> Never {
        withExtendedLifetime(session) { exit(withCode: 0) }
    }

    private static func exit(withCode code: Int32) -> Never {
        #if canImport(Darwin)
            Darwin.exit(code)
        #elseif canImport(Glibc)
            Glibc.exit(code)
        #else
            Musl.exit(code)
        #endif
    }
}

enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, github, sarif
}

/// Flags that every command about definitions has.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration; without it, loggen.yml beside the definitions.", valueName: "loggen.yml"))
    var config: String?

    @Option(help: "How problems are shown.")
    var diagnostics: DiagnosticFormat = .text

    @Option(help: "Whether text is coloured; auto means on a terminal, unless NO_COLOR is set.")
    var color: ColorMode = .auto

    @Flag(name: .shortAndLong, help: "Say nothing but problems.")
    var quiet = false

    var terminal: Terminal { Terminal(color: color, isQuiet: quiet) }
}

/// The PATH arguments.
struct PathArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Definition files, and folders that are searched for *.md.", valueName: "path"))
    var paths: [String]
}
