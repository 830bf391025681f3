extension TextLanguage {
    /// JavaScript and TypeScript. A literal is safe inside a `<script>`, which it cannot end, and inside a template
    /// literal, which finds nothing to read in it.
    static let javascript = TextLanguage(
        name: "javascript",
        string: { text in
            quoted(
                text, escapes: ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "$": "\\u0024", "`": "\\u0060", "<": "\\u003c", "'": "\\u0027"],
                number: utf16Escape)
        },
        comment: { text in HTMLText.withoutTags(blockComment(text)) })
}
