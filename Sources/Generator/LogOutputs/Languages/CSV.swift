extension TextLanguage {
    /// CSV (RFC 4180), which has no comments. A literal is a quoted cell. A comment is a whole cell on one line, quoted
    /// if necessary, so a template writes no quotes around it.
    static let csv = TextLanguage(
        name: "csv", string: { "\"" + csvText($0, keepsLines: true).replacingOccurrences("\"", "\"\"") + "\"" },
        comment: { text in
            let text = csvText(text, keepsLines: false)
            // Some programs separate cells by semicolons, and some ignore spaces around a cell.
            let isPlain =
                !text.unicodeScalars.contains { csvSpecials.contains($0) } && text.first != " " && text.last != " "
            return isPlain ? text : "\"" + text.replacingOccurrences("\"", "\"\"") + "\""
        })

    private static let csvSpecials: Set<Unicode.Scalar> = ["\"", ",", ";", "|", "'"]

    /// Returns the text of a cell. Spreadsheets run a cell as a formula if it begins with certain characters, so `'` is
    /// inserted before them (OWASP, CSV injection). Numbers remain numbers.
    private static func csvText(_ text: String, keepsLines: Bool) -> String {
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r": result.unicodeScalars.append(keepsLines ? "\n" : " ")
            case "\t": result.unicodeScalars.append(" ")
            default: result.unicodeScalars.append(SwiftText.isReadable(scalar) ? scalar : "\u{FFFD}")
            }
            previous = scalar
        }
        let start = result.unicodeScalars.drop { $0 == " " || $0 == "\n" || $0 == "\u{FFFD}" }
        guard let first = start.first, csvFormulas.contains(first), !isNumber(start) else { return result }
        return "'" + result
    }

    /// The first characters of formulas, with the full-width forms that spreadsheets in Japanese treat in the same way.
    private static let csvFormulas: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

    private static func isNumber(_ text: Substring.UnicodeScalarView) -> Bool {
        guard let first = text.first, first == "-" || first == "+" else { return false }
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }
    }
}
