/// Splits TypeScript and JavaScript into tokens: template literals, regular expressions, and JSX.
struct ScriptLexer: CodeLexer {
    let bytes: [UInt8]
    var position = 0
    var list: CodeTokens
    private let hasJSX: Bool
    /// The constructs around the position, the innermost last.
    private var frames: [Frame] = []
    /// Indicates whether the last token ends a value, so that `/` and `<` are operators.
    private var isAfterValue = false
    /// For each open parenthesis: whether a keyword such as `if` is before it.
    private var conditions: [Bool] = []
    /// The end of the line in which a regular expression has no end.
    private var lineWithoutEnd = -1

    private enum Frame {
        case block, object
        /// The code in `${}` or in the braces of JSX.
        case hole
        case template, tag, children
    }

    static func tokens(of bytes: [UInt8], hasJSX: Bool) -> CodeTokens {
        var lexer = ScriptLexer(bytes: bytes, list: CodeTokens(bytes), hasJSX: hasJSX)
        lexer.read()
        lexer.list.matchBrackets()
        return lexer.list
    }

    private init(bytes: [UInt8], list: CodeTokens, hasJSX: Bool) {
        self.bytes = bytes
        self.list = list
        self.hasJSX = hasJSX
    }

    private mutating func read() {
        skipStart()
        while position < bytes.count {
            switch frames.last {
            case .template: readTemplate()
            case .tag: readTag()
            case .children: readChildren()
            case .block, .object, .hole, nil: readCode()
            }
        }
        position = min(position, bytes.count)
        let isOpen = frames.contains { frame in
            switch frame {
            case .template, .tag, .children: true
            case .block, .object, .hole: false
            }
        }
        if isOpen { list.isClean = false }
    }

    // MARK: Code

    private mutating func readCode() {
        if skipBlank() { return }
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "/") where isAt("/", 1): skipLine()
        case UInt8(ascii: "/") where isAt("*", 1): skipBlockComment(isNested: false)
        case UInt8(ascii: "/") where !isAfterValue: readExpression()
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            readQuoted()
            isAfterValue = true
        case UInt8(ascii: "`"):
            list.add(.string, position, position + 1)
            position += 1
            frames.append(.template)
        case 0x30...0x39:
            readNumber()
            isAfterValue = true
        case _ where Self.isWordByte(byte):
            let isMember = list.isMark(list.count - 1, ".") && !list.isMark(list.count - 2, ".")
            readWord()
            isAfterValue = isMember || !isKeyword(list.count - 1)
        case UInt8(ascii: "<") where hasJSX && !isAfterValue && isElement: openElement()
        default: readPunctuation(byte)
        }
    }

    private mutating func readPunctuation(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "("):
            conditions.append(
                ["if", "while", "for", "with"].contains { list.isWord(list.count - 1, $0) }
                    && !list.isMark(list.count - 2, "."))
            isAfterValue = false
        case UInt8(ascii: ")"): isAfterValue = !(conditions.popLast() ?? false)
        case UInt8(ascii: "["): isAfterValue = false
        case UInt8(ascii: "]"): isAfterValue = true
        case UInt8(ascii: "{"):
            frames.append(isBlockNext ? .block : .object)
            isAfterValue = false
        case UInt8(ascii: "}"):
            isAfterValue = frames.popLast().map { if case .object = $0 { true } else { false } } ?? false
        case UInt8(ascii: "+") where isAt("+", 1), UInt8(ascii: "-") where isAt("-", 1):
            // After a value, the operator is a part of it.
            list.add(.mark, position, position + 1)
            position += 1
        case UInt8(ascii: "!") where isAfterValue && !isAt("=", 1) && isTouching: break
        default: isAfterValue = false
        }
        list.add(.mark, position, position + 1)
        position += 1
    }

    /// Indicates whether the last token ends at the position.
    private var isTouching: Bool { list.tokens.last.map { Int($0.end) == position } ?? false }

    private var isBlockNext: Bool {
        if isAfterValue { return true }
        guard let last = list.tokens.last else { return true }
        switch last.kind {
        case .word: return ["else", "do", "try", "finally"].contains { list.isWord(list.count - 1, $0) }
        case .number, .string: return true
        case .mark:
            return [")", ";", "{", "}", ">"].contains { list.isMark(list.count - 1, $0) }

        }
    }

    private static let keywords: [StaticString] = [
        "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else", "instanceof", "await",
        "yield", "extends", "default", "export", "import", "const", "let", "var", "if", "while", "for",
    ]

    private func isKeyword(_ index: Int) -> Bool { Self.keywords.contains { list.isWord(index, $0) } }

    /// Reads a regular expression, or an operator if it does not end in its line.
    private mutating func readExpression() {
        let start = position
        guard start >= lineWithoutEnd else { return readPunctuation(UInt8(ascii: "/")) }
        var (index, isInClass) = (start + 1, false)
        while index < bytes.count, bytes[index] != 0x0A, isInClass || bytes[index] != UInt8(ascii: "/") {
            switch bytes[index] {
            case UInt8(ascii: "\\") where index + 1 < bytes.count && bytes[index + 1] != 0x0A: index += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            default: break
            }
            index += 1
        }
        guard index < bytes.count, bytes[index] != 0x0A else {
            lineWithoutEnd = index
            return readPunctuation(UInt8(ascii: "/"))
        }
        position = index + 1
        while position < bytes.count, Self.isWordByte(bytes[position]) { position += 1 }
        list.add(.string, start, position)
        isAfterValue = true
    }

    // MARK: Templates

    private mutating func readTemplate() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "`"):
                position += 1
                frames.removeLast()
                isAfterValue = true
                return
            case UInt8(ascii: "$") where isAt("{", 1):
                position += 1
                return openHole()
            default: break
            }
            position += 1
        }
    }

    private mutating func openHole() {
        frames.append(.hole)
        list.add(.mark, position, position + 1)
        position += 1
        isAfterValue = false
    }

    // MARK: JSX

    /// Indicates whether `<` at the position begins an element instead of type parameters.
    private var isElement: Bool {
        var index = position + 1
        guard index < bytes.count else { return false }
        if bytes[index] == UInt8(ascii: ">") { return true }
        guard Self.isWordByte(bytes[index]), !Self.isDigit(bytes[index]) else { return false }
        // Type parameters in a file with JSX have a comma or `extends`.
        let limit = min(bytes.count, position + 200)
        while index < limit, Self.isWordByte(bytes[index]) { index += 1 }
        while index < limit, bytes[index] == 0x20 { index += 1 }
        guard index < limit else { return true }
        if bytes[index] == UInt8(ascii: ",") { return false }
        let word = Array("extends ".utf8)
        return !(index + word.count <= bytes.count && bytes[index..<(index + word.count)].elementsEqual(word))
    }

    /// Reads `<` or `<>`. The element is a value, so a string takes its place among the tokens.
    private mutating func openElement() {
        list.add(.string, position, position + 1)
        position += 1
        if isAt(">") {
            position += 1
            frames.append(.children)
        } else {
            frames.append(.tag)
        }
    }

    private mutating func closeElement() {
        frames.removeLast()
        isAfterValue = true
    }

    private mutating func readTag() {
        if skipBlank() { return }
        switch bytes[position] {
        case UInt8(ascii: "/") where isAt("/", 1): skipLine()
        case UInt8(ascii: "/") where isAt("*", 1): skipBlockComment(isNested: false)
        case UInt8(ascii: "/") where isAt(">", 1):
            position += 2
            closeElement()
        case UInt8(ascii: ">"):
            position += 1
            frames[frames.count - 1] = .children
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            // A string of JSX has no escapes and can contain line breaks.
            let quote = bytes[position]
            position += 1
            while position < bytes.count, bytes[position] != quote { position += 1 }
            position += 1
        case UInt8(ascii: "{"): openHole()
        case UInt8(ascii: "<"): readTypeArguments()
        case UInt8(ascii: "="):
            position += 1
            while position < bytes.count, skipBlank() {}
            if isAt("<") { openElement() }
        default: position += 1
        }
    }

    /// Reads the type arguments of a tag, as in `<List<Item> />`.
    private mutating func readTypeArguments() {
        let limit = min(bytes.count, position + 1000)
        var (index, depth) = (position, 0)
        while index < limit {
            if bytes[index] == UInt8(ascii: "<") { depth += 1 }
            if bytes[index] == UInt8(ascii: ">") { depth -= 1 }
            index += 1
            if depth == 0 {
                position = index
                return
            }
        }
        position += 1
    }

    private mutating func readChildren() {
        switch bytes[position] {
        case UInt8(ascii: "<") where isAt("/", 1):
            while position < bytes.count, !isAt(">") { position += 1 }
            position += 1
            closeElement()
        case UInt8(ascii: "<"): openElement()
        case UInt8(ascii: "{"): openHole()
        default:
            if bytes[position] == 0x0A { list.newLine() }
            position += 1
        }
    }
}
