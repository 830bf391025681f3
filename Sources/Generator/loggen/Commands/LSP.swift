import ArgumentParser
import CommandOptions
import Foundation
import LanguageServer
import LogProject

struct LSP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Run a language server for editors on standard input and output.",
        discussion: """
            Editors start it. It implements the Language Server Protocol 3.17: diagnostics while a file is edited, \
            completion, definitions and references, renaming, formatting, and quick fixes. It does not write files: the \
            editor does.

            A definition folder is found when one of its files is opened, or if it is below the folder that the editor \
            has open. Exit code 0 if the editor ends the session with `shutdown` and `exit`, otherwise 1.
            """
    )

    @Argument(help: ArgumentHelp("Definition folders to read at the start.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var options: CommonOptions

    @Flag(help: .hidden)
    var stdio = false

    func validate() throws {
        if options.diagnostics != .text {
            throw ValidationError(
                "`--diagnostics` is for reports; the editor receives diagnostics through the protocol.")
        }
    }

    func run() async throws {
        if !options.quiet, isatty(STDIN_FILENO) == 1 {
            options.terminal.error(
                "loggen: this is a language server, which editors start (Ctrl-D ends it)\n")
        }
        var server = LanguageServer(
            paths: paths.map { FileSystem.resolved($0) }, options: options.project,
            version: Loggen.configuration.version)
        var reader = MessageReader()
        while let more = try FileSystem.readSome(STDIN_FILENO) {
            reader.append(more)
            var messages: [Data] = []
            do throws(MessageReader.Failure) {
                while true {
                    while let message = try reader.next() { messages.append(message) }
                    // Pending messages are handled together: only the last state is worth checking.
                    guard FileSystem.isReadable(STDIN_FILENO), let more = try? FileSystem.readSome(STDIN_FILENO) else {
                        break
                    }
                    reader.append(more)
                }
            } catch {
                // The start of the next message is unknown.
                try send(await server.handle(messages))
                try send(LanguageServer.refusal("\(error.description): the connection is closed"))
                throw ExitCode(1)
            }
            try send(await server.handle(messages))
            if let code = server.exitCode { throw ExitCode(code) }
        }
        throw ExitCode(1)
    }

    /// Throws an exit code if the editor has closed its end.
    private func send(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        if FileSystem.write(bytes, to: STDOUT_FILENO) != 0 || options.terminal.isOutputAbandoned { throw ExitCode(1) }
    }
}
