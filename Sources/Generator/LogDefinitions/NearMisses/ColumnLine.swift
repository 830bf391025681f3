import MarkdownSyntax

/// A line that begins with a name and a type, in any form: `- **item**: int64`, `・item → int64`, `item, int64, the item`.
struct ColumnLine: Sendable {
    /// The line without its indentation, tags and the markers of lists and quotes.
    var range: Range<Int>
    var name: String
    /// The type as written, such as `int64?` or `enum(new, old)`.
    var type: String
    /// The text after the type.
    var description: String
    /// A Boolean value that indicates whether `!` precedes the type, as in the list form.
    var isMarked: Bool
    /// A Boolean value that indicates whether the line may be a part of a sentence: two plain words with blanks or a
    /// comma between them, of which the second is an English word.
    var isProse: Bool

    /// Reads a line. Nil if the line does not begin with a name and a type.
    init?(_ line: Range<Int>, in source: SourceText) {
        guard let words = source.bytes.withUnsafeBufferPointer({ Words(of: line, in: $0) }) else { return nil }
        let word = source.string(words.type)
        guard TypeNotation.isBuiltIn(word) else { return nil }
        let before = source.string(line.lowerBound..<words.name.lowerBound)
        let between = source.string(words.name.upperBound..<words.type.lowerBound)
        let rest = source.string(words.type.upperBound..<line.upperBound)
        func isSign(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII || !scalar.properties.isAlphabetic }
        guard before.unicodeScalars.allSatisfy(isSign),
            between.unicodeScalars.allSatisfy(isSign), rest.unicodeScalars.first.map(isSign) ?? true
        else { return nil }
        name = source.string(words.name)
        let isBlank = between.utf8.allSatisfy { " *_`".utf8.contains($0) }
        if isBlank, Self.articles.contains(name) { return nil }
        let start = source.scan(in: line, skippingMarkers: true, skippingTags: true)?.start
        range = min(start ?? line.lowerBound, words.name.lowerBound)..<line.upperBound
        isMarked = between.hasSuffix("!") || between.hasSuffix("\u{FF01}")
        type = Self.type(word, rest, isArray: between.hasSuffix("["))
        let signs: (Unicode.Scalar) -> Bool = { !$0.properties.isAlphabetic && !("0"..."9").contains($0) && $0 != "(" }
        description = String(
            Substring(rest.unicodeScalars.dropFirst(max(0, type.unicodeScalars.count - word.unicodeScalars.count)))
                .trimmingInvisible().unicodeScalars.drop(while: signs))
        isProse =
            Self.words.contains(word) && type == word && between.utf8.allSatisfy { $0 == 0x20 || $0 == 0x2C }
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) } && !before.contains { "*_`<[".contains($0) }
    }

    /// The types that are English words.
    private static let words: Set<String> = [
        "string", "text", "double", "number", "float", "real", "boolean", "integer", "date", "url", "decimal",
    ]

    /// Words that precede nouns in sentences.
    private static let articles: Set<String> = [
        "a", "an", "the", "this", "that", "its", "each", "every", "any", "no", "one", "of", "in", "on", "at", "as",
        "by",
        "to", "for", "from", "with", "and", "or", "is", "are", "if", "per", "both", "same", "new",
    ]

    /// Returns the type that begins with a word, with its arguments and its question mark.
    private static func type(_ word: String, _ rest: String, isArray: Bool) -> String {
        var end = rest.startIndex
        if let close = rest.firstIndex(of: isArray ? "]" : ")"), isArray || rest.hasPrefix("(") {
            end = rest.index(after: close)
        }
        let ends = [end, rest.startIndex].flatMap { end in
            rest[end...].hasPrefix("?") ? [rest.index(after: end), end] : [end]
        }
        let texts = ends.map { (isArray && $0 > rest.startIndex ? "[" : "") + word + rest[..<$0] }
        return texts.first { (try? TypeNotation.parse($0)) != nil } ?? word
    }

    /// The item of the list form, and the description as a nested item. Nil if the form does not have the type.
    func item(named name: String) -> [String]? {
        let isOptional = type.hasSuffix("?")
        guard let known = TypeNotation.builtIn[isOptional ? String(type.dropLast()) : type]?.listName else {
            return nil
        }
        let item = "- \(name): !\(known)\(isOptional ? "?" : "")"
        if description.isEmpty { return [item] }
        return Int(description) == nil ? [item, description] : ["\(item) \(description)"]
    }

    /// The ranges of the first two words of a line, without the signs around them.
    private struct Words {
        var name: Range<Int>
        var type: Range<Int>

        init?(of line: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
            let end = line.upperBound
            func word(from start: Int) -> Range<Int> {
                var index = start
                while index < end, isLetter(bytes[index]) || isDigit(bytes[index]) || bytes[index] == 0x5F {
                    index += 1
                }
                return start..<index
            }
            guard let first = Self.letter(from: line.lowerBound, to: end, in: bytes), bytes[first] >= 0x61 else {
                return nil
            }
            name = word(from: first)
            // Emphasis with `_` ends after the name.
            while bytes[name.upperBound - 1] == 0x5F { name = first..<name.upperBound - 1 }
            guard let second = Self.letter(from: name.upperBound, to: end, in: bytes), second > name.upperBound,
                second - name.upperBound > 1 || bytes[name.upperBound] != UInt8(ascii: "-")
            else { return nil }
            type = word(from: second)
            guard type.upperBound < end else { return }
            switch bytes[type.upperBound] {
            case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "@"):
                return nil
            case UInt8(ascii: ".") where type.upperBound + 1 < end && isLetter(bytes[type.upperBound + 1]): return nil
            default: break
            }
        }

        /// Returns the first letter after signs, tags, a checkbox and a number; nil if other text precedes it.
        private static func letter(from start: Int, to end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
            var index = start
            while index < end {
                let byte = bytes[index]
                switch byte {
                case UInt8(ascii: "<"):
                    guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: ">")) else { return nil }
                    index = close + 1
                case UInt8(ascii: "["):
                    let isBox = index + 2 < end && bytes[index + 2] == UInt8(ascii: "]")
                    index += isBox ? 3 : bytes[index..<end].starts(with: "[obsolete]".utf8) ? 10 : 1
                case 0x30...0x39:
                    while index < end, isDigit(bytes[index]) { index += 1 }
                    guard index < end, ".)".utf8.contains(bytes[index]) || bytes[index] >= 0x80 else { return nil }
                    index += 1
                case 0x80..., 0x09, 0x20, UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "`"),
                    UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"),
                    UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "="),
                    UInt8(ascii: "!"):
                    index += 1
                default: return isLetter(byte) ? index : nil
                }
            }
            return nil
        }
    }
}

extension LogValueType {
    /// The type's name in the list form. Nil for types that the list form does not have.
    fileprivate var listName: String? {
        switch form {
        case .string: "string"
        case .integer(let integer):
            !integer.isSigned
                ? nil
                : integer.bits == 16 ? "smallint" : integer.bits == 32 ? "integer" : integer.bits == 64 ? "bigint" : nil
        case .number(let number): number.bits == 32 ? "real" : "double"
        case .boolean: "boolean"
        case .format(let format): TypeNotation.listNames.contains(format.rawValue) ? format.rawValue : nil
        case .decimal, .enumeration, .array, .named: nil
        }
    }
}
