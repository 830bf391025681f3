/// Whole lines of records.
package struct RecordChunk: Sendable {
    /// The bytes that the scanner may read beyond the last newline.
    static let padding = [UInt8](repeating: 0x0A, count: 64)

    /// The lines, each followed by a newline, and the padding.
    let bytes: [UInt8]
    /// The number of bytes without the padding.
    let count: Int
    /// The line of each record, counted from 0, or nil if each line is a record.
    let numbers: [Int]?
    /// The number of lines of the input that the chunk covers; nil if each line is a record.
    package let lineCount: Int?

    /// - Parameter lines: Whole lines. The last one may lack its newline.
    package init(lines: consuming [UInt8]) {
        var bytes = lines
        if bytes.last != 0x0A { bytes.append(0x0A) }
        count = bytes.count
        bytes += Self.padding
        self.bytes = bytes
        numbers = nil
        lineCount = nil
    }

    /// - Parameters:
    ///   - records: Records without newlines, each followed by a newline.
    ///   - numbers: The line on which each record begins, counted from 0.
    ///   - lineCount: The number of lines of the input that the records cover.
    init(records: consuming [UInt8], numbers: [Int], lineCount: Int) {
        var bytes = records
        count = bytes.count
        bytes += Self.padding
        self.bytes = bytes
        self.numbers = numbers
        self.lineCount = lineCount
    }

    /// Creates a chunk of lines without records.
    package init(blankLines: Int) { self.init(records: [], numbers: [], lineCount: blankLines) }

    /// Creates a chunk of a single record, which may span several lines.
    package init(record: [UInt8]) {
        var bytes = record
        Self.removeNewlines(&bytes)
        bytes.append(0x0A)
        self.init(records: bytes, numbers: [0], lineCount: 1)
    }

    /// Replaces newlines by tabs. Outside of strings both are blanks, and inside of strings both are errors.
    static func removeNewlines(_ bytes: inout [UInt8], from start: Int = 0) {
        for index in start..<bytes.count where bytes[index] == 0x0A { bytes[index] = 0x09 }
    }
}

/// Collects the records of a splitter in chunks.
package struct RecordChunks: RecordSink {
    private var complete: [RecordChunk] = []
    private var items: [UInt8] = []
    private var numbers: [Int] = []

    /// The number of bytes that are kept of the content after an array. Messages show only its beginning.
    private static let shownRest = 256

    package init() {}

    /// Reads a JSON array in memory.
    package init(array: [UInt8]) {
        var splitter = RecordSplitter(.array)
        array.withUnsafeBytes { splitter.read($0, into: &self) }
        splitter.finish(into: &self)
    }

    package mutating func add(blankLines: Int) { complete.append(RecordChunk(blankLines: blankLines)) }

    package mutating func add(lines: consuming [UInt8]) { complete.append(RecordChunk(lines: lines)) }

    package mutating func add(item: [UInt8], line: Int) {
        let start = items.count
        items += item
        RecordChunk.removeNewlines(&items, from: start)
        items.append(0x0A)
        numbers.append(line)
    }

    /// Adds the beginning of the content after an array. This content becomes one record that is not JSON.
    package mutating func add(rest: [UInt8], line: Int) {
        let bytes = rest.dropFirst().filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        add(item: [UInt8(ascii: "]")] + bytes.prefix(Self.shownRest - 1), line: line)
    }

    /// Returns the chunks of the records that were added since the last call.
    package mutating func take() -> [RecordChunk] {
        if !numbers.isEmpty {
            complete.append(RecordChunk(records: items, numbers: numbers, lineCount: 0))
            items = []
            numbers = []
        }
        defer { complete = [] }
        return complete
    }
}
