import LogDefinitions

/// Expressions that say what a value in a record breaks. A value is its JSON text, as it stands in the record.
///
/// The rules, and their names, are those of `loggen validate`. One more is a warehouse's own: `storage`, for a value
/// that keeps its definition and that the column's type cannot hold.
struct SQLChecks {
    let dialect: SQLDialect
    private let patterns: JSONPatterns

    init(_ dialect: SQLDialect) {
        self.dialect = dialect
        patterns = JSONPatterns(dialect)
    }

    /// The rule that is not `loggen validate`'s.
    static let storage = "storage"

    /// A list of texts: `column: rule` for each rule that the value breaks. The value of a column is not `null`.
    /// - Parameters:
    ///   - value: an expression, which is used many times.
    ///   - depth: how many lists are around it.
    func broken(
        _ value: String, _ type: LogValueType, column: String, isStored: Bool = true, isFilled: Bool = false, depth: Int = 0
    ) -> String {
        func says(_ rule: String) -> String { dialect.list(ofTexts: ["\(column): \(rule)"]) }
        let none = dialect.noTexts
        let isText = dialect.begins(value, "\"")
        var cases: [(when: String, then: String)] = []
        switch type {
        case .string(let limits):
            if let most = limits.maxLength {
                // Escapes only make a text longer than it is.
                cases.append(
                    (
                        "\(isText) AND \(dialect.length(value)) > \(most + 2)",
                        choice([("\(dialect.length(text(value))) > \(most)", says("maxLength"))], otherwise: storage(value, says, none, isStored))
                    ))
            } else if let most = limits.maxBytes {
                cases.append(
                    (
                        "\(isText) AND \(dialect.bytes(value)) > \(most + 2)",
                        choice([("\(dialect.bytes(text(value))) > \(most)", says("maxBytes"))], otherwise: storage(value, says, none, isStored))
                    ))
            }
            if isFilled { cases.append(("\(value) = '\"\"'", says("minLength"))) }
            cases.append((isText, storage(value, says, none, isStored)))
            return choice(cases, otherwise: says("type"))
        case .integer(let integer): return self.integer(value, integer, cases, says)
        case .number(let number): return self.number(value, number, cases, says)
        case .boolean:
            cases.append(("\(value) IN ('true', 'false')", none))
            return choice(cases, otherwise: says("type"))
        case .decimal(let decimal): return formatted(value, SchemaPattern.decimal(decimal), cases, says("pattern"), says("type"))
        case .date:
            return formatted(value, SchemaPattern.date, cases, says("format"), says("type"), storage: years(value), says(Self.storage))
        case .timestamp:
            return formatted(value, SchemaPattern.timestamp, cases, says("format"), says("type"), storage: years(value), says(Self.storage))
        case .uuid: return formatted(value, SchemaPattern.uuid, cases, says("format"), says("type"))
        case .url: return formatted(value, SchemaPattern.url, cases, says("format"), says("type"))
        case .enumeration(let enumeration):
            // In JSON's text, a backslash begins an escape.
            let plain = enumeration.values.filter { value in !value.utf8.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") } }
            if !plain.isEmpty {
                cases.append(("\(value) IN (\(plain.map { dialect.literal("\"\($0)\"") }.joined(separator: ", ")))", none))
            }
            if !enumeration.values.isEmpty {
                cases.append(
                    (
                        "\(isText) AND \(dialect.contains(value, text: "\\")) AND \(text(value)) IN (\(enumeration.values.map(dialect.literal).joined(separator: ", ")))",
                        none
                    ))
            }
            cases.append((isText, says("enum")))
            return choice(cases, otherwise: says("type"))
        case .array(let list):
            let item = "x\(depth)"
            var parts = [
                dialect.distinct(
                    dialect.flatMap(
                        items(value), item,
                        broken(item, list.items, column: column, isStored: isStored, isFilled: isFilled, depth: depth + 1)))
            ]
            if let fewest = list.minItems, fewest > 0 {
                parts.append(choice([("\(dialect.count(items(value))) < \(fewest)", says("minItems"))], otherwise: none))
            }
            if let most = list.maxItems {
                parts.append(choice([("\(dialect.count(items(value))) > \(most)", says("maxItems"))], otherwise: none))
            }
            cases.append(
                (dialect.begins(value, "["), depth == 0 && parts.count > 1 ? dialect.distinct(dialect.joined(parts)) : dialect.joined(parts)))
            return choice(cases, otherwise: says("type"))
        case .named(let named):
            if let base = named.base {
                return broken(value, base, column: column, isStored: isStored, isFilled: isFilled, depth: depth)
            }
            // A type of the app that the documents know by name alone: any text, number or boolean.
            if depth > 0 { cases.append(("\(value) = 'null'", says("type"))) }
            cases.append(("\(dialect.begins(value, "[")) OR \(dialect.begins(value, "{"))", says("type")))
            cases.append((isText, storage(value, says, none, isStored)))
            return choice(cases, otherwise: none)
        }
    }

    /// What a record's `schema_version` breaks.
    func brokenVersion(_ value: String, column: String) -> String {
        formatted(
            value, SchemaPattern.schemaVersion, [], dialect.list(ofTexts: ["\(column): pattern"]), dialect.list(ofTexts: ["\(column): type"]))
    }

    /// The first of some results whose condition holds.
    func choice(_ cases: [(when: String, then: String)], otherwise: String) -> String {
        // A CASE without a WHEN is no SQL.
        if cases.isEmpty { return otherwise }
        return (["CASE"] + cases.flatMap { [" WHEN ", $0.when, " THEN ", $0.then] } + [" ELSE ", otherwise, " END"]).joined()
    }

    // MARK: Texts

    /// The text that a JSON text of a cleaned record stands for.
    func text(_ value: String) -> String {
        // Its texts have no U+0000; another character of one byte is as long.
        let escaped = dialect == .postgresql ? "replace(\(value), '\\u0000', '\\u0001')" : value
        return "CASE WHEN \(dialect.contains(value, text: "\\")) THEN \(dialect.unescaped(escaped)) ELSE \(dialect.inside(value)) END"
    }

    /// What stands in a cleaned record for half a surrogate pair. It counts as one character and as three bytes, as the
    /// half does. Written in this way it stands for nothing else.
    private static let half = #"\uFfFd"#

    /// A record in which each backslash begins an escape of another character, and no half of a surrogate pair stands
    /// alone: readers of JSON refuse it. Nearly every record is clean as it is.
    func cleaned(_ record: String) -> String {
        let even = dialect.replaced(record, #"\\\\"#, by: dialect.written(#"\u005c"#))
        let unmarked = dialect.replaced(even, #"\\uFfFd"#, by: dialect.written(#"\ufffd"#))
        let pair = #"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"#
        let marked = dialect.replaced(unmarked, pair, by: dialect.written(#"\p"#) + #"\1\2"#)
        let whole = dialect.replaced(marked, #"\\u[dD][89a-fA-F][0-9a-fA-F]{2}"#, by: dialect.written(Self.half))
        let clean = dialect.replaced(
            whole, #"\\p([0-9a-fA-F]{4})([0-9a-fA-F]{4})"#, by: dialect.written(#"\u"#) + #"\1"# + dialect.written(#"\u"#) + #"\2"#)
        var parts = [#"\ud"#, #"\uD"#, Self.half]
        if dialect == .postgresql { parts.append(#"\u0000"#) }
        return choice([(parts.map { dialect.contains(record, text: $0) }.joined(separator: " OR "), clean)], otherwise: record)
    }

    /// What a column of texts cannot hold: half a surrogate pair, which is no UTF-8; in PostgreSQL, U+0000.
    private func storage(_ value: String, _ says: (String) -> String, _ none: String, _ isStored: Bool) -> String {
        guard isStored else { return none }
        var condition = dialect.contains(value, text: Self.half)
        if dialect == .postgresql { condition += " OR " + dialect.contains(value, text: #"\u0000"#) }
        return choice([(condition, says(Self.storage))], otherwise: none)
    }

    private func formatted(
        _ value: String, _ pattern: String, _ cases: [(when: String, then: String)], _ broken: String, _ type: String, storage: String? = nil,
        _ stored: String = ""
    ) -> String {
        // The pattern stands between `^` and `$`.
        let quoted = "^\"(?:\(pattern.dropFirst().dropLast()))\"$"
        let text = "CASE WHEN \(dialect.contains(value, text: "\\")) THEN \(dialect.concat(["'\"'", self.text(value), "'\"'"])) ELSE \(value) END"
        let isText = dialect.begins(value, "\"")
        let fine = storage.map { choice([($0, stored)], otherwise: dialect.noTexts) } ?? dialect.noTexts
        return choice(
            cases + [("\(isText) AND \(dialect.matches(text, quoted))", fine), (isText, broken)], otherwise: type)
    }

    /// Whether a date's year is one that the dialect's dates do not have.
    private func years(_ value: String) -> String? {
        let year = dialect.part(text(value), from: 1, count: "4")
        switch dialect {
        case .duckdb, .spark, .snowflake: return nil
        case .postgresql, .bigquery: return "\(year) = '0000'"
        case .clickhouse: return "\(year) NOT BETWEEN '1900' AND '2299'"
        }
    }

    // MARK: Numbers

    private func integer(
        _ value: String, _ integer: LogValueType.Integer, _ cases: [(when: String, then: String)], _ says: (String) -> String
    ) -> String {
        let range = integer.range
        func compared(_ number: String) -> String {
            choice(
                [("\(number) < \(bound(range.lowerBound))", says("minimum")), ("\(number) > \(bound(range.upperBound))", says("maximum"))],
                otherwise: dialect.noTexts)
        }
        let beyond = choice([(dialect.begins(value, "-"), says("minimum"))], otherwise: says("maximum"))
        let double = dialect.double(value)
        let most = dialect.cast("'1.7976931348623157e308'", dialect.doubleType)
        let fraction = choice(
            [
                ("abs(\(double)) > \(most)", says("type")),
                ("\(double) >= \(dialect.cast("'9223372036854775808'", dialect.doubleType))", says("maximum")),
                ("\(double) < \(dialect.cast("'-9223372036854775808'", dialect.doubleType))", says("minimum")),
                // Larger ones are all whole; Spark's `floor` does not take them.
                ("floor(\(double)) <> \(double)", says("type")),
            ], otherwise: compared(dialect.cast(double, dialect.bigintType)))
        return choice(
            cases + [
                (dialect.matches(value, "^-?[0-9]{1,18}$"), compared(dialect.cast(value, dialect.bigintType))),
                (
                    dialect.matches(value, "^-?[0-9]+$"),
                    choice([("\(dialect.length(value)) <= 20", compared(dialect.cast(value, dialect.wideType)))], otherwise: beyond)
                ),
                (dialect.matches(value, "^[-0-9]"), fraction),
            ], otherwise: says("type"))
    }

    /// A bound as a literal. The least number of 64 bits is none in most dialects.
    func bound(_ bound: Int64) -> String { bound == .min ? "(-9223372036854775807 - 1)" : "\(bound)" }

    private func number(
        _ value: String, _ number: LogValueType.Number, _ cases: [(when: String, then: String)], _ says: (String) -> String
    ) -> String {
        var bounds: [(when: String, then: String)] = []
        for (bound, sign, rule) in [(number.minimum, "<", "minimum"), (number.maximum, ">", "maximum")] {
            guard let bound, bound.isFinite else { continue }
            let literal = dialect.cast("'\(bound)'", dialect.doubleType)
            var condition = "\(dialect.double(value)) \(sign) \(literal)"
            if bound.magnitude >= 9_007_199_254_740_992, let exact = Int64(exactly: bound) {
                // Whole numbers of up to 19 digits are compared exactly, everything else as the nearest double.
                let isExact = dialect.matches(value, "^-?[0-9]{1,19}$")
                condition =
                    "CASE WHEN \(isExact) THEN \(dialect.cast(value, dialect.wideType)) \(sign) \(dialect.cast("'\(exact)'", dialect.wideType)) ELSE \(condition) END"
            }
            bounds.append((condition, says(rule)))
        }
        let fine = bounds.isEmpty ? dialect.noTexts : choice(bounds, otherwise: dialect.noTexts)
        return choice(cases + [(dialect.matches(value, "^[-0-9]"), fine)], otherwise: says("type"))
    }

    // MARK: Lists

    /// The items of a list, as they stand there.
    func items(_ value: String) -> String { dialect.matchesOf(dialect.inside(value), patterns.item) }
}

extension SQLDialect {
    /// A text in a replacement, where a backslash is an escape of its own.
    func written(_ text: String) -> String { text.replacingOccurrences("\\", "\\\\") }
}
