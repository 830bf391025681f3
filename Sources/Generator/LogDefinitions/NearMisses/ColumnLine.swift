import MarkdownSyntax

/// A line that begins with a name and a type in any form: `- **item**: int64`, `・item → int64`, `item, int64`.
struct ColumnLine {
    var name: String
    /// The type as written, such as `int64?` or `enum(new, old)`.
    var type: String
    /// The rest of the line.
    var description: String
    /// Indicates whether the line may be part of a sentence: it has two plain words, the second an English word.
    var isProse: Bool

    /// Reads a line without its markers. Nil if it does not begin with a name and a type. A type of `types` is the end
    /// of the line, because it may also be a word of a sentence.
    init?(_ line: Range<Int>, in source: SourceText, types: [String: LogValueType]) {
        guard let (first, second) = source.bytes.withUnsafeBufferPointer({ Self.words(in: line, of: $0) }) else {
            return nil
        }
        var word = source.string(second)
        // Most text ends here.
        guard TypeNotation.isBuiltIn(word.lowercased()) || types[word] != nil else {
            guard let values = Self.values(in: line, after: first, of: source) else { return nil }
            (name, type, description, isProse) = (source.string(first), values, "", false)
            return
        }
        let rest = source.string(second.upperBound..<line.upperBound)
        let between = source.string(first.upperBound..<second.lowerBound)
        let isBlank = between.utf8.allSatisfy { " *_`".utf8.contains($0) }
        if !TypeNotation.isBuiltIn(word) {
            let isNamed =
                types[word] != nil && between.contains { ":(：（".contains($0) }
                && !rest.unicodeScalars.contains { $0.properties.isAlphabetic }
            if !isNamed { word = word.lowercased() }
            guard isNamed || !isBlank && TypeNotation.isBuiltIn(word) else { return nil }
        }
        let before = source.string(line.lowerBound..<first.lowerBound)
        func isSign(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII || !scalar.properties.isAlphabetic }
        guard (before + between + String(rest.prefix(1))).unicodeScalars.allSatisfy(isSign) else { return nil }
        name = source.string(first).filter { $0 != "\\" }
        if isBlank, Self.wordsBeforeNouns.contains(name) { return nil }
        // The bracket of an array precedes the word.
        let whole = (between.hasSuffix("[") ? "[" : "") + word + rest
        let ends = whole.indices.filter { ")]?".contains(whole[$0]) }.prefix(4).map { whole.index(after: $0) }
        type = ends.map { String(whole[..<$0]) }.last { (try? TypeNotation.parse($0)) != nil } ?? word
        let signs: (Character) -> Bool = { !$0.isLetter && !$0.isNumber && $0 != "(" }
        let text = rest.dropFirst(type.count - (type.hasPrefix("[") ? 1 : 0) - word.count)
        description = String(text.trimmingInvisible().withoutTags.drop(while: signs))
        let isBare = type == word && !before.contains { "*_`<[".contains($0) }
        let isPlain = between.utf8.allSatisfy { " ,:".utf8.contains($0) }
        // In `note: text is cut after 256 characters`, the words go on.
        let words = rest.hasPrefix(" ") ? rest.split(separator: " ") : []
        let isSentence =
            between.hasPrefix(":")
            ? words.count > 1 && words[0].first?.isLowercase == true : !name.contains { !$0.isLowercase }
        isProse = isBare && isPlain && isSentence && Self.englishTypes.contains(word)
    }

    /// The enumeration in an item such as `- genre: novel | science`, or after a name in code. Nil for other text, such as
    /// a sentence with a pipe.
    private static func values(in line: Range<Int>, after first: Range<Int>, of source: SourceText) -> String? {
        guard source.bytes[line].contains(UInt8(ascii: "|")) else { return nil }
        let name = source.string(first)
        let start = source.lineRange(source.lineIndex(at: first.lowerBound)).lowerBound
        let rest = source.string(first.upperBound..<line.upperBound).filter { $0 != "`" }.drop { " *_".contains($0) }
        guard source.string(start..<first.lowerBound).contains(where: { "`-*+•0123456789".contains($0) }),
            rest.hasPrefix(":"), !rest.contains(where: { "[]{}".contains($0) }),
            !LostLineSearch.labels.contains(name), HeaderKind(name) == nil, Details.Key(spelling: name) == nil
        else { return nil }
        return TypeNotation.correction(of: String(rest.dropFirst()), for: .advice).flatMap {
            $0.hasPrefix("enum(") ? $0 : nil
        }
    }

    private static let englishTypes: Set<String> = [
        "string", "text", "double", "number", "float", "real", "boolean", "integer", "date", "url", "decimal",
    ]

    private static let wordsBeforeNouns = Set(
        "a an the this that its each every any no one of in on at as by to for from with and or is are if per both same new"
            .split(separator: " ").map(String.init))

    /// The first two words of a line, without tags, addresses of links and the punctuation around them.
    private static func words(in line: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>)
        -> (name: Range<Int>, type: Range<Int>)?
    {
        let end = line.upperBound
        var name: Range<Int>?
        var index = line.lowerBound
        func next(_ offset: Int) -> UInt8 { index + offset < end ? bytes[index + offset] : 0 }
        func skip(to sign: UInt8) { index = (bytes[index..<end].firstIndex(of: sign) ?? end - 1) + 1 }
        func skipWord() {
            while isLetter(next(0)) || isDigit(next(0)) || next(0) == 0x5F || next(0) == 0x5C && next(1) == 0x5F {
                index += 1
            }
        }
        /// Whether a punctuation mark joins two words to one: `read-only`, `key/string`, `it's`.
        func joins(_ byte: UInt8) -> Bool { "-/.'@&#%\\".utf8.contains(byte) }
        while index < end {
            let start = index
            switch bytes[index] {
            case let byte where isLetter(byte):
                skipWord()
                guard let first = name else {
                    guard byte >= 0x61 else { return nil }
                    // Emphasis with `_` ends after the name.
                    name = start..<start + 1 + bytes[start + 1..<index].reversed().drop { $0 == 0x5F }.count
                    continue
                }
                let isJoined =
                    start == first.upperBound + 1 && joins(bytes[start - 1]) || joins(next(0)) && isLetter(next(1))
                return isJoined ? nil : (first, start..<index)
            case 0x30...0x39: return nil
            case 0x3C where isLetter(next(1)) || next(1) == 0x2F || next(1) == 0x21:
                index += 1
                skipWord()
                // `item: <int64>` is not a tag.
                let word = String(decoding: bytes[start + 1..<index], as: UTF8.self)
                if TypeNotation.isBuiltIn(word) { index = start + 1 } else { skip(to: 0x3E) }
            case 0x5D where next(1) == 0x28: skip(to: 0x29)
            default: index += 1
            }
        }
        return nil
    }
}
