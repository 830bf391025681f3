import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// The names of events in a heading, a cell, or the beginning of an item.
struct PlanNames {
    struct Name: Equatable {
        var name: String
        /// The title, or a state such as `deprecated` in its place.
        var title = ""
        var isRetired = false
    }

    private(set) var names: [Name] = []
    /// The parts of names that are left out, because other text replaces them.
    private(set) var variables: [String] = []
    /// The text next to names in code that is not their title.
    private(set) var rest = ""

    /// Reads names in code, or lines, or alternatives without blanks.
    /// - Parameter isHeading: whether the other text of a name in code is its title, and other code is not a name.
    init(_ markdown: String, isHeading: Bool = false) {
        var text = String(PlanItem.withoutLink(PlanItem.withoutBreaks(markdown)[...]))
        if isHeading {
            text = Self.unnumbered(text)
            if let fact = PlanFact(text), fact.header == .event { text = fact.text }
        }
        let parts = text.components("`")
        guard parts.count > 2 else {
            for line in text.split(separator: "\n") { add(line: String(line)) }
            return
        }
        // Code in parentheses or after a dash is about the names: `` `clip_lost` — the file of `clip` ``.
        var (depth, isOver) = (0, false)
        var spans = parts.enumerated().compactMap { index, part -> String? in
            if index % 2 == 0 {
                depth += part.count { "(（".contains($0) } - part.count { ")）".contains($0) }
                let isText = part.first.map("—–".contains) ?? false && part.contains(where: \.isLetter)
                isOver = isOver || index > 0 && depth == 0 && isText
                return nil
            }
            return depth > 0 || isOver || part.isEmpty || part.holds("=") ? nil : part
        }
        // `export.csv` may be an event, but not next to another name.
        if spans.count > 1 { spans.removeAll { $0.holds(".") && Self.isPath($0) } }
        var others = parts.indices.filter { $0 % 2 == 0 }.map { parts[$0] }
        // `` `cart_closed` Closed / `cart_cleared` Cleared `` has two names.
        if isHeading, spans.count > 1, others.contains(where: { $0.contains(where: \.isLetter) }),
            !others.dropFirst().prefix(spans.count - 1).allSatisfy({
                ["/", "、"].contains(where: trimmed($0[...]).hasSuffix)
            })
        {
            (spans, others) = ([spans[0]], [parts[0], parts[2...].joined(separator: "`")])
        }
        // `` `visit_start` / `_end` ``, `` `visit_d1` / `d7` ``
        if let first = spans.first, others.dropFirst().prefix(spans.count - 1).allSatisfy({ trimmed($0[...]) == "/" }),
            spans.dropFirst().allSatisfy({ Self.isAbbreviated($0, first) }),
            case let names = Self.spelledOut(spans.joined(separator: "/")), names.count == spans.count
        {
            spans = names
        }
        let isRetired = others[0].holds("~~")
        for span in spans {
            // `event: cart_opened`
            let fact = PlanFact(span)
            add(fact?.header == .event ? fact?.text ?? span : span, isRetired: isRetired)
        }
        let words = others.map { Self.withoutMarks(PlanItem.plain($0)) }
            .filter { $0.contains(where: \.isLetter) && !PlanWords.isNone($0) && !["or", "and"].contains($0) }
        let remark = words.joined(separator: " ")
        let isTitle = isHeading || remark.split(separator: " ").count < 8 && remark.first?.isLowercase != true
        if names.count == 1, isTitle, !PlanWords.isListOfEvents(remark) {
            names[0].title = remark
        } else {
            rest = remark
        }
    }

    private static func withoutMarks(_ text: String) -> String {
        func isMark(_ character: Character) -> Bool { " /,、・:：-–—→*~()（）\n".contains(character) }
        let end = text.lastIndex { !isMark($0) } ?? text.startIndex
        return text.isEmpty ? "" : String(text[...end].drop(while: isMark))
    }

    private mutating func add(line: String) {
        let isRetired = line.holds("~~")
        let plain = InlineMarkdown.plainText(line.split(separator: "~").joined())
        let text = PlainText.normalized(plain, isOneLine: true)
        var parts = text.split { "/,、".contains($0) }.map { String(trimmed($0)) }.filter { !$0.isEmpty }
        if parts.count == 1 { parts = text.components(" or ") }
        let isSeparated = text.holds(" / ") || parts.contains { $0.holds("_") } && !text.holds("/")
        if parts.count > 1, parts.allSatisfy({ Names.isIdentifier($0) || Self.isName($0) }),
            isSeparated || parts.allSatisfy({ $0.holds("_") }) || text.holds(", ") && parts.allSatisfy(Self.isName)
        {
            for part in parts { add(part, isRetired: isRetired) }
            return
        }
        // `checkout_done — paid`
        let first = String(text.prefix { $0 != " " })
        let title = String(text.dropFirst(first.count))
        if Names.isIdentifier(first), first.holds("_"), [" —", " –", " - ", " ("].contains(where: title.hasPrefix) {
            add(first, isRetired: isRetired)
            names[names.count - 1].title = Self.withoutMarks(title)
        } else if !text.isEmpty, !(text.hasPrefix("(") && text.hasSuffix(")")) {
            add(text, isRetired: isRetired)
        }
    }

    private mutating func add(_ written: String, isRetired: Bool) {
        // Searching a longer text for each of its brackets would take quadratic time.
        for text in Self.spelledOut(written.utf8.count > 500 ? String(written.prefix(200)) : written) {
            var (name, state) = ("", "")
            var rest = text[...]
            // `{country}` and `<country>` are replaced by other text. `[^1]` is a footnote.
            while let open = rest.firstIndex(where: { "{<[".contains($0) }) {
                let close: Character = rest[open] == "{" ? "}" : rest[open] == "<" ? ">" : "]"
                guard let end = rest[open...].firstIndex(of: close) else { break }
                let inside = String(rest[open...end].dropFirst().dropLast())
                if PlanWords.isState(inside) {
                    state = inside
                } else if !inside.hasPrefix("^") {
                    variables.append(String(rest[open...end]))
                }
                name += rest[..<open].hasSuffix("$") ? rest[..<open].dropLast() : rest[..<open]
                rest = rest[rest.index(after: end)...]
            }
            name += rest
            if name.holds("*") { variables.append("*") }
            name = String(trimmed(name.filter { $0 != "*" }[...]))
            while let last = name.last, "_-:. ".contains(last) { name.removeLast() }
            guard !name.isEmpty, !names.contains(where: { $0.name.isExactly(name) }) else { continue }
            names.append(Name(name: name, title: state, isRetired: isRetired))
        }
    }

    /// Writes `tab_{home,search}_tapped` and `banner_shown/hidden` as the names that they abbreviate.
    static func spelledOut(_ text: String) -> [String] {
        // Several groups of alternatives are not an abbreviation of names.
        if text.utf8.count < 200, text.count(where: { $0 == "{" }) == 1, let open = text.firstIndex(of: "{"),
            let close = text[open...].firstIndex(of: "}")
        {
            let inside = text[open..<close].dropFirst().split { ",|/".contains($0) }.map { String(trimmed($0)) }
            if inside.count > 1, inside.allSatisfy(Names.isIdentifier) {
                return inside.map { text[..<open] + $0 + text[close...].dropFirst() }
            }
        }
        var parts = text.split(separator: "/").map(String.init)
        // `visit_start / _end`
        let ends = parts.dropFirst().map { trimmed($0[...]) }
        if !ends.isEmpty, ends.allSatisfy({ $0.hasPrefix("_") }) {
            parts = [String(trimmed(parts[0][...]))] + ends.map { String($0.dropFirst()) }
        }
        guard parts.count > 1, let end = parts[0].lastIndex(where: { "_.".contains($0) }), !parts[0].hasPrefix("."),
            parts[0].components(".").allSatisfy(Names.isIdentifier),
            parts.dropFirst().allSatisfy({ Names.isIdentifier($0) && !$0.holds("_") })
        else { return [text] }
        return [parts[0]] + parts.dropFirst().map { parts[0][...end] + $0 }
    }

    /// Returns whether a span continues the name in the span before it: `_end`, or `d7` after `visit_d1`.
    private static func isAbbreviated(_ span: String, _ name: String) -> Bool {
        guard let last = name.split(separator: "_").dropFirst().last else { return false }
        let letters = last.prefix { !$0.isNumber }
        return span.hasPrefix("_")
            || !letters.isEmpty && letters.count < last.count && span.hasPrefix(letters)
                && span.dropFirst(letters.count).allSatisfy(\.isNumber)
    }

    // MARK: Forms

    /// Returns whether text has the form of a name: `cart_opened`, `cart.opened`, `add-to-cart`, `USER_SIGNED_UP`,
    /// `OrderPaid`. A path, an address, a file and a product such as `iOS` have not.
    static func isName(_ text: String) -> Bool {
        guard (3...200).contains(text.utf8.count),
            text.utf8.allSatisfy({ isLetterOrDigit($0) || "_.:-".utf8.contains($0) }),
            let first = text.unicodeScalars.first, let last = text.utf8.last, first.properties.isAlphabetic,
            isLetterOrDigit(last), !isPath(text), !isProductOrStyle(text)
        else { return false }
        let isInner = !text.holds("-") && zip(text, text.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
        // `Check-in` and `Real-time` are words.
        let isSeparated =
            text.utf8.contains { "_.:".utf8.contains($0) } || first.properties.isLowercase && text.holds("-")
        return isInner || isSeparated
    }

    private static func isProductOrStyle(_ text: String) -> Bool {
        text == "snake_case" || PlanWords[.product].contains(text)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }

    /// Returns whether a name in code has the form of a name: one word of three letters or more, or words such as `Song Played`.
    static func isTitle(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return text.utf8.count > 2 && !isProductOrStyle(text)
            && !text.contains { !$0.isASCII || "=()*\"'`,;?&#@\\|".contains($0) }
            && (words.count == 1 || words.count < 6 && words.allSatisfy { $0.first?.isUppercase ?? false })
    }

    /// Returns whether text is a path, an address, a file's name, an HTTP method, or an environment variable.
    static func isPath(_ text: String) -> Bool {
        let words = text.split(separator: " ").map(String.init)
        guard let first = text.first, let word = words.first else { return false }
        if variablesOfBuilds.contains(where: text.hasPrefix) { return true }
        if "/.@".contains(first) || text.holds("://") || PlanWords[.method].contains(word) { return true }
        if words.count == 1, text.holds("/"), !text.holds("_"), first.isLowercase { return true }
        guard let dot = text.lastIndex(of: "."), words.count == 1 else { return false }
        return PlanWords[.fileExtension].contains(text[text.index(after: dot)...].prefix { $0 != ":" }.lowercased())
    }

    private static let variablesOfBuilds = ["NEXT_PUBLIC_", "EXPO_PUBLIC_", "REACT_APP_", "VITE_", "NUXT_"]

    /// Returns a title without its number: `2.1 Session`.
    static func unnumbered(_ title: String) -> String {
        let rest = title.drop { $0.isNumber || ".)-§".contains($0) }
        return rest.first == " " ? String(trimmed(rest)) : title
    }

    /// Returns a title without a count in parentheses: `Session (7 events)`.
    static func uncounted(_ title: String) -> String {
        guard let last = title.last, ")）".contains(last), let open = title.lastIndex(where: { "(（".contains($0) }),
            title[open...].contains(where: \.isNumber), open > title.startIndex
        else { return title }
        return String(trimmed(title[..<open]))
    }

    /// Returns the identifier of a title, or nil if the title is mostly in other letters than `a-z`.
    static func identifier(of title: String) -> String? {
        let letters = title.unicodeScalars.filter(\.properties.isAlphabetic)
        return letters.count { $0.isASCII } * 2 < letters.count ? nil : Names.identifier(title)
    }
}
