import LogDefinitions
import LogOutputs

struct Snowflake: SQLWarehouse {
    var title: String { "Snowflake" }

    // A VARIANT has at most 16 MB. The limit is half of that, because a row may be twice as long as its record
    // (`RecordTables.Limits.longestRecord`).
    var limits: SQLLimits { SQLLimits(longestRecord: 1 << 23) }

    /// Unquoted names are converted to upper case. A name in upper case also works without quotation marks.
    func quoted(_ name: String) -> String { between(UInt8(ascii: "\""), name.uppercased()) }
    var hasEscapes: Bool { true }
    static let words = SQLWords(
        text: "VARCHAR", integers: ["NUMBER(3, 0)", "NUMBER(5, 0)", "NUMBER(10, 0)", "NUMBER(19, 0)"],
        decimal: "NUMBER", formats: [.date: "DATE", .timestamp: "TIMESTAMP_TZ(3)"])

    func list(of items: String) -> String { "ARRAY" }
    func count(_ list: String) -> String { "ARRAY_SIZE(\(list))" }

    func every(_ list: String, _ item: String, _ test: String) -> String {
        "ARRAY_SIZE(FILTER(\(list), \(item) -> not (\(test)))) = 0"
    }

    func mapped(_ list: String, _ item: String, _ expression: String) -> String {
        "TRANSFORM(\(list), \(item) -> \(expression))"
    }

    func length(_ text: String) -> String { "LENGTH(\(text))" }

    /// Items of lists are untyped.
    func item(_ item: String, _ type: LogValueType) -> String { cast(item, self.type(of: type)) }

    func options(of table: SQLTable) -> String { " CLUSTER BY (TO_DATE(\(name(.occurredAt))))" }
    func comment(inTable text: String) -> String { " COMMENT = \(text)" }
    var noComment: String { "''" }
    var transaction: (before: [String], after: [String]) { (["BEGIN"], ["COMMIT"]) }

    func load(_ table: SQLTable, from path: String) -> [String] {
        // Rows are read from stages.
        let file = path.utf8.first == UInt8(ascii: "@") ? path : "@" + path
        let read = columns(of: table) { "$1:\"\($0.replacingOccurrences("\"", "\"\""))\"::\($1)" }
        // Only file names with other characters need quotation marks.
        let isPlain = file.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "@~%_/.-".utf8.contains(byte)
        }
        return [
            "COPY INTO \(name(table.name)) (\(names(of: table)))\n"
                + "FROM (SELECT \(read) FROM \(isPlain ? file : literal(file)))\nFILE_FORMAT = (TYPE = JSON)"
        ]
    }
}
