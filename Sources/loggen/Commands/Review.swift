import ArgumentParser
import LogDefinitions
import LogEmission
import LogSession
import MarkdownSyntax

struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Say what a change of the definitions means to whom, for a pull request.",
        discussion: """
            Compares the documents as they are with those of the commit at which this branch left REVISION, so what was broken before is not \
            blamed on the change. Exit code 1 if the change breaks somebody and loggen.lock has not accepted it (`loggen lock --accept`), or if the \
            definitions have errors.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case markdown, text, json
    }

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    @Option(help: ArgumentHelp("The branch or commit that the change is made for.", valueName: "revision"))
    var base: String?

    @Option(help: ArgumentHelp("Compare with the last tag before HEAD whose name fits, as in 'v*'.", valueName: "pattern"))
    var baseTag: String?

    @Option(help: "How the report is written.")
    var format: Format = .text

    @Option(help: ArgumentHelp("What `tapgen usage --format json` has written: the report says where the app posts each event.", valueName: "file"))
    var sources: String?

    @Flag(help: "Whoever reviews accepts what the change breaks: the report says so, and the exit code is 0.")
    var accepted = false

    func validate() throws {
        guard (base == nil) != (baseTag == nil) else {
            throw ValidationError("Say what to compare with: either `--base REVISION` or `--base-tag PATTERN`.")
        }
        if base == "" { throw ValidationError("`--base` names no revision.") }
        if baseTag == "" { throw ValidationError("`--base-tag` has no pattern.") }
        if sources == "" { throw ValidationError("`--sources` names no file.") }
    }

    func run() async throws {
        let terminal = options.terminal
        let sessions = try await Session.start(arguments.paths, options: options, readsLock: true, terminal: terminal)
        guard sessions.count == 1, let session = sessions.first else {
            throw FileProblem("\(sessions.map { "`\($0.root)`" }.joined(separator: ", ")) are definition folders of their own; run `review` for each")
        }
        let usages = try sources.map { try Self.usages($0) }
        let base = try Self.base(of: session, revision: base, tag: baseTag)
        let errors = session.report.diagnostics.filter { $0.severity == .error && !$0.rule.isAdjustable }
        try Report(files: session.report.files, diagnostics: errors).show(.text, on: terminal)
        var report = errors.isEmpty ? try await report(session, base) : ReviewReport(Review(files: []), base: base.name)
        report.errors = errors.count
        report.usages = usages
        report.isAccepted = accepted
        report.repository = session.configuration.repository
        report.accept = Check.command("lock --accept", [session.root], options)
        report.forget = Check.command("lock --forget", [session.root], options)
        report.name = session.root
        switch format {
        case .markdown: try terminal.out(Array(report.markdown().utf8))
        case .text: try terminal.out(report.text())
        case .json: try terminal.out(report.json())
        }
        if report.verdict == .errors || report.verdict == .breaks { throw ExitCode(1) }
    }

    private func report(_ session: Session, _ base: (commit: String, name: String)) async throws(FileProblem) -> ReviewReport {
        let definitions = session.analysis.definitions
        let revision = try await BaseRevision(base.commit, named: base.name, of: session)
        var notes = revision.note.map { [$0] } ?? []
        let analysis = try await revision.analysis(options: session.configuration.analysis.withoutAdjustableRules)
        let lock = try revision.lock()
        let before: Review.Before
        if let error = analysis.diagnostics.first(where: { $0.severity == .error }) {
            guard let lock, lock.diagnostics.isEmpty else { throw revision.cannotCompare(analysis, error) }
            notes.append("the documents of `\(base.name)` have errors: the change is compared with what its loggen.lock has recorded")
            before = Review.Before(lock: lock)
        } else {
            before = await Review.Before(definitions: analysis.definitions, lock: lock)
        }
        let drift = session.concerned(await Drift.between(before.baseline, and: definitions, scope: session.scope).drift)
        let isWhole = session.isFolderGiven
        // Not the session's: that has none if a rule of the house is broken, which is for `lint` to say.
        var open: (drift: Drift, versions: Versions)?
        if let lock = session.lock { open = await Drift.between(lock.latest, and: definitions, scope: session.scope) }
        let review = Review(
            drift, since: before, to: definitions, versions: open?.versions, open: open?.drift,
            isConcerned: { isWhole || session.given.contains($0) })
        var report = ReviewReport(review, base: base.name)
        if let former = before.definitions, let output = session.configuration.outputs?.first(where: { $0.name == "sql" })?.output {
            report.statements = ReviewReport.Statements.all(
                from: Model(former, versions: before.versions ?? Versions(), lock: lock),
                to: Model(definitions, versions: open?.versions ?? Versions(), lock: session.lock),
                settings: output.settings)
        }
        if session.lock == nil { notes.append("there is no `\(session.lockPath)`, so no event has a version, and no change can be accepted in it") }
        report.notes = notes
        return report
    }

    /// The commit to compare with, and how people call it.
    private static func base(of session: Session, revision: String?, tag: String?) throws(FileProblem) -> (commit: String, name: String) {
        func line(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self) }
        let folder = session.root
        if let pattern = tag {
            guard !pattern.hasPrefix("-"), let found = try? Git.run(["-C", folder, "describe", "--tags", "--abbrev=0", "--match", pattern], pattern)
            else {
                throw FileProblem(
                    "no tag before HEAD fits `\(pattern)`: \(isShallow(folder) ? "this clone is shallow, so fetch tags and history (`git fetch --unshallow --tags`)" : "name another, or compare with `--base`")"
                )
            }
            return ("refs/tags/" + line(found), line(found))
        }
        let revision = revision ?? ""
        guard !revision.hasPrefix("-") else { throw FileProblem("`\(revision)` is not a git revision") }
        let commit = line(try Git.run(["-C", folder, "rev-parse", "--verify", "--end-of-options", "\(revision)^{commit}"], revision))
        _ = try Git.run(["-C", folder, "rev-parse", "--verify", "HEAD"], "HEAD")
        guard let found = try? Git.run(["-C", folder, "merge-base", commit, "HEAD"], revision) else {
            throw FileProblem(
                "`\(revision)` and HEAD have no common commit: "
                    + (isShallow(folder)
                        ? "this clone is shallow, so fetch the history (`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout)"
                        : "they are histories of their own, so name a revision that this branch comes from"))
        }
        return (line(found), revision)
    }

    private static func isShallow(_ folder: String) -> Bool {
        guard let answer = try? Git.run(["-C", folder, "rev-parse", "--is-shallow-repository"], "HEAD") else { return false }
        return answer.starts(with: "true".utf8)
    }

    private static func usages(_ path: String) throws(FileProblem) -> EventUsages {
        let bytes = try FileSystem.read(path)
        do throws(EventUsages.Failure) {
            return try EventUsages(reading: bytes)
        } catch {
            let line = SourceText(bytes).position(at: error.at).line
            throw FileProblem("\(path):\(line): \(error.message); make it with `tapgen usage … --format json`")
        }
    }
}

extension AnalysisOptions {
    /// Only errors that leave definitions incomplete count.
    fileprivate var withoutAdjustableRules: AnalysisOptions {
        var options = self
        for rule in Rule.all where rule.isAdjustable { options.severities[rule] = .some(nil) }
        return options
    }
}
