package import LogDefinitions

/// A call that logs an event with a string for a name.
package struct LoggedCall: Sendable {
    package struct Column: Sendable {
        package var key: String
        package var keyOffset: Int
        /// The type of the value; nil if the sources do not determine it.
        package var type: LogValueType?
        /// The reason why the type is unknown.
        package var problem: String?
        package var isOptional: Bool
        /// A Boolean value that indicates whether the value is a literal that other number types accept, too.
        package var isLiteral: Bool
        /// The string of a literal.
        package var text: String?
        /// A Boolean value that indicates whether the value is `nil`.
        package var isNil: Bool
        package var valueRange: Range<Int>
        package var isPure: Bool
    }

    package var file: Int
    package var range: Range<Int>
    package var spansLines: Bool
    /// The function as written, without arguments.
    package var callee: String
    /// The event's name; nil if it is not certain.
    package var name: String?
    package var columns: [Column]
    /// A Boolean value that indicates whether these are all columns of the call.
    package var isComplete: Bool
    /// The first reason why the call cannot be rewritten, and its place.
    package var obstacle: (reason: String, offset: Int)?

    /// Returns the calls of all files, in order of files and offsets.
    /// - Parameter logger: the first name of the logger in replacements.
    package static func find(_ patterns: [CallPattern], in files: [CallFacts], logger: String) -> [LoggedCall] {
        var finder = CallFinder(patterns, files, logger)
        return files.indices.flatMap { file in
            files[file].calls.sorted { $0.range.lowerBound < $1.range.lowerBound }.compactMap {
                finder.read($0, in: file)
            }
        }
    }

    /// Returns the first declaration of a name that replacements use.
    package static func declaration(of name: String, in files: [CallFacts]) -> (file: Int, offset: Int)? {
        for (number, file) in files.enumerated() {
            if let offset = file.replacementOffsets[name] { return (number, offset) }
        }
        return nil
    }
}

private struct CallFinder {
    let patterns: [CallPattern]
    private let logger: String
    private var resolver: TermResolver
    private let functions: [String: [(function: CallFacts.Function, file: Int)]]

    private typealias Declared = (function: CallFacts.Function, scope: TermResolver.Scope)

    init(_ patterns: [CallPattern], _ files: [CallFacts], _ logger: String) {
        (self.patterns, self.logger) = (patterns, logger)
        resolver = TermResolver(files, logger: logger)
        functions = Dictionary(
            grouping: files.enumerated().flatMap { number, file in file.functions.map { ($0, number) } }, by: \.0.name)
    }

    mutating func read(_ call: CallFacts.Call, in file: Int) -> LoggedCall? {
        let scope = TermResolver.Scope(types: call.scope, file: file)
        guard let (pattern, positions) = match(call, scope) else { return nil }
        var logged = LoggedCall(
            file: file, range: call.range, spansLines: call.spansLines, callee: call.callee, name: nil, columns: [],
            isComplete: true, obstacle: nil)
        func argument(_ position: Int?) -> CallFacts.Argument? {
            position.flatMap { positions.firstIndex(of: $0) }.map { call.arguments[$0] }
        }
        let declared = declaration(of: call, pattern)
        readName(argument(pattern.name), call, pattern, declared, scope, &logged)
        readColumns(argument(pattern.parameters), pattern, declared, scope, &logged)
        for (position, argument) in zip(positions, call.arguments)
        where position != pattern.name && position != pattern.parameters {
            logged.stop("the argument `\(argument.text)` is neither the name nor the parameters", argument.offset)
        }
        if let obstacle = call.obstacle { logged.stop(obstacle, call.range.lowerBound) }
        if let problem = problem(of: call, pattern, scope) { logged.stop(problem, call.range.lowerBound) }
        let returnsNothing = pattern.returnsNothing || (declared?.function.returnsNothing ?? false)
        if call.isResult, !returnsNothing {
            logged.stop("its result may be returned by a closure", call.range.lowerBound)
        }
        return logged
    }

    /// Returns the first pattern that fits a call.
    private mutating func match(_ call: CallFacts.Call, _ scope: TermResolver.Scope) -> (CallPattern, [Int])? {
        for (number, positions) in call.patterns {
            let pattern = patterns[number]
            guard let wanted = pattern.receiver.last else { return (pattern, positions) }
            if let path = call.receiverPath, pattern.matches(path) { return (pattern, positions) }
            let isOfOwn = call.receiver == nil || call.receiver == .name("self") || call.receiver == .name("Self")
            if isOfOwn,
                resolver.index.lineage(of: resolver.path(of: scope)).contains(where: { Self.last($0) == wanted })
            {
                return (pattern, positions)
            }
            if let receiver = call.receiver, let type = try? resolver.type(receiver, in: scope).type.withoutOptional,
                case .named(let name) = type,
                resolver.index.lineage(of: name).contains(where: { Self.last($0) == wanted })
            {
                return (pattern, positions)
            }
        }
        return nil
    }

    /// Returns the reason why the receiver or the logger may be another one than the names show.
    private mutating func problem(of call: CallFacts.Call, _ pattern: CallPattern, _ scope: TermResolver.Scope)
        -> String?
    {
        if resolver.isAmbiguous(logger, in: scope.file) || !isUsualLogger(scope) {
            return "`\(logger)` may be another one here"
        }
        guard let receiver = call.receiver else { return nil }
        if isComputed(receiver, scope) { return "its receiver is computed" }
        if call.callee.contains("("), let name = call.receiverPath?.last,
            (try? resolver.checkMeaning(of: [name])) == nil
        {
            return "its receiver calls a function"
        }
        guard let root = call.receiverPath?.first, let wanted = pattern.receiver.last else { return nil }
        let type = try? resolver.type(receiver, in: scope).type.withoutOptional
        if case .named(let name)? = type, resolver.index.types[name] != nil,
            !resolver.index.lineage(of: name).contains(where: { Self.last($0) == wanted })
        {
            return "its receiver is a `\(name)`"
        }
        let named = resolver.index.resolve(root, from: scope.types).names.first ?? root
        let isAlias =
            named != root
            && (named.contains(".") || !resolver.index.lineage(of: named).contains { Self.last($0) == wanted })
        if isAlias || resolver.isAmbiguous(root, in: scope.file) {
            return "`\(root)` may be another type here"
        }
        var owner = named
        if case .named(let name)? = type { owner = name }
        let isOwn = resolver.index.lineage(of: owner).contains {
            Self.last($0) == wanted && resolver.index.types[$0] != nil
        }
        return pattern.isKnown && isOwn ? "the sources declare `\(wanted)`: name its function with `--calls`" : nil
    }

    /// Returns whether the logger that a call sees is one of this package, or has the type of all others of its name.
    private mutating func isUsualLogger(_ scope: TermResolver.Scope) -> Bool {
        func type(_ found: TermResolver.Found) -> CodeType? {
            var resolver = resolver
            return try? resolver.type(of: [found], named: logger, literal: nil, found.scope).type
        }
        let seen = resolver.constants(.name(logger), scope).map(type)
        guard !seen.allSatisfy({ $0 == .named("ActivityLogger") }) else { return true }
        // A type of the app is meant if the option `--logger` names the logger.
        let isOfApp = seen.contains {
            if case .named(let name)? = $0 { resolver.index.types[name] != nil } else { false }
        }
        if isOfApp, logger == "activityLogger" { return false }
        let all = resolver.declarations(of: logger).map(type)
        return seen.allSatisfy { $0 == all.first } && all.allSatisfy { $0 == all.first }
    }

    /// Returns whether the evaluation of a receiver runs a getter or a property wrapper that the app declares. Such
    /// code may have side effects. A getter that only returns another property does not count.
    private mutating func isComputed(_ receiver: CodeTerm, _ scope: TermResolver.Scope, _ depth: Int = 0) -> Bool {
        switch receiver {
        case .member(let inner, _), .optionalMember(let inner, _):
            if isComputed(inner, scope, depth) { return true }
        case .name: break
        case .unwrapped(let inner), .stored(let inner, _): return isComputed(inner, scope, depth)
        case .typed: return false
        default: return depth > 0
        }
        return resolver.constants(receiver, scope).contains { value, scope in
            if let wrapper = value.wrapper, resolver.index.types[wrapper] != nil { return true }
            guard value.isComputed else { return false }
            guard depth < 20, let term = value.term else { return true }
            return isComputed(term, scope, depth + 1)
        }
    }

    private static func last(_ path: String) -> String { path.split(separator: ".").last.map(String.init) ?? path }

    /// Returns the declaration of the called function in the sources. If several fit, their types have to be the same.
    private func declaration(of call: CallFacts.Call, _ pattern: CallPattern) -> Declared? {
        let all = (functions[call.method] ?? []).filter { $0.function.labels == pattern.labels }
        let wanted = pattern.receiver.last
        let own = all.filter { wanted == nil || $0.function.scope.last == wanted }
        let found = own.isEmpty ? all : own
        guard let first = found.first,
            found.allSatisfy({
                $0.function.types[pattern.name] == first.function.types[pattern.name]
                    && $0.function.returnsNothing == first.function.returnsNothing
            })
        else { return nil }
        return (first.function, TermResolver.Scope(types: first.function.scope, file: first.file))
    }

    private mutating func readName(
        _ argument: CallFacts.Argument?, _ call: CallFacts.Call, _ pattern: CallPattern, _ declared: Declared?,
        _ scope: TermResolver.Scope, _ logged: inout LoggedCall
    ) {
        guard let argument else { return }
        do throws(TermResolver.Unknown) {
            let context = declared.map { ($0.function.types[pattern.name], $0.scope) }
            let name = try resolver.string(argument.term, in: scope, as: context, allowsCase: true)
            if name.isEmpty { throw TermResolver.Unknown("empty") }
            logged.name = name
        } catch {
            var reason = error.reason
            if let wrapper = call.wrapper {
                let isKnown = patterns.contains {
                    $0.method == wrapper.name.split(separator: ".").last.map(String.init) && $0.labels == wrapper.labels
                }
                reason = "a parameter of `\(wrapper.text)`" + (isKnown ? "" : ", which `--calls` may name")
            }
            logged.stop("the name `\(argument.text)` is not certain: \(reason)", argument.offset)
        }
    }

    // MARK: Columns

    private mutating func readColumns(
        _ argument: CallFacts.Argument?, _ pattern: CallPattern, _ declared: Declared?, _ scope: TermResolver.Scope,
        _ logged: inout LoggedCall
    ) {
        guard let argument else { return }
        let term = argument.dictionary ?? argument.term
        guard let (entries, found, isLocal) = entries(term, scope) else {
            logged.isComplete = false
            var reason = "computed or passed in"
            if case .unknown(let known) = term { reason = known }
            return logged.stop("the parameters `\(argument.text)` are not certain: \(reason)", argument.offset)
        }
        var declaredTypes: (key: CodeType, value: CodeType, scope: TermResolver.Scope)?
        if let declared, let position = pattern.parameters,
            case .dictionary(let key, let value) = declared.function.types[position].withoutOptional
        {
            declaredTypes = (key, value, declared.scope)
        }
        for entry in entries { read(entry, found, isLocal ? declaredTypes : nil, &logged) }
        if !argument.isLiteral {
            logged.stop("the parameters `\(argument.text)` are not a dictionary literal in the call", argument.offset)
        }
    }

    /// Returns the entries of a dictionary, the place of its expression, and whether it is in the calling function.
    private func entries(_ term: CodeTerm, _ scope: TermResolver.Scope, _ depth: Int = 0) -> (
        [CodeTerm.Entry], TermResolver.Scope, Bool
    )? {
        switch term {
        case .null: return ([], scope, true)
        case .dictionary(let entries): return (entries, scope, depth == 0)
        case .stored(let inner, true): return entries(inner, scope, depth)
        case .name, .member:
            let values = resolver.constants(term, scope)
            guard depth < 20, values.count == 1, let (value, scope) = values.first,
                resolver.isFixed(value, scope), let term = value.term
            else { return nil }
            return entries(term, scope, depth + 1)
        default: return nil
        }
    }

    private mutating func read(
        _ entry: CodeTerm.Entry, _ scope: TermResolver.Scope,
        _ declared: (key: CodeType, value: CodeType, scope: TermResolver.Scope)?, _ logged: inout LoggedCall
    ) {
        let key: String
        do throws(TermResolver.Unknown) {
            key = try resolver.string(
                entry.key, in: scope, as: declared.map { ($0.key, $0.scope) }, allowsCase: declared != nil)
        } catch {
            logged.isComplete = false
            return logged.stop("a key is not certain: \(error.reason)", entry.keyOffset)
        }
        var column = LoggedCall.Column(
            key: key, keyOffset: entry.keyOffset, type: nil, problem: nil, isOptional: entry.isConditional,
            isLiteral: false, text: nil, isNil: entry.value == .null, valueRange: entry.valueRange, isPure: entry.isPure
        )
        if case .string(let text) = entry.value { column.text = text }
        do throws(TermResolver.Unknown) {
            if column.isNil {
                column.isOptional = true
            } else {
                var (type, isLiteral) = try resolver.type(entry.value, in: scope)
                // A literal has the dictionary's type of values.
                if isLiteral, let declared, let known = try? resolver.column(declared.value) {
                    (type, isLiteral) = (declared.value, false)
                    column.type = known.type
                }
                let known = try resolver.column(type)
                column.type = known.type
                column.isLiteral = isLiteral
                column.isOptional = column.isOptional || known.isOptional
            }
        } catch {
            column.problem = error.reason
            logged.stop("the type of `\(key)` is not certain: \(error.reason)", entry.keyOffset)
        }
        logged.add(column)
    }
}

extension LoggedCall {
    /// Keeps the first obstacle.
    fileprivate mutating func stop(_ reason: String, _ offset: Int) {
        if obstacle == nil { obstacle = (reason, offset) }
    }

    /// Adds a column. A later assignment of a key replaces an earlier one.
    fileprivate mutating func add(_ column: Column) {
        guard let index = columns.firstIndex(where: { ExactString($0.key) == ExactString(column.key) }) else {
            columns.append(column)
            return
        }
        stop("the key `\(column.key)` occurs twice", column.keyOffset)
        let isRequired = !columns[index].isOptional || !column.isOptional
        let known = columns[index]
        columns[index] = column
        columns[index].isOptional = !isRequired
        if let one = known.type, let other = column.type, one != other {
            columns[index].type = nil
            columns[index].problem = "its assignments have different types"
        }
    }
}
