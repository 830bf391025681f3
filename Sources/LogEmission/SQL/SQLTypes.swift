package import LogDefinitions

extension SQLDialect {
    /// The type of a column that holds the values of a type. It holds every value that `loggen validate` takes, but for
    /// those that the check calls `storage`.
    ///
    /// `float` is as wide as `double`: records are not refused for digits that a `Float` does not have.
    /// - Parameter isOptional: whether it also holds NULL; only ClickHouse says so in the type.
    package func type(of type: LogValueType, isOptional: Bool = false) -> String {
        let written = self.written(type, isInList: false)
        guard self == .clickhouse, isOptional, !written.hasPrefix("Array(") else { return written }
        return "Nullable(\(written))"
    }

    private func written(_ type: LogValueType, isInList: Bool) -> String {
        switch type {
        case .string, .url, .enumeration: return textType
        case .integer(let integer): return self.integer(integer)
        case .number: return self == .postgresql ? "DOUBLE PRECISION" : doubleType
        case .decimal(let decimal):
            let digits = "(\(decimal.precision), \(decimal.scale))"
            switch self {
            case .duckdb, .spark: return "DECIMAL" + digits
            case .postgresql: return "NUMERIC" + digits
            case .snowflake: return "NUMBER" + digits
            case .clickhouse: return "Decimal" + digits
            case .bigquery: return (decimal.scale <= 9 && decimal.precision - decimal.scale <= 29 ? "NUMERIC" : "BIGNUMERIC") + digits
            }
        case .boolean: return self == .bigquery ? "BOOL" : self == .clickhouse ? "Bool" : "BOOLEAN"
        case .date: return self == .clickhouse ? "Date32" : "DATE"
        case .timestamp:
            switch self {
            case .duckdb: return "TIMESTAMP WITH TIME ZONE"
            case .postgresql: return "TIMESTAMP(3) WITH TIME ZONE"
            case .spark, .bigquery: return "TIMESTAMP"
            case .snowflake: return "TIMESTAMP_TZ(3)"
            case .clickhouse: return "DateTime64(3, 'UTC')"
            }
        case .uuid:
            switch self {
            case .duckdb, .postgresql, .clickhouse: return "UUID"
            case .spark, .bigquery, .snowflake: return textType
            }
        case .array(let list):
            let items = written(list.items, isInList: true)
            switch self {
            case .duckdb: return items + "[]"
            case .spark: return "ARRAY<\(items)>"
            case .snowflake: return "ARRAY"
            case .clickhouse: return "Array(\(items))"
            // Neither has lists of lists whose lengths differ.
            case .postgresql: return isListOfLists(list) ? "JSONB" : items + "[]"
            case .bigquery: return isListOfLists(list) ? "JSON" : "ARRAY<\(items)>"
            }
        // The documents know only the name: the column holds JSON, as the record has it.
        case .named(let named): return named.base.map { written($0, isInList: isInList) } ?? textType
        }
    }

    private func isListOfLists(_ list: LogValueType.List) -> Bool { if case .array? = list.items.unnamed { true } else { false } }

    private func integer(_ integer: LogValueType.Integer) -> String {
        // Without types for numbers from 0, the next wider one.
        let bits = integer.isSigned ? integer.bits : integer.bits * 2
        switch self {
        case .duckdb:
            let name = one(of: "TINYINT", "SMALLINT", "INTEGER", "BIGINT", integer.bits)
            return integer.isSigned ? name : "U" + name
        case .spark: return one(of: "TINYINT", "SMALLINT", "INT", "BIGINT", bits)
        case .postgresql: return one(of: "SMALLINT", "SMALLINT", "INTEGER", "BIGINT", bits)
        case .bigquery: return "INT64"
        case .snowflake: return one(of: "NUMBER(3, 0)", "NUMBER(5, 0)", "NUMBER(10, 0)", "NUMBER(19, 0)", bits)
        case .clickhouse: return integer.isSigned ? "Int\(integer.bits)" : "UInt\(integer.bits)"
        }
    }

    /// The word for a width.
    private func one(of byte: String, _ short: String, _ int: String, _ long: String, _ bits: Int) -> String {
        switch bits {
        case 8: byte
        case 16: short
        case 32: int
        default: long
        }
    }

    /// The value of a column, of the JSON text of a record's value that the check has found nothing wrong with; NULL of
    /// NULL.
    func value(_ json: String, as type: LogValueType, isOptional: Bool, _ checks: SQLChecks, depth: Int = 0) -> String {
        let name = self.type(of: type, isOptional: isOptional)
        switch type {
        case .string, .url, .enumeration: return "(\(checks.text(json)))"
        case .uuid: return name == textType ? "(\(checks.text(json)))" : cast("(\(checks.text(json)))", name)
        case .decimal, .date: return cast("(\(checks.text(json)))", name)
        case .timestamp:
            let text = "(\(checks.text(json)))"
            guard self == .clickhouse else { return cast(text, name) }
            return "parseDateTime64BestEffort\(isOptional ? "OrNull" : "")(\(text), 3, 'UTC')"
        case .boolean: return "(\(json) = 'true')"
        case .integer(let integer):
            // ClickHouse reads no sign of a number that has none: `-0`.
            let whole = self == .clickhouse && !integer.isSigned ? "^[0-9]+$" : "^-?[0-9]+$"
            return checks.choice([(matches(json, whole), cast(json, name))], otherwise: cast(wholeDouble(json, isOptional), name))
        case .number: return self == .clickhouse ? cast(json, name) : double(json)
        case .array(let list):
            let whole: String
            switch self {
            case .snowflake: return "PARSE_JSON(\(json))::ARRAY"
            case .postgresql where isListOfLists(list): return "\(json)::JSONB"
            case .bigquery where isListOfLists(list): return "PARSE_JSON(\(json))"
            case .clickhouse: whole = "ifNull(\(json), '[]')"
            case .duckdb, .spark, .postgresql, .bigquery: whole = json
            }
            let items = map(checks.items(whole), "x\(depth)", value("x\(depth)", as: list.items, isOptional: false, checks, depth: depth + 1))
            switch self {
            case .duckdb, .spark, .clickhouse, .snowflake: return items
            case .postgresql, .bigquery: return "CASE WHEN \(json) IS NOT NULL THEN \(items) END"
            }
        case .named(let named):
            return named.base.map { value(json, as: $0, isOptional: isOptional, checks, depth: depth) } ?? json
        }
    }

    /// A whole number that is written with a point or an exponent.
    private func wholeDouble(_ json: String, _ isOptional: Bool) -> String {
        self == .clickhouse && isOptional ? "toFloat64OrNull(\(json))" : double(json)
    }
}
