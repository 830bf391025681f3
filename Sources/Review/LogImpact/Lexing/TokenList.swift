/// The tokens of an input, with the partner of each bracket and the ranges of the statements.
struct TokenList {
    /// The tokens, followed by an `end` token.
    var tokens: [SQLToken] = []
    /// The index of each opening bracket's closing one, or the end of its statement. Other tokens have their own index.
    var partners: [Int32] = []
    var statements: [Range<Int>] = []
    /// A Boolean value that indicates whether every string, comment and bracket is closed.
    var isClean = true
    /// A Boolean value that indicates whether the tokens depend on the lexical family.
    var isAmbiguous = false

    private struct OpenCounts {
        private var counts = (parentheses: 0, brackets: 0, braces: 0)

        subscript(mark: SQLToken.Mark) -> Int {
            get {
                switch mark {
                case .parenthesis: counts.parentheses
                case .bracket: counts.brackets
                default: counts.braces
                }
            }
            set {
                switch mark {
                case .parenthesis: counts.parentheses = newValue
                case .bracket: counts.brackets = newValue
                default: counts.braces = newValue
                }
            }
        }
    }

    /// Finds statements and matches brackets. A closing bracket without an opening one is ignored.
    mutating func match(bytes: [UInt8]) {
        partners = [Int32](repeating: 0, count: tokens.count)
        // The open brackets are a list: each one's partner is the one before it, until it is closed.
        var innermost: Int32 = -1
        var open = OpenCounts()
        var start = 0
        for index in tokens.indices {
            let token = tokens[index]
            partners[index] = Int32(index)
            switch token.kind {
            case .open:
                partners[index] = innermost
                innermost = Int32(index)
                open[token.mark] += 1
            case .close:
                guard open[token.mark] > 0 else {
                    isClean = false
                    continue
                }
                while innermost >= 0 {
                    let last = Int(innermost)
                    let mark = tokens[last].mark
                    innermost = partners[last]
                    partners[last] = Int32(index)
                    open[mark] -= 1
                    if mark == token.mark { break }
                    isClean = false
                }
            case .end, .mark, .block:
                guard
                    token.kind == .end || token.mark == .semicolon && token.kind == .mark
                        || token.kind == .block && innermost < 0 && Self.isBoundary(token, bytes)
                else { continue }
                if innermost >= 0 { isClean = false }
                while innermost >= 0 {
                    let last = Int(innermost)
                    innermost = partners[last]
                    partners[last] = Int32(index)
                }
                open = OpenCounts()
                // A block is kept as the first token of the next statement: it can name tables.
                if start < index { statements.append(start..<index) }
                start = token.kind == .block ? index : index + 1
            default: break
            }
        }
    }

    /// Returns whether a Jinja block begins or ends a template of its own.
    private static func isBoundary(_ token: SQLToken, _ bytes: [UInt8]) -> Bool {
        let tag = JinjaExpression.tag(bytes, token)
        switch tag {
        case "macro", "endmacro", "call", "endcall", "snapshot", "endsnapshot", "materialization", "endmaterialization",
            "test", "endtest", "endset", "docs", "enddocs":
            return true
        case "set":
            return !bytes[Int(token.start)..<Int(token.end)].contains(0x3D)
        default:
            return false
        }
    }
}
