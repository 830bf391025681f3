#if Taps
    import SwiftSyntax

    /// Finds the declarations of a file that may hide other declarations of the same name.
    final class NameScanner: SyntaxVisitor {
        private(set) var result: CallFacts
        private let wanted: Set<String>

        /// - Parameters:
        ///   - facts: the other facts of the file.
        ///   - wanted: the names whose first declaration is located.
        init(_ facts: CallFacts, _ wanted: Set<String>) {
            (result, self.wanted) = (facts, wanted)
            super.init(viewMode: .sourceAccurate)
        }

        private func declare(_ name: TokenSyntax) {
            let text = name.identifierText
            if StandardNames.types.contains(text) { result.redeclared.insert(text) }
            if wanted.contains(text), result.replacementOffsets[text] == nil {
                result.replacementOffsets[text] = name.startOffset
            }
        }

        // MARK: Types

        private func declare(type node: some NamedDeclSyntax & DeclGroupSyntax) -> SyntaxVisitorContinueKind {
            declare(node.name)
            let isOfFile = TermReader.isTopLevel(Syntax(node)) && node.parent?.is(CodeBlockItemSyntax.self) == true
            if isOfFile, node.modifiers.isPrivate(byDefault: false) {
                result.privateTypes.insert(node.name.identifierText)
            }
            return .visitChildren
        }

        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node) }
        override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node) }
        override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node) }
        override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node) }
        override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node) }

        override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
            declare(node.name)
            if !TermReader.isLocal(Syntax(node)) {
                let name = node.name.identifierText
                if node.modifiers.isPrivate(byDefault: false) { result.privateTypes.insert(name) }
                result.aliases[name, default: []].insert(node.initializer.value.trimmedDescription)
            }
            return .visitChildren
        }

        override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
            declare(node.name)
            result.typeParameters.insert(node.name.identifierText)
            return .visitChildren
        }

        override func visit(_ node: GenericParameterSyntax) -> SyntaxVisitorContinueKind {
            declare(node.name)
            // Generic parameters of functions are resolved in the scope of the function, so they are not collected
            // here.
            let owner = node.parent?.parent?.parent
            if owner?.asProtocol((any DeclGroupSyntax).self) != nil || owner?.is(TypeAliasDeclSyntax.self) == true {
                result.typeParameters.insert(node.name.identifierText)
            }
            return .visitChildren
        }

        override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
            // `import struct Clock.Date`
            let isStandard = ["Swift", "Foundation"].contains(node.path.first?.name.text)
            if node.importKindSpecifier != nil, !isStandard, let name = node.path.last?.name { declare(name) }
            return .skipChildren
        }

        // MARK: Functions and operators

        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            declare(node.name)
            let name = node.name.identifierText
            let parameters = node.signature.parameterClause.parameters
            let isRedeclared = StandardNames.redeclares(
                name, parameter: parameters.first.map { Self.text($0.type) },
                isGeneric: node.genericParameterClause != nil,
                result: (node.signature.returnClause?.type).map { Self.text($0) })
            if isRedeclared { result.redeclared.insert(name) }
            return .visitChildren
        }

        private static func text(_ type: TypeSyntax) -> String {
            let text = type.trimmedDescription
            return text.hasPrefix("Swift.") ? String(text.dropFirst("Swift.".count)) : text
        }

        override func visit(_ node: OperatorDeclSyntax) -> SyntaxVisitorContinueKind {
            // It may have another precedence.
            if StandardNames.isOperator(node.name.text) { result.redeclared.insert(node.name.text) }
            return .visitChildren
        }

        override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
            if let type = node.nearest(MemberBlockSyntax.self)?.parent?.as(ExtensionDeclSyntax.self)?.extendedType {
                let name = Self.text(type)
                if StandardNames.types.contains(name) { result.redeclared.insert(name + ".init") }
            }
            return .visitChildren
        }

        // MARK: Values

        override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
            declare(node.identifier)
            // Members of local types are not indexed. A local type that declares a standard property makes its name
            // ambiguous.
            let name = node.identifier.identifierText
            let declaration = node.parent?.parent?.parent?.parent
            if StandardNames.properties[name] != nil, declaration?.is(MemberBlockItemSyntax.self) == true,
                TermReader.isLocal(Syntax(node))
            {
                result.redeclared.insert(name)
            }
            return .visitChildren
        }

        override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
            declare(node.secondName ?? node.firstName)
            return .visitChildren
        }

        override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
            declare(node.secondName ?? node.firstName)
            return .visitChildren
        }

        override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
            declare(node.name)
            return .visitChildren
        }

        override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
            declare(node.name)
            return .visitChildren
        }
    }
#endif
