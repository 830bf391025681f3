import ArgumentParser
import CommandOptions
import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

struct Lock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record the current definitions in loggen.lock, which `check` compares with.",
        discussion: """
            Records changes that break nothing. If a change breaks app code, the warehouse or old apps, its event is \
            not recorded and the exit code is 1, until --accept records it. With --accept, events can be named, as \
            `category.event`; then only those are recorded.

            The deletion of an event that has not been retired is never accepted, nor is a new definition of a retired \
            name. If no app with an event has been released, --forget removes the event from the file. It is refused \
            for events of the latest git tag.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Definition files and folders; with --accept or --forget also events, as `category.event`.",
            valueName: "path"))
    var words: [String]

    @Flag(help: "Record breaking changes, too.")
    var accept = false

    @Flag(help: "Remove the named events from loggen.lock. Events of the latest release (git tag) are refused.")
    var forget = false

    @OptionGroup var options: CommonOptions

    private var eventArguments: [String] { words.filter { Self.isEvent($0) } }
    private var paths: [String] { words.filter { !Self.isEvent($0) } }

    private static func isEvent(_ word: String) -> Bool {
        word.isEventName && !word.hasSuffix(".md") && FileSystem.kind(word) == nil
    }

    func validate() throws {
        if paths.isEmpty { throw ValidationError("Name the definition folder: `loggen lock Definitions`.") }
        if forget, accept {
            throw ValidationError("Use either `--accept`, which records changes, or `--forget`, which removes events.")
        }
        if forget, eventArguments.isEmpty {
            throw ValidationError(
                "Name the events: `loggen lock --forget \(paths.joined(separator: " ")) category.event`.")
        }
        if let event = eventArguments.first, !accept, !forget {
            throw ValidationError(
                "Name events only with `--accept` or `--forget`: "
                    + "`loggen lock --accept \(paths.joined(separator: " ")) \(event)`."
            )
        }
    }

    func run() async throws {
        // Concurrent runs take turns, because each reads, changes and writes the file.
        try await FolderLock.hold(try DefinitionFolder.find(paths, options.project).map(\.root)) { try await record() }
    }

    private func record() async throws {
        let terminal = options.terminal
        let sessions = try await options.start(paths, on: terminal)
        if forget { return try await forget(in: sessions, on: terminal) }
        var report = sessions.report
        var locks: [LockFile] = []
        for session in sessions {
            var lock = session.lock ?? .empty(path: session.lockPath)
            if report.errors == 0 {
                await lock.checkHistory()
                lock.reportLinesLostSinceRelease(at: session.lockPath)
                report.add(files: [lock.file], diagnostics: lock.diagnostics)
            }
            locks.append(lock)
        }
        if report.errors > 0 {
            try report.show(options.diagnostics, on: terminal)
            if options.diagnostics == .text, !options.quiet {
                terminal.error("loggen: \(report.count ?? "errors"); nothing was recorded\n")
            }
            throw ExitCode(1)
        }
        var drifts: [Drift] = []
        for (session, lock) in zip(sessions, locks) {
            if let known = session.drift {
                drifts.append(known)
            } else {
                drifts.append(
                    session.concerned(
                        await Drift.between(lock.latest, and: session.analysis.definitions, scope: session.scope).drift)
                )
            }
        }
        let named = try requestedEvents(in: drifts, sessions)

        var changes: [DefinitionDrift] = []
        for ((session, lock), drift) in zip(zip(sessions, locks), drifts) {
            var refused = Drift()
            var recorded: [EventDrift] = []
            for event in drift.events where named?.contains(event.name) ?? true {
                if event.isRefused || (event.isBreaking && !accept) {
                    refused.events.append(event)
                } else {
                    recorded.append(event)
                }
            }
            refused.deleted = drift.deleted.filter { name in
                named.map { $0.contains(name) || drift.renames[name].map($0.contains) ?? false } ?? true
            }
            refused.renames = drift.renames
            if !recorded.isEmpty || session.lock == nil {
                try await OutputWriter.write([
                    OutputFile(
                        path: session.lockPath, bytes: lock.recording(recorded),
                        former: session.lock.map { .bytes($0.file.source.withMark) } ?? .nothing)
                ])
            }
            try show(recorded, session, on: terminal)
            let drifted = DriftReport(
                definitions: session.analysis.definitions, baseline: lock.latest, hasVersions: true)
            var diagnostics = drifted.diagnostics(of: refused)
            let (help, shared) = Check.addHelp(to: &diagnostics, [session.root], options)
            changes.append(DefinitionDrift(files: drifted.files, diagnostics: diagnostics, help: help, shared: shared))
        }
        try show(changes, &report, on: terminal)
    }

    private func requestedEvents(in drifts: [Drift], _ sessions: [Session]) throws(FileError) -> Set<String>? {
        guard !eventArguments.isEmpty else { return nil }
        try checkKnown(eventArguments, Set(sessions.flatMap(\.definitions.eventNames) + drifts.flatMap(\.deleted)))
        return Set(eventArguments)
    }

    private func checkKnown(_ events: [String], _ known: Set<String>) throws(FileError) {
        for event in events where !known.contains(event) {
            let nearest = nearestSpelling(of: event, among: known.sorted())
            throw FileError("unknown event `\(event)`" + (nearest.map { ": did you mean `\($0)`?" } ?? ""))
        }
    }

    private func show(_ recorded: [EventDrift], _ session: Session, on terminal: Terminal) throws(FileError) {
        guard !options.quiet else { return }
        var text = ""
        for event in recorded {
            guard let old = event.oldVersion else { continue }
            text += "\(event.name): \(old == event.newVersion ? "\(old), changed" : "\(old) → \(event.newVersion)")\n"
        }
        let new = recorded.count { $0.oldVersion == nil }
        let parts = [new > 0 ? "\(new) new" : nil, recorded.count > new ? "\(recorded.count - new) changed" : nil]
            .compactMap { $0 }
        let summary =
            parts.isEmpty
            ? "nothing to record" : "\(counted(recorded.count, "event")) recorded (\(parts.joined(separator: ", ")))"
        try say(text + "loggen: \(summary) in \(session.lockPath)\n", on: terminal)
    }

    private func say(_ text: String, on terminal: Terminal) throws(FileError) {
        if options.diagnostics == .text { try terminal.out(text) } else { terminal.error(text) }
    }

    private func show(_ changes: [DefinitionDrift], _ report: inout Report, on terminal: Terminal) throws {
        if options.diagnostics == .text {
            try report.show(.text, on: terminal)
            for change in changes { change.show(on: terminal) }
        } else {
            for change in changes { report.add(files: change.files, diagnostics: change.diagnostics) }
            try report.show(options.diagnostics, on: terminal)
        }
        if changes.contains(where: { !$0.diagnostics.isEmpty }) { throw ExitCode(1) }
    }

    // MARK: Forgetting events

    private func forget(in sessions: [Session], on terminal: Terminal) async throws {
        let locks = try sessions.compactMap { session throws(FileError) -> (session: Session, lock: LockFile)? in
            guard let lock = session.lock else { return nil }
            guard lock.diagnostics.isEmpty else {
                throw FileError("`\(session.lockPath)` cannot be read: `loggen check` shows the reason")
            }
            return (session, lock)
        }
        try checkKnown(eventArguments, Set(locks.flatMap { $0.lock.latest.entries.keys }))
        for (session, lock) in locks {
            let names = Set(eventArguments).intersection(lock.latest.entries.keys)
            guard !names.isEmpty else { continue }
            if let release = try await Release.latest(for: session),
                let released = names.sorted().first(where: { release.events.contains($0) })
            {
                throw FileError(
                    "`\(released)` is in the release `\(release.tag)`, and its records may be sent and stored: its "
                        + "name stays reserved; retire it with `## ~~\(released.split(separator: ".").last ?? "")~~`"
                )
            }
            guard let bytes = lock.forgetting(names) else { continue }
            try await OutputWriter.write([
                OutputFile(
                    path: session.lockPath, bytes: bytes,
                    former: session.lock.map { .bytes($0.file.source.withMark) } ?? .nothing)
            ])
            guard !options.quiet else { continue }
            try say(
                names.sorted().map { "\($0): forgotten\n" }.joined()
                    + "loggen: \(counted(names.count, "event")) taken back in \(session.lockPath)\n", on: terminal)
        }
    }
}
