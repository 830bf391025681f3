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

    /// The type of a list of texts.
    var textsType: String {
        switch self {
        case .duckdb: "VARCHAR[]"
        case .spark: "ARRAY<STRING>"
        case .postgresql: "TEXT[]"
        case .bigquery: "ARRAY<STRING>"
        case .snowflake: "ARRAY"
        case .clickhouse: "Array(String)"
        }
    }

    func list(_ items: [String]) -> String {
        switch self {
        case .spark: "array(\(items.joined(separator: ", ")))"
        case .postgresql: "ARRAY[\(items.joined(separator: ", "))]"
        case .snowflake: "ARRAY_CONSTRUCT(\(items.joined(separator: ", ")))"
        case .duckdb, .bigquery, .clickhouse: "[\(items.joined(separator: ", "))]"
        }
    }

    func list(ofTexts texts: [String]) -> String { texts.isEmpty ? noTexts : list(texts.map(literal)) }

    /// A list of no texts.
    var noTexts: String {
        switch self {
        case .duckdb: "[]::VARCHAR[]"
        case .spark: "CAST(array() AS ARRAY<STRING>)"
        case .postgresql: "'{}'::TEXT[]"
        case .bigquery: "CAST([] AS ARRAY<STRING>)"
        case .snowflake: "ARRAY_CONSTRUCT()"
        case .clickhouse: "emptyArrayString()"
        }
    }

    /// Lists of texts, one behind the other.
    func joined(_ lists: [String]) -> String {
        guard lists.count > 1, let first = lists.first else { return lists.first ?? noTexts }
        switch self {
        case .duckdb, .postgresql: return "(" + lists.joined(separator: " || ") + ")"
        case .spark: return "concat(\(lists.joined(separator: ", ")))"
        case .bigquery: return "ARRAY_CONCAT(\(lists.joined(separator: ", ")))"
        case .clickhouse: return "arrayConcat(\(lists.joined(separator: ", ")))"
        case .snowflake: return lists.dropFirst().reduce(first) { "ARRAY_CAT(\($0), \($1))" }
        }
    }

    /// Many lists of texts, one behind the other. DuckDB makes a list for each `||`.
    func flattened(_ lists: [String]) -> String {
        self == .duckdb && lists.count > 2 ? "flatten([\(lists.joined(separator: ", "))])" : joined(lists)
    }

    func isEmpty(_ list: String) -> String { "\(count(list)) = 0" }

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

    func contains(_ list: String, _ item: String) -> String {
        switch self {
        case .duckdb: "list_contains(\(list), \(item))"
        case .spark: "array_contains(\(list), \(item))"
        case .postgresql: "\(item) = ANY(\(list))"
        case .bigquery: "\(item) IN UNNEST(\(list))"
        case .snowflake: "ARRAY_CONTAINS(\(item)::VARIANT, \(list))"
        case .clickhouse: "has(\(list), \(item))"
        }
    }

    /// The list without items that stand in it before.
    func distinct(_ list: String) -> String {
        switch self {
        case .duckdb: "list_distinct(\(list))"
        case .spark: "array_distinct(\(list))"
        case .postgresql: "ARRAY(SELECT DISTINCT d FROM unnest(\(list)) AS d)"
        case .bigquery: "ARRAY(SELECT DISTINCT d FROM UNNEST(\(list)) AS d)"
        case .snowflake: "ARRAY_DISTINCT(\(list))"
        case .clickhouse: "arrayDistinct(\(list))"
        }
    }

    /// The first items of a list.
    func prefix(_ list: String, _ count: Int) -> String {
        switch self {
        case .duckdb, .postgresql: "(\(list))[1:\(count)]"
        case .spark: "slice(\(list), 1, \(count))"
        case .bigquery: "ARRAY(SELECT p FROM UNNEST(\(list)) AS p WITH OFFSET AS o WHERE o < \(count) ORDER BY o)"
        case .snowflake: "ARRAY_SLICE(\(list), 0, \(count))"
        case .clickhouse: "arraySlice(\(list), 1, \(count))"
        }
    }

    /// The lists of texts that an expression makes of each item of a list of texts, as one list.
    func flatMap(_ list: String, _ item: String, _ body: String) -> String {
        switch self {
        case .duckdb: "flatten(list_transform(\(list), lambda \(item): \(body)))"
        case .spark: "flatten(transform(\(list), \(item) -> \(body)))"
        case .postgresql: "ARRAY(SELECT f FROM unnest(\(list)) AS \(item), unnest(\(body)) AS f)"
        case .bigquery: "ARRAY(SELECT f FROM UNNEST(\(list)) AS \(item), UNNEST(\(body)) AS f)"
        case .snowflake: "ARRAY_FLATTEN(TRANSFORM(\(list), \(item) VARCHAR -> \(body)))"
        case .clickhouse: "arrayFlatten(arrayMap(\(item) -> \(body), \(list)))"
        }
    }

    /// What an expression makes of each item of a list of texts, in order.
    func map(_ list: String, _ item: String, _ body: String) -> String {
        switch self {
        case .duckdb: "list_transform(\(list), lambda \(item): \(body))"
        case .spark: "transform(\(list), \(item) -> \(body))"
        case .postgresql: "ARRAY(SELECT \(body) FROM unnest(\(list)) WITH ORDINALITY AS u(\(item), i) ORDER BY i)"
        case .bigquery: "ARRAY(SELECT \(body) FROM UNNEST(\(list)) AS \(item) WITH OFFSET AS i ORDER BY i)"
        case .snowflake: "TRANSFORM(\(list), \(item) VARCHAR -> \(body))"
        case .clickhouse: "arrayMap(\(item) -> \(body), \(list))"
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

    /// The lists of texts that an expression makes of the members of a record, as one list. `body` is given the
    /// expressions of a member's name and of its value.
    func flatMapMembers(_ names: String, _ values: String, _ body: (_ name: String, _ value: String) -> String) -> String {
        switch self {
        case .duckdb: "flatten(list_transform(list_zip(\(names), \(values)), lambda m: \(body("m[1]", "m[2]"))))"
        case .spark: "flatten(zip_with(\(names), \(values), (k, v) -> \(body("k", "v"))))"
        case .postgresql: "ARRAY(SELECT f FROM unnest(\(names), \(values)) AS m(k, v), unnest(\(body("m.k", "m.v"))) AS f)"
        case .bigquery:
            "ARRAY(SELECT f FROM UNNEST(\(names)) AS k WITH OFFSET AS i JOIN UNNEST(\(values)) AS v WITH OFFSET AS j ON i = j, UNNEST(\(body("k", "v"))) AS f)"
        case .snowflake:
            "ARRAY_FLATTEN(TRANSFORM(ARRAYS_ZIP(\(names), \(values)), m OBJECT -> \(body("m:\"$1\"::VARCHAR", "m:\"$2\"::VARCHAR"))))"
        case .clickhouse: "arrayFlatten(arrayMap((k, v) -> \(body("k", "v")), \(names), \(values)))"
        }
    }

    /// The names and values of a record's members without those that a later one of the same name replaces.
    func lastOfEachName(_ names: String, _ values: String) -> (names: String, values: String) {
        func kept(_ list: String) -> String {
            switch self {
            case .duckdb:
                "list_filter(\(list), lambda x, i: list_position(\(names)[i + 1:], \(names)[i]) IS NULL OR list_position(\(names)[i + 1:], \(names)[i]) = 0)"
            case .spark: "filter(\(list), (x, i) -> NOT array_contains(slice(\(names), i + 2, size(\(names))), \(names)[i]))"
            case .postgresql:
                "ARRAY(SELECT (\(list))[i] FROM generate_subscripts(\(names), 1) AS i WHERE \(names)[i] <> ALL (\(names)[i + 1:]) ORDER BY i)"
            case .bigquery:
                "ARRAY(SELECT x FROM UNNEST(\(list)) AS x WITH OFFSET AS i WHERE NOT EXISTS (SELECT 1 FROM UNNEST(\(names)) AS n WITH OFFSET AS j WHERE j > i AND n = \(names)[OFFSET(i)]) ORDER BY i)"
            case .snowflake:
                "(SELECT ARRAY_AGG(x.value) WITHIN GROUP (ORDER BY x.index) FROM LATERAL FLATTEN(\(list)) AS x WHERE NOT ARRAY_CONTAINS(GET(\(names), x.index), ARRAY_SLICE(\(names), x.index + 1, ARRAY_SIZE(\(names)))))"
            case .clickhouse: "arrayFilter((x, i) -> NOT has(arraySlice(\(names), i + 1), \(names)[i]), \(list), arrayEnumerate(\(list)))"
            }
        }
        return (kept(names), kept(values))
    }

    /// The value of the member with a name, or NULL.
    func value(of name: String, _ names: String, _ values: String) -> String {
        let name = literal(name)
        switch self {
        case .duckdb: return "\(values)[list_position(\(names), \(name))]"
        case .spark: return "get(\(values), CAST(array_position(\(names), \(name)) AS INT) - 1)"
        case .postgresql: return "\(values)[array_position(\(names), \(name))]"
        case .bigquery: return "\(values)[SAFE_OFFSET((SELECT i FROM UNNEST(\(names)) AS n WITH OFFSET AS i WHERE n = \(name) LIMIT 1))]"
        case .snowflake: return "GET(\(values), ARRAY_POSITION(\(name)::VARIANT, \(names)))::VARCHAR"
        // Beyond its items, a list of texts has empty ones. No value is empty.
        case .clickhouse: return "nullIf(\(values)[indexOf(\(names), \(name))], '')"
        }
    }

    /// Each name of a list that is not in another, with a text behind it.
    func missing(from list: String, _ names: String, suffix: String) -> String {
        let suffix = literal(suffix)
        switch self {
        case .duckdb: return "list_transform(list_filter(\(list), lambda n: NOT list_contains(\(names), n)), lambda n: n || \(suffix))"
        case .spark: return "transform(array_except(\(list), \(names)), n -> concat(n, \(suffix)))"
        case .postgresql: return "ARRAY(SELECT n || \(suffix) FROM unnest(\(list)) AS n WHERE n <> ALL (\(names)))"
        case .bigquery: return "ARRAY(SELECT CONCAT(n, \(suffix)) FROM UNNEST(\(list)) AS n WHERE n NOT IN UNNEST(\(names)))"
        case .snowflake: return "TRANSFORM(ARRAY_EXCEPT(\(list), \(names)), n VARCHAR -> n || \(suffix))"
        case .clickhouse: return "arrayMap(n -> concat(n, \(suffix)), arrayFilter(n -> NOT has(\(names), n), \(list)))"
        }
    }

    // MARK: Texts

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

    /// A text from a scalar on, counted from 1.
    func part(_ text: String, from start: Int, count: String? = nil) -> String {
        let function = self == .clickhouse ? "substringUTF8" : "SUBSTR"
        return "\(function)(\(text), \(start)\(count.map { ", \($0)" } ?? ""))"
    }

    /// What stands between the first and the last scalar.
    func inside(_ text: String) -> String { part(text, from: 2, count: "\(length(text)) - 2") }

    func begins(_ text: String, _ start: String) -> String {
        switch self {
        case .duckdb: "starts_with(\(text), \(literal(start)))"
        case .spark, .snowflake: "startswith(\(text), \(literal(start)))"
        case .postgresql: "starts_with(\(text), \(literal(start)))"
        case .bigquery: "STARTS_WITH(\(text), \(literal(start)))"
        case .clickhouse: "startsWith(\(text), \(literal(start)))"
        }
    }

    func contains(_ text: String, text part: String) -> String {
        switch self {
        case .duckdb, .spark: "contains(\(text), \(literal(part)))"
        case .postgresql: "strpos(\(text), \(literal(part))) > 0"
        case .bigquery: "STRPOS(\(text), \(literal(part))) > 0"
        case .snowflake: "CONTAINS(\(text), \(literal(part)))"
        case .clickhouse: "position(\(text), \(literal(part))) > 0"
        }
    }

    func concat(_ texts: [String]) -> String {
        switch self {
        case .duckdb, .postgresql, .snowflake: "(" + texts.joined(separator: " || ") + ")"
        case .spark, .bigquery, .clickhouse: "concat(\(texts.joined(separator: ", ")))"
        }
    }

    /// A cast that fails on no text it is given: the expression around it has looked at the text.
    func cast(_ text: String, _ type: String) -> String { "CAST(\(text) AS \(type))" }

    /// The text that a JSON string stands for. It holds neither half surrogates nor, in PostgreSQL, U+0000.
    func unescaped(_ json: String) -> String {
        switch self {
        case .duckdb: "json_extract_string(\(json), '$')"
        case .spark: "from_json(concat('[', \(json), ']'), 'array<string>')[0]"
        case .postgresql: "(\(json))::json #>> '{}'"
        case .bigquery: "JSON_VALUE(\(json), '$')"
        case .snowflake: "PARSE_JSON(\(json))::VARCHAR"
        case .clickhouse: "JSONExtractString(\(json))"
        }
    }

    /// A number of JSON as the nearest IEEE double.
    func double(_ number: String) -> String {
        switch self {
        case .duckdb, .spark: return "CAST(\(number) AS DOUBLE)"
        case .bigquery: return "SAFE_CAST(\(number) AS FLOAT64)"
        case .snowflake: return "TRY_TO_DOUBLE(\(number))"
        case .clickhouse: return "toFloat64(\(number))"
        // It refuses what is beyond a double, and what is so near to 0 that it becomes 0.
        case .postgresql:
            return "(CASE WHEN \(number) !~ '^-?[0.]*[1-9]' THEN 0::FLOAT8"
                + " WHEN \(number) ~ '[eE][+]?0*[1-9][0-9]{4}' THEN (CASE WHEN \(number) ~ '^-' THEN '-Infinity' ELSE 'Infinity' END)::FLOAT8"
                + " WHEN \(number) ~ '[eE]-0*[1-9][0-9]{4}' THEN 0::FLOAT8"
                + " WHEN abs(\(number)::NUMERIC) >= 1.7976931348623158079372897e308 THEN (CASE WHEN \(number) ~ '^-' THEN '-Infinity' ELSE 'Infinity' END)::FLOAT8"
                + " WHEN abs(\(number)::NUMERIC) <= 2.4703282292062327208e-324 THEN 0::FLOAT8 ELSE \(number)::FLOAT8 END)"
        }
    }

    var doubleType: String {
        switch self {
        case .duckdb, .spark, .snowflake: "DOUBLE"
        case .postgresql: "FLOAT8"
        case .bigquery: "FLOAT64"
        case .clickhouse: "Float64"
        }
    }

    var bigintType: String {
        switch self {
        case .duckdb, .spark, .postgresql: "BIGINT"
        case .bigquery: "INT64"
        case .snowflake: "NUMBER(38, 0)"
        case .clickhouse: "Int64"
        }
    }

    /// A whole number's type that holds 20 digits.
    var wideType: String {
        switch self {
        case .duckdb: "HUGEINT"
        case .spark: "DECIMAL(38, 0)"
        case .postgresql: "NUMERIC"
        case .bigquery: "BIGNUMERIC"
        case .snowflake: "NUMBER(38, 0)"
        case .clickhouse: "Int128"
        }
    }

    // MARK: Regular expressions

    /// Whether a text has a match. `^` and `$` are the text's beginning and end.
    func matches(_ text: String, _ pattern: String) -> String {
        let pattern = literal(self.pattern(pattern))
        switch self {
        case .duckdb: return "regexp_matches(\(text), \(pattern))"
        case .spark: return "\(text) RLIKE \(pattern)"
        case .postgresql: return "\(text) ~ \(pattern)"
        case .bigquery: return "REGEXP_CONTAINS(\(text), \(pattern))"
        case .snowflake: return "REGEXP_INSTR(\(text), \(pattern)) > 0"
        case .clickhouse: return "match(\(text), \(pattern))"
        }
    }

    /// Every match's part in the one pair of capturing parentheses.
    func matchesOf(_ text: String, _ pattern: String) -> String {
        let written = literal(self.pattern(pattern))
        switch self {
        case .duckdb: return "regexp_extract_all(\(text), \(written), 1)"
        case .spark: return "regexp_extract_all(\(text), \(written), 1)"
        case .postgresql: return "ARRAY(SELECT r[1] FROM regexp_matches(\(text), \(written), 'g') AS r)"
        case .bigquery: return "REGEXP_EXTRACT_ALL(\(text), \(written))"
        case .snowflake: return "REGEXP_SUBSTR_ALL(\(text), \(written), 1, 1, 'e', \(Self.captureNumber(pattern)))"
        case .clickhouse: return "extractAll(\(text), \(written))"
        }
    }

    /// What stands in the one pair of capturing parentheses of the first match; an empty text or NULL if there is none.
    func firstMatch(_ text: String, _ pattern: String) -> String {
        let written = literal(self.pattern(pattern))
        switch self {
        case .duckdb, .spark: return "regexp_extract(\(text), \(written), 1)"
        case .postgresql: return "SUBSTRING(\(text) FROM \(written))"
        case .bigquery: return "REGEXP_EXTRACT(\(text), \(written))"
        case .snowflake: return "REGEXP_SUBSTR(\(text), \(written), 1, 1, 'e', \(Self.captureNumber(pattern)))"
        case .clickhouse: return "extract(\(text), \(written))"
        }
    }

    /// Every match replaced. In the replacement, `\1` is the first pair of capturing parentheses.
    func replaced(_ text: String, _ pattern: String, by replacement: String) -> String {
        let pattern = literal(self.pattern(pattern))
        let written =
            self == .spark ? replacement.replacingOccurrences("\\1", "$1").replacingOccurrences("\\2", "$2") : replacement
        switch self {
        case .duckdb, .postgresql: return "regexp_replace(\(text), \(pattern), \(literal(written)), 'g')"
        case .spark, .bigquery, .snowflake: return "REGEXP_REPLACE(\(text), \(pattern), \(literal(written)))"
        case .clickhouse: return "replaceRegexpAll(\(text), \(pattern), \(literal(written)))"
        }
    }

    /// A pattern in the dialect's own way. They are written for RE2.
    private func pattern(_ pattern: String) -> String {
        switch self {
        case .duckdb, .bigquery, .clickhouse: return pattern
        // In Java, `$` also stands before a line's end.
        case .spark: return pattern.hasSuffix("$") ? String(pattern.dropLast()) + "\\z" : pattern
        // Its texts have no U+0000.
        case .postgresql: return pattern.replacingOccurrences("\\x00", "\\x01")
        case .snowflake: return pattern.replacingOccurrences("(?:", "(")
        }
    }

    /// The number of the capturing parentheses if all others capture, too.
    private static func captureNumber(_ pattern: String) -> Int {
        var count = 0
        var isInClass = false
        var isEscaped = false
        let scalars = Array(pattern.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "[" {
                isInClass = true
            } else if scalar == "]" {
                isInClass = false
            } else if scalar == "(", !isInClass {
                count += 1
                if index + 1 < scalars.count, scalars[index + 1] != "?" { return count }
            }
        }
        return max(count, 1)
    }
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
