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
        let report = sessions.report
        // Standard output belongs to the model.
        if options.diagnostics == .text || report.errors > 0 { try report.show(options.diagnostics, on: terminal) }
        if report.errors > 0 { throw ExitCode(1) }
        try terminal.out(ModelDump.json(of: try await sessions.model()))
    }
}

extension [Session] {
    /// The definitions of all definition folders as one model.
    fileprivate func model() async throws(FileProblem) -> Definitions {
        guard count > 1, let first else { return self.first?.definitions ?? Definitions() }
        let files = flatMap { session in session.given.map { session.analysis.definitions.files[$0] } }
        let analysis = await Analysis.run(files, options: first.configuration.analysis)
        guard let problem = analysis.diagnostics.first(where: { $0.severity == .error }) else {
            let versions = Dictionary(
                flatMap(\.definitions.categories).flatMap { category in category.events.map { ("\(category.name).\($0.name)", $0.version) } },
                uniquingKeysWith: { first, _ in first })
            var definitions = analysis.definitions
            definitions.setVersions(
                definitions.categories.map { category in category.events.map { versions["\(category.name).\($0.name)"] ?? .initial } })
            return definitions
        }
        throw FileProblem(
            "\(map { "`\($0.root)`" }.joined(separator: ", ")) are definition folders of their own and make no one model: \(problem.message); run `dump` for each"
        )
    }
}
