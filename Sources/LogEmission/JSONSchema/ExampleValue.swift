import LogDefinitions

/// An example cell as a JSON value of its column's type.
enum ExampleValue {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case array([ExampleValue])

    /// Nil when the cell does not read as a value that the type takes, as far as a look at it tells.
    init?(_ text: String, as type: ColumnType, types: [String: NamedType]) {
        switch type {
        case .string(let maxLength, let maxBytes):
            guard !text.isEmpty, text.unicodeScalars.count <= maxLength ?? .max, text.utf8.count <= maxBytes ?? .max else { return nil }
            self = .string(text)
        case .integer(let bits, let signed, let minimum, let maximum, _):
            let width = ColumnType.bounds(bits: bits, signed: signed)
            guard let value = Int64(text), value >= minimum ?? width.minimum, value <= maximum ?? width.maximum else { return nil }
            self = .integer(value)
        case .number(_, let minimum, let maximum):
            // Swift also reads hexadecimal, `inf` and `nan`.
            guard text.utf8.allSatisfy({ "+-.0123456789Ee".utf8.contains($0) }), let value = Double(text), value.isFinite,
                value >= minimum ?? value, value <= maximum ?? value
            else { return nil }
            self = .number(value)
        case .boolean:
            guard let value = Bool(text) else { return nil }
            self = .boolean(value)
        case .date:
            guard Self.has(text, shape: "0000-00-00") else { return nil }
            self = .string(text)
        case .timestamp:
            guard Self.has(text, shape: "0000-00-00T00:00:00.000Z") else { return nil }
            self = .string(text)
        case .uuid:
            guard Self.has(text, shape: "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") else { return nil }
            self = .string(text)
        case .url:
            guard text.utf8.first.map({ $0 | 0x20 }).map({ (0x61...0x7A).contains($0) }) == true, text.utf8.contains(0x3A),
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            self = .string(text)
        case .enumeration(let values):
            guard values.containsExactly(text) else { return nil }
            self = .string(text)
        case .array(let items, let minItems, let maxItems):
            if case .array = items { return nil }
            let list = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
            var values: [ExampleValue] = []
            for part in list.split(separator: ",") {
                var item = part.drop { $0 == " " }
                while item.last == " " { item.removeLast() }
                if item.count > 1, item.first == "\"", item.last == "\"" { item = item.dropFirst().dropLast() }
                guard let value = ExampleValue(String(item), as: items, types: types) else { return nil }
                values.append(value)
            }
            guard values.count >= max(1, minItems ?? 1), values.count <= maxItems ?? .max else { return nil }
            self = .array(values)
        case .named(let name):
            switch types[name]?.kind {
            case .enumeration(let values) where values.contains { $0.value.isExactly(text) }: self = .string(text)
            case .scalar(let scalar) where scalar.namedType == nil:
                guard let value = ExampleValue(text, as: scalar, types: types) else { return nil }
                self = value
            default: return nil
            }
        }
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .string(let value): json.value(value)
        case .integer(let value): json.value(value)
        case .number(let value): json.value(value)
        case .boolean(let value): json.value(value)
        case .array(let values):
            json.array { json in
                for value in values { value.write(to: &json) }
            }
        }
    }

    /// Whether a text has decimal digits where the shape has `0`, hexadecimal ones where it has `x`, and else the same letters.
    private static func has(_ text: String, shape: String) -> Bool {
        guard text.utf8.count == shape.utf8.count else { return false }
        return zip(text.utf8, shape.utf8).allSatisfy { byte, form in
            let isDigit = (0x30...0x39).contains(byte)
            return switch form {
            case 0x30: isDigit
            case 0x78: isDigit || (0x61...0x66).contains(byte | 0x20)
            default: byte == form
            }
        }
    }
}
