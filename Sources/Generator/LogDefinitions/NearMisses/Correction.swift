import MarkdownSyntax

/// Reads proposed corrections back. The corrected file has fewer mistakes and all definitions of the file as it is, or
/// the correction is not proposed. As each correction removes a mistake, no sequence of corrections is a cycle.
struct CorrectionCheck {
    let file: SourceFile
    /// Parses a file like this one.
    let parse: (SourceFile) -> ParsedFile
    private let current: ParsedFile
    private let definitions: [Int]
    /// The bytes that may still be read. Beyond them, a help keeps its word and has no edit.
    private var budget = 4 << 20

    init(_ file: SourceFile, _ current: ParsedFile, parse: @escaping (SourceFile) -> ParsedFile) {
        (self.file, self.current, self.parse) = (file, current, parse)
        definitions = current.content.definitionCounts
    }

    /// The diagnostics without the corrections that do not read back.
    mutating func checked() -> [Diagnostic] {
        var diagnostics = current.diagnostics
        for index in diagnostics.indices {
            let count = diagnostics[index].notes.count
            diagnostics[index].notes = diagnostics[index].notes.compactMap { note in
                guard let edit = note.edit, !isCorrection(edit, of: current.diagnostics[index]) else { return note }
                var note = note
                note.edit = nil
                // The text of a help repeats the lines that its edit writes. A word is right in spite of another mistake.
                return edit.writesLines ? nil : note
            }
            let notes = diagnostics[index].notes
            if notes.count < count, !notes.contains(where: { $0.kind == .help }) {
                diagnostics[index].notes.append(
                    .help("correct it by hand: a change of this place alone leaves another mistake"))
            }
        }
        return diagnostics
    }

    private mutating func isCorrection(_ edit: Diagnostic.Edit, of diagnostic: Diagnostic) -> Bool {
        guard budget > 0, let change = diagnostic.change(edit, in: file.source) else { return false }
        var bytes = file.source.bytes
        bytes.replaceSubrange(change.range, with: change.text.utf8)
        budget -= bytes.count
        let corrected = parse(
            SourceFile(path: file.path, relativePath: file.relativePath, source: SourceText(bytes)))
        return zip(definitions, corrected.content.definitionCounts).allSatisfy(<=)
            && Self.mistakes(corrected.diagnostics) < Self.mistakes(current.diagnostics)
    }

    private static func mistakes(_ diagnostics: [Diagnostic]) -> (errors: Int, all: Int) {
        (diagnostics.count { $0.severity == .error }, diagnostics.count)
    }
}

extension Diagnostic.Edit {
    /// A Boolean value that indicates whether the edit writes lines that its help shows.
    fileprivate var writesLines: Bool {
        switch self {
        case .replacePlace, .replaceLine, .replaceUnderline, .appendLine: true
        case .replace, .beginWith, .insertLine, .escapePipes, .deleteLines, .deleteBlankLinesAbove: false
        }
    }
}

extension FileContent {
    /// The numbers of events, columns, details, types and values, and those of retired events and columns. A correction
    /// may move a column to another event, and change the spelling of a name.
    fileprivate var definitionCounts: [Int] {
        func counts(_ events: [Event], _ columns: [Column], _ details: [Details]) -> [Int] {
            [
                events.count, events.count { $0.status == .retired }, columns.count,
                columns.count { $0.status == .retired }, details.reduce(0) { $0 + $1.texts.count },
            ]
        }
        switch self {
        case .category(let category):
            let events = category.events
            return counts(events, events.flatMap(\.columns), [category.details] + events.map(\.details))
        case .common(let common): return counts([], common.columns, [])
        case .types(let types):
            let values = types.reduce(0) {
                if case .enumeration(let values) = $1.kind { $0 + values.count } else { $0 }
            }
            return [types.count, values]
        case .nothing: return []
        }
    }
}
