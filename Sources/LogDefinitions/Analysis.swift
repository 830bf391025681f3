import MarkdownSyntax

/// What a run is told beside its documents.
package struct AnalysisOptions: Sendable {
    /// The most letters an identifier may have.
    package var nameLength = 64
    /// Severities that differ from the rules' own; nil turns a rule off.
    package var severities: [Rule: Diagnostic.Severity?] = [:]
    /// Past which day `expires` counts; nil leaves dates alone.
    package var today: CalendarDate?

    package init() {}

    /// How bad it is to break a rule in this run; nil if the rule is off.
    package func severity(of rule: Rule) -> Diagnostic.Severity? {
        guard let asked = severities[rule] else { return rule.defaultSeverity }
        return asked
    }

    /// Diagnostics with the severities that are asked for, without those of rules that are turned off.
    package func adjusted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.compactMap { diagnostic in
            guard let override = severities[diagnostic.rule] else { return diagnostic }
            guard let severity = override else { return nil }
            var changed = diagnostic
            changed.severity = severity
            return changed
        }
    }
}

/// A run's documents, read and checked: text → syntax tree → definitions, with everything wrong as values.
package struct Analysis: Sendable {
    package var definitions: Definitions
    /// In source order.
    package var diagnostics: [Diagnostic]

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Reads files, in any order, on as many cores as there are.
    package static func run(_ files: [SourceFile], options: AnalysisOptions = AnalysisOptions()) async -> Analysis {
        let files = files.sorted { ($0.path, $0.relativePath).0.utf8.lexicographicallyPrecedes($1.path.utf8) }
        let checks = Checks(options: options)
        let parsed = await parse(files, options: options, checks: checks)
        var resolver = DefinitionResolver(files: files)
        let run = resolver.resolve(parsed)
        let found = parsed.flatMap(\.diagnostics) + resolver.diagnostics + (await checks.diagnostics(of: run))
        var definitions = run.definitions
        definitions.categories.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        definitions.types.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return Analysis(definitions: definitions, diagnostics: options.adjusted(found).sorted(by: Diagnostic.isInSourceOrder))
    }

    private static func parse(_ files: [SourceFile], options: AnalysisOptions, checks: Checks) async -> [ParsedFile] {
        // Types come first: columns hold what the types they name are made of.
        let typesFile = files.firstIndex { $0.kind == .types }
        let parsedTypes = typesFile.map { FileParser.parse(file: $0, sourceFile: files[$0], options: options) }
        var types: [String: LogValueType] = [:]
        if case .types(let named)? = parsedTypes?.content {
            types = Dictionary(named.map { ($0.name, $0.valueType) }, uniquingKeysWith: { first, _ in first })
        }
        let known = types
        return await inParallel(sizes: files.map(\.source.bytes.count)) { index in
            let types = index == typesFile ? parsedTypes : nil
            var parsed = types ?? FileParser.parse(file: index, sourceFile: files[index], options: options, types: known)
            parsed.diagnostics += checks.diagnostics(of: parsed.content)
            return parsed
        }
    }
}

/// Does independent work per index on all cores, in contiguous chunks of about equal size; results come in index order.
package func inParallel<Result: Sendable>(sizes: [Int], _ work: @escaping @Sendable (Int) -> Result) async -> [Result] {
    let total = sizes.reduce(0, +)
    // A chunk large enough that starting its task costs nothing beside it, small enough that no core idles at the end.
    let target = max(16 << 10, total / 64)
    var chunks: [Range<Int>] = []
    var start = 0
    var size = 0
    for (index, bytes) in sizes.enumerated() {
        size += bytes + 64
        if size >= target || index == sizes.count - 1 {
            chunks.append(start..<(index + 1))
            start = index + 1
            size = 0
        }
    }
    guard chunks.count > 1 else { return sizes.indices.map(work) }
    return await withTaskGroup(of: (Int, [Result]).self) { group in
        for (number, chunk) in chunks.enumerated() {
            group.addTask { (number, chunk.map(work)) }
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
