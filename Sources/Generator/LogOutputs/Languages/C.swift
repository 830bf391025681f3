extension TextLanguage {
    /// C, C++ and Objective-C. The trigraph `??/` is a backslash. At its end, it continues a line, even a comment.
    static let c = TextLanguage(
        name: "c",
        string: { text in
            quoted(text, escapes: ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "?": "\\?"]) {
                scalar in
                String(scalar).utf8.map { "\\" + octal(UInt32($0)) }.joined()
            }
        },
        comment: { text in withoutLastBackslash(separated(blockComment(text)) { $0 == "?" && $1 == "?" }) })
}
