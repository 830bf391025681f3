import LogDefinitions

/// Regular expressions for records that keep their definition, written as writers of JSON write them. They tell nearly
/// every good record in one look; for what they do not match, the check looks closer. So they may be narrower than the
/// definition, and never wider.
///
/// They are Java's, for Spark: only Java's patterns see to it by themselves that each required column is there and none
/// stands twice. DuckDB has ``RecordConditions``.
struct RecordPatterns {
    private let patterns = JSONPatterns(.spark)
    /// Those of the types that were asked for.
    private var known: [LogValueType: String?] = [:]

    /// The names that a version's records have, and which are required; nil if a pattern cannot have them.
    static func columns(of version: EventDescription.Version) -> [(name: String, isRequired: Bool)]? {
        let columns =
            SQLScript.envelopeNames.map { ($0, true) } + [(SQLScript.samplingRate, false)] + version.columns.map { ($0.name, $0.isRequired) }
        let names = Set(columns.map(\.0))
        guard names.count == columns.count, !names.contains("violations"), names.allSatisfy({ literal($0) != nil }) else { return nil }
        return columns
    }

    /// A pattern of a version's good records, in which columns may stand in any order; nil if there is none.
    mutating func record(of event: EventDescription, _ version: EventDescription.Version) -> String? {
        guard let columns = Self.columns(of: version), let category = Self.literal(event.category), let name = Self.literal(event.name),
            let text = Self.literal(version.text), let time = value(.timestamp), let key = value(.uuid)
        else { return nil }
        var values: [String: String] = [
            "event_id": key, "event_category": "\"\(category)\"", "event_name": "\"\(name)\"", "schema_version": "\"\(text)\"", "occurred_at": time,
            SQLScript.samplingRate: "0\\.0*[1-9][0-9]*",
        ]
        for column in version.columns {
            let value: String?
            if let made = known[column.type] {
                value = made
            } else {
                value = self.value(column.type)
                known[column.type] = .some(value)
            }
            guard let value else { continue }
            values[column.name] = column.isRequired ? value : "(?:\(value)|null)"
        }
        guard columns.allSatisfy({ !$0.isRequired || values[$0.name] != nil }) else { return nil }
        let matched = columns.filter { values[$0.name] != nil }
        // An empty pair of parentheses remembers that a column was there.
        let members = matched.compactMap { column in values[column.name].map { "\(column.name)\": ?\($0)()" } }
        let member = "\"(?:\(members.joined(separator: "|")))"
        let again = matched.enumerated().map { "\($0.element.name)\"\\\($0.offset + 1)" }.joined(separator: "|")
        let there = matched.enumerated().filter(\.element.isRequired).map { "\\\($0.offset + 1)" }.joined()
        return "^\\{(?:\(member)(?:, ?(?!\"(?:\(again)))|(?=\\})))*+\\}\(there)$"
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
            if let most = limits.maxLength {
                let most = min(most, Self.mostRepetitions)
                return "\"(?:\(plain){0,\(most)}+\"|(?:\(plain)|\(JSONPatterns.escape)){0,\(most)}+\")"
            }
            if let most = limits.maxBytes {
                let most = min(most, Self.mostRepetitions)
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
            let text = #"(?:[A-Za-z0-9._~:/?@!$&'()*+,;=\[\]-]++|%[0-9A-Fa-f]{2})*+"#
            return "\"[A-Za-z][A-Za-z0-9+.-]*+:\(text)(?:#\(text))?+\""
        case .enumeration(let enumeration):
            let values = enumeration.values.compactMap(Self.literal)
            return values.isEmpty ? nil : "\"(?:\(values.joined(separator: "|")))\""
        case .array(let list):
            let least = list.minItems ?? 0
            let most = list.maxItems.map { min($0, Self.mostRepetitions) }
            guard most != 0, least <= most ?? Self.mostRepetitions, let item = value(list.items) else { return nil }
            let others = "(?:, ?\(item)){\(max(least - 1, 0)),\(most.map { String($0 - 1) } ?? "")}+"
            return "\\[" + (least > 0 ? item + others : "(?:\(item)\(others))?+") + "\\]"
        case .named(let named):
            if let base = named.base { return value(base) }
            return "(?:\(patterns.plainText)|\(JSONPatterns.number)|true|false)"
        }
    }

    private static let mostRepetitions = 1_000_000

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
            if Int64(last) > first { parts.append(sign + IntegerPattern.digits(first...(Int64(last) - 1)) + "[.][0-9]++") }
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
