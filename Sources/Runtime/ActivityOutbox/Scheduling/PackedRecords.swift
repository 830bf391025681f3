/// Records, copied into a few blocks of memory. The posting thread can free the array of each record at once, and
/// reuses its memory for the next record.
struct PackedRecords: Sendable {
    private struct Block {
        var bytes: [UInt8] = []
        /// The end of each record in `bytes`.
        var ends: [Int] = []
        /// The number of records removed from the front.
        var head = 0

        func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }
    }

    private var blocks: [Block] = []
    private(set) var count = 0
    private(set) var bytes = 0

    /// The size of a block, in bytes. The allocator reuses blocks of this size; the system maps larger ones each time.
    private static let blockSize = 32 << 10

    var isEmpty: Bool { count == 0 }

    mutating func append(_ record: [UInt8]) {
        let hasRoom = blocks.last.map { $0.bytes.count + record.count <= Self.blockSize } ?? false
        if !hasRoom {
            var block = Block()
            block.bytes.reserveCapacity(max(Self.blockSize, record.count))
            blocks.append(block)
        }
        let last = blocks.count - 1
        blocks[last].bytes.append(contentsOf: record)
        blocks[last].ends.append(blocks[last].bytes.count)
        count += 1
        bytes += record.count
    }

    mutating func append(_ others: PackedRecords) {
        blocks += others.blocks
        count += others.count
        bytes += others.bytes
    }

    mutating func removeFirst() {
        guard let first = blocks.first else { return }
        bytes -= first.range(first.head).count
        count -= 1
        if first.head + 1 == first.ends.count {
            blocks.removeFirst()
        } else {
            blocks[0].head += 1
        }
    }

    func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        for block in blocks {
            try block.bytes.withUnsafeBytes { bytes in
                for index in block.head..<block.ends.count {
                    try body(UnsafeRawBufferPointer(rebasing: bytes[block.range(index)]))
                }
            }
        }
    }
}
