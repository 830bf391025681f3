/// What outputs are made from: the definitions, and what a run knows about them from outside their documents.
package struct Model: Sendable {
    package var definitions: Definitions
    package var versions: Versions
    /// The common column that samples are taken by; nil if the configuration names none.
    package var samplingKey: String? { definitions.samplingKey }
    /// Where the documents are on the web; nil if the configuration does not say.
    package var repository: Repository?
    /// The lock file, which has the earlier versions of events; nil if there is none.
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

    /// The versions of each event (`category.event`) that the lock file has in addition to today's, oldest first. Events
    /// that the documents no longer have are here, too.
    ///
    /// Each call reads the lock file's lines anew, so it costs nothing to outputs that do not call it. Lines that cannot
    /// be read are left out: an output that calls this sets `readsHistory`, which makes a run report them.
    package func earlierVersions() -> [String: [LockFile.LockedShape]] {
        guard let lock else { return [:] }
        let today = Set(
            definitions.categories.flatMap { category in category.events.map { "\(category.name).\($0.name)" } })
        let earlier = lock.shapes { event, version in
            guard today.contains(event), let dot = event.firstIndex(of: ".") else { return true }
            return versions[String(event[..<dot]), String(event[event.index(after: dot)...])] != version
        }
        return Dictionary(grouping: earlier, by: \.event).mapValues { $0.sorted { $0.version < $1.version } }
    }

    /// The events (`category.event`) that the lock file alone has, sorted.
    package func removedEvents() -> [String] {
        guard let lock else { return [] }
        let today = Set(
            definitions.categories.flatMap { category in category.events.map { "\(category.name).\($0.name)" } })
        return Set(lock.shapes { event, _ in !today.contains(event) }.map(\.event)).sorted()
    }
}

/// The versions of events' shapes: as the lock file has them, or as it would record them now.
package struct Versions: Sendable, Hashable {
    /// By category and event. Only versions that are not `initial` are here.
    private var changed: [String: [String: SchemaVersion]] = [:]

    package init() {}

    /// Setting it to `initial` changes nothing: an event gets its version only once.
    package subscript(category: String, event: String) -> SchemaVersion {
        get { changed.isEmpty ? .initial : changed[category]?[event] ?? .initial }
        set { if newValue != .initial { changed[category, default: [:]][event] = newValue } }
    }

    /// These versions, together with those of other definitions.
    package mutating func merge(_ other: Versions) {
        changed.merge(other.changed) { $0.merging($1) { own, _ in own } }
    }
}
