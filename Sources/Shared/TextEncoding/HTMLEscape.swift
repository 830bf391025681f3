/// The characters that mean markup in HTML and in Markdown with HTML.
package enum HTMLEscape {
    /// Returns a character as it is written in text and in attributes: `&`, `<`, `>` and quotation marks become
    /// character references (HTML Standard, section 13.1.4). Other characters stay.
    package static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: String(scalar)
        }
    }
}
