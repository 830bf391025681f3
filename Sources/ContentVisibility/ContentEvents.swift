/// The events of contents that are displayed, in a toolkit whose views do not keep them.
@MainActor
package final class ContentEvents<ID: Hashable & Sendable> {
    /// What has happened to a content.
    package enum Happening { case shown, seen }

    private var contents: [ID: [(name: String, moment: PostingMoment, post: () -> Void)]] = [:]

    package nonisolated init() {}

    /// Gives a content an event. The same event replaces itself, as it may have other values now.
    /// - Parameters:
    ///   - moment: when it is posted; nil for never.
    ///   - misuse: is called if the content has another event with another rule, as there can be but one.
    package func set(
        _ event: TrackedEvent, at moment: PostingMoment?, of id: ID, misuse: (String) -> Void = { reportMistake($0) }, post: @escaping () -> Void
    ) {
        var events = contents[id] ?? []
        events.removeAll { $0.name == event.name }
        if let moment {
            if case .seen = moment, let other = events.first(where: { $0.moment != moment && $0.moment != .shown }) {
                misuse(
                    "A content has two events with two rules, `\(other.name)` and `\(event.name)`, and only the first is posted. Track the other with an id of its own."
                )
            } else {
                events.append((event.name, moment, post))
            }
        }
        contents[id] = events.isEmpty ? nil : events
    }

    /// When a content counts as seen, if one of its events says so.
    package func rule(of id: ID) -> ImpressionRule? {
        contents[id]?.lazy.compactMap { if case .seen(let rule) = $0.moment { rule } else { nil } }.first
    }

    package func remove(_ id: ID) { contents[id] = nil }

    package func post(_ id: ID, _ happening: Happening) {
        for event in contents[id] ?? [] {
            switch (event.moment, happening) {
            case (.shown, .shown), (.seen, .seen): event.post()
            case (.shown, .seen), (.seen, .shown): break
            }
        }
    }
}
