#if Taps
    import SwiftSyntax

    /// A dictionary in a variable of a function, with the assignments before a call.
    struct LocalDictionary {
        let name: String
        let call: Syntax
        private let reader: TermReader
        private var entries: [CodeTerm.Entry] = []
        private var problem: String?

        /// Returns the entries of the dictionary at a call; nil if no enclosing function declares the variable.
        static func read(_ name: String, at call: Syntax, _ reader: TermReader) -> CodeTerm? {
            var node = call
            var crossesClosure = false
            var isInLoop = false
            while let parent = node.parent, !parent.is(MemberBlockSyntax.self) {
                if parent.is(ClosureExprSyntax.self) || parent.is(FunctionDeclSyntax.self) { crossesClosure = true }
                if parent.is(ForStmtSyntax.self) || parent.is(WhileStmtSyntax.self) || parent.is(RepeatStmtSyntax.self)
                {
                    isInLoop = true
                }
                if let list = parent.as(CodeBlockItemListSyntax.self), !TermReader.isTopLevel(parent),
                    let (declaration, binding) = declaration(of: name, in: list, before: node)
                {
                    let isPlain = binding.accessorBlock == nil && declaration.attributes.isEmpty
                    guard isPlain else { return .unknown("the dictionary `\(name)` has accessors or a wrapper") }
                    var dictionary = LocalDictionary(name, call, reader)
                    let isConstant = declaration.bindingSpecifier.tokenKind == .keyword(.let)
                    guard isConstant || !crossesClosure else {
                        return .unknown("the dictionary `\(name)` is captured by a closure")
                    }
                    dictionary.begin(with: binding)
                    if !isConstant {
                        for item in list where item.position >= declaration.endPosition {
                            dictionary.collect(Syntax(item), until: isInLoop ? nil : call.endPosition)
                        }
                    }
                    return dictionary.problem.map { .unknown($0) } ?? .dictionary(dictionary.entries)
                }
                // Another declaration hides the variable: a parameter, a pattern, a capture.
                if reader.declared(name, in: parent, before: node) != nil { return nil }
                node = parent
            }
            return nil
        }

        private init(_ name: String, _ call: Syntax, _ reader: TermReader) {
            (self.name, self.call, self.reader) = (name, call, reader)
        }

        private static func declaration(
            of name: String, in list: CodeBlockItemListSyntax, before node: Syntax
        ) -> (VariableDeclSyntax, PatternBindingSyntax)? {
            for item in list where item.position < node.position {
                guard let variable = item.item.as(VariableDeclSyntax.self) else { continue }
                if let binding = variable.bindings.first(where: { $0.name == name }) { return (variable, binding) }
            }
            return nil
        }

        private var values: CodeType?

        private mutating func begin(with binding: PatternBindingSyntax) {
            if case .dictionary(_, let value)? = binding.typeAnnotation.map({ CodeType($0.type) }) { values = value }
            var value = binding.initializer?.value
            if let cast = value?.as(SequenceExprSyntax.self), cast.elements.count == 3,
                let type = Array(cast.elements)[2].as(TypeExprSyntax.self)
            {
                if case .dictionary(_, let inner) = CodeType(type.type) { values = inner }
                value = cast.elements.first
            }
            if let literal = value?.as(DictionaryExprSyntax.self) {
                for entry in reader.entries(literal) { add(entry) }
                // Swift infers one type of number for all literals.
                if values == nil, entries.contains(where: { $0.value == .number }) {
                    for index in entries.indices where entries[index].value == .integer {
                        entries[index].value = .number
                    }
                }
            } else if let made = value?.as(FunctionCallExprSyntax.self), made.arguments.isEmpty,
                let literal = made.calledExpression.as(DictionaryExprSyntax.self),
                case .elements(let elements) = literal.content, let element = elements.first, elements.count == 1
            {
                if let type = element.value.as(DeclReferenceExprSyntax.self) {
                    values = .named(type.baseName.identifierText)
                }
            } else {
                problem = "the dictionary `\(name)` is computed"
            }
        }

        private mutating func add(_ entry: CodeTerm.Entry) {
            var entry = entry
            switch values?.withoutOptional {
            case .named("Any")?, .named("AnyObject")?, .named("AnyHashable")?, .named("NSObject")?, nil: break
            case .other(let text)? where text.hasPrefix("any ") || text.hasPrefix("(any "): break
            default: entry.value = values.map { .typed($0) } ?? entry.value
            }
            entries.append(entry)
        }

        /// Collects the assignments of a statement. Any other change of the variable makes its content unknown.
        /// - Parameter end: the place after which only closures and nested functions matter, because they may run
        ///   earlier; nil in a loop.
        private mutating func collect(_ node: Syntax, until end: AbsolutePosition?) {
            if let reference = node.as(DeclReferenceExprSyntax.self), reference.baseName.identifierText == name,
                node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != reference.id,
                end.map({ node.position < $0 }) ?? true || isInClosure(node), !Self.isRead(reference)
            {
                change(reference)
            }
            for child in node.children(viewMode: .sourceAccurate) { collect(child, until: end) }
        }

        /// Adds the entry of a statement `name[key] = value`.
        private mutating func change(_ reference: DeclReferenceExprSyntax) {
            guard let access = Self.access(to: reference), let sequence = access.parent?.parent,
                let elements = sequence.as(SequenceExprSyntax.self).map({ Array($0.elements) }), elements.count == 3,
                elements[0].id == ExprSyntax(access).id, elements[1].is(AssignmentExprSyntax.self),
                let item = sequence.parent?.as(CodeBlockItemSyntax.self), let list = item.parent,
                !isInClosure(Syntax(item)),
                let key = access.arguments.first, access.arguments.count == 1, key.label == nil
            else {
                problem = "the dictionary `\(name)` is changed in another way before the call"
                return
            }
            var entry = reader.entry(key: key.expression, value: elements[2])
            entry.isConditional = !contains(list) || reference.position > call.position
            add(entry)
        }

        /// Returns the subscript of a variable, as in `name[key]`.
        private static func access(to reference: DeclReferenceExprSyntax) -> SubscriptCallExprSyntax? {
            guard let access = reference.parent?.as(SubscriptCallExprSyntax.self),
                access.calledExpression.id == ExprSyntax(reference).id
            else { return nil }
            return access
        }

        /// Returns whether a reference certainly leaves the variable unchanged: the variable, a value of it, or its
        /// number of values is an argument, an initial value, a result, or an operand of an operator without effects.
        private static func isRead(_ reference: DeclReferenceExprSyntax) -> Bool {
            var node = access(to: reference).map { Syntax($0) } ?? Syntax(reference)
            if let member = node.parent?.as(MemberAccessExprSyntax.self),
                ["count", "isEmpty"].contains(member.declName.baseName.text)
            {
                node = Syntax(member)
            }
            guard let parent = node.parent else { return false }
            switch parent.kind {
            case .initializerClause, .returnStmt, .arrayElement, .dictionaryElement, .conditionElement: return true
            case .labeledExpr:
                return parent.parent?.parent?.is(FunctionCallExprSyntax.self) == true
                    || parent.parent?.parent?.is(ExpressionSegmentSyntax.self) == true
            case .forStmt: return parent.as(ForStmtSyntax.self)?.sequence.id == node.as(ExprSyntax.self)?.id
            case .exprList:
                guard let elements = parent.as(ExprListSyntax.self).map({ Array($0) }),
                    let own = elements.firstIndex(where: { $0.id == node.as(ExprSyntax.self)?.id })
                else { return false }
                return elements.indices.allSatisfy {
                    elements[$0].is(AssignmentExprSyntax.self) ? $0 < own : !isEffect(elements[$0])
                }
            default: return false
            }
        }

        /// Returns whether an operator may change its operands.
        private static func isEffect(_ element: ExprSyntax) -> Bool {
            element.as(BinaryOperatorExprSyntax.self).map {
                !TermReader.lowerThanCasts.contains($0.operator.text) && $0.operator.text != "+"
            } ?? false
        }

        /// Returns whether a list of statements contains the call.
        private func contains(_ list: Syntax) -> Bool { call.ancestors.contains { $0.id == list.id } }

        /// Returns whether a node is in a closure or another block that runs at another time than its place suggests.
        private func isInClosure(_ node: Syntax) -> Bool {
            var node = node
            while let parent = node.parent, !contains(node) {
                if [.closureExpr, .functionDecl, .deferStmt, .accessorBlock].contains(parent.kind) {
                    return !contains(parent)
                }
                node = parent
            }
            return false
        }
    }
#endif
