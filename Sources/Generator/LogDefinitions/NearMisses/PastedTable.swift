import MarkdownSyntax

/// A paragraph that was intended as a table. The paragraph's lines are rows whose cells are separated by commas or
/// semicolons (CSV), or by spaces. `NearMissDetector+Tables` reads rows with tabs or pipes.
struct PastedTable: Sendable {
    var lines: ClosedRange<Int>
    /// The cells of each line, the headers first.
    var rows: [[String]]
    /// The word for the separator in messages.
    var separator: String

    /// Reads the lines of a paragraph as rows. Nil if the lines neither begin with known headers nor read like
    /// definitions.
    init?(_ block: Block, in context: SectionContext, source: SourceText) {
        let lines = block.lines.map { trimmed(source.string(source.lineRange($0))[...]) }
        guard let first = lines.first, lines.count > 1 else { return nil }
        for (separator, word) in [(Character(","), "commas"), (";", "semicolons")]
        where first.contains(separator) {
            let rows = Self.rows(lines.joined(separator: "\n"), separator)
            if Self.isTable(rows, in: context) {
                self.init(block, rows, word, in: context)
                return
            }
        }
        // Two blanks or more separate cells. If there are none, each word of the first line is a header.
        let byBlanks = lines.map { Self.cells(ofAligned: $0) }
        if Self.isTable(byBlanks, in: context) {
            self.init(block, byBlanks, "spaces", in: context)
            return
        }
        let count = first.split(separator: " ").count
        let byWord = lines.map { $0.split(separator: " ", maxSplits: max(0, count - 1)).map { String(trimmed($0)) } }
        guard Self.hasHeaders(byWord, in: context), !byWord[0].contains(where: { HeaderKind($0) == nil }) else {
            return nil
        }
        self.init(block, byWord, "spaces", in: context)
    }

    private init(_ block: Block, _ rows: [[String]], _ separator: String, in context: SectionContext) {
        lines = block.lines
        self.separator = separator
        self.rows =
            Self.hasHeaders(rows, in: context)
            ? rows : [Self.defaultHeaders(rows.map(\.count).max() ?? 2, in: context)] + rows
    }

    /// Returns whether the first row holds the headers of a definition, or each row reads like one.
    private static func isTable(_ rows: [[String]], in context: SectionContext) -> Bool {
        guard rows.allSatisfy({ $0.count > 1 }) else { return false }
        return hasHeaders(rows, in: context)
            || context != .type && rows.allSatisfy { NearMissDetector.readsLikeRow($0, in: context) }
    }

    private static func hasHeaders(_ rows: [[String]], in context: SectionContext) -> Bool {
        let kinds = rows[0].map { HeaderKind($0) }
        if kinds.count == 2, kinds.contains(.key), kinds.contains(.value) { return true }
        if context == .type { return kinds.count > 1 && kinds.contains(.value) && !kinds.contains(nil) }
        return kinds.contains(.column) && kinds.contains(.type)
    }

    /// The rows of CSV (RFC 4180). A cell in quotation marks may contain separators and line ends.
    private static func rows(_ text: String, _ separator: Character) -> [[String]] {
        var rows: [[String]] = [[]]
        var cell = ""
        var isQuoted = false
        func end(_ rows: inout [[String]]) {
            rows[rows.count - 1].append(unquoted(String(trimmed(cell[...]))))
            cell = ""
        }
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, character == separator || character == "\n" {
                end(&rows)
                if character == "\n" { rows.append([]) }
            } else {
                cell.append(character)
            }
        }
        end(&rows)
        return rows
    }

    /// A cell without the quotation marks around it.
    static func unquoted(_ cell: String) -> String {
        guard cell.utf8.count > 1, cell.hasPrefix("\""), cell.hasSuffix("\"") else { return cell }
        let inner = cell.dropFirst().dropLast()
        return inner.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .reduce(into: "") { text, part in text += part.offset % 2 == 1 && part.element.isEmpty ? "\"" : part.element
            }
    }

    private static func cells(ofAligned line: Substring) -> [String] {
        var cells: [String] = []
        var cell = ""
        var blanks = 0
        for character in line {
            if character == " " || character == "\u{A0}" || character == "\u{3000}" {
                // A blank of another width separates cells by itself.
                blanks += character == " " ? 1 : 2
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

    private static func defaultHeaders(_ count: Int, in context: SectionContext) -> [String] {
        let known = context == .type ? ["value", "description"] : ["column", "type", "description", "example"]
        return (0..<count).map { known.indices.contains($0) ? known[$0] : "note \($0 - known.count + 1)" }
    }
}
