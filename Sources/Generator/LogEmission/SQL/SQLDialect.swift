import LogDefinitions

/// A warehouse's SQL. Everything that one warehouse writes differently from another is in this type's extensions; what
/// is written the same everywhere is in the types that use it.
package enum SQLDialect: String, Sendable, CaseIterable {
    case duckdb, spark, postgresql, bigquery, snowflake, clickhouse

    /// As its makers write it.
    package var title: String {
        switch self {
        case .duckdb: "DuckDB"
        case .spark: "Spark"
        case .postgresql: "PostgreSQL"
        case .bigquery: "BigQuery"
        case .snowflake: "Snowflake"
        case .clickhouse: "ClickHouse"
        }
    }
}

// MARK: Names and texts

extension SQLDialect {
    /// The most bytes that a name has. PostgreSQL cuts longer ones without a word, so names are cut here, and alike for
    /// all warehouses.
    static let longestName = 63

    /// A name that every warehouse takes: a longer one ends in a number made from all of it.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return String(decoding: name.utf8.prefix(longestName - 9), as: UTF8.self) + "_" + TextLanguage.hex(hash, digits: 8)
    }

    /// A name in the quotation marks of the dialect. Snowflake makes capitals of names without them, so a name is in
    /// capitals there: people may write it without quotation marks.
    func name(_ name: String) -> String {
        var name = Self.shortened(name)
        // Each of PostgreSQL's tables has these columns of its own.
        if self == .postgresql, ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"].contains(name) { name += "_" }
        switch self {
        case .duckdb, .postgresql: return quoted(name, UInt8(ascii: "\""))
        case .snowflake: return quoted(name.uppercased(), UInt8(ascii: "\""))
        case .spark: return quoted(name, UInt8(ascii: "`"))
        case .bigquery, .clickhouse: return "`" + name.replacingOccurrences("\\", "\\\\").replacingOccurrences("`", "\\`") + "`"
        }
    }

    func name(_ member: RecordEnvelope) -> String { name(member.name) }

    /// A text between marks. A mark in it stands there twice.
    private func quoted(_ text: String, _ mark: UInt8) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(mark) else { return String(bytes, between: mark) }
            return String(decoding: [mark] + bytes.flatMap { $0 == mark ? [mark, mark] : [$0] } + [mark], as: UTF8.self)
        }
    }

    /// A text as a literal. It never holds a line end or U+0000.
    func literal(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            // Most texts are names, with nothing to be escaped. 0 means that there is something: a loop of this form looks at 16
            // bytes at once.
            var (special, escaped): (UInt8, UInt8) = (.max, .max)
            for byte in bytes {
                special = min(special, byte, byte ^ UInt8(ascii: "'"))
                escaped = min(escaped, byte & 0xE0, byte ^ UInt8(ascii: "$"))
                escaped = min(escaped, byte ^ UInt8(ascii: "\\"))
            }
            if special != 0, escaped != 0 || !escapes { return String(bytes, between: UInt8(ascii: "'")) }
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + 16)
            result.append(UInt8(ascii: "'"))
            for byte in bytes {
                switch byte {
                case 0: result += "\u{FFFD}".utf8
                case UInt8(ascii: "'"): result += escapes ? [UInt8(ascii: "\\"), byte] : [byte, byte]
                case UInt8(ascii: "\\") where escapes: result += [byte, byte]
                case UInt8(ascii: "\n") where escapes: result += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
                case UInt8(ascii: "\r") where escapes: result += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
                // Spark puts the values of its settings, and of the environment, in place of `${…}`.
                case UInt8(ascii: "$") where self == .spark: result += "\\u0024".utf8
                default: result.append(byte)
                }
            }
            result.append(UInt8(ascii: "'"))
            return String(decoding: result, as: UTF8.self)
        }
    }

    /// Whether a backslash in a literal begins an escape.
    private var escapes: Bool {
        switch self {
        case .duckdb, .postgresql: false
        case .spark, .bigquery, .snowflake, .clickhouse: true
        }
    }

    /// A description as a literal: one line, without controls and marks of direction.
    /// - Parameter longest: how many characters [BigQuery](https://cloud.google.com/bigquery/quotas) takes. It refuses the
    ///   whole statement for one more.
    func commentLiteral(_ text: String, longest: Int) -> String {
        let line = TextLanguage.line(text)
        guard self == .bigquery, line.unicodeScalars.count > longest else { return literal(line) }
        return literal(String(line.unicodeScalars.prefix(longest - 1)) + "…")
    }
}

// MARK: Expressions

extension SQLDialect {
    /// The type of texts.
    var textType: String {
        switch self {
        case .duckdb, .snowflake: "VARCHAR"
        case .spark, .bigquery: "STRING"
        case .postgresql: "TEXT"
        case .clickhouse: "String"
        }
    }

    func count(_ list: String) -> String {
        switch self {
        case .duckdb: "len(\(list))"
        case .spark: "size(\(list))"
        case .postgresql: "cardinality(\(list))"
        case .bigquery: "ARRAY_LENGTH(\(list))"
        case .snowflake: "ARRAY_SIZE(\(list))"
        case .clickhouse: "length(\(list))"
        }
    }

    /// Whether a condition holds for every item of a list; of a list that is NULL, nobody asks.
    func every(_ list: String, _ item: String, _ condition: String) -> String {
        switch self {
        case .duckdb: "len(list_filter(\(list), lambda \(item): not (\(condition)))) = 0"
        case .spark: "forall(\(list), \(item) -> \(condition))"
        case .postgresql, .bigquery: "not exists (select 1 from unnest(\(list)) as \(item) where not (\(condition)))"
        case .snowflake: "ARRAY_SIZE(FILTER(\(list), \(item) -> not (\(condition)))) = 0"
        case .clickhouse: "arrayAll(\(item) -> \(condition), \(list))"
        }
    }

    /// In Unicode scalars.
    func length(_ text: String) -> String {
        switch self {
        case .duckdb, .snowflake: "LENGTH(\(text))"
        case .spark, .postgresql, .bigquery: "CHAR_LENGTH(\(text))"
        case .clickhouse: "lengthUTF8(\(text))"
        }
    }

    /// In bytes of UTF-8.
    func bytes(_ text: String) -> String {
        switch self {
        case .duckdb: "strlen(\(text))"
        case .spark, .postgresql, .snowflake: "OCTET_LENGTH(\(text))"
        case .bigquery: "BYTE_LENGTH(\(text))"
        case .clickhouse: "length(\(text))"
        }
    }

    func cast(_ text: String, _ type: String) -> String { "CAST(\(text) AS \(type))" }
}

extension String {
    /// The text with every occurrence of a part replaced, by scalars.
    func replacingOccurrences(_ part: String, _ text: String) -> String {
        var (copy, part) = (self, part)
        return copy.withUTF8 { bytes in
            part.withUTF8 { part -> String in
                guard let first = part.first, bytes.contains(first) else { return self }
                var result: [UInt8] = []
                result.reserveCapacity(bytes.count + 16)
                var index = 0
                while index < bytes.count {
                    if bytes[index] == first, bytes[index...].starts(with: part) {
                        result += text.utf8
                        index += part.count
                    } else {
                        result.append(bytes[index])
                        index += 1
                    }
                }
                return String(decoding: result, as: UTF8.self)
            }
        }
    }
}
