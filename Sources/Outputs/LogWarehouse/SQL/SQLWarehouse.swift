package import LogDefinitions
import LogOutputs

/// The SQL of a warehouse. Most warehouses use the default implementations.
///
/// Parameters for columns and tables are quoted names; those for comments are literals.
package protocol SQLWarehouse: Sendable {
    /// The name of the product, as its vendor spells it.
    var title: String { get }
    var limits: SQLLimits { get }

    /// Returns a name in quotation marks.
    func quoted(_ name: String) -> String
    /// Indicates whether a backslash in a literal begins an escape.
    var hasEscapes: Bool { get }
    /// A dollar sign in a literal, escaped where necessary.
    var dollar: String { get }
    /// The maximum number of characters in the comment of a table and of a column.
    var longestComments: (table: Int, column: Int) { get }

    static var words: SQLWords { get }
    /// Returns the name of a decimal type, without precision and scale.
    func decimal(_ decimal: LogValueType.Decimal) -> String
    func list(of items: String) -> String
    /// Returns the type of a column in the dialect.
    /// - Parameter isOptional: whether the column is nullable.
    func type(of type: LogValueType, isOptional: Bool) -> String

    func count(_ list: String) -> String
    /// Returns an expression that is true if a test holds for all items of a list that is not NULL.
    func every(_ list: String, _ item: String, _ test: String) -> String
    /// Returns the length of a string, in Unicode scalars.
    func length(_ text: String) -> String
    /// Returns the length of a string, in bytes of UTF-8.
    func bytes(_ text: String) -> String
    /// Returns an item of a list as a value of its type.
    func item(_ item: String, _ type: LogValueType) -> String
    /// Indicates whether lists are nullable. If not, a missing list is empty.
    var hasMissingLists: Bool { get }

    /// Indicates whether required columns are marked as `NOT NULL`.
    var marksRequired: Bool { get }
    /// The clauses after the columns of the table of rejected records.
    var badRecordsOptions: String { get }
    /// Returns the clauses between a table's columns and its comment.
    func options(of table: SQLTable) -> String
    /// Returns definitions of columns in addition to those of the model.
    func definitions(beside table: SQLTable) -> [String]
    /// Returns the default partition, for rows that belong to no other partition. Nil if the dialect has none.
    func rest(of table: String) -> (name: String, statement: String)?

    /// Indicates whether comments are separate statements, not parts of the statements that create tables and columns.
    var hasCommentStatements: Bool { get }
    /// Returns the clause after a column's type.
    func comment(inColumn text: String) -> String
    /// Returns the clause after a table's options.
    func comment(inTable text: String) -> String
    /// The value that removes a comment.
    var noComment: String { get }
    func comment(onTable table: String, _ text: String?) -> String
    func comment(onColumn column: String, of table: String, _ text: String?) -> String

    func widening(_ column: String, to type: String) -> String
    /// Returns the clause of `ALTER TABLE` that makes a column nullable.
    /// - Parameter type: the nullable type of the column.
    func relaxing(_ column: String, _ type: String) -> String
    func adding(_ definition: String, ifMissing: Bool) -> String
    func renaming(table: String, to name: String) -> String
    /// Returns the clause that renames a column.
    func renaming(_ column: String, to name: String) -> String
    func update(_ table: String, _ update: SQLUpdate) -> String
    /// Returns a list whose items are the values of an expression for the items of another one.
    func mapped(_ list: String, _ item: String, _ expression: String) -> String
    /// The empty list, in engines without missing lists.
    var emptyList: String { get }
    /// Indicates whether statements that change tables can be part of a transaction.
    var hasSchemaTransactions: Bool { get }
    /// Returns the statements that replace a table by a new one, or nil if the table can be altered in all ways.
    /// - Parameter updates: the updates of the new table's rows.
    func replacement(
        _ old: SQLTable, by new: SQLTable, _ source: SQLSources, _ updates: [SQLUpdate], _ script: SQLScript
    ) -> [String]?

    /// A line for the engine's client before the statements; nil if the client needs no setting.
    var loadSetting: String? { get }
    /// The statements around a load. Empty if the engine has no transactions, or if each load is a transaction.
    var transaction: (before: [String], after: [String]) { get }
    func load(_ table: SQLTable, from path: String) -> [String]
}

/// The columns of an earlier table, by the names of the columns that replace them.
package typealias SQLSources = [String: SQLTable.Column]

package struct SQLWords: Sendable {
    var text: String
    /// The types of 8, 16, 32 and 64 bits.
    var integers: [String]
    /// The unsigned types; nil if the next wider signed types are used.
    var unsigned: [String]?
    var double = "DOUBLE"
    var decimal = "DECIMAL"
    var boolean = "BOOLEAN"
    /// The types of formats; the others are strings.
    var formats: [StringFormat: String]
    /// The type of lists whose items are lists of different lengths; nil if such lists need no special type.
    var listOfLists: String?
}

/// The limits of an engine's types and of its JSON reader, where they are narrower than those of the definitions.
package struct SQLLimits: Sendable {
    /// Indicates whether strings may contain U+0000.
    package var allowsNull = true
    package var years = 0...9999
    /// The maximum size of a record in bytes, below the engine's limit for a row: see `RecordTables.Limits`.
    package var longestRecord = Int.max
}

// MARK: Defaults

extension SQLWarehouse {
    var limits: SQLLimits { SQLLimits() }

    func quoted(_ name: String) -> String { between(UInt8(ascii: "\""), name) }
    var hasEscapes: Bool { false }
    var dollar: String { "$" }
    var longestComments: (table: Int, column: Int) { (.max, .max) }

    var words: SQLWords { Self.words }
    func decimal(_ decimal: LogValueType.Decimal) -> String { words.decimal }
    func type(of type: LogValueType, isOptional: Bool) -> String { written(type) }

    func every(_ list: String, _ item: String, _ test: String) -> String {
        "not exists (select 1 from unnest(\(list)) as \(item) where not (\(test)))"
    }
    func length(_ text: String) -> String { "CHAR_LENGTH(\(text))" }
    func bytes(_ text: String) -> String { "OCTET_LENGTH(\(text))" }
    func item(_ item: String, _ type: LogValueType) -> String { item }
    var hasMissingLists: Bool { true }

    var marksRequired: Bool { true }
    var badRecordsOptions: String { "" }
    func options(of table: SQLTable) -> String { "" }
    func definitions(beside table: SQLTable) -> [String] { [] }
    func rest(of table: String) -> (name: String, statement: String)? { nil }

    var hasCommentStatements: Bool { false }
    func comment(inColumn text: String) -> String { " COMMENT \(text)" }
    func comment(inTable text: String) -> String { comment(inColumn: text) }
    var noComment: String { "NULL" }
    func comment(onTable table: String, _ text: String?) -> String {
        "COMMENT ON TABLE \(table) IS \(text ?? noComment)"
    }
    func comment(onColumn column: String, of table: String, _ text: String?) -> String {
        "COMMENT ON COLUMN \(table).\(column) IS \(text ?? noComment)"
    }

    func widening(_ column: String, to type: String) -> String { "ALTER COLUMN \(column) SET DATA TYPE \(type)" }
    func relaxing(_ column: String, _ type: String) -> String { "ALTER COLUMN \(column) DROP NOT NULL" }
    func adding(_ definition: String, ifMissing: Bool) -> String {
        "ADD COLUMN \(ifMissing ? "IF NOT EXISTS " : "")\(definition)"
    }
    func renaming(table: String, to name: String) -> String { "ALTER TABLE \(table) RENAME TO \(name)" }
    func renaming(_ column: String, to name: String) -> String { "RENAME COLUMN \(column) TO \(name)" }
    func update(_ table: String, _ update: SQLUpdate) -> String {
        let values = update.values.map { "\(name($0.column)) = \($0.expression)" }.joined(separator: ", ")
        return "UPDATE \(table) SET \(values) WHERE \(update.condition)"
    }
    var emptyList: String { "[]" }
    var hasSchemaTransactions: Bool { false }
    func replacement(
        _ old: SQLTable, by new: SQLTable, _ source: SQLSources, _ updates: [SQLUpdate], _ script: SQLScript
    ) -> [String]? { nil }

    var loadSetting: String? { nil }
    var transaction: (before: [String], after: [String]) { ([], []) }
}

// MARK: Names and literals

extension SQLWarehouse {
    /// Returns a name in quotation marks, shortened if necessary.
    package func name(_ name: String) -> String { quoted(SQLDialect.shortened(name)) }

    package func name(_ member: RecordEnvelope) -> String { quoted(member.name) }

    /// Returns a string between quotes, with inner quotes doubled.
    func between(_ mark: UInt8, _ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(mark) else { return String(bytes, between: mark) }
            return String(
                decoding: [mark] + bytes.flatMap { $0 == mark ? [mark, mark] : [$0] } + [mark], as: UTF8.self)
        }
    }

    /// Returns a name between backticks, with inner backticks and backslashes escaped.
    func withEscapes(_ name: String) -> String {
        "`" + name.replacingOccurrences("\\", "\\\\").replacingOccurrences("`", "\\`") + "`"
    }

    /// Returns a string as a literal, which never contains a line end or U+0000.
    package func literal(_ text: String) -> String {
        var text = text
        let escapes = hasEscapes
        return text.withUTF8 { bytes in
            // Most strings are names and need no escapes. `special` and `escaped` become 0 if an escape is needed. The
            // compiler vectorizes a loop of this form: 16 bytes at once.
            var (special, escaped): (UInt8, UInt8) = (.max, .max)
            for byte in bytes {
                special = min(special, byte, byte ^ UInt8(ascii: "'"))
                escaped = min(escaped, byte & 0xE0, byte ^ UInt8(ascii: "$"))
                escaped = min(escaped, byte ^ UInt8(ascii: "\\"))
            }
            if special != 0, escaped != 0 || !escapes { return String(bytes, between: UInt8(ascii: "'")) }
            let dollar = dollar
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + 16)
            result.append(UInt8(ascii: "'"))
            for byte in bytes {
                switch byte {
                case 0: result += "\u{FFFD}".utf8
                case UInt8(ascii: "'"): result += escapes ? [UInt8(ascii: "\\"), byte] : [byte, byte]
                case UInt8(ascii: "\\") where escapes: result += [byte, byte]
                case UInt8(ascii: "\n") where escapes: result += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
                case UInt8(ascii: "\r") where escapes: result += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
                case UInt8(ascii: "$"): result += dollar.utf8
                default: result.append(byte)
                }
            }
            result.append(UInt8(ascii: "'"))
            return String(decoding: result, as: UTF8.self)
        }
    }

    /// Returns a description as a literal on one line, without control characters and direction marks.
    /// - Parameter longest: the maximum number of characters.
    func commentLiteral(_ text: String, longest: Int) -> String {
        let line = TextLanguage.line(text)
        guard line.utf8.count > longest, line.unicodeScalars.count > longest else { return literal(line) }
        return literal(String(line.unicodeScalars.prefix(longest - 1)) + "…")
    }

    func cast(_ text: String, _ type: String) -> String { "CAST(\(text) AS \(type))" }
}

// MARK: Types

extension SQLWarehouse {
    /// Returns the column type for the values of a type. The column can store every value that `loggen validate`
    /// accepts, except those that `validate` reports as `storage` for the dialect.
    ///
    /// `float` is as wide as `double`: records are not rejected for digits that a `Float` cannot represent.
    func type(of type: LogValueType) -> String { self.type(of: type, isOptional: false) }

    /// Returns the type without regard to NULL.
    func written(_ type: LogValueType) -> String {
        switch type.form {
        case .string, .enumeration: return words.text
        case .integer(let integer):
            let unsigned = integer.isSigned ? nil : words.unsigned
            let bits = integer.isSigned || unsigned != nil ? integer.bits : integer.bits * 2
            return (unsigned ?? words.integers)[min(bits.trailingZeroBitCount, 6) - 3]
        case .number: return words.double
        case .format(.decimal(let decimal)): return "\(self.decimal(decimal))(\(decimal.precision), \(decimal.scale))"
        case .boolean: return words.boolean
        case .format(let format): return words.formats[format] ?? words.text
        case .array(let list):
            if let word = words.listOfLists, list.isOfLists { return word }
            return self.list(of: written(list.items))
        // The definition files only name the type. The column contains the JSON of the record.
        case .named(let named): return named.base.map { written($0) } ?? words.text
        }
    }
}

extension LogValueType.List {
    var isOfLists: Bool { if case .array? = items.unnamed { true } else { false } }
}

// MARK: Load

extension SQLWarehouse {
    func names(of table: SQLTable) -> String { table.columns.map { name($0.name) }.joined(separator: ", ") }

    func insertion(into table: SQLTable) -> String { "INSERT INTO \(name(table.name)) (\(names(of: table)))\n" }

    /// Returns the columns, each built from its name in rows and its type.
    func columns(of table: SQLTable, _ made: (_ name: String, _ type: String) -> String) -> String {
        table.columns.map { made($0.name, self.type(of: $0.type, isOptional: !$0.isRequired)) }.joined(separator: ", ")
    }
}
