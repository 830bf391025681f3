import MarkdownSyntax

/// A line that begins with a name and a type in any form: `- **item**: int64`, `・item → int64`, `item, int64`.
struct ColumnLine: Sendable {
    /// The line without its indentation, tags and the markers of lists and quotes.
    var range: Range<Int>
    var name: String
    /// The type as written, such as `int64?` or `enum(new, old)`.
    var type: String
    /// The rest of the line.
    var description: String
    /// A Boolean value that indicates whether the line may be a part of a sentence: two plain words with blanks or a
    /// comma between them, of which the second is an English word.
    var isProse: Bool

    /// Reads a line. Nil if the line does not begin with a name and a type. A named type is the end of the line, because
    /// it may also be a word of a sentence.
    init?(_ line: Range<Int>, in source: SourceText, isNamedType: (String) -> Bool = { _ in false }) {
        guard let words = source.bytes.withUnsafeBufferPointer({ Words(of: line, in: $0) }) else { return nil }
        let between = source.string(words.name.upperBound..<words.type.lowerBound)
        let isBlank = between.utf8.allSatisfy { " *_`".utf8.contains($0) }
        var word = source.string(words.type)
        let before = source.string(line.lowerBound..<words.name.lowerBound)
        let rest = source.string(words.type.upperBound..<line.upperBound)
        let isNamed =
            between.contains { ":(：（".contains($0) } && isNamedType(word)
            && !rest.unicodeScalars.contains { $0.properties.isAlphabetic }
        if !isBlank, !isNamed, !TypeNotation.isBuiltIn(word) { word = word.lowercased() }
        guard isNamed || TypeNotation.isBuiltIn(word) else { return nil }
        func isSign(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII || !scalar.properties.isAlphabetic }
        guard before.unicodeScalars.allSatisfy(isSign),
            between.unicodeScalars.allSatisfy(isSign), rest.unicodeScalars.first.map(isSign) ?? true
        else { return nil }
        name = source.string(words.name).filter { $0 != "\\" }
        if isBlank, Self.wordsBeforeNouns.contains(name) { return nil }
        let start = source.scan(in: line, isStripped: true)?.start
        range = min(start ?? line.lowerBound, words.name.lowerBound)..<line.upperBound
        type = Self.type(word, rest, isArray: between.hasSuffix("["))
        // The bracket before the word is not a part of the rest.
        let length = type.unicodeScalars.count - word.unicodeScalars.count - (type.hasPrefix("[") ? 1 : 0)
        let signs: (Unicode.Scalar) -> Bool = { !$0.properties.isAlphabetic && !("0"..."9").contains($0) && $0 != "(" }
        description = String(
            Substring(rest.unicodeScalars.dropFirst(length)).trimmingInvisible().withoutTags.unicodeScalars.drop(
                while: signs))
        let isBare = type == word && !before.contains { "*_`<[".contains($0) }
        if Self.nouns.contains(word), between.hasPrefix(":"), between.utf8.dropFirst().allSatisfy({ $0 == 0x20 }) {
            // In `note: text is cut after 256 characters`, the words go on.
            let words = rest.split(separator: " ")
            isProse = isBare && rest.hasPrefix(" ") && words.first?.first?.isLowercase == true && words.count > 1
        } else {
            isProse =
                isBare && Self.englishTypes.contains(word) && between.utf8.allSatisfy { $0 == 0x20 || $0 == 0x2C }
                && name.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        }
    }

    /// The types that are English words in sentences about other things.
    private static let nouns: Set<String> = ["text", "double", "date", "url", "real", "float", "number"]

    private static let englishTypes: Set<String> = [
        "string", "text", "double", "number", "float", "real", "boolean", "integer", "date", "url", "decimal",
    ]

    private static let wordsBeforeNouns: Set<String> = [
        "a", "an", "the", "this", "that", "its", "each", "every", "any", "no", "one", "of", "in", "on", "at", "as",
        "by",
        "to", "for", "from", "with", "and", "or", "is", "are", "if", "per", "both", "same", "new",
    ]

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

    /// The ranges of the first two words of a line, without the punctuation around them.
    private struct Words {
        var name: Range<Int>
        var type: Range<Int>

        init?(of line: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
            let end = line.upperBound
            func word(from start: Int) -> Range<Int> {
                var index = start
                while index < end {
                    let isEscape = bytes[index] == 0x5C && index + 1 < end && bytes[index + 1] == 0x5F
                    guard isEscape || isLetter(bytes[index]) || isDigit(bytes[index]) || bytes[index] == 0x5F else {
                        break
                    }
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
                second - name.upperBound > 1 || !Self.joins(bytes[name.upperBound])
            else { return nil }
            type = word(from: second)
            let next = type.upperBound
            if next + 1 < end, Self.joins(bytes[next]), isLetter(bytes[next + 1]) { return nil }
        }

        /// Returns whether a punctuation mark joins two words to one: `read-only`, `key/string`, `it's`.
        private static func joins(_ byte: UInt8) -> Bool { "-/.'@&#%\\".utf8.contains(byte) }

        /// Returns the first letter after punctuation, tags, addresses of links, a checkbox and a number of an item.
        /// Nil without a letter, and if other digits precede it.
        private static func letter(from start: Int, to end: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
            var index = start
            func after(_ sign: String) -> Int? {
                bytes[index..<end].firstIndex(of: sign.utf8.first ?? 0).map { $0 + 1 }
            }
            while index < end {
                switch bytes[index] {
                case UInt8(ascii: "<"):
                    var inner = index + 1
                    while inner < end, isLetter(bytes[inner]) || isDigit(bytes[inner]) { inner += 1 }
                    let word = String(decoding: bytes[index + 1..<inner], as: UTF8.self)
                    let isTag = inner > index + 1 || index + 1 < end && "/!".utf8.contains(bytes[index + 1])
                    guard isTag, !TypeNotation.isBuiltIn(word) else {
                        index += 1
                        continue
                    }
                    guard let close = after(">") else { return nil }
                    index = close
                case UInt8(ascii: "]") where bytes[index..<end].starts(with: "](".utf8): index = after(")") ?? end
                case UInt8(ascii: "["):
                    let isBox = index + 2 < end && bytes[index + 2] == UInt8(ascii: "]")
                    index += isBox ? 3 : bytes[index..<end].starts(with: "[obsolete]".utf8) ? 10 : 1
                case 0x30...0x39:
                    while index < end, isDigit(bytes[index]) { index += 1 }
                    guard index < end, ".)".utf8.contains(bytes[index]) || bytes[index] >= 0x80 else { return nil }
                case let byte where isLetter(byte):
                    // An item may have a letter in place of a number: `a) item: int`.
                    guard index == start, index + 2 < end, bytes[index + 1] == UInt8(ascii: ")") else { return index }
                    index += 2
                default: index += 1
                }
            }
            return nil
        }
    }
}
