import LogDefinitions

/// How text of a definition is written where a language would read it: nothing leaves the literal or the comment it
/// stands in.
package struct TextLanguage: Sendable {
    /// As `output.yml` calls it.
    package let name: String
    /// A literal with its quotes. It keeps every scalar, unless the language has no way to write one.
    package let string: @Sendable (String) -> String
    /// A line for a comment of any style, or for the language's running text. It has no line ends, controls or marks of
    /// direction.
    package let comment: @Sendable (String) -> String
    /// What Markdown may become in it and is then no text to be escaped.
    package let markup: Markup?

    package enum Markup: Sendable { case markdown, html }

    init(
        name: String, markup: Markup? = nil, string: @escaping @Sendable (String) -> String, comment: @escaping @Sendable (String) -> String
    ) {
        self.name = name
        self.markup = markup
        self.string = string
        self.comment = comment
    }

    package static let all: [TextLanguage] = [.swift, .kotlin, .javascript, .java, .c, .sql, .html, .markdown, .json, .yaml]

    package static func named(_ name: String) -> TextLanguage? { all.first { $0.name.isExactly(name) } }
}

/// What languages share.
extension TextLanguage {
    /// A text on one line, without controls and marks of direction, which would make a reader see other text than the
    /// compiler.
    static func line(_ text: String) -> String { SwiftText.visible(text[...]) }

    /// A line that neither opens nor closes a comment of C's kind, in languages whose comments nest, too.
    static func blockComment(_ text: String) -> String {
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in line(text).unicodeScalars {
            // An end that a template's own `*` or `/` would make with the text's first or last character is broken as
            // well.
            if (previous == "*" && scalar == "/") || (previous == "/" && scalar == "*") || (previous == nil && (scalar == "/" || scalar == "*")) {
                result += " "
            }
            result.unicodeScalars.append(scalar)
            previous = scalar
        }
        if previous == "*" || previous == "/" { result += " " }
        return result
    }

    /// A literal in which each scalar stands for itself, has an escape of its own, or is written by its number.
    static func quoted(_ text: String, _ quote: String = "\"", escapes: [Unicode.Scalar: String], number: (Unicode.Scalar) -> String) -> String {
        var result = quote
        for scalar in text.unicodeScalars {
            if let escape = escapes[scalar] {
                result += escape
            } else if SwiftText.isVisible(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += number(scalar)
            }
        }
        return result + quote
    }

    /// `\u202e`, and two of these beyond the first plane.
    static func utf16Escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { "\\u" + hex($0, digits: 4) }.joined()
    }

    static func hex(_ number: some BinaryInteger, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
