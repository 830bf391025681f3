/// Whether an example is a value of its column's type, as its schema would take it.
struct ExampleCheck {
    private let types: [String: NamedType]

    init(_ types: [NamedType]) {
        self.types = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    typealias Problem = (message: String, help: String)

    /// Why an example is none; nil where it is one, or where only the app knows.
    func problem(_ text: String, of column: Column) -> Problem? {
        if !column.isRequired, text == "null" { return nil }
        return problem(text, as: column.type)
    }

    private func problem(_ text: String, as type: ColumnType) -> Problem? {
        switch type {
        case .string(let maxLength, let maxBytes):
            let (length, bytes) = (text.unicodeScalars.count, text.utf8.count)
            if let maxLength, length > maxLength {
                return ("it has \(length) characters, and `\(type.notation)` takes \(maxLength)", "shorten it, or raise the type's length")
            }
            if let maxBytes, bytes > maxBytes {
                return ("it has \(bytes) bytes in UTF-8, and `\(type.notation)` takes \(maxBytes)", "shorten it, or raise the type's length")
            }
            return nil
        case .integer(let bits, let signed, let minimum, let maximum, _):
            let width = ColumnType.bounds(bits: bits, signed: signed)
            let range = (minimum ?? width.minimum)...max(minimum ?? width.minimum, maximum ?? width.maximum)
            let isRange = minimum != nil || maximum != nil
            let help =
                "write a whole number"
                + (isRange ? " from \(range.lowerBound) to \(range.upperBound)" : ", such as `\(range.contains(42) ? 42 : range.lowerBound)`")
            guard let value = Int64(text), text.utf8.first != UInt8(ascii: "+") else { return ("`\(type.notation)` takes a whole number", help) }
            return range.contains(value) ? nil : ("`\(type.notation)` takes \(range.lowerBound) to \(range.upperBound)", help)
        case .number(_, let minimum, let maximum):
            let help = "write a number such as `\(minimum ?? maximum ?? 0.5)`"
            guard text.utf8.allSatisfy({ "+-.0123456789Ee".utf8.contains($0) }), let value = Double(text), value.isFinite else {
                return ("`\(type.notation)` takes a number", help)
            }
            return value >= minimum ?? value && value <= maximum ?? value ? nil : ("it is out of the range of `\(type.notation)`", help)
        case .boolean: return text == "true" || text == "false" ? nil : ("`bool` is `true` or `false`", "write `true` or `false`")
        case .date: return DetailSyntax.date(text) != nil ? nil : ("`date` is a day", "write year, month and day: `2026-04-01`")
        case .timestamp:
            return Self.isTimestamp(text) ? nil : ("`timestamp` is a time in UTC with milliseconds", "write it as in `2026-04-01T09:30:00.000Z`")
        case .uuid:
            return Self.isUUID(text) ? nil : ("`uuid` has 32 hexadecimal digits in groups", "write it as in `0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11`")
        case .url: return Self.isURL(text) ? nil : ("`url` has a scheme, and ASCII letters alone", "write it as in `https://example.com/recipes/42`")
        case .enumeration(let values): return problem(text, among: values)
        case .array(let item, let minItems, let maxItems): return problem(text, listOf: item, minItems, maxItems)
        case .named(let name):
            switch types[name]?.kind {
            case .enumeration(let values): return problem(text, among: values.map(\.value))
            case .scalar(let scalar): return problem(text, as: scalar)
            case .external, nil: return nil
            }
        }
    }

    private func problem(_ text: String, among values: [String]) -> Problem? {
        if values.containsExactly(text) { return nil }
        let nearest = nearestSpelling(of: text, among: values) ?? values.first { $0 == text }
        let list = values.prefix(4).map { "`\($0)`" }.joined(separator: ", ") + (values.count > 4 ? " …" : "")
        return ("the values are \(list)", nearest.map { "did you mean `\($0)`?" } ?? "write one of the values")
    }

    /// `a, b`, with or without brackets and quotes.
    private func problem(_ text: String, listOf item: ColumnType, _ minItems: Int?, _ maxItems: Int?) -> Problem? {
        if case .array = item { return nil }
        var list = trimmed(text[...])
        if list.utf8.first == UInt8(ascii: "["), list.utf8.last == UInt8(ascii: "]") { list = trimmed(Substring(list.utf8.dropFirst().dropLast())) }
        let items = list.isEmpty ? [] : list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { trimmed(Substring($0)) }
        for var part in items {
            if part.utf8.count > 1, part.utf8.first == UInt8(ascii: "\""), part.utf8.last == UInt8(ascii: "\"") {
                part = Substring(part.utf8.dropFirst().dropLast())
            }
            if let problem = problem(String(part), as: item) { return ("of `\(part)`, \(problem.message)", problem.help) }
        }
        if items.count < minItems ?? 0 || items.count > maxItems ?? .max {
            let range = "\(minItems ?? 0)" + (maxItems.map { " to \($0)" } ?? " or more")
            return ("it has \(items.count) items, and the list takes \(range)", "write \(range) items with commas between")
        }
        return nil
    }

    private static func isTimestamp(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, DetailSyntax.date(text.prefix(10)) != nil else { return false }
        let form = Array("T00:00:00.000Z".utf8)
        guard zip(bytes[10...], form).allSatisfy({ $1 == 0x30 ? (0x30...0x39).contains($0) : $0 == $1 }) else { return false }
        func number(_ start: Int) -> Int { Int(bytes[start] - 0x30) * 10 + Int(bytes[start + 1] - 0x30) }
        return number(11) < 24 && number(14) < 60 && number(17) < 60
    }

    private static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            if [8, 13, 18, 23].contains(index) { return bytes[index] == UInt8(ascii: "-") }
            return (0x30...0x39).contains(bytes[index]) || (0x61...0x66).contains(bytes[index] | 0x20)
        }
    }

    /// RFC 3986: a scheme, and behind it the characters of a URI with one fragment at most.
    private static func isURL(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, isLetter(first), scheme.allSatisfy({ isLetter($0) || isDigit($0) || "+.-".utf8.contains($0) }) else {
            return false
        }
        var rest = text.utf8[text.utf8.index(after: colon)...]
        var fragments = 0
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                for _ in 0..<2 {
                    guard let digit = rest.popFirst(), isDigit(digit) || (0x61...0x66).contains(digit | 0x20) else { return false }
                }
            } else if byte == UInt8(ascii: "#") {
                fragments += 1
            } else if !isLetter(byte), !isDigit(byte), !"._~:/?@!$&'()*+,;=[]-".utf8.contains(byte) {
                return false
            }
        }
        return fragments < 2
    }
}
