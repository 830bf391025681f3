import LogCatalogue
package import LogDefinitions
package import LogImpact
package import LogOutputs
package import LogWarehouse
import MarkdownSyntax

/// A review with the information that a report adds to it.
package struct ReviewReport: Sendable {
    package var review: Review
    /// The display name of the base, such as `main` or a tag.
    package var base: String
    /// Remarks about the comparison.
    package var notes: [Sentence] = []
    /// The number of errors that the change introduces. A change with errors cannot be reviewed.
    package var errors = 0
    /// The number of errors in the base.
    package var formerErrors = 0
    /// Indicates whether the reviewers accept breaking changes that the lock file does not record as accepted.
    package var isAccepted = false
    /// The statements for each configured warehouse.
    package var statements: [Statements] = []
    /// The commands that accept changes, remove events, and record the current state.
    package var accept = ""
    package var forget = ""
    package var record = ""
    package var lockPath = ""
    package var repository: Repository?
    /// The call sites of events in the app.
    package var usages: EventUsages?
    /// The consumers of changed events; nil if none are configured.
    package var consumers: ConsumerEffects?
    /// The names and addresses of owners who accept that the change breaks their consumers.
    package var acceptedBy: Set<String> = []
    /// Indicates whether each owner of a consumer that the change breaks has to accept the change.
    package var needsOwners = false
    /// Indicates whether the Markdown report mentions owners.
    package var mentionsOwners = false
    /// The name of the definitions, by which the comment on a pull request is found again.
    package var name = ""

    package struct Statements: Sendable {
        package var dialect: SQLDialect
        package var statements: [String]
        package var refusals: [String]
    }

    package init(_ review: Review, base: String) {
        self.review = review
        self.base = base
    }

    package enum Verdict: String, Sendable {
        case errors
        /// The change breaks readers and is not accepted.
        case breaks
        /// The change breaks readers and is accepted.
        case accepted
        case safe
        case nothing
    }

    package var verdict: Verdict {
        if errors > 0 { return .errors }
        if !unaccepted.isEmpty || !missingOwners.isEmpty || hidesOwners { return .breaks }
        if hasLostLock { return isAccepted ? .accepted : .breaks }
        if !review.breaks.isEmpty { return .accepted }
        return review.events.isEmpty && review.shared.isEmpty ? .nothing : .safe
    }

    /// Returns whether a change with this consent is accepted, by the lock file or by the reviewers.
    func isAccepted(_ consent: Review.Consent) -> Bool { consent == .given || isAccepted && consent != .never }

    /// The readers that unaccepted changes break.
    var unaccepted: Readers {
        review.events.filter { !isAccepted($0.consent) }.reduce(into: []) { $0.formUnion($1.breaks) }
    }

    /// The owners who have to accept the change and have not done so.
    package var missingOwners: [Consumer.Owner] { needsOwners ? ownersToAsk : [] }

    /// The other owners of broken consumers who have not accepted the change.
    var ownersToAsk: [Consumer.Owner] {
        let accepted = Set(acceptedBy.map { $0.lowercased() })
        return (consumers?.otherOwners ?? []).filter { $0.names.isDisjoint(with: accepted) }
    }

    /// Indicates whether owners have to accept a breaking change and some of them are unknown.
    private var hidesOwners: Bool {
        needsOwners && !isAccepted && !review.breaks.isEmpty
            && consumers?.unreadable.contains { $0.hidesOwners } ?? false
    }

    private var hasLostLock: Bool { review.isLockGone || !review.lost.isEmpty }

    // MARK: Words

    /// The effect of the change, in one sentence.
    package var sentence: Sentence {
        switch verdict {
        case .errors:
            let subject = formerErrors == 0 ? "The log definitions have" : "This change of the log definitions brings"
            return
                """
                \(words: subject) \(words: errors == 1 ? "1 error" : "\(errors) errors"), so the change cannot be \
                reviewed: fix \(words: errors == 1 ? "it" : "them") first (\(code: "loggen lint")).
                """
        case .breaks:
            if unaccepted.isEmpty, missingOwners.isEmpty, hidesOwners, !hasLostLock {
                return """
                    This change of the log definitions breaks \(words: review.breaks.list), and the owners of consumers \
                    that cannot be read have not accepted it: \(words: changeCounts).
                    """
            }
            if unaccepted.isEmpty, !missingOwners.isEmpty, !hasLostLock || isAccepted {
                let owners = missingOwners.count == 1 ? "1 owner" : "\(missingOwners.count) owners"
                return """
                    This change of the log definitions breaks consumers of the data, and \(words: owners) of them \
                    \(words: missingOwners.count == 1 ? "has" : "have") not accepted it: \(words: changeCounts).
                    """
            }
            if unaccepted.isEmpty {
                return "This change \(lossOfLockPredicate), and is not accepted.\(words: sentenceOfOtherChanges)"
            }
            return
                """
                This change of the log definitions breaks \(words: unaccepted.list), and is not accepted: \
                \(words: changeCounts).
                """
        case .accepted:
            if review.breaks.isEmpty {
                return "This change \(lossOfLockPredicate), and it is accepted.\(words: sentenceOfOtherChanges)"
            }
            let how =
                review.events.allSatisfy { $0.breaks.isEmpty || $0.isAccepted }
                ? "loggen.lock accepts it" : "it is accepted"
            return
                """
                This change of the log definitions breaks \(words: review.breaks.list), and \(words: how): \
                \(words: changeCounts).
                """
        case .safe: return "This change of the log definitions breaks nothing: \(words: changeCounts)."
        case .nothing: return "The log definitions are the same as in \(code: base)."
        }
    }

    private var sentenceOfOtherChanges: String { changeCounts.isEmpty ? "" : " Other changes: \(changeCounts)." }

    private var lossOfLockPredicate: Sentence {
        let count = review.lost.count
        return review.isLockGone
            ? "removes \(code: lockPath), which keeps the names and types of released records"
            : "removes entries of \(words: count == 1 ? "1 event" : "\(count) events") from \(code: lockPath)"
    }

    var remarks: [Sentence] {
        guard verdict != .errors else { return notes }
        var remarks = notes + (consumers?.remarks ?? [])
        // If no reader is broken, the first sentence reports this.
        if review.isLockGone, !review.breaks.isEmpty {
            remarks.append(
                "the change removes \(code: lockPath), which keeps the names and types of released records")
        }
        if !review.lost.isEmpty {
            let names = Sentence.list(review.lost.prefix(20).map { "\(code: $0)" })
            let rest = review.lost.count > 20 ? " and \(review.lost.count - 20) more" : ""
            remarks.append(
                "\(code: lockPath) lacks versions or reserved names of \(code: base): \(names)\(words: rest)")
        }
        return remarks
    }

    private var changeCounts: String {
        var parts: [String] = []
        for kind in [Review.Kind.added, .changed, .deprecated, .retired, .deleted, .reworded] {
            let count = review.events.count { $0.kind == kind }
            if count > 0 { parts.append("\(count == 1 ? "1 event" : "\(count) events") \(Self.word(kind))") }
        }
        let shared = review.shared.filter(\.events.isEmpty).count
        if shared > 0 {
            parts.append("\(shared == 1 ? "1 shared description" : "\(shared) shared descriptions") changed")
        }
        return parts.joined(separator: ", ")
    }

    static func word(_ kind: Review.Kind) -> String {
        switch kind {
        case .added: "added"
        case .changed: "changed"
        case .deprecated: "deprecated"
        case .retired: "retired"
        case .deleted: "deleted"
        case .reworded: "reworded"
        }
    }

    /// Returns the effect of a line, as the end of its sentence.
    static func effect(_ line: Review.Line) -> String {
        let version = line.bump == .none ? "" : "; a new \(line.bump.rawValue)"
        if line.breaks.isEmpty { return line.bump == .none ? "" : "; breaks nothing\(version)" }
        return "; breaks \(line.breaks.list)\(version)"
    }

    /// Returns the versions, as `1-0-0 → 1-1-0`. Without versions in the lock file, returns the part that is
    /// incremented.
    static func versions(_ event: Review.EventChange) -> String {
        switch (event.before, event.after) {
        case (let before?, let after?): before == after ? "\(after)" : "\(before) → \(after)"
        case (nil, let after?): "\(after)"
        case (let before?, nil): "\(before)"
        case (nil, nil): event.bump == .none ? "" : event.bump.rawValue
        }
    }

    /// Returns the file and line of a place, such as `Definitions/recipe_search.md:12`.
    func place(_ place: Place?) -> (file: SourceFile, line: Int)? {
        place.map { place in
            let file = review.files[place.file]
            return (file, file.source.position(at: place.range.lowerBound).line)
        }
    }

    /// Returns the call sites of an event, or nil if they are unknown.
    func postings(_ event: String) -> [String]? {
        usages.map {
            ($0[event] ?? []).map {
                "\($0.file):\($0.line)" + ($0.tap.map { " (tap on \($0))" } ?? "") + ($0.isCertain ? "" : " (perhaps)")
            }
        }
    }

    /// The author's options.
    var ways: [Sentence] {
        guard verdict == .breaks else { return [] }
        var ways: [Sentence] = []
        let open = review.events.filter { !isAccepted($0.consent) && !$0.breaks.isEmpty }
        let gone = open.filter { $0.kind == .deleted }
        let consents = Set(open.filter { $0.kind != .deleted }.map(\.consent))
        let accept: Sentence =
            """
            nce everyone affected is ready, accept with \(code: accept); append an event's name to accept only that \
            event.
            """
        if !gone.isEmpty {
            let forget: Sentence =
                gone.contains(where: \.isForgettable)
                ? " If no released app contains it, also remove it from the lock file: \(code: forget), then its name."
                : ""
            ways.append(
                """
                Restore a deleted event as \(code: "## ~~its_name~~"): its name stays reserved, and old apps' records \
                keep their meaning.\(forget)
                """
            )
        }
        if consents.contains(.never) {
            ways.append(
                "A retired name stays reserved: choose another name for the new definition. It cannot be accepted."
            )
        }
        if hasLostLock || consents.contains(.reset) {
            let next: Sentence = consents.contains(.reset) ? " O\(accept)" : ""
            ways.append("Restore \(code: lockPath) as it is in \(code: base).\(next)")
        }
        if consents.contains(.unrecorded) {
            ways.append(
                """
                \(code: base) has no recorded version of the changed events: record them there first, with \
                \(code: record). Here, o\(accept)
                """
            )
        }
        if consents.contains(.open) { ways.append("O\(accept)") }
        if consents.contains(.unrecordable) {
            ways.append(
                """
                The lock file does not contain \(code: "platforms"): once the apps do not need the code, a reviewer \
                accepts its removal with \(code: "--accepted").
                """)
        }
        if hidesOwners {
            ways.append(
                "The notes name consumers that cannot be read, so their owners are unknown. Make them readable.")
        }
        if !missingOwners.isEmpty {
            let names = Sentence.list(missingOwners.prefix(20).map { "\(code: $0.description)" })
            ways.append(
                """
                Ask the owners of the consumers that break: \(names). Record the consent of each with \
                \(code: "--accepted-by OWNER").
                """
            )
        }
        return ways
    }
}
