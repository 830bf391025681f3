/// What can be checked of one file alone: names that clash within it.
extension FileParser {
    /// Names are unique under their parent, as written and as Swift derives them.
    mutating func checkNames(of category: Category) {
        unique(category.events.map { Named(name: $0.name, place: $0.place, isRetired: $0.status == .retired) }, rule: .duplicateEvent, what: "event")
        for event in category.events {
            checkColumns(event.columns)
            if SwiftNames.categoryMemberNames.contains(SwiftNames.memberName(event.name)) {
                report(
                    .derivedName, "the event `\(event.name)` would hide a member that every category has in code", at: event.place.range,
                    notes: [.help("choose another name, such as `show_\(event.name)`")])
            }
        }
        checkNestedTypes(category.events.flatMap { $0.columns.filter(\.type.isEnumeration) })
    }

    mutating func checkNames(of common: CommonColumns) {
        checkColumns(common.columns)
        checkNestedTypes(common.columns)
    }

    private mutating func checkColumns(_ columns: [Column]) {
        unique(
            columns.indices.map { Named(name: columns[$0].name, place: columns[$0].place, isRetired: columns[$0].status == .retired) },
            rule: .duplicateColumn, what: "column")
        for index in columns.indices where ReservedColumns.names.contains(columns[index].name) || columns[index].type.isEnumeration {
            let column = columns[index]
            if ReservedColumns.names.contains(column.name) {
                report(
                    .reservedColumn, "`\(column.name)` is reserved: every record has its own field of that name", at: column.place.range,
                    notes: [.help("choose another name, such as `target_\(column.name)`")])
            }
            if case .enumeration(let enumeration) = column.type.element {
                checkCaseNames(enumeration.values.map { ($0, column.typePlace) })
            }
        }
    }

    /// What must be unique under its parent.
    private struct Named {
        var name: String
        var place: Place
        var isRetired: Bool
    }

    private mutating func unique(_ names: [Named], rule: Rule, what: String) {
        // Most lists are short: looking back beats hashing, until it does not.
        if names.count <= 12 {
            for (index, later) in names.enumerated() {
                if let first = names[..<index].first(where: { $0.name == later.name }) {
                    reportDuplicate(later, first, rule: rule, what: what)
                }
            }
        } else {
            var seen: [String: Named] = [:]
            for later in names {
                if let first = seen[later.name] {
                    reportDuplicate(later, first, rule: rule, what: what)
                } else {
                    seen[later.name] = later
                }
            }
        }
        var derived: [UInt64: Int] = [:]
        derived.reserveCapacity(names.count)
        for (index, entry) in names.enumerated() {
            guard let first = derived.updateValue(index, forKey: SwiftNames.memberNameHash(entry.name)).map({ names[$0] }),
                first.name != entry.name
            else { continue }
            let swift = SwiftNames.memberName(entry.name)
            guard SwiftNames.memberName(first.name) == swift else { continue }
            report(
                .derivedName, "`\(entry.name)` and `\(first.name)` both become `\(swift)` in code", at: entry.place.range,
                notes: [.note("`\(first.name)` is here", at: first.place)])
        }
    }

    private mutating func reportDuplicate(
        _ later: Named, _ first: Named, rule: Rule, what: String
    ) {
        if first.isRetired != later.isRetired {
            report(
                rule, "the \(what) `\(later.name)` is retired, and its name stays reserved", at: later.place.range,
                notes: [
                    .note(first.isRetired ? "it is retired here" : "it is defined here", at: first.place),
                    .help("choose a new name"),
                ])
        } else {
            let help: [Diagnostic.Note] =
                rule == .duplicateEvent ? [.help("in a table of events, leave the event's cell empty to continue the event above")] : []
            report(
                rule, "the \(what) `\(later.name)` is defined twice", at: later.place.range,
                notes: [.note("the first one is here", at: first.place)] + help)
        }
    }

    /// Enumerations written in a column become types nested in the category's, named after the column.
    private mutating func checkNestedTypes(_ columns: [Column]) {
        var seen: [String: Column] = [:]
        for index in columns.indices where columns[index].type.isEnumeration && columns[index].status != .retired {
            let column = columns[index]
            let name = SwiftNames.typeName(column.name)
            if let first = seen[name] {
                // Another column of the same name has the same type, or `column-type` speaks of it.
                guard first.name != column.name || first.type.element != column.type.element else { continue }
                report(
                    .derivedName, "the values of `\(column.name)` and `\(first.name)` both become a type `\(name)`", at: column.place.range,
                    notes: [.note("`\(first.name)` is here", at: first.place), .help("declare the enumeration in `types.md`")])
                continue
            }
            seen[name] = column
            if SwiftNames.reservedNestedTypeNames.contains(name) {
                report(
                    .derivedName, "the values of `\(column.name)` become a type `\(name)`, which generated code or the runtime has already",
                    at: column.place.range, notes: [.help("declare the enumeration in `types.md` under another name, or rename the column")])
            } else if SwiftNames.metatypeNames.contains(name) {
                report(
                    .derivedName, "the values of `\(column.name)` become a type `\(name)`, which Swift takes for a metatype within another type",
                    at: column.place.range, notes: [.help("declare the enumeration in `types.md` under another name, or rename the column")])
            }
        }
    }

    mutating func checkCaseNames(_ values: [(value: String, place: Place)]) {
        checkConfusable(values, what: "values")
        var seen: [ExactText: (value: String, place: Place)] = [:]
        for entry in values {
            guard let name = SwiftNames.caseName(forValue: entry.value) else { continue }
            if let first = seen[ExactText(name)], !first.value.isExactly(entry.value) {
                report(
                    .derivedName, "the values `\(entry.value)` and `\(first.value)` both become `\(name)` in code", at: entry.place.range,
                    notes: [.note("`\(first.value)` is here", at: first.place)])
            } else if SwiftNames.protocolMemberNames.contains(name) {
                report(
                    .derivedName, "the value `\(entry.value)` becomes `\(name)`, which the generated type has already", at: entry.place.range)
            }
            seen[ExactText(name)] = seen[ExactText(name)] ?? entry
        }
    }
}

extension FileParser {
    /// Says which texts differ from an earlier one only as people do not see. What differs by normalisation alone is one value to Swift's
    /// `String`; what becomes one Swift name is `derived-name`'s.
    mutating func checkConfusable(_ texts: [(value: String, place: Place)], what: String) {
        var seen: [String: (value: String, place: Place)] = [:]
        for entry in texts {
            if let hidden = Self.hiddenAtAnEnd(of: entry.value) {
                report(
                    .confusable, "`\(entry.value)` holds \(ScalarNames.described(hidden)), that nobody sees", at: entry.place.range,
                    notes: [.help("remove it")])
            }
            guard let first = seen.updateValue(entry, forKey: Confusable.folded(entry.value)),
                let difference = Confusable.difference(first.value, entry.value)
            else { continue }
            let isValue = what == "values"
            let names = isValue ? [first.value, entry.value].map { SwiftNames.caseName(forValue: $0).map { ExactText($0) } } : []
            let isOneInSwift = isValue && first.value == entry.value
            if isValue, !isOneInSwift, names[0] == names[1] { continue }
            report(
                isOneInSwift ? .derivedName : .confusable,
                "the \(what) `\(first.value)` and `\(entry.value)` differ only \(difference)"
                    + (isOneInSwift ? ", and are one to Swift's `String`" : ""),
                at: entry.place.range,
                notes: [.note("`\(first.value)` is here", at: first.place), .help("write both alike, or choose words that differ to the eye")])
        }
    }
}

extension FileParser {
    /// A blank at an end that only programs see, or a character that has no width anywhere; joiners, which emoji need, are none.
    private static func hiddenAtAnEnd(of text: String) -> Unicode.Scalar? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        let scalars = text.unicodeScalars
        let blanks: [Unicode.Scalar] = ["\u{A0}", "\u{3000}", "\u{202F}", "\u{205F}"]
        return [scalars.first, scalars.last].compactMap { $0 }.first { blanks.contains($0) }
            ?? scalars.first { ["\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{200E}", "\u{200F}"].contains($0) }
    }
}

/// Column names that records or their stores use themselves.
package enum ReservedColumns {
    package static let names: Set<String> = [
        "event_id", "event_name", "event_category", "schema_version", "occurred_at", "violations", "log_id", "id",
    ]
}
