/// The input of outputs: the definitions, and information from outside the definition files.
package struct Model: Sendable {
    package var definitions: Definitions
    package var versions: Versions
    /// The common column that selects samples; nil if the configuration does not name one.
    package var samplingKey: String? { definitions.samplingKey }
    /// The location of the definition files on the web; nil if the configuration does not contain it.
    package var repository: Repository?
    /// The lock file, which contains the earlier versions of events, if any.
    package var lock: LockFile?

    package init(
        _ definitions: Definitions, versions: Versions = Versions(), samplingKey: String? = nil,
        repository: Repository? = nil, lock: LockFile? = nil
    ) {
        self.definitions = definitions
        self.versions = versions
        self.definitions.samplingKey = samplingKey ?? definitions.samplingKey
        self.repository = repository
        self.lock = lock
    }

    /// The versions of each event (`category.event`) in the lock file before the current one, oldest first. Events that
    /// the definitions no longer contain are included.
    ///
    /// Each call parses the lines of the lock file, so an output that does not call this method saves that time.
    /// Unreadable lines are skipped; an output that calls this method sets `readsHistory`, so that runs report them.
    package func earlierVersions() -> [String: [LockFile.LockedShape]] {
        guard let lock else { return [:] }
        let today = Set(definitions.eventNames)
        let earlier = lock.shapes { event, version in
            let parts = event.eventNameParts
            return !today.contains(event) || versions[parts.category, parts.event] != version
        }
        return Dictionary(grouping: earlier, by: \.event).mapValues { $0.sorted { $0.version < $1.version } }
    }

    /// The events (`category.event`) that only the lock file contains, sorted.
    package func removedEvents() -> [String] {
        guard let lock else { return [] }
        let today = Set(definitions.eventNames)
        return Set(lock.shapes { event, _ in !today.contains(event) }.map(\.event)).sorted()
    }
}

/// The versions of events, as the lock file contains them or would record them now.
package struct Versions: Sendable, Hashable {
    private var nonInitialVersions: [String: [String: SchemaVersion]] = [:]

    package init() {}

    /// Setting a version to `initial` has no effect, because a version is set only once.
    package subscript(category: String, event: String) -> SchemaVersion {
        get { nonInitialVersions.isEmpty ? .initial : nonInitialVersions[category]?[event] ?? .initial }
        set { if newValue != .initial { nonInitialVersions[category, default: [:]][event] = newValue } }
    }

    /// Adds the versions of other definitions.
    package mutating func merge(_ other: Versions) {
        nonInitialVersions.merge(other.nonInitialVersions) { $0.merging($1) { own, _ in own } }
    }
}
