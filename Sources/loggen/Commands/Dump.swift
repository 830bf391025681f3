import ArgumentParser
import LogDefinitions
import LogEmission
import LogSession

struct Dump: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the model of the definitions as JSON.",
        discussion: "The output is the same bytes whatever the machine, the working directory and the order of the paths."
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    func run() async throws {
        let terminal = options.terminal
        let sessions = try await Session.start(arguments.paths, options: options, readsLock: true, terminal: terminal)
        guard sessions.count == 1, let session = sessions.first else {
            throw FileProblem(
                "`dump` prints one model, and \(sessions.map { "`\($0.root)`" }.joined(separator: ", ")) are definition folders of their own: run it for each"
            )
        }
        let report = session.report
        // Standard output belongs to the model.
        if options.diagnostics == .text || report.errors > 0 { try report.show(options.diagnostics, on: terminal) }
        if report.errors > 0 { throw ExitCode(1) }
        try terminal.out(ModelDump.json(of: session.definitions))
    }
}
