import MarkdownSyntax

extension LostLines {
    func diagnostic(in source: SourceText, file: Int) -> Diagnostic {
        let (rule, message): (Rule, String) =
            switch first.kind {
            case .heading: (.brokenHeading, "`\(shown(source))` is not a heading: \(first.cause ?? "")")
            case .row: (.brokenTable, rowMessage(source))
            case .column(let column):
                (.listColumn, "this line looks like the column `\(column.name)`, but defines nothing\(count)")
            case .detail:
                (.lostDetail, "`\(shown(source))` has no effect: details are rows of a table\(count)")
            }
        var diagnostic = Diagnostic(rule, message, at: Place(file: file, range: first.range))
        diagnostic.notes = help(source, file)
        if first.isUncertain { diagnostic.severity = .warning }
        return diagnostic
    }

    private var count: String { lines.count == 1 ? "" : " (\(lines.count) lines)" }

    /// The first 57 characters of a long line. The excerpt below the message shows all of it.
    private func shown(_ source: SourceText) -> String {
        let scalars = source.string(first.range).unicodeScalars
        return scalars.count <= 60 ? String(scalars) : String(String.UnicodeScalarView(scalars.prefix(57))) + "…"
    }

    private func rowMessage(_ source: SourceText) -> String {
        "this line looks like a row of a table, but defines nothing: \(first.cause ?? tableFlaw(source))\(count)"
    }

    private var rows: [[String]] { lines.compactMap(\.cells).filter { !$0.allSatisfy(\.isEmpty) } }
    private var isTable: Bool { first.cells.map { LostLineSearch.isHeader($0, in: surroundings.context) } ?? false }

    /// The reason why CommonMark reads no table although no line has a flaw of its own.
    private func tableFlaw(_ source: SourceText) -> String {
        guard let cells = first.cells else { return "no header row precedes the row of hyphens" }
        guard isTable else {
            return surroundings.tableAbove == nil
                ? "no row of headers and no row of hyphens precede it" : "an empty line separates it from its table"
        }
        guard lines.count > 1, case .row(let hyphens, true) = lines[1].kind else {
            let next = lines.count > 1 ? lines[1].cause : nil
            return next.map { "below its headers, \($0)" } ?? "no row of hyphens follows its headers"
        }
        if lines[1].line > first.line + 1 { return "an empty line follows its headers" }
        if let cause = lines[1].cause { return "below its headers, \(cause)" }
        let text = source.string(lines[1].range)
        if let other = text.unicodeScalars.first(where: { !"-| :\t".unicodeScalars.contains($0) }) {
            return "the row below its headers has \(ScalarNames.described(other)), instead of a hyphen"
        }
        return hyphens.count == cells.count
            ? "the row below its headers does not consist of hyphens"
            : "the row of hyphens has \(hyphens.count) cell\(hyphens.count == 1 ? "" : "s"), but the header row has "
                + "\(cells.count)"
    }

    // MARK: Corrections

    private func help(_ source: SourceText, _ file: Int) -> [Diagnostic.Note] {
        switch first.kind {
        case .heading(let level, let text, let hasName): return headingHelp(source, level, text, hasName)
        case .row:
            if isTable || surroundings.tableAbove == nil {
                guard let header = isTable ? rows[0] : defaultHeader else {
                    return [.help("write it below the header row and the row of hyphens of its table, without markers")]
                }
                let table = ProposedTable.lines(correcting: [header] + (isTable ? Array(rows.dropFirst()) : rows))
                return [replacement(table, source, file)]
            }
            return [rowHelp(source, file)]
        case .column(let column):
            let rows = lines.compactMap(\.column).map { column in
                [Name.suggestedIdentifier(for: column.name) ?? column.name, column.type, column.description]
            }
            let hasText = rows.contains { !$0[2].isEmpty }
            var help =
                surroundings.hasColumns
                ? addition("column", rows.map { $0[2].isEmpty ? Array($0.dropLast()) : $0 })
                : replacement(
                    ProposedTable.lines(
                        correcting: [hasText ? ["column", "type", "description"] : ["column", "type"]]
                            + rows.map { hasText ? $0 : Array($0.dropLast()) }), source, file)
            if column.isProse { help = .help("if it is a sentence, begin it with a capital letter") }
            return [help]
        case .detail:
            let rows = lines.map { line in
                if case .detail(let key, let value) = line.kind { [key.rawValue, value] } else { [""] }
            }
            return [
                surroundings.hasDetails
                    ? addition("details", rows)
                    : replacement(ProposedTable.lines(correcting: [["key", "value"]] + rows), source, file)
            ]
        }
    }

    private func headingHelp(_ source: SourceText, _ level: Int, _ range: Range<Int>, _ hasName: Bool)
        -> [Diagnostic.Note]
    {
        let line = source.lineRange(first.line)
        let before = source.string(line.lowerBound..<first.range.lowerBound)
        var text = String(Substring(source.string(range)).withoutTags)
        // `[obsolete] ## show` and `~~## show~~` were intended as retired events.
        if trimmed(before.lowercased()[...]) == "[obsolete]" { text = "[obsolete] " + text }
        if text.hasSuffix("~~"), !text.hasPrefix("~~") { text = "~~" + text }
        func written(_ heading: String) -> Diagnostic.Edit {
            let tag = before.contains("<") && range.lowerBound > line.lowerBound && !before.hasSuffix("<h2>")
            let isBelowText = first.line > 0 && !source.isBlankLine(first.line - 1)
            return .replaceLine(
                (tag ? "\(trimmed(before[...]))\(source.lineEnd)\(source.lineEnd)" : isBelowText ? source.lineEnd : "")
                    + heading)
        }
        let corrected = "\(String(repeating: "#", count: level)) \(text)"
        if level == 2, !hasName {
            let name = Name.suggestedIdentifier(for: text)
            return [
                name.map { .help("for an event write `## \($0)`", written("## \($0)")) }
                    ?? .help("for an event write a title and an identifier, as in ``## A title `event_name` ``"),
                .help("for a note write `### \(text)`", written("### \(text)")),
            ]
        }
        return [.help("write `\(corrected)` as a whole line, without indentation", written(corrected))]
    }

    /// The headers of rows that consist of a name, a type and perhaps a description and an example.
    private var defaultHeader: [String]? {
        let count = rows.map(\.count).max() ?? 0
        let headers = ["column", "type", "description", "example"]
        guard surroundings.context == .event, !surroundings.hasColumns, (2...4).contains(count),
            rows.allSatisfy({ $0.count > 1 && Name.isIdentifier($0[0]) && LostLineSearch.isType($0[1]) })
        else { return nil }
        return Array(headers.prefix(count))
    }

    private func rowHelp(_ source: SourceText, _ file: Int) -> Diagnostic.Note {
        let proposed = rows.compactMap { ProposedTable.row($0) }
        guard let table = surroundings.tableAbove, !proposed.isEmpty, proposed.count == rows.count,
            last.line > table
        else {
            return .help(
                "write it directly below its table, as a row with as many cells; text needs an empty line above it")
        }
        let range = source.lineRange(table).upperBound..<source.lineRange(last.end).upperBound
        let text = proposed.joined(separator: source.lineEnd)
        var note = Diagnostic.Note.help(
            "write `\(proposed[0])` directly below the table",
            .replacePlace(Place(file: file, range: range), with: source.lineEnd + text))
        if proposed.count > 1 {
            note.message = "write directly below the table:"
            note.lines = shortened(proposed)
        }
        return note
    }

    private func addition(_ table: String, _ rows: [[String]]) -> Diagnostic.Note {
        let rows = rows.compactMap { ProposedTable.row($0) }
        guard rows.count == 1 else {
            var note = Diagnostic.Note.help("add them to the \(table) table:")
            note.lines = shortened(rows)
            return note
        }
        return .help("add it to the \(table) table: `\(rows[0])`")
    }

    private func replacement(_ table: [String]?, _ source: SourceText, _ file: Int) -> Diagnostic.Note {
        guard let table else {
            return .help("write them as a table, with `|` between cells and as many cells in each row")
        }
        let range = source.lineRange(first.line).lowerBound..<source.lineRange(last.end).upperBound
        // Text directly above a table would be part of its header's paragraph, and text below it one more row.
        let isBelowText = first.line > 0 && !source.isBlankLine(first.line - 1)
        let isAboveText = last.end + 1 < source.lineStarts.count && !source.isBlankLine(last.end + 1)
        let end = source.lineEnd
        let edit = Diagnostic.Edit.replacePlace(
            Place(file: file, range: range),
            with: (isBelowText ? end : "") + table.joined(separator: end) + (isAboveText ? end : ""))
        var note = Diagnostic.Note.help("write the table:", edit)
        note.lines = shortened(table)
        return note
    }

    private func shortened(_ rows: [String]) -> [String] { rows.count <= 24 ? rows : Array(rows.prefix(23)) + ["…"] }
}
