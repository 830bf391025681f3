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
        let session = try await Session.start(arguments.paths, options: options, readsLock: true, terminal: terminal)
        let report = session.report
        // Standard output belongs to the model.
        if options.diagnostics == .text || report.errors > 0 { report.show(options.diagnostics, on: terminal) }
        if report.errors > 0 { throw ExitCode(1) }
        terminal.out(ModelDump.json(of: session.analysis.definitions))
    }
}
