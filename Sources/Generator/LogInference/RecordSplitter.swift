/// Cuts a stream of bytes into records: one a line, or the items of an array. It holds one record at a time.
package struct RecordSplitter {
    private enum Form { case unknown, lines, array, ended }

    /// More than any record has. A longer one is given out as far as it goes, and is no JSON then.
    package static let mostBytes = 16 << 20

    private var form = Form.unknown
    private var record: [UInt8] = []
    private var line = 1
    private var start = 1
    private var depth = 0
    private var isQuoted = false
    private var isEscaped = false
    /// Whether the rest of a line that was too long is passed over.
    private var skips = false
    private var leading: [UInt8] = []

    package init() {}

    /// Takes the next bytes, and gives out the records that end in them, with the line on which each begins.
    package mutating func add(_ bytes: [UInt8], _ body: (_ record: [UInt8], _ line: Int) -> Void) {
        var index = 0
        while form == .unknown, index < bytes.count {
            let byte = bytes[index]
            index += 1
            // A byte-order mark.
            if byte == [0xEF, 0xBB, 0xBF][min(leading.count, 2)], leading.count < 3, record.isEmpty, line == 1 {
                leading.append(byte)
                continue
            }
            if byte == 0x0A { line += 1 }
            if byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
            form = byte == UInt8(ascii: "[") ? .array : .lines
            start = line
            if form == .lines { record.append(byte) }
        }
        switch form {
        case .unknown: break
        case .lines: addLines(bytes[index...], body)
        case .array, .ended: for byte in bytes[index...] { addItem(byte, body) }
        }
    }

    /// The end of the stream.
    package mutating func finish(_ body: (_ record: [UInt8], _ line: Int) -> Void) {
        // An array that is not closed has lost what comes after it.
        if form == .array, record.isEmpty { record = Array("[".utf8) }
        flush(body)
        self = RecordSplitter()
    }

    private mutating func flush(_ body: ([UInt8], Int) -> Void) {
        if record.contains(where: { $0 > 0x20 }) { body(record, start) }
        record.removeAll(keepingCapacity: true)
    }

    private mutating func addLines(_ bytes: ArraySlice<UInt8>, _ body: ([UInt8], Int) -> Void) {
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            if !skips { record += rest[..<end] }
            flush(body)
            skips = false
            line += 1
            start = line
            rest = rest[(end + 1)...]
        }
        guard !skips else { return }
        record += rest
        if record.count > Self.mostBytes {
            flush(body)
            skips = true
        }
    }

    private mutating func addItem(_ byte: UInt8, _ body: ([UInt8], Int) -> Void) {
        defer { if byte == 0x0A { line += 1 } }
        if record.isEmpty, byte == 0x20 || (0x09...0x0D).contains(byte) { return }
        if record.isEmpty { start = line }
        if form == .array, depth == 0, !isQuoted {
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
                flush(body)
                if byte == UInt8(ascii: "]") { form = .ended }
                return
            }
        }
        record.append(byte)
        if record.count > Self.mostBytes, form == .array {
            flush(body)
            (depth, isQuoted, isEscaped) = (0, false, false)
        }
        guard form == .array else { return }
        if isQuoted {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }
}
