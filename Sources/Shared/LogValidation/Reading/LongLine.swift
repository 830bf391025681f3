/// The nesting of a line that is longer than a block, followed as it is read: a line that is nested too deep need not be kept to its end.
package struct LongLine: Sendable {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// Whether the judge refuses the line for its nesting, whatever follows.
    package private(set) var isTooDeep = false
    /// How many bytes have been read.
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
                // One level is left over: the innermost may be empty, which the judge takes.
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
