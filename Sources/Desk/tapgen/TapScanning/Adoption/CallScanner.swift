#if Taps
    import SwiftParser
    import SwiftSyntax

    extension CallFacts {
        /// Reads a file's declarations, and its calls of these functions. Returns nil if the package trait `Taps` is
        /// disabled.
        /// - Parameter replacements: the first names of the expressions that replace calls.
        package static func scan(_ bytes: [UInt8], for patterns: [CallPattern], replacements: [String]) -> CallFacts? {
            let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
            let visitor = CallVisitor(patterns, replacements)
            visitor.result.importOffset = importOffset(of: tree)
            visitor.walk(tree)
            visitor.result.facts = SourceFacts(tree)
            let names = NameScanner(visitor.result, Set(replacements))
            names.walk(tree)
            return names.result
        }

        /// Returns the place for the first import: after the comment at the head of a file, and before the comment of
        /// its first declaration.
        private static func importOffset(of tree: SourceFileSyntax) -> Int {
            var head = Array(tree.description.utf8.prefix(tree.statements.position.utf8Offset))
            for piece in tree.statements.leadingTrivia {
                // Spaces replace the comments, because a blank line inside a comment is not the end of the head.
                head += Trivia(pieces: [piece]).description.utf8.map { piece.isComment ? 0x20 : $0 }
            }
            let blank = head.indices.last { index in
                head[index] == 0x0A && head[..<index].last { $0 != 0x0D } == 0x0A
            }
            if let blank { return blank + 1 }
            guard head.starts(with: Array("#!".utf8)) else { return 0 }
            return head.firstIndex(of: 0x0A).map { $0 + 1 } ?? 0
        }

        /// Returns whether bytes are Swift without syntax errors.
        package static func isSwift(_ bytes: [UInt8]) -> Bool {
            !bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }.hasError
        }
    }

    private final class CallVisitor: SyntaxVisitor {
        var result = CallFacts()
        private let patterns: [CallPattern]
        private let methods: Set<String>
        private let replacements: [String]
        private let reader = TermReader()

        init(_ patterns: [CallPattern], _ replacements: [String]) {
            (self.patterns, self.replacements) = (patterns, replacements)
            methods = Set(patterns.map(\.method))
            super.init(viewMode: .sourceAccurate)
        }

        // MARK: Declarations

        override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
            // An import in `#if` may be inactive.
            if node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true {
                result.imports.insert(node.path.trimmedDescription)
                result.importOffset = node.endPositionBeforeTrailingTrivia.utf8Offset
                result.hasImport = true
            }
            return .skipChildren
        }

        override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
            let isMember = node.parent?.is(MemberBlockItemSyntax.self) == true
            guard isMember || (node.parent?.is(CodeBlockItemSyntax.self) == true && TermReader.isTopLevel(Syntax(node)))
            else {
                return .visitChildren
            }
            guard !TermReader.isLocal(Syntax(node)) else { return .visitChildren }
            let modifiers = Set(node.modifiers.map(\.name.text))
            let isLet = node.bindingSpecifier.tokenKind == .keyword(.let)
            for binding in node.bindings {
                guard let name = binding.name else { continue }
                var term = binding.initializer.map { reader.term(of: $0.value) }
                let isStatic = modifiers.contains("static")
                var isConstant = isLet
                var isComputed = false
                switch binding.accessorBlock?.accessors {
                case .getter(let body)?:
                    isComputed = true
                    term = Self.only(body).map { reader.term(of: $0) }
                    isConstant = !isLet && (isStatic || !isMember)
                case .accessors(let list)?:
                    isComputed = list.contains { ["get", "_read"].contains($0.accessorSpecifier.text) }
                case nil: break
                }
                result.values.append(
                    CallFacts.Value(
                        path: node.scope + [name],
                        type: binding.typeAnnotation.map { CodeType($0.type) }, term: term, isConstant: isConstant,
                        isComputed: isComputed, isStatic: isStatic || modifiers.contains("class"),
                        isPrivate: !modifiers.isDisjoint(with: ["private", "fileprivate"]),
                        wrapper: TermReader.wrapper(of: node)))
            }
            return .visitChildren
        }

        /// Returns the only expression of a getter.
        private static func only(_ body: CodeBlockItemListSyntax) -> ExprSyntax? {
            guard let item = body.first?.item, body.count == 1 else { return nil }
            if case .expr(let expression) = item { return expression }
            if case .stmt(let statement) = item { return statement.as(ReturnStmtSyntax.self)?.expression }
            return nil
        }

        override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
            guard let declaration = node.nearest(EnumDeclSyntax.self), !TermReader.isLocal(Syntax(node)) else {
                return .visitChildren
            }
            let scope = node.scope
            if result.enumerations.last?.path != scope {
                result.enumerations.append(
                    CallFacts.Enumeration(
                        path: scope,
                        rawType: declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription, cases: []
                    ))
            }
            for element in node.elements where element.parameterClause == nil {
                let name = element.name.identifierText
                let raw = element.rawValue.map { reader.term(of: $0.value) } ?? .string(name)
                result.enumerations[result.enumerations.count - 1].cases.append((name, raw))
            }
            return .visitChildren
        }

        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            guard methods.contains(node.name.identifierText) else { return .visitChildren }
            let parameters = node.signature.parameterClause.parameters
            result.functions.append(
                CallFacts.Function(
                    name: node.name.identifierText, scope: node.scope, labels: parameters.map(\.label),
                    types: parameters.map { CodeType($0.type) }, returnsNothing: node.returnsNothing))
            return .visitChildren
        }

        // MARK: Calls

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            guard let (method, base) = Self.callee(node), methods.contains(method) else { return .visitChildren }
            let labels = node.arguments.map { $0.label?.identifierText }
            let fitting = patterns.indices.compactMap { index -> (pattern: Int, positions: [Int])? in
                guard patterns[index].method == method else { return nil }
                return patterns[index].positions(of: labels).map { (index, $0) }
            }
            guard !fitting.isEmpty else { return .visitChildren }
            let path = base.map { Self.path($0) } ?? []
            var call = CallFacts.Call(
                patterns: fitting, method: method,
                callee: node.calledExpression.trimmedDescription.filter { !$0.isWhitespace },
                receiverPath: path, receiver: base.map { reader.term(of: $0) },
                arguments: node.arguments.map(argument), scope: node.scope,
                range: node.startOffset..<node.endPositionBeforeTrailingTrivia.utf8Offset,
                spansLines: node.arguments.trimmedDescription.contains(where: \.isNewline), isResult: false)
            call.obstacle = obstacle(to: node, path: path, isResult: &call.isResult)
            if let first = fitting.first, let name = first.positions.firstIndex(of: patterns[first.pattern].name) {
                call.wrapper = wrapper(around: node, Array(node.arguments)[name])
            }
            result.calls.append(call)
            return .visitChildren
        }

        /// Returns the name of the called function and its receiver.
        private static func callee(_ node: FunctionCallExprSyntax) -> (String, ExprSyntax?)? {
            if let name = node.calledExpression.as(DeclReferenceExprSyntax.self) {
                return (name.baseName.identifierText, nil)
            }
            guard let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base else {
                return nil
            }
            return (member.declName.baseName.identifierText, base)
        }

        /// Returns the names of a receiver such as `Amplitude.instance()`; nil for other expressions.
        private static func path(_ expression: ExprSyntax) -> [String]? {
            switch expression.as(ExprSyntaxEnum.self) {
            case .declReferenceExpr(let node): return [node.baseName.identifierText]
            case .memberAccessExpr(let node):
                guard let base = node.base else { return [node.declName.baseName.identifierText] }
                return path(base).map { $0 + [node.declName.baseName.identifierText] }
            case .functionCallExpr(let node):
                guard node.arguments.isEmpty, node.trailingClosure == nil else { return nil }
                return path(node.calledExpression)
            case .optionalChainingExpr(let node): return path(node.expression)
            case .forceUnwrapExpr(let node): return path(node.expression)
            default: return nil
            }
        }

        private func argument(_ argument: LabeledExprSyntax) -> CallFacts.Argument {
            let line = argument.expression.trimmedDescription.prefix { !$0.isNewline }
            var read = CallFacts.Argument(
                label: argument.label?.identifierText, term: reader.term(of: argument.expression),
                offset: argument.expression.startOffset,
                text: line.count > 40 ? line.prefix(40) + "…" : String(line),
                isLiteral: argument.expression.is(DictionaryExprSyntax.self)
                    || argument.expression.is(NilLiteralExprSyntax.self))
            if let name = argument.expression.as(DeclReferenceExprSyntax.self)?.baseName.identifierText,
                let call = argument.parent?.parent
            {
                read.dictionary = LocalDictionary.read(name, at: call, reader)
            }
            return read
        }

        /// Returns the reason why a call cannot be replaced by another statement.
        private func obstacle(to node: FunctionCallExprSyntax, path: [String]?, isResult: inout Bool) -> String? {
            guard let path else { return "its receiver is an expression" }
            for name in replacements where isHidden(name, from: Syntax(node)) {
                return "`\(name)` is declared in this function"
            }
            if let root = path.first, root.first?.isUppercase == true, isHidden(root, from: Syntax(node)) {
                return "`\(root)` is declared in this function"
            }
            let text = node.calledExpression.trimmedDescription
            if text.contains("?") { return "it is skipped if its receiver is nil" }
            if text.contains("("), !CallPattern.accessors.contains(path.last ?? "") {
                return "its receiver calls a function"
            }
            if node.trailingClosure != nil { return "it has a trailing closure" }
            if Self.hasComment(node) { return "it contains a comment" }
            guard let item = node.parent?.as(CodeBlockItemSyntax.self) else { return "its result is used" }
            return Self.use(of: item, isResult: &isResult)
        }

        /// Returns whether an enclosing function declares a name, other than as a logger of this package.
        private func isHidden(_ name: String, from node: Syntax) -> Bool {
            switch reader.lookUp(name, from: node) {
            case .name(name), .stored(.typed(.named("ActivityLogger")), _): false
            default: true
            }
        }

        /// Returns the use of the value of a statement: the only statement of a function is its result, and that of a
        /// branch may be the value of the `if` or `switch`.
        private static func use(of item: CodeBlockItemSyntax, isResult: inout Bool) -> String? {
            guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1, let block = list.parent,
                let owner = block.is(CodeBlockSyntax.self) ? block.parent : block
            else { return nil }
            switch owner.as(SyntaxEnum.self) {
            case .closureExpr: isResult = true
            case .accessorBlock: return "its result is returned"
            case .accessorDecl(let accessor):
                let isSetter = ["set", "willSet", "didSet", "init"].contains(accessor.accessorSpecifier.text)
                return isSetter ? nil : "its result is returned"
            case .functionDecl(let function): return function.returnsNothing ? nil : "its result is returned"
            case .ifExpr, .switchCase, .ifConfigClause:
                var node = owner
                while let parent = node.parent {
                    if let item = parent.as(CodeBlockItemSyntax.self) { return use(of: item, isResult: &isResult) }
                    // An `if` without `else` has no value.
                    if let branch = node.as(IfExprSyntax.self), branch.elseKeyword == nil { return nil }
                    guard branchParents.contains(parent.kind) else { return "its result is used" }
                    node = parent
                }
            default: break
            }
            return nil
        }

        private static let branchParents: Set<SyntaxKind> = [
            .ifExpr, .switchCaseList, .switchExpr, .ifConfigClause, .ifConfigClauseList, .ifConfigDecl, .expressionStmt,
        ]

        private static func hasComment(_ node: FunctionCallExprSyntax) -> Bool {
            let start = node.positionAfterSkippingLeadingTrivia
            let end = node.endPositionBeforeTrailingTrivia
            return node.tokens(viewMode: .sourceAccurate).contains { token in
                (token.position >= start && token.leadingTrivia.contains(where: \.isComment))
                    || (token.endPosition <= end && token.trailingTrivia.contains(where: \.isComment))
            }
        }

        /// Returns the enclosing function if one of its parameters is the name that a call logs, or its raw value.
        private func wrapper(around node: FunctionCallExprSyntax, _ name: LabeledExprSyntax?) -> CallFacts.Wrapper? {
            var expression = name?.expression
            if let member = expression?.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "rawValue" {
                expression = member.base
            }
            guard let reference = expression?.as(DeclReferenceExprSyntax.self)?.baseName.identifierText,
                let function = node.nearest(FunctionDeclSyntax.self)
            else { return nil }
            let parameters = Array(function.signature.parameterClause.parameters)
            guard let position = parameters.firstIndex(where: { $0.name == reference }) else { return nil }
            return CallFacts.Wrapper(
                name: (node.scope + [function.name.identifierText]).suffix(2).joined(separator: "."),
                labels: parameters.map(\.label), position: position)
        }
    }

    extension TriviaPiece {
        fileprivate var isComment: Bool {
            switch self {
            case .lineComment, .blockComment, .docLineComment, .docBlockComment: true
            default: false
            }
        }
    }
#else
    extension CallFacts {
        /// Returns nil, because Swift can be read only with the package trait `Taps`.
        package static func scan(_ bytes: [UInt8], for patterns: [CallPattern], replacements: [String]) -> CallFacts? {
            nil
        }

        package static func isSwift(_ bytes: [UInt8]) -> Bool { false }
    }
#endif
