/// Converts ascending byte offsets to places, in linear time.
struct PlaceCursor {
    private let bytes: [UInt8]
    /// The offset of line 1, column 1: a byte order mark is not a character of the line.
    private let start: Int
    private var offset: Int
    private var line = 1
    private var column = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        start = SQLMask.startsWithByteOrderMark(bytes) ? 3 : 0
        offset = start
    }

    /// Returns the place of an offset. A smaller offset than the previous one begins from the start.
    mutating func place(_ target: Int) -> SourcePlace {
        if target < offset { (offset, line, column) = (start, 1, 1) }
        let end = min(target, bytes.count)
        while offset < end {
            let byte = bytes[offset]
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
            offset += 1
        }
        return SourcePlace(line: line, column: column)
    }

    /// Returns the places of offsets in any order.
    mutating func places(_ offsets: Set<UInt32>) -> [UInt32: SourcePlace] {
        var result: [UInt32: SourcePlace] = [:]
        result.reserveCapacity(offsets.count)
        for offset in offsets.sorted() { result[offset] = place(Int(offset)) }
        return result
    }
}
