import LogDefinitions
import LogInference
import LogProject
import MarkdownSyntax

/// The calls in an app that log with strings, the definitions of their events, and their replacements.
struct Adoption {
    struct Options {
        var category: String
        var logger: String
        var imports: [String]

        /// The first name of the logger's expression, which its scope determines.
        var loggerName: String {
            let path = logger.hasPrefix("self.") ? logger.dropFirst("self.".count) : logger[...]
            return String(path.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
    }

    struct Call {
        var call: LoggedCall
        /// The generated case, as `AppEvents.open`; nil if the name is not certain.
        var event: String?
        /// The text that replaces the call; nil if it is not rewritten.
        var replacement: String?
        /// The reason why the call is not rewritten, and its place in the file.
        var problem: (reason: String, offset: Int)?
    }

    let sources: CallSources
    let options: Options
    private(set) var calls: [Call]
    private(set) var inference = Inference.none
    /// The edits of each file.
    private(set) var edits: [Int: [SourceEdit]] = [:]

    init(_ sources: CallSources, _ patterns: [CallPattern], _ options: Options) async {
        self.sources = sources
        self.options = options
        calls = LoggedCall.find(patterns, in: sources.facts, logger: options.loggerName).map {
            Call(call: $0, problem: $0.obstacle)
        }
        let groups = groupsByFirstCall()
        guard !groups.isEmpty else { return }
        var findings: [Finding] = []
        var category = DraftCategory(name: options.category, place: place(groups[0].calls[0]))
        let types = types()
        for group in groups { category.events.append(event(group, types, &findings)) }
        var draft = Draft()
        draft.categories = [category]
        inference = await Inference.finish((draft, findings))
        if let category = inference.draft.categories.first, category.events.count == groups.count {
            for (group, event) in zip(groups, category.events) {
                for call in group.calls { resolve(call, as: event, of: category, group) }
            }
        }
        collectEdits()
    }

    var undecided: [Call] { calls.filter { $0.replacement == nil } }

    func place(_ call: Int) -> SourcePlace { place(calls[call].call.file, calls[call].call.range.lowerBound) }

    func place(_ file: Int, _ offset: Int) -> SourcePlace {
        let position = sources.files[file].source.position(at: offset)
        return SourcePlace(sources.files[file].path, line: position.line, column: position.column)
    }

    // MARK: Definitions

    private struct Group {
        var name: String
        var calls: [Int]
        var keys: [String] = []
    }

    private func groupsByFirstCall() -> [Group] {
        var groups: [Group] = []
        var numbers: [ExactString: Int] = [:]
        for (index, call) in calls.enumerated() {
            guard let name = call.call.name else { continue }
            let number = numbers[ExactString(name)] ?? groups.count
            if number == groups.count { groups.append(Group(name: name, calls: [])) }
            numbers[ExactString(name)] = number
            groups[number].calls.append(index)
            for column in call.call.columns where !groups[number].keys.contains(where: { $0.isExactly(column.key) }) {
                groups[number].keys.append(column.key)
            }
        }
        return groups
    }

    /// Returns the types of keys. A column of an uncertain type takes the type of its key in other calls.
    private func types() -> [ExactString: LogValueType] {
        var types: [ExactString: Set<LogValueType>] = [:]
        for column in calls.flatMap(\.call.columns) {
            if let type = column.type { types[ExactString(column.key), default: []].insert(type) }
        }
        return types.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    private func event(_ group: Group, _ types: [ExactString: LogValueType], _ findings: inout [Finding]) -> DraftEvent
    {
        var event = DraftEvent(name: group.name, place: place(group.calls[0]))
        if let call = group.calls.first(where: { !calls[$0].call.isComplete }) {
            findings.warn(
                "`\(group.name)` may have more columns: the parameters of this call are not certain", at: place(call))
        }
        for key in group.keys { event.columns.append(column(key, group, types[ExactString(key)], &findings)) }
        return event
    }

    private func column(_ key: String, _ group: Group, _ typeElsewhere: LogValueType?, _ findings: inout [Finding])
        -> DraftColumn
    {
        let all = group.calls.map { call in calls[call].call.columns.first { $0.key.isExactly(key) } }
        let uses = zip(group.calls, all).compactMap { call, column in column.map { (call: call, column: $0) } }
        func place(_ use: (call: Int, column: LoggedCall.Column)) -> SourcePlace {
            self.place(calls[use.call].call.file, use.column.keyOffset)
        }
        var typed = uses.filter { $0.column.type != nil }
        // A literal takes the type of the other values, but a fraction is not an integer.
        let others = typed.filter { !$0.column.isLiteral }.compactMap(\.column.type)
        typed.removeAll { use in
            guard use.column.isLiteral, let type = use.column.type else { return false }
            return others.contains { $0.isNumber || ($0.isInteger && type.isInteger) }
        }
        var type: LogValueType?
        for use in typed {
            guard let next = use.column.type else { continue }
            guard let known = type, known != next, let first = typed.first else {
                type = next
                continue
            }
            type = Widening.of(known, next)
            findings.warn(
                "`\(key)` of `\(group.name)` is `\(next)` here and `\(known)` at \(place(first)): it becomes "
                    + "`\(Widening.of(known, next))`", at: place(use))
        }
        let first = uses.first.map(place) ?? self.place(group.calls[0])
        if type == nil {
            let reason = uses.lazy.compactMap(\.column.problem).first ?? "it is always nil"
            findings.warn(
                "`\(key)` of `\(group.name)` becomes "
                    + (typeElsewhere.map { "`\($0)`, as in other events" } ?? "a string") + ": \(reason)", at: first)
        }
        let isRequired = zip(group.calls, all).allSatisfy { call, column in
            calls[call].call.isComplete && column.map { !$0.isNil } ?? false
        }
        var column = DraftColumn(
            name: key, type: type ?? typeElsewhere ?? .string(.init()), isRequired: isRequired, place: first)
        if case .string? = type { column.example = uses.lazy.compactMap(\.column.text).first { Self.isExample($0) } }
        return column
    }

    private static func isExample(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F }
    }

    // MARK: Replacements

    private mutating func resolve(_ index: Int, as event: DraftEvent, of category: DraftCategory, _ group: Group) {
        let call = calls[index].call
        let name =
            SwiftNames.escaped(SwiftNames.typeName(category.name)) + "."
            + SwiftNames.escaped(SwiftNames.memberName(event.name))
        calls[index].event = name
        guard calls[index].problem == nil else { return }
        func stop(_ reason: String, _ offset: Int? = nil) {
            calls[index].problem = (reason, offset ?? call.range.lowerBound)
        }
        if sources.facts[call.file].hasSyntaxErrors { return stop("its file has syntax errors") }
        if let problem = sources.problems[call.file] { return stop(problem) }
        guard Self.isSpelling(event.name, of: group.name), event.columns.count == group.keys.count else {
            return stop("`\(group.name)` is not a valid event name: it is called `\(event.name)`")
        }
        var arguments: [(label: String, column: LoggedCall.Column)] = []
        for (column, key) in zip(event.columns, group.keys) {
            guard let use = call.columns.first(where: { $0.key.isExactly(key) }) else { continue }
            guard Self.isSpelling(column.name, of: key) else {
                return stop("`\(key)` is not a valid column name: it is called `\(column.name)`", use.keyOffset)
            }
            if use.isNil { continue }
            guard let type = use.type, Self.fits(type, isLiteral: use.isLiteral, column.type) else {
                let type = use.type.map { "\($0)" } ?? "unknown"
                return stop("the type of `\(key)` is \(type) here, but the column is \(column.type)", use.keyOffset)
            }
            arguments.append((SwiftNames.label(column.name), use))
        }
        let effects = arguments.map(\.column).filter { !$0.isPure }.map(\.valueRange.lowerBound)
        guard effects == effects.sorted() else {
            return stop("its values are evaluated in another order than those of the first call of the event")
        }
        calls[index].replacement = replacementText(of: call, name, arguments, hasColumns: !event.columns.isEmpty)
    }

    private static func isSpelling(_ name: String, of original: String) -> Bool {
        original.utf8.count <= Names.maximumLength && Names.identifier(original) == name
    }

    private static func fits(_ type: LogValueType, isLiteral: Bool, _ column: LogValueType) -> Bool {
        if type == column { return true }
        switch (type, column) {
        case (.integer, .integer(let integer)): return isLiteral && integer.bits == 64
        case (.integer, .number(let number)), (.number, .number(let number)): return isLiteral && number.bits == 64
        default: return false
        }
    }

    /// - Parameter hasColumns: whether the case has parameters, so that it is called even without arguments.
    private func replacementText(
        of call: LoggedCall, _ name: String, _ arguments: [(label: String, column: LoggedCall.Column)],
        hasColumns: Bool
    ) -> String {
        let source = sources.files[call.file].source
        let values = arguments.map { "\($0.label): \(source.string($0.column.valueRange))" }
        guard !values.isEmpty else { return "\(options.logger).post(\(name)\(hasColumns ? "()" : ""))" }
        return "\(options.logger).post(\(name)(\(values.joined(separator: ", "))))"
    }

    /// Collects the edits. Calls inside other calls, and in files that would have syntax errors, are kept.
    private mutating func collectEdits() {
        var ends: [Int: Int] = [:]
        for index in calls.indices {
            guard let text = calls[index].replacement else { continue }
            let call = calls[index].call
            guard call.range.lowerBound >= ends[call.file] ?? 0 else {
                calls[index].replacement = nil
                calls[index].problem = ("it is inside another call", call.range.lowerBound)
                continue
            }
            ends[call.file] = call.range.upperBound
            edits[call.file, default: []].append(SourceEdit(range: call.range, text: text))
        }
        for file in edits.keys {
            if let imports = importEdit(of: file) { edits[file]?.append(imports) }
            edits[file]?.sort { $0.range.lowerBound < $1.range.lowerBound }
            guard !CallFacts.isSwift(SourceEdit.apply(edits[file] ?? [], to: sources.files[file].source)) else {
                continue
            }
            edits[file] = nil
            for index in calls.indices where calls[index].call.file == file && calls[index].replacement != nil {
                calls[index].replacement = nil
                calls[index].problem = ("its file would have syntax errors", calls[index].call.range.lowerBound)
            }
        }
    }

    private func importEdit(of file: Int) -> SourceEdit? {
        let facts = sources.facts[file]
        let missing = options.imports.filter { !facts.imports.contains($0) }
        guard !missing.isEmpty else { return nil }
        let source = sources.files[file].source
        let end = source.lineEnd(at: facts.importOffset)
        let lines = missing.map { "import \($0)" }
        if facts.hasImport {
            var place = source.lineRange(source.lineIndex(at: facts.importOffset)).upperBound
            let rest = source.string(facts.importOffset..<place).drop { $0 == " " || $0 == "\t" }
            // Another statement or a comment may continue on the next line.
            if !rest.isEmpty, !rest.hasPrefix("//") { place = facts.importOffset }
            return SourceEdit(range: place..<place, text: lines.map { end + $0 }.joined())
        }
        return SourceEdit(
            range: facts.importOffset..<facts.importOffset, text: lines.map { $0 + end }.joined() + end)
    }
}

extension LogValueType {
    fileprivate var isInteger: Bool { if case .integer = self { true } else { false } }
    fileprivate var isNumber: Bool { if case .number = self { true } else { false } }
}
