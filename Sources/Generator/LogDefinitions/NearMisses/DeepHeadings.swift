import MarkdownSyntax

/// A heading of level 3 or deeper, which begins notes, and the content under it.
private struct DeepHeading {
    var heading: Heading
    var context: SectionContext
    /// The first table below the heading that would define something under an event, if any.
    var definition: Range<Int>?
    /// A table of columns or details below the heading, and which of them it is, if any.
    var misplaced: (range: Range<Int>, what: String)?

    init(_ heading: Heading, _ context: SectionContext) { (self.heading, self.context) = (heading, context) }

    mutating func add(_ range: Range<Int>, _ what: String?) {
        guard definition == nil || what == "column" else { return }
        definition = range
        misplaced = what.map { (range, $0) }
    }
}

extension LostLineSearch {
    /// The headings in notes that were intended as an event or a type, and the tables of columns in notes.
    ///
    /// - Parameter names: the names of the category, its events and their columns. Notes may have such a name as their
    ///   heading.
    func deepHeadings(file: Int, naming names: @autoclosure () -> Set<String>) -> [Diagnostic] {
        let headings = readSections.flatMap(deepHeadings)
        guard !headings.isEmpty else { return [] }
        let names = names()
        return headings.compactMap { heading in
            if isMeantAsDefinition(heading, names) { return diagnostic(heading, file) }
            return heading.misplaced.map { range, what in
                var diagnostic = Diagnostic(
                    .misplacedTable, "a \(what) table below a `###` heading is a note and defines nothing",
                    at: Place(file: file, range: range), notes: [.help("move it above the `###` heading")])
                diagnostic.severity = .warning
                return diagnostic
            }
        }
    }

    private func deepHeadings(in section: Section) -> [DeepHeading] {
        var headings: [DeepHeading] = []
        for block in section.blocks[section.notesStart...] {
            switch block.content {
            case .heading(let heading): headings.append(DeepHeading(heading, section.context))
            case .table(let table):
                guard let last = headings.indices.last else { continue }
                let place = table.header.range(ofCell: 0) ?? block.range
                switch BlockRole(of: table, in: section.context, source: source) {
                case .columns, .events: headings[last].add(place, "column")
                case .values: headings[last].add(place, nil)
                case .details:
                    let key = table.rows.first?.cells.first?.text(in: source) ?? ""
                    if Details.Key(spelling: String(withoutBackticks(key[...]))) != nil {
                        headings[last].add(place, "details")
                    }
                case .unknownTable:
                    if table.isOfProperties(in: source) { headings[last].add(place, "column") }
                case .text: break
                }
            case .list, .other: break
            }
        }
        return headings
    }

    /// Returns whether a heading in notes was intended as a definition. Such a heading consists of a name, or of a
    /// title and a name in backticks. In addition, a definition follows, or the name is not one of `names`.
    private func isMeantAsDefinition(_ deep: DeepHeading, _ names: Set<String>) -> Bool {
        let heading = deep.heading
        let name = Name(heading: heading, in: source, file: 0).identifier
        switch deep.context {
        case .common: return false
        case .type:
            let parts = name.split(separator: ":", maxSplits: 1).map { trimmed($0) }
            guard let first = parts.first, TypeNotation.isTypeName(first) else { return false }
            return deep.definition != nil || (parts.count == 2 && (try? TypeNotation.parse(String(parts[1]))) != nil)
        case .category, .event:
            if Name.isIdentifier(name) {
                let hasWordsAround =
                    heading.code != nil && !heading.before.allSatisfy { $0 == " " }
                    && !heading.after.allSatisfy { $0 == " " }
                return deep.definition != nil || (!hasWordsAround && !names.contains(name))
            }
            // `### Clear` above a table of columns is intended as a definition; `### History of changes` is a note.
            return deep.definition != nil && heading.code == nil && TypeNotation.isTypeName(heading.text)
        }
    }

    private func diagnostic(_ deep: DeepHeading, _ file: Int) -> Diagnostic {
        let heading = deep.heading
        let what = deep.context == .type ? "a type" : "an event"
        let hashes = String(repeating: "#", count: heading.level)
        let hasName =
            deep.context == .type || Name.isIdentifier(Name(heading: heading, in: source, file: 0).identifier)
        let name =
            hasName ? source.string(heading.range) : Name.suggestedIdentifier(for: heading.text) ?? "event_name"
        let note = "\(hashes) Notes on \(source.string(heading.range))"
        var diagnostic = Diagnostic(
            .deepHeading,
            "a heading with `\(hashes)` is a note and defines nothing, but this one reads like \(what)",
            at: Place(file: file, range: heading.range),
            notes: [
                .help("for \(what) write `## \(name)`", .replaceLine("## \(name)")),
                .help("for a note write more than a name, as in `\(note)`", .replaceLine(note)),
            ])
        if deep.definition != nil { diagnostic.severity = .error }
        return diagnostic
    }
}

extension Table {
    /// Returns whether a table with unknown headers has the columns of an event: `Property | Type`.
    fileprivate func isOfProperties(in source: SourceText) -> Bool {
        let headers = header.cells.map { $0.text(in: source) }
        let kinds = headers.map { HeaderKind($0) }
        return kinds.contains(.type) && (kinds.contains(.column) || kinds.contains(.key))
    }
}
