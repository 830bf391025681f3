import MarkdownSyntax

/// The differences between an event and the baseline.
package struct EventDrift: Sendable {
    /// The event, as `category.event`.
    package var name: String
    package var category: Int
    package var event: Int
    /// The version in the baseline; nil for a new event.
    package var oldVersion: SchemaVersion?
    /// The name in the baseline (`category.event`) of a renamed event; nil if the baseline has the current name.
    package var formerName: String?
    package var newVersion: SchemaVersion
    package var changes: [Change]
    /// The changes of the other events that become this one, by their names in the baseline.
    fileprivate(set) var unified: [(name: String, changes: [Change])] = []
    /// The shape that the lock file records for the event's new version.
    package var recordedShape: [UInt8]
    /// Indicates whether the event is new and probably continues a deleted one. Until that one is retired or named as
    /// the former name, the event has no version: a first version would be a second beginning of the same records.
    fileprivate(set) var looksRenamed = false

    /// Indicates whether even `--accept` does not record the change: it reuses a reserved name or leaves a rename open.
    package var isRefused: Bool { looksRenamed || changes.contains(where: \.takesReservedName) }

    package var isBreaking: Bool { !changes.breaks.isEmpty || isRefused }

    /// Returns the parts of records that one of the changes affects.
    /// - Parameter columns: the event's columns and the common ones.
    package func effects(of change: Change, in columns: [Column]) -> [Change.Effect] {
        let breaksCode = change.breaks.contains(.appCode)
        guard change.effect > .none || breaksCode else { return [] }
        let unified = unified.filter { $0.changes.contains(change) }
        return (unified.isEmpty ? [(formerName ?? name, changes)] : unified).flatMap { event, changes in
            /// An older column that takes over a former name keeps its own name in queries.
            func formerName(of subject: Change.Subject) -> String? {
                changes.first { $0.subject == subject && $0.formerName != nil && $0.bump == .model }?.formerName
            }
            func effect(_ column: String?, heir: String? = nil) -> Change.Effect {
                Change.Effect(
                    kind: change.effect, events: [event], column: column, heir: heir, breaksCode: breaksCode)
            }
            switch change.subject {
            case .event: return [effect(nil)]
            case .commonColumns: return []
            case .column(let name), .commonColumn(let name):
                let former = change.formerName ?? formerName(of: change.subject)
                return [effect(former ?? name, heir: change.formerName == nil ? nil : name)]
            case .type(let type):
                return columns.filter { $0.type.mentions(type) }.map {
                    let former = formerName(of: .column($0.name)) ?? formerName(of: .commonColumn($0.name))
                    return effect(former ?? $0.name)
                }
            }
        }
    }
}

extension EventDrift {
    /// Unifies other events with this one. A merge of branches may have changed an event that is already a former name.
    fileprivate mutating func unify(
        _ others: [(name: String, entry: Baseline.Entry)], _ old: EventShape, _ new: EventShape, _ shape: [UInt8],
        _ baseline: Baseline, _ heirs: [String: String]
    ) throws(ShapeNotation.Failure) {
        guard !others.isEmpty else { return }
        unified = [(formerName ?? name, changes)]
        var olds = [old]
        var version = oldVersion ?? .initial
        let live = Set((old.common + old.columns).map(\.name))
        for other in others {
            var former = try baseline.shape(other.entry)
            version = max(version, other.entry.version)
            olds.append(former)
            // The event itself already reserves these names.
            let reserved = Set(former.reserved)
            former.reserved += old.reserved.filter { !reserved.contains($0) }
            let found = ShapeComparison.changes(
                from: former, to: new, renamedFrom: heirs[other.name] == nil ? other.name : nil
            ).filter { change in
                // A name that only the other event has retired was never free in this one.
                switch change.subject {
                case .column(let name), .commonColumn(let name): !change.takesReservedName || !live.contains(name)
                case .event, .commonColumns, .type: true
                }
            }
            guard !found.isEmpty else { continue }
            unified.append((other.name, found))
            changes += found.filter { !changes.contains($0) }
        }
        // The version of a merged event has to be above all others. Otherwise, the next comparison finds the same.
        newVersion = version.bumped(changes.isEmpty ? .none : max(changes.bump, .revision))
        recordedShape = Drift.recorded(shape, olds: olds, new: new)
    }
}

/// The differences between definitions and a baseline.
package struct Drift: Sendable {
    /// New events and changed events, in the model's order.
    package var events: [EventDrift] = []
    /// Events of the baseline that are missing in the definitions without being retired, sorted by name.
    package var deleted: [String] = []
    /// Retired events of the baseline that are missing in the definitions, sorted by name.
    package var deletedRetired: [String] = []
    /// The probable new names of deleted events, by the deleted names. Most of the columns are the same.
    package var renames: [String: String] = [:]
    /// Diagnostics of unreadable lines of the baseline.
    package var diagnostics: [Diagnostic] = []

    package init() {}

    /// The part of the baseline that is searched for deleted events.
    package enum Scope: Sendable {
        /// The definitions are complete.
        case everything
        /// Some categories may be elsewhere.
        case givenCategories
    }

    fileprivate enum Outcome: Sendable {
        case same(SchemaVersion)
        case different(EventDrift)
        case unreadable(Place, String)
    }

    /// The results of a comparison by category. The next comparison handles only changed categories.
    package struct Memory: Sendable {
        fileprivate struct Category: Sendable {
            var name: String
            var text: [UInt8]
            var outcomes: [Outcome]
        }

        fileprivate var notation: ShapeNotation?
        fileprivate var baseline: [UInt8] = []
        fileprivate var categories: [Category] = []

        package init() {}
    }

    /// Compares all events in parallel and returns the drift and the version of each event.
    package static func between(
        _ baseline: Baseline, and definitions: Definitions, scope: Scope
    ) async -> (drift: Drift, versions: Versions) {
        var memory = Memory()
        return await between(baseline, and: definitions, scope: scope, memory: &memory)
    }

    /// Compares the events of categories that have changed since the comparison that filled `memory`.
    package static func between(
        _ baseline: Baseline, and definitions: Definitions, scope: Scope, memory: inout Memory
    ) async -> (drift: Drift, versions: Versions) {
        let notation = ShapeNotation(definitions)
        let known = memory.notation == notation && memory.baseline == baseline.text ? memory.categories : []
        let heirs = baseline.heirs()
        let outcomes = await inParallel(sizes: definitions.categories.map { $0.events.count * 512 }) { index in
            let category = definitions.categories[index]
            // The earlier outcomes are reused if the category's file is unchanged. `known` is empty if the baseline, the
            // types or the common columns have changed.
            if known.indices.contains(index), known[index].name.isExactly(category.name),
                known[index].text == definitions.files[category.file].source.bytes
            {
                return known[index].outcomes
            }
            return category.events.indices.map {
                compare(category, index, $0, notation, baseline, heirs, definitions.common)
            }
        }
        memory.notation = notation
        memory.baseline = baseline.text
        memory.categories = zip(definitions.categories, outcomes).map {
            Memory.Category(name: $0.name, text: definitions.files[$0.file].source.bytes, outcomes: $1)
        }
        var drift = Drift()
        var versions = Versions()
        for (category, outcomes) in zip(definitions.categories, outcomes) {
            for (event, outcome) in zip(category.events, outcomes) {
                switch outcome {
                case .same(let version): versions[category.name, event.name] = version
                case .different(let different):
                    drift.events.append(different)
                    versions[category.name, event.name] = different.newVersion
                case .unreadable(let place, let message):
                    drift.diagnostics.append(
                        Diagnostic(
                            .lockFile, message, at: place, .help("restore the file from git, or correct the line")))
                }
            }
        }
        // Names are unique on both sides. If every entry matches an event, none was deleted.
        let found = outcomes.joined().count {
            if case .different(let event) = $0 { event.oldVersion != nil } else { true }
        }
        if found < baseline.entries.count {
            drift.findDeleted(baseline, definitions, scope)
            drift.findRenames(baseline, heirs)
        }
        return (drift, versions)
    }

    private static func compare(
        _ category: Category, _ categoryIndex: Int, _ index: Int, _ notation: ShapeNotation, _ baseline: Baseline,
        _ heirs: [String: String], _ common: CommonColumns?
    ) -> Outcome {
        let event = category.events[index]
        let name = "\(category.name).\(event.name)"
        let shape = notation.shape(of: event)
        let formerNames = event.formerNames.map(\.name)
        // A name may return to its heir.
        let isReturn = heirs[name].map { formerNames.contains($0) } ?? false
        /// A former name stays with its heir, or goes with it to the event that continues it.
        func taken(except own: [String]) -> [Change] {
            formerNames.compactMap { former in
                guard let heir = heirs[former], heir != name, !formerNames.contains(heir), !own.contains(former) else {
                    return nil
                }
                return .taking(former, of: heir)
            }
        }
        guard let entry = baseline.entries[name], !isReturn else {
            guard let former = baseline.newest(of: formerNames) else {
                return .different(
                    EventDrift(
                        name: name, category: categoryIndex, event: index, oldVersion: nil, newVersion: .initial,
                        changes: taken(except: []), recordedShape: shape))
            }
            let others = formerNames.filter { $0 != former.name }
            return renamed(
                former.name, former.entry, and: baseline.uncovered(others, by: nil, heirs), to: name, shape,
                categoryIndex, index, baseline,
                taken(except: []) + (baseline.platforms[former.name]?.losses(in: event, common) ?? []))
        }
        let isSame = baseline.text.withUnsafeBufferPointer { text in
            shape.withUnsafeBufferPointer { shape in shape.elementsEqual(text[entry.shape]) }
        }
        let heir = heirs[name]
        let others = baseline.uncovered(formerNames, by: entry, heirs)
        let losses = baseline.platforms[name]?.losses(in: event, common) ?? []
        if isSame && heir == nil && others.isEmpty && losses.isEmpty { return .same(entry.version) }
        do throws(ShapeNotation.Failure) {
            let old = try baseline.shape(entry)
            let new = try ShapeNotation.parse(shape)
            var changes =
                ShapeComparison.changes(
                    from: old, to: new, earlier: baseline.earlierShapes(of: [name] + new.formerNames)) + losses
                + taken(except: old.formerNames)
            if let heir { changes.insert(.reusing(nameOf: heir), at: 0) }
            // Shapes may differ without a change, for example in the order of an enumeration's values.
            if changes.isEmpty, others.isEmpty { return .same(entry.version) }
            var drift = EventDrift(
                name: name, category: categoryIndex, event: index, oldVersion: entry.version,
                newVersion: entry.version.bumped(changes.bump), changes: changes,
                recordedShape: Self.recorded(shape, olds: [old], new: new))
            try drift.unify(others, old, new, shape, baseline, heirs)
            return drift.changes.isEmpty ? .same(entry.version) : .different(drift)
        } catch {
            return .unreadable(entry.place, error.message)
        }
    }

    private static func renamed(
        _ former: String, _ entry: Baseline.Entry, and others: [(name: String, entry: Baseline.Entry)],
        to name: String, _ shape: [UInt8], _ category: Int, _ index: Int,
        _ baseline: Baseline, _ losses: [Change]
    ) -> Outcome {
        do throws(ShapeNotation.Failure) {
            let old = try baseline.shape(entry)
            let new = try ShapeNotation.parse(shape)
            let changes =
                ShapeComparison.changes(
                    from: old, to: new, renamedFrom: former, earlier: baseline.earlierShapes(of: new.formerNames))
                + losses
            var drift = EventDrift(
                name: name, category: category, event: index, oldVersion: entry.version, formerName: former,
                newVersion: entry.version.bumped(changes.bump), changes: changes,
                recordedShape: Self.recorded(shape, olds: [old], new: new))
            try drift.unify(others, old, new, shape, baseline, [:])
            return .different(drift)
        } catch {
            return .unreadable(entry.place, error.message)
        }
    }

    /// Returns the shape to record, without reused names and values of unused types. Dropped former names stay.
    fileprivate static func recorded(_ shape: [UInt8], olds: [EventShape], new: EventShape) -> [UInt8] {
        let used = (common: Set(new.common.map(\.name)), own: Set(new.columns.map(\.name)), values: new.valuesByType)
        var known = Set(new.reserved.map { ReservedName(scope: $0.scope, name: $0.name) })
        let kept = olds.flatMap(\.reserved).map { ReservedName(scope: $0.scope, name: $0.name) }.filter {
            known.insert($0).inserted
        }
        let names = (new.reserved + kept).filter { name in
            switch name.scope {
            case .common: !used.common.contains(name.name)
            case .event: !used.own.contains(name.name)
            case .values(let type): used.values[type].map { !$0.containsExactly(name.name) } ?? false
            }
        }
        let body = shape.indices.first { shape[$0] == UInt8(ascii: "~") && $0 > 0 && shape[$0 - 1] == 0x20 }.map {
            shape[..<($0 - 1)]
        }
        return Array(body ?? shape[...]) + ShapeNotation.words(for: names)
    }

    /// Finds probable renames, by columns in common, then by names. A restored former name precedes all.
    private mutating func findRenames(_ baseline: Baseline, _ heirs: [String: String]) {
        let gone = Set(deleted)
        let new = events.indices.filter { index in
            events[index].oldVersion == nil || heirs[events[index].name].map(gone.contains) ?? false
        }
        guard !new.isEmpty else { return }
        // Of very many, only events of the same name are pairs.
        let isFew = deleted.count * new.count <= 250_000
        let shapes = new.map { index in
            (
                name: events[index].name.eventNameParts,
                columns: (try? ShapeNotation.parse(events[index].recordedShape).columns) ?? []
            )
        }
        let all = Array(zip(new, shapes))
        let sameNames = Dictionary(grouping: all) { $0.1.name.event }
        var pairs: [(old: String, new: Int, likeness: Double)] = []
        for name in deleted {
            guard let old = baseline.entries[name].flatMap({ try? baseline.shape($0) })?.columns else { continue }
            let parts = name.eventNameParts
            for (index, shape) in isFew ? all : sameNames[parts.event, default: []] {
                let isSameName = shape.name.event == parts.event
                let likeness =
                    if heirs[events[index].name] == name {
                        2.0
                    } else if isSameName || shape.name.category == parts.category {
                        Self.likeness(old, shape.columns)
                    } else {
                        old.count > 1 && old == shape.columns ? 0.9 : 0
                    }
                if likeness > 0.5 { pairs.append((name, index, likeness + (isSameName ? 0.01 : 0))) }
            }
        }
        pairs.sort { ($1.likeness, $0.old, $0.new) < ($0.likeness, $1.old, $1.new) }
        for (old, new, _) in pairs where renames[old] == nil && !events[new].looksRenamed {
            renames[old] = events[new].name
            events[new].looksRenamed = true
            // The proposal replaces the report that the name is reserved for the deleted event.
            events[new].changes.removeAll { $0.subject == .event && $0.takesReservedName }
        }
    }

    /// Returns the likeness, from 0 to 1. A column with another type counts for 3/4, one with another name for 1/2.
    private static func likeness(_ old: [ColumnShape], _ new: [ColumnShape]) -> Double {
        guard old != new else { return 1 }
        let known = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let names = Set(new.map(\.name))
        var left = Dictionary(grouping: old.filter { !names.contains($0.name) }, by: \.type).mapValues(\.count)
        var sum = 0.0
        for column in new {
            if let same = known[column.name] {
                sum += same == column ? 1 : 0.75
            } else if let count = left[column.type], count > 0 {
                left[column.type] = count - 1
                sum += 0.5
            }
        }
        return 2 * sum / Double(old.count + new.count)
    }

    private mutating func findDeleted(_ baseline: Baseline, _ definitions: Definitions, _ scope: Scope) {
        var known: Set<String> = []
        known.reserveCapacity(baseline.entries.count)
        for category in definitions.categories {
            for event in category.events {
                known.insert("\(category.name).\(event.name)")
                for former in event.formerNames { known.insert(former.name) }
            }
        }
        let given = Set(definitions.categories.map(\.name))
        let missing = baseline.entries.keys.filter { name in
            !known.contains(name) && (scope == .everything || given.contains(String(name.prefix { $0 != "." })))
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        deleted = missing.filter { !baseline.isRetired($0) }
        deletedRetired = missing.filter(baseline.isRetired)
    }
}

extension String {
    /// The two parts of `category.event`.
    package var eventNameParts: (category: String, event: String) {
        let dot = firstIndex(of: ".") ?? endIndex
        return (String(self[..<dot]), String(self[dot...].dropFirst()))
    }

    /// A Boolean value that indicates whether the string has the form `category.event`.
    package var isEventName: Bool {
        guard let dot = utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
        return Name.isIdentifier(self[..<dot]) && Name.isIdentifier(self[utf8.index(after: dot)...])
    }
}
