#if Taps
    import SwiftParser
    import SwiftSyntax

    typealias TypeShape = SourceFacts.TypeShape

    extension SourceFacts.TypeShape {
        /// Reads a type as written. Returns nil if a button cannot have a type of this form.
        init?(_ type: TypeSyntax) {
            self.init(type: type)
            text = type.trimmedDescription
        }

        /// Reads a type without setting `text`, which would otherwise be computed at each level of nesting.
        private init?(type: TypeSyntax) {
            switch type.as(TypeSyntaxEnum.self) {
            case .identifierType(let node):
                let arguments = node.genericArgumentClause?.arguments
                if let argument = arguments?.first, arguments?.count == 1, case .type(let inner) = argument.argument {
                    switch node.name.text {
                    case "Optional": self.init(type: inner)
                    case "Array": self.init(arrayOf: inner)
                    default: self.init([node.name.identifierText], text: "")
                    }
                } else {
                    self.init([node.name.identifierText], text: "")
                }
            case .memberType(let node):
                if node.baseType.as(IdentifierTypeSyntax.self)?.name.text == "Swift",
                    let inner = TypeSyntax(node.withoutModule)
                {
                    self.init(type: inner)
                } else {
                    self.init(member: node)
                }
            case .optionalType(let node): self.init(type: node.wrappedType)
            case .implicitlyUnwrappedOptionalType(let node): self.init(type: node.wrappedType)
            case .arrayType(let node): self.init(arrayOf: node.element)
            case .attributedType(let node): self.init(type: node.baseType)
            case .compositionType(let node):
                self.init(node.elements.flatMap { Self(type: $0.type)?.names ?? [] }, text: "")
            case .tupleType(let node):
                guard let element = node.elements.first, node.elements.count == 1, element.firstName == nil else {
                    return nil
                }
                self.init(type: element.type)
            case .someOrAnyType(let node): self.init(type: node.constraint)
            default: return nil
            }
        }

        private init?(member: MemberTypeSyntax) {
            var names = [member.name.identifierText]
            var base = member.baseType
            while let around = base.as(MemberTypeSyntax.self) {
                names.append(around.name.identifierText)
                base = around.baseType
            }
            guard let first = base.as(IdentifierTypeSyntax.self) else { return nil }
            names.append(first.name.identifierText)
            self.init([names.reversed().joined(separator: ".")], text: "")
        }

        /// Reads an array's element type. Returns nil for an array of arrays.
        private init?(arrayOf element: TypeSyntax) {
            guard let shape = Self(type: element), !shape.isArray else { return nil }
            self = shape
            isArray = true
        }

        /// Infers the type of an initializer call, a cast, or the result of a closure that is called immediately.
        init?(evidentIn expression: ExprSyntax) {
            var locals: [String: TypeShape] = [:]
            self.init(expression, &locals)
        }

        private init?(_ expression: ExprSyntax, _ locals: inout [String: TypeShape]) {
            switch expression.as(ExprSyntaxEnum.self) {
            case .functionCallExpr(let call):
                if let closure = call.calledExpression.as(ClosureExprSyntax.self) {
                    guard call.arguments.isEmpty, call.trailingClosure == nil else { return nil }
                    self.init(returnedBy: closure)
                } else {
                    self.init(calling: call.calledExpression)
                }
            case .arrayExpr(let array):
                let shapes = array.elements.map { Self($0.expression, &locals) }
                guard var first = shapes.first ?? nil, !first.isArray,
                    shapes.allSatisfy({ $0?.names == first.names && $0?.isArray == false })
                else {
                    return nil
                }
                first.isArray = true
                first.text = "[\(first.text)]"
                self = first
            case .tupleExpr(let tuple):
                guard let value = tuple.only else { return nil }
                self.init(value, &locals)
            case .tryExpr(let node): self.init(node.expression, &locals)
            case .awaitExpr(let node): self.init(node.expression, &locals)
            case .sequenceExpr(let sequence):
                // Operators are not folded yet, so `as` is an element before its type.
                let elements = Array(sequence.elements)
                guard elements.count == 3, elements[1].is(UnresolvedAsExprSyntax.self),
                    let type = elements[2].as(TypeExprSyntax.self)
                else {
                    return nil
                }
                self.init(type.type)
            case .declReferenceExpr(let node):
                guard node.argumentNames == nil, let known = locals[node.baseName.identifierText] else { return nil }
                self = known
            default: return nil
            }
        }

        /// Reads a callee as a type. If the callee is a function, the later lookup of types does not find it.
        private init?(calling expression: ExprSyntax) {
            var callee = expression
            while let member = callee.as(MemberAccessExprSyntax.self), let base = member.base,
                member.declName.baseName.tokenKind == .keyword(.`init`)
            {
                callee = base
            }
            let text = callee.trimmedDescription
            var parser = Parser(text.hasPrefix("self.") ? String(text.dropFirst(5)) : text)
            let type = TypeSyntax.parse(from: &parser)
            guard !type.hasError else { return nil }
            self.init(type)
        }

        private init?(returnedBy closure: ClosureExprSyntax) {
            if let type = closure.signature?.returnClause?.type {
                self.init(type)
                return
            }
            var locals: [String: TypeShape] = [:]
            for statement in closure.statements {
                if let variable = statement.item.as(VariableDeclSyntax.self) {
                    for binding in variable.bindings {
                        guard let name = binding.name else { continue }
                        locals[name] =
                            binding.typeAnnotation.flatMap { TypeShape($0.type) }
                            ?? binding.initializer.flatMap { TypeShape($0.value, &locals) }
                    }
                } else if let value = statement.item.as(ReturnStmtSyntax.self)?.expression {
                    self.init(value, &locals)
                    return
                } else if closure.statements.count == 1, case .expr(let value) = statement.item {
                    self.init(value, &locals)
                    return
                }
            }
            return nil
        }
    }

    extension MemberTypeSyntax {
        fileprivate var withoutModule: IdentifierTypeSyntax {
            IdentifierTypeSyntax(name: name, genericArgumentClause: genericArgumentClause)
        }
    }
#endif
