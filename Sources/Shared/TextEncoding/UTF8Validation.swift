/// Returns the offset of the first sequence that is not well-formed UTF-8; nil if all are well-formed.
package func firstInvalidUTF8(in bytes: [UInt8]) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    // Fast path, because most input is ASCII.
    var offset = bytes.firstIndex { $0 >= 0x80 } ?? bytes.count
    var rest = bytes[offset...].makeIterator()
    while true {
        switch parser.parseScalar(from: &rest) {
        case .valid(let scalar): offset += scalar.count
        case .error: return offset
        case .emptyInput: return nil
        }
    }
}

/// Returns a string in UTF-16 with a byte-order mark; nil for other bytes. Half a unit at the end is left out.
package func decodedUTF16(_ bytes: [UInt8]) -> String? {
    let isBig = bytes.starts(with: [0xFE, 0xFF])
    guard isBig || bytes.starts(with: [0xFF, 0xFE]) else { return nil }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
        UInt16(bytes[index + (isBig ? 0 : 1)]) << 8 | UInt16(bytes[index + (isBig ? 1 : 0)])
    }
    return String(decoding: units, as: UTF16.self)
}
