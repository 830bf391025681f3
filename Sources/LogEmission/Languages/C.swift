extension TextLanguage {
    /// C, C++ and Objective-C. `??/` is a backslash, and one at the end of a line goes on in the next, of a comment,
    /// too.
    static let c = TextLanguage(
        name: "c",
        string: { text in
            quoted(text, escapes: ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "?": "\\?"]) { scalar in
                String(scalar).utf8.map { "\\" + octal(UInt32($0)) }.joined()
            }
        },
        comment: { text in
            var result = ""
            for scalar in blockComment(text).unicodeScalars {
                if result.unicodeScalars.last == "?", scalar == "?" { result += " " }
                result.unicodeScalars.append(scalar)
            }
            return withoutLastBackslash(result)
        })
}
