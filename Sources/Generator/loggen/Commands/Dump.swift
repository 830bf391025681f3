import ArgumentParser
import CommandOptions
import LogDefinitions
import LogOutputs
import LogProject

struct Dump: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the model of the definitions as JSON.",
        discussion:
            "The output does not depend on the machine, the working directory or the order of the paths."
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    func run() async throws {
        let terminal = options.terminal
        let sessions = try await options.sessions(arguments.paths)
        try terminal.out(ModelDump.json(of: try await sessions.model()))
    }
}

extension [Session] {
    fileprivate func model() async throws(FileError) -> Model {
        guard count > 1, let first else {
            return self.first.map { Model($0.definitions, versions: $0.versions) } ?? Model(Definitions())
        }
        let files = flatMap { session in session.given.map { session.analysis.definitions.files[$0] } }
        let analysis = await Analysis.run(files, options: first.configuration.analysis)
        guard let problem = analysis.diagnostics.first(where: { $0.severity == .error }) else {
            return Model(analysis.definitions, versions: reduce(into: Versions()) { $0.merge($1.versions) })
        }
        throw FileError(
            "\(map { "`\($0.root)`" }.joined(separator: ", ")) are separate definition folders, "
                + "which do not form one model: \(problem.message); run `dump` for each"
        )
    }
}
