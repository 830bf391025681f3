import LogDefinitions

/// Finds names that become equal identifiers in an output's language.
struct NameClashes {
    let output: String
    let identifiers: Identifiers
    /// Indicates whether an enumeration with the identifier of an event is inside of that event.
    let nestsEnumerations: Bool
    private(set) var diagnostics: [Diagnostic] = []

    private typealias Named = (name: String, kind: NameKind, place: Place)

    mutating func find(in definitions: Definitions) -> [Diagnostic] {
        let types = definitions.types
        check(definitions.categories.map { ($0.name, .category, $0.place) } + types.map { ($0.name, .type, $0.place) })
        for type in types {
            if case .enumeration(let values) = type.kind { check(values.map { ($0.value, .value, $0.place) }) }
        }
        for category in definitions.categories {
            let events = category.events.indices.filter { category.events[$0].status != .retired }
            check(
                events: events.map { (category.events[$0].name, .event, category.events[$0].place) },
                enumerations(events.map { category.events[$0].columns }))
            for event in events { checkColumns(category.events[event].columns) }
        }
        if let common = definitions.common {
            check(enumerations([common.columns]))
            checkColumns(common.columns)
        }
        return diagnostics
    }

    private func enumerations(_ lists: [[Column]]) -> [Named] {
        FactsContext.enumerations(of: lists).map { ($0.column.name, .enumeration, $0.column.place) }
    }

    // Columns are accessed by index, because a column is a large value.

    private mutating func checkColumns(_ columns: [Column]) {
        let active = columns.indices.filter { columns[$0].status != .retired }
        check(active.map { (columns[$0].name, .column, columns[$0].place) })
        for index in active {
            if case .enumeration(let enumeration) = columns[index].type.element, enumeration.values.count > 1 {
                check(enumeration.values.map { ($0, .value, columns[index].typePlace) })
            }
        }
    }

    private mutating func check(events: [Named], _ enumerations: [Named]) {
        guard nestsEnumerations else { return check(events + enumerations) }
        let identifiers = Set(events.map { ExactString(self.identifiers.identifier($0.name, $0.kind)) })
        func isNested(_ named: Named) -> Bool {
            identifiers.contains(ExactString(self.identifiers.identifier(named.name, named.kind)))
        }
        check(events + enumerations.filter { !isNested($0) })
        check(enumerations.filter(isNested))
    }

    private mutating func check(_ names: [Named]) {
        guard names.count > 1 else { return }
        let written = names.map { identifiers.identifier($0.name, $0.kind) }
        let ignoresCase = names.contains { identifiers.classes.contains($0.kind) }
        let compared = ignoresCase ? written.map { $0.lowercased() } : written
        var seen: [ExactString: Int] = [:]
        for index in names.indices {
            guard let first = seen.updateValue(index, forKey: ExactString(compared[index])) else { continue }
            let (named, other) = (names[index], names[first])
            let isEqual = written[index].isExactly(written[first])
            diagnostics.append(
                Diagnostic(
                    .derivedName,
                    "the \(other.kind.word) `\(other.name)` and the \(named.kind.word) `\(named.name)` are "
                        + (isEqual ? "both `\(written[index])`" : "`\(written[first])` and `\(written[index])`")
                        + " in the output `\(output)`"
                        + (isEqual ? "" : ", whose compiled files are the same file if the disk ignores case"),
                    at: named.place,
                    notes: [.note("the other one is here", at: other.place), .help("choose another name")]))
        }
    }
}

extension NameKind {
    fileprivate var word: String {
        switch self {
        case .category, .event, .column, .value, .type: rawValue
        case .enumeration: "type of the column"
        }
    }
}
