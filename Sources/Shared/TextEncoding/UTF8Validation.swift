/// Returns the offset of the first sequence that is not well-formed UTF-8 (The Unicode Standard, table 3-7); nil if all
/// are well-formed.
package func firstInvalidUTF8(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { buffer -> Int? in
        guard let base = buffer.baseAddress else { return nil }
        let count = buffer.count
        var index = 0
        while index < count {
            // Fast path for ASCII, eight bytes per step.
            while index + 8 <= count,
                base.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
            }
            guard index < count else { return nil }
            let lead = base.load(fromByteOffset: index, as: UInt8.self)
            if lead < 0x80 {
                index += 1
                continue
            }
            let trailing: Int
            var lowest: UInt8 = 0x80
            var highest: UInt8 = 0xBF
            switch lead {
            case 0xC2...0xDF: trailing = 1
            case 0xE0:
                trailing = 2
                lowest = 0xA0  // lower bytes: overlong encodings
            case 0xED:
                trailing = 2
                highest = 0x9F  // higher bytes: surrogates
            case 0xE1...0xEF: trailing = 2
            case 0xF0:
                trailing = 3
                lowest = 0x90  // lower bytes: overlong encodings
            case 0xF1...0xF3: trailing = 3
            case 0xF4:
                trailing = 3
                highest = 0x8F  // higher bytes: above U+10FFFF
            default: return index
            }
            guard index + trailing < count else { return index }
            for offset in 1...trailing {
                let byte = base.load(fromByteOffset: index + offset, as: UInt8.self)
                guard byte >= lowest, byte <= highest else { return index }
                lowest = 0x80
                highest = 0xBF
            }
            index += trailing + 1
        }
        return nil
    }
}
