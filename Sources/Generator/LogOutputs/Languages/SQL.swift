extension TextLanguage {
    /// SQL as in ISO 9075: a backslash stands for itself. If an engine reads it as an escape, it needs its own language
    /// here. Text never holds U+0000 in any engine.
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
