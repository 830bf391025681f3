/// A cipher for tests. It makes bytes unreadable and rejects a wrong key, but gives no protection.
package struct ToyCipher: Sendable {
    package struct WrongKey: Error { package init() {} }

    private let key: UInt64

    package init(key: UInt64) { self.key = key }

    package func seal(_ bytes: [UInt8]) -> [UInt8] {
        let nonce = UInt64.random(in: .min ... .max)
        return Self.bytes(nonce) + Self.bytes(tag(bytes)) + stream(bytes, nonce)
    }

    package func open(_ sealed: [UInt8]) throws -> [UInt8] {
        guard sealed.count >= 16 else { throw WrongKey() }
        let bytes = unchecked(sealed)
        guard Self.bytes(tag(bytes)) == Array(sealed[8..<16]) else { throw WrongKey() }
        return bytes
    }

    /// Returns the decrypted bytes without checking the key.
    package func unchecked(_ sealed: [UInt8]) -> [UInt8] {
        let nonce = sealed.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return stream(Array(sealed.dropFirst(16)), nonce)
    }

    private func stream(_ bytes: [UInt8], _ nonce: UInt64) -> [UInt8] {
        var dice = SeededGenerator(seed: key ^ nonce)
        var result = bytes
        var word: UInt64 = 0
        var index = 0
        // A loop is fast enough for debug builds, which seal thousands of records.
        while index < result.count {
            if index & 7 == 0 { word = dice.next() }
            result[index] ^= UInt8(truncatingIfNeeded: word)
            word >>= 8
            index += 1
        }
        return result
    }

    /// Returns the FNV-1a hash of the key and the bytes.
    private func tag(_ bytes: [UInt8]) -> UInt64 {
        var hash = 0xCBF2_9CE4_8422_2325 ^ key
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    private static func bytes(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
    }
}
