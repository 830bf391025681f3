package import LogDefinitions
import LogOutputs

/// A warehouse that SQL is written for, by the name that people choose it by. All that one writes differently from
/// another is in ``SQLWarehouse``.
package enum SQLDialect: String, Sendable, CaseIterable {
    case duckdb, spark, postgresql, bigquery, snowflake, clickhouse

    var warehouse: any SQLWarehouse {
        switch self {
        case .duckdb: DuckDB()
        case .spark: Spark()
        case .postgresql: PostgreSQL()
        case .bigquery: BigQuery()
        case .snowflake: Snowflake()
        case .clickhouse: ClickHouse()
        }
    }

    package var title: String { warehouse.title }

    package var limits: SQLLimits { warehouse.limits }

    package func type(of type: LogValueType) -> String { warehouse.type(of: type) }
}

extension SQLDialect {
    /// The most bytes that a name has. PostgreSQL cuts longer ones without a word, so names are cut here, and alike for
    /// all warehouses.
    static let longestName = 63

    /// A name that every warehouse takes: a longer one ends in a number made from all of it.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return String(decoding: name.utf8.prefix(longestName - 9), as: UTF8.self) + "_"
            + TextLanguage.hex(hash, digits: 8)
    }
}
