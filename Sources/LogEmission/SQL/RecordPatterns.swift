import LogDefinitions

/// Regular expressions for records that keep their definition, written as writers of JSON write them. They tell nearly
/// every good record in one look; for what they do not match, the check looks closer. So they may be narrower than the
/// definition, and never wider.
///
/// Our own writers keep the definition's order. A record in this order is told by two patterns that know at each place
/// what comes: one for what most versions begin with, and one for the rest. In Spark they take half as long as the
/// pattern of any order, which tries each name at each place, and is for the other records. Only Java's patterns can be
/// of any order: they see to it by themselves that each required column is there and none stands twice. DuckDB has
/// ``RecordConditions`` for the others.
struct RecordPatterns {
    private let dialect: SQLDialect
    private let patterns: JSONPatterns
    /// As in ``JSONPatterns``.
    private let once: String
    /// Those of the types that were asked for.
    private var known: [LogValueType: String?] = [:]

    init(_ dialect: SQLDialect) {
        self.dialect = dialect
        patterns = JSONPatterns(dialect)
        once = dialect == .spark ? "+" : ""
    }

    /// Whether a pattern can have the names that a version's records have.
    static func canName(_ version: EventDescription.Version) -> Bool {
        // By index, because a column is a large value.
        let columns = version.columns
        let areOwn = columns.indices.allSatisfy { literal(columns[$0].name) != nil && !taken.contains(columns[$0].name) }
        guard areOwn else { return false }
        // Few names are compared faster than they are hashed.
        guard columns.count <= 16 else { return Set(columns.indices.map { columns[$0].name }).count == columns.count }
        return columns.indices.allSatisfy { one in !columns[..<one].indices.contains { columns[$0].name == columns[one].name } }
    }

    private static let taken = SQLScript.envelopeNames + [SQLScript.samplingRate, "violations"]

    /// A pattern of a version's good records, in which columns may stand in any order; nil if there is none.
    mutating func record(of event: EventDescription, _ version: EventDescription.Version) -> String? {
        guard Self.canName(version), let category = Self.literal(event.category), let name = Self.literal(event.name),
            let text = Self.literal(version.text), let time = value(.timestamp), let key = value(.uuid)
        else { return nil }
        var values: [String: String] = [
            "event_id": key, "event_category": "\"\(category)\"", "event_name": "\"\(name)\"", "schema_version": "\"\(text)\"", "occurred_at": time,
            SQLScript.samplingRate: Self.share,
        ]
        for column in version.columns { values[column.name] = value(of: column) }
        let envelope: [(name: String, isRequired: Bool)] = SQLScript.envelopeNames.map { ($0, true) } + [(SQLScript.samplingRate, false)]
        let columns = envelope + version.columns.map { ($0.name, $0.isRequired) }
        guard columns.allSatisfy({ !$0.isRequired || values[$0.name] != nil }) else { return nil }
        let matched = columns.filter { values[$0.name] != nil }
        // An empty pair of parentheses remembers that a column was there.
        let members = matched.compactMap { column in values[column.name].map { "\(column.name)\": ?\($0)()" } }
        let member = "\"(?:\(members.joined(separator: "|")))"
        let again = matched.enumerated().map { "\($0.element.name)\"\\\($0.offset + 1)" }.joined(separator: "|")
        let there = matched.enumerated().filter(\.element.isRequired).map { "\\\($0.offset + 1)" }.joined()
        return "^\\{(?:\(member)(?:, ?(?=\")(?!\"(?:\(again)))|(?=\\})))*+\\}\(there)$"
    }

    /// Of a column's values; nil if there is none.
    private mutating func value(of column: EventDescription.Column) -> String? {
        let value: String?
        if let made = known[column.type] {
            value = made
        } else {
            value = self.value(column.type)
            known[column.type] = .some(value)
        }
        return value.map { column.isRequired ? $0 : "(?:\($0)|null)" }
    }

    private static let share = "0\\.0*[1-9][0-9]*"

    // MARK: In order

    /// How a record says what it is, if the three stand beside each other.
    static let naming = ["event_category", "event_name", "schema_version"].map { "\"\($0)\": ?\"[^\"\\\\]*\"" }.joined(separator: ", ?")

    /// The columns that more than half of the versions begin with.
    static func beginning(of versions: [EventDescription.Version]) -> [EventDescription.Column] {
        var result: [EventDescription.Column] = []
        var alike = versions
        while true {
            let place = result.count
            alike = alike.filter { $0.columns.count > place }
            // What more than half of them have, the one in the middle has by name.
            let names = alike.map { $0.columns[place].name }.sorted()
            guard !names.isEmpty, let next = alike.first(where: { $0.columns[place].name == names[names.count / 2] })?.columns[place] else { break }
            alike = alike.filter { isAlike($0.columns[place], next) }
            guard alike.count * 2 > versions.count else { break }
            result.append(next)
        }
        return result
    }

    private static func isAlike(_ one: EventDescription.Column, _ other: EventDescription.Column) -> Bool {
        one.name == other.name && one.isRequired == other.isRequired && (one.type == other.type || one.type.shape == other.type.shape)
    }

    /// Two patterns of records in order, one for their first part and one for the rest. The first one says nothing of the
    /// event and its version.
    struct Order {
        /// Of the columns that most versions begin with, as far as the last that each record has.
        var first: String
        /// The name of that column, as far as its colon, and a pattern of a value of it that `first` has found.
        fileprivate(set) var last: (name: String, value: String)
        fileprivate var columns: ArraySlice<EventDescription.Column>
    }

    /// The order of most of the versions; nil if there is no pattern for it.
    mutating func order(of versions: [EventDescription.Version]) -> Order? {
        let all = Self.beginning(of: versions)
        guard let key = value(.uuid), let time = value(.timestamp) else { return nil }
        let text = #""[^"\\]*(?:\\.[^"\\]*)*""#
        let number = all.lastIndex { $0.isRequired && !Self.isNested($0.type) }
        let columns = number.map { all[...$0] } ?? []
        guard let members = members(columns) else { return nil }
        let first = "^\\{\"event_id\": ?\(key), ?\(Self.naming), ?\"occurred_at\": ?\(time)\(columns.isEmpty ? "" : share + members)"
        let value = columns.isEmpty ? text : #"(?:"# + text + #"|\[(?:[^"\]]|"# + text + #")*\]|[^"\[,}]+)"#
        return Order(first: tabled(first), last: ("\"\(columns.last?.name ?? "occurred_at")\":", value), columns: columns)
    }

    /// Whether there may be lists in a list.
    private static func isNested(_ type: LogValueType) -> Bool {
        switch type {
        case .array(let list):
            switch list.items {
            case .array: true
            case .named(let named): named.base.map { isNested(.array(.init(of: $0))) } ?? false
            case .string, .integer, .number, .boolean, .decimal, .date, .timestamp, .uuid, .url, .enumeration: false
            }
        case .named(let named): named.base.map(isNested) ?? false
        case .string, .integer, .number, .boolean, .decimal, .date, .timestamp, .uuid, .url, .enumeration: false
        }
    }

    /// A pattern of what stands in a version's records behind what `first` has found, as far as their end; nil if there
    /// is none.
    mutating func rest(of version: EventDescription.Version, in order: Order) -> String? {
        guard Self.canName(version), version.columns.count >= order.columns.count,
            zip(version.columns, order.columns).allSatisfy({ Self.isAlike($0, $1) }),
            let members = members(version.columns.dropFirst(order.columns.count))
        else { return nil }
        return (order.columns.isEmpty ? share : "") + members + "\\}$"
    }

    private var share: String { "(?:, ?\"\(SQLScript.samplingRate)\": ?\(Self.share))?\(once)" }

    /// Java finds single characters in a table, and asks a range on its own.
    private func tabled(_ pattern: String) -> String {
        guard dialect == .spark else { return pattern }
        return pattern.replacingOccurrences("\\x00-\\x1f", (0..<32).map { "\\x" + TextLanguage.hex($0, digits: 2) }.joined())
    }

    private mutating func members(_ columns: ArraySlice<EventDescription.Column>) -> String? {
        // RE2 refuses large programs.
        guard dialect == .spark || columns.reduce(0, { $0 + repetitions($1.type) }) <= Self.mostInAll else { return nil }
        var result = ""
        for column in columns {
            guard let value = value(of: column) else {
                if column.isRequired { return nil }
                continue
            }
            let member = ", ?\"\(column.name)\": ?\(value)"
            result += column.isRequired ? member : "(?:\(member))?\(once)"
        }
        return result
    }

    /// Text that stands for itself in JSON and in a pattern; nil if it holds anything that might not.
    static func literal(_ text: String) -> String? {
        if text.utf8.allSatisfy({ byte in (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F }) { return text }
        return rareLiteral(text)
    }

    private static func rareLiteral(_ text: String) -> String? {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-", " ": true
            default: scalar.value > 0x7F && (scalar.properties.isAlphabetic)
            }
        } ? text : nil
    }

    // MARK: Values

    /// A pattern of a type's values; nil if there is none.
    private func value(_ type: LogValueType) -> String? {
        switch type {
        case .string(let limits):
            let plain = #"[^"\\\x00-\x1f]"#
            // RE2 makes a part of its program for each repetition, so there are no escapes in them.
            if let most = limits.maxLength.map({ min($0, mostRepetitions) }) {
                guard dialect == .spark else { return "\"\(plain){0,\(most)}\"" }
                return "\"(?:\(plain){0,\(most)}+\"|(?:\(plain)|\(JSONPatterns.escape)){0,\(most)}+\")"
            }
            if let most = limits.maxBytes.map({ min($0, mostRepetitions) }) {
                guard dialect == .spark else { return "\"(?:[ !#-\\[\\]-~]{0,\(most)}|\(plain){0,\(most / 4)})\"" }
                let escape = #"\\["\\/bfnrt]"#
                return "\"(?:(?:[ !#-\\[\\]-~]|\(escape)){0,\(most)}+\"|(?:\(plain)|\(escape)){0,\(most / 4)}+\")"
            }
            return patterns.plainText
        case .integer(let integer): return IntegerPattern.text(integer.range)
        case .number(let number): return self.number(number)
        case .boolean: return "(?:true|false)"
        case .decimal(let decimal): return quoted(SchemaPattern.decimal(decimal))
        case .date: return "\"\(Self.day)\""
        case .timestamp: return "\"\(Self.day)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z\""
        case .uuid: return quoted(SchemaPattern.uuid)
        case .url:
            let text = #"(?:[A-Za-z0-9._~:/?@!$&'()*+,;=\[\]-]"# + (once.isEmpty ? "" : "++") + "|%[0-9A-Fa-f]{2})*\(once)"
            return "\"[A-Za-z][A-Za-z0-9+.-]*\(once):\(text)(?:#\(text))?\(once)\""
        case .enumeration(let enumeration):
            let values = enumeration.values.compactMap(Self.literal)
            return values.isEmpty ? nil : "\"(?:\(values.joined(separator: "|")))\""
        case .array(let list):
            let least = list.minItems ?? 0
            // RE2 counts a repetition once for each that is around it.
            let limit = dialect == .spark ? mostRepetitions : mostRepetitions / repetitions(list.items)
            let most = list.maxItems.map { min($0, limit) }
            guard most != 0, least <= most ?? limit, let item = value(list.items) else { return nil }
            let others = "(?:, ?\(item)){\(max(least - 1, 0)),\(most.map { String($0 - 1) } ?? "")}\(once)"
            return "\\[" + (least > 0 ? item + others : "(?:\(item)\(others))?\(once)") + "\\]"
        case .named(let named):
            if let base = named.base { return value(base) }
            return "(?:\(patterns.plainText)|\(JSONPatterns.number)|true|false)"
        }
    }

    private var mostRepetitions: Int { dialect == .spark ? 1_000_000 : 512 }

    private static let mostInAll = 4000

    /// How often the pattern of a value repeats a part at most; 19 are the digits of a number.
    private func repetitions(_ type: LogValueType) -> Int {
        switch type {
        case .string(let limits): min(limits.maxLength ?? limits.maxBytes ?? 1, mostRepetitions)
        case .decimal(let decimal): max(decimal.precision, 1)
        case .array(let list): min(max(min(list.maxItems ?? list.minItems ?? 1, mostRepetitions), 1) * repetitions(list.items), mostRepetitions)
        case .named(let named): named.base.map(repetitions) ?? 1
        case .integer, .number, .boolean, .date, .timestamp, .uuid, .url, .enumeration: 19
        }
    }

    /// Days from 1900 to 2299, which all warehouses have; leap days from 2000 to 2099.
    private static let day =
        "(?:(?:19|2[0-2])[0-9]{2}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
        + "|20(?:0[048]|[2468][048]|[13579][26])-02-29)"

    private func quoted(_ pattern: String) -> String { "\"(?:\(pattern.dropFirst().dropLast()))\"" }

    /// Numbers without an exponent. Rounding to a double leaves a number within bounds that are doubles.
    private func number(_ number: LogValueType.Number) -> String? {
        let lowest = number.minimum.flatMap { $0.isFinite ? $0 : nil }
        let highest = number.maximum.flatMap { $0.isFinite ? $0 : nil }
        if lowest == nil, highest == nil { return JSONPatterns.number }
        let limit = 1e15
        let (low, high) = (max(lowest ?? -limit, -limit), min(highest ?? limit, limit))
        var parts: [String] = []
        // Digits behind the point bring a number no further than to the next whole one.
        func add(_ sign: String, from low: Double, to high: Double) {
            guard low <= limit, high >= 0 else { return }
            let (first, last) = (Int64(max(low, 0).rounded(.up)), high.rounded(.down))
            guard last >= Double(first) else { return }
            parts.append(sign + IntegerPattern.digits(first...Int64(last)))
            if Int64(last) > first { parts.append(sign + IntegerPattern.digits(first...(Int64(last) - 1)) + "[.][0-9]+\(once)") }
        }
        if high >= 0 { add("", from: low, to: high) }
        if low < 0 { add("-", from: -high, to: -low) }
        return parts.isEmpty ? nil : "(?:\(parts.joined(separator: "|")))"
    }
}

/// Whole numbers of a range, as digits without leading zeros.
package enum IntegerPattern {
    package static func text(_ range: ClosedRange<Int64>) -> String {
        var parts: [String] = []
        if range.upperBound >= 0 { parts.append(digits(max(range.lowerBound, 0)...range.upperBound)) }
        if range.lowerBound < 0 {
            let least = range.upperBound < 0 ? range.upperBound.magnitude : 1
            parts.append("-" + digits(String(least), String(range.lowerBound.magnitude)))
        }
        return "(?:\(parts.joined(separator: "|")))"
    }

    /// Of numbers from 0 on.
    static func digits(_ range: ClosedRange<Int64>) -> String { digits(String(range.lowerBound), String(range.upperBound)) }

    private static func digits(_ lowest: String, _ highest: String) -> String {
        let isFromStart = lowest == "0" || lowest.utf8.elementsEqual(("1" + lowest.dropFirst().map { _ in "0" }).utf8)
        let isToEnd = highest.utf8.allSatisfy { $0 == UInt8(ascii: "9") }
        var parts: [String] = []
        // Of these many digits, all numbers.
        let first = lowest.count + (isFromStart ? 0 : 1)
        let last = highest.count - (isToEnd ? 0 : 1)
        if lowest == "0", highest.count > 1 { parts.append("0") }
        if first <= last {
            parts.append(lowest == "0" && highest.count == 1 ? "[0-9]" : last == 1 ? "[1-9]" : "[1-9][0-9]{\(first - 1),\(last - 1)}")
        }
        func number(_ text: String) -> [Int] { text.utf8.map { Int($0) - 48 } }
        if !isFromStart { parts.append(alike(number(lowest), lowest.count == highest.count ? number(highest) : lowest.map { _ in 9 })) }
        if !isToEnd, isFromStart || lowest.count < highest.count {
            let least = lowest.count == highest.count ? number(lowest) : [1] + highest.dropFirst().map { _ in 0 }
            parts.append(alike(least, number(highest)))
        }
        return "(?:\(parts.joined(separator: "|")))"
    }

    /// Numbers between two of as many digits.
    private static func alike(_ low: [Int], _ high: [Int]) -> String {
        guard let first = low.first, let last = high.first else { return "" }
        let (lows, highs) = (Array(low.dropFirst()), Array(high.dropFirst()))
        func set(_ from: Int, _ to: Int) -> String { from == to ? "\(from)" : "[\(from)-\(to)]" }
        func any(_ count: Int) -> String { count == 0 ? "" : count == 1 ? "[0-9]" : "[0-9]{\(count)}" }
        let zeros = lows.allSatisfy { $0 == 0 }
        let nines = highs.allSatisfy { $0 == 9 }
        if zeros, nines { return set(first, last) + any(lows.count) }
        if first == last { return "\(first)" + alike(lows, highs) }
        var parts: [String] = []
        let from = zeros ? first : first + 1
        let to = nines ? last : last - 1
        if !zeros { parts.append("\(first)" + alike(lows, lows.map { _ in 9 })) }
        if from <= to { parts.append(set(from, to) + any(lows.count)) }
        if !nines { parts.append("\(last)" + alike(highs.map { _ in 0 }, highs)) }
        return "(?:\(parts.joined(separator: "|")))"
    }
}
