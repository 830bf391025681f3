import ArgumentParser
import LogDefinitions
import LogEmission
import LogSession

struct Format: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write definitions in canonical form: aligned tables; column lists become tables.",
        discussion: "Never changes what the definitions mean. A file with an error keeps its lists."
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    @Flag(help: "Write nothing; exit with 1 when a file is not in canonical form.")
    var check = false

    func run() async throws {
        let terminal = options.terminal
        let session = try await Session.start(arguments.paths, options: options, terminal: terminal)
        // What cannot be read cannot be formatted; other mistakes are lint's to show.
        let unreadable = session.analysis.diagnostics.filter { $0.rule == .invalidUTF8 }
        var report = Report(files: session.analysis.definitions.files, diagnostics: unreadable)
        if let source = session.configuration.source { report.add(files: [source], diagnostics: session.configuration.diagnostics) }
        report.show(options.diagnostics, on: terminal)
        if report.errors > 0 { throw ExitCode(1) }

        let formatted = await DefinitionFormatter.format(session.analysis)
        if check {
            for file in formatted { terminal.error("\(file.path): \(file.isNew ? "is missing" : "is not in canonical form")\n") }
            if !formatted.isEmpty {
                terminal.error("help: run `loggen format \(arguments.paths.joined(separator: " "))`\n")
                throw ExitCode(1)
            }
        } else {
            try await OutputWriter.write(formatted.map { OutputFile(path: $0.path, bytes: $0.bytes) })
            if !options.quiet { for file in formatted { terminal.error("formatted \(file.path)\n") } }
        }
        if !options.quiet {
            let changed = formatted.isEmpty ? "nothing to change" : "\(formatted.count) file\(formatted.count == 1 ? "" : "s") formatted"
            terminal.error("loggen: \(changed) in \(session.fileCount) file\(session.fileCount == 1 ? "" : "s")\n")
        }
    }
}
