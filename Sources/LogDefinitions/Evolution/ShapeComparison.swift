/// What changes from one shape of an event to another, by the table of the specification ("Drift").
///
/// Where the table is silent: an event or a column whose retired name is defined anew mixes two meanings in the warehouse (revision;
/// a required column: model); another name for the same type, `int` for `int64`, or another Swift type behind a name changes code alone
/// (no bump); a retired event's columns concern nobody.
package struct ShapeComparison {
    package private(set) var changes: [Change] = []
    private var typeChanges: Set<Change> = []

    package static func changes(from old: EventShape, to new: EventShape) -> [Change] {
        if old.isRetired && new.isRetired { return [] }
        var comparison = ShapeComparison()
        if new.isRetired {
            comparison.add(.event, "is retired", breaks: [.appCode, .oldApps], .revision)
            return comparison.changes
        }
        if old.isRetired {
            comparison.add(
                .event, "is retired, its name stays reserved, and it is defined anew", breaks: .warehouse, .revision, takesReservedName: true)
        }
        comparison.compareDetail("trigger", .trigger, old.trigger, new.trigger)
        comparison.compareDetail("sampling", .sampling, old.sampling, new.sampling)
        comparison.compare(
            old.common, new.common, reserved: (old.reservedCommon, new.reservedCommon), order: .commonColumns, subject: { .commonColumn($0) })
        comparison.compare(old.columns, new.columns, reserved: (old.reserved, new.reserved), order: .event, subject: { .column($0) })
        return comparison.changes
    }

    private mutating func add(
        _ subject: Change.Subject, _ what: String, aspect: Change.Aspect = .whole, breaks: Readers, _ bump: Bump, takesReservedName: Bool = false
    ) {
        let change = Change(
            subject: subject, aspect: aspect, what: what, breaks: breaks, bump: bump, takesReservedName: takesReservedName)
        // Two columns of one type tell of its change twice.
        if case .type = subject, !typeChanges.insert(change).inserted { return }
        changes.append(change)
    }

    private mutating func compareDetail(_ name: String, _ aspect: Change.Aspect, _ old: ExactText?, _ new: ExactText?) {
        guard old != new else { return }
        let what =
            switch (old, new) {
            case (nil, let new?): "has a \(name) now, \(new)"
            case (let old?, nil): "has no \(name) any more (\(old) before)"
            case (let old, let new): "has the \(name) \(new?.text ?? "") instead of \(old?.text ?? "")"
            }
        add(.event, what, aspect: aspect, breaks: .warehouse, .revision)
    }

    // MARK: Columns

    private mutating func compare(
        _ old: [ColumnShape], _ new: [ColumnShape], reserved: (old: [String], new: [String]), order: Change.Subject,
        subject: (String) -> Change.Subject
    ) {
        let before = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(new.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for column in old where after[column.name] == nil {
            if column.isRequired {
                add(subject(column.name), "was required and is gone", breaks: .all, .model)
            } else {
                add(subject(column.name), "was optional and is gone", breaks: [.appCode, .oldApps], .revision)
            }
        }
        let retired = Set(reserved.old)
        for column in new {
            if let previous = before[column.name] {
                compare(previous, column, subject(column.name))
            } else if retired.contains(column.name) {
                add(
                    subject(column.name), "is retired, its name stays reserved, and it is defined anew",
                    breaks: column.isRequired ? .all : .warehouse,
                    column.isRequired ? .model : .revision, takesReservedName: true)
            } else if column.isRequired {
                add(subject(column.name), "is new and required", breaks: .all, .model)
            } else {
                add(subject(column.name), "is new and optional", breaks: [], .addition)
            }
        }
        for name in reserved.new where !retired.contains(name) && before[name] == nil {
            add(subject(name), "is retired from the start: its name is reserved", breaks: [], .none)
        }
        if old.map(\.name).filter({ after[$0] != nil }) != new.map(\.name).filter({ before[$0] != nil }) {
            add(order, order == .event ? "has its columns in another order" : "stand in another order", breaks: .appCode, .none)
        }
    }

    private mutating func compare(_ old: ColumnShape, _ new: ColumnShape, _ subject: Change.Subject) {
        guard old != new else { return }
        if old.isRequired != new.isRequired {
            if new.isRequired {
                add(subject, "was optional and is required", breaks: .all, .model)
            } else {
                add(subject, "was required and is optional", breaks: .warehouse, .revision)
            }
        }
        if old.privacy != new.privacy {
            let what = "has the privacy \(new.privacy ?? "of nothing said") instead of \(old.privacy ?? "nothing said")"
            add(subject, what, breaks: .warehouse, .revision)
        }
        if old.type != new.type { compare(old.type, new.type, subject) }
    }

    // MARK: Types

    private mutating func compare(_ old: ShapeType, _ new: ShapeType, _ subject: Change.Subject) {
        guard old != new else { return }
        func arrow(_ what: String) -> String { "\(what): `\(old)` → `\(new)`" }
        switch (old, new) {
        case (.named(let before, let oldSwift, let oldType), .named(let after, let newSwift, let newType)) where before == after:
            if oldSwift != newSwift {
                add(.type(after), "is `\(newSwift?.text ?? after)` in Swift instead of `\(oldSwift?.text ?? before)`", breaks: .appCode, .none)
            }
            compare(oldType, newType, .type(after))
        case (.named, _), (_, .named):
            add(subject, arrow("has a type of another name"), aspect: .type, breaks: .appCode, .none)
            compare(old.underlying, new.underlying, subject)
        case (.array(let oldItem, let oldMinimum, let oldMaximum), .array(let newItem, let newMinimum, let newMaximum)):
            compareRanges(
                (oldMinimum ?? 0, oldMaximum ?? .max), (newMinimum ?? 0, newMaximum ?? .max), subject, arrow: arrow)
            compare(oldItem, newItem, subject)
        case (.plain(let old), .plain(let new)): compare(old, new, subject, arrow: arrow)
        default: add(subject, arrow("changes its type"), aspect: .type, breaks: .all, .model)
        }
    }

    private mutating func compare(_ old: ColumnType, _ new: ColumnType, _ subject: Change.Subject, arrow: (String) -> String) {
        switch (old, new) {
        case (.string(let oldLength, let oldBytes), .string(let newLength, let newBytes)):
            if !Self.holds((newLength, newBytes), everyTextOf: (oldLength, oldBytes)) {
                add(subject, arrow("takes fewer texts"), aspect: .type, breaks: .oldApps, .revision)
            } else {
                add(subject, arrow("takes longer texts"), aspect: .type, breaks: [], .addition)
            }
        case (
            .integer(let oldBits, let oldSigned, let oldMinimum, let oldMaximum, let oldPlain),
            .integer(let newBits, let newSigned, let newMinimum, let newMaximum, let newPlain)
        ):
            let before = ColumnType.bounds(bits: oldBits, signed: oldSigned)
            let after = ColumnType.bounds(bits: newBits, signed: newSigned)
            let isSameWidth = oldBits == newBits && oldSigned == newSigned
            if !isSameWidth {
                guard after.minimum <= before.minimum, after.maximum >= before.maximum else {
                    return add(subject, arrow("changes its type"), aspect: .type, breaks: .all, .model)
                }
                add(subject, arrow("becomes wider"), aspect: .type, breaks: [.appCode, .warehouse], .revision)
            } else if oldPlain != newPlain {
                add(subject, arrow("has another type in Swift"), aspect: .type, breaks: .appCode, .none)
            }
            // A wider type's own bounds are part of its width; bounds that are written count on their own.
            compareRanges(
                (oldMinimum ?? after.minimum, oldMaximum ?? after.maximum), (newMinimum ?? after.minimum, newMaximum ?? after.maximum),
                possible: (oldMinimum ?? before.minimum, oldMaximum ?? before.maximum), subject, arrow: arrow)
        case (.number(let oldBits, let oldMinimum, let oldMaximum), .number(let newBits, let newMinimum, let newMaximum)):
            if newBits < oldBits { return add(subject, arrow("changes its type"), aspect: .type, breaks: .all, .model) }
            if newBits > oldBits { add(subject, arrow("becomes wider"), aspect: .type, breaks: [.appCode, .warehouse], .revision) }
            compareRanges(
                (oldMinimum ?? -.infinity, oldMaximum ?? .infinity), (newMinimum ?? -.infinity, newMaximum ?? .infinity), subject,
                arrow: arrow)
        case (.enumeration(let oldValues), .enumeration(let newValues)):
            let (before, after) = (Set(oldValues.map { ExactText($0) }), Set(newValues.map { ExactText($0) }))
            func list(_ values: [String]) -> String { (values.count == 1 ? "value " : "values ") + values.map { "`\($0)`" }.joined(separator: ", ") }
            let added = newValues.filter { !before.contains(ExactText($0)) }
            let removed = oldValues.filter { !after.contains(ExactText($0)) }
            if !added.isEmpty { add(subject, "gains the \(list(added))", aspect: .type, breaks: .warehouse, .addition) }
            if !removed.isEmpty { add(subject, "loses the \(list(removed))", aspect: .type, breaks: .all, .revision) }
        default: add(subject, arrow("changes its type"), aspect: .type, breaks: .all, .model)
        }
    }

    /// Ranges of values or of item counts; `possible` is what the old type could hold where that is less than the old range says.
    private mutating func compareRanges<Bound: Comparable>(
        _ old: (Bound, Bound), _ new: (Bound, Bound), possible: (Bound, Bound)? = nil, _ subject: Change.Subject, arrow: (String) -> String
    ) {
        let possible = possible ?? old
        if new.0 > possible.0 || new.1 < possible.1 {
            add(subject, arrow("has a tighter range"), aspect: .type, breaks: .oldApps, .revision)
        }
        if new.0 < old.0 || new.1 > old.1 {
            add(subject, arrow("has a wider range"), aspect: .type, breaks: [], .addition)
        }
    }

    /// Whether every text that keeps the old limits keeps the new ones; a character takes one to four bytes.
    private static func holds(_ new: (length: Int?, bytes: Int?), everyTextOf old: (length: Int?, bytes: Int?)) -> Bool {
        if let length = new.length, min(old.length ?? .max, old.bytes ?? .max) > length { return false }
        if let bytes = new.bytes, min(old.bytes ?? .max, (old.length ?? .max / 4) * 4) > bytes { return false }
        return true
    }
}

extension ShapeType: CustomStringConvertible {
    /// As definitions write it.
    package var description: String {
        switch self {
        case .plain(let type): type.notation
        case .array(let item, let minItems, let maxItems):
            minItems == nil && maxItems == nil
                ? "[\(item)]" : "[\(item); \(minItems.map { "\($0)" } ?? "0")...\(maxItems.map { "\($0)" } ?? "")]"
        case .named(let name, _, _): name
        case .app: "a type of the app"
        }
    }
}
