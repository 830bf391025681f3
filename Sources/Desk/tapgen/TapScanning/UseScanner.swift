#if Taps
    import SwiftParser
    import SwiftSyntax

    extension EventUses {
        /// Reads a file's declarations, and the places where it names these cases. Returns nil if the package trait
        /// `Taps` is disabled.
        package static func scan(_ bytes: [UInt8], for names: Set<String>) -> (facts: SourceFacts, uses: EventUses)? {
            let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
            let visitor = UseVisitor(names)
            visitor.walk(tree)
            return (SourceFacts(tree), visitor.result)
        }
    }

    private final class UseVisitor: ScopeVisitor {
        var result = EventUses()
        private let names: Set<String>

        init(_ names: Set<String>) {
            self.names = names
            super.init()
        }

        // MARK: Aliases and functions

        override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
            if let name = TypeShape(node.initializer.value)?.names.first {
                addAlias(node.name.identifierText, name, Syntax(node))
            }
            return .visitChildren
        }

        /// Adds an alias such as `let Log = RecipeSearch.self`.
        override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
            if let name = node.pattern.as(IdentifierPatternSyntax.self),
                let value = node.initializer?.value.as(MemberAccessExprSyntax.self),
                value.declName.baseName.tokenKind == .keyword(.self), let base = value.base
            {
                addAlias(name.identifier.identifierText, base.trimmedDescription, Syntax(node))
            }
            return .visitChildren
        }

        /// Adds an alias that is known only in its block, closure or file. Other type aliases are in `SourceFacts`.
        private func addAlias(_ name: String, _ meant: String, _ node: Syntax) {
            var around = node
            while let parent = around.parent {
                if parent.is(CodeBlockSyntax.self) || parent.is(ClosureExprSyntax.self)
                    || parent.is(SourceFileSyntax.self)
                {
                    if parent.is(SourceFileSyntax.self), node.is(TypeAliasDeclSyntax.self) { return }
                    let range = parent.position.utf8Offset..<parent.endPosition.utf8Offset
                    result.localAliases.append(EventUses.LocalAlias(name: name, meant: meant, range: range))
                    return
                }
                if parent.is(MemberBlockSyntax.self) { return }
                around = parent
            }
        }

        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            add(node.name.identifierText, node.signature.parameterClause)
            return .visitChildren
        }

        override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
            if let type = scope.last { add(type, node.signature.parameterClause) }
            return .visitChildren
        }

        override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
            let parameters = node.parameterClause?.parameters.map {
                (label: $0.firstName?.identifierText, type: TypeShape($0.type)?.names.first)
            }
            if let parameters {
                let generics = generics(around: Syntax(node))
                result.functions.append(
                    EventUses.Function(
                        name: node.name.identifierText, scope: scope, generics: generics, parameters: parameters))
            }
            return .visitChildren
        }

        private func add(_ name: String, _ clause: FunctionParameterClauseSyntax) {
            let parameters = clause.parameters.map {
                (
                    label: $0.firstName.text == "_" ? nil : $0.firstName.identifierText,
                    type: TypeShape($0.type)?.names.first
                )
            }
            result.functions.append(
                EventUses.Function(
                    name: name, scope: scope, generics: generics(around: Syntax(clause)), parameters: parameters))
        }

        /// Returns the names of generic parameters and associated types that are in scope.
        private func generics(around node: Syntax) -> Set<String> {
            var names: Set<String> = []
            var node = node
            while let parent = node.parent {
                if let generic = parent.asProtocol((any WithGenericParametersSyntax).self) {
                    names.formUnion(generic.genericParameterClause?.parameters.map(\.name.text) ?? [])
                } else if let declared = parent.as(ProtocolDeclSyntax.self) {
                    names.formUnion(
                        declared.memberBlock.members.compactMap { $0.decl.as(AssociatedTypeDeclSyntax.self)?.name.text }
                    )
                }
                node = parent
            }
            return names
        }

        // MARK: Uses

        /// Patterns do not create an event.
        override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

        override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
            let name = node.declName.baseName.identifierText
            guard names.contains(name) else { return .visitChildren }
            guard let base = node.base else {
                add(name, base: nil, at: node.declName, Syntax(node))
                return .visitChildren
            }
            if let base = Self.path(base) { add(name, base: base, at: node.declName, Syntax(node)) }
            return .visitChildren
        }

        /// A name without a dot, inside an extension of the category.
        override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
            let name = node.baseName.identifierText
            if names.contains(name), node.parent?.is(MemberAccessExprSyntax.self) != true, !scope.isEmpty,
                !isLocal(name, Syntax(node))
            {
                add(name, base: "Self", at: node, Syntax(node))
            }
            return .visitChildren
        }

        /// Returns whether a name is a parameter or a variable of an enclosing function.
        private func isLocal(_ name: String, _ node: Syntax) -> Bool {
            var node = node
            while let parent = node.parent, !parent.is(MemberBlockSyntax.self) {
                let parameters =
                    parent.as(FunctionDeclSyntax.self)?.signature.parameterClause
                    ?? parent.as(InitializerDeclSyntax.self)?.signature.parameterClause
                if let parameters,
                    parameters.parameters.contains(where: { ($0.secondName ?? $0.firstName).identifierText == name })
                {
                    return true
                }
                switch parent.as(ClosureExprSyntax.self)?.signature?.parameterClause {
                case .simpleInput(let parameters)?:
                    if parameters.contains(where: { $0.name.identifierText == name }) { return true }
                case .parameterClause(let clause)?:
                    if clause.parameters.contains(where: { ($0.secondName ?? $0.firstName).identifierText == name }) {
                        return true
                    }
                case nil: break
                }
                if let block = parent.as(CodeBlockItemListSyntax.self) {
                    let binds = block.contains { item in
                        item.item.as(VariableDeclSyntax.self)?.bindings.contains {
                            $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText == name
                        } ?? false
                    }
                    if binds { return true }
                }
                if let conditions = parent.as(ConditionElementListSyntax.self)
                    ?? parent.as(IfExprSyntax.self)?.conditions
                {
                    if conditions.contains(where: {
                        $0.condition.as(OptionalBindingConditionSyntax.self)?.pattern.trimmedDescription == name
                    }) {
                        return true
                    }
                }
                if parent.as(ForStmtSyntax.self)?.pattern.trimmedDescription == name { return true }
                node = parent
            }
            return false
        }

        /// Returns a dotted path of names; nil for other expressions.
        private static func path(_ expression: ExprSyntax) -> String? {
            if let name = expression.as(DeclReferenceExprSyntax.self), name.argumentNames == nil {
                return name.baseName.identifierText
            }
            guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base.flatMap(path) else {
                return nil
            }
            return member.declName.baseName.tokenKind == .keyword(.self)
                ? base : base + "." + member.declName.baseName.identifierText
        }

        private func add(_ name: String, base: String?, at reference: DeclReferenceExprSyntax, _ node: Syntax) {
            var use = EventUses.Use(
                base: base, name: name,
                labels: reference.argumentNames?.arguments.map { $0.name.text == "_" ? nil : $0.name.identifierText },
                scope: scope, offset: reference.positionAfterSkippingLeadingTrivia.utf8Offset)
            var value = node
            if let call = node.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == node.id {
                use.labels = call.arguments.map { $0.label?.identifierText }
                value = Syntax(call)
            }
            guard !Self.isCompared(value) else { return }
            if base == nil { use.context = context(of: value) }
            result.uses.append(use)
        }

        /// Returns whether a value is an operand of a comparison operator. A compared value does not create an event.
        private static func isCompared(_ value: Syntax) -> Bool {
            guard let list = value.parent?.as(ExprListSyntax.self) else { return false }
            let elements = Array(list)
            guard let index = elements.firstIndex(where: { $0.id == value.id }) else { return false }
            return [index - 1, index + 1].contains { neighbour in
                guard elements.indices.contains(neighbour),
                    let operation = elements[neighbour].as(BinaryOperatorExprSyntax.self)
                else {
                    return false
                }
                return ["==", "!=", "~="].contains(operation.operator.text)
            }
        }

        /// Returns the context that determines the type of a value, as far as the source shows it without type
        /// inference.
        private func context(of value: Syntax) -> EventUses.Context {
            var node = value
            while let parent = node.parent {
                switch parent.as(SyntaxEnum.self) {
                case .initializerClause:
                    if let type = parent.parent?.as(PatternBindingSyntax.self)?.typeAnnotation?.type {
                        return Self.context(type)
                    }
                    if let type = parent.parent?.as(FunctionParameterSyntax.self)?.type { return Self.context(type) }
                    return .unknown
                case .labeledExpr(let argument):
                    guard let list = argument.parent?.as(LabeledExprListSyntax.self) else { return .unknown }
                    let position =
                        list.firstIndex { $0.id == argument.id }.map { list.distance(from: list.startIndex, to: $0) }
                        ?? 0
                    if let call = list.parent?.as(FunctionCallExprSyntax.self) {
                        guard let name = Self.callee(call.calledExpression) else { return .unknown }
                        return .argument(
                            of: name.lowercased() == "self" ? scope.last ?? name : name,
                            label: argument.label?.identifierText, position: position,
                            hasReceiver: call.calledExpression.as(MemberAccessExprSyntax.self)?.base != nil
                                && name.first?.isUppercase != true)
                    }
                    // The value is in parentheses.
                    guard list.count == 1, list.parent?.is(TupleExprSyntax.self) == true else { return .unknown }
                case .sequenceExpr(let sequence):
                    let elements = Array(sequence.elements)
                    if let cast = elements.firstIndex(where: { $0.is(UnresolvedAsExprSyntax.self) }),
                        elements.indices.contains(cast + 1),
                        let type = elements[cast + 1].as(TypeExprSyntax.self)
                    {
                        return Self.context(type.type)
                    }
                    if elements.contains(where: { $0.is(AssignmentExprSyntax.self) }) {
                        return elements.first?.trimmedDescription == "self" ? .type("Self") : .unknown
                    }
                    // Among operators, the context determines the type only for `a ? b : c`.
                    guard elements.contains(where: { $0.is(UnresolvedTernaryExprSyntax.self) }) else { return .unknown }
                case .returnStmt, .codeBlockItem: return Self.result(around: parent)
                case .closureExpr, .dictionaryElement, .memberAccessExpr: return .unknown
                default: break
                }
                node = parent
            }
            return .unknown
        }

        private static func context(_ type: TypeSyntax) -> EventUses.Context {
            TypeShape(type)?.names.first.map { .type($0) } ?? .unknown
        }

        private static func callee(_ expression: ExprSyntax) -> String? {
            if let name = expression.as(DeclReferenceExprSyntax.self) { return name.baseName.identifierText }
            guard let member = expression.as(MemberAccessExprSyntax.self) else { return nil }
            if member.declName.baseName.tokenKind == .keyword(.`init`) {
                return member.base.flatMap(path)?.split(separator: ".").last.map(String.init)
            }
            return member.declName.baseName.identifierText
        }

        /// Returns the declared result type of the function, property, subscript or closure that contains a statement.
        /// It is the type of a value that the statement returns, or of the only expression of a body.
        private static func result(around statement: Syntax) -> EventUses.Context {
            var node = statement
            while let parent = node.parent {
                switch parent.as(SyntaxEnum.self) {
                case .functionDecl(let function):
                    return function.signature.returnClause.map { context($0.type) } ?? .unknown
                case .subscriptDecl(let node): return context(node.returnClause.type)
                case .patternBinding(let binding): return binding.typeAnnotation.map { context($0.type) } ?? .unknown
                case .closureExpr(let closure):
                    return closure.signature?.returnClause.map { context($0.type) } ?? .unknown
                default: node = parent
                }
            }
            return .unknown
        }
    }
#else
    extension EventUses {
        /// Returns nil, because Swift can be read only with the package trait `Taps`.
        package static func scan(_ bytes: [UInt8], for names: Set<String>) -> (facts: SourceFacts, uses: EventUses)? {
            nil
        }
    }
#endif
