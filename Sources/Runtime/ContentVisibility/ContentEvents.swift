package import ActivityTracking

/// The events of displayed contents, for a toolkit whose views do not store them.
@MainActor
package final class ContentEvents<ID: Hashable & Sendable> {
    /// An occurrence that makes events of a content due.
    package enum Occurrence { case shown, seen, left(VisitEngagement) }

    private struct Entry {
        var event: (VisitEngagement) -> any LogCategory
        var name: String
        var moment: PostingMoment
    }

    private var contents: [ID: [Entry]] = [:]
    /// The contents without a view that will be posted as left.
    private var gone: Set<ID> = []

    package nonisolated init() {}

    /// Replaces the events of a content.
    /// - Parameters:
    ///   - left: Returns the event that is posted when the content is left.
    ///   - rule: The rule in the app's code; nil to use the definitions.
    ///   - outer: The enclosing rule. It provides the parameters that the definitions' triggers do not set.
    ///   - misuse: Called with the fix if two events have different rules, or if an event is added later.
    /// - Returns: The rule by which the content is seen and left; nil without an event that is posted then.
    package func set(
        _ events: [any LogCategory], left: ((VisitEngagement) -> any LogCategory)? = nil, of id: ID,
        rule: ImpressionRule? = nil, under outer: ImpressionRule = ImpressionRule(),
        misuse: (String) -> Void = { reportLostEvent($0) }
    ) -> ImpressionRule? {
        gone.remove(id)
        let before = contents[id]
        var entries: [Entry] = []
        var seen: (name: String, rule: ImpressionRule)?
        var result: ImpressionRule?
        let all =
            events.map { event in ({ (_: VisitEngagement) in event }, false) }
            + [left].compactMap { $0.map { ($0, true) } }
        for (event, isLeft) in all {
            let tracked = TrackedEvent(event(VisitEngagement()))
            guard
                let moment = PostingMoment(ofContent: tracked, isLeft: isLeft, rule: rule, under: outer)
            else { continue }
            if case .left(let rule) = moment {
                result = seen?.rule ?? outer
                result?.leave = rule.leave
            }
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
        return result ?? seen?.rule
    }

    /// Removes the events of a content whose view is gone, unless its event will be posted when it is left.
    package func remove(_ id: ID, isEngaged: Bool) {
        if isEngaged { gone.insert(id) } else { contents[id] = nil }
    }

    /// Posts the events of a content that are due at an occurrence.
    package func post(_ id: ID, _ happening: Occurrence, to logger: ActivityLogger) {
        let entries = contents[id] ?? []
        if case .left = happening, gone.remove(id) != nil { contents[id] = nil }
        for entry in entries {
            switch (entry.moment, happening) {
            case (.shown, .shown), (.seen, .seen): logger.post(entry.event(VisitEngagement()))
            case (.left, .left(let engagement)): logger.post(entry.event(engagement))
            case (.shown, _), (.seen, _), (.left, _): break
            }
        }
    }
}
