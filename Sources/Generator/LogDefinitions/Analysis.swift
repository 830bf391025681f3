import MarkdownSyntax

/// The settings of an analysis.
package struct AnalysisOptions: Sendable {
    /// The maximum number of characters in an identifier.
    package var nameLength = 64
    /// The severities that replace the default ones of rules; nil disables a rule.
    package var severities: [Rule: Diagnostic.Severity?] = [:]
    /// The current day, such as `2027-03-31`. An event has expired if this day is later than its `expires`. With nil, no
    /// event has expired.
    package var today: String?

    /// The folder of a new `types.md` if there is no `common.md`. With nil, the folder of all definition files.
    package var typesFolder: String?

    /// The data that the app's privacy manifest declares.
    package var collectedData = CollectedData()
    /// The vendors that receive records, each once.
    package var destinations: [Destination] = []

    package init() {}

    /// Enables a rule that is off by default, unless `loggen.yml` sets its severity.
    package mutating func turnOn(_ rule: Rule, _ severity: Diagnostic.Severity) {
        if !severities.keys.contains(rule) { severities[rule] = .some(severity) }
    }

    /// Returns the severity of a rule; nil if the rule is off.
    package func severity(of rule: Rule) -> Diagnostic.Severity? {
        guard let asked = severities[rule] else { return rule.defaultSeverity }
        return asked
    }

    /// Returns diagnostics with the severities of this analysis, without those of disabled rules. An error of a rule
    /// whose default is a warning is about content that cannot be read: it stays an error.
    package func adjusted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.compactMap { diagnostic in
            guard let override = severities[diagnostic.rule],
                diagnostic.severity == .warning || diagnostic.rule.defaultSeverity == .error
            else { return diagnostic }
            guard let severity = override else { return nil }
            var changed = diagnostic
            changed.severity = severity
            return changed
        }
    }
}

/// The definitions of several files, and the diagnostics of parsing, resolution and rules.
package struct Analysis: Sendable {
    package var definitions: Definitions
    /// The diagnostics in source order.
    package var diagnostics: [Diagnostic]

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The definition files that an analysis has parsed. The next analysis with the same options parses only changed
    /// files and reuses the others. An editor requests an analysis after each keystroke.
    package struct Memory: Sendable {
        fileprivate var files: [SourceFile] = []
        fileprivate var parsed: [ParsedFile] = []
        fileprivate var exactNotationsByType: [String: [UInt8]] = [:]

        package init() {}

        /// Returns the parsed file if it is unchanged; in constant time if both arrays of bytes share their storage.
        fileprivate func parsed(_ index: Int, _ file: SourceFile) -> ParsedFile? {
            guard files.indices.contains(index), ExactString(files[index].path) == ExactString(file.path),
                ExactString(files[index].relativePath) == ExactString(file.relativePath),
                files[index].source.bytes == file.source.bytes
            else { return nil }
            return parsed[index]
        }
    }

    /// Analyzes files on all cores. The order of the files does not matter.
    package static func run(_ files: [SourceFile], options: AnalysisOptions = AnalysisOptions()) async -> Analysis {
        var memory = Memory()
        return await run(files, options: options, memory: &memory)
    }

    /// Analyzes files on all cores. Files that are unchanged since the last run with `memory` are not parsed again.
    package static func run(_ files: [SourceFile], options: AnalysisOptions, memory: inout Memory) async -> Analysis {
        let files = files.sorted { ($0.path, $0.relativePath).0.utf8.lexicographicallyPrecedes($1.path.utf8) }
        let checks = Checks(options: options)
        let parsed = await parse(files, options: options, checks: checks, &memory)
        var resolver = DefinitionResolver(files: files, typesFolder: options.typesFolder)
        let run = resolver.resolve(parsed)
        let found =
            reportingOtherDocumentsOnce(parsed.flatMap(\.diagnostics), files) + resolver.diagnostics
            + (await checks.diagnostics(of: run))
        var definitions = run.definitions
        definitions.categories.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        definitions.types.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return Analysis(
            definitions: definitions, diagnostics: options.adjusted(found).sorted(by: Diagnostic.isInSourceOrder))
    }

    private static func reportingOtherDocumentsOnce(_ diagnostics: [Diagnostic], _ files: [SourceFile]) -> [Diagnostic]
    {
        let documents = diagnostics.filter { $0.rule == .noDefinitions }
        guard documents.count > 1, documents.count == files.count, let first = documents.first else {
            return diagnostics
        }
        return [.noDefinitions(in: files, at: first.place)]
    }

    private static func parse(_ files: [SourceFile], options: AnalysisOptions, checks: Checks, _ memory: inout Memory)
        async -> [ParsedFile]
    {
        // Types are parsed first, because columns contain the types that they name.
        let typesFile = files.firstIndex { $0.kind == .types }
        let parsedTypes = typesFile.map { index in
            FileParser.parse(file: index, sourceFile: files[index], options: options)
        }
        var types: [String: LogValueType] = [:]
        if case .types(let named)? = parsedTypes?.content {
            types = Dictionary(named.map { ($0.name, $0.valueType) }, uniquingKeysWith: { first, _ in first })
        }
        let known = types
        // A changed type affects only the definition files that contain the type's name.
        let notations = types.mapValues(\.exactNotation)
        let changedTypes = Set(notations.keys).union(memory.exactNotationsByType.keys).filter {
            notations[$0] != memory.exactNotationsByType[$0]
        }.map { Array($0.utf8) }
        var reused = [ParsedFile?](repeating: nil, count: files.count)
        for index in files.indices where index != typesFile {
            guard let known = memory.parsed(index, files[index]),
                !changedTypes.contains(where: { files[index].source.holdsWord($0) })
            else { continue }
            reused[index] = known
        }
        let changed = files.indices.filter { reused[$0] == nil }
        let read = await inParallel(sizes: changed.map { files[$0].source.bytes.count }) { number in
            let index = changed[number]
            let types = index == typesFile ? parsedTypes : nil
            var parsed =
                types ?? FileParser.parse(file: index, sourceFile: files[index], options: options, types: known)
            parsed.diagnostics += checks.diagnostics(of: parsed.content)
            return parsed
        }
        for (index, parsed) in zip(changed, read) { reused[index] = parsed }
        memory.files = files
        memory.parsed = reused.compactMap { $0 }
        memory.exactNotationsByType = notations
        return memory.parsed
    }
}

extension LogValueType {
    fileprivate var exactNotation: [UInt8] {
        var text: [UInt8] = []
        TypeNotation.write(self, .exact, to: &text)
        return text
    }
}

/// Performs independent work for each index on all cores, in tasks for ranges of about equal size.
/// - Parameter sizes: The cost of the work at each index, in bytes of input.
/// - Returns: The results in the order of the indices.
package func inParallel<Result: Sendable>(sizes: [Int], _ work: @escaping @Sendable (Int) -> Result) async -> [Result] {
    let total = sizes.reduce(0, +)
    // A chunk is large compared with the cost of a task, and small enough for all cores to have work until the end.
    let target = max(16 << 10, total / 64)
    var chunks: [(range: Range<Int>, size: Int)] = []
    var start = 0
    var size = 0
    for (index, bytes) in sizes.enumerated() {
        size += bytes + 64
        if size >= target || index == sizes.count - 1 {
            chunks.append((start..<(index + 1), size))
            start = index + 1
            size = 0
        }
    }
    guard chunks.count > 1 else { return sizes.indices.map(work) }
    return await withTaskGroup(of: (Int, [Result]).self) { group in
        // Larger chunks begin first, so that no core has one left at the end. The other chunks alternate between both
        // halves: adjacent chunks often write to the same folder, which the system locks.
        let ordered = chunks.enumerated().sorted { $0.element.size > $1.element.size }
        let half = (ordered.count + 1) / 2
        for place in 0..<half {
            for (number, chunk) in [place, half + place].filter({ $0 < ordered.count }).map({ ordered[$0] }) {
                group.addTask { (number, chunk.range.map(work)) }
            }
        }
        var parts = [[Result]](repeating: [], count: chunks.count)
        for await (number, results) in group { parts[number] = results }
        return parts.flatMap { $0 }
    }
}

extension Diagnostic {
    package static func isInSourceOrder(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        (left.place.file, left.place.range.lowerBound, left.rule.name, left.message)
            < (right.place.file, right.place.range.lowerBound, right.rule.name, right.message)
    }
}
