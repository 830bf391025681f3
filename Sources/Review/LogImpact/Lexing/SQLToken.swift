/// A token of SQL with Jinja or LookML.
struct SQLToken {
    enum Kind: UInt8 {
        /// An unquoted name or a keyword.
        case word
        /// A name in backticks or brackets.
        case name
        /// `"x"`: a name in most dialects, a string in BigQuery and Spark.
        case doubleQuoted
        case string
        case number
        case mark
        case open
        case close
        /// `{{ … }}`
        case expression
        /// `{% … %}`
        case block
        /// `${ … }` of LookML.
        case lookML
        /// `@x`, `$1`, `?`
        case parameter
        case end
    }

    /// The operators with a meaning in the grammar, and the kinds of brackets.
    enum Mark: UInt8 {
        case other, dot, comma, semicolon, star, colon, doubleColon, arrow, longArrow, fatArrow, assignment, equals
        case pipe, minus, parenthesis, bracket, brace
    }

    var kind: Kind
    var mark: Mark = .other
    /// A Boolean value that indicates whether a space or a comment precedes the token.
    var followsSpace = false
    /// A Boolean value that indicates whether a string or a quoted name contains a Jinja expression.
    var hasTemplate = false
    /// The symbol of a name. For a string: the length of the opening delimiter.
    var symbol: UInt32 = 0
    var start: UInt32
    var end: UInt32

    /// A Boolean value that indicates whether the token can be a component of a name.
    var isName: Bool { kind == .word || kind == .name || kind == .doubleQuoted }

    var word: Word {
        kind == .word && symbol < Word.total ? Word(rawValue: symbol) ?? .none : .none
    }

    func isOpen(_ mark: Mark) -> Bool { kind == .open && self.mark == mark }
    func isMark(_ mark: Mark) -> Bool { kind == .mark && self.mark == mark }
}
