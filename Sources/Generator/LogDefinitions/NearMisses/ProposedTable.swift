import MarkdownSyntax

enum ProposedTable {
    /// A row with these cells. Nil if it is too long for a message, or if it would not be read as these cells.
    static func row(_ cells: [String]) -> String? {
        let text = line(cells, empty: "| ")
        return text.unicodeScalars.count <= 160 && reads([text, hyphens(cells.count)], as: [cells]) ? text : nil
    }

    private static func line(_ cells: [String], empty: String = "|  ") -> String {
        cells.map { $0.isEmpty ? empty : "| \(escapingPipes($0)) " }.joined() + "|"
    }

    /// The row of hyphens in a message.
    static func delimiterRow(_ count: Int) -> String { hyphens(min(count, 20)) }

    private static func hyphens(_ count: Int) -> String { String(repeating: "| --- ", count: count) + "|" }

    /// The lines of a table with corrected spellings. Nil if they would not be read as these cells.
    ///
    /// - Parameter rows: the cells, the headers first.
    static func lines(correcting rows: [[String]]) -> [String]? {
        guard let first = rows.first, rows.allSatisfy({ $0.count <= first.count }) else { return nil }
        let headers = first.map { header in
            HeaderKind(header) == nil ? HeaderKind.nearest(to: header)?.spelling ?? header : header
        }
        let kinds = headers.map { HeaderKind($0) }
        let body = rows.dropFirst().map { row in
            zip(row, kinds).map { corrected($0, below: $1) } + Array(repeating: "", count: first.count - row.count)
        }
        let lines = [line(headers), hyphens(first.count)] + body.map { line($0) }
        return reads(lines, as: [headers] + body) ? lines : nil
    }

    private static func reads(_ lines: [String], as rows: [[String]]) -> Bool {
        let document = MarkdownDocument(SourceText(Array(lines.joined(separator: "\n").utf8)))
        guard document.blocks.count == 1, case .table(let table)? = document.blocks.first?.content else { return false }
        return ([table.header] + table.rows).map { $0.cells.map { $0.text(in: document.source) } } == rows
    }

    private static func corrected(_ cell: String, below header: HeaderKind?) -> String {
        switch header {
        case .type: TypeNotation.correction(of: cell, for: .table) ?? cell
        case .column, .event: Name.isIdentifier(cell) ? cell : Name.suggestedIdentifier(for: cell) ?? cell
        case .key: Confusable.folded(cell)
        default: cell
        }
    }

    private static func escapingPipes(_ cell: String) -> String {
        guard cell.contains("|") else { return cell }
        return cell.unicodeScalars.map { $0 == "|" ? "\\|" : String($0) }.joined()
    }
}
