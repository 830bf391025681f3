/// Strings within a notation. Bytes that could be part of the notation are percent-encoded (RFC 3986, 2.1).
package enum PercentEncoding {
    private static let hex = Array("0123456789ABCDEF".utf8)

    /// Appends a string, percent-encoded except ASCII letters and digits, `_-.`, kana and common Chinese characters.
    package static func encode(_ value: String, to text: inout [UInt8]) {
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x3041...0x3096, 0x30A1...0x30FC,
                0x4E00...0x9FCF:
                text += UTF8.encode(scalar).map { Array($0) } ?? []
            default:
                for byte in String(scalar).utf8 {
                    text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
                }
            }
        }
    }

    /// Returns a path for a URI: slashes and unreserved characters are not encoded (RFC 3986, section 2.3).
    package static func path(_ path: String) -> String {
        var text: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F, 0x5F, 0x7E: text.append(byte)
            default: text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a string. Returns nil if an escape sequence or the decoded UTF-8 is invalid.
    package static func decode(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        let decoded = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid UTF-8, so a difference means that the bytes were invalid.
        return decoded.utf8.elementsEqual(bytes) ? decoded : nil
    }

    /// Returns the value of a hexadecimal digit in either case (RFC 3986, section 2.1), or nil for another byte.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
