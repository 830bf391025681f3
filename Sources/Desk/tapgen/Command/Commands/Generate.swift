import ArgumentParser
import CommandOptions
import LogOutputs
import LogProject

struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the Swift code that registers the taps of a target's screens.",
        discussion: """
            The sources may be a part of the app's: a trigger's class that they do not have belongs to another \
            target. Nothing is written if there is an error, or if the file is current.
            """
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var sources: SourceOptions

    @Option(help: ArgumentHelp("The file to write. The default is standard output.", valueName: "file"))
    var output: String?

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("A module of generated categories. Repeatable.", valueName: "module"))
    var imports: [String] = []

    @Option(
        help: ArgumentHelp(
            "A cache file. Unchanged sources are not scanned again.", valueName: "file"))
    var cache: String?

    @OptionGroup var options: CommonOptions

    func validate() throws {
        for module in imports where !module.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) || module.isEmpty {
            throw ValidationError("`--import \(module)` is not the name of a module.")
        }
    }

    func run() async throws {
        let terminal = options.terminal
        let session = try await Session.asOne(arguments.paths, options: options.project(), terminal: terminal)
        let known = try cache.map { path throws(FileError) in try FactsCache.read(path) }
        let (sources, read) = try await SwiftSources.read(session.sources(sources), cache: known, terminal: terminal)
        await read?.write()
        let run = TapRun(session, sources, isWhole: false)
        try run.report.show(options.diagnostics, on: terminal)
        guard run.report.errors == 0 else {
            if options.diagnostics == .text, !options.quiet {
                terminal.error("tapgen: \(run.report.count ?? "errors"); nothing was written\n")
            }
            throw ExitCode(1)
        }
        let text = run.registration(importing: imports).text
        if let output {
            if FileSystem.kind(normalized(output)) == .file,
                !GeneratedHeader.beginsSwift(try FileSystem.head(normalized(output), GeneratedHeader.searchedBytes))
            {
                throw FileError(
                    "`\(output)` was not written by tapgen and is not overwritten: name another file, "
                        + "or remove this one"
                )
            }
            try await OutputWriter.write([OutputFile(path: normalized(output), bytes: Array(text.utf8))])
        } else {
            try terminal.out(Array(text.utf8))
        }
        terminal.clearProgress()
        if !options.quiet, output != nil {
            terminal.error("tapgen: \(run.summary) in \(Int((terminal.seconds * 1000).rounded())) ms\n")
        }
        endProcess(holding: run)
    }
}

extension TapRun {
    /// A summary such as `12 Swift files, 5 screens, 9 buttons, 7 of them with an event`.
    var summary: String {
        let buttons = screens.screens.reduce(0) { $0 + $1.buttons.count }
        let found = [
            counted(sources.files.count, "Swift file"), counted(screens.screens.count, "screen"),
            counted(buttons, "button"),
        ]
        return found.joined(separator: ", ") + ", \(events.count) of them with an event"
    }
}
