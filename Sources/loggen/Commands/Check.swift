import ArgumentParser
import LogDefinitions
import LogEmission
import LogSession
import MarkdownSyntax

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what `generate` would change, and which changes of the definitions break whom.",
        discussion: """
            Writes nothing, and says nothing where all is well. Exit code 1 when a generated file is not what the definitions say, when a change \
            breaks app code, the warehouse or old apps and has not been accepted with `loggen lock --accept`, or when loggen.lock is behind.
            """
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var outputs: OutputOptions
    @OptionGroup var options: CommonOptions

    @Flag(help: "Show one line per file instead of its difference.")
    var stat = false

    @Option(help: ArgumentHelp("Compare with the definitions of this git revision instead of loggen.lock.", valueName: "revision"))
    var base: String?

    @Flag(help: "Let warnings fail, too.")
    var strict = false

    func run() async throws {
        let terminal = options.terminal
        let session = try await Session.start(arguments.paths, options: options, readsLock: true, terminal: terminal)
        var report = session.report
        if var lock = session.lock, report.errors == 0 {
            await lock.checkHistory()
            report.add(files: [lock.file], diagnostics: lock.diagnostics)
        }
        guard let plan = try await session.plan(outputs, report: &report), report.errors == 0 else {
            report.show(options.diagnostics, on: terminal)
            throw ExitCode(1)
        }
        let drift = try await definitionDrift(session)
        terminal.progress("loggen: comparing \(plan.files.count) files")
        let differences = try await OutputWriter.differences(plan)
        let diffs = differences.map { UnifiedDiff(from: $0.old ?? [], to: $0.new ?? []) }
        terminal.clearProgress()

        if options.diagnostics == .text {
            report.show(.text, on: terminal)
            show(drift, on: terminal)
            show(zip(differences, diffs), on: terminal)
        } else {
            report.add(files: drift.files, diagnostics: drift.diagnostics)
            report.add(
                files: differences.map { SourceFile(path: $0.path, relativePath: $0.path, source: SourceText($0.old ?? [])) },
                diagnostics: zip(differences, diffs).enumerated().map { diagnostic(of: $1.0, $1.1, file: $0) })
            report.show(options.diagnostics, on: terminal)
        }
        let hasProblems = report.errors > 0 || !drift.diagnostics.isEmpty || !differences.isEmpty
        if hasProblems || (strict && report.warnings > 0) { throw ExitCode(1) }
        if session.lock == nil, base == nil, options.diagnostics == .text, !options.quiet {
            terminal.error(
                "help: there is no `\(session.lockPath)` yet: `\(command("lock"))` makes one, and changes are judged from then on\n")
        }
        endProcess(holding: session)
    }

    /// A command of loggen's with this run's arguments, to be run next.
    private func command(_ name: String) -> String { Self.command(name, arguments.paths, options) }

    static func command(_ name: String, _ paths: [String], _ options: CommonOptions) -> String {
        let words = paths + (options.config.map { ["--config", $0] } ?? [])
        return "loggen \(name) " + words.map { shellWord($0) }.joined(separator: " ")
    }

    // MARK: Definitions

    private func definitionDrift(_ session: Session) async throws(FileProblem) -> DefinitionDrift {
        let definitions = session.analysis.definitions
        if let base {
            let before = try await BaseRevision.definitions(of: base, paths: session.paths, options: session.configuration.analysis)
            let baseline = Baseline(before)
            let drift = await Drift.between(baseline, and: definitions, scope: .everything).drift
            let report = DriftReport(definitions: definitions, baseline: baseline, hasVersions: false)
            return DefinitionDrift(files: report.files, diagnostics: report.diagnostics(of: drift), help: nil)
        }
        guard let lock = session.lock, let drift = session.drift else { return DefinitionDrift(files: [], diagnostics: [], help: nil) }
        let report = DriftReport(definitions: definitions, baseline: lock.latest, hasVersions: true)
        var diagnostics = report.diagnostics(of: drift)
        let help = diagnostics.contains { $0.rule != .deletedEvent } ? Self.acceptHelp(arguments.paths, options) : nil
        if let help {
            for index in diagnostics.indices where diagnostics[index].rule != .deletedEvent { diagnostics[index].notes.append(.help(help)) }
        }
        let behind = drift.events.count { !$0.isBreaking }
        if behind > 0 {
            diagnostics.append(
                Diagnostic(
                    .lockBehind,
                    "loggen.lock is behind: run `\(command("lock"))`; \(behind == 1 ? "1 event differs" : "\(behind) events differ"), which breaks nobody",
                    at: Place(file: definitions.files.count, range: 0..<0)))
        }
        return DefinitionDrift(files: report.files, diagnostics: diagnostics, help: help)
    }

    static func acceptHelp(_ paths: [String], _ options: CommonOptions) -> String {
        "once everyone it breaks is ready, accept with `\(command("lock --accept", paths, options))`, or with an event's name behind it for that event alone"
    }

    private func show(_ drift: DefinitionDrift, on terminal: Terminal) {
        terminal.error(drift.text(usesColor: terminal.usesColor))
        if let help = drift.help { terminal.error("help: \(help)\n") }
    }

    // MARK: Generated files

    private func diagnostic(of difference: OutputWriter.Difference, _ diff: UnifiedDiff, file: Int) -> Diagnostic {
        let message =
            switch (difference.old, difference.new) {
            case (nil, _): "the file is missing"
            case (_, nil): "nothing produces this file any more"
            case (let old?, _):
                "the file is not what the definitions say (+\(diff.added) -\(diff.removed))"
                    + (GeneratedHeader.isPresent(in: old) ? "" : ", and it does not bear our header")
            }
        let source = SourceText(difference.old ?? [])
        let place = Place(file: file, range: source.lineRange(min(diff.firstLine, source.lineStarts.count) - 1))
        return Diagnostic(.outputDrift, message, at: place, notes: [.help("run `\(command("generate"))`")])
    }

    private func show(_ differences: Zip2Sequence<[OutputWriter.Difference], [UnifiedDiff]>, on terminal: Terminal) {
        var text: [UInt8] = []
        var count = 0
        var isFresh = true
        for (difference, diff) in differences {
            count += 1
            if difference.old != nil { isFresh = false }
            if stat {
                let kind = difference.old == nil ? "missing, " : difference.new == nil ? "to be removed, " : ""
                text += "\(difference.path) | \(kind)+\(diff.added) -\(diff.removed)\n".utf8
            } else {
                text += diff.text(
                    from: difference.old == nil ? "/dev/null" : difference.path, to: difference.new == nil ? "/dev/null" : difference.path)
            }
        }
        terminal.out(text)
        guard count > 0 else { return }
        let files = count == 1 ? "1 file is" : "\(count) files are"
        terminal.error("loggen: \(files) not what the definitions say: run `\(command("generate"))`\n")
        if isFresh, !options.quiet {
            terminal.error("help: where only the build plugin generates, write `outputs: {}` into loggen.yml\n")
        }
    }
}

/// What is to be said about changed definitions.
struct DefinitionDrift {
    var files: [SourceFile]
    var diagnostics: [Diagnostic]
    /// What to do about changes that break someone.
    var help: String?

    /// A line for each change.
    func text(usesColor: Bool) -> String {
        let text = DiagnosticText(files: files, usesColor: usesColor)
        return diagnostics.map { text.line($0) }.joined()
    }
}

/// A word as a shell takes it.
func shellWord(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "/._-+=:@%,".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
