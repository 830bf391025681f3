/// The nesting at a place in a JSON value that has not been parsed.
struct Nesting {
    private(set) var depth = 0
    private(set) var isInText = false
    private(set) var isEscaped = false

    /// Indicates whether the nesting alone makes the value invalid, whatever bytes follow. One more level than in a
    /// record is allowed: `RecordEvaluator` accepts an innermost array or object that is empty.
    var isTooDeep: Bool { depth > JSONScanner.maximumDepth + 1 }

    @inline(__always)
    mutating func read(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if isInText {
            isEscaped = byte == UInt8(ascii: "\\")
            isInText = byte != UInt8(ascii: "\"")
        } else {
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            // A stray brace in an array damages its item alone.
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
            default: break
            }
        }
    }
}
