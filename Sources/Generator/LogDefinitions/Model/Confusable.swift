/// Detection of strings that people confuse with each other.
package enum Confusable {
    /// Folds case and width. Canonically equivalent strings have equal results, as in Swift's comparison.
    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0xFF01...0xFF5E: scalars.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar)
            case 0x3000: scalars.append(" ")
            case 0xFF61...0xFF9F: scalars.append(fullWidth[Int(scalar.value - 0xFF61)])
            default: scalars.append(scalar)
            }
        }
        return String(scalars).lowercased()
    }

    /// Returns the string without invisible characters. Full-width letters, digits and punctuation become half-width.
    static func seen(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if (0xFF01...0xFF5E).contains(scalar.value) {
                scalars.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar)
            } else if scalar == "\u{3000}" || scalar == "\u{A0}" {
                scalars.append(" ")
            } else if !ScalarNames.isInvisible(scalar) {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// The difference of two strings with one folding, as the end of `differ only …`. Nil for the same scalars.
    package static func difference(_ left: String, _ right: String) -> String? {
        if left.isExactly(right) { return nil }
        if left == right { return "by normalisation" }
        return left.lowercased() == right.lowercased()
            ? "in upper and lower case" : "in case, normalisation, or full and half width"
    }

    /// The full-width forms of U+FF61 to U+FF9F, with the voiced marks as combining characters.
    private static let fullWidth: [Unicode.Scalar] = Array(
        ("。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
            + "\u{3099}\u{309A}").unicodeScalars)
}
