import ArgumentParser
import LogDefinitions
import LogEmission
import LogSession

struct Lock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Accept today's definitions as what `check` compares with, in loggen.lock beside them.",
        discussion: """
            Records what breaks nobody. Where a change breaks app code, the warehouse or old apps, its event is left as it was and the exit code \
            is 1, until --accept records it. With --accept, events may be named, as `category.event`; then only those are recorded.

            An event that was deleted without having been retired is never accepted: retire it first. Nor is a retired name that is defined anew.
            """
    )

    @Argument(help: ArgumentHelp("Definition files and folders; with --accept also events, as `category.event`.", valueName: "path"))
    var words: [String]

    @Flag(help: "Record changes that break someone, too.")
    var accept = false

    @OptionGroup var options: CommonOptions

    /// Words that name an event and no file.
    private var events: [String] { words.filter { Self.isEvent($0) } }
    private var paths: [String] { words.filter { !Self.isEvent($0) } }

    private static func isEvent(_ word: String) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1] != "md" && parts.allSatisfy { isIdentifier($0) } && FileSystem.kind(word) == nil
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    func validate() throws {
        if paths.isEmpty { throw ValidationError("Say where the definitions are: `loggen lock Definitions`.") }
        if let event = events.first, !accept {
            throw ValidationError("An event is named together with --accept: `loggen lock --accept \(paths.joined(separator: " ")) \(event)`.")
        }
    }

    func run() async throws {
        let terminal = options.terminal
        let session = try await Session.start(paths, options: options, readsLock: true, terminal: terminal)
        var report = session.report
        var lock = session.lock ?? .empty(path: session.lockPath)
        if report.errors == 0 {
            await lock.checkHistory()
            report.add(files: [lock.file], diagnostics: lock.diagnostics)
        }
        if report.errors > 0 {
            report.show(options.diagnostics, on: terminal)
            if options.diagnostics == .text, !options.quiet { terminal.error("loggen: \(report.count ?? "errors"); nothing was recorded\n") }
            throw ExitCode(1)
        }
        let definitions = session.analysis.definitions
        let drift: Drift
        if let known = session.drift {
            drift = known
        } else {
            drift = await Drift.between(lock.latest, and: definitions, scope: session.scope).drift
        }
        let named = try named(in: drift, definitions)

        var refused = Drift()
        var recorded: [EventDrift] = []
        for event in drift.events where named?.contains(event.name) ?? true {
            if event.isRefused || (event.isBreaking && !accept) { refused.events.append(event) } else { recorded.append(event) }
        }
        refused.deleted = drift.deleted.filter { named?.contains($0) ?? true }
        if !recorded.isEmpty || session.lock == nil {
            try await OutputWriter.write([OutputFile(path: session.lockPath, bytes: lock.recording(recorded))])
        }
        show(recorded, session, on: terminal)
        try show(refused, DriftReport(definitions: definitions, baseline: lock.latest, hasVersions: true), &report, on: terminal)
    }

    /// The named events; nil where none are.
    private func named(in drift: Drift, _ definitions: Definitions) throws(FileProblem) -> Set<String>? {
        guard !events.isEmpty else { return nil }
        let known = Set(definitions.categories.flatMap { category in category.events.map { "\(category.name).\($0.name)" } } + drift.deleted)
        for event in events where !known.contains(event) {
            let nearest = nearestSpelling(of: event, among: known.sorted())
            throw FileProblem("there is no event `\(event)`" + (nearest.map { ": did you mean `\($0)`?" } ?? ""))
        }
        return Set(events)
    }

    private func show(_ recorded: [EventDrift], _ session: Session, on terminal: Terminal) {
        guard !options.quiet else { return }
        var text = ""
        for event in recorded {
            guard let old = event.oldVersion else { continue }
            text += "\(event.name): \(old == event.newVersion ? "\(old), changed" : "\(old) → \(event.newVersion)")\n"
        }
        let new = recorded.count { $0.oldVersion == nil }
        let parts = [new > 0 ? "\(new) new" : nil, recorded.count > new ? "\(recorded.count - new) changed" : nil].compactMap { $0 }
        let summary =
            parts.isEmpty
            ? "nothing to record" : "\(recorded.count) event\(recorded.count == 1 ? "" : "s") recorded (\(parts.joined(separator: ", ")))"
        text += "loggen: \(summary) in \(session.lockPath)\n"
        if options.diagnostics == .text { terminal.out(text) } else { terminal.error(text) }
    }

    private func show(_ refused: Drift, _ driftReport: DriftReport, _ report: inout Report, on terminal: Terminal) throws {
        var diagnostics = driftReport.diagnostics(of: refused)
        // What takes a reserved name is never accepted.
        let help = refused.events.allSatisfy(\.isRefused) ? nil : Check.acceptHelp(paths, options)
        if options.diagnostics == .text {
            report.show(.text, on: terminal)
            let drift = DefinitionDrift(files: driftReport.files, diagnostics: diagnostics, help: help)
            terminal.error(drift.text(usesColor: terminal.usesColor))
            if let help { terminal.error("help: \(help)\n") }
        } else {
            if let help {
                for index in diagnostics.indices where diagnostics[index].rule != .deletedEvent { diagnostics[index].notes.append(.help(help)) }
            }
            report.add(files: driftReport.files, diagnostics: diagnostics)
            report.show(options.diagnostics, on: terminal)
        }
        if !diagnostics.isEmpty { throw ExitCode(1) }
    }
}
