/// A copy of a file in which all bytes outside of SQL are spaces, so that places in it are places in the file.
///
/// Escapes are replaced by as many bytes: `\"` by a space and a quote, `\n` by a space and a record separator, which
/// ends comments and does not count as a line.
struct SQLMask {
    /// A part of the file that is an expression and not a statement.
    struct Expression {
        var range: Range<Int>
        /// The table that `${TABLE}` stands for; nil if it is a query.
        var table: [String]?
    }

    static let softNewline: UInt8 = 0x1E

    let source: [UInt8]
    private(set) var bytes: [UInt8]
    private(set) var expressions: [Expression] = []
    /// The table of each LookML view.
    var views: [String: [String]] = [:]

    init(_ source: [UInt8]) {
        self.source = source
        // The lexer treats the remaining bytes of a character as a space.
        bytes = source.map { byte in
            byte == 0x0A || byte & 0xC0 == 0x80 ? byte : 0x20
        }
        if Self.startsWithByteOrderMark(source) { bytes[0] = source[0] }
    }

    /// Returns whether U+FEFF precedes the text. It is not part of it.
    static func startsWithByteOrderMark(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xEF, 0xBB, 0xBF]) }

    /// Shows the SQL in a range without escapes.
    mutating func show(_ range: Range<Int>) {
        for index in range where index < source.count { bytes[index] = source[index] }
        separate(range.upperBound)
    }

    mutating func show(expression range: Range<Int>, table: [String]?) {
        show(range)
        expressions.append(Expression(range: range, table: table))
    }

    /// Ends the statement before a byte that is not part of SQL.
    private mutating func separate(_ index: Int) {
        if index < bytes.count, bytes[index] == 0x20 { bytes[index] = 0x3B }
    }

    /// Shows the content of a double-quoted string with the escapes of JSON and YAML.
    mutating func show(escaped range: Range<Int>) { show(escaped: [range]) }

    /// Shows the contents of double-quoted strings, the lines of one text.
    mutating func show(escaped ranges: [Range<Int>]) {
        var isInside = false
        for range in ranges {
            show(escaped: range, &isInside)
            if range.upperBound < bytes.count, bytes[range.upperBound] == 0x20 {
                bytes[range.upperBound] = Self.softNewline
            }
        }
        if let end = ranges.last?.upperBound, end < bytes.count, bytes[end] == Self.softNewline { bytes[end] = 0x3B }
    }

    private mutating func show(escaped range: Range<Int>, _ isInside: inout Bool) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard source[index] == 0x5C, index + 1 < range.upperBound else {
                bytes[index] = source[index]
                index += 1
                continue
            }
            let next = source[index + 1]
            var length = 2
            var value: UInt8 = 0x20
            switch next {
            case 0x6E, 0x72: value = Self.softNewline
            case 0x22, 0x5C, 0x2F: value = next
            case 0x75:
                length = min(6, range.upperBound - index)
                let digits = source[index + 2..<max(index + 2, index + length)]
                let code = digits.count == 4 ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0x20 : 0x20
                value =
                    code == 0x0A || code == 0x0D ? Self.softNewline : code > 0x20 && code < 0x7F ? UInt8(code) : 0x20
            case 0x0A: value = 0x0A
            default: value = 0x20
            }
            for position in index..<index + length where source[position] != 0x0A { bytes[position] = 0x20 }
            // The space is outside of the quoted name.
            let isClosing = value == 0x22 && isInside
            if value != 0x0A { bytes[isClosing ? index : index + length - 1] = value }
            if value == 0x22 { isInside.toggle() }
            index += length
        }
    }

    /// Shows the content of YAML's single-quoted string, in which `''` is a quote.
    mutating func show(singleQuoted range: Range<Int>) {
        var index = range.lowerBound
        var isInside = false
        while index < range.upperBound {
            guard source[index] == 0x27, index + 1 < range.upperBound, source[index + 1] == 0x27 else {
                bytes[index] = source[index]
                index += 1
                continue
            }
            bytes[index] = isInside ? 0x27 : 0x20
            bytes[index + 1] = isInside ? 0x20 : 0x27
            isInside.toggle()
            index += 2
        }
        separate(range.upperBound)
    }

    /// Returns whether a range contains the words SELECT and FROM, so that it looks like SQL.
    func looksLikeSQL(_ range: Range<Int>) -> Bool { looksLikeSQL([range]) }

    /// Returns whether ranges contain the words SELECT and FROM.
    func looksLikeSQL(_ ranges: [Range<Int>]) -> Bool {
        var hasSelect = false
        var hasFrom = false
        for range in ranges { findWords(range, &hasSelect, &hasFrom) }
        return hasSelect && hasFrom
    }

    private func findWords(_ range: Range<Int>, _ hasSelect: inout Bool, _ hasFrom: inout Bool) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard Self.isLetter(source[index]) else {
                // The letter of an escape is not part of a word: `\nFROM`.
                index += source[index] == 0x5C ? 2 : 1
                continue
            }
            let start = index
            while index < range.upperBound, Self.isLetter(source[index]) { index += 1 }
            if index - start == 6, Self.matches(source, start, "select") { hasSelect = true }
            if index - start == 4, Self.matches(source, start, "from") { hasFrom = true }
        }
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F || byte >= 0x30 && byte <= 0x39
    }

    static func matches(_ source: [UInt8], _ start: Int, _ word: StaticString) -> Bool {
        guard start + word.utf8CodeUnitCount <= source.count else { return false }
        return word.withUTF8Buffer { buffer in
            for (offset, byte) in buffer.enumerated() where source[start + offset] | 0x20 != byte { return false }
            return true
        }
    }
}
