extension TextLanguage {
    /// JavaScript and TypeScript. A literal is safe inside a `<script>`, which it cannot end, and inside a template
    /// literal, which finds nothing to read in it. A comment that begins with `@` would be a tag of JSDoc, or an order to
    /// the compiler: `@ts-expect-error`.
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
