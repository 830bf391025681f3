/// What outputs are made from: the definitions, and what a run knows about them from outside their documents.
package struct Model: Sendable {
    package var definitions: Definitions
    package var versions: Versions
    /// The common column that samples are taken by; nil if the configuration names none.
    package var samplingKey: String?
    /// The lock file, for outputs that also serve records of earlier versions; nil if there is none.
    package var lock: LockFile?

    package init(_ definitions: Definitions, versions: Versions = Versions(), samplingKey: String? = nil, lock: LockFile? = nil) {
        self.definitions = definitions
        self.versions = versions
        self.samplingKey = samplingKey
        self.lock = lock
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
