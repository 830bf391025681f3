// A run over large definitions joins strings a million times. The standard library grows the result piece by piece.
// These functions compute its length first.

extension String {
    /// Creates a string from UTF-8 with a byte before and after it.
    package init(_ text: UnsafeBufferPointer<UInt8>, between mark: UInt8) {
        self.init(unsafeUninitializedCapacity: text.count + 2) { buffer in
            buffer[0] = mark
            for index in 0..<text.count { buffer[index + 1] = text[index] }
            buffer[text.count + 1] = mark
            return text.count + 2
        }
    }

    /// Returns the string with every occurrence of a part replaced. Strings are compared by bytes.
    package func replacingOccurrences(_ part: String, _ text: String) -> String {
        var (copy, part) = (self, part)
        return copy.withUTF8 { bytes in
            part.withUTF8 { part -> String in
                guard let first = part.first, bytes.contains(first) else { return self }
                var result: [UInt8] = []
                result.reserveCapacity(bytes.count + 16)
                var index = 0
                while index < bytes.count {
                    if bytes[index] == first, bytes[index...].starts(with: part) {
                        result += text.utf8
                        index += part.count
                    } else {
                        result.append(bytes[index])
                        index += 1
                    }
                }
                return String(decoding: result, as: UTF8.self)
            }
        }
    }
}

extension [String] {
    /// Returns the strings joined by a separator.
    package func joined(separator: String = "") -> String {
        if count < 2 { return first ?? "" }
        var separator = separator
        let length = reduce((count - 1) * separator.utf8.count) { $0 + $1.utf8.count }
        return String(unsafeUninitializedCapacity: length) { buffer in
            var end = 0
            func add(_ piece: UnsafeBufferPointer<UInt8>) { end = buffer[end...].initialize(fromContentsOf: piece) }
            for index in indices {
                if index > 0 { separator.withUTF8(add) }
                var piece = self[index]
                piece.withUTF8(add)
            }
            return end
        }
    }
}

extension StringProtocol {
    /// Returns the first occurrence of a string, without Foundation.
    package func firstRange(ofText text: String) -> Range<Index>? {
        guard let first = text.first else { return nil }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first) {
            if self[found...].hasPrefix(text) { return found..<index(found, offsetBy: text.count) }
            start = index(after: found)
        }
        return nil
    }
}
