/// One difference between two shapes of an event: what it is, whom it breaks, and its effect on the version.
package struct Change: Sendable, Hashable {
    /// What changed. A change of a common column or a named type is the same change in every event that has it.
    package enum Subject: Sendable, Hashable {
        case event
        case column(String)
        case commonColumns
        case commonColumn(String)
        case type(String)
    }

    /// The part of the subject to look at.
    package enum Aspect: Sendable, Hashable {
        case whole, type, trigger, sampling, samplingKey
    }

    package var subject: Subject
    package var aspect = Aspect.whole
    /// What happened to the subject. The text is the rest of a sentence.
    package var what: String
    package var breaks: Readers
    package var bump: Bump
    /// Whether a reserved name is defined again.
    package var takesReservedName = false
    /// What happened to a column, if there is an edit that avoids the break.
    package var remedy: Remedy?

    package enum Remedy: Sendable, Hashable {
        /// The column's row is gone: it can stay, struck through.
        case retire
        /// The column is new and required: it can be optional.
        case makeOptional
    }

    /// Compares texts by scalars. Texts that Swift treats as equal are two changes if their scalars differ.
    package static func == (left: Change, right: Change) -> Bool {
        (left.subject, left.aspect, left.breaks, left.bump, left.takesReservedName)
            == (right.subject, right.aspect, right.breaks, right.bump, right.takesReservedName)
            && left.what.isExactly(right.what)
    }
}

/// The readers of a definition whom a change may break.
package struct Readers: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Code of the app that must be edited.
    package static let appCode = Readers(rawValue: 1)
    /// The warehouse and those who read from it.
    package static let warehouse = Readers(rawValue: 2)
    /// Versions of the app that are still in use and still send logs.
    package static let oldApps = Readers(rawValue: 4)

    package static let all: Readers = [.appCode, .warehouse, .oldApps]

    /// For example, `app code, the warehouse and old apps`.
    package var list: String {
        let names = [(Readers.appCode, "app code"), (.warehouse, "the warehouse"), (.oldApps, "old apps")].filter {
            contains($0.0)
        }.map(\.1)
        guard let last = names.last, names.count > 1 else { return names.first ?? "nobody" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

/// The part of a version that a change counts up, if any.
package enum Bump: String, Sendable, Comparable {
    case none, addition, revision, model

    private var rank: Int {
        switch self {
        case .none: 0
        case .addition: 1
        case .revision: 2
        case .model: 3
        }
    }

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
    /// The highest of all.
    package var bump: Bump { map(\.bump).max() ?? .none }

    package var breaks: Readers { reduce(into: []) { $0.formUnion($1.breaks) } }
}
