import TextEncoding

/// A JSON value with its source location, which messages about mistakes in handwritten files contain.
package struct JSONValue: Sendable {
    package enum Content: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        /// The members in their order, with unique keys.
        case object([(key: String, at: Int, value: JSONValue)])
    }

    package var content: Content
    /// The offset of the value's first byte.
    package var at: Int

    package init(content: Content, at: Int) {
        self.content = content
        self.at = at
    }

    /// The kind of value, for messages, such as "a number".
    package var kind: String {
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

/// Members and items of JSON from tools, which may have other types than expected.
extension JSONValue {
    /// The member of an object; nil for another value or without the member.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var items: [JSONValue]? { if case .array(let items) = content { items } else { nil } }

    package var text: String? { if case .string(let text) = content { text } else { nil } }

    package var flag: Bool? { if case .bool(let flag) = content { flag } else { nil } }
}

/// A number with its digits, which distinguish `1` from `1.0`, and integers that a double cannot represent.
package struct JSONNumber: Sendable {
    /// The number as it is written.
    package var text: String

    package init(_ text: String) { self.text = text }

    /// The nearest double, or infinity if the number is too large.
    package var double: Double { Double(text) ?? .infinity }

    /// A Boolean value that indicates whether the number is written without a fraction and an exponent.
    package var isWhole: Bool { !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } }

    /// The number as an integer; nil if it is written with a fraction or an exponent, or exceeds 64 bits.
    package var integer: Int64? { isWhole ? Int64(text) : nil }
}

/// A mistake in JSON, and the offset of its byte.
package struct JSONSyntaxError: Error {
    package var at: Int
    package var message: String

    package init(at: Int, message: String) {
        self.at = at
        self.message = message
    }
}

/// Reads JSON (RFC 8259) in UTF-8 into values with source locations.
package struct JSONReader {
    private let bytes: [UInt8]
    private let inputName: String
    private var index = 0
    private var depth = 0

    /// The maximum nesting, which bounds recursion. Handwritten files are less deeply nested.
    private static let maxDepth = 500

    package static func read(_ bytes: [UInt8], what: String) throws(JSONSyntaxError) -> JSONValue {
        if let invalid = firstInvalidUTF8(in: bytes) {
            throw JSONSyntaxError(at: invalid, message: "this is not UTF-8")
        }
        var reader = JSONReader(bytes: bytes, inputName: what)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        let value = try reader.value()
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.mistake("unexpected content after \(what)") }
        return value
    }

    private func mistake(_ message: String) -> JSONSyntaxError { JSONSyntaxError(at: index, message: message) }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        let at = index
        guard let byte else { throw mistake("\(inputName) ends too early") }
        switch byte {
        case UInt8(ascii: "{"): return JSONValue(content: .object(try object()), at: at)
        case UInt8(ascii: "["): return JSONValue(content: .array(try array()), at: at)
        case UInt8(ascii: "\""): return JSONValue(content: .string(try string()), at: at)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONValue(content: .number(try number()), at: at)
        default:
            for (word, content) in [("true", JSONValue.Content.bool(true)), ("false", .bool(false)), ("null", .null)]
            where bytes[index...].starts(with: word.utf8) {
                index += word.utf8.count
                return JSONValue(content: content, at: at)
            }
            throw mistake(
                "this is not JSON: a value is an object, an array, a string in double quotation marks, a number, "
                    + "true, false or null"
            )
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> [(key: String, at: Int, value: JSONValue)] {
        var members: [(key: String, at: Int, value: JSONValue)] = []
        // Keys are compared by bytes. Swift treats canonically equivalent strings as equal, but other readers do not.
        var keys: Set<[UInt8]> = []
        try list(until: UInt8(ascii: "}")) { (reader) throws(JSONSyntaxError) in
            let at = reader.index
            guard reader.byte == UInt8(ascii: "\"") else {
                throw reader.mistake("expected a key in double quotation marks")
            }
            let key = try reader.string()
            guard keys.insert(Array(key.utf8)).inserted else {
                throw JSONSyntaxError(at: at, message: "duplicate key \"\(key)\"")
            }
            reader.skipSpace()
            guard reader.byte == UInt8(ascii: ":") else { throw reader.mistake("expected a colon") }
            reader.index += 1
            members.append((key, at, try reader.value()))
        }
        return members
    }

    private mutating func array() throws(JSONSyntaxError) -> [JSONValue] {
        var items: [JSONValue] = []
        try list(until: UInt8(ascii: "]")) { (reader) throws(JSONSyntaxError) in items.append(try reader.value()) }
        return items
    }

    private mutating func list(until end: UInt8, _ item: (inout JSONReader) throws(JSONSyntaxError) -> Void)
        throws(JSONSyntaxError)
    {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else {
            throw mistake("this is nested too deeply: \(Self.maxDepth) levels are the maximum")
        }
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
            guard byte == UInt8(ascii: ",") else {
                throw mistake("expected a comma or \"\(Character(UnicodeScalar(end)))\"")
            }
            index += 1
        }
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONNumber {
        let start = index
        func digits(_ reader: inout JSONReader) throws(JSONSyntaxError) {
            guard let byte = reader.byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                throw reader.mistake("expected a digit")
            }
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
        // A number beyond the range of doubles is rejected later, by the caller.
        return JSONNumber(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
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
        throw JSONSyntaxError(at: start, message: "this string has no closing quotation mark")
    }

    private mutating func escape() throws(JSONSyntaxError) -> UnicodeScalar {
        guard let byte else { throw mistake("\(inputName) ends too early") }
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
                if (0xDC00..<0xE000).contains(low),
                    let scalar = UnicodeScalar(0x10000 + (unit - 0xD800) << 10 + low - 0xDC00)
                {
                    return scalar
                }
            } else if let scalar = UnicodeScalar(unit) {
                return scalar
            }
            throw mistake("half of a surrogate pair is not a character")
        default:
            index -= 1
            throw mistake("unknown escape")
        }
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
        let text = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt32(text, radix: 16) else {
            throw mistake("expected four hexadecimal digits")
        }
        index += 4
        return unit
    }
}
