import LogDefinitions
import MarkdownSyntax

/// Inferred definition files, and findings for their reader.
package struct Inference: Sendable {
    /// The files in this order: `common.md`, `types.md`, categories by name. Empty if the source has no definitions.
    package var documents: [InferredDocument]
    package var findings: [Finding]
    package var events: Int
    /// The definitions with their final names and types, in the source's order.
    package var draft = Draft()

    /// The result without definitions and findings.
    package static let none = Inference(documents: [], findings: [], events: 0)

    package var hasLosses: Bool { findings.contains { $0.kind == .warning } }

    /// Reads JSON Schema files: those of loggen, or others with one object for each event.
    /// - Parameter category: the category of events without one in their schema; nil for `events` or the file's name.
    package static func ofSchemas(_ sources: [InferenceSource], category: String?) async -> Inference {
        await finish(JSONSchemaSource.read(sources, category: category), sources)
    }

    /// Reads spreadsheets.
    /// - Parameter category: the category of rows without a category; nil for the file's name.
    package static func ofSpreadsheets(_ sources: [InferenceSource], category: String?) async -> Inference {
        await finish(Spreadsheet.read(sources, category: category), sources, inRowOrder: true)
    }

    /// Returns whether a file's first bytes are a spreadsheet, with a row of headers for a column and its type.
    package static func isSpreadsheet(_ head: [UInt8]) -> Bool { Spreadsheet.hasHeaders(head) }

    /// Reads tracking plans in Markdown.
    /// - Parameter category: the category of all events; nil for the titles of the chapters or the file's name.
    package static func ofMarkdown(_ sources: [InferenceSource], category: String?) async -> Inference {
        var plans: [InferenceSource] = []
        var findings: [Finding] = []
        for source in sources {
            if await isDefinitionFileWithoutErrors(source) {
                findings.warn("these are definitions: check them with `loggen lint`", at: SourcePlace(source.path))
            } else {
                plans.append(source)
            }
        }
        let read = PlanDocument.read(plans, category: category)
        var inference = await finish((read.draft, findings + read.findings), sources, inRowOrder: true)
        joinNotesOfRenames(&inference.findings)
        inference.joinRepeatedFindings()
        return inference
    }

    /// Joins messages of one file that differ at most in the names of events. The first one lists the other lines.
    private mutating func joinRepeatedFindings() {
        let events = Set(draft.categories.flatMap(\.events).map(\.name))
        var first: [String: Int] = [:]
        var lines: [Int: [Int]] = [:]
        var kept: [Finding] = []
        for finding in findings {
            let spans = finding.message.split(separator: "`", omittingEmptySubsequences: false)
            let text = spans.indices.map { $0 % 2 == 1 && events.contains(String(spans[$0])) ? "" : spans[$0] }
            let key = "\(finding.kind) \(finding.place?.path ?? ""): \(text.joined(separator: "`"))"
            if let index = first[key], let line = finding.place?.line, line > 0 {
                lines[index, default: []].append(line)
            } else {
                first[key] = first[key] ?? kept.count
                kept.append(finding)
            }
        }
        for (index, lines) in lines {
            let shown = lines.prefix(20).map(String.init).joined(separator: ", ") + (lines.count > 20 ? ", …" : "")
            kept[index].message +=
                lines.count == 1 ? "; also in line \(shown)" : "; also in \(lines.count) lines: \(shown)"
        }
        findings = kept
    }

    private static func joinNotesOfRenames(_ findings: inout [Finding]) {
        func isRenamed(_ finding: Finding) -> Bool { finding.kind == .note && finding.message.holds("` is called `") }
        let count = findings.count(where: isRenamed)
        guard count > 5, let first = findings.firstIndex(where: isRenamed) else { return }
        let joined = "\(count) names became identifiers; for example, \(findings[first].message)"
        findings = findings.indices.filter { $0 == first || !isRenamed(findings[$0]) }.map { findings[$0] }
        if let index = findings.firstIndex(where: isRenamed) { findings[index].message = joined }
    }

    /// Returns whether a file has definitions without errors. Types of `types.md` are unknown here, and not errors.
    private static func isDefinitionFileWithoutErrors(_ source: InferenceSource) async -> Bool {
        // Definitions have tables. Searching corrections for each line of a plan would take long.
        let hasTable = MarkdownDocument(source.text).blocks.contains {
            if case .table = $0.content { true } else { false }
        }
        guard hasTable else { return false }
        let name = source.path.split(separator: "/").last.map(String.init) ?? source.path
        let analysis = await Analysis.run([SourceFile(path: source.path, relativePath: name, source: source.text)])
        let definitions = analysis.definitions
        let hasColumns = definitions.categories.contains { $0.events.contains { !$0.columns.isEmpty } }
        let hasDetails = definitions.categories.contains {
            !$0.details.texts.isEmpty || $0.events.contains { !$0.details.texts.isEmpty }
        }
        let hasErrors = analysis.diagnostics.contains {
            $0.severity == .error && !($0.rule == .unknownType && hasDetails)
        }
        return (hasColumns || definitions.common != nil || !definitions.types.isEmpty) && !hasErrors
            && !analysis.diagnostics.contains { $0.rule == .misplacedTable }
    }

    /// Infers definitions from the records that a reader has read.
    package static func ofRecords(_ reader: RecordReader) async -> Inference { await finish(reader.draft()) }

    /// Resolves a draft and writes it.
    /// - Parameter sources: the sources that the places of findings refer to.
    /// - Parameter inRowOrder: whether the findings are sorted by their lines.
    package static func finish(
        _ read: (draft: Draft, findings: [Finding]), _ sources: [InferenceSource] = [], inRowOrder: Bool = false
    ) async -> Inference {
        var inference = await settled(read)
        if inRowOrder {
            let files = Dictionary(
                sources.enumerated().map { ($0.element.path, $0.offset) }, uniquingKeysWith: { first, _ in first })
            func key(_ entry: (offset: Int, element: Finding)) -> (Int, Int, Int) {
                guard let place = entry.element.place, let file = files[place.path] else {
                    return (.max, 0, entry.offset)
                }
                return (file, place.line, entry.offset)
            }
            inference.findings = inference.findings.enumerated().sorted { key($0) < key($1) }.map(\.element)
        }
        let sources = Dictionary(sources.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, finding) in inference.findings.enumerated() where finding.excerpt == nil {
            guard let place = finding.place else { continue }
            inference.findings[index].excerpt = sources[place.path]?.excerpt(at: place)
        }
        return inference
    }

    private static func settled(_ read: (draft: Draft, findings: [Finding])) async -> Inference {
        let (draft, changes) = DraftResolver.settle(read.draft)
        var findings = read.findings + changes
        let events = draft.categories.reduce(0) { $0 + $1.events.count }
        guard !draft.categories.isEmpty else { return Inference(documents: [], findings: findings, events: 0) }
        var writer = DocumentWriter()
        let documents = await writer.documents(of: draft)
        findings += writer.findings
        // The files are parsed again, so that an unforeseen mistake is reported now instead of by `lint`.
        let analysis = await Analysis.run(documents.map(\.file))
        for diagnostic in analysis.diagnostics where diagnostic.severity == .error {
            let file = analysis.definitions.files[diagnostic.place.file]
            let position = file.source.position(at: diagnostic.place.range.lowerBound)
            findings.warn(
                "`loggen lint` will report for this file: \(diagnostic.message)",
                at: SourcePlace(file.path, line: position.line, column: position.column))
        }
        return Inference(documents: documents, findings: findings, events: events, draft: draft)
    }
}
