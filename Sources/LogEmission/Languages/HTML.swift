import MarkdownSyntax

extension TextLanguage {
    /// A literal is an attribute's value; a comment's line stands in running text as well.
    static let html = TextLanguage(
        name: "html", markup: .html, string: { text in "\"" + HTMLText.escaped(text, keepsLines: true) + "\"" },
        comment: { HTMLText.escaped($0, keepsLines: false) })
}

enum HTMLText {
    static func escaped(_ text: String, keepsLines: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // Of old, a quote to some browsers.
            case "`": result += "&#96;"
            // Two would end a comment.
            case "-" where result.hasSuffix("-") || result.isEmpty: result += "&#45;"
            case "\n", "\r", "\t": result += keepsLines ? "&#\(scalar.value);" : " "
            default: result.unicodeScalars.append(SwiftText.isVisible(scalar) ? scalar : "\u{FFFD}")
            }
        }
        if result.hasSuffix("-") { result = result.dropLast() + "&#45;" }
        return result
    }

    /// A text in which no tag begins: an HTML page around a script reads `</script>` and `<!--` in its comments, too.
    static func withoutTags(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if result.unicodeScalars.last == "<", scalar == "/" || scalar == "!" || scalar.properties.isAlphabetic { result += " " }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
