package import ActivityTracking

/// The events of the definitions, and how often each was posted.
package struct EventChecklist: Sendable {
    package enum Grouping: String, Sendable, CaseIterable {
        case owner, category

        package var title: String { "By \(rawValue)" }
    }

    package struct Item: Sendable {
        package var name: String
        package var count: InspectorState.EventCount
        /// The properties of the definition.
        package var owner: String?
        package var document: String
        package var trigger: LogTrigger?

        package var isSeen: Bool { count.records > 0 }

        /// The definition in words, such as `home.md, @home-team, show`.
        package var definition: String {
            [document, owner, trigger?.description].compactMap { $0 }.joined(separator: ", ")
        }

        /// A summary such as `3 records, 1 rejected; the last was rejected: position: -1 is below 0`.
        package var summary: String {
            guard isSeen else { return "not seen" }
            var text = count.records == 1 ? "1 record" : "\(count.records) records"
            if count.rejected > 0 { text += ", \(count.rejected) rejected" }
            if count.unchecked > 0 { text += ", \(count.unchecked) not validated" }
            switch count.last {
            case nil: break
            case .accepted?: text += "; the last was accepted"
            case .rejected(let violations)?:
                text += "; the last was rejected" + (violations.first.map { ": \($0)" } ?? "")
            }
            return text
        }
    }

    package struct Section: Sendable {
        package var title: String
        package var items: [Item]
    }

    package var sections: [Section]

    /// A summary such as `12 of 40 events were seen`.
    package var summary: String {
        let items = sections.flatMap(\.items)
        return "\(items.count { $0.isSeen }) of \(items.count) events were seen"
    }

    package init(_ state: InspectorState, by grouping: Grouping) {
        var items: [(section: String, item: Item)] = []
        var names: Set<String> = []
        for definition in state.definitions {
            for event in definition.events {
                let count = state.counts[.init(category: definition.name, event: event.name)]
                // Apps cannot post retired events.
                guard event.status != .retired || count != nil,
                    names.insert("\(definition.name).\(event.name)").inserted
                else { continue }
                let owner = event.owner ?? definition.owner
                let item = Item(
                    name: "\(definition.name).\(event.name)", count: count ?? .init(), owner: owner,
                    document: definition.document, trigger: event.trigger)
                items.append((grouping == .category ? definition.name : owner ?? "no owner", item))
            }
        }
        let groups = Dictionary(grouping: items, by: \.section)
        var titles: [String] = items.map(\.section)
        if grouping == .owner { titles.sort() }
        var known: Set<String> = []
        sections = titles.filter { known.insert($0).inserted }
            .map { Section(title: $0, items: groups[$0]?.map(\.item) ?? []) }
    }
}
