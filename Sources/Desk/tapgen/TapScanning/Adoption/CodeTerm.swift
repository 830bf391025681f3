/// An expression, as far as its own text determines its value.
enum CodeTerm: Sendable, Equatable {
    case string(String)
    /// A string literal with interpolations.
    case interpolated
    case integer, number, boolean, null
    /// `Event.open`, or `Event.open.rawValue`. The path of the type is empty for `.open`.
    case enumerationCase(path: [String], name: String, isRaw: Bool)
    case dictionary([Entry])
    case other

    struct Entry: Sendable, Equatable {
        var key: CodeTerm
        var keyOffset: Int
        var value: CodeTerm
        var valueRange: Range<Int>
    }
}
