/// Names in messages for invisible or confusable characters: `a full-width space, U+3000`.
package enum ScalarNames {
    private static let names: [UInt32: String] = [
        0x00A0: "a no-break space", 0x00AD: "a soft hyphen", 0x061C: "an Arabic letter mark",
        0x180E: "a Mongolian vowel separator", 0x200B: "a zero-width space", 0x200C: "a zero-width non-joiner",
        0x200D: "a zero-width joiner", 0x200E: "a left-to-right mark", 0x200F: "a right-to-left mark",
        0x2028: "a line separator", 0x2029: "a paragraph separator", 0x202A: "a left-to-right embedding",
        0x202B: "a right-to-left embedding", 0x202C: "the end of an embedding", 0x202D: "a left-to-right override",
        0x202E: "a right-to-left override", 0x202F: "a narrow no-break space", 0x205F: "a mathematical space",
        0x2060: "a word joiner", 0x3000: "a full-width space", 0x3164: "a Hangul filler", 0xFEFF: "a byte-order mark",
        0x2010: "a hyphen that is not ASCII's", 0x2011: "a no-break hyphen", 0x2012: "a figure dash",
        0x2013: "an en dash", 0x2014: "an em dash", 0x2015: "a horizontal bar", 0x2212: "a minus sign",
        0x2500: "a box-drawing line", 0x2501: "a box-drawing line", 0x30FC: "a long vowel mark",
        0xFF0D: "a full-width hyphen", 0xFF70: "a half-width long vowel mark", 0x4E00: "a Chinese one",
        0x00A6: "a broken bar", 0x2223: "a mathematical bar", 0x2502: "a box-drawing line",
        0x2503: "a box-drawing line", 0xFF5C: "a full-width pipe", 0xFFE8: "a half-width box-drawing line",
        0xFF03: "a full-width `#`", 0xFE5F: "a small `#`", 0x266F: "a sharp sign", 0xFF08: "a full-width parenthesis",
        0xFF09: "a full-width parenthesis", 0xFF0C: "a full-width comma", 0x3001: "an ideographic comma",
        0xFF1F: "a full-width question mark", 0xFF1A: "a full-width colon", 0xFF1B: "a full-width semicolon",
        0xFF01: "a full-width exclamation mark", 0xFF3B: "a full-width bracket", 0xFF3D: "a full-width bracket",
        0xFF3F: "a full-width `_`", 0xFF0E: "a full-width full stop", 0x2026: "an ellipsis",
        0xFF5E: "a full-width tilde", 0x301C: "a wave dash",
    ]

    /// The name and the code of a character, such as `a full-width space, U+3000`.
    static func described(_ scalar: Unicode.Scalar) -> String {
        let hex = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        if let name = names[scalar.value] { return "\(name), \(code)" }
        if (0x21...0x7E).contains(scalar.value), scalar != "`" { return "`\(scalar)`" }
        if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) { return "a control character, \(code)" }
        return isInvisible(scalar) ? "an invisible character, \(code)" : code
    }

    /// Returns the string with HTML's references of invisible characters, such as `&#8203;`, as those characters.
    static func withInvisibleCharacters(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let sign = rest.firstIndex(of: "&") {
            result += rest[..<sign]
            let name = rest[sign...].dropFirst().prefix { $0 != ";" && $0 != "&" }
            let after = rest[name.endIndex...]
            guard after.first == ";", let scalar = scalar(named: name), isInvisible(scalar) else {
                result += "&"
                rest = rest[sign...].dropFirst()
                continue
            }
            result.unicodeScalars.append(scalar)
            rest = after.dropFirst()
        }
        return result + rest
    }

    private static func scalar(named name: Substring) -> Unicode.Scalar? {
        let named: [Substring: UInt32] = [
            "nbsp": 0xA0, "shy": 0xAD, "zwj": 0x200D, "zwnj": 0x200C, "lrm": 0x200E, "rlm": 0x200F,
            "ZeroWidthSpace": 0x200B, "NoBreak": 0x2060,
        ]
        guard name.first == "#" else { return named[name].flatMap(Unicode.Scalar.init) }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        return (isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)).flatMap(Unicode.Scalar.init)
    }

    /// Returns whether the character is invisible or looks like a space.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0xA0, 0xAD, 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
            0x2000...0x200F, 0x2028...0x202F,
            0x205F...0x206F, 0x3000, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    /// The first invisible character of a string, except spaces and tabs, if any.
    static func firstInvisible(in text: some StringProtocol) -> Unicode.Scalar? {
        text.unicodeScalars.first { $0.value != 0x20 && $0.value != 0x09 && isInvisible($0) }
    }
}
