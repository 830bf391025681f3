/// Interned names. Names that differ only in case have the same symbol.
struct SymbolTable: Sendable {
    private var bytes: [UInt8] = []
    /// The symbol `n` occupies `offsets[n]..<offsets[n + 1]` of `bytes`.
    private var offsets: [Int] = [0]
    private var hashes: [UInt64] = []
    /// A symbol plus one, or zero for a free slot. The count is a power of two.
    private var slots = [UInt32](repeating: 0, count: 4096)
    /// A random seed, so that no input can choose names that collide.
    private let seed = UInt64.random(in: 1...UInt64.max)

    init() {
        for word in Word.allCases { _ = intern(word.spelling) }
    }

    var count: Int { hashes.count }

    mutating func intern(_ string: String) -> UInt32 {
        let utf8 = Array(string.utf8)
        return intern(utf8, 0, utf8.count)
    }

    /// Returns the symbol of `source[start..<end]`.
    mutating func intern(_ source: [UInt8], _ start: Int, _ end: Int) -> UInt32 {
        source.withUnsafeBufferPointer { intern($0, start, end) }
    }

    mutating func intern(_ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> UInt32 {
        var hash = seed
        var isASCII = true
        var index = start
        while index < end {
            let byte = source[index]
            if byte >= 0x80 { isASCII = false }
            hash = (hash ^ UInt64(Self.lowercase(byte))) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
            index += 1
        }
        if !isASCII {
            let folded = String(decoding: source[start..<end], as: UTF8.self).lowercased()
            let utf8 = Array(folded.utf8)
            if !utf8.elementsEqual(source[start..<end]) {
                return utf8.withUnsafeBufferPointer { internFolded($0, 0, $0.count, Self.hash($0, seed)) }
            }
        }
        return internFolded(source, start, end, hash)
    }

    private static func hash(_ source: UnsafeBufferPointer<UInt8>, _ seed: UInt64) -> UInt64 {
        var hash = seed
        for byte in source {
            hash = (hash ^ UInt64(lowercase(byte))) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return hash
    }

    private mutating func internFolded(
        _ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ hash: UInt64
    ) -> UInt32 {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash >> 7) & mask
        while slots[slot] != 0 {
            let symbol = Int(slots[slot]) - 1
            if hashes[symbol] == hash, matches(symbol, source, start, end) { return UInt32(symbol) }
            slot = (slot + 1) & mask
        }
        let symbol = UInt32(hashes.count)
        slots[slot] = symbol + 1
        hashes.append(hash)
        for index in start..<end { bytes.append(Self.lowercase(source[index])) }
        offsets.append(bytes.count)
        if hashes.count * 2 > slots.count { grow() }
        return symbol
    }

    private func matches(
        _ symbol: Int, _ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
    ) -> Bool {
        let first = offsets[symbol]
        guard offsets[symbol + 1] - first == end - start else { return false }
        for index in 0..<(end - start) where bytes[first + index] != Self.lowercase(source[start + index]) {
            return false
        }
        return true
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (symbol, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash >> 7) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(symbol) + 1
        }
    }

    /// Returns the name in lowercase.
    func name(_ symbol: UInt32) -> String {
        let index = Int(symbol)
        guard index + 1 < offsets.count else { return "" }
        return String(decoding: bytes[offsets[index]..<offsets[index + 1]], as: UTF8.self)
    }

    func bytes(_ symbol: UInt32) -> ArraySlice<UInt8> {
        let index = Int(symbol)
        guard index + 1 < offsets.count else { return [] }
        return bytes[offsets[index]..<offsets[index + 1]]
    }

    static func lowercase(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
