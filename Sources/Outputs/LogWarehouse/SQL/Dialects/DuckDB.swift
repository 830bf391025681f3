import LogTypes

struct DuckDB: SQLWarehouse {
    var title: String { "DuckDB" }

    // The default of `maximum_object_size` of `read_json` is 16 MiB. The limit is half of that, because a row may be
    // twice as long as its record (`RecordTables.Limits.longestRecord`).
    var limits: SQLLimits { SQLLimits(longestRecord: 1 << 23) }
    static let words = SQLWords(
        text: "VARCHAR", integers: ["TINYINT", "SMALLINT", "INTEGER", "BIGINT"],
        unsigned: ["UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"],
        formats: [.date: "DATE", .timestamp: "TIMESTAMP WITH TIME ZONE", .uuid: "UUID"])

    func list(of items: String) -> String { items + "[]" }
    func count(_ list: String) -> String { "len(\(list))" }

    func every(_ list: String, _ item: String, _ test: String) -> String {
        "len(list_filter(\(list), lambda \(item): not (\(test)))) = 0"
    }

    func mapped(_ list: String, _ item: String, _ expression: String) -> String {
        "list_transform(\(list), lambda \(item): \(expression))"
    }

    var hasSchemaTransactions: Bool { true }
    func length(_ text: String) -> String { "LENGTH(\(text))" }
    func bytes(_ text: String) -> String { "strlen(\(text))" }
    var hasCommentStatements: Bool { true }
    var transaction: (before: [String], after: [String]) { (["BEGIN TRANSACTION"], ["COMMIT"]) }

    func load(_ table: SQLTable, from path: String) -> [String] {
        let read = columns(of: table) { "\(literal($0)): \(literal($1))" }
        return [
            insertion(into: table) + "SELECT \(names(of: table))\n"
                + "FROM read_json(\(literal(path)), format = 'newline_delimited', columns = {\(read)})"
        ]
    }
}
