#if Taps
    import SwiftParser
    import SwiftSyntax

    extension CallFacts {
        /// Nil if the package trait `Taps` is disabled.
        /// - Parameter replacements: the first names of the expressions that replace calls.
        static func scan(_ bytes: [UInt8], for patterns: [CallPattern], replacements: [String]) -> CallFacts? {
            let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
            let visitor = CallVisitor(patterns, replacements)
            visitor.result.importOffset = importOffset(of: tree)
            visitor.result.hasSyntaxErrors = tree.hasError
            visitor.walk(tree)
            return visitor.result
        }

        /// Returns the place for an import: after the file's head comment, and before that of its first declaration.
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

        static func isSwift(_ bytes: [UInt8]) -> Bool {
            !bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }.hasError
        }
    }

    private final class CallVisitor: SyntaxVisitor {
        var result = CallFacts()
        private let patterns: [CallPattern]
        private let methods: Set<String>
        private let receivers: Set<String>
        private let replacements: Set<String>
        private let wanted: Set<String>

        init(_ patterns: [CallPattern], _ replacements: [String]) {
            self.patterns = patterns
            self.replacements = Set(replacements)
            methods = Set(patterns.map(\.method))
            receivers = Set(patterns.compactMap(\.receiver.last))
            wanted = self.replacements.union(CallPattern.accessors).union(LoggedCall.literalTypes).union(
                receivers.flatMap { [$0, $0.prefix(1).lowercased() + $0.dropFirst()] })
            super.init(viewMode: .sourceAccurate)
        }

        // MARK: Declarations

        private func declare(_ token: TokenSyntax, _ type: String = CallFacts.unwritten) {
            let name = token.identifierText
            if receivers.contains(type) { result.instances[name, default: []].insert(type) }
            guard wanted.contains(name) else { return }
            result.declared[name, default: []].append(type)
            if replacements.contains(name), result.replacementOffsets[name] == nil {
                result.replacementOffsets[name] = token.startOffset
            }
        }

        private func declare(type name: TokenSyntax, isAlias: Bool = false) -> SyntaxVisitorContinueKind {
            let isOfFile = name.ancestors.dropFirst().allSatisfy { Self.kindsOfFile.contains($0.kind) }
            declare(
                name, isAlias ? CallFacts.unwritten : isOfFile ? CallFacts.typeDeclaration : CallFacts.nestedType)
            result.typeNames[name.identifierText, default: 0] += 1
            return .visitChildren
        }

        private static let kindsOfFile: Set<SyntaxKind> = [
            .codeBlockItem, .codeBlockItemList, .ifConfigClause, .ifConfigClauseList, .ifConfigDecl, .sourceFile,
        ]

        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node.name) }
        override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node.name) }
        override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node.name) }
        override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node.name) }
        override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { declare(type: node.name) }
        override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
            declare(type: node.name, isAlias: true)
        }
        override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
            declare(type: node.name, isAlias: true)
        }
        override func visit(_ node: GenericParameterSyntax) -> SyntaxVisitorContinueKind {
            declare(type: node.name, isAlias: true)
        }

        override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
            // `import struct Clock.Analytics`
            if node.importKindSpecifier != nil, let name = node.path.last?.name { declare(name) }
            // An import in `#if` may be inactive.
            if node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true {
                result.imports.insert(node.path.trimmedDescription)
                result.importOffset = node.endPositionBeforeTrailingTrivia.utf8Offset
                result.hasImport = true
            }
            return .skipChildren
        }

        override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
            let scope = node.scope
            if result.enumerations.last?.path != scope {
                let inherited = node.nearest(EnumDeclSyntax.self)?.inheritanceClause?.inheritedTypes.first
                result.enumerations.append(.init(path: scope, rawType: inherited?.type.trimmedDescription))
            }
            let last = result.enumerations.count - 1
            for element in node.elements {
                let name = element.name.identifierText
                declare(element.name)
                let literal = element.rawValue?.value.as(StringLiteralExprSyntax.self)
                let raw = element.rawValue == nil ? name : literal?.representedLiteralValue
                let isRepeated = result.enumerations[last].cases[name] != nil
                result.enumerations[last].cases[name] = .some(isRepeated ? nil : raw)
            }
            return .visitChildren
        }

        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            declare(node.name)
            if methods.contains(node.name.identifierText) {
                let parameters = node.signature.parameterClause.parameters
                result.functions.append(
                    CallFacts.Function(
                        name: node.name.identifierText, type: node.scope.last, labels: parameters.map(\.label),
                        types: parameters.map { $0.type.trimmedDescription }, returnsNothing: node.returnsNothing))
            }
            return .visitChildren
        }

        override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
            if node.identifier.text == "rawValue", let type = node.scope.last { result.ownRawValues.insert(type) }
            declare(node.identifier, node.parent?.as(PatternBindingSyntax.self).map(Self.type) ?? CallFacts.unwritten)
            return .visitChildren
        }

        override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
            declare(node.secondName ?? node.firstName, Self.text(node.type))
            return .visitChildren
        }

        override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
            declare(node.secondName ?? node.firstName, node.type.map(Self.text) ?? CallFacts.unwritten)
            return .visitChildren
        }

        override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
            declare(node.name)
            return .visitChildren
        }

        override func visit(_ node: ClosureCaptureSyntax) -> SyntaxVisitorContinueKind {
            if node.initializer != nil { declare(node.name) }
            return .visitChildren
        }

        private static func text(_ type: TypeSyntax) -> String {
            type.as(OptionalTypeSyntax.self)?.wrappedType.trimmedDescription ?? type.trimmedDescription
        }

        private static func type(of binding: PatternBindingSyntax) -> String {
            let variable = binding.parent?.parent?.as(VariableDeclSyntax.self)
            let hasWrapper = variable?.attributes.contains {
                $0.trimmedDescription.dropFirst().first?.isUppercase ?? true
            }
            switch binding.accessorBlock?.accessors {
            case .getter?: return CallFacts.unwritten
            case .accessors(let list)? where list.contains { ["get", "_read"].contains($0.accessorSpecifier.text) }:
                return CallFacts.unwritten
            case .accessors?, nil: break
            }
            guard hasWrapper != true else { return CallFacts.unwritten }
            if let annotation = binding.typeAnnotation { return text(annotation.type) }
            let path = (binding.initializer?.value).flatMap { Self.path($0) } ?? []
            let names = path.filter { !CallPattern.accessors.contains($0) }
            guard names.count == 1, names[0].first?.isUppercase == true else { return CallFacts.unwritten }
            return names[0]
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
            var call = CallFacts.Call(
                patterns: fitting, method: method,
                callee: node.calledExpression.trimmedDescription.filter { !$0.isWhitespace },
                receiver: base.map { Self.path($0) } ?? [], arguments: node.arguments.map(Self.argument),
                scope: node.scope, range: node.startOffset..<node.endPositionBeforeTrailingTrivia.utf8Offset)
            call.obstacle = Self.obstacleToReplacement(to: node, path: call.receiver, isResult: &call.isResult)
            if let first = fitting.first, let name = first.positions.firstIndex(of: patterns[first.pattern].name) {
                call.wrapper = Self.wrapper(around: node, Array(node.arguments)[name])
            }
            result.calls.append(call)
            return .visitChildren
        }

        private static func callee(_ node: FunctionCallExprSyntax) -> (String, ExprSyntax?)? {
            if let name = node.calledExpression.as(DeclReferenceExprSyntax.self) {
                return (name.baseName.identifierText, nil)
            }
            guard let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base else {
                return nil
            }
            return (member.declName.baseName.identifierText, base)
        }

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

        private static func argument(_ argument: LabeledExprSyntax) -> CallFacts.Argument {
            let line = argument.expression.trimmedDescription.prefix { !$0.isNewline }
            return CallFacts.Argument(
                term: term(of: argument.expression), offset: argument.expression.startOffset,
                text: line.count > 40 ? line.prefix(40) + "…" : String(line))
        }

        private static func term(of expression: ExprSyntax) -> CodeTerm {
            switch expression.as(ExprSyntaxEnum.self) {
            case .stringLiteralExpr(let node): return node.representedLiteralValue.map(CodeTerm.string) ?? .interpolated
            case .integerLiteralExpr: return .integer
            case .floatLiteralExpr: return .number
            case .booleanLiteralExpr: return .boolean
            case .nilLiteralExpr: return .null
            case .prefixOperatorExpr(let node):
                let operand = term(of: node.expression)
                return node.operator.text == "-" && [.integer, .number].contains(operand) ? operand : .other
            case .memberAccessExpr:
                guard var names = dottedNames(of: expression) else { return .other }
                let isRaw = names.last == "rawValue"
                if isRaw { names.removeLast() }
                guard let name = names.popLast() else { return .other }
                return .enumerationCase(path: names, name: name, isRaw: isRaw)
            case .dictionaryExpr(let node):
                guard case .elements(let elements) = node.content else { return .dictionary([]) }
                return .dictionary(
                    elements.map { element in
                        let end = element.value.endPositionBeforeTrailingTrivia.utf8Offset
                        return CodeTerm.Entry(
                            key: term(of: element.key), keyOffset: element.key.startOffset,
                            value: term(of: element.value), valueRange: element.value.startOffset..<end)
                    })
            default: return .other
            }
        }

        private static func dottedNames(of expression: ExprSyntax) -> [String]? {
            if let name = expression.as(DeclReferenceExprSyntax.self) {
                return name.argumentNames == nil ? [name.baseName.identifierText] : nil
            }
            guard let member = expression.as(MemberAccessExprSyntax.self), member.declName.argumentNames == nil else {
                return nil
            }
            let name = member.declName.baseName.identifierText
            guard let base = member.base else { return [name] }
            return dottedNames(of: base).map { $0 + [name] }
        }

        private static func obstacleToReplacement(
            to node: FunctionCallExprSyntax, path: [String]?, isResult: inout Bool
        ) -> String? {
            guard let path else { return "its receiver is an expression" }
            let text = node.calledExpression.trimmedDescription
            if text.contains("?") { return "it is skipped if its receiver is nil" }
            if text.contains("("), !CallPattern.accessors.contains(path.last ?? "") {
                return "its receiver calls a function"
            }
            if node.trailingClosure != nil { return "it has a trailing closure" }
            if hasComment(node) { return "it contains a comment" }
            guard let item = node.parent?.as(CodeBlockItemSyntax.self) else { return "its result is used" }
            return use(of: item, isResult: &isResult)
        }

        /// Returns the use of a lone statement's result: a function returns it, or it is the value of an `if`.
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
        private static func wrapper(around node: FunctionCallExprSyntax, _ name: LabeledExprSyntax?) -> CallFacts
            .Wrapper?
        {
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
        static func scan(_ bytes: [UInt8], for patterns: [CallPattern], replacements: [String]) -> CallFacts? {
            nil
        }

        static func isSwift(_ bytes: [UInt8]) -> Bool { false }
    }
#endif
