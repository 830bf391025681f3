package import LogDefinitions
import LogOutputs

/// A warehouse that SQL can be written for. The differences between warehouses are in ``SQLWarehouse``.
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
    /// The maximum length of a name, in bytes. PostgreSQL silently truncates longer names, so names are shortened here,
    /// in the same way for all warehouses.
    static let longestName = 63

    /// Returns a name that every warehouse accepts. A longer name is truncated and ends in a hash of the whole name.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return String(decoding: name.utf8.prefix(longestName - 9), as: UTF8.self) + "_"
            + TextLanguage.hex(hash, digits: 8)
    }
}
