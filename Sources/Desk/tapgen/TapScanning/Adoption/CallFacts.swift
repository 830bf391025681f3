/// The declarations of one file that determine names and types, and its calls that may log an event.
package struct CallFacts: Sendable {
    /// A constant, a variable or a property outside of functions.
    package struct Value: Sendable {
        /// The enclosing types followed by the name.
        package var path: [String]
        package var type: CodeType?
        package var term: CodeTerm?
        /// A Boolean value that indicates whether the value never changes.
        package var isConstant: Bool
        package var isComputed: Bool
        /// A Boolean value that indicates whether the value belongs to the type, so that instances cannot name it.
        package var isStatic: Bool
        /// A Boolean value that indicates whether only this file can name it.
        package var isPrivate: Bool
        /// The attribute that may be a property wrapper.
        package var wrapper: String?
    }

    package struct Enumeration: Sendable {
        package var path: [String]
        /// The first inherited type, which is the type of raw values.
        package var rawType: String?
        /// The cases with their raw values.
        package var cases: [(name: String, raw: CodeTerm)]
    }

    package struct Function: Sendable {
        package var name: String
        package var scope: [String]
        package var labels: [String?]
        package var types: [CodeType]
        package var returnsNothing: Bool
    }

    package struct Argument: Sendable {
        package var label: String?
        package var term: CodeTerm
        /// The content of the dictionary, if the argument is a variable of the enclosing function; otherwise nil.
        package var dictionary: CodeTerm?
        package var offset: Int
        /// The beginning of the expression, for messages.
        package var text: String
        /// A Boolean value that indicates whether the argument is a dictionary literal or `nil`.
        package var isLiteral: Bool
    }

    /// A function that passes one of its parameters on.
    package struct Wrapper: Sendable {
        package var name: String
        package var labels: [String?]
        package var position: Int

        /// The function in the notation of patterns.
        package var text: String {
            let parts = labels.enumerated().map { index, label in
                (label ?? "_") + (index == position && index > 0 ? "=name:" : ":")
            }
            return "\(name)(\(parts.joined()))"
        }
    }

    package struct Call: Sendable {
        /// The patterns whose method and labels fit, with the parameter of each argument.
        package var patterns: [(pattern: Int, positions: [Int])]
        package var method: String
        /// The function as written, on one line.
        package var callee: String
        /// The names before the method; nil if the receiver is another expression.
        package var receiverPath: [String]?
        package var receiver: CodeTerm?
        package var arguments: [Argument]
        package var scope: [String]
        /// The bytes of the call.
        package var range: Range<Int>
        package var spansLines: Bool
        /// A Boolean value that indicates whether a closure may return the call's result implicitly.
        package var isResult: Bool
        /// The reason why the call cannot be replaced, as far as the call itself shows it.
        package var obstacle: String?
        /// The enclosing function and its parameter that is an argument.
        package var wrapper: Wrapper?
    }

    package var facts = SourceFacts()
    package var values: [Value] = []
    package var enumerations: [Enumeration] = []
    package var functions: [Function] = []
    package var calls: [Call] = []
    /// The end of the last import; without imports, the place for the first one.
    package var importOffset = 0
    package var hasImport = false
    package var imports: Set<String> = []
    /// The names of ``StandardNames`` that declarations of this file give another meaning.
    package var redeclared: Set<String> = []
    /// The names of generic parameters of types, and of associated types.
    package var typeParameters: Set<String> = []
    /// The names of types and type aliases that only this file can use.
    package var privateTypes: Set<String> = []
    /// The names of type aliases with their types as written.
    package var aliases: [String: Set<String>] = [:]
    /// The offset of the first declaration of each name that replacements use.
    package var replacementOffsets: [String: Int] = [:]

    package init() {}
}
