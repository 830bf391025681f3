import Foundation
import MarkdownSyntax

/// A line that no reader consumed and that was intended as part of a definition.
struct LostLine: Sendable {
    enum Kind: Sendable {
        /// A heading with its level, the range of its text, and whether that text names an event or a type.
        case heading(level: Int, text: Range<Int>, hasName: Bool)
        case row([String], isDelimiter: Bool)
        case column(ColumnLine)
        case detail(Details.Key, value: String)
    }

    var line: Int
    /// The last line, below which only another mistake begins: that of a column's description in nested items.
    var end: Int
    /// The line's text without the markers around it.
    var range: Range<Int>
    var kind: Kind
    /// The reason why CommonMark does not read the line as its author meant it; nil if no line of its kind is read
    /// outside of a table.
    var cause: String?
    /// A Boolean value that indicates whether the line may also be text, such as a word in bold.
    var isUncertain = false

    init(line: Int, range: Range<Int>, kind: Kind, cause: String?, isUncertain: Bool = false) {
        (self.line, end, self.range, self.kind) = (line, line, range, kind)
        (self.cause, self.isUncertain) = (cause, isUncertain)
    }

    /// Adds the text of a nested item to the description of a column.
    mutating func describe(_ text: String, on line: Int) {
        guard case .column(var column) = kind, column.description.utf8.count < 1_000 else { return }
        column.description += (column.description.isEmpty ? "" : "<br>") + text
        (kind, end) = (.column(column), line)
    }

    var isHeading: Bool { if case .heading = kind { true } else { false } }
    var cells: [String]? { if case .row(let cells, false) = kind { cells } else { nil } }
    var column: ColumnLine? { if case .column(let column) = kind { column } else { nil } }

    /// Returns whether one message reports both lines.
    func belongs(with other: LostLine) -> Bool {
        switch (kind, other.kind) {
        case (.row, .row), (.detail, .detail): true
        case (.column, .column): !isUncertain || other.isUncertain
        default: false
        }
    }
}

/// Neighboring lost lines of one kind, which are one mistake.
struct LostLines: Sendable {
    /// The section's parts that a correction needs.
    struct Surroundings: Sendable {
        var context: SectionContext
        /// The last line of the table directly above the lines, if only blank lines are in between.
        var tableAbove: Int?
        var hasColumns: Bool
        var hasDetails: Bool
    }

    var lines: [LostLine]
    var surroundings: Surroundings

    var first: LostLine { lines[0] }
    var last: LostLine { lines[lines.count - 1] }
}

/// The block that contains a line.
enum LineContainer: Sendable {
    case text, list, quote, code
    /// HTML, with its first tag.
    case html(String)

    init?(of block: Block, in source: SourceText) {
        switch block.content {
        case .other(.paragraph), .other(.linkReferences): self = .text
        case .heading(let heading) where heading.level < 3: self = .text
        case .list: self = .list
        case .other(.quote): self = .quote
        case .other(.code) where !source.isFenced(block): self = .code
        case .other(.html):
            let text = source.string(block.range.lowerBound..<source.lineRange(block.lines.lowerBound).upperBound)
            self = .html(text.firstIndex(of: ">").map { String(text[...$0]) } ?? text)
        default: return nil
        }
    }

    var isText: Bool { if case .text = self { true } else { false } }
    var isHTML: Bool { if case .html = self { true } else { false } }

    /// The reason why a line in the block defines nothing; nil for text.
    var cause: String? {
        switch self {
        case .text: nil
        case .list: "it is in a list"
        case .quote: "it is in a quote"
        case .code: "an indentation of four columns or a tab makes it code"
        case .html(let tag): "it is part of the HTML that begins with `\(tag.prefix(60))`"
        }
    }
}

/// Cells that spreadsheets and other tools separate by other characters than pipes.
enum PastedCells {
    case tabs, commas, semicolons, spaces, words(Int)

    /// Returns the separator of a line that holds the headers of a definition. Nil for other lines.
    static func separator(of header: String, in context: SectionContext) -> PastedCells? {
        guard header.utf8.contains(where: { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C || $0 == 0x3B || $0 >= 0x80 }) else {
            return nil
        }
        let count = header.split(separator: " ").count
        return [.tabs, .commas, .semicolons, .spaces, .words(count)].first { (separator: PastedCells) in
            let kinds = separator.cells(of: header).map { HeaderKind($0) }
            if case .words = separator, kinds.contains(nil) { return false }
            if kinds.count == 2, kinds.contains(.key), kinds.contains(.value) { return true }
            if context == .type { return kinds.count > 1 && kinds.contains(.value) && !kinds.contains(nil) }
            return kinds.contains(.column) && kinds.contains(.type)
        }
    }

    var name: String {
        switch self {
        case .tabs: "tabs"
        case .commas: "commas"
        case .semicolons: "semicolons"
        case .spaces, .words: "spaces"
        }
    }

    func cells(of line: String) -> [String] {
        switch self {
        case .tabs:
            line.split(separator: "\t", omittingEmptySubsequences: false).map {
                Self.unquoted(String(trimmed($0)))
            }
        case .commas: Self.quoted(line, ",")
        case .semicolons: Self.quoted(line, ";")
        case .words(let count):
            line.split(separator: " ", maxSplits: max(0, count - 1)).map { String(trimmed($0)) }
        case .spaces:
            // A blank of another width separates cells by itself.
            String(line.map { "\u{3000}\u{A0}".contains($0) ? "\t" : $0 }).replacingOccurrences(of: "  ", with: "\t")
                .split(separator: "\t").map { String(trimmed($0)) }.filter { !$0.isEmpty }
        }
    }

    /// The cells of a line of CSV (RFC 4180). A cell in quotation marks may contain separators.
    private static func quoted(_ line: String, _ separator: Character) -> [String] {
        var cells = [""]
        var isQuoted = false
        for character in line {
            if character == "\"" { isQuoted.toggle() }
            if character == separator, !isQuoted { cells.append("") } else { cells[cells.count - 1].append(character) }
        }
        return cells.map { unquoted(String(trimmed($0[...]))) }
    }

    static func unquoted(_ cell: String) -> String {
        guard cell.utf8.count > 1, cell.hasPrefix("\""), cell.hasSuffix("\"") else { return cell }
        return String(cell.dropFirst().dropLast()).replacingOccurrences(of: "\"\"", with: "\"")
    }
}
