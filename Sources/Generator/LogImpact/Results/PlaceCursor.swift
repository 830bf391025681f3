/// Converts ascending byte offsets to places, in linear time.
struct PlaceCursor {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the place of an offset. A smaller offset than the previous one begins from the start.
    mutating func place(_ target: Int) -> SourcePlace {
        if target < offset { (offset, line, column) = (0, 1, 1) }
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
