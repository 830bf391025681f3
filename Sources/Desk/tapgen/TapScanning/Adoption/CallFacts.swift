/// The calls of one file that may log an event, and the file's declarations of the names in such calls.
struct CallFacts: Sendable {
    struct Enumeration: Sendable {
        var path: [String]
        /// The first inherited type, which is the type of raw values.
        var rawType: String?
        /// The raw values of the cases; nil if a case has several, or one that is not a literal.
        var cases: [String: String?] = [:]
    }

    /// A declared function that has the name of a pattern's function, with types as written.
    struct Function: Sendable {
        var name: String
        /// The name of the enclosing type.
        var type: String?
        var labels: [String?]
        var types: [String]
        var returnsNothing: Bool
    }

    struct Argument: Sendable {
        var term: CodeTerm
        var offset: Int
        /// The beginning of the expression, for messages.
        var text: String
    }

    /// A function that passes one of its parameters on.
    struct Wrapper: Sendable {
        var name: String
        var labels: [String?]
        var position: Int

        /// The function in the notation of patterns.
        var text: String {
            let parts = labels.enumerated().map { index, label in
                (label ?? "_") + (index == position && index > 0 ? "=name:" : ":")
            }
            return "\(name)(\(parts.joined()))"
        }
    }

    struct Call: Sendable {
        /// The patterns whose method and labels fit, with the parameter of each argument.
        var patterns: [(pattern: Int, positions: [Int])]
        var method: String
        /// The function as written, on one line.
        var callee: String
        /// The names before the method; nil if the receiver is another expression.
        var receiver: [String]?
        var arguments: [Argument]
        var scope: [String]
        /// The bytes of the call.
        var range: Range<Int>
        /// A Boolean value that indicates whether a closure may return the call's result implicitly.
        var isResult = false
        /// The reason why the call cannot be replaced, as far as the call itself shows it.
        var obstacle: String?
        /// The enclosing function and its parameter that is an argument.
        var wrapper: Wrapper?
    }

    var enumerations: [Enumeration] = []
    var functions: [Function] = []
    var calls: [Call] = []
    /// The end of the last import; without imports, the place for the first one.
    var importOffset = 0
    var hasImport = false
    var imports: Set<String> = []
    var hasSyntaxErrors = false
    /// The number of types, type aliases and generic parameters of each name.
    var typeNames: [String: Int] = [:]
    /// The types of each declaration of a name in calls: as written, ``typeDeclaration``, ``nestedType``, or
    /// ``unwritten``.
    var declared: [String: [String]] = [:]
    /// The names that are declared with the type of a receiver.
    var instances: [String: Set<String>] = [:]
    /// The types that declare `rawValue` themselves.
    var ownRawValues: Set<String> = []
    /// The offset of the first declaration of each name that replacements use.
    var replacementOffsets: [String: Int] = [:]

    static let typeDeclaration = "a type"
    static let nestedType = "a type in another declaration"
    static let unwritten = "not written"
}
