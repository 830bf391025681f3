import MarkdownSyntax

extension LostLines {
    func diagnostic(in source: SourceText, file: Int) -> Diagnostic {
        let count = lines.count == 1 ? "" : " (\(lines.count) lines)"
        let text = source.string(first.range).unicodeScalars
        // The excerpt below the message shows all of a long line.
        let shown = text.count <= 60 ? String(text) : String(String.UnicodeScalarView(text.prefix(57))) + "…"
        let (rule, message): (Rule, String) =
            switch first.kind {
            case .heading: (.brokenHeading, "`\(shown)` is not a heading: \(first.cause ?? "")")
            case .row:
                (.brokenTable, "this line looks like a row of a table, but defines nothing: \(rowFlaw)\(count)")
            case .column:
                (.listColumn, "this line looks like the column `\(first.cells[0])`, but defines nothing\(count)")
            case .detail: (.lostDetail, "`\(shown)` has no effect: details are rows of a table\(count)")
            }
        var diagnostic = Diagnostic(rule, message, at: Place(file: file, range: first.range))
        if case .heading(let level, let text, let hasName) = first.kind {
            diagnostic.notes = headingHelp(source, level, text, hasName)
        } else {
            diagnostic.notes = [tableHelp(source, file)]
        }
        if first.isUncertain { diagnostic.severity = .warning }
        return diagnostic
    }

    private var rowFlaw: String {
        if let cause = first.cause { return cause }
        if hasHeaders {
            return lines.dropFirst().first?.cause.map { "below its headers, \($0)" }
                ?? "no row of hyphens with as many cells follows its headers"
        }
        return tableAbove == nil
            ? "no row of headers and no row of hyphens precede it" : "an empty line separates it from its table"
    }

    // MARK: Corrections

    private static let closing = Dictionary(uniqueKeysWithValues: zip("[(【（「『<", "])】）」』>"))

    private func headingHelp(_ source: SourceText, _ level: Int, _ range: Range<Int>, _ hasName: Bool)
        -> [Diagnostic.Note]
    {
        let before = source.string(source.lineRange(first.line).lowerBound..<first.range.lowerBound)
        var text = String(Substring(source.string(range)).withoutTags)
        // `[obsolete] ## show` and `~~## show~~` were intended as retired events.
        if trimmed(before.lowercased()[...]) == "[obsolete]" { text = "[obsolete] " + text }
        if text.hasSuffix("~~"), !text.hasPrefix("~~") { text = "~~" + text }
        // In ``**A title** `name` ``, the range begins after the first marks and includes the second ones.
        let marks = source.string(first.range.lowerBound..<range.lowerBound).split(separator: " ").last ?? ""
        if !marks.isEmpty, let code = text.firstIndex(of: "`") {
            let title = trimmed(text[..<code])
            let closing = String(marks.reversed().map { Self.closing[$0] ?? $0 })
            if title.hasSuffix(closing) {
                text = "\(trimmed(title.dropLast(marks.count))) \(text[code...])"
            }
        }
        func edit(_ heading: String) -> Diagnostic.Edit {
            let tags = before.contains("<") && !before.hasSuffix("<h2>") ? trimmed(before[...]) + source.lineEnd : ""
            let isBelowText = first.line > 0 && !source.isBlankLine(first.line - 1) || !tags.isEmpty
            return .replaceLine(tags + (isBelowText ? source.lineEnd : "") + heading)
        }
        if level != 2 || hasName {
            let heading = "\(String(repeating: "#", count: level)) \(text)"
            return [.help("write `\(heading)` as a whole line, without indentation", edit(heading))]
        }
        let name = Name.suggestedIdentifier(for: text).map { "## \($0)" }
        return [
            name.map { .help("for an event write `\($0)`", edit($0)) }
                ?? .help("for an event write a title and an identifier, as in ``## A title `event_name` ``"),
            .help("for a note write `### \(text)`", edit("### \(text)")),
        ]
    }

    private func tableHelp(_ source: SourceText, _ file: Int) -> Diagnostic.Note {
        if first.isUncertain { return .help("if it is a sentence, begin it with a capital letter") }
        var rows = lines.map(\.cells).filter { $0.contains { !$0.isEmpty } }
        switch first.kind {
        case .column where !hasTable:
            rows.insert(["column", "type"] + (rows.contains { $0.count > 2 } ? ["description"] : []), at: 0)
        case .detail where !hasTable: rows.insert(["key", "value"], at: 0)
        default: break
        }
        let isWhole = (first.line...last.line).count { !source.isBlankLine($0) } == lines.count
        let written = hasTable ? rows.map { Self.row($0) } : Self.table(rows)
        guard isWhole, hasTable || hasHeaders || first.kind != .row, let written, !written.isEmpty else {
            return .help("write rows of a table, with `|` between cells and as many cells as headers above them")
        }
        if hasTable, tableAbove == nil {
            return .help("add to the \(first.kind == .detail ? "details" : "column") table:", lines: written)
        }
        let start = tableAbove.map { source.lineRange($0).upperBound } ?? source.lineRange(first.line).lowerBound
        // Text directly above a table would be part of its header's paragraph, and text below it one more row.
        let isBelowText = hasTable || first.line > 0 && !source.isBlankLine(first.line - 1)
        let isAboveText = last.line + 1 < source.lineStarts.count && !source.isBlankLine(last.line + 1)
        let lineEnd = source.lineEnd
        let edit = Diagnostic.Edit.replacePlace(
            Place(file: file, range: start..<source.lineRange(last.line).upperBound),
            with: (isBelowText ? lineEnd : "") + written.joined(separator: lineEnd) + (isAboveText ? lineEnd : ""))
        return .help(hasTable ? "write directly below the table:" : "write the table:", edit, lines: written)
    }

    private static func row(_ cells: [String]) -> String {
        let escaped = cells.map { $0.unicodeScalars.map { $0 == "|" ? "\\|" : String($0) }.joined() }
        return escaped.map { $0.isEmpty ? "|  " : "| \($0) " }.joined() + "|"
    }

    /// The lines of a table with corrected spellings. Nil if a row has more cells than the first one, the headers.
    private static func table(_ rows: [[String]]) -> [String]? {
        guard let first = rows.first, rows.allSatisfy({ $0.count <= first.count }) else { return nil }
        let headers = first.map { header in
            HeaderKind(header) == nil ? HeaderKind.nearest(to: header)?.spelling ?? header : header
        }
        let body = rows.dropFirst().map { row in
            zip(row, headers).map { cell, header in
                switch HeaderKind(header) {
                case .type: TypeNotation.correction(of: cell, for: .table) ?? cell
                case .column, .event: Name.isIdentifier(cell) ? cell : Name.suggestedIdentifier(for: cell) ?? cell
                case .key: Confusable.folded(cell)
                default: cell
                }
            } + Array(repeating: "", count: first.count - row.count)
        }
        return [row(headers), String(repeating: "| --- ", count: first.count) + "|"] + body.map { row($0) }
    }
}

extension Diagnostic.Note {
    fileprivate static func help(_ message: String, _ edit: Diagnostic.Edit? = nil, lines: [String]) -> Self {
        var note = help(message, edit)
        note.lines = lines.count <= 24 ? lines : lines.prefix(23) + ["…"]
        return note
    }
}
