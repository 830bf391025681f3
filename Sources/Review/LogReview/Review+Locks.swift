package import LogDefinitions

extension Review {
    /// The state of acceptance of a breaking change, according to the lock files.
    package enum Consent: Sendable, Comparable {
        /// The lock file has recorded the change, under a version that follows the previous one.
        case given
        /// The lock file cannot record the change: it does not contain platforms.
        case unrecordable
        /// `loggen lock --accept` would record the change.
        case open
        /// The base lock file contains the event, and the current one contains it with a new history.
        case reset
        /// The base lock file does not contain the event, so no version can follow.
        case unrecorded
        /// The change cannot be accepted: it defines a retired name again, or deletes an event that was not retired.
        case never
    }

    /// A lock file and its differences from the current definitions.
    package struct Lock: Sendable {
        fileprivate let file: LockFile
        package let versions: Versions
        fileprivate let unrecordedBreaking: [String: EventDrift]

        var baseline: Baseline { file.latest }

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

        /// - Parameter change: an event's changes with those of `refused(in:)`.
        func consent(to change: EventDrift) -> Consent {
            if change.isRefused { return .never }
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

        /// Returns the definitions of names that only a lock file reserves: base documents may lack the reservation.
        func refused(in change: EventDrift) -> [Change] {
            guard !change.isRefused else { return [] }
            let subjects = Set(change.changes.map(\.subject))
            for lock in [now, before] {
                let refused = (lock?.unrecordedBreaking[change.name]?.changes ?? []).filter {
                    $0.takesReservedName && (change.oldVersion == nil || subjects.contains($0.subject))
                }
                if !refused.isEmpty { return refused }
            }
            return []
        }

        /// Returns the consent: given if no released app sends the event and `loggen lock --forget` has removed it.
        func consent(toLosing name: String) -> Consent {
            guard let now, now.baseline.entries[name] == nil, !isReleased(name) else { return .never }
            return .given
        }

        /// - Parameter reviewed: events that are excluded, because the review reports their unaccepted changes.
        func lost(_ definitions: Definitions, except reviewed: Set<String>) -> [String] {
            guard let now, let before else { return [] }
            let lines = now.file.linesLost(since: before.file)
            let changed = Set(lines.map(\.event)).subtracting(reviewed).filter { now.baseline.entries[$0] != nil }
            let defined = Set(definitions.eventNames)
            return before.baseline.entries.filter { name, entry in
                if changed.contains(name) { return true }
                if defined.contains(name) {
                    let isBehind = now.versions[name.eventNameParts.category, name.eventNameParts.event] < entry.version
                    return !reviewed.contains(name) && (isBehind || now.baseline.entries[name] == nil)
                }
                return now.baseline.entries[name] == nil && before.baseline.isRetired(name) && isReleased(name)
            }.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
    }
}
