extension TextLanguage {
    /// A literal is code. A comment's line stands in running text or in a table's cell.
    static let markdown = TextLanguage(
        name: "markdown", markup: .markdown, string: { "<code>" + MarkdownText.escaped($0) + "</code>" }, comment: { MarkdownText.escaped($0) })
}

enum MarkdownText {
    /// A text that shows exactly as it is: no emphasis, link, tag, list or cell begins or ends in it.
    static func escaped(_ text: String) -> String {
        let line = Array(TextLanguage.line(text).unicodeScalars)
        var result = ""
        func isWord(_ index: Int) -> Bool { line.indices.contains(index) && (line[index] == "_" || line[index].properties.isXIDContinue) }
        for (index, scalar) in line.enumerated() {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            // Tools that make pages from Markdown read these characters first.
            case "{": result += "&#123;"
            case "}": result += "&#125;"
            // Inside a word, `_` is plain text.
            case "_" where isWord(index - 1) && isWord(index + 1): result += "_"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "!", "#": result += "\\" + String(scalar)
            // Two of them would end a comment in the page.
            case "-" where index > 0 && line[index - 1] == "-": result += "\\-"
            // These characters turn a line into a list or a heading.
            case "-", "+", "=": result += index == 0 || line[..<index].allSatisfy({ $0 == scalar }) ? "\\" + String(scalar) : String(scalar)
            case ".", ")":
                result += index > 0 && line[..<index].allSatisfy({ $0.properties.numericType != nil }) ? "\\" + String(scalar) : String(scalar)
            case " " where index == 0: result += "&#32;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
