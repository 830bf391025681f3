/// Some whole lines of records.
package struct RecordChunk: Sendable {
    /// What a judge may read beyond the last newline.
    static let padding = [UInt8](repeating: 0x0A, count: 64)

    /// The lines, a newline behind the last one, and padding.
    let bytes: [UInt8]
    /// Without the padding.
    let count: Int
    /// The line of each record, counted from 0; nil if each line is a record.
    let numbers: [Int]?
    /// How many lines of the input it covers.
    package let lineCount: Int?

    /// - Parameter lines: whole lines; the last one may lack its newline.
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
    ///   - records: records without newlines, and a newline behind each.
    ///   - numbers: the line on which each one begins, counted from 0.
    ///   - lineCount: how many lines of the input they take.
    init(records: consuming [UInt8], numbers: [Int], lineCount: Int) {
        var bytes = records
        count = bytes.count
        bytes += Self.padding
        self.bytes = bytes
        self.numbers = numbers
        self.lineCount = lineCount
    }

    /// Lines without records.
    package init(blankLines: Int) { self.init(records: [], numbers: [], lineCount: blankLines) }

    /// A single record, which may be laid out over several lines.
    package init(record: [UInt8]) {
        var bytes = record
        Self.removeNewlines(&bytes)
        bytes.append(0x0A)
        self.init(records: bytes, numbers: [0], lineCount: 1)
    }

    /// Outside of texts a newline is a blank; inside, a tab is refused as a newline is.
    static func removeNewlines(_ bytes: inout [UInt8]) {
        for index in bytes.indices where bytes[index] == 0x0A { bytes[index] = 0x09 }
    }
}
