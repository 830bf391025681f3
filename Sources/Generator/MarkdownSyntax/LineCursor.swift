/// A position in a line, in bytes and in columns. As in CommonMark 0.30 §2.2, a tab extends to the next multiple of
/// four columns.
struct LineCursor {
    let bytes: UnsafePointer<UInt8>
    /// The line's end, excluding the line ending.
    let end: Int
    private(set) var offset: Int
    private var column = 0
    /// The first byte from `offset` on that is neither space nor tab.
    private(set) var firstNonspace: Int
    private var firstNonspaceColumn = 0
    /// The number of columns between `offset` and `firstNonspace`.
    private(set) var indent = 0

    init(bytes: UnsafePointer<UInt8>, start: Int, end: Int) {
        self.bytes = bytes
        self.end = end
        offset = start
        firstNonspace = start
        measureIndent()
    }

    var isBlank: Bool { firstNonspace >= end }
    var isIndentedCode: Bool { indent >= 4 }

    /// Returns the byte at an index. At an index after the line's end, the result is a line feed.
    func byte(_ index: Int) -> UInt8 { index < end ? bytes[index] : 0x0A }

    mutating func measureIndent() {
        // The result is cached. Otherwise, a deeply nested line would be measured again for each container.
        if firstNonspace <= offset {
            firstNonspace = offset
            firstNonspaceColumn = column
            while firstNonspace < end {
                let byte = bytes[firstNonspace]
                if byte == 0x20 {
                    firstNonspaceColumn += 1
                } else if byte == 0x09 {
                    firstNonspaceColumn += 4 - firstNonspaceColumn % 4
                } else {
                    break
                }
                firstNonspace += 1
            }
        }
        indent = firstNonspaceColumn - column
    }

    mutating func advance(to target: Int) {
        while offset < min(target, end) {
            column += bytes[offset] == 0x09 ? 4 - column % 4 : 1
            offset += 1
        }
    }

    /// Advances by columns. A tab that extends further is kept, with its remaining columns.
    mutating func advance(columns count: Int) {
        var remaining = count
        while remaining > 0, offset < end {
            guard bytes[offset] == 0x09 else {
                column += 1
                offset += 1
                remaining -= 1
                continue
            }
            let width = 4 - column % 4
            column += min(remaining, width)
            if width <= remaining { offset += 1 }
            remaining -= width
        }
    }

    /// Skips the optional blank after the marker of a block quote or a list item.
    mutating func skipOptionalBlank() {
        if isSpaceOrTab(byte(offset)) { advance(columns: 1) }
    }

    /// Advances past a list marker and the blanks after it.
    /// - Returns: the number of columns from the marker to the contents.
    mutating func advance(pastListMarkerOfLength length: Int) -> Int {
        advance(to: firstNonspace + length)
        let afterMarker = self
        while column - afterMarker.column <= 5, isSpaceOrTab(byte(offset)) { advance(columns: 1) }
        let blanks = column - afterMarker.column
        if blanks >= 5 || blanks < 1 || offset >= end {
            self = afterMarker
            if blanks > 0 { advance(columns: 1) }
            return length + 1
        }
        return length + blanks
    }
}

@inline(__always)
func isSpaceOrTab(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// Returns whether a byte is a space, tab, vertical tab, form feed or line end.
@inline(__always)
func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

@inline(__always)
func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
