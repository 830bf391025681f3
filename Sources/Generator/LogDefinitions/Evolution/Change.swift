/// A difference between two shapes of an event, with the readers that it breaks and its effect on the version.
package struct Change: Sendable, Hashable {
    /// The changed part. A change of a common column or a named type is the same change in every event that has it.
    package enum Subject: Sendable, Hashable {
        case event
        case column(String)
        case commonColumns
        case commonColumn(String)
        case type(String)
    }

    /// The aspect of the subject that changed.
    package enum Aspect: Sendable, Hashable {
        case whole, name, type, trigger, sampling, samplingKey, platforms
    }

    package var subject: Subject
    package var aspect = Aspect.whole
    /// The predicate of the sentence about the change, without its subject.
    package var what: String
    package var breaks: Readers
    package var bump: Bump
    /// The effect on queries of the records.
    package var effect: QueryEffect
    /// The former name of a column that is renamed; nil for another change.
    package var formerName: String?
    /// Indicates whether a reserved name is defined again.
    package var takesReservedName = false
    /// The edit of a column or value that avoids the break, if any.
    package var remedy: Remedy?

    package enum Remedy: Sendable, Hashable {
        /// The column's row was deleted. It can be kept and struck through.
        case retire
        /// A column or value was deleted, and a new one probably continues it.
        case name(heir: String, of: String)
        /// The column is new and required. It can be optional.
        case makeOptional
    }

    /// A part of records that changes affect.
    package struct Effect: Sendable, Hashable {
        package var kind: QueryEffect
        /// The events, as `category.event`, under the names that queries have for them.
        package var events: Set<String>
        /// The column, under the name that queries have for it; nil for the whole records.
        package var column: String?
        /// The current name of a column that is renamed.
        package var heir: String?
        /// Indicates whether app code that posts the part has to be edited.
        package var breaksCode = false

        package init(
            kind: QueryEffect, events: Set<String>, column: String? = nil, heir: String? = nil,
            breaksCode: Bool = false
        ) {
            (self.kind, self.events, self.column, self.heir) = (kind, events, column, heir)
            self.breaksCode = breaksCode
        }
    }

    /// The part in words if it belongs to several events; nil for an event or its own column.
    package var sharedName: String? {
        switch subject {
        case .event, .column: nil
        case .commonColumns: "the common columns"
        case .commonColumn(let name): "the common column `\(name)`"
        case .type(let name): "the type `\(name)`"
        }
    }

    package var isShared: Bool { sharedName != nil }

    /// The definition of an event whose name another event had before.
    static func reusing(nameOf heir: String) -> Change {
        Change(
            subject: .event, what: "was renamed to `\(heir)` and is defined again, but its name stays reserved",
            breaks: .warehouse, bump: .revision, effect: .shifts, takesReservedName: true)
    }

    /// The claim of a former name that another event already continues.
    static func taking(_ former: String, of heir: String) -> Change {
        Change(
            subject: .event, aspect: .name, what: "takes the former name `\(former)`, which stays with `\(heir)`",
            breaks: .warehouse, bump: .revision, effect: .shifts, takesReservedName: true)
    }

    /// Compares strings by scalars. Canonically equivalent strings with different scalars are different.
    package static func == (left: Change, right: Change) -> Bool {
        (left.subject, left.aspect, left.breaks, left.bump, left.takesReservedName)
            == (right.subject, right.aspect, right.breaks, right.bump, right.takesReservedName)
            && left.what.isExactly(right.what)
    }

    /// Hashes what `==` compares.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(subject)
        hasher.combine(aspect)
        hasher.combine(breaks)
        hasher.combine(bump)
        hasher.combine(takesReservedName)
        hasher.combine(what)
    }
}

/// The effect of a change on queries of an event's records, in ascending order.
package enum QueryEffect: String, Sendable, CaseIterable, Comparable {
    /// Queries give the same results.
    case none
    /// A column is new. Only queries of all columns contain it.
    case adds
    /// Queries run, but give other results: the records, the values of a column or their meaning changes.
    case shifts
    /// Records or values cease, or a column has another type.
    case breaks

    private var rank: Int { Self.allCases.prefix { $0 != self }.count }

    package static func < (left: QueryEffect, right: QueryEffect) -> Bool { left.rank < right.rank }
}

/// The readers of a definition that a change may break.
package struct Readers: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// App code that must be edited.
    package static let appCode = Readers(rawValue: 1)
    /// The warehouse and its users.
    package static let warehouse = Readers(rawValue: 2)
    /// Versions of the app that are still in use and still send logs.
    package static let oldApps = Readers(rawValue: 4)

    package static let all: Readers = [.appCode, .warehouse, .oldApps]

    /// The readers as a phrase, such as `app code, the warehouse and old apps`.
    package var list: String {
        let names = [(Readers.appCode, "app code"), (.warehouse, "the warehouse"), (.oldApps, "old apps")].filter {
            contains($0.0)
        }.map(\.1)
        guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

/// The part of a version that a change increments, if any, in ascending order.
package enum Bump: String, Sendable, CaseIterable, Comparable {
    case none, addition, revision, model

    private var rank: Int { Self.allCases.prefix { $0 != self }.count }

    package static func < (left: Bump, right: Bump) -> Bool { left.rank < right.rank }
}

extension SchemaVersion: Comparable {
    package static func < (left: SchemaVersion, right: SchemaVersion) -> Bool {
        (left.model, left.revision, left.addition) < (right.model, right.revision, right.addition)
    }

    package func bumped(_ bump: Bump) -> SchemaVersion {
        switch bump {
        case .none: self
        case .addition: SchemaVersion(model: model, revision: revision, addition: addition + 1)
        case .revision: SchemaVersion(model: model, revision: revision + 1, addition: 0)
        case .model: SchemaVersion(model: model + 1, revision: 0, addition: 0)
        }
    }
}

extension [Change] {
    /// The highest bump of all changes.
    package var bump: Bump { map(\.bump).max() ?? .none }

    package var breaks: Readers { reduce(into: []) { $0.formUnion($1.breaks) } }
}
