import MarkdownSyntax

extension ParsedFile {
    /// Reads proposed corrections back, and removes those that do not help. The corrected file has fewer mistakes and
    /// all definitions of the file as it is. As each correction removes a mistake, no sequence of corrections is a cycle.
    mutating func checkCorrections(of file: SourceFile, parse: (SourceFile) -> ParsedFile) {
        // The bytes that may still be read. Beyond them, a help keeps its word and has no edit.
        var budget = 4 << 20
        let (counts, mistakes) = (content.definitionCounts, numbersOfMistakes)
        func isCorrection(_ edit: Diagnostic.Edit, of diagnostic: Diagnostic) -> Bool {
            guard budget > 0, let change = diagnostic.change(edit, in: file.source) else { return false }
            var bytes = file.source.bytes
            bytes.replaceSubrange(change.range, with: change.text.utf8)
            budget -= bytes.count
            let corrected = parse(
                SourceFile(path: file.path, relativePath: file.relativePath, source: SourceText(bytes)))
            return zip(counts, corrected.content.definitionCounts).allSatisfy(<=)
                && corrected.numbersOfMistakes < mistakes
        }
        for index in diagnostics.indices {
            let diagnostic = diagnostics[index]
            let notes = diagnostic.notes.compactMap { note -> Diagnostic.Note? in
                guard let edit = note.edit, !isCorrection(edit, of: diagnostic) else { return note }
                // The text of a help repeats the lines that its edit writes. A word is right in spite of another
                // mistake.
                switch edit {
                case .replacePlace, .replaceLine: return nil
                case .replace, .beginWith, .insertLine, .escapePipes, .deleteLines: break
                }
                var note = note
                note.edit = nil
                return note
            }
            diagnostics[index].notes = notes
            if notes.count < diagnostic.notes.count, !notes.contains(where: { $0.kind == .help }) {
                diagnostics[index].notes.append(
                    .help("correct it by hand: a change of this place alone leaves another mistake"))
            }
        }
    }

    private var numbersOfMistakes: (errors: Int, all: Int) {
        (diagnostics.count { $0.severity == .error }, diagnostics.count)
    }
}

extension FileContent {
    /// The numbers of events, columns, details, types and values, and those of retired events and columns. A correction
    /// may move a column to another event, and change the spelling of a name.
    fileprivate var definitionCounts: [Int] {
        var (events, columns, details): ([Event], [Column], [Details]) = ([], [], [])
        switch self {
        case .category(let category):
            events = category.events
            columns = events.flatMap(\.columns)
            details = [category.details] + events.map(\.details)
        case .common(let common): columns = common.columns
        case .types(let types):
            let values = types.map { if case .enumeration(let values) = $0.kind { values.count } else { 0 } }
            return [types.count, values.reduce(0, +)]
        case .nothing: return []
        }
        return [
            events.count, events.count { $0.status == .retired }, columns.count,
            columns.count { $0.status == .retired }, details.reduce(0) { $0 + $1.texts.count },
        ]
    }
}
