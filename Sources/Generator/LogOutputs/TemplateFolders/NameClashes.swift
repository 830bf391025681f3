import LogDefinitions

/// Finds names that become equal identifiers in an output's language.
struct NameClashes {
    let output: String
    let identifiers: Identifiers
    /// Indicates whether an enumeration with the identifier of an event is inside of that event.
    let nestsEnumerations: Bool
    private var diagnostics: [Diagnostic] = []
    /// Indicates whether names with different letters or digits always become different identifiers. True if the
    /// strings around escaped keywords contain neither letters nor digits.
    private let keepsLetters: Bool

    init(output: String, identifiers: Identifiers, nestsEnumerations: Bool) {
        self.output = output
        self.identifiers = identifiers
        self.nestsEnumerations = nestsEnumerations
        keepsLetters = (identifiers.escape.before + identifiers.escape.after).utf8.allSatisfy { byte in
            byte < 0x80 && !(0x61...0x7A).contains(byte | 0x20) && !(0x30...0x39).contains(byte)
        }
    }

    private typealias Named = (name: String, kind: NameKind, place: Place)

    mutating func find(in definitions: Definitions) -> [Diagnostic] {
        let types = definitions.types.filter(\.isDeclared)
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

    // Columns are accessed by index, because a column is a large value.

    private func enumerations(_ lists: [[Column]]) -> [Named] {
        var seen: Set<ExactString> = []
        var found: [Named] = []
        for columns in lists {
            for index in columns.indices {
                guard columns[index].status != .retired, columns[index].type.isEnumeration,
                    seen.insert(ExactString(columns[index].name)).inserted
                else { continue }
                found.append((columns[index].name, .enumeration, columns[index].place))
            }
        }
        return found
    }

    private mutating func checkColumns(_ columns: [Column]) {
        let active = columns.indices.filter { columns[$0].status != .retired }
        check(active.map { (columns[$0].name, .column, columns[$0].place) })
        for index in active {
            if case .enumeration(let enumeration) = columns[index].type.element, enumeration.values.count > 1 {
                check(enumeration.values.map { ($0, .value, columns[index].typePlace) })
            }
        }
    }

    /// Returns whether the names are known to differ by letters and digits, ignoring case. Such names, which are nearly
    /// all, stay different in every case style.
    private static func differByLetters(_ names: [Named]) -> Bool {
        guard names.count <= 32 else { return false }
        var seen: [UInt64] = []
        for named in names {
            guard let folded = folded(named.name), !seen.contains(folded) else { return false }
            seen.append(folded)
        }
        return true
    }

    /// Returns a hash (FNV-1a) of a name's letters and digits, ignoring case. Nil if it has none, or if it has
    /// characters outside ASCII.
    private static func folded(_ name: String) -> UInt64? {
        var (hash, count): (UInt64, Int) = (0xCBF2_9CE4_8422_2325, 0)
        for byte in name.utf8 {
            guard byte < 0x80 else { return nil }
            let letter = byte | 0x20
            guard (0x61...0x7A).contains(letter) || (0x30...0x39).contains(byte) else { continue }
            hash = (hash ^ UInt64(letter)) &* 0x100_0000_01B3
            count += 1
        }
        return count == 0 ? nil : hash
    }

    /// Checks the scope of a category.
    private mutating func check(events: [Named], _ enumerations: [Named]) {
        guard nestsEnumerations, !(keepsLetters && Self.differByLetters(events + enumerations)) else {
            return check(events + enumerations)
        }
        let identifiers = Set(events.map { ExactString(self.identifiers.identifier($0.name, $0.kind)) })
        func isNested(_ named: Named) -> Bool {
            identifiers.contains(ExactString(self.identifiers.identifier(named.name, named.kind)))
        }
        check(events + enumerations.filter { !isNested($0) })
        check(enumerations.filter(isNested))
    }

    /// Checks that the names of one scope are different.
    private mutating func check(_ names: [Named]) {
        guard names.count > 1, !(keepsLetters && Self.differByLetters(names)) else { return }
        let written = names.map { identifiers.identifier($0.name, $0.kind) }
        let ignoresCase = names.contains { identifiers.classes.contains($0.kind) }
        let compared = ignoresCase ? written.map { $0.lowercased() } : written
        // Few names, as in nearly all scopes, are compared faster than hashed.
        if names.count <= 16 {
            let clashes = compared.indices.contains { index in
                compared[..<index].contains { $0.isExactly(compared[index]) }
            }
            if !clashes { return }
        }
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
