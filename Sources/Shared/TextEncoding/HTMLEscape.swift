/// Escapes for HTML, and for Markdown that may contain HTML.
package enum HTMLEscape {
    /// Returns a character escaped for text and attributes. `&`, `<`, `>` and quotation marks become character
    /// references (HTML Standard, section 13.1.4). Other characters are unchanged.
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
