import LogDefinitions

/// A call that logs an event with a string for a name.
struct LoggedCall: Sendable {
    struct Column: Sendable {
        var key: String
        var keyOffset: Int
        /// The type of the value; nil if the value is not a literal or a raw value.
        var type: LogValueType?
        /// The reason why the type is unknown.
        var problem: String?
        /// A Boolean value that indicates whether the value is a literal that other number types accept, too.
        var isLiteral = false
        /// The string of a literal.
        var text: String?
        var isNil: Bool
        var valueRange: Range<Int>
        /// A Boolean value that indicates whether the evaluation has no effect and always has the same result.
        var isPure: Bool
    }

    var file: Int
    var range: Range<Int>
    /// The function as written, without arguments.
    var callee: String
    /// The event's name; nil if it is not certain.
    var name: String?
    var columns: [Column]
    /// A Boolean value that indicates whether these are all columns of the call.
    var isComplete: Bool
    /// The first reason why the call cannot be rewritten, and its place.
    var obstacle: (reason: String, offset: Int)?

    /// The types of literals, which are those of the standard library unless the sources declare the names.
    static let literalTypes: Set<String> = [
        "String", "Int", "Double", "Bool", "StringLiteralType", "IntegerLiteralType", "FloatLiteralType",
        "BooleanLiteralType",
    ]

    /// Returns the calls of all files, in order of files and offsets.
    /// - Parameter logger: the first name of the logger in replacements.
    static func find(_ patterns: [CallPattern], in files: [CallFacts], logger: String) -> [LoggedCall] {
        let finder = CallFinder(patterns, files, logger)
        return files.indices.flatMap { file in
            files[file].calls.sorted { $0.range.lowerBound < $1.range.lowerBound }.compactMap {
                finder.read($0, in: file)
            }
        }
    }

    /// Returns the first declaration of a name that replacements use.
    static func declaration(of name: String, in files: [CallFacts]) -> (file: Int, offset: Int)? {
        for (number, file) in files.enumerated() {
            if let offset = file.replacementOffsets[name] { return (number, offset) }
        }
        return nil
    }
}

/// Matches calls as they are written. A name with several meanings in the sources is uncertain. Resolving it would
/// require Swift's name lookup.
private struct CallFinder {
    private struct Uncertain: Error {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private let patterns: [CallPattern]
    private let logger: String
    private let functions: [String: [CallFacts.Function]]
    private let enumerations: [String: [CallFacts.Enumeration]]
    private var typeNames: [String: Int] = [:]
    private var declared: [String: [String]] = [:]
    private var instances: [String: Set<String>] = [:]
    private var ownRawValues: Set<String> = []

    init(_ patterns: [CallPattern], _ files: [CallFacts], _ logger: String) {
        (self.patterns, self.logger) = (patterns, logger)
        functions = Dictionary(grouping: files.flatMap(\.functions), by: \.name)
        enumerations = Dictionary(grouping: files.flatMap(\.enumerations)) { $0.path.last ?? "" }
        for file in files {
            typeNames.merge(file.typeNames, uniquingKeysWith: +)
            declared.merge(file.declared, uniquingKeysWith: +)
            instances.merge(file.instances) { $0.union($1) }
            ownRawValues.formUnion(file.ownRawValues)
        }
    }

    func read(_ call: CallFacts.Call, in file: Int) -> LoggedCall? {
        guard let (number, positions) = call.patterns.first(where: { matches(call, patterns[$0.pattern]) }) else {
            return nil
        }
        let pattern = patterns[number]
        var logged = LoggedCall(
            file: file, range: call.range, callee: call.callee, name: nil, columns: [], isComplete: true, obstacle: nil)
        func argument(_ position: Int?) -> CallFacts.Argument? {
            position.flatMap { positions.firstIndex(of: $0) }.map { call.arguments[$0] }
        }
        let function = function(of: call, pattern)
        readName(argument(pattern.name), call, function?.types[pattern.name], &logged)
        let type = pattern.parameters.flatMap { function?.types[$0] }
        readColumns(argument(pattern.parameters), type, &logged)
        for (position, argument) in zip(positions, call.arguments)
        where position != pattern.name && position != pattern.parameters {
            logged.stop("the argument `\(argument.text)` is neither the name nor the parameters", argument.offset)
        }
        let obstacles = [call.obstacle, problemOfLogger, receiverProblem(of: call, pattern)].compactMap { $0 }
        if let obstacle = obstacles.first { logged.stop(obstacle, call.range.lowerBound) }
        if call.isResult, !pattern.returnsNothing, function?.returnsNothing != true {
            logged.stop("its result may be returned by a closure", call.range.lowerBound)
        }
        return logged
    }

    // MARK: The receiver and the logger

    private func matches(_ call: CallFacts.Call, _ pattern: CallPattern) -> Bool {
        guard let wanted = pattern.receiver.last, let path = call.receiver else { return pattern.receiver.isEmpty }
        if pattern.matches(path) || names(path).last.flatMap({ instances[$0] })?.contains(wanted) == true {
            return true
        }
        return names(path).isEmpty && call.scope.last == wanted
    }

    private func names(_ path: [String]) -> [String] { path.filter { !CallPattern.accessors.contains($0) } }

    private func receiverProblem(of call: CallFacts.Call, _ pattern: CallPattern) -> String? {
        guard let wanted = pattern.receiver.last, let path = call.receiver else { return nil }
        if call.callee.contains("("), let last = path.last, declared[last] != nil {
            return "its receiver calls a function of the sources"
        }
        let types = declared[wanted] ?? []
        if pattern.isKnown, !types.isEmpty {
            return "the sources declare `\(wanted)`: name its function with `--calls`"
        }
        guard types == [CallFacts.nestedType] || types.allSatisfy({ $0 == CallFacts.typeDeclaration }) else {
            return "the sources declare `\(wanted)` with another meaning"
        }
        let names = names(path)
        guard names.count <= pattern.receiver.count else { return "its receiver is more than the name `\(wanted)`" }
        guard let name = names.last, name != wanted else { return nil }
        let isInstance = declared[name].map { $0.allSatisfy { $0 == wanted } } ?? false
        return isInstance ? nil : "`\(name)` may be another type than `\(wanted)`"
    }

    /// The problem with the logger's type, if any. All declarations of a logger that an option names need one type.
    private var problemOfLogger: String? {
        let types = declared[logger] ?? []
        let isUsual =
            logger == "activityLogger"
            ? types.allSatisfy { $0 == "ActivityLogger" }
            : types.count <= 1 || types.allSatisfy { $0 == types[0] && $0 != CallFacts.unwritten }
        return isUsual ? nil : "`\(logger)` may be another one here"
    }

    /// Returns the declared function of a call, of the receiver's type if that declares it. If several declarations fit,
    /// their types must be the same.
    private func function(of call: CallFacts.Call, _ pattern: CallPattern) -> CallFacts.Function? {
        guard !pattern.isKnown else { return nil }
        let all = (functions[call.method] ?? []).filter { $0.labels == pattern.labels }
        let own = all.filter { $0.type == pattern.receiver.last }
        let found = own.isEmpty ? all : own
        guard let first = found.first,
            found.allSatisfy({ $0.types == first.types && $0.returnsNothing == first.returnsNothing })
        else { return nil }
        return first
    }

    // MARK: Strings

    /// - Parameter type: the parameter's type as written; nil if the sources do not declare it.
    private func string(_ term: CodeTerm, as type: String?) throws(Uncertain) -> String {
        switch term {
        case .string(let text): return text
        case .interpolated: throw Uncertain("an interpolation")
        case .enumerationCase(var path, let name, let isRaw):
            if path.isEmpty || !isRaw {
                guard let type else { throw Uncertain("not a literal, and the sources do not declare its type") }
                let written = type.split(separator: ".").map(String.init)
                if path.isEmpty { path = written }
                guard path.last == written.last else { throw Uncertain("not the raw value of an enumeration") }
            }
            return try rawValue(name, of: path)
        default: throw Uncertain("not a literal or the raw value of an enumeration")
        }
    }

    private func rawValue(_ name: String, of path: [String]) throws(Uncertain) -> String {
        let written = path.joined(separator: ".")
        guard let type = path.last, let found = enumerations[type] else {
            throw Uncertain("the sources have no enumeration `\(written)`")
        }
        guard typeNames[type] == 1, found.allSatisfy({ $0.path.suffix(path.count) == path[...] }) else {
            throw Uncertain("the sources have several types of the name `\(type)`")
        }
        guard found.allSatisfy({ $0.rawType == "String" }), declared["String"] == nil, !ownRawValues.contains(type)
        else {
            throw Uncertain("`\(written)` has no raw values of type `String`")
        }
        let cases = found.compactMap { $0.cases[name] }
        guard let raw = cases.first ?? nil, cases.count == 1 else {
            throw Uncertain("`\(written)` has no case `\(name)` with a literal as raw value")
        }
        return raw
    }

    private func readName(
        _ argument: CallFacts.Argument?, _ call: CallFacts.Call, _ type: String?, _ logged: inout LoggedCall
    ) {
        guard let argument else { return }
        do throws(Uncertain) {
            let name = try string(argument.term, as: type)
            if name.isEmpty { throw Uncertain("empty") }
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

    private func readColumns(_ argument: CallFacts.Argument?, _ type: String?, _ logged: inout LoggedCall) {
        guard let argument, argument.term != .null else { return }
        guard case .dictionary(let entries) = argument.term else {
            logged.isComplete = false
            let reason = "not a dictionary literal"
            return logged.stop("the parameters `\(argument.text)` are not certain: \(reason)", argument.offset)
        }
        let types = (type ?? "").filter { !"[]? ".contains($0) }.split(separator: ":").map(String.init)
        for entry in entries { read(entry, types, &logged) }
    }

    /// - Parameter types: the types of the dictionary's keys and values, if the sources declare them.
    private func read(_ entry: CodeTerm.Entry, _ types: [String], _ logged: inout LoggedCall) {
        let key: String
        do throws(Uncertain) {
            key = try string(entry.key, as: types.first)
        } catch {
            logged.isComplete = false
            return logged.stop("a key is not certain: \(error.reason)", entry.keyOffset)
        }
        if logged.columns.contains(where: { $0.key.isExactly(key) }) {
            return logged.stop("the key `\(key)` occurs twice", entry.keyOffset)
        }
        var column = LoggedCall.Column(
            key: key, keyOffset: entry.keyOffset, isNil: entry.value == .null, valueRange: entry.valueRange,
            isPure: entry.value != .interpolated)
        if case .string(let text) = entry.value { column.text = text }
        do throws(Uncertain) {
            if !column.isNil { try readType(of: entry.value, types.last, &column) }
        } catch {
            column.problem = error.reason
            logged.stop("the type of `\(key)` is not certain: \(error.reason)", entry.keyOffset)
        }
        logged.columns.append(column)
    }

    private func readType(of value: CodeTerm, _ written: String?, _ column: inout LoggedCall.Column) throws(Uncertain) {
        if let name = LoggedCall.literalTypes.sorted().first(where: { declared[$0] != nil }) {
            throw Uncertain("the sources declare `\(name)`")
        }
        switch value {
        case .string, .interpolated: column.type = .string(.init())
        case .integer: column.type = .integer(.init(bits: 64, isPlain: true))
        case .number: column.type = .number(.init())
        case .boolean: column.type = .boolean
        case .enumerationCase(let path, _, isRaw: true) where !path.isEmpty:
            _ = try string(value, as: nil)
            column.type = .string(.init())
        case .dictionary: throw Uncertain("a dictionary, but records are flat")
        default: throw Uncertain("its value is not a literal")
        }
        column.isLiteral = value == .integer || value == .number
        // A literal has the dictionary's type of values.
        if column.isLiteral, written == "Double" { (column.type, column.isLiteral) = (.number(.init()), false) }
    }
}

extension LoggedCall {
    fileprivate mutating func stop(_ reason: String, _ offset: Int) {
        if obstacle == nil { obstacle = (reason, offset) }
    }
}
