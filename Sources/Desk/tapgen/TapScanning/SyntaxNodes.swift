#if Taps
    import SwiftSyntax

    extension SyntaxProtocol {
        /// The enclosing nodes, the innermost first.
        var ancestors: DropFirstSequence<UnfoldFirstSequence<Syntax>> {
            sequence(first: Syntax(self)) { $0.parent }.dropFirst()
        }

        func nearest<Node: SyntaxProtocol>(_ kind: Node.Type) -> Node? {
            ancestors.lazy.compactMap { $0.as(kind) }.first
        }

        /// The names of the enclosing types, the outermost first.
        var scope: [String] {
            var scope: [String] = []
            for parent in ancestors {
                switch parent.kind {
                case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl:
                    let type = parent.asProtocol((any NamedDeclSyntax).self)
                    scope.insert(contentsOf: type.map { [$0.name.identifierText] } ?? [], at: 0)
                case .extensionDecl:
                    let type = parent.as(ExtensionDeclSyntax.self).flatMap { TypeShape($0.extendedType) }
                    return (type?.names.first?.split(separator: ".").map(String.init) ?? []) + scope
                default: break
                }
            }
            return scope
        }

        /// The offset of the first byte after comments and white space.
        var startOffset: Int { positionAfterSkippingLeadingTrivia.utf8Offset }
    }

    extension TokenSyntax {
        /// The identifier without backticks.
        var identifierText: String { identifier?.name ?? text }
    }

    extension FunctionParameterSyntax {
        var label: String? { firstName.text == "_" ? nil : firstName.identifierText }

        var name: String { (secondName ?? firstName).identifierText }
    }

    extension ClosureParameterSyntax {
        var name: String { (secondName ?? firstName).identifierText }
    }

    extension FunctionDeclSyntax {
        var returnsNothing: Bool {
            ["Void", "()", nil].contains(signature.returnClause?.type.trimmedDescription)
        }
    }

    extension PatternBindingSyntax {
        var name: String? { pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText }
    }

    extension TupleExprSyntax {
        /// The expression in parentheses; nil for a tuple of several elements.
        var only: ExprSyntax? { elements.count == 1 && elements.first?.label == nil ? elements.first?.expression : nil }
    }
#endif
