/// Returns whether UTF-8 bytes are a URI with a scheme (RFC 3986), as columns of type `url` require. Such a URI has
/// only URI characters, complete percent-encodings, and at most one fragment.
func isAbsoluteURI(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, isLetter(first), let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
        return false
    }
    for byte in text[..<colon]
    where !isLetter(byte) && !isDigit(byte) && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "-")
        && byte != UInt8(ascii: ".")
    {
        return false
    }
    var hasFragment = false
    var index = colon + 1
    while index < text.count {
        let byte = text[index]
        index += 1
        if isLetter(byte) || isDigit(byte) { continue }
        switch byte {
        case UInt8(ascii: "#"):
            if hasFragment { return false }
            hasFragment = true
        case UInt8(ascii: "%"):
            guard index + 1 < text.count, isHexadecimal(text[index]), isHexadecimal(text[index + 1]) else {
                return false
            }
            index += 2
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "/"),
            UInt8(ascii: "?"),
            UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "-"):
            break
        default: return false
        }
    }
    return true
}

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

@inline(__always)
private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

@inline(__always)
private func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 }
