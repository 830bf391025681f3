/// What scenarios and file names say, so that a terminal shows it and does not obey it. The generator does the same with documents; nothing joins the two.
enum ShownText {
    /// Lines for people: controls and format characters become U+FFFD.
    static func lines(_ text: String) -> String { replacing(text) { _ in "\u{FFFD}" } }

    /// JSON, in which what would be obeyed stands in strings alone: it is escaped there.
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
