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
                guard let locked = earlier[name],
                    let today = try? ShapeNotation.parse(notation.shape(of: category.events[index]))
                else { continue }
                var steps: [VersionStep] = []
                var previous: EventShape?
                for (version, shape) in locked.map({ ($0.version, $0.shape) }) + [
                    (versions[category.name, category.events[index].name], today)
                ] {
                    steps.append(
                        VersionStep(
                            version: version,
                            changes: previous.map { ShapeComparison.changes(from: $0, to: shape) } ?? []))
                    previous = shape
                }
                history[name] = steps
            }
        }
        return history
    }
}
