import Testing
import TestSupport

struct Damage: Sendable, CustomTestStringConvertible {
    var name: String
    private var kinds: [ValidDocument.Kind]
    /// Returns the lines that replace the line, or nil if this damage is not possible.
    private var change: @Sendable (String) -> [String]?

    var testDescription: String { name }

    init(_ name: String, _ kinds: ValidDocument.Kind..., change: @escaping @Sendable (String) -> [String]?) {
        self.name = name
        self.kinds = kinds
        self.change = change
    }

    func damaged(_ documents: [ValidDocument], _ random: inout SeededGenerator) -> (
        file: String, line: Int, lines: [String]
    )? {
        var candidates: [(Int, Int)] = []
        for (number, document) in documents.enumerated() {
            for (index, line) in document.lines.enumerated() where kinds.contains(line.kind) {
                candidates.append((number, index))
            }
        }
        while let (number, index) = candidates.randomElement(using: &random) {
            var lines = documents[number].lines.map(\.text)
            if let new = change(lines[index]), new != [lines[index]] {
                lines.replaceSubrange(index...index, with: new)
                return (documents[number].name, index, lines)
            }
            candidates.removeAll { $0 == (number, index) }
        }
        return nil
    }

    private static func replacing(_ old: String, _ new: String) -> @Sendable (String) -> [String]? {
        { line in line.contains(old) ? [String(line.map { String($0) == old ? new : String($0) }.joined())] : nil }
    }

    private static func cells(_ line: String) -> [String] {
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func before(_ prefix: String) -> @Sendable (String) -> [String]? { { [prefix + $0] } }

    private static func marks(_ change: @escaping @Sendable (String, String) -> String)
        -> @Sendable (String) -> [String]?
    {
        { line in
            let marks = line.prefix { $0 == "#" }
            return [change(String(marks), String(line.dropFirst(marks.count + 1)))]
        }
    }

    static let all: [Damage] = [
        // The delimiter row
        Damage("the row of hyphens is missing", .delimiter) { _ in [] },
        Damage("the row of hyphens has a cell more", .delimiter) { [$0 + " --- |"] },
        Damage("the row of hyphens has a cell less", .delimiter) {
            cells($0).count > 1 ? [String($0.dropLast(6))] : nil
        },
        Damage("em dashes for hyphens", .delimiter, change: replacing("-", "—")),
        Damage("en dashes for hyphens", .delimiter, change: replacing("-", "–")),
        Damage("horizontal bars for hyphens", .delimiter, change: replacing("-", "―")),
        Damage("long vowel marks for hyphens", .delimiter, change: replacing("-", "ー")),
        Damage("equals signs for hyphens", .delimiter, change: replacing("-", "=")),
        Damage("full-width pipes in the row of hyphens", .delimiter, change: replacing("|", "｜")),
        Damage("one cell of em dashes", .delimiter) { line in [String(line.dropLast(5)) + "—— |"] },
        Damage("the row of hyphens is indented by four", .delimiter, change: before("    ")),
        Damage("a row of hyphens without pipes", .delimiter) { line in ["----------"] },
        Damage("the row of hyphens twice", .delimiter) { [$0, $0] },
        Damage("the row of hyphens with commas", .delimiter) { ["| " + cells($0).joined(separator: " , ") + " |"] },
        // Blank lines
        Damage("an empty line below the headers", .header) { [$0, ""] },
        Damage("an empty line below the row of hyphens", .delimiter) { [$0, ""] },
        Damage("an empty line above a row", .row) { ["", $0] },
        Damage("a line of a full-width space above a row", .row) { ["\u{3000}", $0] },
        // Headers and rows
        Damage("the headers are missing", .header) { _ in [] },
        Damage("headers indented by a tab", .header, change: before("\t")),
        Damage("headers indented by four", .header, change: before("    ")),
        Damage("a row indented by a tab", .row, change: before("\t")),
        Damage("a row indented by four", .row, change: before("    ")),
        Damage("headers parted by tabs", .header) { [cells($0).joined(separator: "\t")] },
        Damage("a row parted by tabs", .row) { [cells($0).joined(separator: "\t")] },
        Damage("headers parted by full-width pipes", .header, change: replacing("|", "｜")),
        Damage("a row parted by full-width pipes", .row, change: replacing("|", "｜")),
        Damage("a row's first inner pipe is full-width", .row) { line in
            let parts = cells(line)
            return parts.count > 1 ? ["| \(parts[0]) ｜ " + parts.dropFirst().joined(separator: " | ") + " |"] : nil
        },
        Damage("a row's last inner pipe is full-width", .row) { line in
            let parts = cells(line)
            return parts.count > 1
                ? ["| " + parts.dropLast().joined(separator: " | ") + " ｜ \(parts[parts.count - 1]) |"] : nil
        },
        Damage("a row of box-drawing lines", .row, change: replacing("|", "│")),
        Damage("headers of box-drawing lines", .header, change: replacing("|", "│")),
        Damage("a row with escaped pipes", .row) { [$0.map { $0 == "|" ? "\\|" : String($0) }.joined()] },
        Damage("headers with escaped pipes", .header) { [$0.map { $0 == "|" ? "\\|" : String($0) }.joined()] },
        Damage("a row without pipes", .row) { [cells($0).joined(separator: " ")] },
        Damage("headers without pipes", .header) { cells($0).count > 1 ? [cells($0).joined(separator: " ")] : nil },
        Damage("headers without a pipe between two", .header) { line in
            let parts = cells(line)
            return parts.count > 1 ? ["| \(parts[0]) " + parts.dropFirst().joined(separator: " | ") + " |"] : nil
        },
        Damage("headers with a cell more", .header) { [$0 + " x |"] },
        Damage("a row in a quote", .row, change: before("> ")),
        Damage("headers in a quote", .header, change: before("> ")),
        Damage("a row in a list", .row, change: before("- ")),
        Damage("headers in a list", .header, change: before("- ")),
        Damage("a row behind a full-width space", .row, change: before("\u{3000}")),
        Damage("headers behind a zero-width space", .header, change: before("\u{200B}")),
        Damage("a row in HTML", .row) { ["<tr>" + cells($0).map { "<td>\($0)</td>" }.joined() + "</tr>"] },
        Damage("headers in HTML", .header) { ["<table><tr>" + cells($0).map { "<th>\($0)</th>" }.joined() + "</tr>"] },
        Damage("a row broken in two", .row) { line in
            let parts = cells(line)
            return parts.count > 1 && !parts[parts.count - 1].isEmpty
                ? ["| " + parts.dropLast().joined(separator: " | ") + " |", parts[parts.count - 1] + " |"] : nil
        },
        Damage("a row with a pipe too many at its start", .row, change: before("|")),
        Damage("a row with a pipe too many at its end", .row) { [$0 + "|"] },
        Damage("a row without its first pipe", .row) { [String($0.dropFirst(2))] },
        Damage("a row without its last pipe", .row) { [String($0.dropLast(2))] },
        Damage("a row twice", .row) { [$0, $0] },
        Damage("a header misspelt", .header) { line in
            let parts = cells(line)
            return ["| \(parts[0])x | " + parts.dropFirst().joined(separator: " | ") + " |"]
        },
        // Headings
        Damage("no blank in a heading", .heading, .title, change: marks { $0 + $1 }),
        Damage(
            "full-width marks of a heading", .heading, .title,
            change: marks { String(repeating: "＃", count: $0.count) + " " + $1 }),
        Damage("a full-width space in a heading", .heading, .title, change: marks { $0 + "\u{3000}" + $1 }),
        Damage(
            "full-width marks and space", .heading, .title,
            change: marks { String(repeating: "＃", count: $0.count) + "\u{3000}" + $1 }),
        Damage("a no-break space in a heading", .heading, .title, change: marks { $0 + "\u{A0}" + $1 }),
        Damage("a zero-width space before a heading", .heading, .title, change: before("\u{200B}")),
        Damage("a full-width space before a heading", .heading, .title, change: before("\u{3000}")),
        Damage("a heading one deeper", .heading, .title, change: marks { $0 + "# " + $1 }),
        Damage("a heading two deeper", .heading, .title, change: marks { $0 + "## " + $1 }),
        Damage("a heading one higher", .heading, change: marks { $0.dropFirst() + " " + $1 }),
        Damage("a heading indented by four", .heading, .title, change: before("    ")),
        Damage("a heading indented by a tab", .heading, .title, change: before("\t")),
        Damage("an escaped heading", .heading, .title, change: before("\\")),
        Damage("a heading in a quote", .heading, change: before("> ")),
        Damage("a heading in a list", .heading, change: before("- ")),
        // Unclosed blocks and merge conflicts
        Damage("a fence that is not closed", .fenceEnd) { _ in [] },
        Damage("a fence without its first line", .fence) { _ in [] },
        Damage("a fence before a heading", .heading) { ["```", $0] },
        Damage("a comment before a heading", .heading) { ["<!-- later", $0] },
        Damage("the mark of a merge", .row, .heading) { ["<<<<<<< HEAD", $0] },
        Damage("the end of a merge", .row, .heading) { [">>>>>>> other", $0] },
        // Harmless changes
        Damage("a row indented by one", .row, .header, .delimiter, change: before(" ")),
        Damage("blanks at the end", .row, .header, .delimiter, .heading) { [$0 + "  "] },
        Damage("more hyphens", .delimiter, change: replacing("-", "--")),
        Damage("an empty line above a heading", .heading) { ["", $0] },
        Damage("no empty line above what follows", .blank) { _ in [] },
    ]
}
