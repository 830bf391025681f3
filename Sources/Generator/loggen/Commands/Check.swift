import ArgumentParser
import CommandOptions
import Foundation
import JSONSyntax
import LogDefinitions
import LogOutputs
import LogProject
import LogReporting
import MarkdownSyntax

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Report what `generate` would change, and breaking changes of the definitions.",
        discussion: """
            Writes nothing. Without problems, it prints one line, or none with --quiet. Exit code 1 if a generated \
            file differs from the definitions, if a change breaks app code, the warehouse or old apps and has not been \
            accepted with `loggen lock --accept`, or if loggen.lock is out of date.
            """
    )

    @OptionGroup var arguments: PathArguments
    @OptionGroup var outputs: OutputArguments
    @OptionGroup var options: CommonOptions

    @Flag(help: "Show one line per file instead of its diff.")
    var stat = false

    @Option(
        help: ArgumentHelp(
            "Compare with the definitions of this git revision instead of loggen.lock.", valueName: "revision"))
    var base: String?

    @Flag(help: "Fail on warnings, too.")
    var strict = false

    @Flag(help: "Check the files of the next commit, from git's index, in place of those in the folder.")
    var staged = false

    func run() async throws {
        let terminal = options.terminal
        if staged { throw ExitCode(try StagedFiles.run(arguments.paths, needsLock: base == nil, on: terminal)) }
        let sessions = try await options.start(arguments.paths, on: terminal)
        let (plans, found) = try await sessions.plans(outputs.project, terminal: terminal)
        var report = found
        for session in sessions where report.errors == 0 {
            guard var lock = session.lock ?? (base == nil ? .empty(path: session.lockPath) : nil) else { continue }
            await lock.checkHistory()
            if base == nil { lock.reportLinesLostSinceRelease(at: session.lockPath) }
            report.add(files: [lock.file], diagnostics: lock.diagnostics)
        }
        guard let plans, report.errors == 0 else {
            try report.show(options.diagnostics, on: terminal)
            throw ExitCode(1)
        }
        var drifts: [DefinitionDrift] = []
        for session in sessions { drifts.append(try await definitionDrift(session, on: terminal)) }
        terminal.progress("loggen: comparing \(plans.reduce(0) { $0 + $1.output.files.count }) files")
        let (differences, leftovers) = try await OutputWriter.differences(plans)
        let diffs = differences.map { UnifiedDiff(from: $0.old ?? [], to: $0.new ?? []) }
        terminal.clearProgress()

        if !options.quiet { for note in StaleFile.notes(on: leftovers) { terminal.error(note) } }
        let hasProblems = report.errors > 0 || drifts.contains { !$0.diagnostics.isEmpty } || !differences.isEmpty
        // Without `--strict`, a missing lock is reported only if no problems were found: a lock is of little use if the
        // definitions are about to change.
        let unprotected = base == nil && (!hasProblems || strict) ? sessions.filter { $0.lock == nil } : []
        if options.diagnostics == .text {
            try report.show(.text, on: terminal)
            for drift in drifts { drift.show(on: terminal) }
            try show(zip(differences, diffs), hasDrift: drifts.contains { !$0.diagnostics.isEmpty }, on: terminal)
        } else {
            for drift in drifts { report.add(files: drift.files, diagnostics: drift.diagnostics) }
            report.add(
                files: differences.map {
                    SourceFile(path: $0.path, relativePath: $0.path, source: SourceText($0.old ?? []))
                },
                diagnostics: zip(differences, diffs).enumerated().map { diagnostic(of: $1.0, $1.1, file: $0) })
            report.add(
                files: unprotected.map {
                    SourceFile(path: $0.lockPath, relativePath: LockFile.fileName, source: SourceText([]))
                },
                diagnostics: unprotected.enumerated().map { index, session in
                    var warning = Diagnostic(
                        .lockFile, Self.unprotected, at: Place(file: index, range: 0..<0),
                        notes: [.help(lockHelp(session))])
                    warning.severity = .warning
                    return warning
                })
            try report.show(options.diagnostics, on: terminal)
        }
        if options.diagnostics == .text, !options.quiet || strict {
            for session in unprotected {
                terminal.error("note: `\(session.lockPath)` is missing: \(Self.unprotected); \(lockHelp(session))\n")
            }
        }
        let fails = hasProblems || (strict && (report.warnings > 0 || !unprotected.isEmpty))
        if options.diagnostics == .text, !options.quiet, !fails {
            let count = plans.reduce(0) { $0 + $1.output.files.count }
            let files = count == 0 ? "" : ": \(counted(count, "generated file is", "generated files are")) up to date"
            terminal.error("loggen: nothing to change\(files)\n")
        }
        if fails { throw ExitCode(1) }
        endProcess(holding: sessions)
    }

    private static let unprotected = "nothing protects the names and types of released records"

    private func lockHelp(_ session: Session) -> String {
        "`\(Self.command("lock", [session.root], options))` creates it, and later changes are compared with it"
    }

    private func command(_ name: String) -> String { Self.command(name, arguments.paths, options) }

    /// Returns a `loggen` command to run next, in the form in which this run was started.
    static func command(_ name: String, _ paths: [String], _ options: CommonOptions) -> String {
        if let pluginTarget {
            let package = environment("LOGGEN_PLUGIN_PACKAGE").flatMap { $0.isEmpty ? nil : $0 }
            // The plugin `loggen-check` writes nothing, and SwiftPM asks for no permission.
            let verb = name == "check" ? "loggen-check" : "--allow-writing-to-package-directory loggen \(name)"
            return "swift package " + (package.map { "--package \(shellWord($0)) " } ?? "") + verb
                + (pluginTarget.isEmpty ? "" : " --target \(shellWord(pluginTarget))")
        }
        let words =
            paths + (options.config.map { ["--config", $0] } ?? []) + options.exclude.flatMap { ["--exclude", $0] }
        return "loggen \(name) " + words.map { shellWord($0) }.joined(separator: " ")
    }

    /// The target for which a command plugin runs this process. Empty if it is the package's only target with
    /// definitions; nil outside a plugin.
    private static var pluginTarget: String? { ProcessInfo.processInfo.environment["LOGGEN_PLUGIN_TARGET"] }

    // MARK: Definitions

    private func definitionDrift(_ session: Session, on terminal: Terminal) async throws(FileError) -> DefinitionDrift {
        let definitions = session.analysis.definitions
        if let base {
            let before = try await BaseRevision(base, of: session)
            if !options.quiet, let note = before.note { terminal.error("note: \(note)\n") }
            let baseline = Baseline(try before.definitions())
            let drift = session.concerned(await Drift.between(baseline, and: definitions, scope: session.scope).drift)
            let report = DriftReport(definitions: definitions, baseline: baseline, hasVersions: false)
            return DefinitionDrift(files: report.files, diagnostics: report.diagnostics(of: drift), help: nil)
        }
        guard let lock = session.lock, let drift = session.drift else {
            return DefinitionDrift(files: [], diagnostics: [], help: nil)
        }
        let report = DriftReport(definitions: definitions, baseline: lock.latest, hasVersions: true)
        var diagnostics = report.diagnostics(of: drift)
        let (help, shared) = Self.addHelp(to: &diagnostics, [session.root], options)
        let behind = drift.events.count { !$0.isBreaking }
        if behind > 0 {
            // A file without events is either new, or was cut off after its first line.
            let isEmpty = lock.latest.entries.isEmpty
            let state = isEmpty ? "has no events; restore it from git, or" : "is out of date:"
            diagnostics.append(
                Diagnostic(
                    .lockBehind,
                    "loggen.lock \(state) run "
                        + "`\(Self.command("lock", session.isWhole ? [session.root] : arguments.paths, options))`"
                        + (isEmpty
                            ? "" : "; \(counted(behind, "event differs", "events differ")), which breaks nothing"),
                    at: Place(file: definitions.files.count, range: 0..<0), notes: report.notes(of: drift)))
        }
        return DefinitionDrift(files: report.files, diagnostics: diagnostics, help: help, shared: shared)
    }

    /// - Returns: the advice below all changes, and the messages that the text format omits below individual changes.
    static func addHelp(
        to diagnostics: inout [Diagnostic], _ paths: [String], _ options: CommonOptions
    ) -> (help: String?, shared: Set<String>) {
        let accept = acceptHelp(paths, options)
        let forget =
            "if no released app contains the event, also remove it from the lock file: "
            + "`\(command("lock --forget", paths, options))`, followed by the event's name"
        var shared: Set<String> = [accept]
        // The event's own advice has the first fix of a rename, so the second fix is shown next to it.
        if !diagnostics.contains(where: { $0.rule == .deletedEvent && $0.notes.contains { $0.kind == .help } }) {
            shared.insert(forget)
        }
        var isAcceptable = false
        for index in diagnostics.indices {
            switch diagnostics[index].rule {
            case .deletedEvent:
                for note in diagnostics[index].notes.indices {
                    diagnostics[index].notes[note].message = diagnostics[index].notes[note].message
                        .replacingOccurrences(
                            of: "`loggen lock --accept`", with: "`\(command("lock --accept", paths, options))`")
                }
                diagnostics[index].notes.append(.help(forget))
            case .reservedName: break
            default:
                isAcceptable = true
                diagnostics[index].notes.append(.help(accept))
            }
        }
        return (isAcceptable ? accept : nil, shared)
    }

    static func acceptHelp(_ paths: [String], _ options: CommonOptions) -> String {
        "once everyone affected is ready, accept with `\(command("lock --accept", paths, options))`; "
            + "append an event's name to accept only that event"
    }

    // MARK: Generated files

    private func diagnostic(of difference: OutputWriter.Difference, _ diff: UnifiedDiff, file: Int) -> Diagnostic {
        let message =
            switch (difference.old, difference.new) {
            case (nil, _): "the file is missing"
            case (_, nil): "the file is stale: nothing generates it"
            case (.some, _):
                "the file differs from the definitions (+\(diff.added) -\(diff.removed))"
                    + (difference.isInTheWay ? ", and loggen did not generate it" : "")
            }
        let source = SourceText(difference.old ?? [])
        let place = Place(file: file, range: source.lineRange(min(diff.firstLine, source.lineStarts.count) - 1))
        let way = difference.isInTheWay ? "move it away, or run `\(updateCommand) --force`" : "run `\(updateCommand)`"
        return Diagnostic(.outputDrift, message, at: place, notes: [.help(way)])
    }

    private var updateCommand: String {
        if Self.pluginTarget != nil { return command("generate") }
        let words = [("--only", outputs.only), ("--output", outputs.output), ("--templates", outputs.templates)]
            .flatMap { name, value in value.map { [name, $0] } ?? [] }
        return ([command("generate")] + words.map { shellWord($0) }).joined(separator: " ")
    }

    /// - Parameter hasDrift: whether changes of the definitions have been reported before these differences.
    private func show(
        _ differences: Zip2Sequence<[OutputWriter.Difference], [UnifiedDiff]>, hasDrift: Bool, on terminal: Terminal
    ) throws(FileError) {
        var text: [UInt8] = []
        var count = 0
        var isFresh = true
        for (difference, diff) in differences {
            count += 1
            let path = FileSystem.shortened(difference.path)
            if difference.old != nil || path.hasSuffix(FileManifest.fileName) { isFresh = false }
            // All lines of a missing file, or of a file to be removed, differ.
            if stat || difference.old == nil || difference.new == nil {
                let kind =
                    difference.old == nil
                    ? "missing, "
                    : difference.new == nil ? "stale, " : difference.isInTheWay ? "not generated, " : ""
                text += "\(path) | \(kind)+\(diff.added) -\(diff.removed)\n".utf8
            } else {
                text += diff.text(from: path, to: path)
            }
        }
        try terminal.out(String(decoding: text, as: UTF8.self))
        guard count > 0 else { return }
        let files = counted(count, "file differs", "files differ")
        let first = hasDrift ? "once the changes above are accepted or undone, " : ""
        terminal.error("loggen: \(files) from the definitions: \(first)run `\(updateCommand)`\n")
        if !stat, !options.quiet, text.count(where: { $0 == 0x0A }) > 100 {
            terminal.error("help: `--stat` shows a line for each file\n")
        }
        let others = differences.count { $0.0.isInTheWay }
        if others > 0 {
            terminal.error(
                "help: loggen did not generate \(counted(others, "file")): "
                    + "move \(others == 1 ? "it" : "them") away, or overwrite \(others == 1 ? "it" : "them") with "
                    + "`--force`\n"
            )
        }
        if isFresh, !options.quiet {
            terminal.error("help: if only the build plugin generates files, write `outputs: {}` into loggen.yml\n")
        }
    }
}

struct DefinitionDrift {
    var files: [SourceFile]
    var diagnostics: [Diagnostic]
    var help: String?
    /// The advice that the text format omits below individual changes.
    var shared: Set<String> = []

    /// Prints one line for each change, with the advice that is specific to it, then the other advice.
    func show(on terminal: Terminal) {
        let text = DiagnosticText(files: files, usesColor: terminal.usesColor)
        let lines = diagnostics.map { diagnostic in
            let own = diagnostic.notes.filter { $0.place == nil && !shared.contains($0.message) }
            return text.line(diagnostic)
                + own.map { "\($0.kind.rawValue): \(ShownText.line($0.message))\n" }.joined()
        }
        terminal.error(styled: lines.joined())
        if let help { terminal.error("help: \(help)\n") }
    }
}

/// A word, quoted for a shell if it needs quotes.
func shellWord(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "/._-+=:@%,".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty
        ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
