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
                let binding = variable.bindings.first {
                    $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText == name
                }
                if let binding { return (variable, binding) }
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
        private mutating func collect(_ node: Syntax, until end: AbsolutePosition?) {
            guard end.map({ node.position < $0 }) ?? true, node.id != call.id else { return }
            if let reference = node.as(DeclReferenceExprSyntax.self), reference.baseName.identifierText == name {
                read(reference)
            }
            for child in node.children(viewMode: .sourceAccurate) { collect(child, until: end) }
        }

        private mutating func read(_ reference: DeclReferenceExprSyntax) {
            guard let parent = reference.parent else { return }
            let change = "the dictionary `\(name)` is changed in another way before the call"
            if let access = parent.as(SubscriptCallExprSyntax.self),
                access.calledExpression.id == ExprSyntax(reference).id
            {
                guard let sequence = access.parent?.parent?.as(SequenceExprSyntax.self),
                    let first = sequence.elements.first, first.id == ExprSyntax(access).id
                else {
                    return
                }
                let elements = Array(sequence.elements)
                guard elements.count > 2, elements[1].is(AssignmentExprSyntax.self) else { return }
                guard let item = sequence.parent?.as(CodeBlockItemSyntax.self),
                    let list = item.parent, let key = access.arguments.first?.expression, access.arguments.count == 1,
                    !isInClosure(item), elements.count == 3
                else {
                    problem = change
                    return
                }
                var entry = reader.entry(key: key, value: elements[2])
                if elements.count > 3 { entry.value = .unknown("it is computed") }
                entry.isConditional = !contains(list)
                add(entry)
                return
            }
            if parent.is(InOutExprSyntax.self) {
                problem = change
                return
            }
            if let member = parent.as(MemberAccessExprSyntax.self),
                member.parent?.is(FunctionCallExprSyntax.self) == true
            {
                problem = change
                return
            }
            if let sequence = parent.parent?.as(SequenceExprSyntax.self),
                sequence.elements.first?.id == ExprSyntax(reference).id,
                sequence.elements.count > 1, Array(sequence.elements)[1].is(AssignmentExprSyntax.self)
            {
                problem = change
            }
        }

        /// Returns whether a list of statements contains the call.
        private func contains(_ list: Syntax) -> Bool {
            var node = call
            while let parent = node.parent {
                if parent.id == list.id { return true }
                node = parent
            }
            return false
        }

        private func isInClosure(_ item: CodeBlockItemSyntax) -> Bool {
            var node = Syntax(item)
            while let parent = node.parent, !contains(node) {
                if parent.is(ClosureExprSyntax.self) || parent.is(FunctionDeclSyntax.self) { return !contains(parent) }
                node = parent
            }
            return false
        }
    }
#endif
