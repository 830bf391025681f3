/// Tracks the nesting of a line that is longer than a block. The rest of a line nested too deeply is dropped.
package struct LongLine: Sendable {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// Indicates whether the nesting alone makes the line invalid, whatever bytes follow.
    package private(set) var isTooDeep = false
    /// The number of bytes that have been read.
    package private(set) var count = 0

    package init() {}

    package mutating func read(_ bytes: UnsafeRawBufferPointer) {
        count += bytes.count
        for byte in bytes {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                // One more level is allowed: `RecordEvaluator` accepts an innermost array or object that is empty.
                if depth > JSONScanner.maximumDepth + 1 {
                    isTooDeep = true
                    return
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
    }
}
