import MarkdownSyntax

/// What a change of definitions means to whom, in the words of the documents.
///
/// It compares definitions with earlier ones. What was broken before is not blamed on the change: whoever made it can
/// do nothing about that.
package struct Review: Sendable {
    /// One sentence about a change, and its effect.
    package struct Line: Sendable, Hashable {
        package var sentence: Sentence
        package var breaks: Readers = []
        package var bump = Bump.none
    }

    /// What happened to an event.
    package enum Kind: String, Sendable, CaseIterable {
        /// Gone without having been retired.
        case deleted
        case retired, changed, deprecated, added
        /// Nobody's code or data notices.
        case reworded
    }

    /// Whether those whom a change breaks have agreed, as the lock files say.
    package enum Consent: Sendable, Comparable {
        /// The lock file has recorded the change, under a version that follows from the one before.
        case given
        /// `loggen lock --accept` would record it.
        case open
        /// The lock file of before knows the event, and that of now has begun anew.
        case reset
        /// The lock file of before does not know the event, so that no version can follow.
        case unrecorded
        /// Nothing accepts it: a name that is retired is defined anew, or an event is gone without having been retired.
        case never
    }

    /// An event, and what happened to it alone.
    package struct EventChange: Sendable {
        /// `category.event`.
        package var name: String
        package var kind: Kind
        package var lines: [Line] = []
        /// The shared things that it changes with.
        package var causes: [Sentence] = []
        /// The effect of all changes, those of shared things included.
        package var breaks: Readers = []
        package var bump = Bump.none
        package var consent = Consent.given
        /// Whether an event that is gone can be taken back: only the lock file knows it.
        package var isForgettable = false
        /// Nil for an event that is new or gone, or if no lock file says.
        package var before: SchemaVersion?
        package var after: SchemaVersion?
        package var owner: String?
        /// In the review's `files`.
        package var place: Place?

        package var isAccepted: Bool { consent == .given }
    }

    /// A change of `common.md` or `types.md`: one change, however many events it touches.
    package struct SharedChange: Sendable {
        package var subject: Sentence
        package var lines: [Line]
        package var breaks: Readers
        /// The worst of its events.
        package var consent = Consent.given
        /// `category.event` of the events whose records change, in order of name.
        package var events: [String]
        /// In the review's `files`.
        package var place: Place?

        package var isAccepted: Bool { consent == .given }
    }

    /// The definitions' files.
    package let files: [SourceFile]
    /// The worst first.
    package private(set) var events: [EventChange] = []
    /// The worst first.
    package private(set) var shared: [SharedChange] = []

    /// Whether there was a lock file, and is none any more.
    package private(set) var isLockGone = false
    /// Events (`category.event`) that have not changed, and whose later versions or reserved names the lock file has lost. In order of name.
    package private(set) var lost: [String] = []

    /// A review in which nothing has changed.
    package init(files: [SourceFile]) { self.files = files }

    /// Whom the change breaks.
    package var breaks: Readers { events.reduce(into: []) { $0.formUnion($1.breaks) } }

    /// How definitions were before the change.
    package struct Before {
        /// Nil if the documents had errors: then the lock file alone says what there was.
        package var definitions: Definitions?
        package var baseline: Baseline
        /// The versions that the lock file of then gave; nil if there was none.
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

    /// What a lock file says of the definitions as they are now.
    package struct Lock: Sendable {
        fileprivate let file: LockFile
        fileprivate var baseline: Baseline { file.latest }
        package let versions: Versions
        /// Events that break somebody as they are, because it has not recorded them so.
        fileprivate let breaking: [String: EventDrift]

        package init(_ lock: LockFile, _ definitions: Definitions, scope: Drift.Scope) async {
            file = lock
            let (drift, versions) = await Drift.between(lock.latest, and: definitions, scope: scope)
            self.versions = versions
            breaking = Dictionary(
                drift.events.filter(\.isBreaking).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The lock files of now and of before; nil if there is none.
    package struct Locks: Sendable {
        package var now: Lock?
        package var before: Lock?
        /// Whether apps that have been released may send an event (`category.event`).
        package var isReleased: @Sendable (String) -> Bool

        package init(now: Lock?, before: Lock?, isReleased: @escaping @Sendable (String) -> Bool) {
            self.now = now
            self.before = before
            self.isReleased = isReleased
        }

        /// What the lock files say of a change that breaks somebody.
        fileprivate func consent(to change: EventDrift) -> Consent {
            if change.isRefused || !refused(in: change).isEmpty { return .never }
            let (category, name) = change.name.eventNameParts
            let known = before.flatMap { $0.baseline.entries[change.name] == nil ? nil : $0.versions[category, name] }
            let required = known ?? SchemaVersion.initial.bumped(change.changes.bump)
            guard let now, now.versions[category, name] >= required else { return known == nil ? .unrecorded : .reset }
            guard now.baseline.entries[change.name] != nil else { return .open }
            return now.breaking[change.name] == nil ? .given : .open
        }

        /// What takes a name that a lock file has reserved, although the documents of before did not show that.
        fileprivate func refused(in change: EventDrift) -> [Change] {
            let subjects = Set(change.changes.map(\.subject))
            for lock in [now, before] {
                let refused = (lock?.breaking[change.name]?.changes ?? []).filter {
                    $0.takesReservedName && (change.oldVersion == nil || subjects.contains($0.subject))
                }
                if !refused.isEmpty { return refused }
            }
            return []
        }

        /// An event that is gone without having been retired may go if no app has been released with it, and if it has been taken back.
        fileprivate func consent(toLosing name: String) -> Consent {
            guard let now, now.baseline.entries[name] == nil, !isReleased(name) else { return .never }
            return .given
        }

        /// Events that have lost what a lock file knew of them.
        /// - Parameter reviewed: events of which more is said: their change is not accepted.
        fileprivate func lost(_ definitions: Definitions, except reviewed: Set<String>) -> [String] {
            guard let now, let before else { return [] }
            let changed = now.file.eventsKnownBetter(by: before.file).subtracting(reviewed)
            let defined = Set(
                definitions.categories.flatMap { category in category.events.map { "\(category.name).\($0.name)" } })
            let retired = Array("retired".utf8)
            return before.baseline.entries.filter { name, entry in
                if changed.contains(name) { return true }
                if defined.contains(name) {
                    let isBehind = now.versions[name.eventNameParts.category, name.eventNameParts.event] < entry.version
                    return !reviewed.contains(name) && (isBehind || now.baseline.entries[name] == nil)
                }
                guard now.baseline.entries[name] == nil, before.baseline.text[entry.shape].starts(with: retired) else {
                    return false
                }
                return isReleased(name)
            }.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }

    /// - Parameters:
    ///   - drift: the events that differ from `before`, as the run is about them.
    ///   - definitions: as they are now.
    ///   - locks: what the lock files say of `definitions`.
    ///   - isWhole: whether the run is about all of `definitions`.
    ///   - isConcerned: whether the run is about a file of `definitions`.
    package init(
        _ drift: Drift, since before: Before, to definitions: Definitions, locks: Locks, isWhole: Bool,
        isConcerned: (Int) -> Bool
    ) {
        files = definitions.files
        let former = before.definitions.map { DefinitionIndex($0) }
        let current = DefinitionIndex(definitions)
        var drifted: [String: EventDrift] = [:]
        for event in drift.events { drifted[event.name] = event }
        let versions = locks.now?.versions
        var consents: [String: Consent] = [:]

        var sharedChanges: [Change.Subject: [Change: [EventDrift]]] = [:]
        for category in definitions.categories {
            for event in category.events {
                let name = "\(category.name).\(event.name)"
                var reviewed = EventChange(
                    name: name, kind: .reworded, owner: event.details.owner?.value, place: event.place)
                let old = former?.events[name]
                if isConcerned(category.file), let old {
                    reviewed.lines += Wording(former?.definitions, definitions).changes(old.event, event)
                }
                if let drift = drifted[name] {
                    reviewed.kind = drift.oldVersion == nil ? .added : .changed
                    reviewed.bump = drift.changes.bump
                    reviewed.breaks = drift.changes.breaks
                    for change in drift.changes {
                        switch change.subject {
                        case .event, .column:
                            reviewed.lines.append(
                                Wording(former?.definitions, definitions).line(change, old?.event, event))
                        default:
                            let cause = Wording(former?.definitions, definitions).name(of: change.subject)
                            if !reviewed.causes.contains(cause) { reviewed.causes.append(cause) }
                            sharedChanges[change.subject, default: [:]][change, default: []].append(drift)
                        }
                    }
                    for change in drift.isRefused ? [] : locks.refused(in: drift) {
                        reviewed.lines.append(Wording(former?.definitions, definitions).line(change, old?.event, event))
                        reviewed.breaks.formUnion(change.breaks)
                    }
                    if !reviewed.breaks.isEmpty { reviewed.consent = locks.consent(to: drift) }
                    consents[name] = reviewed.consent
                    // A new event that is retired only reserves its name.
                    if event.status == .retired { reviewed.kind = .retired }
                    reviewed.before = drift.oldVersion == nil ? nil : before.versions?[category.name, event.name]
                    reviewed.after =
                        reviewed.kind == .retired && drift.oldVersion == nil
                        ? nil : versions?[category.name, event.name]
                } else if reviewed.lines.isEmpty {
                    continue
                } else {
                    reviewed.before = before.versions?[category.name, event.name]
                    reviewed.after = versions?[category.name, event.name]
                }
                let isNewlyDeprecated =
                    event.details.deprecated != nil && old.map { $0.event.details.deprecated == nil } ?? false
                if isNewlyDeprecated, reviewed.kind == .reworded || reviewed.breaks.isEmpty && reviewed.kind == .changed
                {
                    reviewed.kind = .deprecated
                }
                events.append(reviewed)
            }
        }
        for name in drift.deleted {
            var event = EventChange(name: name, kind: .deleted, breaks: .all, consent: locks.consent(toLosing: name))
            event.isForgettable = locks.now?.baseline.entries[name] != nil && !locks.isReleased(name)
            event.before = before.versions.map { $0[name.eventNameParts.category, name.eventNameParts.event] }
            event.owner = former?.events[name]?.event.details.owner?.value
            event.place = current.categories[name.eventNameParts.category].map(\.place)
            event.lines = [Line(sentence: "is gone without having been retired", breaks: .all, bump: .none)]
            events.append(event)
        }
        noteRenames(drift)

        for (subject, changes) in sharedChanges {
            let wording = Wording(former?.definitions, definitions)
            let touched = Set(changes.values.joined().map(\.name)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let lines = changes.keys.map { wording.line($0) }.sorted {
                ($1.breaks.count, $0.sentence.text) < ($0.breaks.count, $1.sentence.text)
            }
            let breaks = lines.reduce(into: Readers()) { $0.formUnion($1.breaks) }
            shared.append(
                SharedChange(
                    subject: wording.name(of: subject), lines: lines, breaks: breaks,
                    consent: touched.compactMap { consents[$0] }.max() ?? .given, events: touched,
                    place: current.place(of: subject)))
        }
        if let former { addReworded(former, current, isConcerned) }
        isLockGone = locks.now == nil && locks.before != nil
        if isWhole {
            lost = locks.lost(
                definitions, except: Set(events.lazy.filter { !$0.breaks.isEmpty && $0.consent != .given }.map(\.name)))
        }
        sort()
    }

    /// An event that is gone, and a new one of the same shape: people may have renamed it.
    private mutating func noteRenames(_ drift: Drift) {
        for index in events.indices where events[index].kind == .deleted {
            guard let heir = drift.renames[events[index].name] else { continue }
            let name = events[index].name.eventNameParts.event
            events[index].lines.append(
                Line(
                    sentence:
                        "\(code: heir) is new and has the same columns: if it was renamed, keep the old name as \(code: "## ~~\(name)~~"), because old apps still send it"
                ))
        }
    }

    /// Texts of shared things that changed without changing a record.
    private mutating func addReworded(
        _ former: DefinitionIndex, _ current: DefinitionIndex, _ isConcerned: (Int) -> Bool
    ) {
        let wording = Wording(former.definitions, current.definitions)
        func add(_ subject: Change.Subject, _ lines: [Line]) {
            guard !lines.isEmpty else { return }
            let name = wording.name(of: subject)
            if let index = shared.firstIndex(where: { $0.subject == name }) {
                shared[index].lines += lines
            } else {
                shared.append(
                    SharedChange(subject: name, lines: lines, breaks: [], events: [], place: current.place(of: subject))
                )
            }
        }
        if let common = current.definitions.common, isConcerned(common.file) {
            for column in common.columns {
                guard let old = former.commonColumns[column.name] else { continue }
                add(.commonColumn(column.name), wording.texts(old, column))
            }
        }
        if let file = current.definitions.typesFile, isConcerned(file) {
            for type in current.definitions.types where type.isDeclared {
                guard let old = former.types[type.name], old.isDeclared else {
                    add(.type(type.name), [Line(sentence: "is new")])
                    continue
                }
                add(.type(type.name), wording.texts(old, type))
            }
            for type in former.definitions.types where type.isDeclared && current.types[type.name]?.isDeclared != true {
                add(.type(type.name), [Line(sentence: "is gone")])
            }
        }
        for category in current.definitions.categories where isConcerned(category.file) {
            guard let old = former.categories[category.name] else { continue }
            let lines = wording.texts(old, category)
            guard !lines.isEmpty else { continue }
            shared.append(
                SharedChange(
                    subject: "the category \(code: category.name)", lines: lines, breaks: [], events: [],
                    place: category.place))
        }
    }

    private mutating func sort() {
        func rank(_ breaks: Readers, _ isAccepted: Bool) -> Int {
            breaks.isEmpty ? 0 : breaks.count + (isAccepted ? 0 : 10)
        }
        func order(_ kind: Kind) -> Int { Kind.allCases.firstIndex(of: kind) ?? 0 }
        events.sort { left, right in
            let (a, b) = (rank(left.breaks, left.isAccepted), rank(right.breaks, right.isAccepted))
            if a != b { return a > b }
            if left.kind != right.kind { return order(left.kind) < order(right.kind) }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        shared.sort { left, right in
            let (a, b) = (rank(left.breaks, left.isAccepted), rank(right.breaks, right.isAccepted))
            if a != b { return a > b }
            if left.events.count != right.events.count { return left.events.count > right.events.count }
            return left.subject.text < right.subject.text
        }
    }
}

extension Readers {
    fileprivate var count: Int { rawValue.nonzeroBitCount }
}

/// Definitions by name.
private struct DefinitionIndex {
    let definitions: Definitions
    let events: [String: (event: Event, category: Category)]
    let categories: [String: Category]
    let types: [String: NamedType]
    let commonColumns: [String: Column]

    init(_ definitions: Definitions) {
        self.definitions = definitions
        var events: [String: (event: Event, category: Category)] = [:]
        for category in definitions.categories {
            for event in category.events { events["\(category.name).\(event.name)"] = (event, category) }
        }
        self.events = events
        categories = Dictionary(definitions.categories.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        types = Dictionary(definitions.types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        commonColumns = Dictionary(
            (definitions.common?.columns ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func place(of subject: Change.Subject) -> Place? {
        switch subject {
        case .type(let name): types[name]?.place
        case .commonColumn(let name):
            commonColumns[name]?.place ?? definitions.common.map { Place(file: $0.file, range: 0..<0) }
        case .commonColumns: definitions.common.map { Place(file: $0.file, range: 0..<0) }
        case .event, .column: nil
        }
    }
}
