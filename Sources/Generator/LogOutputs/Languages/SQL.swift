extension TextLanguage {
    /// SQL as in ISO 9075: a backslash is an ordinary character. An engine that treats it as an escape needs a separate
    /// language here. U+0000 is invalid in all engines.
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
