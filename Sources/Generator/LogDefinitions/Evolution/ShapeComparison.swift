/// Finds the changes between two shapes of an event, according to the table "Drift" of the specification.
///
/// The table does not cover these cases:
/// - If the retired name of an event or a column is defined again, two meanings mix in the warehouse (revision; a
///   required column: model).
/// - Another name for the same type, such as `int` for `int64`, or another Swift type for a name changes only code (no
///   bump).
/// - Columns of a retired event are ignored.
package struct ShapeComparison {
    package private(set) var changes: [Change] = []
    private var typeChanges: Set<Change> = []
    private lazy var newestFormerColumns: [String: (version: SchemaVersion, column: ColumnShape)] = Dictionary(
        earlier.reversed().flatMap { earlier in
            (earlier.shape.columns + earlier.shape.common).map { ($0.name, (earlier.version, $0)) }
        }, uniquingKeysWith: { first, _ in first })
    private var earlier: [(version: SchemaVersion, shape: EventShape)] = []
    private var oldReserved: [ReservedName.Scope: [ReservedName]] = [:]
    private var newReserved: [ReservedName.Scope: [ReservedName]] = [:]
    private var comparedTypeNames: (old: String?, new: String?)

    /// Returns the changes between two shapes.
    /// - Parameters:
    ///   - formerName: the old name (`category.event`) of an event that is renamed.
    ///   - earlier: all earlier versions, oldest first. They define the meaning of a column that returns.
    package static func changes(
        from old: EventShape, to new: EventShape, renamedFrom formerName: String? = nil,
        earlier: [(version: SchemaVersion, shape: EventShape)] = []
    ) -> [Change] {
        var comparison = ShapeComparison()
        comparison.earlier = earlier
        comparison.oldReserved = Dictionary(grouping: old.reserved, by: \.scope)
        comparison.newReserved = Dictionary(grouping: new.reserved, by: \.scope)
        if let formerName { comparison.rename(.event, from: formerName) }
        if old.isRetired && new.isRetired { return comparison.changes }
        if new.isRetired {
            comparison.add(.event, "is retired", breaks: [.appCode, .oldApps], .revision, effect: .breaks)
            return comparison.changes
        }
        if old.isRetired, formerName == nil {
            comparison.add(
                .event, "is retired and defined again, but its name stays reserved", breaks: .warehouse, .revision,
                takesReservedName: true)
        }
        comparison.compareDetail("trigger", .trigger, old.trigger?.description, new.trigger?.description)
        comparison.compareDetail(
            "sampling", .sampling, old.sampling.map(PercentageNotation.text), new.sampling.map(PercentageNotation.text))
        comparison.compareSamplingKey(old, new)
        // In records and tables, a common column and an event's own column of the same name are the same member.
        let taken = old.reservedNames(.common).union(old.reservedNames(.event))
        comparison.compare(
            old.common, new.common, .common, taken, order: .commonColumns, subject: { .commonColumn($0) })
        comparison.compare(old.columns, new.columns, .event, taken, order: .event, subject: { .column($0) })
        return comparison.changes
    }

    /// Returns whether a column can continue another one: it accepts all values of that column.
    /// - Parameter reserved: the reserved names of the new definitions, which contain the former values of types.
    static func accepts(
        _ column: ColumnShape, _ former: ColumnShape, reserved: [ReservedName.Scope: [ReservedName]]
    ) -> Bool {
        var comparison = ShapeComparison()
        comparison.newReserved = reserved
        comparison.compare(former, column, .column(column.name))
        return !comparison.changes.breaks.contains(.oldApps)
    }

    private mutating func rename(_ subject: Change.Subject, from name: String) {
        add(
            subject, "is renamed from `\(name)`", aspect: .name, breaks: [.appCode, .warehouse], .model,
            effect: .breaks, formerName: name)
    }

    private mutating func add(
        _ subject: Change.Subject, _ what: String, aspect: Change.Aspect = .whole, breaks: Readers, _ bump: Bump,
        effect: QueryEffect? = nil, formerName: String? = nil, takesReservedName: Bool = false,
        remedy: Change.Remedy? = nil
    ) {
        let change = Change(
            subject: subject, aspect: aspect, what: what, breaks: breaks, bump: bump,
            effect: effect ?? (bump == .none ? .none : .shifts), formerName: formerName,
            takesReservedName: takesReservedName, remedy: remedy)
        // Two columns of the same type report the same change, which is added once.
        if case .type = subject, !typeChanges.insert(change).inserted { return }
        changes.append(change)
    }

    private mutating func compareDetail(_ name: String, _ aspect: Change.Aspect, _ old: String?, _ new: String?) {
        let what: String
        switch (old, new) {
        case (nil, nil): return
        case (nil, let new?): what = "now has the \(name) `\(new)`"
        case (let old?, nil): what = "no longer has the \(name) `\(old)`"
        case (let old?, let new?):
            if old.isExactly(new) { return }
            what = "changes its \(name): `\(old)` → `\(new)`"
        }
        add(.event, what, aspect: aspect, breaks: .warehouse, .revision)
    }

    /// Compares the units of samples: users or records. A sample added or removed is already another change.
    private mutating func compareSamplingKey(_ old: EventShape, _ new: EventShape) {
        let oldKey = old.samplingKey.map { newReserved[.common, default: []].heirs[$0] ?? $0 }
        guard old.sampling ?? 1 != 1, new.sampling ?? 1 != 1, oldKey != new.samplingKey else { return }
        func named(_ key: String?) -> String { key.map { "`\($0)`" } ?? "the event's id" }
        add(
            .event, "changes its sampling key: \(named(old.samplingKey)) → \(named(new.samplingKey))",
            aspect: .samplingKey, breaks: .warehouse,
            .revision)
    }

    // MARK: Columns

    private mutating func compare(
        _ old: [ColumnShape], _ new: [ColumnShape], _ scope: ReservedName.Scope, _ taken: Set<String>,
        order subjectOfOrder: Change.Subject,
        subject: (String) -> Change.Subject
    ) {
        let reserved = (old: oldReserved[scope] ?? [], new: newReserved[scope] ?? [])
        let formerHeirs = reserved.old.heirs
        let before = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(new.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let reservedNow = Set(reserved.new.map(\.name))
        // The old columns by the new names of those that are renamed.
        var renamed: [String: ColumnShape] = [:]
        for name in reserved.new {
            guard let heir = name.heir, let column = before[name.name], before[heir] == nil else { continue }
            renamed[heir] = column
        }
        let renamedNames = Set(renamed.values.map(\.name))
        let deleted = old.filter {
            after[$0.name] == nil && !renamedNames.contains($0.name) && !reservedNow.contains($0.name)
        }
        let added = new.filter { before[$0.name] == nil && renamed[$0.name] == nil }
        let addedByType = Dictionary(grouping: added, by: \.type)
        let deletedByType = Dictionary(grouping: deleted, by: \.type)
        for column in old where after[column.name] == nil && !renamedNames.contains(column.name) {
            let isRetired = reservedNow.contains(column.name)
            let heirs = addedByType[column.type] ?? []
            let isLikely = heirs.count == 1 && deletedByType[column.type]?.count == 1
            let remedy: Change.Remedy = isLikely ? .name(heir: heirs[0].name, of: column.name) : .retire
            let what = "was \(column.isRequired ? "required" : "optional") and is \(isRetired ? "retired" : "deleted")"
            add(
                subject(column.name), what, breaks: column.isRequired ? .all : [.appCode, .oldApps],
                column.isRequired ? .model : .revision, effect: .breaks, remedy: isRetired ? nil : remedy)
        }
        let retired = Set(reserved.old.map(\.name))
        for column in new {
            if let previous = before[column.name] {
                compare(previous, column, subject(column.name))
            } else if let previous = renamed[column.name],
                !taken.contains(column.name) || formerHeirs[column.name] == previous.name
            {
                rename(subject(column.name), from: previous.name)
                compare(previous, column, subject(column.name))
            } else if taken.contains(column.name) {
                let former = formerHeirs[column.name].map { "was renamed to `\($0)`" } ?? "is retired"
                add(
                    subject(column.name), "\(former) and is defined again, but its name stays reserved",
                    breaks: column.isRequired ? .all : .warehouse,
                    column.isRequired ? .model : .revision, takesReservedName: true)
            } else if let former = newestFormerColumns[column.name],
                !former.column.type.allowsRedefinition(as: column.type)
            {
                add(
                    subject(column.name),
                    "was `\(former.column.type)` until \(former.version) and is defined again as `\(column.type)`, "
                        + "but its name stays reserved",
                    breaks: column.isRequired ? .all : .warehouse, column.isRequired ? .model : .revision,
                    effect: .breaks, takesReservedName: true)
            } else if column.isRequired {
                add(
                    subject(column.name), "is new and required", breaks: .all, .model, effect: .adds,
                    remedy: .makeOptional)
            } else {
                add(subject(column.name), "is new and optional", breaks: [], .addition, effect: .adds)
            }
        }
        let known = Set(reserved.old.filter { $0.heir != nil }.map(\.name))
        for name in reserved.new where !known.contains(name.name) && before[name.name] == nil {
            if let heir = name.heir {
                // The heir is older than its claim, or it continues a column that was deleted or retired. A table's
                // column gets the heir's name.
                add(
                    subject(heir), "now has the former name `\(name.name)`", aspect: .name, breaks: .warehouse,
                    .revision, effect: .breaks, formerName: name.name)
            } else if !retired.contains(name.name) {
                add(subject(name.name), "is retired from the start: its name is reserved", breaks: [], .none)
            }
        }
        compareFormerNames(reserved.old, reserved.new, subject: subject) { after[$0] != nil }
        let heirs = Dictionary(renamed.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let order = (
            old: old.map { heirs[$0.name] ?? $0.name }.filter { after[$0] != nil },
            new: new.map(\.name).filter { before[$0] != nil || renamed[$0] != nil }
        )
        if order.old != order.new {
            add(
                subjectOfOrder, subjectOfOrder == .event ? "has its columns in another order" : "are in another order",
                breaks: .appCode, .none)
        }
    }

    /// Compares former names. Records with a dropped former name do not count as the definition's own. A name stays with
    /// its heir: otherwise, older records would change their meaning.
    private mutating func compareFormerNames(
        _ old: [ReservedName], _ new: [ReservedName], of what: String = "name", subject: (String) -> Change.Subject,
        exists: (String) -> Bool
    ) {
        let heirs = new.heirs
        let known = Set(new.map(\.name))
        for name in old {
            guard let former = name.heir else { continue }
            let heir = heirs[former] ?? former
            if let taker = heirs[name.name], !taker.isExactly(heir), !heir.isExactly(name.name) {
                add(
                    subject(taker), "takes the former \(what) `\(name.name)`, which stays with `\(heir)`",
                    aspect: .name,
                    breaks: .warehouse, .revision, takesReservedName: true)
            } else if !known.contains(name.name), exists(heir), !heir.isExactly(name.name) {
                add(
                    subject(heir), "no longer has the former \(what) `\(name.name)`", aspect: .name, breaks: .warehouse,
                    .revision, effect: .breaks)
            }
        }
    }

    /// Compares the former values of a column's type, which may have another name, or none.
    private mutating func compareFormerValues(_ old: LogValueType, _ new: LogValueType, _ subject: Change.Subject) {
        guard let before = old.values, let values = new.values else { return }
        let (was, now) = (
            formerValues(of: comparedTypeNames.old, oldReserved), formerValues(of: comparedTypeNames.new, newReserved)
        )
        let subject = comparedTypeNames.new.map { .type($0) } ?? subject
        compareFormerNames(was, now, of: "value", subject: { _ in subject }) { values.contains($0) }
        let known = before.union(was.filter { $0.heir != nil }.map(\.name))
        for name in now where !known.contains(name.name) {
            add(subject, "now has the former value `\(name.name)`", aspect: .name, breaks: .warehouse, .revision)
        }
    }

    private func formerValues(
        of type: String?, _ names: [ReservedName.Scope: [ReservedName]]
    ) -> [ReservedName] {
        type.flatMap { names[.values(of: $0)] } ?? []
    }

    private mutating func compare(_ old: ColumnShape, _ new: ColumnShape, _ subject: Change.Subject) {
        comparedTypeNames = (old.type.typeName, new.type.typeName)
        defer { compareFormerValues(old.type, new.type, subject) }
        guard old != new else { return }
        if old.isRequired != new.isRequired {
            if new.isRequired {
                add(subject, "was optional and is required", breaks: .all, .model)
            } else {
                add(subject, "was required and is optional", breaks: .warehouse, .revision)
            }
        }
        if old.privacy != new.privacy {
            let what =
                switch (old.privacy?.rawValue, new.privacy?.rawValue) {
                case (let old?, let new?): "changes its privacy: `\(old)` → `\(new)`"
                case (let old?, nil): "no longer has the privacy `\(old)`"
                case (nil, let new): "now has the privacy `\(new ?? "")`"
                }
            add(subject, what, breaks: .warehouse, .revision)
        }
        if old.type != new.type { compare(old.type, new.type, subject) }
    }

    // MARK: Types

    /// - Parameter lists: the types in messages, of the lists whose items are compared; nil for the types themselves.
    fileprivate mutating func compare(
        _ old: LogValueType, _ new: LogValueType, _ subject: Change.Subject,
        in lists: (old: LogValueType, new: LogValueType)? = nil
    ) {
        guard old != new else { return }
        let shown = lists ?? (old, new)
        func arrow(_ what: String) -> String { "\(what): `\(shown.old)` → `\(shown.new)`" }
        func add(_ what: String, breaks: Readers, _ bump: Bump) {
            self.add(
                subject, arrow(what), aspect: .type, breaks: breaks, bump, effect: bump == .model ? .breaks : nil)
        }
        switch (old.form, new.form) {
        case (.named(let before), .named(let after)) where before.name == after.name:
            if before.swift.map({ ExactString($0) }) != after.swift.map({ ExactString($0) }) {
                let what = "changes its Swift type: `\(before.swift ?? before.name)` → `\(after.swift ?? after.name)`"
                self.add(.type(after.name), what, breaks: .appCode, .none)
            }
            compareBases(before.base, after.base, .type(after.name))
        case (.named, _), (_, .named):
            add("has a type with another name", breaks: .appCode, .none)
            compareBases(old.unnamed, new.unnamed, subject, in: lists)
        case (.array(let old), .array(let new)):
            compareRanges(
                (old.minItems ?? 0, old.maxItems ?? .max), (new.minItems ?? 0, new.maxItems ?? .max), subject,
                arrow: arrow)
            compare(old.items, new.items, subject, in: shown)
        case (.string(let old), .string(let new)):
            if !Self.holds(new, everyTextOf: old) {
                add("accepts fewer strings", breaks: .oldApps, .revision)
            } else {
                add("accepts longer strings", breaks: [], .addition)
            }
        case (.integer(let old), .integer(let new)):
            let isSameWidth = old.bits == new.bits && old.isSigned == new.isSigned
            if !isSameWidth {
                guard new.width.lowerBound <= old.width.lowerBound, new.width.upperBound >= old.width.upperBound else {
                    return add("changes its type", breaks: .all, .model)
                }
                add("becomes wider", breaks: [.appCode, .warehouse], .revision)
            } else if old.isPlain != new.isPlain {
                add("has another Swift type", breaks: .appCode, .none)
            }
            // A missing bound is replaced by that of the new width: otherwise, a change of the width alone would also
            // be reported as a change of the range.
            compareRanges(
                (old.minimum ?? new.width.lowerBound, old.maximum ?? new.width.upperBound),
                (new.minimum ?? new.width.lowerBound, new.maximum ?? new.width.upperBound),
                possible: (old.range.lowerBound, old.range.upperBound), subject, arrow: arrow)
        case (.number(let old), .number(let new)):
            if new.bits < old.bits { return add("changes its type", breaks: .all, .model) }
            if new.bits > old.bits { add("becomes wider", breaks: [.appCode, .warehouse], .revision) }
            compareRanges(
                (old.minimum ?? -.infinity, old.maximum ?? .infinity),
                (new.minimum ?? -.infinity, new.maximum ?? .infinity), subject,
                arrow: arrow)
        case (.format(let old), .format(let new)):
            guard let (limited, isNarrower, isWider) = old.difference(to: new) else {
                return add("changes its type", breaks: .all, .model)
            }
            if isNarrower { add("accepts fewer \(limited)", breaks: .oldApps, .revision) }
            if isWider { add("accepts more \(limited)", breaks: .warehouse, .revision) }
        case (.enumeration(let old), .enumeration(let new)): compareValues(old.values, new.values, subject)
        case (.string, _), (.integer, _), (.number, _), (.boolean, _), (.format, _), (.enumeration, _),
            (.array, _):
            add("changes its type", breaks: .all, .model)
        }
    }

    private mutating func compareBases(
        _ old: LogValueType?, _ new: LogValueType?, _ subject: Change.Subject,
        in lists: (old: LogValueType, new: LogValueType)? = nil
    ) {
        switch (old, new) {
        case (nil, nil): return
        case (let old?, let new?): compare(old, new, subject, in: lists)
        case (let old, let new):
            func name(_ type: LogValueType?) -> String { type?.description ?? "a type of the app" }
            add(
                subject, "changes its type: `\(name(old))` → `\(name(new))`", aspect: .type, breaks: .all, .model,
                effect: .breaks)
        }
    }

    private mutating func compareValues(_ old: [String], _ new: [String], _ subject: Change.Subject) {
        let (before, after) = (Set(old.map { ExactString($0) }), Set(new.map { ExactString($0) }))
        func list(_ values: [String]) -> String {
            (values.count == 1 ? "value " : "values ") + values.map { "`\($0)`" }.joined(separator: ", ")
        }
        let heirs = Dictionary(
            formerValues(of: comparedTypeNames.new, newReserved).compactMap { name in
                name.heir.map { (ExactString(name.name), $0) }
            }, uniquingKeysWith: { first, _ in first })
        // A name may return to its heir.
        let reserved = Set(
            formerValues(of: comparedTypeNames.old, oldReserved).filter { name in
                name.heir.flatMap { heirs[ExactString($0)] }.map { !$0.isExactly(name.name) } ?? true
            }.map { ExactString($0.name) })
        let renamed = old.filter { !after.contains(ExactString($0)) && heirs[ExactString($0)] != nil }
        for value in renamed {
            add(
                subject, "renames the value `\(value)` to `\(heirs[ExactString(value)] ?? "")`", aspect: .name,
                breaks: [.appCode, .warehouse], .model, effect: .breaks)
        }
        let newNames = Set(renamed.compactMap { heirs[ExactString($0)] }.map { ExactString($0) })
        let added = new.filter { !before.contains(ExactString($0)) && !newNames.contains(ExactString($0)) }
        let removed = old.filter { !after.contains(ExactString($0)) && heirs[ExactString($0)] == nil }
        let taken = (added + newNames.map(\.text)).filter { reserved.contains(ExactString($0)) }
        // Tables store the values as strings. Queries that list values give other results.
        if !added.isEmpty { add(subject, "gains the \(list(added))", aspect: .type, breaks: [], .addition) }
        if !removed.isEmpty {
            let isLikely = added.count == 1 && removed.count == 1
            add(
                subject, "loses the \(list(removed))", aspect: .type, breaks: .all, .revision,
                remedy: isLikely ? .name(heir: added[0], of: removed[0]) : nil)
        }
        if !taken.isEmpty {
            add(
                subject, "defines the former \(list(taken)) again, which stays reserved", breaks: .warehouse, .revision,
                takesReservedName: true)
        }
    }

    /// - Parameter possible: the range of values that the old type can have, if it is narrower than `old`.
    private mutating func compareRanges<Bound: Comparable>(
        _ old: (Bound, Bound), _ new: (Bound, Bound), possible: (Bound, Bound)? = nil, _ subject: Change.Subject,
        arrow: (String) -> String
    ) {
        let possible = possible ?? old
        if new.0 > possible.0 || new.1 < possible.1 {
            add(subject, arrow("has a tighter range"), aspect: .type, breaks: .oldApps, .revision)
        }
        if new.0 < old.0 || new.1 > old.1 {
            add(subject, arrow("has a wider range"), aspect: .type, breaks: [], .addition)
        }
    }

    /// Returns whether the new type accepts every string of the old one. A character takes one to four bytes.
    private static func holds(_ new: LogValueType.Text, everyTextOf old: LogValueType.Text) -> Bool {
        if let length = new.maxLength, min(old.maxLength ?? .max, old.maxBytes ?? .max) > length { return false }
        if let bytes = new.maxBytes, min(old.maxBytes ?? .max, (old.maxLength ?? .max / 4) * 4) > bytes { return false }
        return true
    }
}

extension LogValueType {
    /// Returns whether a redefinition needs no new model version (SchemaVer).
    fileprivate func allowsRedefinition(as other: LogValueType) -> Bool {
        var comparison = ShapeComparison()
        comparison.compare(self, other, .event)
        return comparison.changes.bump < .model
    }
}
