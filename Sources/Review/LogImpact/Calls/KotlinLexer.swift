/// Splits Kotlin into tokens: nested comments, raw strings, templates in strings, and names in backticks.
struct KotlinLexer: CodeLexer {
    let bytes: [UInt8]
    var position = 0
    var list: CodeTokens
    /// The strings around the current code, the innermost last.
    private var strings: [Quoted] = []
    /// The number of braces since the innermost `${`.
    private var depth = 0

    private struct Quoted {
        var isRaw: Bool
        /// The number of `$` that begin a template.
        var dollars: Int
        /// The number of braces around the string since the `${` around it.
        var depth: Int
    }

    static func tokens(of bytes: [UInt8]) -> CodeTokens {
        var lexer = KotlinLexer(bytes: bytes, list: CodeTokens(bytes))
        lexer.read()
        lexer.list.matchBrackets()
        return lexer.list
    }

    private init(bytes: [UInt8], list: CodeTokens) {
        self.bytes = bytes
        self.list = list
    }

    private mutating func read() {
        skipStart()
        while position < bytes.count {
            if skipBlank() { continue }
            switch bytes[position] {
            case UInt8(ascii: "/") where isAt("/", 1): skipLine()
            case UInt8(ascii: "/") where isAt("*", 1): skipBlockComment(isNested: true)
            case UInt8(ascii: "\""): open(dollars: 1)
            case UInt8(ascii: "'"): readQuoted()
            case UInt8(ascii: "`"): readBackticks()
            case UInt8(ascii: "$"): readDollars()
            case 0x30...0x39: readNumber()
            case let byte where Self.isWordByte(byte): readWord()
            case UInt8(ascii: "}") where depth == 0 && !strings.isEmpty:
                readMark()
                if let string = strings.popLast() {
                    depth = string.depth
                    continueString(string)
                }
            case UInt8(ascii: "{"):
                depth += 1
                readMark()
            case UInt8(ascii: "}"):
                depth = max(0, depth - 1)
                readMark()
            default: readMark()
            }
        }
        if !strings.isEmpty { list.isClean = false }
    }

    private mutating func readMark() {
        list.add(.mark, position, position + 1)
        position += 1
    }

    private mutating func readBackticks() {
        let start = position
        position += 1
        while position < bytes.count, !isAt("`"), bytes[position] != 0x0A { position += 1 }
        guard isAt("`") else { return list.add(.mark, start, start + 1) }
        position += 1
        list.add(.word, start, position)
    }

    /// Reads the `$` before a string, which are the number that its templates need, or a word with `$`.
    private mutating func readDollars() {
        var end = position
        while end < bytes.count, bytes[end] == UInt8(ascii: "$") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return readWord() }
        let dollars = end - position
        position = end
        open(dollars: dollars)
    }

    private mutating func open(dollars: Int) {
        let isRaw = isAt("\"", 1) && isAt("\"", 2)
        let start = position
        position += isRaw ? 3 : 1
        list.add(.string, start, position)
        continueString(Quoted(isRaw: isRaw, dollars: dollars, depth: depth))
    }

    /// Reads a string up to its end or its next template.
    private mutating func continueString(_ string: Quoted) {
        var dollars = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "$"):
                dollars += 1
                position += 1
                continue
            case UInt8(ascii: "{") where dollars >= string.dollars:
                strings.append(string)
                depth = 0
                return readMark()
            case UInt8(ascii: "\\") where !string.isRaw: position += 1
            case 0x0A where !string.isRaw: return
            case UInt8(ascii: "\"") where !string.isRaw:
                position += 1
                return
            case UInt8(ascii: "\"") where isAt("\"", 1) && isAt("\"", 2):
                // More quotation marks than three belong to the content.
                while isAt("\"") { position += 1 }
                return
            default: break
            }
            dollars = 0
            position += 1
        }
        position = min(position, bytes.count)
        list.isClean = false
    }
}
