/// Reading of bytes that the lexers of code share.
protocol CodeLexer {
    var bytes: [UInt8] { get }
    var position: Int { get set }
    var list: CodeTokens { get set }
}

extension CodeLexer {
    func isAt(_ byte: Unicode.Scalar, _ offset: Int = 0) -> Bool {
        position + offset < bytes.count && bytes[position + offset] == UInt8(ascii: byte)
    }

    /// Moves to the start of the code, after a byte order mark and the line `#!`.
    mutating func skipStart() {
        position = SQLMask.startsWithByteOrderMark(bytes) ? 3 : 0
        if isAt("#"), isAt("!", 1) { skipLine() }
    }

    mutating func skipLine() {
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
    }

    /// Moves after a line break or a blank. Returns false at other bytes.
    mutating func skipBlank() -> Bool {
        switch bytes[position] {
        case 0x0A, 0x0D: list.newLine()
        case 0x20, 0x09, 0x0B, 0x0C: break
        default: return false
        }
        position += 1
        return true
    }

    /// Moves after a block comment. A line break in it counts.
    mutating func skipBlockComment(isNested: Bool) {
        var depth = 1
        position += 2
        while position < bytes.count, depth > 0 {
            if isAt("*"), isAt("/", 1) {
                depth -= 1
                position += 2
            } else if isNested, isAt("/"), isAt("*", 1) {
                depth += 1
                position += 2
            } else {
                if bytes[position] == 0x0A { list.newLine() }
                position += 1
            }
        }
        if depth > 0 { list.isClean = false }
    }

    mutating func readWord() {
        let start = position
        while position < bytes.count, Self.isWordByte(bytes[position]) { position += 1 }
        list.add(.word, start, position)
    }

    /// Reads a number. A point belongs to it only before a digit, so that `1..10` has a range.
    mutating func readNumber() {
        let start = position
        while position < bytes.count {
            if Self.isWordByte(bytes[position]) {
                position += 1
            } else if isAt("."), position + 1 < bytes.count, Self.isDigit(bytes[position + 1]) {
                position += 2
            } else {
                break
            }
        }
        list.add(.number, start, position)
    }

    /// Reads a string that ends with its first byte or before the end of the line.
    mutating func readQuoted() {
        let (start, quote) = (position, bytes[position])
        position += 1
        while position < bytes.count, bytes[position] != quote, bytes[position] != 0x0A {
            // An escaped line break continues the string. CR LF is one line break.
            if bytes[position] == UInt8(ascii: "\\") {
                position +=
                    position + 2 < bytes.count && bytes[position + 1] == 0x0D && bytes[position + 2] == 0x0A
                    ? 2 : 1
            }
            position += 1
        }
        position = min(position, bytes.count)
        if position < bytes.count, bytes[position] == quote { position += 1 }
        list.add(.string, start, position)
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Letters, digits, `_`, `$`, and all bytes outside of ASCII.
    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
        default: false
        }
    }
}
