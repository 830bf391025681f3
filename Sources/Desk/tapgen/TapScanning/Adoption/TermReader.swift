#if Taps
    import SwiftParser
    import SwiftSyntax

    extension CodeType {
        init(_ type: TypeSyntax) {
            switch type.as(TypeSyntaxEnum.self) {
            case .optionalType(let node): self = .optional(CodeType(node.wrappedType))
            case .implicitlyUnwrappedOptionalType(let node): self = .optional(CodeType(node.wrappedType))
            case .arrayType(let node): self = .array(CodeType(node.element))
            case .dictionaryType(let node): self = .dictionary(CodeType(node.key), CodeType(node.value))
            case .attributedType(let node): self = CodeType(node.baseType)
            case .memberType: self = .named(type.trimmedDescription.filter { !$0.isWhitespace })
            case .identifierType(let node):
                let arguments: [TypeSyntax] = (node.genericArgumentClause?.arguments ?? []).compactMap {
                    if case .type(let inner) = $0.argument { inner } else { nil }
                }
                switch (node.name.text, arguments.count) {
                case ("Optional", 1): self = .optional(CodeType(arguments[0]))
                case ("Array", 1): self = .array(CodeType(arguments[0]))
                case ("Dictionary", 2): self = .dictionary(CodeType(arguments[0]), CodeType(arguments[1]))
                default:
                    self =
                        node.genericArgumentClause == nil
                        ? .named(node.name.identifierText) : .other(type.trimmedDescription)
                }
            default: self = .other(type.trimmedDescription)
            }
        }
    }

    /// Reads expressions as terms. Names of parameters and local variables are looked up in the enclosing functions.
    struct TermReader {
        /// Types that erase the type of a value.
        private static let erased: Set<String> = [
            "Any", "AnyObject", "AnyHashable", "NSObject", "NSString", "NSNumber",
        ]

        private static let computed = CodeTerm.unknown("computed")
        private static let optional = CodeTerm.unknown("optional")

        /// The expressions that may still be read. Local constants that refer to each other several times would make
        /// their terms grow exponentially.
        private final class Budget { var left = 0 }
        private let budget = Budget()
        private static let mostExpressions = 1000

        /// Returns the term of an argument or an initializer.
        func term(of expression: ExprSyntax) -> CodeTerm {
            budget.left = Self.mostExpressions
            return read(expression)
        }

        func read(_ expression: ExprSyntax) -> CodeTerm {
            budget.left -= 1
            guard budget.left > 0 else { return .unknown("too long") }
            switch expression.as(ExprSyntaxEnum.self) {
            case .stringLiteralExpr(let node): return read(node)
            case .integerLiteralExpr: return .integer
            case .floatLiteralExpr: return .number
            case .booleanLiteralExpr: return .boolean
            case .nilLiteralExpr: return .null
            case .declReferenceExpr(let node):
                guard node.argumentNames == nil else { return Self.computed }
                return lookUp(node.baseName.identifierText, from: Syntax(node))
            case .memberAccessExpr(let node): return read(node)
            case .functionCallExpr(let node): return read(node)
            case .sequenceExpr(let node): return read(Array(node.elements)[...])
            case .prefixOperatorExpr(let node):
                if node.operator.text == "!" { return .using(["!"], .typed(.named("Bool"))) }
                let operand = read(node.expression)
                guard node.operator.text == "-" else { return Self.computed }
                return operand == .integer ? .integer : .using(["-"], .arithmetic([operand]))
            case .forceUnwrapExpr(let node):
                return Self.isChained(node.expression) ? Self.optional : .unwrapped(read(node.expression))
            case .optionalChainingExpr(let node): return .unwrapped(read(node.expression))
            case .arrayExpr(let node): return .list(node.elements.map { read($0.expression) })
            case .dictionaryExpr(let node): return .dictionary(entries(node))
            case .tupleExpr(let node): return node.only.map { read($0) } ?? Self.computed
            default: return Self.computed
            }
        }

        // MARK: Literals

        private func read(_ node: StringLiteralExprSyntax) -> CodeTerm {
            if let value = node.representedLiteralValue { return .string(value) }
            var parts: [CodeTerm] = []
            for segment in node.segments {
                switch segment {
                case .stringSegment(let text):
                    let isPlain = !text.content.text.contains("\\") && node.openingQuote.text == "\""
                    parts.append(isPlain ? .string(text.content.text) : Self.computed)
                case .expressionSegment(let inner):
                    guard let value = inner.expressions.first, inner.expressions.count == 1, value.label == nil else {
                        return .interpolated([Self.computed])
                    }
                    parts.append(read(value.expression))
                }
            }
            return .interpolated(parts)
        }

        func entries(_ node: DictionaryExprSyntax) -> [CodeTerm.Entry] {
            guard case .elements(let elements) = node.content else { return [] }
            return elements.map { entry(key: $0.key, value: $0.value) }
        }

        func entry(key: ExprSyntax, value: ExprSyntax) -> CodeTerm.Entry {
            let bare = Self.withoutErasure(value)
            let start = (bare.first ?? value).startOffset
            let end = (bare.last ?? value).endPositionBeforeTrailingTrivia.utf8Offset
            // Without `NSNumber(value:)` or `NSString(string:)`.
            let isUnwrapped = bare.count == 1 && bare.first?.id != value.id && value.is(FunctionCallExprSyntax.self)
            let term = read(bare)
            return CodeTerm.Entry(
                key: read(key), keyOffset: key.startOffset,
                value: isUnwrapped ? .using(["NSNumber", "NSString"], term) : term,
                valueRange: start..<end, isPure: bare.count == 1 && isPure(bare[bare.startIndex]))
        }

        /// Returns the operands and operators of a value without casts to types that erase its type, and without
        /// `NSNumber(value:)`.
        private static func withoutErasure(_ value: ExprSyntax) -> ArraySlice<ExprSyntax> {
            if let only = value.as(TupleExprSyntax.self)?.only, withoutErasure(only).count < 3,
                withoutErasure(only).first?.id != only.id
            {
                return withoutErasure(only)
            }
            if let call = value.as(FunctionCallExprSyntax.self), let only = call.arguments.first,
                call.arguments.count == 1, call.trailingClosure == nil,
                [("NSNumber", "value"), ("NSString", "string")].contains(where: {
                    $0.0 == call.calledExpression.trimmedDescription && $0.1 == only.label?.text
                })
            {
                return withoutErasure(only.expression)
            }
            guard let sequence = value.as(SequenceExprSyntax.self) else { return [value] }
            var elements = Array(sequence.elements)[...]
            let hasLower = elements.contains {
                $0.is(UnresolvedTernaryExprSyntax.self) || isOperator($0) { Self.lowerThanCasts.contains($0) }
            }
            while !hasLower, elements.count >= 3, let type = elements.last?.as(TypeExprSyntax.self),
                erased.contains(type.trimmedDescription),
                elements[elements.endIndex - 2].as(UnresolvedAsExprSyntax.self)?.questionOrExclamationMark == nil,
                elements[elements.endIndex - 2].is(UnresolvedAsExprSyntax.self)
            {
                elements = elements.dropLast(2)
            }
            return elements.count == 1 ? withoutErasure(elements[elements.startIndex]) : elements
        }

        /// Returns whether an expression is a literal, or a parameter or a constant of the enclosing function.
        private func isPure(_ expression: ExprSyntax) -> Bool {
            if let prefix = expression.as(PrefixOperatorExprSyntax.self) { return isPure(prefix.expression) }
            switch read(expression) {
            case .string, .integer, .number, .boolean, .null: return true
            case .stored(_, let isConstant): return isConstant && expression.is(DeclReferenceExprSyntax.self)
            default: return false
            }
        }

        // MARK: Operators

        static let lowerThanCasts: Set<String> = StandardNames.comparisons.union(["??"])

        private static func isOperator(_ expression: ExprSyntax, where condition: (String) -> Bool) -> Bool {
            expression.as(BinaryOperatorExprSyntax.self).map { condition($0.operator.text) } ?? false
        }

        /// Reads operands and operators, which the parser does not group, from the lowest precedence to the highest.
        private func read(_ elements: ArraySlice<ExprSyntax>) -> CodeTerm {
            guard elements.count > 1, let first = elements.first else {
                return elements.first.map { read($0) } ?? Self.computed
            }
            if elements.contains(where: { $0.is(AssignmentExprSyntax.self) || $0.is(ArrowExprSyntax.self) }) {
                return Self.computed
            }
            // Other operators may have any precedence.
            let operators = elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
            guard operators.allSatisfy(StandardNames.isOperator) else { return Self.computed }
            if let index = elements.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }),
                let ternary = elements[index].as(UnresolvedTernaryExprSyntax.self)
            {
                return .choice(read(ternary.thenExpression), read(elements[(index + 1)...]))
            }
            if elements.contains(where: {
                Self.isOperator($0, where: StandardNames.comparisons.contains) || $0.is(UnresolvedIsExprSyntax.self)
            }) {
                return .using(operators, .typed(.named("Bool")))
            }
            if let index = elements.firstIndex(where: { Self.isOperator($0) { $0 == "??" } }) {
                return .using(["??"], .fallback(read(elements[..<index]), read(elements[(index + 1)...])))
            }
            if let index = elements.lastIndex(where: { $0.is(UnresolvedAsExprSyntax.self) }),
                let cast = elements[index].as(UnresolvedAsExprSyntax.self), index + 1 < elements.endIndex,
                let type = elements[index + 1].as(TypeExprSyntax.self)
            {
                if Self.erased.contains(type.trimmedDescription) { return .unknown("its type is erased by a cast") }
                let isOptional = cast.questionOrExclamationMark?.tokenKind == .postfixQuestionMark
                let written = self.type(type.type)
                return .typed(isOptional ? .optional(written) : written)
            }
            var operands = [first]
            var isSum = true
            var index = elements.startIndex + 1
            while index + 1 < elements.endIndex {
                guard Self.isOperator(elements[index], where: StandardNames.arithmetic.contains) else {
                    return Self.computed
                }
                if !Self.isOperator(elements[index], where: { $0 == "+" }) { isSum = false }
                operands.append(elements[index + 1])
                index += 2
            }
            let terms = operands.map { read($0) }
            return .using(operators, isSum ? .sum(terms) : .arithmetic(terms))
        }

        // MARK: Members and calls

        private func read(_ node: MemberAccessExprSyntax) -> CodeTerm {
            let name = node.declName.baseName.identifierText
            guard node.declName.argumentNames == nil, name != "self" else { return Self.computed }
            guard let base = node.base else { return .implicit(name) }
            if let chained = base.as(OptionalChainingExprSyntax.self) {
                return .optionalMember(read(chained.expression), name)
            }
            // `a?.b.c` is optional, too.
            let inner = read(base)
            if case .optionalMember = inner { return .optionalMember(inner, name) }
            return Self.isChained(base) ? Self.optional : .member(inner, name)
        }

        /// Returns whether an optional chain such as `a?.b[0].c()` contains an expression, so that its value is
        /// optional.
        private static func isChained(_ expression: ExprSyntax) -> Bool {
            switch expression.as(ExprSyntaxEnum.self) {
            case .optionalChainingExpr: return true
            case .memberAccessExpr(let node): return node.base.map(isChained) ?? false
            case .functionCallExpr(let node): return isChained(node.calledExpression)
            case .subscriptCallExpr(let node): return isChained(node.calledExpression)
            case .forceUnwrapExpr(let node): return isChained(node.expression)
            default: return false
            }
        }

        /// The labels of the initializers of `String` that never return nil; nil for `String(x)`.
        private static let stringLabels: Set<String?> = [nil, "describing", "reflecting"]

        private func read(_ node: FunctionCallExprSyntax) -> CodeTerm {
            if let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.identifierText {
                guard node.trailingClosure == nil, name.first?.isUppercase == true else {
                    return .unknown("`\(name)(…)` is called")
                }
                guard lookUp(name, from: Syntax(node)) == .name(name) else { return Self.computed }
                let only = node.arguments.count == 1 ? node.arguments.first : nil
                if name == "String", let only, Self.stringLabels.contains(only.label?.text) {
                    return .using(["String.init"], .typed(.named(name)))
                }
                if name == "NSNumber" || name == "NSString" { return .unknown("its type is erased by `\(name)`") }
                if (name == "Date" || name == "UUID"), node.arguments.isEmpty { return .typed(.named(name)) }
                return .converted(
                    name, only?.label == nil ? only.map { read($0.expression) } ?? Self.computed : Self.computed)
            }
            guard let member = node.calledExpression.as(MemberAccessExprSyntax.self) else { return Self.computed }
            let name = member.declName.baseName.identifierText
            if StandardNames.stringMethods.contains(name), let base = member.base {
                return .using([name], .typed(Self.isChained(base) ? .optional(.named("String")) : .named("String")))
            }
            return .unknown("`\(name)(…)` is called")
        }
    }
#endif
