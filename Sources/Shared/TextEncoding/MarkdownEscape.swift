/// Escapes for Markdown.
package enum MarkdownEscape {
    /// The maximum number of scalars in the result of `line`, before they are escaped.
    private static let longest = 400

    /// Returns one line for a table cell or a list item, with all markup escaped. Long strings end with `…`.
    package static func line(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars.prefix(longest) {
            switch scalar {
            case "<", ">", "&": line += HTMLEscape.escaped(scalar)
            case "\\", "|", "`", "*", "_", "[", "]", "#", "~", "!", "@", "$": line += "\\" + String(scalar)
            case _
            where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
                || [0x2028, 0x2029].contains(scalar.value):
                line += " "
            case _ where (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value):
                line += "�"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.dropFirst(longest).isEmpty ? line : line + "…"
    }
}
