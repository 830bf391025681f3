import LogDefinitions

struct ClickHouse: SQLWarehouse {
    var title: String { "ClickHouse" }

    // The years that both Date32 and DateTime64 can store.
    var limits: SQLLimits { SQLLimits(years: 1900...2299) }
    func quoted(_ name: String) -> String { withEscapes(name) }
    var hasEscapes: Bool { true }

    static let words = SQLWords(
        text: "String", integers: ["Int8", "Int16", "Int32", "Int64"],
        unsigned: ["UInt8", "UInt16", "UInt32", "UInt64"], double: "Float64", decimal: "Decimal", boolean: "Bool",
        formats: [.date: "Date32", .timestamp: "DateTime64(3, 'UTC')", .uuid: "UUID"])

    func list(of items: String) -> String { "Array(\(items))" }

    /// Returns the type. In ClickHouse, NULL is part of the type.
    func type(of type: LogValueType, isOptional: Bool) -> String {
        let written = written(type)
        return isOptional && !written.hasPrefix("Array(") ? "Nullable(\(written))" : written
    }

    func count(_ list: String) -> String { "length(\(list))" }
    func every(_ list: String, _ item: String, _ test: String) -> String { "arrayAll(\(item) -> \(test), \(list))" }
    func mapped(_ list: String, _ item: String, _ expression: String) -> String {
        "arrayMap(\(item) -> \(expression), \(list))"
    }

    func renaming(table: String, to name: String) -> String { "RENAME TABLE IF EXISTS \(table) TO \(name)" }
    func renaming(_ column: String, to name: String) -> String { "RENAME COLUMN IF EXISTS \(column) TO \(name)" }

    /// Returns an update that ends after the rows are changed. By default, ClickHouse changes them later.
    func update(_ table: String, _ update: SQLUpdate) -> String {
        let values = update.values.map { "\(name($0.column)) = \($0.expression)" }.joined(separator: ", ")
        return "ALTER TABLE \(table) UPDATE \(values) WHERE \(update.condition) SETTINGS mutations_sync = 1"
    }

    func length(_ text: String) -> String { "lengthUTF8(\(text))" }
    func bytes(_ text: String) -> String { "length(\(text))" }
    var hasMissingLists: Bool { false }
    var marksRequired: Bool { false }
    var badRecordsOptions: String { " ENGINE = MergeTree ORDER BY tuple()" }

    func options(of table: SQLTable) -> String {
        let time = name(.occurredAt)
        return " ENGINE = MergeTree PARTITION BY toYYYYMM(\(time)) ORDER BY (\(time), \(name(.eventID)))"
    }

    var noComment: String { "''" }

    func comment(onTable table: String, _ text: String?) -> String {
        "ALTER TABLE \(table) MODIFY COMMENT \(text ?? noComment)"
    }

    func comment(onColumn column: String, of table: String, _ text: String?) -> String {
        "ALTER TABLE \(table) COMMENT COLUMN \(column) \(text ?? noComment)"
    }

    func widening(_ column: String, to type: String) -> String { "MODIFY COLUMN \(column) \(type)" }
    func relaxing(_ column: String, _ type: String) -> String { "MODIFY COLUMN \(column) \(type)" }

    func load(_ table: SQLTable, from path: String) -> [String] {
        let read = columns(of: table) { "\(name($0)) \($1)" }
        return [
            insertion(into: table) + "SELECT \(names(of: table))\n"
                + "FROM file(\(literal(path)), 'JSONEachRow', \(literal(read)))\n"
                + "SETTINGS date_time_input_format = 'best_effort', precise_float_parsing = 1"
        ]
    }
}
