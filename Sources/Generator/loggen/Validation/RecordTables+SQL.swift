import LogWarehouse
import LogValidation

extension RecordTables {
    /// The tables of a warehouse, with the limits of its engine.
    init(_ tables: [SQLTable], for dialect: SQLDialect?) {
        self.init(
            tables.map { table in
                Table(
                    name: table.name, events: table.events,
                    columns: table.columns.map { .init(field: $0.field, name: $0.name, versions: $0.versions) })
            }, limits: dialect?.limits)
    }
}

extension SQLDialect {
    /// The values that the engine's types and its reader of JSON hold.
    var limits: RecordTables.Limits {
        switch self {
        // `maximum_object_size` of `read_json` is 16 MiB.
        case .duckdb: .init(engine: title, longestRecord: 1 << 23)
        // Its dates have no year 0, and its texts no U+0000. A field has at most 1 GB.
        case .postgresql: .init(engine: title, allowsNull: false, years: 1...9999, longestRecord: 1 << 28)
        // The ranges of DATE and TIMESTAMP begin with the year 1. A line of JSON has at most 100 MB.
        case .bigquery: .init(engine: title, years: 1...9999, longestRecord: 50_000_000)
        // A VARIANT has at most 16 MB.
        case .snowflake: .init(engine: title, longestRecord: 1 << 23)
        // The ranges of Date32 and DateTime64.
        case .clickhouse: .init(engine: title, years: 1900...2299)
        case .spark: .init(engine: title)
        }
    }
}
