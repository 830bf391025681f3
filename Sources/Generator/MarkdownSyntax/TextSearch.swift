extension SourceText {
    /// Returns whether bytes occur as a whole word of ASCII letters, digits and `_`: `Code` is not in `Code12`.
    package func holdsWord(_ word: [UInt8]) -> Bool {
        func goesOn(_ index: Int) -> Bool {
            guard bytes.indices.contains(index) else { return false }
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"):
                return true
            default: return false
            }
        }
        var start = 0
        while let found = occurrences(of: word, in: start..<bytes.count, limit: 1).first {
            if !goesOn(found - 1), !goesOn(found + word.count) { return true }
            start = found + 1
        }
        return false
    }

    /// Returns the offsets of some bytes, without overlaps and at most `limit`. The search is Horspool's algorithm
    /// (Practical fast searching in strings, 1980), which mostly inspects one byte per length of the searched bytes.
    package func occurrences(of needle: [UInt8], in range: Range<Int>? = nil, limit: Int = .max) -> [Int] {
        let range = range ?? 0..<bytes.count
        guard let last = needle.last, needle.count <= range.count, limit > 0 else { return [] }
        let length = needle.count
        var shifts = [Int](repeating: length, count: 256)
        for index in 0..<(length - 1) { shifts[Int(needle[index])] = length - 1 - index }
        var found: [Int] = []
        bytes.withUnsafeBufferPointer { bytes in
            needle.withUnsafeBufferPointer { needle in
                shifts.withUnsafeBufferPointer { shifts in
                    var end = range.lowerBound + length - 1
                    while end < range.upperBound {
                        let byte = bytes[end]
                        if byte == last {
                            var index = 0
                            while index < length - 1, bytes[end - length + 1 + index] == needle[index] { index += 1 }
                            if index == length - 1 {
                                found.append(end - length + 1)
                                if found.count == limit { return }
                                end += length
                                continue
                            }
                        }
                        end += shifts[Int(byte)]
                    }
                }
            }
        }
        return found
    }
}

extension StringProtocol {
    /// Returns whether a string contains the bytes of another. The standard library's `contains` for strings is not
    /// available on the oldest supported systems.
    package func holds(_ text: String) -> Bool {
        let needle = Array(text.utf8)
        guard let first = needle.first else { return true }
        var rest = utf8[...]
        while let index = rest.firstIndex(of: first) {
            if rest[index...].starts(with: needle) { return true }
            rest = rest[utf8.index(after: index)...]
        }
        return false
    }
}
