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
        /// Whether the lock file has recorded it as it is now.
        package var isAccepted = false
        /// Nil for an event that is new or gone, or if no lock file says.
        package var before: SchemaVersion?
        package var after: SchemaVersion?
        package var owner: String?
        /// In the review's `files`.
        package var place: Place?
    }

    /// A change of `common.md` or `types.md`: one change, however many events it touches.
    package struct SharedChange: Sendable {
        package var subject: Sentence
        package var lines: [Line]
        package var breaks: Readers
        package var isAccepted: Bool
        /// `category.event` of the events whose records change, in order of name.
        package var events: [String]
        /// In the review's `files`.
        package var place: Place?
    }

    /// The definitions' files.
    package let files: [SourceFile]
    /// The worst first.
    package private(set) var events: [EventChange] = []
    /// The worst first.
    package private(set) var shared: [SharedChange] = []

    /// A review in which nothing has changed.
    package init(files: [SourceFile]) { self.files = files }

    /// Whom the change breaks without their agreement.
    package var unaccepted: Readers {
        events.filter { !$0.isAccepted }.reduce(into: []) { $0.formUnion($1.breaks) }
    }

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
                let (category, event) = name.parts
                versions[category, event] = entry.version
            }
            self.versions = versions
        }
    }

    /// - Parameters:
    ///   - drift: the events that differ from `before`, as the run is about them.
    ///   - definitions: as they are now.
    ///   - versions: of now; nil if there is no lock file.
    ///   - open: what the lock file of now has not recorded; nil if there is no lock file.
    ///   - isConcerned: whether the run is about a file of `definitions`.
    package init(
        _ drift: Drift, since before: Before, to definitions: Definitions, versions: Versions?, open: Drift?,
        isConcerned: (Int) -> Bool = { _ in true }
    ) {
        files = definitions.files
        let former = before.definitions.map { DefinitionIndex($0) }
        let current = DefinitionIndex(definitions)
        var drifted: [String: EventDrift] = [:]
        for event in drift.events { drifted[event.name] = event }
        let unrecorded = Set(open?.events.filter(\.isBreaking).map(\.name) ?? []).union(open?.deleted ?? [])
        func isAccepted(_ name: String) -> Bool { open != nil && !unrecorded.contains(name) }

        var sharedChanges: [Change.Subject: [Change: [EventDrift]]] = [:]
        for category in definitions.categories {
            for event in category.events {
                let name = "\(category.name).\(event.name)"
                var reviewed = EventChange(
                    name: name, kind: .reworded, isAccepted: isAccepted(name), owner: event.details.owner?.value, place: event.place)
                let old = former?.events[name]
                if isConcerned(category.file), let old { reviewed.lines += Wording(former?.definitions, definitions).changes(old.event, event) }
                if let drift = drifted[name] {
                    reviewed.kind = drift.oldVersion == nil ? .added : .changed
                    reviewed.bump = drift.changes.bump
                    reviewed.breaks = drift.changes.breaks
                    for change in drift.changes {
                        switch change.subject {
                        case .event, .column:
                            reviewed.lines.append(Wording(former?.definitions, definitions).line(change, old?.event, event))
                        default:
                            let cause = Wording(former?.definitions, definitions).name(of: change.subject)
                            if !reviewed.causes.contains(cause) { reviewed.causes.append(cause) }
                            sharedChanges[change.subject, default: [:]][change, default: []].append(drift)
                        }
                    }
                    // A new event that is retired only reserves its name.
                    if event.status == .retired { reviewed.kind = .retired }
                    reviewed.before = drift.oldVersion == nil ? nil : before.versions?[category.name, event.name]
                    reviewed.after = reviewed.kind == .retired && drift.oldVersion == nil ? nil : versions?[category.name, event.name]
                } else if reviewed.lines.isEmpty {
                    continue
                } else {
                    reviewed.before = before.versions?[category.name, event.name]
                    reviewed.after = versions?[category.name, event.name]
                }
                let isNewlyDeprecated = event.details.deprecated != nil && old.map { $0.event.details.deprecated == nil } ?? false
                if isNewlyDeprecated, reviewed.kind == .reworded || reviewed.breaks.isEmpty && reviewed.kind == .changed {
                    reviewed.kind = .deprecated
                }
                events.append(reviewed)
            }
        }
        for name in drift.deleted {
            var event = EventChange(name: name, kind: .deleted, breaks: .all, isAccepted: isAccepted(name))
            event.before = before.versions.map { $0[name.parts.category, name.parts.event] }
            event.owner = former?.events[name]?.event.details.owner?.value
            event.place = current.categories[name.parts.category].map(\.place)
            event.lines = [Line(sentence: "is gone without having been retired", breaks: .all, bump: .none)]
            events.append(event)
        }
        noteRenames(drift, definitions, before)

        for (subject, changes) in sharedChanges {
            let wording = Wording(former?.definitions, definitions)
            let touched = Set(changes.values.joined().map(\.name)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let lines = changes.keys.map { wording.line($0) }.sorted { ($1.breaks.count, $0.sentence.text) < ($0.breaks.count, $1.sentence.text) }
            let breaks = lines.reduce(into: Readers()) { $0.formUnion($1.breaks) }
            shared.append(
                SharedChange(
                    subject: wording.name(of: subject), lines: lines, breaks: breaks,
                    isAccepted: touched.allSatisfy { isAccepted($0) }, events: touched, place: current.place(of: subject)))
        }
        if let former { addReworded(former, current, isConcerned) }
        sort()
    }

    /// An event that is gone, and a new one of the same shape: people may have renamed it.
    private mutating func noteRenames(_ drift: Drift, _ definitions: Definitions, _ before: Before) {
        guard !drift.deleted.isEmpty else { return }
        var byShape: [[UInt8]: [String]] = [:]
        for event in drift.events where event.oldVersion == nil { byShape[event.recordedShape, default: []].append(event.name) }
        for index in events.indices where events[index].kind == .deleted {
            guard let entry = before.baseline.entries[events[index].name] else { continue }
            let (category, name) = events[index].name.parts
            let candidates = byShape[Array(before.baseline.text[entry.shape])] ?? []
            // An event that moved keeps its name; one that was renamed keeps its category.
            guard let heir = candidates.first(where: { $0.parts.event == name }) ?? candidates.first(where: { $0.parts.category == category }) else {
                continue
            }
            events[index].lines.append(
                Line(
                    sentence:
                        "\(code: heir) is new and has the same columns: if it was renamed, keep the old name as \(code: "## ~~\(name)~~"), because old apps still send it"
                ))
        }
    }

    /// Texts of shared things that changed without changing a record.
    private mutating func addReworded(_ former: DefinitionIndex, _ current: DefinitionIndex, _ isConcerned: (Int) -> Bool) {
        let wording = Wording(former.definitions, current.definitions)
        func add(_ subject: Change.Subject, _ lines: [Line]) {
            guard !lines.isEmpty else { return }
            let name = wording.name(of: subject)
            if let index = shared.firstIndex(where: { $0.subject == name }) {
                shared[index].lines += lines
            } else {
                shared.append(SharedChange(subject: name, lines: lines, breaks: [], isAccepted: true, events: [], place: current.place(of: subject)))
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
                    subject: "the category \(code: category.name)", lines: lines, breaks: [], isAccepted: true, events: [], place: category.place))
        }
    }

    private mutating func sort() {
        func rank(_ breaks: Readers, _ isAccepted: Bool) -> Int { breaks.isEmpty ? 0 : breaks.count + (isAccepted ? 0 : 10) }
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

extension String {
    /// The two names of `category.event`.
    fileprivate var parts: (category: String, event: String) {
        let dot = firstIndex(of: ".") ?? endIndex
        return (String(self[..<dot]), String(self[dot...].dropFirst()))
    }
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
        commonColumns = Dictionary((definitions.common?.columns ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func place(of subject: Change.Subject) -> Place? {
        switch subject {
        case .type(let name): types[name]?.place
        case .commonColumn(let name): commonColumns[name]?.place ?? definitions.common.map { Place(file: $0.file, range: 0..<0) }
        case .commonColumns: definitions.common.map { Place(file: $0.file, range: 0..<0) }
        case .event, .column: nil
        }
    }
}
