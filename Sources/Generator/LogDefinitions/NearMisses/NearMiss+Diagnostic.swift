import MarkdownSyntax

extension NearMiss {
    /// The diagnostic that reports the near miss.
    func diagnostic(in source: SourceText, file: Int) -> Diagnostic {
        let report = NearMissReport(source: source, file: file)
        switch self {
        case .mergeConflict(let range):
            return report.diagnostic(
                .mergeConflict, "the file is in a merge conflict", at: range,
                [
                    .help(
                        "keep the intended lines of both sides, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`"
                    )
                ])
        case .openBlock(let block): return report.diagnostic(block)
        case .heading(let heading): return report.diagnostic(heading)
        case .deepHeading(let heading): return report.diagnostic(heading)
        case .tableInNotes(let range, let what):
            var diagnostic = report.diagnostic(
                .misplacedTable, "a \(what) table below a `###` heading is a note and defines nothing", at: range,
                [.help("move it above the `###` heading")])
            diagnostic.severity = .warning
            return diagnostic
        case .inHTML(let content): return report.diagnostic(content)
        case .htmlTable(let range):
            return report.diagnostic(
                .brokenTable, "a table in HTML defines nothing", at: range,
                [.help("write it as a table with pipes; if it is a note, move it below a `###` heading")])
        case .tableInQuote(let range):
            return report.diagnostic(
                .brokenTable, "a table in a quote defines nothing", at: range,
                [.help("remove the `>` from its lines; if the table is a note, move it below a `###` heading")])
        case .tableInList(let range):
            return report.diagnostic(
                .brokenTable, "a table in a list defines nothing", at: range,
                [.help("insert an empty line above the table, and remove its indentation and the list marker")])
        case .indentedRow(let range):
            return report.diagnostic(
                .brokenTable, NearMissReport.indentedRow, at: range, [.help("remove the indentation of the row")])
        case .table(let table): return report.diagnostic(table)
        case .pastedTable(let table): return report.diagnostic(table)
        case .details(let details): return report.diagnostic(details)
        case .columnLine(let column, let isBesideTable): return report.diagnostic(column, isBesideTable)
        case .secondColumnList(let range):
            return report.diagnostic(
                .secondTable, "a column list next to a column table defines nothing", at: range,
                [.help("move the columns into the table; if the list is a note, move it below a `###` heading")])
        case .detachedDescription(let range):
            return report.diagnostic(
                .listColumn, "this description is read as code: HTML separates it from its column", at: range,
                [.help("move the HTML out of the list")])
        }
    }
}

/// The messages and fixes of near misses in one document.
private struct NearMissReport {
    static let indentedRow = "a row that is indented by four columns or a tab is code and defines nothing"

    let source: SourceText
    let file: Int

    private func place(_ range: Range<Int>) -> Place { Place(file: file, range: range) }

    func diagnostic(_ rule: Rule, _ message: String, at range: Range<Int>, _ notes: [Diagnostic.Note]) -> Diagnostic {
        Diagnostic(rule, message, at: place(range), notes: notes)
    }

    func diagnostic(_ block: OpenBlock) -> Diagnostic {
        diagnostic(
            .openBlock, "this \(block.name) is not closed and contains definitions", at: block.range,
            [
                .note("this definition, for example", at: place(block.definition)),
                .help(
                    "close the \(block.name) with a line `\(block.end)` above the definition",
                    .insertLine(block.end, before: place(block.definition))),
            ])
    }

    // MARK: Headings

    func diagnostic(_ heading: BrokenHeading) -> Diagnostic {
        var text = source.string(heading.text)
        // `[obsolete] ## show` and `~~## show~~` were intended as retired events.
        let line = source.lineRange(source.lineIndex(at: heading.range.lowerBound))
        let before = source.string(line.lowerBound..<heading.range.lowerBound).lowercased()
        if trimmed(before[...]) == "[obsolete]" { text = "[obsolete] " + text }
        if text.hasSuffix("~~"), !text.hasPrefix("~~") { text = "~~" + text }
        let corrected = "\(String(repeating: "#", count: heading.level)) \(text)"
        let help: [Diagnostic.Note]
        if heading.level == 2, !heading.hasName {
            let name = Name.suggestedIdentifier(for: text)
            help = [
                name.map { .help("for an event write `## \($0)`", .replaceLine("## \($0)")) }
                    ?? .help("for an event write a title and an identifier, as in ``## A title `event_name` ``"),
                .help("for a note write `### \(text)`", .replaceLine("### \(text)")),
            ]
        } else {
            help = [.help("write `\(corrected)` as a whole line, without indentation", .replaceLine(corrected))]
        }
        let shown = shortened(source.string(heading.range))
        var diagnostic = diagnostic(
            .brokenHeading, "`\(shown)` is not a heading: \(description(of: heading.flaw))", at: heading.range, help)
        if heading.isUncertain { diagnostic.severity = .warning }
        return diagnostic
    }

    private func description(of flaw: BrokenHeading.Flaw) -> String {
        switch flaw {
        case .escaped: "the backslash before it makes it a paragraph"
        case .startsWith(let scalar): "it begins with " + described(scalar)
        case .preceded(let scalar): "it is preceded by " + described(scalar)
        case .afterTag: "HTML precedes it on its line"
        case .insideOtherBlock: "it is indented by four columns or more, or is inside another block"
        case .unusualBlank(let scalar): "the `#` is followed by " + described(scalar) + ", instead of a space"
        case .missingBlank: "a space is missing after the `#`"
        case .onlyName: "a heading begins with `#`, and the table below belongs to one"
        }
    }

    func diagnostic(_ heading: DeepHeading) -> Diagnostic {
        let what = heading.context == .type ? "a type" : "an event"
        let hashes = String(repeating: "#", count: heading.level)
        let hasName = Name.isIdentifier(heading.name.identifier) || heading.context == .type
        let name =
            hasName ? source.string(heading.range) : Name.suggestedIdentifier(for: heading.text) ?? "event_name"
        var diagnostic = diagnostic(
            .deepHeading,
            "a heading with `\(hashes)` is a note and defines nothing, but this one reads like \(what)",
            at: heading.range,
            [
                .help("for \(what) write `## \(name)`", .replaceLine("## \(name)")),
                .help(
                    "for a note write more than a name, as in `\(hashes) Notes on \(heading.text)`",
                    .replaceLine("\(hashes) Notes on \(heading.text)")),
            ])
        if heading.definition != nil { diagnostic.severity = .error }
        return diagnostic
    }

    // MARK: HTML

    func diagnostic(_ content: HTMLContent) -> Diagnostic {
        let text = source.string(content.range)
        let rule: Rule =
            switch content.part {
            case .title: .missingTitle
            case .heading: .brokenHeading
            case .row: .brokenTable
            case .column: .listColumn
            case .fence: .openBlock
            }
        let help: Diagnostic.Note
        switch content.fix {
        case .separateLine:
            let start = source.lineRange(content.line).lowerBound
            let before = trimmed(source.string(start..<content.range.lowerBound)[...])
            help = .help(
                "move it to a separate line, with an empty line above it",
                .replaceLine("\(before)\(source.lineEnd)\(source.lineEnd)\(text)"))
        case .closeTag(let tag):
            help = .help("close `\(tag)` above it; if it is an example, put it into a code block")
        case .blankLine:
            let start = content.range.lowerBound
            help = .help(
                "insert an empty line above it to end the HTML", .insertLine("", before: place(start..<start)))
        }
        return diagnostic(
            rule,
            "`\(shortened(text))` is part of the HTML that begins with `\(shortened(content.tag))`, and defines nothing",
            at: content.range, [help])
    }

    // MARK: Tables

    func diagnostic(_ table: BrokenTable) -> Diagnostic {
        diagnostic(.brokenTable, message(for: table.flaw), at: table.range, help(for: table.flaw, at: table.range))
    }

    private func message(for flaw: BrokenTable.Flaw) -> String {
        switch flaw {
        case .end(.code): Self.indentedRow
        case .end(.tag): "HTML ends the table above: this line is not a row"
        case .end(.listItem): "a list item ends the table above: this line is not a row"
        case .end(.noCell): "a line without a cell ends the table above"
        case .end(.underline): "this line underlines the table above, which makes a heading of it"
        case .separatedRow: "this row defines nothing: an empty line separates it from its table"
        case .separator(let separator, _): description(of: separator)
        case .missingHeader: "the table has no header row above its row of hyphens"
        case .delimiterCharacter(let scalar, _):
            "the row below the headers has \(ScalarNames.described(scalar)), instead of a hyphen"
        case .delimiterCount(let count, let columns):
            "the row of hyphens has \(count) cell\(count == 1 ? "" : "s"), but the header row has \(columns): this is "
                + "not a table"
        case .delimiterSpelling:
            "the row below the headers is indented, or does not consist of hyphens: this is not a table"
        case .delimiterWithoutPipes: "the row below these headers has no pipes: this is a heading, not a table"
        case .missingDelimiter: "the table has no row of hyphens below its headers, and defines nothing"
        case .strayRow: "a line with pipes outside of a table defines nothing"
        case .rowWithoutFirstPipe: "this row begins without a pipe, unlike its header"
        case .rowWithoutPipes: "a line without a pipe is read as a row of the table above"
        }
    }

    private func help(for flaw: BrokenTable.Flaw, at range: Range<Int>) -> [Diagnostic.Note] {
        switch flaw {
        case .end(.code): return [.help("remove the indentation of the row")]
        case .end(let end):
            let start = range.lowerBound..<range.lowerBound
            let row = end == .noCell || end == .underline ? "" : "; if it is a row, begin it with `|`"
            return [.help("insert an empty line above it\(row)", .insertLine("", before: place(start)))]
        case .separatedRow:
            return [
                .help("remove the empty line above it", .deleteBlankLinesAbove),
                .help("if it is not a row, write its pipes as code: `a | b`"),
            ]
        case .separator(_, let fix): return help(fix)
        case .missingHeader(let columns, let isEnumeration):
            let example = exampleHeader(columns, isEnumeration)
            return [.help("write a header row above it, such as `\(example)`, with the same number of cells")]
        case .delimiterCharacter(_, let columns), .delimiterCount(_, let columns), .delimiterSpelling(let columns):
            let row = ProposedTable.delimiterRow(columns)
            return [.help("replace the row below the headers with `\(row)`", .replaceLine(row))]
        case .delimiterWithoutPipes(let columns):
            let row = ProposedTable.delimiterRow(columns)
            return [.help("replace the row below the headers with `\(row)`", .replaceUnderline(row))]
        case .missingDelimiter(let columns):
            if let gap = blankLinesAboveHyphens(below: range) {
                return [.help("remove the empty line below the headers", .replacePlace(place(gap), with: ""))]
            }
            let row = ProposedTable.delimiterRow(columns)
            return [.help("insert `\(row)` below the headers", .appendLine(row))]
        case .strayRow(let columns):
            let row = ProposedTable.delimiterRow(columns)
            return [
                .help(
                    "move it directly below its table; a new table begins with a header row and a row `\(row)`"
                ),
                .help("if it is not a row, write its pipes as code, or move it below a `###` heading"),
            ]
        case .rowWithoutFirstPipe:
            let line = "| " + source.string(range)
            return [.help("append it to the line above, or begin it with `|`", .replaceLine(line))]
        case .rowWithoutPipes(let cells?): return help(.row(cells))
        case .rowWithoutPipes(nil):
            let start = range.lowerBound..<range.lowerBound
            return [
                .help(
                    "if it is not a row, insert an empty line above it; if it is, separate its cells with `|`",
                    .insertLine("", before: place(start)))
            ]
        }
    }

    private func description(of separator: BrokenTable.CellSeparator) -> String {
        switch separator {
        case .escapedPipe: "this line is not a row of a table: a backslash precedes its first pipe"
        case .lookalike(let scalar):
            "the cells are separated by \(described(scalar)), not by `|`: this is not a row of a table"
        case .tab: "the cells are separated by tabs, not by `|`: this is not a row of a table"
        case .pipeAfter(let scalar): "the first pipe comes after \(described(scalar)): this is not a row of a table"
        }
    }

    /// The empty lines between a header row and its row of hyphens; nil without them.
    private func blankLinesAboveHyphens(below header: Range<Int>) -> Range<Int>? {
        let first = source.lineIndex(at: header.upperBound) + 1
        var line = first
        while line < source.lineStarts.count, source.isBlankLine(line) { line += 1 }
        guard line > first, line < source.lineStarts.count, source.scan(at: line)?.isDelimiter ?? false else {
            return nil
        }
        return source.lineStarts[first]..<source.lineStarts[line]
    }

    private func help(_ fix: BrokenTable.Fix) -> [Diagnostic.Note] {
        switch fix {
        case .row(let cells):
            ProposedTable.row(cells).map { [.help("write `\($0)`", .replaceLine($0))] } ?? []
        case .table(let rows, let lines): [writing(ProposedTable.lines(correcting: rows), inPlaceOf: lines)]
        }
    }

    private func exampleHeader(_ columns: Int, _ isEnumeration: Bool) -> String {
        let headers =
            isEnumeration
            ? ["value", "description"] : columns == 2 ? ["column", "type"] : ["column", "type", "description"]
        return ProposedTable.row(headers) ?? ""
    }

    func diagnostic(_ table: PastedTable) -> Diagnostic {
        diagnostic(
            .brokenTable,
            "the cells of these lines are separated by \(table.separator), not by `|`: they are not a table",
            at: source.lineRange(table.lines.lowerBound),
            [writing(ProposedTable.lines(correcting: table.rows), inPlaceOf: table.lines)])
    }

    /// The fix that replaces some lines with a table.
    private func writing(_ table: [String]?, inPlaceOf lines: ClosedRange<Int>) -> Diagnostic.Note {
        guard let table else {
            return .help("write them as a table, with `|` between cells and as many cells in each row")
        }
        let range = source.lineRange(lines.lowerBound).lowerBound..<source.lineRange(lines.upperBound).upperBound
        // Text directly above a table would be part of its header's paragraph, and text below it one more row.
        let isBelowText = lines.lowerBound > 0 && !source.isBlankLine(lines.lowerBound - 1)
        let isAboveText = lines.upperBound + 1 < source.lineStarts.count && !source.isBlankLine(lines.upperBound + 1)
        let end = source.lineEnd
        var note = Diagnostic.Note.help(
            "replace these lines with the table:",
            .replacePlace(
                place(range),
                with: (isBelowText ? end : "") + table.joined(separator: end) + (isAboveText ? end : "")))
        note.lines = table.count <= 24 ? table : Array(table.prefix(23)) + ["…"]
        return note
    }

    // MARK: Lines of text

    func diagnostic(_ details: MisplacedDetails) -> Diagnostic {
        let rows = details.details.map { "| \($0.key.rawValue) | \($0.value) |" }
        let table = ["| key | value |", "| --- | --- |"] + rows
        var help: Diagnostic.Note
        switch details.fix {
        case .addToTable:
            help = .help("add it to the details table as the row `\(rows[0])`")
            if rows.count > 1 { help.lines = rows }
        case .replace(let lines): help = writing(table, inPlaceOf: lines)
        case .newTable:
            help = .help("write it as a table, with an empty line above and below:")
            help.lines = table
        }
        return diagnostic(
            .lostDetail, "`\(shortened(source.string(details.range)))` has no effect: details are rows of a table",
            at: details.range, [help])
    }

    func diagnostic(_ column: ColumnLine, _ isBesideTable: Bool) -> Diagnostic {
        let name = Name.suggestedIdentifier(for: column.name) ?? column.name
        let row = ProposedTable.row([name, column.type] + (column.description.isEmpty ? [] : [column.description]))
        var help: [Diagnostic.Note]
        if isBesideTable {
            help = [.help(row.map { "add it to the column table: `\($0)`" } ?? "add it to the column table")]
        } else if let item = column.item(named: name) {
            help = [
                .help(
                    "write `\(item[0])` as a whole line, without indentation",
                    .replaceLine(item.joined(separator: source.lineEnd + "    - ")))
            ]
        } else {
            help = [.help("write it as a row of a table with the headers `column` and `type`")]
        }
        if column.isProse { help.append(.help("if it is a sentence, begin it with a capital letter")) }
        var diagnostic = diagnostic(
            .listColumn, "this line looks like the column `\(column.name)`, but defines nothing", at: column.range, help
        )
        if column.isProse { diagnostic.severity = .warning }
        return diagnostic
    }

    private func described(_ scalar: Unicode.Scalar?) -> String {
        scalar.map(ScalarNames.described) ?? "another character"
    }

    /// The first 57 characters of a long line. The excerpt below the message shows all of it.
    private func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= 60 ? text : String(String.UnicodeScalarView(scalars.prefix(57))) + "…"
    }
}
