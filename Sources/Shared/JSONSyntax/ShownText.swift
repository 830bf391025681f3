/// Makes any string safe for terminals and workflow runners: without control sequences and commands.
package enum ShownText {
    /// Returns the string as one line. Tabs become spaces. Control characters, direction marks and other characters of
    /// Unicode's category Cf become U+FFFD.
    package static func line(_ text: String) -> String {
        cleaned(text, keeps: { _ in false })
    }

    /// Returns the string like `line`, but keeps line ends and tabs.
    package static func lines(_ text: String) -> String {
        cleaned(text, keeps: { $0 == "\n" || $0 == "\t" })
    }

    private static func cleaned(_ text: String, keeps: (Unicode.Scalar) -> Bool) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) || keeps(scalar) {
                result.append(scalar)
            } else {
                result.append(scalar == "\t" ? " " : "\u{FFFD}")
            }
        }
        return String(result)
    }

    /// Returns whether a scalar is safe to show: not a control or format character, nor a separator of lines.
    package static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value >= 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }

    /// Inserts a space into each command of GitHub's runner: `::` at the beginning of a line, and `##[` anywhere.
    package static func withoutCommands(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "#")) else { return text }
        var result = String.UnicodeScalarView()
        var isStart = true
        var hashes = 0
        var previousIsFirstColon = false
        for scalar in text.unicodeScalars {
            if scalar == ":", previousIsFirstColon { result.append(" ") }
            if scalar == "[", hashes >= 2 { result.append(" ") }
            previousIsFirstColon = scalar == ":" && isStart
            hashes = scalar == "#" ? hashes + 1 : 0
            // The runner skips leading white space.
            isStart = scalar == "\n" || scalar == "\r" || (isStart && scalar.properties.isWhitespace)
            result.append(scalar)
        }
        return String(result)
    }
}
