import ArgumentParser
import CommandOptions
import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

struct Format: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write definitions in canonical form: aligned tables.",
        discussion: "The meaning of the definitions does not change."
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    @Flag(help: "Write nothing; exit with 1 when a file is not in canonical form.")
    var check = false

    @Flag(help: "With --check: check the files of the next commit, from git's index, in place of those in the folder.")
    var staged = false

    func validate() throws {
        if staged, !check {
            throw ValidationError("`--staged` writes nothing, so it needs `--check`: `loggen format --check --staged`.")
        }
    }

    func run() async throws {
        if staged { throw ExitCode(try StagedFiles.run(arguments.paths, on: options.terminal)) }
        if check { return try await format() }
        // Concurrent runs in one folder take turns.
        try await FolderLock.hold(try DefinitionFolder.find(arguments.paths, options.project).map(\.root)) {
            try await format()
        }
    }

    private func format() async throws {
        let terminal = options.terminal
        let sessions = try await Session.start(arguments.paths, options: options.project, terminal: terminal)
        // Only unreadable files prevent formatting. `lint` reports the other mistakes.
        var report = Report()
        for session in sessions {
            let unreadable = session.report.diagnostics.filter { $0.rule == .invalidUTF8 }
            report.add(files: session.analysis.definitions.files, diagnostics: unreadable)
            if let source = session.configuration.source {
                report.add(files: [source], diagnostics: session.configuration.diagnostics)
            }
        }
        try report.show(options.diagnostics, on: terminal)
        if report.errors > 0 { throw ExitCode(1) }

        var formatted: [FormattedFile] = []
        // The bytes that were read. A file that changes on disk during the run is not overwritten.
        var read: [ExactString: [UInt8]] = [:]
        for session in sessions {
            let others = session.modules.filter { belongsToOthers($0, in: session.root) }
            let given = Set(session.given.map { ExactString(session.analysis.definitions.files[$0].path) })
            for file in session.analysis.definitions.files where file.exists {
                read[ExactString(file.path)] = file.source.withMark
            }
            formatted += await DefinitionFormatter.format(session.analysis).filter { file in
                (session.isWhole || given.contains(ExactString(file.path)))
                    && !others.contains { $0.holds(FileSystem.resolved(file.path)) }
            }
        }
        if check {
            for file in formatted {
                terminal.error("\(file.path): the file is not in canonical form\n")
            }
            if !formatted.isEmpty {
                terminal.error("help: run `\(Check.command("format", arguments.paths, options))`\n")
            }
        } else {
            try await OutputWriter.write(
                formatted.map { file in
                    let former = read[ExactString(file.path)].map { OutputFile.Former.bytes($0) }
                    return OutputFile(path: file.path, bytes: file.bytes, former: former ?? .anything)
                })
            if !options.quiet { for file in formatted { terminal.error("formatted \(file.path)\n") } }
        }
        if check, !formatted.isEmpty { throw ExitCode(1) }
        if !options.quiet {
            let count = sessions.reduce(0) { $0 + $1.fileCount }
            let changed =
                formatted.isEmpty
                ? "nothing to change in \(counted(count, "file"))"
                : "\(formatted.count) of \(counted(count, "file")) formatted"
            terminal.error("loggen: \(changed)\n")
        }
    }

    /// Returns whether a module is a checkout of SwiftPM, or outside of the git repository of the definitions, and no
    /// PATH names it. Its definitions are read, but only its own repository changes them.
    private func belongsToOthers(_ module: ModuleFolder, in root: String) -> Bool {
        let own = FileSystem.resolved(DefinitionFolder.repository(of: root) ?? root)
        guard module.isCheckout || !FileSystem.isFolder(own, at: module.real) else { return false }
        return !arguments.paths.contains { module.holds(FileSystem.resolved($0)) }
    }
}
