import Foundation
import MarkdownSyntax
import Testing

@Suite struct InlineMarkdownText {
    @Test(
        "A string of more than 1 MiB is plain in every form",
        arguments: ["**a** `b` <img onerror=x> [c](javascript:d) &amp; \"e\"\u{0} ", "# a\n\n~~~\n"])
    func longStringIsPlainInEveryForm(_ part: String) {
        let text = String(repeating: part, count: (1 << 20) / part.utf8.count + 1)
        let plain = text.replacingOccurrences(of: "\u{0}", with: "\u{FFFD}")
        #expect(InlineMarkdown.plainText(text) == plain)
        let html = InlineMarkdown.html(text)
        #expect(!html.utf8.contains(UInt8(ascii: "<")) && !html.contains("\""))
        // The beginning alone is short enough to be parsed again.
        let beginning = String(InlineMarkdown.safe(text).prefix(2000))
        #expect(plain.hasPrefix(InlineMarkdown.plainText(String(beginning.prefix { $0 != "\n" }))))
        #expect(!beginning.contains("<img") || beginning.contains("\\<img"))
    }

    @Test(
        "Plain text is without markup",
        arguments: [
            ("", ""), ("plain", "plain"), ("recipe_id", "recipe_id"), ("`a|b` c", "a|b c"), ("*a* **b** _c_", "a b c"),
            ("[a `b`](u)", "a b"),
            ("![alt](u)", "alt"), ("a<br>b<br/>c<BR />d", "a\nb\nc\nd"), ("a<b>b</b><!-- c -->", "ab"),
            ("&amp;&lt;&#124;&nbsp;", "&<|\u{A0}"),
            ("\\*a\\*", "*a*"), ("<https://a.b>", "https://a.b"), ("- a", "- a"), ("# *a*", "# a"), ("> `a`", "> a"),
            ("1. *a*", "1. a"),
            ("[a]: /b", "[a]: /b"), ("<div>a</div>", "a"), ("*a", "*a"), ("a*", "a*"), ("*\u{3000}a*", "*\u{3000}a*"),
            ("日本_語", "日本_語"),
            ("a\nb", "a\nb"), ("a\n\nb *c*", "a\n\nb c"), ("- a\n- b", "a\n\nb"), ("<i>", ""),
            ("\u{3099}*a*", "\u{3099}a"),
        ])
    func isPlain(markdown: String, text: String) {
        #expect(InlineMarkdown.plainText(markdown) == text)
    }

    @Test(
        "HTML contains only safe markup",
        arguments: [
            ("", ""), ("a > \"b\"", "a &gt; &quot;b&quot;"), ("a & b < c", "a &amp; b &lt; c"),
            ("*a* `<b>`", "<em>a</em> <code>&lt;b&gt;</code>"),
            ("a<br>b", "a<br />\nb"), ("<script>x</script>", "x"), ("[a](javascript:x)", "<a href=\"\">a</a>"),
            ("[a](https://b.c)", "<a href=\"https://b.c\">a</a>"), ("- `a`", "- <code>a</code>"),
            ("a\n\n*b*", "<p>a</p>\n<p><em>b</em></p>\n"),
            ("<div>\n\na", "<p>a</p>\n"), ("\u{3099}*a*", "\u{3099}<em>a</em>"),
        ])
    func isHTML(markdown: String, html: String) {
        #expect(InlineMarkdown.html(markdown) == html)
    }

    @Test(
        "Text without markup is recognized",
        arguments: ["a", "日本語、(x)。", "a_b c-d #e", "1. a", "a > b", "\"q\"", "a|b", "x ~ y!"])
    func withoutMarkupIsTold(text: String) {
        #expect(!InlineMarkdown.hasMarkup(text))
    }

    @Test(
        "Text with markup is recognized",
        arguments: ["*", "`", "\\", "&", "<", "[", "_a", "a_", "a _b_", "日_本", "a\nb", "\0"])
    func withMarkupIsTold(text: String) {
        #expect(InlineMarkdown.hasMarkup(text))
    }
}
