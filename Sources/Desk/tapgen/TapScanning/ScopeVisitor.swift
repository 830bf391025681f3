#if Taps
    import SwiftSyntax

    /// A visitor that tracks the enclosing types.
    class ScopeVisitor: SyntaxVisitor {
        private var scopes: [[String]] = [[]]

        init() { super.init(viewMode: .sourceAccurate) }

        /// The enclosing types, the outermost first.
        var scope: [String] { scopes.last ?? [] }

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
    }
#endif
