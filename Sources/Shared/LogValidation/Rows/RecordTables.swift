import LogTypes

/// The tables for records, and the limits of the engine.
package struct RecordTables: Sendable {
    package struct Column: Sendable {
        /// The member of a record.
        package var field: String
        /// The column's name, which is also the member of a row.
        package var name: String
        /// The versions whose records fill the column, as `category.event 1-0-0`, or nil for all that have the field.
        package var versions: [String]?

        package init(field: String, name: String, versions: [String]?) {
            (self.field, self.name, self.versions) = (field, name, versions)
        }
    }

    package struct Table: Sendable {
        package var name: String
        /// The events of the table, as `category.event`.
        package var events: [String]
        package var columns: [Column]

        package init(name: String, events: [String], columns: [Column]) {
            (self.name, self.events, self.columns) = (name, events, columns)
        }
    }

    /// The limits of an engine that are narrower than those of the definitions.
    package struct Limits: Sendable {
        /// The engine's official name.
        package var engine: String
        /// Indicates whether strings may contain U+0000.
        package var allowsNull: Bool
        /// The years of dates and timestamps.
        package var years: ClosedRange<Int>
        /// The maximum size of a record in bytes: at most half of the longest line, because escapes lengthen its row.
        package var longestRecord: Int
        /// The maximum size of a rejected record as an escaped string. The line needs 128 KiB for names and violations.
        var longestText: Int { longestRecord > Int.max / 2 ? .max : max(2 * longestRecord - (1 << 17), 1 << 10) }

        package init(
            engine: String, allowsNull: Bool = true, years: ClosedRange<Int> = 0...9999, longestRecord: Int = .max
        ) {
            (self.engine, self.allowsNull, self.years, self.longestRecord) = (engine, allowsNull, years, longestRecord)
        }
    }

    package let tables: [Table]
    /// The name of the table for all records that are not valid.
    package let bad: String
    /// The limits, or nil if no engine was named. Without limits, every valid record can be stored.
    package let limits: Limits?

    package init(_ tables: [Table], bad: String, limits: Limits?) {
        self.tables = tables
        self.bad = bad
        self.limits = limits
    }

    /// The names of all tables; that of the bad records is the last.
    package var names: [String] { tables.map(\.name) + [bad] }
}

/// The form of rows for warehouse tables. A row is a record in the form that an engine loads.
package enum RecordRouting: Sendable {
    /// Each table has its own rows, which go to separate files.
    case split(RecordTables)
    /// One line per record, in order: the table, and the record as a row, or unchanged without an engine.
    case stream(RecordTables)

    package var tables: RecordTables {
        switch self {
        case .split(let tables), .stream(let tables): tables
        }
    }
}

/// The rules for writing rows, by the number of the version.
struct RowRules {
    struct Target {
        /// The number of the table, or -1 for a version whose records are never valid.
        var table = -1
        /// Indicates whether a record is copied to its row byte for byte, if its values are spelled plainly.
        var isCopied = true
        /// Indicates whether the row has other names or values than the record: those of the current definitions.
        var isRenamed = false
        /// The current category and event of a renamed event, as JSON strings.
        var event: (category: [UInt8], name: [UInt8])?
    }

    /// The table of each version, and whether records are copied to it unchanged.
    private(set) var targets: [Target]
    /// The names of each version's columns in a row, with quotation marks and a colon.
    private(set) var keys: [[[UInt8]]]
    /// The current values of each version's columns as JSON strings, by former values. Empty for most versions.
    private(set) var values: [[[[UInt8]: [UInt8]]]]
    /// The number of the table for records that are not valid.
    let bad: Int
    let isStream: Bool
    /// Indicates whether valid records are unchanged, which is the case in a stream without an engine.
    var keepsRecords: Bool { isStream && limits == nil }
    let limits: RecordTables.Limits?
    /// The beginnings of lines in a stream, by table.
    let beginnings: [[UInt8]]

    init(_ rules: RecordRules, _ routing: RecordRouting) {
        let tables = routing.tables
        if case .stream = routing { isStream = true } else { isStream = false }
        bad = tables.tables.count
        limits = tables.limits
        beginnings = tables.names.map { name in
            Array("{\"table\":".utf8) + JSONStringWriter.quoted(Array(name.utf8)) + Array(",\"record\":".utf8)
        }
        targets = Array(repeating: Target(), count: rules.versions.count)
        keys = Array(repeating: [], count: rules.versions.count)
        values = keys.map { _ in [] }
        let numbers = Dictionary(
            tables.tables.enumerated().flatMap { number, table in table.events.map { ($0, number) } },
            uniquingKeysWith: { first, _ in first })
        for (event, description) in rules.descriptions.enumerated() {
            guard let number = numbers[description.fullName] else { continue }
            let columns = Dictionary(grouping: tables.tables[number].columns, by: \.field)
            let described = Dictionary(
                description.versions.map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
            for version in rules.events[event].versions where !rules.versions[version].isRetired {
                let versionText = String(decoding: rules.bytes[rules.versions[version].text], as: UTF8.self)
                let text = "\(description.fullName) \(versionText)"
                let (heirs, valueHeirs) = (
                    described[versionText]?.heirs ?? [:], described[versionText]?.valueHeirs ?? [:]
                )
                targets[version].table = number
                if let heir = description.heir {
                    let parts = heir.split(separator: ".", maxSplits: 1).map { JSONStringWriter.quoted(Array($0.utf8)) }
                    if parts.count == 2 { targets[version].event = (parts[0], parts[1]) }
                }
                targets[version].isRenamed = description.heir != nil || !heirs.isEmpty || !valueHeirs.isEmpty
                for column in rules.versions[version].columns {
                    let record = String(decoding: rules.bytes[rules.columns[column].name], as: UTF8.self)
                    let field = heirs[record] ?? record
                    let name = columns[field]?.first { $0.versions?.contains(text) ?? true }?.name ?? field
                    if name != record || rules.isJSONText(rules.columns[column].rule) {
                        targets[version].isCopied = false
                    }
                    keys[version].append(JSONStringWriter.quoted(Array(name.utf8)) + [UInt8(ascii: ":")])
                    guard !valueHeirs.isEmpty else { continue }
                    values[version].append(
                        Dictionary(
                            (valueHeirs[record] ?? [:]).map {
                                (Array($0.utf8), JSONStringWriter.quoted(Array($1.utf8)))
                            }, uniquingKeysWith: { first, _ in first }))
                }
            }
        }
    }
}

extension RecordRules {
    /// Returns whether values are any JSON scalars, because definitions contain only the name of their type.
    fileprivate func isJSONText(_ rule: Int) -> Bool {
        switch rules[rule].kind {
        case .scalar: true
        case .list: isJSONText(rules[rule].items)
        case .text, .integer, .number, .boolean, .format, .enumeration: false
        }
    }
}

enum JSONStringWriter {
    /// Returns a JSON string of UTF-8 bytes.
    static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 16)
        bytes.withUnsafeBufferPointer { append($0, to: &text) }
        return text
    }

    static func append(_ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case 0..<0x20:
                text += "\\u00".utf8
                text.append(hexadecimal[Int(byte >> 4)])
                text.append(hexadecimal[Int(byte & 0xF)])
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}
