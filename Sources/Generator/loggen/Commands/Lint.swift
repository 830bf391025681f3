import ArgumentParser
import CommandOptions
import LogDefinitions
import LogProject

struct Lint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check definitions and show all problems, each with its place and a fix.",
        discussion: "Writes nothing. Exit code 1 if there is an error, or with --strict a warning."
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    @Flag(help: "Fail on warnings, too.")
    var strict = false

    @Flag(help: "Lint the files of the next commit, from git's index, in place of those in the folder.")
    var staged = false

    @Option(
        help: ArgumentHelp(
            "The date to compare `expires` with; the default is the day of SOURCE_DATE_EPOCH, or today.",
            valueName: "YYYY-MM-DD"))
    var today: String?

    func validate() throws {
        if let today, !StringFormat.date.accepts(today) {
            throw ValidationError("`--today \(today)` is not a date: write year, month and day, as in 2027-03-31.")
        }
    }

    func run() async throws {
        let terminal = options.terminal
        if staged { throw ExitCode(try StagedFiles.run(arguments.paths, on: terminal)) }
        let sessions = try await Session.start(
            arguments.paths, options: options.project, today: today ?? currentDay(),
            terminal: terminal)
        var report = sessions.report(ofAllOutputs: true)
        for session in sessions { report.add(await session.problemsOfOutputs()) }
        let files = sessions.reduce(0) { $0 + $1.fileCount }
        try report.show(options.diagnostics, on: terminal)
        if options.diagnostics == .text, !options.quiet {
            for target in try swiftlessTargets(of: sessions.flatMap(\.folders)) {
                terminal.error(
                    "note: the target `\(target.name)` has no Swift file, so SwiftPM ignores it, its plugins and its "
                        + "definitions. Add `\(target.file)`; it may be empty.\n"
                )
            }
            terminal.error("loggen: \(report.count ?? "no problems") in \(counted(files, "file"))\n")
        }
        if report.errors > 0 || (strict && report.warnings > 0) { throw ExitCode(1) }
    }

    private func swiftlessTargets(of folders: [String]) throws(FileError) -> [SwiftlessTarget] {
        var targets: [SwiftlessTarget] = []
        for folder in folders {
            if let target = try SwiftlessTarget(of: folder), !targets.contains(target) { targets.append(target) }
        }
        return targets
    }
}
