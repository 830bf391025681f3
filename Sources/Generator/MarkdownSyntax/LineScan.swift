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
        if start + 1 < end, bytes[start] == 0x5C {
            isEscaped = bytes[start + 1] == 0x7C || Self.sign(bytes, start + 1, end).sign == .mark
            if isEscaped { start += 1 }
        }
        readMarks(bytes)
        readCells(bytes)
    }

    /// A character, as far as its shape matters.
    private enum Sign { case blank, wideBlank, mark, pipe, dash, colon, other }

    /// The characters that resemble a pipe.
    package static let widePipes: [UInt32] = [0xFF5C, 0xFFE8, 0x2502, 0x2503, 0x2223, 0xA6]

    /// Returns the sign at an offset and its length in bytes, which is 1 for ASCII. CommonMark parses a wide blank as a
    /// letter: a no-break, full-width or zero-width space, or a byte-order mark.
    private static func sign(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> (sign: Sign, length: Int) {
        let byte = bytes[index]
        guard byte >= 0x80 else {
            switch byte {
            case 0x20, 0x09: return (.blank, 1)
            case 0x23: return (.mark, 1)
            case 0x2D, 0x3D, 0x5F: return (.dash, 1)
            case 0x3A, 0x2B: return (.colon, 1)
            default: return (byte == 0x7C ? .pipe : .other, 1)
            }
        }
        // RFC 3629: the first byte of a scalar determines its length.
        let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        guard byte >= 0xC0, length <= end - index else { return (.other, 1) }
        var scalar = UInt32(byte & (0x7F >> UInt8(length)))
        for next in 1..<length { scalar = scalar << 6 | UInt32(bytes[index + next] & 0x3F) }
        switch scalar {
        case 0xA0, 0x2000...0x200F, 0x2028, 0x2029, 0x202F, 0x205F...0x2064, 0x3000, 0xFEFF:
            return (.wideBlank, length)
        case 0xFF03, 0xFE5F, 0x266F: return (.mark, length)
        // ‐ to ―, −, ─ ━, ー, －, ｰ, 一
        case 0x2010...0x2015, 0x2212, 0x2500, 0x2501, 0x30FC, 0xFF0D, 0xFF70, 0x4E00:
            return (.dash, length)
        case 0xFF1A: return (.colon, length)
        default: return (widePipes.contains(scalar) ? .pipe : .other, length)
        }
    }

    private mutating func skipBlanks(_ bytes: UnsafePointer<UInt8>) {
        while start < end {
            let (sign, length) = Self.sign(bytes, start, end)
            guard sign == .blank || sign == .wideBlank else { return }
            if sign == .wideBlank { invisible = invisible ?? start..<(start + length) }
            start += length
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
            guard index < end, case (.mark, let length) = Self.sign(bytes, index, end) else { break }
            if length > 1 { hasWideMark = true }
            marks += 1
            index += length
        }
        guard marks > 0 else { return }
        hasBlankAfterMarks = index >= end || isSpaceOrTab(bytes[index])
        afterMarks = index
        while afterMarks < end {
            let (sign, length) = Self.sign(bytes, afterMarks, end)
            guard sign == .blank || sign == .wideBlank else { break }
            afterMarks += length
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
            // Most bytes are small letters.
            if bytes[index] >= 0x61, bytes[index] <= 0x7A {
                isDelimiterSoFar = false
                hasCellBefore = true
                index += 1
                continue
            }
            let (sign, length) = Self.sign(bytes, index, end)
            switch sign {
            case .pipe:
                if index == start { beginsWithPipe = true }
                let isInCode = isCode && !beginsWithPipe
                if length > 1 {
                    widePipes += isInCode ? 0 : 1
                } else if index == start || bytes[index - 1] != 0x5C && !isInCode {
                    pipes += 1
                }
            case .dash: dashes += 1
            case .blank:
                if bytes[index] == 0x09, hasCellBefore, !isSpaceOrTab(bytes[index - 1]) { tabs += 1 }
            case .wideBlank, .colon: break
            case .mark, .other:
                if bytes[index] == 0x60 { isCode.toggle() }
                isDelimiterSoFar = false
            }
            if sign != .blank, sign != .wideBlank { hasCellBefore = true }
            index += length
        }
        isDelimiter = isDelimiterSoFar && dashes > 0 && separators > 0
    }
}
