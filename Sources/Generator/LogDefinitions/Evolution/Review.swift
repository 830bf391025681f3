import MarkdownSyntax

/// The consequences of a change of definitions for each reader, in the words of the documents.
///
/// Compares definitions with earlier ones. Breaks that existed before are not attributed to the change, because its
/// author did not cause them.
package struct Review: Sendable {
    /// One sentence about a change, and the change's effect.
    package struct Line: Sendable, Hashable {
        package var sentence: Sentence
        package var breaks: Readers = []
        package var bump = Bump.none
    }

    /// A part of records that a change affects.
    package struct Effect: Sendable, Hashable {
        package var kind: QueryEffect
        /// `category.event` of the events.
        package var events: Set<String>
        /// The column; nil for the whole records.
        package var column: String?
        /// The current name of a column that is renamed.
        package var heir: String?
        /// Indicates whether app code that posts the part has to be edited.
        package var breaksCode = false

        package init(kind: QueryEffect, events: Set<String>, column: String? = nil, breaksCode: Bool = false) {
            (self.kind, self.events, self.column, self.breaksCode) = (kind, events, column, breaksCode)
        }
    }

    /// The kind of change of an event.
    package enum Kind: String, Sendable, CaseIterable {
        /// Removed without having been retired.
        case deleted
        case retired, changed, deprecated, added
        /// Neither code nor data is affected.
        case reworded
    }

    /// The state of acceptance of a breaking change, according to the lock files.
    package enum Consent: Sendable, Comparable {
        /// The lock file has recorded the change, under a version that follows the previous one.
        case given
        /// The lock file cannot record the change: it does not contain platforms.
        case unrecordable
        /// `loggen lock --accept` would record it.
        case open
        /// The base lock file contains the event, and the current one contains it with a new history.
        case reset
        /// The base lock file does not contain the event, so no version can follow.
        case unrecorded
        /// The change cannot be accepted: a retired name is defined again, or an event was removed without having been
        /// retired.
        case never
    }

    /// An event and its own changes.
    package struct EventChange: Sendable {
        /// `category.event`.
        package var name: String
        /// The former name (`category.event`) of a renamed event; nil for another change.
        package var formerName: String?
        package var kind: Kind
        package var lines: [Line] = []
        /// The shared changes that affect it.
        package var causes: [Sentence] = []
        /// The effects on queries, without those of shared changes.
        package var effects: [Effect] = []
        /// The effect of all changes, including shared ones.
        package var breaks: Readers = []
        package var bump = Bump.none
        package var consent = Consent.given
        /// Indicates whether a removed event can be forgotten: only the lock file contains it.
        package var isForgettable = false
        /// The version before the change; nil for a new or removed event, or without a lock file.
        package var before: SchemaVersion?
        package var after: SchemaVersion?
        package var owner: String?
        /// The owner before the change; nil for a new event, or if only the lock file describes the state before.
        package var formerOwner: String?
        /// The place in the review's `files`.
        package var place: Place?

        package var isAccepted: Bool { consent == .given }
    }

    /// A change of `common.md` or `types.md`: one change, however many events it touches.
    package struct SharedChange: Sendable {
        package var subject: Sentence
        package var lines: [Line]
        package var breaks: Readers
        /// The worst state of its events.
        package var consent = Consent.given
        /// `category.event` of the events whose records change, in order of name.
        package var events: [String]
        /// The effects on queries.
        package var effects: [Effect] = []
        /// The place in the review's `files`.
        package var place: Place?

        package var isAccepted: Bool { consent == .given }
    }

    /// The definitions' files.
    package let files: [SourceFile]
    /// The changes, the worst first.
    package private(set) var events: [EventChange] = []
    /// The changes, the worst first.
    package private(set) var shared: [SharedChange] = []

    /// Indicates whether the base has a lock file and the current state has none.
    package private(set) var isLockGone = false
    /// Unchanged events (`category.event`) whose later versions or reserved names the lock file has lost, sorted by
    /// name.
    package private(set) var lost: [String] = []

    /// Creates a review without changes.
    package init(files: [SourceFile]) { self.files = files }

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

    /// A lock file and its differences from the current definitions.
    package struct Lock: Sendable {
        fileprivate let file: LockFile
        fileprivate var baseline: Baseline { file.latest }
        package let versions: Versions
        fileprivate let unrecordedBreaking: [String: EventDrift]

        package init(_ lock: LockFile, _ definitions: Definitions, scope: Drift.Scope) async {
            file = lock
            let (drift, versions) = await Drift.between(lock.latest, and: definitions, scope: scope)
            self.versions = versions
            unrecordedBreaking = Dictionary(
                drift.events.filter(\.isBreaking).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The current lock file and that of the base, if any.
    package struct Locks: Sendable {
        package var now: Lock?
        package var before: Lock?
        /// Indicates whether released apps may send an event (`category.event`).
        package var isReleased: @Sendable (String) -> Bool

        package init(now: Lock?, before: Lock?, isReleased: @escaping @Sendable (String) -> Bool) {
            self.now = now
            self.before = before
            self.isReleased = isReleased
        }

        fileprivate func consent(to change: EventDrift) -> Consent {
            if change.isRefused || !refused(in: change).isEmpty { return .never }
            let (category, name) = change.name.eventNameParts
            let formerName = change.formerName ?? change.name
            let former = formerName.eventNameParts
            let known = before.flatMap {
                $0.baseline.entries[formerName] == nil ? nil : $0.versions[former.category, former.event]
            }
            let required =
                (change.formerName == nil ? known : known?.bumped(.model))
                ?? SchemaVersion.initial.bumped(change.changes.bump)
            guard let now, now.versions[category, name] >= required else { return known == nil ? .unrecorded : .reset }
            guard now.baseline.entries[change.name] != nil else { return .open }
            guard now.unrecordedBreaking[change.name] == nil else { return .open }
            return change.changes.contains { $0.aspect == .platforms } ? .unrecordable : .given
        }

        /// The lock files count, because the base documents may lack the reservation.
        fileprivate func refused(in change: EventDrift) -> [Change] {
            let subjects = Set(change.changes.map(\.subject))
            for lock in [now, before] {
                let refused = (lock?.unrecordedBreaking[change.name]?.changes ?? []).filter {
                    $0.takesReservedName && (change.oldVersion == nil || subjects.contains($0.subject))
                }
                if !refused.isEmpty { return refused }
            }
            return []
        }

        /// Given if no released app sends the event and `loggen lock --forget` has removed it from the lock file.
        fileprivate func consent(toLosing name: String) -> Consent {
            guard let now, now.baseline.entries[name] == nil, !isReleased(name) else { return .never }
            return .given
        }

        /// - Parameter reviewed: events that are excluded, because the review reports their unaccepted changes.
        fileprivate func lost(_ definitions: Definitions, except reviewed: Set<String>) -> [String] {
            guard let now, let before else { return [] }
            let lines = now.file.linesLost(since: before.file)
            let changed = Set(lines.map(\.event)).subtracting(reviewed).filter { now.baseline.entries[$0] != nil }
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
    ///   - drift: the events in the run's scope that differ from `before`.
    ///   - definitions: the current definitions.
    ///   - locks: the lock files.
    ///   - isWhole: whether the run covers all of `definitions`.
    ///   - isConcerned: whether the run covers a file of `definitions`.
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
                reviewed.formerName = drifted[name]?.formerName
                let formerName = reviewed.formerName ?? name
                let old = former?.events[formerName]
                let beforeVersion = before.versions?[
                    formerName.eventNameParts.category, formerName.eventNameParts.event]
                reviewed.formerOwner = old?.event.details.owner?.value
                if isConcerned(category.file), let old {
                    reviewed.lines += Wording(former?.definitions, definitions).changes(old.event, event)
                }
                if let drift = drifted[name] {
                    reviewed.kind = drift.oldVersion == nil ? .added : .changed
                    reviewed.bump = drift.changes.bump
                    reviewed.breaks = drift.changes.breaks
                    for (former, changes) in drift.unified.isEmpty ? [(formerName, drift.changes)] : drift.unified {
                        for change in changes {
                            switch change.subject {
                            case .event, .column: reviewed.effects.add(change, of: former, changes)
                            case .commonColumn, .commonColumns, .type: break
                            }
                        }
                    }
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
                        reviewed.effects.add(change, of: formerName, drift.changes)
                    }
                    if !reviewed.breaks.isEmpty { reviewed.consent = locks.consent(to: drift) }
                    consents[name] = reviewed.consent
                    // A new event with the status retired only reserves its name.
                    if event.status == .retired { reviewed.kind = .retired }
                    // A table may contain several events. With the records of a new event, its queries give other
                    // results.
                    if reviewed.kind == .added { reviewed.effects = [Effect(kind: .shifts, events: [name])] }
                    reviewed.before = drift.oldVersion == nil ? nil : beforeVersion
                    reviewed.after =
                        reviewed.kind == .retired && drift.oldVersion == nil
                        ? nil : versions?[category.name, event.name]
                } else if reviewed.lines.isEmpty {
                    continue
                } else {
                    reviewed.before = beforeVersion
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
            event.formerOwner = event.owner
            event.place = current.categories[name.eventNameParts.category].map(\.place)
            event.lines = [Line(sentence: "is deleted but not retired", breaks: .all, bump: .none)]
            event.effects = [Effect(kind: .breaks, events: [name], breaksCode: true)]
            events.append(event)
        }
        noteProbableRenames(drift, current)

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
                    effects: current.effects(of: changes), place: current.place(of: subject)))
        }
        if let former { addRewordedSharedDescriptions(former, current, isConcerned) }
        isLockGone = locks.now == nil && locks.before != nil
        if isWhole {
            lost = locks.lost(
                definitions, except: Set(events.lazy.filter { !$0.breaks.isEmpty && $0.consent != .given }.map(\.name)))
        }
        sort()
    }

    private mutating func noteProbableRenames(_ drift: Drift, _ current: DefinitionIndex) {
        for index in events.indices where events[index].kind == .deleted {
            guard let heir = drift.renames[events[index].name], let event = current.events[heir]?.event else {
                continue
            }
            let name = events[index].name.eventNameParts.event
            let advice = current.definitions.files[event.place.file].source.advice(formerName: name, of: event)
            events[index].lines.append(
                Line(
                    sentence:
                        "\(code: heir) is new and has the same columns: if it was renamed, \(Sentence(marked: advice))")
            )
        }
    }

    private mutating func addRewordedSharedDescriptions(
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
                add(.type(type.name), [Line(sentence: "is deleted")])
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

extension Change {
    /// An older column that takes over a former name keeps its own name in queries.
    fileprivate var isRename: Bool { formerName != nil && bump == .model }
}

extension [Review.Effect] {
    /// Joins effects on one part. Queries read a column that `changes` renames under its former name.
    fileprivate mutating func add(_ change: Change, of event: String, _ changes: [Change]) {
        let column: String? =
            switch change.subject {
            case .column(let name), .commonColumn(let name):
                // Another change of an older heir concerns the heir itself.
                change.formerName ?? changes.first { $0.subject == change.subject && $0.isRename }?.formerName ?? name
            case .event, .commonColumns, .type: nil
            }
        let breaksCode = change.breaks.contains(.appCode)
        guard change.effect > .none || breaksCode else { return }
        if let index = firstIndex(where: { $0.column == column && $0.events == [event] }) {
            self[index].kind = Swift.max(self[index].kind, change.effect)
            self[index].breaksCode = self[index].breaksCode || breaksCode
        } else {
            var effect = Review.Effect(kind: change.effect, events: [event], column: column, breaksCode: breaksCode)
            if let former = change.formerName, former == column, case .column(let name) = change.subject {
                effect.heir = name
            }
            append(effect)
        }
    }
}

extension Readers {
    fileprivate var count: Int { rawValue.nonzeroBitCount }
}

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

    func effects(of changes: [Change: [EventDrift]]) -> [Review.Effect] {
        struct Part: Hashable {
            var column: String
            var kind: QueryEffect
            var breaksCode: Bool
        }
        var events: [Part: Set<String>] = [:]
        for (change, drifts) in changes {
            let breaksCode = change.breaks.contains(.appCode)
            guard change.effect > .none || breaksCode else { continue }
            for drift in drifts {
                for column in columnNames(with: change.subject, in: drift.name) {
                    let part = Part(column: column, kind: change.effect, breaksCode: breaksCode)
                    events[part, default: []].insert(drift.name)
                }
            }
        }
        return events.sorted { ($1.key.kind, $0.key.column) < ($0.key.kind, $1.key.column) }.map { part, events in
            Review.Effect(kind: part.kind, events: events, column: part.column, breaksCode: part.breaksCode)
        }
    }

    private func columnNames(with subject: Change.Subject, in event: String) -> [String] {
        switch subject {
        case .event, .commonColumns: []
        case .column(let name), .commonColumn(let name): [name]
        case .type(let name):
            ((definitions.common?.columns ?? []) + (events[event]?.event.columns ?? []))
                .filter { $0.type.mentions(name) }.map(\.name)
        }
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
