#if Taps
    import SwiftParser
    import SwiftSyntax

    extension EventUses {
        /// Reads a file's declarations and the uses of these cases. Returns nil without the package trait `Taps`.
        static func scan(_ bytes: [UInt8], for names: Set<String>) -> (facts: SourceFacts, uses: EventUses)? {
            let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
            let visitor = UseVisitor(names)
            visitor.walk(tree)
            return (SourceFacts(tree), visitor.result)
        }
    }

    private final class UseVisitor: SyntaxVisitor {
        var result = EventUses()
        private let names: Set<String>

        init(_ names: Set<String>) {
            self.names = names
            super.init(viewMode: .sourceAccurate)
        }

        // MARK: Aliases and functions

        override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
            if let name = TypeShape(node.initializer.value)?.names.first {
                addLocalAlias(node.name.identifierText, name, Syntax(node))
            }
            return .visitChildren
        }

        /// Adds an alias such as `let Log = RecipeSearch.self`.
        override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
            if let name = node.name, let value = node.initializer?.value.as(MemberAccessExprSyntax.self),
                value.declName.baseName.tokenKind == .keyword(.self), let base = value.base
            {
                addLocalAlias(name, base.trimmedDescription, Syntax(node))
            }
            return .visitChildren
        }

        private func addLocalAlias(_ name: String, _ meant: String, _ node: Syntax) {
            let kinds: Set<SyntaxKind> = [.codeBlock, .closureExpr, .sourceFile, .memberBlock]
            guard let block = node.ancestors.first(where: { kinds.contains($0.kind) }),
                !block.is(MemberBlockSyntax.self),
                !(block.is(SourceFileSyntax.self) && node.is(TypeAliasDeclSyntax.self))
            else { return }
            let range = block.position.utf8Offset..<block.endPosition.utf8Offset
            result.localAliases.append(EventUses.LocalAlias(name: name, meant: meant, range: range))
        }

        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            add(node.name.identifierText, node.signature.parameterClause)
            return .visitChildren
        }

        override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
            if let type = node.scope.last { add(type, node.signature.parameterClause) }
            return .visitChildren
        }

        override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
            if let clause = node.parameterClause {
                let parameters = clause.parameters.map {
                    ($0.firstName?.identifierText, TypeShape($0.type)?.names.first)
                }
                add(node.name.identifierText, parameters, around: Syntax(node))
            }
            return .visitChildren
        }

        private func add(_ name: String, _ clause: FunctionParameterClauseSyntax) {
            let parameters = clause.parameters.map { ($0.label, TypeShape($0.type)?.names.first) }
            add(name, parameters, around: Syntax(clause))
        }

        private func add(_ name: String, _ parameters: [(label: String?, type: String?)], around node: Syntax) {
            result.functions.append(
                EventUses.Function(
                    name: name, scope: node.scope, generics: Self.generics(around: node), parameters: parameters))
        }

        private static func generics(around node: Syntax) -> Set<String> {
            var names: Set<String> = []
            for parent in node.ancestors {
                if let generic = parent.asProtocol((any WithGenericParametersSyntax).self) {
                    names.formUnion(generic.genericParameterClause?.parameters.map(\.name.text) ?? [])
                } else if let declared = parent.as(ProtocolDeclSyntax.self) {
                    names.formUnion(
                        declared.memberBlock.members.compactMap { $0.decl.as(AssociatedTypeDeclSyntax.self)?.name.text }
                    )
                }
            }
            return names
        }

        // MARK: Uses

        /// Patterns do not create an event.
        override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

        override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
            let name = node.declName.baseName.identifierText
            let base = node.base.flatMap(Self.path)
            // The type of another expression than a path is unknown.
            if names.contains(name), base != nil || node.base == nil {
                add(name, base: base, at: node.declName, Syntax(node))
            }
            return .visitChildren
        }

        /// A name without a dot, inside an extension of the category.
        override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
            let name = node.baseName.identifierText
            if names.contains(name), node.parent?.is(MemberAccessExprSyntax.self) != true, !node.scope.isEmpty,
                !isLocal(name, Syntax(node))
            {
                add(name, base: "Self", at: node, Syntax(node))
            }
            return .visitChildren
        }

        private func isLocal(_ name: String, _ node: Syntax) -> Bool {
            func binds(_ conditions: ConditionElementListSyntax) -> Bool {
                conditions.contains {
                    $0.condition.as(OptionalBindingConditionSyntax.self)?.pattern.trimmedDescription == name
                }
            }
            func declares(_ parent: Syntax) -> Bool {
                switch parent.as(SyntaxEnum.self) {
                case .functionDecl(let function):
                    return function.signature.parameterClause.parameters.contains { $0.name == name }
                case .initializerDecl(let function):
                    return function.signature.parameterClause.parameters.contains { $0.name == name }
                case .closureExpr(let closure):
                    switch closure.signature?.parameterClause {
                    case .simpleInput(let parameters)?: return parameters.contains { $0.name.identifierText == name }
                    case .parameterClause(let clause)?: return clause.parameters.contains { $0.name == name }
                    case nil: return false
                    }
                case .codeBlockItemList(let list):
                    return list.contains { item in
                        item.item.as(VariableDeclSyntax.self)?.bindings.contains { $0.name == name } ?? false
                    }
                case .conditionElementList(let conditions): return binds(conditions)
                case .ifExpr(let branch): return binds(branch.conditions)
                case .forStmt(let loop): return loop.pattern.trimmedDescription == name
                default: return false
                }
            }
            return node.ancestors.prefix { !$0.is(MemberBlockSyntax.self) }.contains(where: declares)
        }

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
                scope: reference.scope, offset: reference.startOffset)
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
                elements.indices.contains(neighbour)
                    && ["==", "!=", "~="].contains(
                        elements[neighbour].as(BinaryOperatorExprSyntax.self)?.operator.text)
            }
        }

        private func context(of value: Syntax) -> EventUses.Context {
            for parent in value.ancestors {
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
                            of: name.lowercased() == "self" ? value.scope.last ?? name : name,
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
                case .returnStmt, .codeBlockItem: return Self.resultType(around: parent)
                case .closureExpr, .dictionaryElement, .memberAccessExpr: return .unknown
                default: break
                }
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

        private static func resultType(around statement: Syntax) -> EventUses.Context {
            for parent in statement.ancestors {
                switch parent.as(SyntaxEnum.self) {
                case .functionDecl(let function):
                    return function.signature.returnClause.map { context($0.type) } ?? .unknown
                case .subscriptDecl(let node): return context(node.returnClause.type)
                case .patternBinding(let binding): return binding.typeAnnotation.map { context($0.type) } ?? .unknown
                case .closureExpr(let closure):
                    return closure.signature?.returnClause.map { context($0.type) } ?? .unknown
                default: break
                }
            }
            return .unknown
        }
    }
#else
    extension EventUses {
        /// Returns nil, because Swift can be read only with the package trait `Taps`.
        static func scan(_ bytes: [UInt8], for names: Set<String>) -> (facts: SourceFacts, uses: EventUses)? {
            nil
        }
    }
#endif
