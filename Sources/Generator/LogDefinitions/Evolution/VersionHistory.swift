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

    /// The former names of events and their columns, by current names: `old_name, until 1-2-0`, the last of the
    /// versions `earlier` that has the name. The current name of an event is `category.event`.
    package func formerNames(
        of event: Event, in category: String, _ earlier: [String: [LockFile.LockedShape]]
    ) -> [String: [String]] {
        let names = ["\(category).\(event.name)"] + event.formerNames.map(\.name)
        let versions = names.flatMap { earlier[$0] ?? [] }.sorted { $0.version < $1.version }
        var (lastOfEvents, lastOfColumns): ([String: SchemaVersion], [String: SchemaVersion]) = ([:], [:])
        for version in versions {
            lastOfEvents[version.event] = version.version
            for column in version.shape.columns + version.shape.common { lastOfColumns[column.name] = version.version }
        }
        var texts: [String: [String]] = [:]
        func add(_ former: FormerName, to name: String, _ last: [String: SchemaVersion]) {
            if let last = last[former.name] {
                texts[name, default: []].append("\(former.name), until \(last)")
            } else if lock == nil {
                texts[name, default: []].append(former.name)
            }
        }
        for former in event.formerNames { add(former, to: names[0], lastOfEvents) }
        for column in event.columns + (definitions.common?.columns ?? []) {
            for former in column.formerNames { add(former, to: column.name, lastOfColumns) }
        }
        return texts
    }
}
