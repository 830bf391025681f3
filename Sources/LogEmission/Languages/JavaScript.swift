extension TextLanguage {
    /// JavaScript and TypeScript. A literal holds neither what would end a `<script>` around it nor what a template
    /// literal around it would read.
    static let javascript = TextLanguage(
        name: "javascript",
        string: { text in
            quoted(
                text, escapes: ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "$": "\\u0024", "`": "\\u0060", "<": "\\u003c", "'": "\\u0027"],
                number: utf16Escape)
        },
        comment: { text in HTMLText.withoutTags(blockComment(text)) })
}
