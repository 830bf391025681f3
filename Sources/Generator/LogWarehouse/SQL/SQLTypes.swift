package import LogDefinitions

extension SQLDialect {
    /// The type of a column that holds the values of a type. It holds every value that `loggen validate` takes, but for
    /// those that it calls `storage` for the dialect.
    ///
    /// `float` is as wide as `double`: records are not refused for digits that a `Float` does not have.
    /// - Parameter isOptional: whether it also holds NULL; only ClickHouse says so in the type.
    package func type(of type: LogValueType, isOptional: Bool = false) -> String {
        let written = self.written(type)
        guard self == .clickhouse, isOptional, !written.hasPrefix("Array(") else { return written }
        return "Nullable(\(written))"
    }

    private func written(_ type: LogValueType) -> String {
        switch type {
        case .string, .url, .enumeration: return textType
        case .integer(let integer): return self.integer(integer)
        case .number:
            switch self {
            case .duckdb, .spark, .snowflake: return "DOUBLE"
            case .postgresql: return "DOUBLE PRECISION"
            case .bigquery: return "FLOAT64"
            case .clickhouse: return "Float64"
            }
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
            let items = written(list.items)
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
        case .named(let named): return named.base.map { written($0) } ?? textType
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
}
