extension TextLanguage {
    /// JavaScript and TypeScript. A literal cannot end a `<script>` element around it, and a template literal around it
    /// finds nothing to interpolate. A comment does not begin with `@`, as JSDoc tags and `@ts-expect-error` do.
    static let javascript = TextLanguage(
        name: "javascript",
        string: { text in
            quoted(text, escapes: javascriptEscapes, number: utf16Escape)
        },
        comment: { text in
            if isPlain(text) { return text }
            let comment = HTMLText.withoutTags(blockComment(text))
            return comment.unicodeScalars.first { !$0.properties.isWhitespace } == "@" ? "\\" + comment : comment
        })

    private static let javascriptEscapes: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "$": "\\u0024", "`": "\\u0060", "<": "\\u003c", "'": "\\u0027",
    ]
}
