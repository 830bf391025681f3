import LogValidation
import LogWarehouse

extension RecordTables {
    init(_ tables: [SQLTable], for dialect: SQLDialect?) {
        self.init(
            tables.map { table in
                Table(
                    name: table.name, events: table.events,
                    columns: table.columns.map { .init(field: $0.field, name: $0.name, versions: $0.versions) })
            }, bad: SQLTable.bad, limits: dialect?.recordLimits)
    }
}

extension SQLDialect {
    fileprivate var recordLimits: RecordTables.Limits {
        .init(engine: title, allowsNull: limits.allowsNull, years: limits.years, longestRecord: limits.longestRecord)
    }
}
