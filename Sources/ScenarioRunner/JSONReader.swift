/// A JSON value, and where it begins: scenarios are written by hand, and a message says where a mistake is.
struct JSONValue {
    enum Content {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSONValue])
        case object([(key: String, at: Int, value: JSONValue)])
    }

    var content: Content
    /// The offset of its first byte.
    var at: Int

    /// What it is, for messages: "a number".
    var kind: String {
        switch content {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Reads JSON (RFC 8259) in UTF-8, and keeps the place of each value.
struct JSONReader {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    /// Deeper than any screen. Recursion has to end somewhere.
    private static let maxDepth = 500

    static func read(_ bytes: [UInt8]) throws(Mistake) -> JSONValue {
        if let invalid = firstInvalidUTF8(bytes) { throw Mistake(at: invalid, message: "this is not UTF-8") }
        var reader = JSONReader(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        let value = try reader.value()
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.mistake("nothing may follow the scenario") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static func firstInvalidUTF8(_ bytes: [UInt8]) -> Int? {
        var index = 0
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): index += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return index
            }
        }
    }

    private func mistake(_ message: String) -> Mistake { Mistake(at: index, message: message) }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func value() throws(Mistake) -> JSONValue {
        skipSpace()
        let at = index
        guard let byte else { throw mistake("the scenario ends too early") }
        switch byte {
        case UInt8(ascii: "{"): return JSONValue(content: .object(try object()), at: at)
        case UInt8(ascii: "["): return JSONValue(content: .array(try array()), at: at)
        case UInt8(ascii: "\""): return JSONValue(content: .string(try string()), at: at)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return JSONValue(content: .number(try number()), at: at)
        default:
            for (word, content) in [("true", JSONValue.Content.bool(true)), ("false", .bool(false)), ("null", .null)]
            where bytes[index...].starts(with: word.utf8) {
                index += word.utf8.count
                return JSONValue(content: content, at: at)
            }
            throw mistake("this is not JSON: a value is an object, an array, a string in double quotation marks, a number, true, false or null")
        }
    }

    private mutating func object() throws(Mistake) -> [(key: String, at: Int, value: JSONValue)] {
        var members: [(key: String, at: Int, value: JSONValue)] = []
        var keys: Set<String> = []
        try list(until: UInt8(ascii: "}")) { (reader) throws(Mistake) in
            let at = reader.index
            guard reader.byte == UInt8(ascii: "\"") else { throw reader.mistake("a key in double quotation marks belongs here") }
            let key = try reader.string()
            guard keys.insert(key).inserted else { throw Mistake(at: at, message: "the key \"\(key)\" is there twice") }
            reader.skipSpace()
            guard reader.byte == UInt8(ascii: ":") else { throw reader.mistake("a colon belongs here") }
            reader.index += 1
            members.append((key, at, try reader.value()))
        }
        return members
    }

    private mutating func array() throws(Mistake) -> [JSONValue] {
        var items: [JSONValue] = []
        try list(until: UInt8(ascii: "]")) { (reader) throws(Mistake) in items.append(try reader.value()) }
        return items
    }

    private mutating func list(until end: UInt8, _ item: (inout JSONReader) throws(Mistake) -> Void) throws(Mistake) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else { throw mistake("this is nested too deeply: \(Self.maxDepth) levels are the most") }
        index += 1
        skipSpace()
        if byte == end {
            index += 1
            return
        }
        while true {
            skipSpace()
            try item(&self)
            skipSpace()
            if byte == end {
                index += 1
                return
            }
            guard byte == UInt8(ascii: ",") else { throw mistake("a comma or \"\(Character(UnicodeScalar(end)))\" belongs here") }
            index += 1
        }
    }

    private mutating func number() throws(Mistake) -> Double {
        let start = index
        func digits(_ reader: inout JSONReader) throws(Mistake) {
            guard let byte = reader.byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { throw reader.mistake("a digit belongs here") }
            while let byte = reader.byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { reader.index += 1 }
        }
        if byte == UInt8(ascii: "-") { index += 1 }
        if byte == UInt8(ascii: "0") { index += 1 } else { try digits(&self) }
        if byte == UInt8(ascii: ".") {
            index += 1
            try digits(&self)
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            index += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
            try digits(&self)
        }
        // A number that no double can hold is refused later, by whoever reads the value.
        return Double(String(decoding: bytes[start..<index], as: UTF8.self)) ?? .infinity
    }

    private mutating func string() throws(Mistake) -> String {
        let start = index
        index += 1
        var text: [UInt8] = []
        while let byte {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
            case 0..<0x20:
                index -= 1
                throw mistake("a control character in a string is written \\n, \\t or \\u00…")
            default: text.append(byte)
            }
        }
        throw Mistake(at: start, message: "this string has no closing quotation mark")
    }

    private mutating func escape() throws(Mistake) -> UnicodeScalar {
        guard let byte else { throw mistake("the scenario ends too early") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UnicodeScalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try codeUnit()
            if (0xD800..<0xDC00).contains(unit), bytes[index...].starts(with: "\\u".utf8) {
                index += 2
                let low = try codeUnit()
                if (0xDC00..<0xE000).contains(low), let scalar = UnicodeScalar(0x10000 + (unit - 0xD800) << 10 + low - 0xDC00) { return scalar }
            } else if let scalar = UnicodeScalar(unit) {
                return scalar
            }
            throw mistake("half of a surrogate pair is not a character")
        default:
            index -= 1
            throw mistake("there is no such escape")
        }
    }

    private mutating func codeUnit() throws(Mistake) -> UInt32 {
        let text = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt32(text, radix: 16) else {
            throw mistake("four hexadecimal digits belong here")
        }
        index += 4
        return unit
    }
}
