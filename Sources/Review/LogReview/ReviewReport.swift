import LogCatalogue
package import LogDefinitions
package import LogImpact
package import LogOutputs
package import LogWarehouse
import LogProject
import MarkdownSyntax

/// A review with the information that a report adds to it.
package struct ReviewReport: Sendable {
    package var review: Review
    /// The display name of the base, such as `main` or a tag.
    package var base: String
    /// Remarks about the comparison.
    package var notes: [String] = []
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
    package var sentence: String {
        let loss = "This change \(lossOfLockPredicate), and"
        let breaks = "This change of the log definitions breaks"
        let others = changeCounts.isEmpty ? "" : " Other changes: \(changeCounts)."
        switch verdict {
        case .errors:
            let subject = formerErrors == 0 ? "The log definitions have" : "This change of the log definitions brings"
            return "\(subject) \(counted(errors, "error")), so the change cannot be reviewed: "
                + "fix \(errors == 1 ? "it" : "them") first (`loggen lint`)."
        case .breaks:
            if !unaccepted.isEmpty { return "\(breaks) \(unaccepted.list), and is not accepted: \(changeCounts)." }
            if missingOwners.isEmpty, hidesOwners, !hasLostLock {
                return "\(breaks) \(review.breaks.list), and the owners of consumers that cannot be read have not "
                    + "accepted it: \(changeCounts)."
            }
            if !missingOwners.isEmpty, !hasLostLock || isAccepted {
                return "\(breaks) consumers of the data, and \(counted(missingOwners.count, "owner")) of them "
                    + "\(missingOwners.count == 1 ? "has" : "have") not accepted it: \(changeCounts)."
            }
            return "\(loss) is not accepted.\(others)"
        case .accepted:
            if review.breaks.isEmpty { return "\(loss) it is accepted.\(others)" }
            let isRecorded = review.events.allSatisfy { $0.breaks.isEmpty || $0.consent == .given }
            let how = isRecorded ? "loggen.lock accepts it" : "it is accepted"
            return "\(breaks) \(review.breaks.list), and \(how): \(changeCounts)."
        case .safe: return "\(breaks) nothing: \(changeCounts)."
        case .nothing: return "The log definitions are the same as in \(base.asCode)."
        }
    }

    private var lossOfLockPredicate: String {
        review.isLockGone
            ? "removes \(lockPath.asCode), which keeps the names and types of released records"
            : "removes entries of \(counted(review.lost.count, "event")) from \(lockPath.asCode)"
    }

    var remarks: [String] {
        guard verdict != .errors else { return notes }
        var remarks = notes + (consumers?.remarks ?? [])
        // If no reader is broken, the first sentence reports this.
        if review.isLockGone, !review.breaks.isEmpty { remarks.append("the change \(lossOfLockPredicate)") }
        if !review.lost.isEmpty {
            let names = review.lost.lazy.map(\.asCode).listed(20)
            remarks.append("\(lockPath.asCode) lacks versions or reserved names of \(base.asCode): \(names)")
        }
        return remarks
    }

    private var changeCounts: String {
        let kinds: [Review.Kind] = [.added, .changed, .deprecated, .retired, .deleted, .reworded]
        var parts: [String] = kinds.compactMap { kind in
            let count = review.events.count { $0.kind == kind }
            return count == 0 ? nil : "\(counted(count, "event")) \(kind.rawValue)"
        }
        let shared = review.shared.count(where: \.events.isEmpty)
        if shared > 0 { parts.append("\(counted(shared, "shared description")) changed") }
        return parts.joined(separator: ", ")
    }

    // MARK: Items

    /// The items to show. An event that only shared definitions change is listed with these.
    var items: [Review.Item] { review.shared + review.events.filter(\.isOwn) }

    /// The item with its kind of change and its versions, as `1-0-0 → 1-1-0`. Without versions in the lock file, the
    /// part of the version that is incremented.
    func title(_ item: Review.Item) -> String {
        guard !item.isShared else { return item.name }
        let versions = Self.versions(item)
        return "`\(item.name)` \(item.kind.rawValue)" + (versions.isEmpty ? "" : " (\(versions))")
    }

    static func versions(_ item: Review.Item) -> String {
        let versions = [item.before, item.after].compactMap { $0?.description }
        if versions.isEmpty { return item.bump == .none ? "" : item.bump.rawValue }
        return versions[0] == versions.last ? versions[0] : versions.joined(separator: " → ")
    }

    /// The lines below an item's title.
    /// - Parameter most: the number of consumers and call sites to show; six times as many names of events are shown.
    func lines(_ item: Review.Item, most: Int = .max) -> [String] {
        var lines: [String] = []
        for finding in item.findings {
            lines.append(finding.diagnostic.message)
            for note in finding.diagnostic.notes where note.kind == .help {
                lines.append("help: \(note.message.replacingOccurrences("`loggen lock --accept`", accept.asCode))")
            }
        }
        lines += item.texts.map { [$0] } ?? []
        if !item.breaks.isEmpty, isAccepted(item.consent) { lines.append("accepted") }
        if !item.events.isEmpty { lines += eventLines(Set(item.events), most == .max ? most : most * 6) }
        if let owner = item.owner { lines.append("owner: \(owner.asCode)") }
        if let usages, !item.isShared {
            let places = (usages[item.name] ?? []).map {
                "\($0.file):\($0.line)".asCode + ($0.tap.map { " (tap on \($0.asCode))" } ?? "")
                    + ($0.isCertain ? "" : " (perhaps)")
            }
            lines.append("the app posts it " + (places.isEmpty ? "nowhere" : "in \(places.listed(most))"))
        }
        let readers = consumers?.lines(changesOf: item.name) ?? []
        lines += readers.prefix(most)
        if readers.count > most {
            lines.append("…and \(readers.count - most) more: `loggen review … --format text` shows all")
        }
        return lines
    }

    /// Returns a line for the events of each owner with the same versions.
    private func eventLines(_ names: Set<String>, _ most: Int) -> [String] {
        let events = review.events.filter { names.contains($0.name) }
        let groups = Dictionary(grouping: events) { event in
            let facts = [Self.versions(event), event.owner.map { "owner: \($0.asCode)" } ?? ""]
            return facts.filter { !$0.isEmpty }.joined(separator: ", ")
        }
        return groups.sorted { ($0.value[0].name, $0.key) < ($1.value[0].name, $1.key) }.map { facts, events in
            "in " + events.lazy.map(\.name.asCode).listed(most) + (facts.isEmpty ? "" : " (\(facts))")
        }
    }

    /// The file and line of a place, such as `Definitions/recipe_search.md:12`.
    func place(_ place: Place?) -> (file: SourceFile, line: Int)? {
        place.map { place in
            let file = review.files[place.file]
            return (file, file.source.position(at: place.range.lowerBound).line)
        }
    }

    /// The author's options.
    var ways: [String] {
        guard verdict == .breaks else { return [] }
        var ways: [String] = []
        let open = review.events.filter { !isAccepted($0.consent) && !$0.breaks.isEmpty }
        let consents = Set(open.filter { $0.kind != .deleted }.map(\.consent))
        let accept =
            "nce everyone affected is ready, accept with \(accept.asCode); append an event's name to accept only that "
            + "event."
        if open.contains(where: { $0.kind == .deleted && $0.isForgettable }) {
            ways.append(
                "If no released app contains a deleted event, also remove it from the lock file: \(forget.asCode), then "
                    + "its name.")
        }
        if consents.contains(.never) {
            ways.append("A retired or former name stays reserved: its new use cannot be accepted.")
        }
        if hasLostLock || consents.contains(.reset) {
            let next = consents.contains(.reset) ? " O\(accept)" : ""
            ways.append("Restore \(lockPath.asCode) as it is in \(base.asCode).\(next)")
        }
        if consents.contains(.unrecorded) {
            ways.append(
                "\(base.asCode) has no recorded version of the changed events: record them there first, with "
                    + "\(record.asCode). Here, o\(accept)")
        }
        if consents.contains(.open) { ways.append("O\(accept)") }
        if consents.contains(.unrecordable) {
            ways.append(
                "The lock file does not contain `platforms`: once the apps do not need the code, a reviewer accepts its "
                    + "removal with `--accepted`.")
        }
        if hidesOwners {
            ways.append(
                "The notes name consumers that cannot be read, so their owners are unknown. Make them readable.")
        }
        if !missingOwners.isEmpty {
            let names = missingOwners.lazy.map(\.description.asCode).listed(20)
            ways.append(
                "Ask the owners of the consumers that break: \(names). Record the consent of each with "
                    + "`--accepted-by OWNER`.")
        }
        return ways
    }
}
