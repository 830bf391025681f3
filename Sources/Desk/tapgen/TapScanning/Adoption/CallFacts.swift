/// The calls of one file that may log an event, and the file's declarations of the names in such calls.
package struct CallFacts: Sendable {
    package struct Enumeration: Sendable {
        package var path: [String]
        /// The first inherited type, which is the type of raw values.
        package var rawType: String?
        /// The raw values of the cases; nil if a case has several, or one that is not a literal.
        package var cases: [String: String?] = [:]
    }

    /// A declared function that has the name of a pattern's function, with types as written.
    package struct Function: Sendable {
        package var name: String
        package var labels: [String?]
        package var types: [String]
        package var returnsNothing: Bool
    }

    package struct Argument: Sendable {
        package var term: CodeTerm
        package var offset: Int
        /// The beginning of the expression, for messages.
        package var text: String
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
        package var receiver: [String]?
        package var arguments: [Argument]
        package var scope: [String]
        /// The bytes of the call.
        package var range: Range<Int>
        package var spansLines: Bool
        /// A Boolean value that indicates whether a closure may return the call's result implicitly.
        package var isResult = false
        /// The reason why the call cannot be replaced, as far as the call itself shows it.
        package var obstacle: String?
        /// The enclosing function and its parameter that is an argument.
        package var wrapper: Wrapper?
    }

    package var enumerations: [Enumeration] = []
    package var functions: [Function] = []
    package var calls: [Call] = []
    /// The end of the last import; without imports, the place for the first one.
    package var importOffset = 0
    package var hasImport = false
    package var imports: Set<String> = []
    package var hasSyntaxErrors = false
    /// The number of types, type aliases and generic parameters of each name.
    package var typeNames: [String: Int] = [:]
    /// The types of each declaration of a name in calls: as written, ``typeDeclaration``, or ``unwritten``.
    package var declared: [String: [String]] = [:]
    /// The names that are declared with the type of a receiver.
    package var instances: [String: Set<String>] = [:]
    /// The types that declare `rawValue` themselves.
    package var ownRawValues: Set<String> = []
    /// The offset of the first declaration of each name that replacements use.
    package var replacementOffsets: [String: Int] = [:]

    static let typeDeclaration = "a type"
    static let unwritten = "not written"

    package init() {}
}
