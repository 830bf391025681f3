import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// The names of events in a heading, a cell, or the beginning of an item.
struct PlanNames {
    struct Name: Equatable {
        var name: String
        var title = ""
        var isRetired = false
        /// The mark of a deprecated event, as written.
        var deprecation: String?
    }

    private(set) var names: [Name] = []
    /// The parts of names that are left out, because other text replaces them.
    private(set) var variables: [String] = []
    /// The text next to names in code that is not their title.
    private(set) var rest = ""
    private var isRetired = false
    private var deprecation: String?

    /// Reads names in code, or lines, or alternatives without blanks.
    /// - Parameter isHeading: whether the other text of a name in code is its title, and other code is not a name.
    init(_ markdown: String, isHeading: Bool = false, hasTitle: Bool = true) {
        let text = PlanItem.withoutBreaks(isHeading ? Self.withoutLabel(Self.unnumbered(markdown)) : markdown)
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map { String(trimmed($0)) }
        guard parts.count > 2 else {
            for line in text.split(separator: "\n") { addLine(String(line)) }
            return
        }
        var spans = parts.indices.filter { $0 % 2 == 1 && !parts[$0].isEmpty && !parts[$0].holds("=") }.map {
            parts[$0]
        }
        var others = parts.indices.filter { $0 % 2 == 0 }.map { parts[$0] }
        isRetired = others.contains { $0.holds("~~") }
        if isHeading, spans.count > 1, others.contains(where: { $0.contains(where: \.isLetter) }) {
            isRetired = others[0].hasSuffix("~~") && others[1].hasPrefix("~~")
            others = [others[0], text.components("`\(spans[0])`").dropFirst().joined()]
            spans = [spans[0]]
        }
        let remark = PlanItem.plain(takingStateMarks(others.joined(separator: " ")))
        for span in spans { add(span) }
        var words = remark.split { "/,、・()（）\n".contains($0) }
            .map { word in
                let end = word.lastIndex { !":：-–—→* ".contains($0) } ?? word.startIndex
                return String(word[...end].drop { ":：-–—→* ".contains($0) })
            }
            .filter { $0.contains(where: \.isLetter) && !PlanWords.isNone($0) && $0 != "or" }
        if isHeading { words = [words.joined(separator: ", ")].filter { !$0.isEmpty && !PlanWords.isListOfEvents($0) } }
        if hasTitle, names.count == 1, let title = words.first,
            isHeading || title.split(separator: " ").count < 8 && title.first?.isLowercase != true
        {
            names[0].title = title
            words.removeFirst()
        }
        rest = words.joined(separator: " ")
    }

    private mutating func addLine(_ line: String) {
        isRetired = line.holds("~~")
        deprecation = nil
        let text = PlainText.normalized(InlineMarkdown.plainText(takingStateMarks(line)), isOneLine: true)
        var parts = text.split { "/,、".contains($0) }.map { String(trimmed($0)) }.filter { !$0.isEmpty }
        if parts.count == 1 { parts = text.components(" or ") }
        let areNames =
            parts.allSatisfy(Names.isIdentifier)
            && (text.holds(" / ") || parts.contains { $0.holds("_") } && !text.holds("/")
                || parts.allSatisfy { $0.holds("_") })
        if parts.count > 1, areNames {
            for part in parts { add(part) }
            return
        }
        // `checkout_done — paid`
        let first = String(text.prefix { $0 != " " })
        let rest = trimmed(text.dropFirst(first.count))
        if Names.isIdentifier(first), first.holds("_"), ["—", "–", "- ", "("].contains(where: rest.hasPrefix) {
            add(first)
            names[names.count - 1].title = String(trimmed(rest.drop { "—–-( ".contains($0) }).filter { $0 != ")" })
        } else if !text.isEmpty {
            add(text)
        }
    }

    private static func withoutLabel(_ title: String) -> String {
        guard let fact = PlanFact(title), PlanHeader(fact.label) == .event else { return title }
        return fact.text
    }

    /// Removes `~~`, states and the references of footnotes.
    private mutating func takingStateMarks(_ text: String) -> String {
        var result = ""
        var rest = text.split(separator: "~").joined()[...]
        while let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]") {
            let inside = String(rest[rest.index(after: open)..<close])
            result += rest[..<open]
            if PlanWords.isState(inside) {
                let state = PlanWords.retirement(inside)
                if state.isRetired { isRetired = true }
                if state.isDeprecated { deprecation = inside }
            } else if !inside.hasPrefix("^") {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return String(trimmed((result + rest)[...]))
    }

    private mutating func add(_ written: String) {
        // Searching a longer text for each of its brackets would take quadratic time.
        for text in Self.spelledOut(written.utf8.count > 500 ? String(written.prefix(200)) : written) {
            var name = ""
            var rest = text[...]
            // `{country}`, `<country>` and `%s` are replaced by other text.
            while let open = rest.firstIndex(where: { "{<[".contains($0) }) {
                let close: Character = rest[open] == "{" ? "}" : rest[open] == "<" ? ">" : "]"
                guard let end = rest[open...].firstIndex(of: close) else { break }
                variables.append(String(rest[open...end]))
                name += rest[..<open].hasSuffix("$") ? rest[..<open].dropLast() : rest[..<open]
                rest = rest[rest.index(after: end)...]
            }
            name = String(trimmed((name + rest)[...]))
            while let last = name.last, "_-: ".contains(last) { name.removeLast() }
            guard !name.isEmpty, !names.contains(where: { $0.name.isExactly(name) }) else { continue }
            names.append(Name(name: name, isRetired: isRetired, deprecation: deprecation))
        }
    }

    /// Writes `tab_{home,search}_tapped` and `banner_shown/hidden` as the names that they abbreviate.
    static func spelledOut(_ text: String) -> [String] {
        // Several groups of alternatives are not an abbreviation of names.
        if text.utf8.count < 200, text.count(where: { $0 == "{" }) < 3, let open = text.firstIndex(of: "{"),
            let close = text[open...].firstIndex(of: "}")
        {
            let inside = text[text.index(after: open)..<close].split { ",|/".contains($0) }
            if inside.count > 1, inside.allSatisfy({ Names.isIdentifier(String(trimmed($0))) }) {
                let (before, after) = (String(text[..<open]), String(text[text.index(after: close)...]))
                return inside.flatMap { spelledOut("\(before)\(trimmed($0))\(after)") }
            }
        }
        let parts = text.split(separator: "/").map { String(trimmed($0)) }
        if parts.count > 1, !text.holds(" "), let first = parts.first, let end = first.lastIndex(of: "_"),
            parts.dropFirst().allSatisfy({ !$0.holds("_") && Names.isIdentifier($0) }), Names.isIdentifier(first)
        {
            return [first] + parts.dropFirst().map { String(first[...end]) + $0 }
        }
        return [text]
    }

    // MARK: Forms

    /// Returns whether text has the form of a name: `cart_opened`, `cart.opened`, `add-to-cart`, `USER_SIGNED_UP`,
    /// `OrderPaid`. A path, an address, a file and a product such as `iOS` have not.
    static func isName(_ text: String) -> Bool {
        guard (3...200).contains(text.utf8.count),
            text.utf8.allSatisfy({ isLetterOrDigit($0) || "_.:-".utf8.contains($0) }),
            let first = text.unicodeScalars.first, let last = text.utf8.last, first.properties.isAlphabetic,
            isLetterOrDigit(last), !isPath(text), !products.contains(text)
        else { return false }
        let isInner = zip(text, text.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
        // `Check-in` and `Real-time` are words.
        let isSeparated =
            text.utf8.contains { "_.:".utf8.contains($0) } || first.properties.isLowercase && text.holds("-")
        return isInner || isSeparated
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }

    /// Returns whether a name in code has the form of a name: one word, or words such as `Song Played`.
    static func isTitle(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return !text.contains { !$0.isASCII || "=()*\"'`,;?&#@\\|".contains($0) }
            && (words.count == 1 || words.count < 6 && words.allSatisfy { $0.first?.isUppercase ?? false })
    }

    /// Returns whether text is a path, an address, a file's name, or an HTTP method.
    static func isPath(_ text: String) -> Bool {
        let words = text.split(separator: " ").map(String.init)
        guard let first = text.first, let word = words.first else { return false }
        if "/.@".contains(first) || text.holds("://") || methods.contains(word) { return true }
        if words.count == 1, text.holds("/"), !text.holds("_"), first.isLowercase { return true }
        guard let dot = text.lastIndex(of: "."), words.count == 1 else { return false }
        return extensions.contains(text[text.index(after: dot)...].prefix { $0 != ":" }.lowercased())
    }

    private static let methods = PlanWords.set("GET POST PUT PATCH DELETE HEAD")
    private static let extensions = PlanWords.set(
        """
        swift ts tsx js jsx mjs py md mdx json yml yaml kt java go rb rs cs php html css sh sql csv toml xml png com net \
        org io dev env lock txt vue dart
        """)
    private static let products = PlanWords.set(
        """
        iOS iPadOS macOS tvOS watchOS visionOS GitHub GitLab JavaScript TypeScript PostHog BigQuery YouTube LinkedIn \
        GraphQL PostgreSQL MySQL OpenTelemetry AppsFlyer RevenueCat DataDog ClickHouse SwiftUI UIKit NextJS WebSocket \
        OpenAI e-mail
        """)

    /// Returns a title without its number: `2.1 Session`, `B. Session`.
    static func unnumbered(_ title: String) -> String {
        var rest = title.drop { $0.isNumber || ".)-§".contains($0) }
        if rest.startIndex == title.startIndex, let mark = rest.dropFirst().first, ".)".contains(mark) {
            rest = rest.dropFirst(2)
        }
        guard rest.startIndex > title.startIndex, rest.first == " " else { return title }
        return String(trimmed(rest))
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
