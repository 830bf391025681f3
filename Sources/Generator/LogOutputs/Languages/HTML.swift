import MarkdownSyntax
import TextEncoding

extension TextLanguage {
    /// A literal is an attribute's value. A comment's line may also stand in running text.
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
            // Some old browsers read it as a quote.
            case "`": result += "&#96;"
            // Two of them would end a comment.
            case "-" where result.hasSuffix("-") || result.isEmpty: result += "&#45;"
            case "\n", "\r", "\t": result += keepsLines ? "&#\(scalar.value);" : " "
            default: result.unicodeScalars.append(SwiftText.isVisible(scalar) ? scalar : "\u{FFFD}")
            }
        }
        if result.hasSuffix("-") { result = result.dropLast() + "&#45;" }
        return result
    }

    /// A text in which no tag begins. An HTML page reads `</script>` and `<!--` even in the comments of its scripts.
    static func withoutTags(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if result.unicodeScalars.last == "<", scalar == "/" || scalar == "!" || scalar.properties.isAlphabetic {
                result += " "
            }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
