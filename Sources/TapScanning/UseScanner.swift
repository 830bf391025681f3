#if Taps
    import SwiftParser
    import SwiftSyntax

    extension EventUses {
        /// Reads a file for uses of cases of these names. Nil where this was built without the package trait `Taps`.
        package init?(scanning bytes: [UInt8], for names: Set<String>) {
            let visitor = UseVisitor(names)
            visitor.walk(bytes.withUnsafeBufferPointer { Parser.parse(source: $0) })
            self = visitor.result
        }
    }

    private final class UseVisitor: SyntaxVisitor {
        var result = EventUses()
        private let names: Set<String>
        private var scopes: [[String]] = [[]]

        init(_ names: Set<String>) {
            self.names = names
            super.init(viewMode: .sourceAccurate)
        }

        private var scope: [String] { scopes.last ?? [] }

        // MARK: Scopes

        private func enter(_ name: TokenSyntax) -> SyntaxVisitorContinueKind {
            scopes.append(scope + [name.identifierText])
            return .visitChildren
        }

        private func leave() { scopes.removeLast() }

        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name) }
        override func visitPost(_ node: ClassDeclSyntax) { leave() }
        override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name) }
        override func visitPost(_ node: StructDeclSyntax) { leave() }
        override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name) }
        override func visitPost(_ node: EnumDeclSyntax) { leave() }
        override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name) }
        override func visitPost(_ node: ActorDeclSyntax) { leave() }
        override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name) }
        override func visitPost(_ node: ProtocolDeclSyntax) { leave() }

        override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
            scopes.append(TypeShape(node.extendedType)?.names.first?.split(separator: ".").map(String.init) ?? [])
            return .visitChildren
        }
        override func visitPost(_ node: ExtensionDeclSyntax) { leave() }

        // MARK: What else has a say in what a name means

        override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
            if let name = TypeShape(node.initializer.value)?.names.first, node.parent?.is(CodeBlockItemSyntax.self) == true {
                result.localAliases[node.name.identifierText] = name
            }
            return .visitChildren
        }

        /// `let Log = RecipeSearch.self`
        override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
            if let name = node.pattern.as(IdentifierPatternSyntax.self), let value = node.initializer?.value.as(MemberAccessExprSyntax.self),
                value.declName.baseName.tokenKind == .keyword(.self), let base = value.base
            {
                result.localAliases[name.identifier.identifierText] = base.trimmedDescription
            }
            return .visitChildren
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
            let parameters = node.parameterClause?.parameters.map { (label: $0.firstName?.identifierText, type: TypeShape($0.type)?.names.first) }
            if let parameters { result.functions.append(EventUses.Function(name: node.name.identifierText, scope: scope, parameters: parameters)) }
            return .visitChildren
        }

        private func add(_ name: String, _ clause: FunctionParameterClauseSyntax) {
            let parameters = clause.parameters.map {
                (label: $0.firstName.text == "_" ? nil : $0.firstName.identifierText, type: TypeShape($0.type)?.names.first)
            }
            result.functions.append(EventUses.Function(name: name, scope: scope, parameters: parameters))
        }

        // MARK: Uses

        /// What is matched is not made.
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

        /// A bare name within an extension of the category.
        override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
            let name = node.baseName.identifierText
            if names.contains(name), node.parent?.is(MemberAccessExprSyntax.self) != true, !scope.isEmpty {
                add(name, base: "Self", at: node, Syntax(node))
            }
            return .visitChildren
        }

        /// A dotted path of names; nil for other expressions.
        private static func path(_ expression: ExprSyntax) -> String? {
            if let name = expression.as(DeclReferenceExprSyntax.self), name.argumentNames == nil { return name.baseName.identifierText }
            guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base.flatMap(path) else { return nil }
            return member.declName.baseName.tokenKind == .keyword(.self) ? base : base + "." + member.declName.baseName.identifierText
        }

        private func add(_ name: String, base: String?, at reference: DeclReferenceExprSyntax, _ node: Syntax) {
            var use = EventUses.Use(
                base: base, name: name, labels: reference.argumentNames?.arguments.map { $0.name.text == "_" ? nil : $0.name.identifierText },
                scope: scope, offset: reference.positionAfterSkippingLeadingTrivia.utf8Offset)
            var value = node
            if let call = node.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == node.id {
                use.labels = call.arguments.map { $0.label?.identifierText }
                value = Syntax(call)
            }
            if base == nil { use.context = context(of: value) }
            result.uses.append(use)
        }

        /// What tells the type of a value: where it goes, as far as that is written.
        private func context(of value: Syntax) -> EventUses.Context {
            var node = value
            while let parent = node.parent {
                switch parent.as(SyntaxEnum.self) {
                case .initializerClause:
                    if let type = parent.parent?.as(PatternBindingSyntax.self)?.typeAnnotation?.type { return Self.context(type) }
                    if let type = parent.parent?.as(FunctionParameterSyntax.self)?.type { return Self.context(type) }
                    return .unknown
                case .labeledExpr(let argument):
                    guard let list = argument.parent?.as(LabeledExprListSyntax.self) else { return .unknown }
                    let position = list.firstIndex { $0.id == argument.id }.map { list.distance(from: list.startIndex, to: $0) } ?? 0
                    if let call = list.parent?.as(FunctionCallExprSyntax.self) {
                        guard let name = Self.callee(call.calledExpression) else { return .unknown }
                        return .argument(
                            of: name.lowercased() == "self" ? scope.last ?? name : name, label: argument.label?.identifierText, position: position)
                    }
                    // In parentheses.
                    guard list.count == 1, list.parent?.is(TupleExprSyntax.self) == true else { return .unknown }
                case .sequenceExpr(let sequence):
                    let elements = Array(sequence.elements)
                    if let cast = elements.firstIndex(where: { $0.is(UnresolvedAsExprSyntax.self) }), elements.indices.contains(cast + 1),
                        let type = elements[cast + 1].as(TypeExprSyntax.self)
                    {
                        return Self.context(type.type)
                    }
                    if elements.contains(where: { $0.is(AssignmentExprSyntax.self) }) {
                        return elements.first?.trimmedDescription == "self" ? .type("Self") : .unknown
                    }
                    // A value compared, or chosen: of a choice, what is around tells.
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

        /// The type of what a statement returns, or of the only expression of a body.
        private static func result(around statement: Syntax) -> EventUses.Context {
            var node = statement
            while let parent = node.parent {
                switch parent.as(SyntaxEnum.self) {
                case .functionDecl(let function): return function.signature.returnClause.map { context($0.type) } ?? .unknown
                case .subscriptDecl(let node): return context(node.returnClause.type)
                case .patternBinding(let binding): return binding.typeAnnotation.map { context($0.type) } ?? .unknown
                case .closureExpr(let closure): return closure.signature?.returnClause.map { context($0.type) } ?? .unknown
                default: node = parent
                }
            }
            return .unknown
        }
    }
#else
    extension EventUses {
        /// Nil: what reads Swift is built with the package trait `Taps` alone.
        package init?(scanning bytes: [UInt8], for names: Set<String>) { return nil }
    }
#endif
