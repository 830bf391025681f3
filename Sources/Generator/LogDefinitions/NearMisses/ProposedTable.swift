/// The Markdown of tables that fixes propose.
enum ProposedTable {
    /// A row with these cells. Nil if it is too long for a message.
    static func row(_ cells: [String]) -> String? {
        let text = cells.map { $0.isEmpty ? "| " : "| \($0) " }.joined() + "|"
        return text.unicodeScalars.count <= 160 ? text : nil
    }

    static func delimiterRow(_ count: Int) -> String { String(repeating: "| --- ", count: min(count, 20)) + "|" }

    /// The lines of a table with corrected spellings.
    ///
    /// - Parameter rows: the cells, the headers first.
    static func lines(correcting rows: [[String]]) -> [String] {
        guard let first = rows.first else { return [] }
        let headers = first.map { header in
            HeaderKind(header) == nil ? HeaderKind.nearest(to: header)?.spelling ?? header : header
        }
        let kinds = headers.map { HeaderKind($0) }
        let width = max(headers.count, rows.map(\.count).max() ?? 0)
        func line(_ cells: [String]) -> String {
            "|"
                + (0..<width).map { " " + (cells.indices.contains($0) ? escapingPipes(cells[$0]) : "") + " |" }
                .joined()
        }
        let body = rows.dropFirst().map { row in
            row.enumerated().map { index, cell in
                kinds.indices.contains(index) ? corrected(cell, below: kinds[index]) : cell
            }
        }
        return [line(headers), delimiterRow(width)] + body.map(line)
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
