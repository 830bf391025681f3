package import LogDefinitions
import LogOutputs

/// The SQL of a warehouse. A member with a default is one that most of them share.
///
/// Parameters for columns and tables are names in quotation marks; those for comments are literals.
package protocol SQLWarehouse: Sendable {
    /// The product's own spelling.
    var title: String { get }
    var limits: SQLLimits { get }

    /// A name in quotation marks.
    func quoted(_ name: String) -> String
    /// Whether a backslash in a literal begins an escape.
    var hasEscapes: Bool { get }
    /// A dollar sign in a literal.
    var dollar: String { get }
    /// How many characters the description of a table, or of a column, has at most.
    var longestComments: (table: Int, column: Int) { get }

    static var words: SQLWords { get }
    /// The name of a type of decimals, in front of the numbers of digits.
    func decimal(_ decimal: LogValueType.Decimal) -> String
    func list(of items: String) -> String
    /// - Parameter isOptional: whether it also holds NULL.
    func type(of type: LogValueType, isOptional: Bool) -> String

    func count(_ list: String) -> String
    /// Whether a test holds for every item of a list that is not NULL.
    func every(_ list: String, _ item: String, _ test: String) -> String
    /// In Unicode scalars.
    func length(_ text: String) -> String
    /// In bytes of UTF-8.
    func bytes(_ text: String) -> String
    /// An item of a list, as a value of its type.
    func item(_ item: String, _ type: LogValueType) -> String
    /// Whether a list may be NULL. If not, one that was left out is empty.
    var hasMissingLists: Bool { get }

    /// Whether columns that are never NULL are marked as such beside their type.
    var marksRequired: Bool { get }
    /// The clauses after the columns of the table of bad records.
    var badRecordsOptions: String { get }
    /// The clauses between a table's columns and its comment.
    func options(of table: SQLTable) -> String
    /// Definitions of columns beside those of the model.
    func definitions(beside table: SQLTable) -> [String]
    /// The table for the rows that are in no other partition; nil if there is none.
    func rest(of table: String) -> (name: String, statement: String)?

    /// Whether all comments are statements. If not, tables and columns are made with them.
    var hasCommentStatements: Bool { get }
    /// The clause after a column's type.
    func comment(inColumn text: String) -> String
    /// The clause after a table's options.
    func comment(inTable text: String) -> String
    /// The value that removes a comment.
    var noComment: String { get }
    func comment(onTable table: String, _ text: String?) -> String
    func comment(onColumn column: String, of table: String, _ text: String?) -> String

    func widening(_ column: String, to type: String) -> String
    /// - Parameter type: the column's, with NULL.
    func relaxing(_ column: String, _ type: String) -> String
    func adding(_ definition: String, ifMissing: Bool) -> String
    /// Whether a statement that adds a column may find that it is there.
    var addsIfMissing: Bool { get }
    /// The statements that put another table in a table's place; nil if the table takes all changes.
    func replacement(_ old: SQLTable, by new: SQLTable, _ source: SQLSources, _ script: SQLScript) -> [String]?

    /// A line before the statements.
    var loadSetting: String? { get }
    /// The statements around a load; none if there are no transactions, or if a load is one by itself.
    var transaction: (before: [String], after: [String]) { get }
    func load(_ table: SQLTable, from path: String) -> [String]
}

/// The columns of an earlier table, by the names of those that they become.
package typealias SQLSources = [String: SQLTable.Column]

/// The names of types.
package struct SQLWords: Sendable {
    var text: String
    /// Of 8, 16, 32 and 64 bits.
    var integers: [String]
    /// Those of numbers from 0; nil if they take the next wider type.
    var unsigned: [String]?
    var double = "DOUBLE"
    var decimal = "DECIMAL"
    var boolean = "BOOLEAN"
    var date = "DATE"
    var timestamp: String
    /// Nil if it is a text.
    var uuid: String?
    /// Lists of lists whose lengths differ; nil if they are lists like others.
    var listOfLists: String?
}

/// The values that an engine's types and its reader of JSON hold, within the definitions' own bounds.
package struct SQLLimits: Sendable {
    /// Whether texts may contain U+0000.
    package var allowsNull = true
    /// The years of dates and timestamps.
    package var years = 0...9999
    /// The longest record, in bytes.
    package var longestRecord = Int.max
}

// MARK: What most of them share

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
    var addsIfMissing: Bool { true }
    func replacement(_ old: SQLTable, by new: SQLTable, _ source: SQLSources, _ script: SQLScript) -> [String]? { nil }

    var loadSetting: String? { nil }
    var transaction: (before: [String], after: [String]) { ([], []) }
}

// MARK: Names and texts

extension SQLWarehouse {
    /// A name that is cut if it is long, in quotation marks.
    package func name(_ name: String) -> String { quoted(SQLDialect.shortened(name)) }

    package func name(_ member: RecordEnvelope) -> String { quoted(member.name) }

    /// A string between marks. A mark in it is doubled.
    func between(_ mark: UInt8, _ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(mark) else { return String(bytes, between: mark) }
            return String(
                decoding: [mark] + bytes.flatMap { $0 == mark ? [mark, mark] : [$0] } + [mark], as: UTF8.self)
        }
    }

    /// A name between backticks, with backslashes in front of others.
    func withEscapes(_ name: String) -> String {
        "`" + name.replacingOccurrences("\\", "\\\\").replacingOccurrences("`", "\\`") + "`"
    }

    /// A text as a literal. It never holds a line end or U+0000.
    package func literal(_ text: String) -> String {
        var text = text
        let escapes = hasEscapes
        return text.withUTF8 { bytes in
            // Most texts are names, with nothing to be escaped. 0 means that there is something: a loop of this form
            // looks at 16 bytes at once.
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

    /// A description as a literal: one line, without controls and marks of direction.
    /// - Parameter longest: how many characters it has at most.
    func commentLiteral(_ text: String, longest: Int) -> String {
        let line = TextLanguage.line(text)
        guard line.utf8.count > longest, line.unicodeScalars.count > longest else { return literal(line) }
        return literal(String(line.unicodeScalars.prefix(longest - 1)) + "…")
    }

    func cast(_ text: String, _ type: String) -> String { "CAST(\(text) AS \(type))" }
}

// MARK: Types

extension SQLWarehouse {
    /// The type of a column that holds the values of a type. It holds every value that `loggen validate` takes, but for
    /// those that it calls `storage` for the dialect.
    ///
    /// `float` is as wide as `double`: records are not refused for digits that a `Float` does not have.
    func type(of type: LogValueType) -> String { self.type(of: type, isOptional: false) }

    /// The type, whether it holds NULL or not.
    func written(_ type: LogValueType) -> String {
        switch type {
        case .string, .url, .enumeration: return words.text
        case .integer(let integer):
            let unsigned = integer.isSigned ? nil : words.unsigned
            let bits = integer.isSigned || unsigned != nil ? integer.bits : integer.bits * 2
            return (unsigned ?? words.integers)[min(bits.trailingZeroBitCount, 6) - 3]
        case .number: return words.double
        case .decimal(let decimal): return "\(self.decimal(decimal))(\(decimal.precision), \(decimal.scale))"
        case .boolean: return words.boolean
        case .date: return words.date
        case .timestamp: return words.timestamp
        case .uuid: return words.uuid ?? words.text
        case .array(let list):
            if let word = words.listOfLists, list.isOfLists { return word }
            return self.list(of: written(list.items))
        // The documents know only the name: the column holds JSON, as the record has it.
        case .named(let named): return named.base.map { written($0) } ?? words.text
        }
    }
}

extension LogValueType.List {
    var isOfLists: Bool { if case .array? = items.unnamed { true } else { false } }
}

// MARK: Load

extension SQLWarehouse {
    /// The names of a table's columns.
    func names(of table: SQLTable) -> String { table.columns.map { name($0.name) }.joined(separator: ", ") }

    func insertion(into table: SQLTable) -> String { "INSERT INTO \(name(table.name)) (\(names(of: table)))\n" }

    /// The columns, each made of its name as rows have it and its type.
    func columns(of table: SQLTable, _ made: (_ name: String, _ type: String) -> String) -> String {
        table.columns.map { made($0.name, self.type(of: $0.type, isOptional: !$0.isRequired)) }.joined(separator: ", ")
    }
}
