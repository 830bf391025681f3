import Foundation
import MarkdownSyntax

/// A line that no reader consumed and that was intended as part of a definition.
struct LostLine: Sendable {
    enum Kind: Sendable, Equatable {
        /// A heading with its level, the range of its text, and whether that text names an event or a type.
        case heading(level: Int, text: Range<Int>, hasName: Bool)
        case row, column, detail
    }

    var line: Int
    /// The line's text without the markers around it.
    var range: Range<Int>
    var kind: Kind
    /// The cells of the row that the line is or should be. Empty for a row of hyphens.
    var cells: [String] = []
    /// The reason why CommonMark does not read the line as its author meant it; nil if the line itself has no flaw.
    var cause: String?
    /// A Boolean value that indicates whether the line may also be text, such as a word in bold.
    var isUncertain = false

    var isHeading: Bool { if case .heading = kind { true } else { false } }
}

/// Neighboring lost lines of one kind, which are one mistake.
struct LostLines: Sendable {
    var lines: [LostLine]
    /// A Boolean value that indicates whether the first line has the headers of a table.
    var hasHeaders = false
    /// The last line of the table directly above the lines, if only blank lines are in between.
    var tableAbove: Int?
    /// A Boolean value that indicates whether the section has a table of the kind to which the lines belong.
    var hasTable = false

    var first: LostLine { lines[0] }
    var last: LostLine { lines[lines.count - 1] }
}

/// The block that contains a line. The raw value is the reason why a line defines nothing there.
enum LineContainer: String {
    case text = ""
    case list = "it is in a list"
    case quote = "it is in a quote"
    case code = "an indentation of four columns or a tab makes it code"
    case html = "it is in HTML, which ends at an empty line"

    init?(of block: Block, in source: SourceText) {
        switch block.content {
        case .other(.paragraph), .other(.linkReferences): self = .text
        case .heading(let heading) where heading.level < 3: self = .text
        case .list: self = .list
        case .other(.quote): self = .quote
        case .other(.code) where !source.isFenced(block): self = .code
        case .other(.html): self = .html
        default: return nil
        }
    }

    var cause: String? { self == .text ? nil : rawValue }
}

/// A line of a block.
struct TextLine {
    var number: Int
    var scan: LineScan
    var container = LineContainer.text

    /// The text without the markers around it.
    var range: Range<Int> { scan.start..<max(scan.start, scan.end) }
}

/// Cells that spreadsheets and other tools separate by other characters than pipes.
struct PastedCells {
    let separator: Character
    let headers: [String]

    /// Reads a line that holds the headers of a definition, the first of which is known. Nil for other lines.
    init?(_ line: String, in context: SectionContext) {
        for separator in "\t,; " {
            let cells = Self.cells(of: line, separator)
            guard cells.count > 1, HeaderKind(cells[0]) != nil else { continue }
            let kinds = cells.map { HeaderKind($0) }
            let isKnown = !kinds.contains(nil)
            let isColumns = kinds.contains(.column) && kinds.contains(.type) && (isKnown || separator != " ")
            let isDetails = kinds.count == 2 && kinds.contains(.key) && kinds.contains(.value)
            guard isDetails || (context == .type ? isKnown && kinds.contains(.value) : isColumns) else { continue }
            (self.separator, headers) = (separator, cells)
            return
        }
        return nil
    }

    var name: String { ["\t": "tabs", ",": "commas", ";": "semicolons"][separator] ?? "spaces" }

    func cells(of line: String) -> [String] { Self.cells(of: line, separator, headers.count) }

    /// The cells of a line. A cell in quotation marks may contain separators (RFC 4180). Two blanks, or one of another
    /// width, separate cells that contain blanks.
    private static func cells(of line: String, _ separator: Character, _ count: Int = .max) -> [String] {
        if separator == " " {
            let aligned = String(line.map { "\u{3000}\u{A0}".contains($0) ? "\t" : $0 })
                .replacingOccurrences(of: "  ", with: "\t").split(separator: "\t")
            let cells = aligned.count > 1 ? aligned : line.split(separator: " ", maxSplits: count - 1)
            return cells.map { String(trimmed($0)) }.filter { !$0.isEmpty }
        }
        var isQuoted = false
        return line.split(omittingEmptySubsequences: false) { character in
            if character == "\"" { isQuoted.toggle() }
            return character == separator && !isQuoted
        }.map { cell in
            let cell = trimmed(cell)
            guard cell.utf8.count > 1, cell.hasPrefix("\""), cell.hasSuffix("\"") else { return String(cell) }
            return cell.dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "\"")
        }
    }
}
