extension TextLanguage {
    /// JSON, which has no comments. A comment is written into a string, such as the value of `$comment`.
    static let json = TextLanguage(
        name: "json", string: jsonString,
        comment: { text in String(jsonString(line(text)).unicodeScalars.dropFirst().dropLast()) })

    private static func jsonString(_ text: String) -> String {
        // `</script>` would end a script element around the literal.
        quoted(text, escapes: jsonEscapes, number: utf16Escape)
    }

    private static let jsonEscapes: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "<": "\\u003c",
    ]
}
