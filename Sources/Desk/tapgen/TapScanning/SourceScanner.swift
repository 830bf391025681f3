#if Taps
    import SwiftDiagnostics
    import SwiftParser
    import SwiftParserDiagnostics
    import SwiftSyntax

    extension SourceFacts {
        /// Reads a file as far as the parser understands its syntax. Returns nil without the package trait `Taps`.
        init?(scanning bytes: [UInt8]) {
            let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
            self.init(tree)
        }

        init(_ tree: SourceFileSyntax) {
            var scanner = DeclarationScanner()
            scanner.scan(tree.statements, in: DeclarationContext())
            declarations = scanner.declarations
            aliases = scanner.aliases
            if tree.hasError {
                syntaxErrors = ParseDiagnosticsGenerator.diagnostics(for: tree).map {
                    SyntaxError(message: $0.message, offset: $0.position.utf8Offset)
                }
            }
        }
    }

    private struct DeclarationContext {
        var path: [String] = []
        var conditions: [String] = []
        var isVisible = true
        var isPrivateByDefault = false
    }

    /// Walks declarations, but not function bodies, because other files cannot name their contents.
    private struct DeclarationScanner {
        var declarations: [SourceFacts.Declaration] = []
        var aliases: [SourceFacts.Alias] = []

        mutating func scan(_ statements: CodeBlockItemListSyntax, in around: DeclarationContext) {
            for statement in statements {
                if case .decl(let declaration) = statement.item { scan(declaration, in: around, ofType: nil) }
            }
        }

        private mutating func scan(_ members: MemberBlockItemListSyntax, in around: DeclarationContext, of type: Int?) {
            for member in members { scan(member.decl, in: around, ofType: type) }
        }

        private mutating func scan(_ declaration: DeclSyntax, in around: DeclarationContext, ofType type: Int?) {
            switch declaration.as(DeclSyntaxEnum.self) {
            case .classDecl(let node): scan(node, .class, in: around)
            case .structDecl(let node): scan(node, .other, in: around)
            case .enumDecl(let node): scan(node, .other, in: around)
            case .actorDecl(let node): scan(node, .other, in: around)
            case .protocolDecl(let node): scan(node, .protocol, in: around)
            case .extensionDecl(let node): scan(node, in: around)
            case .typeAliasDecl(let node):
                if let type = TypeShape(node.initializer.value) {
                    aliases.append(SourceFacts.Alias(path: around.path + [node.name.identifierText], type: type))
                }
            case .variableDecl(let node): if let type { scan(node, in: around, of: type) }
            case .ifConfigDecl(let node): scan(node, in: around, ofType: type)
            default: break
            }
        }

        private mutating func scan(_ node: IfConfigDeclSyntax, in around: DeclarationContext, ofType type: Int?) {
            var before: [String] = []
            for clause in node.clauses {
                let condition = clause.condition.map { "(\($0.trimmedDescription))" }
                var inner = around
                inner.conditions += before.map { "!" + $0 } + (condition.map { [$0] } ?? [])
                if let condition { before.append(condition) }
                switch clause.elements {
                case .statements(let statements)?: scan(statements, in: inner)
                case .decls(let declarations)?: scan(declarations, in: inner, of: type)
                default: break
                }
            }
        }

        private mutating func scan(
            _ node: some DeclGroupSyntax & NamedDeclSyntax, _ kind: SourceFacts.Declaration.Kind,
            in around: DeclarationContext
        ) {
            var inner = around
            inner.path.append(node.name.identifierText)
            inner.isVisible = around.isVisible && !node.modifiers.isPrivate(byDefault: around.isPrivateByDefault)
            inner.isPrivateByDefault = false
            add(kind, node.inheritanceClause, node.name.startOffset, in: inner)
            declarations[declarations.count - 1].availability = node.attributes.compactMap { element in
                guard case .attribute(let attribute) = element,
                    attribute.attributeName.trimmedDescription == "available"
                else { return nil }
                return attribute.trimmedDescription
            }
            scan(node.memberBlock.members, in: inner, of: kind == .class ? declarations.count - 1 : nil)
        }

        private mutating func scan(_ node: ExtensionDeclSyntax, in around: DeclarationContext) {
            guard let extended = TypeShape(node.extendedType)?.names.first else { return }
            var inner = around
            inner.path = extended.split(separator: ".").map(String.init)
            inner.isPrivateByDefault = node.modifiers.isPrivate(byDefault: false)
            add(.extension, node.inheritanceClause, node.extendedType.startOffset, in: inner)
            declarations[declarations.count - 1].isConditional =
                node.genericWhereClause != nil
                || node.extendedType.as(IdentifierTypeSyntax.self)?.genericArgumentClause != nil
                || node.extendedType.as(MemberTypeSyntax.self)?.genericArgumentClause != nil
            scan(node.memberBlock.members, in: inner, of: declarations.count - 1)
        }

        private mutating func add(
            _ kind: SourceFacts.Declaration.Kind, _ inheritance: InheritanceClauseSyntax?, _ offset: Int,
            in inner: DeclarationContext
        ) {
            var declaration = SourceFacts.Declaration(kind: kind, path: inner.path, offset: offset)
            declaration.inherited = inheritance?.inheritedTypes.flatMap { TypeShape($0.type)?.names ?? [] } ?? []
            declaration.conditions = inner.conditions
            declaration.isVisible = inner.isVisible
            declarations.append(declaration)
        }

        // MARK: Properties

        private mutating func scan(_ node: VariableDeclSyntax, in around: DeclarationContext, of type: Int) {
            let modifiers = node.modifiers
            var exclusion: SourceFacts.Member.Exclusion?
            if modifiers.contains(where: { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }) {
                exclusion = .isStatic
            }
            if node.isIgnored { exclusion = .ignored }
            let outer = declarations[type].conditions.count
            for (index, binding) in zip(node.bindings.indices, node.bindings) {
                guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
                if pattern.identifier.text == "tapEvents", exclusion == nil {
                    if modifiers.isPrivate(byDefault: around.isPrivateByDefault) {
                        declarations[type].privateTapEvents = pattern.startOffset
                    } else {
                        declarations[type].hasTapEvents = true
                    }
                }
                // In `let a, b: UIButton`, the annotation applies to both.
                let annotation =
                    binding.typeAnnotation
                    ?? (binding.initializer == nil
                        ? node.bindings[index...].lazy.compactMap(\.typeAnnotation).first : nil)
                guard
                    let shape = annotation.map({ TypeShape($0.type) })
                        ?? binding.initializer.map({ TypeShape(evidentIn: $0.value) }), let shape
                else { continue }
                var member = SourceFacts.Member(name: pattern.identifier.text, offset: pattern.startOffset)
                member.type = shape
                member.exclusion =
                    exclusion ?? (binding.isComputed || declarations[type].kind == .extension ? .computed : nil)
                member.isPrivate = modifiers.isPrivate(byDefault: around.isPrivateByDefault)
                member.isLazy = modifiers.contains { $0.name.tokenKind == .keyword(.lazy) }
                member.conditions = Array(around.conditions.dropFirst(outer))
                declarations[type].members.append(member)
            }
        }
    }

    extension DeclModifierListSyntax {
        /// Returns whether other files cannot name the declaration. `private(set)` restricts only writing.
        func isPrivate(byDefault isDefault: Bool) -> Bool {
            var hasLevel = false
            for modifier in self where modifier.detail == nil {
                switch modifier.name.tokenKind {
                case .keyword(.private), .keyword(.fileprivate): return true
                case .keyword(.internal), .keyword(.package), .keyword(.public), .keyword(.open): hasLevel = true
                default: break
                }
            }
            return isDefault && !hasLevel
        }
    }

    extension PatternBindingSyntax {
        /// A Boolean value that indicates whether a getter computes the value. A property with observers is stored.
        fileprivate var isComputed: Bool {
            switch accessorBlock?.accessors {
            case nil: false
            case .getter: true
            case .accessors(let accessors):
                !accessors.allSatisfy {
                    [.keyword(.willSet), .keyword(.didSet), .keyword(.`init`)].contains($0.accessorSpecifier.tokenKind)
                }
            }
        }
    }

    extension VariableDeclSyntax {
        /// The comment `// loggen:ignore` is above the declaration, or after it on the same line.
        fileprivate var isIgnored: Bool {
            var above = Array(leadingTrivia.pieces)
            // A comment on the line of the previous declaration belongs to that declaration.
            if previousToken(viewMode: .sourceAccurate) != nil { above = Array(above.drop { !$0.isNewline }) }
            let behind =
                trailingTrivia.pieces
                + (nextToken(viewMode: .sourceAccurate)?.leadingTrivia.pieces.prefix { !$0.isNewline } ?? [])
            return (above + behind).contains(where: \.isIgnoreComment)
        }
    }

    extension TriviaPiece {
        fileprivate var isIgnoreComment: Bool {
            switch self {
            case .lineComment(let text), .docLineComment(let text), .blockComment(let text), .docBlockComment(let text):
                let said = text.drop { "/* \t".contains($0) }
                guard said.hasPrefix("loggen:ignore") else { return false }
                return said.dropFirst("loggen:ignore".count).first.map {
                    !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_"
                } ?? true
            default: return false
            }
        }
    }
#else
    extension SourceFacts {
        /// Returns nil, because Swift can be read only with the package trait `Taps`.
        init?(scanning bytes: [UInt8]) { return nil }
    }
#endif
