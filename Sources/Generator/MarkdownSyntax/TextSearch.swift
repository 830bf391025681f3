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

    /// Returns the offsets of some bytes, without overlaps and at most `limit`.
    package func occurrences(of needle: [UInt8], in range: Range<Int>? = nil, limit: Int = .max) -> [Int] {
        var rest = range ?? bytes.indices
        var found: [Int] = []
        while found.count < limit, let next = firstRange(of: needle, in: rest) {
            found.append(next.lowerBound)
            rest = next.upperBound..<rest.upperBound
        }
        return found
    }

    /// The first occurrence of a string in a byte range, if any. The search stops after four times as many comparisons as
    /// the range has bytes. Only long repetitions, which are not names, reach this limit.
    package func firstRange(of text: String, in range: Range<Int>) -> Range<Int>? {
        firstRange(of: Array(text.utf8), in: range)
    }

    private func firstRange(of needle: [UInt8], in range: Range<Int>) -> Range<Int>? {
        guard let first = needle.first, needle.count <= range.count else { return nil }
        var comparisons = 4 * range.count
        return bytes.withUnsafeBufferPointer { bytes in
            for start in range.lowerBound...(range.upperBound - needle.count) where bytes[start] == first {
                var length = 1
                while length < needle.count, bytes[start + length] == needle[length] { length += 1 }
                if length == needle.count { return start..<(start + length) }
                comparisons -= length
                if comparisons < 0 { return nil }
            }
            return nil
        }
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
