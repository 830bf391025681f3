/// The receiver of the records that a `RecordSplitter` finds, in their order.
package protocol RecordSink {
    /// Receives lines before the first record.
    mutating func add(blankLines: Int)
    /// Receives whole lines, each of which is a record or blank. The last line of the input may lack its newline.
    mutating func add(lines: consuming [UInt8])
    /// Receives an item of an array, with the line on which it begins. Lines count from 0, at the beginning of the
    /// array. A missing item is received as a comma, and the end of an unclosed array as a bracket. Neither is JSON.
    mutating func add(item: [UInt8], line: Int)
    /// Receives the bytes after an array, which are not a record. The bytes are cut off after 64 KiB.
    mutating func add(rest: [UInt8], line: Int)
}

/// Splits a stream of bytes into records without validating them: into lines, or into the items of a JSON array. A
/// byte-order mark is removed.
///
/// In an array, the splitter only tracks quotation marks, brackets and commas. An item that is not JSON is a record,
/// too. The items after it are found if its brackets and quotation marks are balanced.
package struct RecordSplitter: Sendable {
    package enum Form: Sendable {
        /// An array if the input begins with an array of objects, otherwise lines.
        case detected
        case lines, array
    }

    private enum State { case undecided, lines, start, item, end }

    private var state: State
    private let form: Form
    private let longestRecord: Int
    /// Indicates whether a record is longer than `longestRecord`. Such a record is truncated, so it is not JSON.
    package private(set) var hasLongRecord = false

    private var hasLookedForMark = false
    /// The bytes of an undecided form, or of the current line.
    private var pending: [UInt8] = []
    private var skipsRestOfLine = false
    /// The nesting of the current item, or of a line that is longer than a block and begins in `pending`.
    private var nesting = Nesting()
    /// The number of bytes in `pending` that `nesting` covers: none if the line may still end in the next block.
    private var nestedCount = 0

    private var isItemBlank = true
    private var commaNeedsItem = false
    private var line = 0
    private var itemLine = 0
    private var item: [UInt8] = []

    private static let longestRest = 1 << 16

    /// - Parameter longestRecord: The maximum number of bytes to keep of a record.
    package init(_ form: Form = .detected, longestRecord: Int = .max) {
        self.form = form
        self.longestRecord = longestRecord
        state = form == .array ? .start : .undecided
    }

    /// Returns whether bytes are the beginning of an array of objects or of an empty array, after blanks. Returns nil
    /// if more bytes are needed. A bracket alone is not enough, because a log line may begin with one: `[INFO] …`.
    package static func isArray(_ bytes: [UInt8]) -> Bool? {
        bytes.withUnsafeBufferPointer { bytes in
            var isOpen = false
            for byte in bytes where !isBlank(byte) {
                if isOpen { return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "]") }
                if byte != UInt8(ascii: "[") { return false }
                isOpen = true
            }
            return nil
        }
    }

    /// Indicates whether the array is followed by content that is not blank.
    package var hasRest: Bool { state == .end && !item.isEmpty }

    /// Indicates whether the last line is incomplete.
    package var isInLine: Bool { !pending.isEmpty }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Reads the next bytes.
    package mutating func read(_ bytes: UnsafeRawBufferPointer, into sink: inout some RecordSink) {
        switch state {
        case .undecided:
            pending += bytes
            decide(isAtEnd: false, into: &sink)
        case .lines: readLines(bytes, into: &sink)
        case .start, .item, .end: readItems(bytes, into: &sink)
        }
    }

    /// Passes the last record on. Call it after the last bytes.
    package mutating func finish(into sink: inout some RecordSink) {
        if state == .undecided { decide(isAtEnd: true, into: &sink) }
        switch state {
        case .undecided: break
        case .lines: if !pending.isEmpty { sink.add(lines: pending) }
        case .start, .item, .end: finishArray(into: &sink)
        }
        pending = []
    }

    /// Decides by the first byte that is not blank. If it is a bracket, the next byte that is not blank decides.
    private mutating func decide(isAtEnd: Bool, into sink: inout some RecordSink) {
        if !hasLookedForMark {
            guard pending.count >= 3 || isAtEnd else { return }
            hasLookedForMark = true
            if pending.starts(with: [0xEF, 0xBB, 0xBF]) { pending.removeFirst(3) }
        }
        let begins = form == .lines ? false : Self.isArray(pending)
        let isBracket = begins == nil && pending.contains(UInt8(ascii: "["))
        if isBracket, !isAtEnd, pending.count < 1 << 20 { return }
        guard let isArray = isBracket ? true : begins else {
            // Only the number of blank lines is kept: a small compressed file may begin with gigabytes of blanks.
            sink.add(blankLines: pending.count { $0 == 0x0A })
            pending = []
            return
        }
        state = isArray ? .start : .lines
        let all = pending
        pending = []
        all.withUnsafeBytes { read($0, into: &sink) }
    }

    // MARK: Lines

    private mutating func readLines(_ bytes: UnsafeRawBufferPointer, into sink: inout some RecordSink) {
        var bytes = bytes
        if skipsRestOfLine {
            guard let newline = bytes.firstIndex(of: 0x0A) else { return }
            bytes = UnsafeRawBufferPointer(rebasing: bytes[newline...])
            skipsRestOfLine = false
        }
        guard let newline = bytes.lastIndex(of: 0x0A) else {
            pending += bytes
            for byte in pending[nestedCount...] where !nesting.isTooDeep { nesting.read(byte) }
            nestedCount = pending.count
            if pending.count > longestRecord { hasLongRecord = true }
            skipsRestOfLine = nesting.isTooDeep || pending.count > longestRecord
            return
        }
        // The capacity has space for the padding, so that a chunk appends it without copying the lines.
        var lines: [UInt8] = []
        lines.reserveCapacity(bytes.count - newline + max(bytes.count, 1 << 19) + RecordChunk.padding.count)
        swap(&lines, &pending)
        lines += bytes[...newline]
        pending += bytes[(newline + 1)...]
        (nesting, nestedCount) = (Nesting(), 0)
        sink.add(lines: consume lines)
    }

    // MARK: Items of an array

    private mutating func readItems(_ bytes: UnsafeRawBufferPointer, into sink: inout some RecordSink) {
        var index = 0
        while index < bytes.count {
            if nesting.isInText, !nesting.isEscaped {
                // Fast path, because most bytes are in strings.
                let end = bytes[index...].firstIndex {
                    $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 == 0x0A
                }
                append(bytes[index..<(end ?? bytes.count)])
                index = end ?? bytes.count
                if end == nil { return }
            }
            let byte = bytes[index]
            index += 1
            if byte == 0x0A { line += 1 }
            if nesting.isInText {
                append(byte)
                nesting.read(byte)
                continue
            }
            switch state {
            case .undecided, .lines, .start:
                if !Self.isBlank(byte) { state = .item }
                continue
            case .end:
                if item.isEmpty {
                    if Self.isBlank(byte) { continue }
                    itemLine = line
                }
                if item.count < Self.longestRest { item.append(byte) }
                continue
            case .item: break
            }
            if nesting.depth == 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
                let isLast = byte == UInt8(ascii: "]")
                if !isItemBlank {
                    addItem(into: &sink)
                } else if !isLast || commaNeedsItem {
                    sink.add(item: [UInt8(ascii: ",")], line: line)
                }
                commaNeedsItem = !isLast
                item.removeAll(keepingCapacity: true)
                isItemBlank = true
                if isLast { state = .end }
                continue
            }
            if isItemBlank {
                if Self.isBlank(byte) { continue }
                isItemBlank = false
                itemLine = line
            }
            append(byte)
            nesting.read(byte)
        }
    }

    /// Appends a byte unless it is beyond the maximum nesting or length.
    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        guard !nesting.isTooDeep else { return }
        if item.count < longestRecord { item.append(byte) } else { hasLongRecord = true }
    }

    private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
        guard !nesting.isTooDeep else { return }
        let room = max(0, longestRecord - item.count)
        if bytes.count > room { hasLongRecord = true }
        item += bytes.prefix(room)
    }

    private mutating func addItem(into sink: inout some RecordSink) {
        // Trailing blanks are not part of the item.
        while let last = item.last, Self.isBlank(last) { item.removeLast() }
        sink.add(item: item, line: itemLine)
    }

    private mutating func finishArray(into sink: inout some RecordSink) {
        guard state == .item else {
            if !item.isEmpty { sink.add(rest: item, line: itemLine) }
            return
        }
        if !isItemBlank { addItem(into: &sink) }
        // The array has no end. An item `[`, which is not a record, reports this. An incomplete last item is an error
        // itself, so nothing else is reported.
        if isItemBlank || nesting.depth == 0 && !nesting.isInText { sink.add(item: [UInt8(ascii: "[")], line: line) }
    }
}
