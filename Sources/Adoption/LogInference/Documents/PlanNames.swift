import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// The names of events in a heading or a cell.
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

    /// Reads the names in a cell: code spans, or lines, or alternatives without blanks.
    init(cell markdown: String) {
        let lines = PlanItem.withoutBreaks(markdown)
        let (spans, rest) = Self.codeSpans(lines)
        if !spans.isEmpty {
            isRetired = rest.holds("~~")
            let rest = takingStateMarks(rest)
            var words = PlanItem.plain(rest).split { "/,、・()（）\n".contains($0) }.map { String(trimmed($0)) }
                .map { $0.filter { $0 != "*" } }
                .filter { $0.contains(where: \.isLetter) && !PlanWords.isNone($0) && $0 != "or" }
            for span in spans { add(span) }
            if names.count == 1, let title = words.first, title.split(separator: " ").count < 8,
                title.first?.isLowercase != true
            {
                names[0].title = title
                words.removeFirst()
            }
            self.rest = words.joined(separator: " ")
            return
        }
        for line in lines.split(separator: "\n") {
            isRetired = line.holds("~~")
            deprecation = nil
            let text = PlainText.normalized(InlineMarkdown.plainText(takingStateMarks(String(line))), isOneLine: true)
            var parts = text.split { "/,、".contains($0) }.map { String(trimmed($0)) }.filter { !$0.isEmpty }
            if parts.count == 1, let or = text.firstRange(ofText: " or ") {
                parts = [String(text[..<or.lowerBound]), String(text[or.upperBound...])]
            }
            let areNames =
                parts.allSatisfy(Names.isIdentifier) && (text.holds(" / ") || parts.contains { $0.holds("_") })
            if parts.count > 1, areNames {
                for part in parts { add(part) }
            } else if !text.isEmpty {
                add(text)
            }
        }
    }

    /// Reads the name of a heading: its code span, or its text without numbering and label.
    init(heading title: String, code: String?) {
        let struck = title.components("~~")
        isRetired =
            code.map { code in struck.indices.contains { $0 % 2 == 1 && struck[$0].holds(code) } }
            ?? PlanNames.unnumbered(title).hasPrefix("~~")
        let title = takingStateMarks(title)
        // `add_to_cart / remove_from_cart`
        let parts = PlanNames.unnumbered(title).split { ",/、".contains($0) }.map { String(trimmed($0)) }
        if parts.count > 1, parts.allSatisfy({ Names.isIdentifier($0) && $0.holds("_") }) {
            for part in parts { add(part) }
            return
        }
        if let code, !code.isEmpty {
            add(code)
            var rest = PlanNames.unnumbered(title)
            if let found = rest.firstRange(ofText: code) { rest.removeSubrange(found) }
            rest = String(trimmed(rest[...]))
            while let last = rest.last, ":：-–—()（）".contains(last) { rest = String(trimmed(rest.dropLast())) }
            while let first = rest.first, ":：-–—()（）".contains(first) { rest = String(trimmed(rest.dropFirst())) }
            if PlanWords.eventLists.contains(PlanWords.folded(rest)) || !rest.contains(where: \.isLetter) { return }
            if names.count == 1 { names[0].title = rest } else { self.rest = rest }
            return
        }
        var text = PlanNames.unnumbered(title)
        for label in ["event name", "event", "イベント名", "イベント"] where Confusable.folded(text).hasPrefix(label) {
            let rest = trimmed(text.dropFirst(label.count))
            if let mark = rest.first, ":：".contains(mark) { text = String(trimmed(rest.dropFirst())) }
        }
        // `checkout_done — paid`
        let first = text.prefix { $0 != " " }
        let rest = trimmed(text.dropFirst(first.count))
        if Names.isIdentifier(String(first)), first.contains("_"),
            ["—", "–", "- ", "("].contains(where: rest.hasPrefix)
        {
            add(String(first))
            names[0].title = String(trimmed(rest.drop { "—–-( ".contains($0) }).filter { $0 != ")" })
        } else if !text.isEmpty {
            add(text)
        }
    }

    /// Also removes `~~` and the references of footnotes.
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

    /// Returns whether text has the form of a name: `cart_opened`, `cart.opened`, `add-to-cart`, `USER_SIGNED_UP`,
    /// `OrderPaid`. A path, an address, a file and a product such as `iOS` have not.
    static func isName(_ text: String) -> Bool {
        guard (3...200).contains(text.utf8.count), let first = text.utf8.first, isLetter(first) else { return false }
        var (isSeparated, isInner, previous) = (false, false, first)
        for byte in text.utf8.dropFirst() {
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): isSeparated = true
            // `Check-in` and `Real-time` are words.
            case UInt8(ascii: "-"): isSeparated = isSeparated || !(0x41...0x5A).contains(first)
            case _ where isLetter(byte) || (0x30...0x39).contains(byte):
                if (0x41...0x5A).contains(byte), (0x61...0x7A).contains(previous) { isInner = true }
            default: return false
            }
            previous = byte
        }
        return (isSeparated || isInner) && isLetterOrDigit(previous) && !isPath(text) && !products.contains(text)
    }

    /// Returns whether a name in code has the form of a name: one word, or words such as `Song Played`.
    static func isTitle(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return words.count == 1 || words.count < 6 && words.allSatisfy { $0.first?.isUppercase ?? false }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }

    /// Returns whether text is a path, an address, a file's name, or an HTTP method.
    static func isPath(_ text: String) -> Bool {
        let words = text.split(separator: " ").map(String.init)
        if let first = text.first, "/.@".contains(first) || text.holds("://") { return true }
        if text.holds("/"), !text.holds("_"), !text.holds(" "), text.first?.isLowercase ?? false { return true }
        if let first = words.first, ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"].contains(first) { return true }
        guard let dot = text.lastIndex(of: "."), words.count == 1 else { return false }
        let ending = text[text.index(after: dot)...].prefix { $0 != ":" }.lowercased()
        return extensions.contains(ending)
    }

    private static let extensions: Set<String> = [
        "swift", "ts", "tsx", "js", "jsx", "mjs", "py", "md", "mdx", "json", "yml", "yaml", "kt", "java", "go", "rb",
        "rs", "cs", "php", "html", "css", "sh", "sql", "csv", "toml", "xml", "png", "com", "net", "org", "io", "dev",
        "env", "lock", "txt", "vue", "dart",
    ]

    private static let products: Set<String> = [
        "iOS", "iPadOS", "macOS", "tvOS", "watchOS", "visionOS", "GitHub", "GitLab", "JavaScript", "TypeScript",
        "PostHog", "BigQuery", "YouTube", "LinkedIn", "GraphQL", "PostgreSQL", "MySQL", "OpenTelemetry", "AppsFlyer",
        "RevenueCat", "DataDog", "ClickHouse", "SwiftUI", "UIKit", "NextJS", "WebSocket", "OpenAI", "e-mail",
    ]

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

    private mutating func add(_ written: String) {
        // Searching a longer text for each of its brackets would take quadratic time.
        for text in Self.spelledOut(written.utf8.count > 500 ? String(written.prefix(200)) : written) {
            var name = ""
            var rest = text[...]
            // `{country}`, `<country>` and `%s` are replaced by other text.
            while let open = rest.firstIndex(where: { "{<[%$".contains($0) }) {
                name += rest[..<open]
                let brackets: [Character: Character] = ["{": "}", "<": ">", "[": "]"]
                let close = brackets[rest[open]]
                if let close, let end = rest[open...].firstIndex(of: close) {
                    variables.append(String(rest[open...end]))
                    rest = rest[rest.index(after: end)...]
                } else {
                    name += String(rest[open])
                    rest = rest[rest.index(after: open)...]
                }
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

    private static func codeSpans(_ markdown: String) -> (spans: [String], rest: String) {
        let parts = markdown.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count > 2 else { return ([], markdown) }
        let spans = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String(trimmed($0.element)) }
        let rest = parts.enumerated().filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined(separator: " ")
        return (spans.filter { !$0.isEmpty }, rest)
    }
}
