import LogDefinitions

/// What a name names.
package enum NameKind: String, CaseIterable, Sendable {
    case category, event, column, value, type
    /// The type that a column with `enum(…)` brings along.
    case enumeration = "enum"
}

/// How a name's words are put together.
package enum NameCase: String, CaseIterable, Sendable {
    case snake, camel, pascal, upper, kebab
}

/// A name as words, of which every case can be made. Letters and digits of any script stay; whatever else can be seen
/// is written by its number, as `u1F600`, since hardly any two languages agree on it.
struct NameWords: Sendable {
    private let words: [String]

    init(_ name: String) {
        let words = Self.words(of: name) { Self.isSeparator($0) }
        // A name of separators alone is still one.
        self.words = words.isEmpty ? Self.words(of: name) { _ in false } : words
    }

    func name(in nameCase: NameCase) -> String {
        let name =
            switch nameCase {
            case .snake: words.joined(separator: "_")
            case .kebab: words.joined(separator: "-")
            case .upper: words.map { $0.uppercased() }.joined(separator: "_")
            case .pascal: words.map { Self.capitalized($0) }.joined()
            case .camel: (words.prefix(1) + words.dropFirst().map { Self.capitalized($0) }).joined()
            }
        guard let first = name.unicodeScalars.first, first.properties.generalCategory == .decimalNumber else { return name }
        return "_" + name
    }

    private static func words(of name: String, separatedBy isSeparator: (Unicode.Scalar) -> Bool) -> [String] {
        var words: [String] = []
        for part in name.unicodeScalars.split(whereSeparator: isSeparator) {
            var word = String.UnicodeScalarView()
            var previous: Unicode.Scalar?
            for scalar in part {
                // `mostPopular` and `RecipeID` are two words each.
                if let previous, previous.properties.isLowercase, scalar.properties.isUppercase, !word.isEmpty {
                    words.append(String(word).lowercased())
                    word = String.UnicodeScalarView()
                }
                if isLetterOrDigit(scalar) {
                    word.append(scalar)
                } else {
                    word.append(contentsOf: ("u" + TextLanguage.hex(scalar.value, digits: 4)).unicodeScalars)
                }
                previous = scalar
            }
            if !word.isEmpty { words.append(String(word).lowercased()) }
        }
        return words
    }

    private static func capitalized(_ word: String) -> String {
        guard let first = word.unicodeScalars.first else { return word }
        return first.properties.uppercaseMapping + String(word.unicodeScalars.dropFirst())
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value <= 0xFFFF else { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        default: false
        }
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return !isLetterOrDigit(scalar) }
        return switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .dashPunctuation, .connectorPunctuation, .openPunctuation,
            .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }
}

/// Names as a language has them.
struct Identifiers: Sendable {
    var cases: [NameKind: NameCase] = [:]
    var keywords: Set<ExactText> = []
    /// What a keyword stands in.
    var escape: (before: String, after: String) = ("", "_")
    var reserved: [NameKind: Set<ExactText>] = [:]

    /// The name of something: in its kind's case, and what the language takes for something else escaped.
    func identifier(_ name: String, _ kind: NameKind) -> String {
        let cased = cases[kind].map { NameWords(name).name(in: $0) } ?? written(name, kind)
        if reserved[kind]?.contains(ExactText(cased)) ?? false { return cased + "_" }
        return keywords.contains(ExactText(cased)) ? escape.before + cased + escape.after : cased
    }

    /// A name without a case of its own: as documents have it; of a value, which can be any text, its words.
    private func written(_ name: String, _ kind: NameKind) -> String { kind == .value ? NameWords(name).name(in: .snake) : name }
}
