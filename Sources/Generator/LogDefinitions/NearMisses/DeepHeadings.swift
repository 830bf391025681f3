import MarkdownSyntax

/// Headings of level 3 or deeper, which begin notes.
extension LostLineSearch {
    /// The headings in notes that were intended as an event or a type, and the tables of columns in notes.
    ///
    /// - Parameter names: the names of the category, its events and their columns. Notes may have such a name as their
    ///   heading.
    func deepHeadings(file: Int, naming names: @autoclosure () -> Set<String>) -> [Diagnostic] {
        let sections = readSections.filter { $0.notesStart < $0.blocks.endIndex }
        guard !sections.isEmpty else { return [] }
        let names = names()
        return sections.flatMap { section -> [Diagnostic] in
            let parts = section.blocks[section.notesStart...].reduce(into: [(heading: Heading, tables: [Table])]()) {
                switch $1.content {
                case .heading(let heading): $0.append((heading, []))
                case .table(let table): if defines(table, in: section.context) { $0[$0.count - 1].tables.append(table) }
                case .list, .other: break
                }
            }
            return parts.compactMap { heading, tables in
                if isMeantAsDefinition(heading, in: section.context, hasTable: !tables.isEmpty, names) {
                    return deepHeading(heading, section.context, hasTable: !tables.isEmpty, file)
                }
                guard section.context != .type, let place = tables.first?.header.range(ofCell: 0) else { return nil }
                var diagnostic = Diagnostic(
                    .misplacedTable, "a table below a `###` heading is a note and defines nothing",
                    at: Place(file: file, range: place), .help("move it above the `###` heading"))
                diagnostic.severity = .warning
                return diagnostic
            }
        }
    }

    /// Returns whether a table in notes would define something above them.
    private func defines(_ table: Table, in context: SectionContext) -> Bool {
        switch BlockRole(of: table, in: context, source: source) {
        case .columns, .events, .values: return true
        case .details:
            let key = table.rows.first?.cells.first?.text(in: source) ?? ""
            return Details.Key(spelling: String(withoutBackticks(key[...]))) != nil
        case .unknownTable:
            // `Property | Type` are headers of columns.
            let kinds = table.header.cells.map { HeaderKind($0.text(in: source)) }
            return kinds.contains(.type) && (kinds.contains(.column) || kinds.contains(.key))
        case .text: return false
        }
    }

    /// Returns whether a heading in notes was intended as a definition. Such a heading consists of a name, or of a
    /// title and a name in backticks. In addition, a definition follows, or the name is not one of `names`.
    private func isMeantAsDefinition(
        _ heading: Heading, in context: SectionContext, hasTable: Bool, _ names: Set<String>
    ) -> Bool {
        let name = Name(heading: heading, in: source, file: 0).identifier
        if context == .common { return false }
        if context == .type {
            let parts = name.split(separator: ":", maxSplits: 1).map { trimmed($0) }
            guard let first = parts.first, TypeNotation.isTypeName(first) else { return false }
            return hasTable || parts.count == 2 && (try? TypeNotation.parse(parts[1])) != nil
        }
        guard Name.isIdentifier(name) else {
            // `### Clear` above a table of columns is intended as a definition; `### History of changes` is a note.
            return hasTable && heading.code == nil && TypeNotation.isTypeName(heading.text)
        }
        let isInText = [heading.before, heading.after].allSatisfy { $0.contains { $0 != " " } }
        return hasTable || !(heading.code != nil && isInText) && !names.contains(name)
    }

    private func deepHeading(_ heading: Heading, _ context: SectionContext, hasTable: Bool, _ file: Int) -> Diagnostic {
        let what = context == .type ? "a type" : "an event"
        let hashes = String(repeating: "#", count: heading.level)
        let text = source.string(heading.range)
        let isName = context == .type || Name.isIdentifier(Name(heading: heading, in: source, file: 0).identifier)
        let name = isName ? text : Name.suggestedIdentifier(for: heading.text) ?? "event_name"
        let note = "\(hashes) Notes on \(text)"
        var diagnostic = Diagnostic(
            .deepHeading, "a heading with `\(hashes)` is a note and defines nothing, but this one reads like \(what)",
            at: Place(file: file, range: heading.range),
            .help("for \(what) write `## \(name)`", .replaceLine("## \(name)")),
            .help("for a note write more than a name, as in `\(note)`", .replaceLine(note)))
        // In `types.md`, the heading alone is a type.
        if hasTable || context == .type { diagnostic.severity = .error }
        return diagnostic
    }
}
