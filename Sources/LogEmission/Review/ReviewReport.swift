package import LogDefinitions
import MarkdownSyntax

/// A review with everything that its readers want beside it.
package struct ReviewReport: Sendable {
    package var review: Review
    /// What the definitions were compared with, for people: `main`, or a tag.
    package var base: String
    /// Remarks about the comparison.
    package var notes: [String] = []
    /// Errors of the definitions. If there are any, the change cannot be judged.
    package var errors = 0
    /// Whether somebody accepts what breaks, although the lock file does not record it.
    package var isAccepted = false
    /// The statements for each warehouse of the configuration.
    package var statements: [Statements] = []
    /// What to type to accept changes, and to take back events.
    package var accept = ""
    package var forget = ""
    package var repository: Repository?
    /// Where the app posts events.
    package var usages: EventUsages?
    /// Which definitions these are: a comment is found again by it.
    package var name = ""

    package struct Statements: Sendable {
        package var dialect: SQLDialect
        package var statements: [String]
        package var refusals: [String]

        package init(dialect: SQLDialect, statements: [String], refusals: [String]) {
            self.dialect = dialect
            self.statements = statements
            self.refusals = refusals
        }
    }

    package init(_ review: Review, base: String) {
        self.review = review
        self.base = base
    }

    package enum Verdict: String, Sendable {
        /// The definitions have errors.
        case errors
        /// Somebody is broken, and has not agreed.
        case breaks
        /// Somebody is broken, and the change is accepted.
        case accepted
        case safe
        /// Nothing changes.
        case nothing
    }

    package var verdict: Verdict {
        if errors > 0 { return .errors }
        if !review.unaccepted.isEmpty { return isAccepted ? .accepted : .breaks }
        if !review.breaks.isEmpty { return .accepted }
        return review.events.isEmpty && review.shared.isEmpty ? .nothing : .safe
    }

    // MARK: Words

    /// What the change means, in one sentence.
    package var sentence: Sentence {
        switch verdict {
        case .errors:
            return
                "The log definitions have \(words: errors == 1 ? "1 error" : "\(errors) errors"), so what the change means cannot be said: mend \(words: errors == 1 ? "it" : "them") first (\(code: "loggen lint"))."
        case .breaks:
            return "This change of the log definitions breaks \(words: review.unaccepted.list), and is not accepted: \(words: counts)."
        case .accepted:
            let how = review.unaccepted.isEmpty ? "loggen.lock has accepted that" : "it is accepted"
            return "This change of the log definitions breaks \(words: review.breaks.list), and \(words: how): \(words: counts)."
        case .safe: return "This change of the log definitions breaks nobody: \(words: counts)."
        case .nothing: return "The log definitions are as they were in \(code: base)."
        }
    }

    /// `2 events added, 1 event changed`.
    private var counts: String {
        var parts: [String] = []
        for kind in [Review.Kind.added, .changed, .deprecated, .retired, .deleted, .reworded] {
            let count = review.events.count { $0.kind == kind }
            if count > 0 { parts.append("\(count == 1 ? "1 event" : "\(count) events") \(Self.word(kind))") }
        }
        let shared = review.shared.filter(\.events.isEmpty).count
        if shared > 0 { parts.append("\(shared == 1 ? "1 shared text" : "\(shared) shared texts") changed") }
        return parts.joined(separator: ", ")
    }

    static func word(_ kind: Review.Kind) -> String {
        switch kind {
        case .added: "added"
        case .changed: "changed"
        case .deprecated: "deprecated"
        case .retired: "retired"
        case .deleted: "deleted"
        case .reworded: "described anew"
        }
    }

    /// The effect of a line, as the end of its sentence.
    static func effect(_ line: Review.Line) -> String {
        let version = line.bump == .none ? "" : "; a new \(line.bump.rawValue)"
        if line.breaks.isEmpty { return line.bump == .none ? "" : "; breaks nobody\(version)" }
        return "; breaks \(line.breaks.list)\(version)"
    }

    /// `1-0-0 → 1-1-0`, or the part that counts up if no lock file gives versions.
    static func versions(_ event: Review.EventChange) -> String {
        switch (event.before, event.after) {
        case (let before?, let after?): before == after ? "\(after)" : "\(before) → \(after)"
        case (nil, let after?): "\(after)"
        case (let before?, nil): "\(before)"
        case (nil, nil): event.bump == .none ? "" : event.bump.rawValue
        }
    }

    /// `Definitions/recipe_search.md:12`.
    func place(_ place: Place?) -> (file: SourceFile, line: Int)? {
        place.map { place in
            let file = review.files[place.file]
            return (file, file.source.position(at: place.range.lowerBound).line)
        }
    }

    /// Where the app posts an event, if that is known.
    func postings(_ event: String) -> [String]? {
        usages.map {
            ($0[event] ?? []).map { "\($0.file):\($0.line)" + ($0.tap.map { " (tap on \($0))" } ?? "") + ($0.isCertain ? "" : " (perhaps)") }
        }
    }

    /// What whoever made the change can do.
    var ways: [Sentence] {
        var ways: [Sentence] = []
        let open = review.events.filter { !$0.isAccepted && !$0.breaks.isEmpty }
        guard verdict == .breaks else { return [] }
        if open.contains(where: { $0.kind == .deleted }) {
            ways.append(
                "Bring an event that is gone back as \(code: "## ~~its_name~~"): its name stays reserved, and old apps' records keep their meaning. If no app with it has been released, \(code: forget) with its name behind it takes it back."
            )
        }
        if open.contains(where: { $0.kind != .deleted }) {
            ways.append("Once everyone it breaks is ready, accept with \(code: accept), or with an event's name behind it for that event alone.")
        }
        return ways
    }
}
