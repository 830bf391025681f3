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
