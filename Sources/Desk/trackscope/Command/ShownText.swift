/// Escapes strings of scenarios and file names, so that a terminal does not interpret them.
///
/// The generator escapes documents in the same way. The code is repeated, because the two share no module.
enum ShownText {
    /// Replaces control and format characters by U+FFFD, for lines that people read.
    static func lines(_ text: String) -> String { replacing(text) { _ in "\u{FFFD}" } }

    /// Escapes control and format characters in JSON, where they occur only in strings.
    static func json(_ text: String) -> String {
        replacing(text) { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }.joined()
        }
    }

    private static func replacing(_ text: String, by other: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isObeyed) else { return text }
        return text.unicodeScalars.map { isObeyed($0) ? other($0) : String($0) }.joined()
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\n" && scalar != "\t"
        case .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
