#if Taps
    import SwiftSyntax

    extension TermReader {
        /// Returns the term of a name: that of a parameter or a local variable, or the name itself if no enclosing
        /// function declares it.
        func lookUp(_ name: String, from node: Syntax) -> CodeTerm {
            var node = node
            while let parent = node.parent {
                if let found = declared(name, in: parent, before: node) { return found }
                if parent.is(MemberBlockSyntax.self) {
                    return Self.isLocal(parent) ? Self.local : .name(name)
                }
                node = parent
            }
            return .name(name)
        }

        private static let local = CodeTerm.unknown("a member of a type in a function")

        /// Returns a type as written. A type that an enclosing function declares is not followed.
        func type(_ type: TypeSyntax) -> CodeType {
            let isLocal = type.tokens(viewMode: .sourceAccurate).contains { token in
                guard let name = token.identifier?.name, token.parent?.is(IdentifierTypeSyntax.self) == true else {
                    return false
                }
                return lookUp(name, from: Syntax(type)) != .name(name)
            }
            return isLocal ? .other(type.trimmedDescription) : CodeType(type)
        }

        /// Returns the attribute of a variable that may be a property wrapper. The compiler's own attributes, and those
        /// of Interface Builder, are not.
        static func wrapper(of variable: VariableDeclSyntax) -> String? {
            variable.attributes.lazy.compactMap { element -> String? in
                guard case .attribute(let attribute) = element else { return nil }
                let name = attribute.attributeName.trimmedDescription
                let isOwn = name.first?.isLowercase == true || name.hasPrefix("IB") || name == "MainActor"
                return isOwn ? nil : name
            }.first
        }

        /// The nodes around the statements of functions.
        private static let bodies: Set<SyntaxKind> = [.codeBlock, .closureExpr, .accessorBlock, .switchCase]

        /// Returns whether a node is in a function, so that other functions cannot name its declarations.
        static func isLocal(_ node: Syntax) -> Bool { node.ancestors.contains { bodies.contains($0.kind) } }

        /// Returns the term of a name that a node declares for the child that contains the reference.
        func declared(_ name: String, in parent: Syntax, before node: Syntax) -> CodeTerm? {
            switch parent.as(SyntaxEnum.self) {
            case .codeBlockItemList(let list):
                // The names of a file are found from all files.
                guard list.parent?.is(SourceFileSyntax.self) != true, !Self.isTopLevel(parent) else { return nil }
                return declared(name, in: list, before: node)
            case .functionDecl(let function):
                return generic(name, function.genericParameterClause)
                    ?? parameter(name, function.signature.parameterClause)
            case .initializerDecl(let function):
                return generic(name, function.genericParameterClause)
                    ?? parameter(name, function.signature.parameterClause)
            case .subscriptDecl(let function):
                return generic(name, function.genericParameterClause) ?? parameter(name, function.parameterClause)
            case .accessorDecl(let accessor):
                return ["newValue", "oldValue", accessor.parameters?.name.identifierText].contains(name)
                    ? .unknown("a parameter of an accessor") : nil
            case .catchClause(let clause):
                let isBound = clause.catchItems.contains { Self.binds(name, Syntax($0)) }
                return isBound || (name == "error" && clause.catchItems.isEmpty) ? .unknown("caught") : nil
            case .closureExpr(let closure): return parameter(name, closure)
            case .ifExpr(let branch):
                return node.id == branch.body.id ? bound(name, branch.conditions, before: nil) : nil
            case .whileStmt(let loop):
                return node.id == loop.body.id ? bound(name, loop.conditions, before: nil) : nil
            case .conditionElementList(let conditions): return bound(name, conditions, before: node)
            case .forStmt(let loop):
                guard node.id == loop.body.id || node.id == loop.whereClause?.id else { return nil }
                if loop.pattern.trimmedDescription == name {
                    return .stored(.element(read(loop.sequence)), isConstant: true)
                }
                return Self.binds(name, Syntax(loop.pattern)) ? .unknown("bound by a pattern") : nil
            case .switchCase(let branch):
                return Self.binds(name, Syntax(branch.label)) ? .unknown("bound by a pattern") : nil
            default: return nil
            }
        }

        /// Returns whether a list of statements is the content of a file, possibly in `#if`.
        static func isTopLevel(_ node: Syntax) -> Bool {
            !node.ancestors.contains { bodies.contains($0.kind) || $0.is(MemberBlockSyntax.self) }
        }

        /// Returns whether a pattern binds a name.
        private static func binds(_ name: String, _ pattern: Syntax?) -> Bool {
            guard let pattern else { return false }
            if let bound = pattern.as(IdentifierPatternSyntax.self) { return bound.identifier.identifierText == name }
            // In `case let .a(x)`, the parser reads `x` as an expression.
            if let bound = pattern.as(DeclReferenceExprSyntax.self), bound.baseName.identifierText == name,
                bound.parent?.is(MemberAccessExprSyntax.self) != true
            {
                return true
            }
            return pattern.children(viewMode: .sourceAccurate).contains { binds(name, $0) }
        }

        private static func declares(_ name: String, _ node: Syntax) -> Bool {
            node.as(IdentifierPatternSyntax.self)?.identifier.identifierText == name
                || node.children(viewMode: .sourceAccurate).contains { declares(name, $0) }
        }

        private func declared(_ name: String, in list: CodeBlockItemListSyntax, before node: Syntax) -> CodeTerm? {
            var found: CodeTerm?
            for item in list {
                // Functions and types are visible before their declarations.
                guard let declaration = item.item.asProtocol((any NamedDeclSyntax).self),
                    declaration.name.identifierText == name
                else { continue }
                if declaration.is(FunctionDeclSyntax.self) {
                    found = .unknown("a function")
                } else if declaration.is(TypeAliasDeclSyntax.self)
                    || declaration.asProtocol((any DeclGroupSyntax).self) != nil
                {
                    found = Self.local
                }
            }
            for item in list {
                if item.id == node.id { break }
                if let variable = item.item.as(VariableDeclSyntax.self) {
                    if let term = term(of: name, variable) { found = term }
                } else if let guarded = item.item.as(GuardStmtSyntax.self) {
                    if let term = bound(name, guarded.conditions, before: nil) { found = term }
                } else if let conditional = item.item.as(IfConfigDeclSyntax.self),
                    Self.declares(name, Syntax(conditional))
                {
                    found = .unknown("declared under `#if`")
                }
            }
            return found
        }

        private func generic(_ name: String, _ clause: GenericParameterClauseSyntax?) -> CodeTerm? {
            let isGeneric = clause?.parameters.contains { $0.name.identifierText == name } ?? false
            return isGeneric ? .unknown("a generic type") : nil
        }

        private func term(of name: String, _ variable: VariableDeclSyntax) -> CodeTerm? {
            for binding in variable.bindings where Self.binds(name, Syntax(binding.pattern)) {
                guard binding.pattern.is(IdentifierPatternSyntax.self) else { return .unknown("part of a tuple") }
                let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
                let value = binding.initializer.map { read($0.value) }
                if let type = binding.typeAnnotation.map({ self.type($0.type) }) {
                    if isConstant, case .string? = value, type == .named("String") {
                        return value.map { .stored($0, isConstant: true) }
                    }
                    return .stored(.typed(type), isConstant: isConstant)
                }
                guard let value, binding.accessorBlock == nil, Self.wrapper(of: variable) == nil else {
                    return .unknown("computed")
                }
                return .stored(value, isConstant: isConstant)
            }
            return nil
        }

        /// Returns the term of a name that conditions bind, as in `if let`.
        private func bound(_ name: String, _ conditions: ConditionElementListSyntax, before node: Syntax?) -> CodeTerm?
        {
            var found: CodeTerm?
            for condition in conditions {
                if condition.id == node?.id { break }
                switch condition.condition {
                case .optionalBinding(let binding):
                    guard binding.pattern.trimmedDescription == name else {
                        if Self.binds(name, Syntax(binding.pattern)) { found = .unknown("bound by a pattern") }
                        continue
                    }
                    let isConstant = binding.bindingSpecifier.tokenKind == .keyword(.let)
                    if let type = binding.typeAnnotation {
                        found = .stored(.typed(self.type(type.type)), isConstant: isConstant)
                    } else {
                        let value =
                            binding.initializer.map { read($0.value) } ?? lookUp(name, from: Syntax(conditions))
                        found = .stored(.unwrapped(value), isConstant: isConstant)
                    }
                case .matchingPattern(let matching):
                    if Self.binds(name, Syntax(matching.pattern)) { found = .unknown("bound by a pattern") }
                default: break
                }
            }
            return found
        }

        private func parameter(_ name: String, _ clause: FunctionParameterClauseSyntax) -> CodeTerm? {
            guard let parameter = clause.parameters.first(where: { $0.name == name }) else { return nil }
            let type = self.type(parameter.type)
            return .stored(
                .typed(parameter.ellipsis == nil ? type : .array(type)), isConstant: !Self.isInOut(parameter.type))
        }

        private func parameter(_ name: String, _ closure: ClosureExprSyntax) -> CodeTerm? {
            if name.hasPrefix("$") { return .unknown("a parameter of a closure") }
            if let capture = closure.signature?.capture?.items.first(where: { $0.name.identifierText == name }),
                capture.initializer != nil || (name == "self" && capture.specifier != nil)
            {
                return name == "self" ? nil : .unknown("captured by a closure")
            }
            switch closure.signature?.parameterClause {
            case .simpleInput(let parameters)?:
                return parameters.contains { $0.name.identifierText == name }
                    ? .unknown("a parameter of a closure") : nil
            case .parameterClause(let clause)?:
                guard let parameter = clause.parameters.first(where: { $0.name == name }) else { return nil }
                guard let type = parameter.type else { return .unknown("a parameter of a closure") }
                return .stored(.typed(self.type(type)), isConstant: !Self.isInOut(type))
            case nil: return nil
            }
        }

        private static func isInOut(_ type: TypeSyntax) -> Bool {
            type.as(AttributedTypeSyntax.self)?.specifiers.contains {
                $0.as(SimpleTypeSpecifierSyntax.self)?.specifier.tokenKind == .keyword(.inout)
            } ?? false
        }
    }
#endif
