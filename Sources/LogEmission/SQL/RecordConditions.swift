import LogDefinitions

/// Conditions for records that keep their definition, on the values that DuckDB's reader of JSON takes out of a flat
/// record. They tell nearly every good record without a look at its names one by one; for what they do not tell, the
/// check looks closer. So they may be narrower than the definition, and never wider.
///
/// The values are in two lists of JSON texts: `shared`, of the columns that most versions have, and `own`, of the others
/// of the record's version. What most versions have is judged for all records at once: DuckDB takes a look at a thousand
/// values in hardly more time than at ten.
struct RecordConditions {
    private struct Shared {
        var name: String
        var type: LogValueType
        /// Whether every version has it and requires it.
        var isRequired: Bool
    }

    /// A column that most versions do not have, by its place among those.
    private struct Own: Hashable {
        var number: Int
        var type: LogValueType
        var isRequired: Bool
    }

    private let dialect = SQLDialect.duckdb
    private let checks = SQLChecks(.duckdb)
    private let shared: [Shared]
    private let sharedNames: Set<String>
    /// For each category its versions, each with what stands in its records besides what is shared.
    private let categories: [(name: String, versions: [(event: EventDescription, version: EventDescription.Version)])]

    init(_ events: [EventDescription]) {
        let named = events.flatMap { event in
            event.versions.filter { !$0.isRetired && RecordPatterns.canName($0) }.map { (event: event, version: $0) }
        }
        let simple = named.filter {
            RecordPatterns.literal($0.event.category) != nil && RecordPatterns.literal($0.event.name) != nil
                && RecordPatterns.literal($0.version.text) != nil
        }
        categories = Dictionary(grouping: simple, by: \.event.category).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        var columns: [(name: String, type: LogValueType, count: Int, required: Int, isOne: Bool)] = []
        var numbers: [String: Int] = [:]
        for (_, version) in simple {
            for column in version.columns {
                guard let number = numbers[column.name] else {
                    numbers[column.name] = columns.count
                    columns.append((column.name, column.type, 1, column.isRequired ? 1 : 0, true))
                    continue
                }
                columns[number].count += 1
                columns[number].required += column.isRequired ? 1 : 0
                // Nearly all types are the first one, and equal without a look at what they mean.
                guard columns[number].isOne, columns[number].type != column.type else { continue }
                columns[number].isOne = columns[number].type.shape == column.type.shape
            }
        }
        let common = columns.filter { $0.isOne && $0.count * 2 > simple.count }.map {
            Shared(name: $0.name, type: $0.type, isRequired: $0.required == simple.count)
        }
        shared =
            [
                Shared(name: "event_category", type: .string(.init()), isRequired: true),
                Shared(name: "event_name", type: .string(.init()), isRequired: true),
                Shared(name: "schema_version", type: .string(.init()), isRequired: true),
                Shared(name: "event_id", type: .uuid, isRequired: true),
                Shared(name: "occurred_at", type: .timestamp, isRequired: true),
                Shared(name: SQLScript.samplingRate, type: SQLScript.share, isRequired: false),
            ] + common
        sharedNames = Set(shared.map(\.name))
    }

    /// Whether there is a version that has them.
    var isEmpty: Bool { categories.isEmpty }

    // MARK: Values

    /// The values of the columns that most versions have, of a record that is flat.
    var sharedValues: String { values(shared.map(\.name)) }

    /// What the record says of its category, its event and its version.
    var said: [String] { (1...3).map { dialect.inside("shared[\($0)]") } }

    /// The values of the other columns of the version that the record names; NULL if there is none.
    var ownValues: String {
        choice { _, version in
            let names = own(version).map(\.name)
            return names.isEmpty ? dialect.noTexts : values(names)
        } otherwise: {
            "NULL"
        }
    }

    private func values(_ names: [String]) -> String {
        "json_extract(record, [\(names.map { dialect.literal("$.\"\($0)\"") }.joined(separator: ", "))])::VARCHAR[]"
    }

    private func own(_ version: EventDescription.Version) -> [EventDescription.Column] {
        version.columns.filter { !sharedNames.contains($0.name) }
    }

    private func choice(_ then: (EventDescription, EventDescription.Version) -> String, otherwise: () -> String) -> String {
        checks.choice(
            categories.map { name, versions in
                let cases = versions.map { event, version in
                    (
                        when: "said_event = \(dialect.literal(event.name)) AND said_version = \(dialect.literal(version.text))",
                        then: then(event, version)
                    )
                }
                return ("said_category = \(dialect.literal(name))", checks.choice(cases, otherwise: otherwise()))
            }, otherwise: otherwise())
    }

    // MARK: Conditions

    /// Whether a flat record is good: it has as many names as were found of those of its version, and so no name twice
    /// and none that is undeclared; and each value is one of its column's.
    var isGood: String {
        let all = shared.enumerated().map { number, column -> String in
            let value = "shared[\(number + 1)]"
            switch number {
            // They are compared with the names of a version.
            case 0..<3: return dialect.begins(value, "\"")
            // It may be left out, and not be null.
            case 5: return "(\(value) IS NULL OR \(condition(value, column.type)))"
            default: return condition(value, column.type, isRequired: column.isRequired)
            }
        }
        // Versions have few types, and their conditions are long.
        var known: [Own: String] = [:]
        let ofVersion = choice { _, version in
            let columns = Dictionary(version.columns.map { ($0.name, $0.isRequired) }, uniquingKeysWith: { first, _ in first })
            var conditions = shared.enumerated().dropFirst(6).compactMap { number, column -> String? in
                let value = "shared[\(number + 1)]"
                guard let isRequired = columns[column.name] else { return "\(value) IS NULL" }
                return isRequired && !column.isRequired ? "\(value) <> 'null'" : nil
            }
            for (number, column) in own(version).enumerated() {
                let own = Own(number: number, type: column.type, isRequired: column.isRequired)
                let condition = known[own] ?? condition("own[\(number + 1)]", column.type, isRequired: column.isRequired)
                known[own] = condition
                conditions.append(condition)
            }
            return conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        } otherwise: {
            "FALSE"
        }
        let isWhole = "list_count(shared) + list_count(own) = name_count"
        return "coalesce(is_flat AND \(isWhole) AND \(all.joined(separator: " AND ")) AND \(ofVersion), FALSE)"
    }

    private func condition(_ value: String, _ type: LogValueType, isRequired: Bool) -> String {
        let condition = self.condition(value, type)
        return isRequired ? condition : "(\(value) IS NULL OR \(value) = 'null' OR \(condition))"
    }

    /// Whether a value keeps its type; false or NULL if that is not sure. Its text is as DuckDB writes JSON.
    private func condition(_ value: String, _ type: LogValueType) -> String {
        switch type {
        case .string(let limits):
            let isText = dialect.begins(value, "\"")
            // Escapes only make a text longer than it is.
            if let most = limits.maxLength { return "\(isText) AND \(dialect.length(value)) <= \(most + 2)" }
            return isText + (limits.maxBytes.map { " AND \(dialect.bytes(value)) <= \($0 + 2)" } ?? "")
        case .integer(let integer):
            let number = "TRY_CAST(\(value) AS BIGINT)"
            return "\(number)::VARCHAR = \(value) AND \(number) BETWEEN \(checks.bound(integer.range.lowerBound)) AND \(integer.range.upperBound)"
        case .number(let number):
            // Beyond these, a whole number is not always the double that is nearest to it.
            let limit = 9_007_199_254_740_991.0
            let bounds = [(number.minimum, ">="), (number.maximum, "<=")].compactMap { bound, sign in
                bound.flatMap { $0.isFinite ? "\(sign) CAST('\(min(max($0, -limit), limit))' AS DOUBLE)" : nil }
            }
            let double = "TRY_CAST(\(value) AS DOUBLE)"
            return bounds.isEmpty ? "\(double) IS NOT NULL" : bounds.map { "\(double) \($0)" }.joined(separator: " AND ")
        case .boolean: return "\(value) IN ('true', 'false')"
        case .enumeration(let enumeration) where enumeration.values.contains { RecordPatterns.literal($0) != nil }:
            let values = enumeration.values.compactMap(RecordPatterns.literal)
            return "\(value) IN (\(values.map { dialect.literal("\"\($0)\"") }.joined(separator: ", ")))"
        case .named(let named):
            if let base = named.base { return condition(value, base) }
            // In a flat record, the others are lists.
            return "\(value) <> 'null' AND NOT \(dialect.begins(value, "["))"
        case .array(let list):
            if let pattern = pattern(list) { return dialect.matches(value, "^\(pattern)$") }
        default: if let pattern = pattern(type) { return dialect.matches(value, "^\(pattern)$") }
        }
        return dialect.isEmpty(checks.broken(value, type, column: ""))
    }

    /// A pattern of the values of a list without blanks; nil if it has none, or one that RE2 would find large.
    private func pattern(_ list: LogValueType.List) -> String? {
        let least = list.minItems ?? 0
        let most = list.maxItems ?? Self.mostRepetitions
        guard most != 0, most <= Self.mostRepetitions, least <= most, let item = pattern(list.items) else { return nil }
        let others = "(?:,\(item)){\(max(least - 1, 0)),\(list.maxItems.map { String($0 - 1) } ?? "")}"
        return "\\[" + (least > 0 ? item + others : "(?:\(item)\(others))?") + "\\]"
    }

    private static let mostRepetitions = 20

    private func pattern(_ type: LogValueType) -> String? {
        switch type {
        case .string(let limits):
            if limits.maxLength == nil, limits.maxBytes == nil { return #""[^"\\]*(?:\\.[^"\\]*)*""# }
            // Of four bytes at most is a character.
            guard let most = limits.maxLength ?? limits.maxBytes.map({ $0 / 4 }), most <= Self.mostRepetitions else { return nil }
            return "\"[^\"\\\\]{0,\(most)}\""
        case .integer(let integer): return IntegerPattern.text(integer.range)
        case .boolean: return "(?:true|false)"
        case .decimal(let decimal): return quoted(SchemaPattern.decimal(decimal))
        case .date: return quoted(SchemaPattern.date)
        case .timestamp: return quoted(SchemaPattern.timestamp)
        case .uuid: return quoted(SchemaPattern.uuid)
        case .url: return quoted(SchemaPattern.url)
        case .enumeration(let enumeration):
            let values = enumeration.values.compactMap(RecordPatterns.literal)
            return values.isEmpty ? nil : "\"(?:\(values.joined(separator: "|")))\""
        case .named(let named): return named.base.flatMap(pattern)
        case .number, .array: return nil
        }
    }

    private func quoted(_ pattern: String) -> String { "\"(?:\(pattern.dropFirst().dropLast()))\"" }
}
