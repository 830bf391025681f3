import ArgumentParser
import CommandOptions
import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

struct Format: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write definitions in canonical form: aligned tables; column lists become tables.",
        discussion: "The meaning of the definitions does not change. In a file with an error, column lists are not "
            + "changed to tables."
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
        // Concurrent runs in one folder take turns: both may declare types in `types.md`.
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
        var undeclared: [(path: String, types: [String], root: String)] = []
        for session in sessions {
            let others = session.modules.filter { belongsToOthers($0, in: session.root) }
            func isOthers(_ path: String) -> Bool { others.contains { $0.holds(FileSystem.resolved(path)) } }
            let definitions = session.analysis.definitions
            let files = await DefinitionFormatter.format(
                session.analysis, mayDeclare: !isOthers(definitions.typesPath)
            ).filter { !isOthers($0.path) }
            for file in definitions.files where file.exists { read[ExactString(file.path)] = file.source.withMark }
            let given = Set(session.given.map { ExactString(definitions.files[$0].path) })
            let declares = definitions.typesFile.map { session.given.contains($0) } ?? false
            if !options.quiet {
                for (path, hasErrors) in DefinitionFormatter.filesWithLists(files, of: session.analysis)
                where given.contains(ExactString(path)) {
                    let why =
                        hasErrors
                        ? "the file has errors; run `loggen lint`"
                        : definitions.undeclaredTypes(usedIn: path).isEmpty
                            ? "a table cannot represent it"
                            : "its types cannot be declared in `\(definitions.typesPath)`"
                    terminal.error("note: \(path): the column list is not changed to a table: \(why)\n")
                }
            }
            for file in files {
                // A list becomes a table only together with the declarations of its types, which are in another file.
                let missing = declares ? [] : definitions.undeclaredTypes(usedIn: file.path)
                if session.isWhole || given.contains(ExactString(file.path)) && missing.isEmpty {
                    formatted.append(file)
                } else if given.contains(ExactString(file.path)) {
                    undeclared.append((file.path, missing, session.root))
                }
            }
        }
        for (path, types, root) in undeclared {
            terminal.error(
                "\(path) is not changed: its lists use \(types.map { "`\($0)`" }.joined(separator: ", ")), which "
                    + "`types.md` does not declare; to declare \(types.count == 1 ? "it" : "them"), format the whole "
                    + "folder: `\(Check.command("format", [root], options))`\n"
            )
        }
        if check {
            for file in formatted {
                terminal.error(
                    "\(file.path): \(file.isNew ? "the file is missing" : "the file is not in canonical form")\n")
            }
            if !formatted.isEmpty {
                terminal.error("help: run `\(Check.command("format", arguments.paths, options))`\n")
            }
        } else {
            try await OutputWriter.write(
                formatted.map { file in
                    let former = read[ExactString(file.path)].map { OutputFile.Former.bytes($0) }
                    return OutputFile(
                        path: file.path, bytes: file.bytes, former: file.isNew ? .nothing : former ?? .anything)
                })
            if !options.quiet { for file in formatted { terminal.error("formatted \(file.path)\n") } }
        }
        if !undeclared.isEmpty || (check && !formatted.isEmpty) { throw ExitCode(1) }
        if !options.quiet {
            let count = sessions.reduce(formatted.count(where: \.isNew)) { $0 + $1.fileCount }
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

extension Definitions {
    /// The names of the types that a file's lists use and `types.md` does not declare.
    fileprivate func undeclaredTypes(usedIn path: String) -> [String] {
        let names = Set(types.filter { !$0.isDeclared }.map(\.name))
        guard !names.isEmpty, let file = files.firstIndex(where: { $0.path.utf8.elementsEqual(path.utf8) }) else {
            return []
        }
        let columns =
            categories.filter { $0.file == file }.flatMap { $0.events.flatMap(\.columns) }
            + (common.map { $0.file == file ? $0.columns : [] } ?? [])
        return Set(columns.compactMap(\.type.typeName)).intersection(names).sorted()
    }
}
