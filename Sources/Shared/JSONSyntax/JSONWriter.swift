/// Writes JSON (RFC 8259) as UTF-8, with two spaces per level and keys in the order of the calls. The output is
/// deterministic.
///
/// A container opened `inline` and everything inside it stay on one line. The output is safe inside an HTML `script`
/// element and inside JavaScript: in strings, `<` (`</script`, `<!--`), U+2028 and U+2029 are escaped. Characters with
/// an effect on terminals or editors, such as U+202E, are escaped, too (`ShownText`).
package struct JSONWriter: Sendable {
    private var bytes: [UInt8] = []
    /// The indentation level. Containers inside an inline one do not change it.
    private var depth: Int
    private var inlineDepth = 0
    private var containerHasItem = false
    private var followsKey = false

    package init(capacity: Int = 0) {
        depth = 0
        bytes.reserveCapacity(capacity)
    }

    private init(depth: Int) {
        self.depth = depth
    }

    /// Returns members of an object at `depth`, which `add` can insert into many documents.
    package static func members(depth: Int, _ body: (inout JSONWriter) -> Void) -> JSONMembers {
        var writer = JSONWriter(depth: depth)
        body(&writer)
        return JSONMembers(bytes: writer.bytes)
    }

    /// Returns the document, with a newline at the end.
    package mutating func document() -> [UInt8] {
        bytes.append(0x0A)
        return bytes
    }

    // MARK: Containers

    package mutating func object(inline: Bool = false, _ body: (inout JSONWriter) -> Void) {
        container(open: 0x7B, close: 0x7D, inline: inline, body)
    }

    package mutating func array(inline: Bool = false, _ body: (inout JSONWriter) -> Void) {
        container(open: 0x5B, close: 0x5D, inline: inline, body)
    }

    package mutating func object(_ key: StaticString, inline: Bool = false, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(inline: inline, body)
    }

    package mutating func object(named key: String, inline: Bool = false, _ body: (inout JSONWriter) -> Void) {
        self.key(named: key)
        object(inline: inline, body)
    }

    package mutating func array(_ key: StaticString, inline: Bool = false, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        array(inline: inline, body)
    }

    /// Adds prepared members, which must have been written for this object's depth.
    package mutating func add(_ members: JSONMembers) {
        guard !members.bytes.isEmpty else { return }
        if containerHasItem { bytes.append(0x2C) }
        containerHasItem = true
        bytes.append(contentsOf: members.bytes)
    }

    private mutating func container(open: UInt8, close: UInt8, inline: Bool, _ body: (inout JSONWriter) -> Void) {
        beginValue()
        bytes.append(open)
        let isInline = inline || inlineDepth > 0
        if isInline { inlineDepth += 1 } else { depth += 1 }
        containerHasItem = false
        body(&self)
        if isInline { inlineDepth -= 1 } else { depth -= 1 }
        if containerHasItem, !isInline { breakLine() }
        bytes.append(close)
        containerHasItem = true
    }

    // MARK: Members and values

    /// Writes a key that is constant in the program. The key must not need escapes, because it is written unchanged.
    package mutating func key(_ key: StaticString) {
        beginItem()
        bytes.append(0x22)
        append(key)
        append("\": ")
        followsKey = true
    }

    /// Writes a key that comes from a definition file.
    package mutating func key(named key: String) {
        beginItem()
        append(quoted: key)
        append(": ")
        followsKey = true
    }

    package mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        self.value(value)
    }

    package mutating func member(named key: String, _ value: String) {
        self.key(named: key)
        self.value(value)
    }

    /// Writes `null` if the value is nil.
    package mutating func member(_ key: StaticString, orNull value: String?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    package mutating func member(_ key: StaticString, _ value: Int64) {
        self.key(key)
        self.value(value)
    }

    package mutating func member(_ key: StaticString, _ value: Int) {
        self.key(key)
        self.value(value)
    }

    package mutating func member(_ key: StaticString, _ value: Double) {
        self.key(key)
        self.value(value)
    }

    package mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        self.value(value)
    }

    package mutating func value(_ value: String) {
        beginValue()
        append(quoted: value)
    }

    package mutating func value(_ value: Int) {
        self.value(Int64(value))
    }

    package mutating func value(_ value: Int64) {
        beginValue()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes the shortest number that reads back as the same value. Whole numbers up to 2^53 have no fraction.
    /// Infinities and not-a-number become `null`, because JSON has no such numbers.
    package mutating func value(_ value: Double) {
        beginValue()
        if value.magnitude <= 0x1p53, Double(Int64(value)) == value {
            bytes.append(contentsOf: String(Int64(value)).utf8)
        } else if value.isFinite {
            bytes.append(contentsOf: value.description.utf8)
        } else {
            append("null")
        }
    }

    package mutating func value(_ value: Bool) {
        beginValue()
        append(value ? "true" : "false")
    }

    package mutating func null() {
        beginValue()
        append("null")
    }

    // MARK: Text

    private mutating func beginValue() {
        if followsKey { followsKey = false } else { beginItem() }
    }

    private mutating func beginItem() {
        if inlineDepth > 0 {
            if containerHasItem { append(", ") }
        } else if depth > 0 {
            if containerHasItem { bytes.append(0x2C) }
            breakLine()
        }
        containerHasItem = true
    }

    private mutating func breakLine() {
        // A newline and the indentation are copied together, instead of in many small pieces.
        let line: StaticString = "\n                                "
        if 2 * depth < line.utf8CodeUnitCount {
            line.withUTF8Buffer { bytes.append(contentsOf: $0[...(2 * depth)]) }
        } else {
            bytes.append(0x0A)
            bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
        }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(quoted text: String) {
        bytes.append(0x22)
        var text = text
        let start = bytes.count
        text.withUTF8 { append(escaping: $0) }
        escapeObeyed(from: start)
        bytes.append(0x22)
    }

    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        // `special` becomes 0 if an escape is needed. The compiler vectorizes a loop of this form, 16 bytes at once.
        var special: UInt8 = .max
        for byte in text {
            special = min(special, byte & 0xE0, byte ^ 0x22)
            special = min(special, byte ^ 0x3C, byte ^ 0x5C)
            special = min(special, byte ^ 0xE2)
        }
        guard special == 0 else { return bytes.append(contentsOf: text) }
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            // Fast path for most bytes: letters, and all Japanese text except U+2000 to U+2FFF.
            guard byte < 0x20 || byte == 0x22 || byte == 0x3C || byte == 0x5C || byte == 0xE2 else {
                index += 1
                continue
            }
            var length = 1
            if byte == 0xE2 {
                // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
                guard index + 2 < text.count, text[index + 1] == 0x80, text[index + 2] & 0xFE == 0xA8 else {
                    index += 1
                    continue
                }
                length = 3
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            bytes.append(0x5C)
            switch byte {
            case 0x22, 0x5C: bytes.append(byte)
            case 0x0A: bytes.append(UInt8(ascii: "n"))
            case 0x0D: bytes.append(UInt8(ascii: "r"))
            case 0x09: bytes.append(UInt8(ascii: "t"))
            case 0xE2: append(text[index + 2] == 0xA8 ? "u2028" : "u2029")
            default:
                append("u00")
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 0xF))
            }
            index += length
            start = index
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private static func digit(_ number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
    }
}

extension JSONWriter {
    /// Escapes characters with an effect on terminals and runners in the output since `start`.
    private mutating func escapeObeyed(from start: Int) {
        guard bytes[start...].contains(where: { $0 >= 0x7F || $0 == UInt8(ascii: "#") }) else { return }
        let text = String(decoding: bytes[start...], as: UTF8.self)
        bytes.removeSubrange(start...)
        var hashes = 0
        for scalar in text.unicodeScalars {
            if !ShownText.isHarmless(scalar) || (scalar == "[" && hashes >= 2) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    bytes += "\\u".utf8
                    bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                    bytes += digits.utf8
                }
            } else {
                bytes += String(scalar).utf8
            }
            hashes = scalar == "#" ? hashes + 1 : 0
        }
    }
}

package struct JSONMembers: Sendable {
    fileprivate let bytes: [UInt8]
}
