/// Features of a line outside of tables that suggest its author's intention, independent of CommonMark's result.
///
/// If one character of a definition is wrong, CommonMark parses it as a paragraph, which is always valid. This scan
/// finds lines that may be intended as a heading, a table or a column. The scan does not affect parsing.
package struct LineScan: Sendable {
    /// The first byte after blanks, invisible characters and, if skipped, the markers of quotes and lists.
    package private(set) var start: Int
    /// The end of the line's text, without trailing blanks.
    package private(set) var end: Int
    /// The first invisible character before `start`, such as a full-width or a zero-width space, or the
    /// delimiters of emphasis before number signs.
    package private(set) var invisible: Range<Int>?
    /// Indicates whether a backslash before the first character makes it plain text.
    package private(set) var isEscaped = false
    /// The number of number signs (`#`, half or full width) at the beginning of the line.
    package private(set) var marks = 0
    /// The first byte after the number signs and the blanks that follow them.
    package private(set) var afterMarks: Int
    package private(set) var hasWideMark = false
    /// Indicates whether the number signs are followed by a blank that CommonMark supports, or by the end of the line.
    package private(set) var hasBlankAfterMarks = false
    /// Indicates whether the number signs are followed by a blank of any width.
    package private(set) var hasAnyBlankAfterMarks = false
    package private(set) var beginsWithPipe = false
    /// The number of pipes that separate cells: not escaped, and not in code spans unless the line begins with a pipe.
    package private(set) var pipes = 0
    /// The number of characters that resemble a pipe.
    package private(set) var widePipes = 0
    /// The number of tabs between words.
    package private(set) var tabs = 0
    /// Indicates whether the line has only dashes, colons, pipes and blanks, with at least a dash and a separator.
    package private(set) var isDelimiter = false
    /// The number of characters that separate cells, or are intended to.
    package var separators: Int { pipes + widePipes + tabs }

    /// - Parameter isStripped: whether to skip markers of quotes and lists, checkboxes, tags and ends of comments.
    package init(_ line: Range<Int>, in bytes: UnsafePointer<UInt8>, isStripped: Bool = false) {
        var end = line.upperBound
        while end > line.lowerBound, isSpaceOrTab(bytes[end - 1]) { end -= 1 }
        self.end = end
        start = line.lowerBound
        afterMarks = line.lowerBound
        skipBlanks(bytes)
        while isStripped,
            let length = Self.markerLength(bytes, start, end) ?? Self.tagLength(bytes, start, end)
        {
            start += length
            skipBlanks(bytes)
        }
        skipDecoration(bytes)
        if start + 1 < end, bytes[start] == 0x5C,
            Self.numberSignLength(bytes, start + 1, end) > 0 || bytes[start + 1] == 0x7C
        {
            isEscaped = true
            start += 1
        }
        readMarks(bytes)
        readCells(bytes)
    }

    private mutating func skipBlanks(_ bytes: UnsafePointer<UInt8>) {
        while start < end {
            if isSpaceOrTab(bytes[start]) {
                start += 1
            } else if let length = Self.wideBlankLength(bytes, start, end) {
                invisible = invisible ?? start..<(start + length)
                start += length
            } else {
                return
            }
        }
    }

    /// Skips punctuation that makes number signs text, and emphasis at the end: `・## show`, `+## show`, `**## show**`.
    private mutating func skipDecoration(_ bytes: UnsafePointer<UInt8>) {
        var index = start
        signs: while index + 2 < end, index < start + 6 {
            switch bytes[index] {
            case 0x2A, 0x2B, 0x2D, 0x2F, 0x5F, 0x7E: index += 1
            case 0xE3 where bytes[index + 1] == 0x83 && bytes[index + 2] == 0xBB: index += 3
            default: break signs
            }
        }
        // `[obsolete] ## show`
        if index == start, bytes[index] == 0x5B, let close = (index..<end).first(where: { bytes[$0] == 0x5D }) {
            index = close + 1
            while index < end, isSpaceOrTab(bytes[index]) { index += 1 }
        }
        guard index > start, index + 2 < end, bytes[index] == 0x23, bytes[index + 1] == 0x23 else { return }
        invisible = invisible ?? start..<index
        start = index
        let mark = bytes[index - 1]
        if mark == 0x2A || mark == 0x5F { while end > start, bytes[end - 1] == mark { end -= 1 } }
    }

    /// Returns the length in bytes of a blank that CommonMark parses as a letter: a no-break, full-width or zero-width
    /// space, or a byte-order mark. Nil for other characters.
    private static func wideBlankLength(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> Int? {
        switch bytes[index] {
        case 0xC2: return index + 1 < end && bytes[index + 1] == 0xA0 ? 2 : nil
        case 0xE2, 0xE3, 0xEF:
            guard index + 2 < end else { return nil }
            switch (bytes[index], bytes[index + 1], bytes[index + 2]) {
            case (0xE2, 0x80, 0x80...0x8F), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F...0xA4),
                (0xE3, 0x80, 0x80),
                (0xEF, 0xBB, 0xBF):
                return 3
            default: return nil
            }
        default: return nil
        }
    }

    private static func numberSignLength(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> Int {
        if bytes[index] == 0x23 { return 1 }
        guard bytes[index] == 0xEF || bytes[index] == 0xE2, index + 2 < end else { return 0 }
        switch (bytes[index], bytes[index + 1], bytes[index + 2]) {
        case (0xEF, 0xBC, 0x83), (0xEF, 0xB9, 0x9F), (0xE2, 0x99, 0xAF): return 3
        default: return 0
        }
    }

    /// Returns the length of a marker: `>`, `-`, `*`, `+`, a number, `a)`, `[ ]` or `-->`. A list's marker includes the blank
    /// after it. Nil without a marker.
    private static func markerLength(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard start < end else { return nil }
        switch bytes[start] {
        case 0x3E: return 1
        case 0x2D where start + 2 < end && bytes[start + 1] == 0x2D && bytes[start + 2] == 0x3E: return 3
        case 0x5B where start + 3 < end && bytes[start + 2] == 0x5D && isSpaceOrTab(bytes[start + 3]): return 4
        case 0x61...0x7A where start + 2 < end && bytes[start + 1] == 0x29 && isSpaceOrTab(bytes[start + 2]): return 3
        case 0x2A, 0x2B, 0x2D: return start + 1 < end && isSpaceOrTab(bytes[start + 1]) ? 2 : nil
        case 0x30...0x39:
            var index = start
            while index < end, index - start < 9, isDigit(bytes[index]) { index += 1 }
            guard index + 1 < end, bytes[index] == 0x2E || bytes[index] == 0x29, isSpaceOrTab(bytes[index + 1]) else {
                return nil
            }
            return index + 2 - start
        default: return nil
        }
    }

    /// Returns the length of an opening or closing HTML tag that begins and ends on this line, if any.
    private static func tagLength(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard start + 1 < end, bytes[start] == 0x3C, isLetter(bytes[start + 1]) || bytes[start + 1] == 0x2F else {
            return nil
        }
        var index = start + 2
        while index < end {
            if bytes[index] == 0x3E { return index + 1 - start }
            index += 1
        }
        return nil
    }

    private mutating func readMarks(_ bytes: UnsafePointer<UInt8>) {
        var index = start
        while index < end {
            // `\#\#` is what editors make of a heading that was text.
            if isEscaped, bytes[index] == 0x5C, index + 1 < end, bytes[index + 1] == 0x23 { index += 1 }
            let length = Self.numberSignLength(bytes, index, end)
            if length == 0 { break }
            if length > 1 { hasWideMark = true }
            marks += 1
            index += length
        }
        guard marks > 0 else { return }
        hasBlankAfterMarks = index >= end || isSpaceOrTab(bytes[index])
        afterMarks = index
        while afterMarks < end {
            if isSpaceOrTab(bytes[afterMarks]) {
                afterMarks += 1
            } else if let length = Self.wideBlankLength(bytes, afterMarks, end) {
                afterMarks += length
            } else {
                break
            }
        }
        hasAnyBlankAfterMarks = hasBlankAfterMarks || afterMarks > index
    }

    private mutating func readCells(_ bytes: UnsafePointer<UInt8>) {
        var index = start
        var isCode = false
        var isDelimiterSoFar = !isEscaped
        var dashes = 0
        var hasCellBefore = false
        while index < end {
            let byte = bytes[index]
            var isBlank = false
            switch byte {
            case 0x7C:
                let isCellsEnd = index == start || (bytes[index - 1] != 0x5C && (!isCode || beginsWithPipe))
                if index == start { beginsWithPipe = true }
                if isCellsEnd { pipes += 1 }
            case 0x60:
                isCode.toggle()
                isDelimiterSoFar = false
            case 0x09:
                if hasCellBefore, !isSpaceOrTab(bytes[index - 1]) { tabs += 1 }
                isBlank = true
            case 0x20: isBlank = true
            case 0x2B: break
            case 0x3A: break
            case 0x2D, 0x3D, 0x5F: dashes += 1
            case 0xC2, 0xE2, 0xE3, 0xE4, 0xEF:
                let kind = Self.wideKind(bytes, index, end)
                index += kind.length - 1
                switch kind.scan {
                case .pipe:
                    if !isCode || beginsWithPipe { widePipes += 1 }
                    if index + 1 - kind.length == start { beginsWithPipe = true }
                case .dash: dashes += 1
                case .colon: break
                case .blank: isBlank = true
                case .other: isDelimiterSoFar = false
                }
            default: isDelimiterSoFar = false
            }
            if !isBlank { hasCellBefore = true }
            index += 1
        }
        isDelimiter = isDelimiterSoFar && dashes > 0 && separators > 0
    }

    private enum WideKind { case pipe, dash, colon, blank, other }

    private static func wideKind(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> (
        scan: WideKind, length: Int
    ) {
        if let length = wideBlankLength(bytes, index, end) { return (.blank, length) }
        if bytes[index] == 0xC2 {
            return index + 1 < end && bytes[index + 1] == 0xA6 ? (.pipe, 2) : (.other, min(2, end - index))
        }
        guard index + 2 < end else { return (.other, 1) }
        switch (bytes[index], bytes[index + 1], bytes[index + 2]) {
        // ｜ ￨ │ ┃ ∣
        case (0xEF, 0xBD, 0x9C), (0xEF, 0xBF, 0xA8), (0xE2, 0x94, 0x82...0x83), (0xE2, 0x88, 0xA3): return (.pipe, 3)
        // ‐ to ―, −, ─ ━, ー, －, ｰ, 一
        case (0xE2, 0x80, 0x90...0x95), (0xE2, 0x88, 0x92), (0xE2, 0x94, 0x80...0x81), (0xE3, 0x83, 0xBC),
            (0xEF, 0xBC, 0x8D),
            (0xEF, 0xBD, 0xB0), (0xE4, 0xB8, 0x80):
            return (.dash, 3)
        case (0xEF, 0xBC, 0x9A): return (.colon, 3)
        default: return (.other, 3)
        }
    }
}
