/// Reads the literal that generated code holds for a category; `LogDefinition` documents its form.
///
/// A line that it cannot read is passed over: literals come from loggen, and an app must not crash over one.
struct DefinitionReader {
    private(set) var name = ""
    private(set) var owner: String?
    private(set) var samplingKey: String?
    private(set) var events: [LogDefinition.Event] = []
    private let facts: StaticString

    init(_ facts: StaticString) {
        self.facts = facts
    }

    mutating func read() {
        let text = facts.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"))[...]
        guard let first = lines.popFirst() else { return }
        let category = Self.fields(first)
        name = category[0]
        owner = Self.optional(category, 1)
        samplingKey = Self.optional(category, 2)
        while let line = lines.popFirst() {
            let fields = Self.fields(line)
            var columns: [LogDefinition.Column] = []
            while let next = lines.first, next.first != UInt8(ascii: ".") {
                lines.removeFirst()
                columns.append(Self.column(next))
            }
            events.append(
                LogDefinition.Event(
                    name: String(fields[0].dropFirst()), schemaVersion: Self.optional(fields, 1) ?? "1-0-0",
                    status: Self.optional(fields, 2).flatMap(LogDefinition.Status.init) ?? .active,
                    trigger: Self.optional(fields, 3).flatMap(Self.trigger), owner: Self.optional(fields, 4),
                    sampling: Self.optional(fields, 5).flatMap(Double.init), columns: columns))
        }
    }

    private static func column(_ line: Substring.UTF8View) -> LogDefinition.Column {
        let parts = line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        var type = parts.count > 1 ? Substring(parts[1]) : ""
        let isOptional = type.hasSuffix("?")
        if isOptional { type.removeLast() }
        let privacy = parts.count > 2 ? LogDefinition.Privacy(rawValue: String(Substring(parts[2]))) : nil
        return LogDefinition.Column(name: decoded(parts[0]), type: valueType(type), isRequired: !isOptional, privacy: privacy)
    }

    private static func valueType(_ text: Substring) -> LogDefinition.ValueType {
        if text.first == "[" {
            let inner = text.dropFirst().dropLast()
            guard let semicolon = inner.lastIndex(of: ";"), !inner[semicolon...].contains("]") else {
                return .array(valueType(inner), minItems: nil, maxItems: nil)
            }
            let (low, high) = range(inner[inner.index(after: semicolon)...])
            return .array(valueType(inner[..<semicolon]), minItems: Int(low), maxItems: Int(high))
        }
        let base = text.prefix { $0 != "(" && $0 != "=" }
        let rest = text[base.endIndex...]
        if rest.first == "=" { return .named(String(base), valueType(rest.dropFirst())) }
        let bounds = rest.dropFirst().dropLast()
        let (low, high) = range(bounds)
        switch base {
        case "string":
            return bounds.hasSuffix(" bytes")
                ? .string(maxLength: nil, maxBytes: Int(bounds.dropLast(6))) : .string(maxLength: Int(bounds), maxBytes: nil)
        case "int8": return integer(Int8.self, low, high)
        case "int16": return integer(Int16.self, low, high)
        case "int32": return integer(Int32.self, low, high)
        case "int64": return integer(Int64.self, low, high)
        case "uint8": return integer(UInt8.self, low, high)
        case "uint16": return integer(UInt16.self, low, high)
        case "uint32": return integer(UInt32.self, low, high)
        case "double": return .number(bits: 64, minimum: Double(low), maximum: Double(high))
        case "float": return .number(bits: 32, minimum: Double(low), maximum: Double(high))
        case "bool": return .boolean
        case "date": return .date
        case "timestamp": return .timestamp
        case "uuid": return .uuid
        case "url": return .url
        case "enum": return .enumeration(bounds.isEmpty ? [] : bounds.utf8.split(separator: UInt8(ascii: ",")).map(decoded))
        default: return .external
        }
    }

    private static func integer<Width: FixedWidthInteger>(_: Width.Type, _ low: Substring, _ high: Substring) -> LogDefinition.ValueType {
        let minimum = Int64(low) ?? Int64(clamping: Width.min)
        return .integer(
            bits: Width.bitWidth, isSigned: Width.isSigned, range: minimum...max(minimum, Int64(high) ?? Int64(clamping: Width.max)))
    }

    private static func range(_ text: Substring) -> (low: Substring, high: Substring) {
        guard let dots = text.firstRange(ofDots: 3) else { return ("", "") }
        return (text[..<dots.lowerBound].drop { $0 == " " }, text[dots.upperBound...])
    }

    private static func trigger(_ text: String) -> LogDefinition.Trigger? {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        switch parts[0] {
        case "screen": return .screen
        case "show": return .show
        case "impression":
            return .impression(
                visibleFraction: parts.count > 1 ? Double(parts[1]) : nil, dwell: parts.count > 2 ? Double(parts[2]) : nil)
        case "tap": return .tap(target: String(text.dropFirst(4)))
        default: return nil
        }
    }

    private static func fields(_ line: Substring.UTF8View) -> [String] {
        line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map(decoded)
    }

    private static func optional(_ fields: [String], _ index: Int) -> String? {
        index < fields.count && !fields[index].isEmpty ? fields[index] : nil
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        guard text.contains(UInt8(ascii: "%")) else { return String(Substring(text)) }
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.popFirst(), let low = rest.popFirst() {
                let digits = String(decoding: [high, low], as: UTF8.self)
                bytes.append(UInt8(digits, radix: 16) ?? UInt8(ascii: "?"))
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Substring {
    /// The first run of as many dots.
    fileprivate func firstRange(ofDots count: Int) -> Range<Index>? {
        var start = startIndex
        while let found = self[start...].firstIndex(of: ".") {
            if self[found...].prefix(count).allSatisfy({ $0 == "." }), self[found...].count >= count {
                return found..<index(found, offsetBy: count)
            }
            start = index(after: found)
        }
        return nil
    }
}
