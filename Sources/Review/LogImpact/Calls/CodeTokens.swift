/// A token of code. Comments, the contents of strings and the text of JSX are not tokens.
struct CodeToken {
    enum Kind: UInt8 { case word, number, string, mark }

    var kind: Kind
    /// The byte of a mark.
    var mark: UInt8 = 0
    /// Indicates whether a line break comes before the token.
    var startsLine: Bool
    var start: UInt32
    var end: UInt32
}

/// The tokens of a file of code, with the end of each bracket.
struct CodeTokens {
    let bytes: [UInt8]
    private(set) var tokens: [CodeToken] = []
    /// For each opening bracket: the index of the closing one, or the number of tokens.
    private(set) var closers: [Int32] = []
    /// For each token: the index of the bracket around it, or -1.
    private(set) var openers: [Int32] = []
    /// Indicates whether the end of the file is in code instead of a string or an element.
    var isClean = true
    private var startsLine = true

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { tokens.count }

    mutating func newLine() { startsLine = true }

    mutating func add(_ kind: CodeToken.Kind, _ start: Int, _ end: Int) {
        tokens.append(
            CodeToken(
                kind: kind, mark: kind == .mark ? bytes[start] : 0, startsLine: startsLine, start: UInt32(start),
                end: UInt32(end)))
        startsLine = false
    }

    // MARK: Tokens

    func isMark(_ index: Int, _ mark: Unicode.Scalar) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind == .mark && tokens[index].mark == UInt8(ascii: mark)
    }

    /// Returns true if two marks are next to each other, as in `=>`.
    func isPair(_ index: Int, _ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        isMark(index, first) && isMark(index + 1, second) && tokens[index].end == tokens[index + 1].start
    }

    func isWord(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].kind == .word }

    func isWord(_ index: Int, _ word: StaticString) -> Bool {
        guard isWord(index) else { return false }
        let (start, end) = (Int(tokens[index].start), Int(tokens[index].end))
        return word.withUTF8Buffer { $0.count == end - start && $0.elementsEqual(bytes[start..<end]) }
    }

    func isString(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].kind == .string }

    func startsLine(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].startsLine }

    /// Returns the name of a word without the backticks of Kotlin.
    func name(_ index: Int) -> String? {
        guard isWord(index) else { return nil }
        var (start, end) = (Int(tokens[index].start), Int(tokens[index].end))
        if bytes[start] == UInt8(ascii: "`"), end - start > 1 { (start, end) = (start + 1, end - 1) }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Returns the content of a string without its quotation marks. Escapes are kept.
    func string(_ index: Int) -> String? {
        guard isString(index) else { return nil }
        let (start, end) = (Int(tokens[index].start), Int(tokens[index].end))
        return end - start < 2 ? "" : String(decoding: bytes[(start + 1)..<(end - 1)], as: UTF8.self)
    }

    /// Returns the index of the bracket that closes the one at an index.
    func closer(_ index: Int) -> Int { Int(closers[index]) }

    func isOpener(_ index: Int) -> Bool { isMark(index, "(") || isMark(index, "[") || isMark(index, "{") }

    // MARK: Brackets

    /// Finds the pairs of brackets. A bracket without a partner ends at the partner of the bracket around it.
    mutating func matchBrackets() {
        closers = Array(repeating: Int32(tokens.count), count: tokens.count)
        openers = Array(repeating: -1, count: tokens.count)
        var (open, counts): ([Int], [UInt8: Int]) = ([], [:])
        for index in tokens.indices {
            openers[index] = Int32(open.last ?? -1)
            guard tokens[index].kind == .mark else { continue }
            switch tokens[index].mark {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append(index)
                counts[tokens[index].mark, default: 0] += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                let wanted = tokens[index].mark == UInt8(ascii: ")") ? UInt8(ascii: "(") : tokens[index].mark - 2
                guard counts[wanted, default: 0] > 0 else { continue }
                while let last = open.popLast() {
                    closers[last] = Int32(index)
                    counts[tokens[last].mark, default: 0] -= 1
                    if tokens[last].mark == wanted { break }
                }
                openers[index] = Int32(open.last ?? -1)
            default: break
            }
        }
    }

    /// The number of tokens in which type arguments have to end.
    private static let longestTypeArguments = 64

    /// Returns the index after the type arguments that begin with `<`, or nil if it is an operator.
    func endOfTypeArguments(_ start: Int) -> Int? {
        var (index, depth) = (start, 0)
        while index < min(count, start + Self.longestTypeArguments) {
            switch tokens[index].kind {
            case .word, .string: index += 1
            case .number: return nil
            case .mark:
                switch tokens[index].mark {
                case UInt8(ascii: "<"): depth += 1
                case UInt8(ascii: ">"):
                    if isPair(index - 1, "=", ">") || isPair(index - 1, "-", ">") { break }
                    depth -= 1
                    guard depth == 0 else { break }
                    let next = index + 1
                    return isMark(next, "(") || isMark(next, ".") || isMark(next, ":") || isMark(next, "{")
                        ? next : nil
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): index = closer(index)
                case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: ":"),
                    UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "@"):
                    break
                default: return nil
                }
                index += 1
            }
        }
        return nil
    }

    /// Returns the ranges between the commas in brackets, without an empty last one.
    func entries(in opener: Int) -> [Range<Int>] {
        let end = min(closer(opener), count)
        var (result, start, index): ([Range<Int>], Int, Int) = ([], opener + 1, opener + 1)
        while index < end {
            if isMark(index, ",") {
                result.append(start..<index)
                start = index + 1
                index += 1
            } else if isOpener(index) {
                index = min(closer(index), end) + 1
            } else if isMark(index, "<"), isWord(index - 1), let next = endOfTypeArguments(index), next <= end {
                index = next
            } else {
                index += 1
            }
        }
        if start < end { result.append(start..<end) }
        return result
    }
}
