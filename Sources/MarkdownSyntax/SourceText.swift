/// The bytes of one document and where its lines begin.
///
/// A byte-order mark is not part of the text. Lines end with LF, CRLF or CR, as CommonMark 0.30 §2.1 has it.
package struct SourceText: Sendable {
    /// UTF-8 without the byte-order mark.
    package let bytes: [UInt8]
    /// The offset of each line's first byte; never empty.
    package let lineStarts: [Int]
    /// 3 where the file had a byte-order mark, otherwise 0.
    package let byteOrderMarkLength: Int

    package init(_ bytes: [UInt8]) {
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = hasMark ? Array(bytes.dropFirst(3)) : bytes
        self.bytes = text
        self.byteOrderMarkLength = hasMark ? 3 : 0
        self.lineStarts = text.withUnsafeBufferPointer { buffer in
            var starts = [0]
            var index = 0
            while index < buffer.count {
                let byte = buffer[index]
                index += 1
                if byte == 0x0A || (byte == 0x0D && (index == buffer.count || buffer[index] != 0x0A)) {
                    starts.append(index)
                }
            }
            return starts
        }
    }

    /// Line and column, both from 1; the column counts Unicode scalars.
    package func position(at offset: Int) -> (line: Int, column: Int) {
        let line = lineIndex(at: offset)
        var column = 1
        var index = lineStarts[line]
        while index < min(offset, bytes.count) {
            if bytes[index] & 0xC0 != 0x80 { column += 1 }
            index += 1
        }
        return (line + 1, column)
    }

    /// The line, counted from 0, that holds a byte offset.
    package func lineIndex(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The bytes of a line (counted from 0) without its line end.
    package func lineRange(_ line: Int) -> Range<Int> {
        let start = lineStarts[line]
        var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
        if end > start, bytes[end - 1] == 0x0A { end -= 1 }
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    /// The text of a byte range; NUL reads as U+FFFD, as CommonMark 0.30 §2.3 has it.
    package func string(_ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer { buffer in
            let slice = UnsafeBufferPointer(rebasing: buffer[range])
            let text = String(decoding: slice, as: UTF8.self)
            guard slice.contains(0) else { return text }
            return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
        }
    }
}
