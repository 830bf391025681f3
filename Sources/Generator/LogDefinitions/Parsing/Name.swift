import MarkdownSyntax

/// A name as written in a heading or a cell: identifier, display title, and whether it is marked as retired.
package struct Name {
    var identifier: String
    var title: String
    var isRetired: Bool
    /// A second name, which may be the intended one: in another code span, or in the place of the title.
    var otherName: String?
    /// The place of the identifier's bytes.
    var place: Place

    static let maximumLength = 64

    /// Examples: `## レシピの表示 `show_recipe``, `## ~~old~~`, `## [obsolete] old`.
    init(heading: Heading, in source: SourceText, file: Int) {
        let raw = source.bytes[heading.range]
        var isRetired = false
        var before = trimmed(heading.before[...])
        var after = trimmed(heading.after[...])
        // A reference `[obsolete]: …` in the file makes the marker a link, whose text has no brackets.
        let marker = Array("[obsolete]".utf8)
        if raw.prefix(marker.count).elementsEqual(marker, by: { $0 | ($0 >= 0x41 && $0 <= 0x5A ? 0x20 : 0) == $1 }) {
            isRetired = true
            before = trimmed(before.dropFirst(before.hasPrefix("[") ? marker.count : marker.count - 2))
        }
        func strike(_ text: inout Substring, _ isAtStart: Bool) -> Bool {
            guard isAtStart ? text.hasPrefix("~~") : text.hasSuffix("~~") else { return false }
            text = trimmed(isAtStart ? text.dropFirst(2) : text.dropLast(2))
            return true
        }
        if let code = heading.code {
            var identifier = trimmed(code.text[...])
            if identifier.hasPrefix("~~"), identifier.hasSuffix("~~"), identifier.utf8.count > 4 {
                identifier = trimmed(identifier.dropFirst(2).dropLast(2))
                isRetired = true
            }
            // Either the whole heading is struck through, or only the code span.
            if after.hasPrefix("~~"), before.hasSuffix("~~") {
                isRetired = strike(&after, true) && strike(&before, false) || isRetired
            } else if before.hasPrefix("~~"), after.hasSuffix("~~") {
                isRetired = strike(&before, true) && strike(&after, false) || isRetired
            }
            self.identifier = String(identifier)
            self.title = [before, after].filter { !$0.isEmpty }.joined(separator: " ")
            self.place = Place(file: file, range: source.firstRange(of: self.identifier, in: code.range) ?? code.range)
        } else {
            if before.hasPrefix("~~"), before.hasSuffix("~~"), before.utf8.count > 4 {
                isRetired = strike(&before, true) && strike(&before, false)
            }
            self.identifier = String(before)
            self.title = ""
            self.place = Place(
                file: file, range: source.firstRange(of: self.identifier, in: heading.range) ?? heading.range)
        }
        self.isRetired = isRetired
        if let code = heading.code {
            findOtherName(after: source.string(code.range.upperBound..<heading.range.upperBound))
        }
    }

    /// - Parameter text: the rest of the heading or cell, from the backtick that closes the first code span.
    private mutating func findOtherName(after text: String) {
        // The odd parts are between code spans.
        let spans = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter {
            $0.offset % 2 == 0
        }
        otherName = ([title] + spans.dropFirst().map { String(trimmed($0.element)) }).first {
            Self.isIdentifier($0) && $0 != identifier
        }
    }

    /// Returns a title with backticks around its only identifier, if it has one: ``閉じた `open_2` ``.
    static func codeName(in text: String) -> String? {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1, (words.count { isIdentifier($0) }) == 1 else { return nil }
        return words.map { isIdentifier($0) ? "`\($0)`" : $0 }.joined(separator: " ")
    }

    /// Returns a heading's text with backticks around the retired name after its title. Nil for other headings.
    ///
    /// Examples: ``表示 ~~`show`~~`` for `表示 ~~show~~`, and ``[obsolete] 表示 `show` `` for `表示 [obsolete] show`.
    static func markedName(in text: String) -> String? {
        /// The title before the first marker and the identifier after it. Nil if one of them is missing.
        func parts(at marker: String, of text: some StringProtocol) -> (title: String, name: String)? {
            let bytes = Array(text.utf8)
            guard let start = SourceText(bytes).occurrences(of: Array(marker.utf8), limit: 1).first, start > 0 else {
                return nil
            }
            let name = String(decoding: bytes[(start + marker.utf8.count)...], as: UTF8.self)
            return isIdentifier(name) ? (String(decoding: bytes[..<start], as: UTF8.self), name) : nil
        }
        if text.hasSuffix("~~"), let parts = parts(at: "~~", of: text.dropLast(2)) {
            return "\(parts.title)~~`\(parts.name)`~~"
        }
        return parts(at: "[obsolete] ", of: text).map { "[obsolete] \($0.title)`\($0.name)`" }
    }

    /// The marker of retirement in a place of the title where it has no effect, and the corrected heading. Nil without
    /// such a marker, and if only some words of the title are struck through.
    ///
    /// Examples: ``~~古い `show`~~`` for ``~~古い~~ `show` ``, and ``[obsolete] 古い `show` `` for ``古い [obsolete] `show` ``.
    var misplacedMark: (mark: String, meant: String)? {
        guard !isRetired, !title.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x5B && $0 != 0x7E }) else { return nil }
        if let (mark, rest) = Self.mark(in: title) {
            return (mark.lowercased(), "[obsolete] \(rest.isEmpty ? "" : rest + " ")`\(identifier)`")
        }
        if title.hasPrefix("~"), title.hasSuffix("~"), !title.hasPrefix("~~"), title.utf8.count > 2 {
            return ("~", "~~\(trimmed(title.dropFirst().dropLast())) `\(identifier)`~~")
        }
        let isOpen = title.hasPrefix("~~")
        if isOpen || title.hasSuffix("~~"),
            SourceText(Array(title.utf8)).occurrences(of: Array("~~".utf8), limit: 2).count == 1
        {
            let rest = trimmed(isOpen ? title.dropFirst(2) : title.dropLast(2))
            return ("~~", "~~\(rest.isEmpty ? "" : rest + " ")`\(identifier)`~~")
        }
        guard title.hasPrefix("~~"), title.hasSuffix("~~"), title.utf8.count > 4 else { return nil }
        let struck = title.dropFirst(2).dropLast(2)
        guard SourceText(Array(struck.utf8)).occurrences(of: Array("~~".utf8), limit: 1).isEmpty else { return nil }
        return ("~~", "~~\(struck) `\(identifier)`~~")
    }

    /// Returns a word in brackets that means what `[obsolete]` means, and the text around it.
    private static func mark(in text: String) -> (mark: String, rest: String)? {
        let pairs: [(Character, Character)] = [("[", "]"), ("\u{FF3B}", "\u{FF3D}"), ("\u{3010}", "\u{3011}")]
        for (open, close) in pairs {
            var start = text.startIndex
            while let lower = text[start...].firstIndex(of: open), let end = text[lower...].firstIndex(of: close) {
                let upper = text.index(after: end)
                start = upper
                let mark = String(text[lower..<upper])
                guard marks.contains(mark.dropFirst().dropLast().lowercased()) else { continue }
                let rest = [trimmed(text[..<lower]), trimmed(text[upper...])].filter { !$0.isEmpty }
                return (mark, rest.joined(separator: " "))
            }
        }
        return nil
    }

    /// Returns the name in a text with a mark of retirement that has no effect: `open [obsolete]`, `~~open`.
    static func retired(in text: String) -> String? {
        let shown = text.filter { $0 != "\\" }
        let marked = mark(in: shown).flatMap { shown.hasPrefix($0.mark) || shown.holds(" \($0.mark)") ? $0 : nil }
        let rest = marked?.rest ?? (text.hasPrefix("~~") || text.hasSuffix("~~") ? text : nil)
        return rest.flatMap { suggestedIdentifier(for: $0) }
    }

    /// Words in brackets that mean what `[obsolete]` means.
    private static let marks: Set<String> = [
        "obsolete", "obselete", "obsolet", "deprecated", "retired", "removed", "deleted", "廃止", "廃止済み", "削除", "終了",
    ]

    /// A name cell, such as `recipe_id`, ``レシピ `recipe_id` `` (events), `~~recipe_id~~`, `[obsolete] recipe_id`.
    init(cell text: String, range: Range<Int>, in source: SourceText, file: Int, allowsTitle: Bool = false) {
        var text = trimmed(text[...])
        var isRetired = false
        var title = ""
        var rest = ""
        if text.utf8.count >= 10, text.prefix(10).lowercased() == "[obsolete]" {
            isRetired = true
            text = trimmed(text.dropFirst(10))
        }
        if text.hasPrefix("~~"), text.hasSuffix("~~"), text.utf8.count > 4 {
            isRetired = true
            text = trimmed(text.dropFirst(2).dropLast(2))
        }
        if allowsTitle, let open = text.firstIndex(of: "`"),
            let close = text[text.index(after: open)...].firstIndex(of: "`")
        {
            rest = String(text[close...])
            let parts = [trimmed(text[..<open]), trimmed(text[text.index(after: close)...])]
            title = parts.filter { !$0.isEmpty }.joined(separator: " ")
            text = trimmed(text[text.index(after: open)..<close])
        } else {
            text = withoutBackticks(text)
        }
        if text.hasPrefix("~~"), text.hasSuffix("~~"), text.utf8.count > 4 {
            isRetired = true
            text = trimmed(text.dropFirst(2).dropLast(2))
        }
        self.identifier = String(text)
        self.title = title
        self.isRetired = isRetired
        self.place = Place(file: file, range: source.firstRange(of: self.identifier, in: range) ?? range)
        if allowsTitle { findOtherName(after: rest) }
    }

    static func identifier(ofCell text: String, allowsTitle: Bool = false) -> String {
        Name(cell: text, range: 0..<0, in: noSource, file: 0, allowsTitle: allowsTitle).identifier
    }

    private static let noSource = SourceText([])

    /// The names in a string with several: `open_book / close_book`, `order_id<br>total`. Empty for other strings.
    static func severalNames(in text: String) -> [String] {
        let isMarkdown = text.utf8.contains(UInt8(ascii: "<")) || text.utf8.contains(UInt8(ascii: "&"))
        let shown = isMarkdown ? InlineMarkdown.plainText(text) : text
        let parts = shown.split { $0.isNewline || "/,;|&+\u{3001}\u{FF0C}\u{FF0F}\u{30FB}".contains($0) }.map { part in
            String(withoutBackticks(trimmed(part)))
        }
        guard parts.count > 1, !parts.contains(where: { $0.contains(" ") }) else { return [] }
        let names = parts.compactMap { isIdentifier($0) ? $0 : suggestedIdentifier(for: $0) }
        return names.count == parts.count ? names : []
    }

    /// Returns whether an event's cell repeats the event above by a sign or a word: `↑`, `〃`, `-`, `(same)`.
    static func isDitto(_ text: String) -> Bool {
        let letters = Confusable.folded(text).unicodeScalars.filter {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
        let words: Set<String> = [
            "", "ditto", "same", "sameasabove", "asabove", "seeabove", "above", "idem", "同上", "同じ", "同", "上と同じ", "上に同じ",
            "上記",
            "上記と同じ", "々", "ー", "〃",
        ]
        return words.contains(String(String.UnicodeScalarView(letters)))
    }

    /// Returns whether a string matches `[a-z][a-z0-9_]*`.
    package static func isIdentifier(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    /// The identifier to write for `ShowRecipe`, `<b>show</b>` or `show\_recipe`. Nil for a name with other markup, such
    /// as a link, a footnote, an entity or an escaped `~`: its correction would have another meaning.
    static func correction(of text: String) -> String? {
        let plain = String(text[...].withoutTags)
        let seen = InlineMarkdown.plainText(plain)
        guard seen.isExactly(plain) || !plain.contains(where: { "~`".contains($0) }),
            InlineMarkdown.withoutFootnotes(plain).isExactly(plain),
            let name = suggestedIdentifier(for: plain), suggestedIdentifier(for: seen) == name
        else { return nil }
        return name
    }

    /// The likely identifier for `ShowRecipe` or `show-recipe`. Nil if no identifier can be made of the string.
    static func suggestedIdentifier(for text: String) -> String? {
        var result = ""
        var previousIsLower = false
        let text = String(text[...].withoutTags)
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        for scalar in isPlain ? text.unicodeScalars : Confusable.seen(text).unicodeScalars {
            guard scalar.isASCII else { return nil }
            let character = Character(scalar)
            if character.isLetter || character.isNumber {
                if character.isUppercase, previousIsLower { result += "_" }
                result += character.lowercased()
                previousIsLower = character.isLowercase || character.isNumber
            } else {
                if !result.isEmpty, !result.hasSuffix("_") { result += "_" }
                previousIsLower = false
            }
        }
        while result.hasSuffix("_") { result.removeLast() }
        return isIdentifier(result) ? result : nil
    }
}

/// Removes one pair of backticks around a string, and the blanks inside them. The backticks of separate words, as in
/// `` `close` か `view` ``, stay.
package func withoutBackticks(_ text: Substring) -> Substring {
    guard text.utf8.count > 2, text.utf8.first == 0x60, text.utf8.last == 0x60 else { return text }
    let inner = text.dropFirst().dropLast()
    guard !closesEarly(inner.utf8) else { return text }
    return trimmed(inner)
}

/// Returns whether a single backtick inside the string closes the code span that the first backtick opened.
private func closesEarly(_ inner: Substring.UTF8View) -> Bool {
    guard inner.first != 0x60, inner.contains(0x60) else { return false }
    var run = 0
    for byte in inner {
        if byte == 0x60 {
            run += 1
        } else {
            if run == 1 { return true }
            run = 0
        }
    }
    return false
}
