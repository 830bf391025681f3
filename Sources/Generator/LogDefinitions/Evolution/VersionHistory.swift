/// A version of an event and its changes.
package struct VersionStep: Sendable {
    package var version: SchemaVersion
    /// The differences from the previous version. Empty for the first version.
    package var changes: [Change]
}

extension Model {
    /// The versions of each event (`category.event`) with more than one version, oldest first, including the current
    /// one.
    ///
    /// Each call parses the lock file's lines, as `earlierVersions()` does.
    package func history() -> [String: [VersionStep]] {
        let earlier = earlierVersions()
        guard !earlier.isEmpty else { return [:] }
        let notation = ShapeNotation(definitions)
        var history: [String: [VersionStep]] = [:]
        for category in definitions.categories {
            for index in category.events.indices {
                let name = "\(category.name).\(category.events[index].name)"
                let names = [name] + category.events[index].formerNames.map(\.name)
                let locked = names.flatMap { earlier[$0] ?? [] }.sorted { $0.version < $1.version }
                guard !locked.isEmpty, let today = try? ShapeNotation.parse(notation.shape(of: category.events[index]))
                else { continue }
                var steps: [VersionStep] = []
                let current = LockFile.LockedShape(
                    event: name, version: versions[category.name, category.events[index].name], shape: today)
                var previous: LockFile.LockedShape?
                for locked in locked + [current] {
                    let changes = previous.map { previous in
                        ShapeComparison.changes(
                            from: previous.shape, to: locked.shape,
                            renamedFrom: previous.event == locked.event ? nil : previous.event)
                    }
                    steps.append(VersionStep(version: locked.version, changes: changes ?? []))
                    previous = locked
                }
                history[name] = steps
            }
        }
        return history
    }

    /// The former names of an event and of its columns, with the last versions that have them, in the lock file's
    /// versions `earlier`. The names are written as `old_name, until 1-2-0`, by the current names. The event's current
    /// name is `category.event`.
    package func formerNames(
        of event: Event, in category: String, _ earlier: [String: [LockFile.LockedShape]]
    ) -> [String: [String]] {
        let names = ["\(category).\(event.name)"] + event.formerNames.map(\.name)
        let versions = names.flatMap { earlier[$0] ?? [] }.sorted { $0.version < $1.version }
        func text(_ former: FormerName, _ isThere: (LockFile.LockedShape) -> Bool) -> String? {
            if let last = versions.last(where: isThere) { return "\(former.name), until \(last.version)" }
            return lock == nil ? former.name : nil
        }
        var texts: [String: [String]] = [:]
        for former in event.formerNames {
            texts[names[0], default: []] += text(former) { $0.event == former.name }.map { [$0] } ?? []
        }
        for column in event.columns + (definitions.common?.columns ?? []) {
            for former in column.formerNames {
                texts[column.name, default: []] +=
                    text(former) { ($0.shape.columns + $0.shape.common).contains { $0.name == former.name } }.map {
                        [$0]
                    }
                    ?? []
            }
        }
        return texts
    }
}
