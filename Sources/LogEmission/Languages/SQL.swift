extension TextLanguage {
    /// SQL as ISO 9075 has it, in which a backslash stands for itself. Engines that read it as an escape need a
    /// language of their own. No engine's text holds U+0000.
    static let sql = TextLanguage(
        name: "sql",
        string: { text in
            var result = "'"
            for scalar in text.unicodeScalars {
                switch scalar {
                case "'": result += "''"
                case "\u{0}": result += "\u{FFFD}"
                default: result.unicodeScalars.append(scalar)
                }
            }
            return result + "'"
        },
        comment: blockComment)
}
