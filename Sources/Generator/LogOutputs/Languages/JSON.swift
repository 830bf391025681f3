extension TextLanguage {
    /// JSON has no comments. A comment's line stands between the quotes of a string, such as the string of `$comment`.
    static let json = TextLanguage(
        name: "json", string: jsonString,
        comment: { text in String(jsonString(line(text)).unicodeScalars.dropFirst().dropLast()) })

    private static func jsonString(_ text: String) -> String {
        // `</script>` would end a script around the literal.
        quoted(text, escapes: jsonEscapes, number: utf16Escape)
    }

    private static let jsonEscapes: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "<": "\\u003c",
    ]
}
