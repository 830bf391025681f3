/// Splits SQL with Jinja or LookML into tokens, in linear time for any bytes.
///
/// An unclosed string, comment or template is an operator, so that the words after it are read.
struct SQLLexer {
    let bytes: [UInt8]
    let end: Int
    let family: LexicalFamily
    var index: Int
    var output = TokenList()
    private var followsSpace = false
    /// A Boolean value that indicates whether the line has no token yet.
    private var isLineStart = true
    /// The delimiters that are known to have no closing delimiter in the rest of the input.
    private var unclosed: Set<UInt8> = []
    private var failsQuotedTemplates = false
    /// The last offset of each dollar-quoting tag; nil before the first one is met.
    private var lastTags: [ArraySlice<UInt8>: Int]?

    init(bytes: [UInt8], range: Range<Int>, family: LexicalFamily) {
        self.bytes = bytes
        end = min(range.upperBound, bytes.count)
        index = range.lowerBound
        self.family = family
    }

    static func tokens(
        of bytes: [UInt8], range: Range<Int>, family: LexicalFamily, symbols: inout SymbolTable
    ) -> TokenList {
        var lexer = SQLLexer(bytes: bytes, range: range, family: family)
        // The system provides only the pages that are written.
        lexer.output.tokens.reserveCapacity(range.count + 8)
        while lexer.index < lexer.end { lexer.step(&symbols) }
        lexer.append(.end, from: lexer.end)
        lexer.output.match(bytes: bytes)
        return lexer.output
    }

    @inline(__always)
    func at(_ position: Int) -> UInt8 { position < end ? bytes[position] : 0 }

    mutating func append(
        _ kind: SQLToken.Kind, _ mark: SQLToken.Mark = .other, from start: Int, symbol: UInt32 = 0,
        hasTemplate: Bool = false
    ) {
        var token = SQLToken(kind: kind, mark: mark, start: UInt32(start), end: UInt32(index))
        token.followsSpace = followsSpace
        token.symbol = symbol
        token.hasTemplate = hasTemplate
        output.tokens.append(token)
        followsSpace = false
        isLineStart = false
    }

    private mutating func step(_ symbols: inout SymbolTable) {
        let byte = bytes[index]
        switch byte {
        case 0x0A, 0x0D, SQLMask.softNewline:
            followsSpace = true
            isLineStart = true
            index += 1
        case 0x20, 0x09, 0x0B, 0x0C, 0x00:
            followsSpace = true
            index += 1
        case 0x61...0x7A, 0x41...0x5A, 0x5F, 0xC0...0xFF: word(&symbols)
        // The rest of a character that `SQLMask` hides.
        case 0x80...0xBF:
            followsSpace = true
            index += 1
        case 0x30...0x39: number()
        case 0x27: quotedString(0x27, from: index)
        case 0x22: doubleQuoted(&symbols)
        case 0x60: quotedName(&symbols)
        case 0x24: dollar()
        case 0x40: parameter()
        case 0x3F: mark(1, .other)
        case 0x28: bracket(.open, .parenthesis)
        case 0x29: bracket(.close, .parenthesis)
        case 0x5B: bracket(.open, .bracket)
        case 0x5D: bracket(.close, .bracket)
        case 0x7B: brace()
        case 0x7D: bracket(.close, .brace)
        default: punctuation(byte)
        }
    }

    private mutating func mark(_ length: Int, _ mark: SQLToken.Mark) {
        let start = index
        index += length
        append(.mark, mark, from: start)
    }

    private mutating func bracket(_ kind: SQLToken.Kind, _ mark: SQLToken.Mark) {
        let start = index
        index += 1
        append(kind, mark, from: start)
    }

    // MARK: Names and numbers

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x5F, 0x30...0x39, 0x80...0xFF, 0x24: true
        default: false
        }
    }

    private mutating func word(_ symbols: inout SymbolTable) {
        let start = index
        while index < end, Self.isNameByte(bytes[index]) {
            // `x${y}` and `x$$` are not part of a name.
            if bytes[index] == 0x24, at(index + 1) == 0x7B || at(index + 1) == 0x24 { break }
            index += 1
        }
        if index == start { return mark(1, .other) }
        let next = at(index)
        if next == 0x27 || next == 0x22, index - start <= 2, prefixedString(from: start) { return }
        let symbol = symbols.intern(bytes, start, index)
        append(.word, from: start, symbol: symbol)
    }

    /// Reads `r'…'`, `E'…'` and similar strings.
    private mutating func prefixedString(from start: Int) -> Bool {
        let first = bytes[start] | 0x20
        let second = index - start == 2 ? bytes[start + 1] | 0x20 : 0
        let isDouble = at(index) == 0x22
        switch (first, second) {
        case (0x72, 0), (0x62, 0), (0x72, 0x62), (0x62, 0x72): break
        case (0x65, 0), (0x6E, 0), (0x78, 0):
            if isDouble { return false }
        default: return false
        }
        quotedString(at(index), from: start, isEscaped: first == 0x65 ? true : nil)
        return true
    }

    private mutating func number() {
        let start = index
        while index < end {
            let byte = bytes[index]
            if Self.isNameByte(byte) && byte != 0x24 {
                index += 1
            } else if byte == 0x2E, at(index + 1) >= 0x30, at(index + 1) <= 0x39, !follows(dot: start) {
                index += 1
            } else if byte == 0x2B || byte == 0x2D, bytes[index - 1] | 0x20 == 0x65, at(start) != 0x30,
                at(index + 1) >= 0x30, at(index + 1) <= 0x39
            {
                index += 1
            } else {
                break
            }
        }
        append(.number, from: start)
    }

    private func follows(dot start: Int) -> Bool {
        output.tokens.last.map { $0.isMark(.dot) && Int($0.end) == start } ?? false
    }

    private mutating func parameter() {
        let start = index
        while at(index) == 0x40 { index += 1 }
        while index < end, Self.isNameByte(bytes[index]) { index += 1 }
        append(.parameter, from: start)
    }

    private mutating func quotedName(_ symbols: inout SymbolTable) {
        let start = index
        var position = index + 1
        var hasTemplate = false
        if unclosed.contains(0x60) { return mark(1, .other) }
        while position < end, bytes[position] != 0x60 {
            if bytes[position] == 0x7B, at(position + 1) == 0x7B { hasTemplate = true }
            position += bytes[position] == 0x5C ? 2 : 1
        }
        guard position < end else {
            unclosed.insert(0x60)
            output.isClean = false
            return mark(1, .other)
        }
        index = position + 1
        append(
            .name, from: start, symbol: symbols.intern(bytes, start + 1, max(start + 1, position)),
            hasTemplate: hasTemplate)
    }

    // MARK: Strings

    private mutating func doubleQuoted(_ symbols: inout SymbolTable) {
        let from = index
        guard let end = scanString(0x22, isEscaped: nil) else { return mark(1, .other) }
        index = end.end
        let hasTemplate = end.hasTemplate
        if end.isTriple { return append(.string, from: from, symbol: 3, hasTemplate: hasTemplate) }
        var symbol = symbols.intern(bytes, from + 1, max(from + 1, end.end - 1))
        if end.hasDoubledQuote {
            let content = String(decoding: bytes[from + 1..<max(from + 1, end.end - 1)], as: UTF8.self)
            symbol = symbols.intern(content.split(separator: "\"").joined(separator: "\""))
        }
        append(.doubleQuoted, from: from, symbol: symbol, hasTemplate: hasTemplate)
    }

    private mutating func quotedString(_ quote: UInt8, from start: Int, isEscaped: Bool? = nil) {
        guard let found = scanString(quote, isEscaped: isEscaped) else {
            // The prefix of a string that is not closed remains a word.
            if start < index {
                append(.mark, from: start)
            }
            return mark(1, .other)
        }
        let opening = index - start + (found.isTriple ? 3 : 1)
        index = found.end
        append(.string, from: start, symbol: UInt32(opening), hasTemplate: found.hasTemplate)
    }

    private struct FoundString {
        var end: Int
        var isTriple = false
        var hasTemplate = false
        var hasDoubledQuote = false
    }

    /// Returns the end of the string that begins at `index`; nil if it is not closed.
    private mutating func scanString(_ quote: UInt8, isEscaped: Bool?) -> FoundString? {
        var isTriple = false
        if at(index + 1) == quote, at(index + 2) == quote {
            output.isAmbiguous = true
            isTriple = family == .backslash && at(index + 3) != quote
        }
        let key = isTriple ? quote | 0x80 : quote
        if unclosed.contains(key) { return nil }
        var found = FoundString(end: 0, isTriple: isTriple)
        var position = index + (isTriple ? 3 : 1)
        while position < end {
            let byte = bytes[position]
            if byte == 0x5C {
                if at(position + 1) == quote { output.isAmbiguous = true }
                position += (isEscaped ?? (family == .backslash)) ? 2 : 1
            } else if byte == quote {
                if isTriple {
                    if at(position + 1) == quote, at(position + 2) == quote {
                        found.end = position + 3
                        return found
                    }
                    position += 1
                } else if at(position + 1) == quote {
                    found.hasDoubledQuote = true
                    position += 2
                } else {
                    found.end = position + 1
                    return found
                }
            } else if byte == 0x7B, at(position + 1) == 0x7B, let close = shortTemplate(from: position) {
                found.hasTemplate = true
                position = close
            } else {
                position += 1
            }
        }
        unclosed.insert(key)
        output.isClean = false
        return nil
    }

    /// Returns the end of a Jinja expression in a string. It is on one line and has 500 bytes at most.
    private func shortTemplate(from start: Int) -> Int? {
        var position = start + 2
        let limit = min(end, start + 500)
        while position + 1 < limit {
            switch (bytes[position], bytes[position + 1]) {
            case (0x7D, 0x7D): return position + 2
            case (0x7B, 0x7B), (0x0A, _): return nil
            default: position += 1
            }
        }
        return nil
    }

    // MARK: Dollar signs

    private mutating func dollar() {
        let start = index
        if at(index + 1) == 0x7B { return lookML() }
        var position = index + 1
        while position < end, bytes[position] != 0x24, Self.isNameByte(bytes[position]) { position += 1 }
        if at(position) == 0x24, position < end {
            let tag = bytes[start...position]
            if lastTags == nil { findTags() }
            if let last = lastTags?[tag], last > start, let close = next(tag, from: position + 1) {
                index = close + tag.count
                return append(.string, from: start, symbol: UInt32(tag.count))
            }
            if position == start + 1 { return mark(1, .other) }
        }
        index = max(position, start + 1)
        append(.parameter, from: start)
    }

    /// Stores the last offset of each tag of dollar quoting in the rest of the input.
    private mutating func findTags() {
        var tags: [ArraySlice<UInt8>: Int] = [:]
        var previous = index
        var position = index + 1
        while position < end {
            if bytes[position] == 0x24 {
                tags[bytes[previous...position]] = previous
                previous = position
            } else if !Self.isNameByte(bytes[position]) {
                // The next dollar sign begins a tag.
                while position < end, bytes[position] != 0x24 { position += 1 }
                previous = position
            }
            position += 1
        }
        lastTags = tags
    }

    private func next(_ tag: ArraySlice<UInt8>, from start: Int) -> Int? {
        var position = start
        while position + tag.count <= end {
            if bytes[position] == 0x24, bytes[position..<position + tag.count] == tag { return position }
            position += 1
        }
        return nil
    }

    private mutating func lookML() {
        let start = index
        var position = index + 2
        while position < end, bytes[position] != 0x7D, bytes[position] != 0x0A, position - start < 300 { position += 1 }
        guard at(position) == 0x7D else { return mark(1, .other) }
        index = position + 1
        append(.lookML, from: start)
    }

    // MARK: Templates

    private mutating func brace() {
        let start = index
        let kind = at(index + 1)
        guard kind == 0x7B || kind == 0x25 || kind == 0x23, !unclosed.contains(kind) else {
            return bracket(.open, .brace)
        }
        guard let close = templateEnd(kind) else {
            unclosed.insert(kind)
            return bracket(.open, .brace)
        }
        index = close
        switch kind {
        case 0x7B: append(.expression, from: start)
        case 0x25: append(.block, from: start)
        default: followsSpace = true
        }
    }

    /// Returns the end of the template that begins at `index`. A closing delimiter in a string does not count.
    private mutating func templateEnd(_ kind: UInt8) -> Int? {
        let close: UInt8 = kind == 0x7B ? 0x7D : kind
        if kind != 0x23, !failsQuotedTemplates {
            var position = index + 2
            var quote: UInt8 = 0
            while position < end {
                let byte = bytes[position]
                if quote != 0 {
                    if byte == 0x5C { position += 1 } else if byte == quote { quote = 0 }
                } else if byte == 0x27 || byte == 0x22 {
                    quote = byte
                } else if byte == close, at(position + 1) == 0x7D {
                    // `{{ {'a': 1}}}` ends with its last brace.
                    if close == 0x7D, at(position + 2) == 0x7D { position += 1 }
                    return position + 2
                }
                position += 1
            }
            failsQuotedTemplates = true
        }
        var position = index + 2
        while position < end {
            if bytes[position] == close, at(position + 1) == 0x7D { return position + 2 }
            position += 1
        }
        return nil
    }

    // MARK: Comments and operators

    private mutating func punctuation(_ byte: UInt8) {
        let next = at(index + 1)
        switch (byte, next) {
        case (0x2D, 0x2D): lineComment()
        case (0x2F, 0x2A): blockComment()
        case (0x2F, 0x2F):
            output.isAmbiguous = true
            if family == .backslash { lineComment() } else { mark(2, .other) }
        case (0x23, _): hash(next)
        case (0x2D, 0x3E): at(index + 2) == 0x3E ? mark(3, .longArrow) : mark(2, .arrow)
        case (0x3D, 0x3E): mark(2, .fatArrow)
        case (0x3A, 0x3A): mark(2, .doubleColon)
        case (0x3A, 0x3D): mark(2, .assignment)
        case (0x3D, 0x3D): mark(2, .equals)
        case (0x7C, 0x3E): mark(2, .pipe)
        case (0x7C, 0x7C), (0x3C, 0x3D), (0x3E, 0x3D), (0x3C, 0x3E), (0x21, 0x3D): mark(2, .other)
        case (0x2E, _): mark(1, .dot)
        case (0x2C, _): mark(1, .comma)
        case (0x3B, _): mark(1, .semicolon)
        case (0x2A, _): mark(1, .star)
        case (0x3A, _): mark(1, .colon)
        case (0x3D, _): mark(1, .equals)
        case (0x2D, _): mark(1, .minus)
        default: mark(1, .other)
        }
    }

    /// Reads `#`: a comment, or one of PostgreSQL's operators `#>` and `#>>`.
    private mutating func hash(_ next: UInt8) {
        if next == 0x3E { return at(index + 2) == 0x3E ? mark(3, .longArrow) : mark(2, .arrow) }
        if isLineStart { return lineComment() }
        output.isAmbiguous = true
        if family == .backslash { lineComment() } else { mark(1, .other) }
    }

    private mutating func lineComment() {
        while index < end, bytes[index] != 0x0A, bytes[index] != SQLMask.softNewline { index += 1 }
        followsSpace = true
    }

    private mutating func blockComment() {
        if unclosed.contains(0x2F) { return mark(2, .other) }
        var position = index + 2
        var depth = 1
        while position < end {
            switch (bytes[position], at(position + 1)) {
            case (0x2A, 0x2F):
                depth -= 1
                position += 2
                if depth == 0 {
                    index = position
                    followsSpace = true
                    return
                }
            case (0x2F, 0x2A):
                output.isAmbiguous = true
                if family == .standard { depth += 1 }
                position += 2
            default: position += 1
            }
        }
        unclosed.insert(0x2F)
        output.isClean = false
        mark(2, .other)
    }
}
