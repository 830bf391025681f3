import LogDefinitions
import LogOutputs

struct PostgreSQL: SQLWarehouse {
    var title: String { "PostgreSQL" }

    // PostgreSQL has no year 0 and no U+0000. A field has at most 1 GB, and a row may be twice as long as its record
    // (`RecordTables.Limits.longestRecord`). The limit leaves a reserve: it is a quarter of 1 GB.
    var limits: SQLLimits { SQLLimits(allowsNull: false, years: 1...9999, longestRecord: 1 << 28) }

    func quoted(_ name: String) -> String {
        // These are system columns of every table. `xmin` becomes `xmin_`, and `xmin_` becomes `xmin__`, so that
        // no two names become equal.
        let system = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]
        let isTaken = system.contains { name.hasPrefix($0) && name.dropFirst($0.count).allSatisfy { $0 == "_" } }
        return between(UInt8(ascii: "\""), isTaken ? name + "_" : name)
    }

    static let words = SQLWords(
        text: "TEXT", integers: ["SMALLINT", "SMALLINT", "INTEGER", "BIGINT"], double: "DOUBLE PRECISION",
        decimal: "NUMERIC",
        formats: [.date: "DATE", .timestamp: "TIMESTAMP(3) WITH TIME ZONE", .uuid: "UUID"], listOfLists: "JSONB")

    func list(of items: String) -> String { items + "[]" }
    func count(_ list: String) -> String { "cardinality(\(list))" }
    func mapped(_ list: String, _ item: String, _ expression: String) -> String {
        "ARRAY(SELECT \(expression) FROM unnest(\(list)) WITH ORDINALITY AS items(\(item), place) ORDER BY place)"
    }

    var hasSchemaTransactions: Bool { true }
    func options(of table: SQLTable) -> String { " PARTITION BY RANGE (\(name(.occurredAt)))" }

    func rest(of table: String) -> (name: String, statement: String)? {
        (table + "_rest", "CREATE TABLE IF NOT EXISTS \(name(table + "_rest")) PARTITION OF \(name(table)) DEFAULT")
    }

    var hasCommentStatements: Bool { true }
    func widening(_ column: String, to type: String) -> String { "ALTER COLUMN \(column) TYPE \(type)" }

    // In psql, a missing file is an error of the client. Without this setting, the transaction would continue.
    var loadSetting: String? { "\\set ON_ERROR_STOP on" }

    var transaction: (before: [String], after: [String]) {
        let columns = "\(name("record")) \(words.text)"
        return (["BEGIN", "CREATE TEMPORARY TABLE \(name(SQLTable.read)) (\(columns)) ON COMMIT DROP"], ["COMMIT"])
    }

    func load(_ table: SQLTable, from path: String) -> [String] {
        // Rows contain no control characters, so these can be the delimiter and the quote of CSV.
        let read = name(SQLTable.read)
        let form = "(FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01', ENCODING 'UTF8')"
        let row = columns(of: table) { "\"\($0.replacingOccurrences("\"", "\"\""))\" \($1)" }
        return [
            "\\copy \(read) FROM \(literal(path)) WITH \(form)",
            insertion(into: table) + "SELECT r.* FROM \(read), json_to_record(\(name("record"))::json) AS r(\(row))",
            "TRUNCATE \(read)",
        ]
    }
}
