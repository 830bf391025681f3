package import LogDefinitions
import MarkdownSyntax

/// The findings of a drift since a base, by event.
///
/// Breaks that existed in the base are not attributed to the change, because its author did not cause them.
package struct Review: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Removed without having been retired.
        case deleted
        case retired, changed, deprecated, added
        /// Neither code nor data is affected.
        case reworded
    }

    /// An event, or a definition that several events share, with the findings on it.
    package struct Item: Sendable {
        /// The event as `category.event`; otherwise, the shared definition in words.
        package var name: String
        package var kind: Kind
        package var isShared = false
        package var findings: [DriftFinding] = []
        /// A line with the titles, descriptions and other strings that differ; nil for none.
        package var texts: String?
        package var effects: [Change.Effect] = []
        package var breaks: Readers = []
        package var consent = Consent.given
        package var place: Place?

        // MARK: Of an event

        /// The former name (`category.event`) of a renamed event; nil for another change.
        package var formerName: String?
        package var bump = Bump.none
        /// The shared definitions that change the event.
        package var causes: [String] = []
        /// Indicates whether a deleted event can be forgotten: only the lock file contains it.
        package var isForgettable = false
        /// The version before the change; nil for a new or deleted event, or without a lock file.
        package var before: SchemaVersion?
        package var after: SchemaVersion?
        package var owner: String?
        /// The owner before the change; nil for a new event, or if only the lock file describes the state before.
        package var formerOwner: String?

        // MARK: Of a shared definition

        /// The changed events (`category.event`), in order of name.
        package var events: [String] = []

        /// Indicates whether the item has more to report than the shared definitions that change it.
        var isOwn: Bool { kind != .changed || !findings.isEmpty || texts != nil }
    }

    /// The files of places.
    package let files: [SourceFile]
    /// The number of files after the change; the base's files follow.
    let definitionFiles: Int
    /// The changed events, the worst first.
    package private(set) var events: [Item] = []
    /// The changed types, common columns and categories, the worst first.
    package private(set) var shared: [Item] = []
    /// Indicates whether the base has a lock file and the current state has none.
    package private(set) var isLockGone = false
    /// Unchanged events (`category.event`) whose later versions or reserved names the lock file has lost, by name.
    package private(set) var lost: [String] = []

    /// Creates a review without changes.
    package init() { (files, definitionFiles) = ([], 0) }

    /// The readers that the change breaks.
    package var breaks: Readers { events.reduce(into: []) { $0.formUnion($1.breaks) } }

    /// The state before the change.
    package struct Before {
        /// The definitions; nil if the documents had errors. Then only the lock file describes the state.
        package var definitions: Definitions?
        package var baseline: Baseline
        /// The versions according to the lock file of that state, if any.
        package var versions: Versions?

        package init(definitions: Definitions, lock: LockFile?) async {
            self.definitions = definitions
            baseline = Baseline(definitions)
            if let lock { versions = await Drift.between(lock.latest, and: definitions, scope: .everything).versions }
        }

        package init(lock: LockFile) {
            baseline = lock.latest
            var versions = Versions()
            for (name, entry) in baseline.entries {
                let (category, event) = name.eventNameParts
                versions[category, event] = entry.version
            }
            self.versions = versions
        }
    }

    /// - Parameters:
    ///   - drift: the events in the run's scope that differ from `before`.
    ///   - isWhole: whether the run covers all of `definitions`.
    ///   - isConcerned: whether the run covers a file of `definitions`.
    package init(
        _ drift: Drift, since before: Before, to definitions: Definitions, locks: Locks, isWhole: Bool,
        isConcerned: (Int) -> Bool
    ) {
        var drift = drift
        for index in drift.events.indices { drift.events[index].changes += locks.refused(in: drift.events[index]) }
        let report = DriftReport(definitions: definitions, baseline: before.baseline, hasVersions: false)
        (files, definitionFiles) = (report.files, definitions.files.count)
        var findings: [String: [DriftFinding]] = [:]
        for finding in report.findings(of: drift) {
            findings[finding.change.flatMap(\.sharedName) ?? finding.events[0], default: []].append(finding)
        }
        let formerNames = drift.events.compactMap { event in event.formerName.map { (event.name, $0) } }
        let texts =
            before.definitions.map { former in
                DefinitionTexts(definitions, where: isConcerned).changes(
                    since: DefinitionTexts(former),
                    formerNames: Dictionary(formerNames, uniquingKeysWith: { first, _ in first }))
            } ?? []
        addEvents(drift, findings, texts, since: before, to: definitions, locks)
        addShared(drift, findings, to: definitions)
        addTexts(texts)
        isLockGone = locks.now == nil && locks.before != nil
        if isWhole {
            lost = locks.lost(
                definitions, except: Set(events.lazy.filter { !$0.breaks.isEmpty && $0.consent != .given }.map(\.name)))
        }
        events.sort(by: Self.precedes)
        shared.sort(by: Self.precedes)
    }

    private mutating func addEvents(
        _ drift: Drift, _ findings: [String: [DriftFinding]], _ texts: [(entry: DefinitionTexts.Entry, line: String)],
        since before: Before, to definitions: Definitions, _ locks: Locks
    ) {
        let texts = Dictionary(texts.map { ($0.entry.name, $0.line) }, uniquingKeysWith: { first, _ in first })
        let drifted = Dictionary(drift.events.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let former = before.definitions?.eventsByName ?? [:]
        func version(_ name: String, _ versions: Versions?) -> SchemaVersion? {
            versions?[name.eventNameParts.category, name.eventNameParts.event]
        }
        for category in definitions.categories {
            for event in category.events {
                let name = "\(category.name).\(event.name)"
                let change = drifted[name]
                let formerName = change?.formerName ?? name
                let old = former[formerName]
                if change == nil, texts[name] == nil { continue }
                var item = Item(name: name, kind: .reworded, texts: texts[name], place: event.place)
                (item.owner, item.formerOwner) = (event.details.owner?.value, old?.details.owner?.value)
                (item.before, item.after) = (version(formerName, before.versions), version(name, locks.now?.versions))
                if let change {
                    item.findings = findings[name] ?? []
                    item.kind = event.status == .retired ? .retired : change.oldVersion == nil ? .added : .changed
                    item.formerName = change.formerName
                    (item.breaks, item.bump) = (change.changes.breaks, change.changes.bump)
                    for cause in change.changes.compactMap(\.sharedName) where !item.causes.contains(cause) {
                        item.causes.append(cause)
                    }
                    if !item.breaks.isEmpty { item.consent = locks.consent(to: change) }
                    item.effects = change.changes.filter { !$0.isShared }.flatMap { change.effects(of: $0, in: []) }
                    // A table may contain several events. With the records of a new event, its queries give other
                    // results.
                    if item.kind == .added { item.effects = [Change.Effect(kind: .shifts, events: [name])] }
                    if change.oldVersion == nil { item.before = nil }
                    // A new event with the status retired only reserves its name.
                    if change.oldVersion == nil, item.kind == .retired { item.after = nil }
                }
                let isNewlyDeprecated =
                    event.details.deprecated != nil && old.map { $0.details.deprecated == nil } ?? false
                if isNewlyDeprecated, item.kind == .reworded || item.kind == .changed && item.breaks.isEmpty {
                    item.kind = .deprecated
                }
                events.append(item)
            }
        }
        // Without definitions of the base, nothing indicates whether the change deletes them.
        for name in drift.deletedRetired where before.definitions != nil {
            var item = Item(name: name, kind: .deleted, breaks: .oldApps)
            (item.consent, item.before) = (.given, version(name, before.versions))
            item.owner = former[name]?.details.owner?.value
            item.texts = "was retired; its records are no longer valid"
            item.effects = [Change.Effect(kind: .breaks, events: [name])]
            events.append(item)
        }
        for name in drift.deleted {
            var item = Item(name: name, kind: .deleted, findings: findings[name] ?? [], breaks: .all)
            item.consent = locks.consent(toLosing: name)
            item.isForgettable = locks.now?.baseline.entries[name] != nil && !locks.isReleased(name)
            item.before = version(name, before.versions)
            item.owner = former[name]?.details.owner?.value
            item.formerOwner = item.owner
            item.place = item.findings.first?.diagnostic.place
            item.effects = [Change.Effect(kind: .breaks, events: [name], breaksCode: true)]
            events.append(item)
        }
    }

    private mutating func addShared(
        _ drift: Drift, _ findings: [String: [DriftFinding]], to definitions: Definitions
    ) {
        let consents = Dictionary(events.map { ($0.name, $0.consent) }, uniquingKeysWith: { first, _ in first })
        let drifted = Dictionary(drift.events.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let common = definitions.common?.columns ?? []
        for (name, findings) in findings where findings[0].change?.isShared ?? false {
            var item = Item(
                name: name, kind: .changed, isShared: true, findings: findings,
                place: findings[0].diagnostic.place)
            item.breaks = findings.reduce(into: []) { $0.formUnion($1.breaks) }
            item.events = Set(findings.flatMap(\.events)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            item.consent = item.events.compactMap { consents[$0] }.max() ?? .given
            for finding in findings {
                for event in finding.events.compactMap({ drifted[$0] }) {
                    let columns = definitions.categories[event.category].events[event.event].columns + common
                    item.effects += finding.change.map { event.effects(of: $0, in: columns) } ?? []
                }
            }
            shared.append(item)
        }
    }

    /// Adds items of shared definitions whose descriptions or other strings differ.
    private mutating func addTexts(_ changes: [(entry: DefinitionTexts.Entry, line: String)]) {
        let indices = Dictionary(shared.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        for (entry, line) in changes where !entry.isEvent {
            if let index = indices[entry.name] {
                shared[index].texts = line
            } else {
                shared.append(
                    Item(name: entry.name, kind: .reworded, isShared: true, texts: line, place: entry.place))
            }
        }
    }

    /// Returns whether an item precedes: breaks, unaccepted ones first, then those with the most readers.
    private static func precedes(_ left: Item, _ right: Item) -> Bool {
        func rank(_ item: Item) -> (Int, Int, Int) {
            let breaks = item.breaks.rawValue.nonzeroBitCount
            let kind = Kind.allCases.firstIndex(of: item.kind) ?? 0
            return (breaks == 0 ? 0 : breaks + (item.consent == .given ? 0 : 10), -kind, item.events.count)
        }
        if rank(left) != rank(right) { return rank(left) > rank(right) }
        return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}
