import LogDefinitions

/// The kind of definition that a name belongs to.
package enum NameKind: String, CaseIterable, Sendable {
    case category, event, column, value, type
    /// The type that a column with `enum(…)` defines.
    case enumeration = "enum"

    fileprivate var number: Int {
        switch self {
        case .category: 0
        case .event: 1
        case .column: 2
        case .value: 3
        case .type: 4
        case .enumeration: 5
        }
    }
}

/// A style of joining the words of a name.
package enum NameCase: String, CaseIterable, Sendable {
    case snake, camel, pascal, upper, kebab
}

/// A name split into words, which can be joined in every case. Letters and digits of any script are kept. Other visible
/// characters are written as their number, such as `u1F600`, because few languages agree on them.
struct NameWords: Sendable {
    private let words: [String]

    /// Returns the name in a case. Nearly all names are ASCII and need no Unicode tables.
    static func name(_ name: String, in nameCase: NameCase) -> String {
        ascii(name, in: nameCase) ?? NameWords(name).name(in: nameCase)
    }

    /// Returns the same bytes as `name(in:)`, or nil if the name has a character outside ASCII or no word.
    private static func ascii(_ name: String, in nameCase: NameCase) -> String? {
        var name = name
        let result: [UInt8]? = name.withUTF8 { bytes in
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + 8)
            // The previous byte; 0 at the beginning of the name and after a separator.
            var previous: UInt8 = 0
            for byte in bytes {
                guard byte < 0x80 else { return nil }
                let isUpper = (0x41...0x5A).contains(byte)
                let isLower = (0x61...0x7A).contains(byte)
                guard isUpper || isLower || (0x30...0x39).contains(byte) else {
                    previous = 0
                    continue
                }
                let beginsWord = previous == 0 || isUpper && (0x61...0x7A).contains(previous)
                let isCapital: Bool
                switch nameCase {
                case .snake, .kebab, .upper:
                    if beginsWord, !result.isEmpty {
                        result.append(nameCase == .kebab ? UInt8(ascii: "-") : UInt8(ascii: "_"))
                    }
                    isCapital = nameCase == .upper
                case .pascal: isCapital = beginsWord
                case .camel: isCapital = beginsWord && !result.isEmpty
                }
                result.append(isCapital && isLower ? byte - 0x20 : !isCapital && isUpper ? byte + 0x20 : byte)
                previous = byte
            }
            return result
        }
        guard let result, let first = result.first else { return nil }
        let text = String(decoding: result, as: UTF8.self)
        return (0x30...0x39).contains(first) ? "_" + text : text
    }

    init(_ name: String) {
        let words = Self.words(of: name) { Self.isSeparator($0) }
        // A name that consists of separators is still a name.
        self.words = words.isEmpty ? Self.words(of: name) { _ in false } : words
    }

    func name(in nameCase: NameCase) -> String {
        let name =
            switch nameCase {
            case .snake: words.joined(separator: "_")
            case .kebab: words.joined(separator: "-")
            case .upper: words.map { Self.mapped($0, \.uppercaseMapping) }.joined(separator: "_")
            case .pascal: words.map { Self.capitalized($0) }.joined()
            case .camel: (words.prefix(1) + words.dropFirst().map { Self.capitalized($0) }).joined()
            }
        guard let first = name.unicodeScalars.first, first.properties.generalCategory == .decimalNumber else {
            return name
        }
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
                    words.append(mapped(String(word), \.lowercaseMapping))
                    word = String.UnicodeScalarView()
                }
                if isLetterOrDigit(scalar) {
                    word.append(scalar)
                } else {
                    word.append(contentsOf: ("u" + TextLanguage.hex(scalar.value, digits: 4)).unicodeScalars)
                }
                previous = scalar
            }
            if !word.isEmpty { words.append(mapped(String(word), \.lowercaseMapping)) }
        }
        return words
    }

    private static func capitalized(_ word: String) -> String {
        guard let first = word.unicodeScalars.first else { return word }
        return mapped(String(first), \.uppercaseMapping) + String(word.unicodeScalars.dropFirst())
    }

    /// Converts each letter, unless the result has a combining mark: the lowercase of `İ` has one, and few languages
    /// accept marks in identifiers.
    private static func mapped(_ word: String, _ mapping: KeyPath<Unicode.Scalar.Properties, String>) -> String {
        word.unicodeScalars.reduce(into: "") { result, scalar in
            let mapped = scalar.properties[keyPath: mapping]
            result += mapped.unicodeScalars.allSatisfy(isLetterOrDigit) ? mapped : String(scalar)
        }
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
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .dashPunctuation,
            .connectorPunctuation, .openPunctuation,
            .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }
}

/// Converts names to identifiers of a language.
struct Identifiers: Sendable {
    var cases: ByKind<NameCase> = [:]
    var keywords: Set<ExactString> = []
    /// The strings before and after an escaped keyword.
    var escape: (before: String, after: String) = ("", "_")
    var reserved: ByKind<Set<ExactString>> = [:]
    /// The options whose values begin with a reserved name.
    var reservedOptions: ByKind<[String]> = [:]
    /// The kinds whose identifiers are names of files that the compiler writes.
    var classes: Set<NameKind> = []

    /// Values for some kinds of names, in an array: hashing a kind would take longer than all other work on a name.
    struct ByKind<Value: Sendable>: Sendable, ExpressibleByDictionaryLiteral {
        private var values = [Value?](repeating: nil, count: NameKind.allCases.count)

        init(dictionaryLiteral entries: (NameKind, Value)...) {
            for (kind, value) in entries { self[kind] = value }
        }

        subscript(kind: NameKind) -> Value? {
            get { values[kind.number] }
            set { values[kind.number] = newValue }
        }
    }

    /// Returns a name in the case of its kind. An identifier that is reserved or a keyword is escaped.
    func identifier(_ name: String, _ kind: NameKind) -> String {
        // Signs at the end of a value are words, as in Swift.
        let signs = kind == .value ? SwiftNames.signs(atEndOf: name) : []
        let hasOthers = signs.count < name.unicodeScalars.count
        let name = hasOthers ? ([name] + signs).joined(separator: " ") : name
        let cased = cases[kind].map { NameWords.name(name, in: $0) } ?? written(name, kind)
        if let reserved = reserved[kind], reserved.contains(ExactString(cased)) { return cased + "_" }
        return escaped(cased)
    }

    /// Reserves the first component of the value of each option in `reservedOptions`: `com` for `com.example`.
    mutating func reserve(_ options: [String: String]) {
        for kind in NameKind.allCases {
            for option in reservedOptions[kind] ?? [] {
                guard let first = options[option]?.split(separator: ".").first else { continue }
                reserved[kind]?.insert(ExactString(String(first)))
            }
        }
    }

    /// Returns the name, escaped if it is a keyword.
    func escaped(_ name: String) -> String {
        keywords.contains(ExactString(name)) ? escape.before + name + escape.after : name
    }

    /// Returns a name as written. The words of a value are joined in snake case, because it can be any string.
    private func written(_ name: String, _ kind: NameKind) -> String {
        kind == .value ? NameWords.name(name, in: .snake) : name
    }
}
