package import ActivityTracking

/// The events of displayed contents, for a toolkit whose views do not store them.
@MainActor
package final class ContentEvents<ID: Hashable & Sendable> {
    /// An occurrence that makes events of a content due.
    package enum Occurrence { case shown, seen }

    private struct Entry {
        var event: any LogCategory
        var name: String
        var moment: PostingMoment
    }

    private var contents: [ID: [Entry]] = [:]

    package nonisolated init() {}

    /// Replaces the events of a content.
    /// - Parameters:
    ///   - rule: The rule in the app's code; nil to use the definitions.
    ///   - outer: The enclosing rule. It provides the parameters that the definitions' triggers do not set.
    ///   - misuse: Called with the fix if two events have different rules, or if an event is added later.
    /// - Returns: The rule by which the content is seen; nil if no event is posted when the content is seen.
    package func set(
        _ events: [any LogCategory], of id: ID, rule: ImpressionRule? = nil,
        under outer: ImpressionRule = ImpressionRule(),
        misuse: (String) -> Void = { reportLostEvent($0) }
    ) -> ImpressionRule? {
        let before = contents[id]
        var entries: [Entry] = []
        var seen: (name: String, rule: ImpressionRule)?
        for event in events {
            let tracked = TrackedEvent(event)
            guard let moment = PostingMoment(ofContent: tracked, rule: rule, under: outer) else { continue }
            if case .seen(let rule) = moment {
                if let seen, seen.rule != rule {
                    misuse(
                        "`\(tracked.name)` and `\(seen.name)` have different rules but the same content: track one "
                            + "of them with a separate id"
                    )
                    continue
                }
                seen = seen ?? (tracked.name, rule)
            }
            // An event that is added later is not posted for a moment that has passed in this visit.
            if let before, !before.contains(where: { $0.name == tracked.name }) {
                misuse(
                    "`\(tracked.name)` is added to a content with other events: pass all events of a content at once"
                )
            }
            entries.append(Entry(event: event, name: tracked.name, moment: moment))
        }
        contents[id] = entries.isEmpty ? nil : entries
        return seen?.rule
    }

    package func remove(_ id: ID) { contents[id] = nil }

    /// Posts the events of a content that are due at an occurrence.
    package func post(_ id: ID, _ happening: Occurrence, to logger: ActivityLogger) {
        for entry in contents[id] ?? [] {
            switch (entry.moment, happening) {
            case (.shown, .shown), (.seen, .seen): logger.post(entry.event)
            case (.shown, .seen), (.seen, .shown): break
            }
        }
    }
}
