import MarkdownSyntax

extension ParsedFile {
    /// Reads proposed corrections back, and removes those that do not help. The corrected file has fewer mistakes and
    /// all definitions of the file as it is. As each correction removes a mistake, no sequence of corrections is a cycle.
    mutating func checkCorrections(of file: SourceFile, parse: (SourceFile) -> ParsedFile) {
        var proposals = diagnostics.indices.flatMap { index in
            diagnostics[index].notes.indices.compactMap { Proposal(index, $0, diagnostics[index], file.source) }
        }
        proposals.sort { $0.range.lowerBound < $1.range.lowerBound }
        // The bytes that may still be read. Beyond them, a help keeps its word and has no edit.
        var budget = 4 << 20
        let (counts, mistakes) = (content.definitionCounts, numbersOfMistakes)
        /// Reads the file with all of these corrections, and with fewer if one does not help.
        func check(_ some: ArraySlice<Int>) {
            guard budget > 0, let first = some.first else { return }
            var (bytes, end): ([UInt8], Int) = ([], 0)
            for index in some {
                bytes += file.source.bytes[end..<proposals[index].range.lowerBound] + proposals[index].text.utf8
                end = proposals[index].range.upperBound
            }
            bytes += file.source.bytes[end...]
            budget -= bytes.count
            let corrected = parse(
                SourceFile(path: file.path, relativePath: file.relativePath, source: SourceText(bytes)))
            let now = corrected.numbersOfMistakes
            let errors = some.count { diagnostics[proposals[$0].diagnostic].severity == .error }
            let helps =
                zip(counts, corrected.content.definitionCounts).allSatisfy(<=)
                && (some.count == 1
                    ? now < mistakes
                    : now.errors <= mistakes.errors - errors && now.all <= mistakes.all - some.count)
            if helps {
                for index in some { proposals[index].helps = true }
            } else if some.count == 1 {
                proposals[first].helps = false
            } else {
                let middle = some.startIndex + some.count / 2
                check(some[..<middle])
                check(some[middle...])
            }
        }
        // Corrections of one place exclude each other.
        var rest = proposals.indices.filter { proposals[$0].helps == nil }
        while !rest.isEmpty {
            var (batch, others, end): ([Int], [Int], Int) = ([], [], -1)
            for index in rest {
                let range = proposals[index].range
                if range.lowerBound <= end { others.append(index) } else { batch.append(index); end = range.upperBound }
            }
            // Together, a correction that helps twice may hide one that does not. Few are therefore read one by one.
            if proposals.count > 20 { check(batch[...]) } else { batch.indices.forEach { check(batch[$0...$0]) } }
            rest = others
        }
        for proposal in proposals.sorted(by: { ($0.diagnostic, $0.note) > ($1.diagnostic, $1.note) })
        where proposal.helps != true {
            diagnostics[proposal.diagnostic].notes[proposal.note].edit = nil
            // The text of a help repeats the lines that its edit writes. A word is right in spite of another mistake.
            guard proposal.helps == false, proposal.isOfLines else { continue }
            diagnostics[proposal.diagnostic].notes.remove(at: proposal.note)
            guard !diagnostics[proposal.diagnostic].notes.contains(where: { $0.kind == .help }) else { continue }
            diagnostics[proposal.diagnostic].notes.append(
                .help("correct it by hand: a change of this place alone leaves another mistake"))
        }
    }

    /// A help with an edit.
    private struct Proposal {
        var (diagnostic, note): (Int, Int)
        var range: Range<Int>
        var text: String
        var isOfLines: Bool
        /// Nil if the correction was not read.
        var helps: Bool?

        /// Nil for a note without an edit. An edit that the file does not match does not help.
        init?(_ diagnostic: Int, _ note: Int, _ owner: Diagnostic, _ source: SourceText) {
            guard let edit = owner.notes[note].edit else { return nil }
            (self.diagnostic, self.note) = (diagnostic, note)
            switch edit {
            case .replacePlace, .replaceLine: isOfLines = true
            case .replace, .beginWith, .insertLine, .escapePipes, .deleteLines: isOfLines = false
            }
            let change = owner.change(edit, in: source)
            (range, text) = change ?? (0..<0, "")
            helps = change == nil ? false : nil
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
