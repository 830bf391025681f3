import MarkdownSyntax
import TextEncoding

extension TextLanguage {
    /// HTML. Literals are values of attributes. Comment lines are also valid in running text.
    package static let html = TextLanguage(
        name: "html", markup: .html, string: { text in "\"" + HTMLText.escaped(text, keepsLines: true) + "\"" },
        comment: { HTMLText.escaped($0, keepsLines: false) })
}

enum HTMLText {
    static func escaped(_ text: String, keepsLines: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"", "'": result += HTMLEscape.escaped(scalar)
            // Some old browsers treat a backtick as a quotation mark.
            case "`": result += "&#96;"
            // Two hyphens would end a comment.
            case "-" where result.hasSuffix("-") || result.isEmpty: result += "&#45;"
            case "\n", "\r", "\t": result += keepsLines ? "&#\(scalar.value);" : " "
            default: result.unicodeScalars.append(SwiftText.isReadable(scalar) ? scalar : "\u{FFFD}")
            }
        }
        if result.hasSuffix("-") { result = result.dropLast() + "&#45;" }
        return result
    }

    /// Returns a string in which no tag begins. HTML recognizes `</script>` and `<!--` in comments of scripts, too.
    static func withoutTags(_ text: String) -> String {
        TextLanguage.separated(text) { $0 == "<" && ($1 == "/" || $1 == "!" || $1.properties.isAlphabetic) }
    }
}
