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

    package mutating func array(_ key: StaticString, of items: some Sequence<some JSONWritable>, inline: Bool = false) {
        array(key, inline: inline) { json in for item in items { item.write(to: &json) } }
    }

    /// Writes an array with an object for each element.
    package mutating func array<Element>(
        _ key: StaticString, of elements: some Sequence<Element>, inline: Bool = false,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        array(key) { json in for element in elements { json.object(inline: inline) { write(element, &$0) } } }
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

    package mutating func member(_ key: StaticString, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }

    package mutating func member(named key: String, _ value: some JSONWritable) {
        self.key(named: key)
        value.write(to: &self)
    }

    package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

    package mutating func null() { write("null") }

    /// Writes an array of the values, which may have different types.
    package mutating func row(_ values: any JSONWritable...) {
        array { json in for value in values { value.write(to: &json) } }
    }

    fileprivate mutating func write(_ literal: String) {
        beginValue()
        bytes.append(contentsOf: literal.utf8)
    }

    fileprivate mutating func write(quoted text: String) {
        beginValue()
        append(quoted: text)
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
        let isPlain = text.withUTF8 { text in
            // `special` becomes 0 if an escape is needed. The compiler vectorizes a loop of this form, 16 bytes at once.
            var (special, all): (UInt8, UInt8) = (.max, 0)
            for byte in text {
                special = min(special, byte & 0xE0, byte ^ 0x22)
                special = min(special, byte ^ 0x23, byte ^ 0x3C)
                special = min(special, byte ^ 0x5C, byte ^ 0x7F)
                all |= byte
            }
            guard special != 0, all < 0x80 else { return false }
            bytes.append(contentsOf: text)
            return true
        }
        if !isPlain { append(escaping: text) }
        bytes.append(0x22)
    }

    private mutating func append(escaping text: String) {
        var hashes = 0
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [0x5C, UInt8(truncatingIfNeeded: scalar.value)]
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            // `##[` is a command of workflow runners.
            case _ where scalar == "<" || !ShownText.isHarmless(scalar) || scalar == "[" && hashes >= 2:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    append("\\u")
                    bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                    bytes += digits.utf8
                }
            case _ where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default: bytes += scalar.utf8
            }
            hashes = scalar == "#" ? hashes + 1 : 0
        }
    }
}

package struct JSONMembers: Sendable {
    fileprivate let bytes: [UInt8]
}

/// A value that has a form in JSON.
package protocol JSONWritable {
    func write(to json: inout JSONWriter)
}

extension String: JSONWritable {
    package func write(to json: inout JSONWriter) { json.write(quoted: self) }
}

extension Bool: JSONWritable {
    package func write(to json: inout JSONWriter) { json.write(self ? "true" : "false") }
}

extension Int: JSONWritable {
    package func write(to json: inout JSONWriter) { json.write(String(self)) }
}

extension Int64: JSONWritable {
    package func write(to json: inout JSONWriter) { json.write(String(self)) }
}

extension Double: JSONWritable {
    /// Writes the shortest number that reads back as the same value. Whole numbers up to 2^53 have no fraction.
    /// Infinities and not-a-number become `null`, because JSON has no such numbers.
    package func write(to json: inout JSONWriter) {
        let isWhole = magnitude <= 0x1p53 && Double(Int64(self)) == self
        json.write(isWhole ? String(Int64(self)) : isFinite ? description : "null")
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }
}
