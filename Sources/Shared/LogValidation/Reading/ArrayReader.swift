/// Takes a JSON array apart into its elements, without judging them: each becomes a record on a line of its own.
///
/// It looks only at quotation marks and brackets. An element that is no JSON is judged as such, and those behind it are
/// read all the same, as far as its brackets allow.
package struct ArrayReader: Sendable {
    private enum State { case start, element, end }

    private var state = State.start
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// Whether the element has something but blanks so far.
    private var isEmpty = true
    /// Whether a comma asks for another element.
    private var needsElement = false
    private var line = 0
    private var elementLine = 0
    /// The element at hand.
    private var element: [UInt8] = []
    private var records: [UInt8] = []
    private var numbers: [Int] = []

    package init() {}

    /// Whether bytes begin as an array of objects, or an empty one, after blanks; nil if that is not decided yet. A line of a
    /// log may begin with a bracket: `[INFO] …`.
    package static func isArray(_ bytes: [UInt8]) -> Bool? {
        bytes.withUnsafeBufferPointer { bytes in
            var isOpen = false
            for byte in bytes where byte != 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D {
                if isOpen { return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "]") }
                if byte != UInt8(ascii: "[") { return false }
                isOpen = true
            }
            return nil
        }
    }

    /// Whether something but blanks follows the array.
    package var hasRest: Bool { state == .end && !element.isEmpty }

    /// How many bytes the element at hand has.
    package var pendingCount: Int { element.count }

    /// Reads on.
    package mutating func read(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte == 0x0A { line += 1 }
            if isInText {
                if depth <= JSONScanner.maximumDepth + 1 { element.append(byte == 0x0A ? 0x09 : byte) }
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            let isBlank = byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
            switch state {
            case .start:
                if !isBlank { state = .element }
                continue
            case .end:
                if isBlank { continue }
                // What stands behind the array is one thing that is no record.
                if element.isEmpty { elementLine = line }
                if element.isEmpty || element.count < 256 { element.append(element.isEmpty ? UInt8(ascii: "]") : byte) }
                continue
            case .element: break
            }
            if depth == 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
                let isLast = byte == UInt8(ascii: "]")
                if isEmpty, !isLast || needsElement { take(UInt8(ascii: ",")) } else if !isEmpty { take() }
                needsElement = !isLast
                element.removeAll(keepingCapacity: true)
                isEmpty = true
                if isLast { state = .end }
                continue
            }
            if isEmpty {
                if isBlank { continue }
                isEmpty = false
                elementLine = line
            }
            // What is nested deeper than the judge reads is not kept.
            if depth <= JSONScanner.maximumDepth + 1 { element.append(byte == 0x0A ? 0x09 : byte) }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
    }

    private mutating func take(_ byte: UInt8? = nil) {
        if let byte {
            records.append(byte)
            elementLine = line
        } else {
            // Blanks behind an element are not part of it.
            while let last = element.last, last == 0x20 || last == 0x09 || last == 0x0D { element.removeLast() }
            records += element
        }
        records.append(0x0A)
        numbers.append(elementLine)
    }

    /// The records that are complete.
    package mutating func chunk() -> RecordChunk? {
        guard !records.isEmpty else { return nil }
        defer {
            records = []
            numbers = []
        }
        return RecordChunk(records: records, numbers: numbers, lineCount: 0)
    }

    /// The last records, once there is nothing more to read. An array that does not end is a record that is no JSON.
    package mutating func finish() -> RecordChunk? {
        if state == .element {
            if isEmpty { elementLine = line }
            if isEmpty { take(UInt8(ascii: "[")) } else { take() }
            // An element that is whole does not make the array so.
            if !isEmpty, depth == 0, !isInText { take(UInt8(ascii: "[")) }
        } else if !element.isEmpty {
            take()
        }
        element = []
        return chunk()
    }
}
