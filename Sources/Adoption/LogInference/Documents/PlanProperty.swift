import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// A property as a plan writes it, in a row, in an item of a list, or in a part of a cell.
struct PlanProperty {
    var name: String
    var type: LogValueType?
    /// The part of the type's text that no type can express.
    var unexpressed: String?
    /// Nil if the plan does not say it.
    var isRequired: Bool?
    var description = ""
    var example: String?
    var privacy: LogPrivacy?
    var platforms: Platforms?
    var since: String?
    var deprecated: String?
    var isRetired = false
    var annotations: [DraftColumn.Annotation] = []
    var place: SourcePlace

    /// Takes over what another place of the document says about the same property.
    mutating func merge(_ other: PlanProperty) {
        if type == nil { (type, unexpressed) = (other.type, other.unexpressed) }
        isRequired = isRequired ?? other.isRequired
        describe(other.description)
        if let text = other.example { set(\.example, text, label: "Example") }
        privacy = privacy ?? other.privacy
        platforms = platforms ?? other.platforms
        if let text = other.since { set(\.since, text, label: "Since") }
        if let text = other.deprecated { set(\.deprecated, text, label: "Deprecated") }
        isRetired = isRetired || other.isRetired
        for annotation in other.annotations where !annotations.contains(annotation) { annotations.append(annotation) }
    }

    mutating func describe(_ text: String) {
        if description.isEmpty {
            description = text
        } else if !text.isEmpty, !description.holds(text) {
            description += "\n\(text)"
        }
    }

    /// Sets a fact. The description takes a second one.
    mutating func set(_ fact: WritableKeyPath<Self, String?>, _ text: String, label: String) {
        if self[keyPath: fact] == nil {
            self[keyPath: fact] = text
        } else if self[keyPath: fact] != text {
            describe("\(label): \(text)")
        }
    }
}

/// Reads properties from text such as `` `sort` ("a" / "b", optional): The order ``.
enum PlanItem {
    /// Splits the Markdown of a cell into the texts of its items.
    static func split(_ markdown: String) -> [String] {
        var items: [String] = []
        var item = String.UnicodeScalarView()
        var depth = 0
        var quote: Unicode.Scalar?
        var isCode = false
        let scalars = Array(withoutBreaks(markdown).unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if let open = quote {
                if scalar == open { quote = nil }
            } else {
                switch scalar {
                case "`": isCode.toggle()
                case "\"" where depth > 0 || scalars[(index + 1)...].contains("\""): quote = scalar
                case "(", "[", "{", "\u{FF08}", "「": depth += 1
                case "<" where index > 0 && scalars[index - 1].properties.isAlphabetic: depth += 1
                case ")", "]", "}", "\u{FF09}", "」": depth = max(0, depth - 1)
                case ">" where depth > 0 && index > 0 && scalars[index - 1] != "-": depth -= 1
                case "\n", ",", ";", "、", "；", "，":
                    if depth == 0 || scalar == "\n" {
                        // A code span may have several names: `` `sort, filter?` ``.
                        if isCode { item.append("`") }
                        items.append(String(item))
                        item = .init()
                        if isCode { item.append("`") }
                        depth = 0
                        continue
                    }
                default: break
                }
            }
            item.append(scalar)
        }
        items.append(String(item))
        return items.map { item in
            let text = trimmed(item[...])
            return text.hasPrefix("` ") ? "`" + trimmed(text.dropFirst()) : String(text)
        }.filter { !$0.isEmpty && $0 != "``" }
    }

    /// Returns the members of an object, and the text after it: `{ id: string, "name"?: string } (from the app)`. Nil for
    /// other text.
    static func members(_ markdown: String) -> (members: String, rest: String)? {
        let isCode = markdown.hasPrefix("`")
        let text = trimmed(markdown.drop { $0 == "`" })
        guard text.hasPrefix("{"), let close = text.lastIndex(of: "}") else { return nil }
        // `{home,search}_tapped` abbreviates names.
        if let next = text[text.index(after: close)...].first, next == "_" || next.isLetter { return nil }
        let members = split(String(text[text.index(after: text.startIndex)..<close])).map { member -> String in
            guard member.hasPrefix("\""), let end = member.dropFirst().firstIndex(of: "\"") else { return member }
            return String(member.dropFirst()[..<end] + member[member.index(after: end)...])
        }
        let rest = text[text.index(after: close)...]
        return (members.joined(separator: "\n"), String(trimmed(isCode ? rest.drop { $0 == "`" } : rest)))
    }

    /// Returns an item for each name in code at the beginning of an item: `` `a` / `b`: the sum `` are `` `a`: the sum ``
    /// and `` `b`: the sum ``. The text after names that a point or a blank separates belongs to the last one.
    static func separated(_ item: String) -> [String] {
        var names: [Substring] = []
        var rest = item[...]
        var isOneText = true
        while names.count < 64, rest.hasPrefix("`"), let end = rest.dropFirst().firstIndex(of: "`") {
            let (span, after) = (rest[...end], trimmed(rest[rest.index(after: end)...]))
            let name = span.dropFirst().dropLast().prefix { $0 != ":" }.filter { !"?[]*".contains($0) }
            guard Names.identifier(name) != nil, !name.contains(where: { " =|,(".contains($0) }),
                names.isEmpty || TypeNameParser.parse(name) == nil
            else { break }
            names.append(span)
            rest = after
            let separator = ["/", "·", "・", "+", "|", "\\|", "and ", "or "].first(where: after.hasPrefix)
            let next = trimmed(after.dropFirst(separator?.count ?? 0))
            guard next.hasPrefix("`") else { break }
            if [nil, "·", "・"].contains(separator) { isOneText = false }
            rest = next
        }
        guard names.count > 1 else { return [item] }
        // The loop has stopped before a span that is no name.
        let text = rest.hasPrefix("`") ? ": " + rest : rest
        return names.indices.map { index in
            isOneText || index == names.count - 1 ? "\(names[index]) \(text)" : String(names[index])
        }
    }

    /// Returns the names of `a or b`, of which a record has one. Nil for other items.
    static func alternatives(_ item: String) -> [String]? {
        let words = plain(item).split(separator: " ").map(String.init)
        guard words.count == 3, words[1] == "or" || words[1] == "/" && !item.holds("`"), Names.isIdentifier(words[0]),
            Names.isIdentifier(words[2])
        else { return nil }
        return [words[0], words[2]]
    }

    /// Replaces tags that begin a line, such as `<br>` and `<li>`, by a line end.
    static func withoutBreaks(_ markdown: String) -> String {
        guard markdown.holds("<") else { return markdown }
        var result = ""
        var rest = markdown[...]
        while let open = rest.firstIndex(of: "<") {
            result += rest[..<open]
            let tag = rest[open...].prefix(8).prefix { $0 != ">" }.lowercased()
            let name = tag.dropFirst().filter { $0 != " " && $0 != "/" }
            if ["br", "li", "ul", "ol", "p"].contains(name), rest[open...].dropFirst(tag.count).first == ">" {
                result += "\n"
                rest = rest[open...].dropFirst(tag.count + 1)
            } else {
                result += "<"
                rest = rest[open...].dropFirst()
            }
        }
        return result + rest
    }

    /// Parses the property in one item of a cell or a list; nil if the item has no name.
    /// - Parameter onlyCode: whether the name must be in backticks.
    static func property(_ markdown: String, at place: SourcePlace, isCode onlyCode: Bool = false) -> PlanProperty? {
        var rest = trimmed(markdown[...])
        for marker in ["- ", "* ", "• ", "・", "+ ", "[ ] ", "[x] "] where rest.hasPrefix(marker) {
            rest = trimmed(rest.dropFirst(marker.count))
        }
        // In ``optional `coupon` `` and ``plus error `message` ``, words precede the name.
        var isOptional = false
        if let start = rest.firstIndex(of: "`"), start > rest.startIndex {
            let words = PlanWords.folded(String(rest[..<start])).split(separator: " ")
            if let first = words.first, words.count < 3, ["optional", "required", "plus", "and", "任意"].contains(first) {
                isOptional = words.contains("optional") || first == "任意"
                rest = rest[start...]
            }
        }
        // ``[`reason`](#reason)`` is a name.
        if rest.hasPrefix("["), let end = rest.firstRange(ofText: "]("),
            let close = rest[end.upperBound...].firstIndex(of: ")")
        {
            rest = rest.dropFirst()[..<end.lowerBound] + rest[rest.index(after: close)...]
        }
        guard !rest.isEmpty, let (written, isCode) = takeName(&rest), isCode || !onlyCode else { return nil }
        var property = PlanProperty(name: written, place: place)
        if isOptional { property.isRequired = false }
        if written.hasPrefix("~~"), written.hasSuffix("~~"), written.utf8.count > 4 {
            property.name = String(written.dropFirst(2).dropLast(2))
            property.isRetired = true
        }
        var isList = false
        while true {
            if property.name.hasSuffix("[]") {
                isList = true
                property.name.removeLast(2)
            } else if property.name.hasSuffix("?") {
                property.isRequired = false
                property.name.removeLast()
            } else if property.name.hasSuffix("*"), property.name.utf8.count > 1 {
                property.isRequired = true
                property.name.removeLast()
            } else {
                break
            }
        }
        guard property.name.unicodeScalars.contains(where: \.properties.isAlphabetic) else { return nil }
        readAfterName(rest, &property)
        if isList { property.type = .array(.init(of: property.type ?? .string(.init()))) }
        return property
    }

    private static func takeName(_ rest: inout Substring) -> (name: String, isCode: Bool)? {
        var isBold = false
        while rest.hasPrefix("**") || rest.hasPrefix("__") {
            isBold = true
            rest = rest.dropFirst(2)
        }
        if rest.hasPrefix("`") {
            let inside = rest.dropFirst()
            guard let end = inside.firstIndex(of: "`") else { return nil }
            var code = inside[..<end]
            rest = inside[inside.index(after: end)...]
            if isBold { for mark in ["**", "__"] where rest.hasPrefix(mark) { rest = rest.dropFirst(2) } }
            // `Song Played` is one name.
            let isTitle = code.first?.isUppercase ?? false
            if let colon = code.firstIndex(where: { ":=(".contains($0) || $0 == " " && !isTitle }),
                colon > code.startIndex
            {
                // `name: type` and `name(type)`.
                rest = code[colon...] + rest
                code = code[..<colon]
            }
            return code.isEmpty ? nil : (String(trimmed(code)), true)
        }
        if isBold, let close = rest.firstRange(ofText: "**"), let open = rest[..<close.lowerBound].firstIndex(of: "(") {
            // `**price (USD)**`
            let name = InlineMarkdown.plainText(String(trimmed(rest[..<open])))
            rest = rest[open..<close.lowerBound] + " " + rest[close.upperBound...]
            return name.isEmpty ? nil : (name, false)
        }
        var end = rest.startIndex
        var scalars = 0
        while end < rest.endIndex, scalars < 200 {
            let character = rest[end]
            if "(:（：=∈[|".contains(character) || (isBold && rest[end...].hasPrefix("**")) {
                if character == "[", rest[end...].hasPrefix("[]") {
                    end = rest.index(end, offsetBy: 2)
                    continue
                }
                break
            }
            if [" - ", " – ", " — ", " ― "].contains(where: rest[end...].hasPrefix) || character == "—" { break }
            end = rest.index(after: end)
            scalars += 1
        }
        let name = trimmed(rest[..<end])
        rest = rest[end...]
        if isBold, rest.hasPrefix("**") { rest = rest.dropFirst(2) }
        // A sentence is not a name.
        let words = name.split(separator: " ")
        guard !name.isEmpty, words.count <= 4, name.utf8.count <= 64, !name.hasSuffix(".") && !name.hasSuffix("。")
        else {
            return nil
        }
        let text = InlineMarkdown.plainText(String(name))
        return text.isEmpty ? nil : (text, false)
    }

    private static func readAfterName(_ text: Substring, _ property: inout PlanProperty) {
        var rest = trimmed(text)
        var prose: [String] = []
        if rest.hasPrefix("?") {
            property.isRequired = false
            rest = trimmed(rest.dropFirst())
        }
        // A star marks a required property.
        if rest.hasPrefix("*"), rest.count(where: { $0 == "*" }) == 1 {
            property.isRequired = true
            rest = trimmed(rest.dropFirst())
        }
        while let first = rest.first {
            if let unmarked = withoutLeadingEmphasis(rest) {
                rest = unmarked
            } else if first == "[", property.type == nil, let close = rest.firstIndex(of: "]"),
                rest[..<close].contains(","), readGroup(String(rest[..<close].dropFirst()), &property)
            {
                // `[integer, required]`
                rest = trimmed(rest[rest.index(after: close)...])
            } else if first == "(" || first == "（", let (group, after) = takeGroup(rest) {
                if !readGroup(group, &property) { prose.append("(\(group))") }
                rest = trimmed(after)
            } else if ":：—–-=―".contains(first) {
                rest = trimmed(rest.dropFirst())
                rest = withoutLeadingEmphasis(rest) ?? rest
                if property.type == nil, prose.isEmpty, let after = takeType(rest, &property) {
                    rest = after
                } else {
                    break
                }
            } else if property.type == nil, prose.isEmpty, let after = takeType(rest, &property) {
                rest = after
            } else {
                break
            }
        }
        let description = PlanItem.prose(String(rest))
        if !description.isEmpty { prose.append(description) }
        property.description = prose.joined(separator: " ")
    }

    private static func withoutLeadingEmphasis(_ text: Substring) -> Substring? {
        let marks = text.prefix { $0 == "*" || $0 == "_" }
        let inside = text.dropFirst(marks.count)
        guard (1...3).contains(marks.count), let end = inside.firstRange(ofText: String(marks)),
            inside.first == "(" || TypeNameParser.parse(String(inside[..<end.lowerBound])) != nil
        else { return nil }
        return inside[..<end.lowerBound] + inside[end.upperBound...]
    }

    private static func takeGroup(_ text: Substring) -> (inside: String, rest: Substring)? {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "(", "（": depth += 1
            case ")", "）":
                depth -= 1
                if depth == 0 {
                    return (String(text[text.index(after: text.startIndex)..<index]), text[text.index(after: index)...])
                }
            default: break
            }
        }
        return nil
    }

    /// Returns whether all of the group is understood.
    private static func readGroup(_ text: String, _ property: inout PlanProperty) -> Bool {
        if property.type == nil, let (parsed, rest) = TypeNameParser.parse(text) {
            property.take(parsed, rest)
            return true
        }
        var unknown: [String] = []
        for part in split(text.split(separator: "・").joined(separator: "、")) where !property.takeWord(part) {
            unknown.append(part)
        }
        guard !unknown.isEmpty else { return true }
        let left = unknown.joined(separator: ", ")
        if property.type == nil, let (parsed, rest) = TypeNameParser.parse(left) {
            property.take(parsed, rest)
            return true
        }
        if property.type == nil, let first = unknown.first, let (parsed, rest) = TypeNameParser.parse(first) {
            property.take(parsed, rest)
            property.description = unknown.dropFirst().joined(separator: ", ")
            return unknown.count == 1
        }
        return false
    }

    private static func takeType(_ text: Substring, _ property: inout PlanProperty) -> Substring? {
        if let (parsed, rest) = TypeNameParser.parse(String(text)) {
            property.take(parsed, rest)
            return ""
        }
        for separator in [" - ", " – ", " — ", " (", "（", ", ", "、", ". ", "。", ": ", " "] {
            guard let end = text.firstRange(ofText: separator) else { continue }
            guard let (parsed, rest) = TypeNameParser.parse(String(text[..<end.lowerBound])) else { continue }
            // In `time since the start` and `number of files`, the first word is not a type.
            if separator == " ", text[end.lowerBound...].hasPrefix(" of ") { return nil }
            if separator == " ", !Self.plainTypes.contains(PlanWords.folded(String(text[..<end.lowerBound]))) {
                return nil
            }
            property.take(parsed, rest)
            var after = text[end.lowerBound...]
            if [", ", "、", ". ", "。"].contains(separator) { after = text[end.upperBound...] }
            after = trimmed(after)
            let word = after.prefix { !",. （(".contains($0) }
            if property.takeWord(String(word)) {
                after = trimmed(after.dropFirst(word.count))
                while let mark = after.first, ",.".contains(mark) { after = trimmed(after.dropFirst()) }
            }
            return after
        }
        return nil
    }

    private static let plainTypes: Set<String> = [
        "string", "int", "integer", "bool", "boolean", "float", "double", "number", "int64", "string[]", "uuid",
        "文字列", "数値", "整数", "真偽値",
    ]

    /// Returns whether a cell or an item says that there is nothing. A name in code is a name, such as `x`.
    static func isNone(_ markdown: String) -> Bool {
        let text = plain(markdown)
        let isName =
            markdown.hasPrefix("`") && Names.isIdentifier(text) && !["none", "null", "nil", "na"].contains(text)
        return !isName && PlanWords.isNone(text)
    }

    static func plain(_ markdown: String) -> String {
        PlainText.normalized(InlineMarkdown.plainText(markdown))
    }

    /// Returns the plain text of a description, with the addresses of links after their text.
    static func prose(_ markdown: String) -> String {
        var result = ""
        var rest = markdown[...]
        while let end = rest.firstRange(ofText: "]("), let close = rest[end.upperBound...].firstIndex(of: ")") {
            let address = rest[end.upperBound..<close]
            result += rest[..<rest.index(after: close)]
            if !address.hasPrefix("#"), !result.hasSuffix("[\(address)](\(address))"), !address.contains("`") {
                result += " (`\(address)`)"
            }
            rest = rest[rest.index(after: close)...]
        }
        return plain(result + rest)
    }
}

extension PlanProperty {
    mutating func take(_ parsed: TypeNotation.Parsed, _ rest: String?) {
        type = parsed.type
        unexpressed = rest
        if parsed.isOptional { isRequired = false }
    }

    /// Takes a word such as `optional` or `PII`.
    mutating func takeWord(_ text: String) -> Bool {
        switch PlanWords.folded(text) {
        case "required", "mandatory", "必須": isRequired = true
        case "optional", "nullable", "recommended", "任意", "省略可", "推奨": isRequired = isRequired ?? false
        case "pii", "personal", "個人情報": privacy = .personal
        case "sensitive", "機微": privacy = .sensitive
        case "deprecated", "非推奨": deprecated = "deprecated"
        default: return false
        }
        return true
    }
}
