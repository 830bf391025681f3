import TextEncoding

/// The bytes of a file, and the beginnings of its lines.
///
/// A byte-order mark is excluded. As in CommonMark 0.30 §2.1, lines end with LF, CRLF or CR.
package struct SourceText: Sendable {
    /// The bytes in UTF-8, without the byte-order mark.
    package let bytes: [UInt8]
    /// The offset of each line's first byte; never empty.
    package let lineStarts: [Int]
    /// The length of the byte-order mark: 3, or 0 without one.
    package let byteOrderMarkLength: Int
    /// The number of scalars before each block of bytes; empty if all lines are short and need no such index.
    private let scalarsBeforeBlock: [Int]

    private static let blockSize = 1024

    /// The number of lines of YAML front matter: a block between two lines `---` at the start of the file, whose first
    /// line has a key. GitHub and site generators do not show it as Markdown.
    package var frontMatterLines: Int {
        guard isFence(0), lineStarts.count > 2 else { return 0 }
        let first = bytes[lineRange(1)].prefix { $0 != UInt8(ascii: ":") }
        guard first.count < lineRange(1).count, let start = first.first, first.allSatisfy({ $0 != UInt8(ascii: "|") }),
            start > 0x20, start != UInt8(ascii: "#")
        else { return 0 }
        return (2..<lineStarts.count).first { isFence($0) }.map { $0 + 1 } ?? 0
    }

    private func isFence(_ line: Int) -> Bool {
        bytes[lineRange(line)].starts(with: "---".utf8)
            && bytes[lineRange(line)].dropFirst(3).allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    /// The bytes of the file, with its byte order mark.
    package var withMark: [UInt8] { (byteOrderMarkLength > 0 ? [0xEF, 0xBB, 0xBF] : []) + bytes }

    package init(_ bytes: [UInt8]) {
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = hasMark ? Array(bytes.dropFirst(3)) : bytes
        self.bytes = text
        self.byteOrderMarkLength = hasMark ? 3 : 0
        let (lineStarts, longestLine) = text.withUnsafeBufferPointer { buffer in
            var starts = [0]
            var start = 0
            var longest = 0
            var index = 0
            while index < buffer.count {
                let byte = buffer[index]
                index += 1
                if byte == 0x0A || (byte == 0x0D && (index == buffer.count || buffer[index] != 0x0A)) {
                    starts.append(index)
                    longest = max(longest, index - start)
                    start = index
                }
            }
            return (starts, max(longest, buffer.count - start))
        }
        self.lineStarts = lineStarts
        self.scalarsBeforeBlock = longestLine > 4 * Self.blockSize ? Self.scalarsBeforeBlocks(of: text) : []
    }

    private static func scalarsBeforeBlocks(of text: [UInt8]) -> [Int] {
        text.withUnsafeBufferPointer { buffer in
            var count = 0
            return stride(from: 0, through: buffer.count, by: blockSize).map { start in
                defer { count += scalars(in: start..<min(start + blockSize, buffer.count), of: buffer) }
                return count
            }
        }
    }

    private static func scalars(in range: Range<Int>, of buffer: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for index in range where buffer[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }

    /// Returns the line and the column of an offset, both from 1. Columns are Unicode scalars.
    package func position(at offset: Int) -> (line: Int, column: Int) {
        let line = lineIndex(at: offset)
        let start = lineStarts[line]
        let end = max(start, min(offset, bytes.count))
        let scalars = bytes.withUnsafeBufferPointer { buffer in
            let firstBlock = (start + Self.blockSize - 1) / Self.blockSize
            let lastBlock = end / Self.blockSize
            guard !scalarsBeforeBlock.isEmpty, firstBlock < lastBlock else {
                return Self.scalars(in: start..<end, of: buffer)
            }
            return Self.scalars(in: start..<firstBlock * Self.blockSize, of: buffer)
                + scalarsBeforeBlock[lastBlock] - scalarsBeforeBlock[firstBlock]
                + Self.scalars(in: lastBlock * Self.blockSize..<end, of: buffer)
        }
        return (line + 1, scalars + 1)
    }

    /// Returns the line of a byte offset, from 0.
    package func lineIndex(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the range of a line without its line ending. Lines count from 0.
    package func lineRange(_ line: Int) -> Range<Int> {
        let start = lineStarts[line]
        var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
        if end > start, bytes[end - 1] == 0x0A { end -= 1 }
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    /// Returns the range of a line with its line ending.
    package func wholeLineRange(_ line: Int) -> Range<Int> {
        lineStarts[line]..<(line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count)
    }

    /// Returns the string in a byte range. As in CommonMark 0.30 §2.3, NUL becomes U+FFFD.
    package func string(_ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer { buffer in
            let slice = UnsafeBufferPointer(rebasing: buffer[range])
            let text = String(decoding: slice, as: UTF8.self)
            guard slice.contains(0) else { return text }
            return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
        }
    }
}

extension SourceText {
    /// The offset of the first byte sequence that is not UTF-8; nil if all bytes are UTF-8.
    package var firstInvalidUTF8: Int? { TextEncoding.firstInvalidUTF8(in: bytes) }
}
