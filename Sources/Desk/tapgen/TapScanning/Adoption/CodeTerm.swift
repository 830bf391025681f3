/// An expression, reduced to the parts that determine a string or a type. Names inside functions are resolved already;
/// ``TermResolver`` resolves the others from all files.
package indirect enum CodeTerm: Sendable, Equatable {
    case string(String)
    case integer, number, boolean, null
    /// A name outside of functions.
    case name(String)
    case member(CodeTerm, String)
    /// `a?.b`
    case optionalMember(CodeTerm, String)
    /// `.open`
    case implicit(String)
    /// A string literal with interpolations.
    case interpolated([CodeTerm])
    /// Operands of `+`.
    case sum([CodeTerm])
    /// Operands of another arithmetic operator.
    case arithmetic([CodeTerm])
    /// The value of an expression whose type is written.
    case typed(CodeType)
    /// `Int(x)`: the type's name and the argument, which is unknown if it has a label or is not the only one.
    case converted(String, CodeTerm)
    case choice(CodeTerm, CodeTerm)
    /// A term that is certain if the sources give these standard names no other meaning.
    case using([String], CodeTerm)
    case unwrapped(CodeTerm)
    /// `a ?? b`
    case fallback(CodeTerm, CodeTerm)
    case element(CodeTerm)
    case list([CodeTerm])
    case dictionary([Entry])
    /// A local constant or variable.
    case stored(CodeTerm, isConstant: Bool)
    case unknown(String)

    package struct Entry: Sendable, Equatable {
        package var key: CodeTerm
        package var keyOffset: Int
        package var value: CodeTerm
        /// The value without casts to `Any`.
        package var valueRange: Range<Int>
        package var isConditional = false
        /// A Boolean value that indicates whether the evaluation has no effect and always has the same result.
        package var isPure = false
    }
}

/// A type as written, with names that are not resolved.
package indirect enum CodeType: Sendable, Equatable {
    case named(String)
    case optional(CodeType)
    case array(CodeType)
    case dictionary(CodeType, CodeType)
    case other(String)

    var text: String {
        switch self {
        case .named(let name), .other(let name): name
        case .optional(let wrapped): wrapped.text + "?"
        case .array(let element): "[\(element.text)]"
        case .dictionary(let key, let value): "[\(key.text): \(value.text)]"
        }
    }

    var withoutOptional: CodeType {
        if case .optional(let wrapped) = self { return wrapped.withoutOptional }
        return self
    }

    var isOptional: Bool { if case .optional = self { true } else { false } }
}
