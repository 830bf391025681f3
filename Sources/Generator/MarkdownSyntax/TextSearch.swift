extension SourceText {
    /// Whether some bytes stand in the text as a word: `Code` does not in `Code12`, since ASCII's letters, digits and `_` go on a word.
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

    /// Where some bytes stand in the text, one occurrence behind the other, at most `limit` of them. By Horspool's algorithm (Practical fast
    /// searching in strings, 1980): mostly a look at each byte whose distance from the last one is the length of what is searched.
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
    /// Whether the bytes of a text occur. The standard library's `contains` of a text wants newer systems.
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
