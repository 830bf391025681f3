/// Whole lines of records.
package struct RecordChunk: Sendable {
    /// The bytes that a judge may read beyond the last newline.
    static let padding = [UInt8](repeating: 0x0A, count: 64)

    /// The lines, each followed by a newline, and the padding.
    let bytes: [UInt8]
    /// The number of bytes without the padding.
    let count: Int
    /// The line of each record, counted from 0, or nil if each line is a record.
    let numbers: [Int]?
    /// The number of lines of the input that the chunk covers.
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

    /// Replaces newlines by tabs. Outside of strings both are blanks, and inside both are rejected.
    static func removeNewlines(_ bytes: inout [UInt8]) {
        for index in bytes.indices where bytes[index] == 0x0A { bytes[index] = 0x09 }
    }
}
