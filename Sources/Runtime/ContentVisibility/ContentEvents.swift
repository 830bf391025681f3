package import ActivityTracking

/// The events of contents that are displayed, in a toolkit whose views do not keep them.
@MainActor
package final class ContentEvents<ID: Hashable & Sendable> {
    /// What has happened to a content.
    package enum Happening { case shown, seen }

    private struct Entry {
        var event: any LogCategory
        var name: String
        var moment: PostingMoment
    }

    private var contents: [ID: [Entry]] = [:]

    package nonisolated init() {}

    /// Gives a content its events, in place of those that it had.
    /// - Parameters:
    ///   - rule: what the app's code asks for; nil for what the documents say.
    ///   - outer: has what the documents leave out.
    ///   - misuse: is called if events are lost by the way in which they are handed over, with the way out.
    /// - Returns: when the content counts as seen, if one of its events says so.
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
                        "`\(tracked.name)` and `\(seen.name)` have different rules, and one content: track one of them with an id of its own"
                    )
                    continue
                }
                seen = seen ?? (tracked.name, rule)
            }
            // What has happened in this visit does not happen again for an event that comes later.
            if let before, !before.contains(where: { $0.name == tracked.name }) {
                misuse(
                    "`\(tracked.name)` comes to a content that has other events already: hand over all events of a content at once"
                )
            }
            entries.append(Entry(event: event, name: tracked.name, moment: moment))
        }
        contents[id] = entries.isEmpty ? nil : entries
        return seen?.rule
    }

    package func remove(_ id: ID) { contents[id] = nil }

    /// Posts the events of a content that are due when this happens.
    package func post(_ id: ID, _ happening: Happening, to logger: ActivityLogger) {
        for entry in contents[id] ?? [] {
            switch (entry.moment, happening) {
            case (.shown, .shown), (.seen, .seen): logger.post(entry.event)
            case (.shown, .seen), (.seen, .shown): break
            }
        }
    }
}
