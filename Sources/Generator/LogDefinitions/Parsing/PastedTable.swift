import MarkdownSyntax

/// Lines that people paste from a spreadsheet or type with full-width signs, and the table that they mean.
extension FileParser {
    /// Lines of a paragraph as rows of cells, the headers first.
    struct PastedTable {
        var lines: ClosedRange<Int>
        var rows: [[String]]
        var separator: String
    }

    /// A paragraph whose lines are rows with commas or blanks between the cells. Nil for prose.
    func pastedTable(_ block: Block, in context: SectionBody.Context) -> PastedTable? {
        let lines = block.lines.map { trimmed(source.string(source.lineRange($0))[...]) }
        guard let first = lines.first, lines.count > 1 else { return nil }
        let byComma = lines.map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map { String(trimmed($0)) }
        }
        if isTable(byComma, in: context) { return pasted(block, byComma, "commas", in: context) }
        // Two blanks or more separate cells. If there are none, each word of the first line is a header.
        let byBlanks = lines.map { Self.cells(ofAligned: $0) }
        if isTable(byBlanks, in: context) { return pasted(block, byBlanks, "blanks", in: context) }
        let count = first.split(separator: " ").count
        let byWord = lines.map { $0.split(separator: " ", maxSplits: max(0, count - 1)).map { String(trimmed($0)) } }
        if isHeaders(byWord[0], in: context), !byWord[0].contains(where: { HeaderKind($0) == nil }) {
            return pasted(block, byWord, "blanks", in: context)
        }
        return nil
    }

    /// Whether the first row holds the headers of a definition, or each row reads like one.
    private func isTable(_ rows: [[String]], in context: SectionBody.Context) -> Bool {
        guard rows.allSatisfy({ $0.count > 1 }) else { return false }
        return isHeaders(rows[0], in: context) || context != .type && rows.allSatisfy { readsLikeRow($0, in: context) }
    }

    private func isHeaders(_ cells: [String], in context: SectionBody.Context) -> Bool {
        let kinds = cells.map { HeaderKind($0) }
        if kinds.count == 2, kinds.contains(.key), kinds.contains(.value) { return true }
        if context == .type { return kinds.count > 1 && kinds.contains(.value) && !kinds.contains(nil) }
        return kinds.contains(.column) && kinds.contains(.type)
    }

    private static func cells(ofAligned line: Substring) -> [String] {
        var cells: [String] = []
        var cell = ""
        var blanks = 0
        for character in line {
            if character == " " {
                blanks += 1
                continue
            }
            if blanks > 1 {
                cells.append(cell)
                cell = ""
            } else if blanks == 1 {
                cell += " "
            }
            blanks = 0
            cell.append(character)
        }
        return cells + [cell]
    }

    private func pasted(_ block: Block, _ rows: [[String]], _ separator: String, in context: SectionBody.Context)
        -> PastedTable
    {
        var rows = rows
        if !isHeaders(rows[0], in: context) {
            rows.insert(defaultHeaders(rows.map(\.count).max() ?? 2, in: context), at: 0)
        }
        return PastedTable(lines: block.lines, rows: rows, separator: separator)
    }

    private func defaultHeaders(_ count: Int, in context: SectionBody.Context) -> [String] {
        let known = context == .type ? ["value", "description"] : ["column", "type", "description", "example"]
        return (0..<count).map { known.indices.contains($0) ? known[$0] : "note \($0 - known.count + 1)" }
    }

    /// A table as it is to be written, with the spellings that the format knows.
    func correctedTable(_ rows: [[String]]) -> [String] {
        guard let first = rows.first else { return [] }
        let headers = first.map { header in
            HeaderKind(header) == nil ? HeaderKind.nearest(to: header)?.spelling ?? header : header
        }
        let kinds = headers.map { HeaderKind($0) }
        let width = max(headers.count, rows.map(\.count).max() ?? 0)
        func line(_ cells: [String]) -> String {
            "|"
                + (0..<width).map { " " + (cells.indices.contains($0) ? Self.escapingPipes(cells[$0]) : "") + " |" }
                .joined()
        }
        let body = rows.dropFirst().map { row in
            row.enumerated().map { index, cell in
                guard kinds.indices.contains(index) else { return cell }
                switch kinds[index] {
                case .type: return TypeNotation.correction(of: cell, readsJapanese: true) ?? cell
                case .column, .event:
                    return Name.isIdentifier(cell) ? cell : Name.suggestedIdentifier(for: cell) ?? cell
                case .key: return Confusable.folded(cell)
                default: return cell
                }
            }
        }
        return [line(headers), delimiterRow(width)] + body.map(line)
    }

    private static func escapingPipes(_ cell: String) -> String {
        guard cell.contains("|") else { return cell }
        return cell.unicodeScalars.map { $0 == "|" ? "\\|" : String($0) }.joined()
    }

    /// Advice to put a table into the place of some lines.
    func writing(_ table: [String], inPlaceOf lines: ClosedRange<Int>) -> Diagnostic.Note {
        let range = source.lineRange(lines.lowerBound).lowerBound..<source.lineRange(lines.upperBound).upperBound
        // Text directly above a table would be part of its header's paragraph, and text below it one more row.
        let isBelowText = lines.lowerBound > 0 && !source.isBlankLine(lines.lowerBound - 1)
        let isAboveText = lines.upperBound + 1 < source.lineStarts.count && !source.isBlankLine(lines.upperBound + 1)
        let end = source.lineEnd
        var note = Diagnostic.Note.help(
            "write the table in their place:",
            .replacePlace(
                Place(file: file, range: range),
                with: (isBelowText ? end : "") + table.joined(separator: end) + (isAboveText ? end : "")))
        note.lines = table.count <= 24 ? table : Array(table.prefix(23)) + ["…"]
        return note
    }

    mutating func report(_ table: PastedTable) -> Found {
        let range = source.lineRange(table.lines.lowerBound)
        report(
            .brokenTable,
            "the cells of these lines are separated by \(table.separator), not by `|`: they are not a table", at: range,
            notes: [writing(correctedTable(table.rows), inPlaceOf: table.lines)])
        return .table
    }
}

extension SourceText {
    func isBlankLine(_ line: Int) -> Bool { bytes[lineRange(line)].allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}
