import LogDefinitions

/// Finds names that are the same name in an output's language.
struct NameClashes {
    let output: String
    let identifiers: Identifiers
    private var diagnostics: [Diagnostic] = []

    init(output: String, identifiers: Identifiers) {
        self.output = output
        self.identifiers = identifiers
    }

    private typealias Named = (name: String, kind: NameKind, place: Place)

    mutating func find(in definitions: Definitions) -> [Diagnostic] {
        let types = definitions.types.filter(\.isDeclared)
        check(definitions.categories.map { ($0.name, .category, $0.place) } + types.map { ($0.name, .type, $0.place) })
        for type in types {
            if case .enumeration(let values) = type.kind { check(values.map { ($0.value, .value, $0.place) }) }
        }
        for category in definitions.categories {
            let events = category.events.filter { $0.status != .retired }
            check(events.map { ($0.name, .event, $0.place) } + enumerations(events.lazy.flatMap(\.columns)))
            for event in events { checkColumns(event.columns) }
        }
        if let common = definitions.common {
            check(enumerations(common.columns))
            checkColumns(common.columns)
        }
        return diagnostics
    }

    private func enumerations(_ columns: some Sequence<Column>) -> [Named] {
        var seen: Set<ExactText> = []
        return columns.compactMap { column in
            guard column.status != .retired, TypeFacts(column.type).element.kind == .enumeration, seen.insert(ExactText(column.name)).inserted
            else { return nil }
            return (column.name, .enumeration, column.place)
        }
    }

    private mutating func checkColumns(_ columns: [Column]) {
        let active = columns.filter { $0.status != .retired }
        check(active.map { ($0.name, .column, $0.place) })
        for column in active {
            let values = TypeFacts(column.type).element.values
            if values.count > 1 { check(values.map { ($0, .value, column.typePlace) }) }
        }
    }

    /// Checks that the names of one scope are different.
    private mutating func check(_ names: [Named]) {
        guard names.count > 1 else { return }
        var seen: [ExactText: Named] = [:]
        for named in names {
            let identifier = identifiers.identifier(named.name, named.kind)
            guard let other = seen.updateValue(named, forKey: ExactText(identifier)) else { continue }
            diagnostics.append(
                Diagnostic(
                    .derivedName,
                    "the \(other.kind.word) `\(other.name)` and the \(named.kind.word) `\(named.name)` are both `\(identifier)` in the output `\(output)`",
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
