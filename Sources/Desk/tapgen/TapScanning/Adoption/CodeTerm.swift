/// An expression, as far as its own text determines its value.
package enum CodeTerm: Sendable, Equatable {
    case string(String)
    /// A string literal with interpolations.
    case interpolated
    case integer, number, boolean, null
    /// `Event.open`, or `Event.open.rawValue`. The path of the type is empty for `.open`.
    case enumerationCase(path: [String], name: String, isRaw: Bool)
    case dictionary([Entry])
    case other

    package struct Entry: Sendable, Equatable {
        package var key: CodeTerm
        package var keyOffset: Int
        package var value: CodeTerm
        package var valueRange: Range<Int>
    }
}
