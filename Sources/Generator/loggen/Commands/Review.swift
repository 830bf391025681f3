import ArgumentParser
import CommandOptions
import JSONSyntax
import LogCatalogue
import LogDefinitions
import LogImpact
import LogOutputs
import LogProject
import LogReview
import MarkdownSyntax

struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Report the effects of a change of the definitions, for a pull request.",
        discussion: """
            Compares the current definitions with those of the commit at which this branch left REVISION, so earlier \
            problems are not attributed to the change. Exit code 1 if the change is breaking and not accepted in \
            loggen.lock (`loggen lock --accept`), if it removes loggen.lock, or if it introduces an error that leaves the \
            definitions incomplete. `loggen lint` has all other errors.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case markdown, text, json
    }

    @OptionGroup var arguments: PathArguments
    @OptionGroup var options: CommonOptions

    @Option(help: ArgumentHelp("The branch or commit that the change is to be merged into.", valueName: "revision"))
    var base: String?

    @Option(
        help: ArgumentHelp(
            "Compare with the last tag before HEAD whose name matches, as in 'v*'.", valueName: "pattern"))
    var baseTag: String?

    @Option(help: "The format of the report.")
    var format: Format = .text

    @Option(
        help: ArgumentHelp(
            "The output of `tapgen usage --format json`: the report lists the call sites of each event.",
            valueName: "file"))
    var sources: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Files and folders of consumers; the default is `consumers` in loggen.yml.", valueName: "path"))
    var consumers: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "The names or addresses of owners who accept that the change breaks their consumers (`acceptance: owners` "
                + "in loggen.yml).", valueName: "owner"))
    var acceptedBy: [String] = []

    @Flag(
        help: """
            Accept the breaking changes, as a reviewer: the report notes this, and the exit code is 0. The deletion of \
            an event that has not been retired is not accepted, nor is a new definition of a retired name. With \
            `acceptance: owners` in loggen.yml, the owners of broken consumers have to accept them, too.
            """)
    var accepted = false

    func validate() throws {
        guard (base == nil) != (baseTag == nil) else {
            throw ValidationError("Name the base of the comparison: either `--base REVISION` or `--base-tag PATTERN`.")
        }
        if options.diagnostics != .text {
            throw ValidationError(
                "`--diagnostics` does not apply to the report of `review`: write `--format json` or `--format "
                    + "markdown`."
            )
        }
    }

    func run() async throws {
        let terminal = options.terminal
        let sessions = try await options.start(arguments.paths, on: terminal)
        let session = try sessions.only(for: "review")
        let usages = try sources.map { try Self.usages($0) }
        let base = try Self.base(of: session, revision: base, tag: baseTag)
        let revision = try await BaseRevision(base.commit, named: base.name, of: session)
        let (errors, hiding, former) = Self.errors(of: session, revision)
        try Report(files: session.report.files, diagnostics: errors).show(.text, on: terminal)
        var report = ReviewReport(Review(), base: base.name)
        if errors.isEmpty { report = try await self.report(session, base, revision, formerErrors: hiding) }
        report.errors = errors.count
        report.formerErrors = former
        report.usages = usages
        report.isAccepted = accepted
        report.acceptedBy = Set(acceptedBy)
        // The change cannot switch off the rule by which it is reviewed.
        report.needsOwners = session.configuration.needsOwners || revision.configuration?.needsOwners ?? false
        report.mentionsOwners = session.configuration.mentionsOwners
        report.repository = session.configuration.repository
        report.accept = Check.command("lock --accept", [session.root], options)
        report.forget = Check.command("lock --forget", [session.root], options)
        report.record = Check.command("lock", [session.root], options)
        report.lockPath = session.lockPath
        report.name = session.root
        switch format {
        case .markdown: try terminal.out(Array(report.markdown().utf8))
        case .text: try terminal.out(report.text())
        case .json: try terminal.out(report.json())
        }
        if report.verdict == .errors || report.verdict == .breaks { throw ExitCode(1) }
    }

    /// Returns the errors that leave definitions incomplete and that the change introduces, the number of those that
    /// existed before, and the number of all errors that existed before.
    private static func errors(
        of session: Session, _ before: BaseRevision
    ) -> (new: [Diagnostic], hiding: Int, former: Int) {
        struct Key: Hashable {
            var rule: String
            var file: ExactString
            var message: ExactString
        }
        func key(_ error: Diagnostic, _ files: [SourceFile]) -> Key {
            Key(
                rule: "\(error.rule)", file: ExactString(files[error.place.file].relativePath),
                message: ExactString(error.message))
        }
        var known: [Key: Int] = [:]
        for error in before.analysis.diagnostics where error.severity == .error && error.rule.isAdjustable {
            known[key(error, before.analysis.definitions.files), default: 0] += 1
        }
        for error in before.report.diagnostics { known[key(error, before.report.files), default: 0] += 1 }
        let report = session.report
        let all = report.diagnostics.filter { $0.severity == .error }
        let new = all.filter { error in
            let key = key(error, report.files)
            guard let count = known[key], count > 0 else { return true }
            known[key] = count - 1
            return false
        }
        let (hiding, newHiding) = (all.count { !$0.rule.isAdjustable }, new.filter { !$0.rule.isAdjustable })
        return (newHiding, hiding - newHiding.count, all.count - new.count)
    }

    private func report(
        _ session: Session, _ base: (commit: String, name: String), _ revision: BaseRevision, formerErrors: Int
    ) async throws(FileError) -> ReviewReport {
        let definitions = session.analysis.definitions
        let (analysis, formerReport) = (revision.analysis, revision.report)
        var notes: [String] = revision.note.map { [$0] } ?? []
        let lock = revision.lock
        let before: Review.Before
        if formerErrors > 0 {
            // The base and the head have these errors, which hide the same definitions in both.
            let (errors, them) = formerErrors == 1 ? ("1 error", "it") : ("\(formerErrors) errors", "them")
            notes.append(
                "the definitions have \(errors) that \(base.name.asCode) also has; parts that cannot be read because of "
                    + "\(them) are not compared (`loggen lint`)")
            before = await Review.Before(definitions: analysis.definitions, lock: lock)
        } else if let error = formerReport.diagnostics.first {
            guard let lock, lock.diagnostics.isEmpty else { throw revision.cannotCompare(error) }
            notes.append(
                "the definitions of \(base.name.asCode) have errors: the change is compared with its loggen.lock"
            )
            before = Review.Before(lock: lock)
        } else {
            before = await Review.Before(definitions: analysis.definitions, lock: lock)
        }
        var drift = await Drift.between(before.baseline, and: definitions, scope: session.scope).drift
        // A change cannot narrow its own review: a folder that was whole in the base is compared as a whole.
        let isWhole = session.isFolderGiven || revision.isFolderGiven
        if !isWhole { drift = session.concerned(drift) }
        if formerErrors > 0, formerReport.errors > formerErrors, let lock,
            lock.diagnostics.isEmpty
        {
            // The change fixes some errors. Definitions that were hidden by these errors would seem to be new. If the
            // lock file contains them, they are compared with the lock file.
            let known = await Drift.between(lock.latest, and: definitions, scope: session.scope).drift
            let recorded = Dictionary(known.events.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            drift.events = drift.events.compactMap { event in
                guard event.isBreaking, lock.latest.entries[event.name] != nil else { return event }
                guard let other = recorded[event.name] else { return nil }
                return other.isBreaking ? event : other
            }
        }
        // The locks are compared here, because the session has no drift if a rule of the project is broken. `lint`
        // reports such problems.
        var locks = Review.Locks(now: nil, before: nil, isReleased: { _ in true })
        // The release is read only if its events matter for the result.
        let isLockShorter = (session.lock?.latest.entries.count ?? 0) < (lock?.latest.entries.count ?? 0)
        if isLockShorter || !drift.deleted.isEmpty { locks.isReleased = await Self.released(session, base.commit) }
        if let lock = session.lock { locks.now = await Review.Lock(lock, definitions, scope: session.scope) }
        if let lock { locks.before = await Review.Lock(lock, definitions, scope: session.scope) }
        let review = Review(
            drift, since: before, to: definitions, locks: locks, isWhole: isWhole,
            isConcerned: { isWhole || session.given.contains($0) })
        var report = ReviewReport(review, base: base.name)
        let former = Model(
            before.definitions ?? analysis.definitions, versions: before.versions ?? Versions(), lock: lock)
        let current = Model(definitions, versions: locks.now?.versions ?? Versions(), lock: session.lock)
        let formerPaths = (consumers.isEmpty ? revision.configuration?.consumers ?? [] : []).map(FileSystem.shortened)
        report.consumers = try await consumerEffects(
            of: review, session,
            [(former, revision.configuration?.tables ?? [:]), (current, session.configuration.tables)],
            formerPaths: formerPaths, in: revision, since: base.commit)
        if let removed = report.consumers?.removed, !removed.isEmpty {
            notes.append("\(base.name.asCode) has consumers that the change breaks and removes: \(removed)")
        }
        for path in formerPaths where FileSystem.kind(path) == nil {
            notes.append("\(path.asCode), which `consumers` names in \(base.name.asCode), does not exist")
        }
        if consumers.isEmpty, session.configuration.consumers.isEmpty, report.consumers != nil {
            notes.append(
                "the change removes `consumers` from loggen.yml: those of \(base.name.asCode) are read")
        }
        if formerErrors == 0, before.definitions != nil,
            let output = session.configuration.outputs?.first(where: { $0.name == "sql" })?.output
        {
            report.statements = ReviewReport.Statements.all(from: former, to: current, settings: output.settings)
        }
        if session.lock == nil, lock == nil {
            notes.append(
                "\(session.lockPath.asCode) is missing, so no event has a version, and no change can be accepted in it")
        }
        report.notes = notes
        return report
    }

    private func consumerEffects(
        of review: Review, _ session: Session, _ states: [(model: Model, names: [String: String])],
        formerPaths: [String], in revision: BaseRevision, since base: String
    ) async throws(FileError) -> ConsumerEffects? {
        guard !consumers.isEmpty || !session.configuration.consumers.isEmpty || !formerPaths.isEmpty else { return nil }
        let tables = try session.loggedTables(states)
        // The calls that the change may break have the form of the earlier definitions.
        let calls = states.first?.model ?? session.model
        var reader = try session.consumers(
            at: consumers, former: formerPaths, of: tables, calling: calls, options.terminal)
        let graph = try reader.graph()
        let former = try await revision.consumers(
            at: consumers, of: tables, calling: calls, options.terminal, exchange: reader.exchange)
        var authors = ConsumerEffects.Authors()
        // Without `--base`, the base is a tag. The commits since a tag belong to many changes, so their authors are not
        // the authors of this change.
        let places = revision.places(of: session)
        if self.base != nil, !places.isEmpty,
            let log = try? revision.repository.git(
                ["log", "-z", "--format=%an%x00%ae", "\(base)..HEAD", "--"] + places)
        {
            let texts = log.split(separator: 0, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            for index in stride(from: 0, to: texts.count - 1, by: 2) {
                authors.add(name: texts[index], address: texts[index + 1])
            }
        }
        return ConsumerEffects(
            graph, of: review, former: former, unreadable: reader.unreadable, authors: authors)
    }

    /// Returns a predicate for the events of the last release. If releases are unknown, it accepts all events.
    private static func released(_ session: Session, _ commit: String) async -> @Sendable (String) -> Bool {
        do {
            guard let release = try await Release.latest(for: session, before: commit, isWhole: false) else {
                return { _ in false }
            }
            return { release.events.contains($0) }
        } catch {
            return { _ in true }
        }
    }

    private static func base(of session: Session, revision: String?, tag: String?) throws(FileError) -> (
        commit: String, name: String
    ) {
        let repository = try GitRepository(holding: session.paths.first ?? session.root)
        if let pattern = tag {
            guard !pattern.hasPrefix("-"),
                let found = try? repository.git(["describe", "--tags", "--abbrev=0", "--match", pattern]).line
            else {
                throw FileError(
                    "no tag before HEAD matches `\(pattern)`: "
                        + (repository.isShallow
                            ? "this clone is shallow, so fetch tags and history (`git fetch --unshallow --tags`)"
                            : "name another, or compare with `--base`")
                )
            }
            return ("refs/tags/" + found, found)
        }
        let revision = revision ?? ""
        let commit = try repository.commit(revision)
        try repository.git(["rev-parse", "--verify", "HEAD"])
        guard let found = try? repository.git(["merge-base", commit, "HEAD"]).line else {
            throw FileError(
                "`\(revision)` and HEAD have no common commit: "
                    + (repository.isShallow
                        ? "this clone is shallow, so fetch the history "
                            + "(`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout)"
                        : "their histories are unrelated, so name a revision that this branch comes from"))
        }
        return (found, revision)
    }

    private static func usages(_ path: String) throws(FileError) -> EventUsages {
        let bytes = try FileSystem.read(path)
        do throws(JSONSyntaxError) {
            return try EventUsages(reading: bytes)
        } catch {
            let line = SourceText(bytes).position(at: error.at).line
            throw FileError("\(path):\(line): \(error.message); make it with `tapgen usage … --format json`")
        }
    }
}
