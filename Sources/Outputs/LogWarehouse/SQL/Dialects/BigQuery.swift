import LogDefinitions

struct BigQuery: SQLWarehouse {
    var title: String { "BigQuery" }

    // DATE and TIMESTAMP begin with the year 1. A line of JSON has at most 100 MB, and may be twice as long as its
    // record (`RecordTables.Limits.longestRecord`).
    var limits: SQLLimits { SQLLimits(years: 1...9999, longestRecord: 50_000_000) }
    func quoted(_ name: String) -> String { withEscapes(name) }
    var hasEscapes: Bool { true }

    /// BigQuery's [quotas](https://cloud.google.com/bigquery/quotas). It rejects a statement that exceeds one.
    var longestComments: (table: Int, column: Int) { (16_384, 1024) }

    static let words = SQLWords(
        text: "STRING", integers: ["INT64", "INT64", "INT64", "INT64"], double: "FLOAT64", boolean: "BOOL",
        formats: [.date: "DATE", .timestamp: "TIMESTAMP"], listOfLists: "JSON")

    func decimal(_ decimal: LogValueType.Decimal) -> String {
        decimal.scale <= 9 && decimal.precision - decimal.scale <= 29 ? "NUMERIC" : "BIGNUMERIC"
    }

    func list(of items: String) -> String { "ARRAY<\(items)>" }
    func count(_ list: String) -> String { "ARRAY_LENGTH(\(list))" }
    func bytes(_ text: String) -> String { "BYTE_LENGTH(\(text))" }
    var hasMissingLists: Bool { false }

    func mapped(_ list: String, _ item: String, _ expression: String) -> String {
        "ARRAY(SELECT \(expression) FROM UNNEST(\(list)) AS \(item) WITH OFFSET AS place ORDER BY place)"
    }

    func renaming(_ column: String, to name: String) -> String { "RENAME COLUMN IF EXISTS \(column) TO \(name)" }
    func options(of table: SQLTable) -> String { " PARTITION BY DATE(\(name(.occurredAt)))" }
    func comment(inColumn text: String) -> String { " OPTIONS (description = \(text))" }

    func comment(onTable table: String, _ text: String?) -> String {
        "ALTER TABLE \(table) SET OPTIONS (description = \(text ?? noComment))"
    }

    func comment(onColumn column: String, of table: String, _ text: String?) -> String {
        "ALTER TABLE \(table) ALTER COLUMN \(column) SET OPTIONS (description = \(text ?? noComment))"
    }

    func load(_ table: SQLTable, from path: String) -> [String] {
        let options = "format = 'JSON', uris = [\(literal(path))], ignore_unknown_values = TRUE"
        return ["LOAD DATA INTO \(name(table.name))\nFROM FILES (\(options))"]
    }
}
